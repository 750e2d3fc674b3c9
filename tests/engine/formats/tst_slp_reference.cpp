// SPDX-License-Identifier: BSD-3-Clause
// Labels files of the reference pack: what SLEAP and sleap-io wrote in all versions of the format, with what sleap-io
// reads from them, and the project files of the pitfall collection.
#include <QtTest>

#include "engine/formats/json/json.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_diff.h"
#include "engine/formats/slp_dump.h"
#include "tests/engine/formats/slp_test.h"
#include "tests/support/reference.h"
#include "tests/support/worked_time.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::test;
namespace fs = std::filesystem;

namespace {

/// Members of a description that tell about the file or the reader, not about the project.
const std::set<std::string> kFileFacts = {"reader", "file", "size", "format_id", "toplevel"};
/// Hashes of decoded pixels are the matter of the picture tests.
const std::set<std::string> kNotDumped = {"reader", "pixels", "note"};

fs::path expectedOf(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::string base = file.extension() == ".slp" ? name.substr(0, name.size() - 4) : name;
    return file.parent_path() / (base + ".expected.json");
}

std::vector<fs::path> projectFiles(const fs::path& reference) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(reference / "slp"))
        if (fs::exists(expectedOf(entry.path())) && entry.path().extension() != ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::set<std::string> with(std::set<std::string> names, const std::set<std::string>& more) {
    names.insert(more.begin(), more.end());
    return names;
}

}  // namespace

class TestSlpReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatThePeerReads_data() { listFiles(); }
    void readsWhatThePeerReads() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("the reference pack is not beside the repository");
        const fs::path path = file.toStdString();
        const auto dump = dumpJson(path);
        QVERIFY2(dump.has_value(), dump ? "" : dump.error().describe().c_str());
        const auto difference =
            jsonDifference(TestJson::parse(textOf(expectedOf(path))), TestJson::parse(*dump), kNotDumped);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void S_03_savingKeepsEverything_data() { listFiles(); }
    void S_03_savingKeepsEverything() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("the reference pack is not beside the repository");
        const fs::path path = file.toStdString();
        const Folder folder;
        const fs::path saved = folder / "saved.slp";
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        const auto written = writeSlp(*labels, saved);
        QVERIFY2(written.has_value(), written ? "" : written.error().describe().c_str());

        // Images of packages before format 1.4 get their channel order stated, since later readers assume another one.
        const bool old = labels->origin().formatId < 1.4;
        const auto again = dumpJson(saved);
        QVERIFY2(again.has_value(), again ? "" : again.error().describe().c_str());
        const auto difference = jsonDifference(
            TestJson::parse(textOf(expectedOf(path))), TestJson::parse(*again),
            with(with(kNotDumped, kFileFacts), old ? std::set<std::string>{"attrs"} : std::set<std::string>{}));
        QVERIFY2(difference.empty(), difference.c_str());
        QCOMPARE(TestJson::parse(*again)["format_id"].get<double>(), std::max(1.4, savedFormat(*labels)));

        const auto diff = diffSlp(path, saved, {.tolerance = 0, .scoreTolerance = 0});
        QVERIFY(diff.has_value());
        QVERIFY2(diff->equal, diff->text().c_str());
        compareObjects(path, saved, old);

        // A second save, over the file itself, changes nothing any more.
        auto reopened = readSlp(saved);
        QVERIFY(reopened.has_value());
        QVERIFY(writeSlp(*reopened, saved).has_value());
        const auto third = dumpJson(saved);
        QVERIFY(third.has_value());
        const auto change = jsonDifference(TestJson::parse(*again), TestJson::parse(*third), {"size"});
        QVERIFY2(change.empty(), change.c_str());
    }

    void refusesANewerMajorFormat() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto labels = readSlp(reference / "slp" / "gen_format_3.0_refuse.slp");
        QVERIFY(!labels.has_value());
        QCOMPARE(labels.error().code(), ErrorCode::Unsupported);
        QVERIFY(labels.error().message().find("3.0") != std::string::npos);
    }

    void pitfall_P45_oldFormatsAreShifted() {
        SKEIN_NEEDS_REFERENCE(reference);
        LoadReport report;
        const auto labels = readSlp(reference / "pitfalls" / "slp" / "format_1_0.slp", &report);
        QVERIFY(labels.has_value());
        QVERIFY(report.shiftedHalfPixel);
        const auto points = labels->frame(0).instance(0).points;
        QCOMPARE(points[0].x, 19.5);
        QCOMPARE(points[0].y, 29.5);
    }

    void pitfallProjects_data() {
        QTest::addColumn<QString>("entry");
        const auto reference = referenceDir();
        if (!reference) {
            QTest::newRow("no reference pack") << QString();
            return;
        }
        const auto manifest = TestJson::parse(textOf(*reference / "pitfalls" / "manifest.json"));
        for (const auto& entry : manifest["files"])
            if (entry["kind"] == "project")
                QTest::newRow(entry["path"].get<std::string>().c_str()) << QString::fromStdString(entry.dump());
    }
    void pitfallProjects() {
        QFETCH(QString, entry);
        if (entry.isEmpty())
            QSKIP("the reference pack is not beside the repository");
        const auto item = TestJson::parse(entry.toStdString());
        const auto& expect = item["expect"];
        const fs::path path = *referenceDir() / "pitfalls" / item["path"].get<std::string>();
        const auto labels = readSlp(path);
        if (expect["open"] == "fail") {
            QVERIFY(!labels.has_value());
            QVERIFY(labels.error().message().find(path.filename().string()) != std::string::npos);
            return;
        }
        QVERIFY2(labels.has_value(), labels ? "" : labels.error().describe().c_str());
        checkCounts(*labels, expect);
        const Folder folder;
        QVERIFY(writeSlp(*labels, folder / "saved.slp").has_value());
        const auto before = dumpJson(path);
        const auto after = dumpJson(folder / "saved.slp");
        QVERIFY(before && after);
        const auto difference =
            jsonDifference(TestJson::parse(*before), TestJson::parse(*after), with(kFileFacts, {"attrs"}));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void pitfall_P29_tenThousandTracksOpenFast() {
        SKEIN_NEEDS_REFERENCE(reference);
        const test::WorkedTime time;
        const auto labels = readSlp(reference / "pitfalls" / "slp" / "tracks_10000.slp");
        QVERIFY(labels.has_value());
        QVERIFY(time.ms() < 2000);
    }

    void oneEditChangesOnePlace() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_tracks_identities.slp";
        auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        labels->editTracks()[1].name = "renamed";
        project::FrameData frame = labels->frame(0).toData();
        frame.instances[1].points[2].x = 7.25;
        labels->replaceFrame(0, frame);
        const Folder folder;
        QVERIFY(writeSlp(*labels, folder / "edited.slp").has_value());
        auto expected = TestJson::parse(textOf(expectedOf(path)));
        expected["tracks"][1] = "renamed";
        expected["frames"][0]["instances"][1]["points"][2][0] = 7.25;
        const auto edited = dumpJson(folder / "edited.slp");
        QVERIFY(edited.has_value());
        const auto difference = jsonDifference(expected, TestJson::parse(*edited), kFileFacts);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void deletedInstancesTakeTheirLinksWithThem() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_tracks_identities.slp";
        auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        project::FrameData frame = labels->frame(0).toData();
        frame.instances.erase(frame.instances.begin());
        labels->replaceFrame(0, frame);
        const Folder folder;
        QVERIFY(writeSlp(*labels, folder / "edited.slp").has_value());
        auto expected = TestJson::parse(textOf(expectedOf(path)));
        expected["frames"][0]["instances"].erase(0);
        expected.erase("counts");
        const auto edited = dumpJson(folder / "edited.slp");
        QVERIFY(edited.has_value());
        const auto difference = jsonDifference(expected, TestJson::parse(*edited), with(kFileFacts, {"counts"}));
        QVERIFY2(difference.empty(), difference.c_str());
        const h5::Session session;
        const auto file = h5::openFile(folder / "edited.slp");
        QVERIFY(file.has_value());
        QCOMPARE(h5::openDataset(file->get(), "identity/links")->rows(), hsize_t{2});
        QCOMPARE(h5::openDataset(file->get(), "embeddings/vectors")->rows(), hsize_t{0});
        QCOMPARE(h5::openDataset(file->get(), "embeddings/owner_id")->rows(), hsize_t{0});
    }

    void sessionsFollowMovedInstances() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_sessions.slp";
        auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        // A new frame goes before all others, and the first frame's instances change places.
        project::Labels moved = *labels;
        std::vector<project::FrameData> frames;
        for (std::size_t row = 0; row < labels->frameCount(); ++row)
            frames.push_back(labels->frame(row).toData());
        const std::vector<std::size_t> all = {0, 1};
        moved.removeFrames(all);
        moved.appendFrame({0, 0, {}, -1});
        std::swap(frames[0].instances[0], frames[0].instances[1]);
        for (const auto& frame : frames)
            moved.appendFrame(frame);
        const Folder folder;
        QVERIFY(writeSlp(moved, folder / "moved.slp").has_value());
        auto dump = dumpJson(folder / "moved.slp");
        QVERIFY(dump.has_value());
        auto members = TestJson::parse(*dump)["sessions"][0]["frame_groups"][0]["instance_groups"][0]["members"];
        QCOMPARE(members.dump(), std::string("[[0,[1,1]],[1,[2,0]]]"));

        // A deleted member leaves its group.
        frames[0].instances.erase(frames[0].instances.begin() + 1);
        moved.replaceFrame(1, frames[0]);
        SaveReport report;
        QVERIFY(writeSlp(moved, folder / "fewer.slp", {}, &report).has_value());
        QCOMPARE(report.warnings.size(), std::size_t{1});
        dump = dumpJson(folder / "fewer.slp");
        QVERIFY(dump.has_value());
        members = TestJson::parse(*dump)["sessions"][0]["frame_groups"][0]["instance_groups"][0]["members"];
        QCOMPARE(members.dump(), std::string("[[1,[2,0]]]"));
    }

    void annotationsFollowTheirVideo() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_annotations.slp";
        auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        const auto before = dumpJson(path);
        QVERIFY(before.has_value());
        // Another video in front: everything moves to index 1.
        auto& videos = labels->editVideos();
        project::Video other;
        other.filename = "other.mp4";
        videos.insert(videos.begin(), other);
        const std::size_t frameCount = labels->frameCount();
        for (std::size_t row = 0; row < frameCount; ++row) {
            auto frame = labels->frame(row).toData();
            frame.video = 1;
            labels->replaceFrame(row, frame);
        }
        const Folder folder;
        QVERIFY(writeSlp(*labels, folder / "moved.slp").has_value());
        const auto after = dumpJson(folder / "moved.slp");
        QVERIFY(after.has_value());
        auto expected = TestJson::parse(*before);
        for (auto& frame : expected["frames"])
            frame["video"] = 1;
        const auto difference =
            jsonDifference(expected, TestJson::parse(*after), with(kFileFacts, {"videos", "counts"}));
        QVERIFY2(difference.empty(), difference.c_str());

        // Without its video, every annotation goes, and what referred to them too.
        auto emptied = *labels;
        std::vector<std::size_t> all(frameCount);
        std::iota(all.begin(), all.end(), std::size_t{0});
        emptied.removeFrames(all);
        emptied.editVideos().erase(emptied.videos().begin() + 1);
        QVERIFY(writeSlp(emptied, folder / "emptied.slp").has_value());
        const h5::Session session;
        const auto file = h5::openFile(folder / "emptied.slp");
        QVERIFY(file.has_value());
        for (const char* table : {"bboxes/x1", "centroids/x", "masks", "mask_names", "rois", "roi_names",
                                  "label_images", "label_image_sources", "categories/links"})
            QCOMPARE(h5::openDataset(file->get(), table)->rows(), hsize_t{0});
        const auto reread = readSlp(folder / "emptied.slp");
        QVERIFY(reread.has_value());
    }

