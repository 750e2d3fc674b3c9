// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

std::vector<ActionSpec> queueActions() {
    using N = Need;
    constexpr const char* kQueue = "Predict/Queue";
    const auto row = [](const char* id, const char* text, const char* menu, const char* icon, const char* tip,
                        std::vector<Need> needs) {
        return ActionSpec{id, text, menu, {}, icon, tip, std::move(needs)};
    };
    ActionSpec folder = row("predictFolder", "Predict a Folder of &Videos...", "Predict", "video",
                            "Queue a run of every video of a folder; results are saved one by one.", {});
    folder.separatorBefore = true;
    ActionSpec pause =
        row("queuePause", "&Pause the Queue", kQueue, "pause",
            "The queue stands still until it is let go again; its run keeps its place.", {N::QueueStarted});
    pause.checkable = true;
    ActionSpec cancel =
        row("queueCancel", "&Cancel Rows", kQueue, "stop",
            "Stop the selected rows; finished frames of a running one can be kept.", {N::QueueCancellable});
    cancel.separatorBefore = true;
    ActionSpec up = row("queueFirst", "Move to the &Front", kQueue, "", "The selected rows come next.", {N::QueueRows});
    up.separatorBefore = true;
    ActionSpec result = row("queueResult", "&Open Result", kQueue, "open",
                            "Open the project that the selected row wrote.", {N::QueueResult});
    result.separatorBefore = true;
    ActionSpec cluster =
        row("queueCluster", "Send to C&luster...", kQueue, "",
            "Compute the waiting rows, or the selected ones of them, on a Slurm cluster.", {N::QueueWaits});
    cluster.separatorBefore = true;
    return {
        folder,
        row("queueStart", "&Start the Queue", kQueue, "play", "Work through what waits, one after another.",
            {N::QueueWaits, N::QueueIdle}),
        pause,
        cancel,
        row("queuePauseRows", "Pause E&ntries", kQueue, "pause",
            "The selected rows wait until they are let go on; the queue passes them over, and one in work makes room.",
            {N::QueuePausable}),
        row("queueResumeRows", "Le&t Rows Go On", kQueue, "play",
            "The selected rows that were paused take their turn again, and go on where they were.",
            {N::QueueResumable}),
        row("queueRetry", "&Retry Rows", kQueue, "redo",
            "The selected rows that have ended wait again, and go on with what they have.", {N::QueueRetriable}),
        row("queueRemove", "Re&move Rows", kQueue, "delete",
            "Take the selected rows out of the queue; results that are saved stay.", {N::QueueRemovable}),
        row("queueClear", "Remove &Ended Rows", kQueue, "",
            "Take all rows that have ended out of the queue; results that are saved stay.", {N::QueueOver}),
        up,
        row("queueUp", "Move &Up", kQueue, "", "The selected rows come one place earlier.", {N::QueueRows}),
        row("queueDown", "Move &Down", kQueue, "", "The selected rows come one place later.", {N::QueueRows}),
        result,
        row("queueLog", "Show Lo&g", kQueue, "info", "Show what the selected row's run has to say.", {N::QueueLog}),
        cluster,
    };
}

}  // namespace skein::ui
