// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/dataset.h"

/// The four row tables of a labels file as they lie on disk (formats of `/frames`, `/instances`, `/points`,
/// `/pred_points`): packed, little-endian, as sleap-io 0.9 writes them.
namespace skein::formats::slp {

#pragma pack(push, 1)
struct FrameRow {
    std::uint64_t frameId = 0;  ///< own row number
    std::uint32_t video = 0;    ///< video id, see videoIds.h
    std::uint64_t frameIndex = 0;
    std::uint64_t instanceBegin = 0, instanceEnd = 0;  ///< rows of `/instances`, end not included
};
struct InstanceRow {
    std::int64_t instanceId = 0;  ///< own row number
    std::uint8_t type = 0;        ///< 0 user, 1 predicted
    std::uint64_t frameId = 0;
    std::uint32_t skeleton = 0;
    std::int32_t track = -1;
    std::int64_t fromPredicted = -1;
    float score = 0;
    std::uint64_t pointBegin = 0, pointEnd = 0;  ///< rows of `/points` (user) or `/pred_points` (predicted)
    float trackingScore = 0;
};
struct PointRow {
    double x = 0, y = 0;
    std::int8_t visible = 0, complete = 0;
};
struct PredictedPointRow {
    PointRow point;
    double score = 0;
};
struct NegativeRow {
    std::uint32_t video = 0;
    std::uint64_t frameIndex = 0;
};
#pragma pack(pop)
static_assert(sizeof(FrameRow) == 36 && sizeof(InstanceRow) == 57);
static_assert(sizeof(PointRow) == 18 && sizeof(PredictedPointRow) == 26);

enum class FieldKind : std::uint8_t { U8, U32, U64, I32, I64, F32, F64, Bool };

struct Field {
    const char* name;
    std::size_t offset;
    FieldKind kind;
    int missing = 0;  ///< value in files that lack the field
};

/// Name, row size and fields of one table, in file order.
struct TableLayout {
    const char* name;
    std::size_t rowSize;
    std::span<const Field> fields;
};

[[nodiscard]] const TableLayout& framesLayout();
[[nodiscard]] const TableLayout& instancesLayout();
[[nodiscard]] const TableLayout& pointsLayout();
[[nodiscard]] const TableLayout& predictedPointsLayout();
[[nodiscard]] const TableLayout& negativesLayout();

/// The HDF5 type of a table, exactly as sleap-io stores it (flags are an enumeration FALSE = 0, TRUE = 1 over int8).
[[nodiscard]] h5::Id tableType(const TableLayout& layout);

/// Reads a table by blocks whatever its storage: compound fields in any order and width, missing and additional ones,
/// or a two-dimensional array of numbers with the column names in an attribute. Missing fields get their stated value.
class TableReader {
public:
    [[nodiscard]] static Result<TableReader> open(hid_t file, const TableLayout& layout);

    [[nodiscard]] std::uint64_t rows() const noexcept { return m_dataset.rows(); }
    [[nodiscard]] bool hasField(const std::string& name) const;
    /// Names of compound fields that the layout does not know.
    [[nodiscard]] const std::vector<std::string>& extraFields() const noexcept { return m_extra; }
    [[nodiscard]] const h5::Dataset& dataset() const noexcept { return m_dataset; }

    /// Rows [begin, end) in the layout's packed form. The pointer is valid until the next call; neighbouring ranges are
    /// served from one block. Errors: Format (range outside the table).
    [[nodiscard]] Result<const std::byte*> read(std::uint64_t begin, std::uint64_t end);

private:
    [[nodiscard]] Result<void> load(std::uint64_t begin, std::uint64_t count);
    [[nodiscard]] Result<void> loadColumns(std::uint64_t begin, std::uint64_t count);

    const TableLayout* m_layout = nullptr;
    h5::Dataset m_dataset;
    h5::Id m_memoryType;
    std::vector<const Field*> m_present;  ///< of a compound table
    std::vector<std::string> m_extra;
    std::vector<int> m_columns;  ///< of a two-dimensional table: column of each field, -1 missing
    std::vector<std::byte> m_block;
    std::uint64_t m_blockBegin = 0, m_blockEnd = 0;
};

/// Writes a table of known length row by row through a block. Thread-compatible, inside a Session.
class TableWriter {
public:
    [[nodiscard]] static Result<TableWriter> create(hid_t file, const TableLayout& layout, std::uint64_t rows);
    /// `type` has more fields than the layout; those stay zero.
    [[nodiscard]] static Result<TableWriter> createWider(hid_t file, const TableLayout& layout, const h5::Id& type,
                                                         std::uint64_t rows);

    /// Room for `count` more rows in packed form; call in order, fill before the next call.
    [[nodiscard]] Result<std::byte*> append(std::size_t count);
    [[nodiscard]] Result<void> finish();
    [[nodiscard]] std::uint64_t written() const noexcept { return m_begin + m_used; }
    /// The row written last, to be compared after reopening; empty when there is none.
    [[nodiscard]] const std::vector<std::byte>& lastRow() const noexcept { return m_lastRow; }
    [[nodiscard]] const TableLayout& layout() const noexcept { return *m_layout; }
    /// Lets go of the file; counts and last row stay.
    void close() { m_dataset.id = h5::Id(); }

private:
    [[nodiscard]] static Result<TableWriter> make(hid_t file, const TableLayout& layout, const h5::Id& type,
                                                  std::uint64_t rows, bool filled);
    [[nodiscard]] Result<void> flush();

    const TableLayout* m_layout = nullptr;
    h5::Dataset m_dataset;
    h5::Id m_memoryType;
    std::vector<std::byte> m_block;
    std::vector<std::byte> m_lastRow;
    std::uint64_t m_begin = 0;  ///< first row of the block
    std::size_t m_used = 0;     ///< rows in the block
};

}  // namespace skein::formats::slp
