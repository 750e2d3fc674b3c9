// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_facts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <memory>

#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;

/// Long names of runs and files may wrap after an underscore, so that they do not push the column wide.
QString breakable(QString value) {
    constexpr int kLong = 24;
    if (value.size() > kLong)
        value.replace(QLatin1Char('_'), QString(QLatin1Char('_')) + QChar(0x200b));
    return value;
}

}  // namespace

// A form's layout places a label by the middle of one line and forgets the second of a value that wraps; a grid does
// neither.
FactsForm::FactsForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGap);
    m_grid->setVerticalSpacing(theme::kGrid);
    m_grid->setColumnStretch(1, 1);
}

void FactsForm::setFacts(const Facts& facts) {
    while (const std::unique_ptr<QLayoutItem> item{m_grid->takeAt(0)})
        delete item->widget();
    int row = 0;
    for (const auto& [name, value] : facts) {
        auto* label = new QLabel(name, this);
        label->setForegroundRole(QPalette::PlaceholderText);
        if (value.isEmpty()) {
            label->setContentsMargins(0, theme::kMargin, 0, 0);
            m_grid->addWidget(label, row++, 0, 1, 2);
            continue;
        }
        auto* field = new QLabel(breakable(value), this);
        field->setWordWrap(true);
        field->setTextFormat(Qt::PlainText);
        field->setTextInteractionFlags(Qt::TextSelectableByMouse);
        field->setAccessibleName(name);
        field->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_grid->addWidget(label, row, 0, Qt::AlignLeft | Qt::AlignTop);
        m_grid->addWidget(field, row++, 1);
    }
}

ProblemLine::ProblemLine(const QString& textName, QWidget* parent)
    : QWidget(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)) {
    m_icon->setFixedSize(kIcon, kIcon);
    m_text->setObjectName(textName);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
}

void ProblemLine::setProblem(const QString& sentence, const QString& details) {
    setVisible(!sentence.isEmpty());
    m_icon->setPixmap(
        icon(QStringLiteral("error"), theme::tokens().bad).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    m_text->setText(sentence);
    m_text->setToolTip(details);
}

}  // namespace skein::ui
