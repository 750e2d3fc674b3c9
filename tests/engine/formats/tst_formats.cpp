// SPDX-License-Identifier: BSD-3-Clause
// JSON as Python writes it, stored paths, hashes, comparison of projects.
#include <QtTest>
#include <limits>

#include "engine/formats/json/json.h"
#include "engine/formats/sha256.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/slp/wkb.h"
#include "engine/formats/slp_diff.h"
#include "engine/formats/video_path.h"
#include "tests/engine/formats/made_project.h"
#include "tests/engine/formats/slp_test.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::test;
using project::InstanceKind;
using project::Labels;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
}

std::string hashOf(const std::string& text) {
    return sha256(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace

class TestFormats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void jsonReadsWhatPythonWrites() {
        const auto value =
            parseJson(R"({"a":NaN,"b":[Infinity,-Infinity,1e-05],"c":"NaN Infinity","d":"\u00e9\ud83d\ude00"})", "x");
        QVERIFY(value.has_value());
        QVERIFY(std::isnan((*value)["a"].get<double>()));
        QCOMPARE((*value)["b"][0].get<double>(), std::numeric_limits<double>::infinity());
        QCOMPARE((*value)["b"][1].get<double>(), -std::numeric_limits<double>::infinity());
        QCOMPARE((*value)["c"].get<std::string>(), std::string("NaN Infinity"));
        QCOMPARE((*value)["d"].get<std::string>(), std::string("é😀"));
        QCOMPARE(
            writeJson(*value),
            std::string(R"({"a":NaN,"b":[Infinity,-Infinity,1e-05],"c":"NaN Infinity","d":"\u00e9\ud83d\ude00"})"));
    }

    void strictTextsHaveNoNonFiniteNumbers() {
        QCOMPARE(strictText(R"({"a":[NaN,-Infinity,1.5],"b":"NaN"})"),
                 std::string(R"({"a":[null,null,1.5],"b":"NaN"})"));
        // Untouched where there is nothing to change, spaces included.
        QCOMPARE(strictText(R"({ "b": "NaN" })"), std::string(R"({ "b": "NaN" })"));
    }

    void jsonKeepsNumbersAndOrder() {
        const std::string text =
            R"({"z":1,"a":1.0,"m":-9223372036854775808,"u":18446744073709551615,"f":0.1,"t":true,"n":null})";
        const auto value = parseJson(text, "x");
        QVERIFY(value.has_value());
        QCOMPARE(writeJson(*value), text);
    }

    void jsonAcceptsRawAndBrokenUtf8() {
        QCOMPARE(parseJson("\"é\"", "x")->get<std::string>(), std::string("é"));
        QCOMPARE(parseJson("\"a\xFFz\"", "x")->get<std::string>(), std::string("a\xEF\xBF\xBDz"));
        QCOMPARE(parseJson("\"a\nb\"", "x")->get<std::string>(), std::string("a\nb"));
    }

    void jsonRefusesWithPlaceAndName() {
        for (const char* text : {"", "{", "[1,]", "nan", "{\"a\":}", "\"\\u12\"", "1 2"}) {
            const auto value = parseJson(text, "The list");
            QVERIFY(!value.has_value());
            QCOMPARE(value.error().code(), ErrorCode::Format);
            QVERIFY(value.error().message().rfind("The list is not valid JSON", 0) == 0);
        }
        QVERIFY(!parseJson(std::string(1000000, '['), "The list").has_value());
    }

    void sha256AgreesWithTheStandard() {
        QCOMPARE(hashOf(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(hashOf("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(hashOf(std::string(1000000, 'a')),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    void shapesAsText() {
        const auto text = [](const char* hex) {
            const QByteArray bytes = QByteArray::fromHex(hex);
            auto result = slp::wkbToText(
                std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::size_t>(bytes.size())));
            return result ? *result : result.error().message();
        };
        QCOMPARE(text("0101000000000000000000F03F0000000000000040"), std::string("POINT (1 2)"));
        QCOMPARE(text("00000000013FF00000000000004000000000000000"), std::string("POINT (1 2)"));
        QCOMPARE(text("010200000002000000000000000000E03F000000000000000000000000000008400000000000001040"),
                 std::string("LINESTRING (0.5 0, 3 4)"));
        QCOMPARE(text("010400000001000000"
                      "0101000000000000000000F03F0000000000000040"),
                 std::string("MULTIPOINT ((1 2))"));
        QVERIFY(text("0103000000FFFFFFFF").find("cut short") != std::string::npos);
        QVERIFY(text("01").find("cut short") != std::string::npos);
        QVERIFY(text("0163000000").find("unknown kind") != std::string::npos);
    }

    void baseNamesSplitAtBothSlashes() {
        QCOMPARE(storedBaseName("a/b/c.mp4"), std::string("c.mp4"));
        QCOMPARE(storedBaseName("C:\\Users\\Lab User\\c d.mp4"), std::string("c d.mp4"));
        QCOMPARE(storedBaseName("\\\\server\\share\\x.avi"), std::string("x.avi"));
        QCOMPARE(storedBaseName("a\\b/c"), std::string("c"));
        QCOMPARE(storedBaseName("plain"), std::string("plain"));
        QCOMPARE(storedBaseName(""), std::string());
    }

    void pitfall_P22_searchOrder() {
        const Folder folder;
        const fs::path project = folder / "project";
        touch(project / "here.mp4");
        touch(folder / "video/x.mp4");
        touch(folder / "moved/session 1/deep.mp4");
        touch(folder / "moved/deep.mp4");
        touch(folder / "moved/only name.mp4");
        VideoSearch search;
        search.projectFolder = project;
        const auto found = [&](const std::string& stored) {
            const auto path = resolveVideoPath(stored, search);
            return path ? fs::relative(*path, folder.path()).generic_string() : std::string("none");
        };
        QCOMPARE(found((folder / "video/x.mp4").string()), std::string("video/x.mp4"));
        QCOMPARE(found("../video/x.mp4"), std::string("video/x.mp4"));
        QCOMPARE(found("..\\video\\x.mp4"), std::string("video/x.mp4"));
        QCOMPARE(found("/lost/here.mp4"), std::string("project/here.mp4"));
        QCOMPARE(found("C:\\Data\\here.mp4"), std::string("project/here.mp4"));
        QCOMPARE(found("\\\\server\\share\\here.mp4"), std::string("project/here.mp4"));
        QCOMPARE(found("D:\\old\\session 1\\deep.mp4"), std::string("none"));
        search.extraFolders = {folder / "moved"};
        QCOMPARE(found("D:\\old\\session 1\\deep.mp4"), std::string("moved/session 1/deep.mp4"));
        QCOMPARE(found("D:\\old\\only name.mp4"), std::string("moved/only name.mp4"));
        QCOMPARE(found("https://example.org/none.mp4"), std::string("none"));
        QCOMPARE(found(""), std::string("none"));
    }

    void videoIdsMeanRowsOrGroups() {
        const std::vector<std::string> sparse = {"video0/video", "video5/video", ""};
        // All videos used, counted without gaps: plain rows, whatever the groups are called.
        QCOMPARE(slp::VideoIds({0, 1, 2}, sparse).index(1), std::uint32_t{1});
        QCOMPARE(slp::VideoIds({0, 5}, sparse).index(5), std::uint32_t{1});
        QCOMPARE(slp::VideoIds({0, 5, 2}, sparse).index(2), std::uint32_t{2});
        QCOMPARE(slp::VideoIds({0, 9}, sparse).index(9), std::uint32_t{9});
        QCOMPARE(slp::embeddedNumber("video12/video"), std::optional<std::uint32_t>(12));
        QCOMPARE(slp::embeddedNumber("/video12/video"), std::optional<std::uint32_t>(12));
        for (const char* other :
             {"video/video", "videox/video", "video1", "box", "video-1/video", "video99999999999/video"})
            QVERIFY(!slp::embeddedNumber(other));
    }

    void plannedVideoIdsReadBack() {
        // Every way of using three videos whose groups are numbered in several ways.
        const std::vector<std::vector<int>> numberings = {{0, 1, 2}, {0, 5, 9},  {1, 0, 2},
                                                          {2, 0, 1}, {5, -1, 1}, {-1, 0, 1}};
        for (const auto& numbers : numberings)
            for (unsigned mask = 1; mask < 8; ++mask) {
                std::vector<project::Video> videos(3);
                std::vector<bool> embedded;
                for (std::size_t i = 0; i < 3; ++i) {
                    if (numbers[i] >= 0)
                        videos[i].dataset = "video" + std::to_string(numbers[i]) + "/video";
                    embedded.push_back(numbers[i] >= 0);
                }
                std::set<std::uint32_t> used;
                for (std::uint32_t i = 0; i < 3; ++i)
                    if ((mask & (1U << i)) != 0)
                        used.insert(i);
                const auto plan = slp::planVideoIds(used, videos, embedded);
                std::set<std::uint32_t> stored;
                for (const std::uint32_t video : used)
                    stored.insert(plan.ids[video]);
                const slp::VideoIds reader(stored, plan.datasets);
                for (const std::uint32_t video : used)
                    QCOMPARE(reader.index(plan.ids[video]), video);
            }
    }

    void newVideosAreDescribedAsThePeerDoes() {
        project::Video video;
        video.filename = "media/centered_pair_small.mp4";
        video.frameCount = 1100;
        video.height = video.width = 384;
        video.channels = 1;
        video.grayscale = true;
        video.fps = 15;
        QCOMPARE(writeJson(slp::rowFromVideo(video)),
                 std::string(R"({"filename":"media/centered_pair_small.mp4","backend":{"type":"MediaVideo",)"
                             R"("shape":[1100,384,384,1],"filename":"media/centered_pair_small.mp4","grayscale":true,)"
                             R"("bgr":true,"dataset":"","input_format":"","fps":15.0}})"));
        const project::Video again = slp::videoFromRow(slp::rowFromVideo(video));
        QCOMPARE(again.filename, video.filename);
        QCOMPARE(again.frameCount, video.frameCount);
        QCOMPARE(again.grayscale, video.grayscale);
    }

    void equalProjectsAreTheSame() {
        const Labels a = madeProject();
        const DiffReport report = diffLabels(a, a);
        QVERIFY2(report.equal, report.text().c_str());
        QCOMPARE(report.matchedInstances, std::size_t{4});
        QCOMPARE(report.maxDistance, 0.0);
        QVERIFY(report.text().find("same") != std::string::npos);
    }

    void eachKindOfDifferenceIsFound_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"points", "visibility", "flags", "scores", "tracks", "frames", "instances", "links",
                                 "negative", "suggestions", "skeletons", "videos"})
            QTest::newRow(kind) << kind;
    }
    void eachKindOfDifferenceIsFound() {
        QFETCH(QString, kind);
        const Labels a = madeProject();
        Labels b = a;
        auto frame = b.frame(0).toData();
        const std::string name = kind.toStdString();
        if (name == "points")
            frame.instances[0].points[0].x += 0.5;
        if (name == "visibility")
            frame.instances[0].points[0].x = project::kNaN;
        if (name == "flags")
            frame.instances[1].points[0].complete = false;
        if (name == "scores")
            frame.instances[0].header.score += 0.1F;
        if (name == "tracks")
            frame.instances[0].header.track = -1;
        if (name == "instances")
            frame.instances.push_back(instanceOf(InstanceKind::Predicted, 0, 4, 30));
        if (name == "links")
            frame.instances[1].header.fromPredicted = 0;
        b.replaceFrame(0, frame);
        if (name == "frames")
            b.appendFrame({0, 99, {instanceOf(InstanceKind::Predicted, 0, 4, 1)}, -1});
        if (name == "negative")
            b.editNegativeFrames() = {{0, 2}};
        if (name == "suggestions")
            b.editSuggestions()[0].frameIndex = 5;
        if (name == "skeletons")
            std::swap(b.editSkeletons()[0].edges[0], b.editSkeletons()[0].edges[1]);
        if (name == "videos")
            b.editVideos()[2].filename = "y.avi";
        const DiffReport report = diffLabels(a, b);
        QVERIFY(!report.equal);
        QVERIFY2(report.kinds.contains(name), report.text().c_str());
        QCOMPARE(report.kinds.size(), std::size_t{1});
        QVERIFY(report.text().find("different") != std::string::npos);
        // The other way round finds it as well.
        QVERIFY(!diffLabels(b, a).equal);
    }

    void framesWithoutInstancesAreCountedAndThoseOfAnUnfinishedRunMissed() {
        const Labels a = madeProject();
        Labels b = a;
        for (int i = 0; i < 3; ++i)
            b.appendFrame({0, 200 + i, {}, -1});
        for (const bool turned : {false, true}) {
            const DiffReport report = turned ? diffLabels(b, a) : diffLabels(a, b);
            QVERIFY(report.equal);
            QCOMPARE(turned ? report.emptyOnlyInA : report.emptyOnlyInB, std::size_t{3});
            QVERIFY2(report.text().ends_with("\nsame but for frames without instances\n"), report.text().c_str());
        }
        Labels part = a;
        part.setProvenanceJson(R"({"run_state": "partial"})");
        const DiffReport report = diffLabels(b, part);
        QVERIFY(!report.equal && report.kinds.contains("unfinished"));
        QVERIFY2(report.text().find("the run of the second file was stopped before its end") != std::string::npos,
                 report.text().c_str());
        QVERIFY(diffLabels(part, part).equal);
    }

    void toleranceAndRenamedTracks() {
        const Labels a = madeProject();
        Labels b = a;
        auto frame = b.frame(0).toData();
        frame.instances[0].points[0].x += 0.001;
        // Order within the frame and numbers of tracks are free.
        std::swap(frame.instances[0], frame.instances[1]);
        frame.instances[0].header.track = 1;
        frame.instances[1].header.track = 0;
        b.replaceFrame(0, frame);
        QVERIFY(!diffLabels(a, b).equal);
        const DiffReport report = diffLabels(a, b, {.tolerance = 0.01});
        QVERIFY2(report.equal, report.text().c_str());
        QCOMPARE(report.trackAgreement, 1.0);
        QVERIFY(std::abs(report.maxDistance - 0.001) < 1e-9);
    }

    void swappedIdentitiesAreNotARenaming() {
        Labels a;
        a.editSkeletons() = {skeletonOf("s", {"a", "b"})};
        project::Video video;
        video.filename = "v.mp4";
        a.editVideos() = {video};
        a.editTracks() = {{"x", 0, -1}, {"y", 0, -1}};
        for (int i = 0; i < 10; ++i)
            a.appendFrame(
                {0,
                 i,
                 {instanceOf(InstanceKind::Predicted, 0, 2, 1, 0), instanceOf(InstanceKind::Predicted, 0, 2, 40, 1)},
                 -1});
        Labels b = a;
        for (std::size_t i = 7; i < 10; ++i) {
            auto frame = b.frame(i).toData();
            frame.instances[0].header.track = 1;
            frame.instances[1].header.track = 0;
            b.replaceFrame(i, frame);
        }
        const DiffReport report = diffLabels(a, b);
        QVERIFY(!report.equal);
        QCOMPARE(report.trackAgreement, 0.7);
        QCOMPARE(report.kinds.size(), std::size_t{1});
    }

    void listsOfDifferencesAreLimited() {
        const Labels a = madeProject();
        Labels b = a;
        for (int i = 0; i < 100; ++i)
            b.appendFrame({0, 200 + i, {instanceOf(InstanceKind::Predicted, 0, 4, 1)}, -1});
        const DiffReport report = diffLabels(a, b, {.maxLines = 5});
        QCOMPARE(report.lines.size(), std::size_t{5});
        QCOMPARE(report.kinds.at("frames"), std::size_t{100});
        QVERIFY(report.text().find("95 more") != std::string::npos);
    }

    void unreadableFilesAreErrors() {
        const Folder folder;
        QVERIFY(!diffSlp(folder / "a.slp", folder / "b.slp").has_value());
    }
};

QTEST_APPLESS_MAIN(TestFormats)
#include "tst_formats.moc"
