// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/text.h"

using namespace skein;
using namespace skein::ui;
using skein::test::sample;
using skein::test::Window;

class TestPlayback : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        w = std::make_unique<Window>();
        QVERIFY(w->open(sample("synthetic_6.mp4")));
        m_painted.clear();
        connect(&(*w)->canvas(), &VideoCanvas::framePainted, this,
                [this](qint64 frame) { m_painted.push_back(frame); });
    }
    void cleanup() { w.reset(); }

    void everyFrameIsShownWhenThatIsPreferred() {
        w->trigger("goEveryFrame");
        (*w)->playback().setSpeed(6);  // eight times: without the preference frames would be dropped
        w->trigger("goPlay");
        QTRY_VERIFY(m_painted.size() > 60);
        (*w)->playback().stop();
        for (std::size_t i = 1; i < m_painted.size(); ++i)
            QVERIFY2(m_painted[i] - m_painted[i - 1] <= 1, qPrintable(QString::number(m_painted[i])));
        Window again;
        QVERIFY(again->actions().get("goEveryFrame")->isChecked());
    }

    void framesAreDroppedToKeepTimeOtherwise() {
        (*w)->playback().setSpeed(6);
        w->trigger("goPlay");
        QTRY_VERIFY((*w)->view().frame() > 100 || !(*w)->playback().isPlaying());
        (*w)->playback().stop();
        std::int64_t widest = 0;
        for (std::size_t i = 1; i < m_painted.size(); ++i)
            widest = std::max(widest, m_painted[i] - m_painted[i - 1]);
        QVERIFY(widest > 1);
    }

    void theEndIsShownHoweverLateItsTurnComes_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<std::int64_t>("from");
        QTest::addColumn<std::int64_t>("end");
        QTest::newRow("forward") << QByteArray("goPlay") << std::int64_t{290} << std::int64_t{299};
        QTest::newRow("backward") << QByteArray("goPlayBack") << std::int64_t{9} << std::int64_t{0};
    }
    void theEndIsShownHoweverLateItsTurnComes() {
        QFETCH(const QByteArray, action);
        QFETCH(const std::int64_t, from);
        QFETCH(const std::int64_t, end);
        (*w)->view().setFrame(from);
        QVERIFY(w->waitForFrame());
        w->trigger(action.constData());
        QThread::msleep(1500);  // the window is busy beyond the time of the last frame
        QTRY_VERIFY(!(*w)->playback().isPlaying());
        QCOMPARE((*w)->view().frame(), end);
    }

    void N_02_backwardShowsWhatForwardShows() {
        w->trigger("goEveryFrame");
        (*w)->playback().setSpeed(Playback::kSpeeds - 1);
        (*w)->view().setFrame(120);
        QVERIFY(w->waitForFrame());
        m_painted.clear();
        w->trigger("goPlayBack");
        QTRY_VERIFY(!m_painted.empty() && m_painted.back() <= 30);
        (*w)->playback().stop();
        for (std::size_t i = 1; i < m_painted.size(); ++i)
            QVERIFY(m_painted[i - 1] - m_painted[i] <= 1);
        // Read ahead in that direction: what comes next is in the cache.
        QVERIFY((*w)->frames().cacheStats().frames >= 90);
    }

    void shownAndAskedRateAreTold() {
        QCOMPARE(w->field("statusFps"), QString());
        (*w)->playback().setSpeed(2);
        const double fps = (*w)->document().videoState(0).source->fps();
        QCOMPARE((*w)->playback().askedRate(), fps / 2);
        w->trigger("goPlay");
        QTRY_VERIFY(w->field("statusFps").contains("of"));
        QVERIFY(w->field("statusFps").contains(text::fixed(fps / 2, 0)));
        (*w)->playback().stop();
        QCOMPARE(w->field("statusFps"), QString());
    }

    void N_06_framesOutsideAreClamped() {
        for (const std::int64_t wanted : {std::int64_t{-5}, std::int64_t{1} << 40, std::int64_t{300}}) {
            w->answers.number = wanted;
            w->trigger("goFrame");
            QVERIFY(w->waitForFrame());
            QVERIFY((*w)->view().frame() >= 0 && (*w)->view().frame() < (*w)->view().frameCount());
        }
    }

private:
    std::unique_ptr<Window> w;
    std::vector<std::int64_t> m_painted;
};

QTEST_MAIN(TestPlayback)
#include "tst_playback.moc"
