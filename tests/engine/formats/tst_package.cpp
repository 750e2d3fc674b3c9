// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "engine/formats/embedded_video.h"
#include "engine/formats/match_videos.h"
#include "engine/formats/moved_videos.h"
#include "engine/formats/project_video.h"
#include "engine/formats/write_package.h"
#include "engine/video/image_decoder.h"
#include "engine/video/image_encoder.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::formats;
namespace fs = std::filesystem;

namespace {

const fs::path kVideo = fs::path(SKEIN_SOURCE_DIR) / "resources/sample/synthetic_6.mp4";

project::Labels labelsOf(const fs::path& video) {
    project::Labels labels;
    project::Skeleton skeleton;
    skeleton.nodes = {"a"};
    labels.editSkeletons().push_back(skeleton);
    project::Video entry;
    entry.filename = video.string();
    labels.editVideos().push_back(entry);
    for (const int frame : {1, 3, 4}) {
        project::InstanceData instance;
        instance.header.kind = frame == 4 ? project::InstanceKind::Predicted : project::InstanceKind::User;
        instance.points.push_back({5.0 + frame, 6, 0.5, true, false});
        labels.appendFrame({0, frame, {instance}, -1});
    }
    labels.editSuggestions().push_back({0, 2, 0, {}});
    return labels;
}

}  // namespace

