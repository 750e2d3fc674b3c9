// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/formats/video_path.h"
#include "engine/video/video_source.h"
#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/bridge/video_opener.h"
#include "ui/text.h"

namespace skein::ui {

namespace {

std::uint64_t nextSerial() {
    static std::uint64_t last = 0;
    return ++last;
}

/// What a video is known by across undo and redo.
QString keyOf(const project::Video& video) {
    const QLatin1String gray(!video.grayscale ? "" : *video.grayscale ? "|grey" : "|colour");
    return QString::fromStdString(video.filename) + QLatin1Char('|') + QString::fromStdString(video.dataset) + gray;
}

UiError warningOf(const video::VideoSource& source) {
    QStringList lines;
    for (const std::string& warning : source.warnings())
        lines << QString::fromStdString(warning);
    if (lines.isEmpty())
        return {};
    const QString first = lines.takeFirst();
    return {first, lines.join(QLatin1Char('\n'))};
}

}  // namespace

/// A source with what the GUI wants to know of it, so that the GUI thread itself asks it nothing costly.
struct Document::OpenedVideo {
    std::shared_ptr<video::VideoSource> source;
    VideoState::Kind kind = VideoState::Kind::Ready;
    UiError problem;
    QString path;
};

Document::Document(QObject* parent) : QObject(parent), m_undo(new QUndoStack(this)) {
    qRegisterMetaType<Change>();
    qRegisterMetaType<UiError>();
    qRegisterMetaType<StepPlace>();
    m_undo->setUndoLimit(0);
}

Document::~Document() {
    m_stopOpening.request_stop();
    // The stack empties itself when it goes; whoever listened to it is half gone by then.
    m_undo->blockSignals(true);
}

QString Document::displayName() const {
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    if (videoCount() > 0)
        return videoName(0);
    return tr("Untitled");
}

const VideoState& Document::videoState(int video) const {
    SKEIN_EXPECTS(video >= 0 && video < static_cast<int>(m_videos.size()), "video outside the project");
    return m_videos[static_cast<std::size_t>(video)];
}

QString Document::videoName(int video) const {
    const project::Video& v = labels().videos().at(static_cast<std::size_t>(video));
    // Images that make up a video are known by their folder.
    const auto slash = v.filename.find_last_of('/');
    const std::string folder = v.imageFiles.empty() || slash == std::string::npos
                                   ? std::string()
                                   : formats::storedBaseName(v.filename.substr(0, slash));
    const QString name = QString::fromStdString(folder.empty() ? formats::storedBaseName(v.filename) : folder);
    return v.dataset.empty()
               ? name
               : tr("%1, %2").arg(name, QString::fromStdString(v.dataset).section(QLatin1Char('/'), 0, 0));
}

std::int64_t Document::frameCount(int video) const {
    const auto index = static_cast<std::uint32_t>(video);
    const VideoState& state = videoState(video);
    std::int64_t count = labels().videos()[index].frameCount;
    if (state.source)
        count = state.source->frameCount();
    else if (const auto last = labels().previousFrame(index, std::numeric_limits<std::int64_t>::max()))
        // Without the pictures the labels are all there is, and every one of them shall be within reach.
        count = std::max(count, labels().frame(*last).frameIndex() + 1);
    return std::max<std::int64_t>(count, 0);
}

void Document::close() {
    Start start;
    start.state.revision = ++m_lastRevision;
    start.open = false;
    reset(std::move(start));
}

void Document::reset(Start start) {
    m_stopOpening.request_stop();
    m_stopOpening = {};
    ++m_generation;
    m_undo->clear();
    m_state = std::move(start.state);
    m_savedRevision = start.saved ? ++m_lastRevision : m_state.revision;
    m_path = start.path;
    m_stamp = start.stamp;
    m_savedIsOnDisk = start.stamp.exists();
    m_savedLabels = start.saved ? std::move(*start.saved) : start.path.isEmpty() ? project::Labels() : m_state.labels;
    m_writtenTo.clear();
    m_open = start.open;
    m_readOnlyReason = start.readOnlyReason;
    m_parkedVideos.clear();
    m_videos = std::move(start.videos);
    m_videoKeys.clear();
    for (const project::Video& video : labels().videos())
        m_videoKeys.push_back(keyOf(video));
    m_videos.resize(m_videoKeys.size());
    updateModified();
    Q_EMIT pathChanged();
    Q_EMIT opened();
}

void Document::openProject(const QString& path) {
    struct Opened {
        project::Labels labels;
        std::vector<VideoState> videos;
        formats::LoadReport report;
        FileStamp stamp;
        bool writable = true;
    };
    setOpeningTasks(m_openingTasks + 1);
    const QString absolute = QFileInfo(path).absoluteFilePath();
    inBackground(
        this,
        [absolute]() -> Result<Opened> {
            Opened opened;
            // Before it is read: whoever changes it meanwhile is noticed afterwards.
            if (auto stamp = stampOf(text::toPath(absolute)))
                opened.stamp = *stamp;
            auto labels = formats::readSlp(text::toPath(absolute), &opened.report);
            if (!labels)
                return fail(std::move(labels.error()));
            opened.labels = std::move(*labels);
            for (std::uint32_t i = 0; i < opened.labels.videos().size(); ++i)
                opened.videos.push_back(findVideo(opened.labels, i, absolute));
            opened.writable = QFileInfo(absolute).isWritable();
            return opened;
        },
        [this, absolute](Result<Opened> result) {
            setOpeningTasks(m_openingTasks - 1);
            if (!result) {
                Q_EMIT failed(toUiError(result.error()));
                return;
            }
            const QString name = QFileInfo(absolute).fileName();
            QString reason;
            if (result->report.isNewer)
                reason = tr("%1 was written by a newer version. Changes can be saved under another name; what is not "
                            "understood is kept.")
                             .arg(name);
            else if (!result->writable)
                reason = tr("%1 is write-protected. Changes can be saved under another name.").arg(name);
            Start start;
            start.state = {std::move(result->labels), ++m_lastRevision};
            start.videos = std::move(result->videos);
            start.path = absolute;
            start.readOnlyReason = reason;
            start.stamp = result->stamp;
            reset(std::move(start));
            Q_EMIT fileTouched(absolute);
            if (!result->report.warnings.empty()) {
                QStringList lines;
                for (const std::string& warning : result->report.warnings)
                    lines << QString::fromStdString(warning);
                const QString first = lines.takeFirst();
                Q_EMIT warned({first, lines.join(QLatin1Char('\n'))});
            }
        });
}

void Document::openVideos(const QStringList& paths) {
    openVideoFiles(paths, true);
}
void Document::addVideos(const QStringList& paths) {
    openVideoFiles(paths, !m_open);
}

void Document::openVideoFiles(const QStringList& paths, bool asNewProject) {
    struct File {
        QString path;
        Result<std::shared_ptr<video::VideoSource>> source;
    };
    setOpeningTasks(m_openingTasks + 1);
    inBackground(
        this,
        [paths, decoder = m_decoder, stop = m_stopOpening.get_token()]() -> Result<std::vector<File>> {
            std::vector<File> files;
            for (const QString& path : paths) {
                const QString absolute = QFileInfo(path).absoluteFilePath();
                video::OpenOptions options;
                options.stop = stop;
                options.decoder = decoder;
                files.push_back({absolute, video::openVideo(text::toPath(absolute), options)});
                if (files.back().source)
                    (*files.back().source)->release();
            }
            return files;
        },
        [this, asNewProject, generation = m_generation](Result<std::vector<File>> result) {
            setOpeningTasks(m_openingTasks - 1);
            if (!result) {
                Q_EMIT failed(toUiError(result.error()));
                return;
            }
            if (!asNewProject && generation != m_generation)
                return;  // meant for a project that is no longer there
            project::Labels next = asNewProject ? project::Labels() : snapshot();
            std::vector<VideoState> states;
            std::vector<UiError> unreadable;
            for (File& file : *result) {
                if (!file.source) {
                    if (file.source.error().code() != ErrorCode::Cancelled)
                        unreadable.push_back(toUiError(file.source.error()));
                    continue;
                }
                project::Video video;
                video.filename = QDir::fromNativeSeparators(file.path).toStdString();
                if (QFileInfo(file.path).isDir())
                    for (const auto& image : video::imagesIn(text::toPath(file.path)))
                        video.imageFiles.push_back(image.string());
                VideoState state;
                state.kind = VideoState::Kind::Ready;
                state.source = *file.source;
                state.serial = nextSerial();
                state.path = file.path;
                state.problem = warningOf(*state.source);
                next.editVideos().push_back(std::move(video));
                states.push_back(std::move(state));
            }
            const auto opened = static_cast<std::int64_t>(states.size());
            if (opened == 0)
                return tellUnreadable(unreadable, opened);
            const int firstNew = static_cast<int>(next.videos().size() - states.size());
            if (asNewProject) {
                Start start;
                start.state = {std::move(next), ++m_lastRevision};
                start.videos = std::move(states);
                reset(std::move(start));
                fillVideoFacts(m_state.labels);
            } else {
                for (std::size_t i = 0; i < states.size(); ++i)
                    m_parkedVideos[keyOf(next.videos()[static_cast<std::size_t>(firstNew) + i])] = std::move(states[i]);
                const int added = static_cast<int>(next.videos().size()) - firstNew;
                const QString what =
                    added == 1 ? QString::fromStdString(formats::storedBaseName(next.videos().back().filename))
                               : text::count(added, tr("video"), tr("videos"));
                commit(tr("Add %1").arg(what), std::move(next), {ChangeKind::Videos, 0, 0, -1});
            }
            for (int i = firstNew; i < videoCount(); ++i) {
                Q_EMIT videoStateChanged(i);
                Q_EMIT fileTouched(videoState(i).path);
            }
            // Last: a project that opens takes away what was said before it.
            tellUnreadable(unreadable, opened);
        });
}

void Document::wantVideo(int index) {
    VideoState& state = m_videos.at(static_cast<std::size_t>(index));
    if (state.kind == VideoState::Kind::Ready || state.kind == VideoState::Kind::Opening)
        return;
    state.kind = VideoState::Kind::Opening;
    state.problem = {};
    state.progress = 0;
    Q_EMIT videoStateChanged(index);
    const QString key = m_videoKeys[static_cast<std::size_t>(index)];
    const auto generation = m_generation;
    auto progress = throttled(this, [this, key, generation](double fraction) {
        const auto it = std::find(m_videoKeys.begin(), m_videoKeys.end(), key);
        if (generation != m_generation || it == m_videoKeys.end())
            return;
        const auto place = it - m_videoKeys.begin();
        m_videos[static_cast<std::size_t>(place)].progress = fraction;
        Q_EMIT videoStateChanged(static_cast<int>(place));
    });
    setOpeningTasks(m_openingTasks + 1);
    inBackground(
        this,
        [labels = snapshot(), index, project = m_path, decoder = m_decoder, stop = m_stopOpening.get_token(),
         progress]() -> Result<OpenedVideo> {
            OpenedVideo opened;
            const auto video = static_cast<std::uint32_t>(index);
            const VideoState found = findVideo(labels, video, project);
            opened.path = found.path;
            opened.kind = found.kind;
            opened.problem = found.problem;
            if (found.kind == VideoState::Kind::Missing)
                return opened;
            video::OpenOptions options;
            options.stop = stop;
            options.progress = progress;
            options.decoder = decoder;
            auto source = formats::openProjectVideo(labels, video, text::toPath(project), options);
            if (!source && source.error().code() == ErrorCode::Cancelled)
                return fail(std::move(source.error()));
            if (!source) {
                opened.kind = source.error().code() == ErrorCode::NotFound ? VideoState::Kind::Missing
                                                                           : VideoState::Kind::Unreadable;
                opened.problem = toUiError(source.error());
                return opened;
            }
            opened.kind = VideoState::Kind::Ready;
            opened.problem = warningOf(**source);
            opened.source = std::move(*source);
            opened.source->release();
            return opened;
        },
        [this, key, generation](Result<OpenedVideo> result) {
            setOpeningTasks(m_openingTasks - 1);
            const auto it = std::find(m_videoKeys.begin(), m_videoKeys.end(), key);
            if (generation != m_generation || it == m_videoKeys.end())
                return;
            OpenedVideo opened;
            if (result)
                opened = std::move(*result);
            else {
                opened.kind = VideoState::Kind::Unreadable;
                opened.problem = toUiError(result.error());
            }
            finishVideo(static_cast<int>(it - m_videoKeys.begin()), key, std::move(opened));
        });
}

void Document::finishVideo(int index, const QString&, OpenedVideo opened) {
    VideoState& state = m_videos[static_cast<std::size_t>(index)];
    state.kind = opened.kind;
    state.problem = opened.problem;
    state.path = opened.path;
    state.source = std::move(opened.source);
    state.serial = state.source ? nextSerial() : 0;
    state.progress = 1;
    if (state.source && state.problem.message.isEmpty())
        state.problem = otherVideo(index, *state.source);
    fillVideoFacts(m_state.labels);
    Q_EMIT videoStateChanged(index);
}

/// A warning when what lies under the video's name cannot be what was labelled: another size, or too short.
UiError Document::otherVideo(int index, const video::VideoSource& source) const {
    const auto video = static_cast<std::uint32_t>(index);
    const project::Video& stored = labels().videos()[video];
    const bool size = stored.width > 0 && stored.height > 0 && stored.dataset.empty() &&
                      (stored.width != source.width() || stored.height != source.height());
    const auto last = labels().previousFrame(video, std::numeric_limits<std::int64_t>::max());
    const std::int64_t needed = last ? labels().frame(*last).frameIndex() + 1 : 0;
    if (!size && needed <= source.frameCount())
        return {};
    QStringList words;
    if (size)
        words << tr("it has %1 \u00d7 %2 pixels instead of %3 \u00d7 %4")
                     .arg(source.width())
                     .arg(source.height())
                     .arg(stored.width)
                     .arg(stored.height);
    if (needed > source.frameCount())
        words << tr("it has %1 frames and there are labels up to the %2th")
                     .arg(text::number(source.frameCount()), text::number(needed));
    return {tr("%1 is not the video that was labelled: %2. Find the right one with File > Find Videos.")
                .arg(videoName(index), words.join(tr(", and "))),
            {}};
}

/// Frame counts and sizes of videos that came in without them; what a file said is never changed.
void Document::fillVideoFacts(project::Labels& labels) const {
    for (std::size_t i = 0; i < m_videos.size() && i < labels.videos().size(); ++i) {
        const auto& source = m_videos[i].source;
        if (!source || labels.videos()[i].frameCount != 0 || labels.videos()[i].height != 0)
            continue;
        project::Video& video = labels.editVideos()[i];
        video.frameCount = source->frameCount();
        video.height = source->height();
        video.width = source->width();
        video.channels = source->channels();
        video.fps = source->fps();
    }
}

void Document::syncVideos() {
    for (std::size_t i = 0; i < m_videos.size(); ++i)
        m_parkedVideos[m_videoKeys[i]] = std::move(m_videos[i]);
    m_videos.clear();
    m_videoKeys.clear();
    for (const project::Video& video : labels().videos()) {
        const QString key = keyOf(video);
        m_videoKeys.push_back(key);
        const auto parked = m_parkedVideos.find(key);
        m_videos.push_back(parked == m_parkedVideos.end() ? VideoState{} : parked->second);
    }
    fillVideoFacts(m_state.labels);
}

void Document::updateModified() {
    if (isModified() == m_lastModified)
        return;
    m_lastModified = isModified();
    Q_EMIT modifiedChanged(m_lastModified);
}

void Document::setOpeningTasks(int tasks) {
    m_openingTasks = tasks;
    Q_EMIT busyChanged();
}

}  // namespace skein::ui
