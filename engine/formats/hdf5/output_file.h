// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <memory>

#include "engine/base/result.h"
#include "engine/formats/hdf5/handle.h"

namespace skein::formats::h5 {

struct WriteFailure;

/// A new HDF5 file. When the disk is full or fails, the library would be left with an object that it can neither write
/// nor close, and would crash when the process ends; so it never learns of a failed write: the file's driver keeps the
/// first failure, swallows what follows, and check() tells. Use inside a Session.
class OutputFile {
public:
    OutputFile(Id file, std::shared_ptr<WriteFailure> failure)
        : m_file(std::move(file)), m_failure(std::move(failure)) {}

    [[nodiscard]] hid_t get() const noexcept { return m_file.get(); }
    /// The first write that failed, as an error. What was written since is lost: give up soon. Errors: Io.
    [[nodiscard]] Result<void> check() const;
    /// Lets go without waiting for the library and without telling of failures; see closeWhenFree().
    void abandon() { closeWhenFree(m_file.release()); }
    /// Flushes, closes, and tells whether all bytes reached the system. Errors: Io.
    [[nodiscard]] Result<void> close();

private:
    Id m_file;
    std::shared_ptr<WriteFailure> m_failure;  ///< null: a file in memory
};

/// Creates or empties a file in the layout that the oldest readers know. With `largeAttributes` attributes beyond
/// 64 KiB become possible, at the price of readers older than HDF5 1.8. Errors: Io.
[[nodiscard]] Result<OutputFile> createFile(const std::filesystem::path& path, bool largeAttributes = false);

/// A file that lives in memory only. Errors: OutOfMemory.
[[nodiscard]] Result<OutputFile> createMemoryFile();

}  // namespace skein::formats::h5
