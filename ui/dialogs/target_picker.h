// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "ui/dialogs/run_plan.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace skein::ui {

/// What a run works on: this frame, a range, the whole video, a sample, or frames by what the project holds on them,
/// each with its number of frames; and what becomes of predictions that are there.
class TargetPicker : public QWidget {
    Q_OBJECT
public:
    explicit TargetPicker(QWidget* parent);

    void show(const RunSettings& settings, const RunSituation& situation);
    void setTarget(RunTarget target);

Q_SIGNALS:
    void targetChosen(skein::ui::RunTarget target);
    void sampleSizeChosen(int size);
    void frameListChosen(const QString& list);
    void skipLabelledChosen(bool skip);
    void existingChosen(skein::ui::ExistingPredictions existing);

private:
    struct Row {
        RunTarget target;
        QRadioButton* button;
        QLabel* count;
    };
    void showRow(const Row& row, const RunSettings& settings, const RunSituation& situation) const;
    void showSkip(const RunSettings& settings, const RunSituation& situation);

    std::vector<Row> m_rows;
    QSpinBox* m_sample;
    QLineEdit* m_list;
    QCheckBox* m_skip;
    QComboBox* m_existing;
    bool m_showing = false;
};

}  // namespace skein::ui
