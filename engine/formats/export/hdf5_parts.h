// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/handle.h"

/// Parts of the HDF5 files that exports write. Use inside an h5::Session. Errors: Io.
namespace skein::formats::h5 {

/// How a dataset is laid out. Empty `chunk`: in one piece.
struct ArrayPlan {
    std::vector<hsize_t> dims;
    std::vector<hsize_t> chunk;
    bool packed = false;         ///< shuffled and deflated
    bool nanWhereEmpty = false;  ///< what is never written reads as NaN in place of 0
};

[[nodiscard]] Result<Dataset> createArray(hid_t location, const std::string& name, hid_t type, const ArrayPlan& plan);

/// Writes the box of `extent` elements at `start`; `in` is row-major without gaps.
[[nodiscard]] Result<void> writeBox(const Dataset& dataset, hid_t memoryType, std::span<const hsize_t> start,
                                    std::span<const hsize_t> extent, const void* in);

/// Texts of fixed length, zero padded, as rows of `columns`.
[[nodiscard]] Result<void> writeFixedStrings(hid_t location, const std::string& name,
                                             std::span<const std::string> texts, std::size_t columns = 1);

/// A scalar text of variable length, UTF-8.
[[nodiscard]] Result<void> writeVariableText(hid_t location, const std::string& name, const std::string& text);

[[nodiscard]] Result<void> writeScalar(hid_t location, const std::string& name, hid_t type, hid_t memoryType,
                                       const void* value);

/// A scalar attribute of any numeric type.
[[nodiscard]] Result<void> writeScalarAttribute(hid_t object, const std::string& name, hid_t type, hid_t memoryType,
                                                const void* value);

}  // namespace skein::formats::h5
