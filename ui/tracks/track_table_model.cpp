// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_table_model.h"

#include <algorithm>
#include <cmath>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/tracks/proofread_state.h"

namespace skein::ui {

namespace {
constexpr int kSwatch = 12;
}

/// What the table shows, for it and for the worker that sorts it.
class TrackTableModel::Rows : public TableRows {
public:
    std::shared_ptr<const TrackSummaries> summaries;
    std::shared_ptr<const std::vector<QString>> names;
    std::vector<int> issues;
    std::vector<bool> reviewed;  ///< by row
    std::vector<int> inks;       ///< by row
    std::int64_t videoFrames = 0;
    int firstNumber = 1;

    [[nodiscard]] const TrackSummary& at(int row) const { return summaries->tracks[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString name(int row) const {
        const auto track = static_cast<std::size_t>(at(row).track);
        return track < names->size() ? (*names)[track] : QString();
    }
    [[nodiscard]] int count() const override { return static_cast<int>(summaries->tracks.size()); }
    [[nodiscard]] bool isNumber(int column) const override { return column != Name; }
    [[nodiscard]] double number(int row, int column) const override {
        const TrackSummary& s = at(row);
        switch (column) {
            case Color:
                return s.track;
            case First:
                return static_cast<double>(s.first);
            case Last:
                return static_cast<double>(s.last);
            case Frames:
            case Coverage:
                return static_cast<double>(s.frames);
            case Fragments:
            case Gaps:
                return static_cast<double>(s.fragments);
            case LongestGap:
                return static_cast<double>(s.longestGap);
            case MeanScore:
                return s.meanScore;
            case MinScore:
                return s.minScore;
            case TrackingScore:
                return s.meanTrackingScore;
            case UserFrames:
                return static_cast<double>(s.userFrames);
            case MeanSpeed:
                return s.meanSpeed;
            case MaxJump:
            case MaxJumpBodies:
                return s.maxJump;
            case Encounters:
                return static_cast<double>(s.encounters);
            case Issues:
                return issuesOf(row);
            case Reviewed:
                return reviewed[static_cast<std::size_t>(row)] ? 1 : 0;
            default:
                return project::kNaN;
        }
    }
    [[nodiscard]] QString text(int row, int column) const override {
        const TrackSummary& s = at(row);
        const auto score = [](double value) { return std::isnan(value) ? QString() : text::fixed(value, 3); };
        const auto px = [](double value) { return std::isnan(value) ? QString() : text::fixed(value, 1); };
        switch (column) {
            case Name:
                return name(row);
            case First:
                return text::number(s.first + firstNumber);
            case Last:
                return text::number(s.last + firstNumber);
            case Frames:
                return text::number(s.frames);
            case Coverage:
                return text::fixed(
                    100.0 * static_cast<double>(s.frames) / static_cast<double>(std::max<std::int64_t>(1, videoFrames)),
                    1);
            case Fragments:
                return text::number(s.fragments);
            case Gaps:
                return text::number(s.gaps());
            case LongestGap:
                return text::number(s.longestGap);
            case MeanScore:
                return score(s.meanScore);
            case MinScore:
                return score(s.minScore);
            case TrackingScore:
                return score(s.meanTrackingScore);
            case UserFrames:
                return text::number(s.userFrames);
            case MeanSpeed:
                return px(s.meanSpeed);
            case MaxJump:
                return px(s.maxJump);
            case MaxJumpBodies:
                return std::isnan(s.maxJump / summaries->bodyLength)
                           ? QString()
                           : text::fixed(s.maxJump / summaries->bodyLength, 2);
            case Encounters:
                return text::number(s.encounters);
            case Issues:
                return text::number(issuesOf(row));
            case Reviewed:
                return reviewed[static_cast<std::size_t>(row)] ? tr("yes") : QString();
            default:
                return {};
        }
    }
    [[nodiscard]] int issuesOf(int row) const {
        const auto track = static_cast<std::size_t>(at(row).track);
        return track < issues.size() ? issues[track] : 0;
    }
};

TrackTableModel::TrackTableModel(const ProofreadState* state, QObject* parent)
    : QAbstractTableModel(parent),
      m_state(state),
      m_summaries(std::make_shared<TrackSummaries>()),
      m_names(std::make_shared<std::vector<QString>>()) {
    const auto refresh = [this](Column column) {
        rebuild();
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column));
    };
    connect(state, &ProofreadState::colorsChanged, this, [refresh] { refresh(Color); });
    connect(state, &ProofreadState::reviewedChanged, this, [refresh] { refresh(Reviewed); });
    connect(state, &ProofreadState::shownChanged, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
    rebuild();
}

void TrackTableModel::rebuild() {
    auto rows = std::make_shared<Rows>();
    rows->summaries = m_summaries;
    rows->names = m_names;
    rows->issues = m_issues;
    rows->videoFrames = m_videoFrames;
    rows->firstNumber = m_firstNumber;
    for (const TrackSummary& s : m_summaries->tracks) {
        rows->reviewed.push_back(m_state->isReviewed(s.track));
        rows->inks.push_back(m_state->inkOf(s.track));
    }
    m_rows = std::move(rows);
}

void TrackTableModel::setTracks(TrackSummaries summaries, std::vector<QString> names, std::int64_t videoFrames) {
    const auto sameTracks = [&] {
        return std::equal(summaries.tracks.begin(), summaries.tracks.end(), m_summaries->tracks.begin(),
                          m_summaries->tracks.end(),
                          [](const TrackSummary& a, const TrackSummary& b) { return a.track == b.track; });
    };
    // As long as the rows are the same ones, what is selected and the order stay.
    const bool same = sameTracks();
    if (!same)
        beginResetModel();
    m_summaries = std::make_shared<TrackSummaries>(std::move(summaries));
    m_names = std::make_shared<std::vector<QString>>(std::move(names));
    m_videoFrames = videoFrames;
    rebuild();
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void TrackTableModel::setIssues(std::vector<int> openIssues, std::int64_t all) {
    if (openIssues == m_issues && all == m_allIssues)
        return;
    m_allIssues = all;
    m_issues = std::move(openIssues);
    rebuild();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Issues), index(rowCount() - 1, Issues));
}

void TrackTableModel::setFirstFrameNumber(int number) {
    if (std::exchange(m_firstNumber, number) == number)
        return;
    rebuild();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, First), index(rowCount() - 1, Last));
}

