// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/preview_window.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/bridge/instance_centroids.h"
#include "ui/dialogs/run_settings.h"
#include "ui/run_text.h"
#include "ui/stored_frame.h"
#include "ui/theme.h"
#include "ui/ui_error.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {
namespace {

constexpr double kPeakRadius = 2.5;

OverlayStyle previewStyle() {
    OverlayStyle style;
    style.colorBy = ColorBy::Instance;
    return style;
}

}  // namespace

PreviewPane::PreviewPane(const QString& objectName, QWidget* parent) : QWidget(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("Preview of the frame"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PreviewPane::setPreview(std::shared_ptr<const FramePreview> preview) {
    m_preview = std::move(preview);
    m_shown = {};
    if (m_preview)
        m_shown = storedFrame(m_preview->labels,
                              std::make_shared<const std::vector<project::Skeleton>>(m_preview->labels.skeletons()),
                              m_preview->video, m_preview->frame, previewStyle());
    update();
}

void PreviewPane::setLayers(const Layers& layers) {
    m_layers = layers;
    update();
}

QTransform PreviewPane::toView() const {
    const QSizeF picture = m_preview->picture.size();
    const double scale = std::min(width() / picture.width(), height() / picture.height());
    // A point is the centre of a pixel.
    return QTransform::fromTranslate(0.5, 0.5) * QTransform::fromScale(scale, scale) *
           QTransform::fromTranslate((width() - picture.width() * scale) / 2,
                                     (height() - picture.height() * scale) / 2);
}

void PreviewPane::paintLinks(QPainter& painter, const QTransform& toView) const {
    for (const FramePreview::Link& link : m_preview->links) {
        QColor color = theme::trackColor(link.edge);
        color.setAlphaF(std::clamp(link.score, 0.15F, 1.0F));
        painter.setPen(QPen(color, 1.5));
        painter.drawLine(toView.map(link.from), toView.map(link.to));
    }
}

void PreviewPane::paintPeaks(QPainter& painter, const QTransform& toView) const {
    for (const FramePreview::Peak& peak : m_preview->peaks) {
        const QColor color = peak.node < 0 ? theme::lightHalo() : theme::trackColor(peak.node);
        const double radius = peak.node < 0 ? 2 * kPeakRadius : kPeakRadius;
        painter.setPen(QPen(theme::darkHalo(), 3));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(toView.map(peak.at), radius, radius);
        painter.setPen(QPen(color, 1.5));
        painter.drawEllipse(toView.map(peak.at), radius, radius);
    }
}

void PreviewPane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme::tokens().canvas);
    if (!m_preview || m_preview->picture.isNull())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QTransform place = toView();
    painter.drawImage(place.mapRect(QRectF(m_preview->picture.rect()).translated(-0.5, -0.5)), m_preview->picture);
    if (m_layers.links)
        paintLinks(painter, place);
    if (m_layers.instances)
        m_painter.paint(painter, m_shown, place, previewStyle(), m_preview->picture, 0);
    if (m_layers.peaks)
        paintPeaks(painter, place);
}

void PreviewPane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

PreviewWindow::PreviewWindow(Previewer previewer, QWidget* parent)
    : QDialog(parent), m_previewer(std::move(previewer)) {
    setObjectName(QStringLiteral("previewWindow"));
    setWindowTitle(tr("Preview"));
    setModal(false);

    const auto makeSide = [this](const char* name, ElidedLabel*& title, PreviewPane*& pane, QLabel*& figures) {
        auto* box = new QWidget(this);
        title = new ElidedLabel(box, Qt::ElideRight);
        title->setObjectName(QLatin1String(name) + QStringLiteral("Title"));
        title->setFont(theme::headingFont());
        pane = new PreviewPane(QLatin1String(name), box);
        figures = new QLabel(box);
        figures->setObjectName(QLatin1String(name) + QStringLiteral("Figures"));
        figures->setForegroundRole(QPalette::PlaceholderText);
        figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // both pictures are as wide
        auto* layout = new QVBoxLayout(box);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(theme::kGrid);
        layout->addWidget(title);
        layout->addWidget(pane, 1);
        layout->addWidget(figures);
        return box;
    };
    auto* sides = new QHBoxLayout;
    sides->setSpacing(theme::kGap);
    m_beforeBox = makeSide("previewBefore", m_beforeTitle, m_beforePane, m_beforeFigures);
    sides->addWidget(m_beforeBox, 1);
    sides->addWidget(makeSide("previewNow", m_nowTitle, m_nowPane, m_nowFigures), 1);

    const auto layer = [this](const char* name, const QString& title, const QString& help) {
        auto* box = new QCheckBox(title, this);
        box->setObjectName(QLatin1String(name));
        box->setToolTip(help);
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &PreviewWindow::refresh);
        return box;
    };
    m_peaks =
        layer("previewPeaks", tr("Peaks"),
              tr("Places where the network sees a node, in the node's colour, before they become instances. Large "
                 "rings are centroids."));
    m_links = layer("previewLinks", tr("Links"),
                    tr("How well part affinity fields say that two peaks belong together: the surer, the stronger."));
    m_instances = layer("previewInstances", tr("Instances"), tr("What the run would write into the project."));
    m_message = new QLabel(this);
    m_message->setObjectName(QStringLiteral("previewMessage"));
    m_message->setWordWrap(true);
    m_again = new QPushButton(tr("Preview again"), this);
    m_again->setObjectName(QStringLiteral("previewAgain"));
    m_again->setToolTip(tr("Looks at the frame that the window shows with the settings as they are now."));
    m_again->setDefault(true);
    connect(m_again, &QPushButton::clicked, this, &PreviewWindow::againWanted);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("previewClose"));
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kGap);
    foot->addWidget(m_peaks);
    foot->addWidget(m_links);
    foot->addWidget(m_instances);
    foot->addWidget(m_message, 1);
    foot->addWidget(close);
    foot->addWidget(m_again);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kGap);
    layout->addLayout(sides, 1);
    layout->addLayout(foot);
    resize(640, 640);
    refresh();
}

