// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include "ui/exchange/exchange_parts.h"
#include "ui/exchange/exports.h"
#include "ui/exchange/imports.h"
#include "ui/exchange/render_settings.h"

namespace skein::ui {

class ActionTable;

/// Results out and in: exports, imports, rendered videos and clips, as the menu File offers them. GUI thread only.
class Exchange : public QObject {
    Q_OBJECT
public:
    /// `parts.jobs` belongs to the caller.
    Exchange(const ExchangeParts& parts, QObject* parent);

    void connectActions(ActionTable& actions);
    void importPaths(const QStringList& paths) { m_imports.read(paths); }
    void showRenderDialog();

private:
    void askWhereToRender(const RenderPlan& plan, bool openWhenDone);
    void render(const RenderPlan& plan, const QString& path, bool openWhenDone);
    [[nodiscard]] RenderOptions windowLook() const;
    [[nodiscard]] ExchangeParts renderParts() const;

    ExchangeParts m_parts;
    Exports m_exports;
    Imports m_imports;
};

}  // namespace skein::ui
