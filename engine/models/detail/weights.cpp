// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <memory>

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

at::Tensor toTensor(const TensorView& view, const std::shared_ptr<const MappedFile>& file) {
    const at::TensorOptions options = at::TensorOptions().dtype(scalarType(view.type));
    if (reinterpret_cast<std::uintptr_t>(view.data) % elementSize(view.type) == 0) {
        // The interface takes a writable pointer; nothing writes through it.
        void* data = const_cast<std::byte*>(view.data);
        return at::from_blob(
            data, view.shape, view.strides, [file](void*) {}, options);
    }
    // Stored at an odd address: only a contiguous run can be copied as it lies, and no writer makes others.
    at::Tensor copy = at::empty(view.shape, options);
    if (!view.isContiguous())
        return {};
    std::memcpy(copy.data_ptr(), view.data, static_cast<std::size_t>(view.elementCount()) * elementSize(view.type));
    return copy;
}

}  // namespace

Result<std::map<std::string, at::Tensor>> readWeights(const Checkpoint& checkpoint,
                                                      const std::vector<ParameterPlan>& parameters) {
    const std::string file = checkpoint.file()->path().string();
    std::map<std::string, const TensorView*> stored;
    for (const auto& [key, view] : checkpoint.tensors())
        stored[key] = &view;
    std::map<std::string, at::Tensor> weights;
    for (const ParameterPlan& parameter : parameters) {
        const auto found = stored.find(parameter.key);
        if (found == stored.end())
            return fail(ErrorCode::Model, file + " lacks the weight '" + parameter.key +
                                              "' that the configured network needs; configuration and weights seem to "
                                              "belong to different models.");
        const TensorView& view = *found->second;
        if (view.shape != parameter.shape)
            return fail(ErrorCode::Model, file + ": the weight '" + parameter.key + "' has the shape " +
                                              shapeText(view.shape) + ", but the configured network needs " +
                                              shapeText(parameter.shape) + ".");
        if (isFloating(view.type) == parameter.integer)
            return fail(ErrorCode::Model, file + ": the weight '" + parameter.key + "' is stored as " +
                                              elementName(view.type) + ", which does not fit it.");
        at::Tensor tensor = toTensor(view, checkpoint.file());
        if (!tensor.defined())
            return fail(ErrorCode::Format, file + ": the weight '" + parameter.key + "' is stored at an odd address.");
        weights.emplace(parameter.key, tensor.to(parameter.integer ? at::kLong : at::kFloat));
        stored.erase(found);
    }
    if (!stored.empty())
        return fail(ErrorCode::Model,
                    file + " holds the weight '" + stored.begin()->first +
                        "', which the configured network does not have; configuration and weights seem "
                        "to belong to different models.");
    return weights;
}

}  // namespace skein::models