private:
    static void listFiles() {
        QTest::addColumn<QString>("file");
        const auto reference = referenceDir();
        if (!reference) {
            QTest::newRow("no reference pack") << QString();
            return;
        }
        for (const fs::path& path : projectFiles(*reference))
            QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
    }

    /// Format that must survive: that of a file with contents beyond the model.
    static double savedFormat(const project::Labels& labels) {
        return labels.origin().formatId > 1.4 ? labels.origin().formatId : 1.4;
    }

    static void compareObjects(const fs::path& before, const fs::path& after, bool channelOrderMayBeAdded) {
        const std::set<std::string> modelled = {"metadata",  "videos_json", "tracks_json", "suggestions_json", "frames",
                                                "instances", "points",      "pred_points", "provenance_json"};
        const h5::Session session;
        const auto a = h5::openFile(before);
        const auto b = h5::openFile(after);
        QVERIFY(a && b);
        for (const std::string& name : h5::linkNames(a->get())) {
            if (modelled.contains(name))
                continue;
            const auto difference = objectDifference(
                a->get(), b->get(), name,
                channelOrderMayBeAdded ? std::set<std::string>{"channel_order"} : std::set<std::string>{});
            QVERIFY2(difference.empty(), difference.c_str());
        }
        for (const std::string& attribute : h5::attributeNames(a->get()))
            QCOMPARE(h5::textAttribute(a->get(), attribute), h5::textAttribute(b->get(), attribute));
        const h5::Id metadataA(H5Oopen(a->get(), "metadata", H5P_DEFAULT));
        const h5::Id metadataB(H5Oopen(b->get(), "metadata", H5P_DEFAULT));
        for (const std::string& attribute : h5::attributeNames(metadataA.get()))
            if (attribute != "json" && attribute != "format_id")
                QCOMPARE(h5::numberAttribute(metadataA.get(), attribute),
                         h5::numberAttribute(metadataB.get(), attribute));
        const auto textA = h5::textAttribute(metadataA.get(), "json");
        const auto textB = h5::textAttribute(metadataB.get(), "json");
        QVERIFY(textA && textB);
        const auto difference =
            jsonDifference(TestJson::parse(*textA), TestJson::parse(*textB), {"provenance", "videos", "tracks"});
        QVERIFY2(difference.empty(), difference.c_str());
        const auto rowsA = h5::readStrings(a->get(), "videos_json");
        const auto rowsB = h5::readStrings(b->get(), "videos_json");
        QVERIFY(rowsA && rowsB);
        QCOMPARE(*rowsB, *rowsA);
    }

    static void checkCounts(const project::Labels& labels, const TestJson& expect) {
        const auto count = [&](const char* key, std::size_t value) {
            if (expect.contains(key))
                QCOMPARE(value, expect[key].get<std::size_t>());
        };
        count("n_labeled_frames", labels.frameCount());
        count("n_user_instances", labels.instanceCount() - labels.predictedInstanceCount());
        count("n_predicted_instances", labels.predictedInstanceCount());
        count("n_tracks", labels.tracks().size());
        count("n_videos", labels.videos().size());
        count("n_nodes", labels.skeletons().empty() ? 0 : labels.skeletons()[0].nodes.size());
        count("n_edges", labels.skeletons().empty() ? 0 : labels.skeletons()[0].edges.size());
        std::vector<std::int64_t> visited;
        for (auto row = labels.nextFrame(0, 0); row;) {
            const std::int64_t frame = labels.frame(*row).frameIndex();
            visited.push_back(frame);
            row = labels.nextFrame(0, frame + 1);
        }
        if (expect.contains("frame_indices_sorted")) {
            auto sorted = expect["frame_indices_sorted"].get<std::vector<std::int64_t>>();
            sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
            QCOMPARE(visited, sorted);
            QCOMPARE(labels.rowsOf(0).size(), expect["frame_indices_sorted"].size());
        }
        if (expect.contains("points"))
            for (std::size_t i = 0; i < expect["points"].size(); ++i) {
                QCOMPARE(labels.frame(0).instance(0).points[i].x, expect["points"][i][0].get<double>());
                QCOMPARE(labels.frame(0).instance(0).points[i].y, expect["points"][i][1].get<double>());
            }
        if (expect.contains("n_visible")) {
            const auto points = labels.frame(0).instance(0).points;
            QCOMPARE(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.exists(); }),
                     expect["n_visible"].get<std::ptrdiff_t>());
        }
        if (expect.contains("track_names"))
            for (std::size_t i = 0; i < labels.tracks().size(); ++i)
                QCOMPARE(labels.tracks()[i].name, expect["track_names"][i].get<std::string>());
        if (expect.contains("canvas")) {
            QCOMPARE(labels.videos()[0].width, expect["canvas"][0].get<int>());
            QCOMPARE(labels.videos()[0].height, expect["canvas"][1].get<int>());
        }
    }
};

QTEST_APPLESS_MAIN(TestSlpReference)
#include "tst_slp_reference.moc"
