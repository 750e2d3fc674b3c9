// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/formats/import/import_labels.h"
#include "engine/project/labels.h"

/// One format each; importLabels() does the rest.
namespace skein::formats::importing {

/// What a reader is to do and how it tells of it.
struct Task {
    const std::filesystem::path& path;
    const ImportOptions& options;
    ImportReport& report;

    [[nodiscard]] Result<void> step(std::string_view phase, double fraction) const {
        if (options.stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Reading was cancelled.");
        if (options.progress)
            options.progress(phase, fraction);
        return {};
    }
    /// "FILE: sentence".
    [[nodiscard]] tl::unexpected<Error> bad(const std::string& sentence) const {
        return fail(ErrorCode::Format, "Cannot read " + path.filename().string() + ": " + sentence);
    }
};

[[nodiscard]] Result<project::Labels> readAnalysis(const Task& task);
[[nodiscard]] Result<project::Labels> readCsv(const Task& task);
[[nodiscard]] Result<project::Labels> readCoco(const Task& task);
[[nodiscard]] Result<project::Labels> readDlc(const Task& task);
[[nodiscard]] Result<project::Labels> readDlcH5(const Task& task);
[[nodiscard]] Result<project::Labels> readNwb(const Task& task);

/// Largest frame number that is believed: ten years at 100 pictures a second, and then some.
inline constexpr std::int64_t kMostFrames = std::int64_t{1} << 35;

/// Frames that come in any order, put together by video and frame number. Memory: the instances.
class FrameCollector {
public:
    /// The frame of that number, new or as it was left.
    [[nodiscard]] project::FrameData& at(std::uint32_t video, std::int64_t frame) {
        project::FrameData& data = m_frames[{video, frame}];
        data.video = video;
        data.frameIndex = frame;
        return data;
    }
    /// Gives a frame another number; numbers must be given in ascending order and not grow.
    void move(std::uint32_t video, std::int64_t frame, std::int64_t number);
    /// Moves all frames into `labels`, by video and frame number.
    [[nodiscard]] project::Labels finish(project::Labels labels);

private:
    std::map<std::pair<std::uint32_t, std::int64_t>, project::FrameData> m_frames;
};

/// Names to their place in a list; new ones are appended.
template <class T>
class Register {
public:
    explicit Register(std::vector<T>& list) : m_list(list) {}
    template <class Make>
    std::size_t place(const std::string& name, Make make) {
        const auto [at, isNew] = m_places.try_emplace(name, m_list.size());
        if (isNew)
            m_list.push_back(make());
        return at->second;
    }

private:
    std::vector<T>& m_list;
    std::map<std::string, std::size_t> m_places;
};

/// A number as a text says it, without blanks around; nullopt: it is none. "nan" and an empty text are NaN.
[[nodiscard]] std::optional<double> numberFrom(std::string_view text);

}  // namespace skein::formats::importing
