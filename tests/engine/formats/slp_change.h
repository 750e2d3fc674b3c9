// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <QtTest>
#include <filesystem>
#include <iterator>
#include <string>

#include "engine/formats/slp_dump.h"
#include "tests/engine/formats/slp_test.h"

/// What the tests do to labels files behind the reader's back.
namespace skein::test {

/// Opens a file for changes with the HDF5 library itself, as another program would.
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path) : m_file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
    [[nodiscard]] hid_t get() const { return m_file.get(); }

private:
    formats::h5::Session m_session;
    formats::h5::Id m_file;
};

inline void setMetadata(const std::filesystem::path& path, const std::string& text) {
    const OpenFile file(path);
    const formats::h5::Id metadata(H5Oopen(file.get(), "metadata", H5P_DEFAULT));
    QVERIFY(formats::h5::writeTextAttribute(metadata.get(), "json", text).has_value());
}

inline std::string dumpOf(const project::Labels& labels) {
    auto dump = formats::dumpJson(labels);
    return dump ? *dump : dump.error().describe();
}

inline bool holdsNothingBut(const Folder& folder, std::size_t files) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()),
                                                  std::filesystem::directory_iterator())) == files;
}

}  // namespace skein::test
