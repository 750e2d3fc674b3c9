// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <numeric>

#include "engine/formats/extract_clip.h"
#include "engine/formats/slp.h"
#include "tests/support/bar_code.h"
#include "tests/support/one_video_project.h"
#include "tests/support/video_maker.h"
#include "ui/canvas/ink.h"
#include "ui/canvas/video_canvas.h"
#include "ui/render/frame_renderer.h"
#include "ui/render/render_video.h"
#include "ui/stored_frame.h"

using namespace skein;
using namespace skein::ui;
namespace fs = std::filesystem;

namespace {

constexpr int kFrames = 30, kWidth = 160, kHeight = 96;

/// Two animals on every third frame, below the bar code: a person's and a prediction.
project::Labels labelsFor(const fs::path& video) {
    project::Labels labels = test::oneVideoProject(video.string(), kFrames, kWidth, kHeight,
                                                   test::chainSkeleton("fly", {"a", "b"}), {"one", "two"});
    for (std::int64_t frame = 0; frame < kFrames; frame += 3) {
        project::FrameData data;
        data.frameIndex = frame;
        for (int animal = 0; animal < 2; ++animal) {
            project::InstanceData instance;
            instance.header.kind = animal == 0 ? project::InstanceKind::User : project::InstanceKind::Predicted;
            instance.header.track = animal;
            instance.points = {{30.0 + double(frame), 40.0 + 25 * animal, 0.9, true, false},
                               {60.0 + double(frame), 40.0 + 25 * animal, 0.9, true, false}};
            data.instances.push_back(instance);
        }
        labels.appendFrame(data);
    }
    return labels;
}

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> frames(static_cast<std::size_t>(last - first + 1));
    std::iota(frames.begin(), frames.end(), first);
    return frames;
}

QColor pixelOf(const Image& rgb, int x, int y) {
    const std::uint8_t* p =
        rgb.pixels.data() + (static_cast<std::size_t>(y) * std::size_t(rgb.width) + std::size_t(x)) * 3;
    return {p[0], p[1], p[2]};
}

int apart(const QColor& a, const QColor& b) {
    return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
}

}  // namespace

class TestRender : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_dir;
    fs::path m_source;
    project::Labels m_labels;
    fs::path at(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }

