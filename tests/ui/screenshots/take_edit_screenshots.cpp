// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real window through a labelling session and saves what it looks like: light and dark.
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenu>
#include <cstdio>
#include <functional>

#include "tests/support/event_loop.h"
#include "ui/dialogs/custom_delete_dialog.h"
#include "ui/edit/editor.h"
#include "ui/main_window.h"
#include "ui/preferences/preferences_dialog.h"
#include "ui/theme.h"

namespace test = skein::test;
using namespace skein::ui;

namespace {

void settle() {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&clock] { return clock.elapsed() > 300; });
}

bool take(const QString& project, theme::Mode mode, const QString& name, const QDir& folder) {
    theme::apply(mode);
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.openPaths({project});
    if (!test::waitUntil(
            [&] { return !window.presenter().shown().instances.empty() && !window.presenter().isPending(); })) {
        std::fprintf(stderr, "take_edit_screenshots: the project did not open\n");
        return false;
    }
    const auto save = [&](QWidget& widget, const char* what) {
        settle();
        const QString file = folder.filePath(QStringLiteral("edit-%1-%2.png").arg(name, QLatin1String(what)));
        std::printf("%s\n", qPrintable(file));
        return widget.grab().save(file);
    };
    const auto run = [&](const char* id) {
        settle();
        window.actions().get(id)->trigger();
    };
    const auto raise = [&](const char* dock) { window.findChild<QDockWidget*>(QLatin1String(dock))->raise(); };
    run("labelAcceptFrame");
    run("goSelect2");
    if (!window.actions().get("viewShowNames")->isChecked())
        run("viewShowNames");
    window.editor().markComplete(window.view().selected());
    run("goSelect1");
    window.editor().toggleVisible(window.view().selected(), 1);
    run("viewFit");
    bool good = save(window, "names");
    raise("dockInspector");
    good = good && save(window, "inspector");
    raise("dockHistory");
    run("labelNudge");
    run("editUndo");
    good = good && save(window, "history");
    run("labelNudge");
    run("viewShowNames");
    raise("dockInstances");
    const auto& instances = window.presenter().shown().instances;
    window.view().setSelection({instances.at(0).header.id, instances.at(1).header.id});
    good = good && save(window, "several");
    run("labelCustomDelete");
    settle();
    good = good && save(*window.findChild<CustomDeleteDialog*>(), "delete");
    QMenu* menu = window.canvasMenu({instances.at(0).header.id, -1, -1});
    menu->popup(window.mapToGlobal(QPoint(300, 200)));
    good = good && save(*menu, "menu");
    menu->close();
    run("filePreferences");
    auto* preferences = window.findChild<PreferencesDialog*>();
    good = good && save(*preferences, "preferences");
    preferences->showPage(PreferencePage::Look);
    good = good && save(*preferences, "look");
    preferences->showPage(PreferencePage::Video);
    good = good && save(*preferences, "video");
    preferences->showShortcuts();
    good = good && save(*preferences, "shortcuts");
    preferences->close();
    run("helpShortcuts");
    settle();
    good = good && save(*window.findChild<QDialog*>("shortcutSheet"), "sheet");
    run("helpDocs");
    settle();
    good = good && save(*window.findChild<QDialog*>("helpPage"), "guide");
    for (const char* layout : {"windowProofread", "windowPredict"}) {
        run(layout);
        good = good && save(window, layout);
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 3) {
        std::fprintf(stderr, "Usage: take_edit_screenshots PROJECT FOLDER\n");
        return 2;
    }
    for (const auto& [mode, name] : {std::pair{theme::Mode::Light, "light"}, std::pair{theme::Mode::Dark, "dark"}})
        if (!take(arguments[1], mode, QLatin1String(name), QDir(arguments[2])))
            return 1;
    return 0;
}
