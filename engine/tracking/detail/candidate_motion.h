// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "engine/base/image.h"
#include "engine/tracking/detail/candidates.h"

namespace skein::tracking {

/// Moves candidates to where they are expected in the current frame, before they are compared.
class CandidateMotion {
public:
    virtual ~CandidateMotion() = default;
    CandidateMotion(const CandidateMotion&) = delete;
    CandidateMotion& operator=(const CandidateMotion&) = delete;

    /// A frame begins. `image` may be null.
    virtual void beginFrame(std::int64_t frameIndex, const Image* image) = 0;
    /// What the frame's instances must carry so that they can be moved later; null: nothing.
    [[nodiscard]] virtual std::shared_ptr<const FlowImage> currentImage() const { return nullptr; }
    /// Wants every instance of the column without identity.
    [[nodiscard]] virtual bool wantsAllUntracked() const { return false; }
    /// Replaces features in `table`, which stay valid until the next call. May reorder or replace a column's
    /// candidates.
    virtual void move(CandidateTable& table) = 0;
    /// The frame is done: `store` holds its instances.
    virtual void endFrame(const CandidateStore& store) = 0;

protected:
    CandidateMotion() = default;
};

[[nodiscard]] std::unique_ptr<CandidateMotion> makeKalmanMotion(const TrackerOptions& options);
[[nodiscard]] std::unique_ptr<CandidateMotion> makeFlowMotion(const TrackerOptions& options);

}  // namespace skein::tracking
