// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/base/file_stamp.h"

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view kMagic = "SKEINRUN";
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kHead = kMagic.size() + sizeof(kFormat);
/// One record holds the frames of a tenth of a second; this is far beyond, and small enough to be read at once.
constexpr std::uint32_t kLargestRecord = 1U << 30U;

struct RecordHead {
    std::uint32_t bytes = 0;
    std::uint32_t reserved = 0;
    std::uint64_t hash = 0;
};
static_assert(sizeof(RecordHead) == 16);

template <class T>
void put(std::string& out, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto at = out.size();
    out.resize(at + sizeof(T));
    std::memcpy(out.data() + at, &value, sizeof(T));
}

/// Reads values off bytes; after the first that is not there everything is 0 and `isGood` false.
struct Cursor {
    std::string_view left;
    bool isGood = true;

    template <class T>
    T get() {
        T value{};
        if (!isGood || left.size() < sizeof(T)) {
            isGood = false;
            return value;
        }
        std::memcpy(&value, left.data(), sizeof(T));
        left.remove_prefix(sizeof(T));
        return value;
    }
    /// A count of things that take at least `each` bytes.
    std::uint32_t count(std::size_t each) {
        const auto number = get<std::uint32_t>();
        if (isGood && number > left.size() / each)
            isGood = false;
        return isGood ? number : 0;
    }
};

constexpr std::size_t kPointBytes = 3 * sizeof(float);
constexpr std::size_t kInstanceBytes = 2 * sizeof(float) + 2 * sizeof(std::int32_t);
constexpr std::size_t kFrameBytes = 2 * sizeof(std::int64_t) + 2 * sizeof(std::uint32_t);

void putFrame(std::string& out, const FrameResult& result) {
    put(out, result.sequence);
    put(out, result.frame.frameIndex);
    put(out, result.frame.video);
    put(out, static_cast<std::uint32_t>(result.frame.instances.size()));
    for (const project::InstanceData& instance : result.frame.instances) {
        put(out, instance.header.score);
        put(out, instance.header.trackingScore);
        put(out, instance.header.track);
        put(out, static_cast<std::uint32_t>(instance.points.size()));
        // Detections are single precision, so nothing is lost.
        for (const project::Point& point : instance.points)
            for (const double value : {point.x, point.y, point.score})
                put(out, static_cast<float>(value));
    }
}

FrameResult getFrame(Cursor& in) {
    FrameResult result;
    result.sequence = in.get<std::int64_t>();
    result.frame.frameIndex = in.get<std::int64_t>();
    result.frame.video = in.get<std::uint32_t>();
    result.frame.instances.resize(in.count(kInstanceBytes));
    for (project::InstanceData& instance : result.frame.instances) {
        instance.header.score = in.get<float>();
        instance.header.trackingScore = in.get<float>();
        instance.header.track = in.get<std::int32_t>();
        instance.points.resize(in.count(kPointBytes));
        for (project::Point& point : instance.points) {
            point.x = static_cast<double>(in.get<float>());
            point.y = static_cast<double>(in.get<float>());
            point.score = static_cast<double>(in.get<float>());
            point.visible = point.x == point.x && point.y == point.y;
        }
    }
    return result;
}

/// A record as bytes with its head before it.
std::string asRecord(const std::string& payload) {
    std::string bytes;
    bytes.reserve(sizeof(RecordHead) + payload.size());
    put(bytes, RecordHead{static_cast<std::uint32_t>(payload.size()), 0, hashOf(payload)});
    bytes += payload;
    return bytes;
}

/// Records of an open file, one after another, up to the first that is not whole.
class RecordReader {
public:
    explicit RecordReader(const fs::path& path) : m_in(path, std::ios::binary) {
        std::error_code ec;
        m_size = fs::file_size(path, ec);
        if (ec)
            m_size = 0;
    }

