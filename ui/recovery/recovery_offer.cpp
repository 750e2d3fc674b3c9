// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/recovery_offer.h"

#include <algorithm>

#include "engine/formats/moved_videos.h"
#include "engine/formats/project_video.h"
#include "ui/bridge/background.h"
#include "ui/bridge/video_opener.h"
#include "ui/recovery/recovery_dialog.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
const QString kBanner = QStringLiteral("recovery");
const QString kFailed = QStringLiteral("recoveryFailed");
const QString kRecovered = QStringLiteral("recovered");

/// Of a project that will lie elsewhere: its videos are named by where they were found beside `file`.
project::Labels asCopy(project::Labels labels, const QString& file) {
    labels.editVideos() = formats::externalVideos(labels, text::toPath(file));
    for (std::uint32_t i = 0; i < labels.videos().size(); ++i) {
        if (formats::isEmbedded(labels.videos()[i]))
            continue;
        const VideoState state = findVideo(labels, i, file);
        if (state.kind == VideoState::Kind::Found)
            labels.editVideos()[i] = formats::movedTo(labels.videos()[i], text::toPath(state.path));
    }
    return labels;
}
}  // namespace

RecoveryOffer::RecoveryOffer(Document* document, Session* session, RecoveryKeeper* keeper, MessageBar* messages,
                             EmptyState* empty, QWidget* window)
    : QObject(window),
      m_document(document),
      m_session(session),
      m_keeper(keeper),
      m_messages(messages),
      m_empty(empty),
      m_window(window) {
    connect(document, &Document::opened, this, &RecoveryOffer::look);
    connect(document, &Document::saved, this, [this] { m_messages->withdraw(kRecovered); });
    const auto byPlace = [this](auto what) {
        return [this, what](int place) {
            if (place < static_cast<int>(m_found.size()))
                (this->*what)(m_found[static_cast<std::size_t>(place)]);
        };
    };
    connect(empty, &EmptyState::recoverWanted, this, byPlace(&RecoveryOffer::recover));
    connect(empty, &EmptyState::differencesWanted, this, byPlace(&RecoveryOffer::showDifferences));
    connect(empty, &EmptyState::discardWanted, this, byPlace(&RecoveryOffer::discard));
}

void RecoveryOffer::look() {
    inBackground(
        this, [folder = m_keeper->folder()]() -> Result<std::vector<UnsavedWork>> { return findUnsavedWork(folder); },
        [this](Result<std::vector<UnsavedWork>> result) {
            if (!result)
                return;
            m_found = std::move(*result);
            show();
        });
}

void RecoveryOffer::show() {
    std::vector<EmptyState::Unsaved> rows;
    for (const UnsavedWork& work : m_found)
        rows.push_back({work.name, work.sentence(), work.path});
    m_empty->setUnsavedWork(rows);
    const auto mine = std::find_if(m_found.begin(), m_found.end(), [this](const UnsavedWork& work) {
        return !work.path.isEmpty() && work.path == m_document->path();
    });
    if (!m_document->isOpen() || mine == m_found.end()) {
        m_messages->withdraw(kBanner);
        return;
    }
    QString words = tr("Unsaved work on %1 was left by a crash: %2.").arg(mine->name, mine->sentence());
    if (mine->onNewerFile)
        words += tr(" The file was saved since, without it.");
    m_messages->post(kBanner, Severity::Warning, {words, {}},
                     {{tr("Recover"), [this, work = *mine] { recover(work); }},
                      {tr("Show Differences"), [this, work = *mine] { showDifferences(work); }},
                      {tr("Discard..."), [this, work = *mine] { discard(work); }}});
}

/// On a newer file it is the person who says what becomes of what was saved since.
void RecoveryOffer::recover(const UnsavedWork& work) {
    if (!work.onNewerFile)
        return take(work, Place::File);
    m_session->dialogs().askChoice(
        m_window, tr("Recover unsaved work"),
        tr("%1 was saved since, without this work, which belongs to the version before. A copy has no name yet and "
           "leaves the file alone. In place of what the file holds it is one step: until you save, undo brings that "
           "back.")
            .arg(work.name),
        {tr("Open as a Copy"), tr("In Place of the File's")}, [this, work](int choice) {
            if (choice >= 0)
                take(work, choice == 0 ? Place::Copy : Place::File);
        });
}

