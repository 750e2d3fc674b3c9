// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/project_safety.h"

#include <QEvent>
#include <QFileInfo>

#include "engine/formats/slp.h"
#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
const QString kFileBanner = QStringLiteral("file");
constexpr int kMinuteMs = 60'000;
}  // namespace

ProjectSafety::ProjectSafety(Document* document, Session* session, Settings* settings, MessageBar* messages,
                             EmptyState* empty, QWidget* window)
    : QObject(window),
      m_document(document),
      m_session(session),
      m_settings(settings),
      m_messages(messages),
      m_keeper(new RecoveryKeeper(document, this)),
      m_offer(new RecoveryOffer(document, session, m_keeper, messages, empty, window)),
      m_watch(new FileWatch(document, this)) {
    window->installEventFilter(this);
    connect(m_watch, &FileWatch::fileChanged, this, &ProjectSafety::fileChanged);
    connect(document, &Document::saveConflict, this, [this](const QString& path) {
        m_messages->withdraw(QStringLiteral("save"));
        showChanged(path, true);
        m_saveWanted = true;
    });
    connect(document, &Document::saved, this, [this] { m_messages->withdraw(kFileBanner); });
    connect(m_keeper, &RecoveryKeeper::problemChanged, this, [this](const QString& problem) {
        if (problem.isEmpty())
            m_messages->withdraw(QStringLiteral("journal"));
        else
            m_messages->post(QStringLiteral("journal"), Severity::Warning,
                             {tr("Unsaved work would be lost in a crash: %1").arg(problem), {}});
    });
    connect(&m_autosave, &QTimer::timeout, this, &ProjectSafety::autosave);
    connect(settings, &Settings::changed, this, &ProjectSafety::obey);
    for (const Setting setting : {Setting::AutosaveMinutes, Setting::KeepBackups, Setting::RecoveryFolder})
        obey(setting);
    m_offer->look();
}

void ProjectSafety::obey(Setting setting) {
    const QVariant value = m_settings->get(setting);
    switch (setting) {
        case Setting::AutosaveMinutes:
            // Projects that were never saved, or are read-only, are left alone all the same.
            if (value.toInt() > 0)
                m_autosave.start(value.toInt() * kMinuteMs);
            else
                m_autosave.stop();
            return;
        case Setting::KeepBackups:
            return m_document->setKeepsBackups(value.toBool());
        case Setting::RecoveryFolder:
            return m_keeper->setFolder(value.toString().isEmpty() ? RecoveryKeeper::defaultFolder() : value.toString());
        default:
            return;
    }
}

void ProjectSafety::autosave() {
    // While the question stands whose version counts, nothing is written by itself.
    if (m_document->isModified() && !m_document->path().isEmpty() && !m_document->isReadOnly() &&
        m_messages->find(kFileBanner) == nullptr)
        m_session->save();
}

void ProjectSafety::fileChanged(const QString& path, const FileStamp&) {
    m_saveWanted = false;
    showChanged(path, false);
}

/// Who has changed it, as a sentence.
QString ProjectSafety::changedWords(const QString& path) const {
    constexpr qint64 kNsPerMs = 1'000'000;
    const QDateTime known = QDateTime::fromMSecsSinceEpoch(m_document->fileStamp().modified / kNsPerMs);
    const QString name = QFileInfo(path).fileName();
    return isOfQueue && isOfQueue(path, known) ? tr("The queue has written %1 anew.").arg(name)
                                               : tr("%1 was changed by another program.").arg(name);
}

/// `refused`: a save has just found it out.
void ProjectSafety::showChanged(const QString& path, bool refused) {
    const QString changed = changedWords(path);
    const QString words = refused                    ? tr("Not saved: %1 Choose which version counts.").arg(changed)
                          : m_document->isModified() ? tr("%1 Your changes are not saved yet.").arg(changed)
                                                     : changed;
    std::vector<Banner::Action> actions = {{tr("Reload"), [this, path] { reload(path); }}};
    if (merge)
        actions.push_back({tr("Merge..."), [this, path] { merge(path, [this, path] { keepMine(path); }); }});
    actions.push_back({tr("Keep Mine"), [this, path] { keepMine(path); }});
    actions.push_back({tr("Save As..."), [this] { m_session->saveAs(); }});
    // Also when the same question stands there: its words differ now.
    m_messages->withdraw(kFileBanner);
    m_messages->post(kFileBanner, refused ? Severity::Error : Severity::Warning, {words, {}}, actions);
}

/// As one step, so that what was not saved can be had back.
void ProjectSafety::reload(const QString& path) {
    struct Read {
        project::Labels labels;
        FileStamp stamp;
    };
    inBackground(
        this,
        [path]() -> Result<Read> {
            auto stamp = stampOf(text::toPath(path));
            if (!stamp)
                return fail(std::move(stamp.error()));
            auto labels = formats::readSlp(text::toPath(path));
            if (!labels)
                return fail(std::move(labels.error()));
            return Read{std::move(*labels), *stamp};
        },
        [this, path](Result<Read> result) {
            if (path != m_document->path())
                return;
            if (!result) {
                m_messages->post(kFileBanner, Severity::Error, toUiError(result.error()),
                                 {{tr("Keep Mine"), [this, path] { keepMine(path); }}});
                return;
            }
            m_messages->withdraw(kFileBanner);
            m_document->takeFromDisk(tr("Reload %1").arg(QFileInfo(path).fileName()), std::move(result->labels),
                                     result->stamp);
        });
}

/// The version that lies there now has been seen; the next save may replace it.
void ProjectSafety::keepMine(const QString& path) {
    inBackground(
        this, [path]() -> Result<FileStamp> { return stampOf(text::toPath(path)); },
        [this, path](Result<FileStamp> result) {
            if (path != m_document->path())
                return;
            m_messages->withdraw(kFileBanner);
            m_document->acceptFile(result ? *result : FileStamp());
            if (m_saveWanted)
                m_session->save();
        });
}

bool ProjectSafety::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::WindowActivate)
        m_watch->look();
    return QObject::eventFilter(watched, event);
}

}  // namespace skein::ui
