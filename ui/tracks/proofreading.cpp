// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/proofreading.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <algorithm>

#include "ui/dialogs/dialog_service.h"
#include "ui/edit/editor.h"
#include "ui/main_window.h"
#include "ui/review/review_panel.h"
#include "ui/text.h"
#include "ui/tracks/issues_panel.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/tracks/tracks_panel.h"

namespace skein::ui {

namespace {
constexpr std::size_t kThumbnailBytes = 32 << 20;
constexpr int kReleaseMs = 60;
}  // namespace

Proofreading::Proofreading(MainWindow* window)
    : QObject(window),
      m_window(window),
      m_state(window->m_document, nullptr),
      m_statistics(window->m_document, window->m_view, nullptr),
      m_notes(window->m_document, nullptr),
      m_issues(window->m_document, &m_notes, nullptr),
      m_review(window->m_document, &m_notes, nullptr),
      m_smoothed(window->m_document, window->m_view, &m_state, nullptr),
      m_draft(window->m_document),
      m_marks(window->m_view),
      m_thumbnails(kThumbnailBytes, nullptr) {
    buildDocks();
}

Proofreading::~Proofreading() {
    m_window->m_canvas->setLayer(nullptr);
    m_window->m_contents->trackInk = nullptr;
    m_window->m_contents->trackShown = nullptr;
    m_window->m_timeline->trackColor = nullptr;
}

void Proofreading::buildDocks() {
    MainWindow& w = *m_window;
    const auto a = [&w](const char* id) { return w.m_actions->get(id); };
    m_tracks = new TracksPanel(w.m_document, w.m_view, &m_state,
                               {{a("trackSolo"), tr("Solo")},
                                {a("trackHide"), tr("Hide")},
                                {a("trackShowAll"), tr("Show All")},
                                {a("trackReviewed"), tr("Reviewed")},
                                {a("trackRenameRows"), tr("Rename...")},
                                {a("trackDeleteRows"), tr("Delete")}},
                               {a("trackSolo"), a("trackHide"), a("trackShowAll"), a("trackColor"), a("trackReviewed"),
                                a("trackRenameRows"), a("trackMergeRows"), a("trackExportRows"), a("trackDeleteRows")},
                               a("predictRun"), m_window);
    w.m_tracksDock = w.addDock("dockTracks", tr("Tracks"), m_tracks);
    m_issuesPanel = new IssuesPanel(
        &m_issues, w.m_document,
        {a("analyzeIssues"), a("issueAccept"), a("issueDismiss"), a("issueReopen"), a("goPrevIssue"), a("goNextIssue")},
        m_window);
    w.m_issuesDock = w.addDock("dockIssues", tr("Issues"), m_issuesPanel);
    m_reviewPanel = new ReviewPanel(
        &m_review, w.m_document,
        {a("reviewRight"), a("reviewWrong"), a("reviewUnsure"), a("reviewBack"), a("reviewResume"), a("reviewReport")},
        m_window);
    m_reviewDock = w.addDock("dockReview", tr("Review"), m_reviewPanel);
    m_plots = new TrackPlotPanel(w.m_document, w.m_view, m_window);
    w.m_plotDock = w.addDock("dockPlots", tr("Plots"), m_plots);
}

void Proofreading::connectActions() {
    MainWindow& w = *m_window;
    w.m_contents->trackInk = [this](int track) { return m_state.inkOf(track); };
    w.m_contents->trackShown = [this](int track) { return m_state.isShown(track); };
    connect(&m_state, &ProofreadState::colorsChanged, this, &Proofreading::coloursOrTracksChanged);
    connect(&m_state, &ProofreadState::shownChanged, this, &Proofreading::coloursOrTracksChanged);
    connect(&m_state, &ProofreadState::problem, this, [&w](const UiError& error) {
        w.m_messages->post(QStringLiteral("proofread"), Severity::Warning, error, {});
    });
    connectTrackCommands();
    connectTimeline();
    connectGraphs();
    connectTrails();
    connectIssues();
    connectPlots();
    connectRepairs();
    connectReview();
    connectPoints();
    qApp->installEventFilter(this);
    m_released.setSingleShot(true);
    m_released.setInterval(kReleaseMs);
    connect(&m_released, &QTimer::timeout, this, &Proofreading::commitPreview);
}

void Proofreading::coloursOrTracksChanged() {
    m_trails.forgetAll();
    m_window->m_timeline->colorsChanged();
    m_window->m_presenter->refreshContents();
    m_window->scheduleUpdate();
}

void Proofreading::gatherFacts(ActionFacts& facts) const {
    facts.trackRows = static_cast<int>(m_known.size());
    facts.knownTrack = !m_known.empty();
    facts.hiddenTracks = m_state.hidesAny();
    facts.issues = m_issues.openCount() > 0;
    const auto& entries = m_issues.entries();
    facts.issue = m_issue >= 0 && static_cast<std::size_t>(m_issue) < entries.size();
    facts.issueFix = facts.issue &&
                     entries[static_cast<std::size_t>(m_issue)].issue.fix.kind != proofread::Fix::Kind::None &&
                     entries[static_cast<std::size_t>(m_issue)].state == IssueList::State::Open;
    facts.sample = m_review.sample().has_value();
    // Its keys are letters: they answer only while the question is seen.
    facts.sampleItem = m_review.current() >= 0 && m_reviewPanel->isVisible();
    facts.sampleAnswer = m_review.answered() > 0;
    facts.smoothed = m_state.smoothing().has_value();
    const auto& strips = m_window->m_timeline->strips();
    facts.graph = !strips.empty();
    facts.graphLine = m_strip < strips.size() && m_window->m_timeline->threshold(strips[m_strip].id).has_value();
}

void Proofreading::setFirstFrameNumber(int number) {
    m_tracks->model()->setFirstFrameNumber(number);
    m_issuesPanel->model()->setFirstFrameNumber(number);
    m_plots->setFirstFrameNumber(number);
    m_reviewPanel->setFirstFrameNumber(number);
}

// --- Tracks --------------------------------------------------------------------------------------------------------

void Proofreading::connectTrackCommands() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    m_tracks->model()->rename = [&w](int track, const QString& name) { w.m_editor->renameTrack(track, name); };
    connect(m_tracks, &TracksPanel::selectionChanged, this, [this] { selectTracks(m_tracks->selectedTracks()); });
    connect(m_tracks, &TracksPanel::frameWanted, this, [this](int track, qint64 frame) { goToTrack(track, frame); });
    a.on("trackSolo", [this] { m_state.solo(tracksInMind()); });
    a.on("trackHide", [this] { m_state.hide(tracksInMind()); });
    a.on("trackShowAll", [this] { m_state.showAll(); });
    a.on("trackReviewed", [this, &w] {
        const std::vector<int> tracks = tracksInMind();
        const bool all = std::all_of(tracks.begin(), tracks.end(), [this](int t) { return m_state.isReviewed(t); });
        m_state.setReviewed(tracks, !all);
        const QString what = tracks.size() == 1
                                 ? w.m_contents->trackName(tracks.front())
                                 : text::count(static_cast<std::int64_t>(tracks.size()), tr("track"), tr("tracks"));
        w.m_status->notice(all ? tr("%1: not reviewed.").arg(what) : tr("%1: reviewed.").arg(what));
    });
    a.on("trackColor", [this] { askForColor(); });
    a.get("trackTranspose")->setAutoRepeat(false);
    connect(w.m_document, &Document::opened, this, [this] { noteTracks({}); });
    connect(w.m_view, &ViewState::videoChanged, this, [this] { noteTracks({}); });
    connect(w.m_document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Tracks))
            keepSelectedTracks();
    });
}

