// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace skein::formats::importing {

/// Reads a table of comma separated values row by row (RFC 4180: cells in quotes may hold commas, quotes, line ends;
/// line ends of all systems; a byte order mark is passed over). A row longer than 64 MiB ends the table as damaged.
class CsvTable {
public:
    explicit CsvTable(const std::filesystem::path& path);

    /// The next row that has any cell; false at the end or when the file cannot be read on.
    bool next(std::vector<std::string>& cells);
    /// Line on which the row read last ends, from 1.
    [[nodiscard]] std::int64_t line() const { return m_line; }
    /// Whether the file ended inside quotes, in a row too long, or with an error.
    [[nodiscard]] bool isDamaged() const { return m_damaged || m_in.bad(); }
    /// Share of the file that was read, 0 to 1.
    [[nodiscard]] double fraction() const { return m_size == 0 ? 1 : double(m_read) / double(m_size); }

private:
    int get();

    std::ifstream m_in;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    std::uint64_t m_read = 0, m_size = 0;
    std::int64_t m_line = 0;
    bool m_damaged = false;
};

}  // namespace skein::formats::importing
