// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/keras/keras_weights.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::models {
namespace {

namespace h5 = formats::h5;

constexpr const char* kRoot = "model_weights";
// Layers lie two groups deep, those of models inside models one more.
constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxTables = 100'000;

/// A table of weights by what it is of: (layer, "weight" or "bias").
using Tables = std::map<std::pair<std::string, std::string>, std::string>;

bool isNumber(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The layer's name without the number that Keras appends to heads.
std::string plainName(const std::string& layer) {
    const auto underscore = layer.rfind('_');
    if (layer.find("Head") != std::string::npos && underscore != std::string::npos &&
        isNumber(std::string_view(layer).substr(underscore + 1)))
        return layer.substr(0, underscore);
    return layer;
}

/// The name of a checkpoint's key that Keras has too: the last one that is not a number; and "weight" or "bias".
std::pair<std::string, std::string> nameOf(const std::string& key) {
    const auto dot = key.rfind('.');
    const std::string kind = key.substr(dot + 1);
    std::string path = key.substr(0, dot);
    for (;;) {
        const auto last = path.rfind('.');
        std::string name = last == std::string::npos ? path : path.substr(last + 1);
        if (!isNumber(name) || last == std::string::npos)
            return {std::move(name), kind};
        path.resize(last);
    }
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "(";
    for (std::size_t d = 0; d < shape.size(); ++d)
        text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
    return text + ")";
}

class KerasFile {
public:
    static Result<KerasFile> open(const std::filesystem::path& path) {
        KerasFile file(path.string());
        auto opened = h5::openFile(path);
        // The words for damaged files are about labels.
        if (!opened && opened.error().code() == ErrorCode::Format)
            return file.refuse(
                "it is damaged, cut short or no HDF5 file; copy it again from where the model was "
                "trained");
        if (!opened)
            return fail(opened.error());
        file.m_file = std::move(*opened);
        if (h5::objectKind(file.m_file.get(), kRoot) != h5::ObjectKind::Group)
            return file.refuse("it holds no 'model_weights'");
        SKEIN_CHECK(file.list(kRoot, "", 0));
        if (file.m_tables.empty())
            return file.refuse("it holds no weights");
        return file;
    }

    [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what, ErrorCode code = ErrorCode::Format) const {
        return fail(code, m_name + " cannot be used as a Keras model: " + what + ".");
    }
    [[nodiscard]] Tables& tables() { return m_tables; }
    [[nodiscard]] const std::string& name() const { return m_name; }

    /// Opens a table; its claimed size is one that the stored bytes can hold.
    [[nodiscard]] Result<h5::Dataset> table(const std::string& path) const {
        auto dataset = h5::openDataset(m_file.get(), path);
        if (!dataset)
            return refuse("the weights " + path + " are damaged");
        if (dataset->typeClass() != H5T_FLOAT)
            return refuse("the weights " + path + " are not stored as floating point numbers");
        return dataset;
    }

private:
    explicit KerasFile(std::string name) : m_name(std::move(name)) {}

    Result<void> list(const std::string& path, const std::string& group, int depth) {
        if (depth > kMaxDepth)
            return refuse("its groups nest too deep");
        SKEIN_TRY(location, h5::openGroup(m_file.get(), path));
        for (const std::string& name : h5::linkNames(location.get())) {
            const std::string inside = path + "/" + name;
            const h5::ObjectKind kind = h5::objectKind(location.get(), name);
            if (kind == h5::ObjectKind::Group) {
                SKEIN_CHECK(list(inside, name, depth + 1));
            } else if (kind == h5::ObjectKind::Dataset) {
                const bool isKernel = name == "kernel:0";
                if (!isKernel && name != "bias:0")
                    return refuse(
                        "the layer '" + group + "' has the weights '" + name + "', which no UNet of SLEAP's has",
                        ErrorCode::Unsupported);
                if (!m_tables.emplace(std::pair(plainName(group), isKernel ? "weight" : "bias"), inside).second)
                    return refuse("it holds the layer '" + group + "' twice");
                if (m_tables.size() > kMaxTables)
                    return refuse("it holds more than " + std::to_string(kMaxTables) + " tables");
            }
        }
        return {};
    }

    std::string m_name;
    h5::Id m_file;
    Tables m_tables;
};

/// Sizes of a table in the order of a checkpoint.
std::vector<std::int64_t> turnedShape(const h5::Dataset& table) {
    std::vector<std::int64_t> d;
    for (const hsize_t size : table.dims)
        d.push_back(static_cast<std::int64_t>(size));
    if (d.size() == 4)
        return {d[3], d[2], d[0], d[1]};
    if (d.size() == 2)
        return {d[1], d[0]};
    return d;
}

/// From [pixels, a, b] to [b, a, pixels]; a dense kernel has one pixel.
std::vector<float> turned(const std::vector<float>& values, const std::vector<std::int64_t>& shape) {
    if (shape.size() < 2)
        return values;
    const auto b = static_cast<std::size_t>(shape[0]);
    const auto a = static_cast<std::size_t>(shape[1]);
    const std::size_t pixels = a == 0 || b == 0 ? 0 : values.size() / (a * b);
    std::vector<float> out(values.size());
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t i = 0; i < a; ++i)
            for (std::size_t j = 0; j < b; ++j)
                out[(j * a + i) * pixels + p] = values[(p * a + i) * b + j];
    return out;
}

}  // namespace

