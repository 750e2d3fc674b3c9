// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <set>

#include "engine/base/atomic_file.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp/extra_fields.h"
#include "engine/formats/slp/fresh_images.h"
#include "engine/formats/slp/write_plan.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

using namespace slp;

/// Formats before this one take images without a stated channel order as BGR, later ones as RGB.
constexpr double kStatesChannelOrder = 1.4;

template <class Row>
void put(std::byte* room, std::size_t index, const Row& row) {
    std::memcpy(room + index * sizeof(Row), &row, sizeof(Row));
}

/// Writes one file; lives inside a Session.
class Writer {
public:
    Writer(const project::Labels& labels, const fs::path& target, const SlpWriteOptions& options, SaveReport& report)
        : m_labels(labels), m_target(target), m_options(options), m_report(report), m_carried(Carried::of(labels)) {}

    Result<void> write(const fs::path& path, const std::function<Result<void>(h5::OutputFile&)>& more);
    /// Opens what was written and compares it with the project.
    Result<void> verify(const fs::path& path);

private:
    Result<void> step(const char* phase, double fraction) const;
    Result<void> writeMetadata();
    Result<void> writeTables();
    Result<TableWriter> createTable(const TableLayout& layout, std::uint64_t rows);
    Result<void> writeInstance(const project::InstanceView& instance, std::uint64_t frameRow, InstanceRow& row);
    Result<void> writeNegatives();
    Result<void> copyImages();
    Result<void> stateChannelOrder(const std::string& group);
    Result<void> copyCarried();

    const project::Labels& m_labels;
    const fs::path& m_target;
    const SlpWriteOptions& m_options;
    SaveReport& m_report;
    const Carried* m_carried;
    WritePlan m_plan;
    std::optional<h5::OutputFile> m_file;
    std::optional<TableWriter> m_frames, m_instances, m_points, m_predictedPoints;
};

