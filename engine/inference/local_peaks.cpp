// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/local_peaks.h"

#include <array>
#include <cmath>

namespace skein::inference {
namespace {

struct Offset {
    int x, y;
};
constexpr std::array<Offset, 4> kBefore = {{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}}};
constexpr std::array<Offset, 4> kAfter = {{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};  // E, SW, S, SE
constexpr unsigned kEast = 1, kSouthWest = 2, kSouth = 4, kSouthEast = 8;

bool inside(const MapView& maps, int x, int y) {
    return x >= 0 && y >= 0 && x < maps.width && y < maps.height;
}

/// Which of E, SW, S, SE are as high as the pixel; the pixel must be a candidate. Returns false when it is none.
bool isCandidate(const MapView& maps, int x, int y, int channel, float value, unsigned& equal) {
    // Neighbours outside the map are minus infinity, below any value that is above a threshold.
    for (const Offset& o : kBefore)
        if (inside(maps, x + o.x, y + o.y) && !(value > maps.at(y + o.y, x + o.x, channel)))
            return false;
    equal = 0;
    for (unsigned i = 0; i < kAfter.size(); ++i) {
        const Offset& o = kAfter[i];
        if (!inside(maps, x + o.x, y + o.y))
            continue;
        const float other = maps.at(y + o.y, x + o.x, channel);
        if (!(value >= other))
            return false;
        if (other == value)
            equal |= 1U << i;
    }
    return true;
}

/// Whether the candidate and its equal neighbours form a flat top that counts; adds their mean offset to x and y.
bool resolveFlatTop(const MapView& maps, int x, int y, int channel, float value, unsigned equal, float& meanX,
                    float& meanY) {
    const bool right = (equal & ~(kEast | kSouth | kSouthEast)) == 0;
    const bool left = (equal & ~(kSouthWest | kSouth)) == 0;
    if (!right && !left)
        return false;
    std::array<Offset, 5> top = {{{0, 0}}};
    std::size_t count = 1;
    for (unsigned i = 0; i < kAfter.size(); ++i)
        if ((equal & (1U << i)) != 0)
            top[count++] = kAfter[i];
    const auto isTop = [&](int dx, int dy) {
        for (std::size_t i = 0; i < count; ++i)
            if (top[i].x == dx && top[i].y == dy)
                return true;
        return false;
    };
    int sumX = 0;
    int sumY = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sumX += x + top[i].x;
        sumY += y + top[i].y;
        for (int dy = top[i].y - 1; dy <= top[i].y + 1; ++dy)
            for (int dx = top[i].x - 1; dx <= top[i].x + 1; ++dx)
                if (!isTop(dx, dy) && inside(maps, x + dx, y + dy) && maps.at(y + dy, x + dx, channel) >= value)
                    return false;
    }
    meanX = static_cast<float>(sumX) / static_cast<float>(count);
    meanY = static_cast<float>(sumY) / static_cast<float>(count);
    return true;
}

}  // namespace

void refinePeak(const MapView& maps, int channel, int patch, float& x, float& y) {
    const float anchorX = std::floor(x);
    const float anchorY = std::floor(y);
    const int left = static_cast<int>(anchorX) - patch / 2;
    const int top = static_cast<int>(anchorY) - patch / 2;
    const float centre = static_cast<float>(patch - 1) / 2.0F;
    float mass = 0;
    float sumX = 0;
    float sumY = 0;
    for (int j = 0; j < patch; ++j) {
        const int row = top + j;
        if (row < 0 || row >= maps.height)
            continue;
        for (int i = 0; i < patch; ++i) {
            const int column = left + i;
            if (column < 0 || column >= maps.width)
                continue;
            const float value = maps.at(row, column, channel);
            mass += value;
            sumX += (static_cast<float>(i) - centre) * value;
            sumY += (static_cast<float>(j) - centre) * value;
        }
    }
    x = anchorX + sumX / mass;
    y = anchorY + sumY / mass;
}

void findLocalPeaks(const MapView& maps, const PeakOptions& options, std::vector<Peak>& out) {
    constexpr std::ptrdiff_t kBlock = 32;
    const std::ptrdiff_t rowSize = static_cast<std::ptrdiff_t>(maps.width) * maps.channels;
    const float threshold = options.threshold;
    const auto visit = [&](const float* row, std::ptrdiff_t i, int y) {
        const float value = row[i];
        if (!(value > threshold))
            return;
        const int x = static_cast<int>(i / maps.channels);
        const int channel = static_cast<int>(i % maps.channels);
        unsigned equal = 0;
        if (!isCandidate(maps, x, y, channel, value, equal))
            return;
        Peak peak{static_cast<float>(x), static_cast<float>(y), value, channel};
        if (equal != 0 && !resolveFlatTop(maps, x, y, channel, value, equal, peak.x, peak.y))
            return;
        if (options.refine)
            refinePeak(maps, channel, options.patch, peak.x, peak.y);
        out.push_back(peak);
    };
    for (int y = 0; y < maps.height; ++y) {
        const float* row = maps.data + y * rowSize;
        // Nearly all pixels are below the threshold: whole blocks are passed over with a loop that vectorises.
        std::ptrdiff_t i = 0;
        for (; i + kBlock <= rowSize; i += kBlock) {
            int above = 0;
            for (std::ptrdiff_t j = 0; j < kBlock; ++j)
                above += row[i + j] > threshold ? 1 : 0;
            if (above != 0)
                for (std::ptrdiff_t j = 0; j < kBlock; ++j)
                    visit(row, i + j, y);
        }
        for (; i < rowSize; ++i)
            visit(row, i, y);
    }
}

}  // namespace skein::inference
