// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_plot_panel.h"

// QCustomPlot's header has Qt's short keywords, which are switched off here.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSaveFile>
#include <QScopeGuard>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/tracks/line_color.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

namespace {
constexpr int kReadAfterMs = 150;
constexpr int kMostCells = 64;
constexpr int kExportWidth = 1200, kExportHeight = 700;
constexpr int kLegendWidth = 140;  // of a name in it
constexpr int kPale = 90;          // alpha of the project's curves under those of a draft
}  // namespace

TrackPlotPanel::TrackPlotPanel(const Document* document, const ViewState* view, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_view(view),
      m_kindBox(new QComboBox(this)),
      m_export(new QToolButton(this)),
      m_which(new ElidedLabel(this, Qt::ElideRight)),
      m_pages(new QStackedWidget(this)),
      m_plot(new QCustomPlot(m_pages)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kMargin);
    row->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    m_kindBox->setObjectName(QStringLiteral("plotKind"));
    m_kindBox->setAccessibleName(tr("What is plotted"));
    m_kindBox->setToolTip(tr("What is plotted of the selected tracks."));
    m_kindBox->addItems({tr("Position"), tr("Speed"), tr("Heading"), tr("Distance"), tr("Presence"), tr("Occupancy")});
    m_export->setObjectName(QStringLiteral("plotExport"));
    m_export->setAccessibleName(tr("Export the plot"));
    m_export->setText(tr("Export"));
    m_export->setToolTip(tr("Write the plot, or its numbers, into a file."));
    m_export->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_export);
    for (const QString& ending :
         {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")}) {
        QAction* action =
            menu->addAction(ending.toUpper() + QStringLiteral("..."), this, [this, ending] { askForFile(ending); });
        action->setObjectName(QStringLiteral("plotExport") + ending.toUpper());
    }
    m_export->setMenu(menu);
    m_which->setObjectName(QStringLiteral("plotTracks"));
    m_which->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_kindBox);
    row->addWidget(m_which, 1);
    row->addWidget(m_export);
    column->addLayout(row);
    column->addWidget(m_pages, 1);

    m_plot->setObjectName(QStringLiteral("trackPlot"));
    m_plot->setAccessibleName(tr("Plot of the selected tracks"));
    m_plot->setToolTip(tr("Click goes to a frame; wheel and drag move the frames that are in sight."));
    m_plot->setMinimumSize(120, 80);
    // The line at the shown frame moves often: it has a layer that is drawn alone.
    m_plot->addLayer(QStringLiteral("head"), nullptr, QCustomPlot::limAbove);
    m_plot->layer(QStringLiteral("head"))->setMode(QCPLayer::lmBuffered);
    m_head = new QCPItemLine(m_plot);
    m_head->setLayer(QStringLiteral("head"));
    m_head->setClipToAxisRect(true);
    for (QCPItemPosition* end : {m_head->start, m_head->end}) {
        end->setTypeX(QCPItemPosition::ptPlotCoords);
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_pages->addWidget(m_plot);
    auto* empty = new QLabel(
        tr("Select a track, on the frame, in the timeline or in the dock Tracks, to see how it moves."), m_pages);
    empty->setObjectName(QStringLiteral("plotEmpty"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setMargin(theme::kGap);
    empty->setForegroundRole(QPalette::PlaceholderText);
    m_pages->addWidget(empty);
    m_pages->setCurrentIndex(1);

    m_delay.setSingleShot(true);
    m_delay.setInterval(kReadAfterMs);
    connect(&m_delay, &QTimer::timeout, this, &TrackPlotPanel::work);
    connect(m_kindBox, &QComboBox::currentIndexChanged, this, [this](int kind) { setKind(static_cast<Kind>(kind)); });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (m_kind != Kind::Occupancy && event->button() == Qt::LeftButton)
            Q_EMIT frameWanted(std::llround(m_plot->xAxis->pixelToCoord(event->position().x())) - m_firstNumber);
    });
    connect(m_plot, &QCustomPlot::afterLayout, this, &TrackPlotPanel::fitOccupancy);
    m_plot->installEventFilter(this);
    connect(view, &ViewState::frameChanged, this, &TrackPlotPanel::moveHead);
    connect(view, &ViewState::videoChanged, this, &TrackPlotPanel::invalidate);
    connect(document, &Document::opened, this, [this] {
        m_tracks.clear();
        m_paths.clear();
        m_draftPaths.clear();
        draw();
    });
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds & (ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks))
            invalidate();
    });
    applyTheme();
}

