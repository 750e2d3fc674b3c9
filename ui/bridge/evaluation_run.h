// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <optional>

#include "engine/base/result.h"
#include "engine/evaluation/identity_metrics.h"
#include "engine/evaluation/pose_metrics.h"
#include "engine/project/labels.h"

namespace skein::ui {

/// What is compared with what. An empty file means the open project.
struct EvaluationRequest {
    project::Labels project;
    QString truthFile;       ///< empty: the user instances of the project
    QString predictionFile;  ///< empty: the predictions of the project
};

struct EvaluationResult {
    evaluation::PoseMetrics poses;
    std::optional<evaluation::IdentityMetrics> tracks;
    QStringList notes;  ///< what a reader of the figures should know
};

/// Reads what is asked for and computes all scores: seconds on large projects, hence for a worker.
/// Errors: those of formats::readSlp(); InvalidArgument, one sentence (no user instances, no predictions, nothing in
/// common).
[[nodiscard]] Result<EvaluationResult> evaluate(const EvaluationRequest& request);

}  // namespace skein::ui
