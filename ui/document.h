// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QFlags>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/base/file_stamp.h"
#include "engine/project/labels.h"
#include "engine/video/decoder_choice.h"
#include "ui/ui_error.h"

namespace skein::video {
class VideoSource;
}

namespace skein::ui {

enum class ChangeKind : unsigned {
    Frames = 1,        ///< instances on frames came, went or moved
    Tracks = 2,        ///< the list of tracks
    Videos = 4,        ///< the list of videos
    Skeletons = 8,     ///< the list of skeletons
    Suggestions = 16,  ///< the list of suggested frames
    All = 31
};
Q_DECLARE_FLAGS(ChangeKinds, ChangeKind)

/// What differs since the last signal. Frames `first` to `last`, both included, of one video; last < 0: all frames of
/// all videos.
struct Change {
    ChangeKinds kinds = ChangeKind::All;
    std::uint32_t video = 0;
    std::int64_t first = 0;
    std::int64_t last = -1;

    [[nodiscard]] bool touches(std::uint32_t aVideo, std::int64_t frame) const {
        return kinds.testFlag(ChangeKind::Frames) && (last < 0 || (aVideo == video && frame >= first && frame <= last));
    }
};

/// What a person looked at when an edit was made: undo and redo go back there.
struct StepPlace {
    int video = -1;
    std::int64_t frame = 0;
    std::vector<project::InstanceId> selection;
};

/// A video's pixels, as far as they are known. Files are opened in the background, and only when somebody wants them:
/// opening reads a whole file, and a project may have hundreds.
struct VideoState {
    enum class Kind { Looking, Found, Opening, Ready, Missing, Unreadable };
    Kind kind = Kind::Looking;
    double progress = 0;  ///< of the index scan while Opening, 0 to 1
    UiError problem;      ///< Missing, Unreadable; also a warning of a damaged but usable file while Ready
    QString path;         ///< where the file was found, or looked for
    /// When Ready. Nobody reads from it: each reader takes its own by openAnother().
    std::shared_ptr<video::VideoSource> source;
    std::uint64_t serial = 0;  ///< of the source, unique in this process: a key for caches
};

/// A project as it is read from a journal: unsaved work on a file, or on none.
struct RecoveredProject {
    QString path;          ///< of the file; empty: it was never saved
    project::Labels base;  ///< as the file holds them
    FileStamp stamp;       ///< of the file
    project::Labels labels;
    struct Step {
        QString title;
        QDateTime time;
        project::Labels labels;  ///< after it
    };
    std::vector<Step> steps = {};  ///< from `base` to `labels`; empty: there is nothing to take back
};

/// The open project: owns the labels, the undo stack and the opened videos. GUI thread only; nothing here blocks. Files
/// are read and written by workers that get copies in and hand values out.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    [[nodiscard]] const project::Labels& labels() const { return m_state.labels; }
    /// For a worker: a copy costs a few pointers.
    [[nodiscard]] project::Labels snapshot() const { return m_state.labels; }
    [[nodiscard]] QUndoStack* undoStack() const { return m_undo; }
    /// As the file at path() holds them; empty while there is none.
    [[nodiscard]] const project::Labels& savedLabels() const { return m_savedLabels; }
    /// Stamp of the file that holds savedLabels(); none when no file does.
    [[nodiscard]] FileStamp savedStamp() const { return m_savedIsOnDisk ? m_stamp : FileStamp(); }
    /// Of the file at path() when it was read or written last.
    [[nodiscard]] const FileStamp& fileStamp() const { return m_stamp; }

    [[nodiscard]] QString path() const { return m_path; }  ///< of the .slp; empty: never saved
    [[nodiscard]] QString displayName() const;             ///< for the title bar
    [[nodiscard]] bool isOpen() const { return m_open; }   ///< false: the empty state
    [[nodiscard]] bool isModified() const { return m_state.revision != m_savedRevision; }
    [[nodiscard]] bool isReadOnly() const { return !m_readOnlyReason.isEmpty(); }
    [[nodiscard]] QString readOnlyReason() const { return m_readOnlyReason; }  ///< Save As is still possible
    [[nodiscard]] bool isOpening() const { return m_openingTasks > 0; }
    [[nodiscard]] bool isSaving() const { return m_saving; }

