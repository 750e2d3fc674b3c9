// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "engine/formats/embedded_video.h"
#include "engine/formats/import/import_labels.h"
#include "engine/video/video_source.h"
#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace {

/// What a person meant by some paths.
struct Intent {
    QStringList projects;
    QStringList videos;
    QStringList models;
    QStringList arrays;   ///< HDF5 files that are no projects
    QStringList imports;  ///< labels of other programs
    QStringList nothing;  ///< folders without anything for Skein
    QStringList absent;
};

const QStringList kVideoEndings = {QStringLiteral("*.mp4"), QStringLiteral("*.m4v"), QStringLiteral("*.mov"),
                                   QStringLiteral("*.avi"), QStringLiteral("*.mkv"), QStringLiteral("*.webm"),
                                   QStringLiteral("*.mj2"), QStringLiteral("*.mpg"), QStringLiteral("*.mpeg"),
                                   QStringLiteral("*.ts"),  QStringLiteral("*.wmv"), QStringLiteral("*.flv")};

void sortFolder(const QString& path, Intent& intent) {
    const QDir dir(path);
    const auto any = [&dir](const QStringList& patterns) { return !dir.entryList(patterns, QDir::Files).isEmpty(); };
    if (any({QStringLiteral("training_config.*"), QStringLiteral("initial_config.*"), QStringLiteral("*.ckpt"),
             QStringLiteral("best_model.h5")})) {
        intent.models << path;
        return;
    }
    QStringList videos = dir.entryList(kVideoEndings, QDir::Files);
    std::sort(videos.begin(), videos.end(), [](const QString& a, const QString& b) {
        return video::naturallyBefore(a.toStdString(), b.toStdString());
    });
    for (const QString& name : videos)
        intent.videos << dir.absoluteFilePath(name);
    if (videos.isEmpty() && !video::imagesIn(text::toPath(path)).empty())
        intent.videos << path;
    else if (videos.isEmpty())
        intent.nothing << path;
}

/// What is neither a project nor holds pictures is taken for a project, whose reader says what is wrong with it.
bool holdsArraysOnly(const QString& path) {
    if (formats::holdsLabels(text::toPath(path)))
        return false;
    const auto datasets = formats::pictureDatasets(text::toPath(path));
    return datasets && !datasets->empty();
}

/// A file that may be anything, by its ending: labels of another program, by its content.
bool isImport(const QString& path, const QString& ending) {
    if (ending != QLatin1String("csv") && ending != QLatin1String("nwb") && ending != QLatin1String("h5") &&
        ending != QLatin1String("hdf5"))
        return false;
    const auto format = formats::detectFormat(text::toPath(path));
    return format && *format != formats::ImportFormat::Slp;
}

/// COCO's three lists; a model's configuration has none of them.
bool holdsLabels(const QString& path) {
    constexpr qint64 kMost = qint64{64} << 20;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(kMost).contains("\"annotations\"");
}

/// Touches the disk: for a worker.
Intent intentOf(const QStringList& paths) {
    Intent intent;
    for (const QString& path : paths) {
        const QFileInfo info(path);
        const QString ending = info.suffix().toLower();
        if (!info.exists())
            intent.absent << path;
        else if (info.isDir())
            sortFolder(info.absoluteFilePath(), intent);
        else if (ending == QLatin1String("slp"))
            intent.projects << info.absoluteFilePath();
        else if (isImport(info.absoluteFilePath(), ending) ||
                 (ending == QLatin1String("json") && holdsLabels(info.absoluteFilePath())))
            intent.imports << info.absoluteFilePath();
        else if (ending == QLatin1String("h5") || ending == QLatin1String("hdf5"))
            (holdsArraysOnly(info.absoluteFilePath()) ? intent.arrays : intent.projects) << info.absoluteFilePath();
        else if (ending == QLatin1String("ckpt") || ending == QLatin1String("yaml") || ending == QLatin1String("yml") ||
                 ending == QLatin1String("json"))
            intent.models << info.absoluteFilePath();
        else
            intent.videos << info.absoluteFilePath();
    }
    return intent;
}

}  // namespace

