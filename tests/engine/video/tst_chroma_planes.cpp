// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <random>
#include <vector>

#include "engine/video/detail/chroma_planes.h"
#include "engine/video/detail/libav.h"

using namespace skein;
using namespace skein::video::detail;

/// The planes that encoders get are those of libav's scaler, byte for byte.
class TestChromaPlanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePlanesAreThoseOfTheScaler_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("square") << 256 << 256;
        QTest::newRow("no multiple of a vector") << 162 << 98;
        QTest::newRow("narrow") << 2 << 40;
        QTest::newRow("lowest") << 30 << ChromaPlanes::kLeastHeight;
        QTest::newRow("wide") << 1922 << 12;
    }

    void thePlanesAreThoseOfTheScaler() {
        QFETCH(int, width);
        QFETCH(int, height);
        const ScalerPtr scaler(sws_getContext(width, height, AV_PIX_FMT_BGR0, width, height, AV_PIX_FMT_YUV420P,
                                              SWS_BILINEAR | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
        QVERIFY(scaler != nullptr);
        const int* table = sws_getCoefficients(SWS_CS_SMPTE170M);
        sws_setColorspaceDetails(scaler.get(), table, 1, table, 0, 0, 1 << 16, 1 << 16);
        const auto picture = [&] {
            FramePtr frame = makeFrame();
            frame->width = width;
            frame->height = height;
            frame->format = AV_PIX_FMT_YUV420P;
            return av_frame_get_buffer(frame.get(), 0) < 0 ? nullptr : std::move(frame);
        };
        const FramePtr expected = picture(), made = picture();
        QVERIFY(expected && made);
        std::mt19937 random(3);
        std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
        ChromaPlanes planes;
        for (const bool onlyExtremes : {false, true}) {
            for (std::uint8_t& pixel : pixels)
                pixel = static_cast<std::uint8_t>(onlyExtremes ? (random() % 2) * 255 : random());
            const std::uint8_t* from = pixels.data();
            const int stride = width * 4;
            QCOMPARE(sws_scale(scaler.get(), &from, &stride, 0, height, expected->data, expected->linesize), height);
            planes.convert(from, width, height, {made->data[0], made->linesize[0]}, {made->data[1], made->linesize[1]},
                           {made->data[2], made->linesize[2]});
            for (int plane = 0; plane < 3; ++plane)
                for (int y = 0; y < (plane == 0 ? height : height / 2); ++y)
                    for (int x = 0; x < (plane == 0 ? width : width / 2); ++x)
                        QCOMPARE(made->data[plane][y * made->linesize[plane] + x],
                                 expected->data[plane][y * expected->linesize[plane] + x]);
        }
    }
};

QTEST_GUILESS_MAIN(TestChromaPlanes)
#include "tst_chroma_planes.moc"
