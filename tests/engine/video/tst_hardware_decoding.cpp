// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <functional>
#include <map>

#include "engine/video/damage_map.h"
#include "engine/video/detail/hardware_check.h"
#include "engine/video/detail/hardware_use.h"
#include "engine/video/detail/planar_picture.h"
#include "engine/video/frame_index.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/fake_hardware.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/video_maker.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
namespace fs = std::filesystem;

namespace {

using Pictures = std::vector<std::optional<std::uint32_t>>;

std::optional<std::uint32_t> pictureOf(const Result<ImagePtr>& image) {
    return image ? std::optional(crc32((*image)->pixels)) : std::nullopt;
}

Pictures pictures(FrameReader& reader) {
    Pictures all;
    for (FrameNumber k = 0; k < reader.index().frameCount(); ++k)
        all.push_back(pictureOf(reader.read(k, PixelFormat::Rgb24)));
    return all;
}

FrameReader::Options optionsOn(std::shared_ptr<const detail::Hardware> hardware) {
    FrameReader::Options options;
    options.hardware = std::make_shared<detail::HardwareUse>(std::move(hardware), "a video");
    return options;
}

}  // namespace

/// Decoding on a GPU, with one that is played: its pictures are the processor's, and wherever it fails the processor
/// goes on without a frame being lost.
class TestHardwareDecoding : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::shared_ptr<const FrameIndex> video(const char* file, const std::function<void(VideoSpec&)>& change = {}) {
        const fs::path path = fs::path(m_folder.path().toStdString()) / file;
        VideoSpec spec;
        spec.encoderOptions = "preset=veryfast:sc_threshold=0:x264-params=open-gop=0";
        if (change)
            change(spec);
        if (!fs::exists(path) && !makeVideo(path, spec))
            return nullptr;
        const auto index = FrameIndex::build(path, {});
        return index ? *index : nullptr;
    }

