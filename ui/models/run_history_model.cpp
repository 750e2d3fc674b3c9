// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_history_model.h"

#include <QLocale>
#include <algorithm>
#include <array>

#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

QIcon stateIcon(const RunSnapshot& run) {
    const theme::Tokens& t = theme::tokens();
    switch (run.state) {
        case RunState::Finished:
            return icon(QStringLiteral("check"), t.good);
        case RunState::Failed:
            return icon(QStringLiteral("error"), t.bad);
        default:
            return icon(QStringLiteral("stop"), t.text2);
    }
}

}  // namespace

void RunHistoryModel::set(const RunSnapshot& run) {
    const auto it = std::find_if(m_runs.begin(), m_runs.end(), [&](const auto& r) { return r.info.id == run.info.id; });
    if (it == m_runs.end()) {
        beginInsertRows({}, 0, 0);
        m_runs.push_back(run);
        endInsertRows();
        return;
    }
    *it = run;
    const int row = static_cast<int>(m_runs.end() - it) - 1;
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void RunHistoryModel::clear() {
    beginResetModel();
    m_runs.clear();
    endResetModel();
}

int RunHistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunHistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunHistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const RunSnapshot& run = this->run(index.row());
    const bool figure = index.column() == Frames || index.column() == Rate || index.column() == Time;
    if (role == Qt::DecorationRole && index.column() == State)
        return stateIcon(run);
    if (role == Qt::TextAlignmentRole)
        return int((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QStringList lines{run.info.title, outcomeWords(run)};
        lines << computedWords(run);
        if (run.state == RunState::Failed)
            lines << run.error.message;
        if (run.discarded)
            lines << tr("The results were discarded.");
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case State:
            return run.discarded ? tr("Discarded") : phaseWords(run);
        case What:
            return run.info.title;
        case Model:
            return run.info.model;
        case Frames:
            return run.state == RunState::Finished ? text::number(run.framesDone())
                                                   : QStringLiteral("%1 / %2").arg(text::number(run.framesDone()),
                                                                                   text::number(run.info.framesTotal));
        case Rate:
            return meanRate(run) > 0 ? text::significant(meanRate(run)) : QString();
        case Time:
            return run.progress ? text::clock(run.progress->secondsElapsed) : QString();
        case Started:
            return QLocale().toString(run.info.started.time(), QStringLiteral("HH:mm"));
        default:
            return {};
    }
}

QVariant RunHistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<const char*, ColumnCount> kTitles = {
        QT_TR_NOOP("State"),    QT_TR_NOOP("What"), QT_TR_NOOP("Model"),  QT_TR_NOOP("Frames"),
        QT_TR_NOOP("Frames/s"), QT_TR_NOOP("Time"), QT_TR_NOOP("Started")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return tr(kTitles[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole) {
        const bool figure = section == Frames || section == Rate || section == Time;
        return int((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

}  // namespace skein::ui