Session::Session(Document* document, Settings* settings, RecentFiles* recent, MessageBar* messages, QWidget* window)
    : QObject(window), m_document(document), m_settings(settings), m_messages(messages), m_window(window) {
    connect(document, &Document::fileTouched, recent, &RecentFiles::add);
    connect(document, &Document::opened, this, [this] { m_messages->clear(); });
    connect(document, &Document::failed, this, [this](const UiError& error) {
        // Several files may fail at once: each keeps its message.
        m_messages->post(QStringLiteral("open:") + error.message, Severity::Error, error);
    });
    connect(document, &Document::warned, this,
            [this](const UiError& warning) { m_messages->post(QStringLiteral("warned"), Severity::Warning, warning); });
    connect(document, &Document::saved, this, [this] {
        m_messages->withdraw(QStringLiteral("save"));
        if (const auto then = std::exchange(m_afterSave, {}))
            then();
    });
    connect(document, &Document::saveConflict, this, [this] { m_afterSave = {}; });
    connect(document, &Document::saveFailed, this, [this](const QString& path, const UiError& error) {
        m_afterSave = {};  // whoever wanted to leave stays
        m_messages->post(
            QStringLiteral("save"), Severity::Error, error,
            {{tr("Save As..."), [this] { saveAs(); }}, {tr("Try Again"), [this, path] { saveTo(path, {}); }}});
    });
}

QString Session::startFolder() const {
    const QString last = m_settings->get(Setting::LastFolder).toString();
    return last.isEmpty() ? QDir::homePath() : last;
}

void Session::rememberFolder(const QString& path) {
    m_settings->set(Setting::LastFolder, QFileInfo(path).absolutePath());
}

void Session::openPaths(const QStringList& paths, bool add) {
    if (paths.isEmpty())
        return;
    inBackground(
        this, [paths]() -> Result<Intent> { return intentOf(paths); },
        [this, add](Result<Intent> result) {
            if (!result)
                return;
            const Intent& intent = *result;
            for (const QString& path : intent.absent)
                m_messages->post(QStringLiteral("open:") + path, Severity::Error,
                                 {tr("%1 does not exist.").arg(QFileInfo(path).fileName()), path});
            for (const QString& path : intent.nothing)
                m_messages->post(QStringLiteral("open:") + path, Severity::Error,
                                 {tr("The folder %1 holds no video, no images and no model that Skein knows.")
                                      .arg(QFileInfo(path).fileName()),
                                  path});
            if (!intent.projects.isEmpty()) {
                rememberFolder(intent.projects.first());
                if (intent.projects.size() > 1)
                    m_messages->post(QStringLiteral("many"), Severity::Info,
                                     {tr("One project is open at a time: %1 was opened.")
                                          .arg(QFileInfo(intent.projects.first()).fileName()),
                                      {}});
                openOrMerge(intent.projects.first(), add);
            } else if (!intent.videos.isEmpty()) {
                rememberFolder(intent.videos.first());
                if (add && m_document->isOpen())
                    m_document->addVideos(intent.videos);
                else
                    leave([this, videos = intent.videos] { m_document->openVideos(videos); });
            }
            if (!intent.imports.isEmpty())
                Q_EMIT importWanted(intent.imports);
            for (const QString& path : intent.arrays)
                Q_EMIT arraysWanted(path, add && m_document->isOpen());
            if (!intent.models.isEmpty())
                Q_EMIT modelWanted(intent.models.first());
        });
}

void Session::openOrMerge(const QString& path, bool add) {
    const auto open = [this, path] { leave([this, path] { m_document->openProject(path); }); };
    if (!add || !m_document->isOpen() || path == m_document->path()) {
        open();
        return;
    }
    m_dialogs->askChoice(m_window, tr("Open or merge"),
                         tr("Open %1 instead of %2, or merge it into this project?")
                             .arg(QFileInfo(path).fileName(), m_document->displayName()),
                         {tr("Open"), tr("Merge...")}, [this, path, open](int choice) {
                             if (choice == 0)
                                 open();
                             else if (choice == 1)
                                 Q_EMIT mergeWanted(path);
                         });
}

