// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/skeleton_templates.h"

#include <QCoreApplication>
#include <initializer_list>
#include <utility>

namespace skein::ui {

namespace {

using Names = std::initializer_list<const char*>;
using Pairs = std::initializer_list<std::pair<const char*, const char*>>;

project::Skeleton made(const char* name, const Names& nodes, const Pairs& edges, const Pairs& mirrored = {}) {
    project::Skeleton skeleton;
    skeleton.name = name;
    for (const char* node : nodes)
        skeleton.nodes.emplace_back(node);
    const auto at = [&skeleton](const char* node) { return skeleton.nodeIndex(node).value(); };
    for (const auto& [from, to] : edges)
        skeleton.edges.push_back({at(from), at(to)});
    for (const auto& [a, b] : mirrored)
        skeleton.symmetries.push_back({at(a), at(b)});
    return skeleton;
}

QString words(const char* text) {
    return QCoreApplication::translate("SkeletonTemplates", text);
}

}  // namespace

const std::vector<SkeletonTemplate>& skeletonTemplates() {
    static const std::vector<SkeletonTemplate> templates{
        {words("Two points: head and tail"), made("two points", {"head", "tail"}, {{"head", "tail"}})},
        {words("Worm or fish, 5 nodes"),
         made("midline", {"head", "body_1", "body_2", "body_3", "tail"},
              {{"head", "body_1"}, {"body_1", "body_2"}, {"body_2", "body_3"}, {"body_3", "tail"}})},
        {words("Mouse from above, 8 nodes"),
         made("mouse", {"nose", "ear_left", "ear_right", "neck", "hip_left", "hip_right", "tail_base", "tail_tip"},
              {{"neck", "nose"},
               {"neck", "ear_left"},
               {"neck", "ear_right"},
               {"neck", "tail_base"},
               {"tail_base", "hip_left"},
               {"tail_base", "hip_right"},
               {"tail_base", "tail_tip"}},
              {{"ear_left", "ear_right"}, {"hip_left", "hip_right"}})},
        {words("Fly, 13 nodes"),
         made("fly",
              {"head", "thorax", "abdomen", "wing_left", "wing_right", "foreleg_left", "foreleg_right", "midleg_left",
               "midleg_right", "hindleg_left", "hindleg_right", "eye_left", "eye_right"},
              {{"thorax", "head"},
               {"thorax", "abdomen"},
               {"thorax", "wing_left"},
               {"thorax", "wing_right"},
               {"thorax", "foreleg_left"},
               {"thorax", "foreleg_right"},
               {"thorax", "midleg_left"},
               {"thorax", "midleg_right"},
               {"thorax", "hindleg_left"},
               {"thorax", "hindleg_right"},
               {"head", "eye_left"},
               {"head", "eye_right"}},
              {{"wing_left", "wing_right"},
               {"foreleg_left", "foreleg_right"},
               {"midleg_left", "midleg_right"},
               {"hindleg_left", "hindleg_right"},
               {"eye_left", "eye_right"}})},
        {words("Four-legged animal, 14 nodes"),
         made("quadruped",
              {"nose", "ear_left", "ear_right", "withers", "tail_base", "tail_tip", "elbow_left", "elbow_right",
               "forepaw_left", "forepaw_right", "knee_left", "knee_right", "hindpaw_left", "hindpaw_right"},
              {{"withers", "nose"},
               {"nose", "ear_left"},
               {"nose", "ear_right"},
               {"withers", "tail_base"},
               {"tail_base", "tail_tip"},
               {"withers", "elbow_left"},
               {"withers", "elbow_right"},
               {"elbow_left", "forepaw_left"},
               {"elbow_right", "forepaw_right"},
               {"tail_base", "knee_left"},
               {"tail_base", "knee_right"},
               {"knee_left", "hindpaw_left"},
               {"knee_right", "hindpaw_right"}},
              {{"ear_left", "ear_right"},
               {"elbow_left", "elbow_right"},
               {"forepaw_left", "forepaw_right"},
               {"knee_left", "knee_right"},
               {"hindpaw_left", "hindpaw_right"}})},
        {words("Person, 17 nodes"),
         made("person",
              {"nose", "eye_left", "eye_right", "ear_left", "ear_right", "shoulder_left", "shoulder_right",
               "elbow_left", "elbow_right", "wrist_left", "wrist_right", "hip_left", "hip_right", "knee_left",
               "knee_right", "ankle_left", "ankle_right"},
              {{"nose", "eye_left"},
               {"nose", "eye_right"},
               {"eye_left", "ear_left"},
               {"eye_right", "ear_right"},
               {"nose", "shoulder_left"},
               {"nose", "shoulder_right"},
               {"shoulder_left", "elbow_left"},
               {"shoulder_right", "elbow_right"},
               {"elbow_left", "wrist_left"},
               {"elbow_right", "wrist_right"},
               {"shoulder_left", "hip_left"},
               {"shoulder_right", "hip_right"},
               {"hip_left", "knee_left"},
               {"hip_right", "knee_right"},
               {"knee_left", "ankle_left"},
               {"knee_right", "ankle_right"}},
              {{"eye_left", "eye_right"},
               {"ear_left", "ear_right"},
               {"shoulder_left", "shoulder_right"},
               {"elbow_left", "elbow_right"},
               {"wrist_left", "wrist_right"},
               {"hip_left", "hip_right"},
               {"knee_left", "knee_right"},
               {"ankle_left", "ankle_right"}})},
    };
    return templates;
}

}  // namespace skein::ui
