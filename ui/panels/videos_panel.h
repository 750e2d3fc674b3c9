// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/models/video_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QAction;

namespace skein::ui {

/// Dock "Videos": the project's videos; the current row is the shown video.
class VideosPanel : public QWidget {
    Q_OBJECT
public:
    VideosPanel(Document* document, ViewState* view, ProjectDigest* digest, const QList<QAction*>& actions,
                QWidget* parent);

Q_SIGNALS:
    void videoWanted(int video);

private:
    void selectRow();
    ViewState* m_view;
    VideoTableModel* m_model;
    PlainTable* m_table;
    bool m_selecting = false;
};

}  // namespace skein::ui