/// The one selection of tracks, in the timeline, the dock, the plots and the graph of speed alike.
void Proofreading::noteTracks(const std::vector<int>& tracks) {
    const auto& all = m_window->m_document->labels().tracks();
    m_known = tracks;
    m_knownNames.clear();
    for (const int track : tracks)
        m_knownNames.push_back(static_cast<std::size_t>(track) < all.size() ? all[static_cast<std::size_t>(track)].name
                                                                            : std::string());
    m_trackCount = all.size();
    m_window->m_timeline->setSelectedTracks(tracks);
    m_marks.setTracks(tracks);
    m_window->m_canvas->update();
    m_tracks->showTracks(tracks);
    m_plots->setTracks(tracks);
    if (!tracks.empty())
        m_statistics.setTrack(tracks.front());
    m_window->scheduleUpdate();
}

/// Selects tracks, and what of them is on the frame.
void Proofreading::selectTracks(const std::vector<int>& tracks) {
    MainWindow& w = *m_window;
    const ShownFrame shown =
        w.m_contents->at(static_cast<std::uint32_t>(std::max(0, w.m_view->video())), w.m_view->frame());
    std::vector<project::InstanceId> here;
    for (const int track : tracks) {
        const auto last = std::find_if(shown.instances.rbegin(), shown.instances.rend(),
                                       [track](const ShownInstance& i) { return i.header.track == track; });
        if (last != shown.instances.rend())
            here.push_back(last->header.id);
    }
    m_selecting = true;
    w.m_view->setSelection(here);
    m_selecting = false;
    noteTracks(tracks);
}

QStringList Proofreading::knownNames() const {
    QStringList names;
    for (const std::string& name : m_knownNames)
        names << QString::fromStdString(name);
    return names;
}

bool Proofreading::clearTracks() {
    const bool any = !m_known.empty();
    if (any)
        noteTracks({});
    return any;
}

/// The list of tracks is another one: those that were selected may stand elsewhere in it, or are gone.
void Proofreading::keepSelectedTracks() {
    const auto& all = m_window->m_document->labels().tracks();
    if (all.size() == m_trackCount)
        return noteTracks(std::vector<int>(m_known));  // renamed
    std::vector<int> kept;
    for (std::size_t i = 0; i < m_known.size(); ++i) {
        const auto stays = static_cast<std::size_t>(m_known[i]);
        const auto at = stays < all.size() && all[stays].name == m_knownNames[i]
                            ? all.begin() + m_known[i]
                            : std::find_if(all.begin(), all.end(), [name = m_knownNames[i]](const project::Track& t) {
                                  return t.name == name;
                              });
        if (at != all.end())
            kept.push_back(static_cast<int>(at - all.begin()));
    }
    noteTracks(kept);
}