class TestPackage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPngReadsBackAsItWas() {
        for (const int channels : {1, 3}) {
            Image image{37, 21, channels, {}};
            for (int i = 0; i < 37 * 21 * channels; ++i)
                image.pixels.push_back(static_cast<std::uint8_t>(i * 31 + i / 7));
            const auto bytes = video::encodePng(image);
            QVERIFY(bytes);
            const auto back = video::decodeImage(*bytes);
            QVERIFY(back);
            QCOMPARE(back->channels, channels);
            QVERIFY(back->pixels == image.pixels);
        }
    }

    void aPackageHoldsTheChosenPicturesPixelForPixel_data() {
        QTest::addColumn<int>("content");
        QTest::addColumn<int>("pictures");
        QTest::newRow("user") << int(PackageContent::User) << 2;
        QTest::newRow("suggested") << int(PackageContent::UserAndSuggested) << 3;
        QTest::newRow("predicted") << int(PackageContent::UserSuggestedPredicted) << 4;
    }
    void aPackageHoldsTheChosenPicturesPixelForPixel() {
        QFETCH(int, content);
        QFETCH(int, pictures);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "p.pkg.slp";
        const project::Labels labels = labelsOf(kVideo);
        double last = 0;
        SlpWriteOptions options;
        options.progress = [&last](std::string_view, double fraction) {
            QVERIFY(fraction >= last);
            last = fraction;
        };
        const auto report = writePackage(labels, {}, path, static_cast<PackageContent>(content), options);
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        QCOMPARE(report->embedded, std::size_t(pictures));
        QCOMPARE(report->missing, 0U);
        QVERIFY(last > 0.99);
        // Nothing but the package is left.
        QCOMPARE(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);

        const auto packed = readSlp(path);
        QVERIFY(packed);
        QCOMPARE(packed->instanceCount(), labels.instanceCount());
        QVERIFY(isEmbedded(packed->videos()[0]));
        const auto original = openProjectVideo(labels, 0, {});
        const auto embedded = openProjectVideo(*packed, 0, path);
        QVERIFY(original && embedded);
        QCOMPARE((*embedded)->isGray(), (*original)->isGray());
        for (const auto& [index, frame] : packageFrames(labels, static_cast<PackageContent>(content))) {
            const auto a = (*original)->read(frame, (*original)->engineFormat());
            const auto b = (*embedded)->read(frame, (*embedded)->engineFormat());
            QVERIFY(a && b);
            QVERIFY((*a)->pixels == (*b)->pixels);
        }
        QVERIFY(!(*embedded)->read(5, (*embedded)->engineFormat()));
        // The source is remembered: a project of the same video knows it again.
        QCOMPARE(matchVideos(labels.videos(), {}, packed->videos(), path), std::vector<std::int32_t>{0});
    }

    // P44: a package of a package copies its pictures.
    void aPackageOfAPackageHoldsTheSamePictures() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        QVERIFY(writePackage(labelsOf(kVideo), {}, dir / "a.pkg.slp", PackageContent::User));
        auto first = readSlp(dir / "a.pkg.slp");
        QVERIFY(first);
        project::Video another;
        another.filename = kVideo.string();
        first->editVideos().insert(first->editVideos().begin(), another);
        auto rows = *first;
        for (std::size_t row = 0; row < rows.frameCount(); ++row) {
            auto frame = rows.frame(row).toData();
            frame.video = 1;
            rows.replaceFrame(row, frame);
        }
        rows.appendFrame({0, 2, rows.frame(0).toData().instances, -1});
        const auto report = writePackage(rows, dir / "a.pkg.slp", dir / "b.pkg.slp", PackageContent::User);
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        const auto second = readSlp(dir / "b.pkg.slp");
        QVERIFY(second);
        for (std::uint32_t video = 0; video < 2; ++video) {
            const auto source = openProjectVideo(*second, video, dir / "b.pkg.slp");
            QVERIFY(source);
            const std::int64_t frame = video == 0 ? 2 : 3;
            const auto picture = (*source)->read(frame, (*source)->engineFormat());
            QVERIFY2(picture, picture ? "" : picture.error().message().c_str());
            const auto original = video::openVideo(kVideo);
            QVERIFY((*picture)->pixels == (*(*original)->read(frame, (*original)->engineFormat()))->pixels);
        }
    }

    void aStoppedExportLeavesNothing() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "p.pkg.slp";
        std::stop_source stop;
        SlpWriteOptions options;
        options.stop = stop.get_token();
        options.progress = [&stop](std::string_view, double fraction) {
            if (fraction > 0.3)
                stop.request_stop();
        };
        const auto report = writePackage(labelsOf(kVideo), {}, path, PackageContent::User, options);
        QVERIFY(!report);
        QCOMPARE(report.error().code(), ErrorCode::Cancelled);
        QVERIFY(fs::is_empty(path.parent_path()));
    }

    void aMissingVideoIsCountedAndItsLabelsAreWritten() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "p.pkg.slp";
        const auto report = writePackage(labelsOf("/nowhere/x.mp4"), {}, path, PackageContent::User);
        QVERIFY(report);
        QCOMPARE(report->missing, 2U);
        QCOMPARE(report->warnings.size(), 1U);
        QCOMPARE(readSlp(path)->videos()[0].filename, std::string("/nowhere/x.mp4"));
    }

    void changesOfPathsAreTakenFromOneExample() {
        const auto change = changeBetween("C:\\data\\mice\\a\\one.mp4", "/mnt/disk/mice/a/one.mp4");
        QVERIFY(change);
        QCOMPARE(change->from, std::string("C:/data"));
        QCOMPARE(change->to, std::string("/mnt/disk"));
        QCOMPARE(changed("c:\\Data\\mice\\b\\two.mp4", *change),
                 std::optional<std::string>("/mnt/disk/mice/b/two.mp4"));
        QVERIFY(!changed("C:/data2/mice/b/two.mp4", *change));
        QVERIFY(!changeBetween("/a/b.mp4", "/a/b.mp4"));
    }

    void aFileTwoFoldersUpIsFound() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        fs::create_directories(dir / "videos/day1");
        fs::create_directories(dir / "projects/mine");
        std::ofstream(dir / "videos/day1/one.mp4") << "x";
        const auto found = findMoved("Z:\\lab\\videos\\day1\\one.mp4", dir / "projects/mine", {});
        QVERIFY(found);
        QCOMPARE(*found, dir / "videos/day1/one.mp4");
        QVERIFY(!findMoved("Z:\\lab\\videos\\day1\\two.mp4", dir / "projects/mine", {}));
    }
};

QTEST_GUILESS_MAIN(TestPackage)
#include "tst_package.moc"