    [[nodiscard]] int videoCount() const { return static_cast<int>(m_state.labels.videos().size()); }
    [[nodiscard]] const VideoState& videoState(int video) const;
    [[nodiscard]] QString videoName(int video) const;
    /// Frames that can be visited: of the opened file, else as stored, and never fewer than the labels need.
    [[nodiscard]] std::int64_t frameCount(int video) const;

    /// Replaces the project by an empty one. The caller asked about unsaved changes before.
    void close();
    /// Reads a project in the background; the current one stays until the new one is there. Ends with opened() or
    /// failed().
    void openProject(const QString& path);
    /// A new project with these videos (paths of files). Ends with opened(); unreadable videos say so in their state.
    void openVideos(const QStringList& paths);
    /// Adds videos as one undo step.
    void addVideos(const QStringList& paths);
    /// Opens a video that was found, and looks again for one that was not. videoStateChanged() tells how it went.
    void wantVideo(int video);
    /// Points a missing video at another file, as one undo step, and opens it.
    void replaceVideo(int video, const QString& path);
    /// Points several videos at other files, as one undo step named `title`.
    void replaceVideos(const QString& title, const std::vector<std::pair<int, project::Video>>& videos);
    /// Adds videos that are no plain files, e.g. arrays of an HDF5 file: as one undo step, or as a new project.
    void addVideoEntries(const QString& title, std::vector<project::Video> videos);
    /// The same for a change of any part of the project, as a merge makes it.
    void replaceAll(const QString& title, project::Labels next);
    /// Opens unsaved work as a modified project, with its steps to be undone one by one. Ends with opened().
    void openRecovered(RecoveredProject recovered);
    /// The file was changed by another program: `labels` is what it holds now. As one undo step; saved at once.
    void takeFromDisk(const QString& title, project::Labels labels, const FileStamp& stamp);
    /// The next save may replace that version of the file, which holds something else than this project.
    void acceptFile(const FileStamp& stamp);

    /// Writes a snapshot in the background. Ends with saved(), saveFailed() or, when somebody else changed the file
    /// since it was read and `overwrite` is not set, saveConflict(); on failure the file on disk, the labels and the
    /// modified state are as before. Ignored while a save is running.
    void save(const QString& path, bool overwrite = false);
    /// Whether the first save of a session keeps the old file as .bak.
    void setKeepsBackups(bool keep) { m_keepsBackups = keep; }
    /// What decodes the videos that are opened from now on.
    void setDecoder(video::DecoderChoice decoder) { m_decoder = decoder; }
    /// Called with the labels that a save writes; what it returns is called by the worker with the stamp of the new
    /// file before that takes the old one's place.
    using FileListener = std::function<void(const FileStamp&)>;
    std::function<FileListener(const project::Labels&)> saveBegins;

    /// Makes `next` the project, as one undoable step named `title`; `next` was made from labels() as it is now.
    void commit(const QString& title, project::Labels next, const Change& change);
    /// The same for what a person does in the view: taking the step back shows `before`, doing it again `after`. Steps
    /// of one `series` (not 0) fold into one while nothing else is done in between, e.g. a node nudged ten times.
    void commitEdit(const QString& title, project::Labels next, const Change& change, StepPlace before, StepPlace after,
                    std::uint64_t series = 0);
    /// The same for a step of a run: consecutive steps of one `run` (not 0) fold into one undo step as long as nothing
    /// else was done in between.
    void commitRun(std::uint64_t run, const QString& title, project::Labels next, const Change& change);

