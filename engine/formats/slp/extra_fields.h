// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/base/result.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/tables.h"
#include "engine/project/labels.h"

/// Compound fields of the row tables that this program does not know: kept per row, zero in new rows.
namespace skein::formats::slp {

/// Type of a table with its own fields followed by those carried for it.
[[nodiscard]] Result<h5::Id> widerTableType(const TableLayout& layout, const Carried& carried);

/// Fills the carried fields of all tables that have some; the rows themselves are written already.
[[nodiscard]] Result<void> writeExtraFields(hid_t file, const project::Labels& labels, const Carried& carried);

}  // namespace skein::formats::slp
