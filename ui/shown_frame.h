// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// One instance as the views show it.
struct ShownInstance {
    project::InstanceHeader header;
    std::vector<project::Point> points;  ///< in skeleton order
    int place = 0;                       ///< among the frame's instances, from 0: the number people see is place + 1
    int color = 0;                       ///< ink, see canvas/ink.h
    double speed = project::kNaN;        ///< px a frame, from the same track on the frame beside; NaN: not known
    QString trackName;                   ///< empty: none
    bool hidden = false;                 ///< the person does not want to see it now: neither drawn nor clicked
    bool unfocused = false;              ///< left out like hidden ones, see OverlayStyle::focus
    bool hiddenNodes = true;             ///< nodes that are not visible are shown
    const project::Skeleton* skeleton = nullptr;  ///< owned by ShownFrame::skeletons
};

/// Ink of an instance without a track in a project that has tracks.
inline constexpr int kNeutralColor = -1;

/// What is drawn over one picture and listed beside it: a value, so that it stays what it was when it was taken.
/// Predictions that a person has turned into a user instance are left out.
struct ShownFrame {
    std::uint32_t video = 0;
    std::int64_t frame = -1;  ///< -1: nothing
    std::vector<ShownInstance> instances;
    std::shared_ptr<const std::vector<project::Skeleton>> skeletons;  ///< keeps ShownInstance::skeleton alive

    [[nodiscard]] const ShownInstance* find(project::InstanceId id) const {
        for (const ShownInstance& instance : instances)
            if (id != 0 && instance.header.id == id)
                return &instance;
        return nullptr;
    }
    [[nodiscard]] int userCount() const {
        int count = 0;
        for (const ShownInstance& instance : instances)
            count += instance.header.kind == project::InstanceKind::User ? 1 : 0;
        return count;
    }
};

/// Whether anything of it is drawn and can be clicked.
[[nodiscard]] inline bool isInSight(const ShownInstance& instance) {
    return !instance.hidden && !instance.unfocused;
}

/// A point that can be drawn: it has a place. Whether it is visible is another matter.
[[nodiscard]] inline bool hasPlace(const project::Point& p) {
    return p.x == p.x && p.y == p.y;
}

}  // namespace skein::ui
