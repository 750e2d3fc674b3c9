// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPixmap>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "ui/timeline/lane_layout.h"
#include "ui/timeline/pyramid.h"
#include "ui/timeline/timeline_data.h"
#include "ui/view_state.h"

class QScrollBar;

namespace skein::ui {

class TimelineTip;

/// Frames that are marked for other reasons than instances, each list ascending.
struct TimelineMarks {
    std::vector<std::int64_t> suggestedOpen;      ///< nothing is on the frame yet
    std::vector<std::int64_t> suggestedLabelled;  ///< a person labelled it
    std::vector<std::int64_t> suggestedPredicted;
    std::vector<std::pair<std::int64_t, double>> issues;  ///< frame, severity 0 to 1
    std::int64_t flag = -1;                               ///< the frame that the person marked; -1: none
};

/// One graph above the marks.
struct TimelineStrip {
    QString id;
    QString title, unit;
    std::shared_ptr<const MinMaxPyramid> values;  ///< by frame; null: being computed, or something is lacking
    QString lacks = {};                           ///< what it needs and does not have, in words
};

/// The video as a line: ruler, graphs of statistics, marks, the tracks in lanes, an overview once zoomed in. Shows and
/// sets ViewState's frame and range. GUI thread only. Everything but head, hover and range is drawn into a pixmap that
/// is made anew only when data, size or zoom change; its cost follows pixels, not frames nor tracks: of graphs the
/// extremes of each pixel come from a pyramid, of marks and spans each pixel is a search.
///
/// timeline.cpp has what it knows and where things are, _paint.cpp, _strips.cpp, _marks.cpp and _lanes.cpp draw,
/// _gestures.cpp obeys the pointer, _words.cpp says what lies under it.
class Timeline : public QWidget {
    Q_OBJECT
public:
    static constexpr int kStripHeight = 40, kLeastStrip = 24, kMostStrip = 160;
    static constexpr int kPackAbove = 40;  ///< lanes that are not packed yet

    Timeline(ViewState* view, QWidget* parent);

    void setData(std::shared_ptr<const TimelineData> part);  ///< null: nothing known yet
    /// Fresh results of a run that are not part of setData() yet; shown on top of it.
    void setLive(std::shared_ptr<const TimelineData> live);
    /// Frames that a run has finished and wants, ascending; both empty: no run on this video.
    void setRun(std::vector<FrameRange> finished, std::vector<FrameRange> wanted);

    /// Frames that a search found, ascending; highlighted.
    void setFound(std::vector<std::int64_t> frames);
    void setMarks(TimelineMarks marks);
    /// From top to bottom.
    void setStrips(std::vector<TimelineStrip> strips);
    [[nodiscard]] const std::vector<TimelineStrip>& strips() const { return m_strips; }
    [[nodiscard]] int stripHeight() const { return m_stripHeight; }
    void setStripHeight(int height);
    /// A line across a graph that the person drags; nullopt: none.
    [[nodiscard]] std::optional<double> threshold(const QString& strip) const;
    void setThreshold(const QString& strip, std::optional<double> value);
    /// The next frame whose value lies above (or below) the line, around the end if need be; runs of such frames count
    /// as one, by their first frame. nullopt: there is none, or no line.
    [[nodiscard]] std::optional<std::int64_t> nextBeyond(std::size_t strip, bool above, std::int64_t from,
                                                         int direction) const;
    /// Of each run of frames beyond the line the most extreme one, the most extreme runs first, at most `most`.
    [[nodiscard]] std::vector<std::int64_t> extremesBeyond(std::size_t strip, bool above, std::size_t most) const;

    void setLaneOrder(LaneOrder order);
    void setLanesPacked(bool packed);            ///< when there are more than kPackAbove
    void setIssueCounts(std::vector<int> open);  ///< by track index, for LaneOrder::Issues
    void setSelectedTracks(std::vector<int> tracks);
    [[nodiscard]] int laneRows() const;
    /// Middle of a track's lane, -1: it is not in sight.
    [[nodiscard]] int laneY(int track) const;

    /// Texts and colours that the owner knows better.
    std::function<QString(std::int64_t)> timeText;   ///< presentation time of a frame
    std::function<QString(std::int64_t)> countText;  ///< what is on a frame
    std::function<QString(int)> trackName;
    std::function<QColor(int)> trackColor;
    std::function<double()> framesPerSecond;  ///< 0: not known
    void setFirstFrameNumber(int number);     ///< 0 or 1: what frame index 0 is called
    void setRulerShowsTime(bool time);

    [[nodiscard]] double frameToX(double frame) const;
    [[nodiscard]] std::int64_t xToFrame(double x) const;
    [[nodiscard]] double visibleFirst() const { return m_first; }
    [[nodiscard]] double visibleCount() const { return m_count; }
    /// What the tool tip says at a place of the widget.
    [[nodiscard]] QString hoverText(QPoint at) const;
    /// The picture of a frame for the tool tip; taken when the tip still shows that frame.
    void setThumbnail(std::int64_t frame, const QPixmap& picture);
    void zoomAbout(double x, double factor);
    void showAll();
    void showRange(const FrameRange& range);
    void colorsChanged();

