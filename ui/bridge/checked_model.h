// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/models/model_spec.h"
#include "ui/ui_error.h"

namespace skein::ui {

/// What is known of a model without touching its weights.
struct CheckedModel {
    QString path;                                   ///< the folder, or as given when there is none
    std::shared_ptr<const models::ModelSpec> spec;  ///< null: not readable
    std::optional<UiError> problem;                 ///< why it cannot be run here
    QStringList warnings;                           ///< about a model that can be run
    [[nodiscard]] bool canRun() const { return spec != nullptr && !problem; }
};

/// Reads a model's configuration and asks the engine whether it can run it: the network from the network's planner, the
/// outputs from the grouping. Reads small files; for a worker.
[[nodiscard]] CheckedModel checkModel(const QString& path);

/// What else a model needs to run as top-down.
enum class PartnerNeed {
    None,       ///< runs alone
    Instances,  ///< a centroid model: the model that looks into its crops; can also run alone
    Centroids   ///< a model for crops: a centroid model; can also look around instances that are there
};
[[nodiscard]] PartnerNeed partnerNeed(const models::ModelSpec& spec);

/// Whether the two can run together and were trained on the same skeleton.
[[nodiscard]] bool goTogether(const models::ModelSpec& a, const models::ModelSpec& b);

/// Of the model folders at `paths` those that go together with `spec`, in that order. Reads configurations: for a
/// worker.
[[nodiscard]] QStringList partnersAmong(const QStringList& paths, const models::ModelSpec& spec);

/// What a run of these models is called: "Top-down (centroid + centered instance)".
[[nodiscard]] QString modelsTitle(const std::vector<models::ModelSpec>& arranged);

/// Model folders inside `folder`, newest configuration first, at most `limit`. For a worker.
[[nodiscard]] QStringList modelFoldersIn(const QString& folder, int limit);

/// What the dialog shows of a model: (name, value), in reading order.
using Facts = std::vector<std::pair<QString, QString>>;
[[nodiscard]] Facts describeModel(const models::ModelSpec& spec);
/// The same for the second of a pair: without what is the same for both.
[[nodiscard]] Facts describePartner(const models::ModelSpec& spec);
/// What it was trained on and with; may be empty.
[[nodiscard]] Facts describeTraining(const models::ModelSpec& spec);
/// What a list says of a model: "Bottom-up, UNet", and one fact a line; empty for what cannot be read.
struct ListedModel {
    QString path, subtitle, details;
};
/// Reads configurations: for a worker.
[[nodiscard]] std::vector<ListedModel> listModels(const QStringList& paths);

/// How the model's skeleton relates to the project's, one sentence; empty while the project has none.
[[nodiscard]] QString compareSkeletons(const project::Skeleton& model, const std::vector<project::Skeleton>& project);
/// The nodes that only one of them has: (name, where). Names are compared letter by letter.
[[nodiscard]] Facts nodeDifferences(const project::Skeleton& model, const std::vector<project::Skeleton>& project);

}  // namespace skein::ui