Result<void> Writer::step(const char* phase, double fraction) const {
    if (m_options.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Saving " + m_target.string() + " was cancelled; the file is as it was.");
    if (m_options.progress)
        m_options.progress(phase, fraction);
    return m_file ? m_file->check() : Result<void>();
}

Result<void> Writer::writeMetadata() {
    SKEIN_TRY(metadata, h5::createGroup(m_file->get(), "metadata"));
    SKEIN_CHECK(h5::writeNumberAttribute(metadata.get(), "format_id", m_plan.formatId));
    return h5::writeTextAttribute(metadata.get(), "json", m_plan.metadata);
}

Result<TableWriter> Writer::createTable(const TableLayout& layout, std::uint64_t rows) {
    if (m_carried != nullptr && m_carried->has(std::string("fields/") + layout.name)) {
        SKEIN_TRY(type, widerTableType(layout, *m_carried));
        return TableWriter::createWider(m_file->get(), layout, type, rows);
    }
    return TableWriter::create(m_file->get(), layout, rows);
}

Result<void> Writer::writeInstance(const project::InstanceView& instance, std::uint64_t frameRow, InstanceRow& row) {
    const project::InstanceHeader& header = *instance.header;
    const bool isUser = header.kind == project::InstanceKind::User;
    TableWriter& points = isUser ? *m_points : *m_predictedPoints;
    row = {};
    row.instanceId = static_cast<std::int64_t>(m_instances->written()) - 1;
    row.type = isUser ? 0 : 1;
    row.frameId = frameRow;
    row.skeleton = header.skeleton;
    row.track =
        header.track >= 0 && static_cast<std::size_t>(header.track) < m_labels.tracks().size() ? header.track : -1;
    if (header.fromPredicted != 0)
        row.fromPredicted = m_plan.linkTargets.at(header.fromPredicted);
    row.score = header.score;
    row.trackingScore = header.trackingScore;
    row.pointBegin = points.written();
    row.pointEnd = row.pointBegin + instance.points.size();
    if (instance.points.empty())
        return {};
    SKEIN_TRY(room, points.append(instance.points.size()));
    for (std::size_t i = 0; i < instance.points.size(); ++i) {
        const project::Point& point = instance.points[i];
        const PointRow stored{point.x, point.y, static_cast<std::int8_t>(point.visible ? 1 : 0),
                              static_cast<std::int8_t>(point.complete ? 1 : 0)};
        if (isUser)
            put(room, i, stored);
        else
            put(room, i, PredictedPointRow{stored, point.score});
    }
    return {};
}

Result<void> Writer::writeTables() {
    SKEIN_TRY(frames, createTable(framesLayout(), m_labels.frameCount()));
    SKEIN_TRY(instances, createTable(instancesLayout(), m_plan.instances));
    SKEIN_TRY(points, createTable(pointsLayout(), m_plan.points));
    SKEIN_TRY(predictedPoints, createTable(predictedPointsLayout(), m_plan.predictedPoints));
    m_frames = std::move(frames);
    m_instances = std::move(instances);
    m_points = std::move(points);
    m_predictedPoints = std::move(predictedPoints);

    constexpr std::size_t kProgressRows = 8192;
    for (std::size_t row = 0; row < m_labels.frameCount(); ++row) {
        if (row % kProgressRows == 0)
            SKEIN_CHECK(
                step("instances", 0.1 + 0.6 * static_cast<double>(row) / static_cast<double>(m_labels.frameCount())));
        const project::FrameView frame = m_labels.frame(row);
        FrameRow stored;
        stored.frameId = row;
        stored.video = frame.video() < m_plan.videoIds.ids.size() ? m_plan.videoIds.ids[frame.video()] : frame.video();
        stored.frameIndex = static_cast<std::uint64_t>(frame.frameIndex());
        stored.instanceBegin = m_instances->written();
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            SKEIN_TRY(room, m_instances->append(1));
            InstanceRow instance;
            SKEIN_CHECK(writeInstance(frame.instance(i), row, instance));
            put(room, 0, instance);
        }
        stored.instanceEnd = m_instances->written();
        SKEIN_TRY(room, m_frames->append(1));
        put(room, 0, stored);
    }
    for (auto* table : {&m_frames, &m_instances, &m_points, &m_predictedPoints})
        SKEIN_CHECK((*table)->finish());
    if (m_carried != nullptr)
        SKEIN_CHECK(writeExtraFields(m_file->get(), m_labels, *m_carried));
    return {};
}

Result<void> Writer::writeNegatives() {
    const auto& negatives = m_labels.negativeFrames();
    if (negatives.empty())
        return {};
    SKEIN_TRY(table, TableWriter::create(m_file->get(), negativesLayout(), negatives.size()));
    SKEIN_TRY(room, table.append(negatives.size()));
    for (std::size_t i = 0; i < negatives.size(); ++i) {
        const auto [video, frameIndex] = negatives[i];
        put(room, i,
            NegativeRow{video < m_plan.videoIds.ids.size() ? m_plan.videoIds.ids[video] : video,
                        static_cast<std::uint64_t>(frameIndex)});
    }
    return table.finish();
}

Result<void> Writer::stateChannelOrder(const std::string& group) {
    const std::string images = group + "/video";
    if (m_labels.origin().formatId >= kStatesChannelOrder ||
        h5::objectKind(m_file->get(), images) != h5::ObjectKind::Dataset)
        return {};
    const h5::Id dataset(H5Dopen2(m_file->get(), images.c_str(), H5P_DEFAULT));
    const auto format = h5::textAttribute(dataset.get(), "format");
    if (!format || *format == "hdf5" || H5Aexists(dataset.get(), "channel_order") > 0)
        return {};
    return h5::writeVariableTextAttribute(dataset.get(), "channel_order", "BGR");
}

