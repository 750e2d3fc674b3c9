// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QTransform>
#include <QWidget>
#include <cstdint>
#include <optional>

#include "engine/base/image.h"
#include "ui/canvas/drag_edit.h"
#include "ui/canvas/hit_test.h"
#include "ui/canvas/map_overlay.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/canvas/picture_adjustment.h"
#include "ui/shown_frame.h"

namespace skein::ui {

class CanvasLayer;

/// A finished drag: where the nodes of the instance are now.
struct DragResult {
    DragKind kind = DragKind::Node;
    project::InstanceId instance = 0;
    int node = -1;  ///< that was grabbed; -1 for Scale
    project::edit::Pose pose;
    bool turned = false;  ///< by the wheel
};

/// Shows one frame with its skeletons. GUI thread only.
///
/// Scene coordinates are pixels of the frame: (0, 0) is the centre of the top-left pixel, so the picture covers
/// (-0.5, -0.5) to (w - 0.5, h - 0.5). Picture and skeletons are set together, so that one frame's skeletons never lie
/// over another's picture. What the pointer does to instances is shown at once and told by signals when it is done; the
/// canvas itself changes nothing (video_canvas_gestures.cpp; _paint.cpp paints, _follow.cpp goes along). Keys are the
/// main window's business, except while a node is moved by the arrow keys.
class VideoCanvas : public QWidget {
    Q_OBJECT
public:
    enum class Fit { None, Frame, Instances, Selection };
    static constexpr double kMaxZoom = 64;

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
    void setSelected(project::InstanceId instance) { setSelection({instance}); }
    /// The last one is the one that has handles and is grabbed first.
    void setSelection(std::vector<project::InstanceId> instances);
    /// Brings the instance into sight, if it is not, as soon as it is among the contents.
    void reveal(project::InstanceId instance);
    /// How the picture is brightened; what is shown of it, nothing else.
    void setAdjustment(const PictureAdjustment& adjustment);
    [[nodiscard]] const PictureAdjustment& adjustment() const { return m_adjustment; }
    /// What a network says of the shown frame; drawn as long as that frame is shown, never over another. Null: nothing.
    void setMapOverlay(std::shared_ptr<const MapOverlay> overlay);
    [[nodiscard]] bool isMapShown() const;
    /// Something about this frame is being computed: the spinner turns after 150 ms.
    void setComputing(bool computing);
    /// Drawn under the skeletons, as long as they are shown; null: nothing. Not owned.
    void setLayer(CanvasLayer* layer);
    /// A magnifier at the pointer.
    void setLoupe(bool on);
    [[nodiscard]] bool hasLoupe() const { return m_loupe; }
    /// Draws these instances in place of the contents, with words that say what they are; nullopt: the contents again.
    void setComparison(std::optional<ShownFrame> frame, const QString& words = {});
    void setPlaceholder(const QString& sentence);  ///< shown in the middle while there is no frame

    [[nodiscard]] double zoom() const { return m_zoom; }  ///< logical view pixels per frame pixel
    [[nodiscard]] Fit fit() const { return m_fit; }
    void fitFrame();  ///< sticky until the person zooms or pans
    /// Sticky likewise: on each frame anew, and after an edit of the frame where something went out of sight.
    void fitInstances();
    /// The selected instance, and its track on other frames. Sticky likewise.
    void fitSelection();
    /// While playing the view glides after the selection instead of jumping.
    void setGliding(bool gliding);
    void actualSize();
    /// Brings that part of the frame into sight, as large as it goes; what was sticky before is so no more.
    void showScene(const QRectF& scene);
    void zoomAbout(QPointF viewPoint, double factor);
    /// Turns the view, not the picture: 0, 90, 180 or 270 degrees clockwise. What is in the middle stays there.
    void setRotation(int degrees);
    [[nodiscard]] int rotation() const { return m_rotation; }

    /// The part of the frame that is in sight, in scene coordinates.
    [[nodiscard]] QRectF visibleScene() const;
    /// Where the pointer is in the frame; nullopt: elsewhere.
    [[nodiscard]] std::optional<QPointF> pointerInScene() const;

