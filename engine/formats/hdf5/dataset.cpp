// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/hdf5/dataset.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::h5 {
namespace {

// No filter of the library packs better than deflate's 1032 to 1.
constexpr double kBestCompression = 1100;
constexpr double kSmall = 1 << 20;

Result<void> checkSize(const Dataset& dataset) {
    double elements = 1;
    for (const hsize_t extent : dataset.dims)
        elements *= static_cast<double>(extent);
    const double bytes = elements * static_cast<double>(dataset.typeSize);
    const auto stored = static_cast<double>(H5Dget_storage_size(dataset.id.get()));
    if (bytes > stored * kBestCompression + kSmall)
        return fail(ErrorCode::Format, "The table " + dataset.name +
                                           " claims to be larger than what is stored for it; the file is damaged.");
    return {};
}

bool isNumeric(const Dataset& dataset) {
    const H5T_class_t kind = dataset.typeClass();
    return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

template <class T>
Result<std::vector<T>> readAll(hid_t location, const std::string& name, hid_t memoryType) {
    SKEIN_TRY(dataset, openDataset(location, name));
    if (!isNumeric(dataset))
        return fail(ErrorCode::Format, "The table " + name + " holds no numbers; the file is damaged.");
    std::vector<T> values(static_cast<std::size_t>(dataset.rows() * dataset.rowElements()));
    SKEIN_CHECK(readRows(dataset, memoryType, 0, dataset.rows(), values.data()));
    return values;
}

Id rowSelection(const Dataset& dataset, hsize_t start, hsize_t count) {
    Id space(H5Dget_space(dataset.id.get()));
    if (!dataset.dims.empty()) {
        std::vector<hsize_t> from(dataset.dims.size(), 0);
        std::vector<hsize_t> extent = dataset.dims;
        from.front() = start;
        extent.front() = count;
        H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, extent.data(), nullptr);
    }
    return space;
}

std::string withoutPadding(const char* text, std::size_t size) {
    std::size_t length = size;
    while (length > 0 && text[length - 1] == '\0')
        --length;
    return {text, length};
}

}  // namespace

hsize_t Dataset::rowElements() const noexcept {
    hsize_t elements = 1;
    for (std::size_t axis = 1; axis < dims.size(); ++axis)
        elements *= dims[axis];
    return elements;
}

Result<Dataset> openDataset(hid_t location, const std::string& name) {
    H5Eclear2(H5E_DEFAULT);
    if (objectKind(location, name) != ObjectKind::Dataset)
        return fail(ErrorCode::Format, "The file has no table " + name + "; it is damaged or no labels file.");
    Dataset dataset;
    dataset.name = name;
    dataset.id = Id(H5Dopen2(location, name.c_str(), H5P_DEFAULT));
    if (!dataset.id)
        return failure(ErrorCode::Format, "open the table " + name);
    dataset.type = Id(H5Dget_type(dataset.id.get()));
    const Id space(H5Dget_space(dataset.id.get()));
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (!dataset.type || !space || rank < 0)
        return failure(ErrorCode::Format, "open the table " + name);
    dataset.typeSize = H5Tget_size(dataset.type.get());
    dataset.dims.resize(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.get(), dataset.dims.data(), nullptr);
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
        dataset.dims = {0};
    SKEIN_CHECK(checkSize(dataset));
    return dataset;
}

Result<void> readRows(const Dataset& dataset, hid_t memoryType, hsize_t start, hsize_t count, void* out) {
    if (start > dataset.rows() || count > dataset.rows() - start)
        return fail(ErrorCode::Format,
                    "Rows outside the table " + dataset.name + " were asked for; the file is damaged.");
    if (count == 0 || dataset.rowElements() == 0)
        return {};
    H5Eclear2(H5E_DEFAULT);
    const Id fileSpace = rowSelection(dataset, start, count);
    const hsize_t elements = count * dataset.rowElements();
    const Id memorySpace(H5Screate_simple(1, &elements, nullptr));
    if (H5Dread(dataset.id.get(), memoryType, memorySpace.get(), fileSpace.get(), H5P_DEFAULT, out) < 0)
        return failure(ErrorCode::Format, "read the table " + dataset.name + ", the file is damaged");
    return {};
}

Result<void> writeRows(const Dataset& dataset, hid_t memoryType, hsize_t start, hsize_t count, const void* in) {
    if (count == 0)
        return {};
    H5Eclear2(H5E_DEFAULT);
    const Id fileSpace = rowSelection(dataset, start, count);
    const hsize_t elements = count * dataset.rowElements();
    const Id memorySpace(H5Screate_simple(1, &elements, nullptr));
    if (H5Dwrite(dataset.id.get(), memoryType, memorySpace.get(), fileSpace.get(), H5P_DEFAULT, in) < 0)
        return failure(ErrorCode::Io, "write the table " + dataset.name);
    return {};
}

