// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/hdf5_parts.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::h5 {
namespace {
/// Levels above cost several times as long for a few percent.
constexpr unsigned kDeflate = 1;
}  // namespace

Result<Dataset> createArray(hid_t location, const std::string& name, hid_t type, const ArrayPlan& plan) {
    H5Eclear2(H5E_DEFAULT);
    const Id space(H5Screate_simple(static_cast<int>(plan.dims.size()), plan.dims.data(), nullptr));
    const Id properties(H5Pcreate(H5P_DATASET_CREATE));
    if (!plan.chunk.empty()) {
        H5Pset_chunk(properties.get(), static_cast<int>(plan.chunk.size()), plan.chunk.data());
        if (plan.packed) {
            H5Pset_shuffle(properties.get());
            H5Pset_deflate(properties.get(), kDeflate);
        }
    }
    if (plan.nanWhereEmpty) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        H5Pset_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &nan);
    }
    Dataset dataset;
    dataset.name = name;
    dataset.id = Id(H5Dcreate2(location, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
    if (!dataset.id)
        return failure(ErrorCode::Io, "create the table " + name);
    dataset.type = Id(H5Tcopy(type));
    dataset.dims = plan.dims;
    dataset.typeSize = H5Tget_size(type);
    return dataset;
}

Result<void> writeBox(const Dataset& dataset, hid_t memoryType, std::span<const hsize_t> start,
                      std::span<const hsize_t> extent, const void* in) {
    H5Eclear2(H5E_DEFAULT);
    const Id fileSpace(H5Dget_space(dataset.id.get()));
    H5Sselect_hyperslab(fileSpace.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
    const Id memorySpace(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
    if (H5Dwrite(dataset.id.get(), memoryType, memorySpace.get(), fileSpace.get(), H5P_DEFAULT, in) < 0)
        return failure(ErrorCode::Io, "write the table " + dataset.name);
    return {};
}

Result<void> writeFixedStrings(hid_t location, const std::string& name, std::span<const std::string> texts,
                               std::size_t columns) {
    std::size_t longest = 1;
    for (const std::string& text : texts)
        longest = std::max(longest, text.size());
    std::vector<char> bytes(longest * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i)
        std::memcpy(bytes.data() + i * longest, texts[i].data(), texts[i].size());
    ArrayPlan plan;
    plan.dims = {texts.size() / columns};
    if (columns > 1)
        plan.dims.push_back(columns);
    const Id type = fixedTextType(longest);
    SKEIN_TRY(dataset, createArray(location, name, type.get(), plan));
    return writeRows(dataset, type.get(), 0, plan.dims.front(), bytes.data());
}

Result<void> writeScalar(hid_t location, const std::string& name, hid_t type, hid_t memoryType, const void* value) {
    H5Eclear2(H5E_DEFAULT);
    const Id space(H5Screate(H5S_SCALAR));
    const Id dataset(H5Dcreate2(location, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!dataset || H5Dwrite(dataset.get(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
        return failure(ErrorCode::Io, "write " + name);
    return {};
}

Result<void> writeVariableText(hid_t location, const std::string& name, const std::string& text) {
    const Id type = variableTextType();
    const char* pointer = text.c_str();
    return writeScalar(location, name, type.get(), type.get(), &pointer);
}

Result<void> writeScalarAttribute(hid_t object, const std::string& name, hid_t type, hid_t memoryType,
                                  const void* value) {
    H5Eclear2(H5E_DEFAULT);
    const Id space(H5Screate(H5S_SCALAR));
    const Id attribute(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute || H5Awrite(attribute.get(), memoryType, value) < 0)
        return failure(ErrorCode::Io, "write the attribute " + name);
    return {};
}

}  // namespace skein::formats::h5
