// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/preset_table_model.h"

#include <QCoreApplication>
#include <QFont>
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr QChar kEnDash(0x2013);

const tracking::TrackingPreset* presetOf(const ComparedPreset& row) {
    const auto found = tracking::findPreset(row.preset);
    return found ? *found : nullptr;
}

QString translated(std::string_view text) {
    const std::string copy(text);
    return QCoreApplication::translate("TrackingPreset", copy.c_str());
}

}  // namespace

void PresetTableModel::setComparison(PresetComparison comparison) {
    beginResetModel();
    m_comparison = std::move(comparison);
    endResetModel();
}

int PresetTableModel::best() const {
    // The truth first, where there is one; then doubts, then identities, then time.
    const auto worth = [](const ComparedPreset& row) {
        return std::tuple(-row.idf1.value_or(0), row.suspiciousPer1000, row.untracked, row.tracks, row.seconds);
    };
    int best = -1;
    for (int i = 0; i < rowCount(); ++i) {
        const ComparedPreset& row = m_comparison.presets[static_cast<std::size_t>(i)];
        if (row.problem.empty() &&
            (best < 0 || worth(row) < worth(m_comparison.presets[static_cast<std::size_t>(best)])))
            best = i;
    }
    return best;
}

int PresetTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_comparison.presets.size());
}

int PresetTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PresetTableModel::words(const ComparedPreset& row, int column) const {
    if (column == Preset)
        return presetOf(row) != nullptr ? translated(presetOf(row)->name) : QString();
    if (!row.problem.empty())
        return column == Tracks ? tr("not run") : QString();
    switch (column) {
        case Tracks:
            return text::number(row.tracks);
        case Suspicious:
            return text::fixed(row.suspiciousPer1000, 1);
        case Switches:
            return row.switches ? text::number(*row.switches) : QString(kEnDash);
        case Idf1:
            return row.idf1 ? text::fixed(*row.idf1, 3) : QString(kEnDash);
        case Untracked:
            return text::number(row.untracked);
        case Seconds:
            return row.seconds < 1 ? text::withUnit(text::significant(1000 * row.seconds), tr("ms"))
                                   : text::withUnit(text::significant(row.seconds), tr("s"));
        default:
            return {};
    }
}

QVariant PresetTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ComparedPreset& row = m_comparison.presets[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return words(row, index.column());
        case Qt::TextAlignmentRole:
            return int((index.column() == Preset ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (!row.problem.empty())
                return QString::fromStdString(row.problem);
            return presetOf(row) != nullptr ? translated(presetOf(row)->description) : QString();
        case Qt::ForegroundRole:
            return row.problem.empty() ? QVariant() : QVariant(theme::tokens().disabled);
        case Qt::FontRole:
            return index.row() == best() && index.column() == Preset ? QVariant(theme::headingFont()) : QVariant();
        default:
            return {};
    }
}

QVariant PresetTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<std::pair<const char*, const char*>, ColumnCount> kColumns{{
        {QT_TR_NOOP("Preset"), QT_TR_NOOP("The tracker and its options.")},
        {QT_TR_NOOP("Tracks"), QT_TR_NOOP("Identities used. About the number of animals is best.")},
        {QT_TR_NOOP("Doubts / 1,000"),
         QT_TR_NOOP("Events per 1,000 frames that a person would have to look at; fewer are better.")},
        {QT_TR_NOOP("Switches"),
         QT_TR_NOOP("Times that an animal got another track than before, on frames that a person has tracked.")},
        {QT_TR_NOOP("IDF1"),
         QT_TR_NOOP("Share of instances with the right identity on frames that a person has tracked; 1 is best.")},
        {QT_TR_NOOP("Left out"), QT_TR_NOOP("Instances without a track, or dropped for want of one.")},
        {QT_TR_NOOP("Time"), QT_TR_NOOP("For tracking alone, on one core.")},
    }};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const auto& [title, help] = kColumns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(title);
    if (role == Qt::ToolTipRole)
        return tr(help);
    if (role == Qt::TextAlignmentRole)
        return int((section == Preset ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

}  // namespace skein::ui
