// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace skein::formats {

/// A text that is written from its beginning to its end; about a megabyte of it waits in memory. What fails is told
/// once, by check() or close(). Numbers are the shortest decimals that read back to the same value, with a point in
/// them, so that readers take a column of whole ones for real numbers too.
class TextFile {
public:
    explicit TextFile(const std::filesystem::path& path) : m_out(path, std::ios::binary | std::ios::trunc) {
        m_text.reserve(kRoom + kRoom / 8);
    }

    void put(char c) { m_text += c; }
    void put(std::string_view text) {
        m_text += text;
        if (m_text.size() >= kRoom)
            flush();
    }
    template <std::integral T>
    void integer(T value) {
        std::array<char, 24> digits{};
        put(std::string_view(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr));
    }
    /// `value` must be finite.
    void number(double value) {
        std::array<char, 40> digits{};
        char* end = std::to_chars(digits.data(), digits.data() + digits.size() - 2, value).ptr;
        std::string_view text(digits.data(), end);
        if (text.find_first_of(".e") == std::string_view::npos) {
            *end++ = '.';
            *end++ = '0';
            text = std::string_view(digits.data(), end);
        }
        put(text);
    }
    /// Nothing where there is no number: an empty cell.
    void cell(double value) {
        if (std::isfinite(value))
            number(value);
    }
    /// A cell of a table, in quotes where it needs them (RFC 4180).
    void cell(std::string_view text) {
        if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
            put(text);
            return;
        }
        put('"');
        for (const char c : text) {
            if (c == '"')
                put('"');
            put(c);
        }
        put('"');
    }

    /// Errors: Io, also for what went wrong earlier.
    [[nodiscard]] Result<void> check() const {
        if (!m_out)
            return fail(ErrorCode::Io,
                        "The text could not be written: the folder is write-protected or the disk is full.");
        return {};
    }
    [[nodiscard]] Result<void> close() {
        flush();
        m_out.close();
        return check();
    }

private:
    static constexpr std::size_t kRoom = 1 << 20;
    void flush() {
        m_out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_text.clear();
    }
    std::ofstream m_out;
    std::string m_text;
};

}  // namespace skein::formats
