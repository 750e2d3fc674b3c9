// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

namespace skein {
namespace fs = std::filesystem;
namespace {

/// Flushes a file or folder to the disk; a folder's flush makes the rename itself durable.
Result<void> syncToDisk(const fs::path& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0)
        return fail(ErrorCode::Io, "Cannot open " + path.string() + ": " + std::strerror(errno) + ".");
    const int rc = ::fsync(fd);
    const int reason = errno;
    ::close(fd);
    // Some network file systems cannot flush a folder; the rename is still atomic there.
    if (rc != 0 && reason != EINVAL)
        return fail(ErrorCode::Io, "Cannot write " + path.string() + " to disk: " + std::strerror(reason) + ".");
    return {};
}

/// The temporary file is nobody's business: messages speak of the file that was to be written.
Error namedAfter(const fs::path& target, const fs::path& temporary, const Error& error) {
    std::string message = error.message();
    const std::string hidden = temporary.string();
    for (auto at = message.find(hidden); at != std::string::npos; at = message.find(hidden, at))
        message.replace(at, hidden.size(), target.string());
    Error named(error.code(), std::move(message));
    for (const std::string& context : error.context())
        named = std::move(named).withContext(context);
    return std::move(named).withContext("while writing " + target.string());
}

}  // namespace

Result<void> writeAtomically(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write) {
    static std::atomic<unsigned> counter{0};
    std::error_code ec;
    fs::path real = target;
    if (fs::is_symlink(target, ec)) {
        real = fs::canonical(target, ec);
        if (ec)
            return fail(ErrorCode::Io, "Cannot follow the link " + target.string() + ": " + ec.message() + ".");
    }
    const fs::path folder = real.has_parent_path() ? real.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ec))
        return fail(ErrorCode::NotFound, "The folder " + folder.string() + " does not exist; nothing was written.");
    if (fs::is_directory(real, ec))
        return fail(ErrorCode::Io, real.string() + " is a folder; give the name of a file.");

    // The extension is kept: HDF5 and video writers choose by it.
    const fs::path temporary = folder / ("." + real.stem().string() + "." + std::to_string(::getpid()) + "-" +
                                         std::to_string(counter++) + ".part" + real.extension().string());
    struct Remover {
        const fs::path& path;
        ~Remover() {
            std::error_code ignored;
            fs::remove(path, ignored);
        }
    } remover{temporary};

    if (auto written = write(temporary); !written)
        return fail(namedAfter(target, temporary, written.error()));
    if (auto synced = syncToDisk(temporary, O_RDONLY); !synced)
        return synced;
    if (const auto status = fs::status(real, ec); !ec && fs::exists(status))
        fs::permissions(temporary, status.permissions(), ec);
    fs::rename(temporary, real, ec);
    if (ec)
        return fail(ErrorCode::Io, "Cannot replace " + target.string() + ": " + ec.message() + ".");
    return syncToDisk(folder, O_RDONLY | O_DIRECTORY);
}

}  // namespace skein
