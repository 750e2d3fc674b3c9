// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

// Each registers the benchmarks of one part; names are part/kernel/what. `scratch`: a folder for files that the
// benchmarks make.
namespace skein::bench {

/// Preprocessing and forward passes of all models, peaks and line scores on the maps of the sample.
void registerNetworkKernels(const std::filesystem::path& scratch);
/// Grouping, assignment, tracking: what runs on the host.
void registerHostKernels();
/// Decoding, seeking, labels files.
void registerFileKernels(const std::filesystem::path& scratch);

}  // namespace skein::bench
