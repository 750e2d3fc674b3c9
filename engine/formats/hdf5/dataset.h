// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/handle.h"

namespace skein::formats::h5 {

/// An open dataset and its shape. A scalar has no dims.
struct Dataset {
    std::string name;
    Id id;
    Id type;  ///< as stored
    std::vector<hsize_t> dims;
    std::size_t typeSize = 0;

    [[nodiscard]] hsize_t rows() const noexcept { return dims.empty() ? 1 : dims.front(); }
    /// Elements in one row, i.e. the product of all dims but the first.
    [[nodiscard]] hsize_t rowElements() const noexcept;
    [[nodiscard]] H5T_class_t typeClass() const { return H5Tget_class(type.get()); }
};

/// Opens a dataset and checks that its claimed size is one that its stored bytes can hold, so that a damaged size
/// cannot ask for more memory than there is. Errors: Format.
[[nodiscard]] Result<Dataset> openDataset(hid_t location, const std::string& name);

/// Reads rows [start, start + count) of the first axis into `out`, which holds count * rowElements() elements of
/// `memoryType`. Errors: Format (range outside the dataset, damaged data).
[[nodiscard]] Result<void> readRows(const Dataset& dataset, hid_t memoryType, hsize_t start, hsize_t count, void* out);

/// Writes rows likewise. Errors: Io.
[[nodiscard]] Result<void> writeRows(const Dataset& dataset, hid_t memoryType, hsize_t start, hsize_t count,
                                     const void* in);

/// Texts of a one-dimensional or scalar dataset in any of the layouts that labels files use: variable length, fixed
/// length with zero padding, single bytes; an empty numeric dataset is an empty list. Errors: Format.
[[nodiscard]] Result<std::vector<std::string>> readStrings(hid_t location, const std::string& name);

/// All elements of a numeric dataset of any rank, row-major. Errors: Format.
[[nodiscard]] Result<std::vector<std::int64_t>> readIntegers(hid_t location, const std::string& name);
[[nodiscard]] Result<std::vector<double>> readNumbers(hid_t location, const std::string& name);
[[nodiscard]] Result<std::vector<std::uint8_t>> readBytes(hid_t location, const std::string& name);

/// Bytes of one row of a table of encoded images: a padded row of a two-dimensional dataset (with its padding) or a
/// sequence of variable length. Errors: Format.
[[nodiscard]] Result<std::vector<std::uint8_t>> readImageBytes(const Dataset& dataset, hsize_t row);

/// Creates a one-dimensional contiguous dataset of `rows` elements, with zeros in it when `filled`. Errors: Io.
[[nodiscard]] Result<Dataset> createTable(hid_t location, const std::string& name, hid_t type, hsize_t rows,
                                          bool filled = false);

/// A list of texts as sleap-io stores it: variable length UTF-8, extensible, one chunk. Errors: Io.
[[nodiscard]] Result<void> writeStrings(hid_t location, const std::string& name, std::span<const std::string> texts);

/// A scalar text of fixed length. Errors: Io.
[[nodiscard]] Result<void> writeText(hid_t location, const std::string& name, const std::string& text);

/// Variable length UTF-8 text, or fixed length of `size` bytes padded with zeros.
[[nodiscard]] Id variableTextType();
[[nodiscard]] Id fixedTextType(std::size_t size);

}  // namespace skein::formats::h5