void PreviewWindow::look(pipeline::JobSpec job, const RunSettings& settings, const QString& model, const QString& where,
                         const project::Labels& labels) {
    m_busy = true;
    m_problem.clear();
    inBackground(
        this,
        [previewer = m_previewer, spec = std::move(job), labels]() mutable -> Result<FramePreview> {
            if (inference::needsCentroids(spec.models)) {
                const auto definition = inference::centroidDefinition(spec.models, spec.inference.anchorPart);
                if (!definition)
                    return fail(definition.error());
                lookUpCentroids(labels, *definition, spec.sources.front());
            }
            return previewer(spec);
        },
        [this, question = ++m_question,
         shot = Shot{nullptr, settings, model, where}](Result<FramePreview> preview) mutable {
            if (question != m_question)
                return;
            m_busy = false;
            if (!preview) {
                m_problem = toUiError(preview.error()).message;
                return refresh();
            }
            shot.preview = std::make_shared<const FramePreview>(std::move(*preview));
            showShot(shot);
        });
    refresh();
}

void PreviewWindow::refuse(const QString& sentence) {
    ++m_question;
    m_busy = false;
    m_problem = sentence;
    refresh();
}

/// What was shown stays beside it as long as it is the same frame with something changed.
void PreviewWindow::showShot(const Shot& shot) {
    const auto differs = [&shot](const std::optional<Shot>& other) {
        return other && other->preview->video == shot.preview->video && other->preview->frame == shot.preview->frame &&
               (other->model != shot.model || !changedOptions(other->settings, shot.settings).isEmpty());
    };
    const bool wasAlone = !m_before;
    if (differs(m_now))
        m_before = m_now;
    else if (!differs(m_before))
        m_before.reset();
    m_now = shot;
    m_nowPane->setPreview(m_now->preview);
    m_beforePane->setPreview(m_before ? m_before->preview : nullptr);
    if (m_before && wasAlone && width() < 2 * height())
        makeRoomForTwo();
    refresh();
}

/// As wide as two pictures need, or as the screen has room for; no part of the window leaves the screen.
void PreviewWindow::makeRoomForTwo() {
    const QRect room = screen()->availableGeometry();
    const QSize frame = frameGeometry().size() - size();
    resize(QSize(2 * width(), height()).boundedTo(room.size() - frame));
    const QPoint last = room.bottomRight() - QPoint(width() + frame.width(), height() + frame.height()) + QPoint(1, 1);
    move(std::max(room.left(), std::min(x(), last.x())), std::max(room.top(), std::min(y(), last.y())));
}

void PreviewWindow::refresh() {
    const auto figures = [](const std::optional<Shot>& shot) {
        if (!shot)
            return QString();
        const FramePreview& p = *shot->preview;
        QStringList words;
        words << text::count(static_cast<std::int64_t>(p.labels.instanceCount()), tr("instance"), tr("instances"));
        words << text::count(static_cast<std::int64_t>(p.peaks.size()), tr("peak"), tr("peaks"));
        if (!p.links.empty())
            words << text::count(static_cast<std::int64_t>(p.links.size()), tr("link"), tr("links"));
        words << text::withUnit(text::significant(p.seconds * 1000), tr("ms"));
        return words.join(QStringLiteral(" · "));
    };
    m_beforeBox->setVisible(m_before.has_value());
    m_beforeTitle->setFullText(
        m_before && m_now && m_before->model != m_now->model ? tr("Before: %1").arg(m_before->model) : tr("Before"));
    m_beforeFigures->setText(figures(m_before));
    QString title = m_now ? m_now->where : QString();
    if (m_before && m_now) {
        QStringList changes = changedOptions(m_before->settings, m_now->settings);
        if (m_before->model != m_now->model)
            changes.prepend(m_now->model);
        title = tr("Now: %1").arg(changes.join(QStringLiteral(", ")));
    }
    m_nowTitle->setFullText(title);
    m_nowFigures->setText(figures(m_now));
    const PreviewPane::Layers layers{m_peaks->isChecked(), m_links->isChecked(), m_instances->isChecked()};
    m_beforePane->setLayers(layers);
    m_nowPane->setLayers(layers);
    m_links->setEnabled(!m_now || !m_now->preview->links.empty());
    m_message->setText(m_busy ? tr("Looking…") : m_problem);
    m_again->setEnabled(!m_busy);
}

}  // namespace skein::ui
