// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace skein::test {

/// A `*-cases.json` file; an empty value where it cannot be read.
inline nlohmann::json readCases(const std::filesystem::path& file) {
    std::ifstream in(file);
    return nlohmann::json::parse(in, nullptr, false);
}

/// A number of a case: null stands for NaN, "inf" and "-inf" for the infinities.
inline float number(const nlohmann::json& value) {
    if (value.is_null())
        return std::numeric_limits<float>::quiet_NaN();
    if (value.is_string())
        return value == "inf" ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
    return value.get<float>();
}

inline void flatten(const nlohmann::json& value, std::vector<float>& out) {
    if (value.is_array()) {
        for (const auto& item : value)
            flatten(item, out);
    } else {
        out.push_back(number(value));
    }
}

/// All numbers of nested arrays, in order.
inline std::vector<float> numbers(const nlohmann::json& value) {
    std::vector<float> out;
    flatten(value, out);
    return out;
}

/// Sizes of nested arrays of equal length, outermost first.
inline std::vector<std::int64_t> shapeOf(const nlohmann::json& value) {
    std::vector<std::int64_t> shape;
    for (const nlohmann::json* v = &value; v->is_array(); v = &v->front()) {
        shape.push_back(static_cast<std::int64_t>(v->size()));
        if (v->empty())
            break;
    }
    return shape;
}

/// Equal within `tolerance`, or both NaN, or the same infinity.
inline bool near(float a, float b, float tolerance = 1e-5F) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= tolerance;
}

}  // namespace skein::test
