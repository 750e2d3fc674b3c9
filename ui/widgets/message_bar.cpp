// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

QColor colorFor(Severity severity) {
    const auto& t = theme::tokens();
    return severity == Severity::Error ? t.bad : severity == Severity::Warning ? t.warn : t.accent;
}

QString iconFor(Severity severity) {
    return severity == Severity::Error     ? QStringLiteral("error")
           : severity == Severity::Warning ? QStringLiteral("warning")
                                           : QStringLiteral("info");
}

constexpr std::size_t kMostBanners = 3;

}  // namespace

Banner::Banner(Severity severity, const UiError& message, const std::vector<Action>& actions, QWidget* parent)
    : QFrame(parent),
      m_severity(severity),
      m_message(message),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_more(new QLabel(this)) {
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(message.message);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGrid, theme::kGrid, theme::kGrid);
    column->setSpacing(theme::kGrid);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kMargin);
    m_icon->setFixedSize(theme::kIconSize, theme::kIconSize);
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setText(message.message);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // As high as its lines are at the width that it gets; without that, a short sentence takes the room of three lines.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    m_text->setSizePolicy(policy);
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    for (const Action& action : actions) {
        auto* button = new QPushButton(action.text, this);
        button->setObjectName(QStringLiteral("bannerAction"));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, action.run);
        row->addWidget(button, 0, Qt::AlignVCenter);
    }
    if (!message.details.isEmpty()) {
        auto* fold = new QToolButton(this);
        fold->setObjectName(QStringLiteral("bannerDetails"));
        fold->setText(tr("Details"));
        fold->setToolTip(tr("Show or hide what is behind this message."));
        fold->setCheckable(true);
        connect(fold, &QToolButton::toggled, m_more, &QWidget::setVisible);
        row->addWidget(fold, 0, Qt::AlignVCenter);
    }
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("bannerClose"));
    close->setAccessibleName(tr("Close message"));
    close->setToolTip(tr("Close this message."));
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({16, 16});
    connect(close, &QToolButton::clicked, this, &Banner::closed);
    row->addWidget(close, 0, Qt::AlignVCenter);
    column->addLayout(row);
    m_more->setObjectName(QStringLiteral("bannerMore"));
    m_more->setText(message.details);
    m_more->setTextFormat(Qt::PlainText);
    m_more->setWordWrap(true);
    m_more->setIndent(theme::kIconSize + theme::kMargin);
    m_more->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_more->hide();
    column->addWidget(m_more);
    applyColors();
}

void Banner::applyColors() {
    m_icon->setPixmap(icon(iconFor(m_severity), colorFor(m_severity))
                          .pixmap(QSize(theme::kIconSize, theme::kIconSize), devicePixelRatioF()));
    QPalette palette = m_more->palette();
    palette.setColor(QPalette::WindowText, theme::tokens().text2);
    m_more->setPalette(palette);
}

void Banner::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QFrame::changeEvent(event);
}

void Banner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& t = theme::tokens();
    const QColor color = colorFor(m_severity);
    painter.fillRect(rect(), theme::mix(t.surface, color, t.dark ? 0.14 : 0.08));
    painter.fillRect(QRect(0, 0, 3, height()), color);
    painter.fillRect(QRect(0, height() - 1, width(), 1), t.line);
}

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("messages"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    hide();
}

void MessageBar::post(const QString& key, Severity severity, const UiError& message,
                      const std::vector<Banner::Action>& actions) {
    withdraw(key);
    auto* banner = new Banner(severity, message, actions, this);
    connect(banner, &Banner::closed, this, [this, key] { withdraw(key); });
    m_layout->insertWidget(0, banner);
    m_banners.push_back({key, banner});
    if (m_banners.size() > kMostBanners)
        withdraw(m_banners.front().key);
    banner->show();
    show();
}

void MessageBar::withdraw(const QString& key) {
    const auto it = std::find_if(m_banners.begin(), m_banners.end(), [&key](const Entry& e) { return e.key == key; });
    if (it == m_banners.end())
        return;
    m_layout->removeWidget(it->banner);
    it->banner->hide();
    it->banner->deleteLater();
    m_banners.erase(it);
    setVisible(!m_banners.empty());
}

void MessageBar::clear() {
    while (!m_banners.empty())
        withdraw(m_banners.front().key);
    Q_EMIT cleared();
}

Banner* MessageBar::find(const QString& key) const {
    for (const Entry& entry : m_banners)
        if (entry.key == key)
            return entry.banner;
    return nullptr;
}

}  // namespace skein::ui