void TrackPlotPanel::setFirstFrameNumber(int number) {
    if (std::exchange(m_firstNumber, number) != number)
        draw();
}

void TrackPlotPanel::setTracks(const std::vector<int>& tracks) {
    std::vector<int> shown(tracks.begin(),
                           tracks.begin() + static_cast<std::ptrdiff_t>(std::min(tracks.size(), kMostTracks)));
    if (shown == m_tracks)
        return;
    m_tracks = std::move(shown);
    invalidate();
}

void TrackPlotPanel::setKind(Kind kind) {
    if (std::exchange(m_kind, kind) == kind)
        return;
    m_kindBox->setCurrentIndex(static_cast<int>(kind));
    draw();
}

void TrackPlotPanel::setDraft(std::optional<project::Labels> draft, const QString& word) {
    if (!draft && !m_draft)
        return;
    m_draft = std::move(draft);
    m_draftWord = word;
    invalidate();
}

void TrackPlotPanel::setVisibleFrames(double first, double count) {
    m_first = first;
    m_count = std::max(1.0, count);
    if (m_kind == Kind::Occupancy || !isVisible())
        return;
    m_plot->xAxis->setRange(m_first + m_firstNumber, m_first + m_count + m_firstNumber);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void TrackPlotPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_dirty)
        work();
    else
        draw();
}

void TrackPlotPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_plot != nullptr)
        draw();
    QWidget::changeEvent(event);
}

void TrackPlotPanel::invalidate() {
    m_dirty = true;
    if (isVisible())
        m_delay.start();
}

void TrackPlotPanel::work() {
    if (m_working || !m_dirty || !isVisible())
        return;
    m_dirty = false;
    m_working = true;
    inBackground(
        this,
        [labels = m_document->snapshot(), video = m_view->video(), tracks = m_tracks,
         draft = m_draft]() -> Result<Paths> {
            Paths paths;
            if (video < 0)
                return paths;
            paths.project = pathsOf(labels, static_cast<std::uint32_t>(video), tracks);
            if (draft)
                paths.draft = pathsOf(*draft, static_cast<std::uint32_t>(video), tracks);
            for (auto* list : {&paths.project, &paths.draft})
                std::erase_if(*list, [](const TrackPath& path) { return path.frames.empty(); });
            return paths;
        },
        [this](Result<Paths> paths) {
            m_working = false;
            if (paths) {
                m_paths = std::move(paths->project);
                m_draftPaths = std::move(paths->draft);
                draw();
            }
            if (m_dirty)
                m_delay.start();
        });
}

QString TrackPlotPanel::name(const TrackPath& path) const {
    return trackName ? trackName(path.track) : QString::number(path.track);
}

QColor TrackPlotPanel::color(const TrackPath& path) const {
    return lineColor(trackColor ? trackColor(path.track) : theme::trackColor(path.track), theme::tokens().surface);
}

void TrackPlotPanel::addCurves(std::vector<Curve>& all, const std::vector<TrackPath>& paths, bool draft) const {
    const auto add = [&](const QString& name, QColor color, Qt::PenStyle style, bool dots, PlotCurve curve) {
        if (!draft && !m_draftPaths.empty())
            color.setAlpha(kPale);
        all.push_back({draft ? tr("%1, %2").arg(name, m_draftWord) : name, color, style, dots, std::move(curve)});
    };
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const TrackPath& path = paths[i];
        switch (m_kind) {
            case Kind::Position:
                add(tr("%1 x").arg(name(path)), color(path), Qt::SolidLine, false, curveOf(path, path.x));
                add(tr("%1 y").arg(name(path)), color(path), Qt::DashLine, false, curveOf(path, path.y));
                break;
            case Kind::Speed:
                add(name(path), color(path), Qt::SolidLine, false, speedOf(path));
                break;
            case Kind::Heading:
                add(name(path), color(path), Qt::SolidLine, true, headingOf(path));
                break;
            case Kind::Distance:
                for (std::size_t j = i + 1; j < paths.size(); ++j)
                    add(tr("%1 to %2").arg(name(path), name(paths[j])), theme::mix(color(path), color(paths[j]), 0.5),
                        Qt::SolidLine, false, distanceOf(path, paths[j]));
                break;
            case Kind::Presence:
            case Kind::Occupancy:
                break;
        }
    }
}

std::vector<TrackPlotPanel::Curve> TrackPlotPanel::curves() const {
    std::vector<Curve> all;
    addCurves(all, m_paths, false);
    addCurves(all, m_draftPaths, true);
    return all;
}

