// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "engine/project/find.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QSpinBox;
class QToolButton;

namespace skein::ui {

/// One condition of a filter, with the fields that it has, "not", and a way to take it out.
class FindChip : public QFrame {
    Q_OBJECT
public:
    FindChip(project::FindCondition condition, const project::Labels& labels, QWidget* parent);

    [[nodiscard]] const project::FindCondition& condition() const { return m_condition; }
    void setRegion(const project::edit::Box& region);
    /// "Instances", "Score", ...
    [[nodiscard]] static QString nameOf(project::FindBy by);

Q_SIGNALS:
    void changed();
    void removed();
    void regionWanted();  ///< the person wants to draw the region

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QComboBox* addNames(const char* id, const QString& what, const std::vector<std::string>& names, std::string& field);
    void addLimit(const QString& unit);
    void describeRegion();

    project::FindCondition m_condition;
    QHBoxLayout* m_row;
    QToolButton* m_region = nullptr;
};

}  // namespace skein::ui
