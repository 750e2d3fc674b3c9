// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>
#include <random>

#include "engine/inference/bottomup_packer.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/packed_layout.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using probe::Array;
using test::Maps;
using test::near;

namespace {

struct FoundPeak {
    float x, y, value;
    std::size_t slot;
};

std::vector<FoundPeak> peaksOf(const HostBatch& batch, std::size_t frame, std::size_t node) {
    const PackedLayout layout = layoutOf(batch);
    std::vector<FoundPeak> peaks;
    const auto count = static_cast<std::size_t>(wordAsCount(batch.packed[layout.count(frame, node)]));
    for (std::size_t k = 0; k < std::min(count, layout.slots); ++k) {
        const float* p = batch.packed.data() + layout.peak(frame, node, k);
        if (!std::isnan(p[2]))
            peaks.push_back({p[0], p[1], p[2], k});
    }
    return peaks;
}

}  // namespace

/// The tensor operations written for GPUs must give what the CPU's loops give.
class TestTensorPeaks : public QObject {
    Q_OBJECT

    static void compare(const BottomUpPacker::Options& options, const Array& confmaps, const Array& pafs, int slots,
                        const char* what, int* peaksSeen = nullptr) {
        const auto size = [](const Array& a, std::size_t d) { return static_cast<int>(a.shape[d]); };
        const Maps c(size(confmaps, 0), size(confmaps, 1), size(confmaps, 2), size(confmaps, 3), confmaps.values);
        const Maps p(size(pafs, 0), size(pafs, 1), size(pafs, 2), size(pafs, 3), pafs.values);
        BottomUpPacker packer(options);
        packer.begin();
        for (int f = 0; f < c.frames; ++f)
            packer.add(c.view(f), p.view(f));
        const auto loops = packer.finish();
        QVERIFY2(loops.has_value(), what);
        // Room to spare, also for flat tops that are dropped later, but little: every pair of slots costs.
        if (slots == 0)
            slots = 2 * loops->slots + 8;
        const auto tensors = probe::packWithTensors(options, confmaps, pafs, slots);
        QVERIFY2(tensors.has_value(), tensors ? what : tensors.error().describe().c_str());
        const PackedLayout a = layoutOf(*loops);
        const PackedLayout b = layoutOf(*tensors);
        QCOMPARE(tensors->packed.size(), b.size());
        for (std::size_t f = 0; f < a.frames; ++f) {
            for (std::size_t n = 0; n < a.channels; ++n) {
                const auto expected = peaksOf(*loops, f, n);
                const auto got = peaksOf(*tensors, f, n);
                QVERIFY2(got.size() == expected.size(), what);
                for (std::size_t k = 0; k < got.size(); ++k) {
                    QVERIFY2(got[k].value == expected[k].value, what);
                    QVERIFY2(near(got[k].x, expected[k].x, 1e-4F * std::max(1.0F, std::abs(expected[k].x))), what);
                    QVERIFY2(near(got[k].y, expected[k].y, 1e-4F * std::max(1.0F, std::abs(expected[k].y))), what);
                }
                if (peaksSeen != nullptr)
                    *peaksSeen += static_cast<int>(got.size());
            }
            for (std::size_t e = 0; e < a.edges; ++e) {
                const auto source = static_cast<std::size_t>(options.edges[e].source);
                const auto destination = static_cast<std::size_t>(options.edges[e].destination);
                const auto as = peaksOf(*loops, f, source);
                const auto ad = peaksOf(*loops, f, destination);
                const auto bs = peaksOf(*tensors, f, source);
                const auto bd = peaksOf(*tensors, f, destination);
                for (std::size_t i = 0; i < as.size(); ++i)
                    for (std::size_t j = 0; j < ad.size(); ++j) {
                        const float expected = loops->packed[a.score(f, e, as[i].slot, ad[j].slot)];
                        const float got = tensors->packed[b.score(f, e, bs[i].slot, bd[j].slot)];
                        QVERIFY2(near(got, expected, 1e-5F),
                                 qPrintable(QString("%1: %2 for %3").arg(what).arg(got).arg(expected)));
                    }
            }
        }
    }

private Q_SLOTS:
    void recordedPeaks() {
        test::forCases("local_peaks", 18, [&](const nlohmann::json& c, const std::string&) {
            const Array confmaps{test::shapeOf(c["inputs"]["confmaps"]), test::numbers(c["inputs"]["confmaps"])};
            const auto nodes = static_cast<int>(confmaps.shape[1]);
            const Array pafs{{confmaps.shape[0], 2, 4, 4},
                             std::vector<float>(static_cast<std::size_t>(confmaps.shape[0] * 32), 0.5F)};
            BottomUpPacker::Options options{
                {c["params"]["threshold"], c["params"]["refinement"] == "integral", c["params"]["patch"]},
                {},
                1,
                1,
                nodes,
                {{0, nodes - 1}}};
            compare(options, confmaps, pafs, 16, c["id"].get<std::string>().c_str());
        });
    }

    /// Coarse values make ties, flat tops of every form and plateaus; the field is arbitrary.
    void randomMaps() {
        std::mt19937 random(20240229);
        int peaks = 0;
        for (int round = 0; round < 40; ++round) {
            const int nodes = 1 + static_cast<int>(random() % 4);
            const int height = 5 + static_cast<int>(random() % 20);
            const int width = 5 + static_cast<int>(random() % 20);
            const int levels = 3 + round % 6;
            Array confmaps{{3, nodes, height, width}, {}};
            for (int i = 0; i < 3 * nodes * height * width; ++i)
                confmaps.values.push_back(static_cast<float>(random() % static_cast<unsigned>(levels)) / 4.0F -
                                          (round % 3 == 0 ? 0.25F : 0.0F));
            std::vector<project::Edge> edges;
            for (int e = 0; e < nodes; ++e)
                edges.push_back({e, (e + 1) % nodes});
            Array pafs{{3, 2 * nodes, 7, 6}, {}};
            for (int i = 0; i < 3 * 2 * nodes * 42; ++i)
                pafs.values.push_back(static_cast<float>(random() % 2001) / 1000.0F - 1.0F);
            const BottomUpPacker::Options options{
                {0.2F, round % 2 == 0, 1 + round % 7}, {0.25, 1.5, 1 + round % 12}, 2, 4, nodes, edges};
            compare(options, confmaps, pafs, 0, qPrintable(QString("round %1").arg(round)), &peaks);
        }
        QVERIFY(peaks > 2000);
    }

    /// More peaks than slots: the header says so, and the first slots are right.
    void overflowIsReported() {
        std::vector<float> map(21 * 21, 0.0F);
        for (int y = 1; y < 21; y += 2)
            for (int x = 1; x < 21; x += 2)
                map[static_cast<std::size_t>(21 * y + x)] = 1;
        const Array confmaps{{1, 1, 21, 21}, map};
        const Array pafs{{1, 2, 5, 5}, std::vector<float>(50, 0.0F)};
        const BottomUpPacker::Options options{{0.2F, false, 5}, {}, 1, 4, 1, {{0, 0}}};
        const auto few = probe::packWithTensors(options, confmaps, pafs, 32);
        QVERIFY(!few && few.error().message().find("100 peaks") != std::string::npos);
        const auto enough = probe::packWithTensors(options, confmaps, pafs, 128);
        QVERIFY(enough.has_value());
        QCOMPARE(peaksOf(*enough, 0, 0).size(), std::size_t{100});
    }
};

QTEST_GUILESS_MAIN(TestTensorPeaks)
#include "tst_tensor_peaks.moc"