void Proofreading::connectPlots() {
    MainWindow& w = *m_window;
    m_plots->trackColor = [this](int track) { return theme::trackColor(m_state.inkOf(track)); };
    m_plots->trackName = [&w](int track) { return w.m_contents->trackName(track); };
    m_plots->dialogs = [&w]() -> DialogService& { return w.m_session->dialogs(); };
    const auto follow = [this, &w] {
        m_plots->setVisibleFrames(w.m_timeline->visibleFirst(), w.m_timeline->visibleCount());
    };
    connect(w.m_timeline, &Timeline::viewChanged, this, follow);
    follow();
    connect(m_plots, &TrackPlotPanel::frameWanted, this, [&w](qint64 frame) {
        w.m_playback->stop();
        w.goTo(frame);
    });
    connect(m_plots, &TrackPlotPanel::notice, w.m_status, &StatusFields::notice);
}

void Proofreading::goToTrack(int track, std::int64_t frame) {
    m_window->m_playback->stop();
    m_window->goTo(frame);
    selectTracks({track});
}

void Proofreading::askForColor() {
    const std::vector<int> tracks = tracksInMind();
    QStringList names{tr("Its own, by its place in the project")};
    for (int i = 0; i < theme::paletteSize(); ++i)
        names << tr("Colour %1 of the palette (%2)").arg(i + 1).arg(theme::trackColor(i).name());
    m_window->m_session->dialogs().askItem(
        m_window, tr("Colour of Tracks"), tr("Colour:"), names, [this, tracks](std::optional<int> chosen) {
            if (chosen)
                m_state.setInk(tracks, *chosen == 0 ? std::nullopt : std::optional(*chosen - 1));
        });
}

// --- Exchange with a look at both ways -----------------------------------------------------------------------------

void Proofreading::transposeTracks(int a, int b, std::function<void()> step) {
    if (m_step != nullptr)
        return;  // the key repeats itself
    if (!m_transposeKey || a < 0 || b < 0) {
        step();
        return;
    }
    m_step = std::move(step);
    m_trails.setExchange(TrailLayer::Exchange{a, b, m_window->m_view->frame()});
    m_window->m_canvas->update();
    m_window->m_status->notice(tr("Dashed: how %1 and %2 go on when exchanged. Let go to exchange, Esc cancels.")
                                   .arg(m_window->m_contents->trackName(a), m_window->m_contents->trackName(b)));
}

bool Proofreading::cancelPreview() {
    if (m_step == nullptr)
        return false;
    endPreview();
    m_window->m_status->notice(tr("Nothing was exchanged."));
    return true;
}

std::function<void()> Proofreading::endPreview() {
    m_transposeKey = false;
    m_released.stop();
    m_trails.setExchange(std::nullopt);
    m_window->m_canvas->update();
    return std::exchange(m_step, nullptr);
}

void Proofreading::commitPreview() {
    if (const auto step = endPreview()) {
        m_window->m_status->notice(QString());  // what to do next is over
        step();
    }
}

bool Proofreading::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (m_window->m_actions->get("trackTranspose")->shortcuts().contains(QKeySequence(key->keyCombination()))) {
            m_transposeKey = true;
            m_released.stop();
        } else if (key->key() == Qt::Key_Escape && cancelPreview()) {
            event->accept();  // with Ctrl still held it is no key of its own, and without it would clear the selection
            return true;
        }
    } else if (event->type() == QEvent::KeyRelease && m_transposeKey) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!key->isAutoRepeat() && isTransposeKey(key->key()))
            m_released.start();
    } else if (event->type() == QEvent::WindowDeactivate && watched == m_window) {
        if (m_released.isActive())
            commitPreview();
        cancelPreview();
        m_transposeKey = false;
    }
    return QObject::eventFilter(watched, event);
}

/// A part of one of the key's combinations: the letter, or a key that is held with it.
bool Proofreading::isTransposeKey(int key) const {
    const QList<QKeySequence> all = m_window->m_actions->get("trackTranspose")->shortcuts();
    return std::any_of(all.begin(), all.end(), [key](const QKeySequence& sequence) {
        const QKeyCombination keys = sequence[0];
        const Qt::KeyboardModifiers with = keys.keyboardModifiers();
        return keys.key() == key || (key == Qt::Key_Control && with.testFlag(Qt::ControlModifier)) ||
               (key == Qt::Key_Meta && with.testFlag(Qt::MetaModifier)) ||
               (key == Qt::Key_Alt && with.testFlag(Qt::AltModifier)) ||
               (key == Qt::Key_Shift && with.testFlag(Qt::ShiftModifier));
    });
}

}  // namespace skein::ui
