// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "tests/support/worked_time.h"
#include "ui/canvas/video_canvas.h"
#include "ui/theme.h"

using namespace skein;
using namespace skein::ui;

namespace {

constexpr int kWidth = 200, kHeight = 120;

/// Grey everywhere, and a white pixel in each corner.
ImagePtr picture(int width = kWidth, int height = kHeight, std::uint8_t level = 60) {
    auto image = std::make_shared<Image>();
    image->width = width;
    image->height = height;
    image->channels = 4;
    image->pixels.assign(static_cast<std::size_t>(width * height) * 4, level);
    for (const auto& [x, y] :
         {std::pair{0, 0}, std::pair{width - 1, 0}, std::pair{0, height - 1}, std::pair{width - 1, height - 1}})
        for (int c = 0; c < 4; ++c)
            image->pixels[static_cast<std::size_t>((y * width + x) * 4 + c)] = 255;
    return image;
}

/// Instances of `nodes` nodes in a chain, the k-th placed by `at(k)` as its first node.
ShownFrame frameWith(int instances, int nodes, const std::function<QPointF(int)>& at,
                     project::InstanceKind kind = project::InstanceKind::Predicted) {
    auto skeletons = std::make_shared<std::vector<project::Skeleton>>(1);
    for (int n = 0; n < nodes; ++n) {
        (*skeletons)[0].nodes.push_back("n" + std::to_string(n));
        if (n > 0)
            (*skeletons)[0].edges.push_back({n - 1, n});
    }
    ShownFrame frame;
    frame.frame = 7;
    frame.skeletons = skeletons;
    for (int i = 0; i < instances; ++i) {
        ShownInstance instance;
        instance.header.id = static_cast<project::InstanceId>(i + 1);
        instance.header.kind = kind;
        instance.header.score = 0.5F;
        instance.place = i;
        instance.color = i % theme::paletteSize();
        instance.skeleton = &skeletons->front();
        for (int n = 0; n < nodes; ++n) {
            project::Point p;
            p.x = at(i).x() + n * 12;
            p.y = at(i).y() + (n % 2) * 6;
            p.score = 0.9;
            p.visible = true;
            instance.points.push_back(p);
        }
        frame.instances.push_back(std::move(instance));
    }
    return frame;
}

/// Colour that a picture of the view has at a place of it, whatever the screen's pixel ratio.
QColor at(const QImage& shot, QPointF view) {
    return shot.pixelColor((view * shot.devicePixelRatio()).toPoint());
}

void wheel(VideoCanvas& canvas, QPointF at, int delta) {
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&canvas, &event);
}

}  // namespace