int TrackTableModel::trackOf(int row) const {
    return row >= 0 && row < rowCount() ? m_rows->at(row).track : -1;
}

int TrackTableModel::rowOf(int track) const {
    const auto& tracks = m_summaries->tracks;
    const auto it = std::lower_bound(tracks.begin(), tracks.end(), track,
                                     [](const TrackSummary& s, int key) { return s.track < key; });
    return it != tracks.end() && it->track == track ? static_cast<int>(it - tracks.begin()) : -1;
}

const TrackSummary& TrackTableModel::summary(int row) const {
    return m_rows->at(row);
}

QString TrackTableModel::totals() const {
    std::int64_t frames = 0, gaps = 0, user = 0, reviewed = 0;
    for (int row = 0; row < rowCount(); ++row) {
        frames += m_rows->at(row).frames;
        gaps += m_rows->at(row).gaps();
        user += m_rows->at(row).userFrames;
        reviewed += m_rows->reviewed[static_cast<std::size_t>(row)] ? 1 : 0;
    }
    QStringList parts{text::count(rowCount(), tr("track"), tr("tracks")),
                      text::count(frames, tr("tracked instance"), tr("tracked instances")),
                      text::count(gaps, tr("gap"), tr("gaps"))};
    if (user > 0)
        parts << tr("%1 by people").arg(text::number(user));
    if (m_allIssues > 0)
        parts << text::count(m_allIssues, tr("open issue"), tr("open issues"));
    parts << tr("%1 reviewed").arg(text::number(reviewed));
    return parts.join(QStringLiteral(" \u00b7 "));
}

int TrackTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows->count();
}

int TrackTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

std::shared_ptr<const TableRows> TrackTableModel::rowsForWorker() const {
    return m_rows;
}

Qt::ItemFlags TrackTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Name)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool TrackTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || index.column() != Name || name.isEmpty() || !rename ||
        name == m_rows->name(index.row()))
        return false;
    rename(trackOf(index.row()), name);
    return true;
}

QVariant TrackTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const int row = index.row(), column = index.column();
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return m_rows->text(row, column);
        case Qt::TextAlignmentRole:
            return QVariant((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::DecorationRole:
            if (column == Color) {
                QPixmap swatch(kSwatch, kSwatch);
                swatch.fill(theme::trackColor(m_rows->inks[static_cast<std::size_t>(row)]));
                return swatch;
            }
            if (column == Reviewed && m_rows->reviewed[static_cast<std::size_t>(row)])
                return icon(QStringLiteral("check"), theme::tokens().good);
            return {};
        case Qt::ForegroundRole:
            return m_state->isShown(trackOf(row)) ? QVariant() : QVariant(theme::tokens().disabled);
        case Qt::ToolTipRole:
            if (column == Name)
                return m_state->isShown(trackOf(row)) ? m_rows->name(row) : tr("%1 is hidden").arg(m_rows->name(row));
            return {};
        default:
            return {};
    }
}

QVariant TrackTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const struct {
        QString title, tip;
    } columns[ColumnCount] = {
        {QString(), tr("Colour of the track")},
        {tr("Track"), tr("Name; double-click goes to its first frame, with Shift to its last; F2 renames")},
        {tr("First"), tr("First frame")},
        {tr("Last"), tr("Last frame")},
        {tr("Frames"), tr("Frames on which it is there")},
        {tr("Cover %"), tr("Frames on which it is there, in percent of the video")},
        {tr("Parts"), tr("Runs of frames without a pause")},
        {tr("Gaps"), tr("Pauses between them")},
        {tr("Longest gap"), tr("Frames of the longest pause")},
        {tr("Score"), tr("Mean score of its predictions")},
        {tr("Least score"), tr("Lowest score of its predictions")},
        {tr("Tracking"), tr("Mean tracking score")},
        {tr("User"), tr("Frames that a person labelled")},
        {tr("Speed"), tr("Mean speed of the centre, px a frame")},
        {tr("Jump"), tr("Longest step of the centre from one frame to the next, px")},
        {tr("Jump (bodies)"), tr("The same in body lengths (median diagonal of the instances' boxes)")},
        {tr("Near"), tr("Times that another animal was nearer than half a body length")},
        {tr("Issues"), tr("Open issues")},
        {tr("Reviewed"), tr("A person looked it through (Ctrl+Return)")}};
    if (role == Qt::ToolTipRole)
        return columns[section].tip;
    return role == Qt::DisplayRole ? QVariant(columns[section].title) : QVariant();
}

}  // namespace skein::ui
