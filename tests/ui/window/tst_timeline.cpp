// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <random>
#include <set>

#include "ui/theme.h"
#include "ui/view_state.h"
#include "ui/widgets/timeline.h"

using namespace skein;
using namespace skein::ui;

class TestTimeline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        m_view = std::make_unique<ViewState>();
        m_timeline = std::make_unique<Timeline>(m_view.get(), nullptr);
        m_timeline->resize(1024, 120);
        m_timeline->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_timeline.get()));
        m_view->setVideo(0, 1000);
    }
    void cleanup() {
        m_timeline.reset();
        m_view.reset();
    }

    void dataIsRightWhateverTheOrder() {
        std::mt19937 random(7);
        std::vector<std::int64_t> frames;
        for (std::int64_t i = 0; i < 400; ++i)
            if (random() % 3 != 0)
                frames.push_back(i);
        std::vector<std::int64_t> shuffled = frames;
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        TimelineData data;
        for (const std::int64_t frame : shuffled)
            data.add(frame, frame % 5 == 0 ? std::vector<int>{3} : std::vector<int>{}, {static_cast<int>(frame % 2)},
                     frame % 5 == 0, true);
        QCOMPARE(data.predicted, frames);
        std::vector<std::int64_t> inSpans;
        for (const auto& [first, last] : data.labelled) {
            QVERIFY(first <= last);
            for (std::int64_t f = first; f <= last; ++f)
                inSpans.push_back(f);
        }
        QCOMPARE(inSpans, frames);
        for (std::size_t i = 1; i < data.labelled.size(); ++i)
            QVERIFY(data.labelled[i].first > data.labelled[i - 1].second + 1);
        QCOMPARE(data.lanes.size(), std::size_t{3});
        const std::set<std::int64_t> set(frames.begin(), frames.end());
        for (std::int64_t f = -5; f < 410; ++f) {
            QCOMPARE(spanAt(data.labelled, f) != nullptr, set.contains(f));
            QCOMPARE(firstIn(data.predicted, f, f + 1), set.contains(f) ? f : -1);
            QCOMPARE(meets(data.labelled, f, f + 3), set.contains(f) || set.contains(f + 1) || set.contains(f + 2));
        }
        QCOMPARE(nearest({10, 20}, 14), std::int64_t{10});
        QCOMPARE(nearest({10, 20}, 16), std::int64_t{20});
        QCOMPARE(nearest({}, 16), std::int64_t{-1});
    }

    void pixelsAndFramesAgree() {
        for (std::int64_t frame = 0; frame < 1000; frame += 37)
            QCOMPARE(m_timeline->xToFrame(m_timeline->frameToX(static_cast<double>(frame) + 0.5)), frame);
        QCOMPARE(m_timeline->xToFrame(-100), std::int64_t{0});
        QCOMPARE(m_timeline->xToFrame(5000), std::int64_t{999});
        m_timeline->zoomAbout(300, 30);
        for (std::int64_t frame = 0; frame < 1000; frame += 37)
            QVERIFY(m_timeline->xToFrame(m_timeline->frameToX(static_cast<double>(frame) + 0.5)) == frame);
    }

    void zoomKeepsTheFrameUnderTheCursor() {
        const double x = 700;
        const std::int64_t frame = m_timeline->xToFrame(x);
        for (int i = 0; i < 12; ++i) {
            m_timeline->zoomAbout(x, 1.2);
            QCOMPARE(m_timeline->xToFrame(x), frame);
        }
        QVERIFY(m_timeline->visibleCount() < 200);
        for (int i = 0; i < 30; ++i)
            m_timeline->zoomAbout(x, 1 / 1.2);
        QCOMPARE(m_timeline->visibleCount(), 1000.0);
        QCOMPARE(m_timeline->visibleFirst(), 0.0);
    }

    void clickAndDragSeek() {
        QSignalSpy sought(m_timeline.get(), &Timeline::sought);
        const auto at = [this](double frame) {
            return QPoint(static_cast<int>(m_timeline->frameToX(frame + 0.5)), 60);
        };
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, {}, at(250));
        QCOMPARE(m_view->frame(), m_timeline->xToFrame(at(250).x()));
        QTest::mouseMove(m_timeline.get(), at(600));
        QCOMPARE(m_view->frame(), m_timeline->xToFrame(at(600).x()));
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, {}, at(600));
        QVERIFY(sought.size() >= 2);
        QVERIFY(!m_view->range());
    }

    void seekSnapsToMarksAndControlDoesNot() {
        auto data = std::make_shared<TimelineData>();
        data->add(500, {}, {}, true, false);
        m_timeline->setData(data);
        const int x = static_cast<int>(m_timeline->frameToX(500.5)) + 3;
        QVERIFY(m_timeline->xToFrame(x) != 500);
        QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, {x, 60});
        QCOMPARE(m_view->frame(), std::int64_t{500});
        QTest::mouseClick(m_timeline.get(), Qt::LeftButton, Qt::ControlModifier, {x, 60});
        QCOMPARE(m_view->frame(), m_timeline->xToFrame(x));
    }

    void T_05_shiftDragSelectsInclusively() {
        const auto at = [this](double frame) {
            return QPoint(static_cast<int>(m_timeline->frameToX(frame + 0.5)), 60);
        };
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, Qt::ShiftModifier, at(700));
        QTest::mouseMove(m_timeline.get(), at(300));
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, Qt::ShiftModifier, at(300));
        QVERIFY(m_view->range());
        QCOMPARE(m_view->range()->first, m_timeline->xToFrame(at(300).x()));
        QCOMPARE(m_view->range()->last, m_timeline->xToFrame(at(700).x()));
        QCOMPARE(m_view->frame(), std::int64_t{0});
        // Its edges can be dragged.
        const int edge = static_cast<int>(m_timeline->frameToX(static_cast<double>(m_view->range()->last) + 1));
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, {}, {edge, 60});
        QTest::mouseMove(m_timeline.get(), at(800));
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, {}, at(800));
        QCOMPARE(m_view->range()->last, m_timeline->xToFrame(at(800).x()));
    }

    void shiftDoubleClickSelectsTheSpan() {
        auto data = std::make_shared<TimelineData>();
        for (std::int64_t f = 200; f <= 340; ++f)
            data->add(f, {}, {}, false, true);
        m_timeline->setData(data);
        QTest::mouseDClick(m_timeline.get(), Qt::LeftButton, Qt::ShiftModifier,
                           {static_cast<int>(m_timeline->frameToX(250)), 60});
        QVERIFY(m_view->range());
        QCOMPARE(*m_view->range(), (FrameRange{200, 340}));
    }

    void marksAndRunAreDrawn() {
        auto data = std::make_shared<TimelineData>();
        data->add(100, {0}, {}, true, false);
        for (std::int64_t f = 300; f < 400; ++f)
            data->add(f, {}, {1}, false, true);
        const QImage empty = m_timeline->grab().toImage();
        m_timeline->setData(data);
        const QImage full = m_timeline->grab().toImage();
        const auto differs = [&](const QImage& a, double frame, int y) {
            const int x = static_cast<int>(m_timeline->frameToX(frame));
            for (int dx = -1; dx <= 1; ++dx)
                if (a.pixel(x + dx, y) != empty.pixel(x + dx, y))
                    return true;
            return false;
        };
        QVERIFY(differs(full, 100.5, 31));
        QVERIFY(differs(full, 350, 31));
        QVERIFY(!differs(full, 700, 31));
        QVERIFY(differs(full, 350, 58) || differs(full, 350, 50));  // lane of track 1
        m_timeline->setData(nullptr);
        m_timeline->setRun({{0, 99}}, {{0, 499}});
        const QImage run = m_timeline->grab().toImage();
        QVERIFY(differs(run, 50, 25));
        QVERIFY(differs(run, 400, 25));
        QVERIFY(run.pixel(static_cast<int>(m_timeline->frameToX(50)), 25) !=
                run.pixel(static_cast<int>(m_timeline->frameToX(400)), 25));
        QVERIFY(!differs(run, 800, 25));
    }

    void T_01_paintingDoesNotDependOnTheNumberOfFrames() {
        constexpr std::int64_t kFrames = 1'000'000;
        constexpr int kTracks = 500;
        auto data = std::make_shared<TimelineData>();
        for (std::int64_t f = 0; f < kFrames; ++f) {
            if (f % 97 == 0)
                data->user.push_back(f);
            data->predicted.push_back(f);
        }
        data->labelled.emplace_back(0, kFrames - 1);
        for (int t = 0; t < kTracks; ++t) {
            data->laneOf[t] = data->lanes.size();
            data->lanes.push_back({t, {}, {}});
            for (std::int64_t f = t; f + 40 < kFrames; f += 100)
                data->lanes.back().spans.emplace_back(f, f + 40);
        }
        m_view->setVideo(0, kFrames);
        m_timeline->setData(data);
        m_timeline->resize(1600, 300);
        std::vector<double> milliseconds;
        for (int i = 0; i < 9; ++i) {
            m_timeline->zoomAbout(800, i % 2 == 0 ? 2.0 : 0.5);
            QElapsedTimer clock;
            clock.start();
            (void)m_timeline->grab();
            milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        qInfo("a million frames, 500 tracks: median %.1f ms", milliseconds[4]);
        QVERIFY2(milliseconds[4] <= 100, qPrintable(QString::number(milliseconds[4])));
    }

    void hoverSaysWhatIsThere() {
        m_timeline->trackName = [](int track) { return QStringLiteral("track_%1").arg(track); };
        m_timeline->setFirstFrameNumber(1);
        auto data = std::make_shared<TimelineData>();
        for (std::int64_t f = 10; f < 30; ++f)
            data->add(f, {}, {4}, false, true);
        m_timeline->setData(data);
        m_timeline->setRun({{0, 20}}, {{0, 99}});
        const QString words = m_timeline->hoverText({static_cast<int>(m_timeline->frameToX(15.5)), 46});
        QVERIFY2(words.contains(QLatin1String("Frame 16")), qPrintable(words));
        QVERIFY2(words.contains(QLatin1String("Predictions")), qPrintable(words));
        QVERIFY2(words.contains(QLatin1String("track_4: frames 11 to 30")), qPrintable(words));
        QVERIFY2(words.contains(QLatin1String("Finished")), qPrintable(words));
        QVERIFY(m_timeline->hoverText({static_cast<int>(m_timeline->frameToX(700)), 46})
                    .contains(QLatin1String("No labels")));
    }

private:
    std::unique_ptr<ViewState> m_view;
    std::unique_ptr<Timeline> m_timeline;
};

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
