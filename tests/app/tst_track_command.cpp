// SPDX-License-Identifier: GPL-3.0-or-later
// `skein track` by presets.
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/formats/slp.h"
#include "engine/formats/slp_diff.h"

using namespace skein;
namespace fs = std::filesystem;

namespace {

QString sampleLabels() {
    return QString::fromStdString((fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample" / "expected.slp").string());
}

}  // namespace

class TestTrackCommand : public QObject {
    Q_OBJECT
private:
    /// Tracks the sample anew; an error as "code: words", otherwise "". `warnings`: what it said although it worked.
    static QString track(const QStringList& options, const QString& out, QString* warnings = nullptr) {
        QProcess process;
        process.start(QString::fromStdString((fs::path(SKEIN_BINARY_DIR) / "bin" / "skein").string()),
                      QStringList{"track", "-i", sampleLabels(), "-o", out, "--quiet"} + options);
        process.waitForFinished(test::kPatienceMs);
        const QString said = QString::fromUtf8(process.readAllStandardError());
        if (warnings != nullptr)
            *warnings = said;
        return process.exitCode() == 0 ? QString() : QStringLiteral("%1: %2").arg(process.exitCode()).arg(said);
    }
    static QString differenceOf(const QStringList& a, const QStringList& b) {
        const QTemporaryDir dir;
        const QString first = dir.filePath("a.slp"), second = dir.filePath("b.slp");
        const QString problem = track(a, first) + track(b, second);
        if (!problem.isEmpty())
            return problem;
        const auto difference = formats::diffSlp(first.toStdString(), second.toStdString());
        return difference ? QString::fromStdString(difference->equal ? "" : difference->text())
                          : QStringLiteral("cannot be read");
    }

private Q_SLOTS:
    void aPresetGivesWhatNoOtherOptionSays() {
        QCOMPARE(differenceOf({"--preset", "as_sleap_nn"}, {}), QString());
        QCOMPARE(differenceOf({"--preset", "tolerant_oks"}, {"--oks_stddev", "0.3"}), QString());
        // Wherever it stands, what else is said counts.
        QCOMPARE(differenceOf({"--tracking_window_size", "2", "--preset", "tolerant_oks"},
                              {"--oks_stddev", "0.3", "--tracking_window_size", "2"}),
                 QString());
        QCOMPARE(differenceOf({"--oks_stddev", "0.1", "--preset", "tolerant_oks"}, {"--oks_stddev", "0.1"}), QString());
        QCOMPARE(differenceOf({"--preset", "kalman", "--max_tracks", "6"}, {"--use_kalman", "--max_tracks", "6"}),
                 QString());
        QCOMPARE(differenceOf({"--preset", "skein", "--max_tracks", "6"}, {"--tracker", "skein", "--max_tracks", "6"}),
                 QString());
    }

    void thePresetSkeinKeepsTheSamplesSixAnimals() {
        const QTemporaryDir dir;
        const QString out = dir.filePath("out.slp");
        QCOMPARE(track({"--preset", "skein", "--max_tracks", "6"}, out), QString());
        const auto labels = formats::readSlp(out.toStdString());
        QVERIFY(labels);
        QCOMPARE(labels->tracks().size(), std::size_t{6});
    }

    void whatAPresetMakesOfAKnownNumberIsNoWarning() {
        const QTemporaryDir dir;
        for (const char* preset : {"tolerant_oks", "kalman", "bytetrack", "skein"}) {
            QString warnings;
            QCOMPARE(track({"--preset", preset, "--max_tracks", "6"}, dir.filePath("out.slp"), &warnings), QString());
            QVERIFY2(warnings.isEmpty(), qPrintable(warnings));
        }
        // What a person chose against it still is.
        QString warnings;
        QCOMPARE(track({"--preset", "kalman", "--max_tracks", "6", "--candidates_method", "fixed_window"},
                       dir.filePath("out.slp"), &warnings),
                 QString());
        QVERIFY2(warnings.contains("local_queues"), qPrintable(warnings));
    }

    void wrongPresetsAreRefusedInOneSentence() {
        const QTemporaryDir dir;
        const QString unknown = track({"--preset", "best"}, dir.filePath("out.slp"));
        QVERIFY2(unknown.startsWith("2: ") && unknown.contains("tolerant_oks"), qPrintable(unknown));
        const QString uncounted = track({"--preset", "kalman"}, dir.filePath("out.slp"));
        QVERIFY2(
            uncounted.startsWith("2: ") && uncounted.contains("--max_tracks") && uncounted.contains("--preset skein"),
            qPrintable(uncounted));
        QVERIFY(!QFile::exists(dir.filePath("out.slp")));
    }
};

QTEST_GUILESS_MAIN(TestTrackCommand)
#include "tst_track_command.moc"
