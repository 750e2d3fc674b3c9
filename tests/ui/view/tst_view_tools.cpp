// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSlider>
#include <atomic>
#include <cmath>
#include <thread>

#include "tests/support/worked_time.h"
#include "tests/ui/edit/edit_fixture.h"
#include "ui/canvas/ink.h"
#include "ui/dialogs/picture_dialog.h"
#include "ui/view_tools.h"

using namespace skein;
using namespace skein::ui;
using skein::test::EditWindow;
namespace edit = skein::project::edit;

namespace {

/// A network that takes its time and finds one hot place, the further right the later it was asked.
class FakeProbe final : public inference::MapProbe {
public:
    static inline std::atomic<int> loaded = 0, asked = 0;
    static inline std::atomic<bool> held = false;

    FakeProbe() { ++loaded; }
    Result<inference::FrameMaps> maps(const ImagePtr& image, std::span<const inference::CentroidPoint>) override {
        const int number = ++asked;
        while (held)
            std::this_thread::yield();
        inference::FrameMaps maps;
        for (const auto kind : {inference::MapKind::Confidence, inference::MapKind::PartAffinity}) {
            inference::MapLayer layer;
            layer.kind = kind;
            layer.channels = kind == inference::MapKind::Confidence ? 1 : 2;
            layer.step = 4;
            layer.width = image->width / 4;
            layer.height = image->height / 4;
            layer.values.assign(static_cast<std::size_t>(layer.channels * layer.width * layer.height), 0);
            layer.values[static_cast<std::size_t>(10 * layer.width + 10 + number)] = 1;
            maps.layers.push_back(std::move(layer));
        }
        return maps;
    }
    bool needsCentroids() const override { return false; }
};

void waitFor(const std::function<bool()>& condition) {
    QVERIFY(test::await(condition));
}

}  // namespace

