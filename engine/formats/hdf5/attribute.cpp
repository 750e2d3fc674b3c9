// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/hdf5/attribute.h"

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"

namespace skein::formats::h5 {
namespace {

herr_t appendName(hid_t, const char* name, const H5A_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

struct OpenAttribute {
    Id id, type, space;
    std::size_t elements = 0;
    std::size_t typeSize = 0;

    OpenAttribute(hid_t object, const std::string& name) {
        if (H5Aexists(object, name.c_str()) <= 0)
            return;
        id = Id(H5Aopen(object, name.c_str(), H5P_DEFAULT));
        type = Id(H5Aget_type(id.get()));
        space = Id(H5Aget_space(id.get()));
        const hssize_t count = H5Sget_simple_extent_npoints(space.get());
        elements = count > 0 ? static_cast<std::size_t>(count) : 0;
        typeSize = H5Tget_size(type.get());
    }
    [[nodiscard]] explicit operator bool() const { return id && type && space && elements > 0; }
};

}  // namespace

std::vector<std::string> attributeNames(hid_t object) {
    std::vector<std::string> names;
    hsize_t position = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, appendName, &names);
    return names;
}

std::optional<std::string> textAttribute(hid_t object, const std::string& name) {
    const OpenAttribute attribute(object, name);
    if (!attribute)
        return std::nullopt;
    const H5T_class_t kind = H5Tget_class(attribute.type.get());
    if (kind == H5T_STRING && H5Tis_variable_str(attribute.type.get()) > 0) {
        std::vector<char*> texts(attribute.elements, nullptr);
        if (H5Aread(attribute.id.get(), attribute.type.get(), texts.data()) < 0)
            return std::nullopt;
        std::string text = texts.front() == nullptr ? "" : texts.front();
        H5Dvlen_reclaim(attribute.type.get(), attribute.space.get(), H5P_DEFAULT, texts.data());
        return text;
    }
    const bool bytes = kind == H5T_INTEGER && attribute.typeSize == 1;
    if (kind != H5T_STRING && kind != H5T_OPAQUE && !bytes)
        return std::nullopt;
    std::string text(attribute.elements * attribute.typeSize, '\0');
    if (H5Aread(attribute.id.get(), attribute.type.get(), text.data()) < 0)
        return std::nullopt;
    if (!bytes)
        text.resize(attribute.typeSize);
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    return text;
}

std::optional<double> numberAttribute(hid_t object, const std::string& name) {
    const OpenAttribute attribute(object, name);
    if (!attribute)
        return std::nullopt;
    const H5T_class_t kind = H5Tget_class(attribute.type.get());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
        return std::nullopt;
    std::vector<double> values(attribute.elements);
    if (kind == H5T_ENUM) {
        // There is no conversion from an enumeration to a real number, only to an integer.
        std::vector<long long> integers(attribute.elements);
        if (H5Aread(attribute.id.get(), H5T_NATIVE_LLONG, integers.data()) < 0)
            return std::nullopt;
        return static_cast<double>(integers.front());
    }
    if (H5Aread(attribute.id.get(), H5T_NATIVE_DOUBLE, values.data()) < 0)
        return std::nullopt;
    return values.front();
}

bool isIntegerAttribute(hid_t object, const std::string& name) {
    const OpenAttribute attribute(object, name);
    if (!attribute)
        return false;
    const H5T_class_t kind = H5Tget_class(attribute.type.get());
    return kind == H5T_INTEGER || kind == H5T_ENUM;
}

Result<void> writeTextAttribute(hid_t object, const std::string& name, const std::string& text) {
    H5Eclear2(H5E_DEFAULT);
    if (H5Aexists(object, name.c_str()) > 0)
        H5Adelete(object, name.c_str());
    const Id type = fixedTextType(text.size());
    const Id space(H5Screate(H5S_SCALAR));
    const Id attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute || H5Awrite(attribute.get(), type.get(), text.c_str()) < 0)
        return failure(ErrorCode::Io, "write the attribute " + name);
    return {};
}

Result<void> writeVariableTextAttribute(hid_t object, const std::string& name, const std::string& text) {
    H5Eclear2(H5E_DEFAULT);
    const Id type = variableTextType();
    const Id space(H5Screate(H5S_SCALAR));
    const Id attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
    const char* pointer = text.c_str();
    if (!attribute || H5Awrite(attribute.get(), type.get(), &pointer) < 0)
        return failure(ErrorCode::Io, "write the attribute " + name);
    return {};
}

Result<void> writeNumberAttribute(hid_t object, const std::string& name, double value) {
    H5Eclear2(H5E_DEFAULT);
    if (H5Aexists(object, name.c_str()) > 0)
        H5Adelete(object, name.c_str());
    const Id space(H5Screate(H5S_SCALAR));
    const Id attribute(H5Acreate2(object, name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute || H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &value) < 0)
        return failure(ErrorCode::Io, "write the attribute " + name);
    return {};
}

Result<void> copyAttribute(hid_t from, hid_t to, const std::string& name) {
    H5Eclear2(H5E_DEFAULT);
    if (H5Aexists(to, name.c_str()) > 0)
        return {};
    const Id source(H5Aopen(from, name.c_str(), H5P_DEFAULT));
    const Id type(H5Aget_type(source.get()));
    const Id space(H5Aget_space(source.get()));
    if (!source || !type || !space)
        return failure(ErrorCode::Format, "read the attribute " + name);
    // The type may be a named one of the other file; the copy must not refer there.
    const Id ownType(H5Tcopy(type.get()));
    const Id target(H5Acreate2(to, name.c_str(), ownType.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!target)
        return failure(ErrorCode::Io, "write the attribute " + name);
    const hssize_t points = H5Sget_simple_extent_npoints(space.get());
    if (points <= 0)
        return {};
    std::vector<char> bytes(static_cast<std::size_t>(points) * H5Tget_size(ownType.get()));
    if (H5Aread(source.get(), ownType.get(), bytes.data()) < 0)
        return failure(ErrorCode::Format, "read the attribute " + name);
    const herr_t written = H5Awrite(target.get(), ownType.get(), bytes.data());
    if (H5Tdetect_class(ownType.get(), H5T_VLEN) > 0 || H5Tis_variable_str(ownType.get()) > 0)
        H5Dvlen_reclaim(ownType.get(), space.get(), H5P_DEFAULT, bytes.data());
    if (written < 0)
        return failure(ErrorCode::Io, "write the attribute " + name);
    return {};
}

}  // namespace skein::formats::h5