Result<int> kerasInputChannels(const std::filesystem::path& file) {
    const h5::Session session;
    SKEIN_TRY(keras, KerasFile::open(file));
    for (const char* first : {"stem0_conv0", "stack0_enc0_conv0"}) {
        const auto found = keras.tables().find({first, "weight"});
        if (found == keras.tables().end())
            continue;
        SKEIN_TRY(table, keras.table(found->second));
        if (table.dims.size() != 4 || table.dims[2] < 1 || table.dims[2] > 1024)
            return keras.refuse("its first kernel is not that of a convolution");
        return static_cast<int>(table.dims[2]);
    }
    return keras.refuse("it has no first layer of a UNet (stem0_conv0 or stack0_enc0_conv0)", ErrorCode::Unsupported);
}

Result<std::shared_ptr<const HostWeights>> readKerasWeights(const std::filesystem::path& file,
                                                            const std::vector<ParameterPlan>& parameters) {
    const h5::Session session;
    SKEIN_TRY(keras, KerasFile::open(file));
    auto weights = std::make_shared<HostWeights>();
    for (const ParameterPlan& parameter : parameters) {
        const auto [layer, kind] = nameOf(parameter.key);
        const auto found = keras.tables().find({layer, kind});
        if (found == keras.tables().end())
            return fail(ErrorCode::Model, keras.name() + " lacks the " + kind + " of the layer '" + layer +
                                              "' that the configured network needs; configuration and weights seem to "
                                              "belong to different models.");
        SKEIN_TRY(table, keras.table(found->second));
        HostTensor tensor{turnedShape(table), {}};
        if (tensor.shape != parameter.shape)
            return fail(ErrorCode::Model, keras.name() + ": the " + kind + " of the layer '" + layer +
                                              "' has the shape " + shapeText(tensor.shape) +
                                              " in PyTorch's order, but the configured network needs " +
                                              shapeText(parameter.shape) + ".");
        std::vector<float> values(static_cast<std::size_t>(table.rows() * table.rowElements()));
        if (!h5::readRows(table, H5T_NATIVE_FLOAT, 0, table.rows(), values.data()))
            return keras.refuse("the " + kind + " of the layer '" + layer + "' is damaged");
        tensor.values = turned(values, tensor.shape);
        weights->emplace(parameter.key, std::move(tensor));
        keras.tables().erase(found);
    }
    for (const auto& [name, path] : keras.tables())
        if (name.first != "OffsetRefinementHead")
            return fail(ErrorCode::Model, keras.name() + " holds the layer '" + name.first +
                                              "', which the configured network does not have; configuration and "
                                              "weights seem to belong to different models.");
    return std::shared_ptr<const HostWeights>(std::move(weights));
}

}  // namespace skein::models
