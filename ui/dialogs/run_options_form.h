// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

#include "engine/inference/runner.h"
#include "ui/dialogs/run_options.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace skein::ui {

class OptionEditors;

/// Device, options of the network and tracker of runs, made from the table of options. It writes into the settings as
/// the person edits.
class RunOptionsForm : public QWidget {
    Q_OBJECT
public:
    /// Puts rows of its own above the tracker's.
    using AboveTracker = std::function<void(QGridLayout* grid, QWidget* box)>;

    /// `settings` outlives the form. `prefix`: of the object names ("<prefix>Device", "<prefix>Tracker", ...).
    RunOptionsForm(RunSettings* settings, const QString& prefix, QWidget* parent, const AboveTracker& above = {});

    void setDevices(const inference::DeviceInfo& info);
    /// `nodes`: number of nodes of what is found, 0 not known. Brings the settings in line with another number.
    void setNodeCount(int nodes);
    /// Brings the settings in line with what was changed elsewhere; what that did is said below the tracker.
    void settle();
    /// Shows the settings. `nodes`: of the model's skeleton.
    void refresh(ModelUse use, const QStringList& nodes);

    /// Unfolds and focuses an option, so that the person can set it.
    void showOption(const RunOption& option);

    /// What concerns the network alone.
    [[nodiscard]] QWidget* networkBox() const { return m_networkBox; }

Q_SIGNALS:
    /// Before edited(): the option that the person has set.
    void optionEdited(const skein::ui::RunOption& option);
    void edited();

private:
    [[nodiscard]] QWidget* makeNetwork(const QString& prefix);
    [[nodiscard]] QWidget* makeTracking(const QString& prefix, const AboveTracker& above);
    void chosen(const RunOption& option);

    RunSettings* m_settings;
    OptionEditors* m_editors;
    QWidget* m_networkBox;
    QComboBox *m_device, *m_tracker;
    QLabel* m_note;
    QString m_reconciled;  ///< what a choice has changed elsewhere
    int m_nodeCount = 0;
};

}  // namespace skein::ui
