// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "engine/video/detail/image_pool.h"

using namespace skein;
using video::detail::ImagePool;

class TestImagePool : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void memoryOfPicturesLetGoIsUsedAgain() {
        ImagePool pool;
        std::set<const std::uint8_t*> seen;
        for (int i = 0; i < 100; ++i) {
            const std::shared_ptr<Image> a = pool.take(64, 48, 1);
            const std::shared_ptr<Image> b = pool.take(64, 48, 1);
            QVERIFY(a->pixels.data() != b->pixels.data());
            seen.insert({a->pixels.data(), b->pixels.data()});
        }
        QCOMPARE(seen.size(), std::size_t{2});
    }

    void picturesHaveTheShapeAskedFor() {
        ImagePool pool;
        pool.take(10, 10, 4).reset();
        const std::shared_ptr<Image> small = pool.take(3, 2, 1);
        QCOMPARE(small->width, 3);
        QCOMPARE(small->height, 2);
        QCOMPARE(small->channels, 1);
        QCOMPARE(small->pixels.size(), std::size_t{6});
    }

    void picturesOutliveThePoolAndMayBeLetGoOnAnyThread() {
        std::optional<ImagePool> pool(std::in_place);
        std::vector<ImagePtr> pictures;
        for (int i = 0; i < 40; ++i) {
            const std::shared_ptr<Image> image = pool->take(32, 32, 3);
            std::fill(image->pixels.begin(), image->pixels.end(), static_cast<std::uint8_t>(i));
            pictures.push_back(image);
        }
        std::vector<ImagePtr> half(pictures.begin() + 20, pictures.end());
        pictures.resize(20);
        std::thread other([held = std::move(half)]() mutable { held.clear(); });
        pool.reset();
        other.join();
        for (std::size_t i = 0; i < pictures.size(); ++i)
            QCOMPARE(pictures[i]->pixels.back(), static_cast<std::uint8_t>(i));
    }
};

QTEST_APPLESS_MAIN(TestImagePool)
#include "tst_image_pool.moc"
