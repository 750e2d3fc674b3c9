// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/import/csv_table.h"

namespace skein::formats::importing {

namespace {
constexpr std::size_t kBuffer = 1 << 18;
constexpr std::size_t kLongestRow = std::size_t{64} << 20;
constexpr int kEnd = -1;
}  // namespace

CsvTable::CsvTable(const std::filesystem::path& path) : m_in(path, std::ios::binary), m_buffer(kBuffer) {
    std::error_code ec;
    m_size = std::filesystem::file_size(path, ec);
    if (ec)
        m_size = 0;
    // A byte order mark is no part of the first name.
    for (const int byte : {0xEF, 0xBB, 0xBF})
        if (get() != byte) {
            m_at = 0;
            break;
        }
}

int CsvTable::get() {
    if (m_at == m_end) {
        m_in.read(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
        m_end = static_cast<std::size_t>(m_in.gcount());
        m_read += m_end;
        m_at = 0;
        if (m_end == 0)
            return kEnd;
    }
    return static_cast<unsigned char>(m_buffer[m_at++]);
}

bool CsvTable::next(std::vector<std::string>& cells) {
    std::size_t count = 0;  // cells so far; their room is used again
    std::size_t bytes = 0;
    const auto begin = [&] {
        if (count == cells.size())
            cells.emplace_back();
        cells[count++].clear();
    };
    begin();
    bool quoted = false, any = false, wasQuote = false;
    for (int c = get();; c = get()) {
        if (c == kEnd) {
            m_damaged = m_damaged || (quoted && !wasQuote);
            if (!any)
                return false;
            break;
        }
        if (++bytes > kLongestRow) {
            m_damaged = true;
            return false;
        }
        if (quoted && !wasQuote && c != '"') {
            cells[count - 1] += static_cast<char>(c);
            m_line += c == '\n' ? 1 : 0;
            continue;
        }
        if (c == '"') {
            any = true;
            if (!quoted && cells[count - 1].empty()) {
                quoted = true;
            } else if (wasQuote || !quoted) {  // a doubled one, or one inside a plain cell
                cells[count - 1] += '"';
                wasQuote = false;
            } else {
                wasQuote = true;
            }
            continue;
        }
        if (wasQuote)
            quoted = wasQuote = false;
        if (c == ',') {
            any = true;
            begin();
        } else if (c == '\n') {
            ++m_line;
            if (any)
                break;
        } else if (c != '\r') {
            any = true;
            cells[count - 1] += static_cast<char>(c);
        }
    }
    cells.resize(count);
    return true;
}

}  // namespace skein::formats::importing
