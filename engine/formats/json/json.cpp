// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/json/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace skein::formats {
namespace {

constexpr int kMaxDepth = 200;

// A text of this form stands for a number that JSON does not know, between the preparation of the text and the walk
// over the parsed value. It begins with U+F8FF, which is for private use, so that no real text looks like it.
constexpr std::string_view kMark =
    "\xEF\xA3\xBF"
    "skein-number:";

void appendEscaped(std::string& out, unsigned code) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U})
        out += kDigits[(code >> shift) & 0xFU];
}

/// Length of the UTF-8 sequence at `at`, 0 when it is none.
std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    std::size_t length = 0;
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        length = 2;
    else if (first >= 0xE0 && first <= 0xEF)
        length = 3;
    else if (first >= 0xF0 && first <= 0xF4)
        length = 4;
    if (length == 0 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xC0) != 0x80)
            return 0;
    // Overlong forms, surrogates and values beyond U+10FFFF.
    const unsigned char second = byte(at + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

/// Rewrites what Python emits beyond JSON; the result is plain JSON. Depth is checked here because the parser recurses
/// when a value is destroyed.
Result<std::string> prepare(std::string_view text, std::string_view what) {
    std::string out;
    out.reserve(text.size() + 16);
    bool inString = false;
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (inString) {
            if (c == '\\' && i + 1 < text.size()) {
                out.append(text.substr(i, 2));
                i += 2;
                continue;
            }
            if (c == '"') {
                inString = false;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                appendEscaped(out, static_cast<unsigned char>(c));
                ++i;
                continue;
            } else if (static_cast<unsigned char>(c) >= 0x80) {
                const std::size_t length = utf8Length(text, i);
                out.append(length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(i, length));
                i += length == 0 ? 1 : length;
                continue;
            }
            out += c;
            ++i;
            continue;
        }
        const auto replaced = [&](std::string_view token, std::string_view name) {
            if (text.substr(i, token.size()) != token)
                return false;
            out += '"';
            out += kMark;
            out += name;
            out += '"';
            i += token.size();
            return true;
        };
        if (replaced("NaN", "n") || replaced("Infinity", "+") || replaced("-Infinity", "-"))
            continue;
        if (c == '"')
            inString = true;
        else if (c == '[' || c == '{')
            ++depth;
        else if (c == ']' || c == '}')
            --depth;
        if (depth > kMaxDepth)
            return fail(ErrorCode::Format, std::string(what) + " is nested more than " + std::to_string(kMaxDepth) +
                                               " levels deep; it is not what a labels file holds.");
        out += c;
        ++i;
    }
    return out;
}

void restoreNumbers(Json& value) {
    if (value.is_structured()) {
        for (auto& child : value)
            restoreNumbers(child);
        return;
    }
    if (!value.is_string())
        return;
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() != kMark.size() + 1 || text.compare(0, kMark.size(), kMark) != 0)
        return;
    const double infinity = std::numeric_limits<double>::infinity();
    switch (text.back()) {
        case 'n':
            value = std::numeric_limits<double>::quiet_NaN();
            break;
        case '+':
            value = infinity;
            break;
        case '-':
            value = -infinity;
            break;
        default:
            break;
    }
}

/// Whether there were any.
bool dropNonFinite(Json& value) {
    bool found = false;
    if (value.is_structured()) {
        for (auto& child : value)
            found = dropNonFinite(child) || found;
    } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        value = nullptr;
        found = true;
    }
    return found;
}

void appendString(std::string& out, const std::string& text) {
    out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
            ++i;
        } else if (c == '\n' || c == '\r' || c == '\t') {
            out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
            ++i;
        } else if (c < 0x20 || c == 0x7F) {
            appendEscaped(out, c);
            ++i;
        } else if (c < 0x80) {
            out += static_cast<char>(c);
            ++i;
        } else {
            const std::size_t length = utf8Length(text, i);
            unsigned code = 0xFFFD;
            if (length > 0) {
                code = c & (0x7FU >> length);
                for (std::size_t k = 1; k < length; ++k)
                    code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
            }
            if (code >= 0x10000) {
                appendEscaped(out, 0xD800U + ((code - 0x10000U) >> 10U));
                appendEscaped(out, 0xDC00U + ((code - 0x10000U) & 0x3FFU));
            } else {
                appendEscaped(out, code);
            }
            i += length == 0 ? 1 : length;
        }
    }
    out += '"';
}

template <class T>
void appendNumber(std::string& out, T value) {
    std::array<char, 40> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

void appendFloat(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "NaN";
        return;
    }
    if (std::isinf(value)) {
        out += value > 0 ? "Infinity" : "-Infinity";
        return;
    }
    const std::size_t begin = out.size();
    appendNumber(out, value);
    // A whole number stays a float for readers that tell the two apart.
    if (out.find_first_of(".e", begin) == std::string::npos)
        out += ".0";
}

void append(std::string& out, const Json& value) {
    switch (value.type()) {
        case Json::value_t::object: {
            out += '{';
            bool first = true;
            for (const auto& [key, child] : value.items()) {
                if (!first)
                    out += ',';
                first = false;
                appendString(out, key);
                out += ':';
                append(out, child);
            }
            out += '}';
            break;
        }
        case Json::value_t::array: {
            out += '[';
            bool first = true;
            for (const auto& child : value) {
                if (!first)
                    out += ',';
                first = false;
                append(out, child);
            }
            out += ']';
            break;
        }
        case Json::value_t::string:
            appendString(out, value.get_ref<const std::string&>());
            break;
        case Json::value_t::boolean:
            out += value.get<bool>() ? "true" : "false";
            break;
        case Json::value_t::number_integer:
            appendNumber(out, value.get<std::int64_t>());
            break;
        case Json::value_t::number_unsigned:
            appendNumber(out, value.get<std::uint64_t>());
            break;
        case Json::value_t::number_float:
            appendFloat(out, value.get<double>());
            break;
        default:
            out += "null";
            break;
    }
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view what) {
    auto prepared = prepare(text, what);
    if (!prepared)
        return fail(std::move(prepared.error()));
    try {
        Json value = Json::parse(*prepared);
        restoreNumbers(value);
        return value;
    } catch (const Json::exception& error) {
        std::string reason = error.what();
        // "[json.exception.parse_error.101] parse error at line 1, column 5: ..." without the library's own tag.
        if (const auto bracket = reason.find("] "); bracket != std::string::npos)
            reason.erase(0, bracket + 2);
        return fail(ErrorCode::Format, std::string(what) + " is not valid JSON: " + reason + ".");
    }
}

std::string writeJson(const Json& value) {
    std::string out;
    append(out, value);
    return out;
}

std::string writeStrictJson(Json value) {
    dropNonFinite(value);
    return writeJson(value);
}

std::string strictText(const std::string& text) {
    if (text.find("NaN") == std::string::npos && text.find("Infinity") == std::string::npos)
        return text;
    auto value = parseJson(text, "A text");
    // The words may also stand inside a string; then nothing changes.
    return value && dropNonFinite(*value) ? writeJson(*value) : text;
}

const Json& member(const Json& object, std::string_view key) {
    static const Json null;
    if (!object.is_object())
        return null;
    const auto it = object.find(std::string(key));
    return it == object.end() ? null : *it;
}

std::string stringMember(const Json& object, std::string_view key, std::string fallback) {
    const Json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::move(fallback);
}

}  // namespace skein::formats
