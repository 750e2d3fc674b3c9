// SPDX-License-Identifier: GPL-3.0-or-later
// The review with a number: random encounters and frames one after the other, and the report.
#include <QDate>
#include <QDockWidget>
#include <QFileInfo>
#include <QLocale>

#include "engine/base/version.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/main_window.h"
#include "ui/review/review_panel.h"
#include "ui/review/review_report.h"
#include "ui/text.h"
#include "ui/tracks/proofreading.h"

namespace skein::ui {

void Proofreading::connectReview() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    m_reviewPanel->trackName = [&w](int track) { return w.m_contents->trackName(track); };
    m_reviewPanel->confirmNew = [this](std::function<void()> then) {
        m_window->m_session->dialogs().confirm(m_window, tr("Let this sample go?"),
                                               tr("%1 will be forgotten. Save the report first if you need it.")
                                                   .arg(text::count(m_review.answered(), tr("answer"), tr("answers"))),
                                               tr("Forget Them"), [then = std::move(then)](bool yes) {
                                                   if (yes)
                                                       then();
                                               });
    };
    const auto show = [this] {
        m_reviewDock->show();
        m_reviewDock->raise();
    };
    a.on("reviewStart", [this, show] {
        show();
        if (m_review.sample())
            m_review.goOn();
    });
    a.on("reviewResume", [this, show] {
        show();
        m_review.goOn();
    });
    a.on("reviewRight", [this] { m_review.answer(proofread::Verdict::Right); });
    a.on("reviewWrong", [this] { m_review.answer(proofread::Verdict::Wrong); });
    a.on("reviewUnsure", [this] { m_review.answer(proofread::Verdict::Unsure); });
    a.on("reviewBack", [this] { m_review.back(); });
    a.on("reviewReport", [this] { saveReport(); });
    connect(&m_review, &SampleReview::itemWanted, this, &Proofreading::goToSample);
    connect(&m_review, &SampleReview::changed, m_window, &MainWindow::scheduleUpdate);
    connect(m_reviewDock, &QDockWidget::visibilityChanged, m_window, &MainWindow::scheduleUpdate);
    const auto complain = [&w](const UiError& error) {
        w.m_messages->post(QStringLiteral("review"), Severity::Warning, error, {});
    };
    connect(&m_review, &SampleReview::problem, this, complain);
    connect(&m_notes, &ReviewNotes::problem, this, complain);
}

/// Plays the encounter, or what lies around the frame, near to the animals.
void Proofreading::goToSample(int item) {
    MainWindow& w = *m_window;
    const proofread::SampleItem& asked = m_review.sample()->items[static_cast<std::size_t>(item)];
    if (static_cast<int>(asked.video) >= w.m_document->videoCount()) {
        w.m_status->notice(tr("The video of this item is not in the project any more; say unclear (U)."));
        return;
    }
    Scene scene{asked.video, asked.frame, asked.first, asked.last, asked.tracks, {}};
    const ShownFrame shown = w.m_contents->at(asked.video, asked.frame);
    if (asked.encounter)
        for (const ShownInstance& instance : shown.instances)
            if (std::find(asked.tracks.begin(), asked.tracks.end(), instance.header.track) != asked.tracks.end())
                scene.instances.push_back(instance.header.id);
    goToScene(scene);
    if (asked.encounter && !asked.tracks.empty())
        noteTracks(std::vector<int>(asked.tracks.begin(), asked.tracks.end()));
    w.m_playback->toggle(1);
}

void Proofreading::saveReport() {
    MainWindow& w = *m_window;
    const QFileInfo project(w.m_document->path());
    const QString suggestion =
        w.m_document->path().isEmpty()
            ? w.m_settings->get(Setting::LastFolder).toString() + QStringLiteral("/review.pdf")
            : project.absolutePath() + QLatin1Char('/') + project.completeBaseName() + QStringLiteral(".review.pdf");
    w.m_session->dialogs().chooseNewFile(
        m_window, tr("Save Report"), suggestion, tr("PDF (*.pdf);;HTML (*.html)"), [this](const QString& path) {
            if (path.isEmpty() || !m_review.sample())
                return;
            proofread::ReportFacts facts;
            facts.project = m_window->m_document->displayName().toStdString();
            facts.date = QLocale().toString(QDate::currentDate(), QLocale::LongFormat).toStdString();
            facts.version = version();
            facts.firstFrame = m_window->firstFrameNumber();
            inBackground(
                this,
                [path, labels = m_window->m_document->snapshot(), sample = *m_review.sample(), facts] {
                    return writeReviewReport(path, labels, sample, facts);
                },
                [this, path](const Result<void>& done) {
                    if (done)
                        m_window->m_status->notice(tr("Wrote %1").arg(QFileInfo(path).fileName()));
                    else
                        m_window->m_messages->post(QStringLiteral("review"), Severity::Error, toUiError(done.error()),
                                                   {});
                });
        });
}

}  // namespace skein::ui