void TrackPlotPanel::draw() {
    applyTheme();
    m_plot->clearPlottables();
    const bool enough = m_kind == Kind::Distance ? m_paths.size() > 1 : !m_paths.empty();
    auto* sentence = qobject_cast<QLabel*>(m_pages->widget(1));
    sentence->setText(
        m_kind == Kind::Distance && !m_paths.empty()
            ? tr("Select two tracks, with Shift on the frame, in the timeline or in the dock Tracks, to see how far "
                 "apart they are.")
            : tr("Select a track, on the frame, in the timeline or in the dock Tracks, to see how it moves."));
    m_pages->setCurrentIndex(enough ? 0 : 1);
    m_export->setEnabled(enough);
    QStringList names;
    for (const TrackPath& path : m_paths)
        names << name(path);
    m_which->setFullText(names.size() > 3 ? tr("%1 tracks").arg(names.size()) : names.join(QStringLiteral(", ")));
    if (!enough)
        return;
    m_head->setVisible(m_kind != Kind::Occupancy);
    m_plot->yAxis->setRangeReversed(m_kind == Kind::Occupancy);
    m_plot->xAxis->setLabel(m_kind == Kind::Occupancy ? tr("x (px)") : tr("Frame"));
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    if (m_kind == Kind::Occupancy)
        drawOccupancy();
    else if (m_kind == Kind::Presence)
        drawPresence();
    else
        drawCurves(curves(), m_kind == Kind::Speed     ? tr("px/frame")
                             : m_kind == Kind::Heading ? tr("degrees, 90 is up")
                                                       : tr("px"));
    if (m_kind != Kind::Occupancy)
        m_plot->xAxis->setRange(m_first + m_firstNumber, m_first + m_count + m_firstNumber);
    placeLegend(m_plot->size());
    moveHead();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void TrackPlotPanel::drawCurves(const std::vector<Curve>& curves, const QString& unit) {
    for (const Curve& curve : curves) {
        QCPGraph* graph = m_plot->addGraph();
        graph->setName(m_plot->fontMetrics().elidedText(curve.name, Qt::ElideMiddle, kLegendWidth));
        graph->setPen(QPen(curve.color, 1.2, curve.style));
        if (curve.dots) {
            graph->setLineStyle(QCPGraph::lsNone);
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 3));
        }
        QVector<double> frames(curve.curve.frames.begin(), curve.curve.frames.end());
        for (double& frame : frames)
            frame += m_firstNumber;
        graph->setData(frames, QVector<double>(curve.curve.values.begin(), curve.curve.values.end()), true);
    }
    m_plot->yAxis->setLabel(unit);
    m_plot->yAxis->rescale();
    if (m_kind == Kind::Heading)
        m_plot->yAxis->setRange(-180, 180);
}

void TrackPlotPanel::drawPresence() {
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
        const double y = static_cast<double>(m_paths.size() - i);
        ticker->addTick(y, name(m_paths[i]));
        QCPGraph* graph = m_plot->addGraph();
        graph->setName(name(m_paths[i]));
        QPen pen(color(m_paths[i]), 8);
        pen.setCapStyle(Qt::FlatCap);
        graph->setPen(pen);
        QVector<double> frames, values;
        for (const auto& [first, last] : runsOf(m_paths[i])) {
            frames << static_cast<double>(first + m_firstNumber) << static_cast<double>(last + 1 + m_firstNumber)
                   << static_cast<double>(last + 1 + m_firstNumber);
            values << y << y << project::kNaN;
        }
        graph->setData(frames, values, true);
    }
    m_plot->yAxis->setTicker(ticker);
    m_plot->yAxis->setLabel(QString());
    m_plot->yAxis->setRange(0.4, static_cast<double>(m_paths.size()) + 0.6);
}

