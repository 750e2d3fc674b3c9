// SPDX-License-Identifier: BSD-3-Clause
#include "engine/suggestions/detail/features.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace skein::suggestions::detail {

namespace {

constexpr int kCell = 16;
constexpr int kBins = 8;
constexpr std::size_t kMostCorners = 100;
constexpr int kPatch = 15;  // descriptors compare pixels at most this far from their corner
constexpr int kApart = 5;   // pixels between two corners
constexpr double kHarris = 0.04;
constexpr double kPi = 3.14159265358979323846;

/// Pairs of places around a corner, the same each time: roughly normal around it (a mean of four draws).
const std::array<std::array<int, 4>, 256>& pairs() {
    static const std::array<std::array<int, 4>, 256> table = [] {
        std::array<std::array<int, 4>, 256> made{};
        std::mt19937 random(20);
        for (auto& pair : made)
            for (int& place : pair) {
                int sum = 0;
                for (int draw = 0; draw < 4; ++draw)
                    sum += static_cast<int>(random() % (2 * kPatch + 1)) - kPatch;
                place = sum / 4;
            }
        return made;
    }();
    return table;
}

/// Mean of 5 x 5 pixels, by sums along rows and then columns; the border keeps its pixels.
Gray smoothed(const Gray& picture) {
    Gray out = picture;
    for (int y = 2; y + 2 < picture.height; ++y)
        for (int x = 2; x + 2 < picture.width; ++x) {
            int sum = 0;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx)
                    sum += picture.at(x + dx, y + dy);
            out.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width) +
                       static_cast<std::size_t>(x)] = static_cast<std::uint8_t>(sum / 25);
        }
    return out;
}

}  // namespace

Gray reduced(const Image& image, double scale) {
    Gray out;
    out.width = std::max(1, static_cast<int>(image.width * scale));
    out.height = std::max(1, static_cast<int>(image.height * scale));
    out.pixels.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
    const auto channels = static_cast<std::size_t>(image.channels);
    for (int y = 0; y < out.height; ++y) {
        const int y0 = static_cast<int>(std::int64_t{y} * image.height / out.height);
        const int y1 = std::max(y0 + 1, static_cast<int>((std::int64_t{y} + 1) * image.height / out.height));
        for (int x = 0; x < out.width; ++x) {
            const int x0 = static_cast<int>(std::int64_t{x} * image.width / out.width);
            const int x1 = std::max(x0 + 1, static_cast<int>((std::int64_t{x} + 1) * image.width / out.width));
            std::uint64_t sum = 0;
            for (int sy = y0; sy < y1; ++sy) {
                const std::uint8_t* row = image.pixels.data() + static_cast<std::size_t>(sy) *
                                                                    static_cast<std::size_t>(image.width) * channels;
                for (std::size_t k = static_cast<std::size_t>(x0) * channels;
                     k < static_cast<std::size_t>(x1) * channels; ++k)
                    sum += row[k];
            }
            const auto of = static_cast<std::uint64_t>((y1 - y0) * (x1 - x0)) * channels;
            out.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width) +
                       static_cast<std::size_t>(x)] = static_cast<std::uint8_t>((sum + of / 2) / of);
        }
    }
    return out;
}

std::vector<float> orientationHistograms(const Gray& picture) {
    const int across = std::max(1, picture.width / kCell), down = std::max(1, picture.height / kCell);
    std::vector<float> histograms(static_cast<std::size_t>(across * down * kBins), 0);
    for (int y = 0; y < std::min(picture.height, down * kCell); ++y)
        for (int x = 0; x < std::min(picture.width, across * kCell); ++x) {
            const int gx = picture.at(std::min(x + 1, picture.width - 1), y) - picture.at(std::max(x - 1, 0), y);
            const int gy = picture.at(x, std::min(y + 1, picture.height - 1)) - picture.at(x, std::max(y - 1, 0));
            if (gx == 0 && gy == 0)
                continue;
            double angle = std::atan2(double(gy), double(gx));
            if (angle < 0)
                angle += kPi;
            const int bin = std::min(kBins - 1, static_cast<int>(angle / kPi * kBins));
            const int cell = (y / kCell) * across + x / kCell;
            histograms[static_cast<std::size_t>(cell * kBins + bin)] +=
                static_cast<float>(std::hypot(double(gx), double(gy)));
        }
    for (std::size_t cell = 0; cell < histograms.size(); cell += kBins) {
        float length = 0;
        for (std::size_t b = 0; b < kBins; ++b)
            length += histograms[cell + b] * histograms[cell + b];
        length = std::sqrt(length);
        for (std::size_t b = 0; b < kBins && length > 0; ++b)
            histograms[cell + b] /= length;
    }
    return histograms;
}

std::vector<BinaryDescriptor> cornerDescriptors(const Gray& picture) {
    const int margin = kPatch + 3;
    std::vector<BinaryDescriptor> descriptors;
    if (picture.width <= 2 * margin || picture.height <= 2 * margin)
        return descriptors;
    // Strength of corners from sums of gradient products over 3 x 3 pixels.
    struct Corner {
        double strength;
        int x, y;
    };
    std::vector<Corner> corners;
    for (int y = margin; y < picture.height - margin; ++y)
        for (int x = margin; x < picture.width - margin; ++x) {
            double xx = 0, yy = 0, xy = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int gx = picture.at(x + dx + 1, y + dy) - picture.at(x + dx - 1, y + dy);
                    const int gy = picture.at(x + dx, y + dy + 1) - picture.at(x + dx, y + dy - 1);
                    xx += gx * gx;
                    yy += gy * gy;
                    xy += gx * gy;
                }
            if (const double strength = xx * yy - xy * xy - kHarris * (xx + yy) * (xx + yy); strength > 0)
                corners.push_back({strength, x, y});
        }
    std::stable_sort(corners.begin(), corners.end(),
                     [](const Corner& a, const Corner& b) { return a.strength > b.strength; });
    const Gray smooth = smoothed(picture);
    std::vector<std::pair<int, int>> kept;
    for (const Corner& corner : corners) {
        if (kept.size() == kMostCorners)
            break;
        if (std::any_of(kept.begin(), kept.end(), [&](const auto& k) {
                return std::abs(k.first - corner.x) < kApart && std::abs(k.second - corner.y) < kApart;
            }))
            continue;
        kept.emplace_back(corner.x, corner.y);
        BinaryDescriptor bits{};
        for (std::size_t i = 0; i < pairs().size(); ++i) {
            const auto& [ax, ay, bx, by] = pairs()[i];
            if (smooth.at(corner.x + ax, corner.y + ay) > smooth.at(corner.x + bx, corner.y + by))
                bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (1U << (i % 8)));
        }
        descriptors.push_back(bits);
    }
    return descriptors;
}

}  // namespace skein::suggestions::detail
