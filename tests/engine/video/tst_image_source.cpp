// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/video/image_decoder.h"
#include "engine/video/video_source.h"
#include "tests/engine/video/video_checks.h"
#include "tests/support/reference.h"
#include "tests/support/video_maker.h"

using namespace skein;
using namespace skein::video;
using namespace skein::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::uint8_t> numberedPng(int number, int width = 160, int height = 96) {
    return makeImageFile("png", width, height, 3, [number](int x, int y, int) {
        const bool isBar = y < kBarCell && x < kBarCell * kBarCells;
        return static_cast<std::uint8_t>(isBar ? (barIsWhite(x / kBarCell, number) ? 255 : 0) : x ^ y);
    });
}

}  // namespace

class TestImageSource : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void pngGivesExactlyWhatIsStored() {
        const auto value = [](int x, int y, int c) { return static_cast<std::uint8_t>(x * 3 + y * 5 + c * 71); };
        for (const int channels : {1, 3})
            for (const int width : {1, 7, 64, 161}) {
                const auto image = decodeImage(makeImageFile("png", width, 9, channels, value));
                QVERIFY(image.has_value());
                QCOMPARE(image->width, width);
                QCOMPARE(image->height, 9);
                QCOMPARE(image->channels, channels);
                std::size_t i = 0;
                for (int y = 0; y < 9; ++y)
                    for (int x = 0; x < width; ++x)
                        for (int c = 0; c < channels; ++c)
                            QCOMPARE(image->pixels[i++], value(x, y, c));
            }
    }

    void jpegComesWithinItsLoss() {
        const auto image = decodeImage(makeImageFile("mjpeg", 64, 48, 3, [](int x, int y, int c) {
            return static_cast<std::uint8_t>(c == 0 ? 60 + x + y : 128);
        }));
        QVERIFY(image.has_value());
        QCOMPARE(image->channels, 3);
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    QVERIFY(
                        std::abs(
                            image->pixels[(static_cast<std::size_t>(y) * 64 + static_cast<std::size_t>(x)) * 3 + c] -
                            (60 + x + y)) <= 6);
    }

    void zerosBehindAPictureAreIgnored() {
        std::vector<std::uint8_t> bytes = numberedPng(5);
        const auto exact = decodeImage(bytes);
        bytes.resize(bytes.size() + 5000, 0);
        const auto padded = decodeImage(bytes);
        QVERIFY(exact.has_value() && padded.has_value());
        QCOMPARE(padded->pixels, exact->pixels);
    }

    void damagedPicturesAreRefusedNotShownGrey() {
        for (const char* encoder : {"png", "mjpeg"}) {
            const std::vector<std::uint8_t> whole = makeImageFile(
                encoder, 120, 80, 3, [](int x, int y, int c) { return static_cast<std::uint8_t>(x * y + c); });
            QVERIFY(decodeImage(whole).has_value());
            for (const double share : {0.0, 0.01, 0.3, 0.7, 0.95}) {
                const std::vector<std::uint8_t> cut(
                    whole.begin(),
                    whole.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(whole.size()) * share));
                const auto image = decodeImage(cut);
                QVERIFY2(!image.has_value(), (std::string(encoder) + " " + std::to_string(share)).c_str());
                QCOMPARE(image.error().code(), ErrorCode::Format);
            }
        }
        const std::string text = "This is no picture at all, only some text of fair length.";
        QVERIFY(!decodeImage(std::vector<std::uint8_t>(text.begin(), text.end())).has_value());
    }

    void hugeSizesAreNotBelieved() {
        std::vector<std::uint8_t> bytes = numberedPng(1);
        for (std::size_t at = 16; at < 24; ++at)
            bytes[at] = at % 4 == 0 ? 0x7f : 0xff;
        QVERIFY(!decodeImage(bytes).has_value());
    }

    void naturalOrderComparesNumbersAsNumbers() {
        std::vector<std::string> names{"img10.png", "img2.png", "img1.png", "a.png", "img02b.png", "img2.PNG", "img"};
        std::sort(names.begin(), names.end(), naturallyBefore);
        QCOMPARE(names, (std::vector<std::string>{"a.png", "img", "img1.png", "img2.PNG", "img2.png", "img02b.png",
                                                  "img10.png"}));
        QVERIFY(naturallyBefore("99999999999999999999998", "99999999999999999999999"));
        QVERIFY(!naturallyBefore("x", "x"));
        QVERIFY(naturallyBefore("01", "1") != naturallyBefore("1", "01"));
    }

    void pitfall_P72_folderOfImagesIsReadInNaturalOrder() {
        const fs::path images = folder() / "images";
        fs::create_directory(images);
        for (const int number : {1, 2, 10, 9, 100})
            write(images / ("frame" + std::to_string(number) + ".png"), numberedPng(number));
        std::ofstream(images / "notes.txt") << "not a picture";
        fs::create_directory(images / "folder.png");
        const auto source = openVideo(images);
        QVERIFY(source.has_value());
        QCOMPARE((*source)->frameCount(), FrameNumber{5});
        const std::vector<int> expected{1, 2, 9, 10, 100};
        for (const FrameNumber frame : {4, 0, 3, 1, 2}) {
            QCOMPARE(readBarCode(**(*source)->read(frame, PixelFormat::Rgb24)),
                     std::optional(expected[static_cast<std::size_t>(frame)]));
            QCOMPARE((*source)->frameName(frame),
                     "frame" + std::to_string(expected[static_cast<std::size_t>(frame)]) + ".png");
        }
        QCOMPARE((*source)->codecName(), std::string("png"));
        QVERIFY((*source)->isGray());
        QCOMPARE(readBarCode(**(*(*source)->openAnother())->read(4, PixelFormat::Gray8)), std::optional(100));
    }

    void oneBadImageOfAListFailsAlone() {
        const fs::path good = folder() / "good.png";
        const fs::path bad = folder() / "bad.png";
        write(good, numberedPng(3));
        std::vector<std::uint8_t> cut = numberedPng(4);
        cut.resize(cut.size() / 2);
        write(bad, cut);
        const auto source = openImages({good, bad, folder() / "missing.png", good});
        QVERIFY(source.has_value());
        QCOMPARE((*source)->frameCount(), FrameNumber{4});
        QVERIFY((*source)->warnings().empty());
        for (const FrameNumber frame : {1, 2}) {
            const auto image = (*source)->read(frame, PixelFormat::Rgb24);
            QVERIFY(!image.has_value());
            QVERIFY(image.error().message().find(frame == 1 ? "bad.png" : "missing.png") != std::string::npos);
            QCOMPARE((*source)->stateOf(frame), FrameState::Unreadable);
        }
        QCOMPARE(readBarCode(**(*source)->read(3, PixelFormat::Rgb24)), std::optional(3));
        QCOMPARE((*source)->warnings().size(), std::size_t{1});
        QVERIFY(!openImages({bad, good}).has_value());
        QVERIFY(!openImages({}).has_value());
    }

    void pitfall_P14_P16_P72_imagesOfTheManifest_data() {
        QTest::addColumn<QString>("path");
        const auto reference = referenceDir();
        if (!reference) {
            QTest::newRow("no reference pack") << QString();
            return;
        }
        const json manifest = json::parse(std::ifstream(*reference / "pitfalls/manifest.json"));
        for (const json& file : manifest["files"])
            if (file["kind"] == "images")
                QTest::newRow(file["path"].get<std::string>().c_str())
                    << QString::fromStdString(file["path"].get<std::string>());
    }

    void pitfall_P14_P16_P72_imagesOfTheManifest() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, path);
        const json manifest = json::parse(std::ifstream(reference / "pitfalls/manifest.json"));
        json expected;
        for (const json& file : manifest["files"])
            if (file["path"] == path.toStdString())
                expected = file["expect"];
        const auto source = openVideo(reference / "pitfalls" / path.toStdString());
        if (expected["open"] == "ok-or-error") {
            // Cut short: pages come until the damage, then an error that names the page.
            QVERIFY(source.has_value());
            std::optional<FrameNumber> failed;
            for (FrameNumber k = 0; k < (*source)->frameCount(); ++k) {
                const auto image = (*source)->read(k, PixelFormat::Gray8);
                if (image)
                    QCOMPARE(readBarCode(**image), std::optional(static_cast<int>(k)));
                else if (!failed)
                    QVERIFY(image.error().message().find("page " + std::to_string(*(failed = k))) != std::string::npos);
            }
            return;
        }
        QVERIFY2(source.has_value(), source ? "" : source.error().describe().c_str());
        QCOMPARE((*source)->frameCount(), expected["n_frames"].get<FrameNumber>());
        const auto codes = expected["codes"].get<std::vector<int>>();
        for (const auto& [name, frames] : readingOrders((*source)->frameCount()))
            for (const FrameNumber frame : frames) {
                const auto image = (*source)->read(frame, PixelFormat::Rgb24);
                QVERIFY(image.has_value());
                const auto k = static_cast<std::size_t>(frame);
                QCOMPARE(readBarCode(**image), std::optional(codes[k]));
                const char* means = expected.contains("display_mean") ? "display_mean" : "mean";
                if (expected.contains(means))
                    QVERIFY(std::abs(meanOf(**image) - expected[means][k].get<double>()) < 0.01);
                if (expected.contains("sizes")) {
                    QCOMPARE((*image)->width, expected["sizes"][k][0].get<int>());
                    QCOMPARE((*image)->height, expected["sizes"][k][1].get<int>());
                }
                if (expected.contains("files"))
                    QCOMPARE((*source)->frameName(frame), expected["files"][k].get<std::string>());
            }
        if (expected.contains("channels"))
            QCOMPARE((*source)->channels(), expected["channels"].get<int>());
    }
};

QTEST_GUILESS_MAIN(TestImageSource)
#include "tst_image_source.moc"