Result<void> Writer::copyImages() {
    if (m_carried == nullptr || m_carried->embedded().empty())
        return {};
    // Old name of each group and its name in the new file. Groups of videos that were removed stay behind.
    std::vector<std::pair<std::string, std::string>> groups;
    for (std::size_t i = 0; i < m_labels.videos().size(); ++i) {
        if (!m_plan.embeddedHere[i])
            continue;
        const std::pair group(topLevelOf(m_labels.videos()[i].dataset), topLevelOf(m_plan.videoIds.datasets[i]));
        if (std::find(groups.begin(), groups.end(), group) == groups.end())
            groups.push_back(group);
    }
    for (const std::string& name : m_carried->embedded())
        if (std::find(m_carried->owned().begin(), m_carried->owned().end(), name) == m_carried->owned().end() &&
            std::none_of(groups.begin(), groups.end(), [&](const auto& group) { return group.second == name; }))
            groups.emplace_back(name, name);
    if (groups.empty())
        return {};

    const fs::path origin = m_labels.origin().path;
    auto opened = h5::openFile(origin);
    std::string missing;
    if (!opened)
        missing = "the file " + origin.string() + " cannot be opened";
    for (const auto& [from, to] : groups) {
        if (!opened)
            break;
        SKEIN_CHECK(step("embedded images", 0.75));
        if (h5::objectKind(opened->get(), from) == h5::ObjectKind::None) {
            missing = "the file " + origin.string() + " no longer holds " + from;
            continue;
        }
        SKEIN_CHECK(h5::copyLink(opened->get(), from, m_file->get(), to));
        SKEIN_CHECK(stateChannelOrder(to));
    }
    if (missing.empty())
        return {};
    if (!m_options.allowLoss)
        return fail(ErrorCode::Io, "The images embedded in the project cannot be copied: " + missing +
                                       ". Put that file back, or save without the images.");
    m_report.warnings.push_back("Embedded images are missing in the saved file: " + missing + ".");
    return {};
}

Result<void> Writer::copyCarried() {
    if (m_carried == nullptr)
        return {};
    for (const std::string& name : m_carried->objects())
        if (!h5::exists(m_file->get(), name))
            SKEIN_CHECK(h5::copyLink(m_carried->root(), "objects/" + name, m_file->get(), name));
    SKEIN_TRY(metadata, h5::openGroup(m_carried->root(), "metadata"));
    for (const std::string& name : h5::linkNames(metadata.get()))
        SKEIN_CHECK(h5::copyLink(metadata.get(), name, m_file->get(), "metadata/" + name));
    SKEIN_TRY(attributes, h5::openGroup(m_carried->root(), "attributes"));
    for (const std::string& object : h5::linkNames(attributes.get())) {
        SKEIN_TRY(source, h5::openGroup(attributes.get(), object));
        const std::string name = object == "root" ? "/" : object;
        if (!h5::exists(m_file->get(), name))
            continue;
        const h5::Id target(H5Oopen(m_file->get(), name.c_str(), H5P_DEFAULT));
        for (const std::string& attribute : h5::attributeNames(source.get()))
            SKEIN_CHECK(h5::copyAttribute(source.get(), target.get(), attribute));
    }
    return updateReferences(m_file->get(), *m_carried, mapRows(m_labels, *m_carried), m_report.warnings);
}

Result<void> Writer::write(const fs::path& path, const std::function<Result<void>(h5::OutputFile&)>& more) {
    m_plan = planWrite(m_labels);
    SKEIN_TRY(file, h5::createFile(path, m_plan.hasLargeMetadata()));
    m_file = std::move(file);
    SKEIN_CHECK(step("metadata", 0.05));
    SKEIN_CHECK(writeMetadata());
    SKEIN_CHECK(h5::writeStrings(m_file->get(), "videos_json", m_plan.videoRows));
    SKEIN_CHECK(h5::writeStrings(m_file->get(), "tracks_json", m_plan.trackRows));
    SKEIN_CHECK(h5::writeStrings(m_file->get(), "suggestions_json", m_plan.suggestionRows));
    SKEIN_CHECK(step("instances", 0.1));
    SKEIN_CHECK(writeTables());
    SKEIN_CHECK(writeNegatives());
    if (const std::string& provenance = m_labels.provenanceJson(); !provenance.empty() && provenance != "{}")
        SKEIN_CHECK(h5::writeText(m_file->get(), "provenance_json", strictText(provenance)));
    SKEIN_CHECK(copyImages());
    if (more)
        SKEIN_CHECK(more(*m_file));
    SKEIN_CHECK(step("other contents", 0.8));
    SKEIN_CHECK(copyCarried());
    for (auto* table : {&m_frames, &m_instances, &m_points, &m_predictedPoints})
        (*table)->close();
    SKEIN_CHECK(step("disk", 0.85));
    auto closed = m_file->close();
    m_file.reset();
    return closed;
}

