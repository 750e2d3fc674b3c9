// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/video/damage_map.h"
#include "engine/video/frame_index.h"
#include "engine/video/frame_reader.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/reference.h"
#include "tests/support/worked_time.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json readJson(const fs::path& path) {
    return json::parse(std::ifstream(path));
}

std::vector<std::optional<int>> expandCodes(const json& runs) {
    std::vector<std::optional<int>> codes;
    for (const json& run : runs)
        for (int i = 0; i < run[1].get<int>(); ++i)
            codes.push_back(run[0].is_null() ? std::optional<int>() : run[0].get<int>() + i);
    return codes;
}

}  // namespace

/// Every video of the reference pack against the values that its manifest gives.
class TestVideoPitfalls : public QObject {
    Q_OBJECT

    fs::path m_folder;  ///< empty without the reference pack
    json m_manifest;

    void addRows(const char* kind, const std::function<bool(const json&)>& wanted) {
        QTest::addColumn<QString>("path");
        if (m_folder.empty()) {
            QTest::newRow("no reference pack") << QString();
            return;
        }
        for (const json& file : m_manifest["files"])
            if (file["kind"] == kind && wanted(file["expect"]))
                QTest::newRow(file["path"].get<std::string>().c_str())
                    << QString::fromStdString(file["path"].get<std::string>());
    }

    json expectationOf(const QString& path) const {
        for (const json& file : m_manifest["files"])
            if (file["path"] == path.toStdString())
                return file["expect"];
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        const auto reference = referenceDir();
        if (!reference)
            return;
        m_folder = *reference / "pitfalls";
        m_manifest = readJson(m_folder / "manifest.json");
    }

    void pitfall_P1_to_P16_intactVideoGivesTheManifestsFramesInEveryOrder_data() {
        addRows("video", [](const json& e) { return e["open"] == "ok" && !e.value("damaged", false); });
    }

    void pitfall_P1_to_P16_intactVideoGivesTheManifestsFramesInEveryOrder() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        QFETCH(QString, path);
        const json expected = expectationOf(path);
        const auto index = FrameIndex::build(m_folder / path.toStdString(), {});
        QVERIFY2(index.has_value(), index ? "" : index.error().describe().c_str());
        const FrameNumber count = expected["n_frames"].get<FrameNumber>();
        QCOMPARE((*index)->frameCount(), count);

        const std::vector<std::optional<int>> codes = expandCodes(expected["codes"]);
        const int turn = expected.value("display_rotation_ccw", 0);
        const int width = expected.contains("stored_size") ? expected["stored_size"][0].get<int>() : 0;
        const int height = expected.contains("stored_size") ? expected["stored_size"][1].get<int>() : 0;
        const auto at = [&](int x, int y) {
            if (turn == 90)
                return std::pair<int, int>(y, width - 1 - x);
            if (turn == 180)
                return std::pair<int, int>(width - 1 - x, height - 1 - y);
            return std::pair<int, int>(x, y);
        };
        const std::string wrong = whatIsWrong(*index, codes, at);
        QVERIFY2(wrong.empty(), wrong.c_str());

