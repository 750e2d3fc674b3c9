// SPDX-License-Identifier: BSD-3-Clause
// Pictures inside HDF5 files: packages of all layouts, and arrays.
#include <QtTest>
#include <numeric>

#include "engine/formats/embedded_video.h"
#include "engine/formats/project_video.h"
#include "engine/formats/sha256.h"
#include "engine/formats/slp.h"
#include "tests/engine/formats/slp_test.h"
#include "tests/support/bar_code.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::formats;
using namespace skein::test;
using video::PixelFormat;
namespace fs = std::filesystem;

namespace {

/// A file with one array of pictures: pixel = 100 * frame + 10 * row + column + channel.
void makeArray(const fs::path& path, hid_t type, bool channelsFirst, int channels) {
    constexpr std::size_t kFrames = 2, kHeight = 3, kWidth = 4;
    const auto depth = static_cast<std::size_t>(channels);
    std::vector<double> values(kFrames * kHeight * kWidth * depth);
    for (std::size_t f = 0; f < kFrames; ++f)
        for (std::size_t y = 0; y < kHeight; ++y)
            for (std::size_t x = 0; x < kWidth; ++x)
                for (std::size_t c = 0; c < depth; ++c) {
                    const std::size_t at = channelsFirst ? ((f * depth + c) * kWidth + x) * kHeight + y
                                                         : ((f * kHeight + y) * kWidth + x) * depth + c;
                    values[at] = static_cast<double>(100 * f + 10 * y + x + c);
                }
    const h5::Session session;
    auto file = h5::createFile(path);
    const std::array<hsize_t, 4> dims = channelsFirst ? std::array<hsize_t, 4>{kFrames, depth, kWidth, kHeight}
                                                      : std::array<hsize_t, 4>{kFrames, kHeight, kWidth, depth};
    const h5::Id space(H5Screate_simple(4, dims.data(), nullptr));
    const h5::Id array(H5Dcreate2(file->get(), "box", type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Dwrite(array.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

double meanOf(const Image& image) {
    return static_cast<double>(std::accumulate(image.pixels.begin(), image.pixels.end(), std::uint64_t{0})) /
           static_cast<double>(image.pixels.size());
}

}  // namespace

class TestEmbeddedVideo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void packagesOfAllLayouts_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("exact");
        // JPEG pixels depend on the decoder in their last bits.
        QTest::newRow("padded png, BGR") << "gen_embedded_png.pkg" << true;
        QTest::newRow("vlen png, RGB") << "gen_embedded_png_vlen_rgb.pkg" << true;
        QTest::newRow("padded jpg") << "gen_embedded_jpg.pkg" << false;
        QTest::newRow("sparse, old") << "gen_legacy_sparse.pkg" << true;
        QTest::newRow("large metadata") << "gen_large_metadata.pkg" << true;
        QTest::newRow("from SLEAP 1.x") << "minimal_instance.pkg" << true;
    }
    void packagesOfAllLayouts() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, file);
        QFETCH(bool, exact);
        const std::string name = file.toStdString();
        const fs::path path = reference / "slp" / (name + ".slp");
        const auto expected = TestJson::parse(textOf(reference / "slp" / (name + ".expected.json")));
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        for (std::uint32_t i = 0; i < labels->videos().size(); ++i) {
            const auto& embedded = expected["videos"][i]["embedded"];
            auto source = openProjectVideo(*labels, i, path);
            QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
            const auto* images = dynamic_cast<const EmbeddedVideoSource*>(source->get());
            QVERIFY(images != nullptr);
            QCOMPARE(images->embeddedFrames(), embedded["frame_numbers"].get<std::vector<std::int64_t>>());
            for (const auto& pixels : embedded["pixels"]) {
                const auto frame = pixels["frame"].get<std::int64_t>();
                QVERIFY(images->stateOf(frame) == video::FrameState::Readable);
                const auto image = (*source)->read(frame, (*source)->engineFormat());
                QVERIFY2(image.has_value(), image ? "" : image.error().describe().c_str());
                QCOMPARE((*image)->height, pixels["shape"][0].get<int>());
                QCOMPARE((*image)->width, pixels["shape"][1].get<int>());
                QCOMPARE((*image)->channels, pixels["shape"][2].get<int>());
                if (exact)
                    QCOMPARE(sha256((*image)->pixels).substr(0, 16), pixels["sha256_16"].get<std::string>());
                double mean = 0;
                for (const auto& channel : pixels["mean"])
                    mean += channel.get<double>() / static_cast<double>(pixels["mean"].size());
                QVERIFY(std::abs(meanOf(**image) - mean) < 0.5);
            }
        }
    }

