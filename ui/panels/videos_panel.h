// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "ui/models/video_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QAction;
class QLineEdit;
class QStackedWidget;

namespace skein::ui {

/// Dock "Videos": the project's videos. A single selected row is the shown video; several may be selected for the
/// actions over the table.
class VideosPanel : public QWidget {
    Q_OBJECT
public:
    VideosPanel(Document* document, ViewState* view, ProjectDigest* digest, const QList<QAction*>& actions,
                QWidget* parent);
    /// Ascending.
    [[nodiscard]] std::vector<std::size_t> selectedVideos() const;

Q_SIGNALS:
    void videoWanted(int video);
    void selectionChanged();

private:
    void selectRow();
    void takeSelection();
    void showPage();
    ViewState* m_view;
    VideoTableModel* m_model;
    QStackedWidget* m_pages;
    QLineEdit* m_filter;
    PlainTable* m_table;
    bool m_selecting = false;
};

}  // namespace skein::ui
