// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/hdf5/output_file.h"

#include <H5FDpublic.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/formats/hdf5/file.h"

namespace skein::formats::h5 {

/// What went wrong first; owned by the driver and the OutputFile together, since either may go first.
struct WriteFailure {
    std::string path;
    int code = 0;  ///< errno
};

namespace {

/// What one open file of the driver owns.
struct Store {
    std::shared_ptr<WriteFailure> failure;
    /// Metadata written after a failure: the library reads it again while it closes.
    std::map<haddr_t, std::vector<char>> kept;
};

/// One open file of the driver. The library sees the base only.
struct Sink {
    H5FD_t base;
    int descriptor;
    haddr_t allocated;  ///< end of what the library gave out
    haddr_t written;    ///< end of what is there
    Store* store;
};

Sink* sinkOf(H5FD_t* file) {
    return reinterpret_cast<Sink*>(file);
}
const Sink* sinkOf(const H5FD_t* file) {
    return reinterpret_cast<const Sink*>(file);
}

H5FD_t* openSink(const char* name, unsigned flags, hid_t access, haddr_t maxAddress) {
    if ((flags & H5F_ACC_TRUNC) == 0 && (flags & H5F_ACC_CREAT) == 0)
        return nullptr;
    const auto* shared = static_cast<const std::shared_ptr<WriteFailure>* const*>(H5Pget_driver_info(access));
    if (shared == nullptr)
        return nullptr;
    const std::shared_ptr<WriteFailure>& failure = **shared;
    const int descriptor = ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        failure->code = errno;
        return nullptr;
    }
    auto* sink = new Sink{};
    sink->base.maxaddr = maxAddress;
    sink->descriptor = descriptor;
    sink->store = new Store{failure, {}};
    return &sink->base;
}

herr_t closeSink(H5FD_t* file) {
    Sink* sink = sinkOf(file);
    // Network file systems report a full disk as late as here.
    if (::close(sink->descriptor) != 0 && sink->store->failure->code == 0)
        sink->store->failure->code = errno;
    delete sink->store;
    delete sink;
    return 0;
}

int compareSinks(const H5FD_t* a, const H5FD_t* b) {
    const int x = sinkOf(a)->descriptor;
    const int y = sinkOf(b)->descriptor;
    return x < y ? -1 : x > y ? 1 : 0;
}

herr_t querySink(const H5FD_t*, unsigned long* flags) {
    if (flags != nullptr)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t allocatedEnd(const H5FD_t* file, H5FD_mem_t) {
    return sinkOf(file)->allocated;
}
haddr_t writtenEnd(const H5FD_t* file, H5FD_mem_t) {
    return sinkOf(file)->written;
}

herr_t setAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    sinkOf(file)->allocated = end;
    return 0;
}

herr_t readSink(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
    const Sink* sink = sinkOf(file);
    auto* out = static_cast<char*>(buffer);
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::pread(sink->descriptor, out + done, size - done, static_cast<off_t>(address + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            if (sink->store->failure->code == 0)
                sink->store->failure->code = errno;
            break;
        }
        if (count == 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    // Beyond the end, and where nothing could be read, there are zeros.
    std::memset(out + done, 0, size - done);
    for (const auto& [begin, bytes] : sink->store->kept) {
        const haddr_t first = std::max<haddr_t>(begin, address);
        const haddr_t last = std::min<haddr_t>(begin + bytes.size(), address + size);
        if (first < last)
            std::memcpy(out + (first - address), bytes.data() + (first - begin), last - first);
    }
    return 0;
}

herr_t writeSink(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* buffer) {
    Sink* sink = sinkOf(file);
    const auto* in = static_cast<const char*>(buffer);
    std::size_t done = 0;
    while (done < size && sink->store->failure->code == 0) {
        const ssize_t count = ::pwrite(sink->descriptor, in + done, size - done, static_cast<off_t>(address + done));
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (count == 0 || errno != EINTR)
            sink->store->failure->code = count == 0 ? EIO : errno;
    }
    if (done < size && type != H5FD_MEM_DRAW)
        sink->store->kept[address].assign(in, in + size);
    sink->written = std::max<haddr_t>(sink->written, address + size);
    return 0;
}

herr_t truncateSink(H5FD_t* file, hid_t, hbool_t) {
    Sink* sink = sinkOf(file);
    if (sink->written == sink->allocated)
        return 0;
    if (sink->store->failure->code == 0 && ::ftruncate(sink->descriptor, static_cast<off_t>(sink->allocated)) != 0)
        sink->store->failure->code = errno;
    sink->written = sink->allocated;
    return 0;
}

/// The driver's number; registered once and given back by the library when the process ends.
hid_t driver() {
    static const hid_t id = [] {
        H5FD_class_t description{};
        description.name = "skein";
        description.maxaddr = (haddr_t{1} << 63U) - 1;
        description.fc_degree = H5F_CLOSE_STRONG;
        description.fapl_size = sizeof(const std::shared_ptr<WriteFailure>*);
        description.open = openSink;
        description.close = closeSink;
        description.cmp = compareSinks;
        description.query = querySink;
        description.get_eoa = allocatedEnd;
        description.set_eoa = setAllocatedEnd;
        description.get_eof = writtenEnd;
        description.read = readSink;
        description.write = writeSink;
        description.truncate = truncateSink;
        const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
        std::copy(std::begin(map), std::end(map), description.fl_map);
        return H5FDregister(&description);
    }();
    return id;
}

tl::unexpected<Error> failureOf(const WriteFailure& failure) {
    const std::string what = "Cannot write " + failure.path + ": ";
    if (failure.code == ENOSPC || failure.code == EDQUOT)
        return fail(ErrorCode::Io, what + "the disk is full; free some space or save elsewhere.");
    if (failure.code == EFBIG)
        return fail(ErrorCode::Io, what + "it would be larger than the disk or the system allows; save elsewhere.");
    return fail(ErrorCode::Io, what + std::strerror(failure.code) + ".");
}

}  // namespace

Result<void> OutputFile::check() const {
    return m_failure == nullptr || m_failure->code == 0 ? Result<void>() : failureOf(*m_failure);
}

Result<void> OutputFile::close() {
    H5Eclear2(H5E_DEFAULT);
    const bool flushed = H5Fflush(m_file.get(), H5F_SCOPE_GLOBAL) >= 0;
    const bool closed = H5Fclose(m_file.release()) >= 0;
    if (auto failed = check(); !failed)
        return failed;
    return flushed && closed ? Result<void>() : failure(ErrorCode::Io, "write the file");
}

Result<OutputFile> createFile(const std::filesystem::path& path, bool largeAttributes) {
    H5Eclear2(H5E_DEFAULT);
    auto failed = std::make_shared<WriteFailure>();
    failed->path = path.string();
    const Id access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    // The driver copies the pointer while the file is opened, so that it may point to a variable here.
    const std::shared_ptr<WriteFailure>* shared = &failed;
    H5Pset_driver(access.get(), driver(), &shared);
    if (largeAttributes)
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V110);
    Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    if (failed->code != 0)
        return failureOf(*failed);
    if (!file)
        return failure(ErrorCode::Io, "create " + path.string());
    return OutputFile(std::move(file), std::move(failed));
}

Result<OutputFile> createMemoryFile() {
    H5Eclear2(H5E_DEFAULT);
    // The library takes two files of one name for the same file, also where there is none on disk.
    static std::atomic<unsigned> counter{0};
    const std::string name = "in memory " + std::to_string(counter++);
    const Id access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    H5Pset_fapl_core(access.get(), std::size_t{1} << 16U, 0);
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    if (!file)
        return failure(ErrorCode::OutOfMemory, "keep what the file holds beyond labels");
    return OutputFile(std::move(file), nullptr);
}

}  // namespace skein::formats::h5
