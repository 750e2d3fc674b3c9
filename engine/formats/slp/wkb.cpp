// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/wkb.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

constexpr int kMaxDepth = 16;

class Parser {
public:
    explicit Parser(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    /// One geometry with its header; `withName` false inside collections of one kind.
    Result<std::string> geometry(bool withName, int depth) {
        SKEIN_CHECK(need(5));
        if (depth > kMaxDepth)
            return fail(ErrorCode::Format, "A region of the file is nested too deep; the file is damaged.");
        m_little = m_bytes[m_at++] == 1;
        std::uint32_t type = number32();
        const bool hasSystem = (type & 0x20000000U) != 0;
        bool hasZ = (type & 0x80000000U) != 0;
        bool hasM = (type & 0x40000000U) != 0;
        type &= 0x0FFFFFFFU;
        hasZ = hasZ || type / 1000 == 1 || type / 1000 == 3;
        hasM = hasM || type / 1000 == 2 || type / 1000 == 3;
        type %= 1000;
        m_dimensions = 2 + (hasZ ? 1U : 0U) + (hasM ? 1U : 0U);
        if (hasSystem) {
            SKEIN_CHECK(need(4));
            m_at += 4;
        }
        const std::string dimension = hasZ && hasM ? "ZM " : hasZ ? "Z " : hasM ? "M " : "";
        static constexpr std::array<const char*, 8> kNames = {
            "",           "POINT",           "LINESTRING",   "POLYGON",
            "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
        if (type < 1 || type >= kNames.size())
            return fail(ErrorCode::Format, "A region of the file has an unknown kind of shape.");
        SKEIN_TRY(body, content(type, depth));
        return withName ? std::string(kNames[type]) + " " + dimension + body : body;
    }

private:
    Result<std::string> content(std::uint32_t type, int depth) {
        if (type == 1) {
            SKEIN_TRY(text, point());
            return "(" + text + ")";
        }
        if (type == 2)
            return points();
        return list([&]() -> Result<std::string> { return type == 3 ? points() : geometry(type == 7, depth + 1); });
    }

    Result<std::string> points() {
        return list([&] { return point(); });
    }

    template <class Item>
    Result<std::string> list(Item item) {
        SKEIN_CHECK(need(4));
        const std::uint32_t count = number32();
        if (count == 0)
            return std::string("EMPTY");
        std::string text = "(";
        for (std::uint32_t i = 0; i < count; ++i) {
            SKEIN_TRY(part, item());
            text += (i == 0 ? "" : ", ") + part;
        }
        return text + ")";
    }

    Result<std::string> point() {
        SKEIN_CHECK(need(8 * m_dimensions));
        std::string text;
        for (std::size_t i = 0; i < m_dimensions; ++i) {
            std::uint64_t bits = 0;
            for (std::size_t k = 0; k < 8; ++k)
                bits |= static_cast<std::uint64_t>(m_bytes[m_at + k]) << (8 * (m_little ? k : 7 - k));
            m_at += 8;
            std::array<char, 40> digits{};
            const auto end =
                std::to_chars(digits.data(), digits.data() + digits.size(), std::bit_cast<double>(bits)).ptr;
            text += (i == 0 ? "" : " ") + std::string(digits.data(), end);
        }
        return text;
    }

    Result<void> need(std::size_t count) const {
        if (m_bytes.size() - m_at < count)
            return fail(ErrorCode::Format, "A region of the file is cut short; the file is damaged.");
        return {};
    }

    std::uint32_t number32() {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k)
            value |= static_cast<std::uint32_t>(m_bytes[m_at + k]) << (8 * (m_little ? k : 3 - k));
        m_at += 4;
        return value;
    }

    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    std::size_t m_dimensions = 2;
    bool m_little = true;
};

}  // namespace

Result<std::string> wkbToText(std::span<const std::uint8_t> bytes) {
    return Parser(bytes).geometry(true, 0);
}

}  // namespace skein::formats::slp
