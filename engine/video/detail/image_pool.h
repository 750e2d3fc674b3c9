// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/image.h"

namespace skein::video::detail {

/// Gives out pictures whose memory it gets back when nobody uses them any more: fresh memory of that size is cleared,
/// asked of the system page by page and given back again, for each frame of a video.
///
/// take() is for one thread at a time; pictures may be let go on any thread, also after the pool is gone.
class ImagePool {
public:
    /// A picture of this shape with undefined pixels, for the caller to fill before anyone else sees it.
    [[nodiscard]] std::shared_ptr<Image> take(int width, int height, int channels);

private:
    /// As many as a batch lets go at once; more would only lie there.
    static constexpr std::size_t kMostKept = 8;
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<Image>> images;
    };
    std::shared_ptr<Shelf> m_shelf = std::make_shared<Shelf>();
};

}  // namespace skein::video::detail
