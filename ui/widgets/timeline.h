// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPixmap>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "ui/view_state.h"
#include "ui/widgets/timeline_data.h"

class QScrollBar;

namespace skein::ui {

/// The video as a line: ruler, marks, one lane a track, an overview once zoomed in. Shows and sets ViewState's frame
/// and range. GUI thread only. Everything but head, hover and range is drawn into a pixmap that is made anew only when
/// data, size or zoom change; its cost follows pixels, not frames.
class Timeline : public QWidget {
    Q_OBJECT
public:
    Timeline(ViewState* view, QWidget* parent);

    void setData(std::shared_ptr<const TimelineData> part);  ///< null: nothing known yet
    /// Fresh results of a run that are not part of setData() yet; shown on top of it.
    void setLive(std::shared_ptr<const TimelineData> live);
    /// Frames that a run has finished and wants, ascending; both empty: no run on this video.
    void setRun(std::vector<FrameRange> finished, std::vector<FrameRange> wanted);

    /// Frames that a search found, ascending; highlighted.
    void setFound(std::vector<std::int64_t> frames);

    /// Texts that the owner knows better.
    std::function<QString(std::int64_t)> timeText;  ///< presentation time of a frame
    std::function<QString(int)> trackName;          ///< name of a track
    void setFirstFrameNumber(int number);           ///< 0 or 1: what frame index 0 is called

    [[nodiscard]] double frameToX(double frame) const;
    [[nodiscard]] std::int64_t xToFrame(double x) const;
    [[nodiscard]] double visibleFirst() const { return m_first; }
    [[nodiscard]] double visibleCount() const { return m_count; }
    /// What the tool tip says at a place of the widget.
    [[nodiscard]] QString hoverText(QPoint at) const;
    void zoomAbout(double x, double factor);
    void showAll();
    void showRange(const FrameRange& range);

    QSize sizeHint() const override { return {600, 112}; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The person went to a frame here (not when the view was set from elsewhere).
    void sought(qint64 frame);
    void trackClicked(int track, qint64 frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Seek, Range, RangeFirst, RangeLast, Zoom, Pan, Overview };

    [[nodiscard]] QRect rulerRect() const;
    [[nodiscard]] QRect marksRect() const;
    [[nodiscard]] QRect lanesRect() const;
    [[nodiscard]] QRect overviewRect() const;  ///< empty unless zoomed in
    [[nodiscard]] double pixelsPerFrame() const;
    [[nodiscard]] double laneHeight() const;
    [[nodiscard]] std::vector<int> laneTracks() const;
    [[nodiscard]] int laneAt(QPointF at) const;  ///< track, -1 none
    [[nodiscard]] std::int64_t snapped(double x) const;
    void clampView();
    void keepHeadVisible();
    void invalidate();
    void updateScrollBar();
    void render();
    void paintRuler(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintLanes(QPainter& painter) const;
    void paintFound(QPainter& painter) const;
    void seek(std::int64_t frame);

    ViewState* m_view;
    QScrollBar* m_scroll;
    std::shared_ptr<const TimelineData> m_data;
    std::shared_ptr<const TimelineData> m_live;
    std::vector<FrameRange> m_finished, m_wanted;
    std::vector<std::int64_t> m_found;
    int m_firstNumber = 1;
    double m_first = 0;  ///< frame at the left edge; frame i covers [i, i + 1)
    double m_count = 1;  ///< frames that fit into the width
    QPixmap m_ground;
    bool m_stale = true;
    Drag m_drag = Drag::None;
    std::int64_t m_anchor = 0;
    QPointF m_pressedAt;
    double m_pannedFrom = 0;
    std::optional<QPointF> m_hover;
};

}  // namespace skein::ui
