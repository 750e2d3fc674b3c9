// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/profile_table_model.h"

#include <QStringList>
#include <array>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString meaning(std::size_t stage) {
    static const std::array<const char*, profile::kStageCount> kMeanings = {
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Waiting for decoded frames"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Frames of a batch brought to one shape"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Frames packed into the upload buffer"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel",
                          "Preprocessing, network, peaks and line scores on the device, up to the one copy back"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Matching and grouping on the host"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Coordinates brought to the frame, instances built"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Tracking"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Handing results on")};
    return ProfileTableModel::tr(kMeanings[stage]);
}

}  // namespace

void ProfileTableModel::setProfile(const profile::Summary& summary, std::optional<profile::Stage> limiting) {
    m_summary = summary;
    m_limiting = limiting;
    m_totalMs = 0;
    for (const profile::StageSummary& stage : summary.stages)
        m_totalMs += stage.totalMs;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void ProfileTableModel::clear() {
    setProfile({}, std::nullopt);
}

int ProfileTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(profile::kStageCount);
}

int ProfileTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double ProfileTableModel::shareOf(std::size_t stage) const {
    return stage < m_summary.stages.size() && m_totalMs > 0 ? m_summary.stages[stage].totalMs / m_totalMs : 0;
}

QVariant ProfileTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
        case Qt::TextAlignmentRole:
            return int(index.column() == StageName ? Qt::AlignLeft | Qt::AlignVCenter
                                                   : Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return meaning(row);
        case ShareRole:
            return shareOf(row);
        case LimitingRole:
            return m_limiting && static_cast<std::size_t>(*m_limiting) == row;
        case WaitingRole:
            return row == static_cast<std::size_t>(profile::Stage::FrameBufferGet);
        case Qt::DisplayRole:
            break;
        default:
            return {};
    }
    if (index.column() == StageName)
        return QString::fromUtf8(profile::stageName(static_cast<profile::Stage>(row)));
    if (row >= m_summary.stages.size() || m_summary.stages[row].count == 0)
        return {};
    const profile::StageSummary& stage = m_summary.stages[row];
    switch (index.column()) {
        case Count:
            return text::number(static_cast<std::int64_t>(stage.count));
        case Average:
            return text::milliseconds(stage.avgMs);
        case P50:
            return text::milliseconds(stage.p50Ms);
        case P95:
            return text::milliseconds(stage.p95Ms);
        case Total:
            return text::fixed(stage.totalMs / 1000, 2);
        case Share:
            return text::percent(shareOf(row));
        default:
            return {};
    }
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    static const std::array<std::pair<const char*, const char*>, ColumnCount> kHeaders = {{
        {QT_TR_NOOP("Stage"), QT_TR_NOOP("Stage of the run")},
        {QT_TR_NOOP("Count"), QT_TR_NOOP("How often the stage ran")},
        {QT_TR_NOOP("avg ms"), QT_TR_NOOP("Mean duration")},
        {QT_TR_NOOP("p50"), QT_TR_NOOP("Half of the durations are shorter, in milliseconds")},
        {QT_TR_NOOP("p95"), QT_TR_NOOP("95 of 100 durations are shorter, in milliseconds")},
        {QT_TR_NOOP("Total s"), QT_TR_NOOP("Sum of all durations; stages overlap, so the sums exceed the run's time")},
        {QT_TR_NOOP("Share"), QT_TR_NOOP("Share of the time that all stages took together")},
    }};
    if (section < 0 || section >= ColumnCount)
        return {};
    const auto& [title, help] = kHeaders[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(title);
    if (role == Qt::ToolTipRole)
        return tr(help);
    if (role == Qt::TextAlignmentRole)
        return int(section == StageName ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QString profileMarkdown(const profile::Summary& summary, double seconds, double framesPerSecond,
                        const QString& device) {
    // Plain numbers, without separators and thin spaces: for spreadsheets and for machines too.
    const auto ms = [](double value) { return QString::number(value, 'f', 3); };
    QStringList lines{QStringLiteral("| stage | count | avg ms | p50 ms | p95 ms | total s |"),
                      QStringLiteral("| --- | ---: | ---: | ---: | ---: | ---: |")};
    for (const profile::StageSummary& stage : summary.stages)
        lines << QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 |")
                     .arg(QString::fromStdString(stage.name))
                     .arg(stage.count)
                     .arg(ms(stage.avgMs), ms(stage.p50Ms), ms(stage.p95Ms),
                          QString::number(stage.totalMs / 1000, 'f', 3));
    lines << QString()
          << QStringLiteral(
                 "%1 frames in %2 s (%3 frames/s) on %4; %5 batches, %6 copies to the host (%7 bytes), "
                 "%8 to the device (%9 bytes)")
                 .arg(summary.frames)
                 .arg(QString::number(seconds, 'f', 2), QString::number(framesPerSecond, 'f', 1),
                      device.isEmpty() ? QStringLiteral("?") : device)
                 .arg(summary.batches)
                 .arg(summary.deviceToHost.count)
                 .arg(summary.deviceToHost.bytes)
                 .arg(summary.hostToDevice.count)
                 .arg(summary.hostToDevice.bytes)
          << QString();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace skein::ui
