// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/handle.h"

namespace skein::formats::h5 {

/// Names of the attributes of an object, in name order.
[[nodiscard]] std::vector<std::string> attributeNames(hid_t object);

/// Text of an attribute however it is stored (variable or fixed length, bytes); nullopt when there is none or it is no
/// text.
[[nodiscard]] std::optional<std::string> textAttribute(hid_t object, const std::string& name);

/// Value of a numeric attribute, the first one when it is an array; nullopt when there is none or it is no number.
[[nodiscard]] std::optional<double> numberAttribute(hid_t object, const std::string& name);

/// Whether the attribute is stored as an integer (or an enumeration).
[[nodiscard]] bool isIntegerAttribute(hid_t object, const std::string& name);

/// Writes a text of fixed length, padded with zeros; replaces an attribute of that name. Errors: Io.
[[nodiscard]] Result<void> writeTextAttribute(hid_t object, const std::string& name, const std::string& text);
/// The same as variable length UTF-8, which Python readers see as text and not as bytes.
[[nodiscard]] Result<void> writeVariableTextAttribute(hid_t object, const std::string& name, const std::string& text);
[[nodiscard]] Result<void> writeNumberAttribute(hid_t object, const std::string& name, double value);

/// Copies an attribute of any type; an attribute of that name at `to` is left as it is. Errors: Io, Format.
[[nodiscard]] Result<void> copyAttribute(hid_t from, hid_t to, const std::string& name);

}  // namespace skein::formats::h5
