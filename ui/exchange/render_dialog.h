// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

#include "ui/document.h"
#include "ui/exchange/render_form.h"
#include "ui/exchange/render_picture.h"

class QLabel;
class QPushButton;
class QSlider;

namespace skein::ui {

class JobBar;
class MessageBar;
class RenderPreview;

/// How the labels of a video are drawn into a video of their own: on the left a frame as it will look, on the right the
/// choices. Not modal: it follows the project while it is open.
class RenderDialog : public QDialog {
    Q_OBJECT
public:
    /// `windowLook` tells how the window shows skeletons now; `shownFrame`: where the preview begins.
    RenderDialog(Document* document, const RenderFacts& facts, std::function<RenderOptions()> windowLook,
                 std::int64_t shownFrame, QWidget* parent);

    /// Called with what is to be written; the dialog stays open.
    std::function<void(const RenderPlan& plan, bool openWhenDone)> renderWanted;
    /// The file job that goes on, which has to end first; empty: none. Its progress is for jobBar().
    void setJob(const QString& what);
    [[nodiscard]] JobBar* jobBar() const { return m_jobBar; }
    /// What became of it is told here, where the person looks.
    [[nodiscard]] MessageBar* messages() const { return m_messages; }

    /// Time from the last wish for a picture to that picture, ms; -1 while one is under way.
    [[nodiscard]] double lastPreviewMs() const { return m_previewMs; }

private:
    QWidget* makeLeft();
    QWidget* makeFoot();
    void choicesChanged();
    void plan();
    void takePlan(Result<RenderPlan> plan);
    void wantPicture();
    void showPicture(quint64 number, const QImage& picture, const QSize& size, const QString& problem);
    void updateFoot();
    [[nodiscard]] const VideoState* state() const;
    [[nodiscard]] std::shared_ptr<video::VideoSource> source() const;

    Document* m_document;
    RenderFacts m_facts;
    std::function<RenderOptions()> m_windowLook;
    RenderForm* m_form;
    RenderPreview* m_preview;
    RenderPictures* m_pictures;
    MessageBar* m_messages;
    JobBar* m_jobBar;
    QSlider* m_slider;
    QLabel *m_frame, *m_promise;
    QPushButton* m_render;
    QTimer m_planTimer;
    QString m_busy, m_problem;
    std::optional<RenderPlan> m_plan;
    std::uint64_t m_planAsked = 0, m_pictureAsked = 0;
    QElapsedTimer m_since;
    double m_previewMs = -1;
};

}  // namespace skein::ui
