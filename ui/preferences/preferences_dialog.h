// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <vector>

#include "ui/preferences/preference_rows.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace skein::ui {

class DialogService;
class Shortcuts;
class ShortcutsPage;

/// The preferences: pages made from preferenceRows(), the keys, and a word on privacy. What is changed holds at once,
/// and what is changed elsewhere (in a menu) shows here. The line at the top finds rows of all pages. GUI thread only.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    /// `dialogs` asks for files; everything given outlives the dialog.
    PreferencesDialog(Settings* settings, Shortcuts* shortcuts, DialogService* dialogs, QWidget* parent);

    void showPage(PreferencePage page);
    void showShortcuts();

private:
    struct Row {
        const PreferenceRow* row;
        QLabel* label;
        QWidget* editor;
        QLabel* help;
    };
    struct Page {
        QString title;
        QWidget* widget;
        std::vector<Setting> settings;
    };

    void addPage(const QString& title, QWidget* widget, std::vector<Setting> settings);
    [[nodiscard]] QWidget* makePage(PreferencePage page, std::vector<Setting>& settings);
    [[nodiscard]] QWidget* makePrivacyPage();
    [[nodiscard]] QWidget* makeEditor(const PreferenceRow& row, QWidget* parent);
    void showValue(const Row& row);
    void search(const QString& text);
    void turnTo(int page);
    void resetPage();
    void openFolder();
    void importFromSleap();

    Settings* m_settings;
    DialogService* m_dialogs;
    QLineEdit* m_search;
    QListWidget* m_list;
    QStackedWidget* m_stack;
    QPushButton* m_reset;
    QLabel* m_word;  ///< what the last import or reset did
    ShortcutsPage* m_keys;
    std::vector<Row> m_rows;
    std::vector<Page> m_pages;
    bool m_showing = false;  ///< editors are being filled, nobody edits
};

}  // namespace skein::ui
