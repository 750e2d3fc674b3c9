// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "engine/formats/slp.h"
#include "engine/pipeline/prediction_input.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::pipeline;
using project::InstanceKind;

namespace {

project::InstanceData instance(InstanceKind kind, double x) {
    project::InstanceData data;
    data.header.kind = kind;
    data.points = {{x, 10, 0.5, true, false}, {x + 4, 20, 0.5, true, false}};
    return data;
}

/// An uncompressed picture of one colour.
std::string bitmap(int width, int height, char value) {
    std::string bytes = "BM";
    const auto number = [&](std::uint32_t n, int size) {
        for (int i = 0; i < size; ++i)
            bytes += static_cast<char>(n >> (8 * static_cast<unsigned>(i)));
    };
    const auto pixels = static_cast<std::uint32_t>(3 * width * height);  // rows of a multiple of four bytes
    number(54 + pixels, 4);
    number(0, 4);
    number(54, 4);
    number(40, 4);
    number(static_cast<std::uint32_t>(width), 4);
    number(static_cast<std::uint32_t>(height), 4);
    number(1, 2);
    number(24, 2);
    for (const std::uint32_t n : {0U, pixels, 2835U, 2835U, 0U, 0U})
        number(n, 4);
    return bytes + std::string(pixels, value);
}

/// Two videos (images of one colour each, made in `folder`). Labelled by a person: frames 1 and 3 of the first, 0 of
/// the second; predicted: 1 and 2 of the first; suggested: 3 and 4 of the first.
project::Labels labelsIn(const QTemporaryDir& folder) {
    project::Labels labels;
    for (int v = 0; v < 2; ++v) {
        project::Video video;
        for (int i = 0; i < 5; ++i) {
            const std::string name = folder.filePath(QString("v%1_%2.bmp").arg(v).arg(i)).toStdString();
            std::ofstream file(name, std::ios::binary);
            file << bitmap(16, 12, static_cast<char>(10 * v + i));
            video.imageFiles.push_back(name);
        }
        video.filename = video.imageFiles.front();
        video.frameCount = 5;
        labels.editVideos().push_back(video);
    }
    project::Skeleton skeleton;
    skeleton.nodes = {"head", "tail"};
    labels.editSkeletons().push_back(skeleton);
    const auto add = [&](std::uint32_t video, std::int64_t frame, std::vector<project::InstanceData> instances) {
        labels.appendFrame({video, frame, std::move(instances), -1});
    };
    add(0, 3, {instance(InstanceKind::User, 30), instance(InstanceKind::User, 40)});
    add(0, 1, {instance(InstanceKind::User, 10), instance(InstanceKind::Predicted, 99)});
    add(0, 2, {instance(InstanceKind::Predicted, 20)});
    add(1, 0, {instance(InstanceKind::User, 50)});
    labels.editSuggestions().push_back({0, 3, 0, {}});
    labels.editSuggestions().push_back({0, 4, 0, {}});
    return labels;
}

using Keys = std::vector<FrameKey>;
using Numbers = std::vector<std::int64_t>;

}  // namespace

/// What a run reads: frames of videos, of labels files, and of labels files by what they hold.
class TestPredictionInput : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::filesystem::path m_file;

    [[nodiscard]] Result<PredictionInput> open(const std::function<void(InputRequest&)>& change = {}) const {
        InputRequest request;
        request.data = m_file;
        if (change)
            change(request);
        return openPredictionInput(request);
    }

