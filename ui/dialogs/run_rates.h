// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "engine/inference/runner.h"
#include "ui/bridge/run_snapshot.h"

class QSettings;

namespace skein::ui {

/// The device that a choice ("auto", "cpu", "cuda:0") comes to here, as a run names it; empty while that is not known.
[[nodiscard]] QString deviceOf(const QString& choice, const inference::DeviceInfo& devices);
/// The same for people: "CPU", "cuda:0 (NVIDIA H200, 141 GB)".
[[nodiscard]] QString deviceWords(const QString& choice, const inference::DeviceInfo& devices);

/// How fast runs were on this computer, by their models and the device, kept in the settings file.
class RunRates {
public:
    /// `file` outlives it.
    explicit RunRates(QSettings* file) : m_file(file) {}

    /// Takes up what an ended run says about speed, if it is long enough to say anything.
    void note(const RunSnapshot& run);
    /// Pixels per second of the last such run; 0: there was none. Decoding and most networks take time with the size of
    /// the picture, so that a rate of small frames promises nothing for large ones. `models`: as modelKey() names them.
    [[nodiscard]] double pixelRate(const QString& models, const QString& device) const;

private:
    QSettings* m_file;
};

}  // namespace skein::ui
