// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/import/import_labels.h"
#include "tests/engine/formats/slp_test.h"
#include "tests/support/big_project.h"
#include "tests/support/h5_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::project;
namespace fs = std::filesystem;

namespace {

constexpr double kScore = 0.875;

fs::path in(const QTemporaryDir& dir, const std::string& name) {
    return fs::path(dir.path().toStdString()) / name;
}

InstanceData made(InstanceKind kind, int track, double at) {
    InstanceData instance;
    instance.header.kind = kind;
    instance.header.track = track;
    instance.header.score = kind == InstanceKind::Predicted ? 0.5F : 0.0F;
    for (int n = 0; n < 3; ++n)
        instance.points.push_back({at + 10.25 * n, at * 2 + n, kind == InstanceKind::Predicted ? kScore : kNaN, true,
                                   kind == InstanceKind::User});
    return instance;
}

/// Two tracks over frames 2 to 6 with a gap, a node that is missing, a person's instance over a prediction, one
/// instance without a track.
Labels madeProject() {
    Labels labels;
    Video video;
    video.filename = "clips/one, two.mp4";
    video.frameCount = 9;
    video.width = 640;
    video.height = 480;
    video.channels = 1;
    video.fps = 25;
    labels.editVideos().push_back(video);
    Skeleton skeleton;
    skeleton.name = "fly";
    skeleton.nodes = {"head", "body, middle", "tip.a \"b\""};
    skeleton.edges = {{1, 0}, {1, 2}};
    skeleton.symmetries = {{0, 2}};
    labels.editSkeletons().push_back(skeleton);
    labels.editTracks() = {{"A", 0, -1}, {"never", 0, -1}, {"B", 0, -1}};
    for (const std::int64_t frame : {2, 3, 5, 6}) {
        FrameData data;
        data.frameIndex = frame;
        data.instances.push_back(made(InstanceKind::Predicted, 0, 10.0 + double(frame)));
        data.instances.push_back(made(InstanceKind::Predicted, 2, 100.0 + double(frame)));
        if (frame == 3)
            data.instances[1].points[1] = {kNaN, kNaN, 0.125, false, false};
        if (frame == 5)
            data.instances.push_back(made(InstanceKind::User, 0, 15.5));
        if (frame == 6)
            data.instances.push_back(made(InstanceKind::Predicted, -1, 300));
        labels.appendFrame(std::move(data));
    }
    return labels;
}

/// Positions of each frame's instances, by their first coordinate, so that their order does not matter.
std::string poses(const Labels& labels, bool (*wanted)(const InstanceHeader&)) {
    std::string text;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        for (const std::size_t row : labels.rowsOf(video)) {
            const FrameView frame = labels.frame(row);
            std::vector<std::string> lines;
            for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
                const InstanceView instance = frame.instance(i);
                if (!wanted(*instance.header))
                    continue;
                std::string line;
                for (const Point& p : instance.points)
                    line +=
                        p.exists() ? QString("(%1 %2) ").arg(p.x, 0, 'g', 17).arg(p.y, 0, 'g', 17).toStdString() : "- ";
                const std::int32_t track = instance.header->track;
                if (track >= 0)
                    line += labels.tracks()[static_cast<std::size_t>(track)].name;
                lines.push_back(line);
            }
            std::sort(lines.begin(), lines.end());
            for (const std::string& line : lines)
                text += std::to_string(frame.frameIndex()) + ": " + line + "\n";
        }
    return text;
}

bool isAny(const InstanceHeader&) {
    return true;
}
bool isPredicted(const InstanceHeader& h) {
    return h.kind == InstanceKind::Predicted;
}

/// The project as a table with one place a track holds it.
Labels placed(Labels labels) {
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        FrameData frame = labels.frame(row).toData();
        if (frame.frameIndex == 5)
            frame.instances.erase(frame.instances.begin());  // a person's goes before the prediction
        std::erase_if(frame.instances, [](const InstanceData& i) { return i.header.track < 0; });
        labels.replaceFrame(row, frame);
    }
    return labels;
}