class TestVideoCanvas : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Dark); }
    void init() {
        m_canvas = std::make_unique<VideoCanvas>();
        m_canvas->resize(640, 480);
        m_canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get(), test::kPatienceMs));
    }
    void cleanup() { m_canvas.reset(); }

    void showsPixelCentresAtWholeNumbers() {
        m_canvas->showFrame(picture(), {});
        m_canvas->actualSize();
        for (int i = 0; i < 16; ++i)
            m_canvas->zoomAbout({320, 240}, 1.2);
        const double zoom = m_canvas->zoom();
        QVERIFY(zoom > 3);
        // The corner pixel is a square of one zoom, and scene (0, 0) lies in its middle.
        m_canvas->fitFrame();
        const QImage shot = m_canvas->grab().toImage();
        const QPointF corner = m_canvas->sceneToView({0, 0});
        QVERIFY(qGray(at(shot, corner).rgb()) > 120);
        QCOMPARE(m_canvas->viewToScene(m_canvas->sceneToView({10, 20})), QPointF(10, 20));
    }

    void W_04_wholeFrameIsVisible() {
        m_canvas->showFrame(picture(), {});
        const QSize sizes[] = {{640, 480}, {640, 200}, {300, 700}, {1000, 480}};
        for (const QSize& size : sizes) {
            m_canvas->resize(size);
            QTRY_COMPARE(m_canvas->size(), size);
            const QRectF seen(m_canvas->sceneToView({-0.5, -0.5}),
                              m_canvas->sceneToView({kWidth - 0.5, kHeight - 0.5}));
            QVERIFY(QRectF(m_canvas->rect()).adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(seen));
            const QImage shot = m_canvas->grab().toImage();
            for (const QPointF scene :
                 {QPointF(0, 0), QPointF(kWidth - 1, 0), QPointF(0, kHeight - 1), QPointF(kWidth - 1, kHeight - 1)})
                QVERIFY2(qGray(at(shot, m_canvas->sceneToView(scene)).rgb()) > 90, "a corner pixel is cut off");
        }
    }

    void V_02_zoomKeepsThePointUnderTheCursor() {
        m_canvas->showFrame(picture(), {});
        const QPointF points[] = {{100, 100}, {320, 240}, {600, 440}, {17, 333}};
        for (const QPointF& at : points) {
            m_canvas->fitFrame();
            const QPointF before = m_canvas->viewToScene(at);
            for (int i = 0; i < 10; ++i)
                wheel(*m_canvas, at, 120);
            QVERIFY(m_canvas->zoom() > 2.5 * 3.2);
            const QPointF error = m_canvas->sceneToView(before) - at;
            QVERIFY(std::hypot(error.x(), error.y()) <= 1);
            for (int i = 0; i < 7; ++i)
                wheel(*m_canvas, at, -30);
            const QPointF error2 = m_canvas->sceneToView(before) - at;
            QVERIFY(std::hypot(error2.x(), error2.y()) <= 1);
        }
    }

    void zoomStaysWithinItsLimits() {
        m_canvas->showFrame(picture(), {});
        for (int i = 0; i < 100; ++i)
            wheel(*m_canvas, {320, 240}, 120);
        QCOMPARE(m_canvas->zoom(), 64.0);
        for (int i = 0; i < 200; ++i)
            wheel(*m_canvas, {100, 40}, -120);
        QVERIFY(m_canvas->zoom() <= 3.2 + 1e-9);
    }

    void V_02_V_03_alsoInTurnedViews() {
        m_canvas->showFrame(picture(), {});
        for (const int turn : {90, 180, 270, 0}) {
            m_canvas->setRotation(turn);
            m_canvas->fitFrame();
            const QPointF at(410, 130), before = m_canvas->viewToScene(at);
            for (const int delta : {120, 120, 360, -40, 120})
                wheel(*m_canvas, at, delta);
            const QPointF error = m_canvas->sceneToView(before) - at;
            QVERIFY(std::hypot(error.x(), error.y()) <= 1);
            const auto centre = [this] {
                return m_canvas->viewToScene({m_canvas->width() / 2.0, m_canvas->height() / 2.0});
            };
            const QPointF middle = centre();
            for (const QSize& size : {QSize(700, 300), QSize(640, 480)}) {
                m_canvas->resize(size);
                QTRY_COMPARE(m_canvas->size(), size);
                QVERIFY(QLineF(centre(), middle).length() < 1e-6);
            }
        }
    }

    void V_03_resizeKeepsTheCentre() {
        m_canvas->showFrame(picture(), {});
        m_canvas->zoomAbout({200, 150}, 3);
        const auto centre = [this] {
            return m_canvas->viewToScene({m_canvas->width() / 2.0, m_canvas->height() / 2.0});
        };
        const QPointF before = centre();
        for (const QSize& size : {QSize(800, 500), QSize(500, 333), QSize(640, 481), QSize(640, 480)}) {
            m_canvas->resize(size);
            QTRY_COMPARE(m_canvas->size(), size);
            const QPointF moved = centre() - before;
            QVERIFY(std::hypot(moved.x(), moved.y()) < 1e-6);
        }
    }

    void viewStaysWhenTheFrameChanges() {  // P69
        m_canvas->showFrame(picture(), frameWith(1, 3, [](int) { return QPointF(50, 50); }));
        m_canvas->zoomAbout({200, 150}, 4);
        const double zoom = m_canvas->zoom();
        const QPointF origin = m_canvas->sceneToView({0, 0});
        m_canvas->showFrame(picture(), {});
        QCOMPARE(m_canvas->zoom(), zoom);
        QCOMPARE(m_canvas->sceneToView({0, 0}), origin);
    }

    void draggingPans() {
        m_canvas->showFrame(picture(), {});
        m_canvas->zoomAbout({320, 240}, 4);
        const QPointF before = m_canvas->sceneToView({0, 0});
        QTest::mousePress(m_canvas.get(), Qt::LeftButton, {}, {300, 200});
        QTest::mouseMove(m_canvas.get(), {310, 205});
        QTest::mouseMove(m_canvas.get(), {340, 230});
        QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, {}, {340, 230});
        QCOMPARE(m_canvas->sceneToView({0, 0}), before + QPointF(40, 30));
    }

    void clicksSelectAndCycle_V_06() {
        // Two instances in the same place.
        m_canvas->showFrame(picture(), frameWith(2, 3, [](int) { return QPointF(80, 60); }));
        QSignalSpy clicked(m_canvas.get(), &VideoCanvas::instanceClicked);
        const QPoint node = m_canvas->sceneToView({80, 60}).toPoint();
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, node);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, node);
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, node);
        QCOMPARE(clicked.size(), 3);
        const auto id = [&clicked](int i) { return clicked[i][0].value<project::InstanceId>(); };
        QVERIFY(id(0) != 0 && id(1) != 0);
        QVERIFY(id(0) != id(1));
        QCOMPARE(id(2), id(0));
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, m_canvas->sceneToView({150, 110}).toPoint());
        QCOMPARE(id(3), project::InstanceId{0});
    }

    void picksNodesBeforeEdgesAndUsersBeforePredictions() {
        ShownFrame frame = frameWith(2, 3, [](int i) { return QPointF(60, 50 + i * 0.5); });
        frame.instances[1].header.kind = project::InstanceKind::User;
        m_canvas->showFrame(picture(), frame);
        const Hit hit = m_canvas->itemAt(m_canvas->sceneToView({60, 50}));
        QCOMPARE(hit.instance, project::InstanceId{2});
        QCOMPARE(hit.node, 0);
        m_canvas->setSelected(1);
        QCOMPARE(m_canvas->itemAt(m_canvas->sceneToView({60, 50})).instance, project::InstanceId{1});
        // On the edge, away from both nodes.
        const Hit edge = m_canvas->itemAt(m_canvas->sceneToView({66, 53}));
        QVERIFY(edge.instance != 0);
        QCOMPARE(edge.node, -1);
        QCOMPARE(m_canvas->itemAt(m_canvas->sceneToView({10, 110})).instance, project::InstanceId{0});
    }

    void hitAreasDoNotGrowWithZoom() {
        m_canvas->showFrame(picture(), frameWith(1, 1, [](int) { return QPointF(100, 60); }));
        for (const double factor : {1.0, 3.0, 10.0}) {
            m_canvas->fitFrame();
            m_canvas->zoomAbout(m_canvas->sceneToView({100, 60}), factor);
            const QPointF node = m_canvas->sceneToView({100, 60});
            QVERIFY(m_canvas->itemAt(node + QPointF(6, 0)).instance != 0);
            QVERIFY(m_canvas->itemAt(node + QPointF(12, 0)).instance == 0);
        }
    }

    void hiddenPointsAreHollowAndCanBeHidden_P35() {
        ShownFrame frame = frameWith(
            1, 1, [](int) { return QPointF(100, 60); }, project::InstanceKind::User);
        m_canvas->showFrame(picture(), frame);
        const QPointF node = m_canvas->sceneToView({100, 60});
        const auto middle = [&] { return at(m_canvas->grab().toImage(), node); };
        const QColor ground(60, 60, 60);
        QVERIFY(middle() != ground);
        frame.instances[0].points[0].visible = false;
        m_canvas->updateContents(frame);
        // Hollow: the ground is seen inside the ring, whose own pixels differ from it.
        QCOMPARE(middle(), ground);
        const auto ringIsDrawn = [&] {
            const QImage shot = m_canvas->grab().toImage();
            for (int d = 1; d <= 4; ++d)
                if (at(shot, node + QPointF(d, 0)) != ground)
                    return true;
            return false;
        };
        QVERIFY(ringIsDrawn());
        OverlayStyle style;
        style.hiddenNodes = false;
        m_canvas->setOverlayStyle(style);
        QVERIFY(!ringIsDrawn());
        frame.instances[0].points[0].x = project::kNaN;
        m_canvas->updateContents(frame);
        m_canvas->setOverlayStyle({});
        QVERIFY(!ringIsDrawn());
    }

    void V_01_contentsOfAnotherFrameAreRefused() {
        m_canvas->showFrame(picture(), frameWith(1, 3, [](int) { return QPointF(20, 20); }));
        ShownFrame other = frameWith(2, 3, [](int) { return QPointF(90, 90); });
        other.frame = 8;
        m_canvas->updateContents(other);
        QCOMPARE(m_canvas->contents().instances.size(), std::size_t{1});
        QCOMPARE(m_canvas->contents().frame, std::int64_t{7});
    }

    void anEditMovesAFittedViewOnlyWhenSomethingWentOutOfSight() {
        ShownFrame frame = frameWith(1, 3, [](int node) { return QPointF(80 + 20 * node, 60 + 10 * node); });
        m_canvas->showFrame(picture(), frame);
        m_canvas->fitInstances();
        const QRectF fitted = m_canvas->visibleScene();
        frame.instances[0].points[1].x += 5;
        frame.instances[0].points[2].x -= 5;
        m_canvas->updateContents(frame);
        QCOMPARE(m_canvas->visibleScene(), fitted);
        QVERIFY(m_canvas->fit() == VideoCanvas::Fit::Instances);
        frame.instances[0].points[2].x = fitted.right() + 10;
        m_canvas->updateContents(frame);
        QVERIFY(m_canvas->visibleScene().contains(frame.instances[0].points[2].x, frame.instances[0].points[2].y));
        // What comes to an empty frame is fitted, though it may be in sight already.
        ShownFrame empty = frame;
        empty.instances.clear();
        m_canvas->updateContents(empty);
        const QRectF before = m_canvas->visibleScene();
        m_canvas->updateContents(frameWith(1, 2, [&](int node) { return before.center() + QPointF(4 * node, 0); }));
        QVERIFY(m_canvas->visibleScene().width() < before.width());
    }

    void spinnerComesAfter150ms() {
        m_canvas->showFrame(picture(), {});
        m_canvas->setWaiting(true);
        QVERIFY(!m_canvas->isSpinnerShown());
        QTRY_VERIFY(m_canvas->isSpinnerShown());
        m_canvas->showFrame(picture(), {});
        QVERIFY(!m_canvas->isSpinnerShown());
    }

    void colorsStayWhenSomethingIsSelected_P49() {
        ShownFrame frame = frameWith(3, 1, [](int i) { return QPointF(30 + 60 * i, 60); });
        m_canvas->showFrame(picture(), frame);
        const auto colors = [&] {
            const QImage shot = m_canvas->grab().toImage();
            QList<QRgb> list;
            for (int i = 0; i < 3; ++i)
                list << at(shot, m_canvas->sceneToView({30.0 + 60 * i, 60})).rgb();
            return list;
        };
        const auto before = colors();
        QVERIFY(before[0] != before[1] && before[1] != before[2]);
        m_canvas->setSelected(2);
        QCOMPARE(colors(), before);
    }

    void V_04_fiftyInstancesOfTwentyNodesPaintFast() {
        m_canvas->resize(1920, 1080);
        ShownFrame frame = frameWith(50, 20, [](int i) { return QPointF(10 + (i % 10) * 180, 20 + (i / 10) * 200); });
        m_canvas->showFrame(picture(1920, 1080), frame);
        OverlayPainter overlay;
        QImage target(1920, 1080, QImage::Format_RGB32);
        std::vector<double> milliseconds;
        QImage ground(1920, 1080, QImage::Format_RGB32);
        ground.fill(QColor(60, 60, 60));
        for (int i = 0; i < 21; ++i) {
            QPainter painter(&target);
            const test::WorkedTime time;
            overlay.paint(painter, frame, {}, {}, ground, 0);
            milliseconds.push_back(time.ms());
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        const double median = milliseconds[milliseconds.size() / 2];
        qInfo("50 instances of 20 nodes: median %.2f ms", median);
        // The limit is 4 ms on the reference machine; tests share theirs with other work.
        QVERIFY2(median <= 16, qPrintable(QString::number(median)));
    }

private:
    std::unique_ptr<VideoCanvas> m_canvas;
};

QTEST_MAIN(TestVideoCanvas)
#include "tst_video_canvas.moc"
