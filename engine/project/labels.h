// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/project/skeleton.h"

namespace skein::project {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Stable identity of an instance for as long as the project is in memory; 0 is none. File rows are not stable.
using InstanceId = std::uint64_t;

enum class InstanceKind : std::uint8_t { User, Predicted };

/// Position of one node, in pixels of the full frame: x right, y down, (0, 0) the centre of the top-left pixel.
/// A point exists if x and y are finite and `visible` is set; a hidden point keeps its position.
struct Point {
    double x = kNaN;
    double y = kNaN;
    double score = kNaN;    ///< predicted points: confidence map value; user points: unused
    bool visible = false;   ///< as stored; old writers store true for absent points too
    bool complete = false;  ///< a person confirmed this point

    [[nodiscard]] bool exists() const noexcept { return visible && x == x && y == y; }
};

/// What an instance is, without its points.
struct InstanceHeader {
    InstanceId id = 0;  ///< assigned by Labels when 0
    InstanceKind kind = InstanceKind::Predicted;
    std::uint32_t skeleton = 0;    ///< index into Labels::skeletons()
    std::int32_t track = -1;       ///< index into Labels::tracks(), -1 none
    InstanceId fromPredicted = 0;  ///< the prediction this user instance was made from, 0 none
    float score = 0;               ///< instance score; 0 for user instances
    float trackingScore = std::numeric_limits<float>::quiet_NaN();  ///< NaN none
    std::int64_t originRow = -1;  ///< row in the file it was read from, so that unknown fields can be kept; -1 new
};

/// An instance with its points, by value; used to hand instances in.
struct InstanceData {
    InstanceHeader header;
    std::vector<Point> points;  ///< one per node of the skeleton, in skeleton order
};

/// A labelled frame by value. Frames without instances are legal: they were looked at and nothing was found.
struct FrameData {
    std::uint32_t video = 0;      ///< index into Labels::videos()
    std::int64_t frameIndex = 0;  ///< rank in presentation order
    std::vector<InstanceData> instances;
    std::int64_t originRow = -1;  ///< see InstanceHeader::originRow
};

/// An instance inside Labels. Valid as long as the Labels value it came from is alive and unchanged.
struct InstanceView {
    const InstanceHeader* header = nullptr;
    std::span<const Point> points;
};

class FrameChunk;

/// A labelled frame inside Labels; valid as InstanceView is.
class FrameView {
public:
    FrameView(const FrameChunk* chunk, std::size_t index) : m_chunk(chunk), m_index(index) {}
    [[nodiscard]] std::uint32_t video() const;
    [[nodiscard]] std::int64_t frameIndex() const;
    [[nodiscard]] std::int64_t originRow() const;
    [[nodiscard]] std::size_t instanceCount() const;
    [[nodiscard]] InstanceView instance(std::size_t i) const;
    [[nodiscard]] bool hasUserInstance() const;
    [[nodiscard]] FrameData toData() const;

private:
    const FrameChunk* m_chunk;
    std::size_t m_index;
};

/// Reference to pixels elsewhere. Paths are kept as stored; resolving them is engine/video's job.
struct Video {
    std::string filename;         ///< as stored, forward slashes; of an image list the first image
    std::int64_t frameCount = 0;  ///< as stored or found, 0 unknown
    int height = 0, width = 0, channels = 0;
    double fps = 0;                       ///< frames per second, for display; 0 unknown
    std::optional<bool> grayscale;        ///< a person's or the file's choice; nullopt: decide from the first frame
    std::string dataset;                  ///< HDF5 dataset of embedded frames, e.g. "video0/video"; empty otherwise
    std::vector<std::string> imageFiles;  ///< all images, when the video is a list of images
    std::string rowJson;     ///< the file's whole row (unknown keys, source video) as JSON text; empty for a new video
    std::string sourceJson;  ///< row of the video that embedded images were taken from, as JSON text; empty: none
    std::int32_t originRow = -1;  ///< index in the file it was read from, so that references can follow; -1 new
};

struct Track {
    std::string name;
    std::int64_t spawnedOn = 0;   ///< frame of birth in old files; kept
    std::int32_t originRow = -1;  ///< see Video::originRow
};

struct Suggestion {
    std::uint32_t video = 0;
    std::int64_t frameIndex = 0;
    std::int64_t group = 0;
    std::string rowJson;  ///< the file's whole row as JSON text, for keys that are not modelled; empty for a new one
};

/// What a file held beyond this model, in the form of the module that read it (engine/formats). Immutable.
class CarriedContent {
public:
    CarriedContent() = default;
    CarriedContent(const CarriedContent&) = delete;
    CarriedContent& operator=(const CarriedContent&) = delete;
    virtual ~CarriedContent() = default;
};

/// The file a project was read from, and what the writer puts back although Skein does not model it.
struct FileOrigin {
    std::string path;          ///< where embedded images are found
    double formatId = 0;       ///< 0: new project
    std::string metadataJson;  ///< the whole `/metadata` JSON text
    std::shared_ptr<const CarriedContent> carried;
};

/// `count` rows that are the same in two versions of a project: from `before` on in one, from `now` on in the other.
struct SharedRows {
    std::size_t before = 0, now = 0, count = 0;
};

/// The whole project as a value. Copying is cheap (shared immutable parts, copied only when changed), so a snapshot for
/// a save, a job or an undo step is a copy of Labels. Thread-compatible: give each thread its own copy; copies may be
/// used on different threads at the same time.
///
/// Frames keep the order of the file; their instances and points lie in chunks of 64 frames as flat arrays. Editing one
/// frame copies its chunk only. Cost: frame(), findFrame() O(log n); appendFrame() amortised O(1);
/// replaceFrame() one chunk; removeFrames() O(n).
class Labels {
public:
    Labels();
    ~Labels();
    Labels(const Labels&);
    Labels(Labels&&) noexcept;
    Labels& operator=(const Labels&);
    Labels& operator=(Labels&&) noexcept;