    /// Takes back or does again until `index` steps are done, with one changed() for all of them. Refused as a whole,
    /// with stepRefused(), when one of the steps changes the list of videos and that is held.
    void goToStep(int index);
    /// Why the list of videos must stay as it is now; empty: it may change. A run knows its video by its place.
    std::function<QString()> videosHeld;
    /// When a step was made, and where; nullopt: nowhere in particular. 0 <= step < undoStack()->count().
    [[nodiscard]] QDateTime stepTime(int step) const;
    [[nodiscard]] std::optional<StepPlace> stepPlace(int step) const;

Q_SIGNALS:
    /// A step was taken back or done again; the labels are what they were there.
    void stepShown(const skein::ui::StepPlace& place);
    void stepRefused(const QString& reason);
    void opened();  ///< another project, or the empty state; views start afresh
    void failed(const skein::ui::UiError& error);
    /// Something to know that did not stand in the way, e.g. records of a damaged project that were left out.
    void warned(const skein::ui::UiError& warning);
    void changed(const skein::ui::Change& change);
    void modifiedChanged(bool modified);
    void pathChanged();
    void busyChanged();  ///< isOpening() or isSaving()
    void saveProgress(double fraction);
    void saved(const QString& path);
    void saveFailed(const QString& path, const skein::ui::UiError& error);
    void saveConflict(const QString& path);
    void savedLabelsChanged();  ///< other than by a save or by opening
    void videoStateChanged(int video);
    void fileTouched(const QString& path);  ///< opened or saved: for the list of recent files

private:
    friend class LabelsCommand;

    /// The labels and a number that is the same exactly when the labels are the same, across undo and redo.
    struct State {
        project::Labels labels;
        std::uint64_t revision = 0;
    };
    struct OpenedVideo;

    /// Another project, as it comes from a file or from nowhere.
    struct Start {
        State state;
        std::vector<VideoState> videos;
        QString path, readOnlyReason;
        FileStamp stamp;
        std::optional<project::Labels> saved;  ///< what the file holds, when that is not `state`
        bool open = true;
    };
    void reset(Start start);
    void roll(const std::function<void()>& steps);
    void swapState(State& other, const Change& change);
    void showStep(const StepPlace& place);
    static void widen(Change& change, const Change& more);
    void openVideoFiles(const QStringList& paths, bool asNewProject);
    void tellUnreadable(const std::vector<UiError>& unreadable, std::int64_t opened);
    void syncVideos();
    void lookForVideos();
    void finishVideo(int video, const QString& key, OpenedVideo opened);
    struct Saved;
    void saveEnded(const QString& path, Saved saved);
    void fillVideoFacts(project::Labels& labels) const;
    [[nodiscard]] UiError otherVideo(int index, const video::VideoSource& source) const;
    void updateModified();
    void setOpeningTasks(int tasks);

    State m_state;
    std::uint64_t m_savedRevision = 0;
    std::uint64_t m_lastRevision = 0;
    std::uint64_t m_generation = 0;  ///< grows with every project, so that late workers are recognised
    QUndoStack* m_undo;
    QString m_path;
    QString m_readOnlyReason;
    project::Labels m_savedLabels;
    bool m_savedIsOnDisk = false;
    FileStamp m_stamp;
    QSet<QString> m_backedUp;  ///< files of this session whose first version is kept
    bool m_keepsBackups = true;
    video::DecoderChoice m_decoder = video::DecoderChoice::Processor;
    QString m_writtenTo;  ///< last file this project was saved to; empty: none yet
    bool m_open = false;
    bool m_saving = false;
    bool m_lastModified = false;
    int m_openingTasks = 0;
    std::vector<VideoState> m_videos;              ///< as Labels::videos()
    std::vector<QString> m_videoKeys;              ///< what each of m_videos was opened for
    std::map<QString, VideoState> m_parkedVideos;  ///< of videos that an undo took away
    std::stop_source m_stopOpening;
    bool m_rolling = false;                  ///< inside roll()
    std::optional<Change> m_rolled;          ///< what its steps have changed so far
    std::optional<StepPlace> m_rolledPlace;  ///< where the last of them leads
};

Q_DECLARE_OPERATORS_FOR_FLAGS(ChangeKinds)

}  // namespace skein::ui