Result<void> Writer::verify(const fs::path& path) {
    SKEIN_CHECK(step("check", 0.95));
    const auto broken = [](const std::string& what) {
        return fail(ErrorCode::Io, "The saved file does not read back as it was written (" + what +
                                       "); the old file was kept. The disk may be failing: save elsewhere.");
    };
    SKEIN_TRY(file, h5::openFile(path));
    const h5::Id metadata(H5Oopen(file.get(), "metadata", H5P_DEFAULT));
    if (!metadata || h5::numberAttribute(metadata.get(), "format_id") != m_plan.formatId ||
        h5::textAttribute(metadata.get(), "json") != m_plan.metadata)
        return broken("metadata");
    for (const TableWriter* table : {&*m_frames, &*m_instances, &*m_points, &*m_predictedPoints}) {
        SKEIN_TRY(reader, TableReader::open(file.get(), table->layout()));
        if (reader.rows() != table->written())
            return broken(table->layout().name);
        if (reader.rows() == 0)
            continue;
        SKEIN_TRY(row, reader.read(reader.rows() - 1, reader.rows()));
        if (std::memcmp(row, table->lastRow().data(), table->lastRow().size()) != 0)
            return broken(std::string("last row of ") + table->layout().name);
    }
    const std::array<std::pair<const char*, const std::vector<std::string>*>, 3> lists = {
        {{"videos_json", &m_plan.videoRows},
         {"tracks_json", &m_plan.trackRows},
         {"suggestions_json", &m_plan.suggestionRows}}};
    for (const auto& [name, texts] : lists) {
        SKEIN_TRY(stored, h5::readStrings(file.get(), name));
        if (stored != *texts)
            return broken(name);
    }
    return {};
}

}  // namespace

Result<void> slp::writeSlpWith(const project::Labels& labels, const fs::path& path, const SlpWriteOptions& options,
                               SaveReport* report, const std::function<Result<void>(h5::OutputFile&)>& more) {
    SaveReport own;
    SaveReport& used = report != nullptr ? *report : own;
    used = {};
    const h5::Session session;
    try {
        auto written = writeAtomically(path, [&](const fs::path& temporary) -> Result<void> {
            Writer writer(labels, path, options, used);
            SKEIN_CHECK(writer.write(temporary, more));
            SKEIN_CHECK(writer.verify(temporary));
            return options.beforeReplacing ? options.beforeReplacing(temporary) : Result<void>();
        });
        if (written && options.progress)
            options.progress("done", 1);
        return written;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "There is not enough memory to save " + path.string() + ".");
    }
}

Result<void> writeSlp(const project::Labels& labels, const fs::path& path, const SlpWriteOptions& options,
                      SaveReport* report) {
    return slp::writeSlpWith(labels, path, options, report, {});
}

void noteSaved(project::Labels& labels, const fs::path& path) {
    const Carried* carried = Carried::of(labels);
    if (carried == nullptr || carried->embedded().empty())
        return;
    const h5::Session session;
    const WritePlan plan = planWrite(labels);
    for (std::size_t i = 0; i < labels.videos().size(); ++i)
        if (labels.videos()[i].dataset != plan.videoIds.datasets[i]) {
            labels.editVideos()[i].dataset = plan.videoIds.datasets[i];
        }
    project::FileOrigin origin = labels.origin();
    std::error_code ec;
    origin.path = fs::absolute(path, ec).string();
    labels.setOrigin(std::move(origin));
}

}  // namespace skein::formats
