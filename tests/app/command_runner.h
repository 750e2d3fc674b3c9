// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <signal.h>

#include <QProcess>
#include <QStringList>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/formats/slp_diff.h"
#include "tests/support/patience.h"

// Skein's command as a program of its own, and the sample that comes with it.
namespace skein::test {

inline std::filesystem::path samplePath(const char* name) {
    return std::filesystem::path(SKEIN_SOURCE_DIR) / "resources" / "sample" / name;
}
inline void writeText(const std::filesystem::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}
inline QString text(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
inline QString commandPath() {
    return text(std::filesystem::path(SKEIN_BINARY_DIR) / "bin" / "skein");
}

struct Outcome {
    int exitCode = -1;
    QString out, err;
};

inline Outcome runCommand(const QStringList& arguments) {
    QProcess process;
    process.start(commandPath(), arguments);
    process.waitForFinished(kPatienceMs);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

/// Starts the command and kills it, with no chance to tidy up, as soon as `isTime`; false when it ended before.
template <class Condition>
bool killWhen(const QStringList& arguments, Condition isTime) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(commandPath(), arguments);
    if (!process.waitForStarted(kPatienceMs))
        return false;
    const bool came = await([&] { return process.state() != QProcess::Running || isTime(); });
    const bool runs = process.state() == QProcess::Running;
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    process.waitForFinished(kPatienceMs);
    return came && runs;
}

/// "" for files of the same content, what a run says about itself apart; otherwise what differs.
inline QString differenceOf(const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto difference = formats::diffSlp(a, b, {.tolerance = 0, .scoreTolerance = 0});
    if (!difference)
        return QString::fromStdString(difference.error().describe());
    return difference->equal ? QString() : QString::fromStdString(difference->text());
}

}  // namespace skein::test
