// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/video/frame_reader.h"
#include "tests/support/bar_code.h"

namespace skein::test {

/// CRC-32 with zlib's polynomial.
inline std::uint32_t crc32(const std::vector<std::uint8_t>& bytes) {
    static const std::array<std::uint32_t, 256> table = [] {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t c = i;
            for (int k = 0; k < 8; ++k)
                c = (c & 1) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
            t[i] = c;
        }
        return t;
    }();
    std::uint32_t c = 0xFFFFFFFFU;
    for (const std::uint8_t b : bytes)
        c = table[(c ^ b) & 0xFF] ^ (c >> 8);
    return ~c;
}

inline double meanOf(const Image& image) {
    const double sum = std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0);
    return sum / static_cast<double>(image.pixels.size());
}

/// The orders in which every video is read: a wrong seek shows in at least one of them.
inline std::vector<std::pair<std::string, std::vector<video::FrameNumber>>> readingOrders(video::FrameNumber count) {
    std::vector<video::FrameNumber> forward(static_cast<std::size_t>(count));
    std::iota(forward.begin(), forward.end(), 0);
    std::vector<video::FrameNumber> reverse(forward.rbegin(), forward.rend());
    std::vector<video::FrameNumber> shuffled = forward;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(20240607));  // NOLINT: the same order every time
    // Long videos hold long groups, where each jump decodes many pictures.
    shuffled.resize(std::min<std::size_t>(shuffled.size(), 120));
    std::vector<video::FrameNumber> steps{count - 1, 0, count / 2};
    for (video::FrameNumber k = count / 2; k > 0 && k > count / 2 - 5; --k)
        steps.insert(steps.end(), {k, k - 1, k - 1, k});
    std::vector<video::FrameNumber> strided;
    for (video::FrameNumber k = 0; k < count; k += std::max<video::FrameNumber>(7, count / 40))
        strided.push_back(k);
    return {{"forward", forward}, {"reverse", reverse}, {"shuffled", shuffled}, {"steps", steps}, {"strided", strided}};
}

/// Reads every frame in every order with fresh readers of several thread counts. Returns the first thing that is not as
/// it should be: a failure, a code that is not `codes[k]`, or pixels that differ from the first reading. Empty: all is
/// well. `at` maps stored to shown pixels for turned videos. After a jump to an open group the decoder complains about
/// the pictures before its key picture, and the group is searched for damage once; `isOpen` allows for that.
template <class Map>
std::string whatIsWrong(const std::shared_ptr<const video::FrameIndex>& index,
                        const std::vector<std::optional<int>>& codes, Map at, bool isOpen = false) {
    using video::FrameNumber;
    if (index->frameCount() != static_cast<FrameNumber>(codes.size()))
        return "frames: " + std::to_string(index->frameCount()) + ", expected " + std::to_string(codes.size());
    std::map<FrameNumber, std::uint32_t> pixels;
    for (const auto& [name, frames] : readingOrders(index->frameCount())) {
        for (const int threads : {1, 3}) {
            video::FrameReader::Options options;
            options.threads = threads;
            auto reader = video::FrameReader::open(index, options);
            if (!reader)
                return reader.error().describe();
            const std::string where = " (" + name + ", threads " + std::to_string(threads) + ")";
            for (const FrameNumber frame : frames) {
                const std::string which = "frame " + std::to_string(frame) + where + ": ";
                const Result<ImagePtr> image = (*reader)->read(frame, video::PixelFormat::Rgb24);
                if (!image)
                    return which + image.error().describe();
                const std::optional<int> code = readBarCode(**image, at);
                if (code != codes[static_cast<std::size_t>(frame)])
                    return which + "shows code " + (code ? std::to_string(*code) : std::string("none"));
                const std::uint32_t crc = crc32((*image)->pixels);
                if (pixels.emplace(frame, crc).first->second != crc)
                    return which + "pixels differ from the first reading";
            }
            const video::ReaderStats& stats = (*reader)->stats();
            if (name == "forward" && (stats.seeks != 0 || stats.retries != 0))
                return "reading forward sought" + where;
            if (stats.damageChecks != 0 && (!isOpen || name == "forward"))
                return "an intact file was taken for damaged" + where;
        }
    }
    return {};
}

inline std::string whatIsWrong(const std::shared_ptr<const video::FrameIndex>& index,
                               const std::vector<std::optional<int>>& codes, bool isOpen = false) {
    return whatIsWrong(
        index, codes, [](int x, int y) { return std::pair<int, int>(x, y); }, isOpen);
}

/// first, first + 1, ...
inline std::vector<std::optional<int>> codesFrom(int first, int count) {
    std::vector<std::optional<int>> codes;
    for (int i = 0; i < count; ++i)
        codes.emplace_back(first + i);
    return codes;
}

}  // namespace skein::test
