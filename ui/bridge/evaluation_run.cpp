// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/evaluation_run.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/formats/slp.h"
#include "ui/text.h"

namespace skein::ui {
namespace {

using project::InstanceKind;
using project::Labels;

QString tr(const char* text) {
    return QCoreApplication::translate("Evaluation", text);
}

std::size_t userInstances(const Labels& labels) {
    return labels.instanceCount() - labels.predictedInstanceCount();
}

/// Instances of one kind on the frames that a person labelled. A project may hold several skeletons, while scores are
/// for one: that of the first instance, the others are left out.
Labels part(const Labels& labels, InstanceKind kind, std::size_t& otherSkeletons) {
    Labels part;
    part.editVideos() = labels.videos();
    part.editTracks() = labels.tracks();
    std::int64_t skeleton = -1;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView view = labels.frame(row);
        if (!view.hasUserInstance())
            continue;
        project::FrameData frame = view.toData();
        std::erase_if(frame.instances, [kind](const auto& i) { return i.header.kind != kind; });
        if (skeleton < 0 && !frame.instances.empty())
            skeleton = frame.instances.front().header.skeleton;
        otherSkeletons += std::erase_if(frame.instances, [skeleton](const auto& i) {
            return static_cast<std::int64_t>(i.header.skeleton) != skeleton;
        });
        for (project::InstanceData& instance : frame.instances)
            instance.header.skeleton = 0;
        if (kind == InstanceKind::Predicted || !frame.instances.empty())
            part.appendFrame(std::move(frame));
    }
    if (skeleton >= 0)
        part.editSkeletons().push_back(labels.skeletons()[static_cast<std::size_t>(skeleton)]);
    return part;
}

Result<Labels> readFile(const QString& path, QStringList& notes) {
    formats::LoadReport report;
    auto labels = formats::readSlp(text::toPath(path), &report);
    for (const std::string& warning : report.warnings)
        notes << QString::fromStdString(warning);
    return labels;
}

tl::unexpected<Error> refuse(const QString& sentence) {
    return fail(ErrorCode::InvalidArgument, sentence.toStdString());
}

/// The two sides of the comparison.
struct Sides {
    Labels truth, prediction;
    bool userLabelsOnly = true;
};

Result<Sides> readSides(const EvaluationRequest& request, QStringList& notes) {
    Sides sides;
    std::size_t left = 0;
    const bool ownTruth = request.truthFile.isEmpty(), ownPrediction = request.predictionFile.isEmpty();
    if (ownTruth) {
        if (userInstances(request.project) == 0)
            return refuse(
                tr("The project has no instance that a person made. Label a few frames, or choose a file "
                   "with labels."));
        sides.truth = part(request.project, InstanceKind::User, left);
    } else {
        auto read = readFile(request.truthFile, notes);
        if (!read)
            return fail(std::move(read.error()));
        sides.truth = std::move(*read);
        sides.userLabelsOnly = userInstances(sides.truth) > 0;
        if (!sides.userLabelsOnly)
            notes << tr("The file with the truth holds predictions only; they are taken as the truth.");
    }
    if (!ownPrediction) {
        auto read = readFile(request.predictionFile, notes);
        if (!read)
            return fail(std::move(read.error()));
        sides.prediction = std::move(*read);
    } else if (request.project.predictedInstanceCount() == 0) {
        return refuse(
            tr("The project has no predictions. Run a model on the user-labelled frames, or choose a file "
               "with predictions."));
    } else if (ownTruth) {
        sides.prediction = part(request.project, InstanceKind::Predicted, left);
        if (sides.prediction.instanceCount() == 0)
            return refuse(
                tr("None of the frames that a person labelled has predictions. Run a model on the "
                   "user-labelled frames."));
    } else {
        sides.prediction = request.project;
    }
    if (ownTruth && ownPrediction) {
        std::int64_t empty = 0;
        for (std::size_t row = 0; row < sides.prediction.frameCount(); ++row)
            empty += sides.prediction.frame(row).instanceCount() == 0 ? 1 : 0;
        if (empty > 0)
            notes << tr("%1 without any prediction; the instances there count as missed.")
                         .arg(text::count(empty, tr("labelled frame"), tr("labelled frames")));
    }
    if (left > 0)
        notes << tr("%1 of another skeleton are left out.")
                     .arg(text::count(static_cast<std::int64_t>(left), tr("instance"), tr("instances")));
    return sides;
}

void addNotes(QStringList& notes, const std::vector<std::string>& more) {
    for (const std::string& note : more)
        if (const QString text = QString::fromStdString(note); !notes.contains(text))
            notes << text;
}

}  // namespace

Result<EvaluationResult> evaluate(const EvaluationRequest& request) {
    EvaluationResult result;
    auto sides = readSides(request, result.notes);
    if (!sides)
        return fail(std::move(sides.error()));
    evaluation::PoseOptions options;
    options.userLabelsOnly = sides->userLabelsOnly;
    auto poses = evaluation::poseMetrics(sides->truth, sides->prediction, options);
    if (!poses)
        return fail(std::move(poses.error()));
    result.poses = std::move(*poses);
    addNotes(result.notes, result.poses.notes);

    const bool trueTracks = evaluation::hasTracks(sides->truth);
    if (!trueTracks || !evaluation::hasTracks(sides->prediction)) {
        result.notes << (trueTracks ? tr("No track scores: the predictions have no tracks.")
                                    : tr("No track scores: the user instances have no tracks."));
        return result;
    }
    evaluation::IdentityOptions identity;
    identity.userLabelsOnly = sides->userLabelsOnly;
    auto tracks = evaluation::identityMetrics(sides->truth, sides->prediction, identity);
    if (tracks) {
        addNotes(result.notes, tracks->notes);
        result.tracks = std::move(*tracks);
    } else {
        // Poses have been compared all the same.
        result.notes << QString::fromStdString(tracks.error().message());
    }
    return result;
}

}  // namespace skein::ui
