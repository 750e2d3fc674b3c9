// SPDX-License-Identifier: BSD-3-Clause
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/slp.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::formats;
namespace fs = std::filesystem;

namespace {

constexpr int kPatience = 840'000;  // ms, installing included

bool hasReaders(const QString& python) {
    QProcess process;
    process.start(python, {"-c", "import sleap_io, pynwb, ndx_pose, pandas"});
    return process.waitForFinished(test::kPatienceMs) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

/// A Python that has the readers: the one that SKEIN_READER_PYTHON names, else one of a virtual environment that is
/// made on first use and kept; empty where neither works.
QString readerPython() {
    if (const QString named = qEnvironmentVariable("SKEIN_READER_PYTHON"); !named.isEmpty())
        return hasReaders(named) ? named : QString();
    const QString folder = QString::fromStdString((fs::path(SKEIN_BINARY_DIR) / "tests" / "readers").string());
    const QString python = folder + "/bin/python";
    if (hasReaders(python))
        return python;
    const auto run = [](const QString& program, const QStringList& arguments) {
        QProcess process;
        process.start(program, arguments);
        return process.waitForFinished(kPatience) && process.exitCode() == 0;
    };
    if (!run(QStandardPaths::findExecutable("python3"), {"-m", "venv", folder}) ||
        !run(python, {"-m", "pip", "install", "--quiet", "sleap-io==0.9.5", "pynwb", "ndx-pose", "pandas"}))
        return {};
    return hasReaders(python) ? python : QString();
}

}  // namespace

class TestReadBack : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Each export of each reference project comes back equal through the programs that the formats belong to (issue 8,
    /// acceptance 4).
    void everyExportOfEveryReferenceProjectReadsBackEqual() {
        SKEIN_NEEDS_REFERENCE(reference);
        const QString python = readerPython();
        if (python.isEmpty())
            QSKIP("no Python with sleap-io and pynwb: name one by SKEIN_READER_PYTHON, or let pip reach its registry");
        const QTemporaryDir dir;
        std::vector<fs::path> projects{reference / "exports" / "project.slp"};
        for (const auto& entry : fs::directory_iterator(reference / "slp"))
            if (entry.path().extension() == ".slp" && entry.path().string().find("refuse") == std::string::npos)
                projects.push_back(entry.path());
        QStringList arguments{
            QString::fromStdString(std::string(SKEIN_SOURCE_DIR) + "/tests/engine/formats/export/read_back.py")};
        for (const fs::path& project : projects) {
            auto labels = readSlp(project);
            QVERIFY2(labels, labels ? "" : labels.error().describe().c_str());
            if (labels->frameCount() == 0)
                continue;
            const fs::path folder = fs::path(dir.path().toStdString()) / project.filename();
            fs::create_directory(folder);
            for (const auto& [format, name] :
                 {std::pair(ExportFormat::Analysis, "out.analysis.h5"),
                  std::pair(ExportFormat::Analysis, "out.standard.analysis.h5"),
                  std::pair(ExportFormat::Csv, "out.csv"), std::pair(ExportFormat::CsvTidy, "out.tidy.csv"),
                  std::pair(ExportFormat::Coco, "out.coco.json"), std::pair(ExportFormat::Dlc, "out.dlc.csv"),
                  std::pair(ExportFormat::Nwb, "out.nwb")}) {
                ExportOptions options;
                options.standardAxes = std::string_view(name) == "out.standard.analysis.h5";
                const auto written = exportLabels(*labels, format, folder / name, options);
                QVERIFY2(written, written ? "" : written.error().describe().c_str());
            }
            QVERIFY(writeSlp(*labels, folder / "out.slp"));
            arguments << QString::fromStdString(project.string()) << QString::fromStdString(folder.string());
        }
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(python, arguments);
        QVERIFY(process.waitForFinished(kPatience));
        const QString said = QString::fromUtf8(process.readAll());
        QStringList problems = said.split('\n');
        problems.removeIf([](const QString& line) { return line.isEmpty() || line.endsWith(": equal"); });
        QVERIFY2(process.exitCode() == 0, qPrintable(problems.join('\n')));
        QVERIFY(said.count(": equal") > 100);
    }
};

QTEST_GUILESS_MAIN(TestReadBack)
#include "tst_read_back.moc"
