// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/hdf5/output_file.h"

/// What the tests of labels files share.
namespace skein::test {

using TestJson = nlohmann::json;

inline std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// First difference of two JSON values, with its place; empty when they are equal. Numbers compare by value, exactly.
/// Members named in `ignored` are skipped wherever they are.
inline std::string jsonDifference(const TestJson& a, const TestJson& b, const std::set<std::string>& ignored = {},
                                  const std::string& at = "") {
    if (a.is_number() && b.is_number())
        return a.get<double>() == b.get<double>() ? "" : at + ": " + a.dump() + " against " + b.dump();
    if (a.type() != b.type())
        return at + ": " + a.dump().substr(0, 120) + " against " + b.dump().substr(0, 120);
    if (a.is_object()) {
        for (const auto& [key, value] : a.items()) {
            if (ignored.contains(key))
                continue;
            if (!b.contains(key))
                return at + "/" + key + " is missing in the second";
            if (auto found = jsonDifference(value, b[key], ignored, at + "/" + key); !found.empty())
                return found;
        }
        for (const auto& [key, value] : b.items())
            if (!ignored.contains(key) && !a.contains(key))
                return at + "/" + key + " is missing in the first";
        return "";
    }
    if (a.is_array()) {
        if (a.size() != b.size())
            return at + ": " + std::to_string(a.size()) + " against " + std::to_string(b.size()) + " items";
        for (std::size_t i = 0; i < a.size(); ++i)
            if (auto found = jsonDifference(a[i], b[i], ignored, at + "/" + std::to_string(i)); !found.empty())
                return found;
        return "";
    }
    return a == b ? "" : at + ": " + a.dump().substr(0, 120) + " against " + b.dump().substr(0, 120);
}

/// All bytes of a dataset with texts and sequences of variable length spelled out.
inline std::string contentOf(const formats::h5::Dataset& dataset) {
    const auto count = static_cast<std::size_t>(dataset.rows() * dataset.rowElements());
    std::vector<char> bytes(count * dataset.typeSize);
    if (!formats::h5::readRows(dataset, dataset.type.get(), 0, dataset.rows(), bytes.data()))
        return "unreadable";
    if (H5Tis_variable_str(dataset.type.get()) > 0) {
        std::string out;
        for (std::size_t i = 0; i < count; ++i) {
            const char* text = reinterpret_cast<char**>(bytes.data())[i];
            out += std::string(text == nullptr ? "(null)" : text) + '\0';
        }
        return out;
    }
    if (H5Tget_class(dataset.type.get()) == H5T_VLEN) {
        std::string out;
        const formats::h5::Id element(H5Tget_super(dataset.type.get()));
        for (std::size_t i = 0; i < count; ++i) {
            const hvl_t& sequence = reinterpret_cast<hvl_t*>(bytes.data())[i];
            out += std::to_string(sequence.len) + ":";
            out.append(static_cast<const char*>(sequence.p), sequence.len * H5Tget_size(element.get()));
        }
        return out;
    }
    return {bytes.begin(), bytes.end()};
}

/// First difference of an object of two HDF5 files in kind, shape, limits, type, chunks, filters, values or attributes;
/// empty when there is none. Attributes named in `added` may be in the second file only.
inline std::string objectDifference(hid_t a, hid_t b, const std::string& name,
                                    const std::set<std::string>& added = {}) {
    using namespace formats;
    const h5::ObjectKind kind = h5::objectKind(a, name);
    if (kind != h5::objectKind(b, name))
        return name + " is of another kind or missing";
    const h5::Id objectA(H5Oopen(a, name.c_str(), H5P_DEFAULT));
    const h5::Id objectB(H5Oopen(b, name.c_str(), H5P_DEFAULT));
    auto namesB = h5::attributeNames(objectB.get());
    std::erase_if(namesB, [&](const std::string& attribute) { return added.contains(attribute); });
    auto namesA = h5::attributeNames(objectA.get());
    std::erase_if(namesA, [&](const std::string& attribute) { return added.contains(attribute); });
    if (namesA != namesB)
        return name + " has other attributes";
    for (const std::string& attribute : namesA)
        if (h5::textAttribute(objectA.get(), attribute) != h5::textAttribute(objectB.get(), attribute) ||
            h5::numberAttribute(objectA.get(), attribute) != h5::numberAttribute(objectB.get(), attribute))
            return name + " attribute " + attribute + " differs";
    if (kind == h5::ObjectKind::Group) {
        const auto children = h5::linkNames(objectA.get());
        if (children != h5::linkNames(objectB.get()))
            return name + " has other members";
        for (const std::string& child : children)
            if (auto found = objectDifference(a, b, name + "/" + child, added); !found.empty())
                return found;
        return "";
    }
    if (kind != h5::ObjectKind::Dataset)
        return "";
    const auto first = h5::openDataset(a, name);
    const auto second = h5::openDataset(b, name);
    if (!first || !second)
        return name + " cannot be opened";
    if (first->dims != second->dims)
        return name + " has another shape";
    if (H5Tequal(first->type.get(), second->type.get()) <= 0)
        return name + " has another type";
    const h5::Id planA(H5Dget_create_plist(first->id.get()));
    const h5::Id planB(H5Dget_create_plist(second->id.get()));
    if (H5Pget_layout(planA.get()) != H5Pget_layout(planB.get()) ||
        H5Pget_nfilters(planA.get()) != H5Pget_nfilters(planB.get()))
        return name + " is stored in another way";
    return contentOf(*first) == contentOf(*second) ? "" : name + " has other values";
}

/// A folder that goes away with the test.
class Folder {
public:
    [[nodiscard]] std::filesystem::path path() const { return m_dir.path().toStdString(); }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path() / name; }

private:
    QTemporaryDir m_dir;
};

}  // namespace skein::test
