// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFileInfo>

#include "engine/formats/slp.h"
#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/bridge/video_opener.h"
#include "ui/document.h"
#include "ui/text.h"

// What Document does with the project's own file and with the list of videos.
namespace skein::ui {

void Document::replaceVideo(int index, const QString& path) {
    project::Video video = labels().videos().at(static_cast<std::size_t>(index));
    video.filename = QDir::fromNativeSeparators(QFileInfo(path).absoluteFilePath()).toStdString();
    video.imageFiles.clear();
    replaceVideos(tr("Replace video by %1").arg(QFileInfo(path).fileName()), {{index, video}});
    wantVideo(index);
}

void Document::replaceVideos(const QString& title, const std::vector<std::pair<int, project::Video>>& videos) {
    project::Labels next = snapshot();
    for (const auto& [index, video] : videos)
        next.editVideos().at(static_cast<std::size_t>(index)) = video;
    commit(title, std::move(next), {ChangeKind::Videos, 0, 0, -1});
    lookForVideos();
}

void Document::replaceAll(const QString& title, project::Labels next) {
    commit(title, std::move(next), Change{});
    lookForVideos();
}

void Document::addVideoEntries(const QString& title, std::vector<project::Video> videos) {
    project::Labels next = m_open ? snapshot() : project::Labels();
    for (project::Video& video : videos)
        next.editVideos().push_back(std::move(video));
    if (m_open) {
        commit(title, std::move(next), {ChangeKind::Videos, 0, 0, -1});
    } else {
        Start start;
        start.state = {std::move(next), ++m_lastRevision};
        reset(std::move(start));
    }
    lookForVideos();
}

/// Where the videos lie that came in without anybody having looked for them.
void Document::lookForVideos() {
    inBackground(
        this,
        [labels = snapshot(), project = m_path]() -> Result<std::vector<VideoState>> {
            std::vector<VideoState> states;
            for (std::uint32_t i = 0; i < labels.videos().size(); ++i)
                states.push_back(findVideo(labels, i, project));
            return states;
        },
        [this, keys = m_videoKeys, generation = m_generation](Result<std::vector<VideoState>> result) {
            if (!result || generation != m_generation || keys != m_videoKeys)
                return;
            for (std::size_t i = 0; i < m_videos.size(); ++i)
                if (m_videos[i].kind == VideoState::Kind::Looking) {
                    m_videos[i] = std::move((*result)[i]);
                    Q_EMIT videoStateChanged(static_cast<int>(i));
                }
        });
}

void Document::takeFromDisk(const QString& title, project::Labels labels, const FileStamp& stamp) {
    m_savedLabels = labels;
    m_stamp = stamp;
    commit(title, std::move(labels), Change{});
    m_savedRevision = m_state.revision;
    m_savedIsOnDisk = true;
    updateModified();
    lookForVideos();
    Q_EMIT savedLabelsChanged();
}

void Document::acceptFile(const FileStamp& stamp) {
    m_stamp = stamp;
    m_savedLabels = project::Labels();
    m_savedIsOnDisk = false;
    m_savedRevision = ++m_lastRevision;
    updateModified();
    Q_EMIT savedLabelsChanged();
}

/// How a save went.
struct Document::Saved {
    Result<formats::SaveReport> report;
    project::Labels labels;
    std::shared_ptr<FileStamp> stamp;
    std::shared_ptr<bool> conflict, backedUp;
    std::uint64_t revision = 0, generation = 0;
};

void Document::save(const QString& path, bool overwrite) {
    if (m_saving)
        return;
    m_saving = true;
    Q_EMIT busyChanged();
    project::Labels labels = snapshot();
    fillVideoFacts(labels);
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const bool own = absolute == m_path && m_stamp.exists();
    Saved saved{formats::SaveReport(),
                labels,
                std::make_shared<FileStamp>(),
                std::make_shared<bool>(false),
                std::make_shared<bool>(false),
                m_state.revision,
                m_generation};
    auto progress = throttled(this, [this](double fraction) { Q_EMIT saveProgress(fraction); });
    // A file that the person just named is nobody's work of this session.
    const bool backUp = m_keepsBackups && !m_backedUp.contains(absolute);
    FileListener listener = saveBegins ? saveBegins(labels) : FileListener();
    auto replacing = [absolute, own, overwrite, known = m_stamp, backUp, listener, stamp = saved.stamp,
                      conflict = saved.conflict,
                      backedUp = saved.backedUp](const std::filesystem::path& fresh) -> Result<void> {
        const std::filesystem::path target = text::toPath(absolute);
        if (own && !overwrite) {
            const auto now = stampOf(target);
            *conflict = now && !now->sameContent(known);
            if (*conflict)
                return fail(ErrorCode::Io, "The file " + target.string() + " was changed by another program.");
        }
        auto made = stampOf(fresh);
        if (!made)
            return fail(std::move(made.error()));
        *stamp = *made;
        if (backUp) {
            if (auto kept = keepBackup(target); !kept)
                return kept;
            *backedUp = true;
        }
        if (listener)
            listener(*made);
        return {};
    };
    inBackground(
        this,
        [labels = std::move(labels), absolute, progress, replacing]() -> Result<formats::SaveReport> {
            formats::SaveReport report;
            formats::SlpWriteOptions options;
            options.progress = [&progress](std::string_view, double fraction) { progress(fraction); };
            options.beforeReplacing = replacing;
            auto written = formats::writeSlp(labels, text::toPath(absolute), options, &report);
            if (!written)
                return fail(std::move(written.error()));
            return report;
        },
        [this, absolute, saved = std::move(saved)](Result<formats::SaveReport> result) mutable {
            saved.report = std::move(result);
            saveEnded(absolute, std::move(saved));
        });
}

void Document::saveEnded(const QString& path, Saved saved) {
    m_saving = false;
    if (!saved.report) {
        Q_EMIT busyChanged();
        if (*saved.conflict)
            Q_EMIT saveConflict(path);
        else
            Q_EMIT saveFailed(path, toUiError(saved.report.error()));
        return;
    }
    if (*saved.backedUp)
        m_backedUp.insert(path);
    if (saved.generation == m_generation) {
        formats::noteSaved(saved.labels, text::toPath(path));
        formats::noteSaved(m_state.labels, text::toPath(path));
        m_savedLabels = std::move(saved.labels);
        m_stamp = *saved.stamp;
        m_savedIsOnDisk = true;
        m_writtenTo = path;
        m_savedRevision = saved.revision;
        m_readOnlyReason.clear();
        m_path = path;
        Q_EMIT busyChanged();
        updateModified();
        Q_EMIT pathChanged();
    } else {
        Q_EMIT busyChanged();
    }
    Q_EMIT fileTouched(path);
    Q_EMIT this->saved(path);
    QStringList lines;
    for (const std::string& warning : saved.report->warnings)
        lines << QString::fromStdString(warning);
    if (!lines.isEmpty()) {
        const QString first = lines.takeFirst();
        Q_EMIT warned({first, lines.join(QLatin1Char('\n'))});
    }
}

/// `opened`: how many of the same choice were opened.
void Document::tellUnreadable(const std::vector<UiError>& unreadable, std::int64_t opened) {
    if (unreadable.empty())
        return;
    if (unreadable.size() == 1) {
        Q_EMIT failed(unreadable.front());
        return;
    }
    QStringList reasons;
    for (const UiError& error : unreadable)
        reasons << error.message;
    const auto count = static_cast<std::int64_t>(unreadable.size());
    Q_EMIT failed({tr("%1 of %2 cannot be read and were left out.")
                       .arg(text::number(count), text::count(count + opened, tr("video"), tr("videos"))),
                   reasons.join(QLatin1Char('\n'))});
}

}  // namespace skein::ui
