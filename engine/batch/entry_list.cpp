// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/entry_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/batch/model_names.h"

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

/// The pattern with its placeholders filled in, the names of which are looked up. Errors: InvalidArgument, for one that
/// is not known.
Result<std::string> filledIn(const std::string& pattern, const std::map<std::string, std::string>& values) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            text += pattern[at++];
            continue;
        }
        const auto value = values.find(pattern.substr(at, end + 1 - at));
        if (value == values.end())
            return fail(ErrorCode::InvalidArgument,
                        "Names of results cannot hold " + pattern.substr(at, end + 1 - at) +
                            ": {video}, the video's name, and {model}, the model's, are filled in, and nothing else.");
        text += value->second;
        at = end + 1;
    }
    return text;
}

/// The last `depth` folders above a file, as one word.
std::string foldersOf(const fs::path& file, int depth) {
    std::string word;
    fs::path folder = file.parent_path();
    for (int i = 0; i < depth && folder.has_filename(); ++i, folder = folder.parent_path())
        word = folder.filename().string() + (word.empty() ? "" : "-" + word);
    return word;
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

/// Names that are told apart step by step, so that none says more than it has to. Empty ones are left alone.
class Names {
public:
    explicit Names(std::vector<std::string> names) : m_names(std::move(names)) {}

    /// Adds to those that are alike and whose additions differ. `what`: of what there has to be as many additions as
    /// there are different ones among them; nullptr: any are better than none.
    template <class Addition>
    void tellApart(Addition addition, const std::vector<fs::path>* what = nullptr) {
        std::map<std::string, std::set<std::string>> additions;
        std::map<std::string, std::set<fs::path>> things;
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            additions[m_names[i]].insert(addition(i));
            if (what != nullptr)
                things[m_names[i]].insert((*what)[i]);
        }
        const std::vector<std::string> before = m_names;
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            const std::size_t differ = additions[before[i]].size();
            const bool isEnough = what == nullptr || differ == things[before[i]].size();
            if (!before[i].empty() && differ > 1 && isEnough)
                m_names[i] = with(before[i], addition(i));
        }
    }
    [[nodiscard]] const std::string& at(std::size_t i) const { return m_names[i]; }

private:
    std::vector<std::string> m_names;
};

/// Looks through a folder and those within it; ends after so many files and folders that it was hardly meant.
class FolderWalk {
public:
    explicit FolderWalk(Subfolders subfolders) : m_subfolders(subfolders) {}

    std::error_code look(const fs::path& folder, bool isTop) {
        std::error_code ec;
        std::vector<fs::path> videos, folders;
        for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
            std::error_code ignored;
            const bool isLink = it->is_symlink(ignored);
            if (it->is_directory(ignored) && !isLink && !it->path().filename().string().starts_with('.'))
                folders.push_back(it->path());
            else if (isVideoName(it->path()) && it->is_regular_file(ignored))
                videos.push_back(it->path());
            if (++m_seen > kMost && m_subfolders == Subfolders::LeaveOut && !isTop)
                break;
        }
        std::sort(videos.begin(), videos.end());
        std::sort(folders.begin(), folders.end());
        if (isTop || m_subfolders == Subfolders::Take)
            found.videos.insert(found.videos.end(), videos.begin(), videos.end());
        else
            found.leftOut += std::ssize(videos);
        // One that may not be read is passed over; it is not the one that was asked for.
        for (const fs::path& within : folders)
            if (m_seen <= kMost || m_subfolders == Subfolders::Take)
                (void)look(within, false);
        return ec;
    }

    FolderVideos found;

private:
    static constexpr std::int64_t kMost = 20000;
    Subfolders m_subfolders;
    std::int64_t m_seen = 0;
};

}  // namespace

bool isVideoName(const fs::path& file) {
    return std::find(kVideoEndings.begin(), kVideoEndings.end(), lowerEnding(file)) != kVideoEndings.end();
}

Result<FolderVideos> videosIn(const fs::path& folder, Subfolders subfolders) {
    std::error_code ec;
    if (!fs::is_directory(folder, ec))
        return fail(ErrorCode::NotFound, "There is no folder " + folder.string() + ".");
    FolderWalk walk(subfolders);
    if (const std::error_code problem = walk.look(folder, true))
        return fail(ErrorCode::Io, "The folder " + folder.string() + " cannot be read: " + problem.message() + ".");
    return std::move(walk.found);
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
    if (auto known = filledIn(pattern, {{"{video}", {}}, {"{model}", {}}}); !known)
        return fail(std::move(known.error()));
    if (pattern.find("{video}") == std::string::npos || fs::path(pattern).extension() != ".slp" ||
        pattern.find('/') != std::string::npos)
        return fail(ErrorCode::InvalidArgument,
                    "The pattern of outputs must be a file name with {video} in it that ends with .slp, not \"" +
                        pattern + "\".");
    std::vector<std::string> filled(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto name = filledIn(pattern, {{"{video}", entries[i].data.stem().string()},
                                       {"{model}", folderOfModel(entries[i].settings.models)}});
        if (!name)
            return fail(std::move(name.error()));
        if (entries[i].output.empty())
            filled[i] = std::move(*name);
    }
    Names names(std::move(filled));
    std::set<ModelPaths> models;
    std::vector<fs::path> videos;
    for (const Entry& entry : entries) {
        models.insert(entry.settings.models);
        videos.push_back(entry.data);
    }
    const auto modelsBy = modelNames(models);
    names.tellApart([&](std::size_t i) {
        std::string name = modelsBy.at(entries[i].settings.models);
        std::replace(name.begin(), name.end(), '/', '-');
        return "." + name;
    });
    names.tellApart([&](std::size_t i) { return entries[i].data.extension().string(); });
    // Videos of several days are often called alike.
    constexpr int kFolders = 3;
    for (int depth = 1; depth <= kFolders; ++depth)
        names.tellApart([&](std::size_t i) { return "." + foldersOf(entries[i].data, depth); },
                        depth < kFolders ? &videos : nullptr);
    std::vector<int> numbers(entries.size());
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < entries.size(); ++i)
        numbers[i] = ++counts[names.at(i)];
    names.tellApart([&](std::size_t i) { return "." + std::to_string(numbers[i]); });

    std::set<fs::path> datas, outputs;
    for (const Entry& entry : entries) {
        datas.insert(realPath(entry.data));
        for (const fs::path& video : entry.more)
            datas.insert(realPath(video));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Entry& entry = entries[i];
        if (entry.output.empty())
            entry.output = folder / names.at(i);
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
