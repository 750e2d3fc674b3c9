// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "ui/document.h"
#include "ui/project_digest.h"

namespace skein::ui {

/// The project's videos, one a row. GUI thread only.
class VideoTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        Name,
        State,
        Frames,
        Width,
        Height,
        Channels,
        Rate,
        Duration,
        Labelled,
        Predicted,
        Folder,
        ColumnCount
    };

    VideoTableModel(const Document* document, const ProjectDigest* digest, QObject* parent);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void rebuild();
    const Document* m_document;
    const ProjectDigest* m_digest;
    int m_rows = 0;
};

}  // namespace skein::ui
