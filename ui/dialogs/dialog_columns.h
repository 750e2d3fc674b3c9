// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <vector>

class QLabel;
class QWidget;

namespace skein::ui {

/// One of the columns that a large dialog is made of; it scrolls by itself.
struct DialogColumn {
    QString title;
    QWidget* contents;
    int stretch;
};

/// Lays the columns side by side, with lines between them, above the foot.
void layOutColumns(QWidget* dialog, const std::vector<DialogColumn>& columns, QWidget* foot);

/// The line in the foot that says what will happen: two lines high from the start, so that the dialog does not jump as
/// the words change.
[[nodiscard]] QLabel* makeSummaryLabel(const QString& objectName, QWidget* foot);

}  // namespace skein::ui
