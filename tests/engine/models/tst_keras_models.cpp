// SPDX-License-Identifier: BSD-3-Clause
#include <hdf5.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/models/keras/keras_weights.h"
#include "engine/models/model_folder.h"
#include "tests/support/checkpoint_writer.h"

using namespace skein;
using namespace skein::models;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

Json node(const char* name) {
    return {{"py/object", "sleap.skeleton.Node"}, {"py/state", {{"py/tuple", {name, 1.0}}}}};
}
Json ref(int id) {
    return {{"py/id", id}};
}
Json edgeKind(int value) {
    return {{"py/reduce", Json::array({{{"py/type", "sleap.skeleton.EdgeType"}}, {{"py/tuple", {value}}}})}};
}

/// A folder of SLEAP 1.3: three nodes in a chain, the first and the last symmetric, listed in another order than that
/// in which the links name them.
Json config() {
    Json skeleton = {
        {"directed", true},
        {"graph", {{"name", "fly"}, {"num_edges_inserted", 2}}},
        {"links", Json::array({{{"source", node("tail")}, {"target", node("body")}, {"type", edgeKind(1)}},
                               {{"source", ref(2)}, {"target", node("head")}, {"type", ref(3)}},
                               {{"source", ref(1)}, {"target", ref(4)}, {"type", edgeKind(2)}},
                               {{"source", ref(4)}, {"target", ref(1)}, {"type", ref(5)}}})},
        {"multigraph", true},
        {"nodes", Json::array({{{"id", ref(4)}}, {{"id", ref(2)}}, {{"id", ref(1)}}, {{"id", node("alone")}}})}};
    return {{"data",
             {{"labels", {{"skeletons", Json::array({skeleton})}, {"training_labels", "flies.slp"}}},
              {"preprocessing",
               {{"ensure_grayscale", true}, {"input_scaling", 0.5}, {"target_height", 96}, {"target_width", nullptr}}},
              {"instance_cropping", {{"crop_size", 64}}}}},
            {"model",
             {{"backbone",
               {{"leap", nullptr},
                {"unet",
                 {{"stem_stride", nullptr},
                  {"max_stride", 4},
                  {"output_stride", 2},
                  {"filters", 4},
                  {"filters_rate", 2},
                  {"middle_block", true},
                  {"up_interpolate", false},
                  {"stacks", 1}}}}},
              {"heads",
               {{"single_instance", nullptr},
                {"centroid", nullptr},
                {"multi_instance",
                 {{"confmaps", {{"part_names", {"head", "body", "tail", "alone"}}, {"sigma", 5}, {"output_stride", 2}}},
                  {"pafs",
                   {{"edges", Json::array({Json::array({"tail", "body"}), Json::array({"body", "head"})})},
                    {"sigma", 50},
                    {"output_stride", 2}}}}}}}}},
            {"optimization",
             {{"epochs", 200}, {"batch_size", 4}, {"initial_learning_rate", 0.0001}, {"optimizer", "adam"}}},
            {"outputs", {{"run_name", "old run"}}},
            {"sleap_version", "1.3.4"}};
}

/// Writes weights as Keras does. Values count up from 0 in each table.
class KerasWriter {
public:
    explicit KerasWriter(const fs::path& path)
        : m_file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~KerasWriter() { H5Fclose(m_file); }

    void table(const std::string& path, const std::vector<hsize_t>& shape, hid_t type = H5T_IEEE_F32LE,
               bool chunked = false) const {
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        if (chunked) {
            const std::vector<hsize_t> chunk(shape.size(), 16);
            H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
        }
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t dataset = H5Dcreate2(m_file, path.c_str(), type, space, links, creation, H5P_DEFAULT);
        if (!chunked) {
            std::size_t count = 1;
            for (const hsize_t size : shape)
                count *= static_cast<std::size_t>(size);
            std::vector<float> values;
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(static_cast<float>(i));
            H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        }
        H5Dclose(dataset);
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(links);
    }
    void layer(const std::string& name, const std::vector<hsize_t>& kernel, hsize_t bias) const {
        table("model_weights/" + name + "/" + name + "/kernel:0", kernel);
        table("model_weights/" + name + "/" + name + "/bias:0", {bias});
    }

private:
    hid_t m_file;
};

