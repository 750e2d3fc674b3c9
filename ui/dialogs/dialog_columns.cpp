// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialog_columns.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kNarrowest = 240;

/// Scrolls down, never sideways: it is as wide as what it holds needs.
class ColumnArea : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    QSize minimumSizeHint() const override {
        QSize least = QScrollArea::minimumSizeHint();
        if (widget() != nullptr)
            least.setWidth(
                std::max(kNarrowest, widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width()));
        return least;
    }
    QSize sizeHint() const override { return QScrollArea::sizeHint().expandedTo(minimumSizeHint()); }

protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (object == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(object, event);
    }
};

/// A line of one pixel between the parts of the dialog.
QWidget* makeSeparator(bool vertical, QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(vertical ? QFrame::VLine : QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    vertical ? line->setFixedWidth(1) : line->setFixedHeight(1);
    return line;
}

QWidget* makeColumn(const DialogColumn& column, QWidget* parent) {
    auto* page = new QWidget(parent);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* heading = new QLabel(column.title, page);
    heading->setFont(theme::headingFont());
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(heading);
    layout->addWidget(column.contents, 1);

    auto* scroll = new ColumnArea(parent);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    return scroll;
}

}  // namespace

void layOutColumns(QWidget* dialog, const std::vector<DialogColumn>& columns, QWidget* foot) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (const DialogColumn& column : columns) {
        if (row->count() > 0)
            row->addWidget(makeSeparator(true, dialog));
        row->addWidget(makeColumn(column, dialog), column.stretch);
    }
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row, 1);
    layout->addWidget(makeSeparator(false, dialog));
    layout->addWidget(foot);
}

QLabel* makeSummaryLabel(const QString& objectName, QWidget* foot) {
    auto* label = new QLabel(foot);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setMinimumHeight(label->fontMetrics().height() * 2);
    return label;
}

}  // namespace skein::ui
