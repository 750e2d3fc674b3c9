// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <memory>

#include "ui/bridge/frame_preview.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/dialogs/run_options.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace skein::ui {

class ElidedLabel;

/// A frame with what a model sees and makes of it, as large as there is room. GUI thread only.
class PreviewPane : public QWidget {
    Q_OBJECT
public:
    struct Layers {
        bool peaks = true, links = true, instances = true;
    };
    PreviewPane(const QString& objectName, QWidget* parent);

    void setPreview(std::shared_ptr<const FramePreview> preview);
    void setLayers(const Layers& layers);
    [[nodiscard]] const std::shared_ptr<const FramePreview>& preview() const { return m_preview; }

    QSize sizeHint() const override { return {420, 420}; }
    QSize minimumSizeHint() const override { return {200, 200}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QTransform toView() const;
    void paintLinks(QPainter& painter, const QTransform& toView) const;
    void paintPeaks(QPainter& painter, const QTransform& toView) const;

    std::shared_ptr<const FramePreview> m_preview;
    ShownFrame m_shown;
    Layers m_layers;
    OverlayPainter m_painter;
};

/// "Preview": the current frame with the settings of the inference dialog; once settings have changed, before and after
/// side by side. Not modal. GUI thread only.
class PreviewWindow : public QDialog {
    Q_OBJECT
public:
    PreviewWindow(Previewer previewer, QWidget* parent);

    /// Looks at the job's frame in the background. `settings`: those that the job was made from. `labels`: the project,
    /// for a model that has to be told where instances are.
    void look(pipeline::JobSpec job, const RunSettings& settings, const QString& model, const QString& where,
              const project::Labels& labels);
    /// In place of a picture, why there is none.
    void refuse(const QString& sentence);
    [[nodiscard]] bool isBusy() const { return m_busy; }
    [[nodiscard]] const PreviewPane& before() const { return *m_beforePane; }
    [[nodiscard]] const PreviewPane& now() const { return *m_nowPane; }

Q_SIGNALS:
    void againWanted();

private:
    /// An answer, and what it is the answer to.
    struct Shot {
        std::shared_ptr<const FramePreview> preview;
        RunSettings settings;
        QString model, where;
    };
    void showShot(const Shot& shot);
    void makeRoomForTwo();
    void refresh();

    Previewer m_previewer;
    std::optional<Shot> m_now, m_before;
    quint64 m_question = 0;
    bool m_busy = false;
    QString m_problem;
    QWidget* m_beforeBox;
    PreviewPane *m_beforePane, *m_nowPane;
    ElidedLabel *m_beforeTitle, *m_nowTitle;
    QLabel *m_beforeFigures, *m_nowFigures, *m_message;
    QCheckBox *m_peaks, *m_links, *m_instances;
    QPushButton* m_again;
};

}  // namespace skein::ui