using Layers = std::map<std::string, std::pair<std::vector<hsize_t>, hsize_t>>;

/// The layers of config()'s network.
Layers layers(hsize_t inChannels = 1) {
    return {{"stack0_enc0_conv0", {{3, 3, inChannels, 4}, 4}},
            {"stack0_enc0_conv1", {{3, 3, 4, 4}, 4}},
            {"stack0_enc1_conv0", {{3, 3, 4, 8}, 8}},
            {"stack0_enc1_conv1", {{3, 3, 8, 8}, 8}},
            {"stack0_enc3_middle_expand_conv0", {{3, 3, 8, 16}, 16}},
            {"stack0_enc4_middle_contract_conv0", {{3, 3, 16, 16}, 16}},
            {"stack0_dec0_s4_to_s2_trans_conv", {{3, 3, 8, 16}, 8}},
            {"stack0_dec0_s4_to_s2_refine_conv0", {{3, 3, 16, 8}, 8}},
            {"stack0_dec0_s4_to_s2_refine_conv1", {{3, 3, 8, 8}, 8}},
            {"MultiInstanceConfmapsHead_0", {{1, 1, 8, 4}, 4}},
            {"PartAffinityFieldsHead_1", {{1, 1, 8, 4}, 4}},
            {"OffsetRefinementHead_0", {{1, 1, 8, 8}, 8}}};
}

}  // namespace

class TestKerasModels : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    [[nodiscard]] fs::path folder() const { return m_dir.path().toStdString(); }
    [[nodiscard]] fs::path weights() const { return folder() / "best_model.h5"; }
    void write(const Json& json, const Layers& list = layers()) const {
        test::writeFile(folder() / "training_config.json", json.dump());
        const KerasWriter writer(weights());
        writer.table("optimizer_weights/iteration:0", {1});
        for (const auto& [name, sizes] : list)
            writer.layer(name, sizes.first, sizes.second);
    }
    /// What reading the folder, and then its weights, says.
    [[nodiscard]] QString problem() const {
        const auto spec = readModelSpec(folder());
        if (!spec)
            return QString::fromStdString(spec.error().describe());
        const auto read = spec->hostWeights();
        return read ? QString("accepted") : QString::fromStdString(read.error().describe());
    }
    QString problemOf(const std::function<void(Json&)>& change) const {
        Json json = config();
        change(json);
        write(json);
        return problem();
    }
    QString problemOfLayers(const std::function<void(Layers&)>& change) const {
        Layers list = layers();
        change(list);
        write(config(), list);
        return problem();
    }