Labels exportedAndRead(const Labels& labels, ExportFormat format, const fs::path& path, ExportReport* report = nullptr,
                       const ExportOptions& options = {}) {
    auto written = exportLabels(labels, format, path, options);
    if (!written)
        throw std::runtime_error(written.error().describe());
    if (report != nullptr)
        *report = *written;
    auto read = importLabels(path);
    if (!read)
        throw std::runtime_error(read.error().describe());
    return std::move(*read);
}

}  // namespace

class TestExports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void analysisOfTheReferenceProjectEqualsTheRecordedOne() {
        SKEIN_NEEDS_REFERENCE(reference);
        const QTemporaryDir dir;
        auto labels = readSlp(reference / "exports" / "project.slp");
        QVERIFY(labels);
        for (const bool standard : {false, true}) {
            ExportOptions options;
            options.standardAxes = standard;
            const fs::path out = in(dir, "out.analysis.h5");
            const auto written = exportLabels(*labels, ExportFormat::Analysis, out, options);
            QVERIFY2(written, written ? "" : written.error().describe().c_str());
            QCOMPARE(written->leftOut, std::size_t{1});
            const fs::path expected =
                reference / "exports" / (standard ? "project.standard.analysis.h5" : "project.matlab.analysis.h5");
            for (const char* name : {"tracks", "track_occupancy", "point_scores", "instance_scores", "tracking_scores",
                                     "edge_inds", "video_ind"}) {
                const auto a = test::readH5(expected, name), b = test::readH5(out, name);
                QVERIFY2(a && b, name);
                QCOMPARE(b->shape, a->shape);
                for (std::size_t i = 0; i < a->values.size(); ++i)
                    QVERIFY2(
                        a->values[i] == b->values[i] || (std::isnan(a->values[i]) && std::isnan(b->values[i])),
                        qPrintable(QString("%1 at %2: %3, %4").arg(name).arg(i).arg(a->values[i]).arg(b->values[i])));
            }
        }
    }

    void formatsWithTracksComeBackAsTheyWere_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        QTest::newRow("analysis") << int(ExportFormat::Analysis) << "out.analysis.h5";
        QTest::newRow("csv") << int(ExportFormat::Csv) << "out.csv";
        QTest::newRow("dlc") << int(ExportFormat::Dlc) << "out.dlc.csv";
    }
    void formatsWithTracksComeBackAsTheyWere() {
        QFETCH(int, format);
        QFETCH(QString, name);
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        ExportReport report;
        const Labels read = exportedAndRead(labels, ExportFormat(format), in(dir, name.toStdString()), &report);
        QCOMPARE(report.leftOut, std::size_t{1});
        QCOMPARE(report.warnings.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(poses(read, isAny)), QString::fromStdString(poses(placed(labels), isAny)));
        QCOMPARE(read.skeletons()[0].nodes, labels.skeletons()[0].nodes);
        if (ExportFormat(format) == ExportFormat::Analysis) {
            QCOMPARE(read.skeletons()[0].edges, labels.skeletons()[0].edges);
            QCOMPARE(read.skeletons()[0].symmetries, labels.skeletons()[0].symmetries);
            QCOMPARE(read.videos()[0].filename, labels.videos()[0].filename);
            QCOMPARE(read.videos()[0].frameCount, std::int64_t{9});
        }
    }

    void theTidyTableKeepsEveryInstanceWithItsKind() {
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        const Labels read = exportedAndRead(labels, ExportFormat::CsvTidy, in(dir, "out.csv"));
        QCOMPARE(QString::fromStdString(poses(read, isAny)), QString::fromStdString(poses(labels, isAny)));
        QCOMPARE(read.predictedInstanceCount(), labels.predictedInstanceCount());
        QCOMPARE(read.frame(0).instance(0).points[0].score, kScore);
        QCOMPARE(read.frame(0).instance(0).header->score, 0.5F);
        // The frame's time stands beside its number.
        QVERIFY(test::textOf(in(dir, "out.csv")).find("\n3,0.12,head,") != std::string::npos);
    }

    void everyFrameHasARowInTheTableUnlessAskedOtherwise() {  // P65
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        QVERIFY(exportLabels(labels, ExportFormat::Csv, in(dir, "all.csv")));
        ExportOptions options;
        options.everyFrame = false;
        QVERIFY(exportLabels(labels, ExportFormat::Csv, in(dir, "labelled.csv"), options));
        const auto lines = [&](const char* name) {
            return QString::fromStdString(test::textOf(in(dir, name))).count('\n');
        };
        QCOMPARE(lines("labelled.csv"), 1 + 8);
        QCOMPARE(lines("all.csv"), 1 + 8 + 5);
        QVERIFY(test::textOf(in(dir, "all.csv")).find("\n,0,,,,,,,,,,\n") != std::string::npos);
    }

    void cocoKeepsEveryInstanceAndNumbersItsTracks() {
        const QTemporaryDir dir;
        Labels labels = madeProject();
        FrameData hidden = labels.frame(0).toData();
        hidden.instances[0].points[2].visible = false;
        labels.replaceFrame(0, hidden);
        const Labels read = exportedAndRead(labels, ExportFormat::Coco, in(dir, "out.coco.json"));
        labels.editTracks() = {{"track_1", 0, -1}, {"track_2", 0, -1}, {"track_3", 0, -1}};
        QCOMPARE(QString::fromStdString(poses(read, isAny)), QString::fromStdString(poses(labels, isAny)));
        QCOMPARE(read.predictedInstanceCount(), labels.predictedInstanceCount());
        QCOMPARE(read.videos()[0].filename, std::string("one, two.mp4"));
        QCOMPARE(read.videos()[0].width, 640);
        const Point& p = read.frame(0).instance(0).points[2];
        QVERIFY(!p.visible && p.x == hidden.instances[0].points[2].x);
        QCOMPARE(read.skeletons()[0].edges, labels.skeletons()[0].edges);
    }

    void nwbKeepsPredictionsWithTracksAndPersonsFrames() {
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        const Labels read = exportedAndRead(labels, ExportFormat::Nwb, in(dir, "out.nwb"));
        QCOMPARE(QString::fromStdString(poses(read, isPredicted)), QString::fromStdString(poses(labels, isPredicted)));
        QCOMPARE(read.instanceCount() - read.predictedInstanceCount(), std::size_t{1});
        QCOMPARE(read.videos().size(), std::size_t{1});
        QCOMPARE(read.videos()[0].fps, 25.0);
        QCOMPARE(read.skeletons()[0].edges, labels.skeletons()[0].edges);
    }

    // Training data of NWB has no tracks; whoever labelled some is told.
    void nwbTellsOfTracksThatItCannotHold() {
        const QTemporaryDir dir;
        Labels labels = madeProject();
        for (const std::int32_t track : {0, -1}) {
            for (std::size_t row = 0; row < labels.frameCount(); ++row) {
                FrameData frame = labels.frame(row).toData();
                for (InstanceData& instance : frame.instances) {
                    instance.header.kind = project::InstanceKind::User;
                    instance.header.track = track;
                }
                labels.replaceFrame(row, frame);
            }
            const auto written = exportLabels(labels, ExportFormat::Nwb, in(dir, "out.nwb"));
            QVERIFY(written);
            const auto told =
                std::count_if(written->warnings.begin(), written->warnings.end(),
                              [](const auto& warning) { return warning.find("no tracks") != std::string::npos; });
            QCOMPARE(told, track >= 0 ? 1 : 0);
        }
    }

    void jsonIsTheReadableDescription() {
        const QTemporaryDir dir;
        QVERIFY(exportLabels(madeProject(), ExportFormat::Json, in(dir, "out.json")));
        const auto json = test::TestJson::parse(test::textOf(in(dir, "out.json")));
        QCOMPARE(json.at("dump").get<std::string>(), std::string("slp-dump-1"));
        QCOMPARE(json.at("counts").at("points").get<int>(), 30);
        QCOMPARE(json.at("frames").size(), std::size_t{4});
    }

    void projectsWithoutTracksKeepEveryAnimal() {  // P65
        const QTemporaryDir dir;
        Labels labels = madeProject();
        for (std::size_t row = 0; row < labels.frameCount(); ++row) {
            FrameData frame = labels.frame(row).toData();
            for (InstanceData& instance : frame.instances)
                instance.header.track = -1;
            labels.replaceFrame(row, frame);
        }
        labels.editTracks().clear();
        ExportReport report;
        for (const auto& [format, name] :
             {std::pair(ExportFormat::Analysis, "o.analysis.h5"), std::pair(ExportFormat::Csv, "o.csv"),
              std::pair(ExportFormat::CsvTidy, "t.csv"), std::pair(ExportFormat::Nwb, "o.nwb")}) {
            const Labels read = exportedAndRead(labels, format, in(dir, name), &report);
            QCOMPARE(report.leftOut, std::size_t{0});
            QCOMPARE(read.instanceCount(), labels.instanceCount());
        }
    }

    void severalVideosBecomeSeveralFilesAndOneThatFailsDoesNotStopTheRest() {  // P66
        const QTemporaryDir dir;
        Labels labels = madeProject();
        Video second = labels.videos()[0];
        second.filename = "C:\\data\\second.avi";
        labels.editVideos().push_back(second);
        labels.editVideos().push_back(second);  // without labels
        FrameData frame = labels.frame(0).toData();
        frame.video = 1;
        labels.appendFrame(frame);
        QCOMPARE(pathOfVideo("a/b.analysis.h5", labels, 1), fs::path("a/b.001_second.analysis.h5"));
        const auto written = exportLabels(labels, ExportFormat::Csv, in(dir, "out.csv"));
        QVERIFY(written);
        QCOMPARE(written->files.size(), std::size_t{2});
        QVERIFY(fs::exists(in(dir, "out.000_one, two.csv")) && fs::exists(in(dir, "out.001_second.csv")));
        fs::remove(in(dir, "out.000_one, two.csv"));
        fs::create_directory(in(dir, "out.000_one, two.csv"));  // cannot be written over
        const auto rest = exportLabels(labels, ExportFormat::Csv, in(dir, "out.csv"));
        QVERIFY(rest);
        QCOMPARE(rest->files.size(), std::size_t{1});
        QVERIFY(!rest->warnings.empty());
        ExportOptions options;
        options.video = 2;
        QVERIFY(!exportLabels(labels, ExportFormat::Csv, in(dir, "none.csv"), options));
        options.video = 7;
        QVERIFY(!exportLabels(labels, ExportFormat::Nwb, in(dir, "none.nwb"), options));
    }

    void aCancelledExportLeavesTheOldFile() {
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        for (const auto format : {ExportFormat::Analysis, ExportFormat::Csv, ExportFormat::CsvTidy, ExportFormat::Coco,
                                  ExportFormat::Dlc, ExportFormat::Nwb}) {
            std::ofstream(in(dir, "out")) << "old";
            std::stop_source stop;
            stop.request_stop();
            ExportOptions options;
            options.stop = stop.get_token();
            const auto written = exportLabels(labels, format, in(dir, "out"), options);
            QVERIFY(!written && written.error().code() == ErrorCode::Cancelled);
            QCOMPARE(test::textOf(in(dir, "out")), std::string("old"));
            QCOMPARE(std::distance(fs::directory_iterator(dir.path().toStdString()), {}), 1);
        }
    }

    void tenThousandShortTracksNeedNeitherMemoryNorTime() {  // P29
        const QTemporaryDir dir;
        test::BigProject spec;
        spec.frames = 4000;
        spec.animals = 5;
        spec.nodes = 6;
        spec.tracksEach = 2000;
        const Labels labels = test::makeBigProject(spec);
        for (const auto& [format, name] :
             {std::pair(ExportFormat::Analysis, "o.analysis.h5"), std::pair(ExportFormat::Csv, "o.csv")}) {
            ExportReport report;
            const Labels read = exportedAndRead(labels, format, in(dir, name), &report);
            QCOMPARE(read.instanceCount(), labels.instanceCount());
            QVERIFY(fs::file_size(in(dir, name)) < (std::uintmax_t{200} << 20));
        }
    }

    void recordedFilesOfOtherProgramsAreRead() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path folder = reference / "exports";
        auto original = readSlp(folder / "project.slp");
        QVERIFY(original);
        for (const auto& [name, instances] :
             {std::pair("project.matlab.analysis.h5", 9), std::pair("project.standard.analysis.h5", 9),
              std::pair("project.sleap.csv", 11), std::pair("project.sleap_allframes.csv", 11),
              std::pair("project.instances.csv", 11), std::pair("project.points.csv", 11),
              std::pair("project.frames.csv", 11), std::pair("project.coco.json", 11), std::pair("project.dlc.csv", 9),
              std::pair("project.predictions.nwb", 10), std::pair("project.annotations.nwb", 11),
              std::pair("small_robot.000_small_robot_3_frame.analysis.h5", 3),
              std::pair("minimal_instance.000_centered_pair_low_quality.analysis.csv", 1)}) {
            auto labels = importLabels(folder / name);
            QVERIFY2(labels, labels ? "" : labels.error().describe().c_str());
            QVERIFY2(labels->instanceCount() == std::size_t(instances),
                     qPrintable(QString("%1: %2").arg(name).arg(labels->instanceCount())));
            if (std::string_view(name).substr(0, 7) == "project")
                QCOMPARE(labels->skeletons()[0].nodes.size(), std::size_t{3});
        }
        for (const auto& [name, animals] : {std::pair("CollectedData_LM.csv", 3), std::pair("dlc_testdata.csv", 0),
                                            std::pair("dlc_testdata_v2.csv", 0), std::pair("madlc_testdata.csv", 2),
                                            std::pair("madlc_testdata_v2.csv", 2), std::pair("maudlc_testdata.csv", 3),
                                            std::pair("maudlc_testdata_v2.csv", 3)}) {
            auto labels = importLabels(folder / "dlc" / name);
            QVERIFY2(labels, labels ? "" : labels.error().describe().c_str());
            QCOMPARE(labels->tracks().size(), std::size_t(animals));
            QCOMPARE(labels->skeletons()[0].nodes.front(), std::string("A"));
            QCOMPARE(labels->frame(0).instance(0).points[1].y, 3.0);
            QCOMPARE(labels->videos()[0].filename, std::string("video.mp4"));
            QVERIFY2(labels->predictedInstanceCount() == 0, name);
        }
    }

    void dlcPointsWithoutLikelihoodAreAPersonsAndOthersAreFound() {
        const QTemporaryDir dir;
        const fs::path file = in(dir, "table.csv");
        std::ofstream(file) << "scorer,s,s,s,s,s,s\nbodyparts,A,A,A,B,B,B\ncoords,x,y,likelihood,x,y,likelihood\n"
                               "labeled-data/v/img1.png,1,2,,3,4,\n"
                               "labeled-data/v/img2.png,1,2,0.5,3,4,0.75\n";
        const auto labels = importLabels(file);
        QVERIFY2(labels, labels ? "" : labels.error().describe().c_str());
        const InstanceView byHand = labels->frame(0).instance(0), found = labels->frame(1).instance(0);
        QVERIFY(byHand.header->kind == InstanceKind::User && byHand.points[1].complete);
        QVERIFY(found.header->kind == InstanceKind::Predicted && !found.points[1].complete);
        QCOMPARE(found.points[1].score, 0.75);
        QCOMPARE(found.header->score, 0.625F);
    }

    void dlcTablesInHdf5AreRead() {
        const fs::path folder = fs::path(SKEIN_SOURCE_DIR) / "tests" / "data" / "dlc";
        auto table = importLabels(folder / "predictions_table.h5");
        QVERIFY2(table, table ? "" : table.error().describe().c_str());
        QCOMPARE(table->tracks().size(), std::size_t{2});
        QCOMPARE(table->skeletons()[0].nodes, (std::vector<std::string>{"nose", "tail base"}));
        QCOMPARE(table->frameCount(), std::size_t{3});
        QCOMPARE(table->frame(1).instance(1).points[0].x, 27.0);
        QVERIFY(!table->frame(1).instance(0).points[1].exists());
        QVERIFY(table->predictedInstanceCount() == table->instanceCount());
        for (const char* name : {"labels_fixed.h5", "labels_fixed_paths.h5"}) {
            auto labels = importLabels(folder / name);
            QVERIFY2(labels, labels ? "" : labels.error().describe().c_str());
            QCOMPARE(labels->predictedInstanceCount(), std::size_t{0});
            QCOMPARE(labels->frame(0).frameIndex(), std::int64_t{3});
            QCOMPARE(labels->frame(1).frameIndex(), std::int64_t{10});
            QCOMPARE(labels->frame(0).instance(0).points[1].y, 4.0);
            QCOMPARE(labels->videos()[0].filename, std::string("mov.mp4"));
        }
    }

    void damagedFilesGetASentenceAndNeverACrash() {
        const QTemporaryDir dir;
        const Labels labels = madeProject();
        const std::vector<std::pair<ExportFormat, std::string>> kinds = {{ExportFormat::Analysis, "o.analysis.h5"},
                                                                         {ExportFormat::Csv, "o.csv"},
                                                                         {ExportFormat::CsvTidy, "t.csv"},
                                                                         {ExportFormat::Coco, "o.json"},
                                                                         {ExportFormat::Dlc, "d.csv"},
                                                                         {ExportFormat::Nwb, "o.nwb"}};
        for (const auto& [format, name] : kinds) {
            QVERIFY(exportLabels(labels, format, in(dir, name)));
            const std::string whole = test::textOf(in(dir, name));
            std::mt19937 random(5);
            for (int round = 0; round < 60; ++round) {
                std::string bad = whole;
                if (round < 20)
                    bad.resize(bad.size() * std::size_t(round) / 20);
                else
                    for (int i = 0; i < 6; ++i)
                        bad[random() % bad.size()] = char(random());
                std::ofstream(in(dir, "bad"), std::ios::binary) << bad;
                const auto read = importLabels(in(dir, "bad"));
                if (!read)
                    QVERIFY(!read.error().message().empty());
            }
        }
        for (const char* text :
             {"", "hello", "{", "{\"images\":[],\"annotations\":[],\"categories\":[]}", "frame_idx,node,x,y\nx,a,1,2\n",
              "frame_idx,a.x,a.y\n1,2,\"3", "scorer,a\n", "frame_idx,a.x\n1,2\n", "frame_idx,a.x,a.y\n1e300,1,2\n",
              "scorer,s,s\nbodyparts,a,a\ncoords,x,y\nimg.png,1,2\n"}) {
            std::ofstream(in(dir, "bad"), std::ios::binary) << text;
            const auto read = importLabels(in(dir, "bad"));
            QVERIFY2(!read && !read.error().message().empty(), text);
        }
        QVERIFY(importLabels(in(dir, "nowhere")).error().code() == ErrorCode::NotFound);
    }
};

QTEST_GUILESS_MAIN(TestExports)
#include "tst_exports.moc"