private Q_SLOTS:
    void initTestCase() {
        m_source = at("source.mp4");
        test::VideoSpec spec;
        spec.frames = kFrames;
        spec.width = kWidth;
        spec.height = kHeight;
        if (!test::makeVideo(m_source, spec))
            QSKIP("the installed FFmpeg cannot write H.264");
        m_labels = labelsFor(m_source);
    }

    void R_01_pictureIShowsFrameIInCountSizeAndRate_data() {
        QTest::addColumn<int>("codec");
        QTest::addColumn<QString>("name");
        QTest::newRow("h264") << int(RenderCodec::H264) << "out.mp4";
        QTest::newRow("h264 mkv") << int(RenderCodec::H264) << "out.mkv";
        QTest::newRow("h265") << int(RenderCodec::H265) << "out265.mp4";
        QTest::newRow("av1") << int(RenderCodec::Av1) << "outav1.mp4";
        QTest::newRow("prores") << int(RenderCodec::ProRes) << "out.mov";
        QTest::newRow("gif") << int(RenderCodec::Gif) << "out.gif";
        QTest::newRow("png") << int(RenderCodec::PngSequence) << "pictures";
    }
    void R_01_pictureIShowsFrameIInCountSizeAndRate() {
        QFETCH(int, codec);
        QFETCH(QString, name);
        RenderOptions options;
        options.codec = RenderCodec(codec);
        if (!canRender(options.codec))
            QSKIP("the installed FFmpeg cannot write it");
        options.frames = range(4, 23);
        options.crf = 12;
        auto source = video::openVideo(m_source);
        QVERIFY(source);
        const RenderReport promise = renderPromise(m_labels, **source, options);
        const fs::path path = at(name.toUtf8().constData());
        const auto report = renderVideo(m_labels, at("p.slp"), options, path);
        QVERIFY2(report, report ? "" : report.error().describe().c_str());
        QCOMPARE(report->frames, promise.frames);
        auto written = video::openVideo(path);
        QVERIFY2(written, written ? "" : written.error().describe().c_str());
        QCOMPARE((*written)->frameCount(), promise.frames);
        QCOMPARE(QSize((*written)->width(), (*written)->height()), promise.size);
        if (options.codec != RenderCodec::PngSequence)
            QVERIFY2(std::abs((*written)->fps() - promise.fps) < 0.05 * promise.fps,
                     qPrintable(QString::number((*written)->fps())));
        for (std::int64_t i = 0; i < promise.frames; ++i) {
            const auto picture = (*written)->read(i, video::PixelFormat::Rgb24);
            QVERIFY(picture);
            QCOMPARE(test::readBarCode(**picture).value_or(-1), int(i + 4));
        }
    }

    void R_01_oddSizesScalesAndCropsArePromisedAsTheyCome() {
        auto source = video::openVideo(m_source);
        QVERIFY(source);
        for (const auto& [crop, scale, size] :
             {std::tuple(QRect(0, 0, 61, 43), 1.0, QSize(62, 44)), std::tuple(QRect(), 0.25, QSize(40, 24)),
              std::tuple(QRect(100, 50, 500, 500), 1.0, QSize(60, 46)), std::tuple(QRect(), 1.5, QSize(240, 144))}) {
            RenderOptions options;
            options.frames = {3, 4, 5};
            options.crop = crop.isNull() ? RenderCrop::None : RenderCrop::Rectangle;
            options.rectangle = crop;
            options.scale = scale;
            QCOMPARE(renderPromise(m_labels, **source, options).size, size);
            const auto report = renderVideo(m_labels, at("p.slp"), options, at("odd.mp4"));
            QVERIFY2(report, report ? "" : report.error().describe().c_str());
            auto written = video::openVideo(at("odd.mp4"));
            QVERIFY(written);
            QCOMPARE(QSize((*written)->width(), (*written)->height()), size);
        }
    }

    void coloursAreThoseOfTheCanvas_data() {  // acceptance 5
        QTest::addColumn<int>("palette");
        for (int p = 0; p < theme::kPalettes; ++p)
            QTest::newRow(qPrintable(QString::number(p))) << p;
    }
    void coloursAreThoseOfTheCanvas() {
        QFETCH(int, palette);
        RenderOptions options;
        options.style.palette = static_cast<theme::Palette>(palette);
        options.frames = {6};
        auto source = video::openVideo(m_source);
        const auto picture = (*source)->read(6, video::PixelFormat::Bgra32);
        QVERIFY(picture);
        // The canvas at one pixel a pixel, in the palette that the window has then.
        theme::setPalette(options.style.palette);
        VideoCanvas canvas;
        canvas.resize(kWidth, kHeight);
        canvas.setOverlayStyle(options.style);
        const auto skeletons = std::make_shared<const std::vector<project::Skeleton>>(m_labels.skeletons());
        canvas.showFrame(*picture, storedFrame(m_labels, skeletons, 0, 6, options.style));
        canvas.fitFrame();
        QCOMPARE(canvas.zoom(), 1.0);
        const QImage screen = canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
        theme::setPalette(theme::Palette::Safe);
        FrameRenderer renderer(m_labels, options, QSize(kWidth, kHeight), 30);
        const QImage drawn = renderer.draw(
            6,
            QImage((*picture)->pixels.data(), kWidth, kHeight, qsizetype((*picture)->rowBytes()), QImage::Format_RGB32),
            0.2);
        QCOMPARE(drawn.size(), screen.size());
        int worst = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                worst = std::max(worst, apart(drawn.pixelColor(x, y), screen.pixelColor(x, y)));
        QVERIFY2(worst <= 2, qPrintable(QString::number(worst)));
        // And in the file, up to what its codec takes.
        QVERIFY(apart(drawn.pixelColor(51, 65), paletteColor_(palette, 1)) < 40);
    }

    void theFileHasTheColoursThatWereDrawn() {
        RenderOptions options;
        options.frames = {6};
        options.background = RenderBackground::Black;
        options.look.lineWidth = 9;
        options.crf = 1;
        QVERIFY(renderVideo(m_labels, at("p.slp"), options, at("colour.mp4")));
        auto written = video::openVideo(at("colour.mp4"));
        QVERIFY(written);
        const auto picture = (*written)->read(0, video::PixelFormat::Rgb24);
        QVERIFY(picture);
        for (int animal = 0; animal < 2; ++animal)
            QVERIFY2(apart(pixelOf(**picture, 51, 40 + 25 * animal), theme::trackColor(animal)) < 12,
                     qPrintable(pixelOf(**picture, 51, 40 + 25 * animal).name()));
    }

    void shapesTrailsNamesAndBurnInsAreDrawn() {
        RenderOptions plain;
        plain.background = RenderBackground::Black;
        plain.frames = range(0, 9);
        const auto picture = [&](const RenderOptions& options) {
            return FrameRenderer(m_labels, options, QSize(kWidth, kHeight), 30).draw(9, {}, 0.3);
        };
        const QImage base = picture(plain);
        QVector<QImage> seen{base};
        const auto differs = [&](const std::function<void(RenderOptions&)>& change) {
            RenderOptions options = plain;
            change(options);
            const QImage image = picture(options);
            const bool isNew = !seen.contains(image);
            seen.append(image);
            return isNew;
        };
        for (const MarkerShape shape : {MarkerShape::Circle, MarkerShape::Square, MarkerShape::Diamond,
                                        MarkerShape::Triangle, MarkerShape::Cross})
            QVERIFY(differs([shape](RenderOptions& o) { o.look.shape = shape; }));
        QVERIFY(differs([](RenderOptions& o) { o.look.lineWidth = 5; }));
        QVERIFY(differs([](RenderOptions& o) { o.look.nodes = false; }));
        QVERIFY(differs([](RenderOptions& o) { o.style.edges = false; }));
        QVERIFY(differs([](RenderOptions& o) { o.style.names = true; }));
        QVERIFY(differs([](RenderOptions& o) { o.trackNames = true; }));
        QVERIFY(differs([](RenderOptions& o) { o.opacity = 0.5; }));
        QVERIFY(differs([](RenderOptions& o) { o.trails.on = true; }));
        QVERIFY(differs([](RenderOptions& o) { o.burnIn.frameNumber = true; }));
        QVERIFY(differs([](RenderOptions& o) { o.burnIn.time = true; }));
        QVERIFY(differs([](RenderOptions& o) { o.burnIn.scaleBar = 50; }));
        QVERIFY(differs([](RenderOptions& o) { o.background = RenderBackground::White; }));
        // A transparent picture is empty but for the skeletons.
        RenderOptions clear = plain;
        clear.background = RenderBackground::Transparent;
        QCOMPARE(qAlpha(picture(clear).pixel(1, 90)), 0);
        QVERIFY(qAlpha(picture(clear).pixel(54, 40)) > 200);
    }

    void aFollowedTrackStaysInTheMiddle() {
        RenderOptions options;
        options.background = RenderBackground::Black;
        options.crop = RenderCrop::FollowTrack;
        options.track = 1;
        options.margin = 10;
        options.frames = range(0, 29);
        FrameRenderer renderer(m_labels, options, QSize(kWidth, kHeight), 30);
        QCOMPARE(renderer.size(), QSize(50, 20));
        const QColor ink = theme::trackColor(1);
        for (const std::int64_t frame : {3, 15, 27})
            QVERIFY(apart(renderer.draw(frame, {}, 0).pixelColor(25, 9), ink) < 60);
        // Between labelled frames it stays where the track was.
        QCOMPARE(renderer.draw(4, {}, 0).size(), QSize(50, 20));
    }

    void aCancelledJobLeavesNoFile() {
        RenderOptions options;
        for (int i = 0; i < 200; ++i)
            for (const std::int64_t frame : range(0, 29))
                options.frames.push_back(frame);
        const QTemporaryDir empty;
        const fs::path folder = empty.path().toStdString();
        {
            RenderJob job(m_labels, at("p.slp"), options, folder / "out.mp4");
            QTRY_VERIFY(job.done() > 3);
            job.cancel();
            QVERIFY(!job.result() && job.result().error().code() == ErrorCode::Cancelled);
        }
        options.codec = RenderCodec::PngSequence;
        RenderJob job(m_labels, at("p.slp"), options, folder / "pictures");
        QTRY_VERIFY(job.done() > 3);
        job.cancel();
        QVERIFY(!job.result());
        QVERIFY(fs::is_empty(folder));
    }

    void whatCannotBeRenderedIsSaidInASentence() {
        RenderOptions options;
        QVERIFY(!renderVideo(m_labels, at("p.slp"), options, at("no.mp4")));
        options.frames = {kFrames};
        QVERIFY(!renderVideo(m_labels, at("p.slp"), options, at("no.mp4")));
        options.frames = {0};
        QVERIFY(!renderVideo(m_labels, at("p.slp"), options, at("no.xyz")));
        QVERIFY(!renderVideo(m_labels, at("p.slp"), options, at("nowhere/no.mp4")));
        project::Labels lost = m_labels;
        lost.editVideos()[0].filename = "gone.mp4";
        QVERIFY(!renderVideo(lost, at("p.slp"), options, at("no.mp4")));
    }

    void aClipHasItsFramesAndTheirLabels() {
        formats::ClipOptions options;
        options.first = 6;
        options.last = 17;
        const auto done = formats::extractClip(m_labels, at("p.slp"), at("clip.mp4"), at("clip.slp"), options);
        QVERIFY2(done, done ? "" : done.error().describe().c_str());
        auto written = video::openVideo(at("clip.mp4"));
        QVERIFY(written);
        QCOMPARE((*written)->frameCount(), std::int64_t{12});
        for (std::int64_t i = 0; i < 12; ++i)
            QCOMPARE(test::readBarCode(**(*written)->read(i, video::PixelFormat::Rgb24)).value_or(-1), int(i + 6));
        auto labels = formats::readSlp(at("clip.slp"));
        QVERIFY(labels);
        QCOMPARE(labels->frameCount(), std::size_t{4});
        QCOMPARE(labels->frame(1).frameIndex(), std::int64_t{3});
        QCOMPARE(labels->frame(1).instance(0).points[0].x, 39.0);
        QCOMPARE(labels->frame(1).instance(1).header->track, 1);
        options.last = kFrames;
        QVERIFY(!formats::extractClip(m_labels, at("p.slp"), at("no.mp4"), at("no.slp"), options));
        QVERIFY(!fs::exists(at("no.mp4")) && !fs::exists(at("no.slp")));
    }

private:
    static QColor paletteColor_(int palette, int index) {
        return inkColor(index, static_cast<theme::Palette>(palette));
    }
};

QTEST_MAIN(TestRender)
#include "tst_render.moc"
