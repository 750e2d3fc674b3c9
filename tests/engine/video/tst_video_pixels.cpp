// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/video/frame_index.h"
#include "engine/video/frame_reader.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/video_maker.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
namespace fs = std::filesystem;

/// How decoded pictures become pixels: turned, converted, reduced to one channel.
class TestVideoPixels : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void pitfall_P11_displayMatrixTurnsThePicture_data() {
        QTest::addColumn<std::vector<int>>("matrix");
        QTest::newRow("upright") << std::vector<int>{1, 0, 0, 1};
        QTest::newRow("90 clockwise") << std::vector<int>{0, 1, -1, 0};
        QTest::newRow("180") << std::vector<int>{-1, 0, 0, -1};
        QTest::newRow("90 counter-clockwise") << std::vector<int>{0, -1, 1, 0};
        QTest::newRow("mirrored left to right") << std::vector<int>{-1, 0, 0, 1};
        QTest::newRow("mirrored top to bottom") << std::vector<int>{1, 0, 0, -1};
        QTest::newRow("transposed") << std::vector<int>{0, 1, 1, 0};
    }

    void pitfall_P11_displayMatrixTurnsThePicture() {
        QFETCH(std::vector<int>, matrix);
        VideoSpec spec;
        spec.frames = 3;
        spec.width = 160;
        spec.height = 90;
        const fs::path path = folder() / "turned.mp4";
        spec.matrix = std::array<int, 4>{matrix[0], matrix[1], matrix[2], matrix[3]};
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(path);
        QVERIFY(source.has_value());
        const bool sideways = matrix[0] == 0;
        QCOMPARE((*source)->width(), sideways ? 90 : 160);
        QCOMPARE((*source)->height(), sideways ? 160 : 90);
        for (const PixelFormat format : {PixelFormat::Rgb24, PixelFormat::Gray8, PixelFormat::Bgra32}) {
            const auto image = (*source)->read(2, format);
            const auto at = [&](int x, int y) {
                // Shown position of a stored pixel, moved so that the picture starts at 0.
                int px = matrix[0] * x + matrix[2] * y;
                int py = matrix[1] * x + matrix[3] * y;
                if (matrix[0] + matrix[2] < 0)
                    px += (*image)->width - 1;
                if (matrix[1] + matrix[3] < 0)
                    py += (*image)->height - 1;
                return std::pair<int, int>(px, py);
            };
            QCOMPARE(readBarCode(**image, at), std::optional(2));
        }
    }

    void lumaTableEqualsTheScaler_data() {
        QTest::addColumn<QString>("pixelFormat");
        QTest::addColumn<bool>("fullRange");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("colorspace");
        for (const char* format : {"yuv420p", "yuv422p", "yuv444p", "gray"})
            for (const bool full : {false, true})
                for (const int width : {160, 162, 163, 322, 326})
                    for (const int height : {96, 97})
                        QTest::addRow("%s %s %dx%d", format, full ? "full" : "limited", width, height)
                            << format << full << width << height << 2;
        QTest::newRow("BT.709") << "yuv420p" << false << 160 << 96 << 1;
        QTest::newRow("BT.2020") << "yuv420p" << false << 160 << 96 << 9;
    }

    void lumaTableEqualsTheScaler() {
        QFETCH(QString, pixelFormat);
        QFETCH(bool, fullRange);
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, colorspace);
        VideoSpec spec;
        spec.encoder = "ffv1";
        spec.frames = 2;
        spec.isGray = true;
        spec.pixelFormat = pixelFormat.toStdString();
        spec.hasFullRange = fullRange;
        spec.width = width;
        spec.height = height;
        spec.colorspace = colorspace;
        const fs::path path = folder() / "gray.mkv";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto index = FrameIndex::build(path, {});
        FrameReader::Options byTable;
        FrameReader::Options byScaler;
        byScaler.lumaTable = false;
        const auto fast = FrameReader::open(*index, byTable);
        const auto plain = FrameReader::open(*index, byScaler);
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgb24, PixelFormat::Bgra32})
            for (const FrameNumber frame : {0, 1}) {
                const auto a = (*fast)->read(frame, format);
                const auto b = (*plain)->read(frame, format);
                QVERIFY(a.has_value() && b.has_value());
                QVERIFY((*a)->pixels == (*b)->pixels);
            }
        QCOMPARE((*fast)->stats().lumaTableUses, std::uint64_t{6});
        QCOMPARE((*plain)->stats().lumaTableUses, std::uint64_t{0});
    }

    void colourInOneFrameOfAGrayVideoIsNotLost() {
        VideoSpec spec;
        spec.encoder = "ffv1";
        spec.frames = 2;
        const fs::path path = folder() / "colour.mkv";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        OpenOptions options;
        options.grayscale = true;
        const auto source = openVideo(path, options);
        QVERIFY((*source)->isGray());
        QCOMPARE((*source)->engineFormat(), PixelFormat::Gray8);
        const auto gray = (*source)->read(0, PixelFormat::Gray8);
        const auto rgb = (*source)->read(0, PixelFormat::Rgb24);
        QCOMPARE((*gray)->pixels, toFormat(*rgb, PixelFormat::Gray8)->pixels);
        options.grayscale = std::nullopt;
        QVERIFY(!(*openVideo(path, options))->isGray());
        options.grayscale = false;
        QCOMPARE((*openVideo(path, options))->engineFormat(), PixelFormat::Rgb24);
    }

    void pitfall_P10_canvasAndModelSeeTheSamePixels_data() {
        QTest::addColumn<QString>("pixelFormat");
        QTest::addColumn<int>("width");
        for (const char* format : {"yuv420p", "yuv444p"})
            for (const int width : {160, 163, 326})
                QTest::addRow("%s %d", format, width) << format << width;
    }

    void pitfall_P10_canvasAndModelSeeTheSamePixels() {
        QFETCH(QString, pixelFormat);
        QFETCH(int, width);
        VideoSpec spec;
        spec.encoder = "ffv1";
        spec.frames = 1;
        spec.pixelFormat = pixelFormat.toStdString();
        spec.width = width;
        const fs::path path = folder() / "formats.mkv";
        if (!makeVideo(path, spec))
            QSKIP("the encoder is missing on this machine");
        const auto source = openVideo(path);
        const auto rgb = (*source)->read(0, PixelFormat::Rgb24);
        const auto bgra = (*source)->read(0, PixelFormat::Bgra32);
        int most = 0;
        const ImagePtr back = toFormat(*bgra, PixelFormat::Rgb24);
        for (std::size_t i = 0; i < back->pixels.size(); ++i)
            most = std::max(most, std::abs(int{back->pixels[i]} - int{(*rgb)->pixels[i]}));
        QCOMPARE(most, 0);
        for (std::size_t i = 3; i < (*bgra)->pixels.size(); i += 4)
            QCOMPARE((*bgra)->pixels[i], std::uint8_t{255});
    }

    void pitfall_P13_matrixPolicyDecidesForTaggedVideosOnly() {
        VideoSpec spec;
        spec.encoder = "ffv1";
        spec.frames = 1;
        const auto pixels = [&](int colorspace, MatrixPolicy policy) {
            spec.colorspace = colorspace;
            const fs::path path = folder() / "matrix.mkv";
            if (!makeVideo(path, spec))
                return std::vector<std::uint8_t>();
            OpenOptions options;
            options.matrix = policy;
            return (*(*openVideo(path, options))->read(0, PixelFormat::Rgb24))->pixels;
        };
        const auto untagged = pixels(2, MatrixPolicy::Tagged);
        if (untagged.empty())
            QSKIP("the encoder is missing on this machine");
        QCOMPARE(pixels(2, MatrixPolicy::Bt601), untagged);
        QVERIFY(pixels(1, MatrixPolicy::Tagged) != untagged);
        QCOMPARE(pixels(1, MatrixPolicy::Bt601), untagged);
    }
};

QTEST_GUILESS_MAIN(TestVideoPixels)
#include "tst_video_pixels.moc"
