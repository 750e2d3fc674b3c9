// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "ui/document.h"
#include "ui/tracks/track_path.h"
#include "ui/view_state.h"

class QComboBox;
class QCustomPlot;
class QCPItemLine;
class QStackedWidget;
class QToolButton;

namespace skein::ui {

class DialogService;
class ElidedLabel;

/// Dock "Plots": how the selected tracks move. Curves are linked to the timeline: the same frames are in sight, a line
/// stands at the shown frame, a click goes to a frame. Read by a worker, only while somebody sees the dock. GUI thread
/// only.
class TrackPlotPanel : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Position, Speed, Heading, Distance, Presence, Occupancy };
    static constexpr std::size_t kMostTracks = 8;

    TrackPlotPanel(const Document* document, const ViewState* view, QWidget* parent);

    std::function<QColor(int)> trackColor;
    std::function<QString(int)> trackName;
    std::function<DialogService&()> dialogs;
    void setFirstFrameNumber(int number);

    void setTracks(const std::vector<int>& tracks);  ///< the first kMostTracks are shown
    void setKind(Kind kind);
    /// Another state of the project whose curves are drawn over the project's, which grow pale; `word` tells them apart
    /// ("smoothed"). nullopt: none.
    void setDraft(std::optional<project::Labels> draft, const QString& word);
    [[nodiscard]] Kind kind() const { return m_kind; }
    /// Frames that are in sight on the timeline.
    void setVisibleFrames(double first, double count);
    [[nodiscard]] bool isUpToDate() const { return !m_dirty && !m_working; }
    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }
    /// For tests: where the names and the curves lie; empty without names.
    [[nodiscard]] QRect legendRect() const;
    [[nodiscard]] QRect curvesRect() const;
    /// Everything that is drawn, as comma-separated text with a header; frames as the window counts them.
    [[nodiscard]] QByteArray csv() const;
    /// By the ending of the file: png, svg, pdf or csv. Empty: it was written; else why not.
    [[nodiscard]] QString exportTo(const QString& path) const;

Q_SIGNALS:
    void frameWanted(qint64 frame);
    void notice(const QString& words);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Curve {
        QString name;
        QColor color;
        Qt::PenStyle style = Qt::SolidLine;
        bool dots = false;
        PlotCurve curve;
    };
    struct Paths {
        std::vector<TrackPath> project, draft;
    };
    void addCurves(std::vector<Curve>& all, const std::vector<TrackPath>& paths, bool draft) const;
    void invalidate();
    void work();
    void draw();
    void drawCurves(const std::vector<Curve>& curves, const QString& unit);
    void drawPresence();
    void drawOccupancy();
    void fitOccupancy();
    void placeLegend(QSize room) const;
    void applyTheme();
    void moveHead();
    void askForFile(const QString& ending);
    [[nodiscard]] std::vector<Curve> curves() const;
    [[nodiscard]] QString name(const TrackPath& path) const;
    [[nodiscard]] QColor color(const TrackPath& path) const;

    const Document* m_document;
    const ViewState* m_view;
    QComboBox* m_kindBox;
    QToolButton* m_export;
    ElidedLabel* m_which;
    QStackedWidget* m_pages;
    QCustomPlot* m_plot;
    QCPItemLine* m_head;
    QTimer m_delay;
    Kind m_kind = Kind::Position;
    std::vector<int> m_tracks;
    std::vector<TrackPath> m_paths, m_draftPaths;
    std::optional<project::Labels> m_draft;
    QString m_draftWord;
    QSizeF m_arena;  ///< that the occupancy is drawn for, px
    double m_first = 0, m_count = 1;
    int m_firstNumber = 1;
    bool m_dirty = true;
    bool m_working = false;
};

}  // namespace skein::ui
