// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/video/detail/image_pool.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/detail/libav.h"
#include "engine/video/detail/luma_map.h"
#include "engine/video/pixel_format.h"

namespace skein::video::detail {

/// Decoded pictures to packed 8-bit images, with the scaler settings that give the peer's pixels: bicubic without exact
/// rounding, so that the plain yuv-to-rgb converter runs and chroma is repeated; matrix and range from the picture's
/// tags. Thread-compatible.
class FrameConverter {
public:
    FrameConverter(MatrixPolicy matrix, bool lumaTable, IndexData::Orientation orientation)
        : m_matrix(matrix), m_lumaTableAllowed(lumaTable), m_orientation(orientation) {}

    /// Errors: Unsupported (no conversion from the picture's pixel format).
    [[nodiscard]] Result<ImagePtr> convert(const AVFrame& frame, PixelFormat format);

    /// Pictures converted by the table so far.
    [[nodiscard]] std::uint64_t lumaTableUses() const noexcept { return m_lumaTableUses; }

private:
    /// All that a scaler is set up by.
    struct Setup {
        int width = 0;
        int height = 0;
        int source = AV_PIX_FMT_NONE;
        int target = AV_PIX_FMT_NONE;
        int colorspace = 0;
        bool isFullRange = false;
        friend bool operator==(const Setup&, const Setup&) = default;
    };
    struct Scaler {
        Setup setup;
        ScalerPtr context;
        BytesPtr buffer;  ///< rows padded to 64 bytes and one spare: the vector code writes whole vectors
        std::size_t stride = 0;
    };
    struct LumaTable {
        Setup setup;
        bool isKnown = false;
        bool isValid = false;
        LumaMap gray;
    };

    [[nodiscard]] Setup setupFor(const AVFrame& frame, int target) const;
    [[nodiscard]] Result<void> prepare(Scaler& scaler, const Setup& setup) const;
    [[nodiscard]] Result<void> scale(const AVFrame& frame, int target, Scaler& scaler) const;
    [[nodiscard]] const LumaTable* lumaTableFor(const AVFrame& frame);
    [[nodiscard]] ImagePtr turned(std::shared_ptr<Image> image) const;

    MatrixPolicy m_matrix;
    bool m_lumaTableAllowed;
    IndexData::Orientation m_orientation;
    Scaler m_rgb;
    Scaler m_bgra;
    LumaTable m_table;
    std::vector<std::uint8_t> m_gray;  ///< a row
    ImagePool m_images;
    std::uint64_t m_lumaTableUses = 0;
};

}  // namespace skein::video::detail