private Q_SLOTS:
    void configuration() {
        write(config());
        const auto spec = readModelSpec(folder());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        QCOMPARE(spec->type, ModelType::BottomUp);
        QCOMPARE(spec->weightsFormat, WeightsFormat::KerasH5);
        QCOMPARE(spec->weightsFile, weights());
        QVERIFY(spec->kerasTransposeAlignment);
        QCOMPARE(spec->unet.filters, 4);
        QCOMPARE(spec->unet.filtersRate, 2.0);
        QCOMPARE(spec->unet.maxStride, 4);
        QVERIFY(!spec->unet.stemStride && !spec->unet.upInterpolate);
        QCOMPARE(spec->inChannels(), 1);
        QCOMPARE(spec->preprocess.scale, 0.5);
        QCOMPARE(spec->preprocess.maxHeight, std::optional<int>(96));
        QCOMPARE(spec->preprocess.maxWidth, std::optional<int>());
        QCOMPARE(spec->preprocess.cropSize, std::optional<int>(64));
        QVERIFY(spec->preprocess.ensureGrayscale && !spec->preprocess.ensureRgb);
        QCOMPARE(spec->skeleton.name, std::string("fly"));
        QCOMPARE(spec->skeleton.nodes, (std::vector<std::string>{"head", "body", "tail", "alone"}));
        QCOMPARE(spec->skeleton.edges, (std::vector<project::Edge>{{2, 1}, {1, 0}}));
        QCOMPARE(spec->skeleton.symmetries.size(), std::size_t{1});
        QCOMPARE(spec->pafEdges, (std::vector<project::Edge>{{2, 1}, {1, 0}}));
        const auto fact = [&](const char* name, const char* value) {
            const auto& facts = spec->trainingFacts;
            return std::find(facts.begin(), facts.end(), std::pair<std::string, std::string>(name, value)) !=
                   facts.end();
        };
        QVERIFY(fact("Run name", "old run"));
        QVERIFY(fact("Training labels", "flies.slp"));
        QVERIFY(fact("Largest number of epochs", "200"));
        QVERIFY(fact("Batch size", "4"));
        QVERIFY(fact("SLEAP version", "1.3.4"));
    }

    void channelsComeFromTheFirstKernel() {
        write(config(), layers(3));
        const auto spec = readModelSpec(folder());
        QVERIFY(spec.has_value());
        QCOMPARE(spec->inChannels(), 3);
    }

    void everyWayToNameIt() {
        write(config());
        for (const char* name : {"", "training_config.json", "best_model.h5"})
            QVERIFY(readModelSpec(folder() / name).has_value());
        fs::copy_file(weights(), folder() / "final_model.h5");
        const auto other = readModelSpec(folder() / "final_model.h5");
        QVERIFY(other.has_value());
        QCOMPARE(other->weightsFile.filename(), fs::path("final_model.h5"));
        fs::remove(folder() / "final_model.h5");
    }

    /// Each number lands where the checkpoint's order has it.
    void weightsAreTurned() {
        write(config());
        const auto spec = readModelSpec(folder());
        const auto plan = planNetwork(*spec);
        const auto read = readKerasWeights(weights(), plan->parameters());
        QVERIFY2(read.has_value(), read ? "" : read.error().describe().c_str());
        QCOMPARE((*read)->size(), plan->parameters().size());
        const HostTensor& conv =
            (*read)->at("backbone.decoders.0.decoder_stack.0.blocks.stack0_dec0_s4_to_s2_refine_conv0.weight");
        QCOMPARE(conv.shape, (std::vector<std::int64_t>{8, 16, 3, 3}));
        // [out 5, in 9, row 2, column 1] was [2, 1, 9, 5].
        QCOMPARE(conv.values[((5 * 16 + 9) * 3 + 2) * 3 + 1], static_cast<float>(((2 * 3 + 1) * 16 + 9) * 8 + 5));
        const HostTensor& up =
            (*read)->at("backbone.decoders.0.decoder_stack.0.blocks.stack0_dec0_s4_to_s2_trans_conv.weight");
        QCOMPARE(up.shape, (std::vector<std::int64_t>{16, 8, 3, 3}));
        // [in 7, out 3, row 0, column 2] was [0, 2, 3, 7].
        QCOMPARE(up.values[((7 * 8 + 3) * 3 + 0) * 3 + 2], static_cast<float>(((0 * 3 + 2) * 8 + 3) * 16 + 7));
        QCOMPARE((*read)->at("head_layers.1.PartAffinityFieldsHead.0.bias").values, (std::vector<float>{0, 1, 2, 3}));
        // Dense layers.
        const std::vector<ParameterPlan> dense = {{"head_layers.1.pre_classification0_fc.weight", {2, 5}},
                                                  {"head_layers.1.pre_classification0_fc.bias", {2}}};
        {
            const KerasWriter writer(folder() / "dense.h5");
            writer.layer("pre_classification0_fc", {5, 2}, 2);
        }
        const auto fc = readKerasWeights(folder() / "dense.h5", dense);
        QVERIFY2(fc.has_value(), fc ? "" : fc.error().describe().c_str());
        QCOMPARE((*fc)->begin()->second.shape, (std::vector<std::int64_t>{2}));
        QCOMPARE((*fc)->at(dense[0].key).values, (std::vector<float>{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}));
    }

    void headsOfEveryType() {
        const auto with = [&](const char* type, const Json& head) {
            Json json = config();
            json["model"]["heads"] = {{"multi_instance", nullptr}, {type, head}};
            write(json);
            return readModelSpec(folder());
        };
        const Json confmaps = {{"part_names", {"head", "body", "tail", "alone"}}, {"output_stride", 2}};
        const auto single = with("single_instance", confmaps);
        QVERIFY(single && single->type == ModelType::SingleInstance && single->heads.size() == 1);
        const auto centroid = with("centroid", {{"anchor_part", "body"}, {"output_stride", 2}});
        QVERIFY(centroid && centroid->type == ModelType::Centroid && !centroid->heads[0].sigmoid);
        QCOMPARE(centroid->anchorPart, std::optional<std::string>("body"));
        const auto centered = with("centered_instance", confmaps);
        QVERIFY(centered && centered->type == ModelType::CenteredInstance);
        const auto classMaps =
            with("multi_class_bottomup",
                 {{"confmaps", confmaps}, {"class_maps", {{"classes", {"f", "m"}}, {"output_stride", 2}}}});
        QVERIFY(classMaps && classMaps->type == ModelType::MultiClassBottomUp && classMaps->heads[1].sigmoid);
        const auto vectors =
            with("multi_class_topdown", {{"confmaps", confmaps}, {"class_vectors", {{"classes", {"f", "m", "x"}}}}});
        QVERIFY(vectors && vectors->type == ModelType::MultiClassTopDown);
        QCOMPARE(vectors->heads[1].channels, 3);
        QCOMPARE(vectors->heads[1].fcLayers, 2);  // SLEAP's own defaults
        QCOMPARE(vectors->heads[1].fcUnits, 1024);
        QVERIFY(vectors->heads[1].globalPool);
    }

    void configurationsThatDoNotFit() {
        QCOMPARE(problemOf([](Json&) {}), QString("accepted"));
        QVERIFY(problemOf([](Json& j) { j["model"]["backbone"] = {{"leap", {{"filters", 4}}}}; }).contains("'leap'"));
        QVERIFY(problemOf([](Json& j) { j["model"]["backbone"]["unet"] = nullptr; }).contains("no backbone"));
        QVERIFY(problemOf([](Json& j) { j["model"]["heads"] = {{"odd_head", {{"x", 1}}}}; }).contains("'odd_head'"));
        QVERIFY(problemOf([](Json& j) { j["model"]["heads"] = nullptr; }).contains("no head"));
        QVERIFY(problemOf([](Json& j) { j["model"]["backbone"]["unet"]["filters"] = "x"; }).contains("filters"));
        QVERIFY(problemOf([](Json& j) { j["model"]["backbone"]["unet"]["stacks"] = 2; }).contains("stacks"));
        QVERIFY(problemOf([](Json& j) { j["data"]["preprocessing"]["input_scaling"] = -1; }).contains("scale"));
        const auto skeleton = [](Json& j) -> Json& { return j["data"]["labels"]["skeletons"][0]; };
        for (const Json& wrong : {ref(99), ref(0), ref(-1), ref(3), Json(7), Json{{"py/id", "x"}}}) {
            QVERIFY(problemOf([&](Json& j) { skeleton(j)["links"][1]["source"] = wrong; }).contains("connection"));
            QVERIFY(problemOf([&](Json& j) { skeleton(j)["nodes"][0]["id"] = wrong; }).contains("node"));
        }
        QVERIFY(problemOf([&](Json& j) { skeleton(j)["links"][0]["type"] = edgeKind(9); }).contains("connection"));
        QVERIFY(problemOf([&](Json& j) {
                    skeleton(j)["links"][0]["type"] = {{"py/reduce", 3}};
                }).contains("connection"));
        // Without a skeleton the parts of the head stand for it.
        QCOMPARE(problemOf([&](Json& j) { j["data"]["labels"]["skeletons"] = Json::array(); }), QString("accepted"));
        fs::remove(weights());
        QVERIFY(problem().contains("no best_model.h5"));
    }

    void weightsThatDoNotFit() {
        const char* const conv = "stack0_enc1_conv1";
        QVERIFY(problemOfLayers([&](Layers& l) { l.erase(conv); }).contains("lacks the weight of the layer"));
        QVERIFY(problemOfLayers([](Layers& l) { l.erase("stack0_enc0_conv0"); }).contains("no first layer"));
        QVERIFY(problemOfLayers([](Layers& l) { l["stack0_extra"] = {{1, 1, 2, 2}, 2}; }).contains("'stack0_extra'"));
        const QString shape = problemOfLayers([&](Layers& l) { l[conv].first = {3, 3, 7, 8}; });
        QVERIFY2(shape.contains(conv) && shape.contains("(8, 7, 3, 3)") && shape.contains("(8, 8, 3, 3)"),
                 qPrintable(shape));
        QVERIFY(problemOfLayers([&](Layers& l) { l[conv].second = 7; }).contains("the bias of the layer"));
        QVERIFY(problemOfLayers([](Layers& l) { l["stack0_enc0_conv0"].first = {3, 3}; }).contains("first kernel"));
        QVERIFY(problemOfLayers([](Layers& l) {
                    l["MultiInstanceConfmapsHead_1"] = {{1, 1, 8, 4}, 4};
                }).contains("twice"));
    }

    void filesThatAreNoKerasModels() {
        write(config());
        std::ifstream in(weights(), std::ios::binary);
        const std::string whole{std::istreambuf_iterator<char>(in), {}};
        for (const std::string& bytes : {std::string(), std::string("text"), whole.substr(0, whole.size() / 2),
                                         whole.substr(0, 100), whole.substr(1)}) {
            test::writeFile(weights(), bytes);
            const QString message = problem();
            QVERIFY2(message.contains("best_model.h5") && message.contains("damaged"), qPrintable(message));
            QVERIFY(!message.contains("labels"));
        }
        const auto with = [&](const std::function<void(const KerasWriter&)>& fill) {
            {
                const KerasWriter writer(weights());
                fill(writer);
            }
            return problem();
        };
        QVERIFY(with([](const KerasWriter&) {}).contains("model_weights"));
        QVERIFY(with([](const KerasWriter& w) { w.table("model_weights", {4}); }).contains("model_weights"));
        QVERIFY(with([](const KerasWriter& w) { w.table("model_weights/bn/bn/gamma:0", {4}); }).contains("gamma:0"));
        QVERIFY(
            with([](const KerasWriter& w) { w.table("model_weights/a/b/c/d/e/f/kernel:0", {4}); }).contains("deep"));
        const std::string first = "model_weights/stack0_enc0_conv0/stack0_enc0_conv0/kernel:0";
        QVERIFY(with([&](const KerasWriter& w) {
                    w.table(first, {3, 3, 1, 4}, H5T_STD_I32LE);
                }).contains("floating point"));
        // A size that nothing stands behind.
        const QString huge = with([&](const KerasWriter& w) {
            w.table(first, {4000, 4000, 16, 4000}, H5T_IEEE_F32LE, true);
        });
        QVERIFY2(huge.contains("damaged"), qPrintable(huge));
    }
};

QTEST_APPLESS_MAIN(TestKerasModels)
#include "tst_keras_models.moc"
