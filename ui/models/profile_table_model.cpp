// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/profile_table_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

using profile::Stage;

QString meaning(Stage stage) {
    static const std::array<const char*, profile::kAllStages> kMeanings = {
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Waiting for decoded frames"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Frames of a batch brought to one shape"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Frames packed into the upload buffer"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel",
                          "Preprocessing, network, peaks and line scores on the device, up to the one copy back"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Matching and grouping on the host"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Coordinates brought to the frame, instances built"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Tracking"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Handing results on"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Frames read and decoded, on a thread of their own"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Weights read, first pass on black frames"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "Upload and network put into the GPU's queue"),
        QT_TRANSLATE_NOOP("skein::ui::ProfileTableModel", "A thread has nothing to do")};
    return ProfileTableModel::tr(kMeanings[static_cast<std::size_t>(stage)]);
}

bool isBeside(Stage stage) {
    return static_cast<std::size_t>(stage) >= profile::kStageCount;
}

const profile::StageSummary* stageIn(const profile::Summary& summary, Stage stage) {
    const auto index = static_cast<std::size_t>(stage);
    const auto& list = isBeside(stage) ? summary.beside : summary.stages;
    const std::size_t place = isBeside(stage) ? index - profile::kStageCount : index;
    return place < list.size() ? &list[place] : nullptr;
}

const profile::StageSummary* partIn(const profile::Summary& summary, Stage stage, profile::Part part) {
    for (const profile::PartSummary& candidate : summary.parts)
        if (candidate.stage == stage && candidate.part == part)
            return &candidate.times;
    return nullptr;
}

/// A saved run may come from elsewhere: by name.
const profile::StageSummary* stageNamed(const profile::Summary& summary, Stage stage) {
    for (const auto* list : {&summary.stages, &summary.beside})
        for (const profile::StageSummary& candidate : *list)
            if (candidate.name == profile::stageName(stage) && candidate.count > 0)
                return &candidate;
    return nullptr;
}

double change(double now, double before) {
    return before > 0 ? (now - before) / before : std::numeric_limits<double>::quiet_NaN();
}

QString signedPercent(double share) {
    if (std::isnan(share))
        return QStringLiteral("–");
    const QString sign = share >= 0 ? QStringLiteral("+") : QStringLiteral("\u2212");
    return sign +
           text::withUnit(text::fixed(std::abs(share) * 100, std::abs(share) < 0.1 ? 1 : 0), QStringLiteral("%"));
}

}  // namespace

double ShownProfile::busyMs() const {
    double all = 0;
    for (const profile::StageSummary& stage : summary.stages)
        all += stage.totalMs;
    return all;
}

const profile::StageSummary* ShownProfile::find(Stage stage) const {
    return stageIn(summary, stage);
}

const profile::StageSummary* ShownProfile::find(Stage stage, profile::Part part) const {
    return partIn(summary, stage, part);
}

double ShownProfile::shareOf(Stage stage) const {
    const profile::StageSummary* found = isBeside(stage) ? nullptr : find(stage);
    const double all = busyMs();
    return found != nullptr && all > 0 ? found->totalMs / all : 0;
}

double ShownProfile::framesPerSecondAlone(Stage stage) const {
    const profile::StageSummary* found = find(stage);
    if (found == nullptr || found->totalMs <= 0 || stage == Stage::FrameBufferGet || stage == Stage::LoadModel)
        return 0;
    const int threads = stage == Stage::PafScorer ? std::max(1, groupThreads) : 1;
    return static_cast<double>(summary.frames) * 1000 * threads / found->totalMs;
}

ProfileTableModel::ProfileTableModel(QObject* parent) : QAbstractTableModel(parent) {
    for (std::size_t i = 0; i < profile::kStageCount; ++i)
        m_rows.push_back({static_cast<Stage>(i)});
}

