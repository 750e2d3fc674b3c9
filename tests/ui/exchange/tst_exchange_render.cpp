// SPDX-License-Identifier: GPL-3.0-or-later
// The window renders videos: what the dialog promises is what the file is, and the preview is what the file shows.
#include <QCheckBox>
#include <QDesktopServices>
#include <QLineEdit>
#include <QPointer>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "engine/formats/slp.h"
#include "engine/video/video_source.h"
#include "tests/support/bar_code.h"
#include "tests/support/one_video_project.h"
#include "tests/support/video_maker.h"
#include "tests/ui/exchange/exchange_fixture.h"
#include "ui/canvas/ink.h"
#include "ui/exchange/render_dialog.h"
#include "ui/exchange/render_preview.h"
#include "ui/render/frame_renderer.h"
#include "ui/tracks/proofreading.h"

using namespace skein;
using namespace skein::ui;
using skein::test::ExchangeWindow;
using skein::test::sample;

namespace {

constexpr int kFrames = 60, kWidth = 160, kHeight = 96;

/// One animal on every third frame, below the bar code.
project::Labels labelsFor(const std::filesystem::path& video) {
    project::Labels labels = test::oneVideoProject(video.string(), kFrames, kWidth, kHeight,
                                                   test::chainSkeleton("fly", {"a", "b"}), {"one"});
    for (std::int64_t frame = 0; frame < kFrames; frame += 3) {
        project::FrameData data;
        data.frameIndex = frame;
        project::InstanceData instance;
        instance.header.kind = project::InstanceKind::User;
        instance.header.track = 0;
        instance.points = {{30.0, 60.0, 0.9, true, false}, {90.0, 60.0, 0.9, true, false}};
        data.instances.push_back(instance);
        labels.appendFrame(data);
    }
    return labels;
}

}  // namespace

class TestExchangeRender : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void fileOpened(const QUrl& url) { m_opened << url; }

