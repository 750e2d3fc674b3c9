// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "ui/document.h"

class QCheckBox;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace skein::ui {

/// What the dialogs that mend tracks share: a form, words about what it would do, a row of buttons. Not modal; it goes
/// with its project. GUI thread only.
class TrackDialog : public QDialog {
    Q_OBJECT
protected:
    TrackDialog(const char* id, const QString& title, const Document* document, QWidget* parent);

    [[nodiscard]] QFormLayout* form() const { return m_form; }
    void addRow(const char* id, const QString& name, const QString& tip, QWidget* field);
    /// Quiet words above the form.
    void explain(const QString& words);
    /// Between the form and the buttons, from top to bottom.
    void add(QWidget* widget);
    [[nodiscard]] QLabel* addWords(const char* id, int lines);
    [[nodiscard]] QCheckBox* addCheck(const char* id, const QString& text, const QString& tip);
    /// From the left; the one that does what the dialog is for comes last and is primary.
    enum class Button { Aside, Plain, Primary };
    [[nodiscard]] QPushButton* addButton(const char* id, const QString& text, const QString& tip, Button kind);

private:
    QFormLayout* m_form;
    QVBoxLayout *m_top, *m_middle;
    QHBoxLayout *m_asides, *m_buttons;
};

}  // namespace skein::ui
