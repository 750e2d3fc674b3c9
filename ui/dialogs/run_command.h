// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include "ui/dialogs/run_plan.h"

namespace skein::ui {

/// A word as a shell takes it.
[[nodiscard]] QString shellWord(const QString& word);

/// The run as one line for a shell, with the models, the data and the frames; empty where there is none (no model, no
/// video). Of sleap-nn's line a comment says what it cannot do. `project`: the project's file, which a run that only
/// tracks reads; empty: it was never saved.
[[nodiscard]] QString runCommand(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan,
                                 const QString& video, const QString& project, bool ofSleapNn);

}  // namespace skein::ui
