// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <chrono>
#include <ctime>
#include <optional>

#include "engine/formats/export/hdf5_parts.h"
#include "engine/formats/export/nwb_series.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/try.h"

namespace skein::formats::exporting {
namespace {

/// The oldest version of the schema that knows all that is written.
constexpr const char* kNwbVersion = "2.8.0";

std::string nowAsText() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 40> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S+00:00", &parts);
    return text.data();
}

Result<void> writeSkeletons(nwb::File& file) {
    SKEIN_TRY(group, file.objects.create(file.file.get(), nwb::kSkeletons, nwb::kPose, "Skeletons"));
    std::set<std::string> taken;
    for (const project::Skeleton& skeleton : file.task.labels.skeletons()) {
        file.skeletonNames.push_back(nwb::freeName(skeleton.name, "skeleton", taken));
        SKEIN_TRY(own, file.objects.create(group.get(), file.skeletonNames.back(), nwb::kPose, "Skeleton"));
        SKEIN_CHECK(h5::writeStrings(own.get(), "nodes", skeleton.nodes));
        std::vector<std::uint32_t> ends;
        for (const project::Edge& edge : skeleton.edges)
            for (const int node : {edge.source, edge.destination})
                ends.push_back(static_cast<std::uint32_t>(node));
        h5::ArrayPlan plan;
        plan.dims = {skeleton.edges.size(), 2};
        SKEIN_TRY(edges, h5::createArray(own.get(), "edges",
                                         skeleton.nodes.size() <= 256 ? H5T_STD_U8LE : H5T_STD_U32LE, plan));
        SKEIN_CHECK(h5::writeRows(edges, H5T_NATIVE_UINT32, 0, skeleton.edges.size(), ends.data()));
    }
    return {};
}

Result<void> writeFrameOfFile(nwb::File& file) {
    const hid_t root = file.file.get();
    SKEIN_CHECK(file.objects.mark(root, nwb::kCore, "NWBFile"));
    SKEIN_CHECK(h5::writeVariableTextAttribute(root, "nwb_version", kNwbVersion));
    const std::string now = nowAsText();
    const std::array<std::pair<const char*, std::string>, 4> texts = {
        {{"identifier", file.objects.newId()},
         {"session_description",
          "Poses from " +
              (file.task.options.projectFile.empty() ? std::string("a Skein project")
                                                     : file.task.options.projectFile.filename().string()) +
              "."},
         {"session_start_time", now},
         {"timestamps_reference_time", now}}};
    for (const auto& [name, text] : texts)
        SKEIN_CHECK(h5::writeVariableText(root, name, text));
    const std::vector<std::string> created = {now};
    SKEIN_CHECK(h5::writeStrings(root, "file_create_date", created));
    for (const char* group : {"/acquisition", "/analysis", "/general", "/processing", "/stimulus",
                              "/stimulus/presentation", "/stimulus/templates"})
        if (auto made = h5::createGroup(root, group); !made)
            return fail(std::move(made.error()));
    SKEIN_TRY(behavior, file.objects.create(root, "/processing/behavior", nwb::kCore, "ProcessingModule"));
    SKEIN_CHECK(h5::writeVariableTextAttribute(behavior.get(), "description", "Skeletons and labelled poses."));
    return writeSkeletons(file);
}

}  // namespace

Result<void> writeNwb(const Task& task, const std::filesystem::path& path) {
    std::optional<h5::OutputFile> out;
    struct Closer {
        std::optional<h5::OutputFile>& out;
        ~Closer() {
            const h5::Session session;
            out.reset();
        }
    } closer{out};
    nwb::Objects objects;
    {
        const h5::Session session;
        SKEIN_TRY(created, h5::createFile(path));
        out.emplace(std::move(created));
    }
    nwb::File file{task, *out, objects, {}};
    {
        const h5::Session session;
        SKEIN_CHECK(writeFrameOfFile(file));
    }
    const project::Labels& labels = task.labels;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        if (task.wants(video))
            SKEIN_CHECK(nwb::writePredictions(file, video));
    if (labels.predictedInstanceCount() < labels.instanceCount())
        SKEIN_CHECK(nwb::writeTraining(file));
    const h5::Session session;
    return out->close();
}

}  // namespace skein::formats::exporting
