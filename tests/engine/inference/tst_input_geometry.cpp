// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/inference/input_geometry.h"
#include "tests/support/case_file.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;

class TestInputGeometry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedSizes() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "models-cases.json");
        int seen = 0;
        for (const auto& c : cases["pad_to_stride"]) {
            const Size frame = {c["h"], c["w"]};
            const auto g = inputGeometry(frame, {}, c["max_stride"]);
            QCOMPARE(g.padded, (Size{frame.height + c["pad_h"].get<int>(), frame.width + c["pad_w"].get<int>()}));
            ++seen;
        }
        for (const auto& c : cases["resize_size"]) {
            models::PreprocessSpec p;
            p.scale = c["scale"];
            const auto g = inputGeometry({c["h"], c["w"]}, p, 1);
            QCOMPARE(g.scaled, (Size{c["out"][0], c["out"][1]}));
            ++seen;
        }
        for (const auto& c : cases["sizematcher_size"]) {
            models::PreprocessSpec p;
            if (!c["max_height"].is_null())
                p.maxHeight = c["max_height"].get<int>();
            if (!c["max_width"].is_null())
                p.maxWidth = c["max_width"].get<int>();
            const auto g = inputGeometry({c["h"], c["w"]}, p, 1);
            QCOMPARE(g.matched, (Size{c["out"][0], c["out"][1]}));
            QCOMPARE(g.resized, (Size{c["resized"][0], c["resized"][1]}));
            QCOMPARE(g.effScale, c["eff_scale"].get<float>());
            ++seen;
        }
        QCOMPARE(seen, 25);
    }

    void nothingToDo() {
        const auto g = inputGeometry({384, 384}, {}, 16);
        QCOMPARE(g.resized, g.frame);
        QCOMPARE(g.matched, g.frame);
        QCOMPARE(g.scaled, g.frame);
        QCOMPARE(g.padded, g.frame);
        QCOMPARE(g.effScale, 1.0F);
    }

    void neverVanishes() {
        models::PreprocessSpec p;
        p.scale = 0.01;
        p.maxHeight = 1;
        const auto g = inputGeometry({7, 4000}, p, 16);
        QVERIFY(g.resized.height >= 1 && g.resized.width >= 1 && g.scaled.height >= 1 && g.scaled.width >= 1);
        QCOMPARE(g.padded.height % 16, 0);
    }

    void overridesWinOverTraining() {
        models::PreprocessSpec trained;
        trained.maxHeight = 384;
        trained.scale = 0.5;
        trained.ensureGrayscale = true;
        InferenceOptions options;
        auto p = effectivePreprocess(trained, options);
        QVERIFY(p && p->maxHeight == 384 && p->scale == 0.5 && p->ensureGrayscale);
        options.maxHeight = 224;
        options.maxWidth = 200;
        options.inputScale = 1.0;
        options.ensureGrayscale = false;
        options.ensureRgb = true;
        p = effectivePreprocess(trained, options);
        QVERIFY(p && p->maxHeight == 224 && p->maxWidth == 200 && p->scale == 1.0 && p->ensureRgb &&
                !p->ensureGrayscale);
        options.ensureGrayscale = true;
        QVERIFY(!effectivePreprocess(trained, options));
        options = {};
        options.inputScale = 0.0;
        QVERIFY(!effectivePreprocess(trained, options));
        options = {};
        options.maxWidth = -5;
        QVERIFY(!effectivePreprocess(trained, options));
    }
};

QTEST_APPLESS_MAIN(TestInputGeometry)
#include "tst_input_geometry.moc"
