// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "engine/video/frame_index.h"
#include "engine/video/frame_reader.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/video_maker.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
namespace fs = std::filesystem;

namespace {

struct Case {
    const char* name;
    const char* file;
    VideoSpec spec;
    int firstCode = 0;
    int count = 40;
};

std::vector<std::int64_t> irregularStamps(int frames) {
    std::vector<std::int64_t> stamps;
    std::int64_t t = 0;
    for (int i = 0; i < frames; ++i) {
        stamps.push_back(t);
        t += i == 20 ? 500 : 20 + (i * 7) % 30;
    }
    return stamps;
}

// All the ways in which a file can make a frame number ambiguous, as far as encoders can be talked into them.
std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&all](const char* name, const char* file, const std::function<void(VideoSpec&)>& change,
                            int firstCode = 0, int count = 40) {
        Case one{name, file, {}, firstCode, count};
        one.spec.encoderOptions = "preset=veryfast:sc_threshold=0";
        change(one.spec);
        all.push_back(std::move(one));
    };
    add("pitfall_P1 B-frames", "a.mp4", [](VideoSpec&) {});
    add("pitfall_P1 B-pyramid", "a.mkv", [](VideoSpec& s) {
        s.bFrames = 5;
        s.encoderOptions += ":b-pyramid=2:b_strategy=0";
    });
    add("pitfall_P1 AVI without stamps", "a.avi", [](VideoSpec& s) { s.withoutStamps = true; });
    add("pitfall_P1 MPEG-4 in AVI", "b.avi", [](VideoSpec& s) {
        s.encoder = "mpeg4";
        s.encoderOptions = "b_strategy=0";
        s.withoutStamps = true;
    });
    add("pitfall_P1 AVI without B-frames", "c.avi", [](VideoSpec& s) { s.bFrames = 0; });
    add("pitfall_P1 bare H.264 stream", "a.h264", [](VideoSpec&) {});
    add("pitfall_P73 MPEG-2 program stream", "a.mpg", [](VideoSpec& s) {
        s.encoder = "mpeg2video";
        s.encoderOptions = "b_strategy=0:sc_threshold=1000000000";
        s.ticksPerSecond = 25;
    });
    add("pitfall_P73 transport stream", "a.ts", [](VideoSpec&) {});
    add("pitfall_P73 WebM, VP9", "a.webm", [](VideoSpec& s) {
        s.encoder = "libvpx-vp9";
        s.encoderOptions = "deadline=realtime:cpu-used=8:lag-in-frames=12:auto-alt-ref=1";
    });
    add("pitfall_P73 WebM, VP8 with pictures never shown", "b.webm", [](VideoSpec& s) {
        s.encoder = "libvpx";
        s.encoderOptions = "deadline=good:cpu-used=4:lag-in-frames=16:auto-alt-ref=1";
    });
    add("pitfall_P73 upper-case, foreign name", "a video #50%: é.MP4.bak", [](VideoSpec& s) { s.container = "mp4"; });
    add("pitfall_P2 variable rate", "vfr.mp4", [](VideoSpec& s) {
        s.ticksPerSecond = 1000;
        s.stamps = irregularStamps(s.frames);
    });
    add("pitfall_P2 several pictures on one stamp", "ties.mkv", [](VideoSpec& s) { s.ticksPerSecond = 3000; });
    add("pitfall_P2 several pictures on one stamp, no B-frames", "ties2.mkv", [](VideoSpec& s) {
        s.ticksPerSecond = 3000;
        s.bFrames = 0;
    });
    add(
        "pitfall_P3 edit list hides the start", "edit.mp4", [](VideoSpec& s) { s.shift = -15; }, 15, 25);
    add("pitfall_P4 start at 2 s", "late.mp4", [](VideoSpec& s) { s.shift = 60; });
    add("pitfall_P4 33-bit clock that wraps", "wrap.ts", [](VideoSpec& s) {
        s.ticksPerSecond = 90000;
        for (int i = 0; i < s.frames; ++i)
            s.stamps.push_back(static_cast<std::int64_t>(i) * 3000);
        s.shift = (std::int64_t{1} << 33) - 70000;
        s.muxerOptions = "mpegts_copyts=1";
    });
    add("pitfall_P5 fragmented", "frag.mp4",
        [](VideoSpec& s) { s.muxerOptions = "movflags=frag_keyframe+empty_moov+default_base_moof"; });
    add(
        "pitfall_P5 one frame", "one.mp4", [](VideoSpec& s) { s.frames = 1; }, 0, 1);
    add(
        "pitfall_P7 intra refresh", "refresh.mp4",
        [](VideoSpec& s) {
            s.gop = 10;
            s.bFrames = 0;
            s.encoderOptions = "preset=veryfast:intra-refresh=1";
            s.frames = 60;
        },
        0, 60);
    add("pitfall_P7 open groups, H.264", "open.mkv",
        [](VideoSpec& s) { s.encoderOptions += ":x264-params=open-gop=1"; });
    add("pitfall_P7 open groups, HEVC", "open.mp4", [](VideoSpec& s) {
        s.encoder = "libx265";
        s.encoderOptions =
            "preset=ultrafast:x265-params=open-gop=1\\:log-level=none\\:pools=none\\:bframes=3\\:keyint=10\\:min-"
            "keyint=10\\:scenecut=0";
    });
    add("pitfall_P7 open groups, MPEG-2", "open.ts", [](VideoSpec& s) {
        s.encoder = "mpeg2video";
        s.encoderOptions = "b_strategy=0:sc_threshold=1000000000";
        s.ticksPerSecond = 25;
        s.bFrames = 2;
    });
    add("pitfall_P12 odd size", "odd.mkv", [](VideoSpec& s) {
        s.encoder = "ffv1";
        s.encoderOptions.clear();
        s.width = 161;
        s.height = 97;
    });
    add("intra only", "a.nut", [](VideoSpec& s) {
        s.encoder = "mjpeg";
        s.encoderOptions.clear();
        s.pixelFormat = "yuvj420p";
        s.hasFullRange = true;
    });
    return all;
}

}  // namespace

