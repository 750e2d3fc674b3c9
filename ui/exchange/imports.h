// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include "ui/exchange/exchange_parts.h"
#include "ui/exchange/import_files.h"

namespace skein::ui {

/// Labels from other programs: read in the background, then a project of their own or merged into the open one, as the
/// person says. GUI thread only.
class Imports : public QObject {
    Q_OBJECT
public:
    Imports(const ExchangeParts& parts, QObject* parent) : QObject(parent), m_parts(parts) {}

    /// Asks for files; `name` and `filter` say of which program.
    void ask(const QString& name, const QString& filter);
    void askForFolder();
    void read(const QStringList& paths);

private:
    void use(const QStringList& paths, Imported imported);
    void openAsNew(const QStringList& paths, const Imported& imported);
    /// `video`: of this project, that the labels are of; -1: they say it themselves.
    void merge(const QStringList& paths, Imported imported, int video);

    ExchangeParts m_parts;
};

}  // namespace skein::ui
