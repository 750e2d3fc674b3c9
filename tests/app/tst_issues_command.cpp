// SPDX-License-Identifier: GPL-3.0-or-later
// skein issues, skein fix and smoothed points, end to end.
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/formats/slp.h"
#include "tests/engine/proofread/made_tracks.h"
#include "tests/support/injected_errors.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::test;

namespace {

struct Outcome {
    int exitCode = -1;
    QString out, err;
};

Outcome skein_(const QStringList& arguments) {
    QProcess process;
    process.start(QString::fromUtf8(SKEIN_BINARY_DIR "/bin/skein"), arguments);
    process.waitForFinished(test::kPatienceMs);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace

class TestIssuesCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_truth = makeTracks({4, 600, 5, 40, 200, 0.5, 0.03});
        m_wrong = withErrors(m_truth, {3, 2, 2, 2, 5});
        QVERIFY(m_dir.isValid());
        m_file = m_dir.filePath("wrong.slp");
        QVERIFY(formats::writeSlp(m_wrong, m_file.toStdString()));
    }

    void issuesAreListedAsJsonWorstFirst() {
        const Outcome run = skein_({"issues", m_file, "--json"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto list = nlohmann::json::parse(run.out.toStdString());
        QVERIFY(list.is_array() && list.size() > 5);
        double last = 1;
        std::set<std::string> kinds;
        for (const auto& issue : list) {
            const double severity = issue.at("severity").get<double>();
            QVERIFY(severity <= last && severity >= 0);
            last = severity;
            QVERIFY(issue.at("first").get<int>() <= issue.at("last").get<int>());
            for (const auto& track : issue.at("tracks"))
                QVERIFY(!track.get<std::string>().empty());
            QVERIFY(!issue.at("reason").get<std::string>().empty());
            kinds.insert(issue.at("kind").get<std::string>());
        }
        for (const char* kind : {"swap", "break", "duplicate", "flip", "encounter"})
            QVERIFY2(kinds.count(kind) == 1, kind);
    }

    void issuesAreFilteredAndTheTableEndsWithASum() {
        const Outcome swaps = skein_({"issues", "-i", m_file, "--kind", "swap,flip", "--most", "2"});
        QVERIFY2(swaps.exitCode == 0, qPrintable(swaps.err));
        const QStringList lines = swaps.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].contains("swap") || lines[0].contains("flip"));
        QVERIFY(lines[2].startsWith("2 of "));
        const Outcome wrong = skein_({"issues", m_file, "--kind", "swamp"});
        QCOMPARE(wrong.exitCode, 2);
        QVERIFY(wrong.err.contains("swamp"));
        const Outcome absent = skein_({"issues", m_dir.filePath("absent.slp")});
        QVERIFY(absent.exitCode != 0 && absent.err.contains("absent.slp"));
    }

    void countsReadWellAndNothingIsJudgedWithoutTracks() {
        const Outcome one = skein_({"issues", m_file, "--most", "1"});
        QVERIFY2(one.out.contains("probably clean. Frames count from 0."), qPrintable(one.out));
        const auto list = nlohmann::json::parse(skein_({"issues", m_file, "--json"}).out.toStdString());
        const double worst = list.at(0).at("severity").get<double>(), next = list.at(1).at("severity").get<double>();
        QVERIFY(worst > next);
        const Outcome single =
            skein_({"issues", m_file, "--least_severity", QString::number((worst + next) / 2, 'f', 9)});
        QVERIFY2(single.out.contains("\n1 issue; "), qPrintable(single.out));
        project::Labels bare = edit::deleteTracks(m_truth, std::vector<std::int32_t>{0, 1, 2, 3}, false).labels;
        const QString file = m_dir.filePath("bare.slp");
        QVERIFY(formats::writeSlp(bare, file.toStdString()));
        const Outcome none = skein_({"issues", file, "--kind", "swap"});
        QVERIFY2(none.out.startsWith("0 issues; there are no tracks to judge."), qPrintable(none.out));
    }

