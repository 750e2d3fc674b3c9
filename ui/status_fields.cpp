// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/status_fields.h"

#include <unistd.h>

#include <QFile>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kNoticeMs = 4000;
constexpr int kMemoryMs = 2000;
constexpr int kJobBarWidth = 96;
constexpr int kShrunk = 96;
constexpr int kSide = 6;

std::uint64_t residentBytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const auto pages = file.readAll().split(' ').value(1).toULongLong();
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}
}  // namespace

namespace {
/// One line that ends in dots where there is no room for it, and then says the whole as its tip.
class NoticeLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        const QRect room = contentsRect();
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, room.width());
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, shown);
        if (const QString tip = shown == text() ? QString() : text(); tip != toolTip())
            setToolTip(tip);
    }
};
}  // namespace

StatusField::StatusField(const QString& objectName, const QString& what, QWidget* parent) : QLabel(parent) {
    setObjectName(objectName);
    setAccessibleName(what);
    setToolTip(what);
    setTextFormat(Qt::PlainText);
    setContentsMargins(kSide, 0, kSide, 0);
    hide();
}

void StatusField::set(const QString& words) {
    if (words == text() && isVisibleTo(parentWidget()) == !words.isEmpty())
        return;
    setText(words);
    setVisible(!words.isEmpty());
    if (m_mayShrink)
        return;
    m_widest = std::max(words.isEmpty() ? 0 : m_widest, sizeHint().width());
    setMinimumWidth(m_widest);
}

void StatusField::setQuiet(bool quiet) {
    // A role, not a colour: it follows when the theme changes.
    setForegroundRole(quiet ? QPalette::PlaceholderText : QPalette::WindowText);
}

QSize StatusField::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    return m_mayShrink ? QSize(std::min(whole.width(), kShrunk), whole.height()) : whole;
}

void StatusField::paintEvent(QPaintEvent* event) {
    if (!m_mayShrink || width() >= sizeHint().width()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QRect room = contentsRect();
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

void StatusField::mouseReleaseEvent(QMouseEvent* event) {
    if (rect().contains(event->pos()))
        Q_EMIT clicked();
}

StatusFields::StatusFields(QStatusBar* bar)
    : QObject(bar),
      video(new StatusField(QStringLiteral("statusVideo"), tr("Shown video of all videos"), bar)),
      frame(new StatusField(QStringLiteral("statusFrame"), tr("Shown frame of all frames"), bar)),
      time(new StatusField(QStringLiteral("statusTime"), tr("Presentation time of the shown frame"), bar)),
      onFrame(new StatusField(QStringLiteral("statusOnFrame"), tr("Instances on this frame"), bar)),
      labelled(new StatusField(QStringLiteral("statusLabelled"), tr("Frames labelled by a person"), bar)),
      predicted(new StatusField(QStringLiteral("statusPredicted"), tr("Frames of this video with predictions"), bar)),
      fps(new StatusField(QStringLiteral("statusFps"), tr("Frames per second on the screen"), bar)),
      memory(new StatusField(QStringLiteral("statusMem"), tr("Memory in use"), bar)),
      device(new StatusField(QStringLiteral("statusDevice"), tr("Device for inference"), bar)),
      m_message(new NoticeLabel(bar)),
      m_jobText(new QToolButton(bar)),
      m_jobBar(new QProgressBar(bar)) {
    device->setMayShrink();
    bar->setSizeGripEnabled(false);
    bar->setMinimumHeight(theme::kControlHeight);
    m_message->setObjectName(QStringLiteral("statusNotice"));
    m_message->setAccessibleName(tr("Notice"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setContentsMargins(theme::kMargin, 0, 0, 0);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (StatusField* field : {video, frame, time, onFrame, labelled, predicted})
        bar->addWidget(field);
    bar->addWidget(m_message, 1);
    m_jobText->setObjectName(QStringLiteral("statusJob"));
    m_jobText->setAccessibleName(tr("Running job"));
    m_jobText->setToolTip(tr("Show the Jobs dock."));
    m_jobText->hide();
    connect(m_jobText, &QToolButton::clicked, this, &StatusFields::jobClicked);
    m_jobBar->setObjectName(QStringLiteral("statusJobBar"));
    m_jobBar->setAccessibleName(tr("Progress of the running job"));
    m_jobBar->setTextVisible(false);
    m_jobBar->setFixedSize(kJobBarWidth, 6);
    m_jobBar->setRange(0, 1000);
    m_jobBar->hide();
    bar->addPermanentWidget(m_jobText);
    bar->addPermanentWidget(m_jobBar);
    for (StatusField* field : {fps, device, memory})
        bar->addPermanentWidget(field);

    m_noticeTimer.setSingleShot(true);
    m_noticeTimer.setInterval(kNoticeMs);
    connect(&m_noticeTimer, &QTimer::timeout, this, [this] { m_message->setText(m_hover); });
    m_memoryTimer.setInterval(kMemoryMs);
    connect(&m_memoryTimer, &QTimer::timeout, this, &StatusFields::updateMemory);
    m_memoryTimer.start();
    updateMemory();
}

void StatusFields::notice(const QString& words) {
    m_message->setText(words);
    m_noticeTimer.start();
}

void StatusFields::hover(const QString& words) {
    m_hover = words;
    if (!m_noticeTimer.isActive())
        m_message->setText(words);
}

void StatusFields::job(const QString& words, double fraction) {
    // The other fields stay whole in a narrow window; all of it stands in the dock.
    const int room = m_jobText->parentWidget()->width() * 2 / 5;
    m_jobText->setText(m_jobText->fontMetrics().elidedText(words, Qt::ElideRight, room));
    m_jobText->setVisible(!words.isEmpty());
    m_jobBar->setVisible(!words.isEmpty() && fraction <= 1);
    m_jobBar->setRange(0, fraction < 0 ? 0 : 1000);
    if (fraction >= 0)
        m_jobBar->setValue(static_cast<int>(fraction * 1000));
}

void StatusFields::updateMemory() {
    memory->set(text::bytes(residentBytes()));
}

}  // namespace skein::ui
