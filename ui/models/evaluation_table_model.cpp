// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/evaluation_table_model.h"

#include <QFont>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr QChar kEnDash(0x2013);

QString exactly(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 10) : QString();
}

}  // namespace

void EvaluationTableModel::heading(const QString& name) {
    m_rows.push_back({name, {}, {}, {}, true});
}

void EvaluationTableModel::count(const QString& name, std::int64_t value, const QString& help) {
    m_rows.push_back({name, text::number(value), help, QString::number(value)});
}

void EvaluationTableModel::pixels(const QString& name, double value, const QString& help) {
    m_rows.push_back({name, std::isfinite(value) ? text::withUnit(text::fixed(value, 3), tr("px")) : QString(kEnDash),
                      help, exactly(value)});
}

void EvaluationTableModel::share(const QString& name, double value, const QString& help) {
    m_rows.push_back({name, std::isfinite(value) ? text::fixed(value, 4) : QString(kEnDash), help, exactly(value)});
}

void EvaluationTableModel::setResult(const EvaluationResult& result) {
    beginResetModel();
    m_rows.clear();
    addPoses(result.poses);
    if (result.tracks)
        addTracks(*result.tracks);
    endResetModel();
}

void EvaluationTableModel::clear() {
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void EvaluationTableModel::addPoses(const evaluation::PoseMetrics& m) {
    heading(tr("Instances"));
    count(tr("Frames compared"), m.frames, tr("Labelled frames that have predictions."));
    count(tr("Matched"), m.matched, tr("Pairs of a true and a predicted instance."));
    count(tr("Missed"), m.missed, tr("True instances that no prediction found."));
    count(tr("Surplus"), m.surplus, tr("Predictions without a true instance, on compared frames."));
    share(tr("Precision"), m.precision, tr("Matched among all predictions."));
    share(tr("Recall"), m.recall, tr("Matched among all true instances."));
    share(tr("F1"), m.f1, tr("Harmonic mean of precision and recall."));
    const bool poses = m.method == evaluation::MatchMethod::Oks;
    heading(poses ? tr("Distance of nodes") : tr("Distance of centroids"));
    pixels(tr("Mean"), m.distance.mean, tr("Over all nodes that exist on both sides."));
    pixels(tr("Median"), m.distance.p50, tr("Half of the nodes are closer than this."));
    pixels(tr("75th percentile"), m.distance.p75, tr("Three quarters of the nodes are closer than this."));
    pixels(tr("90th percentile"), m.distance.p90, tr("Nine of ten nodes are closer than this."));
    pixels(tr("95th percentile"), m.distance.p95, tr("95 of 100 nodes are closer than this."));
    pixels(tr("99th percentile"), m.distance.p99, tr("99 of 100 nodes are closer than this."));
    if (!poses)
        return;
    heading(tr("Keypoint similarity (OKS)"));
    share(tr("Mean OKS"), m.mOks, tr("Mean similarity of matched pairs; 1 is the same pose."));
    share(tr("mAP"), m.oksVoc.mAP, tr("Average precision by OKS, mean over the thresholds 0.50 to 0.95."));
    share(tr("mAR"), m.oksVoc.mAR, tr("Share of true instances found, mean over the same thresholds."));
    heading(tr("Correct nodes (PCK)"));
    share(tr("Mean PCK"), m.mPck, tr("Share of nodes closer than 1, 2, … 10 px, mean over these distances."));
    share(tr("PCK at 5 px"), m.pck[4], tr("Share of nodes that are closer than 5 px."));
    share(tr("PCK at 10 px"), m.pck[9], tr("Share of nodes that are closer than 10 px."));
    share(tr("mAP by PCK"), m.pckVoc.mAP, tr("Average precision by PCK, mean over the thresholds 0.50 to 0.95."));
    share(tr("mAR by PCK"), m.pckVoc.mAR, tr("Share of true instances found by PCK, mean over the same thresholds."));
    heading(tr("Visibility of nodes"));
    share(tr("Precision"), m.visibilityPrecision, tr("Predicted nodes that are there in truth."));
    share(tr("Recall"), m.visibilityRecall, tr("True nodes that were predicted."));
}

void EvaluationTableModel::addTracks(const evaluation::IdentityMetrics& m) {
    const evaluation::IdentityScores& s = m.scores;
    heading(tr("Tracks"));
    share(tr("HOTA"), s.hota, tr("Detection and association together (Luiten et al. 2021)."));
    share(tr("Association (AssA)"), s.assA, tr("How well identities were kept, over all thresholds of HOTA."));
    share(tr("IDF1"), s.idf1, tr("Share of instances with the right identity (Ristani et al. 2016)."));
    share(tr("MOTA"), s.mota, tr("1 less missed, surplus and switches per true instance; may be negative."));
    count(tr("Identity switches"), s.switches, tr("Times that a true animal got another track than before."));
    share(tr("Switches per 1,000 frames"), m.switchesPerThousand, tr("The same, for videos of different length."));
    count(tr("Breaks"), s.fragments, tr("Times that a true animal was lost and found again."));
    count(tr("Tracks in truth"), m.trueTracks, tr("Tracks of the user instances."));
    count(tr("Tracks predicted"), m.predictedTracks, tr("Tracks of the predictions."));
}

QString EvaluationTableModel::asTsv() const {
    QStringList lines{tr("Group") + QLatin1Char('\t') + tr("Measure") + QLatin1Char('\t') + tr("Value")};
    QString group;
    for (const Row& row : m_rows) {
        if (row.heading)
            group = row.name;
        else
            lines << group + QLatin1Char('\t') + row.name + QLatin1Char('\t') + row.exact;
    }
    return lines.join(QLatin1Char('\n'));
}

int EvaluationTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EvaluationTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EvaluationTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == Name ? row.name : row.value;
        case Qt::ToolTipRole:
            return row.help.isEmpty() ? QVariant() : QVariant(row.help);
        case Qt::TextAlignmentRole:
            return index.column() == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                          : QVariant(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::FontRole:
            return row.heading ? QVariant(theme::headingFont()) : QVariant();
        case kIsHeading:
            return row.heading;
        default:
            return {};
    }
}

QVariant EvaluationTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                               : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(section == Name ? tr("Measure") : tr("Value")) : QVariant();
}

}  // namespace skein::ui
