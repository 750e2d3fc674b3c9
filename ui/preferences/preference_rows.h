// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <vector>

#include "ui/settings.h"

namespace skein::ui {

enum class PreferencePage { General, Look, Video, Labelling, Tracks, Files };

/// One line of the preferences. The dialog is made from these rows: a new preference is a row here, a default in
/// settings.cpp, and whoever obeys it.
struct PreferenceRow {
    enum class Kind {
        Switch,
        Number,  ///< whole, from `least` to `most`
        Choice   ///< one of `values`, or the index into `choices` where there are none
    };
    PreferencePage page;
    Kind kind;
    Setting setting;
    const char* name;   ///< of the editor's object
    const char* label;  ///< what is set
    const char* help;   ///< what it does, as a sentence
    int least = 0;
    int most = 0;
    int step = 1;
    const char* unit = "";
    std::vector<const char*> choices = {};
    std::vector<int> values = {};
};

[[nodiscard]] const std::vector<PreferenceRow>& preferenceRows();
[[nodiscard]] QString titleOf(PreferencePage page);
/// A text of a row, translated.
[[nodiscard]] QString preferenceText(const char* text);

}  // namespace skein::ui
