// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

// Little-endian numbers and texts as the journal stores them; for the sources of the journal alone.
namespace skein::project::journal {

static_assert(std::endian::native == std::endian::little, "journals are written in the machine's order");

using Bytes = std::vector<std::uint8_t>;

class ByteWriter {
public:
    template <class T>
    void fixed(T value) {
        static_assert(std::is_arithmetic_v<T>);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(T));
    }
    /// Seven bits a byte, the lowest first.
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U)
            m_bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
        m_bytes.push_back(static_cast<std::uint8_t>(value));
    }
    /// Small of either sign.
    void integer(std::int64_t value) {
        number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void text(const std::string& value) {
        number(value.size());
        m_bytes.insert(m_bytes.end(), value.begin(), value.end());
    }
    void append(const Bytes& bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }
    [[nodiscard]] const Bytes& bytes() const { return m_bytes; }
    [[nodiscard]] Bytes take() { return std::move(m_bytes); }

private:
    Bytes m_bytes;
};

/// Reads what ByteWriter wrote. What is not there reads as zero and makes ok() false for good, so that a reader can
/// check once at the end of each part; sizes are checked against what is left before anything is made of them.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool atEnd() const { return m_at == m_bytes.size(); }
    [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_at; }
    void spoil() { m_ok = false; }

    template <class T>
    T fixed() {
        T value{};
        if (left() < sizeof(T)) {
            m_ok = false;
            return value;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return value;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = fixed<std::uint8_t>();
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if ((byte & 0x80U) == 0)
                return m_ok ? value : 0;
        }
        m_ok = false;
        return 0;
    }
    /// A number of things that take at least `least` bytes each: never more than can still come.
    std::size_t count(std::size_t least = 1) {
        const std::uint64_t value = number();
        if (value > left() / least) {
            m_ok = false;
            return 0;
        }
        return static_cast<std::size_t>(value);
    }
    /// At most `most`; beyond it the reader is not ok and 0 comes back.
    std::uint64_t numberUpTo(std::uint64_t most) {
        const std::uint64_t value = number();
        if (value <= most)
            return value;
        m_ok = false;
        return 0;
    }
    std::int64_t integer() {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
    }
    std::string text() {
        const std::size_t size = count();
        std::string value(reinterpret_cast<const char*>(m_bytes.data()) + m_at, size);
        m_at += size;
        return value;
    }

private:
    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    bool m_ok = true;
};

/// CRC-32 (the polynomial of Ethernet and zlib).
[[nodiscard]] inline std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
    static const std::array<std::uint32_t, 256> kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1U) != 0 ? 0xedb88320U ^ (value >> 1U) : value >> 1U;
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xffffffffU;
    for (const std::uint8_t byte : bytes)
        crc = kTable[(crc ^ byte) & 0xffU] ^ (crc >> 8U);
    return ~crc;
}

}  // namespace skein::project::journal
