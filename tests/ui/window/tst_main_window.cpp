// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <random>

#include "tests/support/video_maker.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/instance_table_model.h"
#include "ui/panels/instances_panel.h"
#include "ui/widgets/badge.h"

using namespace skein;
using namespace skein::ui;
using skein::test::sample;
using skein::test::Window;

namespace {

/// The number painted into the picture on the canvas; -1 none.
int shownNumber(const VideoCanvas& canvas) {
    if (canvas.picture() == nullptr)
        return -1;
    return test::readBarCode(*canvas.picture(), [](int x, int y) { return std::pair{x, y}; }).value_or(-1);
}

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<Window>();
    }
    void cleanup() { m_window.reset(); }

    void W_01_startsWithTheEmptyState() {
        QVERIFY((*m_window)->findChild<EmptyState*>()->isVisible());
        QVERIFY((*m_window)->findChild<QLabel*>("emptyHeading")->text().contains(QLatin1String("Drop a video")));
        QVERIFY(!(*m_window)->canvas().isVisible());
        QCOMPARE((*m_window)->windowTitle(), QStringLiteral("Skein[*]"));
        // Nothing loads LibTorch until a model is wanted.
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));
        QVERIFY(!maps.readAll().contains("libtorch"));
    }

    void W_04_wholeFrameAfterOpeningAndWithAnotherTimeline() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        VideoCanvas& canvas = (*m_window)->canvas();
        QVERIFY(canvas.isVisible());
        auto* splitter = (*m_window)->findChild<QSplitter*>("viewSplitter");
        for (const int height : {112, 300, 60, 200}) {
            splitter->setSizes({splitter->height() - height, height});
            QCoreApplication::processEvents();
            const Image& picture = *canvas.picture();
            const QRectF seen(canvas.sceneToView({-0.5, -0.5}),
                              canvas.sceneToView({picture.width - 0.5, picture.height - 0.5}));
            QVERIFY(QRectF(canvas.rect()).adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(seen));
            QVERIFY(std::fabs(seen.width() - canvas.width()) < 1 || std::fabs(seen.height() - canvas.height()) < 1);
        }
    }

    void opensByMenu() {
        m_window->answers.files = {sample("synthetic_6.mp4")};
        m_window->trigger("fileOpen");
        QTRY_COMPARE((*m_window)->document().videoCount(), 1);
        QVERIFY(m_window->waitForFrame());
        QVERIFY((*m_window)->windowTitle().startsWith(QLatin1String("synthetic_6.mp4")));
        QCOMPARE(m_window->field("statusVideo"), QStringLiteral("Video 1/1"));
    }

    void opensByDropAndAddsToAnOpenProject() {
        const auto drop = [this](const QString& path) {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(path)});
            QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(m_window->window.get(), &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(m_window->window.get(), &event);
        };
        drop(sample("synthetic_6.mp4"));
        QTRY_COMPARE((*m_window)->document().videoCount(), 1);
        QVERIFY(m_window->waitForFrame());
        QTemporaryDir folder;
        const QString copy = folder.filePath("second.mp4");
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), copy));
        drop(copy);
        QTRY_COMPARE((*m_window)->document().videoCount(), 2);
        QCOMPARE((*m_window)->view().video(), 0);
        m_window->trigger("goNextVideo");
        QVERIFY(m_window->waitForFrame());
        QCOMPARE((*m_window)->view().video(), 1);
        QCOMPARE(m_window->field("statusVideo"), QStringLiteral("Video 2/2"));
        m_window->trigger("editUndo");
        QCOMPARE((*m_window)->document().videoCount(), 1);
        QCOMPARE((*m_window)->view().video(), 0);
        QVERIFY(m_window->waitForFrame());
    }

    void opensAFolderOfImages() {
        QTemporaryDir folder;
        for (int i = 0; i < 3; ++i) {
            QImage image(64, 48, QImage::Format_RGB32);
            image.fill(QColor(40 * i, 40 * i, 40 * i));
            QVERIFY(image.save(folder.filePath(QStringLiteral("img%1.png").arg(i))));
        }
        QVERIFY(m_window->open(folder.path()));
        QCOMPARE((*m_window)->view().frameCount(), std::int64_t{3});
    }

    void movesThroughTheVideo() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        ViewState& view = (*m_window)->view();
        const std::int64_t last = view.frameCount() - 1;
        const auto after = [&](const char* id) {
            m_window->trigger(id);
            return view.frame();
        };
        QCOMPARE(after("goNextFrame"), std::int64_t{1});
        QCOMPARE(after("goNextMedium"), std::int64_t{11});
        QCOMPARE(after("goNextLarge"), std::int64_t{111});
        QCOMPARE(after("goPrevLarge"), std::int64_t{11});
        QCOMPARE(after("goPrevMedium"), std::int64_t{1});
        QCOMPARE(after("goPrevFrame"), std::int64_t{0});
        QCOMPARE(after("goLast"), last);
        QVERIFY(m_window->waitForFrame());
        // N-06 and P6: beyond the ends there is a word, and the picture stays.
        QCOMPARE(after("goNextFrame"), last);
        QVERIFY(m_window->field("statusNotice").contains(QLatin1String("ends at frame")));
        QCOMPARE((*m_window)->canvas().lastShownFrame(), last);
        QCOMPARE(after("goFirst"), std::int64_t{0});
        QCOMPARE(after("goPrevFrame"), std::int64_t{0});
        m_window->answers.number = 101;
        QCOMPARE(after("goFrame"), std::int64_t{100});
        QCOMPARE(m_window->field("statusFrame"), QStringLiteral("Frame 101/300"));
        m_window->trigger("viewCountFromZero");
        QCOMPARE(m_window->field("statusFrame"), QStringLiteral("Frame 100/299"));
        m_window->trigger("viewCountFromZero");
        // Shift and a movement select.
        m_window->trigger("goNextFrameSelect");
        m_window->trigger("goNextMediumSelect");
        QVERIFY(view.range());
        QCOMPARE(*view.range(), (FrameRange{100, 111}));
        QVERIFY(m_window->field("statusFrame").contains(QStringLiteral("(selection 101\u2013112)")));
        m_window->trigger("goPrevMediumSelect");
        m_window->trigger("goPrevMediumSelect");
        QCOMPARE(*view.range(), (FrameRange{91, 100}));
        m_window->trigger("goClear");
        QVERIFY(!view.range());
        m_window->trigger("goMark");
        m_window->trigger("goFirst");
        QTRY_VERIFY((*m_window)->actions().get("goMarked")->isEnabled());
        QCOMPARE(after("goMarked"), std::int64_t{91});
    }

    void keysMoveWhateverHasTheFocus() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        QTRY_VERIFY((*m_window)->actions().get("goNextFrame")->isEnabled());
        for (QWidget* focus : {static_cast<QWidget*>(&(*m_window)->canvas()),
                               static_cast<QWidget*>((*m_window)->findChild<QTableView*>("instancesTable"))}) {
            focus->setFocus();
            const std::int64_t before = (*m_window)->view().frame();
            m_window->key(Qt::Key_Right);
            QCOMPARE((*m_window)->view().frame(), before + 1);
        }
    }

    void V_01_P71_theShownPictureIsTheNamedFrame() {
        QTemporaryDir folder;
        const QString path = folder.filePath("numbered.mp4");
        test::VideoSpec spec;
        spec.frames = 240;
        spec.gop = 60;
        spec.bFrames = 2;
        if (!test::makeVideo(path.toStdString(), spec))
            QSKIP("no H.264 encoder on this machine");
        QVERIFY(m_window->open(path));
        VideoCanvas& canvas = (*m_window)->canvas();
        QCOMPARE(shownNumber(canvas), 0);
        int painted = 0, wrong = 0;
        connect(&canvas, &VideoCanvas::framePainted, this, [&](qint64 frame) {
            ++painted;
            wrong += shownNumber(canvas) != frame || canvas.contents().frame != frame ? 1 : 0;
        });
        std::mt19937 random(99);
        // A slow machine paints fewer of the frames it is asked for, so it is asked for more.
        for (int i = 0; i < 150 || painted <= 20; ++i) {
            switch (random() % 6) {
                case 0:
                    m_window->trigger("goNextFrame");
                    break;
                case 1:
                    m_window->trigger("goPrevMedium");
                    break;
                case 2:
                    m_window->trigger("goPlay");
                    break;
                case 3:
                    m_window->trigger("goPlayBack");
                    break;
                case 4:
                    m_window->trigger("goNextLarge");
                    break;
                default:
                    (*m_window)->view().setFrame(static_cast<std::int64_t>(random() % 240));
                    break;
            }
            if (random() % 3 == 0)
                QTest::qWait(static_cast<int>(random() % 25));
        }
        (*m_window)->playback().stop();
        QVERIFY(m_window->waitForFrame());
        QCOMPARE(wrong, 0);
        QCOMPARE(shownNumber(canvas), static_cast<int>((*m_window)->view().frame()));
    }

    void playsForwardBackwardAndStopsAtTheEnds() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        Playback& playback = (*m_window)->playback();
        playback.setSpeed(Playback::kSpeeds - 1);
        m_window->answers.number = 281;
        m_window->trigger("goFrame");
        QVERIFY(m_window->waitForFrame());
        m_window->trigger("goPlay");
        QVERIFY(playback.isPlaying());
        QTRY_VERIFY(!playback.isPlaying());
        QCOMPARE((*m_window)->view().frame(), std::int64_t{299});
        m_window->trigger("goPlayBack");
        QTRY_VERIFY((*m_window)->view().frame() < 280);
        m_window->trigger("goPlayBack");
        QVERIFY(!playback.isPlaying());
    }

    void loopsTheSelection() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        (*m_window)->view().setRange(FrameRange{20, 26});
        QTRY_VERIFY((*m_window)->actions().get("goLoop")->isEnabled());
        m_window->trigger("goLoop");
        (*m_window)->playback().setSpeed(Playback::kSpeeds - 1);
        int starts = 0;
        connect(&(*m_window)->view(), &ViewState::frameChanged, this, [&](std::int64_t frame) {
            QVERIFY(frame >= 20 && frame <= 26);
            starts += frame == 20 ? 1 : 0;
        });
        m_window->trigger("goPlay");
        QTRY_VERIFY(starts >= 3);
        QVERIFY((*m_window)->playback().isPlaying());
        (*m_window)->playback().stop();
    }

    void playsAtTheVideosOwnPace() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        const auto& source = *(*m_window)->document().videoState(0).source;
        QElapsedTimer clock;
        clock.start();
        const auto due = [&] { return static_cast<double>(clock.elapsed()) / 1000 * source.fps(); };
        double ahead = 0;
        connect(&(*m_window)->view(), &ViewState::frameChanged, this,
                [&](std::int64_t frame) { ahead = std::max(ahead, static_cast<double>(frame) - due()); });
        m_window->trigger("goPlay");
        // Frames are dropped rather than time lost: a busy machine may be late, and makes up for it.
        QTRY_VERIFY(clock.elapsed() >= 1000 && static_cast<double>((*m_window)->view().frame()) >= due() * 0.5);
        (*m_window)->playback().stop();
        QVERIFY2(ahead <= 2, qPrintable(QString::number(ahead)));
    }

    void showsAProjectWithItsTracks() {
        QVERIFY(m_window->open(sample("expected.slp")));
        QVERIFY(m_window->waitForDigest());
        const project::Labels& labels = (*m_window)->document().labels();
        QVERIFY(labels.instanceCount() > 0);
        auto* model = (*m_window)->findChild<InstanceTableModel*>();
        const ShownFrame& shown = (*m_window)->presenter().shown();
        QVERIFY(!shown.instances.empty());
        QCOMPARE(model->rowCount(), static_cast<int>(shown.instances.size()));
        const auto row = labels.findFrame(0, shown.frame);
        QVERIFY(row);
        for (int i = 0; i < model->rowCount(); ++i) {
            const auto instance = labels.frame(*row).instance(static_cast<std::size_t>(i));
            QCOMPARE(model->index(i, InstanceTableModel::Number).data().toString(), QString::number(i + 1));
            QCOMPARE(model->index(i, InstanceTableModel::Kind).data().toString(), QStringLiteral("pred"));
            QCOMPARE(model->index(i, InstanceTableModel::Score).data().toString(),
                     QString::number(double(instance.header->score), 'f', 3));
            if (instance.header->track >= 0)
                QCOMPARE(
                    model->index(i, InstanceTableModel::Track).data().toString(),
                    QString::fromStdString(labels.tracks()[static_cast<std::size_t>(instance.header->track)].name));
        }
        QVERIFY(m_window->field("statusOnFrame").startsWith(QString::number(shown.instances.size())));
        QTRY_VERIFY(m_window->field("statusPredicted").startsWith(QLatin1String("Predicted ")));
        QVERIFY((*m_window)->digest().timeline()->lanes.size() == labels.tracks().size());
    }

    void D_02_tableAndViewSelectTheSame() {
        QVERIFY(m_window->open(sample("expected.slp")));
        auto* table = (*m_window)->findChild<QTableView*>("instancesTable");
        ViewState& view = (*m_window)->view();
        table->selectRow(1);
        QCOMPARE(view.selected(), (*m_window)->presenter().shown().instances[1].header.id);
        QTest::keyClick(m_window->window.get(), Qt::Key_1);
        QTRY_COMPARE(table->currentIndex().row(), 0);
        QCOMPARE(view.selected(), (*m_window)->presenter().shown().instances[0].header.id);
        m_window->trigger("goClear");
        QVERIFY(table->selectionModel()->selectedRows().isEmpty());
        QCOMPARE(view.selected(), project::InstanceId{0});
        // A click on the picture selects the row.
        const ShownInstance& instance = (*m_window)->presenter().shown().instances[0];
        for (const project::Point& p : instance.points)
            if (p.exists()) {
                QTest::mouseClick(&(*m_window)->canvas(), Qt::LeftButton, {},
                                  (*m_window)->canvas().sceneToView({p.x, p.y}).toPoint());
                break;
            }
        QVERIFY(view.selected() != 0);
        QCOMPARE(table->currentIndex().data(InstanceTableModel::IdRole).toULongLong(), view.selected());
    }

    void labelledFramesAreVisitedAndWrap() {
        QVERIFY(m_window->open(sample("expected.slp")));
        QVERIFY(m_window->waitForDigest());
        QTRY_VERIFY((*m_window)->actions().get("goNextLabelled")->isEnabled());
        const auto& timeline = *(*m_window)->digest().timeline();
        m_window->trigger("goLast");
        m_window->trigger("goNextLabelled");
        QCOMPARE((*m_window)->view().frame(), timeline.predicted.front());
        QVERIFY(m_window->field("statusNotice").contains(QLatin1String("start")));
        m_window->trigger("goSpanEnd");
        QCOMPARE((*m_window)->view().frame(), timeline.labelled.front().second);
        m_window->trigger("goSpanStart");
        QCOMPARE((*m_window)->view().frame(), timeline.labelled.front().first);
        m_window->trigger("goFirst");
        m_window->trigger("goNextTrackSpawn");
        bool startsHere = false;
        for (const auto& lane : timeline.lanes)
            startsHere = startsHere || lane.spans.front().first == (*m_window)->view().frame();
        QVERIFY(startsHere);
    }

    void hidingInstancesShowsABadge() {
        QVERIFY(m_window->open(sample("expected.slp")));
        auto* badge = (*m_window)->findChild<Badge*>("hiddenBadge");
        QVERIFY(!badge->isVisible());
        m_window->trigger("viewShowInstances");
        QVERIFY(badge->isVisible());
        m_window->trigger("viewShowInstances");
        QVERIFY(!badge->isVisible());
    }

    void themesChangeLive() {
        QVERIFY(m_window->open(sample("expected.slp")));
        m_window->trigger("viewThemeLight");
        const QColor light = (*m_window)->grab().toImage().pixelColor(5, (*m_window)->height() - 5);
        m_window->trigger("viewThemeDark");
        const QColor dark = (*m_window)->grab().toImage().pixelColor(5, (*m_window)->height() - 5);
        QCOMPARE(light, theme::tokens().dark ? QColor(0xF3F4F6) : light);
        QCOMPARE(dark, QColor(0x2B2F34));
        m_window->trigger("viewThemeLight");
    }

    void W_02_layoutIsRestored() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        auto* videos = (*m_window)->findChild<QDockWidget*>("dockVideos");
        auto* profiling = (*m_window)->findChild<QDockWidget*>("dockProfiling");
        (*m_window)->addDockWidget(Qt::LeftDockWidgetArea, videos);
        profiling->hide();
        (*m_window)->resize(1100, 700);
        QTRY_COMPARE((*m_window)->size(), QSize(1100, 700));
        auto* splitter = (*m_window)->findChild<QSplitter*>("viewSplitter");
        splitter->setSizes({300, 222});
        const QList<int> sizes = splitter->sizes();
        (*m_window)->close();
        QTRY_VERIFY(!(*m_window)->isVisible());
        m_window = std::make_unique<Window>();
        QTRY_COMPARE((*m_window)->dockWidgetArea((*m_window)->findChild<QDockWidget*>("dockVideos")),
                     Qt::LeftDockWidgetArea);
        QVERIFY((*m_window)->findChild<QDockWidget*>("dockProfiling")->isHidden());
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        (*m_window)->resize(1100, 700);
        QTRY_COMPARE((*m_window)->findChild<QSplitter*>("viewSplitter")->sizes()[1], sizes[1]);
    }

    void P68_theViewIsNeverCoveredAtTheSmallestSize() {
        (*m_window)->resize(1280, 720);
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        QVERIFY((*m_window)->canvas().width() >= 640);
        QVERIFY((*m_window)->canvas().height() >= 360);
        for (const QDockWidget* dock : (*m_window)->findChildren<QDockWidget*>())
            if (dock->isVisible() && !dock->visibleRegion().isEmpty())
                QVERIFY(dock->width() >= 200 && dock->height() >= 100);
    }

    void X_01_interactiveWidgetsHaveNames() {
        QVERIFY(m_window->open(sample("expected.slp")));
        for (const QAbstractButton* button : (*m_window)->findChildren<QAbstractButton*>()) {
            const QString what = button->objectName() + QLatin1Char('/') + button->text();
            if (button->objectName().startsWith(QLatin1String("qt_")) || !button->isVisibleTo(m_window->window.get()))
                continue;
            QVERIFY2(!button->objectName().isEmpty(), qPrintable(what));
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(), qPrintable(what));
        }
        for (const QAbstractItemView* table : (*m_window)->findChildren<QAbstractItemView*>())
            if (table->objectName().endsWith(QLatin1String("Table")))
                QVERIFY2(!table->accessibleName().isEmpty(), qPrintable(table->objectName()));
    }

private:
    std::unique_ptr<Window> m_window;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
