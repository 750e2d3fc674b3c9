// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <random>

#include "engine/inference/local_peaks.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::Maps;
using test::near;

class TestLocalPeaks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCases() {
        test::forCases("local_peaks", 18, [&](const nlohmann::json& c, const std::string& id) {
            const Maps maps(c["inputs"]["confmaps"]);
            const PeakOptions options{c["params"]["threshold"].get<float>(), c["params"]["refinement"] == "integral",
                                      c["params"]["patch"].get<int>()};
            std::vector<Peak> got;
            std::vector<int> sample;
            for (int f = 0; f < maps.frames; ++f) {
                findLocalPeaks(maps.view(f), options, got);
                sample.resize(got.size(), f);
            }
            const auto& e = c["expected"];
            QVERIFY2(got.size() == e["points"].size(), id.c_str());
            for (std::size_t i = 0; i < got.size(); ++i) {
                QVERIFY2(near(got[i].x, test::number(e["points"][i][0])), id.c_str());
                QVERIFY2(near(got[i].y, test::number(e["points"][i][1])), id.c_str());
                QVERIFY2(near(got[i].value, test::number(e["values"][i])), id.c_str());
                QVERIFY2(sample[i] == e["sample"][i].get<int>() && got[i].channel == e["channel"][i].get<int>(),
                         id.c_str());
            }
        });
    }

    /// Refinement alone, from the recorded global peaks: ties, negative mass, even patches, borders.
    void recordedRefinement() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "inference-cases.json");
        int seen = 0;
        for (const auto& c : cases["cases"]) {
            if (c["op"] != "global_peaks" || c["params"]["refinement"] != "integral")
                continue;
            const Maps maps(c["inputs"]["confmaps"]);
            for (int f = 0; f < maps.frames; ++f)
                for (int channel = 0; channel < maps.channels; ++channel) {
                    const MapView view = maps.view(f);
                    float best = -std::numeric_limits<float>::infinity();
                    for (int y = 0; y < maps.height; ++y)
                        for (int x = 0; x < maps.width; ++x)
                            best = std::max(best, view.at(y, x, channel));
                    const auto& expected =
                        c["expected"]["points"][static_cast<std::size_t>(f)][static_cast<std::size_t>(channel)];
                    // The peer takes column and row of the maximum separately, each the first that holds it.
                    int px = maps.width;
                    int py = maps.height;
                    for (int y = 0; y < maps.height; ++y)
                        for (int x = 0; x < maps.width; ++x)
                            if (view.at(y, x, channel) == best) {
                                px = std::min(px, x);
                                py = std::min(py, y);
                            }
                    if (!(best >= c["params"]["threshold"].get<float>()) || px == maps.width)
                        continue;
                    auto x = static_cast<float>(px);
                    auto y = static_cast<float>(py);
                    refinePeak(view, channel, c["params"]["patch"].get<int>(), x, y);
                    QVERIFY2(near(x, test::number(expected[0]), 1e-4F) && near(y, test::number(expected[1]), 1e-4F),
                             c["id"].get<std::string>().c_str());
                    ++seen;
                }
        }
        QVERIFY(seen >= 5);
    }

    /// Width and number of channels do not line up with the blocks of the fast scan: every pixel must still be seen.
    void everyPlaceIsSeen() {
        for (int channels = 1; channels <= 5; ++channels)
            for (int width = 1; width <= 40; width += 3)
                for (int at = 0; at < 3 * width * channels; at += 7) {
                    std::vector<float> flat(static_cast<std::size_t>(3 * width * channels), 0.0F);
                    flat[static_cast<std::size_t>(at)] = 1;
                    const MapView view{flat.data(), 3, width, channels};
                    std::vector<Peak> peaks;
                    findLocalPeaks(view, {0.2F, false, 5}, peaks);
                    QCOMPARE(peaks.size(), std::size_t{1});
                    QCOMPARE(peaks[0].channel, at % channels);
                    QCOMPARE(static_cast<int>(peaks[0].x), at / channels % width);
                    QCOMPARE(static_cast<int>(peaks[0].y), at / channels / width);
                }
    }

    void thresholdIsStrict() {
        std::vector<float> map(49, 0.0F);
        map[24] = 0.25F;
        std::vector<Peak> peaks;
        findLocalPeaks({map.data(), 7, 7, 1}, {0.25F, false, 5}, peaks);
        QVERIFY(peaks.empty());
        findLocalPeaks({map.data(), 7, 7, 1}, {0.249F, false, 5}, peaks);
        QCOMPARE(peaks.size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestLocalPeaks)
#include "tst_local_peaks.moc"
