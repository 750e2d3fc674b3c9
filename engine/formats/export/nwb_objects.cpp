// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/nwb_objects.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::nwb {

std::string Objects::newId() {
    const std::uint64_t a = m_random(), b = m_random();
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-%04x-%012" PRIx64, static_cast<unsigned>(a >> 32),
                  static_cast<unsigned>(a >> 16) & 0xFFFFU, static_cast<unsigned>(a) & 0xFFFU,
                  (static_cast<unsigned>(b >> 48) & 0x3FFFU) | 0x8000U, b & 0xFFFFFFFFFFFFU);
    return text.data();
}

Result<void> Objects::mark(hid_t object, const char* space, const char* type) {
    SKEIN_CHECK(h5::writeVariableTextAttribute(object, "namespace", space));
    SKEIN_CHECK(h5::writeVariableTextAttribute(object, "neurodata_type", type));
    return h5::writeVariableTextAttribute(object, "object_id", newId());
}

Result<h5::Id> Objects::create(hid_t location, const std::string& name, const char* space, const char* type) {
    SKEIN_TRY(group, h5::createGroup(location, name));
    SKEIN_CHECK(mark(group.get(), space, type));
    return std::move(group);
}

Result<void> link(hid_t location, const std::string& name, const std::string& target) {
    if (H5Lcreate_soft(target.c_str(), location, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
        return h5::failure(ErrorCode::Io, "write the link " + name);
    return {};
}

std::string freeName(const std::string& name, const std::string& fallback, std::set<std::string>& taken) {
    std::string plain = name.empty() || name == "." || name == ".." ? fallback : name;
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == '/' || c == ':' || c == '\0'; }, '_');
    std::string free = plain;
    for (int number = 2; !taken.insert(free).second; ++number)
        free = plain + "_" + std::to_string(number);
    return free;
}

}  // namespace skein::formats::nwb
