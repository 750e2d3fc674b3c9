// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <array>

#include "ui/dialogs/run_plan.h"

class QComboBox;
class QLabel;
class QRadioButton;

namespace skein::ui {

/// What a run works on: this frame, the selected range or the whole video, each with its number of frames, and what
/// becomes of predictions that are there.
class TargetPicker : public QWidget {
    Q_OBJECT
public:
    explicit TargetPicker(QWidget* parent);

    void show(const RunSettings& settings, const RunSituation& situation);
    void setTarget(RunTarget target);

Q_SIGNALS:
    void targetChosen(skein::ui::RunTarget target);
    void existingChosen(skein::ui::ExistingPredictions existing);

private:
    struct Row {
        RunTarget target;
        QRadioButton* button;
        QLabel* count;
    };
    std::array<Row, 3> m_rows;
    QComboBox* m_existing;
    bool m_showing = false;
};

}  // namespace skein::ui
