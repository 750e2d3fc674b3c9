// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/hdf5/file.h"

#include <cerrno>
#include <cstring>

#include "engine/formats/try.h"

namespace skein::formats::h5 {
namespace fs = std::filesystem;
namespace {

std::recursive_mutex& libraryMutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

/// Identifiers that wait to be closed.
struct Pending {
    std::mutex mutex;
    std::vector<hid_t> ids;
};
Pending& pending() {
    static Pending list;
    return list;
}

herr_t keepDeepest(unsigned, const H5E_error2_t* entry, void* text) {
    auto& reason = *static_cast<std::string*>(text);
    if (reason.empty() && entry->desc != nullptr)
        reason = entry->desc;
    return 0;
}

herr_t appendName(hid_t, const char* name, const H5L_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

Id fileAccess() {
    Id access(H5Pcreate(H5P_FILE_ACCESS));
    // Locks fail on many network shares, and a reader must not keep others from replacing the file.
    H5Pset_file_locking(access.get(), 0, 1);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    return access;
}

}  // namespace

Session::Session() : m_lock(libraryMutex()) {
    // After a failed write (a full disk) the library keeps what it could not write and would crash on it when it tidies
    // up at the program's end. Every handle here has an owner that closes it, so it has nothing to tidy up.
    static const bool noCleaningAtExit = H5dont_atexit() >= 0;
    (void)noCleaningAtExit;
    // The setting belongs to the thread in thread-safe builds, hence here and not once.
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    std::vector<hid_t> ids;
    {
        const std::lock_guard lock(pending().mutex);
        ids.swap(pending().ids);
    }
    for (const hid_t id : ids)
        H5Idec_ref(id);
}

void closeWhenFree(hid_t id) {
    if (id < 0)
        return;
    if (const std::unique_lock lock(libraryMutex(), std::try_to_lock); lock.owns_lock()) {
        H5Idec_ref(id);
        return;
    }
    const std::lock_guard lock(pending().mutex);
    pending().ids.push_back(id);
}

std::string lastReason() {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepDeepest, &reason);
    // "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = ..."
    if (const auto begin = reason.find("error message = '"); begin != std::string::npos) {
        const auto first = begin + std::strlen("error message = '");
        return reason.substr(first, reason.find('\'', first) - first);
    }
    return reason;
}

tl::unexpected<Error> failure(ErrorCode code, const std::string& action) {
    const std::string reason = lastReason();
    if (reason == std::strerror(ENOSPC) || reason == std::strerror(EDQUOT))
        return fail(ErrorCode::Io, "Cannot " + action + ": the disk is full; free some space or save elsewhere.");
    if (reason == std::strerror(EFBIG))
        return fail(ErrorCode::Io,
                    "Cannot " + action + ": the file would be larger than this system or disk allows; save elsewhere.");
    return fail(code, "Cannot " + action + (reason.empty() ? "." : ": " + reason + "."));
}

Result<Id> openFile(const fs::path& path) {
    std::error_code ec;
    if (!fs::exists(path, ec))
        return fail(ErrorCode::NotFound, "The file " + path.string() + " does not exist.");
    if (fs::is_directory(path, ec))
        return fail(ErrorCode::InvalidArgument, path.string() + " is a folder; a file is needed.");
    if (!fs::is_regular_file(path, ec))  // nobody may ever write to a pipe
        return fail(ErrorCode::Io, path.string() + " is no ordinary file but a pipe or a device; give a file.");
    const auto size = fs::file_size(path, ec);
    if (!ec && size == 0)
        return fail(ErrorCode::Format, "The file " + path.string() + " is empty (0 bytes); it holds no labels.");
    H5Eclear2(H5E_DEFAULT);
    Id access = fileAccess();
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
    if (file)
        return file;
    const std::string reason = lastReason();
    if (reason.find("signature") != std::string::npos)
        return fail(ErrorCode::Format,
                    "The file " + path.string() + " is not an HDF5 file, so it is no labels file; choose a .slp file.");
    if (reason.find("truncated") != std::string::npos)
        return fail(ErrorCode::Format, "The file " + path.string() +
                                           " is cut short (a copy or a save was interrupted); use a backup of it.");
    if (reason == std::strerror(EACCES))
        return fail(ErrorCode::Io, "The file " + path.string() + " cannot be read: permission denied.");
    return fail(ErrorCode::Format, "The file " + path.string() + " is damaged and cannot be opened (" + reason + ").");
}

bool exists(hid_t location, const std::string& name) {
    if (name.empty() || name == "/")
        return true;
    // Each part is asked for by itself: the library reports a missing folder on the way as an error.
    for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
        const std::string part = name.substr(0, slash);
        if (H5Lexists(location, part.c_str(), H5P_DEFAULT) <= 0 ||
            H5Oexists_by_name(location, part.c_str(), H5P_DEFAULT) <= 0)
            return false;
        if (slash == std::string::npos)
            return true;
        if (objectKind(location, part) != ObjectKind::Group)
            return false;
    }
}

std::vector<std::string> linkNames(hid_t group) {
    std::vector<std::string> names;
    hsize_t position = 0;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, appendName, &names);
    return names;
}

ObjectKind objectKind(hid_t location, const std::string& name) {
    H5O_info_t info{};
    if (H5Lexists(location, name.c_str(), H5P_DEFAULT) <= 0 ||
        H5Oget_info_by_name2(location, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return ObjectKind::None;
    switch (info.type) {
        case H5O_TYPE_GROUP:
            return ObjectKind::Group;
        case H5O_TYPE_DATASET:
            return ObjectKind::Dataset;
        default:
            return ObjectKind::Other;
    }
}

Result<void> copyLink(hid_t from, const std::string& name, hid_t to, const std::string& newName) {
    H5Eclear2(H5E_DEFAULT);
    H5L_info_t info{};
    if (H5Lget_info(from, name.c_str(), &info, H5P_DEFAULT) < 0)
        return failure(ErrorCode::Format, "copy " + name);
    if (info.type == H5L_TYPE_HARD) {
        if (H5Ocopy(from, name.c_str(), to, newName.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
            return failure(ErrorCode::Format, "copy " + name);
        return {};
    }
    std::vector<char> target(info.u.val_size + 1, '\0');
    if (H5Lget_val(from, name.c_str(), target.data(), info.u.val_size, H5P_DEFAULT) < 0)
        return failure(ErrorCode::Format, "copy the link " + name);
    herr_t done = 0;
    if (info.type == H5L_TYPE_SOFT) {
        done = H5Lcreate_soft(target.data(), to, newName.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    } else if (info.type == H5L_TYPE_EXTERNAL) {
        const char* file = nullptr;
        const char* object = nullptr;
        if (H5Lunpack_elink_val(target.data(), info.u.val_size, nullptr, &file, &object) < 0)
            return failure(ErrorCode::Format, "copy the link " + name);
        done = H5Lcreate_external(file, object, to, newName.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
    if (done < 0)
        return failure(ErrorCode::Io, "copy the link " + name);
    return {};
}

Result<Id> createGroup(hid_t location, const std::string& name) {
    H5Eclear2(H5E_DEFAULT);
    Id group(H5Gcreate2(location, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!group)
        return failure(ErrorCode::Io, "create the group " + name);
    return group;
}

Result<Id> openGroup(hid_t location, const std::string& name) {
    H5Eclear2(H5E_DEFAULT);
    Id group(H5Gopen2(location, name.c_str(), H5P_DEFAULT));
    if (!group)
        return failure(ErrorCode::Format, "open the group " + name);
    return group;
}

}  // namespace skein::formats::h5
