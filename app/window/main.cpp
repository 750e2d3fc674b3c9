// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "ui/bridge/running_job.h"
#include "ui/desktop_scheme.h"
#include "ui/main_window.h"
#include "ui/settings.h"
#include "ui/theme.h"

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Skein"));
    QApplication::setApplicationVersion(QStringLiteral(SKEIN_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("skein"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Skein's window. Opens projects (.slp), videos, folders and models."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("paths"), QStringLiteral("What to open."),
                                 QStringLiteral("[paths...]"));
    const QCommandLineOption config(QStringLiteral("config"),
                                    QStringLiteral("Keep all settings in this folder, and leave nothing elsewhere."),
                                    QStringLiteral("folder"));
    parser.addOption(config);
    parser.process(app);
    if (parser.isSet(config))
        skein::ui::Settings::setFolder(parser.value(config));

    // The desktop's own palette is read before ours replaces it.
    (void)skein::ui::DesktopScheme::instance();
    const skein::ui::Settings settings;
    skein::ui::theme::scaleFont(std::clamp(settings.get(skein::ui::Setting::FontPercent).toInt(), 80, 200));
    const int mode = settings.get(skein::ui::Setting::Theme).toInt();
    skein::ui::theme::apply(static_cast<skein::ui::theme::Mode>(mode >= 0 && mode <= 2 ? mode : 0));

    skein::ui::RunServices services;
    services.loadAhead = skein::ui::loadAhead;
    skein::ui::MainWindow window(std::move(services));
    window.show();
    const QStringList paths = parser.positionalArguments();
    if (!paths.isEmpty())
        QTimer::singleShot(0, &window, [&window, paths] { window.openPaths(paths); });
    return QApplication::exec();
}
