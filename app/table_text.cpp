// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/table_text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

namespace skein::app {
namespace fs = std::filesystem;
namespace {

bool beginsCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Where the character of that number begins; the end of the text for a larger one.
std::size_t placeOf(const std::string& text, std::size_t character) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (beginsCharacter(text[at]) && character-- == 0)
            break;
    return at;
}

std::string lastParts(const fs::path& file, int folders) {
    fs::path text = file.filename(), above = file.parent_path();
    for (int i = 0; i < folders && above.has_filename(); ++i, above = above.parent_path())
        text = above.filename() / text;
    return text.string();
}

}  // namespace

std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

std::string shortened(const std::string& text, std::size_t most) {
    const std::size_t width = widthOf(text);
    if (width <= most || most < 2)
        return text;
    const std::size_t head = (most - 1) / 3, tail = most - 1 - head;
    return text.substr(0, placeOf(text, head)) + "…" + text.substr(placeOf(text, width - tail));
}

std::vector<std::string> namesOf(const std::vector<fs::path>& files) {
    // Files of one name get the same number of folders, the smallest that tells all of them apart.
    std::map<std::string, std::set<fs::path>> alike;
    for (const fs::path& file : files)
        alike[file.filename().string()].insert(file);
    std::map<std::string, int> folders;
    for (const auto& [name, paths] : alike) {
        constexpr int kMost = 16;
        const auto differ = [&paths = paths](int count) {
            std::set<std::string> names;
            for (const fs::path& path : paths)
                names.insert(lastParts(path, count));
            return names.size() == paths.size();
        };
        int& count = folders[name];
        while (count < kMost && !differ(count))
            ++count;
    }
    std::vector<std::string> names;
    for (const fs::path& file : files)
        names.push_back(lastParts(file, folders[file.filename().string()]));
    return names;
}

void printColumns(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& right) {
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - widthOf(row[i]), ' ');
            const bool isRight = std::find(right.begin(), right.end(), i) != right.end();
            line += (i == 0 ? "" : "  ") + (isRight ? space + row[i] : i + 1 < row.size() ? row[i] + space : row[i]);
        }
        std::printf("%s\n", line.c_str());
    }
}

}  // namespace skein::app
