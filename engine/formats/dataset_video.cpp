// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/embedded_video.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"

namespace skein::formats {

namespace {
bool isChannels(hsize_t size) {
    return size == 1 || size == 3 || size == 4;
}
}  // namespace

Result<project::Video> datasetVideo(const std::filesystem::path& file, const std::string& dataset) {
    project::Video video;
    std::error_code ec;
    video.filename = std::filesystem::absolute(file, ec).generic_string();
    video.dataset = dataset;
    bool channelsFirst = false;
    {
        const h5::Session session;
        SKEIN_TRY(opened, h5::openFile(file));
        SKEIN_TRY(array, h5::openDataset(opened.get(), dataset));
        channelsFirst = array.dims.size() == 4 && !isChannels(array.dims[3]) && isChannels(array.dims[1]);
    }
    SKEIN_TRY(source, EmbeddedVideoSource::open({file, dataset, channelsFirst, false, {}}));
    video.frameCount = source->frameCount();
    video.height = source->height();
    video.width = source->width();
    video.channels = source->channels();
    video.fps = source->fps();
    if (channelsFirst) {
        Json row = slp::rowFromVideo(video);
        row["backend"]["input_format"] = "channels_first";
        video.rowJson = writeStrictJson(row);
    }
    return video;
}

}  // namespace skein::formats
