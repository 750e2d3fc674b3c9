// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/dialogs/run_options.h"

class QComboBox;
class QLabel;

namespace skein::ui {

class OptionEditors;

/// Device, options of the network and tracker of runs, made from the same table as those of the inference dialog. It
/// writes into the settings as the person edits.
class RunOptionsForm : public QWidget {
    Q_OBJECT
public:
    /// `settings` outlives the form.
    RunOptionsForm(RunSettings* settings, QWidget* parent);

    /// Shows the settings. `nodes`: of the model's skeleton; `nodeCount` of what is found, 0 not known.
    void refresh(ModelUse use, const QStringList& nodes, int nodeCount);

Q_SIGNALS:
    void edited();

private:
    void chosen(const RunOption& option);

    RunSettings* m_settings;
    OptionEditors* m_editors;
    QComboBox *m_device, *m_tracker;
    QLabel* m_note;
    QString m_reconciled;
    int m_nodeCount = 0;
};

}  // namespace skein::ui
