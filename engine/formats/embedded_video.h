// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"

namespace skein::formats {

/// Pictures stored in an HDF5 file: the encoded images of a labels package (`/videoN/video`: one PNG or JPEG a row,
/// padded or of variable length), raw arrays of a package, or any array of rank 4.
///
/// Frame numbers of a package are those of the video that the images were taken from, so that most numbers may have no
/// picture: embeddedFrames() lists those that have one. Pixels of arrays that are not uint8 keep their full range:
/// 16-bit values lose their low byte, real numbers between 0 and 1 become 0 to 255.
///
/// Thread-compatible. The file is opened for each read and closed again, so that it can be replaced meanwhile.
class EmbeddedVideoSource final : public video::VideoSource {
public:
    struct Description {
        std::filesystem::path file;
        std::string dataset;
        /// Arrays stored as [frames, channels, width, height] instead of [frames, height, width, channels].
        bool channelsFirst = false;
        /// What images mean that do not say how their channels are ordered: true for labels formats before 1.4.
        bool bgrUnlessStated = false;
        std::optional<bool> grayscale;  ///< as OpenOptions::grayscale
    };

    /// Errors: NotFound; Io; Format (no such dataset, or one that holds no pictures: the sentence lists those that do).
    [[nodiscard]] static Result<std::shared_ptr<EmbeddedVideoSource>> open(Description description);

    /// Frame numbers that have a picture, ascending.
    [[nodiscard]] const std::vector<video::FrameNumber>& embeddedFrames() const;

    [[nodiscard]] video::FrameNumber frameCount() const override;
    [[nodiscard]] int width() const override;
    [[nodiscard]] int height() const override;
    [[nodiscard]] bool isGray() const override;
    [[nodiscard]] Result<ImagePtr> read(video::FrameNumber frame, video::PixelFormat format,
                                        std::stop_token stop = {}) override;
    [[nodiscard]] double timeOf(video::FrameNumber frame) const override;
    [[nodiscard]] double fps() const override;
    [[nodiscard]] std::string codecName() const override;
    [[nodiscard]] video::FrameState stateOf(video::FrameNumber frame) const override;
    [[nodiscard]] Result<std::shared_ptr<video::VideoSource>> openAnother() const override;

private:
    struct Facts;
    explicit EmbeddedVideoSource(std::shared_ptr<const Facts> facts);
    [[nodiscard]] Result<ImagePtr> readRow(std::size_t row) const;

    std::shared_ptr<const Facts> m_facts;
};

/// Datasets of an HDF5 file that can be read as pictures: arrays of rank 4, and `videoN/video` of packages.
/// Errors: NotFound; Format; Io.
[[nodiscard]] Result<std::vector<std::string>> pictureDatasets(const std::filesystem::path& file);

/// A new project's entry for pictures in an HDF5 file; arrays of rank 4 whose last axis is no channel axis but whose
/// second one is are taken as [frames, channels, width, height]. Errors: NotFound; Format; Io.
[[nodiscard]] Result<project::Video> datasetVideo(const std::filesystem::path& file, const std::string& dataset);

/// Whether an HDF5 file holds a project's labels, as against nothing but arrays. False when it cannot be read.
[[nodiscard]] bool holdsLabels(const std::filesystem::path& file);

}  // namespace skein::formats