class TestFrameReader : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

    // A file of 40 frames, groups of 12, two B-frames.
    fs::path plainVideo() const {
        const fs::path path = folder() / "plain.mp4";
        if (!fs::exists(path)) {
            VideoSpec spec;
            spec.encoderOptions = "preset=veryfast:sc_threshold=0";
            if (!makeVideo(path, spec))
                return {};
        }
        return path;
    }

private Q_SLOTS:
    void N_05_everyOrderGivesEveryFrame_data() {
        QTest::addColumn<int>("row");
        const std::vector<Case> all = cases();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << static_cast<int>(i);
    }

    void N_05_everyOrderGivesEveryFrame() {
        QFETCH(int, row);
        const Case one = cases()[static_cast<std::size_t>(row)];
        const fs::path path = folder() / one.file;
        if (!makeVideo(path, one.spec))
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        QVERIFY2(index.has_value(), index ? "" : index.error().describe().c_str());
        const std::string wrong = whatIsWrong(*index, codesFrom(one.firstCode, one.count),
                                              std::string(one.name).find("open groups") != std::string::npos);
        QVERIFY2(wrong.empty(), wrong.c_str());
        for (FrameNumber k = 1; k < (*index)->frameCount(); ++k)
            QVERIFY((*index)->ptsInTimeBase(k) >= (*index)->ptsInTimeBase(k - 1));
        QVERIFY2((*index)->warnings().empty(), (*index)->warnings().empty() ? "" : (*index)->warnings()[0].c_str());
    }

    void decodesWholeFilesOnlyWhereStampsDoNotTell() {
        const auto neededDecoding = [&](const char* file, const std::function<void(VideoSpec&)>& change) {
            VideoSpec spec;
            spec.encoderOptions = "preset=veryfast";
            change(spec);
            const fs::path path = folder() / file;
            if (!makeVideo(path, spec))
                throw std::runtime_error("encoder missing");
            return (*FrameIndex::build(path, {}))->neededDecoding();
        };
        try {
            QVERIFY(!neededDecoding("n1.mp4", [](VideoSpec&) {}));
            QVERIFY(!neededDecoding("n2.avi", [](VideoSpec& s) { s.bFrames = 0; }));
            QVERIFY(neededDecoding("n3.avi", [](VideoSpec& s) { s.withoutStamps = true; }));
            QVERIFY(neededDecoding("n4.mkv", [](VideoSpec& s) { s.ticksPerSecond = 3000; }));
        } catch (const std::runtime_error&) {
            QSKIP("the encoder is missing on this machine");
        }
    }

    void pitfall_P2_timesAndRate() {
        VideoSpec spec;
        spec.ticksPerSecond = 1000;
        spec.stamps = irregularStamps(spec.frames);
        const fs::path path = folder() / "times.mkv";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        QVERIFY((*index)->isVariableRate());
        for (int k = 0; k < spec.frames; ++k)
            QCOMPARE((*index)->seconds(k), static_cast<double>(spec.stamps[static_cast<std::size_t>(k)]) / 1000);
        const auto regular = FrameIndex::build(plainVideo(), {});
        QVERIFY(!(*regular)->isVariableRate());
        QCOMPARE((*regular)->fps(), 30.0);
        QCOMPARE((*regular)->keyFrames(), (std::vector<FrameNumber>{0, 12, 24, 36}));
        QVERIFY((*regular)->isKeyFrame(12));
        QVERIFY(!(*regular)->isKeyFrame(13));
    }

    void pitfall_P6_pastTheEndIsAMessageAndNothingMore() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(plainVideo());
        for (const FrameNumber frame : {FrameNumber{40}, FrameNumber{100000}, FrameNumber{-1}}) {
            const auto image = (*source)->read(frame, PixelFormat::Rgb24);
            QVERIFY(!image.has_value());
            QCOMPARE(image.error().code(), ErrorCode::InvalidArgument);
            QVERIFY(image.error().message().find("0 to 39") != std::string::npos);
        }
        QCOMPARE(readBarCode(**(*source)->read(39, PixelFormat::Rgb24)), std::optional(39));
        QCOMPARE(readBarCode(**(*source)->read(0, PixelFormat::Rgb24)), std::optional(0));
    }

    void sequentialReadingDecodesEachPictureOnce() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(plainVideo(), {});
        for (const int threads : {1, 4}) {
            FrameReader::Options options;
            options.threads = threads;
            const auto reader = FrameReader::open(*index, options);
            for (FrameNumber k = 0; k < 40; ++k)
                QVERIFY((*reader)->read(k, PixelFormat::Gray8).has_value());
            QCOMPARE((*reader)->stats().seeks, std::uint64_t{0});
            QCOMPARE((*reader)->stats().framesDecoded, std::uint64_t{40});
            QCOMPARE((*reader)->stats().framesDropped, std::uint64_t{0});
        }
    }

    void randomAccessCostsAtMostOneGroup() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(plainVideo(), {});
        FrameReader::Options options;
        options.threads = 1;
        const auto reader = FrameReader::open(*index, options);
        for (const FrameNumber frame : {30, 3, 20, 39, 11, 0, 35}) {
            const std::uint64_t before = (*reader)->stats().framesDecoded;
            const std::uint64_t seeks = (*reader)->stats().seeks;
            QVERIFY((*reader)->read(frame, PixelFormat::Rgb24).has_value());
            QVERIFY((*reader)->stats().seeks <= seeks + 1);
            // The group up to the frame, and as many more as the decoder holds back.
            QVERIFY2((*reader)->stats().framesDecoded - before <= 12 + 4, std::to_string(frame).c_str());
        }
    }

    void pitfall_P7_steppingBackDecodesALongGroupOncePerManySteps() {
        VideoSpec spec;
        spec.frames = 400;
        spec.gop = 400;
        spec.encoderOptions = "preset=ultrafast:sc_threshold=0";
        const fs::path path = folder() / "long.mp4";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        const auto reader = FrameReader::open(*index, {});
        QVERIFY((*reader)->read(390, PixelFormat::Rgb24).has_value());
        const std::uint64_t decoded = (*reader)->stats().framesDecoded;
        for (FrameNumber frame = 389; frame >= 375; --frame)
            QCOMPARE(readBarCode(**(*reader)->read(frame, PixelFormat::Rgb24)), std::optional(static_cast<int>(frame)));
        QCOMPARE((*reader)->stats().framesDecoded, decoded);
        for (FrameNumber frame = 374; frame >= 200; --frame)
            QCOMPARE(readBarCode(**(*reader)->read(frame, PixelFormat::Rgb24)), std::optional(static_cast<int>(frame)));
        QVERIFY((*reader)->stats().framesDecoded < decoded + 4 * 400);
    }

    void aFarJumpLeavesOutPicturesThatNoOtherBuildsOn() {
        VideoSpec spec;
        spec.frames = 400;
        spec.gop = 400;
        spec.bFrames = 2;
        spec.encoderOptions = "preset=ultrafast:sc_threshold=0";
        for (const char* name : {"leaves.mp4", "leaves.ts"}) {
            const fs::path path = folder() / name;
            if (!makeVideo(path, spec))
                QSKIP("the encoder is missing on this machine");
            const auto index = FrameIndex::build(path, {});
            std::vector<std::uint32_t> pictures;
            const auto straight = FrameReader::open(*index, {});
            for (FrameNumber frame = 0; frame < 400; ++frame)
                pictures.push_back(crc32((**(*straight)->read(frame, PixelFormat::Rgb24)).pixels));
            const auto reader = FrameReader::open(*index, {});
            QCOMPARE(crc32((**(*reader)->read(390, PixelFormat::Rgb24)).pixels), pictures[390]);
            QVERIFY2((*reader)->stats().framesDecoded < 300, std::to_string((*reader)->stats().framesDecoded).c_str());
            for (const FrameNumber frame : {389, 375, 200, 5, 301, 302, 160, 399, 159, 0, 398, 30})
                QVERIFY2(crc32((**(*reader)->read(frame, PixelFormat::Rgb24)).pixels) ==
                             pictures[static_cast<std::size_t>(frame)],
                         (name + (" " + std::to_string(frame))).c_str());
        }
    }

    void pitfall_P7_memoryOfDecodedPicturesIsBounded() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(plainVideo(), {});
        FrameReader::Options options;
        options.ringBytes = 1;
        options.threads = 1;
        const auto reader = FrameReader::open(*index, options);
        QVERIFY((*reader)->read(20, PixelFormat::Rgb24).has_value());
        QVERIFY((*reader)->read(19, PixelFormat::Rgb24).has_value());
        const std::uint64_t seeks = (*reader)->stats().seeks;
        QCOMPARE(readBarCode(**(*reader)->read(15, PixelFormat::Rgb24)), std::optional(15));
        QCOMPARE((*reader)->stats().seeks, seeks + 1);
    }

    void pitfall_P4_startCutOutOfAGroupBeginsAtTheFirstPictureThatCanBeShown() {
        VideoSpec spec;
        spec.encoderOptions = "preset=veryfast:sc_threshold=0";
        const fs::path whole = folder() / "whole.ts";
        if (!makeVideo(whole, spec))
            QSKIP("the encoder is missing on this machine");
        // Drop whole transport packets up to the middle of the first group.
        const std::vector<PacketPlace> places = packetPlaces(whole);
        const std::int64_t from = places[4].pos / 188 * 188;
        std::ifstream in(whole, std::ios::binary);
        in.seekg(from);
        const fs::path cut = folder() / "cut.ts";
        std::ofstream(cut, std::ios::binary) << in.rdbuf();
        const auto index = FrameIndex::build(cut, {});
        QVERIFY2(index.has_value(), index ? "" : index.error().describe().c_str());
        const std::string wrong = whatIsWrong(*index, codesFrom(12, 28));
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void pitfall_P16_sizeChangesMidstream() {
        VideoSpec spec;
        spec.encoderOptions = "preset=veryfast";
        spec.sizeChangeAt = 20;
        spec.secondWidth = 192;
        spec.secondHeight = 112;
        spec.bFrames = 0;
        const fs::path path = folder() / "sizes.ts";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        const std::string wrong = whatIsWrong(*index, codesFrom(0, 40));
        QVERIFY2(wrong.empty(), wrong.c_str());
        const auto reader = FrameReader::open(*index, {});
        for (const FrameNumber frame : {25, 5, 19, 20, 39}) {
            const auto image = (*reader)->read(frame, PixelFormat::Rgb24);
            QCOMPARE((*image)->width, frame < 20 ? 160 : 192);
            QCOMPARE((*image)->height, frame < 20 ? 96 : 112);
        }
    }

    void readersShareOneIndexOnSeveralThreads() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(plainVideo());
        std::vector<std::string> problems(4);
        {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < problems.size(); ++t)
                threads.emplace_back([&, t] {
                    const auto mine = (*source)->openAnother();
                    if (!mine) {
                        problems[t] = mine.error().describe();
                        return;
                    }
                    for (int i = 0; i < 60; ++i) {
                        const FrameNumber frame = (i * 17 + static_cast<int>(t) * 5) % 40;
                        const auto image = (*mine)->read(frame, PixelFormat::Rgb24);
                        if (!image || readBarCode(**image) != static_cast<int>(frame))
                            problems[t] = "frame " + std::to_string(frame);
                    }
                });
        }
        for (const std::string& problem : problems)
            QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE((*source)->stateOf(5), FrameState::Readable);
    }

    void pitfall_P25_releasedSourceOpensAgainWhenRead() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(plainVideo());
        const auto openFiles = [] {
            return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
        };
        const auto before = openFiles();
        (*source)->release();
        QVERIFY(openFiles() < before);
        QCOMPARE(readBarCode(**(*source)->read(17, PixelFormat::Rgb24)), std::optional(17));
    }

    void cancelledOpeningAndReadingSaySo() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        std::stop_source stop;
        stop.request_stop();
        OpenOptions options;
        options.stop = stop.get_token();
        const auto opened = openVideo(plainVideo(), options);
        QVERIFY(!opened.has_value());
        QCOMPARE(opened.error().code(), ErrorCode::Cancelled);
        const auto source = openVideo(plainVideo());
        const auto image = (*source)->read(10, PixelFormat::Rgb24, stop.get_token());
        QVERIFY(!image.has_value());
        QCOMPARE(image.error().code(), ErrorCode::Cancelled);
        QCOMPARE(readBarCode(**(*source)->read(10, PixelFormat::Rgb24)), std::optional(10));
        QCOMPARE((*source)->stateOf(10), FrameState::Readable);
    }

    void openingReportsProgressUpToTheEnd() {
        if (plainVideo().empty())
            QSKIP("the encoder is missing on this machine");
        std::vector<double> shares;
        OpenOptions options;
        options.progress = [&](double share) { shares.push_back(share); };
        QVERIFY(openVideo(plainVideo(), options).has_value());
        QVERIFY(!shares.empty());
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QCOMPARE(shares.back(), 1.0);
    }

    void missingFileAndFolderAreNamed() {
        const auto missing = openVideo(folder() / "nowhere.mp4");
        QCOMPARE(missing.error().code(), ErrorCode::NotFound);
        QVERIFY(missing.error().message().find("nowhere.mp4") != std::string::npos);
        fs::create_directory(folder() / "empty folder");
        const auto noImages = openVideo(folder() / "empty folder");
        QCOMPARE(noImages.error().code(), ErrorCode::Format);
        QVERIFY(noImages.error().message().find("no images") != std::string::npos);
    }

    void playlistCannotReachOtherFiles() {
        const fs::path path = folder() / "list.mp4";
        std::ofstream(path) << "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:1,\n"
                            << plainVideo().string() << "\n#EXT-X-ENDLIST\n";
        const auto opened = openVideo(path);
        QVERIFY(!opened.has_value());
        QCOMPARE(opened.error().code(), ErrorCode::Format);
    }
};

QTEST_GUILESS_MAIN(TestFrameReader)
#include "tst_frame_reader.moc"
