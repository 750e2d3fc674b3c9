// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "engine/inference/detail/stage_probe.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/support/checkpoint_writer.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using models::ParameterPlan;
using probe::Array;
using probe::Way;
namespace fs = std::filesystem;
using Parameters = std::vector<ParameterPlan>;

namespace {

Array ramp(std::int64_t height, std::int64_t width) {
    Array input{{1, 1, height, width}, {}};
    for (std::int64_t i = 0; i < height * width; ++i)
        input.values.push_back(static_cast<float>(i * 37 % 256) / 255.0F);
    return input;
}

/// Memory of this process that is not a mapped file, in bytes.
std::size_t ownMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:"))
            return std::stoul(line.substr(8)) * 1024;
    return 0;
}

/// The most memory of our own that was in use while it lived.
class MemoryPeak {
public:
    MemoryPeak()
        : m_start(ownMemory()), m_thread([this] {
              while (!m_done) {
                  note();
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
              }
          }) {}
    std::size_t growth() {
        m_done = true;
        m_thread.join();
        note();
        return m_most > m_start ? m_most - m_start : 0;
    }

private:
    void note() { m_most = std::max(m_most.load(), ownMemory()); }
    std::size_t m_start;
    std::atomic<std::size_t> m_most{0};
    std::atomic<bool> m_done{false};
    std::thread m_thread;
};

}  // namespace

/// From which files the weights of a network come.
class TestWeightFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    [[nodiscard]] fs::path folder() const { return m_dir.path().toStdString(); }
    /// A model folder with weights of one seed in best.ckpt.
    [[nodiscard]] ModelSpec makeModel(std::uint32_t seed) const {
        test::writeFile(folder() / "training_config.yaml", test::bottomUpConfig());
        test::writeFile(folder() / "best.ckpt", "x");
        const auto spec = models::readModelSpec(folder());
        write("best.ckpt", models::planNetwork(*spec)->parameters(), seed);
        return *spec;
    }
    void write(const char* name, const Parameters& parameters, std::uint32_t seed) const {
        test::writeFile(folder() / name, test::checkpointBytes(parameters, seed));
    }
    [[nodiscard]] static std::vector<Array> maps(const ModelSpec& spec) {
        auto result = probe::forward(spec, ramp(32, 48), Way::Fused);
        return result ? *result : std::vector<Array>{};
    }
    [[nodiscard]] static QString problem(const ModelSpec& spec) {
        const auto result = probe::forward(spec, ramp(32, 48), Way::Fused);
        return result ? QString("accepted") : QString::fromStdString(result.error().describe());
    }
    static bool isHead(const ParameterPlan& parameter) { return parameter.key.starts_with("head_layers."); }

