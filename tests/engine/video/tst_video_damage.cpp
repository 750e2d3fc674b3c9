// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/base/frame_number.h"
#include "engine/video/frame_index.h"
#include "engine/video/frame_reader.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/video_maker.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
namespace fs = std::filesystem;

/// Files cut short or overwritten: what can be read keeps its number, what cannot is named, nothing is passed off as
/// something else.
class TestVideoDamage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

    bool make(const fs::path& path, const std::function<void(VideoSpec&)>& change = {}) const {
        VideoSpec spec;
        spec.frames = 60;
        spec.encoderOptions = "preset=veryfast:sc_threshold=0:x264-params=open-gop=0";
        spec.muxerOptions = path.extension() == ".mp4" ? "movflags=faststart" : "";
        if (change)
            change(spec);
        return makeVideo(path, spec);
    }
    bool makeWith(const QString& encoder, const fs::path& path) const {
        return make(path, [&](VideoSpec& s) {
            s.encoder = encoder.toStdString();
            if (encoder == "mjpeg") {
                s.pixelFormat = "yuvj420p";
                s.hasFullRange = true;
                s.encoderOptions.clear();
            }
        });
    }

    // Reads all frames in several orders; the outcome must be the same in each. Frame -> readable.
    static std::vector<bool> readAll(const fs::path& path, std::string& problem) {
        std::vector<bool> readable;
        std::map<FrameNumber, std::optional<std::uint32_t>> first;
        for (const int threads : {1, 3}) {
            OpenOptions options;
            options.threads = threads;
            const auto probe = openVideo(path, options);
            if (!probe) {
                problem = probe.error().describe();
                return {};
            }
            for (const auto& [name, frames] : readingOrders((*probe)->frameCount())) {
                const auto source = openVideo(path, options);
                for (const FrameNumber frame : frames) {
                    const auto image = (*source)->read(frame, PixelFormat::Rgb24);
                    const std::string where =
                        name + ", frame " + std::to_string(frame) + ", threads " + std::to_string(threads);
                    if (!problem.empty())
                        return {};
                    if (!image && image.error().code() != ErrorCode::Decode)
                        problem = where + ": " + image.error().describe();
                    if (image && readBarCode(**image) != static_cast<int>(frame))
                        problem = where + ": shows code " + std::to_string(readBarCode(**image).value_or(-1));
                    const auto crc = image ? std::optional(crc32((*image)->pixels)) : std::nullopt;
                    if (first.emplace(frame, crc).first->second != crc)
                        problem = where + ": differs from the first reading";
                }
            }
        }
        for (const auto& [frame, crc] : first)
            readable.push_back(crc.has_value());
        return readable;
    }

