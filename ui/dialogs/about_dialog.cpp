// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLibraryInfo>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/pipeline/versions.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kLeastWidth = 460;

QString tr(const char* sentence) {
    return QCoreApplication::translate("AboutDialog", sentence);
}
}  // namespace

std::vector<std::pair<QString, QString>> windowVersions(const QString& device) {
    std::vector<std::pair<QString, QString>> lines;
    for (const auto& [name, version] : pipeline::libraryVersions(!device.isEmpty()))
        lines.emplace_back(QString::fromStdString(name), QString::fromStdString(version));
    lines.emplace_back(QStringLiteral("Qt"), QLibraryInfo::version().toString());
    return lines;
}

QString diagnosticsText(const QString& device, const QString& deviceReason) {
    QStringList lines;
    for (const auto& [name, version] : windowVersions(device))
        lines << name + QStringLiteral(": ") + version;
    lines << QStringLiteral("System: ") + QSysInfo::prettyProductName() + QStringLiteral(", ") +
                 QSysInfo::currentCpuArchitecture();
    lines << QStringLiteral("Display: ") + QGuiApplication::platformName();
    for (const QScreen* screen : QGuiApplication::screens())
        lines << QStringLiteral("Screen: %1 x %2, ratio %3")
                     .arg(screen->size().width())
                     .arg(screen->size().height())
                     .arg(screen->devicePixelRatio());
    lines << QStringLiteral("Device: ") + (device.isEmpty() ? QStringLiteral("not loaded yet") : device);
    if (!deviceReason.isEmpty())
        lines << QStringLiteral("Why not CUDA: ") + deviceReason;
    return lines.join(QLatin1Char('\n'));
}

void showAbout(QWidget* window, const QString& device, const QString& deviceReason) {
    auto* dialog = new QDialog(window);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    dialog->setWindowTitle(tr("About Skein"));
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(2 * theme::kGap, 2 * theme::kGap, 2 * theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    auto* title = new QLabel(QStringLiteral("Skein"), dialog);
    title->setFont(theme::headingFont(8));
    column->addWidget(title);
    auto* what = new QLabel(tr("Animal pose tracking: review, inference, tracks."), dialog);
    column->addWidget(what);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    int row = 0;
    const auto add = [&](const QString& name, const QString& value) {
        auto* key = new QLabel(name, dialog);
        auto* text = new QLabel(value, dialog);
        QPalette quiet = key->palette();
        quiet.setColor(QPalette::WindowText, theme::tokens().text2);
        key->setPalette(quiet);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setWordWrap(true);
        grid->addWidget(key, row, 0, Qt::AlignTop);
        grid->addWidget(text, row++, 1);
    };
    for (const auto& [name, version] : windowVersions(device))
        add(name, version);
    add(tr("Device"), device.isEmpty() ? tr("known once a model is loaded") : device);
    if (!deviceReason.isEmpty())
        add(tr("Why not CUDA"), deviceReason);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    auto* licence = new QLabel(
        tr("The window is under the GNU GPL, version 3 or later; the engine under the BSD licence with three clauses."),
        dialog);
    licence->setWordWrap(true);
    column->addWidget(licence);
    auto* buttons = new QDialogButtonBox(dialog);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setObjectName(QStringLiteral("aboutClose"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    // Lines that wrap make the height depend on the width, which a dialog does not find out by itself.
    column->activate();
    const int width = std::max(kLeastWidth, column->minimumSize().width());
    dialog->resize(width, column->totalHeightForWidth(width));
    dialog->setMinimumSize(dialog->size());
    dialog->open();
}

}  // namespace skein::ui
