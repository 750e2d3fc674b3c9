// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/checked_model.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

using models::HeadKind;

QString tr(const char* text) {
    return QCoreApplication::translate("Model", text);
}

QString joined(const std::vector<std::string>& names, std::size_t limit) {
    QStringList list;
    for (std::size_t i = 0; i < names.size() && i < limit; ++i)
        list << QString::fromStdString(names[i]);
    if (names.size() > limit)
        list << tr("and %1 more").arg(names.size() - limit);
    return list.join(QStringLiteral(", "));
}

QString headTitle(HeadKind kind) {
    switch (kind) {
        case HeadKind::PartAffinityFields:
            return tr("part affinity fields");
        case HeadKind::ClassMaps:
            return tr("class maps");
        case HeadKind::ClassVectors:
            return tr("class vectors");
        default:
            return tr("confidence maps");
    }
}

bool isOneOf(const project::Skeleton& model, const std::vector<project::Skeleton>& project) {
    return std::any_of(project.begin(), project.end(),
                       [&model](const project::Skeleton& skeleton) { return skeleton.sameStructure(model); });
}

QString counted(std::size_t n, const char* one, const char* many) {
    return text::count(static_cast<std::int64_t>(n), tr(one), tr(many));
}

}  // namespace

CheckedModel checkModel(const QString& path) {
    CheckedModel model;
    model.path = path;
    auto spec = models::readModelSpec(text::toPath(path));
    if (!spec) {
        model.problem = toUiError(spec.error());
        return model;
    }
    auto shared = std::make_shared<models::ModelSpec>(std::move(*spec));
    model.spec = shared;
    model.path = text::fromPath(shared->folder);
    if (const auto plan = models::planNetwork(*shared); !plan) {
        model.problem = toUiError(plan.error());
    } else if (const auto grouper = inference::Grouper::create(*shared, {}); !grouper) {
        model.problem = toUiError(grouper.error());
    } else {
        for (const std::string& warning : grouper->warnings())
            model.warnings << QString::fromStdString(warning);
    }
    return model;
}

PartnerNeed partnerNeed(const models::ModelSpec& spec) {
    switch (spec.type) {
        case models::ModelType::Centroid:
            return PartnerNeed::Instances;
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            return PartnerNeed::Centroids;
        default:
            return PartnerNeed::None;
    }
}

bool goTogether(const models::ModelSpec& a, const models::ModelSpec& b) {
    return inference::arrangeModels({a, b}).has_value() && a.skeleton.nodes == b.skeleton.nodes;
}

QStringList partnersAmong(const QStringList& paths, const models::ModelSpec& spec) {
    QStringList partners;
    for (const QString& path : paths)
        if (const auto other = models::readModelSpec(text::toPath(path)); other && goTogether(spec, *other))
            partners << path;
    return partners;
}

QString modelsTitle(const std::vector<models::ModelSpec>& arranged) {
    if (arranged.size() == 2)
        return arranged.back().type == models::ModelType::MultiClassTopDown
                   ? tr("Multi-class top-down (centroid + centered instance)")
                   : tr("Top-down (centroid + centered instance)");
    if (inference::needsCentroids(arranged))
        return arranged.back().type == models::ModelType::MultiClassTopDown
                   ? tr("Multi-class centered instance, around instances that are there")
                   : tr("Centered instance, around instances that are there");
    return QString::fromUtf8(models::modelTypeTitle(arranged.back().type));
}