private Q_SLOTS:
    void initTestCase() {
        m_file = m_dir.filePath("labels.slp").toStdString();
        const auto saved = formats::writeSlp(labelsIn(m_dir), m_file);
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().describe().c_str());
    }

    void theDecoderIsThatOfTheRequest() {
        const std::filesystem::path sample = std::filesystem::path(SKEIN_SOURCE_DIR) / "resources/sample";
        const auto notes = [](const Result<PredictionInput>& input) {
            return input ? input->sources.front().source->decoderNote() : input.error().describe();
        };
        for (const char* name : {"synthetic_6.mp4", "expected.slp"}) {
            const auto on = [&](video::DecoderChoice decoder) {
                return open([&](InputRequest& r) {
                    r.data = sample / name;
                    r.frames = "0-3";
                    r.decoder = decoder;
                });
            };
            QCOMPARE(notes(on(video::DecoderChoice::Processor)), std::string());
            const std::string why = video::whyNoGpuDecoding();
            QCOMPARE(notes(on(video::DecoderChoice::Gpu)), why.empty() ? "the GPU." : "the processor. " + why);
        }
    }

    void flagsBecomeOneKind() {
        QCOMPARE(*frameKind(false, false, false, false), FrameKind::Any);
        QCOMPARE(*frameKind(true, true, false, true), FrameKind::Labeled);
        QCOMPARE(*frameKind(false, true, true, true), FrameKind::Suggested);
        QCOMPARE(*frameKind(false, false, true, true), FrameKind::NotLabeled);
        QCOMPARE(*frameKind(false, false, false, true), FrameKind::Predicted);
        QVERIFY(!frameKind(true, false, true, false));
    }

    void framesOfAFile() {
        const project::Labels labels = labelsIn(m_dir);
        QCOMPARE(selectFrames(labels, FrameKind::Any, nullptr), (Keys{{0, 3}, {0, 1}, {0, 2}, {1, 0}}));
        QCOMPARE(selectFrames(labels, FrameKind::Labeled, nullptr), (Keys{{0, 3}, {0, 1}, {1, 0}}));
        QCOMPARE(selectFrames(labels, FrameKind::NotLabeled, nullptr), (Keys{{0, 2}}));
        QCOMPARE(selectFrames(labels, FrameKind::Predicted, nullptr), (Keys{{0, 1}, {0, 2}}));
        QCOMPARE(selectFrames(labels, FrameKind::Suggested, nullptr), (Keys{{0, 4}}));
        const auto list = parseFrameList("1-2,9");
        std::int64_t outside = 0;
        QCOMPARE(selectFrames(labels, FrameKind::Labeled, &*list, &outside), (Keys{{0, 1}, {1, 0}}));
        QCOMPARE(outside, std::int64_t{1});
    }

    void framesOfOneVideo() {
        const project::Labels labels = labelsIn(m_dir);
        const Numbers all = {0, 1, 2, 3, 4};
        QCOMPARE(selectFromVideo(labels, 0, all, FrameKind::Any), all);
        QCOMPARE(selectFromVideo(labels, 0, all, FrameKind::Labeled), (Numbers{1, 3}));
        QCOMPARE(selectFromVideo(labels, 0, all, FrameKind::NotLabeled), (Numbers{0, 2, 4}));
        QCOMPARE(selectFromVideo(labels, 0, all, FrameKind::Predicted), (Numbers{1, 2}));
        QCOMPARE(selectFromVideo(labels, 0, all, FrameKind::Suggested), Numbers{4});
        QCOMPARE(selectFromVideo(labels, 0, {3, 4}, FrameKind::Labeled), Numbers{3});
        QCOMPARE(selectFromVideo(labels, 1, all, FrameKind::Suggested), Numbers{});
    }

    void labelsFile() {
        auto input = open();
        QVERIFY2(input.has_value(), input ? "" : input.error().describe().c_str());
        QCOMPARE(input->videos.size(), std::size_t{2});
        QCOMPARE(input->sources.size(), std::size_t{2});
        QCOMPARE(input->sources[0].frames, (Numbers{1, 2, 3}));
        QCOMPARE(input->sources[1].frames, Numbers{0});
        QCOMPARE(input->sources[1].video, 1U);
        QVERIFY(input->sources[0].centroids.empty());

        input = open([](InputRequest& r) { r.frames = "0,3"; });
        QCOMPARE(input->sources[0].frames, Numbers{3});
        QCOMPARE(input->sources[1].frames, Numbers{0});

        input = open([](InputRequest& r) { r.videoIndex = 0; });
        QCOMPARE(input->sources.size(), std::size_t{1});
        QCOMPARE(input->sources[0].frames, (Numbers{0, 1, 2, 3, 4}));
        input = open([](InputRequest& r) {
            r.videoIndex = 0;
            r.frames = "3,1,1,7";
            r.kind = FrameKind::Labeled;
        });
        QCOMPARE(input->sources[0].frames, (Numbers{1, 3}));
    }

    void whatIsWrongIsSaid() {
        const auto problem = [this](const std::function<void(InputRequest&)>& change) {
            const auto input = open(change);
            return input ? QString("accepted") : QString::fromStdString(input.error().message());
        };
        QVERIFY(problem([](InputRequest& r) { r.videoIndex = 7; }).contains("2 videos, the first being 0"));
        QVERIFY(problem([](InputRequest& r) {
                    r.videoIndex = 1;
                    r.kind = FrameKind::Predicted;
                }).contains("no frames with predictions"));
        QVERIFY(problem([](InputRequest& r) {
                    r.kind = FrameKind::Suggested;
                    r.frames = "5";
                }).contains("among the chosen ones"));
        QVERIFY(problem([](InputRequest& r) { r.frames = "x"; }).contains("no frame number"));
        QVERIFY(problem([](InputRequest& r) { r.data = "/nowhere/at.mp4"; }).contains("no file or folder"));
    }

    /// A run that is told where instances are: those a person made, one centroid each, frames without one left out.
    void aroundInstances() {
        auto input = open([](InputRequest& r) { r.around = inference::CentroidDefinition(); });
        QVERIFY(input.has_value());
        QCOMPARE(input->sources.size(), std::size_t{2});
        QCOMPARE(input->sources[0].frames, (Numbers{1, 3}));
        QCOMPARE(input->sources[0].centroids.size(), std::size_t{2});
        QCOMPARE(input->sources[0].centroids[0].size(), std::size_t{1});  // the predicted one does not count
        QCOMPARE(input->sources[0].centroids[0][0].x, 12.0F);
        QCOMPARE(input->sources[0].centroids[0][0].y, 15.0F);
        QCOMPARE(input->sources[0].centroids[1].size(), std::size_t{2});
        QCOMPARE(input->sources[1].centroids[0][0].x, 52.0F);

        inference::CentroidDefinition tail;
        tail.method = inference::CentroidMethod::Anchor;
        tail.anchorNode = "tail";
        input = open([&](InputRequest& r) {
            r.around = tail;
            r.videoIndex = 0;
        });
        QCOMPARE(input->sources[0].frames, (Numbers{1, 3}));
        QCOMPARE(input->sources[0].centroids[0][0].x, 14.0F);

        const auto video = open([&](InputRequest& r) {
            r.data = m_dir.filePath("v0_0.bmp").toStdString();
            r.around = tail;
        });
        QVERIFY(!video && video.error().message().find("a video has none") != std::string::npos);
    }

    void videosAndPackages() {
        SKEIN_NEEDS_REFERENCE(reference);
        InputRequest request;
        request.data = reference / "media/small_robot.mp4";
        request.frames = "5,3,400";
        request.kind = FrameKind::Labeled;
        auto input = openPredictionInput(request);
        QVERIFY(input.has_value());
        QCOMPARE(input->sources[0].frames, (Numbers{5, 3}));
        QCOMPARE(input->warnings.size(), std::size_t{2});  // a frame outside; kinds mean nothing for a video
        request = {};
        request.data = reference / "media/minimal_instance.pkg.slp";
        request.videoIndex = 0;
        input = openPredictionInput(request);
        QVERIFY2(input.has_value(), input ? "" : input.error().describe().c_str());
        QCOMPARE(input->sources[0].frames.size(), std::size_t{1});  // only what the package holds
    }

    void arraysOfPictures() {
        SKEIN_NEEDS_REFERENCE(reference);
        InputRequest request;
        request.data = reference / "pitfalls/hdf5/channels_last.h5";
        const auto last = openPredictionInput(request);
        QVERIFY2(last.has_value(), last ? "" : last.error().describe().c_str());
        QCOMPARE(last->sources[0].frames.size(), std::size_t{6});
        QCOMPARE(last->videos[0].dataset, std::string("box"));
        request.data = reference / "pitfalls/hdf5/channels_first.h5";
        request.videoDataset = "box";
        request.channelsFirst = true;
        const auto first = openPredictionInput(request);
        QVERIFY2(first.has_value(), first ? "" : first.error().describe().c_str());
        QVERIFY(first->videos[0].rowJson.find("channels_first") != std::string::npos);
        for (const std::int64_t frame : first->sources[0].frames)
            QCOMPARE((*first->sources[0].source->read(frame, video::PixelFormat::Rgb24))->pixels,
                     (*last->sources[0].source->read(frame, video::PixelFormat::Rgb24))->pixels);
        const auto problem = [](const InputRequest& wrong) {
            const auto input = openPredictionInput(wrong);
            return input ? QString("accepted") : QString::fromStdString(input.error().message());
        };
        request.videoDataset = "cage";
        QVERIFY(problem(request).contains("box"));
        request = {};
        request.data = reference / "pitfalls/hdf5/no_4d_dataset.h5";
        QVERIFY(problem(request).contains("neither labels nor pictures"));
        request.data = reference / "media/small_robot.mp4";
        request.videoDataset = "box";
        QVERIFY(problem(request).contains("is none"));
    }
};

QTEST_GUILESS_MAIN(TestPredictionInput)
#include "tst_prediction_input.moc"