        auto reader = FrameReader::open(*index, {});
        QVERIFY(reader.has_value());
        if (expected.contains("mean_rgb24"))
            for (const auto& [frame, mean] : expected["mean_rgb24"].items()) {
                const auto image = (*reader)->read(std::stol(frame), PixelFormat::Rgb24);
                QVERIFY(image.has_value());
                const double found = meanOf(**image);
                QVERIFY2(std::abs(found - mean.get<double>()) <= 2.0,
                         (frame + ": mean " + std::to_string(found)).c_str());
            }
        if (expected.contains("display_size")) {
            const auto image = (*reader)->read(0, PixelFormat::Rgb24);
            QCOMPARE((*image)->width, expected["display_size"][0].get<int>());
            QCOMPARE((*image)->height, expected["display_size"][1].get<int>());
        }
        if (expected.contains("sizes")) {
            FrameNumber frame = 0;
            for (const json& run : expected["sizes"])
                for (int i = 0; i < run[2].get<int>(); ++i, ++frame) {
                    const auto image = (*reader)->read(frame, PixelFormat::Rgb24);
                    QCOMPARE((*image)->width, run[0].get<int>());
                    QCOMPARE((*image)->height, run[1].get<int>());
                }
        }
    }

    void pitfall_P2_P4_timesAreTheContainersStamps_data() {
        addRows("video", [](const json& e) { return e["open"] == "ok" && e.contains("pts"); });
    }

    void pitfall_P2_P4_timesAreTheContainersStamps() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        QFETCH(QString, path);
        const json expected = expectationOf(path);
        const auto index = FrameIndex::build(m_folder / path.toStdString(), {});
        QVERIFY(index.has_value());
        const std::string base = expected["time_base"].get<std::string>();
        const double tick = std::stod(base.substr(0, base.find('/'))) / std::stod(base.substr(base.find('/') + 1));
        auto stamps = expected["pts"].get<std::vector<std::int64_t>>();
        // AVI has no presentation stamps; the manifest lists what the decoder copied from the decoding order, which
        // jumps back and forth. A picture's time there is its place in the clock that counts frames.
        if (!std::is_sorted(stamps.begin(), stamps.end()))
            std::iota(stamps.begin(), stamps.end(), 0);
        for (std::size_t k = 0; k < stamps.size(); ++k)
            QCOMPARE((*index)->seconds(static_cast<FrameNumber>(k)), static_cast<double>(stamps[k]) * tick);
        QCOMPARE((*index)->isVariableRate(), path.contains("vfr"));
    }

    void pitfall_P18_unusableFileIsRefusedInOneSentence_data() {
        addRows("video", [](const json& e) { return e["open"] != "ok"; });
    }

    void pitfall_P18_unusableFileIsRefusedInOneSentence() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        QFETCH(QString, path);
        const WorkedTime time;
        const auto source = openVideo(m_folder / path.toStdString());
        QVERIFY(time.ms() < 1000);
        QVERIFY(!source.has_value());
        const QString message = QString::fromStdString(source.error().message());
        QCOMPARE(source.error().code(), ErrorCode::Format);
        QVERIFY2(message.contains(fs::path(path.toStdString()).filename().c_str()), qPrintable(message));
        QVERIFY2(message.endsWith('.') && !message.contains('\n'), qPrintable(message));
        if (path.contains("no_moov"))
            QVERIFY2(message.contains("moov"), qPrintable(message));
        if (path.contains("empty"))
            QVERIFY2(message.contains("0 bytes"), qPrintable(message));
        if (path.contains("text_renamed"))
            QVERIFY2(message.contains("no known video format"), qPrintable(message));
        if (path.contains("zero_frames"))
            QVERIFY2(message.contains("no frames"), qPrintable(message));
    }

    void pitfall_P19_P20_damagedVideoKeepsItsNumbers_data() {
        addRows("video", [](const json& e) { return e["open"] == "ok" && e.value("damaged", false); });
    }

    void pitfall_P19_P20_damagedVideoKeepsItsNumbers() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        QFETCH(QString, path);
        const json expected = expectationOf(path);
        const auto opened = openVideo(m_folder / path.toStdString());
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().describe().c_str());
        const FrameNumber count = (*opened)->frameCount();
        QVERIFY(count >= expected["n_frames_range"][0].get<FrameNumber>());
        QVERIFY(count <= expected["n_frames_range"][1].get<FrameNumber>());
        const auto must = expected["must_show_own_number"].get<std::set<FrameNumber>>();

        // Whether a frame can be read, and its pixels, do not depend on the order of reading either.
        std::map<FrameNumber, std::optional<std::uint32_t>> first;
        for (const auto& [name, frames] : readingOrders(count))
            for (const int threads : {1, 3}) {
                OpenOptions options;
                options.threads = threads;
                const auto source = openVideo(m_folder / path.toStdString(), options);
                for (const FrameNumber frame : frames) {
                    const auto image = (*source)->read(frame, PixelFormat::Rgb24);
                    const std::string where = name + ", frame " + std::to_string(frame);
                    if (!image) {
                        QVERIFY2(must.count(frame) == 0, where.c_str());
                        QCOMPARE(image.error().code(), ErrorCode::Decode);
                        QVERIFY2(image.error().message().find("rame " + std::to_string(frame)) != std::string::npos,
                                 image.error().message().c_str());
                        QCOMPARE((*source)->stateOf(frame), FrameState::Unreadable);
                    } else {
                        QVERIFY2(readBarCode(**image) == static_cast<int>(frame), where.c_str());
                    }
                    const auto crc = image ? std::optional(crc32((*image)->pixels)) : std::nullopt;
                    QVERIFY2(first.emplace(frame, crc).first->second == crc, where.c_str());
                }
                if (name == "forward") {
                    QVERIFY(!(*source)->warnings().empty());
                    const QString warning = QString::fromStdString((*source)->warnings().front());
                    QVERIFY2(warning.contains(" of 40 "), qPrintable(warning));
                }
            }
        for (const FrameNumber frame : must)
            QVERIFY(first[frame].has_value());
    }

    void pitfall_P5_headerWithAWrongCountIsNamed() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        const auto index = FrameIndex::build(m_folder / "video/header_says_1000.avi", {});
        QVERIFY(index.has_value());
        QCOMPARE((*index)->frameCount(), FrameNumber{40});
        QCOMPARE((*index)->announcedFrames(), FrameNumber{1000});
        QCOMPARE((*index)->warnings().size(), std::size_t{1});
        QCOMPARE((*index)->warnings().front(), std::string("40 of 1000 announced frames are readable."));
        QVERIFY(!(*index)->cutEnd());  // a wrong number alone is no loss
    }

    void intactVideosGiveNoWarnings() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        for (const json& file : m_manifest["files"]) {
            const std::string path = file["path"].get<std::string>();
            if (file["kind"] != "video" || file["expect"]["open"] != "ok" || file["expect"].value("damaged", false) ||
                path == "video/header_says_1000.avi")
                continue;
            const auto index = FrameIndex::build(m_folder / path, {});
            QVERIFY(index.has_value());
            QVERIFY2((*index)->warnings().empty(),
                     (path + ": " + ((*index)->warnings().empty() ? "" : (*index)->warnings().front())).c_str());
            QVERIFY2(!(*index)->cutEnd(), path.c_str());
        }
    }

    void pitfall_P15_grayIsDetectedFromTheFirstFrame() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto isGray = [&](const char* path) { return (*openVideo(reference / path))->isGray(); };
        QVERIFY(isGray("media/centered_pair_small.mp4"));
        QVERIFY(!isGray("media/small_robot.mp4"));
        QVERIFY(isGray("pitfalls/video/gray_h264.mp4"));
        QVERIFY(isGray("pitfalls/video/gray_ffv1.mkv"));
        QVERIFY(isGray("pitfalls/video/gray16_ffv1.mkv"));
        QVERIFY(!isGray("pitfalls/video/limited_range.mp4"));
    }

    void pitfall_P13_pixelsEqualThePeersBitByBit_data() {
        QTest::addColumn<int>("row");
        const auto spec = specDir();
        if (!spec || m_folder.empty()) {
            QTest::newRow("no reference pack") << -1;
            return;
        }
        const json cases = readJson(*spec / "models-cases.json")["video_frames"]["cases"];
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow((fs::path(cases[i]["video"].get<std::string>()).filename().string() + ", " +
                           cases[i]["matrix"].get<std::string>())
                              .c_str())
                << static_cast<int>(i);
    }

    void pitfall_P13_pixelsEqualThePeersBitByBit() {
        SKEIN_NEEDS_REFERENCE(reference);
        SKEIN_NEEDS_SPEC(spec);
        QFETCH(int, row);
        const json one = readJson(spec / "models-cases.json")["video_frames"]["cases"][static_cast<std::size_t>(row)];
        const fs::path path = reference / "media" / fs::path(one["video"].get<std::string>()).filename();
        const bool isTagged = one["matrix"].get<std::string>().rfind("tagged", 0) == 0;
        const auto index = FrameIndex::build(path, {});
        QVERIFY(index.has_value());
        for (const bool lumaTable : {true, false}) {
            FrameReader::Options options;
            options.matrix = isTagged ? MatrixPolicy::Tagged : MatrixPolicy::Bt601;
            options.lumaTable = lumaTable;
            const auto reader = FrameReader::open(*index, options);
            QVERIFY(reader.has_value());
            for (const json& frame : one["frames"]) {
                const auto image = (*reader)->read(frame["frame"].get<FrameNumber>(), PixelFormat::Rgb24);
                QVERIFY(image.has_value());
                QCOMPARE((*image)->height, one["hw"][0].get<int>());
                QCOMPARE((*image)->width, one["hw"][1].get<int>());
                QCOMPARE(QString::number(crc32((*image)->pixels), 16).rightJustified(8, '0'),
                         QString::fromStdString(frame["rgb_crc32"].get<std::string>()));
            }
        }
    }

    void pitfall_P13_fixedPatchHasThePeersColour_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::vector<int>>("rgb");
        QTest::newRow("full range") << "full_range.mp4" << std::vector<int>{199, 60, 39};
        QTest::newRow("limited range") << "limited_range.mp4" << std::vector<int>{200, 59, 39};
        QTest::newRow("BT.709") << "bt709_tagged.mp4" << std::vector<int>{199, 58, 39};
        QTest::newRow("monochrome, no range tag") << "gray_h264.mp4" << std::vector<int>{130, 130, 130};
    }

    void pitfall_P13_fixedPatchHasThePeersColour() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        QFETCH(QString, name);
        QFETCH(std::vector<int>, rgb);
        const auto source = openVideo(m_folder / "video" / name.toStdString());
        QVERIFY(source.has_value());
        const auto image = (*source)->read(0, PixelFormat::Rgb24);
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = 0;
            for (int y = (*image)->height - 16; y < (*image)->height - 8; ++y)
                for (int x = (*image)->width - 16; x < (*image)->width - 8; ++x)
                    sum += (*image)->pixels[static_cast<std::size_t>(y) * (*image)->rowBytes() +
                                            static_cast<std::size_t>(x) * 3 + c];
            QVERIFY2(std::abs(sum / 64 - rgb[c]) <= 1.0, std::to_string(sum / 64).c_str());
        }
    }

    void pitfall_P14_sixteenBitGrayKeepsTheHighByte() {
        if (m_folder.empty())
            QSKIP("the reference pack is not beside the repository");
        const json expected = expectationOf("video/gray16_ffv1.mkv");
        const auto source = openVideo(m_folder / "video/gray16_ffv1.mkv");
        QVERIFY(source.has_value());
        QCOMPARE((*source)->channels(), 1);
        for (const auto& [frame, mean] : expected["mean_rgb24"].items()) {
            const auto image = (*source)->read(std::stol(frame), PixelFormat::Gray8);
            QVERIFY(std::abs(meanOf(**image) - mean.get<double>()) < 0.01);
        }
    }
};

QTEST_APPLESS_MAIN(TestVideoPitfalls)
#include "tst_video_pitfalls.moc"