QStringList modelFoldersIn(const QString& folder, int limit) {
    std::vector<std::pair<QDateTime, QString>> found;
    const auto entries = QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QFileInfo& entry : entries) {
        for (const char* name : {"training_config.yaml", "training_config.yml", "training_config.json"}) {
            const QFileInfo config(QDir(entry.filePath()), QLatin1String(name));
            if (config.isFile()) {
                found.emplace_back(config.lastModified(), entry.filePath());
                break;
            }
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    QStringList list;
    for (const auto& [date, path] : found)
        if (list.size() < limit)
            list << path;
    return list;
}

Facts describeModel(const models::ModelSpec& spec) {
    Facts facts;
    facts.emplace_back(tr("Type"), QString::fromUtf8(models::modelTypeTitle(spec.type)));
    QString backbone = QString::fromUtf8(models::backboneName(spec.backbone));
    if (spec.backbone == models::BackboneType::UNet)
        backbone = tr("UNet, %1 filters, rate %2").arg(spec.unet.filters).arg(spec.unet.filtersRate);
    facts.emplace_back(tr("Backbone"), backbone);

    const bool hasEdges = !spec.skeleton.edges.empty();
    const QString size = hasEdges ? tr("%1, %2").arg(counted(spec.skeleton.nodes.size(), "node", "nodes"),
                                                     counted(spec.skeleton.edges.size(), "edge", "edges"))
                                  : counted(spec.skeleton.nodes.size(), "node", "nodes");
    facts.emplace_back(tr("Skeleton"), tr("%1: %2").arg(size, joined(spec.skeleton.nodes, 12)));

    const models::PreprocessSpec& input = spec.preprocess;
    QStringList words;
    words << (spec.inChannels() == 1   ? tr("grey")
              : spec.inChannels() == 3 ? tr("colour")
                                       : tr("%1 channels").arg(spec.inChannels()));
    if (input.maxWidth && input.maxHeight)
        words << tr("fitted to %1 × %2 px").arg(*input.maxWidth).arg(*input.maxHeight);
    else if (input.maxWidth)
        words << tr("at most %1 px wide").arg(*input.maxWidth);
    else if (input.maxHeight)
        words << tr("at most %1 px high").arg(*input.maxHeight);
    else
        words << tr("any size");
    words << (input.scale == 1.0 ? tr("full scale") : tr("scaled by %1").arg(input.scale));
    if (input.cropSize)
        words << tr("crops of %1 px").arg(*input.cropSize);
    facts.emplace_back(tr("Input"), words.join(QStringLiteral(", ")));

    QStringList strides;
    for (const models::HeadSpec& head : spec.heads)
        if (head.kind != HeadKind::ClassVectors)
            strides << tr("%1 px for %2").arg(head.outputStride).arg(headTitle(head.kind));
    strides << tr("%1 px in the network").arg(spec.maxStride());
    facts.emplace_back(tr("Stride"), strides.join(QStringLiteral(", ")));
    if (!spec.classNames.empty())
        facts.emplace_back(tr("Classes"), joined(spec.classNames, 12));
    if (spec.anchorPart)
        facts.emplace_back(tr("Anchor node"), QString::fromStdString(*spec.anchorPart));
    return facts;
}

Facts describePartner(const models::ModelSpec& spec) {
    Facts facts = describeModel(spec);
    const QString skeleton = tr("Skeleton");
    facts.erase(
        std::remove_if(facts.begin(), facts.end(), [&skeleton](const auto& fact) { return fact.first == skeleton; }),
        facts.end());
    return facts;
}

Facts describeTraining(const models::ModelSpec& spec) {
    Facts facts;
    for (const auto& [name, value] : spec.trainingFacts)
        facts.emplace_back(QString::fromStdString(name), QString::fromStdString(value));
    return facts;
}

std::vector<ListedModel> listModels(const QStringList& paths) {
    std::vector<ListedModel> list;
    for (const QString& path : paths) {
        ListedModel listed{path, {}, text::tidyPath(path)};
        if (const auto spec = models::readModelSpec(text::toPath(path))) {
            listed.subtitle = QStringLiteral("%1, %2").arg(QString::fromUtf8(models::modelTypeTitle(spec->type)),
                                                           QString::fromUtf8(models::backboneName(spec->backbone)));
            for (const Facts& facts : {describeModel(*spec), describeTraining(*spec)})
                for (const auto& [name, value] : facts)
                    listed.details += QStringLiteral("\n%1: %2").arg(name, value);
        }
        list.push_back(std::move(listed));
    }
    return list;
}

QString compareSkeletons(const project::Skeleton& model, const std::vector<project::Skeleton>& project) {
    if (project.empty())
        return {};
    if (isOneOf(model, project))
        return tr("Same skeleton as the project.");
    if (!nodeDifferences(model, project).empty())
        return tr("Another skeleton than the project's. It is added to the project. Nodes that only one of them has:");
    return model.nodes == project.front().nodes
               ? tr("Another skeleton than the project's: the edges differ. It is added to the project.")
               : tr("Another skeleton than the project's: the nodes stand in another order. It is added to the "
                    "project.");
}

Facts nodeDifferences(const project::Skeleton& model, const std::vector<project::Skeleton>& project) {
    Facts differences;
    if (project.empty() || isOneOf(model, project))
        return differences;
    const project::Skeleton& theirs = project.front();
    for (const std::string& node : model.nodes)
        if (!theirs.nodeIndex(node))
            differences.emplace_back(QString::fromStdString(node), tr("only in the model"));
    for (const std::string& node : theirs.nodes)
        if (!model.nodeIndex(node))
            differences.emplace_back(QString::fromStdString(node), tr("only in the project"));
    return differences;
}

}  // namespace skein::ui