    void rawPackageIsFoundByItsGroups() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_embedded_raw.pkg.slp";
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        auto raw = openProjectVideo(*labels, 0, path);
        QVERIFY2(raw.has_value(), raw ? "" : raw.error().describe().c_str());
        const fs::path twin = reference / "slp" / "gen_embedded_png.pkg.slp";
        const auto twinLabels = readSlp(twin);
        auto png = openProjectVideo(*twinLabels, 0, twin);
        QVERIFY(png.has_value());
        for (const std::int64_t frame : {2, 7}) {
            const auto a = (*raw)->read(frame, PixelFormat::Rgb24);
            const auto b = (*png)->read(frame, PixelFormat::Rgb24);
            QVERIFY(a && b);
            QCOMPARE((*a)->pixels, (*b)->pixels);
        }
    }

    void labelsReferToAnotherPackage() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "nn_bottomup_labels_train_gt_0.slp";
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        auto source = openProjectVideo(*labels, 0, path);
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->width(), 384);
        QVERIFY((*source)->isGray());
        QVERIFY((*source)->read(0, PixelFormat::Gray8).has_value());
    }

    void pitfall_P44_picturesStayWithTheirLabels() {
        SKEIN_NEEDS_REFERENCE(reference);
        const Folder folder;
        fs::path path = reference / "pitfalls" / "slp" / "package_sparse_ids.pkg.slp";
        for (int round = 0; round < 3; ++round) {
            auto labels = readSlp(path);
            QVERIFY(labels.has_value());
            const std::vector<std::vector<std::int64_t>> frames = {{3, 9}, {1}};
            for (std::uint32_t video = 0; video < 2; ++video) {
                auto source = openProjectVideo(*labels, video, path);
                QVERIFY(source.has_value());
                std::vector<std::int64_t> labelled;
                for (const std::size_t row : labels->rowsOf(video))
                    labelled.push_back(labels->frame(row).frameIndex());
                QCOMPARE(labelled, frames[video]);
                for (const std::int64_t frame : frames[video]) {
                    const auto image = (*source)->read(frame, PixelFormat::Rgb24);
                    QVERIFY(image.has_value());
                    QCOMPARE(readBarCode(**image), std::optional<int>(static_cast<int>(frame)));
                }
            }
            // Without the first video's frames the ids alone would be ambiguous.
            if (round == 1) {
                auto fewer = *labels;
                fewer.removeFrames(fewer.rowsOf(0));
                QVERIFY(writeSlp(fewer, folder / "fewer.pkg.slp").has_value());
                const auto again = readSlp(folder / "fewer.pkg.slp");
                QVERIFY(again.has_value());
                QCOMPARE(again->frame(0).video(), std::uint32_t{1});
            }
            path = folder / ("round" + std::to_string(round) + ".pkg.slp");
            QVERIFY(writeSlp(*labels, path).has_value());
            noteSaved(*labels, path);
            // Over itself, with the pictures inside.
            QVERIFY(writeSlp(*labels, path).has_value());
            QVERIFY(fs::file_size(path) > 40000);
        }
    }

    void removedVideosTakeTheirPicturesWithThem() {
        SKEIN_NEEDS_REFERENCE(reference);
        const Folder folder;
        auto labels = readSlp(reference / "slp" / "gen_embedded_png.pkg.slp");
        QVERIFY(labels.has_value());
        labels->removeFrames(labels->rowsOf(0));
        for (std::size_t row = 0; row < labels->frameCount(); ++row) {
            auto frame = labels->frame(row).toData();
            --frame.video;
            labels->replaceFrame(row, frame);
        }
        labels->editVideos().erase(labels->videos().begin());
        labels->editSuggestions().clear();
        const fs::path path = folder / "a.pkg.slp";
        const auto written = writeSlp(*labels, path);
        QVERIFY2(written.has_value(), written ? "" : written.error().describe().c_str());
        noteSaved(*labels, path);
        QVERIFY(writeSlp(*labels, path).has_value());
        const auto again = readSlp(path);
        QVERIFY(again.has_value());
        QCOMPARE(again->frame(0).video(), std::uint32_t{0});
        auto source = openProjectVideo(*again, 0, path);
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QVERIFY((*source)->read(11, PixelFormat::Rgb24).has_value());
        const h5::Session session;
        const auto file = h5::openFile(path);
        std::size_t groups = 0;
        for (const std::string& name : h5::linkNames(file->get()))
            groups += name.rfind("video", 0) == 0 && name != "videos_json" ? 1U : 0U;
        QCOMPARE(groups, std::size_t{2});
    }

    void saveWithoutThePackageIsRefusedUnlessAllowed() {
        SKEIN_NEEDS_REFERENCE(reference);
        const Folder folder;
        const fs::path path = folder / "a.pkg.slp";
        fs::copy(reference / "slp" / "gen_embedded_png.pkg.slp", path);
        fs::permissions(path, fs::perms::owner_all);
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        fs::remove(path);
        const auto refused = writeSlp(*labels, folder / "b.pkg.slp");
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().message().find("embedded") != std::string::npos);
        QVERIFY(!fs::exists(folder / "b.pkg.slp"));
        SaveReport report;
        SlpWriteOptions options;
        options.allowLoss = true;
        QVERIFY(writeSlp(*labels, folder / "b.pkg.slp", options, &report).has_value());
        QCOMPARE(report.warnings.size(), std::size_t{1});
        QVERIFY(readSlp(folder / "b.pkg.slp").has_value());
    }

    void anotherFileRefersToThePackage() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_embedded_png.pkg.slp";
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        project::Labels predictions;
        predictions.editVideos() = externalVideos(*labels, path);
        predictions.editSkeletons() = labels->skeletons();
        predictions.appendFrame({0, 7, {}, -1});
        const Folder folder;
        QVERIFY(writeSlp(predictions, folder / "p.slp").has_value());
        const auto again = readSlp(folder / "p.slp");
        QVERIFY(again.has_value());
        QCOMPARE(again->videos()[0].filename, path.generic_string());
        auto source = openProjectVideo(*again, 0, folder / "p.slp");
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QVERIFY((*source)->read(7, PixelFormat::Rgb24).has_value());
        const auto images = frameImages(*again, folder / "p.slp");
        QVERIFY(images(0, 7) != nullptr);
        QVERIFY(images(0, 3) == nullptr);
        QVERIFY(images(9, 0) == nullptr);
    }

    void arraysInBothAxisOrders_data() {
        QTest::addColumn<bool>("channelsFirst");
        QTest::addColumn<int>("channels");
        for (const bool first : {false, true})
            for (const int channels : {1, 3, 4})
                QTest::addRow("%s, %d", first ? "channels first" : "channels last", channels) << first << channels;
    }
    void arraysInBothAxisOrders() {
        QFETCH(bool, channelsFirst);
        QFETCH(int, channels);
        const Folder folder;
        makeArray(folder / "a.h5", H5T_STD_U8LE, channelsFirst, channels);
        auto source = EmbeddedVideoSource::open({folder / "a.h5", "box", channelsFirst, false, false});
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->frameCount(), std::int64_t{2});
        QCOMPARE((*source)->width(), 4);
        QCOMPARE((*source)->height(), 3);
        const auto image = (*source)->read(1, PixelFormat::Rgb24);
        QVERIFY(image.has_value());
        for (std::size_t y = 0; y < 3; ++y)
            for (std::size_t x = 0; x < 4; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    QCOMPARE(static_cast<std::size_t>((*image)->pixels[(y * 4 + x) * 3 + c]),
                             100 + 10 * y + x + (channels == 1 ? 0 : c));
    }

    void deepAndRealArraysKeepTheirRange() {
        const Folder folder;
        makeArray(folder / "deep.h5", H5T_STD_U16LE, false, 1);
        auto deep = EmbeddedVideoSource::open({folder / "deep.h5", "box", false, false, {}});
        QVERIFY(deep.has_value());
        QVERIFY((*deep)->isGray());
        QCOMPARE((*(*deep)->read(1, PixelFormat::Gray8))->pixels[0], std::uint8_t{0});  // 100 of 65535
        makeArray(folder / "real.h5", H5T_IEEE_F32LE, false, 1);
        auto real = EmbeddedVideoSource::open({folder / "real.h5", "box", false, false, {}});
        QVERIFY(real.has_value());
        QCOMPARE((*(*real)->read(1, PixelFormat::Gray8))->pixels[11], std::uint8_t{123});
    }

    void arraysOfTheReference_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("channelsFirst");
        QTest::newRow("channels first") << "channels_first.h5" << true;
        QTest::newRow("channels last") << "channels_last.h5" << false;
    }
    void arraysOfTheReference() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, file);
        QFETCH(bool, channelsFirst);
        auto source = EmbeddedVideoSource::open(
            {reference / "pitfalls" / "hdf5" / file.toStdString(), "box", channelsFirst, false, {}});
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->frameCount(), std::int64_t{6});
        QCOMPARE((*source)->width(), 160);
        QCOMPARE((*source)->height(), 96);
        const std::vector<double> means = {94.077, 98.155, 100.124, 102.113, 104.053, 97.953};
        for (const std::int64_t frame : {5, 0, 3, 4, 1, 2}) {
            const auto image = (*source)->read(frame, PixelFormat::Rgb24);
            QVERIFY(image.has_value());
            QCOMPARE(readBarCode(**image), std::optional<int>(static_cast<int>(frame)));
            QVERIFY(std::abs(meanOf(**image) - means[static_cast<std::size_t>(frame)]) < 0.01);
        }
    }

    void filesWithoutPicturesSayWhatTheyHold() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path hdf5 = reference / "pitfalls" / "hdf5";
        const auto none = EmbeddedVideoSource::open({hdf5 / "no_4d_dataset.h5", "box", false, false, {}});
        QVERIFY(!none.has_value());
        QVERIFY(none.error().message().find("no pictures") != std::string::npos);
        const auto other = EmbeddedVideoSource::open({hdf5 / "channels_last.h5", "bo", false, false, {}});
        QVERIFY(!other.has_value());
        QVERIFY(other.error().message().find("at box") != std::string::npos);
        QVERIFY(!EmbeddedVideoSource::open({hdf5 / "truncated.h5", "box", false, false, {}}).has_value());
    }

    void framesWithoutPictureAreNamed() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path path = reference / "slp" / "gen_embedded_png.pkg.slp";
        const auto labels = readSlp(path);
        auto source = openProjectVideo(*labels, 0, path);
        QVERIFY(source.has_value());
        QCOMPARE((*source)->frameCount(), std::int64_t{12});
        const auto absent = (*source)->read(3, PixelFormat::Rgb24);
        QVERIFY(!absent.has_value());
        QVERIFY(absent.error().message().find("Frame 3 is not embedded") != std::string::npos);
        QVERIFY((*source)->stateOf(3) == video::FrameState::Unreadable);
        QCOMPARE((*source)->read(12, PixelFormat::Rgb24).error().code(), ErrorCode::InvalidArgument);
        QCOMPARE((*source)->read(-1, PixelFormat::Rgb24).error().code(), ErrorCode::InvalidArgument);
        auto other = (*source)->openAnother();
        QVERIFY(other.has_value());
        QVERIFY((*other)->read(2, PixelFormat::Bgra32).has_value());
    }

    void croppedVideosComeCropped() {
        const Folder folder;
        makeArray(folder / "a.h5", H5T_STD_U8LE, false, 1);
        project::Labels made;
        project::Video video;
        video.filename = "a.h5";
        video.dataset = "box";
        video.channels = 1;
        made.editVideos() = {video};
        const fs::path path = folder / "a.slp";
        QVERIFY(writeSlp(made, path).has_value());
        {
            const h5::Session session;
            const h5::Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
            QVERIFY(
                h5::writeText(file.get(), "video_crops", R"([{"video":0,"crop":[1,-1,6,2],"fill":9}])").has_value());
        }
        const auto labels = readSlp(path);
        QVERIFY(labels.has_value());
        auto source = openProjectVideo(*labels, 0, path);
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->width(), 5);
        QCOMPARE((*source)->height(), 3);
        const auto image = (*source)->read(1, PixelFormat::Gray8);
        QVERIFY(image.has_value());
        // Row -1 lies above the frame, columns 4 and 5 to the right of it.
        const std::vector<std::uint8_t> expected = {9, 9, 9, 9, 9, 101, 102, 103, 9, 9, 111, 112, 113, 9, 9};
        QCOMPARE((*image)->pixels, expected);
        QCOMPARE((*(*source)->openAnother())->width(), 5);
    }

    void missingVideosAreNamed() {
        project::Labels labels;
        project::Video video;
        video.filename = "C:/lost/x.mp4";
        labels.editVideos() = {video};
        const Folder folder;
        const auto source = openProjectVideo(labels, 0, folder / "a.slp");
        QVERIFY(!source.has_value());
        QCOMPARE(source.error().code(), ErrorCode::NotFound);
        QVERIFY(source.error().message().find("C:/lost/x.mp4") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestEmbeddedVideo)
#include "tst_embedded_video.moc"
