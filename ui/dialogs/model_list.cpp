// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_list.h"

#include <QFileInfo>
#include <utility>

#include "ui/bridge/background.h"
#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/text.h"

namespace skein::ui {

ModelList::ModelList(const QString& objectName, QWidget* parent) : QComboBox(parent) {
    setObjectName(objectName);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    guardWheel(this);
}

void ModelList::addModels(const QStringList& paths) {
    for (const QString& path : paths) {
        addItem(icon(QStringLiteral("model")), QString(), path);
        if (!m_known.contains(path)) {
            m_known.insert(path, {path, {}, text::tidyPath(path)});
            m_toRead << path;
        }
        showWords(count() - 1);
    }
    readNext();
}

void ModelList::showWords(int row) {
    const ListedModel model = m_known.value(itemData(row).toString());
    const QString name = QFileInfo(model.path).fileName();
    setItemText(row, model.subtitle.isEmpty() ? name : tr("%1 · %2").arg(name, model.subtitle));
    setItemData(row, model.details, Qt::ToolTipRole);
}

void ModelList::readNext() {
    if (m_toRead.isEmpty() || std::exchange(m_reading, true))
        return;
    inBackground(
        this, [paths = std::exchange(m_toRead, {})]() -> Result<std::vector<ListedModel>> { return listModels(paths); },
        [this](const Result<std::vector<ListedModel>>& models) {
            m_reading = false;
            if (models)
                for (const ListedModel& model : *models)
                    m_known.insert(model.path, model);
            for (int row = 0; row < count(); ++row)
                if (m_known.contains(itemData(row).toString()))
                    showWords(row);
            readNext();
        });
}

}  // namespace skein::ui
