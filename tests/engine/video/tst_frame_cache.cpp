// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "engine/video/damage_map.h"
#include "engine/video/detail/luma_map.h"
#include "engine/video/detail/zero_run.h"
#include "engine/video/frame_cache.h"
#include "engine/video/pixel_format.h"

using namespace skein;
using namespace skein::video;

namespace {

ImagePtr imageOf(int bytes, std::uint8_t value = 0) {
    auto image = std::make_shared<Image>();
    image->width = bytes;
    image->height = 1;
    image->channels = 1;
    image->pixels.assign(static_cast<std::size_t>(bytes), value);
    return image;
}

ImagePtr rgbOf(std::vector<std::uint8_t> pixels) {
    auto image = std::make_shared<Image>();
    image->width = static_cast<int>(pixels.size() / 3);
    image->height = 1;
    image->channels = 3;
    image->pixels = std::move(pixels);
    return image;
}

}  // namespace

class TestFrameCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsWhatFitsAndDropsTheLeastRecentlyUsed() {
        FrameCache cache(100);
        cache.put({1, 0, PixelFormat::Gray8}, imageOf(40));
        cache.put({1, 1, PixelFormat::Gray8}, imageOf(40));
        QVERIFY(cache.get({1, 0, PixelFormat::Gray8}) != nullptr);
        cache.put({1, 2, PixelFormat::Gray8}, imageOf(40));
        QVERIFY(cache.get({1, 0, PixelFormat::Gray8}) != nullptr);
        QVERIFY(cache.get({1, 1, PixelFormat::Gray8}) == nullptr);
        QVERIFY(cache.get({1, 2, PixelFormat::Gray8}) != nullptr);
        const CacheStats stats = cache.stats();
        QCOMPARE(stats.bytes, std::size_t{80});
        QCOMPARE(stats.frames, std::size_t{2});
        QCOMPARE(stats.evictions, std::uint64_t{1});
        QCOMPARE(stats.hits, std::uint64_t{3});
        QCOMPARE(stats.misses, std::uint64_t{1});
    }

    void pitfall_P26_videosAndFormatsAreKeptApart() {
        FrameCache cache(1000);
        cache.put({1, 5, PixelFormat::Gray8}, imageOf(1, 10));
        cache.put({2, 5, PixelFormat::Gray8}, imageOf(1, 20));
        cache.put({1, 5, PixelFormat::Bgra32}, imageOf(1, 30));
        QCOMPARE(cache.get({1, 5, PixelFormat::Gray8})->pixels[0], std::uint8_t{10});
        QCOMPARE(cache.get({2, 5, PixelFormat::Gray8})->pixels[0], std::uint8_t{20});
        QCOMPARE(cache.get({1, 5, PixelFormat::Bgra32})->pixels[0], std::uint8_t{30});
        cache.removeVideo(1);
        QVERIFY(cache.get({1, 5, PixelFormat::Gray8}) == nullptr);
        QVERIFY(cache.get({1, 5, PixelFormat::Bgra32}) == nullptr);
        QVERIFY(cache.get({2, 5, PixelFormat::Gray8}) != nullptr);
        QCOMPARE(cache.stats().bytes, std::size_t{1});
    }

    void replacingAPictureCountsItsBytesOnce() {
        FrameCache cache(100);
        cache.put({1, 0, PixelFormat::Gray8}, imageOf(60));
        cache.put({1, 0, PixelFormat::Gray8}, imageOf(70, 7));
        QCOMPARE(cache.stats().bytes, std::size_t{70});
        QCOMPARE(cache.get({1, 0, PixelFormat::Gray8})->pixels[0], std::uint8_t{7});
        cache.put({1, 1, PixelFormat::Gray8}, imageOf(101));
        QVERIFY(cache.get({1, 1, PixelFormat::Gray8}) == nullptr);
        QVERIFY(cache.get({1, 0, PixelFormat::Gray8}) != nullptr);
        cache.setCapacity(10);
        QCOMPARE(cache.stats().bytes, std::size_t{0});
    }

    void neverExceedsItsCapacityUnderThreads() {
        FrameCache cache(5000);
        std::atomic<int> mixedUp{0};
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < 4; ++t)
            threads.emplace_back([&cache, &mixedUp, t] {
                std::mt19937 random(t);
                for (int i = 0; i < 3000; ++i) {
                    const FrameKey key{random() % 3, static_cast<FrameNumber>(random() % 50), PixelFormat::Gray8};
                    if (const ImagePtr found = cache.get(key))
                        mixedUp += found->pixels[0] != static_cast<std::uint8_t>(key.frame) ? 1 : 0;
                    else
                        cache.put(
                            key, imageOf(100 + static_cast<int>(random() % 100), static_cast<std::uint8_t>(key.frame)));
                    if (i % 500 == 0)
                        cache.removeVideo(random() % 3);
                }
            });
        threads.clear();
        QCOMPARE(mixedUp.load(), 0);
        QVERIFY(cache.stats().bytes <= 5000);
        cache.clear();
        QCOMPARE(cache.stats().bytes, std::size_t{0});
        QCOMPARE(cache.stats().frames, std::size_t{0});
    }

    void formatsConvertWithRedAsGray() {
        const ImagePtr rgb = rgbOf({10, 20, 30, 40, 50, 60});
        QCOMPARE(toFormat(rgb, PixelFormat::Rgb24), rgb);
        QCOMPARE(toFormat(rgb, PixelFormat::Gray8)->pixels, (std::vector<std::uint8_t>{10, 40}));
        const ImagePtr bgra = toFormat(rgb, PixelFormat::Bgra32);
        QCOMPARE(bgra->pixels, (std::vector<std::uint8_t>{30, 20, 10, 255, 60, 50, 40, 255}));
        QCOMPARE(toFormat(bgra, PixelFormat::Rgb24)->pixels, rgb->pixels);
        QCOMPARE(toFormat(bgra, PixelFormat::Gray8)->pixels, (std::vector<std::uint8_t>{10, 40}));
        const ImagePtr gray = imageOf(2, 7);
        QCOMPARE(toFormat(gray, PixelFormat::Rgb24)->pixels, (std::vector<std::uint8_t>{7, 7, 7, 7, 7, 7}));
        QCOMPARE(toFormat(gray, PixelFormat::Bgra32)->pixels, (std::vector<std::uint8_t>{7, 7, 7, 255, 7, 7, 7, 255}));
    }

    void grayMeansRedEqualsBlueEverywhere() {
        QVERIFY(redEqualsBlue(*rgbOf({10, 99, 10, 4, 5, 4})));
        QVERIFY(!redEqualsBlue(*rgbOf({10, 10, 10, 4, 4, 5})));
        QVERIFY(redEqualsBlue(*imageOf(3)));
    }

    void damageIsFinalAndSearchedOnce() {
        DamageMap map(50);
        QCOMPARE(map.stateOf(3), FrameState::Unknown);
        map.markReadable(3);
        QCOMPARE(map.stateOf(3), FrameState::Readable);
        for (const FrameNumber frame : {3, 4, 5, 9, 5})
            map.markUnreadable(frame);
        map.markReadable(4);
        QCOMPARE(map.stateOf(4), FrameState::Unreadable);
        QCOMPARE(map.unreadableFrames(), FrameNumber{4});
        QCOMPARE(map.describe(), std::string("3-5, 9"));
        QCOMPARE(map.describe(1), std::string("3-5, ..."));
        int searches = 0;
        const auto search = [&]() -> Result<void> { return ++searches, Result<void>(); };
        QCOMPARE(map.searchOnce(7, search).value(), true);
        QCOMPARE(map.searchOnce(7, search).value(), false);
        const auto cancelled = []() -> Result<void> { return fail(ErrorCode::Cancelled, "Stopped."); };
        QVERIFY(!map.searchOnce(8, cancelled).has_value());
        QCOMPARE(map.searchOnce(8, search).value(), true);
        QCOMPARE(searches, 2);
    }

    void zerosThatNoEncoderWritesAreDamage() {
        const auto forbidden = [](std::vector<std::uint8_t> bytes, bool isLengthPrefixed) {
            return detail::hasForbiddenZeros(bytes, isLengthPrefixed);
        };
        std::vector<std::uint8_t> bytes(200, 7);
        QVERIFY(!forbidden(bytes, true));
        QVERIFY(!forbidden({}, true));
        for (std::size_t at = 0; at + 9 <= bytes.size(); ++at) {
            std::vector<std::uint8_t> hole = bytes;
            std::fill_n(hole.begin() + static_cast<std::ptrdiff_t>(at), 3, std::uint8_t{0});
            QVERIFY(!forbidden(hole, true));
            std::fill_n(hole.begin() + static_cast<std::ptrdiff_t>(at), 9, std::uint8_t{0});
            QVERIFY(forbidden(hole, true));
            QCOMPARE(forbidden(hole, false), at + 9 < bytes.size());
            if (at + 9 < bytes.size()) {
                hole[at + 9] = 1;  // filling before a start code
                QVERIFY(!forbidden(hole, false));
                QVERIFY(forbidden(hole, true));
            }
        }
    }

    void lumaMapEqualsItsTableWhetherLineOrNot() {
        std::mt19937 random(7);
        std::vector<std::array<std::uint8_t, 256>> tables(5);
        for (std::size_t i = 0; i < 256; ++i) {
            const double y = static_cast<double>(i);
            tables[0][i] = static_cast<std::uint8_t>(i);
            tables[1][i] = static_cast<std::uint8_t>(std::clamp(std::floor((y - 16) * 1.1643836), 0.0, 255.0));
            tables[2][i] = static_cast<std::uint8_t>(random());
            tables[3][i] = static_cast<std::uint8_t>(255 - i);
            tables[4][i] = 9;
        }
        for (const auto& table : tables) {
            const detail::LumaMap map(table);
            std::vector<std::uint8_t> in(1000);
            for (std::size_t i = 0; i < in.size(); ++i)
                in[i] = static_cast<std::uint8_t>(i);
            std::vector<std::uint8_t> out(in.size() + 1, 77);
            map.toGray(in.data(), out.data(), in.size());
            for (std::size_t i = 0; i < in.size(); ++i)
                QCOMPARE(out[i], table[in[i]]);
            QCOMPARE(out.back(), std::uint8_t{77});
        }
        QVERIFY(detail::LumaMap(tables[0]).isLine());
        QVERIFY(!detail::LumaMap(tables[2]).isLine());
    }
};

QTEST_APPLESS_MAIN(TestFrameCache)
#include "tst_frame_cache.moc"
