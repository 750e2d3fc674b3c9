// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/models/checkpoint/checkpoint.h"
#include "engine/models/checkpoint/pickle.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/support/case_file.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::models;
using test::PickleWriter;
using test::ZipWriter;

namespace {

float element(const TensorView& view, std::int64_t index) {
    float value = 0;
    std::memcpy(&value, view.data + static_cast<std::size_t>(index) * sizeof(float), sizeof(float));
    return value;
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

class TestCheckpoint : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    [[nodiscard]] std::filesystem::path file() const { return m_dir.filePath("best.ckpt").toStdString(); }
    [[nodiscard]] Result<Checkpoint> open(const std::string& bytes) const {
        test::writeFile(file(), bytes);
        return Checkpoint::open(file());
    }
    [[nodiscard]] QString problem(const std::string& bytes) const {
        const auto checkpoint = open(bytes);
        return checkpoint ? QString("accepted") : QString::fromStdString(checkpoint.error().describe());
    }
    static std::string zipOf(const std::string& pickle, const std::string& storage = std::string(64, 0)) {
        ZipWriter zip;
        zip.add("archive/data.pkl", pickle);
        zip.add("archive/data/0", storage);
        return zip.finish();
    }
    static std::vector<ParameterPlan> twoWeights() { return {{"a.weight", {2, 3}}, {"a.bias", {2}}}; }

private Q_SLOTS:
    void readsWhatItWrote() {
        const auto checkpoint = open(test::checkpointBytes(twoWeights(), 7));
        QVERIFY2(checkpoint.has_value(), checkpoint ? "" : checkpoint.error().describe().c_str());
        QCOMPARE(checkpoint->tensors().size(), std::size_t{2});
        QCOMPARE(checkpoint->tensors()[0].first, std::string("a.weight"));
        const TensorView* weight = checkpoint->find("a.weight");
        QVERIFY(weight != nullptr && weight->type == ElementType::Float32 && weight->isContiguous());
        QCOMPARE(weight->shape, (std::vector<std::int64_t>{2, 3}));
        test::WeightMaker maker(7);
        const std::vector<float> expected = maker.make(twoWeights()[0]);
        for (std::int64_t i = 0; i < 6; ++i)
            QCOMPARE(element(*weight, i), expected[static_cast<std::size_t>(i)]);
    }

    void matchesTheRecordedWeights() {
        SKEIN_NEEDS_REFERENCE(reference);
        SKEIN_NEEDS_SPEC(spec);
        const auto cases = test::readCases(spec / "models-cases.json")["checkpoint_probes"]["cases"];
        QCOMPARE(cases.size(), std::size_t{6});
        for (const auto& probe : cases) {
            const std::string name = std::filesystem::path(probe["folder"].get<std::string>()).filename().string();
            const auto model = readModelSpec(reference / "models/ckpt" / name);
            QVERIFY2(model.has_value(), name.c_str());
            const auto checkpoint = Checkpoint::open(model->weightsFile);
            QVERIFY2(checkpoint.has_value(), checkpoint ? "" : checkpoint.error().describe().c_str());
            QCOMPARE(checkpoint->tensors().size(), probe["n_tensors"].get<std::size_t>());
            double sum = 0;
            for (const auto& [key, view] : checkpoint->tensors()) {
                QVERIFY(view.isContiguous() && view.type == ElementType::Float32);
                for (std::int64_t i = 0; i < view.elementCount(); ++i)
                    sum += std::abs(static_cast<double>(element(view, i)));
            }
            const double expected = probe["weight_abs_sum"].get<double>();
            QVERIFY2(std::abs(sum - expected) < 1e-4 * expected, name.c_str());
            // Exactly the weights that the configuration implies.
            const auto plan = planNetwork(*model);
            QVERIFY(plan.has_value());
            const auto parameters = plan->parameters();
            QCOMPARE(parameters.size(), checkpoint->tensors().size());
            for (const ParameterPlan& parameter : parameters) {
                const TensorView* view = checkpoint->find(parameter.key);
                QVERIFY2(view != nullptr && view->shape == parameter.shape, parameter.key.c_str());
            }
        }
        const auto synthetic = Checkpoint::open(reference / "models/synthetic_bottomup/best.ckpt");
        QVERIFY(synthetic.has_value());
    }

    /// Cut anywhere: a sentence, never a crash, and never accepted.
    void truncatedAnywhere() {
        const std::string whole = test::checkpointBytes(twoWeights());
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto checkpoint = open(whole.substr(0, size));
            QVERIFY2(!checkpoint, QByteArray::number(static_cast<qulonglong>(size)).constData());
            QVERIFY(checkpoint.error().message().ends_with('.'));
            QVERIFY(checkpoint.error().message().find("best.ckpt") != std::string::npos);
        }
        QVERIFY(problem(whole.substr(0, whole.size() / 2)).contains("ends before its table of contents"));
        QVERIFY(problem("This is a text file, not a checkpoint.\n").contains("not a PyTorch checkpoint"));
    }

