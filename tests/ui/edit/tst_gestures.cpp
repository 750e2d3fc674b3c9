// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <cmath>
#include <tuple>

#include "tests/ui/edit/edit_fixture.h"
#include "ui/canvas/name_layout.h"

using namespace skein;
using namespace skein::ui;
using skein::test::EditWindow;
namespace edit = skein::project::edit;

namespace {

bool near(double a, double b, double tolerance = 1e-9) {
    return std::fabs(a - b) <= tolerance;
}

bool equal(const std::vector<project::Point>& a, const std::vector<project::Point>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].visible != b[i].visible || a[i].complete != b[i].complete)
            return false;
    return true;
}

}  // namespace

/// Real mouse events on the canvas of the real window.
class TestGestures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Dark); }
    void init() {
        test::forgetSettings();
        w = std::make_unique<EditWindow>();
        QVERIFY(w->setUp());
        w->canvas().actualSize();
    }
    void cleanup() { w.reset(); }

    void L_01_dragMovesOneNode() {
        const project::InstanceId id = w->id(0);
        const auto before = w->points(id);
        const auto other = w->points(w->id(1));
        const int steps = w->steps();
        w->drag(w->at(id, 2), {12, -7});
        const auto after = w->points(id);
        for (std::size_t n = 0; n < after.size(); ++n) {
            QVERIFY(near(after[n].x, before[n].x + (n == 2 ? 12 : 0), 0.01));
            QVERIFY(near(after[n].y, before[n].y - (n == 2 ? 7 : 0), 0.01));
            QCOMPARE(after[n].complete, n == 2);
        }
        QVERIFY(equal(w->points(w->id(1)), other));
        QCOMPARE(w->steps(), steps + 1);
        QVERIFY(w->document().undoStack()->undoText().contains("node2"));
        QCOMPARE(w->view().selected(), id);
        w->trigger("editUndo");
        QVERIFY(equal(w->points(id), before));
        w->trigger("editRedo");
        QVERIFY(equal(w->points(id), after));
    }

    void aDragIsSeenWhileItLasts() {
        const project::InstanceId id = w->id(0);
        const QPoint from = w->at(id, 0);
        w->press(from);
        w->move(from + QPoint(0, 60));
        QVERIFY(w->canvas().isDragging());
        // The node's marker is drawn where the pointer is, and nothing of the project has changed.
        const QImage shot = w->canvas().grab().toImage();
        const double ratio = shot.devicePixelRatio();
        const auto color = [&](QPoint p) { return shot.pixelColor((QPointF(p) * ratio).toPoint()); };
        const QColor mark = theme::trackColor(0);
        const auto distance = [](QColor a, QColor b) {
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
        };
        int nearest = 1000;
        for (int dx = -4; dx <= 4; ++dx)
            nearest = std::min(nearest, distance(color(from + QPoint(dx, 60)), mark));
        QVERIFY2(nearest < 120, qPrintable(QString::number(nearest)));
        QCOMPARE(w->points(id)[0].y, 70.0);
        w->release(from + QPoint(0, 60));
        QCOMPARE(w->points(id)[0].y, 130.0);
    }

    void nodesStayInsideTheFrame() {
        const project::InstanceId id = w->id(0);
        const QPoint from = w->at(id, 0);
        w->drag(from, {-2000, -2000});
        QCOMPARE(w->points(id)[0].x, 0.0);
        QCOMPARE(w->points(id)[0].y, 0.0);
    }

    void lessThanThreePixelsIsAClick() {
        const auto before = w->points(w->id(0));
        const int steps = w->steps();
        w->drag(w->at(w->id(0), 1), {2, 1});
        QVERIFY(equal(w->points(w->id(0)), before));
        QCOMPARE(w->steps(), steps);
        QCOMPARE(w->view().selected(), w->id(0));
    }

    void L_02_altDragMovesAllNodes_data() {
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("Alt") << Qt::KeyboardModifiers(Qt::AltModifier);
        // Alt may be the window manager's.
        QTest::newRow("Ctrl and Shift") << Qt::KeyboardModifiers(Qt::ControlModifier | Qt::ShiftModifier);
    }
    void L_02_altDragMovesAllNodes() {
        QFETCH(const Qt::KeyboardModifiers, modifiers);
        const project::InstanceId id = w->id(0);
        w->click(w->at(id, 3), {}, Qt::RightButton);  // one of them is not visible
        const auto before = w->points(id);
        QVERIFY(!before[3].visible);
        w->drag(w->at(id, 1), {31, 18}, modifiers);
        const auto after = w->points(id);
        for (std::size_t n = 0; n < after.size(); ++n) {
            QVERIFY(near(after[n].x - before[n].x, 31, 0.01));
            QVERIFY(near(after[n].y - before[n].y, 18, 0.01));
            QCOMPARE(after[n].visible, before[n].visible);
            QCOMPARE(after[n].complete, before[n].complete);
        }
    }

    void L_03_wheelTurnsWhileAltDragging() {
        const project::InstanceId id = w->id(0);
        const auto before = w->points(id);
        const QPoint node = w->at(id, 1);
        const double zoom = w->canvas().zoom();
        const Qt::KeyboardModifiers other = Qt::ControlModifier | Qt::ShiftModifier;
        for (const auto& [held, modifiers, degrees] :
             {std::tuple{Qt::KeyboardModifiers(Qt::AltModifier), Qt::KeyboardModifiers(Qt::AltModifier), 6.0},
              {Qt::AltModifier, Qt::AltModifier | Qt::ShiftModifier, 1.0},
              {other, other, 6.0}}) {
            w->press(node, held);
            w->wheel(node, 120, modifiers);
            w->release(node, held);
            const auto after = w->points(id);
            const double c = std::cos(degrees * std::acos(-1.0) / 180), s = std::sin(degrees * std::acos(-1.0) / 180);
            for (std::size_t n = 0; n < after.size(); ++n) {
                const double x = before[n].x - before[1].x, y = before[n].y - before[1].y;
                QVERIFY(near(after[n].x, before[1].x + c * x - s * y, 1e-9 * 400));
                QVERIFY(near(after[n].y, before[1].y + s * x + c * y, 1e-9 * 400));
            }
            w->trigger("editUndo");
            QVERIFY(equal(w->points(id), before));
        }
        QCOMPARE(w->canvas().zoom(), zoom);
    }

    void L_04_rightClickFlipsVisibility() {
        const project::InstanceId id = w->id(0);
        w->click(w->at(id, 2), {}, Qt::RightButton);
        const auto after = w->points(id);
        for (std::size_t n = 0; n < after.size(); ++n) {
            QCOMPARE(after[n].visible, n != 2);
            QCOMPARE(after[n].complete, n == 2);
        }
        QVERIFY((*w)->findChild<QMenu*>("canvasMenu") == nullptr);
        QVERIFY(QApplication::activePopupWidget() == nullptr);
        w->click(w->at(id, 2), {}, Qt::RightButton);
        QVERIFY(w->points(id)[2].visible);
    }

    void rightClickElsewhereAndHoldingShowTheMenu() {
        w->click(w->at(w->id(2), 0), {}, Qt::RightButton);
        QTRY_VERIFY((*w)->findChild<QMenu*>("canvasMenu") != nullptr);
        QCOMPARE(w->view().selected(), w->id(2));
        (*w)->findChild<QMenu*>("canvasMenu")->close();
        QTRY_VERIFY((*w)->findChild<QMenu*>("canvasMenu") == nullptr);
        const auto before = w->points(w->id(0));
        w->press(w->at(w->id(0), 0), {}, Qt::RightButton);
        QTRY_VERIFY((*w)->findChild<QMenu*>("canvasMenu") != nullptr);
        w->release(w->at(w->id(0), 0), {}, Qt::RightButton);
        QVERIFY(equal(w->points(w->id(0)), before));
    }

    void L_05_doubleClickAcceptsAPrediction() {
        const project::InstanceId prediction = w->id(3);
        const auto before = w->points(prediction);
        const int steps = w->steps();
        w->doubleClick(w->at(prediction, 2));
        QCOMPARE(w->frame().instances.size(), std::size_t{5});
        const project::InstanceData made = w->frame().instances.back();
        QVERIFY(made.header.kind == project::InstanceKind::User);
        QCOMPARE(made.header.fromPredicted, prediction);
        QCOMPARE(made.header.track, 3);
        for (std::size_t n = 0; n < before.size(); ++n) {
            QCOMPARE(made.points[n].x, before[n].x);
            QCOMPARE(made.points[n].y, before[n].y);
            QVERIFY(!made.points[n].complete);
        }
        QCOMPARE(w->view().selected(), made.header.id);
        QVERIFY(w->canvas().contents().find(prediction) == nullptr);
        QCOMPARE(w->steps(), steps + 1);
        w->trigger("editUndo");
        QCOMPARE(w->frame().instances.size(), std::size_t{4});
        QVERIFY(w->canvas().contents().find(prediction) != nullptr);
        w->doubleClick(w->at(prediction, 2), Qt::ShiftModifier);
        QVERIFY(w->frame().instances.back().points[0].complete);
    }

    void ghostDragCorrectsAPrediction() {
        const project::InstanceId prediction = w->id(2);
        const auto before = w->points(prediction);
        const int steps = w->steps();
        w->drag(w->at(prediction, 1), {15, 9});
        QCOMPARE(w->steps(), steps + 1);
        const project::InstanceData made = w->frame().instances.back();
        QCOMPARE(made.header.fromPredicted, prediction);
        QVERIFY(near(made.points[1].x, before[1].x + 15, 0.01) && near(made.points[1].y, before[1].y + 9, 0.01));
        QVERIFY(made.points[1].complete && !made.points[0].complete);
        QCOMPARE(made.points[0].x, before[0].x);
        QVERIFY(equal(w->points(prediction), before));
        QCOMPARE(w->view().selected(), made.header.id);
        w->canvas().setGhostDrag(false);
        w->trigger("editUndo");
        w->drag(w->at(prediction, 1), {15, 9});
        QCOMPARE(w->frame().instances.size(), std::size_t{4});
    }

    void L_06_ctrlDragDuplicates() {
        const project::InstanceId id = w->id(0);
        const auto before = w->points(id);
        w->drag(w->at(id, 0), {0, 60}, Qt::ControlModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{5});
        QVERIFY(equal(w->points(id), before));
        const project::InstanceData copy = w->frame().instances.back();
        for (std::size_t n = 0; n < before.size(); ++n) {
            QVERIFY(near(copy.points[n].x, before[n].x, 0.01));
            QVERIFY(near(copy.points[n].y, before[n].y + 60, 0.01));
        }
        QCOMPARE(w->view().selected(), copy.header.id);
    }

    void L_07_cornerDragScales() {
        const project::InstanceId id = w->id(0);
        w->view().setSelected(id);
        const auto before = w->points(id);
        const ShownInstance* shown = w->canvas().contents().find(id);
        const QTransform toView = QTransform::fromTranslate(0, 0) *
                                  QTransform(w->canvas().zoom(), 0, 0, w->canvas().zoom(),
                                             w->canvas().sceneToView({0, 0}).x(), w->canvas().sceneToView({0, 0}).y());
        const QPoint corner = selectionBox(*shown, toView).bottomRight().toPoint();
        QCOMPARE(w->canvas().itemAt(corner).corner, static_cast<int>(Corner::BottomRight));
        // The box is 96 px wide and 20 high; half its width more is half as much again.
        w->drag(corner, {48, 0});
        auto after = w->points(id);
        for (std::size_t n = 0; n < after.size(); ++n) {
            QVERIFY(near(after[n].x, 60 + (before[n].x - 60) * 1.5, 1e-6));
            QVERIFY(near(after[n].y, before[n].y, 1e-6));
        }
        w->trigger("editUndo");
        w->drag(corner, {48, 0}, Qt::ShiftModifier);
        after = w->points(id);
        for (std::size_t n = 0; n < after.size(); ++n) {
            QVERIFY(near(after[n].x, 60 + (before[n].x - 60) * 1.5, 1e-6));
            QVERIFY(near(after[n].y, 70 + (before[n].y - 70) * 1.5, 1e-6));
        }
    }

    void L_08_escRestores_data() {
        QTest::addColumn<int>("instance");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("node") << 0 << Qt::KeyboardModifiers(Qt::NoModifier);
        QTest::newRow("instance") << 0 << Qt::KeyboardModifiers(Qt::AltModifier);
        QTest::newRow("duplicate") << 1 << Qt::KeyboardModifiers(Qt::ControlModifier);
        QTest::newRow("ghost") << 2 << Qt::KeyboardModifiers(Qt::NoModifier);
    }
    void L_08_escRestores() {
        QFETCH(int, instance);
        QFETCH(Qt::KeyboardModifiers, modifiers);
        const project::InstanceId id = w->id(static_cast<std::size_t>(instance));
        const auto before = w->points(id);
        const std::size_t count = w->frame().instances.size();
        const int steps = w->steps();
        const QPoint from = w->at(id, 1);
        w->press(from, modifiers);
        w->move(from + QPoint(25, 25), modifiers);
        QVERIFY(w->canvas().isDragging());
        w->key(Qt::Key_Escape);
        QVERIFY(!w->canvas().isDragging());
        w->move(from + QPoint(40, 40), modifiers);
        w->release(from + QPoint(40, 40), modifiers);
        QVERIFY(equal(w->points(id), before));
        QCOMPARE(w->frame().instances.size(), count);
        QCOMPARE(w->steps(), steps);
        const ShownInstance* shown = w->canvas().contents().find(id);
        QVERIFY(equal(shown->points, before));
    }

    void L_09_gesturesWorkAtEveryZoom_data() {
        QTest::addColumn<double>("zoom");
        QTest::addColumn<int>("rotation");
        for (const double zoom : {1.0, 8.0, 64.0})
            for (const int rotation : {0, 90, 180, 270})
                QTest::addRow("zoom %.0f, rotated by %d", zoom, rotation) << zoom << rotation;
    }
    void L_09_gesturesWorkAtEveryZoom() {
        QFETCH(double, zoom);
        QFETCH(int, rotation);
        VideoCanvas& canvas = w->canvas();
        canvas.setRotation(rotation);
        const project::InstanceId id = w->id(0);
        canvas.actualSize();
        canvas.zoomAbout(canvas.sceneToView({84, 90}), zoom);
        // The node in the middle of the view, so that there is room around it.
        const auto centre = [&](QPointF scene) {
            const QPoint from = canvas.sceneToView(scene).toPoint();
            const QPoint to = canvas.rect().center();
            w->mouse(QEvent::MouseButtonPress, from, Qt::MiddleButton, Qt::MiddleButton);
            w->mouse(QEvent::MouseMove, to, Qt::NoButton, Qt::MiddleButton);
            w->mouse(QEvent::MouseButtonRelease, to, Qt::MiddleButton, Qt::NoButton);
        };
        centre({84, 90});
        QVERIFY(near(canvas.zoom(), zoom));
        const QPoint grabbed = w->at(id, 1);
        QVERIFY(canvas.rect().contains(grabbed));
        const auto before = w->points(id);
        const QPointF by = canvas.viewToScene(QPointF(grabbed) + QPointF(64, 32)) - canvas.viewToScene(grabbed);
        QVERIFY(near(std::hypot(by.x(), by.y()), std::hypot(64, 32) / zoom, 1e-9));

        w->drag(grabbed, {64, 32});
        QVERIFY(near(w->points(id)[1].x, before[1].x + by.x()) && near(w->points(id)[1].y, before[1].y + by.y()));
        QCOMPARE(w->points(id)[0].x, before[0].x);
        w->trigger("editUndo");
        // By half of it, so that no node is stopped at the frame's edge.
        w->drag(grabbed, {32, 16}, Qt::AltModifier);
        for (std::size_t n = 0; n < before.size(); ++n) {
            const QPointF error(w->points(id)[n].x - before[n].x - by.x() / 2,
                                w->points(id)[n].y - before[n].y - by.y() / 2);
            QVERIFY2(std::hypot(error.x(), error.y()) < 1e-9,
                     qPrintable(QStringLiteral("node %1: %2, %3").arg(n).arg(error.x()).arg(error.y())));
        }
        w->trigger("editUndo");
        w->click(grabbed, {}, Qt::RightButton);
        QVERIFY(!w->points(id)[1].visible);
        w->trigger("editUndo");
        w->drag(grabbed, {64, 32}, Qt::ControlModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{5});
        w->trigger("editUndo");
        w->click(grabbed, Qt::ShiftModifier);
        QVERIFY(w->points(id)[4].complete);
        w->trigger("editUndo");
        QVERIFY(equal(w->points(id), before));

        const project::Point prediction = w->points(w->id(2))[1];
        centre({prediction.x, prediction.y});
        w->doubleClick(w->at(w->id(2), 1));
        QCOMPARE(w->frame().instances.size(), std::size_t{5});
    }

    void shiftClickCompletesOrSelectsSeveral() {
        w->click(w->at(w->id(0), 0), Qt::ShiftModifier);
        for (const project::Point& p : w->points(w->id(0)))
            QVERIFY(p.complete);
        // On an edge, between two nodes.
        const auto body = [this](std::size_t i) { return (w->at(w->id(i), 0) + w->at(w->id(i), 1)) / 2; };
        w->click(body(0));
        w->click(body(1), Qt::ShiftModifier);
        w->click(body(2), Qt::ShiftModifier);
        QCOMPARE(w->view().selection(), (std::vector{w->id(0), w->id(1), w->id(2)}));
        w->click(body(1), Qt::ShiftModifier);
        QCOMPARE(w->view().selection(), (std::vector{w->id(0), w->id(2)}));
    }

    void doubleClickAddsMissingNodes() {
        project::FrameData frame = w->frame();
        frame.instances[0].points[4] = project::Point{};
        w->document().commit("Lose a node", edit::withFrame(w->labels(), frame), {});
        w->doubleClick(w->at(w->id(0), 0));
        const project::Point added = w->points(w->id(0))[4];
        QVERIFY(hasPlace(added) && !added.visible);
    }

    void deletesPredictionsInsideARectangle() {
        w->trigger("labelDeletePredArea");
        QVERIFY(w->canvas().isChoosingArea());
        const QPoint from = w->canvas().sceneToView({40, 225}).toPoint();
        w->drag(from, w->canvas().sceneToView({200, 300}).toPoint() - from);
        QVERIFY(!w->canvas().isChoosingArea());
        // The left prediction of every frame lies inside, the right one does not.
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{EditWindow::kFrames});
        QCOMPARE(w->labels().instanceCount(), std::size_t{3 * EditWindow::kFrames});
        w->trigger("editUndo");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{2 * EditWindow::kFrames});
        w->trigger("labelDeletePredArea");
        w->key(Qt::Key_Escape);
        QVERIFY(!w->canvas().isChoosingArea());
        QVERIFY(!(*w)->actions().get("labelDeletePredArea")->isChecked());
    }

    void nudgesByKeys() {
        const project::InstanceId id = w->id(0);
        w->click(w->at(id, 2));
        const auto before = w->points(id);
        const std::int64_t frame = w->view().frame();
        QTRY_VERIFY((*w)->actions().get("labelNudge")->isEnabled());
        w->key(Qt::Key_M);
        QVERIFY(w->canvas().isNudging());
        const int steps = w->steps();
        QTest::keyClick(&w->canvas(), Qt::Key_Right);
        QTest::keyClick(&w->canvas(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&w->canvas(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(w->view().frame(), frame);
        QVERIFY(near(w->points(id)[2].x, before[2].x + 1 - 10));
        QVERIFY(near(w->points(id)[2].y, before[2].y + 0.1));
        QCOMPARE(w->steps(), steps + 1);  // one step for the whole series
        QTest::keyClick(&w->canvas(), Qt::Key_Tab);
        QTest::keyClick(&w->canvas(), Qt::Key_Up);
        QVERIFY(near(w->points(id)[3].y, before[3].y - 1));
        QCOMPARE(w->steps(), steps + 2);
        w->trigger("editUndo");
        w->trigger("editUndo");
        QVERIFY(equal(w->points(id), before));
        w->key(Qt::Key_Escape);
        QVERIFY(!w->canvas().isNudging());
        w->key(Qt::Key_Right);
        QCOMPARE(w->view().frame(), frame + 1);
    }

    void V_06_clickingAgainGoesThroughWhatLiesThere() {
        project::FrameData frame = w->frame();
        frame.instances[1].points = frame.instances[0].points;
        frame.instances[2].points = frame.instances[0].points;
        w->document().commit("Put them together", edit::withFrame(w->labels(), frame), {});
        const QPoint here = w->at(w->id(0), 2);
        std::vector<project::InstanceId> seen;
        QSignalSpy words(&w->canvas(), &VideoCanvas::hoverChanged);
        for (int i = 0; i < 4; ++i) {
            w->click(here);
            seen.push_back(w->view().selected());
            QCOMPARE(words.back()[0].toString(), QStringLiteral("%1 of 3 here").arg(i % 3 + 1));
        }
        QCOMPARE(seen[3], seen[0]);
        QVERIFY(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
        // User instances come before the prediction.
        QCOMPARE(seen[2], w->id(2));
    }

    void picksInTheOrderOfMeanings() {
        VideoCanvas& canvas = w->canvas();
        // A name is a node: names on, and the pointer on the text.
        w->trigger("viewShowNames");
        QFont font = canvas.font();
        font.setPixelSize(12);
        font.setBold(true);
        font.setItalic(true);
        canvas.grab();
        const QTransform toView(canvas.zoom(), 0, 0, canvas.zoom(), canvas.sceneToView({0, 0}).x(),
                                canvas.sceneToView({0, 0}).y());
        OverlayStyle namesShown;
        namesShown.names = true;
        const auto names = layOutNames(canvas.contents(), toView, QFontMetricsF(font), namesShown);
        QVERIFY(names.size() == 20);
        bool found = false;
        for (const NameBox& name : names)
            if (name.instance == w->id(0) && name.node == 0) {
                const QPointF end(name.box.center());
                const Hit hit = canvas.itemAt(end);
                QCOMPARE(hit.instance, w->id(0));
                QCOMPARE(hit.node, 0);
                found = true;
            }
        QVERIFY(found);
        w->trigger("viewShowNames");
        // The selected instance's own nodes come first, even under a user's.
        project::FrameData frame = w->frame();
        frame.instances[2].points = frame.instances[0].points;
        w->document().commit("Put them together", edit::withFrame(w->labels(), frame), {});
        QCOMPARE(canvas.itemAt(w->at(w->id(0), 1)).instance, w->id(0));
        w->view().setSelected(w->id(2));
        QCOMPARE(canvas.itemAt(w->at(w->id(0), 1)).instance, w->id(2));
        // What is hidden by its eye is not there.
        w->view().setHidden(w->id(2), true);
        QCOMPARE(canvas.itemAt(w->at(w->id(0), 1)).instance, w->id(0));
    }

    void namesPointAwayFromEdges() {
        ShownFrame shown = w->canvas().contents();
        OverlayStyle namesShown;
        namesShown.names = true;
        const auto names = layOutNames(shown, QTransform::fromScale(4, 4), QFontMetricsF(QFont()), namesShown);
        for (const NameBox& name : names) {
            const ShownInstance* instance = shown.find(name.instance);
            const project::Point& p = instance->points[static_cast<std::size_t>(name.node)];
            // No edge of its own node runs through a name.
            for (const project::Edge& edge : instance->skeleton->edges) {
                if (edge.source != name.node && edge.destination != name.node)
                    continue;
                const int other = edge.source == name.node ? edge.destination : edge.source;
                const project::Point& q = instance->points[static_cast<std::size_t>(other)];
                for (double t = 0; t <= 1; t += 0.02)
                    QVERIFY(!name.box.contains(QPointF(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)) * 4));
            }
        }
    }

    void contextMenuHasWhatItShould() {
        std::unique_ptr<QMenu> menu((*w)->canvasMenu({w->id(0), -1, -1}));
        const auto texts = [](const QMenu* m) {
            QStringList list;
            for (const QAction* action : m->actions())
                list << QString(action->text()).remove(QLatin1Char('&'));
            return list;
        };
        const QStringList all = texts(menu.get());
        for (const char* wanted :
             {"Add Instance", "Mark Frame as Negative", "Merge Instance With", "Set Track", "Transpose With",
              "Split Track Here", "Delete Instance", "Copy Instance", "Paste Instance", "Copy Pose as Text",
              "Go to Track Start", "Go to Track End", "Predict This Frame Again"})
            QVERIFY2(all.contains(QLatin1String(wanted)), wanted);
        for (const QAction* action : menu->actions())
            if (action->menu() != nullptr && QString(action->text()).remove('&').contains("Transpose"))
                for (QAction* with : action->menu()->actions())
                    if (with->text() == "right")
                        with->trigger();
        QCOMPARE(w->track(w->id(0)), 1);
        QCOMPARE(w->track(w->id(1)), 0);
        menu.reset((*w)->canvasMenu({w->id(2), -1, -1}));
        QVERIFY(texts(menu.get()).contains("Delete Predictions Like This"));
        const auto suggest = [&] {
            for (QAction* action : menu->actions())
                if (QString(action->text()).remove('&') == "Add Frame to Suggestions")
                    return action;
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(suggest() != nullptr && suggest()->isEnabled());
        suggest()->trigger();
        QCOMPARE(w->labels().suggestions().size(), std::size_t{1});
        QCOMPARE(w->labels().suggestions()[0].frameIndex, w->view().frame());
        // Once is enough.
        menu.reset((*w)->canvasMenu({0, -1, -1}));
        suggest()->trigger();
        QCOMPARE(w->labels().suggestions().size(), std::size_t{1});
        w->trigger("editUndo");
        QVERIFY(w->labels().suggestions().empty());
    }

private:
    std::unique_ptr<EditWindow> w;
};

QTEST_MAIN(TestGestures)
#include "tst_gestures.moc"