private Q_SLOTS:
    void pitfall_P20_damageInTheMiddleKeepsLaterNumbers_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("encoder");
        QTest::addColumn<int>("bFrames");
        QTest::newRow("mp4, H.264") << "m.mp4"
                                    << "libx264" << 2;
        QTest::newRow("mkv, H.264") << "m.mkv"
                                    << "libx264" << 0;
        QTest::newRow("avi, H.264 with B-frames") << "m.avi"
                                                  << "libx264" << 2;
        QTest::newRow("mp4, HEVC") << "h.mp4"
                                   << "libx265" << 2;
    }

    void pitfall_P20_damageInTheMiddleKeepsLaterNumbers() {
        QFETCH(QString, file);
        QFETCH(QString, encoder);
        QFETCH(int, bFrames);
        const fs::path path = folder() / file.toStdString();
        const bool made = make(path, [&](VideoSpec& s) {
            s.encoder = encoder.toStdString();
            s.bFrames = bFrames;
            s.withoutStamps = path.extension() == ".avi";
            if (encoder == "libx265")
                s.encoderOptions =
                    "preset=ultrafast:x265-params=open-gop=0\\:log-level=none\\:pools=none\\:keyint=12\\:min-keyint="
                    "12\\:"
                    "scenecut=0\\:bframes=2";
        });
        if (!made)
            QSKIP("the encoder is missing on this machine");
        const std::vector<PacketPlace> places = packetPlaces(path);
        QCOMPARE(places.size(), std::size_t{60});
        // The data of packets 28 to 30, in the third group (frames 24 to 35); the containers' own bytes stay whole.
        for (std::size_t i = 28; i <= 30; ++i) {
            QVERIFY(places[i].size > 22);
            overwrite(path, places[i].pos + 20, places[i].size - 20);
        }
        std::string problem;
        const std::vector<bool> readable = readAll(path, problem);
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(readable.size(), std::size_t{60});
        for (std::size_t k = 0; k < 60; ++k)
            if (k < 24 || k >= 36)
                QVERIFY2(readable[k], std::to_string(k).c_str());
        QVERIFY(std::count(readable.begin(), readable.end(), false) >= 3);
        const auto source = openVideo(path);
        for (FrameNumber k = 0; k < 60; ++k)
            (void)(*source)->read(k, PixelFormat::Gray8);
        QCOMPARE((*source)->warnings().size(), std::size_t{1});
        QVERIFY2((*source)->warnings()[0].find("frames cannot be decoded") != std::string::npos,
                 (*source)->warnings()[0].c_str());
    }

    void damageToAPictureThatNoOtherBuildsOnStaysItsOwn() {
        const fs::path path = folder() / "leaf.mp4";
        const bool made = make(path, [](VideoSpec& s) {
            s.frames = s.gop = 300;
            s.bFrames = 2;
            s.encoderOptions = "preset=veryfast:sc_threshold=0:b_strategy=0:x264-params=b-pyramid=none";
        });
        if (!made)
            QSKIP("the encoder is missing on this machine");
        // Stored as I, then P B B again and again: packet 32 is a B.
        const std::vector<PacketPlace> places = packetPlaces(path);
        QCOMPARE(places.size(), std::size_t{300});
        QVERIFY(places[32].size > 22 && places[32].size < places[31].size);
        overwrite(path, places[32].pos + 12, places[32].size - 12);
        std::string problem;
        const std::vector<bool> readable = readAll(path, problem);
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(std::count(readable.begin(), readable.end(), false), 1);
        QVERIFY(!readable[31] || !readable[32] || !readable[33]);
    }

    void pitfall_P19_cutShortShowsEveryWholeFrame_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("encoder");
        QTest::newRow("mp4 with its table in front") << "t.mp4"
                                                     << "libx264";
        QTest::newRow("mkv") << "t.mkv"
                             << "libx264";
        QTest::newRow("avi, MJPEG") << "t.avi"
                                    << "mjpeg";
        QTest::newRow("transport stream") << "t.ts"
                                          << "libx264";
    }

    void pitfall_P19_cutShortShowsEveryWholeFrame() {
        QFETCH(QString, file);
        QFETCH(QString, encoder);
        const fs::path path = folder() / file.toStdString();
        if (!makeWith(encoder, path))
            QSKIP("the encoder is missing on this machine");
        cutTo(path, 0.6);
        std::string problem;
        const std::vector<bool> readable = readAll(path, problem);
        QVERIFY2(problem.empty(), problem.c_str());
        const auto good = std::count(readable.begin(), readable.end(), true);
        QVERIFY2(good >= 20 && good < 60, std::to_string(good).c_str());
        QVERIFY(readable.size() <= 60);
        // Only at the very end may frames be missing among others.
        for (std::size_t k = 0; k + 8 < readable.size(); ++k)
            QVERIFY2(readable[k], std::to_string(k).c_str());
        const auto source = openVideo(path);
        const auto cut = (*source)->cutEnd();
        QVERIFY(cut.has_value());
        const QString warning = QString::fromStdString((*source)->warnings().at(0));
        QCOMPARE(warning.toStdString(), cut->sentence);
        // A transport stream never says how long it is.
        const bool announces = file != "t.ts";
        QCOMPARE(cut->announced, FrameNumber{announces ? 60 : 0});
        QVERIFY2(warning.startsWith(announces ? QString("%1 of 60 announced frames are readable").arg(good)
                                              : QString("The file was cut short")),
                 qPrintable(warning));
    }

    // The window counts frames from 1 and the command line from 0; a sentence counts as who shows it does.
    void sentencesCountFramesAsTheirReaderDoes() {
        const fs::path path = folder() / "counted.mp4";
        if (!makeWith("libx264", path))
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(path);
        QVERIFY(source);
        const FrameNumber beyond = (*source)->frameCount();
        const auto sentence = [&] {
            FrameIndex::Options options;
            const auto index = FrameIndex::build(path, options);
            const auto reader = FrameReader::open(*index, {});
            return (*reader)->read(beyond, PixelFormat::Bgra32).error().message();
        };
        QVERIFY2(sentence().starts_with("There is no frame 60 in "), sentence().c_str());
        countFramesFrom(1);
        const std::string fromOne = sentence();
        countFramesFrom(0);
        QVERIFY2(fromOne.starts_with("There is no frame 61 in ") && fromOne.find("1 to 60.") != std::string::npos,
                 fromOne.c_str());
    }

    void aFileThatLacksOnlyItsTableAtTheEndIsWhole_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("encoder");
        QTest::newRow("mkv") << "w.mkv"
                             << "libx264";
        QTest::newRow("avi, MJPEG") << "w.avi"
                                    << "mjpeg";
    }

    // Whatever is missing behind the last picture, no frame is.
    void aFileThatLacksOnlyItsTableAtTheEndIsWhole() {
        QFETCH(QString, file);
        QFETCH(QString, encoder);
        const fs::path path = folder() / file.toStdString();
        if (!makeWith(encoder, path))
            QSKIP("the encoder is missing on this machine");
        const PacketPlace last = packetPlaces(path).back();
        QVERIFY(last.pos + last.size + 24 < std::int64_t(fs::file_size(path)));
        fs::resize_file(path, static_cast<std::uintmax_t>(last.pos + last.size + 24));
        const auto source = openVideo(path);
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->frameCount(), FrameNumber{60});
        QVERIFY(!(*source)->cutEnd());
        QVERIFY((*source)->warnings().empty());
    }

    void framesThatACameraDroppedAreNotMissing() {
        const fs::path path = folder() / "dropped.avi";
        const bool made = make(path, [](VideoSpec& s) {
            s.encoder = "mjpeg";
            s.pixelFormat = "yuvj420p";
            s.hasFullRange = true;
            s.encoderOptions.clear();
            s.frames = 30;
            for (int i = 0; i < s.frames; ++i)
                s.stamps.push_back(i < 10 ? i : 3 * i - 20);
        });
        if (!made)
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        QVERIFY2(index.has_value(), index ? "" : index.error().describe().c_str());
        QCOMPARE((*index)->frameCount(), FrameNumber{30});
        QCOMPARE((*index)->announcedFrames(), FrameNumber{30});
        QVERIFY((*index)->warnings().empty() && !(*index)->cutEnd());
    }

    void pitfall_P19_damagedFirstFrameLeavesTheRestUsable() {
        const fs::path path = folder() / "first.mp4";
        if (!make(path))
            QSKIP("the encoder is missing on this machine");
        const std::vector<PacketPlace> places = packetPlaces(path);
        overwrite(path, places[0].pos, places[0].size);
        const auto source = openVideo(path);
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->frameCount(), FrameNumber{60});
        QVERIFY(!(*source)->read(0, PixelFormat::Rgb24).has_value());
        QCOMPARE((*source)->width(), 160);
        QVERIFY(!(*source)->isGray());
        for (FrameNumber k = 12; k < 60; ++k)
            QCOMPARE(readBarCode(**(*source)->read(k, PixelFormat::Rgb24)), std::optional(static_cast<int>(k)));
    }

    void everyFrameDamagedIsRefused() {
        const fs::path path = folder() / "all.mp4";
        if (!make(path))
            QSKIP("the encoder is missing on this machine");
        for (const PacketPlace& place : packetPlaces(path))
            overwrite(path, place.pos, place.size);
        const auto source = openVideo(path);
        QVERIFY(!source.has_value());
        QVERIFY2(source.error().message().find("can be decoded") != std::string::npos,
                 source.error().message().c_str());
    }

    void pitfall_P18_anyCutOrScrambledFileIsAnAnswerNeverACrash() {
        const fs::path whole = folder() / "whole.mp4";
        if (!make(whole))
            QSKIP("the encoder is missing on this machine");
        std::ifstream in(whole, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), {});
        std::mt19937 random(5);
        const fs::path path = folder() / "scrambled.mp4";
        for (int round = 0; round < 60; ++round) {
            std::string changed = bytes;
            for (int i = 0; i < 20; ++i)
                changed[random() % changed.size()] = static_cast<char>(random());
            if (round % 3 == 0)
                changed.resize(random() % changed.size());
            std::ofstream(path, std::ios::binary) << changed;
            const auto source = openVideo(path);
            if (!source) {
                QVERIFY(source.error().message().find("scrambled.mp4") != std::string::npos);
                continue;
            }
            QVERIFY((*source)->frameCount() >= 1 && (*source)->frameCount() <= 100000);
            for (FrameNumber k = 0; k < std::min<FrameNumber>(70, (*source)->frameCount()); ++k)
                (void)(*source)->read(k, PixelFormat::Bgra32);
        }
    }
};

QTEST_GUILESS_MAIN(TestVideoDamage)
#include "tst_video_damage.moc"
