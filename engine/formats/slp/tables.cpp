// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/tables.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/json/json.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

// One block of rows is about this large: big enough that calls do not count, small enough to stay in the cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;
constexpr std::size_t kJumpBytes = std::size_t{1} << 14U;

constexpr std::array kFrameFields = {
    Field{"frame_id", offsetof(FrameRow, frameId), FieldKind::U64},
    Field{"video", offsetof(FrameRow, video), FieldKind::U32},
    Field{"frame_idx", offsetof(FrameRow, frameIndex), FieldKind::U64},
    Field{"instance_id_start", offsetof(FrameRow, instanceBegin), FieldKind::U64},
    Field{"instance_id_end", offsetof(FrameRow, instanceEnd), FieldKind::U64},
};
constexpr std::array kInstanceFields = {
    Field{"instance_id", offsetof(InstanceRow, instanceId), FieldKind::I64},
    Field{"instance_type", offsetof(InstanceRow, type), FieldKind::U8},
    Field{"frame_id", offsetof(InstanceRow, frameId), FieldKind::U64},
    Field{"skeleton", offsetof(InstanceRow, skeleton), FieldKind::U32},
    Field{"track", offsetof(InstanceRow, track), FieldKind::I32, -1},
    Field{"from_predicted", offsetof(InstanceRow, fromPredicted), FieldKind::I64, -1},
    Field{"score", offsetof(InstanceRow, score), FieldKind::F32},
    Field{"point_id_start", offsetof(InstanceRow, pointBegin), FieldKind::U64},
    Field{"point_id_end", offsetof(InstanceRow, pointEnd), FieldKind::U64},
    Field{"tracking_score", offsetof(InstanceRow, trackingScore), FieldKind::F32},
};
constexpr std::array kPredictedPointFields = {
    Field{"x", 0, FieldKind::F64},          Field{"y", 8, FieldKind::F64},      Field{"visible", 16, FieldKind::Bool},
    Field{"complete", 17, FieldKind::Bool}, Field{"score", 18, FieldKind::F64},
};
constexpr std::array kNegativeFields = {
    Field{"video_id", offsetof(NegativeRow, video), FieldKind::U32},
    Field{"frame_idx", offsetof(NegativeRow, frameIndex), FieldKind::U64},
};

h5::Id boolType() {
    h5::Id type(H5Tenum_create(H5T_NATIVE_INT8));
    std::int8_t value = 0;
    H5Tenum_insert(type.get(), "FALSE", &value);
    value = 1;
    H5Tenum_insert(type.get(), "TRUE", &value);
    return type;
}

hid_t fieldType(FieldKind kind, const h5::Id& flag) {
    switch (kind) {
        case FieldKind::U8:
            return H5T_STD_U8LE;
        case FieldKind::U32:
            return H5T_STD_U32LE;
        case FieldKind::U64:
            return H5T_STD_U64LE;
        case FieldKind::I32:
            return H5T_STD_I32LE;
        case FieldKind::I64:
            return H5T_STD_I64LE;
        case FieldKind::F32:
            return H5T_IEEE_F32LE;
        case FieldKind::F64:
            return H5T_IEEE_F64LE;
        case FieldKind::Bool:
            return flag.get();
    }
    return -1;
}

/// Stores a number of a two-dimensional table into a field. `exact` when the table holds integers.
void storeNumber(std::byte* row, const Field& field, double number, std::int64_t exact, bool isInteger) {
    const auto put = [&](auto value) { std::memcpy(row + field.offset, &value, sizeof value); };
    const auto whole = [&](double lowest, double highest) {
        const double value = isInteger ? static_cast<double>(exact) : number;
        return value >= lowest && value <= highest ? value : 0.0;
    };
    switch (field.kind) {
        case FieldKind::U8:
            put(static_cast<std::uint8_t>(whole(0, 255)));
            break;
        case FieldKind::U32:
            put(static_cast<std::uint32_t>(whole(0, 4294967295.0)));
            break;
        case FieldKind::U64:
            put(isInteger ? static_cast<std::uint64_t>(exact) : static_cast<std::uint64_t>(whole(0, 9.2e18)));
            break;
        case FieldKind::I32:
            put(static_cast<std::int32_t>(whole(-2147483648.0, 2147483647.0)));
            break;
        case FieldKind::I64:
            put(isInteger ? exact : static_cast<std::int64_t>(whole(-9.2e18, 9.2e18)));
            break;
        case FieldKind::F32:
            put(static_cast<float>(isInteger ? static_cast<double>(exact) : number));
            break;
        case FieldKind::F64:
            put(isInteger ? static_cast<double>(exact) : number);
            break;
        case FieldKind::Bool:
            put(static_cast<std::int8_t>((isInteger ? exact != 0 : number != 0) ? 1 : 0));
            break;
    }
}

}  // namespace

