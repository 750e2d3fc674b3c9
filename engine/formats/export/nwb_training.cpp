// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <utility>

#include "engine/formats/export/hdf5_parts.h"
#include "engine/formats/export/nwb_series.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::nwb {
namespace {

using h5::Id;

/// How Python's readers store a truth value.
Id boolType() {
    Id type(H5Tenum_create(H5T_STD_I8LE));
    for (const auto& [name, value] : {std::pair("FALSE", std::int8_t{0}), std::pair("TRUE", std::int8_t{1})})
        H5Tenum_insert(type.get(), name, &value);
    return type;
}

Result<void> writeVideo(File& file, hid_t location, std::size_t index) {
    const project::Video& video = file.task.labels.videos()[index];
    SKEIN_TRY(group, file.objects.create(location, "video_" + std::to_string(index), kCore, "ImageSeries"));
    SKEIN_CHECK(h5::writeVariableTextAttribute(group.get(), "comments", "no comments"));
    SKEIN_CHECK(h5::writeVariableTextAttribute(group.get(), "description", "Pictures that were labelled."));
    h5::ArrayPlan plan;
    plan.dims = {0, 0, 0};
    SKEIN_TRY(data, h5::createArray(group.get(), "data", H5T_STD_U8LE, plan));
    for (const auto& [name, value] :
         {std::pair("conversion", 1.0), std::pair("offset", 0.0), std::pair("resolution", -1.0)})
        SKEIN_CHECK(h5::writeNumberAttribute(data.id.get(), name, value));
    SKEIN_CHECK(h5::writeVariableTextAttribute(data.id.get(), "unit", "NA"));
    plan.dims = {2};
    SKEIN_TRY(dimension, h5::createArray(group.get(), "dimension", H5T_STD_I64LE, plan));
    const std::array<std::int64_t, 2> size = {video.width, video.height};
    SKEIN_CHECK(h5::writeRows(dimension, H5T_NATIVE_INT64, 0, 2, size.data()));

    std::vector<std::string> files = video.imageFiles;
    if (files.empty())
        files.push_back(video.filename);
    SKEIN_CHECK(h5::writeStrings(group.get(), "external_file", files));
    SKEIN_TRY(external, h5::openDataset(group.get(), "external_file"));
    std::vector<std::int64_t> starts(files.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
        starts[i] = static_cast<std::int64_t>(i);
    const hsize_t count = starts.size();
    const Id space(H5Screate_simple(1, &count, nullptr));
    const Id attribute(
        H5Acreate2(external.id.get(), "starting_frame", H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute || H5Awrite(attribute.get(), H5T_NATIVE_INT64, starts.data()) < 0)
        return h5::failure(ErrorCode::Io, "write the list of videos");
    SKEIN_CHECK(h5::writeVariableText(group.get(), "format", "external"));
    const auto samples = static_cast<std::uint32_t>(std::clamp<std::int64_t>(video.frameCount, 0, UINT32_MAX));
    SKEIN_CHECK(h5::writeScalar(group.get(), "num_samples", H5T_STD_U32LE, H5T_NATIVE_UINT32, &samples));
    const double zero = 0;
    SKEIN_CHECK(h5::writeScalar(group.get(), "starting_time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &zero));
    SKEIN_TRY(start, h5::openDataset(group.get(), "starting_time"));
    SKEIN_CHECK(h5::writeNumberAttribute(start.id.get(), "rate", video.fps > 0 ? video.fps : 1));
    return h5::writeVariableTextAttribute(start.id.get(), "unit", "seconds");
}

Result<void> writeInstance(File& file, hid_t location, std::size_t number, const project::InstanceView& instance) {
    const std::uint32_t skeleton = instance.header->skeleton;
    const std::size_t nodes = file.task.labels.skeletons()[skeleton].nodes.size();
    SKEIN_TRY(group, file.objects.create(location, "instance_" + std::to_string(number), kPose, "SkeletonInstance"));
    const auto id = static_cast<std::uint32_t>(number);
    SKEIN_CHECK(h5::writeScalarAttribute(group.get(), "id",
                                         number < 256     ? H5T_STD_U8LE
                                         : number < 65536 ? H5T_STD_U16LE
                                                          : H5T_STD_U32LE,
                                         H5T_NATIVE_UINT32, &id));
    std::vector<double> places(2 * nodes, project::kNaN);
    std::vector<std::int8_t> isVisible(nodes, 0);
    for (std::size_t n = 0; n < std::min(nodes, instance.points.size()); ++n) {
        places[2 * n] = instance.points[n].x;
        places[2 * n + 1] = instance.points[n].y;
        isVisible[n] = instance.points[n].exists() ? 1 : 0;
    }
    h5::ArrayPlan plan;
    plan.dims = {nodes, 2};
    SKEIN_TRY(locations, h5::createArray(group.get(), "node_locations", H5T_IEEE_F64LE, plan));
    SKEIN_CHECK(h5::writeRows(locations, H5T_NATIVE_DOUBLE, 0, nodes, places.data()));
    plan.dims = {nodes};
    const Id type = boolType();
    SKEIN_TRY(visibility, h5::createArray(group.get(), "node_visibility", type.get(), plan));
    SKEIN_CHECK(h5::writeRows(visibility, type.get(), 0, nodes, isVisible.data()));
    const std::string& name = file.skeletonNames[skeleton];
    return link(group.get(), name, std::string(kSkeletons) + "/" + name);
}

/// Returns whether there was anything to write.
Result<bool> writeFrame(File& file, const std::string& name, const project::FrameView& frame) {
    std::vector<project::InstanceView> users;
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (const auto instance = frame.instance(i); instance.header->kind == project::InstanceKind::User &&
                                                     instance.header->skeleton < file.skeletonNames.size())
            users.push_back(instance);
    if (users.empty())
        return false;
    const h5::Session session;
    SKEIN_TRY(group, file.objects.create(file.file.get(), name, kPose, "TrainingFrame"));
    const auto index = static_cast<std::uint32_t>(frame.frameIndex());
    SKEIN_CHECK(
        h5::writeScalarAttribute(group.get(), "source_video_frame_index", H5T_STD_U32LE, H5T_NATIVE_UINT32, &index));
    SKEIN_CHECK(link(group.get(), "source_video",
                     std::string(kTraining) + "/source_videos/video_" + std::to_string(frame.video())));
    SKEIN_TRY(instances, file.objects.create(group.get(), "skeleton_instances", kPose, "SkeletonInstances"));
    for (std::size_t i = 0; i < users.size(); ++i)
        SKEIN_CHECK(writeInstance(file, instances.get(), i, users[i]));
    file.task.report.instances += users.size();
    const bool isTracked = std::any_of(
        users.begin(), users.end(), [](const project::InstanceView& instance) { return instance.header->track >= 0; });
    // Once, whatever their number.
    if (isTracked && !std::exchange(file.hasLostTracks, true))
        file.task.report.warnings.emplace_back(
            "NWB has no tracks for instances that were labelled by hand, which it holds as training data: theirs are "
            "not in the file.");
    return true;
}

}  // namespace

Result<void> writeTraining(File& file) {
    const project::Labels& labels = file.task.labels;
    const std::string frames = std::string(kTraining) + "/training_frames";
    {
        const h5::Session session;
        for (const auto& [name, type] :
             {std::pair(std::string(kTraining), "PoseTraining"), std::pair(frames, "TrainingFrames"),
              std::pair(std::string(kTraining) + "/source_videos", "SourceVideos")})
            if (auto made = file.objects.create(file.file.get(), name, kPose, type); !made)
                return fail(std::move(made.error()));
        SKEIN_TRY(videos, h5::openGroup(file.file.get(), std::string(kTraining) + "/source_videos"));
        for (std::size_t video = 0; video < labels.videos().size(); ++video)
            SKEIN_CHECK(writeVideo(file, videos.get(), video));
    }
    std::size_t number = 0, done = 0;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        if (!file.task.wants(video))
            continue;
        for (const std::size_t row : labels.rowsOf(video)) {
            if (done++ % exporting::kStepRows == 0) {
                SKEIN_CHECK(file.task.step("frames", done, labels.frameCount()));
                SKEIN_CHECK(file.file.check());
            }
            const project::FrameView frame = labels.frame(row);
            if (frame.frameIndex() < 0 || frame.frameIndex() > UINT32_MAX)
                continue;
            SKEIN_TRY(written, writeFrame(file, frames + "/frame_" + std::to_string(number), frame));
            number += written ? 1 : 0;
        }
    }
    return {};
}

}  // namespace skein::formats::nwb