void TrackPlotPanel::drawOccupancy() {
    const auto& videos = m_document->labels().videos();
    const auto video = static_cast<std::size_t>(std::max(0, m_view->video()));
    const Occupancy map = occupancyOf(m_paths, video < videos.size() ? videos[video].width : 0,
                                      video < videos.size() ? videos[video].height : 0, kMostCells);
    auto* colors = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
    colors->data()->setSize(map.columns, map.rows);
    colors->data()->setRange(QCPRange(map.cell / 2, (map.columns - 0.5) * map.cell),
                             QCPRange(map.cell / 2, (map.rows - 0.5) * map.cell));
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column)
            colors->data()->setCell(
                column, row,
                std::sqrt(static_cast<double>(map.counts[static_cast<std::size_t>(row * map.columns + column)])));
    QCPColorGradient gradient;
    for (int step = 0; step <= 8; ++step)
        gradient.setColorStopAt(step / 8.0, theme::rampColor(step / 8.0));
    gradient.setColorStopAt(0, theme::tokens().surface);
    colors->setGradient(gradient);
    colors->setInterpolate(false);
    colors->rescaleDataRange(true);
    m_plot->yAxis->setLabel(tr("y (px)"));
    m_arena = QSizeF(map.columns * map.cell, map.rows * map.cell);
    fitOccupancy();
}

/// All of the arena, a pixel as wide as it is high; what room is left lies on both sides.
void TrackPlotPanel::fitOccupancy() {
    const QSizeF room = m_plot->axisRect()->size();
    if (m_kind != Kind::Occupancy || m_arena.isEmpty() || room.isEmpty())
        return;
    const double scale = std::min(room.width() / m_arena.width(), room.height() / m_arena.height());
    const double wide = room.width() / scale, high = room.height() / scale;
    m_plot->xAxis->setRange((m_arena.width() - wide) / 2, (m_arena.width() + wide) / 2);
    m_plot->yAxis->setRange((m_arena.height() - high) / 2, (m_arena.height() + high) / 2);
}

/// Above the curves, side by side as far as they fit; nowhere where it would leave the curves too little room.
void TrackPlotPanel::placeLegend(QSize room) const {
    constexpr int kMostNames = 6, kLeastPlot = 110;
    QCPLegend* legend = m_plot->legend;
    QCPLayoutGrid* rows = m_plot->plotLayout();
    int widest = 1, names = 0;
    for (int i = 0; i < legend->itemCount(); ++i)
        if (const QCPAbstractLegendItem* item = legend->item(i)) {  // a cell may be empty
            widest = std::max(widest, item->minimumOuterSizeHint().width());
            ++names;
        }
    legend->setWrap(std::clamp(room.width() / (widest + legend->columnSpacing()), 1, std::max(1, names)));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    const bool isWanted = names > 1 && names <= kMostNames && m_kind != Kind::Presence &&
                          room.height() - legend->minimumOuterSizeHint().height() >= kLeastPlot;
    const bool isThere = legend->layout() == rows;
    if (isWanted && !isThere) {
        rows->insertRow(0);
        rows->addElement(0, 0, legend);
        rows->setRowStretchFactor(0, 0.001);  // no more than it needs
    } else if (!isWanted && isThere) {
        rows->take(legend);
        rows->simplify();
    }
    legend->setVisible(isWanted);
}

QRect TrackPlotPanel::legendRect() const {
    return m_plot->legend->visible() ? m_plot->legend->outerRect() : QRect();
}

QRect TrackPlotPanel::curvesRect() const {
    return m_plot->axisRect()->rect();
}

bool TrackPlotPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::Resize)
        placeLegend(m_plot->size());
    return QWidget::eventFilter(watched, event);
}

void TrackPlotPanel::applyTheme() {
    const auto& t = theme::tokens();
    m_plot->setBackground(t.surface);
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(t.line));
        axis->setTickPen(QPen(t.line));
        axis->setSubTickPen(QPen(t.line));
        axis->setTickLabelColor(t.text2);
        axis->setLabelColor(t.text2);
        axis->setTickLabelFont(small);
        axis->setLabelFont(small);
        axis->grid()->setPen(QPen(t.line, 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(QPen(t.line));
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
    }
    m_head->setPen(QPen(t.accent, 1));
    m_plot->legend->setFont(small);
    m_plot->legend->setTextColor(t.text);
    m_plot->legend->setBorderPen(Qt::NoPen);
    m_plot->legend->setBrush(Qt::NoBrush);
}

void TrackPlotPanel::moveHead() {
    const double x = static_cast<double>(m_view->frame() + m_firstNumber);
    m_head->start->setCoords(x, 0);
    m_head->end->setCoords(x, 1);
    if (isVisible() && m_kind != Kind::Occupancy)
        m_plot->layer(QStringLiteral("head"))->replot();
}

// --- Files ---------------------------------------------------------------------------------------------------------