private Q_SLOTS:
    void aNamedCheckpointIsTheOneThatIsRead() {
        const ModelSpec spec = makeModel(1);
        const Parameters parameters = models::planNetwork(spec)->parameters();
        write("last.ckpt", parameters, 2);
        const auto best = models::readModelSpec(folder());
        const auto byConfig = models::readModelSpec(folder() / "training_config.yaml");
        const auto last = models::readModelSpec(folder() / "last.ckpt");
        QVERIFY(best && byConfig && last);
        const auto expected = maps(spec);
        QCOMPARE(expected.size(), std::size_t{2});
        QCOMPARE(maps(*best)[0].values, expected[0].values);
        QCOMPARE(maps(*byConfig)[0].values, expected[0].values);
        QVERIFY(maps(*last)[0].values != expected[0].values);
        // It serves alone too.
        fs::remove(folder() / "best.ckpt");
        QVERIFY(!models::readModelSpec(folder()));
        const auto alone = models::readModelSpec(folder() / "last.ckpt");
        QVERIFY(alone.has_value());
        QCOMPARE(maps(*alone)[0].values, maps(*last)[0].values);
    }

    void backboneAndHeadsOfOtherFiles() {
        ModelSpec spec = makeModel(1);
        const Parameters parameters = models::planNetwork(spec)->parameters();
        write("two.ckpt", parameters, 2);
        write("three.ckpt", parameters, 3);
        const auto own = maps(spec);
        spec.weightsFile = folder() / "two.ckpt";
        const auto two = maps(spec);
        QVERIFY(own[0].values != two[0].values);
        spec.weightsFile = folder() / "best.ckpt";

        // A backbone alone brings the heads that it has: in all the second file.
        spec.backboneWeightsFile = folder() / "two.ckpt";
        QCOMPARE(maps(spec)[0].values, two[0].values);
        QCOMPARE(maps(spec)[1].values, two[1].values);
        // Heads alone: own backbone with the others' last layer.
        spec.backboneWeightsFile.clear();
        spec.headWeightsFile = folder() / "two.ckpt";
        const auto mixed = maps(spec);
        QVERIFY(mixed[0].values != own[0].values && mixed[0].values != two[0].values);
        // Both: nothing of the folder's own, which need not be readable.
        test::writeFile(folder() / "best.ckpt", "x");
        spec.backboneWeightsFile = folder() / "three.ckpt";
        const auto foreign = maps(spec);
        QCOMPARE(foreign.size(), std::size_t{2});
        spec.weightsFile = folder() / "three.ckpt";
        spec.backboneWeightsFile.clear();
        QCOMPARE(maps(spec)[0].values, foreign[0].values);
        // The same put together by hand: backbone of the third seed, heads of the second.
        QVERIFY(maps(spec)[1].values == foreign[1].values);
    }

    void backboneOfAnotherTypeOfModel() {
        ModelSpec spec = makeModel(1);
        Parameters parameters = models::planNetwork(spec)->parameters();
        const auto own = maps(spec);
        // Of the other model only the backbone fits; its heads are of no concern, the own ones stay.
        Parameters other;
        for (const ParameterPlan& parameter : parameters)
            if (!isHead(parameter))
                other.push_back(parameter);
        other.push_back({"head_layers.0.CentroidConfmapsHead.0.weight", {1, 12, 1, 1}});
        write("centroid.ckpt", other, 1);
        spec.backboneWeightsFile = folder() / "centroid.ckpt";
        QCOMPARE(problem(spec), QString("accepted"));
        QCOMPARE(maps(spec)[0].values, own[0].values);  // backbone of the same seed
        // As heads it does not serve.
        spec.backboneWeightsFile.clear();
        spec.headWeightsFile = folder() / "centroid.ckpt";
        const QString lacking = problem(spec);
        QVERIFY2(lacking.contains("centroid.ckpt") && lacking.contains("MultiInstanceConfmapsHead"),
                 qPrintable(lacking));
    }

    void filesThatDoNotFit() {
        ModelSpec spec = makeModel(1);
        const Parameters parameters = models::planNetwork(spec)->parameters();
        const auto with = [&](auto member, auto change) {
            Parameters changed = parameters;
            change(changed);
            write("other.ckpt", changed, 1);
            ModelSpec s = spec;
            s.*member = folder() / "other.ckpt";
            return problem(s);
        };
        constexpr auto backbone = &ModelSpec::backboneWeightsFile;
        constexpr auto heads = &ModelSpec::headWeightsFile;
        const auto add = [](const char* key) { return [key](Parameters& p) { p.push_back({key, {3}}); }; };
        const auto widen = [](bool head) {
            return [head](Parameters& p) {
                std::find_if(p.begin(), p.end(), [&](const auto& q) { return isHead(q) == head; })->shape[0] += 1;
            };
        };
        const auto drop = [](Parameters& p) { p.erase(p.begin()); };
        QVERIFY(with(backbone, drop).contains("lacks"));
        QCOMPARE(with(heads, drop), QString("accepted"));
        QVERIFY(with(backbone, widen(false)).contains("has the shape"));
        QCOMPARE(with(heads, widen(false)), QString("accepted"));
        QVERIFY(with(heads, widen(true)).contains("has the shape"));
        QVERIFY(with(backbone, widen(true)).contains("has the shape"));  // a head of the same name must fit
        QVERIFY(with(backbone, add("backbone.extra")).contains("backbone.extra"));
        QVERIFY(with(heads, add("head_layers.7.extra")).contains("head_layers.7.extra"));
        QCOMPARE(with(heads, add("backbone.extra")), QString("accepted"));
        ModelSpec missing = spec;
        missing.headWeightsFile = folder() / "none.ckpt";
        QVERIFY(problem(missing).contains("none.ckpt"));
        test::writeFile(folder() / "text.ckpt", "no checkpoint");
        missing.headWeightsFile = folder() / "text.ckpt";
        QVERIFY(problem(missing).contains("text.ckpt"));
    }

    /// A checkpoint of 200 MB and more, with twice as much of an optimizer's state beside it: never a second copy of
    /// the weights in memory, whichever way the network runs, and nothing of the rest.
    void largeCheckpointsAreNotCopied() {
        test::writeFile(folder() / "training_config.yaml",
                        test::bottomUpConfig("filters: 88\n      filters_rate: 2\n      max_stride: 16\n"
                                             "      up_interpolate: true\n      output_stride: 2"));
        test::writeFile(folder() / "best.ckpt", "x");
        const auto spec = models::readModelSpec(folder());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        std::size_t bytes = 0;
        {
            // Zeros in a file with holes: quickly written, and read like any others.
            test::LargeCheckpoint writer(folder() / "best.ckpt");
            for (const ParameterPlan& parameter : models::planNetwork(*spec)->parameters())
                bytes += writer.add(parameter);
            writer.finish(2);
        }
        QVERIFY(bytes > std::size_t{200} << 20);
        QVERIFY(fs::file_size(folder() / "best.ckpt") > 3 * bytes);
        const Array input = ramp(16, 16);
        for (const Way way : {Way::Plain, Way::Fused}) {
            MemoryPeak peak;
            const auto result = probe::forward(*spec, input, way, 2);
            const std::size_t growth = peak.growth();
            QVERIFY2(result.has_value(), result ? "" : result.error().describe().c_str());
            QVERIFY2(growth < bytes * 3 / 2, qPrintable(QString("%1 MB for weights of %2 MB, way %3")
                                                            .arg(growth >> 20)
                                                            .arg(bytes >> 20)
                                                            .arg(static_cast<int>(way))));
        }
    }
};

QTEST_APPLESS_MAIN(TestWeightFiles)
#include "tst_weight_files.moc"
