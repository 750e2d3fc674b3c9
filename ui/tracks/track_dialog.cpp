// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_dialog.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kWidth = 420;
}

TrackDialog::TrackDialog(const char* id, const QString& title, const Document* document, QWidget* parent)
    : QDialog(parent),
      m_form(new QFormLayout),
      m_top(new QVBoxLayout),
      m_middle(new QVBoxLayout),
      m_asides(new QHBoxLayout),
      m_buttons(new QHBoxLayout) {
    setObjectName(QLatin1String(id));
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_form->setHorizontalSpacing(theme::kGap);
    m_form->setVerticalSpacing(theme::kGrid);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addLayout(m_top);
    column->addLayout(m_form);
    m_middle->setSpacing(theme::kGap);
    column->addLayout(m_middle);
    column->addStretch();
    auto* foot = new QHBoxLayout;
    for (QHBoxLayout* row : {foot, m_asides, m_buttons})
        row->setSpacing(theme::kMargin);
    foot->addLayout(m_asides);
    foot->addStretch();
    foot->addLayout(m_buttons);
    column->addLayout(foot);
    setMinimumWidth(kWidth);
    connect(document, &Document::opened, this, &QDialog::reject);
}

void TrackDialog::addRow(const char* id, const QString& name, const QString& tip, QWidget* field) {
    field->setObjectName(QLatin1String(id));
    field->setAccessibleName(name);
    field->setToolTip(tip);
    auto* label = new QLabel(name, this);
    label->setMinimumHeight(theme::kControlHeight);
    label->setBuddy(field);
    m_form->addRow(label, field);
}

void TrackDialog::explain(const QString& words) {
    auto* label = new QLabel(words, this);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    m_top->addWidget(label);
}

void TrackDialog::add(QWidget* widget) {
    m_middle->addWidget(widget);
}

QLabel* TrackDialog::addWords(const char* id, int lines) {
    auto* label = new QLabel(this);
    label->setObjectName(QLatin1String(id));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setMinimumWidth(1);  // a name without spaces must not make the dialog wider
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setMinimumHeight(lines * fontMetrics().lineSpacing());
    add(label);
    return label;
}

QCheckBox* TrackDialog::addCheck(const char* id, const QString& text, const QString& tip) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(QLatin1String(id));
    box->setAccessibleName(text);
    box->setToolTip(tip);
    add(box);
    return box;
}

QPushButton* TrackDialog::addButton(const char* id, const QString& text, const QString& tip, Button kind) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(id));
    button->setAccessibleName(text);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    if (kind == Button::Primary) {
        button->setProperty("primary", true);
        button->setDefault(true);
    }
    (kind == Button::Aside ? m_asides : m_buttons)->addWidget(button);
    return button;
}

}  // namespace skein::ui
