// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSettings>

namespace skein::ui {

/// Settings that reach the disk on a worker: a busy disk takes tens of milliseconds, and a run begins with what the
/// person chose for it. What is set is there at once, for every QSettings of the same file. GUI thread only.
class BackgroundSettings : public QSettings {
    Q_OBJECT
public:
    using QSettings::QSettings;

protected:
    bool event(QEvent* event) override;
};

}  // namespace skein::ui