const TableLayout& framesLayout() {
    static constexpr TableLayout kLayout{"frames", sizeof(FrameRow), kFrameFields};
    return kLayout;
}
const TableLayout& instancesLayout() {
    static constexpr TableLayout kLayout{"instances", sizeof(InstanceRow), kInstanceFields};
    return kLayout;
}
const TableLayout& pointsLayout() {
    static const TableLayout kLayout{"points", sizeof(PointRow), std::span(kPredictedPointFields).first(4)};
    return kLayout;
}
const TableLayout& predictedPointsLayout() {
    static constexpr TableLayout kLayout{"pred_points", sizeof(PredictedPointRow), kPredictedPointFields};
    return kLayout;
}
const TableLayout& negativesLayout() {
    static constexpr TableLayout kLayout{"negative_frames", sizeof(NegativeRow), kNegativeFields};
    return kLayout;
}

h5::Id tableType(const TableLayout& layout) {
    const h5::Id flag = boolType();
    h5::Id type(H5Tcreate(H5T_COMPOUND, layout.rowSize));
    for (const Field& field : layout.fields)
        H5Tinsert(type.get(), field.name, field.offset, fieldType(field.kind, flag));
    return type;
}

Result<TableReader> TableReader::open(hid_t file, const TableLayout& layout) {
    SKEIN_TRY(dataset, h5::openDataset(file, layout.name));
    TableReader reader;
    reader.m_layout = &layout;
    reader.m_dataset = std::move(dataset);
    const h5::Dataset& table = reader.m_dataset;
    const H5T_class_t kind = table.typeClass();

    if (kind == H5T_COMPOUND && table.dims.size() == 1) {
        const h5::Id canonical = tableType(layout);
        const bool same = H5Tequal(table.type.get(), canonical.get()) > 0;
        // Flags are read as plain int8: other writers use other enumerations, or numbers.
        h5::Id memory(H5Tcreate(H5T_COMPOUND, layout.rowSize));
        const h5::Id int8(H5Tcopy(H5T_NATIVE_INT8));
        for (const Field& field : layout.fields)
            if (H5Tget_member_index(table.type.get(), field.name) >= 0) {
                H5Tinsert(memory.get(), field.name, field.offset, fieldType(field.kind, int8));
                reader.m_present.push_back(&field);
            }
        const int members = H5Tget_nmembers(table.type.get());
        for (int i = 0; i < members; ++i) {
            char* name = H5Tget_member_name(table.type.get(), static_cast<unsigned>(i));
            const std::string member = name == nullptr ? "" : name;
            H5free_memory(name);
            if (std::none_of(layout.fields.begin(), layout.fields.end(),
                             [&](const Field& f) { return member == f.name; }))
                reader.m_extra.push_back(member);
        }
        if (reader.m_present.empty())
            return fail(ErrorCode::Format, std::string("The table ") + layout.name +
                                               " has none of the fields of a labels file; the file is damaged.");
        reader.m_memoryType = same ? h5::Id(H5Tcopy(canonical.get())) : std::move(memory);
        return reader;
    }
    if ((kind == H5T_INTEGER || kind == H5T_FLOAT) && (table.dims.size() == 2 || table.rows() == 0)) {
        const auto width = table.dims.size() == 2 ? static_cast<std::size_t>(table.dims[1]) : 0;
        reader.m_columns.assign(layout.fields.size(), -1);
        Json names;
        if (const auto text = h5::textAttribute(table.id.get(), "field_names")) {
            SKEIN_TRY(parsed, parseJson(*text, std::string("The list of columns of ") + layout.name));
            names = std::move(parsed);
        }
        for (std::size_t f = 0; f < layout.fields.size(); ++f) {
            if (!names.is_array()) {
                reader.m_columns[f] = f < width ? static_cast<int>(f) : -1;
                continue;
            }
            for (std::size_t column = 0; column < std::min(names.size(), width); ++column)
                if (names[column].is_string() && names[column].get_ref<const std::string&>() == layout.fields[f].name)
                    reader.m_columns[f] = static_cast<int>(column);
        }
        return reader;
    }
    return fail(ErrorCode::Format,
                std::string("The table ") + layout.name + " is not laid out as in a labels file; the file is damaged.");
}

bool TableReader::hasField(const std::string& name) const {
    for (std::size_t f = 0; f < m_layout->fields.size(); ++f)
        if (name == m_layout->fields[f].name)
            return m_columns.empty()
                       ? std::find(m_present.begin(), m_present.end(), &m_layout->fields[f]) != m_present.end()
                       : m_columns[f] >= 0;
    return false;
}