void Session::chooseAndOpen() {
    const QString all =
        kVideoEndings.join(QLatin1Char(' ')) + QLatin1Char(' ') + kVideoEndings.join(QLatin1Char(' ')).toUpper();
    m_dialogs->chooseFiles(m_window, tr("Open"), startFolder(),
                           tr("Projects and videos (*.slp *.h5 *.tif *.tiff %1);;Projects (*.slp *.h5);;Model files "
                              "(*.ckpt *.yaml *.json);;All files (*)")
                               .arg(all),
                           [this](const QStringList& paths) { openPaths(paths); });
}

void Session::chooseFolderAndOpen() {
    m_dialogs->chooseFolder(m_window, tr("Open folder"), startFolder(), [this](const QString& path) {
        if (!path.isEmpty())
            openPaths({path});
    });
}

void Session::chooseAndAddVideos() {
    m_dialogs->chooseFiles(m_window, tr("Add videos"), startFolder(), tr("All files (*)"),
                           [this](const QStringList& paths) { openPaths(paths, true); });
}

void Session::chooseReplacement(int video) {
    m_dialogs->chooseFiles(m_window, tr("Find %1").arg(m_document->videoName(video)), startFolder(),
                           tr("All files (*)"), [this, video](const QStringList& paths) {
                               if (!paths.isEmpty() && video < m_document->videoCount())
                                   m_document->replaceVideo(video, paths.first());
                           });
}

void Session::newProject() {
    leave([this] { m_document->close(); });
}

void Session::save() {
    if (m_document->path().isEmpty() || m_document->isReadOnly())
        saveAsThen({});
    else
        saveTo(m_document->path(), {});
}

void Session::saveAs() {
    saveAsThen({});
}

void Session::saveAsThen(std::function<void()> then) {
    QString suggestion = m_document->path();
    if (suggestion.isEmpty() && m_document->videoCount() > 0 && !m_document->videoState(0).path.isEmpty()) {
        const QFileInfo video(m_document->videoState(0).path);
        suggestion = video.absolutePath() + QLatin1Char('/') + video.completeBaseName() + QStringLiteral(".slp");
    }
    if (suggestion.isEmpty())
        suggestion = startFolder() + QStringLiteral("/labels.slp");
    m_dialogs->chooseSavePath(m_window, suggestion, [this, then = std::move(then)](const QString& path) {
        if (path.isEmpty())
            return;
        rememberFolder(path);
        saveTo(path.endsWith(QLatin1String(".slp"), Qt::CaseInsensitive) ? path : path + QStringLiteral(".slp"), then);
    });
}

void Session::saveTo(const QString& path, std::function<void()> then) {
    if (m_document->isSaving())
        return;
    m_afterSave = std::move(then);
    m_document->save(path);
}

void Session::leave(std::function<void()> then) {
    if (m_runGuard && !m_runGuard([this, then] { leaveSaved(then); }))
        return;
    leaveSaved(std::move(then));
}

void Session::leaveSaved(std::function<void()> then) {
    if (m_asking)
        return;  // the question is on the screen already
    if (m_document->isSaving()) {
        m_afterSave = [this, then = std::move(then)] { leaveSaved(then); };
        return;
    }
    if (!m_document->isModified()) {
        then();
        return;
    }
    m_asking = true;
    // Without a project the name is that of the video, which no save touches.
    const QString what = (m_document->path().isEmpty() ? tr("the labels of %1 as a project") : tr("the changes to %1"))
                             .arg(m_document->displayName());
    m_dialogs->askUnsaved(m_window, what, [this, then = std::move(then)](DialogService::Unsaved answer) {
        m_asking = false;
        switch (answer) {
            case DialogService::Unsaved::Cancel:
                return;
            case DialogService::Unsaved::Discard:
                then();
                return;
            case DialogService::Unsaved::Save:
                if (m_document->path().isEmpty() || m_document->isReadOnly())
                    saveAsThen([this, then] { leaveSaved(then); });
                else
                    saveTo(m_document->path(), [this, then] { leaveSaved(then); });
        }
    });
}

}  // namespace skein::ui
