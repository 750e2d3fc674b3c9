// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/image_pool.h"

#include <utility>

namespace skein::video::detail {

std::shared_ptr<Image> ImagePool::take(int width, int height, int channels) {
    std::unique_ptr<Image> image;
    {
        const std::lock_guard lock(m_shelf->mutex);
        if (!m_shelf->images.empty()) {
            image = std::move(m_shelf->images.back());
            m_shelf->images.pop_back();
        }
    }
    if (!image)
        image = std::make_unique<Image>();
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->pixels.resize(image->rowBytes() * static_cast<std::size_t>(height));
    const auto giveBack = [shelf = std::weak_ptr<Shelf>(m_shelf)](Image* let) {
        std::unique_ptr<Image> owned(let);
        if (const std::shared_ptr<Shelf> open = shelf.lock()) {
            const std::lock_guard lock(open->mutex);
            if (open->images.size() < kMostKept)
                open->images.push_back(std::move(owned));
        }
    };
    return {image.release(), giveBack};
}

}  // namespace skein::video::detail
