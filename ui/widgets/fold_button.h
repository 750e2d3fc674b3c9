// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QToolButton>

namespace skein::ui {

/// A heading with an arrow that shows and hides what is under it; folded at first.
class FoldButton : public QToolButton {
    Q_OBJECT
public:
    /// `contents` is placed by the caller.
    FoldButton(const QString& objectName, const QString& title, QWidget* contents, QWidget* parent);
    [[nodiscard]] QWidget* contents() const { return m_contents; }

private:
    QWidget* m_contents;
};

}  // namespace skein::ui