private Q_SLOTS:
    void pairsOfChromaBecomePlanes_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("alignment");
        QTest::newRow("even") << 64 << 48 << 32;
        QTest::newRow("odd") << 161 << 97 << 32;
        QTest::newRow("rows far apart") << 130 << 34 << 512;
        QTest::newRow("one pixel") << 1 << 1 << 64;
    }

    void pairsOfChromaBecomePlanes() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, alignment);
        const detail::FramePtr nv12 = detail::makeFrame();
        nv12->format = AV_PIX_FMT_NV12;
        nv12->width = width;
        nv12->height = height;
        QVERIFY(av_frame_get_buffer(nv12.get(), alignment) >= 0);
        const auto at = [](const AVFrame& frame, int plane, int x, int y) -> std::uint8_t& {
            return frame.data[plane][static_cast<std::ptrdiff_t>(y) * frame.linesize[plane] + x];
        };
        for (int plane = 0; plane < 2; ++plane)
            for (int y = 0; y < (plane == 0 ? height : (height + 1) / 2); ++y)
                for (int x = 0; x < nv12->linesize[plane]; ++x)
                    at(*nv12, plane, x, y) = static_cast<std::uint8_t>(x * 7 + y * 31 + plane * 101);
        detail::PlanarPictures planar;
        const detail::FramePtr first = planar.from(*nv12, AV_PIX_FMT_YUVJ420P);
        const detail::FramePtr second = planar.from(*nv12, AV_PIX_FMT_YUV420P);
        QVERIFY(first->data[0] != second->data[0]);
        QCOMPARE(first->format, static_cast<int>(AV_PIX_FMT_YUVJ420P));
        for (const AVFrame* picture : {first.get(), second.get()}) {
            QCOMPARE(picture->width, width);
            QCOMPARE(picture->height, height);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    QCOMPARE(at(*picture, 0, x, y), at(*nv12, 0, x, y));
            for (int y = 0; y < (height + 1) / 2; ++y)
                for (int x = 0; x < (width + 1) / 2; ++x) {
                    QCOMPARE(at(*picture, 1, x, y), at(*nv12, 1, 2 * x, y));
                    QCOMPARE(at(*picture, 2, x, y), at(*nv12, 1, 2 * x + 1, y));
                }
        }
    }

    void givesTheProcessorsPicturesInEveryOrder_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("encoder");
        QTest::addColumn<QString>("encoderOptions");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("fullRange");
        const QString x264 = QStringLiteral("preset=veryfast:sc_threshold=0:x264-params=open-gop=0");
        QTest::newRow("H.264") << "a.mp4"
                               << "libx264" << x264 << QSize(160, 96) << false;
        QTest::newRow("H.264, cropped") << "b.mkv"
                                        << "libx264" << x264 << QSize(162, 98) << false;
        QTest::newRow("H.264, full range") << "c.mp4"
                                           << "libx264" << x264 << QSize(160, 96) << true;
        QTest::newRow("H.264, transport stream") << "d.ts"
                                                 << "libx264" << x264 << QSize(160, 96) << false;
        QTest::newRow("HEVC") << "e.mp4"
                              << "libx265"
                              << "preset=ultrafast:x265-params=open-gop=0\\:log-level=none\\:pools=none\\:bframes=2\\:"
                                 "keyint=12\\:min-keyint=12\\:scenecut=0"
                              << QSize(160, 96) << false;
        QTest::newRow("VP9, odd size") << "f.webm"
                                       << "libvpx-vp9"
                                       << "deadline=realtime:cpu-used=8" << QSize(161, 97) << false;
        QTest::newRow("VP8") << "g.webm"
                             << "libvpx"
                             << "deadline=good:cpu-used=4:lag-in-frames=16:auto-alt-ref=1" << QSize(160, 96) << false;
    }

    void givesTheProcessorsPicturesInEveryOrder() {
        QFETCH(QString, file);
        QFETCH(QString, encoder);
        QFETCH(QString, encoderOptions);
        QFETCH(QSize, size);
        QFETCH(bool, fullRange);
        const auto index = video(qPrintable(file), [&](VideoSpec& s) {
            s.encoder = encoder.toStdString();
            s.encoderOptions = encoderOptions.toStdString();
            s.width = size.width();
            s.height = size.height();
            s.hasFullRange = fullRange;
            s.pixelFormat = fullRange ? "yuvj420p" : "yuv420p";
        });
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        QVERIFY(processor.has_value());
        for (const auto& [name, frames] : readingOrders(index->frameCount())) {
            const auto options =
                optionsOn(std::make_shared<FakeHardware>(fullRange ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P));
            const auto reader = FrameReader::open(index, options);
            QVERIFY(reader.has_value());
            for (const FrameNumber frame : frames) {
                const auto image = (*reader)->read(frame, PixelFormat::Rgb24);
                QVERIFY2(image.has_value(), name.c_str());
                QCOMPARE(pictureOf(image), pictureOf((*processor)->read(frame, PixelFormat::Rgb24)));
                QCOMPARE(pictureOf((*reader)->read(frame, PixelFormat::Bgra32)),
                         pictureOf((*processor)->read(frame, PixelFormat::Bgra32)));
            }
            QVERIFY2((*reader)->isOnHardware(), (name + ": " + options.hardware->note()).c_str());
            QCOMPARE((*reader)->stats().framesFromHardware, (*reader)->stats().framesDecoded);
        }
    }

    void aGpuThatFailsInTheMiddleCostsNoFrame_data() {
        QTest::addColumn<int>("failsAt");
        for (const int picture : {0, 1, 5, 12, 13, 30, 39})
            QTest::newRow(qPrintable(QString::number(picture))) << picture;
    }

    void aGpuThatFailsInTheMiddleCostsNoFrame() {
        QFETCH(int, failsAt);
        const auto index = video("plain.mp4");
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        const Pictures expected = pictures(**processor);
        for (const auto& [name, frames] : readingOrders(index->frameCount())) {
            auto hardware = std::make_shared<FakeHardware>();
            hardware->failsAt = failsAt;
            const auto options = optionsOn(hardware);
            const auto reader = FrameReader::open(index, options);
            for (const FrameNumber frame : frames) {
                const auto image = (*reader)->read(frame, PixelFormat::Rgb24);
                QCOMPARE(pictureOf(image), expected[static_cast<std::size_t>(frame)]);
                QCOMPARE(readBarCode(**image), std::optional(static_cast<int>(frame)));
            }
            QVERIFY2((*reader)->isOnHardware() == (hardware->fetched <= failsAt), name.c_str());
            if (!(*reader)->isOnHardware()) {
                QCOMPARE(hardware->fetched.load(), failsAt + 1);  // and never asked again
                QVERIFY(options.hardware->note().find("could not be fetched from the GPU") != std::string::npos);
            }
        }
    }

    void aStreamThatTheGpuRefusesIsDecodedByTheProcessor() {
        const auto index = video("plain.mp4");
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        // libav offers CUDA's format and, without a device, finds that it does not start.
        const auto options = optionsOn(std::make_shared<FakeHardware>(AV_PIX_FMT_CUDA));
        const auto reader = FrameReader::open(index, options);
        QCOMPARE(pictures(**reader), pictures(**processor));
        QVERIFY(!(*reader)->isOnHardware());
        QVERIFY(options.hardware->note().find("the processor. The GPU does not decode this") == 0);
        QCOMPARE((*reader)->stats().framesFromHardware, std::uint64_t{0});
    }

    void aCodecThatTheGpuDoesNotKnowIsDecodedByTheProcessor() {
        const auto index = video("plain.mp4");
        if (!index)
            QSKIP("the encoder is missing on this machine");
        auto hardware = std::make_shared<FakeHardware>();
        hardware->knowsCodec = false;
        const auto options = optionsOn(hardware);
        const auto reader = FrameReader::open(index, options);
        QVERIFY(!(*reader)->isOnHardware());
        QCOMPARE(options.hardware->note(), std::string("the processor. The codec is unknown to it."));
        QCOMPARE(readBarCode(**(*reader)->read(17, PixelFormat::Rgb24)), std::optional(17));
    }

    void picturesThatAreNotPlainAreDecodedByTheProcessor() {
        const auto index = video("full.mkv", [](VideoSpec& s) { s.pixelFormat = "yuv444p"; });
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        const auto options = optionsOn(std::make_shared<FakeHardware>());
        const auto reader = FrameReader::open(index, options);
        QCOMPARE(pictures(**reader), pictures(**processor));
        QVERIFY(!(*reader)->isOnHardware());
        QVERIFY(options.hardware->note().find("these are yuv444p") != std::string::npos);
    }

    void damageIsJudgedByTheProcessor_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("mp4") << "damaged.mp4";
        QTest::newRow("mkv") << "damaged.mkv";
    }

    void damageIsJudgedByTheProcessor() {
        QFETCH(QString, file);
        auto index = video(qPrintable(file));
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const std::vector<PacketPlace> places = packetPlaces(index->path());
        for (const std::size_t packet : {16U, 17U})
            overwrite(index->path(), places[packet].pos + 20, places[packet].size - 20);
        index = video(qPrintable(file));
        QVERIFY(index != nullptr);
        for (const auto& [name, frames] : readingOrders(index->frameCount())) {
            const auto processor = FrameReader::open(index, {});
            const auto options = optionsOn(std::make_shared<FakeHardware>());
            const auto reader = FrameReader::open(index, options);
            for (const FrameNumber frame : frames) {
                QCOMPARE(pictureOf((*reader)->read(frame, PixelFormat::Rgb24)),
                         pictureOf((*processor)->read(frame, PixelFormat::Rgb24)));
                QCOMPARE((*reader)->damage()->stateOf(frame), (*processor)->damage()->stateOf(frame));
            }
            QVERIFY(!(*reader)->isOnHardware());
            QCOMPARE((*reader)->damage()->unreadableFrames(), (*processor)->damage()->unreadableFrames());
        }
    }

    void pitfall_P17_aGpuIsTrustedWithAVideoAfterThreeEqualPictures() {
        const auto index = video("plain.mp4");
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        const auto options = optionsOn(std::make_shared<FakeHardware>());
        const auto reader = detail::readerOnHardware(index, options, **processor, {});
        QVERIFY(reader.has_value() && *reader != nullptr);
        QCOMPARE(options.hardware->note(), std::string("the GPU."));
        QCOMPARE(pictures(**reader), pictures(**processor));
        options.hardware->leave("It rained.");
        options.hardware->leave("It snowed.");
        QCOMPARE(options.hardware->note(), std::string("the GPU and, from some frame on, the processor. It rained."));
    }

    void pitfall_P17_aGpuThatGivesOtherPicturesIsNotUsed() {
        const auto index = video("plain.mp4");
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto processor = FrameReader::open(index, {});
        auto hardware = std::make_shared<FakeHardware>();
        hardware->changesFrom = 12;
        const auto options = optionsOn(hardware);
        const auto reader = detail::readerOnHardware(index, options, **processor, {});
        QVERIFY(reader.has_value() && *reader == nullptr);
        QVERIFY(options.hardware->note().find("the processor. The GPU's picture of frame ") == 0);
    }

    void aVideoOpenedForTheGpuIsTheSameVideo_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("encoder");
        QTest::newRow("H.264") << "open.mp4"
                               << "libx264";
        QTest::newRow("MPEG-4") << "open.avi"
                                << "mpeg4";
        QTest::newRow("VP9") << "open.webm"
                             << "libvpx-vp9";
    }

    void aVideoOpenedForTheGpuIsTheSameVideo() {
        QFETCH(QString, file);
        QFETCH(QString, encoder);
        const auto index = video(qPrintable(file), [&](VideoSpec& s) {
            s.encoder = encoder.toStdString();
            s.encoderOptions.clear();
        });
        if (!index)
            QSKIP("the encoder is missing on this machine");
        const auto usual = openVideo(index->path());
        OpenOptions options;
        options.decoder = DecoderChoice::Gpu;
        const auto opened = openVideo(index->path(), options);
        QVERIFY(usual.has_value() && opened.has_value());
        QCOMPARE((*usual)->decoderNote(), std::string());
        if (const std::string why = whyNoGpuDecoding(); !why.empty())
            QCOMPARE((*opened)->decoderNote(), "the processor. " + why);
        const auto another = (*opened)->openAnother();
        QVERIFY(another.has_value());
        QCOMPARE((*another)->decoderNote(), (*opened)->decoderNote());
        for (const auto& [name, frames] : readingOrders((*usual)->frameCount()))
            for (const FrameNumber frame : frames) {
                const auto expected = pictureOf((*usual)->read(frame, PixelFormat::Rgb24));
                QVERIFY(expected.has_value());
                QCOMPARE(pictureOf((*opened)->read(frame, PixelFormat::Rgb24)), expected);
                QCOMPARE(pictureOf((*another)->read(frame, PixelFormat::Rgb24)), expected);
            }
    }
};

QTEST_GUILESS_MAIN(TestHardwareDecoding)
#include "tst_hardware_decoding.moc"