/// Ways to look at a frame, in the real window.
class TestViewTools : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Dark); }
    void init() {
        test::forgetSettings();
        FakeProbe::loaded = FakeProbe::asked = 0;
        FakeProbe::held = false;
        w = std::make_unique<EditWindow>();
        QVERIFY(w->setUp());
        tools().maps().setLoader([](const auto&, const auto&) -> Result<std::unique_ptr<inference::MapProbe>> {
            return std::unique_ptr<inference::MapProbe>(std::make_unique<FakeProbe>());
        });
    }
    void cleanup() {
        FakeProbe::held = false;
        w.reset();
        theme::setPalette(theme::Palette::Safe);
    }

    // --- How instances look

    void choicesAreAppliedAndRemembered() {
        const auto choose = [&](const char* id) { w->trigger(id); };
        choose("viewColorByNode");
        choose("viewPaletteAlphabet");
        choose("viewMarkerSize8");
        choose("viewLabelSize18");
        choose("viewEdgeWedge");
        choose("viewFocusHiddenOfSelected");
        choose("viewShowScores");
        choose("viewColorPredicted");
        choose("viewDashPredicted");
        const OverlayStyle style = w->view().style();
        QVERIFY(style.colorBy == ColorBy::Node && style.palette == theme::Palette::Alphabet);
        QCOMPARE(style.markerSize, 8);
        QCOMPARE(style.labelSize, 18);
        QVERIFY(style.edgeStyle == EdgeStyle::Wedge && style.focus == Focus::HiddenOfSelected);
        QVERIFY(style.scores && !style.colorPredicted && style.dashPredicted);
        QCOMPARE(theme::paletteSize(), 26);
        EditWindow again;
        QVERIFY(again->view().style() == style);
        QVERIFY(again->actions().get("viewMarkerSize8")->isChecked());
        QVERIFY(!again->actions().get("viewMarkerSize4")->isChecked());
    }

    void damagedSettingsFallBackToTheDefaults() {
        w.reset();
        QSettings file(QSettings::IniFormat, QSettings::UserScope, "skein", "skein");
        file.setValue("view/markerSize", 4000);
        file.setValue("view/colorBy", -3);
        file.setValue("view/palette", "nonsense");
        file.sync();
        EditWindow again;
        QCOMPARE(again->view().style().markerSize, 4);
        QVERIFY(again->view().style().colorBy == ColorBy::Track);
    }

    void speedComesFromTheSameTrackOnTheFrameBeside() {
        w->trigger("viewColorBySpeed");
        // Every animal moves down by one pixel a frame.
        for (const int frame : {0, 5}) {
            w->view().setFrame(frame);
            QVERIFY(w->waitForFrame());
            for (const ShownInstance& instance : w->canvas().contents().instances) {
                QVERIFY(std::fabs(instance.speed - 1) < 1e-9);
                QVERIFY(instance.color >= kRampInk);
            }
        }
        w->trigger("viewColorByTrack");
        QVERIFY(std::isnan(w->canvas().contents().instances[0].speed));
    }

    void replacedPredictionsCanBeShown() {
        w->doubleClick(w->at(w->id(2), 1));
        QCOMPARE(w->canvas().contents().instances.size(), std::size_t{4});
        w->trigger("viewShowReplaced");
        QCOMPARE(w->canvas().contents().instances.size(), std::size_t{5});
        w->trigger("viewShowReplaced");
        QCOMPARE(w->canvas().contents().instances.size(), std::size_t{4});
    }

    void ghostDragIsAPreference() {
        w->trigger("labelGhostDrag");
        w->canvas().actualSize();
        const int steps = w->steps();
        w->drag(w->at(w->id(2), 1), {20, 5});
        QCOMPARE(w->steps(), steps);
        w->trigger("labelGhostDrag");
        w->canvas().actualSize();
        w->drag(w->at(w->id(2), 1), {20, 5});
        QCOMPARE(w->steps(), steps + 1);
    }

    void hoveringTellsNodeScoreAndTrackAtOnce() {
        w->canvas().actualSize();
        QSignalSpy words(&w->canvas(), &VideoCanvas::hoverChanged);
        const QImage before = w->canvas().grab().toImage();
        const test::WorkedTime time;
        w->mouse(QEvent::MouseMove, w->at(w->id(2), 1), Qt::NoButton, Qt::NoButton);
        const QImage after = w->canvas().grab().toImage();
        const double took = time.ms();
        const QString said = words.back()[0].toString();
        QVERIFY(said.contains("node1") && said.contains("0.90") && said.contains("third") && said.contains("3"));
        QVERIFY(after != before);
        QVERIFY2(took <= 2 * 50, qPrintable(QString::number(took)));
    }

    // --- Fit

    void fitModesExcludeEachOtherAndEndWithZooming() {
        const auto checked = [&] {
            QStringList list;
            for (const char* id : {"viewFitFrame", "viewFit", "viewFitSelection"})
                if ((*w)->actions().get(id)->isChecked())
                    list << id;
            return list;
        };
        w->view().setSelected(w->id(0));
        w->trigger("viewFit");
        QCOMPARE(checked(), QStringList{"viewFit"});
        w->trigger("viewFitSelection");
        QCOMPARE(checked(), QStringList{"viewFitSelection"});
        w->trigger("viewFitSelection");
        QCOMPARE(checked(), QStringList{"viewFitSelection"});
        w->trigger("viewFitFrame");
        QCOMPARE(checked(), QStringList{"viewFitFrame"});
        w->canvas().zoomAbout({50, 50}, 1.5);
        QVERIFY(checked().isEmpty());
    }

    void fitSelectionGoesAlongWithTheTrack() {
        w->view().setSelected(w->id(1));
        w->trigger("viewFitSelection");
        const auto middle = [&] {
            return w->canvas().viewToScene({w->canvas().width() / 2.0, w->canvas().height() / 2.0});
        };
        const QPointF first = middle();
        const auto box = [&](int track) {
            for (const ShownInstance& instance : w->canvas().contents().instances)
                if (instance.header.track == track)
                    return boundsOf(instance).center();
            return QPointF();
        };
        QVERIFY(QLineF(first, box(1)).length() < 0.5);
        // Other instances have other ids: it is the track that is followed.
        w->view().setFrame(8);
        QVERIFY(w->waitForFrame());
        QVERIFY(QLineF(middle(), box(1)).length() < 0.5);
        QVERIFY(std::fabs(middle().y() - first.y() - 8) < 0.5);
        // While playing it glides: not there at once, but soon.
        w->canvas().setGliding(true);
        std::optional<QPointF> firstStep;
        connect(&w->canvas(), &VideoCanvas::zoomChanged, this, [&] { firstStep = firstStep.value_or(middle()); });
        w->view().setFrame(0);
        QVERIFY(w->waitForFrame());
        QTRY_VERIFY(firstStep.has_value());
        QVERIFY(std::fabs(firstStep->y() - first.y()) > 1);
        waitFor([&] { return QLineF(middle(), first).length() < 0.5; });
        QVERIFY(w->canvas().fit() == VideoCanvas::Fit::Selection);
        w->canvas().disconnect(this);
    }

    // --- Picture

    void thePictureIsAdjustedLiveForItsVideoAlone() {
        const QImage plain = w->canvas().grab().toImage();
        w->trigger("viewContrast");
        PictureDialog* dialog = tools().pictureDialog();
        QVERIFY(dialog != nullptr && dialog->isVisible() && !dialog->isModal());
        dialog->findChild<QCheckBox*>("pictureInvert")->click();
        dialog->findChild<QSlider*>("pictureBrightness")->setValue(20);
        QVERIFY(w->canvas().adjustment().invert);
        QVERIFY(std::fabs(w->canvas().adjustment().brightness - 0.2) < 1e-9);
        QVERIFY(w->canvas().grab().toImage() != plain);
        // Another video has its own, and this one keeps its.
        w->document().addVideos({test::sample("synthetic_6.mp4")});
        waitFor([&] { return w->document().videoCount() == 2; });
        w->trigger("goNextVideo");
        QVERIFY(w->canvas().adjustment().isNeutral());
        QVERIFY(!dialog->findChild<QCheckBox*>("pictureInvert")->isChecked());
        w->trigger("goPrevVideo");
        QVERIFY(w->canvas().adjustment().invert);
        dialog->findChild<QPushButton*>("pictureReset")->click();
        QVERIFY(w->canvas().adjustment().isNeutral());
        QVERIFY(w->waitForFrame());
        QCOMPARE(w->canvas().grab().toImage(), plain);
    }

    void theLoupeIsThereWhileItsKeyIsHeld() {
        w->mouse(QEvent::MouseMove, {200, 200}, Qt::NoButton, Qt::NoButton);
        const QImage plain = w->canvas().grab().toImage();
        QTest::keyPress(w->window.get(), Qt::Key_Z);
        QVERIFY(w->canvas().hasLoupe());
        const QImage shot = w->canvas().grab().toImage();
        const double ratio = shot.devicePixelRatio();
        QVERIFY(shot != plain);
        QCOMPARE(shot.pixel(QPoint(int(200 * ratio), int(20 * ratio))),
                 plain.pixel(QPoint(int(200 * ratio), int(20 * ratio))));
        QTest::keyRelease(w->window.get(), Qt::Key_Z);
        QVERIFY(!w->canvas().hasLoupe());
        w->trigger("viewLoupe");  // from the menu it stays
        QVERIFY(w->canvas().hasLoupe());
        w->trigger("viewLoupe");
        QVERIFY(!w->canvas().hasLoupe());
    }

    void theFrameAsItWasIsShownWhileItsKeyIsHeld() {
        const project::InstanceId id = w->id(0);
        QTemporaryDir dir;
        w->document().save(dir.filePath("project.slp"));
        waitFor([&] { return !w->document().isSaving(); });
        const QImage saved = w->canvas().grab().toImage();
        w->canvas().actualSize();
        w->drag(w->at(id, 0), {40, 60});
        w->trigger("viewFitFrame");
        const QPoint was = w->canvas().sceneToView({60, 70}).toPoint();
        const auto pixel = [&] {
            const QImage shot = w->canvas().grab().toImage();
            return shot.pixel((QPointF(was) * shot.devicePixelRatio()).toPoint());
        };
        const QRgb moved = pixel();
        const int steps = w->steps();
        QTest::keyPress(w->window.get(), Qt::Key_Q);
        QVERIFY(pixel() != moved);
        QCOMPARE(w->steps(), steps);
        QTest::keyRelease(w->window.get(), Qt::Key_Q);
        QCOMPARE(pixel(), moved);
        QVERIFY(w->points(id)[0].x > 61);
    }

    // --- Maps

    void withoutARunAModelIsAskedFor() {
        QSignalSpy wanted(&tools(), &ViewTools::modelWanted);
        w->key(Qt::Key_O);
        QCOMPARE(wanted.size(), 1);
        QVERIFY(tools().mapChoice() == MapChoice::None);
        QVERIFY((*w)->actions().get("viewOverlayNone")->isChecked());
        QCOMPARE(FakeProbe::loaded, 0);
    }

    void mapsAreShownForTheirFrameAloneAndTheModelStaysLoaded() {
        tools().setModels({models::ModelSpec()});
        w->key(Qt::Key_O);
        QVERIFY(tools().mapChoice() == MapChoice::Confidence);
        waitFor([&] { return w->canvas().isMapShown(); });
        QVERIFY((*w)->actions().get("viewOverlayConfidence")->isChecked());
        const QImage withMap = w->canvas().grab().toImage();
        // Another choice of the same frame needs no network.
        w->key(Qt::Key_O);
        waitFor([&] { return w->canvas().isMapShown() && !tools().maps().isBusy(); });
        QVERIFY(tools().mapChoice() == MapChoice::PartAffinity);
        QCOMPARE(FakeProbe::asked, 1);
        QVERIFY(w->canvas().grab().toImage() != withMap);
        // On another frame the old maps are gone at once, and its own come.
        w->view().setFrame(3);
        QVERIFY(w->waitForFrame());
        QVERIFY(!w->canvas().isMapShown() || FakeProbe::asked == 2);
        waitFor([&] { return w->canvas().isMapShown(); });
        QCOMPARE(FakeProbe::asked, 2);
        QCOMPARE(FakeProbe::loaded, 1);
        w->trigger("viewOverlayNone");
        QVERIFY(!w->canvas().isMapShown());
    }

    void staleMapsAreNeverDrawnOverAnotherFrame() {
        tools().setModels({models::ModelSpec()});
        FakeProbe::held = true;
        w->trigger("viewOverlayConfidence");
        waitFor([] { return FakeProbe::asked == 1; });
        QTRY_VERIFY(w->canvas().isSpinnerShown());
        for (const int frame : {2, 4, 6}) {
            w->view().setFrame(frame);
            QVERIFY(w->waitForFrame());
        }
        QTest::qWait(150);
        FakeProbe::held = false;
        waitFor([&] { return w->canvas().isMapShown(); });
        // The frames in between were not looked at.
        QCOMPARE(FakeProbe::asked, 2);
        QCOMPARE(w->canvas().contents().frame, std::int64_t{6});
        waitFor([&] { return !w->canvas().isSpinnerShown(); });
    }

    void whatAModelDoesNotHaveIsSaid() {
        tools().setModels({models::ModelSpec()});
        QSignalSpy notice(&tools(), &ViewTools::notice);
        w->trigger("viewOverlayCentroids");
        waitFor([&] { return !notice.isEmpty(); });
        QVERIFY(notice[0][0].toString().contains("no centroid maps"));
        QVERIFY(tools().mapChoice() == MapChoice::None);
    }

private:
    ViewTools& tools() { return (*w)->viewTools(); }
    std::unique_ptr<EditWindow> w;
};

QTEST_MAIN(TestViewTools)
#include "tst_view_tools.moc"