QByteArray TrackPlotPanel::csv() const {
    QByteArray out;
    const auto quoted = [](QString words) {
        return QLatin1Char('"') + words.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    };
    const auto number = [](double value) {
        return std::isnan(value) ? QByteArray() : QByteArray::number(value, 'g', 10);
    };
    const QString frames = m_firstNumber == 0 ? QStringLiteral("frame (from 0)") : QStringLiteral("frame (from 1)");
    if (m_kind == Kind::Presence) {
        out += "track," + frames.toUtf8() + " first," + frames.toUtf8() + " last\n";
        for (const TrackPath& path : m_paths)
            for (const auto& [first, last] : runsOf(path))
                out += quoted(name(path)).toUtf8() + ',' + QByteArray::number(first + m_firstNumber) + ',' +
                       QByteArray::number(last + m_firstNumber) + '\n';
        return out;
    }
    if (m_kind == Kind::Occupancy) {
        const auto& videos = m_document->labels().videos();
        const auto video = static_cast<std::size_t>(std::max(0, m_view->video()));
        const Occupancy map = occupancyOf(m_paths, video < videos.size() ? videos[video].width : 0,
                                          video < videos.size() ? videos[video].height : 0, kMostCells);
        out += "x from (px),y from (px),side (px),frames\n";
        for (int row = 0; row < map.rows; ++row)
            for (int column = 0; column < map.columns; ++column)
                out += number(column * map.cell) + ',' + number(row * map.cell) + ',' + number(map.cell) + ',' +
                       QByteArray::number(
                           static_cast<qlonglong>(map.counts[static_cast<std::size_t>(row * map.columns + column)])) +
                       '\n';
        return out;
    }
    const std::vector<Curve> all = curves();
    out += frames.toUtf8();
    std::map<double, std::vector<double>> rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out += ',' + quoted(all[i].name).toUtf8();
        for (std::size_t k = 0; k < all[i].curve.frames.size(); ++k) {
            auto& row = rows[all[i].curve.frames[k]];
            row.resize(all.size(), project::kNaN);
            row[i] = all[i].curve.values[k];
        }
    }
    out += '\n';
    for (const auto& [frame, values] : rows) {
        if (std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
            continue;
        out += QByteArray::number(static_cast<qlonglong>(frame) + m_firstNumber);
        for (const double value : values)
            out += ',' + number(value);
        out += '\n';
    }
    return out;
}

QString TrackPlotPanel::exportTo(const QString& path) const {
    const QString ending = QFileInfo(path).suffix().toLower();
    bool done = false;
    placeLegend({kExportWidth, kExportHeight});
    const auto restored = qScopeGuard([this] { placeLegend(m_plot->size()); });
    if (ending == QLatin1String("csv")) {
        const QByteArray text = csv();
        QSaveFile file(path);
        done = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    } else if (ending == QLatin1String("png")) {
        done = m_plot->savePng(path, kExportWidth, kExportHeight, 2);
    } else if (ending == QLatin1String("pdf")) {
        done = m_plot->savePdf(path, kExportWidth, kExportHeight);
    } else if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setFileName(path);
        generator.setSize({kExportWidth, kExportHeight});
        generator.setViewBox(QRect(0, 0, kExportWidth, kExportHeight));
        QCPPainter painter;
        if (painter.begin(&generator)) {
            painter.setMode(QCPPainter::pmVectorized);
            painter.setMode(QCPPainter::pmNoCaching);
            m_plot->toPainter(&painter, kExportWidth, kExportHeight);
            done = painter.end();
        }
    } else {
        return tr("%1 ends in none of png, svg, pdf and csv.").arg(QFileInfo(path).fileName());
    }
    return done ? QString() : tr("%1 cannot be written. Choose another folder.").arg(text::tidyPath(path));
}

void TrackPlotPanel::askForFile(const QString& ending) {
    if (!dialogs)
        return;
    const QString base =
        m_document->path().isEmpty() ? QStringLiteral("tracks") : QFileInfo(m_document->path()).completeBaseName();
    const QString suggestion = QFileInfo(m_document->path()).absolutePath() + QLatin1Char('/') + base +
                               QLatin1Char('.') + m_kindBox->currentText().toLower() + QLatin1Char('.') + ending;
    dialogs().chooseNewFile(
        this, tr("Export Plot"), suggestion, tr("%1 files (*.%2)").arg(ending.toUpper(), ending),
        [this](const QString& path) {
            if (path.isEmpty())
                return;
            const QString problem = exportTo(path);
            Q_EMIT notice(problem.isEmpty() ? tr("Wrote %1").arg(QFileInfo(path).fileName()) : problem);
        });
}

}  // namespace skein::ui
