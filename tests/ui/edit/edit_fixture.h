// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDockWidget>
#include <QMouseEvent>
#include <QWheelEvent>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/instances.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/edit/editor.h"

namespace skein::test {

namespace edit = project::edit;

/// The real window on a small video with animals at known places: on each of the first frames two user instances and
/// two predictions, each of five nodes in a bent chain. Tracks: left, right, third, fourth.
class EditWindow : public Window {
public:
    static constexpr int kFrames = 12;
    static constexpr int kNodes = 5;

    [[nodiscard]] bool setUp() {
        if (!open(sample("synthetic_6.mp4")))
            return false;
        project::Labels labels = document().snapshot();
        project::Skeleton skeleton;
        skeleton.name = "worm";
        for (int n = 0; n < kNodes; ++n) {
            skeleton.nodes.push_back("node" + std::to_string(n));
            if (n > 0)
                skeleton.edges.push_back({n - 1, n});
        }
        labels.editSkeletons().push_back(skeleton);
        for (const char* name : {"left", "right", "third", "fourth"})
            labels.editTracks().push_back({name, 0, -1});
        for (std::int64_t f = 0; f < kFrames; ++f) {
            project::FrameData frame{0, f, {}, -1};
            for (int i = 0; i < 4; ++i) {
                project::InstanceData instance;
                instance.header.kind = i < 2 ? project::InstanceKind::User : project::InstanceKind::Predicted;
                instance.header.track = i;
                instance.header.score = i < 2 ? 0.0F : 0.6F + 0.1F * static_cast<float>(i);
                for (int n = 0; n < kNodes; ++n)
                    instance.points.push_back({60.0 + (i % 2) * 180 + n * 24,
                                               70.0 + (i / 2) * 170 + (n % 2) * 20 + double(f), 0.9, true, false});
                frame.instances.push_back(std::move(instance));
            }
            labels.appendFrame(std::move(frame));
        }
        document().commit("Set up", std::move(labels), {});
        // A video without a skeleton brings the dock of skeletons to the front.
        (*this)->findChild<QDockWidget*>("dockInstances")->raise();
        return waitForDigest() && waitForFrame();
    }

    [[nodiscard]] ui::Document& document() { return (*this)->document(); }
    [[nodiscard]] ui::VideoCanvas& canvas() { return (*this)->canvas(); }
    [[nodiscard]] ui::ViewState& view() { return (*this)->view(); }
    [[nodiscard]] const project::Labels& labels() { return document().labels(); }
    [[nodiscard]] int steps() { return document().undoStack()->count(); }
    [[nodiscard]] int done() { return document().undoStack()->index(); }

    [[nodiscard]] project::FrameData frame() { return edit::frameAt(labels(), 0, view().frame()); }
    /// The i-th instance of the shown frame: 0, 1 user; 2, 3 predicted.
    [[nodiscard]] project::InstanceId id(std::size_t i) { return frame().instances.at(i).header.id; }
    [[nodiscard]] std::vector<project::Point> points(project::InstanceId instance) {
        const project::InstanceView found = edit::find(labels(), {0, view().frame(), instance});
        return {found.points.begin(), found.points.end()};
    }
    [[nodiscard]] std::int32_t track(project::InstanceId instance) {
        return edit::find(labels(), {0, view().frame(), instance}).header->track;
    }
    /// Pixel of the view on which a node lies.
    [[nodiscard]] QPoint at(project::InstanceId instance, int node) {
        const project::Point p = points(instance).at(static_cast<std::size_t>(node));
        return canvas().sceneToView({p.x, p.y}).toPoint();
    }

    void mouse(QEvent::Type type, QPoint where, Qt::MouseButton button, Qt::MouseButtons buttons,
               Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QMouseEvent event(type, QPointF(where), canvas().mapToGlobal(QPointF(where)), button, buttons, modifiers);
        QCoreApplication::sendEvent(&canvas(), &event);
    }
    void press(QPoint where, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
               Qt::MouseButton button = Qt::LeftButton) {
        mouse(QEvent::MouseButtonPress, where, button, button, modifiers);
    }
    void move(QPoint where, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        mouse(QEvent::MouseMove, where, Qt::NoButton, Qt::LeftButton, modifiers);
    }
    void release(QPoint where, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
                 Qt::MouseButton button = Qt::LeftButton) {
        mouse(QEvent::MouseButtonRelease, where, button, Qt::NoButton, modifiers);
    }
    void click(QPoint where, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
               Qt::MouseButton button = Qt::LeftButton) {
        press(where, modifiers, button);
        release(where, modifiers, button);
    }
    void doubleClick(QPoint where, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        click(where, modifiers);
        mouse(QEvent::MouseButtonDblClick, where, Qt::LeftButton, Qt::LeftButton, modifiers);
        release(where, modifiers);
    }
    void drag(QPoint from, QPoint by, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        press(from, modifiers);
        move(from + by / 2, modifiers);
        move(from + by, modifiers);
        release(from + by, modifiers);
    }
    void wheel(QPoint where, int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(QPointF(where), canvas().mapToGlobal(QPointF(where)), {}, {0, delta}, Qt::LeftButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas(), &event);
    }
};

}  // namespace skein::test