    [[nodiscard]] Result<void> begin(const fs::path& path) {
        if (!m_in) {
            std::error_code ec;
            return fs::exists(path, ec) ? fail(ErrorCode::Io, "Cannot read " + path.string() + ".")
                                        : fail(ErrorCode::NotFound, "There is no file " + path.string() + ".");
        }
        std::string head(kHead, '\0');
        std::uint32_t format = 0;
        if (m_in.read(head.data(), static_cast<std::streamsize>(head.size())))
            std::memcpy(&format, head.data() + kMagic.size(), sizeof(format));
        if (!head.starts_with(kMagic) || format != kFormat)
            return fail(ErrorCode::Format, path.string() + " holds no unfinished run that this version can read.");
        m_at = kHead;
        return {};
    }

    [[nodiscard]] std::optional<std::string> next() {
        const auto head = nextHead();
        if (!head)
            return std::nullopt;
        std::string payload(head->bytes, '\0');
        if (!m_in.read(payload.data(), static_cast<std::streamsize>(payload.size())) || hashOf(payload) != head->hash)
            return std::nullopt;
        m_at += sizeof(RecordHead) + payload.size();
        return payload;
    }

    /// The first number of a record, the rest passed over and not checked.
    [[nodiscard]] std::optional<std::int64_t> nextThrough() {
        const auto head = nextHead();
        std::int64_t through = 0;
        if (!head || head->bytes < sizeof(through) || !m_in.read(reinterpret_cast<char*>(&through), sizeof(through)) ||
            !m_in.seekg(head->bytes - static_cast<std::streamoff>(sizeof(through)), std::ios::cur))
            return std::nullopt;
        m_at += sizeof(RecordHead) + head->bytes;
        return through;
    }

    [[nodiscard]] std::uint64_t at() const { return m_at; }

private:
    std::optional<RecordHead> nextHead() {
        RecordHead head;
        if (m_at + sizeof(head) > m_size || !m_in.read(reinterpret_cast<char*>(&head), sizeof(head)) ||
            head.bytes > kLargestRecord || m_at + sizeof(head) + head.bytes > m_size)
            return std::nullopt;
        return head;
    }

    std::ifstream m_in;
    std::uint64_t m_size = 0;
    std::uint64_t m_at = 0;
};

Result<void> writeAll(int file, const std::string& bytes, const fs::path& path) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(ErrorCode::Io, "Cannot write " + path.string() + ": " + std::strerror(errno) + ".");
        done += static_cast<std::size_t>(written);
    }
    return {};
}

Result<int> openForWriting(const fs::path& path, int flags) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
    if (file < 0)
        return fail(ErrorCode::Io, "Cannot write " + path.string() + ": " + std::strerror(errno) + ".");
    return file;
}

}  // namespace

fs::path checkpointPath(const fs::path& output) {
    return output.string() + ".unfinished";
}

Result<Checkpoint> readCheckpoint(const fs::path& path) {
    RecordReader reader(path);
    if (auto begun = reader.begin(path); !begun)
        return fail(std::move(begun.error()));
    Checkpoint checkpoint;
    auto identity = reader.next();
    if (!identity)
        return fail(ErrorCode::Format, "The beginning of " + path.string() + " is damaged.");
    checkpoint.identity = std::move(*identity);
    checkpoint.validBytes = reader.at();
    while (const auto payload = reader.next()) {
        Cursor in{*payload};
        const auto through = in.get<std::int64_t>();
        std::vector<FrameResult> frames(in.count(kFrameBytes));
        std::int64_t last = checkpoint.through - 1;
        for (FrameResult& frame : frames) {
            frame = getFrame(in);
            in.isGood = in.isGood && frame.sequence > last && frame.sequence < through;
            last = frame.sequence;
        }
        if (!in.isGood || !in.left.empty() || through < checkpoint.through)
            break;
        std::move(frames.begin(), frames.end(), std::back_inserter(checkpoint.frames));
        checkpoint.through = through;
        checkpoint.validBytes = reader.at();
    }
    return checkpoint;
}

Result<std::int64_t> checkpointProgress(const fs::path& path) {
    RecordReader reader(path);
    if (auto begun = reader.begin(path); !begun)
        return fail(std::move(begun.error()));
    if (!reader.next())
        return fail(ErrorCode::Format, "The beginning of " + path.string() + " is damaged.");
    std::int64_t progress = 0;
    while (const auto through = reader.nextThrough())
        progress = *through;
    return progress;
}

