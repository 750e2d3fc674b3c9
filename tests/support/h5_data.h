// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <hdf5.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace skein::test {

/// A numeric dataset of an HDF5 file, whatever its stored type, as doubles in row-major order.
struct H5Array {
    std::vector<std::size_t> shape;
    std::vector<double> values;
};

/// Reads one dataset; nullopt where file or dataset is missing. For tests: small, and independent of the engine's
/// reader.
inline std::optional<H5Array> readH5(const std::filesystem::path& file, const std::string& dataset) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (f < 0)
        return std::nullopt;
    std::optional<H5Array> result;
    if (const hid_t d = H5Dopen2(f, dataset.c_str(), H5P_DEFAULT); d >= 0) {
        const hid_t space = H5Dget_space(d);
        const int rank = H5Sget_simple_extent_ndims(space);
        std::vector<hsize_t> sizes(static_cast<std::size_t>(rank < 0 ? 0 : rank));
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
        H5Array array;
        std::size_t count = 1;
        for (const hsize_t size : sizes) {
            array.shape.push_back(static_cast<std::size_t>(size));
            count *= static_cast<std::size_t>(size);
        }
        array.values.resize(count);
        if (count == 0 || H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0)
            result = std::move(array);
        H5Sclose(space);
        H5Dclose(d);
    }
    H5Fclose(f);
    return result;
}

}  // namespace skein::test
