// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/formats/hdf5/handle.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/references.h"

namespace skein::formats::slp {

/// Multi-camera sessions for the neutral dump: cameras, their videos, groups of instances with 3-D points. Reads both
/// the tables of format 2.8 and the older form inside the JSON rows; `objects` is the group that holds them. Null:
/// none.
[[nodiscard]] Json describeSessions(hid_t objects, const Carried& carried, const RowMaps& maps);

}  // namespace skein::formats::slp
