// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_command.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>

#include "ui/dialogs/run_settings.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunCommand", text);
}

/// Options that sleap-nn 0.3.5 does not have, each with one value.
constexpr std::array<const char*, 2> kSkeinOnly{"--precision", "--cpu_threads"};

/// Takes out what sleap-nn does not know; returns what that was.
QStringList dropSkeinOnly(QStringList& words) {
    QStringList dropped;
    for (const char* name : kSkeinOnly)
        if (const auto at = words.indexOf(QLatin1String(name)); at >= 0) {
            dropped << QStringLiteral("%1 %2").arg(words[at], words.value(at + 1));
            words.remove(at, 2);
        }
    if (const auto at = words.indexOf(QStringLiteral("--batch_size")); at >= 0 && words.value(at + 1) == "auto") {
        dropped << QStringLiteral("--batch_size auto");
        words.remove(at, 2);
    }
    if (const auto at = words.indexOf(QStringLiteral("--match_sleap_nn")); at >= 0)
        words.removeAt(at);
    if (const auto at = words.indexOf(QStringLiteral("--tracker")); at >= 0 && words.value(at + 1) == "skein") {
        dropped << QStringLiteral("--tracker skein");
        words.remove(at, 2);
    }
    return dropped;
}

/// Frames as both programs list them, from 0; empty: all.
QString frameWords(const RunSituation& situation, const RunPlan& plan) {
    if (!situation.video || plan.frames.empty() || plan.count == situation.video->frameCount)
        return {};
    QStringList list;
    for (const FrameRange& range : plan.frames)
        list << (range.last > range.first ? QStringLiteral("%1-%2").arg(range.first).arg(range.last)
                                          : QString::number(range.first));
    return list.join(QLatin1Char(','));
}

QString line(const QStringList& words) {
    QStringList quoted;
    for (const QString& word : words)
        quoted << shellWord(word);
    return quoted.join(QLatin1Char(' '));
}

/// sleap-nn computes on one device; returns what was said of several.
QStringList firstDeviceOnly(QStringList& words) {
    const auto at = words.indexOf(QStringLiteral("--device")) + 1;
    if (at == 0 || at == words.size())
        return {};
    QString& device = words[at];
    if (device != QLatin1String("cuda:all") && !device.contains(QLatin1Char(',')))
        return {};
    const QStringList dropped{QStringLiteral("--device ") + device};
    device = device == QLatin1String("cuda:all") ? QStringLiteral("cuda") : device.section(QLatin1Char(','), 0, 0);
    return dropped;
}

}  // namespace

QString shellWord(const QString& word) {
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (kPlain.match(word).hasMatch())
        return word;
    QString quoted = word;
    return QLatin1Char('\'') + quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QString runCommand(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan,
                   const QString& video, const QString& project, bool ofSleapNn) {
    QStringList words{ofSleapNn ? QStringLiteral("sleap-nn") : QStringLiteral("skein")};
    if (settings.trackOnly) {
        if (project.isEmpty())
            return {};
        words << (ofSleapNn ? QStringLiteral("predict") : QStringLiteral("track")) << QStringLiteral("-i") << project;
        if (ofSleapNn)
            words << QStringLiteral("--tracking");
    } else {
        if (plan.models.empty() || video.isEmpty())
            return {};
        words << QStringLiteral("predict") << QStringLiteral("-i") << video;
        for (const models::ModelSpec& model : plan.models)
            words << QStringLiteral("-m") << text::fromPath(model.folder);
        if (const QString frames = frameWords(situation, plan); !frames.isEmpty())
            words << QStringLiteral("--frames") << frames;
    }
    QStringList options = commandLineOptions(settings, plan.use);
    QStringList dropped;
    if (ofSleapNn)
        dropped = dropSkeinOnly(options) << firstDeviceOnly(options);
    words << options;
    const QString output = (settings.trackOnly ? project : video) + QStringLiteral(".predictions.slp");
    words << QStringLiteral("-o") << output;
    QString command = line(words);
    if (!dropped.isEmpty())
        command += tr("  # without what sleap-nn does not have: %1").arg(dropped.join(QStringLiteral(", ")));
    return command;
}

}  // namespace skein::ui
