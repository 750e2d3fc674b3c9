// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/imports.h"

#include <QFileInfo>
#include <memory>

#include "engine/formats/project_video.h"
#include "ui/exchange/file_targets.h"
#include "ui/files/merge_dialog.h"
#include "ui/run_text.h"

namespace skein::ui {

namespace {
/// What a person calls the files.
QString nameOf(const QStringList& paths) {
    return paths.size() == 1 ? QFileInfo(paths.first()).fileName() : Imports::tr("%1 files").arg(paths.size());
}
}  // namespace

void Imports::ask(const QString& name, const QString& filter) {
    m_parts.session->dialogs().chooseFiles(m_parts.window, tr("Import %1").arg(name),
                                           m_parts.settings->get(Setting::LastFolder).toString(), filter,
                                           [this](const QStringList& paths) {
                                               if (!paths.isEmpty())
                                                   read(paths);
                                           });
}

void Imports::askForFolder() {
    m_parts.session->dialogs().chooseFolder(
        m_parts.window, tr("Import a DeepLabCut project"), m_parts.settings->get(Setting::LastFolder).toString(),
        [this](const QString& folder) {
            if (folder.isEmpty())
                return;
            inBackground(
                this, [folder]() -> Result<QStringList> { return deepLabCutTables(folder); },
                [this, folder](const Result<QStringList>& tables) {
                    if (tables && !tables->isEmpty())
                        read(*tables);
                    else
                        tellFailure(m_parts,
                                    Error(ErrorCode::NotFound, tr("The folder %1 holds no labels of DeepLabCut (files "
                                                                  "named CollectedData_..., in labeled-data).")
                                                                   .arg(QFileInfo(folder).fileName())
                                                                   .toStdString()));
                });
        });
}

void Imports::read(const QStringList& paths) {
    if (m_parts.jobs->isBusy())
        return;
    forgetLast(m_parts);
    m_parts.settings->set(Setting::LastFolder, QFileInfo(paths.first()).absolutePath());
    m_parts.jobs->start(
        tr("Reading %1").arg(nameOf(paths)),
        [paths](const std::stop_token& stop, const std::function<void(double)>& progress) {
            return importFiles(paths, stop, progress);
        },
        [this, paths](Result<Imported> imported) {
            if (imported)
                use(paths, std::move(*imported));
            else
                tellFailure(m_parts, imported.error());
        });
}

void Imports::use(const QStringList& paths, Imported imported) {
    Document* document = m_parts.document;
    if (!document->isOpen()) {
        openAsNew(paths, imported);
        return;
    }
    const QString what =
        tr("%1 on %2")
            .arg(text::count(static_cast<std::int64_t>(imported.instances), tr("instance"), tr("instances")),
                 text::frames(static_cast<std::int64_t>(imported.labels.frameCount())));
    const int shown = m_parts.view->video();
    const bool isOfShown = imported.isWithoutVideo && shown >= 0;
    const auto kept = std::make_shared<Imported>(std::move(imported));
    m_parts.session->dialogs().askChoice(
        m_parts.window, tr("Import"),
        isOfShown ? tr("%1 holds %2 and does not say of which video. Open it as a new project, or merge it into %3 as "
                       "labels of %4?")
                        .arg(nameOf(paths), what, document->displayName(), document->videoName(shown))
                  : tr("%1 holds %2. Open it as a new project, or merge it into %3?")
                        .arg(nameOf(paths), what, document->displayName()),
        {tr("Open as New"), tr("Merge...")}, [this, paths, kept, isOfShown, shown](int choice) {
            if (choice == 0)
                openAsNew(paths, *kept);
            if (choice == 1)
                merge(paths, *kept, isOfShown ? shown : -1);
        });
}

void Imports::merge(const QStringList& paths, Imported imported, int video) {
    const Document& document = *m_parts.document;
    if (!document.isOpen() || video >= document.videoCount())
        return;
    if (video >= 0)
        imported.labels.editVideos().front() =
            formats::externalVideos(document.labels(), text::toPath(document.path()))[static_cast<std::size_t>(video)];
    auto* dialog = new MergeDialog(m_parts.document, std::move(imported.labels), paths.first(), m_parts.window);
    dialog->merged = [this, paths, warnings = std::move(imported.warnings)] {
        if (!warnings.empty())
            tellDone(m_parts, tr("Merged %1.").arg(nameOf(paths)), warnings, {});
    };
    dialog->open();
}

void Imports::openAsNew(const QStringList& paths, const Imported& imported) {
    m_parts.session->leave([this, paths, imported] {
        // Work that no labels file holds yet.
        m_parts.document->openRecovered({QString(), {}, {}, imported.labels});
        tellDone(m_parts,
                 tr("Imported %1: %2 on %3. Save to keep them as a project.")
                     .arg(nameOf(paths),
                          text::count(static_cast<std::int64_t>(imported.instances), tr("instance"), tr("instances")),
                          text::frames(static_cast<std::int64_t>(imported.labels.frameCount()))),
                 imported.warnings, {});
    });
}

}  // namespace skein::ui