    /// Node of the instance under the pointer or, when there is none, the one touched last.
    [[nodiscard]] Hit nodeInMind() const;
    /// Arrow keys move the node touched last (or the first node of the selected instance).
    void setNudging(bool nudging);
    [[nodiscard]] bool isNudging() const { return m_nudging; }
    /// The next drag draws a rectangle; areaChosen() tells which.
    void setChoosingArea(bool choosing);
    [[nodiscard]] bool isChoosingArea() const { return m_choosingArea; }
    /// Dragging a prediction's node makes a user instance of it; else predictions cannot be dragged.
    void setGhostDrag(bool on) { m_ghostDrag = on; }
    [[nodiscard]] bool isDragging() const { return m_dragging; }
    /// Esc: puts back what is being dragged, else leaves choosing or nudging. False: there was nothing to leave.
    bool cancelGesture();

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
    void instanceClicked(skein::project::InstanceId instance);       ///< 0: beside every instance
    void instanceShiftClicked(skein::project::InstanceId instance);  ///< to be added to the selection, or taken out
    void dragged(const skein::ui::DragResult& result);
    void nodeNudged(skein::project::InstanceId instance, int node, double dx, double dy);
    void visibilityWanted(skein::project::InstanceId instance, int node);  ///< of a user node, flipped
    void completeWanted(skein::project::InstanceId instance);              ///< all nodes of it
    void acceptWanted(skein::project::InstanceId prediction, bool complete);
    void missingNodesWanted(skein::project::InstanceId instance);
    void areaChosen(const QRectF& scene);
    void menuWanted(const QPoint& globalPoint, const skein::ui::Hit& under);
    void gestureModeChanged();                ///< nudging or choosing an area began or ended
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
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QTransform sceneTransform() const;
    [[nodiscard]] QRectF frameRect() const;  ///< in scene coordinates; empty: no frame
    [[nodiscard]] double fitZoom() const;
    void setFrameSize(QSize size);
    void setContents(ShownFrame contents);
    void updatePicture();
    void updateSpinner();
    [[nodiscard]] QRectF boundsOfAll() const;
    [[nodiscard]] QRectF followed();
    void follow(const QRectF& box);
    void glide();
    void applyFit();
    void fitTo(const QRectF& scene);
    void keepInView();
    void setZoom(double zoom, QPointF viewPoint);
    void setHovered(const Hit& hit);
    void click(QPointF viewPoint, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] std::vector<Hit> hits(QPointF viewPoint, project::InstanceId selected) const;
    void takeHold(const Hit& hit, Qt::KeyboardModifiers modifiers);
    void endDrag();
    void pick(const Hit& node);
    void pickNext(int by);
    void revealNow();
    [[nodiscard]] const ShownFrame& drawn() const;
    void updateDrag();
    void focusContents();
    void paintPicture(QPainter& painter, const QTransform& toView, double zoom, const QRectF& view) const;
    void paintLoupe(QPainter& painter);
    void paintSpinner(QPainter& painter);
    void paintWords(QPainter& painter, const QString& words);
    void paintSentence(QPainter& painter, const QString& sentence, const QRectF& where);

    ImagePtr m_picture;
    QImage m_image;  ///< wraps m_picture without copying, or is its adjusted copy
    PictureAdjustment m_adjustment;
    std::shared_ptr<const MapOverlay> m_map;
    std::optional<ShownFrame> m_comparison;
    QString m_comparisonWords;
    CanvasLayer* m_layer = nullptr;
    QSize m_frameSize;
    ShownFrame m_contents;
    QString m_sentence;     ///< why there is no picture
    QString m_placeholder;  ///< why there is no frame
    OverlayPainter m_overlay;
    OverlayPainter m_loupeOverlay;  ///< a second one, so that m_overlay's names stay those of the view
    OverlayStyle m_style;
    bool m_instancesShown = true;
    project::InstanceId m_selected = 0;
    std::vector<project::InstanceId> m_alsoSelected;
    project::InstanceId m_reveal = 0;
    Hit m_hovered;

    int m_rotation = 0;  ///< degrees clockwise
    double m_zoom = 1;
    QPointF m_offset;  ///< view position of scene (0, 0)
    Fit m_fit = Fit::Frame;
    int m_followedTrack = -1;
    bool m_gliding = false;
    QTimer m_glideStep;
    QElapsedTimer m_glideClock;
    QRectF m_glideTo;        ///< scene; null: nowhere
    QPointF m_glideSpeed;    ///< of the middle, scene units a second
    double m_zoomSpeed = 0;  ///< of the zoom's logarithm

    bool m_loupe = false;
    QPointF m_pointer;

    QPointF m_pressedAt;
    QPointF m_pannedFrom;
    bool m_panning = false;
    bool m_pressed = false;
    bool m_zoomRect = false;
    QRectF m_rubber;
    DragEdit m_drag;          ///< of the grabbed instance; null: none is
    bool m_dragging = false;  ///< it has been moved far enough, or turned
    bool m_turned = false;
    ShownFrame m_preview;  ///< the contents while dragging
    Hit m_picked;          ///< node touched last
    bool m_nudging = false;
    bool m_choosingArea = false;
    bool m_ghostDrag = true;
    bool m_doubleClicked = false;  ///< the release that follows is no click
    Hit m_rightPressed;
    QTimer m_rightHold;
    QPointF m_lastClick;
    std::size_t m_cycle = 0;

    QTimer m_spinnerDelay;
    QTimer m_spinnerStep;
    bool m_waiting = false;
    bool m_computing = false;
    bool m_spinning = false;
    int m_spinnerAngle = 0;
    bool m_unpainted = false;
    std::uint64_t m_framesShown = 0;
    std::int64_t m_lastShown = -1;
};

}  // namespace skein::ui
