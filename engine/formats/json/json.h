// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace skein::formats {

/// Objects keep the order of their keys, so that a text that is read and written again differs only where it was
/// changed.
using Json = nlohmann::ordered_json;

/// Parses JSON as Python writers emit it: NaN, Infinity and -Infinity are numbers, raw UTF-8 and `\u` escapes are both
/// accepted, bytes that are not UTF-8 become U+FFFD. Texts nested deeper than 200 levels are refused.
/// Errors: Format, naming `what` ("the video list") and the place in the text.
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view what);

/// Compact text in ASCII: other characters as `\u` escapes, non-finite numbers as NaN, Infinity and -Infinity, numbers
/// as the shortest decimals that read back to the same value.
[[nodiscard]] std::string writeJson(const Json& value);

/// The same with null for non-finite numbers: for texts that go into files, since sleap-io 0.9 refuses NaN.
[[nodiscard]] std::string writeStrictJson(Json value);
/// `text` itself, or the same with null for the non-finite numbers in it.
[[nodiscard]] std::string strictText(const std::string& text);

/// The value of `key` in an object, or null when `object` is no object or has no such key.
[[nodiscard]] const Json& member(const Json& object, std::string_view key);
/// The text of a member, or `fallback` when it is missing or not a text.
[[nodiscard]] std::string stringMember(const Json& object, std::string_view key, std::string fallback = {});

}  // namespace skein::formats
