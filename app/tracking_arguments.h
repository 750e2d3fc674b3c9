// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/tracking/presets.h"
#include "engine/tracking/tracker_options.h"

namespace skein::app {

/// The trackers' options on a command line, under sleap-nn's names.
class TrackingArguments {
public:
    void addTo(CLI::App& command);
    /// Reads what was given into options that are checked against the facts of the job.
    /// Errors: InvalidArgument; Unsupported (trackers that need appearance vectors). Notes (an option that changed
    /// another) are printed.
    /// A preset gives what no other option says.
    [[nodiscard]] Result<tracking::TrackerOptions> resolve(const tracking::TrackingFacts& facts,
                                                           bool matchSleapNn) const;

    /// The options that were given, by their names.
    [[nodiscard]] std::vector<std::string> given() const;

private:
    [[nodiscard]] Result<void> applyCount(tracking::TrackerOptions& options,
                                          const tracking::TrackingFacts& facts) const;

    CLI::App* m_command = nullptr;
    tracking::TrackerOptions m_options;
    const tracking::TrackingPreset* m_preset = nullptr;
    std::optional<Error> m_presetProblem;
    std::string m_tracker;
    std::string m_candidates, m_features, m_scoring, m_reduction, m_matching, m_kalmanFeature, m_kalmanNodes;
    std::optional<int> m_maxTracks, m_targetCount;
    std::optional<double> m_oksStddev;
    int m_preCull = 0;
    std::string m_appearanceThreshold;
    std::vector<std::string> m_motParameters;
};

}  // namespace skein::app
