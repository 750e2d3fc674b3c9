// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/bridge/checked_model.h"

class QGridLayout;
class QLabel;

namespace skein::ui {

/// Names and values below each other; long ones wrap.
class FactsForm : public QWidget {
    Q_OBJECT
public:
    explicit FactsForm(QWidget* parent);
    /// A fact without a value is a heading.
    void setFacts(const Facts& facts);

private:
    QGridLayout* m_grid;
};

/// An icon and a sentence that says what is wrong; not there while nothing is.
class ProblemLine : public QWidget {
    Q_OBJECT
public:
    /// `textName`: object name of the sentence.
    ProblemLine(const QString& textName, QWidget* parent);
    void setProblem(const QString& sentence, const QString& details);

private:
    QLabel *m_icon, *m_text;
};

}  // namespace skein::ui
