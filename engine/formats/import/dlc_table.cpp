// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/import/dlc_table.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/import/csv_table.h"
#include "engine/formats/json/json.h"
#include "engine/formats/try.h"

namespace skein::formats::importing {
namespace {

constexpr std::size_t kMostColumns = 1'000'000;

std::string joined(std::span<const std::string> parts) {
    std::string path;
    for (const std::string& part : parts)
        path += (path.empty() ? "" : "/") + part;
    return path;
}

/// Columns from lists of equal length; an empty list of individuals: one animal.
Result<std::vector<DlcColumn>> columnsFrom(const Task& task, const std::vector<std::string>& individuals,
                                           const std::vector<std::string>& bodyparts,
                                           const std::vector<std::string>& coordinates) {
    if (bodyparts.empty() || bodyparts.size() != coordinates.size() ||
        (!individuals.empty() && individuals.size() != bodyparts.size()) || bodyparts.size() > kMostColumns)
        return task.bad("the rows that name its columns do not fit each other.");
    std::vector<DlcColumn> columns(bodyparts.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i] = {individuals.empty() ? std::string() : individuals[i], bodyparts[i], coordinates[i]};
    return columns;
}

/// A list of tuples of texts as Python's pickle writes it in its oldest form (protocol 0): each operation is a letter,
/// its argument the rest of the line. Only the operations that such lists need; anything else is refused.
Result<std::vector<std::vector<std::string>>> unpickle(const Task& task, std::string_view text) {
    const auto bad = [&task] { return task.bad("the names of its columns are stored in a way that is not known."); };
    std::vector<std::vector<std::string>> tuples;
    std::vector<std::string> open;              // of the tuple that is being put together
    std::map<std::string, std::string> memory;  // texts by number
    std::string last;
    std::size_t at = 0;
    const auto line = [&]() -> std::optional<std::string> {
        const auto end = text.find('\n', at);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string found(text.substr(at, end - at));
        at = end + 1;
        return found;
    };
    bool wasText = false;
    while (at < text.size()) {
        switch (text[at++]) {
            case '.':
                return tuples;
            case '(':
            case 'l':
            case 'a':
                break;
            case 't':
                tuples.push_back(std::exchange(open, {}));
                wasText = false;
                if (tuples.size() > kMostColumns)
                    return bad();
                break;
            case 'V': {
                const auto found = line();
                // Other characters than ASCII come as escapes of the same form as in JSON.
                if (!found)
                    return bad();
                const auto plain = parseJson("\"" + *found + "\"", "A name");
                last = plain && plain->is_string() ? plain->get<std::string>() : *found;
                open.push_back(last);
                wasText = true;
                break;
            }
            case 'p': {
                const auto number = line();
                if (!number)
                    return bad();
                if (wasText)
                    memory[*number] = last;
                wasText = false;
                break;
            }
            case 'g': {
                const auto number = line();
                const auto found = number ? memory.find(*number) : memory.end();
                if (found == memory.end())
                    return bad();
                open.push_back(found->second);
                break;
            }
            default:
                return bad();
        }
    }
    return bad();
}

/// An axis of a fixed frame: lists of names, one a level, spelled out for each place.
Result<std::vector<std::vector<std::string>>> readLevels(const Task& task, hid_t group, const std::string& axis) {
    std::vector<std::vector<std::string>> levels;
    for (int level = 0; h5::exists(group, axis + "_level" + std::to_string(level)); ++level) {
        SKEIN_TRY(names, h5::readStrings(group, axis + "_level" + std::to_string(level)));
        SKEIN_TRY(places, h5::readIntegers(group, axis + "_label" + std::to_string(level)));
        std::vector<std::string> spelled;
        for (const std::int64_t place : places) {
            if (place < 0 || place >= static_cast<std::int64_t>(names.size()))
                return task.bad("an axis of its table names what there is not.");
            spelled.push_back(names[static_cast<std::size_t>(place)]);
        }
        if (!levels.empty() && spelled.size() != levels.front().size())
            return task.bad("the levels of an axis of its table differ in length.");
        levels.push_back(std::move(spelled));
    }
    if (levels.empty() && h5::exists(group, axis)) {
        SKEIN_TRY(single, h5::openDataset(group, axis));
        if (single.typeClass() == H5T_INTEGER && single.typeSize > 1) {
            SKEIN_TRY(numbers, h5::readIntegers(group, axis));
            levels.emplace_back();
            for (const std::int64_t number : numbers)
                levels.back().push_back(std::to_string(number));
        } else {
            SKEIN_TRY(names, h5::readStrings(group, axis));
            levels.push_back(std::move(names));
        }
    }
    return levels;
}

Result<std::vector<DlcColumn>> columnsOfLevels(const Task& task, std::vector<std::vector<std::string>> levels) {
    // scorer, [individuals,] bodyparts, coords
    if (levels.size() != 3 && levels.size() != 4)
        return task.bad("its columns have " + std::to_string(levels.size()) +
                        " levels of names; DeepLabCut has 3 or 4.");
    return columnsFrom(task, levels.size() == 4 ? levels[1] : std::vector<std::string>(), levels[levels.size() - 2],
                       levels.back());
}

Result<void> readFixed(const Task& task, hid_t group, const DlcHead& head, const DlcRow& row) {
    SKEIN_TRY(levels, readLevels(task, group, "block0_items"));
    SKEIN_TRY(columns, columnsOfLevels(task, std::move(levels)));
    SKEIN_TRY(index, readLevels(task, group, "axis1"));
    SKEIN_TRY(values, h5::openDataset(group, "block0_values"));
    const std::size_t width = columns.size();
    if (values.dims.size() != 2 || values.dims[1] != width || values.typeClass() != H5T_FLOAT || index.empty() ||
        values.dims[0] != index.front().size())
        return task.bad("its table is of another size than its axes say.");
    SKEIN_CHECK(head(std::move(columns)));
    std::vector<double> numbers(width);
    std::vector<std::string> parts;
    for (std::size_t r = 0; r < index.front().size(); ++r) {
        SKEIN_CHECK(h5::readRows(values, H5T_NATIVE_DOUBLE, r, 1, numbers.data()));
        parts.clear();
        for (const auto& level : index)
            parts.push_back(level[r]);
        if (auto put = row(joined(parts), numbers); !put)
            return put;
    }
    return {};
}

Result<void> readTable(const Task& task, hid_t group, const DlcHead& head, const DlcRow& row) {
    SKEIN_TRY(table, h5::openDataset(group, "table"));
    const auto names = h5::textAttribute(table.id.get(), "values_block_0_kind");
    if (!names || table.dims.size() != 1 || table.typeClass() != H5T_COMPOUND)
        return task.bad("its table has another form than pandas writes.");
    SKEIN_TRY(tuples, unpickle(task, *names));
    std::vector<std::vector<std::string>> levels(tuples.empty() ? 0 : tuples.front().size());
    for (const auto& tuple : tuples) {
        if (tuple.size() != levels.size())
            return task.bad("the names of its columns differ in length.");
        for (std::size_t level = 0; level < levels.size(); ++level)
            levels[level].push_back(tuple[level]);
    }
    SKEIN_TRY(columns, columnsOfLevels(task, std::move(levels)));
    const std::size_t width = columns.size();
    const int valuesAt = H5Tget_member_index(table.type.get(), "values_block_0");
    const int indexAt = H5Tget_member_index(table.type.get(), "index");
    const h5::Id stored(valuesAt < 0 ? -1 : H5Tget_member_type(table.type.get(), static_cast<unsigned>(valuesAt)));
    hsize_t length = 0;
    if (indexAt < 0 || !stored || H5Tget_class(stored.get()) != H5T_ARRAY || H5Tget_array_ndims(stored.get()) != 1 ||
        H5Tget_array_dims2(stored.get(), &length) < 0 || length != width ||
        H5Tget_member_class(table.type.get(), static_cast<unsigned>(indexAt)) != H5T_INTEGER)
        return task.bad("its table is of another size than its columns say.");
    SKEIN_CHECK(head(std::move(columns)));
    const h5::Id array(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &length));
    const h5::Id memory(H5Tcreate(H5T_COMPOUND, sizeof(std::int64_t) + width * sizeof(double)));
    H5Tinsert(memory.get(), "index", 0, H5T_NATIVE_INT64);
    H5Tinsert(memory.get(), "values_block_0", sizeof(std::int64_t), array.get());
    std::vector<std::byte> bytes(sizeof(std::int64_t) + width * sizeof(double));
    std::vector<double> numbers(width);
    for (hsize_t r = 0; r < table.rows(); ++r) {
        SKEIN_CHECK(h5::readRows(table, memory.get(), r, 1, bytes.data()));
        std::int64_t index = 0;
        std::copy_n(bytes.data(), sizeof(index), reinterpret_cast<std::byte*>(&index));
        std::copy_n(bytes.data() + sizeof(index), width * sizeof(double), reinterpret_cast<std::byte*>(numbers.data()));
        if (auto put = row(std::to_string(index), numbers); !put)
            return put;
    }
    return {};
}

}  // namespace

