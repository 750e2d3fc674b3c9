// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/job_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr double kLeastFraction = 0.02, kLeastSeconds = 2;
}  // namespace

JobBar::JobBar(QWidget* parent)
    : QFrame(parent),
      m_what(new QLabel(this)),
      m_line(new ProgressLine(QStringLiteral("jobBarProgress"), this)),
      m_share(new QLabel(this)),
      m_left(new QLabel(this)),
      m_stop(new QPushButton(tr("Stop"), this)) {
    setObjectName(QStringLiteral("jobBar"));
    m_what->setObjectName(QStringLiteral("jobBarWhat"));
    m_share->setObjectName(QStringLiteral("jobBarShare"));
    m_share->setMinimumWidth(m_share->fontMetrics().horizontalAdvance(QStringLiteral("100%")));
    m_share->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_left->setObjectName(QStringLiteral("jobBarLeft"));
    // So wide from the start that the bar does not jump when the words change.
    m_left->setMinimumWidth(m_left->fontMetrics().horizontalAdvance(tr("%1 left").arg(text::duration(3599))));
    m_stop->setObjectName(QStringLiteral("jobBarStop"));
    m_stop->setAccessibleName(m_stop->text());
    m_stop->setToolTip(tr("Stop; nothing is left behind."));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kGap, theme::kGrid, theme::kGap, theme::kGrid);
    row->setSpacing(theme::kMargin);
    row->addWidget(m_what);
    row->addWidget(m_line, 1);
    row->addWidget(m_share);
    row->addWidget(m_left);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, &JobBar::stop);
    hide();
}

std::stop_token JobBar::start(const QString& what) {
    m_busy = true;
    m_source = {};
    m_what->setText(what);
    m_since.start();
    m_stop->setEnabled(true);
    setProgress(0);
    show();
    return m_source.get_token();
}

void JobBar::setProgress(double fraction) {
    m_line->set(fraction, ProgressLine::State::Active);
    m_share->setText(text::percent(std::floor(fraction * 100) / 100));
    const double seconds = static_cast<double>(m_since.elapsed()) / 1000;
    // Too early a guess is worse than none.
    const bool known = fraction > kLeastFraction && fraction < 1 && seconds > kLeastSeconds;
    m_left->setText(known ? tr("%1 left").arg(text::duration(seconds * (1 - fraction) / fraction)) : QString());
}

QString JobBar::what() const {
    return m_what->text();
}

void JobBar::stop() {
    m_stop->setEnabled(false);
    if (m_source.request_stop())
        Q_EMIT stopped();
}

void JobBar::finish() {
    m_busy = false;
    hide();
}

}  // namespace skein::ui
