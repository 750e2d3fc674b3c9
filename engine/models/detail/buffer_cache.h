// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skein::models {

/// Makes LibTorch keep large CPU buffers from one layer to the next instead of giving them back to the system: a
/// network asks for the same sizes frame after frame, and fresh memory costs a page fault every 4 KiB. Kept memory is
/// bounded; the oldest goes first. Call once or often; takes effect for the whole process, in which only Skein uses
/// LibTorch.
void keepLargeBuffers();

}  // namespace skein::models
