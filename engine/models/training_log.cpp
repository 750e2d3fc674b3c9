// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/training_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace skein::models {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;
constexpr double kMostEpochs = 1e8;

std::vector<std::string_view> cells(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    std::vector<std::string_view> result;
    for (std::size_t start = 0;;) {
        const auto comma = line.find(',', start);
        result.push_back(line.substr(start, comma == std::string_view::npos ? comma : comma - start));
        if (comma == std::string_view::npos)
            return result;
        start = comma + 1;
    }
}

std::optional<double> number(const std::vector<std::string_view>& row, std::optional<std::size_t> column) {
    if (!column || *column >= row.size())
        return std::nullopt;
    const std::string_view text = row[*column];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace

std::optional<TrainingResult> readTrainingLog(const std::filesystem::path& file) {
    std::error_code ec;
    if (std::filesystem::file_size(file, ec) > kMaxFileBytes || ec)
        return std::nullopt;
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line))
        return std::nullopt;
    std::optional<std::size_t> epochColumn, lossColumn;
    const auto header = cells(line);
    for (std::size_t c = 0; c < header.size(); ++c) {
        if (header[c] == "epoch")
            epochColumn = c;
        if (header[c] == "val_loss" || header[c] == "val/loss")
            lossColumn = c;
    }
    std::optional<TrainingResult> result;
    bool hasLoss = false;
    while (std::getline(in, line)) {
        const auto row = cells(line);
        const auto epoch = number(row, epochColumn);
        if (!epoch || *epoch < 0 || *epoch > kMostEpochs)
            continue;
        if (!result)
            result.emplace();
        const int count = static_cast<int>(*epoch) + 1;
        result->epochs = std::max(result->epochs, count);
        if (const auto loss = number(row, lossColumn); loss && (!hasLoss || *loss < result->bestLoss)) {
            hasLoss = true;
            result->bestLoss = *loss;
            result->bestEpoch = count;
        }
    }
    if (!hasLoss)
        return std::nullopt;
    return result;
}

}  // namespace skein::models