    /// Single damaged bytes: whatever comes out, it is within bounds (run under the sanitizers).
    void damagedBytes() {
        const std::string whole = test::checkpointBytes(twoWeights());
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const int change : {0x01, 0x80, 0xff}) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ change);
                const auto checkpoint = open(damaged);
                if (!checkpoint) {
                    QVERIFY(!checkpoint.error().message().empty());
                    continue;
                }
                float sum = 0;
                for (const auto& [key, view] : checkpoint->tensors())
                    for (std::int64_t i = 0; i < view.elementCount() && view.isContiguous(); ++i)
                        if (view.type == ElementType::Float32)
                            sum += element(view, i);
                QVERIFY(std::isfinite(sum) || !std::isfinite(sum));
            }
    }

    void foreignGlobals() {
        // Among the weights: refused, with the names of both.
        PickleWriter evil;
        evil.raw("}(").text("state_dict").orderedDict().raw("(").text("model.a.weight");
        evil.global("os", "system").raw("(").text("touch /tmp/never").raw("tR").raw("uu");
        const QString message = problem(zipOf(evil.finish()));
        QVERIFY2(message.contains("model.a.weight") && message.contains("os system"), qPrintable(message));
        // In place of everything, and in place of the dictionary of weights.
        PickleWriter root;
        root.global("os", "system").raw("(").text("true").raw("tR");
        QVERIFY(problem(zipOf(root.finish())).contains("os system"));
        PickleWriter state;
        state.raw("}(").text("state_dict").global("evil", "Dict").raw(")R").raw("u");
        QVERIFY(problem(zipOf(state.finish())).contains("evil Dict"));
        // Elsewhere: of no concern, and never executed.
        PickleWriter elsewhere;
        elsewhere.raw("}(").text("callbacks").global("numpy.core.multiarray", "scalar").raw("(").integer(1).raw("tR");
        elsewhere.raw("}b");  // with state
        elsewhere.text("config").global("omegaconf", "DictConfig").raw(")\x81(").text("k").integer(1).raw("u");
        elsewhere.text("state_dict").orderedDict().raw("(").text("model.a").tensor("0", 16, 0, {4, 4}, {4, 1});
        elsewhere.raw("uu");
        const auto checkpoint = open(zipOf(elsewhere.finish()));
        QVERIFY2(checkpoint.has_value(), checkpoint ? "" : checkpoint.error().describe().c_str());
        QCOMPARE(checkpoint->tensors().size(), std::size_t{1});
    }

    void impossibleTensors() {
        const auto with = [&](std::int64_t offset, const std::vector<std::int64_t>& shape,
                              const std::vector<std::int64_t>& strides, const std::string& storage = "0",
                              const std::string& type = "FloatStorage") {
            PickleWriter p;
            p.raw("}(").text("state_dict").orderedDict().raw("(").text("model.w");
            p.tensor(storage, 16, offset, shape, strides, type).raw("uu");
            return problem(zipOf(p.finish()));  // 16 numbers are stored
        };
        QCOMPARE(with(0, {16}, {1}), QString("accepted"));
        QCOMPARE(with(8, {2, 4}, {4, 1}), QString("accepted"));
        QCOMPARE(with(0, {4, 4}, {1, 4}), QString("accepted"));
        QVERIFY(with(0, {17}, {1}).contains("model.w"));
        QVERIFY(with(1, {16}, {1}).contains("model.w"));
        QVERIFY(with(-1, {4}, {1}).contains("model.w"));
        QVERIFY(with(0, {4, 4}, {5, 1}).contains("model.w"));
        QVERIFY(with(0, {-1}, {1}).contains("model.w"));
        QVERIFY(with(0, {4}, {-1}).contains("model.w"));
        QVERIFY(with(0, {2000000000, 2000000000}, {0, 0}).contains("model.w"));
        QVERIFY(with(0, {2000000000, 2000000000}, {2000000000, 1}).contains("model.w"));
        QVERIFY(with(0, std::vector<std::int64_t>(40, 1), std::vector<std::int64_t>(40, 1)).contains("model.w"));
        QVERIFY(with(0, {4}, {1}, "7").contains("not in the file"));
        QVERIFY(with(0, {4}, {1}, "0", "QuantizedStorage").contains("QuantizedStorage"));
        QVERIFY(with(0, {9}, {1}, "0", "DoubleStorage").contains("model.w"));
        QCOMPARE(with(0, {8}, {1}, "0", "DoubleStorage"), QString("accepted"));
    }

    void keysAreStripped() {
        PickleWriter p;
        p.raw("}(").text("state_dict").orderedDict().raw("(");
        p.text("model._orig_mod.a").tensor("0", 16, 0, {4}, {1});
        p.text("loss.weight").tensor("0", 16, 0, {4}, {1});
        p.raw("uu");
        const auto checkpoint = open(zipOf(p.finish()));
        QVERIFY(checkpoint.has_value());
        QCOMPARE(checkpoint->tensors().size(), std::size_t{1});
        QVERIFY(checkpoint->find("a") != nullptr);
    }

    void otherZips() {
        ZipWriter none;
        none.add("archive/readme", "hello");
        QVERIFY(problem(none.finish()).contains("data.pkl"));
        ZipWriter two;
        two.add("a/data.pkl", "N.");
        two.add("b/data.pkl", "N.");
        QVERIFY(problem(two.finish()).contains("more than one"));
        ZipWriter big;
        big.add("a/data.pkl", "N.");
        big.add("a/byteorder", "big");
        QVERIFY(problem(big.finish()).contains("big-endian"));
        QVERIFY(problem(zipOf("N.")).contains("state_dict"));
        PickleWriter empty;
        QVERIFY(problem(zipOf(empty.raw("}").finish())).contains("state_dict"));
        QVERIFY(!Checkpoint::open(file().parent_path()));
        QVERIFY(!Checkpoint::open(file().parent_path() / "none.ckpt"));
    }

    void picklesThatMakeNoSense() {
        const auto message = [](const std::string& text) {
            const auto pickle = Pickle::read(bytesOf(text));
            return pickle ? QString("accepted") : QString::fromStdString(pickle.error().message());
        };
        QCOMPARE(message("N."), QString("accepted"));
        QVERIFY(message("").contains("ends in the middle"));
        QVERIFY(message("I12\n.").contains("0x49"));
        QVERIFY(message(".").contains("stack"));
        QVERIFY(message("t.").contains("mark"));
        QVERIFY(message("(N.").contains("middle") || message("(N.") == "accepted");
        QVERIFY(message("h\x05.").contains("never remembered"));
        QVERIFY(message("NNa.").contains("not a list"));
        QVERIFY(message("NNNs.").contains("not a dictionary"));
        QVERIFY(message("N)R.").contains("not a function"));
        QVERIFY(message("NQ.").contains("tuple"));
        QVERIFY(message(std::string("X\xff\xff\xff\x7f", 5)).contains("ends in the middle"));
        QVERIFY(message(std::string("\x8d\xff\xff\xff\xff\xff\xff\xff\xff", 9)).contains("ends in the middle"));
        QVERIFY(message("cos").contains("ends in the middle"));
    }

    /// A file of a few megabytes must not cost gigabytes or minutes, nor overflow a stack.
    void picklesThatExplode() {
        const auto refused = [](const std::string& text) { return !Pickle::read(bytesOf(text)); };
        std::string nested;
        for (int i = 0; i < 1000000; ++i)
            nested += "(";
        nested += "N";
        for (int i = 0; i < 1000000; ++i)
            nested += "t";
        QVERIFY(!refused(nested + "."));  // a million levels deep: read, and freed, without recursion
        QVERIFY(refused(std::string(5000000, ']') + "."));
        std::string copies = "]q\x01(" + std::string(1000000, 'N') + "e0";
        for (int i = 0; i < 100000; ++i)
            copies += "ctorch\nSize\n(h\x01tR0";
        QVERIFY(refused(copies + "N."));
        std::string names = "c" + std::string(900000, 'm') + "\nf\n";
        QVERIFY(refused(names + "."));
        std::string memo;
        for (std::uint32_t i = 0; i < 3000000; ++i) {
            memo += "Nr";
            test::putNumber(memo, i, 4);
            memo += "0";
        }
        QVERIFY(refused(memo + "N."));
    }
};

QTEST_APPLESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
