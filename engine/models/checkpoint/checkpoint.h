// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/checkpoint/mapped_file.h"

namespace skein::models {

enum class ElementType { Float32, Float64, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8, Bool };
[[nodiscard]] std::size_t elementSize(ElementType type);
[[nodiscard]] const char* elementName(ElementType type);

/// One weight inside the mapped file, little-endian. Every element that shape and strides can reach lies inside it.
struct TensorView {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in elements, none negative
    const std::byte* data = nullptr;    ///< element (0, 0, ...); may be unaligned

    [[nodiscard]] bool isContiguous() const;
    [[nodiscard]] std::int64_t elementCount() const;
};

/// The weights of a PyTorch Lightning checkpoint (.ckpt), read without executing anything: see Pickle. Only the
/// description is read; the weights stay in the mapped file, optimizer state is never touched.
/// Immutable, thread-safe; the views live as long as `file()`.
class Checkpoint {
public:
    /// Reads the `state_dict` of `path`. Keys lose their leading "model." (and "_orig_mod.", of compiled models); keys
    /// without it are not part of the network and are left out. Order as in the file.
    /// Errors: NotFound, Io, Format (damaged, not a checkpoint), Unsupported (a weight made by a foreign function).
    [[nodiscard]] static Result<Checkpoint> open(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<std::pair<std::string, TensorView>>& tensors() const noexcept { return m_tensors; }
    [[nodiscard]] const TensorView* find(std::string_view key) const;
    [[nodiscard]] const std::shared_ptr<const MappedFile>& file() const noexcept { return m_file; }

private:
    std::shared_ptr<const MappedFile> m_file;
    std::vector<std::pair<std::string, TensorView>> m_tensors;
};

}  // namespace skein::models
