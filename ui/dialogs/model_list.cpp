// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_list.h"

#include <QFileInfo>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <utility>

#include "ui/bridge/background.h"
#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

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

/// Closed, it shows the name alone: what else there is to say stands below it.
void ModelList::paintEvent(QPaintEvent* event) {
    const auto chosen = m_known.constFind(currentData().toString());
    if (chosen == m_known.constEnd())
        return QComboBox::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = option.fontMetrics.elidedText(QFileInfo(chosen->path).fileName(), Qt::ElideMiddle,
                                                       field.width() - option.iconSize.width() - 2 * theme::kGrid);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
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
