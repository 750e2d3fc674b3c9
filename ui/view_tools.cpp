// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_tools.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>

#include "engine/inference/given_centroids.h"
#include "ui/dialogs/picture_dialog.h"

namespace skein::ui {

namespace {
/// Frames that are only passed are not looked at.
constexpr int kAskDelayMs = 80;
}  // namespace

ViewTools::ViewTools(Document* document, ViewState* view, FrameContents* contents, FramePresenter* presenter,
                     Playback* playback, VideoCanvas* canvas, QWidget* window)
    : QObject(window),
      m_document(document),
      m_view(view),
      m_contents(contents),
      m_presenter(presenter),
      m_playback(playback),
      m_canvas(canvas),
      m_window(window),
      m_maps(new MapService(this)) {
    m_askDelay.setSingleShot(true);
    m_askDelay.setInterval(kAskDelayMs);
    connect(&m_askDelay, &QTimer::timeout, this, &ViewTools::askForMaps);
    connect(view, &ViewState::videoChanged, this, &ViewTools::applyPicture);
    connect(presenter, &FramePresenter::contentsChanged, this, &ViewTools::frameShown);
    connect(playback, &Playback::stateChanged, this, &ViewTools::frameShown);
    connect(m_maps, &MapService::busyChanged, canvas, &VideoCanvas::setComputing);
    connect(m_maps, &MapService::ready, this, [this](const std::shared_ptr<const MapOverlay>& overlay) {
        // Never over another frame: what is shown may have changed while the network was at work.
        const ShownFrame& shown = m_presenter->shown();
        if (overlay->frame == shown.frame && overlay->choice == m_choice && m_view->video() >= 0 &&
            static_cast<int>(shown.video) == m_view->video() &&
            overlay->serial == m_document->videoState(m_view->video()).serial)
            m_canvas->setMapOverlay(overlay);
    });
    connect(m_maps, &MapService::failed, this, [this](const UiError& error) {
        Q_EMIT notice(error.message);
        setMapChoice(MapChoice::None);
    });
    connect(document, &Document::opened, this, [this] {
        m_adjustments.clear();
        m_saved = m_document->snapshot();
        applyPicture();
    });
    // What a save writes is what the labels were when it began.
    connect(document, &Document::busyChanged, this, [this] {
        if (m_document->isSaving())
            m_saving = m_document->snapshot();
    });
    connect(document, &Document::saved, this, [this] { m_saved = std::exchange(m_saving, {}); });
    qApp->installEventFilter(this);
}

// --- Picture -------------------------------------------------------------------------------------------------------

void ViewTools::applyPicture() {
    const auto found = m_adjustments.find(m_view->video());
    const PictureAdjustment adjustment = found == m_adjustments.end() ? PictureAdjustment() : found->second;
    m_canvas->setAdjustment(adjustment);
    if (m_picture != nullptr)
        m_picture->setAdjustment(adjustment);
}

void ViewTools::showPictureDialog() {
    if (m_picture == nullptr) {
        m_picture = new PictureDialog(m_window);
        connect(m_picture, &PictureDialog::adjusted, this, [this](const PictureAdjustment& adjustment) {
            m_adjustments[m_view->video()] = adjustment;
            m_canvas->setAdjustment(adjustment);
        });
    }
    applyPicture();
    m_picture->show();
    m_picture->raise();
    m_picture->activateWindow();
}

// --- Maps ----------------------------------------------------------------------------------------------------------

void ViewTools::setMapChoice(MapChoice choice) {
    if (choice == m_choice)
        return;
    m_choice = choice;
    Q_EMIT mapChoiceChanged(choice);
    m_canvas->setMapOverlay(nullptr);
    if (choice == MapChoice::None) {
        m_askDelay.stop();
        m_maps->withdraw();
    } else {
        askForMaps();
    }
}

void ViewTools::setModels(std::vector<models::ModelSpec> specs) {
    m_maps->setModels(std::move(specs), {});
    m_modelsOfRun.reset();
    askForMaps();
}

void ViewTools::frameShown() {
    if (m_before)
        showBefore();
    if (m_choice != MapChoice::None && !m_canvas->isMapShown() && !m_playback->isPlaying())
        m_askDelay.start();
}

void ViewTools::askForMaps() {
    const ShownFrame& shown = m_presenter->shown();
    if (m_choice == MapChoice::None || m_view->video() < 0 || shown.frame < 0 || !m_canvas->hasPicture())
        return;
    const VideoState& state = m_document->videoState(m_view->video());
    if (static_cast<int>(shown.video) != m_view->video() || !state.source)
        return;
    if (const Models last = lastRun ? lastRun() : Models(); !last.specs.empty() && m_modelsOfRun != last.run) {
        m_maps->setModels(last.specs, last.options);
        m_modelsOfRun = last.run;
    }
    if (!m_maps->hasModels()) {
        setMapChoice(MapChoice::None);
        Q_EMIT modelWanted();
        return;
    }
    MapService::Question question{state.source, state.serial, shown.frame, m_choice, {}};
    if (const auto definition = inference::centroidDefinition(m_maps->models(), {}))
        for (const ShownInstance& instance : shown.instances)
            if (const auto centre = inference::centroidOf(instance.points, definition->on(*instance.skeleton)))
                question.around.push_back(*centre);
    m_maps->ask(std::move(question));
}

// --- Held keys -----------------------------------------------------------------------------------------------------

void ViewTools::holdByKey(QAction* action) {
    action->setAutoRepeat(false);
    m_held.push_back(action);
}

bool ViewTools::eventFilter(QObject* watched, QEvent* event) {
    const auto letGo = [this](const std::function<bool(const QAction*)>& which) {
        for (QAction* action : m_held)
            if (action->isChecked() && which(action))
                action->setChecked(false);
    };
    if (event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!key->isAutoRepeat())
            letGo([key](const QAction* action) { return action->shortcut() == QKeySequence(key->key()); });
    } else if (event->type() == QEvent::WindowDeactivate && watched == m_window) {
        letGo([](const QAction*) { return true; });
    }
    return QObject::eventFilter(watched, event);
}

void ViewTools::setBefore(bool before) {
    m_before = before;
    if (before)
        showBefore();
    else
        m_canvas->setComparison(std::nullopt);
}

void ViewTools::showBefore() {
    const ShownFrame& shown = m_presenter->shown();
    if (shown.frame < 0)
        return;
    m_canvas->setComparison(m_contents->before(m_saved, shown.video, shown.frame),
                            m_document->path().isEmpty() ? tr("As it was opened") : tr("As it was saved last"));
}

}  // namespace skein::ui
