// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <random>
#include <set>

#include "tests/support/worked_time.h"
#include "ui/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/pyramid.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_sizes.h"
#include "ui/timeline/timeline_tip.h"
#include "ui/view_state.h"

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
        QVERIFY(QTest::qWaitForWindowExposed(m_timeline.get(), test::kPatienceMs));
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

    void aPressOnAnIssuesTriangleGoesToItAlsoWhereEverythingIsPredicted() {
        auto data = std::make_shared<TimelineData>();
        for (std::int64_t f = 0; f < 1000; ++f)
            data->add(f, {}, {}, false, true);
        m_timeline->setData(data);
        TimelineMarks marks;
        marks.issues = {{500, 0.9}};
        marks.suggestedOpen = {800};
        m_timeline->setMarks(marks);
        for (const std::int64_t mark : {500, 800}) {
            const int x = static_cast<int>(m_timeline->frameToX(static_cast<double>(mark) + 0.5)) + 3;
            QVERIFY(m_timeline->xToFrame(x) != mark);
            QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, {x, 31});
            QCOMPARE(m_view->frame(), mark);
            QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, {x, 60});
            QCOMPARE(m_view->frame(), m_timeline->xToFrame(x));
        }
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
            data->placeOf.push_back(t);
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
            const test::WorkedTime time;
            (void)m_timeline->grab();
            milliseconds.push_back(time.ms());
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        qInfo("a million frames, 500 tracks: median %.1f ms", milliseconds[4]);
        QVERIFY2(milliseconds[4] <= 50, qPrintable(QString::number(milliseconds[4])));
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

    void lanesArePackedWithoutOverlap() {
        std::mt19937 random(11);
        std::vector<LaneLayout::Track> tracks;
        for (int t = 0; t < 2000; ++t) {
            const auto first = static_cast<std::int64_t>(random() % 100'000);
            const auto length = static_cast<std::int64_t>(1 + random() % 500);
            tracks.push_back({t, first, first + length - 1, length, static_cast<int>(random() % 5)});
        }
        const LaneLayout packed = layOutLanes(tracks, LaneOrder::Index, true, 10, {});
        QVERIFY(packed.rows.size() < 60);
        std::size_t count = 0;
        for (std::size_t row = 0; row < packed.rows.size(); ++row) {
            const auto& here = packed.rows[row];
            count += here.size();
            for (std::size_t i = 0; i < here.size(); ++i) {
                QCOMPARE(packed.row(here[i].track), static_cast<int>(row));
                if (i > 0)
                    QVERIFY(here[i].first > here[i - 1].last + 10);
                QCOMPARE(packed.trackAt(static_cast<int>(row), here[i].last), static_cast<int>(i));
                QCOMPARE(packed.trackAt(static_cast<int>(row), here[i].last + 1), -1);
            }
        }
        QCOMPARE(count, tracks.size());
    }

    void lanesComeInTheOrderThatWasChosen() {
        const std::vector<LaneLayout::Track> tracks{{0, 50, 99, 50, 1}, {1, 0, 9, 10, 3}, {2, 20, 99, 80, 0}};
        const auto order = [&tracks](LaneOrder by) {
            const LaneLayout layout = layOutLanes(
                tracks, by, false, 1, [](int track) { return std::string(1, static_cast<char>('c' - track)); });
            std::vector<int> list;
            for (const auto& row : layout.rows)
                list.push_back(row.front().track);
            return list;
        };
        QCOMPARE(order(LaneOrder::Index), (std::vector<int>{0, 1, 2}));
        QCOMPARE(order(LaneOrder::FirstFrame), (std::vector<int>{1, 2, 0}));
        QCOMPARE(order(LaneOrder::Length), (std::vector<int>{2, 0, 1}));
        QCOMPARE(order(LaneOrder::Name), (std::vector<int>{2, 1, 0}));
        QCOMPARE(order(LaneOrder::Issues), (std::vector<int>{1, 0, 2}));
    }

    void manyTracksShareLanesAndAreStillFound() {
        auto data = std::make_shared<TimelineData>();
        for (int t = 0; t < 60; ++t)
            for (std::int64_t f = 0; f < 10; ++f)
                data->add(t * 16 + f, {}, {t}, false, true);
        m_timeline->setData(data);
        QVERIFY2(m_timeline->laneRows() < 10, qPrintable(QString::number(m_timeline->laneRows())));
        m_timeline->setLanesPacked(false);
        QCOMPARE(m_timeline->laneRows(), 60);
        m_timeline->setLanesPacked(true);
        QSignalSpy clicked(m_timeline.get(), &Timeline::trackClicked);
        QSignalSpy added(m_timeline.get(), &Timeline::trackAdded);
        const QPoint at(static_cast<int>(m_timeline->frameToX(37 * 16 + 5)), m_timeline->laneY(37));
        QVERIFY(at.y() > 0);
        QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, at);
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].toInt(), 37);
        const std::int64_t frame = m_view->frame();
        QTest::mouseClick(m_timeline.get(), Qt::LeftButton, Qt::ControlModifier, at);
        QCOMPARE(added.size(), 1);
        QCOMPARE(m_view->frame(), frame);
    }

    void lanesFollowATrackThatGrows() {
        auto data = std::make_shared<TimelineData>();
        for (std::int64_t f = 100; f < 120; ++f)
            data->add(f, {}, {0}, false, true);
        for (std::int64_t f = 110; f < 130; ++f)
            data->add(f, {}, {1}, false, true);
        m_timeline->setData(data);
        m_timeline->setLaneOrder(LaneOrder::FirstFrame);
        const int upper = m_timeline->laneY(0), lower = m_timeline->laneY(1);
        QVERIFY(upper > 0 && upper < lower);
        // A frame in the middle changes no place, one before everything does, and so does a new track.
        data->add(115, {}, {1}, false, true);
        m_timeline->setData(data);
        QCOMPARE(m_timeline->laneY(0), upper);
        data->add(20, {}, {1}, false, true);
        m_timeline->setData(data);
        QCOMPARE(m_timeline->laneY(1), upper);
        QCOMPARE(m_timeline->laneY(0), lower);
        data->add(200, {}, {2}, false, true);
        m_timeline->setData(data);
        QCOMPARE(m_timeline->laneRows(), 3);
    }

    void extremesOfAnyStretchAreExact() {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> unit(-5, 5);
        for (const int size : {0, 1, 3, 4, 5, 64, 257, 1000}) {
            std::vector<double> values;
            for (int i = 0; i < size; ++i)
                values.push_back(random() % 4 == 0 ? std::nan("") : unit(random));
            MinMaxPyramid pyramid(values);
            const auto check = [&] {
                for (int trial = 0; trial < 300; ++trial) {
                    const auto from = static_cast<std::int64_t>(random() % (static_cast<unsigned>(size) + 3)) - 1;
                    const auto to = from + static_cast<std::int64_t>(random() % (static_cast<unsigned>(size) + 3));
                    MinMaxPyramid::Extremes plain;
                    for (std::int64_t i = std::max<std::int64_t>(0, from); i < std::min<std::int64_t>(size, to); ++i) {
                        const double value = values[static_cast<std::size_t>(i)];
                        if (std::isnan(value))
                            continue;
                        plain.least = plain.any ? std::min(plain.least, value) : value;
                        plain.most = plain.any ? std::max(plain.most, value) : value;
                        plain.any = true;
                    }
                    const auto fast = pyramid.over(from, to);
                    QCOMPARE(fast.any, plain.any);
                    QCOMPARE(fast.least, plain.least);
                    QCOMPARE(fast.most, plain.most);
                }
            };
            check();
            if (size > 10) {  // some values are replaced
                const std::vector<double> others{1, std::nan(""), 99, -99};
                std::copy(others.begin(), others.end(), values.begin() + 5);
                pyramid.replace(5, others);
                check();
            }
        }
    }

    void aLineAcrossAGraphIsDraggedAndFindsFrames() {
        std::vector<double> values(1000, 1.0);
        for (const int peak : {100, 101, 400, 700})
            values[static_cast<std::size_t>(peak)] = 5 + peak / 1000.0;
        m_timeline->resize(1024, 200);
        m_timeline->setStrips(
            {{QStringLiteral("x"), QStringLiteral("X"), {}, std::make_shared<MinMaxPyramid>(values)}});
        QVERIFY(!m_timeline->nextBeyond(0, true, 0, 1));
        m_timeline->setThreshold(QStringLiteral("x"), 3.0);
        QCOMPARE(m_timeline->nextBeyond(0, true, 0, 1), std::optional<std::int64_t>(100));
        QCOMPARE(m_timeline->nextBeyond(0, true, 100, 1), std::optional<std::int64_t>(400));
        QCOMPARE(m_timeline->nextBeyond(0, true, 900, 1), std::optional<std::int64_t>(100));
        QCOMPARE(m_timeline->nextBeyond(0, true, 400, -1), std::optional<std::int64_t>(100));
        QCOMPARE(m_timeline->nextBeyond(0, false, 400, 1), std::optional<std::int64_t>(401));
        QCOMPARE(m_timeline->extremesBeyond(0, true, 2), (std::vector<std::int64_t>{700, 400}));
        QCOMPARE(m_timeline->extremesBeyond(0, true, 9).size(), std::size_t{3});
        // By the mouse: the graph lies from y = 22 to 62, values from 0 at the foot to 5.7 at the top.
        QSignalSpy changed(m_timeline.get(), &Timeline::thresholdChanged);
        const int y = 22 + 40 - 3 - static_cast<int>(3.0 / 5.7 * 34);
        const std::int64_t frame = m_view->frame();
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, {}, {500, y});
        QTest::mouseMove(m_timeline.get(), {500, 26});
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, {}, {500, 26});
        QVERIFY(changed.size() > 0);
        QVERIFY2(*m_timeline->threshold(QStringLiteral("x")) > 5, "the line follows the pointer");
        QCOMPARE(m_view->frame(), frame);
    }

    void theTipComesSoonAndAsksForAPicture() {
        auto data = std::make_shared<TimelineData>();
        data->add(500, {}, {}, true, false);
        m_timeline->setData(data);
        QSignalSpy wanted(m_timeline.get(), &Timeline::thumbnailWanted);
        const QPoint at(static_cast<int>(m_timeline->frameToX(500.5)), 31);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseMove(m_timeline.get(), at);
        auto* tip = m_timeline->findChild<TimelineTip*>(QStringLiteral("timelineTip"));
        QVERIFY(tip != nullptr);
        QTRY_VERIFY(tip->isVisible());
        QVERIFY(clock.elapsed() >= 140);  // Qt's timers may be 5 % early
        QVERIFY2(tip->words().contains(QLatin1String("User labels")), qPrintable(tip->words()));
        QCOMPARE(wanted.size(), 1);
        const std::int64_t frame = wanted[0][0].toLongLong();
        QPixmap picture(40, 30);
        picture.fill(Qt::red);
        m_timeline->setThumbnail(frame + 1, picture);
        QVERIFY(!tip->hasPicture());
        m_timeline->setThumbnail(frame, picture);
        QVERIFY(tip->hasPicture());
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, {}, at);
        QVERIFY(!tip->isVisible());
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, {}, at);
    }

    void aPlaceBesideATrackInItsLaneIsSought() {
        auto data = std::make_shared<TimelineData>();
        for (const std::int64_t f : {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 600})
            data->add(f, {}, {0}, false, true);
        m_timeline->setData(data);
        QSignalSpy clicked(m_timeline.get(), &Timeline::trackClicked), added(m_timeline.get(), &Timeline::trackAdded);
        const auto click = [this](double frame, Qt::KeyboardModifiers modifiers = {}) {
            QTest::mouseClick(m_timeline.get(), Qt::LeftButton, modifiers,
                              {static_cast<int>(m_timeline->frameToX(frame + 0.5)), m_timeline->laneY(0)});
        };
        click(300);
        QVERIFY(std::abs(m_view->frame() - 300) <= 2);
        click(400, Qt::ControlModifier);
        QVERIFY(std::abs(m_view->frame() - 400) <= 2);
        QCOMPARE(clicked.size() + added.size(), 0);
        for (const double on : {104.0, 600.0})
            click(on);
        QCOMPARE(clicked.size(), 2);
        click(104, Qt::ControlModifier);
        QCOMPARE(added.size(), 1);
    }

    void aGraphLeavesRoomForItsName() {
        TimelineStrip strip;
        strip.id = QStringLiteral("count");
        strip.title = QStringLiteral("Instance count");
        strip.values = std::make_shared<const MinMaxPyramid>(std::vector<double>(1000, 4.0));
        m_timeline->setStrips({strip});
        const auto rowsOfGraph = [this](int left, int right) {
            const QImage image = m_timeline->grab().toImage();
            const QColor ground = theme::mix(theme::tokens().surface, theme::tokens().accent, 0.22);
            std::set<int> rows;
            for (int y = timeline::kRuler; y < timeline::kRuler + m_timeline->stripHeight(); ++y)
                for (int x = left; x < right; ++x)
                    if (image.pixelColor(x, y).rgb() == ground.rgb())
                        rows.insert(y);
            return rows;
        };
        const int middle = m_timeline->width() / 2;
        const int name = QFontMetrics(m_timeline->font()).height() - 3;  // it is written smaller
        QVERIFY(!rowsOfGraph(middle, middle + 20).empty());
        QVERIFY(*rowsOfGraph(middle, middle + 20).begin() >= timeline::kRuler + name);
        // In a low strip there is no room beside the graph.
        m_timeline->setStripHeight(Timeline::kLeastStrip);
        QVERIFY(*rowsOfGraph(middle, middle + 20).begin() < timeline::kRuler + name);
    }

    void nothingLiesOverTheEndOfAGraph() {
        TimelineStrip strip;
        strip.title = QStringLiteral("Instance count");
        strip.values = std::make_shared<const MinMaxPyramid>(std::vector<double>(1000, 4.0));
        m_timeline->setStrips({strip});
        const QColor ground = theme::mix(theme::tokens().surface, theme::tokens().accent, 0.22);
        const QImage image = m_timeline->grab().toImage();
        const int foot = timeline::kRuler + m_timeline->stripHeight() - 6;
        for (int x = static_cast<int>(m_timeline->frameToX(900)); x < m_timeline->frameToX(1000) - 1; ++x)
            QCOMPARE(image.pixelColor(x, foot).rgb(), ground.rgb());
    }

    void graphsLeaveRoomForLanes() {
        const auto room = [this] { return m_timeline->minimumSizeHint().height(); };
        const int without = room();
        m_timeline->setStrips({TimelineStrip{}, TimelineStrip{}, TimelineStrip{}});
        QCOMPARE(room(), without + 3 * m_timeline->stripHeight());
        QVERIFY(without >= timeline::kRuler + timeline::kMarks + 40);
    }

    void aMarkStandsInTheMiddleOfAWideFrame() {
        m_timeline->showRange({0, 24});
        auto data = std::make_shared<TimelineData>();
        data->add(10, {}, {1}, false, true);
        const QImage empty = m_timeline->grab().toImage();
        m_timeline->setData(data);
        const QImage full = m_timeline->grab().toImage();
        const int y = timeline::kRuler + timeline::kMarks / 2;
        int first = -1, last = -1;
        for (int x = 0; x < full.width(); ++x)
            if (full.pixel(x, y) != empty.pixel(x, y)) {
                first = first < 0 ? x : first;
                last = x;
            }
        QVERIFY(first >= 0 && last - first < m_timeline->frameToX(1) - m_timeline->frameToX(0) - 2);
        QVERIFY(std::abs((first + last + 1) / 2.0 - m_timeline->frameToX(10.5)) <= 1);
    }

    void altDragZoomsAndTheOverviewsEdgesChangeTheZoom_data() {
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("Alt") << Qt::KeyboardModifiers(Qt::AltModifier);
        QTest::newRow("Ctrl and Shift") << Qt::KeyboardModifiers(Qt::ControlModifier | Qt::ShiftModifier);
    }
    void altDragZoomsAndTheOverviewsEdgesChangeTheZoom() {
        QFETCH(const Qt::KeyboardModifiers, modifiers);
        const auto x = [this](double frame) { return static_cast<int>(m_timeline->frameToX(frame)); };
        const QPoint from(x(300), 60), to(x(500), 60);
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, modifiers, from);
        QTest::mouseMove(m_timeline.get(), to);
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, modifiers, to);
        QVERIFY(!m_view->range());
        QVERIFY(std::abs(m_timeline->visibleFirst() - 300) <= 2);
        QVERIFY(std::abs(m_timeline->visibleCount() - 200) <= 3);
        // The box of the overview ends at frame 500 of 1000: in the middle.
        const int y = m_timeline->height() - 5;
        const int edge = 12 + 1000 / 2, wider = 12 + 800;
        QTest::mousePress(m_timeline.get(), Qt::LeftButton, {}, {edge, y});
        QTest::mouseMove(m_timeline.get(), {wider, y});
        QTest::mouseRelease(m_timeline.get(), Qt::LeftButton, {}, {wider, y});
        QVERIFY(std::abs(m_timeline->visibleFirst() - 300) <= 2);
        QVERIFY2(std::abs(m_timeline->visibleCount() - 500) <= 12,
                 qPrintable(QString::number(m_timeline->visibleCount())));
    }

    void marksOfSuggestionsIssuesAndTheFlagAreDrawn() {
        const QImage empty = m_timeline->grab().toImage();
        TimelineMarks marks;
        marks.suggestedOpen = {100};
        marks.suggestedLabelled = {300};
        marks.issues = {{500, 0.9}, {501, 0.2}};
        marks.flag = 800;
        m_timeline->setMarks(marks);
        const QImage full = m_timeline->grab().toImage();
        const auto differs = [&](double frame, int y) {
            const int x = static_cast<int>(m_timeline->frameToX(frame + 0.5));
            return full.pixel(x, y) != empty.pixel(x, y);
        };
        QVERIFY(differs(100, 37) && differs(300, 37));
        QVERIFY(full.pixel(static_cast<int>(m_timeline->frameToX(100.5)), 37) !=
                full.pixel(static_cast<int>(m_timeline->frameToX(300.5)), 37));
        QVERIFY(differs(500, 25) && differs(800, 30) && !differs(650, 25));
        QVERIFY(m_timeline->hoverText({static_cast<int>(m_timeline->frameToX(500.5)), 31})
                    .contains(QLatin1String("severity 0.90")));
    }

private:
    std::unique_ptr<ViewState> m_view;
    std::unique_ptr<Timeline> m_timeline;
};

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
