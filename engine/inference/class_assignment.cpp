// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/class_assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/result.h"

namespace skein::inference {
namespace {

float known(float probability) {
    return std::isnan(probability) ? 0.0F : probability;
}

std::vector<double> costsOf(std::span<const float> probabilities) {
    std::vector<double> costs(probabilities.size());
    std::transform(probabilities.begin(), probabilities.end(), costs.begin(),
                   [](float p) { return -static_cast<double>(known(p)); });
    return costs;
}

}  // namespace

std::vector<ClassedPeak> classifyPeaks(Assigner& assigner, std::span<const float> probabilities, std::size_t peaks,
                                       std::size_t classes) {
    SKEIN_EXPECTS(probabilities.size() == peaks * classes, "one probability for each peak and class");
    std::vector<ClassedPeak> result;
    const std::vector<double> costs = costsOf(probabilities);
    for (const AssignedPair& pair : assigner.minimise(costs, peaks, classes)) {
        const auto row = probabilities.subspan(static_cast<std::size_t>(pair.row) * classes, classes);
        const float probability = known(row[static_cast<std::size_t>(pair.column)]);
        if (std::all_of(row.begin(), row.end(), [&](float p) { return known(p) <= probability; }))
            result.push_back({pair.row, pair.column, probability});
    }
    return result;
}

std::vector<ClassedPeak> classifyCrops(Assigner& assigner, std::span<const float> probabilities, std::size_t crops,
                                       std::size_t classes) {
    SKEIN_EXPECTS(probabilities.size() == crops * classes, "one probability for each crop and class");
    std::vector<ClassedPeak> result(crops);
    for (std::size_t i = 0; i < crops; ++i)
        result[i] = {static_cast<int>(i), -1, std::numeric_limits<float>::quiet_NaN()};
    const std::vector<double> costs = costsOf(probabilities);
    for (const AssignedPair& pair : assigner.minimise(costs, crops, classes)) {
        ClassedPeak& crop = result[static_cast<std::size_t>(pair.row)];
        crop.classIndex = pair.column;
        crop.probability =
            known(probabilities[static_cast<std::size_t>(pair.row) * classes + static_cast<std::size_t>(pair.column)]);
    }
    return result;
}

}  // namespace skein::inference
