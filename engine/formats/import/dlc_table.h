// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/import/readers.h"

namespace skein::formats::importing {

/// What one column of a DeepLabCut table holds.
struct DlcColumn {
    std::string individual;  ///< empty: the table is of one animal
    std::string bodypart;
    std::string coordinate;  ///< "x", "y", "likelihood"
};

/// Names the columns; once, before the rows. Errors end the reading.
using DlcHead = std::function<Result<void>(std::vector<DlcColumn>&&)>;
/// One row: the path of its picture (or the number of its frame) and a number for each column, NaN where there is none.
using DlcRow = std::function<Result<void>(const std::string& index, std::span<const double>)>;

/// Reads the text form: three or four rows of head; the row's picture in one cell or in three (folder, video, name).
[[nodiscard]] Result<void> readDlcText(const Task& task, const DlcHead& head, const DlcRow& row);

/// Reads the HDF5 form that pandas writes under "df_with_missing", as a fixed frame or as a table.
[[nodiscard]] Result<void> readDlcFile(const Task& task, const DlcHead& head, const DlcRow& row);

}  // namespace skein::formats::importing
