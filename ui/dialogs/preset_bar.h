// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

#include "ui/dialogs/run_preset.h"

class QAction;
class QComboBox;
class QLabel;
class QSettings;
class QToolButton;

namespace skein::ui {

class DialogService;

/// The presets that a person has made, in the settings file. Names are unique, whatever their case.
class PresetStore {
public:
    explicit PresetStore(QSettings* file) : m_file(file) {}
    [[nodiscard]] std::vector<RunPreset> presets() const;  ///< by name; what cannot be read is left out
    void save(const RunPreset& preset);                    ///< takes the place of one of the same name
    void remove(const QString& name);
    /// The one that the settings of the last run came from; may be gone.
    [[nodiscard]] QString last() const;
    void setLast(const QString& name);

private:
    QSettings* m_file;
};

/// Chooses a preset, says whether it was changed since, and keeps the person's own: save, rename, delete, files, and
/// the run as a command line. GUI thread only; files are read and written by workers.
class PresetBar : public QWidget {
    Q_OBJECT
public:
    enum class Runs { All, WithModel };  ///< of the second kind are none that only track

    /// `settings` (the file) and `dialogs` outlive the bar. `prefix`: of the object names ("<prefix>Preset", ...).
    PresetBar(QSettings* settings, DialogService* dialogs, const QString& prefix, Runs runs, QWidget* parent);

    /// Shows which preset the settings come from, and whether they still are as it says.
    void show(const RunSettings& settings);
    [[nodiscard]] QString current() const { return m_current; }
    void setCurrent(const QString& name);
    [[nodiscard]] bool isChanged() const { return m_changed; }
    /// What is otherwise than the preset says: "Peak threshold 0.2 → 0.3".
    [[nodiscard]] QStringList changes() const;

    /// The run as a command line for the clipboard, by program; empty where there is none. Not offered without it.
    std::function<QString(bool ofSleapNn)> commandLine;

Q_SIGNALS:
    void chosen(const skein::ui::RunPreset& preset);
    void failed(const QString& sentence);
    void done(const QString& sentence);  ///< something went well that is not to be seen otherwise

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    [[nodiscard]] bool fits(const RunPreset& preset) const;
    [[nodiscard]] const RunPreset* find(const QString& name) const;
    void saveAs(const QString& suggestion);
    void keep(const QString& name);
    void rename();
    void remove();
    void exportFile();
    void importFile();
    void copy(bool ofSleapNn);

    PresetStore m_store;
    Runs m_runs;
    DialogService* m_dialogs;
    RunSettings m_settings;  ///< as shown last
    std::vector<RunPreset> m_own;
    QString m_current;
    bool m_changed = false;
    QComboBox* m_list;
    QLabel* m_state;
    QToolButton* m_menu;
    QAction *m_save, *m_rename, *m_delete;
};

}  // namespace skein::ui