    QSize sizeHint() const override { return {600, 112}; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The person went to a frame here (not when the view was set from elsewhere).
    void sought(qint64 frame);
    void trackClicked(int track, qint64 frame);
    void trackAdded(int track, qint64 frame);  ///< Ctrl and click
    void trackMenuWanted(int track, qint64 frame, const QPoint& globalPoint);
    void stripMenuWanted(int strip, const QPoint& globalPoint);
    void thresholdChanged();
    void stripHeightChanged(int height);  ///< by dragging
    void thumbnailWanted(qint64 frame);
    void viewChanged();  ///< visibleFirst(), visibleCount()

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag {
        None,
        Seek,
        Range,
        RangeFirst,
        RangeLast,
        Zoom,
        Pan,
        Overview,
        OverviewFirst,
        OverviewLast,
        Threshold,
        StripHeight
    };

    [[nodiscard]] QRect rulerRect() const;
    [[nodiscard]] QRect stripRect(std::size_t strip) const;
    [[nodiscard]] QRect marksRect() const;
    [[nodiscard]] QRect lanesRect() const;
    [[nodiscard]] QRect overviewRect() const;  ///< empty unless zoomed in
    [[nodiscard]] double overviewScale() const;
    [[nodiscard]] int stripAt(QPointF at) const;      ///< -1 none
    [[nodiscard]] int stripEdgeAt(QPointF at) const;  ///< strip whose lower edge is there; -1 none
    [[nodiscard]] int thresholdAt(QPointF at) const;  ///< strip whose line is there; -1 none
    [[nodiscard]] double pixelsPerFrame() const;
    [[nodiscard]] double laneHeight() const;
    [[nodiscard]] const LaneLayout& lanes() const;
    [[nodiscard]] int laneAt(QPointF at) const;   ///< track, -1 none
    [[nodiscard]] int trackAt(QPointF at) const;  ///< the same where the track is, or nearly; -1 beside it
    [[nodiscard]] std::int64_t snapped(QPointF at) const;
    [[nodiscard]] std::int64_t markAt(QPointF at) const;
    [[nodiscard]] double stripValue(std::size_t strip, double y) const;
    [[nodiscard]] QFont stripFont() const;
    [[nodiscard]] QRectF graphRect(std::size_t strip) const;
    [[nodiscard]] double stripY(std::size_t strip, double value) const;
    [[nodiscard]] std::pair<double, double> stripExtent(std::size_t strip) const;
    [[nodiscard]] bool isBeyond(std::size_t strip, bool above, std::int64_t frame) const;
    [[nodiscard]] Drag whatIsAt(QPointF at) const;
    void clampView();
    void keepHeadVisible();
    void invalidate();
    void lanesChanged();
    void updateScrollBar();
    void render();
    void paintRuler(QPainter& painter) const;
    void paintTick(QPainter& painter, const QFontMetricsF& metrics, double x, const QString& label) const;
    void paintTimes(QPainter& painter, const QFontMetricsF& metrics, double fps) const;
    void paintStrips(QPainter& painter) const;
    void paintThresholds(QPainter& painter) const;
    void paintGraph(QPainter& painter, std::size_t strip) const;
    void paintMarks(QPainter& painter) const;
    void paintBars(QPainter& painter, const std::vector<std::int64_t>& frames, const QColor& color, double top,
                   double height, double widest) const;
    void paintSuggestions(QPainter& painter) const;
    void paintIssues(QPainter& painter) const;
    void paintLanes(QPainter& painter) const;
    void paintSpans(QPainter& painter, const TimelineData::Lane& lane, const QColor& color, double top,
                    double height) const;
    void paintFound(QPainter& painter) const;
    void paintOverview(QPainter& painter) const;
    void seek(std::int64_t frame);
    void showTip();
    void hideTip();

    ViewState* m_view;
    QScrollBar* m_scroll;
    TimelineTip* m_tip;
    QTimer m_tipDelay;
    std::int64_t m_tipFrame = -1;
    std::shared_ptr<const TimelineData> m_data;
    std::shared_ptr<const TimelineData> m_live;
    std::vector<FrameRange> m_finished, m_wanted;
    std::vector<std::int64_t> m_found;
    TimelineMarks m_marks;
    std::vector<TimelineStrip> m_strips;
    std::map<QString, double> m_thresholds;
    int m_stripHeight = kStripHeight;
    mutable int m_nameLine = 0;  ///< height of a strip's name; 0: the font is another one
    LaneOrder m_order = LaneOrder::Index;
    bool m_packed = true;
    std::vector<int> m_openIssues;
    std::vector<int> m_selectedTracks;  ///< ascending
    /// What the layout was made from; while it is the same the layout stays, since with ten thousand tracks making it
    /// takes half a display frame.
    struct LaidOut {
        std::vector<LaneLayout::Track> tracks;
        LaneOrder order = LaneOrder::Index;
        bool pack = false;
        std::int64_t gap = 0;
        friend bool operator==(const LaidOut&, const LaidOut&) = default;
    };
    mutable LaneLayout m_layout;
    mutable LaidOut m_laidOut;
    mutable bool m_lanesStale = true;
    int m_firstNumber = 1;
    bool m_rulerTime = false;
    double m_first = 0;  ///< frame at the left edge; frame i covers [i, i + 1)
    double m_count = 1;  ///< frames that fit into the width
    QPixmap m_ground;
    double m_toldFirst = -1, m_toldCount = -1;  ///< as viewChanged() told last
    bool m_stale = true;
    Drag m_drag = Drag::None;
    std::size_t m_draggedStrip = 0;
    std::int64_t m_anchor = 0;
    QPointF m_pressedAt;
    QPointF m_draggedTo;
    double m_pannedFrom = 0, m_pannedCount = 0;
    std::optional<QPointF> m_hover;
};

}  // namespace skein::ui
