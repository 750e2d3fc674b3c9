// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/tracking_preset_box.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

#include "engine/tracking/presets.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_preset.h"

namespace skein::ui {

TrackingPresetBox::TrackingPresetBox(const QString& prefix, QWidget* parent) : QComboBox(parent) {
    setObjectName(prefix + QStringLiteral("TrackingPreset"));
    setAccessibleName(tr("Kind of tracking"));
    setToolTip(tr(
        "<p>Choices of tracker and options that go together. The guide says how each does on several scenes; compare "
        "them on a stretch of your own video.</p><p>Default: No tracking<br><code>--tracking_preset</code></p>"));
    addItem(tr("No tracking"), QStringLiteral("none"));
    for (const tracking::TrackingPreset& preset : tracking::trackingPresets()) {
        const auto words = [](std::string_view text) {
            return QCoreApplication::translate("TrackingPreset", std::string(text).c_str());
        };
        addItem(words(preset.name), QString::fromStdString(std::string(preset.key)));
        setItemData(count() - 1, words(preset.description), Qt::ToolTipRole);
    }
    addItem(tr("Own choice"), QString());
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    guardWheel(this);
    connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(currentData().toString()); });
}

void TrackingPresetBox::addTo(QGridLayout* grid) {
    auto* label = new QLabel(tr("Kind"), parentWidget());
    label->setBuddy(this);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(this, row, 1);
}

void TrackingPresetBox::show(const RunSettings& settings) {
    const std::string_view preset = trackingPresetOf(settings);
    setCurrentIndex(findData(settings.tracking ? QString::fromStdString(std::string(preset)) : QStringLiteral("none")));
}

void TrackingPresetBox::choose(RunSettings& settings, const QString& key, const std::optional<int>& animals) {
    if (key == QLatin1String("none")) {
        chooseTracker(settings, TrackerChoice::None);
        settings.trackOnly = false;
    } else if (const auto preset = tracking::findPreset(key.toStdString())) {
        if (!settings.tracker.maxTracks)
            settings.tracker.maxTracks = animals;
        chooseTrackingPreset(settings, **preset);
    } else if (!settings.tracking) {
        chooseTracker(settings, TrackerChoice::Classic);
    }
}

}  // namespace skein::ui
