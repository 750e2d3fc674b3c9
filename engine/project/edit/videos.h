// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "engine/project/edit/edit.h"

/// Edits of the list of videos: frames, suggestions and negative marks follow theirs. Outcome::changed counts videos.
namespace skein::project::edit {

/// What goes with videos that are taken out.
struct VideoContents {
    std::size_t frames = 0;  ///< recorded ones, empty ones included
    std::size_t userInstances = 0;
    std::size_t predictions = 0;
    std::size_t suggestions = 0;
    std::size_t negatives = 0;
    [[nodiscard]] bool isEmpty() const { return frames + suggestions + negatives == 0; }
};
[[nodiscard]] VideoContents contentsOf(const Labels& labels, std::span<const std::size_t> videos);

/// `videos` in any order, without duplicates.
[[nodiscard]] Outcome removeVideos(const Labels& labels, std::span<const std::size_t> videos);
/// The video stands at place `to` of the list afterwards.
[[nodiscard]] Outcome moveVideo(const Labels& labels, std::size_t video, std::size_t to);
/// Whether models get one channel or three; nullopt: as the first frame is.
[[nodiscard]] Outcome setGrayscale(const Labels& labels, std::span<const std::size_t> videos,
                                   std::optional<bool> grayscale);

}  // namespace skein::project::edit
