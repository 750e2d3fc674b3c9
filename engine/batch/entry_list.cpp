// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/entry_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 16> kVideoEndings = {".mp4",  ".m4v",  ".mov", ".avi", ".mkv",  ".mpg",
                                                            ".mpeg", ".webm", ".wmv", ".mts", ".m2ts", ".ts",
                                                            ".ogv",  ".flv",  ".3gp", ".mj2"};

std::string lowerEnding(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

std::string modelName(const Entry& entry) {
    if (entry.settings.models.empty())
        return "model";
    fs::path last = entry.settings.models.back();
    if (!last.has_filename())
        last = last.parent_path();
    std::error_code ec;
    if (fs::is_regular_file(last, ec))
        last = last.parent_path();
    return last.filename().string();
}

fs::path realPath(const fs::path& path) {
    std::error_code ec;
    const fs::path real = fs::weakly_canonical(path, ec);
    return ec ? path.lexically_normal() : real;
}

/// Before ".predictions.slp", or before the ending.
std::string with(const std::string& name, const std::string& addition) {
    constexpr std::string_view kUsual = ".predictions.slp";
    const std::size_t at = name.ends_with(kUsual) ? name.size() - kUsual.size() : name.rfind('.');
    return at == std::string::npos ? name + addition : name.substr(0, at) + addition + name.substr(at);
}

/// The names that more than one of the entries without an output would have.
std::set<std::string> shared(const std::vector<std::string>& names) {
    std::map<std::string, int> counts;
    for (const std::string& name : names)
        if (!name.empty())
            ++counts[name];
    std::set<std::string> twice;
    for (const auto& [name, count] : counts)
        if (count > 1)
            twice.insert(name);
    return twice;
}

}  // namespace

bool isVideoName(const fs::path& file) {
    return std::find(kVideoEndings.begin(), kVideoEndings.end(), lowerEnding(file)) != kVideoEndings.end();
}

Result<std::vector<fs::path>> videosIn(const fs::path& folder) {
    std::error_code ec;
    if (!fs::is_directory(folder, ec))
        return fail(ErrorCode::NotFound, "There is no folder " + folder.string() + ".");
    std::vector<fs::path> videos;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        std::error_code ignored;
        if (isVideoName(it->path()) && it->is_regular_file(ignored))
            videos.push_back(it->path());
    }
    if (ec)
        return fail(ErrorCode::Io, "The folder " + folder.string() + " cannot be read: " + ec.message() + ".");
    std::sort(videos.begin(), videos.end());
    return videos;
}

fs::path numbered(const fs::path& output) {
    const std::string ending = output.extension().string();
    const std::string stem = output.string().substr(0, output.string().size() - ending.size());
    std::error_code ec;
    for (int number = 2;; ++number) {
        const fs::path candidate = stem + "." + std::to_string(number) + ending;
        if (!fs::exists(candidate, ec))
            return candidate;
    }
}

Result<void> nameOutputs(std::vector<Entry>& entries, const fs::path& folder, const std::string& pattern) {
    if (pattern.find("{video}") == std::string::npos || fs::path(pattern).extension() != ".slp" ||
        pattern.find('/') != std::string::npos)
        return fail(ErrorCode::InvalidArgument,
                    "The pattern of outputs must be a file name with {video} in it that ends with .slp, not \"" +
                        pattern + "\".");
    std::vector<std::string> names(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].output.empty())
            names[i] = replaced(replaced(pattern, "{video}", entries[i].data.stem().string()), "{model}",
                                modelName(entries[i]));
    // Told apart step by step, so that a name says no more than it has to.
    const auto tellApart = [&](auto addition) {
        const std::set<std::string> twice = shared(names);
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (twice.count(names[i]) != 0)
                names[i] = with(names[i], addition(i));
    };
    std::map<std::string, std::set<std::string>> modelsOf;
    for (std::size_t i = 0; i < entries.size(); ++i)
        modelsOf[names[i]].insert(modelName(entries[i]));
    if (std::any_of(modelsOf.begin(), modelsOf.end(), [](const auto& item) { return item.second.size() > 1; }))
        tellApart([&](std::size_t i) { return "." + modelName(entries[i]); });
    tellApart([&](std::size_t i) { return entries[i].data.extension().string(); });
    std::map<std::string, int> counts;
    tellApart([&](std::size_t i) { return "." + std::to_string(++counts[names[i]]); });

    std::set<fs::path> datas, outputs;
    for (const Entry& entry : entries) {
        datas.insert(realPath(entry.data));
        for (const fs::path& video : entry.more)
            datas.insert(realPath(video));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Entry& entry = entries[i];
        if (entry.output.empty())
            entry.output = folder / names[i];
        if (entry.output.extension() != ".slp")
            return fail(ErrorCode::InvalidArgument,
                        "The output " + entry.output.string() + " must be a labels file, with the ending .slp.");
        const fs::path real = realPath(entry.output);
        if (datas.count(real) != 0)
            return fail(ErrorCode::InvalidArgument,
                        "The output " + entry.output.string() + " is read here too; choose another name.");
        if (!outputs.insert(real).second)
            return fail(ErrorCode::InvalidArgument,
                        "Two entries have the output " + entry.output.string() + "; choose another for one of them.");
    }
    return {};
}

}  // namespace skein::batch