void ProfileTableModel::setProfile(const ShownProfile& profile) {
    m_profile = profile;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void ProfileTableModel::clear() {
    setProfile({});
}

void ProfileTableModel::setOther(std::optional<profile::Summary> other) {
    m_other = std::move(other);
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

std::vector<ProfileTableModel::Row> ProfileTableModel::rowsUnder(Stage stage) {
    using profile::Part;
    switch (stage) {
        case Stage::FrameBufferGet:
            return {{Stage::Decode}};
        case Stage::Forward:
            return {{Stage::LoadModel},
                    {Stage::DeviceQueue},
                    {stage, Part::Crops},
                    {stage, Part::Peaks},
                    {stage, Part::Lines}};
        case Stage::PafScorer:
        case Stage::TrackerTrack:
            return {{stage, Part::Assignment}};
        default:
            return {};
    }
}

QString ProfileTableModel::meaningOf(const Row& row) {
    if (!row.part)
        return meaning(row.stage);
    switch (*row.part) {
        case profile::Part::Crops:
            return tr("Crops cut out of frames; on several threads their times add up");
        case profile::Part::Peaks:
            return tr("Peaks found in maps, their neighbours suppressed, where the processor does it");
        case profile::Part::Lines:
            return tr("Candidate edges scored along part affinity fields, where the processor does it");
        case profile::Part::Assignment:
            return tr("The best pairs chosen");
    }
    return {};
}

const profile::StageSummary* ProfileTableModel::figuresOf(const Row& row) const {
    return row.part ? m_profile.find(row.stage, *row.part) : m_profile.find(row.stage);
}

int ProfileTableModel::foldOf(std::size_t row) const {
    if (m_rows[row].isInner())
        return 3;
    if (rowsUnder(m_rows[row].stage).empty())
        return 0;
    return row + 1 < m_rows.size() && m_rows[row + 1].isInner() ? 2 : 1;
}

void ProfileTableModel::toggle(int row) {
    if (row < 0 || row >= rowCount())
        return;
    const auto place = static_cast<std::size_t>(row);
    const std::vector<Row> inner = rowsUnder(m_rows[place].stage);
    const int last = row + static_cast<int>(inner.size());
    const auto after = m_rows.begin() + row + 1;
    if (foldOf(place) == 1) {
        beginInsertRows({}, row + 1, last);
        m_rows.insert(after, inner.begin(), inner.end());
        endInsertRows();
    } else if (foldOf(place) == 2) {
        beginRemoveRows({}, row + 1, last);
        m_rows.erase(after, after + static_cast<std::ptrdiff_t>(inner.size()));
        endRemoveRows();
    } else {
        return;
    }
    Q_EMIT dataChanged(index(row, 0), index(row, 0));
}

int ProfileTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProfileTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const profile::StageSummary* ProfileTableModel::otherOf(const Row& row) const {
    if (!m_other)
        return nullptr;
    return row.part ? partIn(*m_other, row.stage, *row.part) : stageNamed(*m_other, row.stage);
}

double ProfileTableModel::changeOf(const Row& row, int column) const {
    const profile::StageSummary *now = figuresOf(row), *before = otherOf(row);
    if (now == nullptr || before == nullptr || now->count == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return column == AverageChange ? change(now->avgMs, before->avgMs) : change(now->p95Ms, before->p95Ms);
}

QVariant ProfileTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isChange = index.column() == AverageChange || index.column() == P95Change;
    switch (role) {
        case Qt::TextAlignmentRole:
            return int(index.column() == StageName ? Qt::AlignLeft | Qt::AlignVCenter
                                                   : Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return index.column() == Share && !row.isInner()
                       ? tr("%1 of the time that all stages took together; the run waits for this stage %2 of its "
                            "time.")
                             .arg(text::percent(m_profile.shareOf(row.stage)),
                                  text::percent(m_profile.critical[static_cast<std::size_t>(row.stage)]))
                       : meaningOf(row);
        case ShareRole:
            return row.isInner() ? 0.0 : m_profile.shareOf(row.stage);
        case CriticalRole:
            return row.isInner() ? 0.0 : m_profile.critical[static_cast<std::size_t>(row.stage)];
        case LimitingRole:
            return !row.isInner() && m_profile.limiting == row.stage;
        case WaitingRole:
            return row.stage == Stage::FrameBufferGet;
        case FoldRole:
            return foldOf(static_cast<std::size_t>(index.row()));
        case ChangeRole:
            return isChange ? QVariant(changeOf(row, index.column())) : QVariant();
        case Qt::DisplayRole:
            return text(row, index.column());
        default:
            return {};
    }
}

QVariant ProfileTableModel::text(const Row& row, int column) const {
    if (column == StageName)
        return QString::fromUtf8(row.part ? profile::partName(*row.part) : profile::stageName(row.stage));
    const profile::StageSummary* found = figuresOf(row);
    if (found == nullptr || found->count == 0)
        return {};
    switch (column) {
        case Count:
            return text::number(static_cast<std::int64_t>(found->count));
        case Average:
            return text::milliseconds(found->avgMs);
        case P50:
            return text::milliseconds(found->p50Ms);
        case P95:
            return text::milliseconds(found->p95Ms);
        case Max:
            return text::milliseconds(found->maxMs);
        case Total:
            return text::fixed(found->totalMs / 1000, 2);
        case Share:
            return row.isInner() ? QVariant() : text::percent(m_profile.shareOf(row.stage));
        case Alone: {
            const double rate = row.part ? 0 : m_profile.framesPerSecondAlone(row.stage);
            return rate > 0 ? QVariant(text::significant(rate)) : QVariant();
        }
        case AverageChange:
        case P95Change:
            return m_other ? QVariant(signedPercent(changeOf(row, column))) : QVariant();
        default:
            return {};
    }
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    static const std::array<std::pair<const char*, const char*>, ColumnCount> kHeaders = {{
        {QT_TR_NOOP("Stage"), QT_TR_NOOP("Stage of the run; those with an arrow have parts")},
        {QT_TR_NOOP("Share"),
         QT_TR_NOOP(
             "Upper bar: share of the time that all stages took together. Lower bar: share of the run's time that "
             "waits for the stage")},
        {QT_TR_NOOP("avg ms"), QT_TR_NOOP("Mean duration")},
        {QT_TR_NOOP("avg ±"), QT_TR_NOOP("How the mean differs from the run that this one is compared with")},
        {QT_TR_NOOP("p95"), QT_TR_NOOP("95 of 100 durations are shorter, in milliseconds")},
        {QT_TR_NOOP("p95 ±"), QT_TR_NOOP("How p95 differs from the run that this one is compared with")},
        {QT_TR_NOOP("f/s alone"), QT_TR_NOOP("Frames a second if there were nothing but this stage")},
        {QT_TR_NOOP("p50"), QT_TR_NOOP("Half of the durations are shorter, in milliseconds")},
        {QT_TR_NOOP("max"), QT_TR_NOOP("The longest duration, in milliseconds")},
        {QT_TR_NOOP("Count"), QT_TR_NOOP("How often the stage ran")},
        {QT_TR_NOOP("Total s"), QT_TR_NOOP("Sum of all durations; stages overlap, so the sums exceed the run's time")},
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

QString profileMarkdown(const ShownProfile& shown, const profile::Summary* other, double seconds,
                        double framesPerSecond, const QString& device) {
    // Plain numbers, without separators and thin spaces: for spreadsheets and for machines too.
    const auto plain = [](double value, int digits) { return QString::number(value, 'f', digits); };
    const profile::Summary& summary = shown.summary;
    QString head = QStringLiteral("| stage | count | avg ms | p50 ms | p95 ms | max ms | total s | share % |");
    QString rule = QStringLiteral("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    if (other != nullptr) {
        head += QStringLiteral(" other avg ms | change % |");
        rule += QStringLiteral(" ---: | ---: |");
    }
    QStringList lines{head, rule};
    for (std::size_t i = 0; i < summary.stages.size(); ++i) {
        const profile::StageSummary& stage = summary.stages[i];
        QStringList cells{QString::fromStdString(stage.name),
                          QString::number(stage.count),
                          plain(stage.avgMs, 3),
                          plain(stage.p50Ms, 3),
                          plain(stage.p95Ms, 3),
                          plain(stage.maxMs, 3),
                          plain(stage.totalMs / 1000, 3),
                          plain(100 * shown.shareOf(static_cast<Stage>(i)), 1)};
        if (other != nullptr) {
            const profile::StageSummary* before = stageNamed(*other, static_cast<Stage>(i));
            cells << (before == nullptr ? QString() : plain(before->avgMs, 3))
                  << (before == nullptr || before->avgMs <= 0 ? QString()
                                                              : plain(100 * change(stage.avgMs, before->avgMs), 1));
        }
        lines << QStringLiteral("| %1 |").arg(cells.join(QStringLiteral(" | ")));
    }
    lines << QString()
          << QStringLiteral(
                 "%1 frames in %2 s (%3 frames/s) on %4; %5 batches, %6 copies to the host (%7 bytes), "
                 "%8 to the device (%9 bytes)")
                 .arg(summary.frames)
                 .arg(plain(seconds, 2), plain(framesPerSecond, 1), device.isEmpty() ? QStringLiteral("?") : device)
                 .arg(summary.batches)
                 .arg(summary.deviceToHost.count)
                 .arg(summary.deviceToHost.bytes)
                 .arg(summary.hostToDevice.count)
                 .arg(summary.hostToDevice.bytes)
          << QString();
    return lines.join(QLatin1Char('\n'));
}

QString profileCsv(const ShownProfile& shown, const profile::Summary* other) {
    const auto plain = [](double value) { return QString::number(value, 'g', 10); };
    QString head =
        QStringLiteral("stage,count,avg_ms,p50_ms,p95_ms,max_ms,total_ms,share,critical_share,frames_per_s_alone");
    if (other != nullptr)
        head += QStringLiteral(",other_avg_ms,other_p95_ms");
    QStringList lines{head};
    for (std::size_t i = 0; i < profile::kAllStages; ++i) {
        const auto stage = static_cast<Stage>(i);
        const profile::StageSummary* found = shown.find(stage);
        if (found == nullptr)
            continue;
        const double alone = shown.framesPerSecondAlone(stage);
        QStringList cells{QString::fromStdString(found->name),
                          QString::number(found->count),
                          plain(found->avgMs),
                          plain(found->p50Ms),
                          plain(found->p95Ms),
                          plain(found->maxMs),
                          plain(found->totalMs),
                          isBeside(stage) ? QString() : plain(shown.shareOf(stage)),
                          isBeside(stage) ? QString() : plain(shown.critical[i]),
                          alone > 0 ? plain(alone) : QString()};
        if (other != nullptr) {
            const profile::StageSummary* before = stageNamed(*other, stage);
            cells << (before == nullptr ? QString() : plain(before->avgMs))
                  << (before == nullptr ? QString() : plain(before->p95Ms));
        }
        lines << cells.join(QLatin1Char(','));
    }
    for (const profile::PartSummary& part : shown.summary.parts) {
        const profile::StageSummary& times = part.times;
        const QString name = QStringLiteral("%1/%2").arg(QString::fromUtf8(profile::stageName(part.stage)),
                                                         QString::fromStdString(times.name));
        QStringList cells{name,
                          QString::number(times.count),
                          plain(times.avgMs),
                          plain(times.p50Ms),
                          plain(times.p95Ms),
                          plain(times.maxMs),
                          plain(times.totalMs),
                          {},
                          {},
                          {}};
        if (other != nullptr)
            cells << QString() << QString();
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace skein::ui