Result<const std::byte*> TableReader::read(std::uint64_t begin, std::uint64_t end) {
    if (begin > end || end > rows())
        return fail(ErrorCode::Format,
                    std::string("Rows outside the table ") + m_layout->name + " were asked for; the file is damaged.");
    if (begin < m_blockBegin || end > m_blockEnd) {
        // Tables are mostly read from front to back; where a file jumps about, large blocks would be read in vain.
        const bool onward = begin >= m_blockBegin && begin <= m_blockEnd;
        const std::size_t blockBytes = onward ? kBlockBytes : kJumpBytes;
        const std::uint64_t blockRows = std::max<std::uint64_t>(blockBytes / m_layout->rowSize, end - begin);
        SKEIN_CHECK(load(begin, std::min(blockRows, rows() - begin)));
    }
    return m_block.data() + (begin - m_blockBegin) * m_layout->rowSize;
}

Result<void> TableReader::load(std::uint64_t begin, std::uint64_t count) {
    m_block.resize(static_cast<std::size_t>(count) * m_layout->rowSize);
    m_blockBegin = m_blockEnd = begin;
    if (!m_columns.empty()) {
        SKEIN_CHECK(loadColumns(begin, count));
    } else {
        SKEIN_CHECK(h5::readRows(m_dataset, m_memoryType.get(), begin, count, m_block.data()));
        // The library leaves bytes between fields undefined.
        if (m_present.size() != m_layout->fields.size())
            for (const Field& field : m_layout->fields)
                if (!hasField(field.name))
                    for (std::uint64_t row = 0; row < count; ++row)
                        storeNumber(m_block.data() + row * m_layout->rowSize, field, 0, field.missing, true);
    }
    m_blockEnd = begin + count;
    return {};
}

Result<void> TableReader::loadColumns(std::uint64_t begin, std::uint64_t count) {
    const auto width = static_cast<std::size_t>(m_dataset.rowElements());
    const bool isInteger = m_dataset.typeClass() == H5T_INTEGER;
    std::vector<double> numbers(isInteger ? 0 : static_cast<std::size_t>(count) * width);
    std::vector<std::int64_t> integers(isInteger ? static_cast<std::size_t>(count) * width : 0);
    if (isInteger)
        SKEIN_CHECK(h5::readRows(m_dataset, H5T_NATIVE_INT64, begin, count, integers.data()));
    else
        SKEIN_CHECK(h5::readRows(m_dataset, H5T_NATIVE_DOUBLE, begin, count, numbers.data()));
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t f = 0; f < m_columns.size(); ++f) {
            std::byte* out = m_block.data() + row * m_layout->rowSize;
            if (m_columns[f] < 0) {
                storeNumber(out, m_layout->fields[f], 0, m_layout->fields[f].missing, true);
                continue;
            }
            const std::size_t at = row * width + static_cast<std::size_t>(m_columns[f]);
            storeNumber(out, m_layout->fields[f], isInteger ? 0 : numbers[at], isInteger ? integers[at] : 0, isInteger);
        }
    return {};
}

Result<TableWriter> TableWriter::create(hid_t file, const TableLayout& layout, std::uint64_t rows) {
    return make(file, layout, tableType(layout), rows, false);
}

Result<TableWriter> TableWriter::createWider(hid_t file, const TableLayout& layout, const h5::Id& type,
                                             std::uint64_t rows) {
    // Writing some fields of a row reads the others first, so these must hold something.
    return make(file, layout, type, rows, true);
}

Result<TableWriter> TableWriter::make(hid_t file, const TableLayout& layout, const h5::Id& type, std::uint64_t rows,
                                      bool filled) {
    SKEIN_TRY(dataset, h5::createTable(file, layout.name, type.get(), rows, filled));
    TableWriter writer;
    writer.m_layout = &layout;
    writer.m_dataset = std::move(dataset);
    writer.m_memoryType = tableType(layout);
    writer.m_block.resize(std::max<std::size_t>(kBlockBytes / layout.rowSize, 1) * layout.rowSize);
    return writer;
}

Result<std::byte*> TableWriter::append(std::size_t count) {
    if ((m_used + count) * m_layout->rowSize > m_block.size()) {
        SKEIN_CHECK(flush());
        if (count * m_layout->rowSize > m_block.size())
            m_block.resize(count * m_layout->rowSize);
    }
    std::byte* room = m_block.data() + m_used * m_layout->rowSize;
    m_used += count;
    return room;
}

Result<void> TableWriter::flush() {
    SKEIN_CHECK(h5::writeRows(m_dataset, m_memoryType.get(), m_begin, m_used, m_block.data()));
    if (m_used > 0) {
        const std::byte* last = m_block.data() + (m_used - 1) * m_layout->rowSize;
        m_lastRow.assign(last, last + m_layout->rowSize);
    }
    m_begin += m_used;
    m_used = 0;
    return {};
}

Result<void> TableWriter::finish() {
    SKEIN_CHECK(flush());
    SKEIN_EXPECTS(m_begin == m_dataset.rows(), "a table is written in full");
    return {};
}

}  // namespace skein::formats::slp
