// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "engine/base/result.h"
#include "engine/proofread/review_sample.h"

namespace skein::ui {

/// The report of a review, as PDF where the file's name ends so, else as HTML. Written beside and renamed when
/// complete. Any thread. Errors: Io.
[[nodiscard]] Result<void> writeReviewReport(const QString& path, const project::Labels& labels,
                                             const proofread::ReviewSample& sample,
                                             const proofread::ReportFacts& facts);

}  // namespace skein::ui
