// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "ui/recovery/unsaved_work.h"

class QLabel;
class QPushButton;

namespace skein::ui {

/// How unsaved work differs from the file, in words, and what to do with it.
class RecoveryDialog : public QDialog {
    Q_OBJECT
public:
    RecoveryDialog(const UnsavedWork& work, QWidget* parent);

    /// `newer`: the file was saved since, and the difference is to the version before.
    void setDifference(const project::journal::Difference& difference, bool newer);
    void setProblem(const QString& sentence);

Q_SIGNALS:
    void recoverWanted();
    void discardWanted();

private:
    QLabel* m_words;
    QPushButton* m_recover;
};

}  // namespace skein::ui
