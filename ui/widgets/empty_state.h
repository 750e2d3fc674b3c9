// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "ui/recent_files.h"

class QVBoxLayout;
class QLabel;

namespace skein::ui {

/// What the window shows while nothing is open: where to drop a file, how to go on, and what was open last.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(RecentFiles* recent, QWidget* parent);

    /// Something that can be dropped is over the window.
    void setDropping(bool dropping);
    /// Work that a crash left behind; the signals below name it by its place.
    struct Unsaved {
        QString name, when, path;
    };
    void setUnsavedWork(const std::vector<Unsaved>& work);
    /// A file is being read: the words change until it is there.
    void setBusy(const QString& words);

Q_SIGNALS:
    void openWanted();
    void openFolderWanted();
    void predictWanted();  ///< models on videos that are not opened
    void recentWanted(const QString& path);
    void recoverWanted(int place);
    void differencesWanted(int place);
    void discardWanted(int place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuildRecent();
    void applyColors();

    RecentFiles* m_recent;
    QWidget* m_card;
    QLabel* m_picture;
    QLabel* m_heading;
    QLabel* m_howTo;
    QLabel* m_recentTitle;
    QWidget* m_recentList;
    QVBoxLayout* m_recentLayout;
    QWidget* m_unsaved;
    QVBoxLayout* m_unsavedLayout;
    bool m_dropping = false;
};

}  // namespace skein::ui
