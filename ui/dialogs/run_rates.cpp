// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_rates.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QSettings>

namespace skein::ui {
namespace {

/// Fewer say more about start-up than about speed.
constexpr std::int64_t kLeastFrames = 50;

/// "cuda:0 (name, memory)": the first word is what the engine takes.
QString shortName(const QString& device) {
    return device.section(QLatin1Char(' '), 0, 0);
}

QString automaticDevice(const inference::DeviceInfo& devices) {
    if (devices.devices.empty())
        return {};
    const bool hasCuda = devices.cudaReason.empty() && devices.devices.size() > 1;
    return QString::fromStdString(devices.devices[hasCuda ? 1 : 0]);
}

/// Paths hold slashes, which QSettings takes for groups.
QString keyOf(const QString& models, const QString& device) {
    const QByteArray hash = QCryptographicHash::hash(models.toUtf8(), QCryptographicHash::Md5).toHex();
    return QStringLiteral("inference_pixel_rates/%1/%2")
        .arg(QString::fromLatin1(hash), QString(device).replace(QLatin1Char(':'), QLatin1Char('_')));
}

}  // namespace

QString deviceOf(const QString& choice, const inference::DeviceInfo& devices) {
    if (choice == QLatin1String("auto"))
        return shortName(automaticDevice(devices));
    if (choice != QLatin1String("cuda:all"))
        return shortName(choice);
    QStringList all;
    for (std::size_t i = 1; i < devices.devices.size(); ++i)
        all << shortName(QString::fromStdString(devices.devices[i]));
    return all.join(QStringLiteral(", "));
}

QString deviceWords(const QString& choice, const inference::DeviceInfo& devices) {
    const QString device = choice == QLatin1String("auto")       ? automaticDevice(devices)
                           : choice == QLatin1String("cuda:all") ? deviceOf(choice, devices)
                                                                 : choice;
    return device == QLatin1String("cpu") ? QCoreApplication::translate("RunPlan", "CPU") : device;
}

void RunRates::note(const RunSnapshot& run) {
    if (!run.progress || run.info.trackOnly || run.progress->device.empty())
        return;
    const double rate = meanRate(run);
    const std::int64_t pixels = run.progress->framePixels;
    if (rate > 0 && pixels > 0 && run.progress->framesDone - run.progress->framesResumed >= kLeastFrames)
        m_file->setValue(keyOf(run.info.modelPath, QString::fromStdString(run.progress->device)),
                         rate * static_cast<double>(pixels));
}

double RunRates::pixelRate(const QString& models, const QString& device) const {
    return device.isEmpty() ? 0 : m_file->value(keyOf(models, device)).toDouble();
}

}  // namespace skein::ui
