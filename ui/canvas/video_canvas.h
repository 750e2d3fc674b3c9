// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QTimer>
#include <QTransform>
#include <QWidget>
#include <cstdint>

#include "engine/base/image.h"
#include "ui/canvas/hit_test.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// Shows one frame with its skeletons. GUI thread only.
///
/// Scene coordinates are pixels of the frame: (0, 0) is the centre of the top-left pixel, so the picture covers
/// (-0.5, -0.5) to (w - 0.5, h - 0.5). Picture and skeletons are set together, so that one frame's skeletons never lie
/// over another's picture. Keys are the main window's business.
class VideoCanvas : public QWidget {
    Q_OBJECT
public:
    enum class Fit { None, Frame, Instances };

    explicit VideoCanvas(QWidget* parent = nullptr);

    /// A frame with its picture. The view stays where it is; another size of picture fits it anew.
    void showFrame(ImagePtr picture, ShownFrame contents);
    /// A frame whose picture is missing: skeletons on an empty ground of the size that the project remembers.
    void showWithoutPicture(QSize size, const QString& sentence, ShownFrame contents);
    /// New contents for the frame that is shown already.
    void updateContents(ShownFrame contents);
    void clear();
    /// A picture is on its way: after 150 ms a small mark says so. `frame` is its number.
    void setWaiting(bool waiting);

    void setOverlayStyle(const OverlayStyle& style);
    void setInstancesShown(bool shown);
    void setSelected(project::InstanceId instance);
    void setPlaceholder(const QString& sentence);  ///< shown in the middle while there is no frame

    [[nodiscard]] double zoom() const { return m_zoom; }  ///< logical view pixels per frame pixel
    [[nodiscard]] Fit fit() const { return m_fit; }
    void fitFrame();      ///< sticky until the person zooms or pans
    void fitInstances();  ///< sticky likewise
    void actualSize();
    void zoomAbout(QPointF viewPoint, double factor);

    [[nodiscard]] QPointF viewToScene(QPointF viewPoint) const;
    [[nodiscard]] QPointF sceneToView(QPointF scenePoint) const;
    [[nodiscard]] Hit itemAt(QPointF viewPoint) const;
    [[nodiscard]] std::uint64_t framesShown() const { return m_framesShown; }  ///< pictures painted since the start
    [[nodiscard]] std::int64_t lastShownFrame() const { return m_lastShown; }  ///< frame index of the last one, -1 none
    [[nodiscard]] const ShownFrame& contents() const { return m_contents; }
    [[nodiscard]] const ImagePtr& picture() const { return m_picture; }
    [[nodiscard]] bool hasPicture() const { return m_picture != nullptr; }
    [[nodiscard]] bool isSpinnerShown() const { return m_spinning; }

    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void instanceClicked(skein::project::InstanceId instance);  ///< 0: beside every instance
    void hoverChanged(const QString& words);  ///< what lies under the pointer, for the status bar; empty: nothing
    void zoomChanged();
    void framePainted(qint64 frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QTransform sceneTransform() const;
    [[nodiscard]] QRectF frameRect() const;  ///< in scene coordinates; empty: no frame
    [[nodiscard]] double fitZoom() const;
    void setFrameSize(QSize size);
    void applyFit();
    void fitTo(const QRectF& scene);
    void keepInView();
    void setZoom(double zoom, QPointF viewPoint);
    void setHovered(const Hit& hit);
    void click(QPointF viewPoint);
    void paintSpinner(QPainter& painter);
    void paintSentence(QPainter& painter, const QString& sentence, const QRectF& where);

    ImagePtr m_picture;
    QImage m_image;  ///< wraps m_picture without copying
    QSize m_frameSize;
    ShownFrame m_contents;
    QString m_sentence;     ///< why there is no picture
    QString m_placeholder;  ///< why there is no frame
    OverlayPainter m_overlay;
    OverlayStyle m_style;
    bool m_instancesShown = true;
    project::InstanceId m_selected = 0;
    Hit m_hovered;

    double m_zoom = 1;
    QPointF m_offset;  ///< view position of scene (0, 0)
    Fit m_fit = Fit::Frame;

    QPointF m_pressedAt;
    QPointF m_pannedFrom;
    bool m_panning = false;
    bool m_pressed = false;
    bool m_zoomRect = false;
    QRectF m_rubber;
    QPointF m_lastClick;
    std::size_t m_cycle = 0;

    QTimer m_spinnerDelay;
    QTimer m_spinnerStep;
    bool m_spinning = false;
    int m_spinnerAngle = 0;
    bool m_unpainted = false;
    std::uint64_t m_framesShown = 0;
    std::int64_t m_lastShown = -1;
};

}  // namespace skein::ui
