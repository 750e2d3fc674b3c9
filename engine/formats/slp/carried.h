// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/slp/tables.h"
#include "engine/project/labels.h"

namespace skein::formats::slp {

/// What a labels file holds beyond the model, copied out of it when it was read, so that a later save does not depend
/// on the file still being there or unchanged. It is itself an HDF5 file in memory (in an unlinked temporary file when
/// it is large), with the groups
///   objects/NAME           unknown and newer top-level objects
///   attributes/OBJECT      attributes of the root ("root") and of objects that the writer makes anew
///   metadata/NAME          objects inside `/metadata`
///   fields/TABLE           unknown compound fields of the row tables, one row per row
///   rows/...               what is needed to find rows again (see kInstanceRows, kFrameBegins)
/// Embedded images are not in it: they are copied from the file itself, by the names in embedded().
/// Thread-safe: immutable, and root() is used inside a Session only.
class Carried final : public project::CarriedContent {
public:
    /// rows/instances: of each instance row its type and first point row, as int64 (n, 2); only with extra point
    /// fields.
    static constexpr const char* kInstanceRows = "rows/instances";
    /// rows/frames: first instance row of each frame row, as int64 (n); only with multi-camera sessions.
    static constexpr const char* kFrameBegins = "rows/frames";

    /// Collects from an open file; `fileSize` in bytes decides between memory and disk. What cannot be copied is told
    /// in `warnings`. Call inside a Session.
    [[nodiscard]] static Result<std::shared_ptr<const Carried>> gather(hid_t file, std::uintmax_t fileSize,
                                                                       const project::Labels& labels,
                                                                       std::vector<std::string>& warnings);
    ~Carried() override;

    [[nodiscard]] hid_t root() const noexcept { return m_file.get(); }
    [[nodiscard]] bool has(const std::string& path) const;
    /// Names under objects/.
    [[nodiscard]] const std::vector<std::string>& objects() const noexcept { return m_objects; }
    /// Top-level names of groups with embedded images in the file that was read.
    [[nodiscard]] const std::vector<std::string>& embedded() const noexcept { return m_embedded; }
    /// Those of them that a video of the file refers to; the others belong to nobody and are always kept.
    [[nodiscard]] const std::vector<std::string>& owned() const noexcept { return m_owned; }
    /// Rows of the file that was read.
    [[nodiscard]] std::uint64_t instanceRows() const noexcept { return m_instanceRows; }
    [[nodiscard]] std::uint64_t frameRows() const noexcept { return m_frameRows; }
    [[nodiscard]] std::uint64_t videoRows() const noexcept { return m_videoRows; }
    [[nodiscard]] std::uint64_t trackRows() const noexcept { return m_trackRows; }
    /// Whether anything is kept that this program does not know, so that the format number must not be lowered.
    [[nodiscard]] bool hasUnknown() const noexcept { return m_hasUnknown; }

    /// The origin's content, or null.
    [[nodiscard]] static const Carried* of(const project::Labels& labels);

private:
    explicit Carried(h5::OutputFile file) : m_file(std::move(file)) {}
    [[nodiscard]] Result<void> gatherAttributes(hid_t object, const std::string& name);
    [[nodiscard]] Result<void> gatherFields(hid_t file, const TableLayout& layout);
    [[nodiscard]] Result<void> gatherRows(hid_t file, bool instances, bool frames);

    h5::OutputFile m_file;
    std::vector<std::string> m_objects;
    std::vector<std::string> m_embedded;
    std::vector<std::string> m_owned;
    std::uint64_t m_instanceRows = 0;
    std::uint64_t m_frameRows = 0;
    std::uint64_t m_videoRows = 0;
    std::uint64_t m_trackRows = 0;
    bool m_hasUnknown = false;
};

/// First part of a dataset's path: the top-level object it lies in.
[[nodiscard]] std::string topLevelOf(const std::string& dataset);

/// Whether the images of this video lie in the labels file itself.
[[nodiscard]] bool isEmbeddedHere(const project::Video& video, const Carried* carried);

}  // namespace skein::formats::slp
