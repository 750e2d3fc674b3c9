// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <memory>
#include <optional>

#include "engine/models/checkpoint/checkpoint.h"

namespace skein::models {
namespace {

at::ScalarType scalarType(ElementType type) {
    switch (type) {
        case ElementType::Float32:
            return at::kFloat;
        case ElementType::Float64:
            return at::kDouble;
        case ElementType::Float16:
            return at::kHalf;
        case ElementType::BFloat16:
            return at::kBFloat16;
        case ElementType::Int64:
            return at::kLong;
        case ElementType::Int32:
            return at::kInt;
        case ElementType::Int16:
            return at::kShort;
        case ElementType::Int8:
            return at::kChar;
        case ElementType::UInt8:
            return at::kByte;
        case ElementType::Bool:
            return at::kBool;
    }
    return at::kFloat;
}

bool isFloating(ElementType type) {
    return type == ElementType::Float32 || type == ElementType::Float64 || type == ElementType::Float16 ||
           type == ElementType::BFloat16;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + ")";
}

at::Tensor toTensor(const TensorView& view, const std::shared_ptr<const void>& owner) {
    const at::TensorOptions options = at::TensorOptions().dtype(scalarType(view.type));
    if (reinterpret_cast<std::uintptr_t>(view.data) % elementSize(view.type) == 0) {
        // The interface takes a writable pointer; nothing writes through it.
        void* data = const_cast<std::byte*>(view.data);
        return at::from_blob(
            data, view.shape, view.strides, [owner](void*) {}, options);
    }
    // Stored at an odd address: only a contiguous run can be copied as it lies, and no writer makes others.
    at::Tensor copy = at::empty(view.shape, options);
    if (!view.isContiguous())
        return {};
    std::memcpy(copy.data_ptr(), view.data, static_cast<std::size_t>(view.elementCount()) * elementSize(view.type));
    return copy;
}

/// The weights of one file, taken out one after the other.
class WeightFile {
public:
    static Result<WeightFile> open(const std::filesystem::path& path) {
        auto checkpoint = Checkpoint::open(path);
        if (!checkpoint)
            return fail(checkpoint.error());
        WeightFile file(path.string(), checkpoint->file());
        for (const auto& [key, view] : checkpoint->tensors())
            file.m_stored[key] = view;
        return file;
    }
    /// The file that the model's folder holds, whatever its format.
    static Result<WeightFile> openOwn(const ModelSpec& spec) {
        if (!spec.hostWeights)
            return open(spec.weightsFile);
        const auto weights = spec.hostWeights();
        if (!weights)
            return fail(weights.error());
        WeightFile file(spec.weightsFile.string(), *weights);
        for (const auto& [key, tensor] : **weights) {
            TensorView view;
            view.shape = tensor.shape;
            view.strides.assign(view.shape.size(), 1);
            for (std::size_t d = view.shape.size(); d-- > 1;)
                view.strides[d - 1] = view.strides[d] * view.shape[d];
            view.data = reinterpret_cast<const std::byte*>(tensor.values.data());
            file.m_stored[key] = view;
        }
        return file;
    }

    [[nodiscard]] bool holds(const std::string& key) const { return m_stored.count(key) > 0; }

    Result<at::Tensor> take(const ParameterPlan& parameter) {
        const auto found = m_stored.find(parameter.key);
        if (found == m_stored.end())
            return fail(ErrorCode::Model, m_name + " lacks the weight '" + parameter.key +
                                              "' that the configured network needs; configuration and weights seem to "
                                              "belong to different models.");
        const TensorView& view = found->second;
        if (view.shape != parameter.shape)
            return fail(ErrorCode::Model, m_name + ": the weight '" + parameter.key + "' has the shape " +
                                              shapeText(view.shape) + ", but the configured network needs " +
                                              shapeText(parameter.shape) + ".");
        if (isFloating(view.type) == parameter.integer)
            return fail(ErrorCode::Model, m_name + ": the weight '" + parameter.key + "' is stored as " +
                                              elementName(view.type) + ", which does not fit it.");
        const at::Tensor tensor = toTensor(view, m_owner);
        if (!tensor.defined())
            return fail(ErrorCode::Format,
                        m_name + ": the weight '" + parameter.key + "' is stored at an odd address.");
        m_stored.erase(found);
        return tensor.to(parameter.integer ? at::kLong : at::kFloat);
    }

    /// That nothing is left of the part of the network whose keys begin with `part`.
    Result<void> checkTaken(std::string_view part) const {
        const auto left = m_stored.lower_bound(std::string(part));
        if (left == m_stored.end() || !left->first.starts_with(part))
            return {};
        return fail(ErrorCode::Model, m_name + " holds the weight '" + left->first +
                                          "', which the configured network does not have; configuration and weights "
                                          "seem to belong to different models.");
    }

private:
    WeightFile(std::string name, std::shared_ptr<const void> owner)
        : m_name(std::move(name)), m_owner(std::move(owner)) {}
    std::string m_name;
    std::map<std::string, TensorView> m_stored;
    std::shared_ptr<const void> m_owner;
};

constexpr std::string_view kBackbone = "backbone.";
constexpr std::string_view kHeads = "head_layers.";

}  // namespace

Result<std::map<std::string, at::Tensor>> readWeights(const ModelSpec& spec,
                                                      const std::vector<ParameterPlan>& parameters) {
    // Which file each weight comes from is settled first, so that a file that nothing is taken from is not even opened.
    std::optional<WeightFile> own, backbone, heads;
    const auto open = [](std::optional<WeightFile>& file, Result<WeightFile> opened) -> Result<void> {
        if (!opened)
            return fail(opened.error());
        file = std::move(*opened);
        return {};
    };
    if (!spec.backboneWeightsFile.empty())
        if (auto ok = open(backbone, WeightFile::open(spec.backboneWeightsFile)); !ok)
            return fail(ok.error());
    if (!spec.headWeightsFile.empty())
        if (auto ok = open(heads, WeightFile::open(spec.headWeightsFile)); !ok)
            return fail(ok.error());

    std::map<std::string, at::Tensor> weights;
    for (const ParameterPlan& parameter : parameters) {
        const bool isHead = parameter.key.starts_with(kHeads);
        std::optional<WeightFile>* file = &own;
        if (isHead && heads)
            file = &heads;
        else if (backbone && (!isHead || backbone->holds(parameter.key)))
            file = &backbone;
        if (!*file)
            if (auto ok = open(own, WeightFile::openOwn(spec)); !ok)
                return fail(ok.error());
        auto tensor = (*file)->take(parameter);
        if (!tensor)
            return fail(tensor.error());
        weights.emplace(parameter.key, std::move(*tensor));
    }
    // A file must hold nothing else in the part that it was read for. Heads of other models are common in the file of
    // a backbone.
    Result<void> ok;
    if (own)
        ok = backbone ? own->checkTaken(kHeads) : own->checkTaken(heads ? kBackbone : std::string_view());
    if (ok && backbone)
        ok = backbone->checkTaken(kBackbone);
    if (ok && heads)
        ok = heads->checkTaken(kHeads);
    if (!ok)
        return fail(ok.error());
    return weights;
}

}  // namespace skein::models
