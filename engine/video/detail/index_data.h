// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/video/detail/libav.h"
#include "engine/video/frame_index.h"

namespace skein::video::detail {

/// One packet of the video stream, in file order. Its place in IndexData::packets is its *ordinal*.
struct PacketEntry {
    std::int64_t pts = AV_NOPTS_VALUE;
    std::int64_t dts = AV_NOPTS_VALUE;
    std::int64_t pos = -1;   ///< byte in the file, -1 unknown
    std::int32_t size = 0;   ///< bytes
    std::int32_t rank = -1;  ///< number of its picture; -1: shows none
    bool isKey = false;
    bool isHidden = false;      ///< trimmed by an edit list, or never shown by design
    bool isIncomplete = false;  ///< the container knows that data is missing
    bool isDamaged = false;     ///< holds bytes that the codec forbids; the decoder may not notice
};

/// What FrameIndex holds; immutable once built.
struct IndexData {
    std::filesystem::path path;
    int streamIndex = -1;
    AVRational timeBase{0, 1};
    ParametersPtr parameters;
    std::string formatName;
    std::string codecName;
    bool isIntraOnly = false;  ///< every picture stands alone
    /// Rows of the display matrix's 2x2 part, each entry -1, 0 or 1: shown x = a*x + c*y, shown y = b*x + d*y.
    struct Orientation {
        int a = 1, b = 0, c = 0, d = 1;
        [[nodiscard]] bool isIdentity() const noexcept { return a == 1 && d == 1; }
        [[nodiscard]] bool swapsSides() const noexcept { return a == 0; }
    } orientation;

    std::vector<PacketEntry> packets;
    std::vector<std::int32_t> order;        ///< frame -> ordinal; -1: announced but missing in the file
    std::vector<std::int64_t> stamps;       ///< frame -> presentation stamp in timeBase, never descending
    std::vector<std::int32_t> keyOrdinals;  ///< packets at which a decoder may start, ascending
    std::vector<std::pair<std::uint64_t, std::int32_t>> places;  ///< hash of (pos, size) -> ordinal, sorted

    std::int32_t reorderDepth = 0;  ///< how many frames later a picture may be shown that is stored before another

    FrameNumber announced = 0;
    double fps = 0;
    bool isVariableRate = false;
    bool neededDecoding = false;
    std::optional<CutEnd> cutEnd;
    std::vector<std::string> warnings;

    /// Fills keyOrdinals, places, reorderDepth, and each packet's rank from `packets` and `order`.
    void finish();
    /// Which packet this is, for a packet met after a seek; nullopt when several or none are like it.
    [[nodiscard]] std::optional<std::int32_t> ordinalOf(const AVPacket& packet) const;
    [[nodiscard]] bool isPacket(std::int32_t ordinal, const AVPacket& packet) const;
    /// Last key packet from which the picture of packet `ordinal` can be expected: not after it in file order, and not
    /// a key picture that is shown later (the pictures between belong to the group before). 0 when there is none.
    [[nodiscard]] std::int32_t startFor(std::int32_t ordinal) const;
    /// Key packet before `start`, or 0; and the one after, or the number of packets.
    [[nodiscard]] std::int32_t keyBefore(std::int32_t start) const;
    [[nodiscard]] std::int32_t keyAfter(std::int32_t start) const;
};

}  // namespace skein::video::detail