Result<void> readDlcText(const Task& task, const DlcHead& head, const DlcRow& row) {
    CsvTable table(task.path);
    std::vector<std::string> cells, individuals, bodyparts, coordinates;
    // Cells before the first column of numbers: one, or three when the picture's path is split.
    std::size_t lead = 1;
    while (coordinates.empty()) {
        if (!table.next(cells))
            return task.bad("its head has no row \"coords\".");
        if (cells.front() == "scorer")
            lead = cells.size() > 3 && cells[1].empty() && cells[2].empty() ? 3 : 1;
        std::vector<std::string> names(cells.begin() + static_cast<std::ptrdiff_t>(std::min(lead, cells.size())),
                                       cells.end());
        if (cells.front() == "individuals")
            individuals = std::move(names);
        else if (cells.front() == "bodyparts")
            bodyparts = std::move(names);
        else if (cells.front() == "coords")
            coordinates = std::move(names);
    }
    SKEIN_TRY(columns, columnsFrom(task, individuals, bodyparts, coordinates));
    const std::size_t width = columns.size();
    SKEIN_CHECK(head(std::move(columns)));
    std::vector<double> numbers(width);
    std::size_t rows = 0;
    while (table.next(cells)) {
        if (rows++ % 1024 == 0)
            SKEIN_CHECK(task.step("rows", table.fraction()));
        // Rows of animals that are not there may be cut short.
        if (cells.size() < lead || cells.size() > lead + width)
            return task.bad("line " + std::to_string(table.line()) + " has " + std::to_string(cells.size()) +
                            " cells where " + std::to_string(lead + width) + " belong.");
        for (std::size_t i = 0; i < width; ++i) {
            const std::string_view cell = lead + i < cells.size() ? cells[lead + i] : std::string_view();
            const auto value = numberFrom(cell);
            if (!value)
                return task.bad("line " + std::to_string(table.line()) + " has the text \"" +
                                std::string(cell.substr(0, 40)) + "\" where a number belongs.");
            numbers[i] = *value;
        }
        SKEIN_CHECK(row(joined(std::span(cells).first(lead)), numbers));
    }
    if (table.isDamaged())
        return task.bad("the table ends in the middle of a row.");
    return {};
}

Result<void> readDlcFile(const Task& task, const DlcHead& head, const DlcRow& row) {
    const h5::Session session;
    SKEIN_TRY(file, h5::openFile(task.path));
    SKEIN_TRY(group, h5::openGroup(file.get(), "/df_with_missing"));
    return h5::exists(group.get(), "table") ? readTable(task, group.get(), head, row)
                                            : readFixed(task, group.get(), head, row);
}

}  // namespace skein::formats::importing