CheckpointWriter::CheckpointWriter(int file, fs::path path, std::uint64_t end)
    : m_file(file), m_path(std::move(path)), m_end(end), m_lastSync(std::chrono::steady_clock::now()) {}

CheckpointWriter::CheckpointWriter(CheckpointWriter&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)),
      m_path(std::move(other.m_path)),
      m_end(other.m_end),
      m_unsyncedFrames(other.m_unsyncedFrames),
      m_isDirty(other.m_isDirty),
      m_lastSync(other.m_lastSync) {}

CheckpointWriter& CheckpointWriter::operator=(CheckpointWriter&& other) noexcept {
    std::swap(m_file, other.m_file);
    std::swap(m_path, other.m_path);
    m_end = other.m_end;
    m_unsyncedFrames = other.m_unsyncedFrames;
    m_isDirty = other.m_isDirty;
    m_lastSync = other.m_lastSync;
    return *this;
}

CheckpointWriter::~CheckpointWriter() {
    if (m_file >= 0)
        ::close(m_file);
}

Result<CheckpointWriter> CheckpointWriter::create(const fs::path& path, const std::string& identity) {
    auto file = openForWriting(path, O_TRUNC);
    if (!file)
        return fail(std::move(file.error()));
    CheckpointWriter writer(*file, path, 0);
    std::string bytes(kMagic);
    put(bytes, kFormat);
    bytes += asRecord(identity);
    if (auto written = writeAll(*file, bytes, path); !written) {
        std::error_code ec;
        fs::remove(path, ec);
        return fail(std::move(written.error()));
    }
    writer.m_end = bytes.size();
    if (auto synced = writer.sync(); !synced)
        return fail(std::move(synced.error()));
    return writer;
}

Result<CheckpointWriter> CheckpointWriter::resume(const fs::path& path, const Checkpoint& checkpoint) {
    auto file = openForWriting(path, 0);
    if (!file)
        return fail(std::move(file.error()));
    CheckpointWriter writer(*file, path, checkpoint.validBytes);
    if (::ftruncate(*file, static_cast<off_t>(checkpoint.validBytes)) != 0 || ::lseek(*file, 0, SEEK_END) < 0)
        return fail(ErrorCode::Io, "Cannot write " + path.string() + ": " + std::strerror(errno) + ".");
    return writer;
}

Result<void> CheckpointWriter::append(const std::string& payload) {
    const std::string bytes = asRecord(payload);
    if (auto written = writeAll(m_file, bytes, m_path); !written) {
        // Half a record would be recognised; whole ones alone are tidier, and what follows must not be lost behind it.
        if (::ftruncate(m_file, static_cast<off_t>(m_end)) == 0)
            ::lseek(m_file, 0, SEEK_END);
        return written;
    }
    m_end += bytes.size();
    m_isDirty = true;
    return {};
}

Result<void> CheckpointWriter::add(std::span<const FrameResult> frames, std::int64_t through) {
    std::string payload;
    put(payload, through);
    put(payload, static_cast<std::uint32_t>(frames.size()));
    for (const FrameResult& frame : frames)
        putFrame(payload, frame);
    if (payload.size() > kLargestRecord)
        return fail(ErrorCode::Internal, "Too many frames at once for " + m_path.string() + ".");
    if (auto appended = append(payload); !appended)
        return appended;
    m_unsyncedFrames += static_cast<std::int64_t>(frames.size());
    return {};
}

Result<void> CheckpointWriter::syncWhenDue(std::chrono::steady_clock::time_point now) {
    if (!m_isDirty || (m_unsyncedFrames < kSyncFrames && now - m_lastSync < kSyncEvery))
        return {};
    return sync();
}

Result<void> CheckpointWriter::sync() {
    if (::fdatasync(m_file) != 0)
        return fail(ErrorCode::Io, "Cannot write " + m_path.string() + " to disk: " + std::strerror(errno) + ".");
    m_isDirty = false;
    m_unsyncedFrames = 0;
    m_lastSync = std::chrono::steady_clock::now();
    return {};
}

}  // namespace skein::pipeline
