// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/found_videos.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <array>
#include <utility>

#include "engine/batch/entry_list.h"
#include "engine/video/video_source.h"
#include "ui/bridge/background.h"
#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

struct Found {
    std::vector<FoundVideo> videos;
    qint64 leftOut = 0;
    QString problem;
};

Found videosAmong(const QStringList& paths, bool subfolders) {
    Found found;
    auto add = [&found, seen = QSet<QString>()](const QString& path, const QString& name) mutable {
        if (seen.contains(path))
            return;
        seen.insert(path);
        FoundVideo& video = found.videos.emplace_back();
        video.path = path;
        video.name = name;
    };
    for (const QString& path : paths) {
        const QFileInfo info(path);
        if (!info.isDir()) {
            add(info.absoluteFilePath(), info.fileName());
            continue;
        }
        const QDir folder(info.absoluteFilePath());
        const auto videos = batch::videosIn(text::toPath(folder.path()),
                                            subfolders ? batch::Subfolders::Take : batch::Subfolders::LeaveOut);
        if (!videos) {
            found.problem = QString::fromStdString(videos.error().message());
            continue;
        }
        found.leftOut += videos->leftOut;
        for (const auto& video : videos->videos)
            add(text::fromPath(video), folder.relativeFilePath(text::fromPath(video)));
        if (videos->videos.empty())
            found.problem = FoundVideos::tr("The folder %1 holds no video that Skein knows.").arg(text::tidyPath(path));
    }
    return found;
}

FoundVideo lookedAt(FoundVideo video, std::stop_token stop) {
    video::OpenOptions options;
    options.stop = std::move(stop);
    const auto source = video::openVideo(text::toPath(video.path), std::move(options));
    video.looked = true;
    if (source) {
        video.frames = (*source)->frameCount();
        if (const auto cut = (*source)->cutEnd())
            video.warning = QString::fromStdString(cut->sentence);
        video.width = (*source)->width();
        video.height = (*source)->height();
    } else {
        video.problem = QString::fromStdString(source.error().message());
    }
    return video;
}

}  // namespace

FoundVideos::~FoundVideos() {
    m_stop.request_stop();
}

void FoundVideos::look(const QStringList& paths, bool subfolders) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_searching = true;
    m_leftOut = 0;
    m_problem.clear();
    beginResetModel();
    m_videos.clear();
    m_next = 0;
    endResetModel();
    const quint64 question = ++m_question;
    Q_EMIT changed();
    inBackground(
        this, [paths, subfolders]() -> Result<Found> { return videosAmong(paths, subfolders); },
        [this, question](Result<Found> found) {
            if (question != m_question)
                return;
            m_searching = false;
            beginResetModel();
            if (found) {
                m_problem = found->problem;
                m_leftOut = found->leftOut;
                m_videos = std::move(found->videos);
            } else {
                m_problem = QString::fromStdString(found.error().message());
            }
            endResetModel();
            Q_EMIT changed();
            openNext();
        });
}

void FoundVideos::openNext() {
    if (m_next >= m_videos.size())
        return;
    inBackground(
        this,
        [video = m_videos[m_next], stop = m_stop.get_token()]() -> Result<FoundVideo> { return lookedAt(video, stop); },
        [this, question = m_question](Result<FoundVideo> looked) {
            if (question != m_question)
                return;
            FoundVideo& video = m_videos[m_next];
            if (looked) {
                looked->use = video.use;
                looked->result = video.result;
                looked->exists = video.exists;
                video = std::move(*looked);
            } else {
                video.looked = true;
                video.problem = QString::fromStdString(looked.error().message());
            }
            video.use = video.use && video.problem.isEmpty();
            const int row = static_cast<int>(m_next++);
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
            Q_EMIT changed();
            openNext();
        });
}

std::vector<FoundVideo> FoundVideos::used() const {
    std::vector<FoundVideo> used;
    for (const FoundVideo& video : m_videos)
        if (video.use)
            used.push_back(video);
    return used;
}

void FoundVideos::setUsed(int row, bool use) {
    m_videos[static_cast<std::size_t>(row)].use = use;
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    Q_EMIT changed();
}

void FoundVideos::setResults(const QStringList& names, const std::vector<bool>& exist) {
    std::size_t next = 0;
    for (FoundVideo& video : m_videos) {
        const bool has = video.use && next < static_cast<std::size_t>(names.size());
        video.result = has ? names[static_cast<int>(next)] : QString();
        video.exists = has && next < exist.size() && exist[next];
        next += has ? 1 : 0;
    }
    if (!m_videos.empty())
        Q_EMIT dataChanged(index(0, Output), index(rowCount() - 1, Output));
}

int FoundVideos::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_videos.size());
}

int FoundVideos::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FoundVideos::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const FoundVideo& video = m_videos[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool bad = !video.problem.isEmpty();
    switch (role) {
        case Qt::CheckStateRole:
            return column == Name ? QVariant(video.use ? Qt::Checked : Qt::Unchecked) : QVariant();
        case Qt::ToolTipRole:
            return ((column == Output && !bad && !video.result.isEmpty() ? video.result : video.path) +
                    QLatin1Char('\n') + (bad ? video.problem : video.warning))
                .trimmed();
        case Qt::TextAlignmentRole:
            return int((column == Frames || column == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return !video.use && !bad ? QVariant(theme::tokens().text2) : QVariant();
        case Qt::DecorationRole:
            if (column != Output)
                return {};
            if (bad)
                return icon(QStringLiteral("error"), theme::tokens().bad);
            if (!video.warning.isEmpty())
                return icon(QStringLiteral("warning"), theme::tokens().warn);
            return video.exists ? QVariant(icon(QStringLiteral("info"), theme::tokens().text2)) : QVariant();
        case Qt::DisplayRole:
            switch (column) {
                case Name:
                    return video.name;
                case Frames:
                    return video.frames > 0 ? text::number(video.frames)
                           : video.looked   ? QString()
                                            : QStringLiteral("…");
                case Size:
                    return video.width > 0 ? QStringLiteral("%1 × %2").arg(video.width).arg(video.height) : QString();
                case Output:
                    return bad ? video.problem : video.exists ? tr("%1, is there").arg(video.result) : video.result;
                default:
                    return {};
            }
        default:
            return {};
    }
}

bool FoundVideos::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || index.column() != Name)
        return false;
    setUsed(index.row(), value.toInt() == Qt::Checked);
    return true;
}

QVariant FoundVideos::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<const char*, ColumnCount> kTitles = {QT_TR_NOOP("Video"), QT_TR_NOOP("Frames"),
                                                                 QT_TR_NOOP("Size"), QT_TR_NOOP("Result")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return tr(kTitles[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return int((section == Frames || section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags FoundVideos::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Name)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace skein::ui
