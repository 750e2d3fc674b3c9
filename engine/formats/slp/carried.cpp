// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/carried.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace fs = std::filesystem;
namespace {

// Above this, what is carried goes to a temporary file instead of memory.
constexpr std::uintmax_t kMemoryLimit = std::uintmax_t{256} << 20U;

/// Objects that the writer makes anew from the project.
constexpr std::array<const char*, 10> kModelled = {
    "metadata",  "videos_json", "tracks_json", "suggestions_json", "frames",
    "instances", "points",      "pred_points", "provenance_json",  "negative_frames"};

/// Objects of known formats, carried without being understood in full; they do not count as unknown by themselves, but
/// their format number does.
bool isModelled(const std::string& name) {
    return std::any_of(kModelled.begin(), kModelled.end(), [&](const char* known) { return name == known; });
}

Result<h5::OutputFile> createTemporaryFile() {
    static std::atomic<unsigned> counter{0};
    std::error_code ec;
    const fs::path path = fs::temp_directory_path(ec) /
                          ("skein-carried-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".h5");
    SKEIN_TRY(file, h5::createFile(path));
    // The open file lives on without its name and goes away with the process, whatever happens to that.
    fs::remove(path, ec);
    return std::move(file);
}

/// Bytes of the file that are not row tables: an upper bound of what is carried.
std::uintmax_t otherBytes(hid_t file, std::uintmax_t fileSize) {
    std::uintmax_t known = 0;
    for (const TableLayout* layout : {&framesLayout(), &instancesLayout(), &pointsLayout(), &predictedPointsLayout()})
        if (auto table = h5::openDataset(file, layout->name))
            known += H5Dget_storage_size(table->id.get());
    return fileSize > known ? fileSize - known : 0;
}

}  // namespace

std::string topLevelOf(const std::string& dataset) {
    const std::size_t begin = !dataset.empty() && dataset.front() == '/' ? 1 : 0;
    return dataset.substr(begin, dataset.find('/', begin) - begin);
}

bool isEmbeddedHere(const project::Video& video, const Carried* carried) {
    // Packages of raw arrays name themselves by a path instead of "."; their group tells that they mean this file. The
    // stored row counts: the group may have been renamed by a save since.
    if (video.dataset.empty() || carried == nullptr || video.originRow < 0)
        return false;
    const std::string group = topLevelOf(videoFromRow(storedRow(video)).dataset);
    return std::find(carried->embedded().begin(), carried->embedded().end(), group) != carried->embedded().end();
}

Result<std::shared_ptr<const Carried>> Carried::gather(hid_t file, std::uintmax_t fileSize,
                                                       const project::Labels& labels,
                                                       std::vector<std::string>& warnings) {
    const std::vector<project::Video>& videos = labels.videos();
    SKEIN_TRY(store, otherBytes(file, fileSize) > kMemoryLimit ? createTemporaryFile() : h5::createMemoryFile());
    const std::shared_ptr<Carried> carried(new Carried(std::move(store)));
    for (const char* group : {"objects", "attributes", "metadata", "fields", "rows"}) {
        SKEIN_TRY(created, h5::createGroup(carried->root(), group));
        (void)created;
    }

    bool hasSessions = false;
    for (const std::string& name : h5::linkNames(file)) {
        if (isModelled(name))
            continue;
        const auto refersHere = [&](const project::Video& video) { return topLevelOf(video.dataset) == name; };
        const bool owned = std::any_of(videos.begin(), videos.end(), refersHere);
        const bool holdsImages = embeddedNumber(name + "/video").has_value() ||
                                 std::any_of(videos.begin(), videos.end(), [&](const project::Video& video) {
                                     return video.filename == "." && refersHere(video);
                                 });
        if (holdsImages) {
            carried->m_embedded.push_back(name);
            if (owned)
                carried->m_owned.push_back(name);
            continue;
        }
        if (auto copied = h5::copyLink(file, name, carried->root(), "objects/" + name); !copied) {
            warnings.push_back("The object " + name + " cannot be read and will be missing after a save (" +
                               copied.error().message() + ")");
            continue;
        }
        carried->m_objects.push_back(name);
        // An empty list of sessions is in every file of today's writers.
        if (name != "sessions_json")
            carried->m_hasUnknown = true;
        else if (auto rows = h5::openDataset(file, name); rows && rows->rows() > 0)
            carried->m_hasUnknown = hasSessions = true;
    }

    SKEIN_CHECK(carried->gatherAttributes(file, "root"));
    for (const char* name : kModelled) {
        if (!h5::exists(file, name))
            continue;
        const h5::Id object(H5Oopen(file, name, H5P_DEFAULT));
        SKEIN_CHECK(carried->gatherAttributes(object.get(), name));
        if (std::string(name) != "metadata" || h5::objectKind(file, name) != h5::ObjectKind::Group)
            continue;
        for (const std::string& child : h5::linkNames(object.get())) {
            SKEIN_CHECK(h5::copyLink(object.get(), child, carried->root(), "metadata/" + child));
            carried->m_hasUnknown = true;
        }
    }
    for (const TableLayout* layout : {&framesLayout(), &instancesLayout(), &pointsLayout(), &predictedPointsLayout()})
        SKEIN_CHECK(carried->gatherFields(file, *layout));
    SKEIN_TRY(instances, h5::openDataset(file, instancesLayout().name));
    SKEIN_TRY(frames, h5::openDataset(file, framesLayout().name));
    carried->m_instanceRows = instances.rows();
    carried->m_frameRows = frames.rows();
    carried->m_videoRows = videos.size();
    carried->m_trackRows = labels.tracks().size();
    SKEIN_CHECK(
        carried->gatherRows(file, carried->has("fields/points") || carried->has("fields/pred_points"), hasSessions));
    SKEIN_CHECK(carried->m_file.check());
    return std::shared_ptr<const Carried>(carried);
}

Carried::~Carried() {
    m_file.abandon();
}

bool Carried::has(const std::string& path) const {
    return h5::exists(m_file.get(), path);
}

const Carried* Carried::of(const project::Labels& labels) {
    return dynamic_cast<const Carried*>(labels.origin().carried.get());
}

Result<void> Carried::gatherAttributes(hid_t object, const std::string& name) {
    h5::Id group;
    for (const std::string& attribute : h5::attributeNames(object)) {
        if (name == "metadata" && (attribute == "json" || attribute == "format_id"))
            continue;
        if (attribute == "field_names")
            continue;
        if (!group) {
            SKEIN_TRY(created, h5::createGroup(m_file.get(), "attributes/" + name));
            group = std::move(created);
        }
        SKEIN_CHECK(h5::copyAttribute(object, group.get(), attribute));
        m_hasUnknown = true;
    }
    return {};
}

Result<void> Carried::gatherFields(hid_t file, const TableLayout& layout) {
    SKEIN_TRY(reader, TableReader::open(file, layout));
    if (reader.extraFields().empty() || reader.rows() == 0)
        return {};
    const hid_t stored = reader.dataset().type.get();
    std::vector<h5::Id> types;
    std::size_t size = 0;
    for (const std::string& name : reader.extraFields()) {
        const int member = H5Tget_member_index(stored, name.c_str());
        types.emplace_back(H5Tget_member_type(stored, static_cast<unsigned>(member)));
        size += H5Tget_size(types.back().get());
    }
    const h5::Id type(H5Tcreate(H5T_COMPOUND, size));
    std::size_t offset = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
        H5Tinsert(type.get(), reader.extraFields()[i].c_str(), offset, types[i].get());
        offset += H5Tget_size(types[i].get());
    }
    SKEIN_TRY(copy, h5::createTable(m_file.get(), std::string("fields/") + layout.name, type.get(), reader.rows()));
    const std::uint64_t blockRows = std::max<std::uint64_t>((std::size_t{1} << 20U) / size, 1);
    std::vector<char> block;
    for (std::uint64_t row = 0; row < reader.rows(); row += blockRows) {
        const std::uint64_t count = std::min(blockRows, reader.rows() - row);
        block.assign(count * size, '\0');
        SKEIN_CHECK(h5::readRows(reader.dataset(), type.get(), row, count, block.data()));
        SKEIN_CHECK(h5::writeRows(copy, type.get(), row, count, block.data()));
        const hsize_t elements = count;
        const h5::Id space(H5Screate_simple(1, &elements, nullptr));
        H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, block.data());
    }
    m_hasUnknown = true;
    return {};
}

