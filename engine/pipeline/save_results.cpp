// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/save_results.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/formats/slp.h"

namespace skein::pipeline {

namespace fs = std::filesystem;

Result<void> saveResults(const project::Labels& labels, const std::string& path) {
    auto saved = formats::writeSlp(labels, path);
    if (saved)
        return {};
    std::vector<fs::path> folders;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        folders.emplace_back(home);
    std::error_code ignored;
    folders.push_back(fs::temp_directory_path(ignored));
    const std::string stem = fs::path(path).stem().string();
    for (const fs::path& folder : folders) {
        for (int number = 1; number < 100; ++number) {
            const fs::path rescue = folder / (stem + ".kept-" + std::to_string(number) + ".slp");
            if (fs::exists(rescue, ignored))
                continue;
            if (formats::writeSlp(labels, rescue.string()))
                return fail(std::move(saved.error()).withContext("The results were kept in " + rescue.string() + "."));
            break;
        }
    }
    return fail(std::move(saved.error()));
}

}  // namespace skein::pipeline
