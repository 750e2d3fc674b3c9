// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/fused_ops.h"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace skein::models {
namespace {

using at::IntArrayRef;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;
using OptionalText = std::optional<std::string_view>;
using Scalars = c10::List<std::optional<at::Scalar>>;

using PackConv = Tensor(const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, std::int64_t, at::OptionalIntArrayRef);
using PackTransposed = Tensor(const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, std::int64_t,
                              at::OptionalIntArrayRef);
using Conv = Tensor(const Tensor&, const Tensor&, const OptionalTensor&, IntArrayRef, IntArrayRef, IntArrayRef,
                    std::int64_t, std::string_view, Scalars, OptionalText);
using AddConv = Tensor&(Tensor&, const Tensor&, const Tensor&, const OptionalTensor&, IntArrayRef, IntArrayRef,
                        IntArrayRef, std::int64_t, std::string_view, std::optional<at::Scalar>, OptionalText, Scalars,
                        OptionalText);
using Transposed = Tensor(const Tensor&, const Tensor&, const OptionalTensor&, IntArrayRef, IntArrayRef, IntArrayRef,
                          IntArrayRef, std::int64_t, std::string_view, Scalars, OptionalText);

constexpr std::array<std::int64_t, 2> kOne = {1, 1};
constexpr std::array<std::int64_t, 2> kTwo = {2, 2};

std::array<std::int64_t, 2> both(std::int64_t value) {
    return {value, value};
}

template <class Signature>
c10::TypedOperatorHandle<Signature> lookUp(const char* name, const char* overload = "") {
    // typed() compares the signature with the registered one and throws when they differ.
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<Signature>();
}

class MkldnnOps final : public FusedOps {
public:
    Tensor packConv(const Tensor& weight, std::int64_t padding, IntArrayRef inputSize) const override {
        return m_packConv.call(weight, both(padding), kOne, kOne, 1, inputSize);
    }
    Tensor packTransposed(const Tensor& weight, IntArrayRef inputSize) const override {
        return m_packTransposed.call(weight, kOne, kOne, kTwo, kOne, 1, inputSize);
    }
    Tensor conv(const Tensor& x, const Tensor& packed, const Tensor& bias, std::int64_t padding,
                bool relu) const override {
        return m_conv.call(x, packed, bias, both(padding), kOne, kOne, 1, relu ? "relu" : "none", Scalars(),
                           std::nullopt);
    }
    void addConv(Tensor& sum, const Tensor& x, const Tensor& packed, std::int64_t padding, bool relu) const override {
        m_addConv.call(sum, x, packed, std::nullopt, both(padding), kOne, kOne, 1, "add", at::Scalar(1.0),
                       relu ? OptionalText("relu") : OptionalText(), Scalars(), std::nullopt);
    }
    Tensor transposed(const Tensor& x, const Tensor& packed, const Tensor& bias, bool relu) const override {
        return m_transposed.call(x, packed, bias, kOne, kOne, kTwo, kOne, 1, relu ? "relu" : "none", Scalars(),
                                 std::nullopt);
    }

private:
    c10::TypedOperatorHandle<PackConv> m_packConv = lookUp<PackConv>("mkldnn::_reorder_convolution_weight");
    c10::TypedOperatorHandle<PackTransposed> m_packTransposed =
        lookUp<PackTransposed>("mkldnn::_reorder_convolution_transpose_weight");
    c10::TypedOperatorHandle<Conv> m_conv = lookUp<Conv>("mkldnn::_convolution_pointwise");
    c10::TypedOperatorHandle<AddConv> m_addConv = lookUp<AddConv>("mkldnn::_convolution_pointwise_", "binary");
    c10::TypedOperatorHandle<Transposed> m_transposed = lookUp<Transposed>("mkldnn::_convolution_transpose_pointwise");
};

std::unique_ptr<FusedOps> make() {
    try {
        return std::make_unique<MkldnnOps>();
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace

const FusedOps* FusedOps::find() {
    static const std::unique_ptr<FusedOps> ops = make();
    return ops.get();
}

}  // namespace skein::models
