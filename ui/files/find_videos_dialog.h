// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>
#include <stop_token>
#include <vector>

#include "ui/dialogs/dialog_service.h"
#include "ui/document.h"
#include "ui/files/lost_videos.h"
#include "ui/settings.h"

class QLabel;
class QPushButton;
class QStandardItemModel;

namespace skein::ui {

class PlainTable;

/// Finds videos that are not where the project expects them: one that the person shows leads to all others that moved
/// in the same way. Each file is opened and compared in the background before it is taken; one that differs is taken
/// only when the person says so.
class FindVideosDialog : public QDialog {
    Q_OBJECT
public:
    FindVideosDialog(Document* document, Settings* settings, DialogService* dialogs, QWidget* parent);
    ~FindVideosDialog() override;

    [[nodiscard]] const std::vector<LostVideo>& videos() const { return m_lost; }
    [[nodiscard]] bool isSearching() const { return m_tasks > 0; }

private:
    void search();
    void check();
    void found(std::vector<LostVideo> lost);
    void chooseFor(int row);
    void take(int row, const QString& path);
    void refresh();
    void setUsed(int row, bool used);
    void apply();
    [[nodiscard]] std::vector<formats::PathChange> remembered() const;
    [[nodiscard]] int currentRow() const;

    Document* m_document;
    Settings* m_settings;
    DialogService* m_dialogs;
    std::vector<LostVideo> m_lost;
    std::vector<bool> m_used;
    std::vector<formats::PathChange> m_changes;  ///< that the person showed
    std::stop_source m_stop;
    int m_tasks = 0;
    bool m_filling = false;
    QStandardItemModel* m_model;
    PlainTable* m_table;
    QLabel* m_summary;
    QPushButton *m_find, *m_anyway, *m_apply;
};

}  // namespace skein::ui
