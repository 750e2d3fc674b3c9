// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace skein::models {

/// What a Python pickle describes, without running any of it: names of functions and classes stay names, and calls stay
/// descriptions of calls. Objects refer to each other by index, so that neither reading nor freeing recurses, however
/// deep a hostile file nests.
class Pickle {
public:
    using Id = std::uint32_t;
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Int,
        Float,
        Text,
        Bytes,
        Tuple,
        List,
        Dict,  ///< `items` alternate key, value; a later equal key wins
        Set,
        Global,   ///< `text` is "module name"
        Storage,  ///< persistent id: `items` are its tuple's
        Tensor,   ///< `items` are the arguments of torch's rebuild function
        Opaque    ///< made by a global that is not known; `text` names it
    };
    struct Object {
        Kind kind = Kind::None;
        std::int64_t integer = 0;  ///< Int and Bool
        double real = 0;           ///< Float
        std::string text;          ///< Text, Bytes, Global, Opaque
        std::vector<Id> items;     ///< Tuple, List, Dict, Set, Storage, Tensor
    };

    /// Reads protocols 0 to 5 as far as torch.save writes them. Errors: Format, with the byte offset, for an unknown
    /// opcode, a stack that does not fit, or a file beyond the limits (64 MiB, 2 million objects,
    /// 16 million references).
    [[nodiscard]] static Result<Pickle> read(std::span<const std::byte> bytes);

    [[nodiscard]] Id root() const { return m_root; }
    [[nodiscard]] const Object& operator[](Id id) const { return m_objects[id]; }

    /// Value of a text key in a Dict.
    [[nodiscard]] std::optional<Id> find(const Object& dict, std::string_view key) const;

    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
    static constexpr std::size_t kMaxObjects = 2'000'000;
    static constexpr std::size_t kMaxReferences = 16'000'000;

private:
    friend class PickleMachine;
    std::vector<Object> m_objects;
    Id m_root = 0;
};

}  // namespace skein::models