    [[nodiscard]] const std::vector<Video>& videos() const;
    [[nodiscard]] const std::vector<Skeleton>& skeletons() const;
    [[nodiscard]] const std::vector<Track>& tracks() const;
    [[nodiscard]] const std::vector<Suggestion>& suggestions() const;
    /// Frames marked as pure background, as (video, frame index).
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::int64_t>>& negativeFrames() const;
    /// JSON text of an object: how the labels came to be (model paths, options, versions). Empty: none.
    [[nodiscard]] const std::string& provenanceJson() const;
    [[nodiscard]] const FileOrigin& origin() const;

    [[nodiscard]] std::vector<Video>& editVideos();
    [[nodiscard]] std::vector<Skeleton>& editSkeletons();
    [[nodiscard]] std::vector<Track>& editTracks();
    [[nodiscard]] std::vector<Suggestion>& editSuggestions();
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::int64_t>>& editNegativeFrames();
    void setProvenanceJson(std::string json);
    void setOrigin(FileOrigin origin);

    [[nodiscard]] std::size_t frameCount() const;
    [[nodiscard]] std::size_t instanceCount() const;
    [[nodiscard]] std::size_t predictedInstanceCount() const;

    /// Frame at `row`, 0 <= row < frameCount(), in file order.
    [[nodiscard]] FrameView frame(std::size_t row) const;
    /// First row of that video and frame index.
    [[nodiscard]] std::optional<std::size_t> findFrame(std::uint32_t video, std::int64_t frameIndex) const;
    /// First row of `video` whose frame index is >= `frameIndex`, in frame order; nullopt at the end.
    [[nodiscard]] std::optional<std::size_t> nextFrame(std::uint32_t video, std::int64_t frameIndex) const;
    /// Last row of `video` whose frame index is <= `frameIndex`, in frame order.
    [[nodiscard]] std::optional<std::size_t> previousFrame(std::uint32_t video, std::int64_t frameIndex) const;
    /// Rows of `video` in frame order (stable for equal indices).
    [[nodiscard]] std::vector<std::size_t> rowsOf(std::uint32_t video) const;

    /// Rows of `video` with first <= frame index <= last, in frame order.
    [[nodiscard]] std::vector<std::size_t> rowsBetween(std::uint32_t video, std::int64_t first,
                                                       std::int64_t last) const;

    /// Whether nothing has changed in either since one was copied from the other. Different histories with equal
    /// content count as different: it costs nothing.
    [[nodiscard]] bool isUnchangedCopyOf(const Labels& other) const { return m_state == other.m_state; }

    /// Runs of rows that this project still shares with `before`, an earlier version of it, by ascending `now`; rows in
    /// none of them may differ. (Lists that are shared have one address.) Cost: the chunks, whatever is in them.
    [[nodiscard]] std::vector<SharedRows> rowsSharedWith(const Labels& before) const;

    /// Returns the new row. Instances without id get one.
    std::size_t appendFrame(FrameData frame);
    void replaceFrame(std::size_t row, FrameData frame);
    /// Lets `change` alter each given frame; it returns whether it did, and leaves video and frame index alone. `rows`
    /// ascending without duplicates. Cost: each row once, and each chunk with a change once. Returns the frames
    /// changed.
    std::size_t rewriteFrames(std::span<const std::size_t> rows, const std::function<bool(FrameData&)>& change);
    /// The same for headers alone: kind, id and skeleton stay. Points are not even copied, so that exchanging tracks
    /// over a million instances is a matter of some ten milliseconds. The spans are a frame's instances in order.
    std::size_t rewriteHeaders(std::span<const std::size_t> rows,
                               const std::function<bool(const FrameView&, std::span<InstanceHeader>)>& change);
    /// Takes out the instances that `remove` picks, and clears references to them from their frame. `rows` as above.
    /// Frames stay, even without instances. Returns how many instances went.
    std::size_t removeInstances(std::span<const std::size_t> rows,
                                const std::function<bool(const FrameView&, const InstanceView&)>& remove);
    /// `rows` in any order, without duplicates.
    void removeFrames(std::span<const std::size_t> rows);
    /// A fresh id; ids are never used twice within one project value.
    [[nodiscard]] InstanceId newInstanceId();

    /// Merges predictions of a run: in each given frame the predicted instances are replaced, user instances stay, and
    /// a new frame is appended where none exists. The frames' track and skeleton indices refer to this project.
    void mergePredictions(std::vector<FrameData> frames);

private:
    friend class LabelsBuilder;
    struct State;
    std::shared_ptr<State> m_state;
    State& edit();
};

/// Appends many frames to a project without a value per instance; for readers of large files. Thread-compatible.
class LabelsBuilder {
public:
    explicit LabelsBuilder(Labels labels = {});
    ~LabelsBuilder();
    LabelsBuilder(const LabelsBuilder&) = delete;
    LabelsBuilder& operator=(const LabelsBuilder&) = delete;

    void beginFrame(std::uint32_t video, std::int64_t frameIndex, std::int64_t originRow = -1);
    /// Adds an instance to the frame begun last and returns its points, all absent, to be filled before the next call.
    /// A header without id gets one.
    [[nodiscard]] std::span<Point> addInstance(InstanceHeader header, std::size_t pointCount);
    /// The project with all frames; the builder is empty afterwards.
    [[nodiscard]] Labels finish();

private:
    void closeChunk();

    Labels m_labels;
    std::unique_ptr<FrameChunk> m_open;  ///< being filled; copied into place at its exact size
};

}  // namespace skein::project
