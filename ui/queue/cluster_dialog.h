// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <vector>

#include "engine/batch/entry.h"
#include "engine/batch/slurm.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSettings;
class QSpinBox;

namespace skein::ui {

class DialogService;
class QueueController;

/// "Send to Cluster": what each task of a Slurm job array asks for, the folder that the nodes share with this machine,
/// and the script as it will be sent. Not modal; deletes itself when it is closed. GUI thread only.
class ClusterDialog : public QDialog {
    Q_OBJECT
public:
    /// `settings` and `queue` outlive the dialog.
    ClusterDialog(QueueController* queue, std::vector<batch::Entry> entries, QSettings* settings,
                  DialogService* dialogs, QWidget* parent);

    [[nodiscard]] batch::SlurmPreset preset() const;

private:
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QWidget* makeFoot();
    void refresh();
    void choosePreset(int index);
    void takePreset(const batch::SlurmPreset& preset);
    void send(bool submit);
    void store();
    [[nodiscard]] QString runFolder() const;
    void say(const QString& icon, const QString& sentence);

    QueueController* m_queue;
    std::vector<batch::Entry> m_entries;
    QSettings* m_file;
    DialogService* m_dialogs;
    const QString m_name;  ///< of the run's folder
    bool m_hasSlurm = false, m_busy = false;
    batch::SlurmPreset m_further;  ///< of the chosen preset what the dialog has no field for
    QString m_presetProblem;       ///< why it cannot be read; empty: it can

    QComboBox* m_preset;
    QLineEdit *m_folder, *m_partition, *m_account, *m_time, *m_memory, *m_gpus, *m_setup;
    QSpinBox *m_cpus, *m_shards, *m_most;
    QPlainTextEdit* m_script;
    QLabel *m_wordsIcon, *m_words;
    QPushButton *m_save = nullptr, *m_submit = nullptr;
};

}  // namespace skein::ui
