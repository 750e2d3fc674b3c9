// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/recovery_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kWidth = 420;
}

RecoveryDialog::RecoveryDialog(const UnsavedWork& work, QWidget* parent)
    : QDialog(parent), m_words(new QLabel(this)), m_recover(new QPushButton(tr("Recover"), this)) {
    setObjectName(QStringLiteral("recoveryDialog"));
    setWindowTitle(tr("Unsaved work"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* title = new QLabel(work.name, this);
    title->setFont(theme::headingFont(2));
    title->setTextFormat(Qt::PlainText);
    title->setToolTip(work.path);
    auto* when = new QLabel(work.sentence(), this);
    m_words->setObjectName(QStringLiteral("recoveryWords"));
    m_words->setAccessibleName(tr("Differences to the file"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setText(tr("Comparing with the file..."));
    m_recover->setObjectName(QStringLiteral("recoveryRecover"));
    m_recover->setAccessibleName(m_recover->text());
    m_recover->setToolTip(tr("Open the project with these changes; the file stays as it is until you save."));
    m_recover->setProperty("primary", true);
    m_recover->setEnabled(false);
    auto* discard = new QPushButton(tr("Discard..."), this);
    discard->setObjectName(QStringLiteral("recoveryDiscard"));
    discard->setAccessibleName(tr("Discard"));
    discard->setToolTip(tr("Delete these changes for good."));
    auto* later = new QPushButton(tr("Later"), this);
    later->setObjectName(QStringLiteral("recoveryLater"));
    later->setAccessibleName(later->text());
    later->setToolTip(tr("Keep the changes and decide another time."));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kMargin);
    column->addWidget(title);
    column->addWidget(when);
    column->addSpacing(theme::kMargin);
    column->addWidget(m_words);
    column->addStretch();
    column->addSpacing(theme::kGap);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addWidget(discard);
    buttons->addStretch();
    buttons->addWidget(later);
    buttons->addWidget(m_recover);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);
    for (QPushButton* other : {discard, later})
        other->setAutoDefault(false);
    connect(later, &QPushButton::clicked, this, &QDialog::close);
    connect(m_recover, &QPushButton::clicked, this, [this] {
        Q_EMIT recoverWanted();
        close();
    });
    connect(discard, &QPushButton::clicked, this, [this] {
        Q_EMIT discardWanted();
        close();
    });
    m_recover->setDefault(true);
}

void RecoveryDialog::setDifference(const project::journal::Difference& difference, bool newer) {
    QStringList lines = inWords(difference);
    if (newer)
        lines.prepend(tr("The file was saved since, without this work. Against the version before:"));
    m_words->setText(lines.join(QLatin1Char('\n')));
    m_recover->setEnabled(true);
    adjustSize();
}

void RecoveryDialog::setProblem(const QString& sentence) {
    m_words->setText(sentence);
    adjustSize();
}

}  // namespace skein::ui
