// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QHash>

#include "ui/bridge/checked_model.h"

namespace skein::ui {

/// Models to choose from, each with its kind, and with what else is known of it as its tool tip. What the models are is
/// read on a worker; their names are there at once. GUI thread only.
class ModelList : public QComboBox {
    Q_OBJECT
public:
    explicit ModelList(const QString& objectName, QWidget* parent);

    /// Behind what is there already. The path is an item's data.
    void addModels(const QStringList& paths);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void readNext();
    void showWords(int row);

    QHash<QString, ListedModel> m_known;  ///< those being read have no words yet
    QStringList m_toRead;
    bool m_reading = false;
};

}  // namespace skein::ui
