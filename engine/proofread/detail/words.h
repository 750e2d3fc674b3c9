// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

#include "engine/proofread/detail/scan.h"

namespace skein::proofread {

/// Reasons, one plain sentence each.
class Words {
public:
    explicit Words(const project::Labels& labels) : m_labels(labels) {}

    [[nodiscard]] std::string swapGain(const Signal& signal) const;
    [[nodiscard]] std::string otherLinks(const Signal& signal) const;
    [[nodiscard]] std::string reappears(const Signal& signal) const;
    [[nodiscard]] std::string jumps(const Signal& signal) const;
    [[nodiscard]] std::string breaks(std::int32_t from, std::int32_t to, std::int64_t frames, double distance) const;
    [[nodiscard]] std::string isShort(std::int32_t track, std::int64_t frames) const;
    [[nodiscard]] std::string isNew(std::int32_t track) const;
    [[nodiscard]] std::string flips(std::int32_t track, std::int64_t frames) const;
    [[nodiscard]] std::string edge(const PoseDoubt& doubt) const;
    [[nodiscard]] std::string lowScore(const PoseDoubt& doubt, double usual) const;
    [[nodiscard]] std::string meet(std::int32_t a, std::int32_t b, std::int64_t frames) const;
    [[nodiscard]] std::string duplicate(const PoseDoubt& doubt, std::int64_t frames) const;
    [[nodiscard]] std::string count(std::size_t count, std::size_t usual, std::int64_t frames) const;

private:
    [[nodiscard]] std::string track(std::int32_t index) const;
    [[nodiscard]] std::string instance(std::int32_t track) const;

    const project::Labels& m_labels;
};

}  // namespace skein::proofread
