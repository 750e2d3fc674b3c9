// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/checkpoint/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace skein::models {

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                    "Cannot open " + path.string() + ": " + std::strerror(errno) + ".");
    struct stat info {};
    if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) {
        ::close(file);
        return fail(ErrorCode::Io, path.string() + " is empty or not a file.");
    }
    const auto size = static_cast<std::size_t>(info.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int problem = errno;
    ::close(file);
    if (memory == MAP_FAILED)
        return fail(ErrorCode::Io, "Cannot map " + path.string() + " into memory: " + std::strerror(problem) + ".");
    return std::shared_ptr<const MappedFile>(
        new MappedFile(path, std::span(static_cast<const std::byte*>(memory), size)));
}

MappedFile::~MappedFile() {
    ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

}  // namespace skein::models