/// Into the open project as one step when something was done in it already, or saved since, so that nothing of that is
/// lost; else the recovered project is opened.
void RecoveryOffer::take(const UnsavedWork& work, Place place) {
    const auto isOpen = [this, work, place] {
        return place == Place::File && m_document->isOpen() && !work.path.isEmpty() && m_document->path() == work.path;
    };
    const bool asStep = isOpen() && (m_document->isModified() || m_document->undoStack()->count() > 0);
    const auto go = [this, work, asStep, place, isOpen] {
        inBackground(
            this,
            [work, place]() -> Result<RecoveredWork> {
                auto recovered = recoverWork(work);
                if (recovered && place == Place::Copy)
                    recovered->project = {QString(), {}, {}, asCopy(std::move(recovered->project.labels), work.path)};
                return recovered;
            },
            [this, work, asStep, isOpen](Result<RecoveredWork> result) {
                if (!result) {
                    m_messages->post(kFailed, Severity::Error, toUiError(result.error()),
                                     {{tr("Discard..."), [this, work] { discard(work); }}});
                    return;
                }
                const bool step = isOpen() && (asStep || result->onNewerFile);
                if (step) {
                    m_document->commit(tr("Recover unsaved work"), std::move(result->project.labels), Change{});
                } else {
                    m_document->openRecovered(std::move(result->project));
                }
                m_messages->withdraw(kBanner);
                m_keeper->takeOver(std::move(result->journal));
                sayRecovered(*result, step);
            });
    };
    if (asStep)
        go();
    else
        m_session->leave(go);
}

void RecoveryOffer::sayRecovered(const RecoveredWork& recovered, bool asStep) {
    const QString edits = text::count(static_cast<std::int64_t>(recovered.edits), tr("edit"), tr("edits"));
    UiError said{recovered.complete
                     ? tr("%1 recovered. Save to keep them.").arg(edits)
                     : tr("%1 recovered; the record of those that followed is damaged. Save to keep them.").arg(edits),
                 inWords(recovered.difference).join(QLatin1Char('\n'))};
    if (asStep)
        said.message += tr(" They stand as one step: undo brings back what was here before.");
    m_messages->post(kRecovered, recovered.complete ? Severity::Info : Severity::Warning, said);
}

void RecoveryOffer::showDifferences(const UnsavedWork& work) {
    auto* dialog = new RecoveryDialog(work, m_window);
    connect(dialog, &RecoveryDialog::recoverWanted, this, [this, work] { recover(work); });
    connect(dialog, &RecoveryDialog::discardWanted, this, [this, work] { discard(work); });
    dialog->open();
    inBackground(
        dialog,
        [work]() -> Result<project::journal::Difference> {
            auto recovered = recoverWork(work);
            if (!recovered)
                return fail(std::move(recovered.error()));
            return recovered->difference;
        },
        [dialog, newer = work.onNewerFile](Result<project::journal::Difference> result) {
            if (result)
                dialog->setDifference(*result, newer);
            else
                dialog->setProblem(QString::fromStdString(result.error().message()));
        });
}

void RecoveryOffer::discard(const UnsavedWork& work) {
    m_session->dialogs().askChoice(
        m_window, tr("Discard unsaved work"),
        tr("Delete the unsaved work on %1 (%2)? It cannot be brought back.").arg(work.name, work.sentence()),
        {tr("Discard")}, [this, work](int choice) {
            if (choice != 0)
                return;
            m_messages->withdraw(kFailed);
            inBackground(
                this,
                [work]() -> Result<bool> {
                    discardWork(work);
                    return true;
                },
                [this](const Result<bool>&) { look(); });
        });
}

}  // namespace skein::ui
