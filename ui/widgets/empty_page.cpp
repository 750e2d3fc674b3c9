// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_page.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

EmptyPage::EmptyPage(const QString& objectName, const QString& sentence, const std::vector<QAction*>& actions,
                     QWidget* parent)
    : QWidget(parent), m_sentence(new QLabel(sentence, this)) {
    setObjectName(objectName);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_sentence->setObjectName(objectName + QStringLiteral("Sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignHCenter);
    m_sentence->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, 2 * theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(m_sentence);
    for (QAction* action : actions) {
        auto* button = new QPushButton(this);
        const auto number = column->count();
        button->setObjectName(objectName + QStringLiteral("Button") +
                              (number > 1 ? QString::number(number) : QString()));
        button->setAutoDefault(false);
        const auto follow = [button, action] {
            button->setText(action->text().remove(QLatin1Char('&')));
            button->setAccessibleName(button->text());
            button->setToolTip(action->toolTip());
            button->setEnabled(action->isEnabled());
        };
        connect(action, &QAction::changed, button, follow);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        follow();
        column->addWidget(button, 0, Qt::AlignHCenter);
    }
    column->addStretch();
}

void EmptyPage::setSentence(const QString& sentence) {
    m_sentence->setText(sentence);
}

}  // namespace skein::ui
