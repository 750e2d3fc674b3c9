// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

/// The difference between two versions of a project, as bytes that outlive the process. Instances are named by their
/// place in the earlier version and not by their id, so that a delta also fits the same version read from its file.
namespace skein::project::journal {

/// `now` was made from `before` by edits. Size and time follow what was changed: chunks that both share are not looked
/// into, an instance that only changed its track is stored without its points.
[[nodiscard]] std::vector<std::uint8_t> encodeDelta(const Labels& before, const Labels& now);

/// Makes `now` of `before`. Nothing in `bytes` is believed unchecked. Errors: Format (damaged, or `before` is not the
/// version it was made for).
[[nodiscard]] Result<Labels> applyDelta(const Labels& before, std::span<const std::uint8_t> bytes);

/// What differs between two versions, in numbers for a person.
struct Difference {
    std::size_t framesAdded = 0, framesRemoved = 0, framesChanged = 0;
    std::size_t instancesAdded = 0, instancesRemoved = 0, instancesChanged = 0;
    std::size_t tracksChanged = 0;  ///< came, went or were renamed
    bool videos = false, skeletons = false, suggestions = false, negatives = false;

    [[nodiscard]] bool nothing() const {
        return framesAdded + framesRemoved + framesChanged + instancesAdded + instancesRemoved + instancesChanged +
                       tracksChanged ==
                   0 &&
               !videos && !skeletons && !suggestions && !negatives;
    }
};

/// `now` was made from `before` by edits or by applyDelta(): instances are the same when they have the same id.
[[nodiscard]] Difference differenceOf(const Labels& before, const Labels& now);

}  // namespace skein::project::journal
