// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/extra_fields.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

std::string fieldsOf(const TableLayout& layout) {
    return std::string("fields/") + layout.name;
}

using Rows = std::vector<std::int64_t>;

/// For each row of a point table the row it was read from, -1 new. A point keeps its place within the instance.
Result<Rows> pointOrigins(const project::Labels& labels, const Carried& carried, project::InstanceKind kind) {
    SKEIN_TRY(known, h5::readIntegers(carried.root(), Carried::kInstanceRows));
    const std::int64_t type = kind == project::InstanceKind::User ? 0 : 1;
    Rows origins;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            if (instance.header->kind != kind)
                continue;
            const std::int64_t from = instance.header->originRow;
            const bool sameTable = from >= 0 && static_cast<std::size_t>(from) * 2 + 1 < known.size() &&
                                   known[static_cast<std::size_t>(from) * 2] == type;
            for (std::size_t point = 0; point < instance.points.size(); ++point)
                origins.push_back(
                    sameTable ? known[static_cast<std::size_t>(from) * 2 + 1] + static_cast<std::int64_t>(point) : -1);
        }
    }
    return origins;
}

Result<Rows> originsOf(const TableLayout& layout, const project::Labels& labels, const Carried& carried) {
    if (&layout == &pointsLayout())
        return pointOrigins(labels, carried, project::InstanceKind::User);
    if (&layout == &predictedPointsLayout())
        return pointOrigins(labels, carried, project::InstanceKind::Predicted);
    Rows origins;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        if (&layout == &framesLayout())
            origins.push_back(frame.originRow());
        else
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                origins.push_back(frame.instance(i).header->originRow);
    }
    return origins;
}

}  // namespace

Result<h5::Id> widerTableType(const TableLayout& layout, const Carried& carried) {
    SKEIN_TRY(fields, h5::openDataset(carried.root(), fieldsOf(layout)));
    const h5::Id own = tableType(layout);
    h5::Id type(H5Tcreate(H5T_COMPOUND, layout.rowSize + fields.typeSize));
    for (const h5::Id* part : {&own, const_cast<const h5::Id*>(&fields.type)}) {
        const std::size_t base = part == &own ? 0 : layout.rowSize;
        const int members = H5Tget_nmembers(part->get());
        for (int i = 0; i < members; ++i) {
            const auto index = static_cast<unsigned>(i);
            char* name = H5Tget_member_name(part->get(), index);
            const h5::Id member(H5Tget_member_type(part->get(), index));
            H5Tinsert(type.get(), name, base + H5Tget_member_offset(part->get(), index), member.get());
            H5free_memory(name);
        }
    }
    return type;
}

Result<void> writeExtraFields(hid_t file, const project::Labels& labels, const Carried& carried) {
    for (const TableLayout* layout : {&framesLayout(), &instancesLayout(), &pointsLayout(), &predictedPointsLayout()}) {
        if (!carried.has(fieldsOf(*layout)))
            continue;
        SKEIN_TRY(fields, h5::openDataset(carried.root(), fieldsOf(*layout)));
        SKEIN_TRY(table, h5::openDataset(file, layout->name));
        SKEIN_TRY(origins, originsOf(*layout, labels, carried));
        const std::size_t size = fields.typeSize;
        std::vector<char> known(static_cast<std::size_t>(fields.rows()) * size);
        SKEIN_CHECK(h5::readRows(fields, fields.type.get(), 0, fields.rows(), known.data()));
        std::vector<char> rows(origins.size() * size, '\0');
        for (std::size_t row = 0; row < origins.size(); ++row)
            if (origins[row] >= 0 && static_cast<hsize_t>(origins[row]) < fields.rows())
                std::memcpy(rows.data() + row * size, known.data() + static_cast<std::size_t>(origins[row]) * size,
                            size);
        auto written = h5::writeRows(table, fields.type.get(), 0, origins.size(), rows.data());
        const hsize_t count = fields.rows();
        const h5::Id space(H5Screate_simple(1, &count, nullptr));
        H5Dvlen_reclaim(fields.type.get(), space.get(), H5P_DEFAULT, known.data());
        if (!written)
            return written;
    }
    return {};
}

}  // namespace skein::formats::slp
