// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::inference {

/// How a batch lies in the bytes of its one upload to a GPU: pixels, and behind them the places that were given.
struct UploadLayout {
    std::vector<std::int64_t> shape;  ///< of the pixels: n, h, w, c
    std::size_t given = 0;            ///< centroids

    static constexpr std::size_t kGivenWords = 4;  ///< of a centroid: frame, x, y, 1

    [[nodiscard]] std::size_t pixels() const {
        std::size_t product = 1;
        for (const std::int64_t side : shape)
            product *= static_cast<std::size_t>(side);
        return product;
    }
    [[nodiscard]] std::size_t givenBytes() const { return given * kGivenWords * sizeof(float); }
    /// Where the floats begin, which want their alignment.
    [[nodiscard]] std::size_t givenBegin() const { return (pixels() + kAlignment - 1) / kAlignment * kAlignment; }
    [[nodiscard]] std::size_t bytes() const { return given == 0 ? pixels() : givenBegin() + givenBytes(); }

    struct Parts {
        at::Tensor frames;  ///< [n, h, w, c] uint8
        at::Tensor given;   ///< [given, 4] float: frame, x, y, 1; undefined when there are none
    };
    /// Views of the uploaded bytes.
    [[nodiscard]] Parts partsOf(const at::Tensor& uploaded) const {
        const auto part = [&](std::size_t begin, std::size_t size) {
            return uploaded.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(size));
        };
        Parts parts{part(0, pixels()).view(shape), {}};
        if (given > 0)
            parts.given = part(givenBegin(), givenBytes())
                              .view(at::kFloat)
                              .view({static_cast<std::int64_t>(given), std::int64_t{kGivenWords}});
        return parts;
    }

private:
    static constexpr std::size_t kAlignment = 16;
};

}  // namespace skein::inference