Result<std::vector<std::string>> readStrings(hid_t location, const std::string& name) {
    SKEIN_TRY(dataset, openDataset(location, name));
    std::vector<std::string> texts;
    const auto rows = static_cast<std::size_t>(dataset.rows());
    if (rows == 0)
        return texts;
    const H5T_class_t kind = dataset.typeClass();
    if (kind == H5T_STRING && H5Tis_variable_str(dataset.type.get()) > 0) {
        std::vector<char*> pointers(rows * static_cast<std::size_t>(dataset.rowElements()), nullptr);
        const Id type(H5Tcopy(dataset.type.get()));
        SKEIN_CHECK(readRows(dataset, type.get(), 0, rows, pointers.data()));
        texts.reserve(pointers.size());
        for (const char* text : pointers)
            texts.emplace_back(text == nullptr ? "" : text);
        const hsize_t count = pointers.size();
        const Id space(H5Screate_simple(1, &count, nullptr));
        H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
        return texts;
    }
    if (kind == H5T_STRING || kind == H5T_OPAQUE) {
        const auto count = rows * static_cast<std::size_t>(dataset.rowElements());
        std::vector<char> bytes(count * dataset.typeSize);
        SKEIN_CHECK(readRows(dataset, dataset.type.get(), 0, rows, bytes.data()));
        texts.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            texts.push_back(withoutPadding(bytes.data() + i * dataset.typeSize, dataset.typeSize));
        return texts;
    }
    if (kind == H5T_INTEGER && dataset.typeSize == 1) {
        std::vector<char> bytes(rows * static_cast<std::size_t>(dataset.rowElements()));
        SKEIN_CHECK(readRows(dataset, H5T_NATIVE_CHAR, 0, rows, bytes.data()));
        texts.push_back(withoutPadding(bytes.data(), bytes.size()));
        return texts;
    }
    return fail(ErrorCode::Format, "The table " + name + " holds no texts; the file is damaged.");
}

Result<std::vector<std::int64_t>> readIntegers(hid_t location, const std::string& name) {
    return readAll<std::int64_t>(location, name, H5T_NATIVE_INT64);
}
Result<std::vector<double>> readNumbers(hid_t location, const std::string& name) {
    return readAll<double>(location, name, H5T_NATIVE_DOUBLE);
}
Result<std::vector<std::uint8_t>> readBytes(hid_t location, const std::string& name) {
    return readAll<std::uint8_t>(location, name, H5T_NATIVE_UINT8);
}

Result<std::vector<std::uint8_t>> readImageBytes(const Dataset& dataset, hsize_t row) {
    std::vector<std::uint8_t> bytes;
    if (dataset.typeClass() == H5T_VLEN && dataset.dims.size() == 1) {
        const Id element(H5Tget_super(dataset.type.get()));
        if (H5Tget_size(element.get()) != 1)
            return fail(ErrorCode::Format, "The images of " + dataset.name + " are not stored as bytes.");
        hvl_t sequence{};
        SKEIN_CHECK(readRows(dataset, dataset.type.get(), row, 1, &sequence));
        const auto* data = static_cast<const std::uint8_t*>(sequence.p);
        if (data != nullptr)
            bytes.assign(data, data + sequence.len);
        const hsize_t one = 1;
        const Id space(H5Screate_simple(1, &one, nullptr));
        H5Dvlen_reclaim(dataset.type.get(), space.get(), H5P_DEFAULT, &sequence);
        return bytes;
    }
    if (dataset.dims.size() != 2 || dataset.typeSize != 1)
        return fail(ErrorCode::Format, "The images of " + dataset.name + " are not stored as bytes.");
    bytes.resize(static_cast<std::size_t>(dataset.rowElements()));
    SKEIN_CHECK(readRows(dataset, dataset.type.get(), row, 1, bytes.data()));
    return bytes;
}

Result<Dataset> createTable(hid_t location, const std::string& name, hid_t type, hsize_t rows, bool filled) {
    H5Eclear2(H5E_DEFAULT);
    const Id space(H5Screate_simple(1, &rows, nullptr));
    const Id plan(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_fill_time(plan.get(), filled ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
    Dataset dataset;
    dataset.name = name;
    dataset.id = Id(H5Dcreate2(location, name.c_str(), type, space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT));
    if (!dataset.id)
        return failure(ErrorCode::Io, "create the table " + name);
    dataset.type = Id(H5Tcopy(type));
    dataset.dims = {rows};
    dataset.typeSize = H5Tget_size(type);
    return dataset;
}

Id variableTextType() {
    Id type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

Id fixedTextType(std::size_t size) {
    Id type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    return type;
}

Result<void> writeStrings(hid_t location, const std::string& name, std::span<const std::string> texts) {
    H5Eclear2(H5E_DEFAULT);
    const Id type = variableTextType();
    const hsize_t rows = texts.size();
    const hsize_t unlimited = H5S_UNLIMITED;
    const hsize_t chunk = rows == 0 ? 1024 : rows;
    const Id space(H5Screate_simple(1, &rows, &unlimited));
    const Id plan(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(plan.get(), 1, &chunk);
    Dataset dataset;
    dataset.name = name;
    dataset.dims = {rows};
    dataset.id = Id(H5Dcreate2(location, name.c_str(), type.get(), space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT));
    if (!dataset.id)
        return failure(ErrorCode::Io, "create the table " + name);
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts)
        pointers.push_back(text.c_str());
    return writeRows(dataset, type.get(), 0, rows, pointers.data());
}

Result<void> writeText(hid_t location, const std::string& name, const std::string& text) {
    H5Eclear2(H5E_DEFAULT);
    const Id type = fixedTextType(text.size());
    const Id space(H5Screate(H5S_SCALAR));
    const Id dataset(
        H5Dcreate2(location, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!dataset || H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0)
        return failure(ErrorCode::Io, "write the text " + name);
    return {};
}

}  // namespace skein::formats::h5
