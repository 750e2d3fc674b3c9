// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/stop_walk.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kLines = 2;
}

StopWalk::StopWalk(const QString& prefix, const QString& tipPrevious, const QString& tipNext, QWidget* parent)
    : QWidget(parent),
      m_where(new QLabel(this)),
      m_previous(new QPushButton(tr("Previous"), this)),
      m_next(new QPushButton(tr("Next"), this)) {
    m_where->setObjectName(prefix + QStringLiteral("Where"));
    m_where->setWordWrap(true);
    m_where->setMinimumWidth(1);  // a name without spaces must not make the dialog wider
    m_where->setTextFormat(Qt::PlainText);
    m_where->setMinimumHeight(kLines * fontMetrics().lineSpacing());
    m_previous->setObjectName(prefix + QStringLiteral("Previous"));
    m_previous->setToolTip(tipPrevious);
    m_next->setObjectName(prefix + QStringLiteral("Next"));
    m_next->setToolTip(tipNext);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kMargin);
    row->addWidget(m_where, 1);
    for (QPushButton* button : {m_previous, m_next}) {
        button->setAccessibleName(button->text());
        button->setAutoDefault(false);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, by = button == m_next ? 1 : -1] { goBy(by); });
    }
    show();
}

void StopWalk::setCount(int count) {
    m_count = count;
    m_stop = -1;
    show();
}

void StopWalk::goBy(int step) {
    if (m_count == 0)
        return;
    m_stop = m_stop < 0 ? (step > 0 ? 0 : m_count - 1) : ((m_stop + step) % m_count + m_count) % m_count;
    show();
    Q_EMIT stopWanted(m_stop);
}

void StopWalk::show() {
    m_previous->setEnabled(m_count > 0);
    m_next->setEnabled(m_count > 0);
    m_where->setText(
        m_count == 0 ? QString()
        : m_stop < 0 ? tr("Look at them one by one:")
                     : tr("%1 of %2: %3")
                           .arg(text::number(m_stop + 1), text::number(m_count), words ? words(m_stop) : QString()));
}

}  // namespace skein::ui
