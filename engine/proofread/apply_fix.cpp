// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/apply_fix.h"

#include "engine/project/edit/track_repair.h"

namespace skein::proofread {

namespace edit = project::edit;

edit::Outcome applyFix(const project::Labels& labels, const Issue& issue) {
    const Fix& fix = issue.fix;
    switch (fix.kind) {
        case Fix::Kind::Swap:
            return edit::transposeTracks(labels, issue.video, fix.span, fix.a, fix.b);
        case Fix::Kind::Join:
            return edit::joinTracks(labels, fix.a, fix.b, edit::JoinRule::BetterScore, issue.video);
        case Fix::Kind::Delete:
            return edit::deleteInstancesIn(labels, issue.video, fix.span, fix.instances);
        case Fix::Kind::Flip:
            return edit::flipSides(labels, issue.video, fix.a, fix.span);
        case Fix::Kind::None:
            break;
    }
    return edit::unchanged(labels);
}

}  // namespace skein::proofread
