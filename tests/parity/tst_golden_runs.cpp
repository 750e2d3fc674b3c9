// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/formats/slp.h"
#include "tests/support/reference.h"

using namespace skein;
namespace fs = std::filesystem;

namespace {

// The limits of the reference pack for equal pixels.
constexpr double kPointTolerance = 1e-3;
constexpr double kTightPointTolerance = 1e-4;  // for 99 of 100 points
constexpr double kScoreTolerance = 1e-4;

/// Model folders whose runs this version reproduces.
const std::set<std::string> kModels = {"bottomup", "synthetic_bottomup"};

/// Runs that carry a defect of the peer which Skein mends unless told otherwise.
bool needsMatchSleapNn(const std::string& name) {
    return name == "synthetic_bottomup/paf_options";
}

fs::path skeinCommand() {
    return fs::path(SKEIN_BINARY_DIR) / "bin" / "skein";
}

/// Tracks by position of first use, so that two files may name them differently.
class TrackOrder {
public:
    int rank(int track) {
        if (track < 0)
            return -1;
        return m_ranks.emplace(track, static_cast<int>(m_ranks.size())).first->second;
    }

private:
    std::map<int, int> m_ranks;
};

bool closeOrBothAbsent(double a, double b, double tolerance) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

}  // namespace

class TestGoldenRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeRunEqualsTheRecordedOne_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("command");
        const auto reference = test::referenceDir();
        if (!reference) {
            QTest::newRow("no reference pack") << QString() << QString();
            return;
        }
        std::ifstream file(*reference / "golden" / "runs" / "index.json");
        const auto index = nlohmann::json::parse(file);
        for (const auto& run : index.at("runs")) {
            const std::string name = run.at("model").get<std::string>() + "/" + run.at("case").get<std::string>();
            if (kModels.count(run.at("model").get<std::string>()) != 0)
                QTest::newRow(name.c_str())
                    << QString::fromStdString(name) << QString::fromStdString(run.at("command").get<std::string>());
        }
    }

    void wholeRunEqualsTheRecordedOne() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, name);
        QFETCH(QString, command);
        const QTemporaryDir dir;
        const QString output = dir.filePath("out.slp");
        QStringList arguments = command.split(' ');
        arguments.removeFirst();
        arguments.replaceInStrings("OUT.slp", output);
        arguments << "--quiet";
        if (needsMatchSleapNn(name.toStdString()))
            arguments << "--match-sleap-nn";
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(reference.string()));
        process.start(QString::fromStdString(skeinCommand().string()), arguments);
        QVERIFY2(process.waitForFinished(600000), "the command did not end");
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());

        const auto golden = formats::readSlp(reference / "golden" / "runs" / (name.toStdString() + ".slp"));
        const auto ours = formats::readSlp(output.toStdString());
        QVERIFY(golden);
        QVERIFY2(ours, ours ? "" : ours.error().describe().c_str());
        compare(*golden, *ours);
    }

private:
    void compare(const project::Labels& golden, const project::Labels& ours) {
        QCOMPARE(ours.frameCount(), golden.frameCount());
        QCOMPARE(ours.skeletons().size(), golden.skeletons().size());
        QVERIFY(ours.skeletons()[0].sameStructure(golden.skeletons()[0]));
        QCOMPARE(ours.tracks().size(), golden.tracks().size());
        TrackOrder goldenTracks, ourTracks;
        std::size_t points = 0, beyondTight = 0;
        for (std::size_t row = 0; row < golden.frameCount(); ++row) {
            const project::FrameView a = golden.frame(row), b = ours.frame(row);
            QCOMPARE(b.frameIndex(), a.frameIndex());
            const std::string where = "frame " + std::to_string(a.frameIndex());
            QVERIFY2(a.instanceCount() == b.instanceCount(), where.c_str());
            for (std::size_t i = 0; i < a.instanceCount(); ++i) {
                const project::InstanceView x = a.instance(i), y = b.instance(i);
                QVERIFY2(std::abs(x.header->score - y.header->score) <= kScoreTolerance, where.c_str());
                QVERIFY2(goldenTracks.rank(x.header->track) == ourTracks.rank(y.header->track), where.c_str());
                QVERIFY2(closeOrBothAbsent(static_cast<double>(x.header->trackingScore),
                                           static_cast<double>(y.header->trackingScore), kScoreTolerance * 10),
                         where.c_str());
                QCOMPARE(y.points.size(), x.points.size());
                for (std::size_t n = 0; n < x.points.size(); ++n) {
                    const project::Point &p = x.points[n], &q = y.points[n];
                    QVERIFY2(p.exists() == q.exists(), where.c_str());
                    QVERIFY2(
                        closeOrBothAbsent(p.x, q.x, kPointTolerance) && closeOrBothAbsent(p.y, q.y, kPointTolerance),
                        where.c_str());
                    QVERIFY2(closeOrBothAbsent(p.score, q.score, kScoreTolerance), where.c_str());
                    points += p.exists() ? 1 : 0;
                    if (p.exists() && std::hypot(p.x - q.x, p.y - q.y) > kTightPointTolerance)
                        ++beyondTight;
                }
            }
        }
        QVERIFY2(static_cast<double>(beyondTight) <= 0.01 * static_cast<double>(points),
                 (std::to_string(beyondTight) + " of " + std::to_string(points) + " points differ by more than 1e-4 px")
                     .c_str());
    }
};

QTEST_GUILESS_MAIN(TestGoldenRuns)
#include "tst_golden_runs.moc"
