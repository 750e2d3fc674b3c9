// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are dropped on the picker.
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/model_picker.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

QStringList droppedPaths(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && paths.size() < 2)
            paths << url.toLocalFile();
    return paths;
}

}  // namespace

/// Two are a pair. One is the partner where one is missing and it fits, else the model.
void ModelPicker::dropped(const QStringList& paths) {
    if (paths.size() == 2)
        return setPair(paths[0], paths[1]);
    const bool asksForPartner = need() != PartnerNeed::None && !m_alone && m_partnerPath.isEmpty();
    if (!asksForPartner)
        return setPath(paths[0]);
    inBackground(
        this,
        [path = paths[0], spec = m_model->spec]() -> Result<bool> {
            const CheckedModel other = checkModel(path);
            return other.spec && inference::arrangeModels({*spec, *other.spec}).has_value();
        },
        [this, path = paths[0], question = m_question](const Result<bool>& fits) {
            if (question == m_question)
                fits&&* fits ? setPartner(path) : setPath(path);
        });
}

void ModelPicker::dragEnterEvent(QDragEnterEvent* event) {
    if (droppedPaths(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    m_dropping = true;
    update();
}

void ModelPicker::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropping = false;
    update();
}

void ModelPicker::dropEvent(QDropEvent* event) {
    m_dropping = false;
    update();
    if (const QStringList paths = droppedPaths(event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        dropped(paths);
    }
}

void ModelPicker::paintEvent(QPaintEvent*) {
    if (!m_dropping)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::tokens().accent, 2));
    painter.setBrush(theme::tokens().selection);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme::kRadius, theme::kRadius);
}

}  // namespace skein::ui
