// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>

#include "ui/dialogs/run_options.h"

class QGridLayout;

namespace skein::ui {

/// Choices of tracker and options that go together, which a person can understand before thirty options. GUI thread
/// only.
class TrackingPresetBox : public QComboBox {
    Q_OBJECT
public:
    /// `prefix`: of the object name ("<prefix>TrackingPreset").
    TrackingPresetBox(const QString& prefix, QWidget* parent);

    /// As the next row, with its label.
    void addTo(QGridLayout* grid);
    void show(const RunSettings& settings);

    /// `key`: "none", that of a preset, or empty for a choice of the person's own. `animals`: their number, where the
    /// settings give none.
    static void choose(RunSettings& settings, const QString& key, const std::optional<int>& animals);

Q_SIGNALS:
    /// The person has chosen one: choose() does it.
    void chosen(const QString& key);
};

}  // namespace skein::ui