private Q_SLOTS:
    void initTestCase() {
        theme::apply(theme::Mode::Light);
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "fileOpened");
    }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<ExchangeWindow>();
        m_opened.clear();
        test::VideoSpec spec;
        spec.frames = kFrames;
        spec.width = kWidth;
        spec.height = kHeight;
        if (!test::makeVideo(m_window->file("source.mp4"), spec))
            QSKIP("the installed FFmpeg cannot write H.264");
        QVERIFY(formats::writeSlp(labelsFor(m_window->file("source.mp4")), m_window->file("project.slp")));
    }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase() { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }

    void R_01_theFileIsWhatTheDialogPromised_data() {
        QTest::addColumn<int>("range");
        QTest::addColumn<QString>("numbers");
        QTest::addColumn<bool>("withoutLabels");
        QTest::addColumn<QList<int>>("frames");
        QTest::newRow("labelled") << 0 << "" << false << QList<int>{0,  3,  6,  9,  12, 15, 18, 21, 24, 27,
                                                                    30, 33, 36, 39, 42, 45, 48, 51, 54, 57};
        QTest::newRow("selection") << 1 << "" << true << QList<int>{20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
        QTest::newRow("selection, labelled") << 1 << "" << false << QList<int>{21, 24, 27};
        QTest::newRow("by number, from 1") << 2 << "1-4, 10" << true << QList<int>{0, 1, 2, 3, 9};
    }
    void R_01_theFileIsWhatTheDialogPromised() {
        QFETCH(int, range);
        QFETCH(QString, numbers);
        QFETCH(bool, withoutLabels);
        QFETCH(QList<int>, frames);
        ExchangeWindow& w = *m_window;
        open();
        w->view().setRange(FrameRange{20, 29});
        RenderDialog* dialog = showDialog();
        w.part<QComboBox>("renderRange")->setCurrentIndex(range);
        w.part<QLineEdit>("renderCustom")->setText(numbers);
        w.part<QCheckBox>("renderUnlabelled")->setChecked(withoutLabels);
        w.part<QComboBox>("renderPreset")->setCurrentIndex(1);
        w.part<QSpinBox>("renderCrf")->setValue(10);
        w.part<QCheckBox>("renderOpen")->setChecked(false);
        w.answers.savePath = w.path("out.mp4");
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        QTRY_VERIFY2(button->isEnabled() && button->text().contains(QString::number(frames.size())),
                     qPrintable(dialog->findChild<QLabel*>("renderPromise")->text()));
        const QString promise = dialog->findChild<QLabel*>("renderPromise")->text();
        QVERIFY2(promise.startsWith(QStringLiteral("%1 frames of 80 × 48 px, 30 frames/s").arg(frames.size())),
                 qPrintable(promise));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("Wrote out.mp4")), qPrintable(w.said()));
        const auto written = video::openVideo(w.file("out.mp4"));
        QVERIFY(written);
        QCOMPARE((*written)->frameCount(), std::int64_t{frames.size()});
        QCOMPARE(QSize((*written)->width(), (*written)->height()), QSize(80, 48));
        QVERIFY(std::abs((*written)->fps() - 30) < 1.5);
        for (qsizetype i = 0; i < frames.size(); ++i) {
            const auto picture = (*written)->read(i, video::PixelFormat::Rgb24);
            QVERIFY(picture);
            // At half size, so that each of its pixels is two of the bar code's.
            struct Point {
                int x, y;
            };
            const auto number = test::readBarCode(**picture, [](int x, int y) { return Point{x / 2, y / 2}; });
            QCOMPARE(number.value_or(-1), frames[i]);
        }
        QVERIFY(m_opened.isEmpty());
    }

    void thePreviewIsWhatTheFileShows() {
        ExchangeWindow& w = *m_window;
        open();
        RenderDialog* dialog = showDialog();
        dialog->findChild<QComboBox*>("renderBackground")->setCurrentIndex(int(RenderBackground::Black));
        dialog->findChild<QDoubleSpinBox*>("renderLineWidth")->setValue(7);
        dialog->findChild<QSlider*>("renderSlider")->setValue(9);
        std::optional<RenderPlan> wanted;
        dialog->renderWanted = [&wanted](const RenderPlan& plan, bool) { wanted = plan; };
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        QTRY_VERIFY(button->isEnabled() && dialog->lastPreviewMs() >= 0);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(wanted);
        FrameRenderer renderer(w->document().labels(), wanted->options, QSize(kWidth, kHeight), 30);
        const QImage drawn = renderer.draw(9, {}, 0.3);
        const QImage shown = dialog->findChild<RenderPreview*>()->picture();
        QCOMPARE(shown.size(), drawn.size());
        QCOMPARE(shown.convertToFormat(QImage::Format_RGB32), drawn.convertToFormat(QImage::Format_RGB32));
        QCOMPARE(QColor(shown.pixel(60, 60)), theme::trackColor(0));
    }

    void aPreviewIsThereWithin50Ms() {
        ExchangeWindow& w = *m_window;
        QVERIFY(w.open(sample("expected.slp")));
        QVERIFY(w.waitForDigest());
        RenderDialog* dialog = showDialog();
        auto* slider = dialog->findChild<QSlider*>("renderSlider");
        QTRY_VERIFY(dialog->lastPreviewMs() >= 0);
        std::vector<double> steps, looks;
        for (int i = 0; i < 11; ++i) {
            slider->setValue(slider->value() + 1);
            QTRY_VERIFY(dialog->lastPreviewMs() >= 0);
            steps.push_back(dialog->lastPreviewMs());
            auto* size = dialog->findChild<QSpinBox*>("renderMarkerSize");
            size->setValue(size->value() + 1);
            QTRY_VERIFY(dialog->lastPreviewMs() >= 0);
            looks.push_back(dialog->lastPreviewMs());
        }
        for (std::vector<double>* times : {&steps, &looks}) {
            std::sort(times->begin(), times->end());
            qInfo("preview: median %.1f ms, worst %.1f ms", (*times)[5], times->back());
            // Twice the limit, since tests share their machine.
            QVERIFY2((*times)[5] <= 100, qPrintable(QString::number((*times)[5])));
        }
    }

    void theWindowsLookAndItsColoursOfTracksAreTaken() {
        ExchangeWindow& w = *m_window;
        open();
        w->proofreading().state().setInk({0}, 7);
        for (const char* id : {"viewColorByTrack", "viewMarkerSize8", "viewShowNames", "viewTrailLength50"})
            w.trigger(id);
        RenderDialog* dialog = showDialog();
        RenderOptions seen;
        dialog->renderWanted = [&seen](const RenderPlan& plan, bool) { seen = plan.options; };
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        const auto look = [&] {
            QTRY_VERIFY(button->isEnabled());
            QTest::mouseClick(button, Qt::LeftButton);
        };
        look();
        QCOMPARE(seen.trackInks, std::vector<int>{7});
        QCOMPARE(seen.style.markerSize, 8);
        QVERIFY(seen.style.names);
        QVERIFY(seen.trails.on);
        QCOMPARE(seen.trails.length, 50);
        // The picture has the colour too.
        QTRY_VERIFY(dialog->lastPreviewMs() >= 0);
        seen.background = RenderBackground::Black;
        seen.look.lineWidth = 7;
        QCOMPARE(
            QColor(
                FrameRenderer(w->document().labels(), seen, QSize(kWidth, kHeight), 30).draw(9, {}, 0).pixel(60, 60)),
            inkColor(7, seen.style.palette));
        // What was changed here goes back to the window's.
        dialog->findChild<QSpinBox*>("renderMarkerSize")->setValue(3);
        w.trigger("viewMarkerSize12");
        QTest::mouseClick(dialog->findChild<QPushButton*>("renderWindowLook"), Qt::LeftButton);
        look();
        QCOMPARE(seen.style.markerSize, 12);
    }

    void whatCannotBeRenderedIsSaidBeforeItIsTried() {
        open();
        RenderDialog* dialog = showDialog();
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        auto* promise = dialog->findChild<QLabel*>("renderPromise");
        QTRY_VERIFY(button->isEnabled());
        dialog->findChild<QComboBox*>("renderRange")->setCurrentIndex(int(RenderRange::Custom));
        dialog->findChild<QLineEdit*>("renderCustom")->setText("50-70");
        QTRY_COMPARE(promise->text(), QStringLiteral("The video has the frames 1 to 60."));
        QVERIFY(!button->isEnabled());
        dialog->findChild<QLineEdit*>("renderCustom")->setText("from here");
        QTRY_VERIFY(promise->text().startsWith(QLatin1String("Name frames like this")));
        dialog->findChild<QLineEdit*>("renderCustom")->setText("2-3");
        QTRY_COMPARE(promise->text(), QStringLiteral("None of these frames is labelled."));
        dialog->findChild<QComboBox*>("renderRange")->setCurrentIndex(int(RenderRange::Selection));
        QTRY_VERIFY(promise->text().startsWith(QLatin1String("No range is selected")));
        dialog->findChild<QComboBox*>("renderRange")->setCurrentIndex(int(RenderRange::Labelled));
        dialog->findChild<QComboBox*>("renderBackground")->setCurrentIndex(int(RenderBackground::Transparent));
        QTRY_VERIFY(promise->text().startsWith(QLatin1String("Only PNG pictures")));
    }

    void theDialogClosesWhenItsVideoGoes() {
        ExchangeWindow& w = *m_window;
        open();
        const QPointer<RenderDialog> dialog = showDialog();
        dialog->findChild<QSlider*>("renderSlider")->setValue(5);
        w->document().commit(QStringLiteral("Remove all"), project::Labels(), Change{});
        QTRY_VERIFY(dialog.isNull());
    }

    void rowsThatSayNothingAreNotSeen() {
        open();
        RenderDialog* dialog = showDialog();
        const auto seen = [dialog](const char* name) { return dialog->findChild<QWidget*>(name)->isVisibleTo(dialog); };
        QVERIFY(!seen("renderTrailLength") && !seen("renderLeft") && !seen("renderMargin") && !seen("renderScale"));
        dialog->findChild<QCheckBox*>("renderTrails")->setChecked(true);
        dialog->findChild<QComboBox*>("renderCrop")->setCurrentIndex(int(RenderCrop::FollowTrack));
        QVERIFY(seen("renderTrailLength") && !seen("renderLeft") && seen("renderMargin") && seen("renderTrack"));
        dialog->findChild<QComboBox*>("renderCrop")->setCurrentIndex(int(RenderCrop::Rectangle));
        QVERIFY(seen("renderLeft") && !seen("renderTrack"));
    }

    void aStoppedRenderingLeavesNothingAndTellsTheTimeBefore() {
        ExchangeWindow& w = *m_window;
        QVERIFY(w.open(sample("expected.slp")));
        QVERIFY(w.waitForDigest());
        const QStringList before = w.files();
        RenderDialog* dialog = showDialog();
        auto* codec = dialog->findChild<QComboBox*>("renderCodec");
        codec->setCurrentIndex(codec->findData(int(RenderCodec::PngSequence)));
        dialog->findChild<QComboBox*>("renderPreset")->setCurrentIndex(3);
        dialog->findChild<QDoubleSpinBox*>("renderScale")->setValue(2);
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        QTRY_VERIFY(button->isEnabled());
        w.answers.savePath = w.path("pictures");
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(w.bar().isBusy());
        // Meanwhile the dialog says why it does not begin another one.
        QVERIFY(!button->isEnabled());
        QTRY_VERIFY(w.part<QLabel>("jobBarLeft")->text().endsWith(QLatin1String(" left")));
        QVERIFY(w.files().size() > before.size());
        QTest::mouseClick(w.part<QPushButton>("jobBarStop"), Qt::LeftButton);
        QTRY_VERIFY(!w.bar().isBusy());
        QCOMPARE(w.files(), before);
        QTRY_VERIFY(button->isEnabled());
    }

    void aFinishedVideoIsOpenedIfThatIsWanted() {
        ExchangeWindow& w = *m_window;
        open();
        RenderDialog* dialog = showDialog();
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        QTRY_VERIFY(button->isEnabled());
        w.answers.savePath = w.path("out");
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(w.waitForWord());
        QCOMPARE(m_opened, QList<QUrl>{QUrl::fromLocalFile(w.path("out.mp4"))});
        QCOMPARE(w.offers(), (QStringList{"Open", "Show in Folder"}));
    }

    void whatBecameOfItIsSaidInTheDialog() {
        ExchangeWindow& w = *m_window;
        open();
        RenderDialog* dialog = showDialog();
        auto* button = dialog->findChild<QPushButton*>("renderButton");
        dialog->findChild<QCheckBox*>("renderOpen")->setChecked(false);
        QTRY_VERIFY(button->isEnabled());
        w.answers.savePath = w.path("out.mp4");
        QTest::mouseClick(button, Qt::LeftButton);
        // How far it is stands there too.
        QVERIFY(dialog->jobBar()->isVisible());
        const auto banner = [dialog] { return dialog->messages()->find(QStringLiteral("exchange")); };
        QTRY_VERIFY(banner() != nullptr && banner()->isVisible());
        QVERIFY2(banner()->sentence().startsWith("Wrote out.mp4 with 20 frames"), qPrintable(banner()->sentence()));
        QVERIFY(!dialog->jobBar()->isVisible());
        QVERIFY(w->messages().find(QStringLiteral("exchange")) == nullptr);
        const auto actions = banner()->findChildren<QPushButton*>("bannerAction");
        QCOMPARE(actions.size(), 2);
        QTest::mouseClick(actions[1], Qt::LeftButton);
        QCOMPARE(m_opened, QList<QUrl>{QUrl::fromLocalFile(QFileInfo(w.path("out.mp4")).absolutePath())});
        // Once the dialog is closed, a video that is still being written is told of by the window.
        QTRY_VERIFY(button->isEnabled());
        w.answers.savePath = w.path("again.mp4");
        QTest::mouseClick(button, Qt::LeftButton);
        dialog->close();
        QTRY_VERIFY(w->messages().find(QStringLiteral("exchange")) != nullptr);
        QVERIFY(QFile::exists(w.path("again.mp4")));
    }

private:
    void open() {
        QVERIFY(m_window->open(m_window->path("project.slp")));
        QVERIFY(m_window->waitForDigest());
    }
    RenderDialog* showDialog() {
        m_window->trigger("fileRender");
        return (*m_window)->findChild<RenderDialog*>();
    }

    std::unique_ptr<ExchangeWindow> m_window;
    QList<QUrl> m_opened;
};

QTEST_MAIN(TestExchangeRender)
#include "tst_exchange_render.moc"
