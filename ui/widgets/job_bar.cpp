// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/job_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/theme.h"

namespace skein::ui {

JobBar::JobBar(QWidget* parent)
    : QFrame(parent),
      m_what(new QLabel(this)),
      m_line(new ProgressLine(QStringLiteral("jobBarProgress"), this)),
      m_share(new QLabel(this)),
      m_stop(new QPushButton(tr("Stop"), this)) {
    setObjectName(QStringLiteral("jobBar"));
    m_what->setObjectName(QStringLiteral("jobBarWhat"));
    m_share->setObjectName(QStringLiteral("jobBarShare"));
    m_share->setMinimumWidth(m_share->fontMetrics().horizontalAdvance(QStringLiteral("100%")));
    m_share->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_stop->setObjectName(QStringLiteral("jobBarStop"));
    m_stop->setAccessibleName(m_stop->text());
    m_stop->setToolTip(tr("Stop; nothing is left behind."));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kGap, theme::kGrid, theme::kGap, theme::kGrid);
    row->setSpacing(theme::kMargin);
    row->addWidget(m_what);
    row->addWidget(m_line, 1);
    row->addWidget(m_share);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_source.request_stop();
        m_stop->setEnabled(false);
    });
    hide();
}

std::stop_token JobBar::start(const QString& what) {
    m_busy = true;
    m_source = {};
    m_what->setText(what);
    m_stop->setEnabled(true);
    setProgress(0);
    show();
    return m_source.get_token();
}

void JobBar::setProgress(double fraction) {
    m_line->set(fraction, ProgressLine::State::Active);
    m_share->setText(QStringLiteral("%1%").arg(static_cast<int>(fraction * 100)));
}

void JobBar::finish() {
    m_busy = false;
    hide();
}

}  // namespace skein::ui