    void limitsAreSaidInNumbersThatCanBeRead() {
        for (const QStringList& wrong : {QStringList{"issues", m_file, "--most", "-1"},
                                         QStringList{"fix", m_file, "-o", m_dir.filePath("x.slp"), "--gaps", "-1"}}) {
            const Outcome run = skein_(wrong);
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains(wrong[wrong.size() - 2]) && run.err.size() < 200, qPrintable(run.err));
        }
    }

    void anUnknownKindIsAnsweredWithThoseThatThereAre() {
        const Outcome run = skein_({"issues", m_file, "--kind", "foo"});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("called foo; there are swap, jump, ") && run.err.contains(", encounter."),
                 qPrintable(run.err));
    }

    // Track "2" is a whole fly from the first frame to the last, "13" two of its nodes for some frames.
    void aRealFlyIsNotExchangedWithAFragment() {
        SKEIN_NEEDS_REFERENCE(reference);
        const std::filesystem::path source = reference / "slp/centered_pair_predictions.slp";
        const QString output = m_dir.filePath("pair.slp");
        const Outcome run = skein_({"fix", QString::fromStdString(source.string()), "-o", output, "--joins", "safe",
                                    "--swaps", "0.8", "--gaps", "20", "--verbose"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains("\nPlaced "), qPrintable(run.out));
        const auto before = formats::readSlp(source), after = formats::readSlp(output.toStdString());
        QVERIFY(before && after);
        const auto framesOfTheFly = [](const project::Labels& labels) {
            std::size_t whole = 0;
            for (std::size_t row = 0; row < labels.frameCount(); ++row)
                for (std::size_t i = 0; i < labels.frame(row).instanceCount(); ++i) {
                    const project::InstanceView one = labels.frame(row).instance(i);
                    if (one.header->track >= 0 &&
                        labels.tracks()[static_cast<std::size_t>(one.header->track)].name == "2" &&
                        std::count_if(one.points.begin(), one.points.end(),
                                      [](const project::Point& p) { return p.exists(); }) >= 12)
                        ++whole;
                }
            return whole;
        };
        QVERIFY(framesOfTheFly(*before) > 1000);
        QVERIFY(framesOfTheFly(*after) >= framesOfTheFly(*before));
    }

    void fixRepairsTheFile() {
        const QString output = m_dir.filePath("fixed.slp");
        const Outcome run = skein_({"fix", m_file, "-o", output, "--joins", "safe", "--swaps", "0.5", "--flips", "0.5",
                                    "--duplicates", "0.7", "--gaps", "5", "--verbose"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains("Tracks      4, before 8"), qPrintable(run.out));
        const auto fixed = formats::readSlp(output.toStdString());
        QVERIFY(fixed);
        QCOMPARE(fixed->tracks().size(), std::size_t{4});
        QCOMPARE(fixed->instanceCount(), m_truth.instanceCount());
        // Who is who is a matter of names; who stays who is not.
        std::map<std::int32_t, std::int32_t> becomes;
        std::size_t right = 0;
        for (std::size_t row = 0; row < m_truth.frameCount(); ++row) {
            const auto before = m_truth.frame(row);
            const auto after = fixed->frame(*fixed->findFrame(0, before.frameIndex()));
            for (std::size_t i = 0; i < before.instanceCount(); ++i)
                for (std::size_t k = 0; k < after.instanceCount(); ++k)
                    if (before.instance(i).points[0].x == after.instance(k).points[0].x) {
                        const auto known =
                            becomes.try_emplace(before.instance(i).header->track, after.instance(k).header->track);
                        right += known.first->second == after.instance(k).header->track ? 1 : 0;
                    }
        }
        QCOMPARE(right, m_truth.instanceCount());
    }

    void fixRefusesToDoNothingAndToOverwriteItsInput() {
        const Outcome nothing = skein_({"fix", m_file, "-o", m_dir.filePath("x.slp")});
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY(nothing.err.contains("--joins"));
        QVERIFY(!QFile::exists(m_dir.filePath("x.slp")));
        const Outcome over = skein_({"fix", m_file, "-o", m_file, "--swaps", "0.5"});
        QVERIFY(over.exitCode != 0);
        const Outcome beyond = skein_({"fix", m_file, "-o", m_dir.filePath("x.slp"), "--swaps", "7"});
        QCOMPARE(beyond.exitCode, 2);
    }

    void smoothedPointsAreExportedAndTheProjectKeepsItsOwn() {
        const auto table = [this](const QStringList& how) {
            const QString output = m_dir.filePath("points.csv");
            const Outcome run = skein_(QStringList{"convert", m_file, "-o", output, "--to", "csv"} + how);
            QFile file(output);
            return run.exitCode == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray raw = table({});
        QVERIFY(raw.count('\n') > 600);
        for (const char* method : {"savitzky_golay", "one_euro", "kalman"}) {
            const QByteArray smooth = table({"--smooth", method});
            QCOMPARE(smooth.count('\n'), raw.count('\n'));
            QVERIFY2(smooth != raw, method);
        }
        QVERIFY(table({"--smooth", "savitzky_golay", "--smooth-window", "31"}) !=
                table({"--smooth", "savitzky_golay"}));
        QCOMPARE(formats::readSlp(m_file.toStdString())->instanceCount(), m_wrong.instanceCount());
        const Outcome even = skein_({"convert", m_file, "-o", m_dir.filePath("even.csv"), "--to", "csv", "--smooth",
                                     "savitzky_golay", "--smooth_window", "4"});
        QCOMPARE(even.exitCode, 2);
        QVERIFY2(even.err.contains("odd number"), qPrintable(even.err));
        QVERIFY(!QFile::exists(m_dir.filePath("even.csv")));
    }

private:
    QTemporaryDir m_dir;
    QString m_file;
    project::Labels m_truth, m_wrong;
};

QTEST_GUILESS_MAIN(TestIssuesCommand)
#include "tst_issues_command.moc"
