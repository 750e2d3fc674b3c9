// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/project/labels.h"
#include "ui/bridge/preset_comparison.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace skein::ui {

class PlainTable;
class PresetTableModel;
class ProgressLine;

/// "Compare on a stretch": every tracking preset on the predictions of a stretch of frames, computed by a worker, as a
/// table to choose from. Not modal. GUI thread only.
class ComparePresetsDialog : public QDialog {
    Q_OBJECT
public:
    /// `where`: the stretch in words, "frames 1-300 of fly.mp4". `animals`: as many as the settings know.
    ComparePresetsDialog(project::Labels labels, const tracking::Stretch& stretch, const QString& where,
                         std::optional<int> animals, QWidget* parent);
    ~ComparePresetsDialog() override;

    [[nodiscard]] const PresetTableModel& model() const { return *m_model; }
    [[nodiscard]] bool isComparing() const { return m_comparing; }

Q_SIGNALS:
    /// A preset was chosen, with the number of animals that it was compared with.
    void presetChosen(const std::string& key, const std::optional<int>& animals);

private:
    void compare();
    void showComparison(Result<PresetComparison> comparison);
    void refresh();
    void choose();
    [[nodiscard]] std::optional<int> animals() const;
    [[nodiscard]] const ComparedPreset* selected() const;

    project::Labels m_labels;
    tracking::Stretch m_stretch;
    std::stop_source m_stop;
    quint64 m_question = 0;
    bool m_comparing = false;
    PresetTableModel* m_model;
    PlainTable* m_table;
    ProgressLine* m_progress;
    QSpinBox* m_animals;
    QLabel* m_note;
    QPushButton *m_again, *m_use;
};

}  // namespace skein::ui