Result<void> Carried::gatherRows(hid_t file, bool instances, bool frames) {
    const auto store = [this](const char* name, const std::vector<std::int64_t>& values,
                              std::vector<hsize_t> dims) -> Result<void> {
        const h5::Id space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
        const h5::Id dataset(
            H5Dcreate2(m_file.get(), name, H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        if (!dataset || H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
            return h5::failure(ErrorCode::OutOfMemory, "keep what the file holds beyond labels");
        return {};
    };
    if (instances) {
        SKEIN_TRY(reader, TableReader::open(file, instancesLayout()));
        std::vector<std::int64_t> values;
        for (std::uint64_t row = 0; row < reader.rows(); ++row) {
            SKEIN_TRY(bytes, reader.read(row, row + 1));
            InstanceRow instance;
            std::memcpy(&instance, bytes, sizeof instance);
            values.push_back(instance.type);
            values.push_back(static_cast<std::int64_t>(instance.pointBegin));
        }
        SKEIN_CHECK(store(kInstanceRows, values, {reader.rows(), 2}));
    }
    if (frames) {
        SKEIN_TRY(reader, TableReader::open(file, framesLayout()));
        std::vector<std::int64_t> values;
        for (std::uint64_t row = 0; row < reader.rows(); ++row) {
            SKEIN_TRY(bytes, reader.read(row, row + 1));
            FrameRow frame;
            std::memcpy(&frame, bytes, sizeof frame);
            values.push_back(static_cast<std::int64_t>(frame.instanceBegin));
        }
        SKEIN_CHECK(store(kFrameBegins, values, {reader.rows()}));
    }
    return {};
}

}  // namespace skein::formats::slp
