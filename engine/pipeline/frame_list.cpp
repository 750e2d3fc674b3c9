// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/frame_list.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace skein::pipeline {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::int64_t> toNumber(std::string_view text) {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

}  // namespace

Result<FrameList> parseFrameList(std::string_view text) {
    FrameList list;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const std::string_view part = trimmed(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        if (part.empty())
            continue;
        const auto dash = part.find('-', 1);
        const auto first = toNumber(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : toNumber(part.substr(dash + 1));
        if (!first || !last)
            return fail(ErrorCode::InvalidArgument, "\"" + std::string(part) +
                                                        "\" is no frame number and no range; write frames as 0-99,150 "
                                                        "with the first frame being 0.");
        list.ranges.push_back({*first, *last});
    }
    return list;
}

std::vector<std::int64_t> FrameList::within(std::int64_t frameCount, std::int64_t* outside) const {
    std::vector<std::int64_t> frames;
    std::int64_t dropped = 0;
    for (const Range& range : ranges) {
        const std::int64_t end = std::min(range.last + 1, frameCount);
        for (std::int64_t frame = range.first; frame < end; ++frame)
            frames.push_back(frame);
        if (range.last >= range.first)
            dropped += range.last + 1 - std::max(range.first, std::min(range.last + 1, frameCount));
    }
    if (outside != nullptr)
        *outside = dropped;
    return frames;
}

std::string formatFrameList(const std::vector<std::int64_t>& frames) {
    std::string text;
    for (std::size_t i = 0; i < frames.size();) {
        std::size_t end = i + 1;
        while (end < frames.size() && frames[end] == frames[end - 1] + 1)
            ++end;
        if (!text.empty())
            text += ",";
        text += std::to_string(frames[i]);
        if (end - i > 1)
            text += "-" + std::to_string(frames[end - 1]);
        i = end;
    }
    return text;
}

std::string countOfFrames(std::int64_t frames) {
    return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

}  // namespace skein::pipeline
