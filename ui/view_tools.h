// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

#include "ui/bridge/map_service.h"
#include "ui/canvas/video_canvas.h"
#include "ui/document.h"
#include "ui/frame_contents.h"
#include "ui/frame_presenter.h"
#include "ui/playback.h"
#include "ui/view_state.h"

class QAction;
class QWidget;

namespace skein::ui {

class PictureDialog;

/// Ways to look at the shown frame that change nothing of it: the picture brightened, the network's maps over it, a
/// magnifier, the frame as it was. GUI thread only.
class ViewTools : public QObject {
    Q_OBJECT
public:
    /// The models of a run, and its options; no models: there was none.
    struct Models {
        quint64 run = 0;
        std::vector<models::ModelSpec> specs;
        inference::InferenceOptions options;
    };

    ViewTools(Document* document, ViewState* view, FrameContents* contents, FramePresenter* presenter,
              Playback* playback, VideoCanvas* canvas, QWidget* window);

    /// What the last run used.
    std::function<Models()> lastRun;

    // The picture, for each video on its own as long as the project is open.
    void showPictureDialog();
    [[nodiscard]] PictureDialog* pictureDialog() const { return m_picture; }

    // The maps.
    void setMapChoice(MapChoice choice);
    [[nodiscard]] MapChoice mapChoice() const { return m_choice; }
    /// Models that a person chose because there was no run.
    void setModels(std::vector<models::ModelSpec> specs);
    [[nodiscard]] MapService& maps() { return *m_maps; }

    /// Makes a checkable action one that holds as long as its key is held: the key's release unchecks it. Chosen from
    /// the menu it stays.
    void holdByKey(QAction* action);
    /// The frame as it was when the project was opened or saved last, in place of its instances now.
    void setBefore(bool before);

Q_SIGNALS:
    void mapChoiceChanged(skein::ui::MapChoice choice);
    /// There is neither a run nor a chosen model to look through.
    void modelWanted();
    void notice(const QString& words);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyPicture();
    void askForMaps();
    void frameShown();
    void showBefore();

    Document* m_document;
    ViewState* m_view;
    FrameContents* m_contents;
    FramePresenter* m_presenter;
    Playback* m_playback;
    VideoCanvas* m_canvas;
    QWidget* m_window;
    PictureDialog* m_picture = nullptr;              ///< made when it is first asked for
    std::map<int, PictureAdjustment> m_adjustments;  ///< by video
    MapService* m_maps;
    MapChoice m_choice = MapChoice::None;
    std::optional<quint64> m_modelsOfRun;  ///< the run that m_maps has its models from
    QTimer m_askDelay;
    std::vector<QAction*> m_held;
    project::Labels m_saved;
    project::Labels m_saving;
    bool m_before = false;
};

}  // namespace skein::ui
