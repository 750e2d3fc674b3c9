// SPDX-License-Identifier: GPL-3.0-or-later
// The review with a number, gaps that are filled, and smoothed points, in the window.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>
#include <cmath>

#include "engine/formats/slp.h"
#include "tests/support/one_video_project.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/edit/editor.h"
#include "ui/tracks/fill_gaps_dialog.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/smooth_dialog.h"
#include "ui/tracks/track_choice.h"
#include "ui/tracks/track_plot_panel.h"

using namespace skein;
using namespace skein::ui;
using proofread::Verdict;

namespace {

constexpr std::int64_t kFrames = 240;

/// Two animals that meet every 60 frames, with a jitter of a pixel or so; the first is absent for 4 frames.
project::Labels meeting() {
    project::Labels labels = test::oneVideoProject(
        "none.mp4", kFrames, 640, 480, test::chainSkeleton("animal", {"head", "middle", "tail"}), {"left", "right"});
    for (std::int64_t f = 0; f < kFrames; ++f) {
        project::FrameData frame;
        frame.frameIndex = f;
        for (int animal = 0; animal < 2; ++animal) {
            if (animal == 0 && f >= 30 && f < 34)
                continue;
            project::InstanceData instance;
            instance.header.track = animal;
            instance.header.score = 0.9F;
            const double apart = 5 + 60 * std::fabs(std::sin(M_PI * static_cast<double>(f) / 60));
            const double x = 50 + 2.0 * static_cast<double>(f);
            const double y = 240 + (animal == 0 ? -apart : apart);
            for (int n = 0; n < 3; ++n)
                instance.points.push_back({x + 12 * n + ((f + n) % 2 == 0 ? 0.8 : -0.8),
                                           y + static_cast<double>((f * 7 + n) % 3 - 1), 0.9, true, false});
            frame.instances.push_back(instance);
        }
        labels.appendFrame(frame);
    }
    return labels;
}

}  // namespace

class TestReview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("meeting%1.slp").arg(++m_count));
        QVERIFY(formats::writeSlp(meeting(), m_path.toStdString()).has_value());
        openWindow();
    }
    void cleanup() { m_window.reset(); }

    void aSampleIsDrawnAndJudgedByOneKeyEach() {
        draw(3, 5);
        const proofread::ReviewSample& sample = *proof().review().sample();
        QCOMPARE(sample.items.size(), std::size_t{8});
        QVERIFY(sample.encounters >= 3);
        QCOMPARE(sample.frames, std::size_t{kFrames});
        // The first one is shown: both animals near, in a loop.
        QCOMPARE(proof().review().current(), 0);
        const proofread::SampleItem first = sample.items[0];
        QVERIFY(first.encounter);
        QVERIFY(!(*m_window)->view().range());  // to look at it selects no frames
        QCOMPARE(*(*m_window)->playback().around(),
                 (FrameRange{std::max<std::int64_t>(0, first.first - 15), std::min(kFrames - 1, first.last + 15)}));
        QVERIFY((*m_window)->actions().get("goLoop")->isChecked());
        QVERIFY((*m_window)->canvas().zoom() > 1);
        QVERIFY(label("reviewTitle").contains(QLatin1String("1 of 8")));
        QVERIFY(label("reviewWhere").contains(QLatin1String("left, right")));
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_R);
        QCOMPARE(proof().review().current(), 1);
        m_window->key(Qt::Key_W);
        m_window->key(Qt::Key_U);
        QCOMPARE(proof().review().current(), 3);
        QVERIFY(!sample.items[3].encounter);
        QVERIFY2(label("reviewRates")
                     .contains(QLatin1String("identities are wrong in 1 of the 2 that could be judged: "
                                             "50.0 % (95 % interval 9.5 % to 90.5 %)")),
                 qPrintable(label("reviewRates")));
        // Back, and another answer.
        m_window->key(Qt::Key_B);
        QCOMPARE(proof().review().current(), 2);
        QVERIFY(label("reviewSaid").contains(QLatin1String("unclear")));
        m_window->key(Qt::Key_R);
        QCOMPARE(proof().review().sample()->items[2].verdict, Verdict::Right);
        QCOMPARE(proof().review().current(), 3);
        // The keys are letters: out of sight they answer nothing.
        auto* dock = (*m_window)->findChild<QDockWidget*>(QStringLiteral("dockReview"));
        dock->hide();
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_W);
        QCOMPARE(proof().review().answered(), 3);
        QVERIFY(!(*m_window)->actions().get("reviewWrong")->isEnabled());
        m_window->trigger("reviewResume");
        QCOMPARE(proof().review().current(), 3);
        QCoreApplication::processEvents();
        for (int i = 0; i < 5; ++i)
            m_window->key(Qt::Key_R);
        QCOMPARE(proof().review().answered(), 8);
        QCOMPARE(proof().review().current(), 7);
        QVERIFY(label("reviewSaid").contains(QLatin1String("Every item is judged")));
    }

    void whatIsLookedAtIsPlayedInALoopOfItsOwn() {
        (*m_window)->view().setRange(FrameRange{2, 4});
        draw(1, 0);
        Playback& playback = (*m_window)->playback();
        QVERIFY(playback.isPlaying() && playback.around());
        const FrameRange around = *playback.around();
        QCOMPARE(*(*m_window)->view().range(), (FrameRange{2, 4}));  // as the person selected it
        std::int64_t most = 0;
        bool wrapped = false;
        connect(&(*m_window)->view(), &ViewState::frameChanged, this, [&](std::int64_t frame) {
            wrapped = wrapped || frame < most;
            most = std::max(most, frame);
        });
        playback.setSpeed(Playback::kSpeeds - 1);
        QTRY_VERIFY(wrapped);
        QCOMPARE(most, around.last);
        (*m_window)->view().disconnect(this);
        playback.stop();
        // It ends where the person goes elsewhere.
        (*m_window)->view().setFrame(around.last + 1 < kFrames ? around.last + 1 : around.first - 1);
        QVERIFY(!playback.around());
    }

    void answersOfTracksThatWereChangedAreSaidToBe() {
        draw(2, 2);
        QCoreApplication::processEvents();
        for (int i = 0; i < 4; ++i)
            m_window->key(Qt::Key_R);
        QCOMPARE(proof().review().answered(), 4);
        auto* said = (*m_window)->findChild<QLabel*>(QStringLiteral("reviewChanged"));
        QVERIFY(said != nullptr && said->isHidden());
        (*m_window)->editor().renameTrack(0, QStringLiteral("another"));
        QTRY_COMPARE(proof().review().changedItems().size(), std::size_t{4});
        QTRY_COMPARE(said->text(), QStringLiteral("The tracks have been changed since 4 of these answers were given."));
        QVERIFY(!said->isHidden());
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("changed.html"));
        m_window->trigger("reviewReport");
        QTRY_VERIFY(QFile::exists(m_window->answers.savePath));
        QFile report(m_window->answers.savePath);
        QVERIFY(report.open(QIODevice::ReadOnly));
        const QByteArray html = report.readAll();
        QVERIFY(html.contains("The tracks have been changed since 4 of these answers were given."));
        QCOMPARE(html.count("(tracks changed since)"), 4);
        (*m_window)->document().undoStack()->undo();
        QTRY_VERIFY(proof().review().changedItems().empty() && said->isHidden());
    }

    void answersAreKeptBesideTheProject() {
        draw(2, 2);
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_W);
        m_window->key(Qt::Key_R);
        const proofread::ReviewSample said = *proof().review().sample();
        QTRY_VERIFY(proof().notes().isSaved());
        m_window.reset();
        openWindow();
        QTRY_VERIFY(proof().review().sample().has_value());
        const proofread::ReviewSample& now = *proof().review().sample();
        QCOMPARE(now.items.size(), said.items.size());
        for (std::size_t i = 0; i < now.items.size(); ++i) {
            QCOMPARE(now.items[i].verdict, said.items[i].verdict);
            QCOMPARE(now.items[i].frame, said.items[i].frame);
        }
        QCOMPARE(proof().review().answered(), 2);
        QCOMPARE(proof().review().current(), -1);
        QVERIFY(!(*m_window)->actions().get("reviewRight")->isEnabled());
        m_window->trigger("reviewResume");
        QCOMPARE(proof().review().current(), 2);
        // Another sample is drawn only after a question.
        m_window->answers.confirmed = false;
        click("reviewNew");
        QVERIFY(proof().review().sample().has_value());
        QVERIFY2(m_window->answers.question.contains(QLatin1String("2 answers")),
                 qPrintable(m_window->answers.question));
        m_window->answers.confirmed = true;
        click("reviewNew");
        QVERIFY(!proof().review().sample().has_value());
    }

    void theReportIsAPageAsPdfOrHtml() {
        draw(2, 3);
        QCoreApplication::processEvents();
        QVERIFY(!(*m_window)->actions().get("reviewReport")->isEnabled());
        m_window->key(Qt::Key_W);
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("report.html"));
        m_window->trigger("reviewReport");
        QVERIFY2(m_window->answers.suggestion.endsWith(QLatin1String(".review.pdf")),
                 qPrintable(m_window->answers.suggestion));
        QFile html(m_window->answers.savePath);
        QTRY_VERIFY(html.exists() && html.size() > 500);
        QVERIFY(html.open(QIODevice::ReadOnly));
        const QByteArray page = html.readAll();
        QVERIFY(page.contains("seed 1)") && page.contains("counted from 1.") && page.contains("Skein"));
        QVERIFY(page.contains("identities are wrong in 1 of the 1"));
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("report.pdf"));
        m_window->trigger("reviewReport");
        QFile pdf(m_window->answers.savePath);
        QTRY_VERIFY(pdf.exists() && pdf.size() > 1000);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().startsWith("%PDF"));
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("no/such/folder.pdf"));
        m_window->trigger("reviewReport");
        QTRY_VERIFY(m_window->sentences().join(QLatin1Char(' ')).contains(QLatin1String("cannot be written")));
    }

    void gapsAreShownBeforeTheyAreFilledAsOneStep() {
        const int steps = (*m_window)->document().undoStack()->count();
        m_window->trigger("trackFillGaps");
        auto* dialog = (*m_window)->findChild<FillGapsDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QTRY_VERIFY(dialog->isUpToDate());
        const auto summary = [dialog] { return dialog->findChild<QLabel*>(QStringLiteral("gapsSummary"))->text(); };
        QVERIFY2(summary().contains(QLatin1String("1 gap would be filled with 4 poses")), qPrintable(summary()));
        // It is seen, and it is not in the project yet.
        QCOMPARE(proof().draft().differing(0, 31).size(), std::size_t{1});
        QVERIFY(proof().draft().differing(0, 40).empty());
        QCOMPARE(instancesOn(31), std::size_t{1});
        dialog->findChild<QAbstractButton*>(QStringLiteral("gapsNext"))->click();
        QCOMPARE((*m_window)->view().frame(), std::int64_t{31});
        QVERIFY(m_window->waitForFrame());
        const QImage with = (*m_window)->canvas().grab().toImage();
        dialog->findChild<QCheckBox*>(QStringLiteral("gapsShow"))->setChecked(false);
        QVERIFY(!proof().draft().hasDraft());
        QVERIFY((*m_window)->canvas().grab().toImage() != with);
        dialog->findChild<QCheckBox*>(QStringLiteral("gapsShow"))->setChecked(true);
        // A gap that is longer than asked for stays.
        auto* longest = dialog->findChild<QSpinBox*>(QStringLiteral("gapsLongest"));
        longest->setValue(3);
        QTRY_VERIFY(dialog->isUpToDate());
        QVERIFY2(summary().contains(QLatin1String("no gap")), qPrintable(summary()));
        auto* fill = dialog->findChild<QAbstractButton*>(QStringLiteral("gapsFill"));
        QVERIFY(!fill->isEnabled());
        longest->setValue(4);
        QTRY_VERIFY(dialog->isUpToDate() && fill->isEnabled());
        // Tracks can be chosen.
        dialog->tracks()->choose({QStringLiteral("right")});
        QTRY_VERIFY2(dialog->isUpToDate() && summary().contains(QLatin1String("no gap")), qPrintable(summary()));
        dialog->tracks()->choose({QStringLiteral("left")});
        QTRY_VERIFY(dialog->isUpToDate() && fill->isEnabled());
        fill->click();
        QTRY_COMPARE((*m_window)->document().undoStack()->count(), steps + 1);
        for (std::int64_t f = 30; f < 34; ++f)
            QCOMPARE(instancesOn(f), std::size_t{2});
        QVERIFY(!proof().draft().hasDraft());
        (*m_window)->document().undoStack()->undo();
        QCOMPARE(instancesOn(31), std::size_t{1});
    }

    void smoothedPointsAreALayerThatLeavesThePointsAlone() {
        const project::Labels before = (*m_window)->document().snapshot();
        const int steps = (*m_window)->document().undoStack()->count();
        QVERIFY(!(*m_window)->actions().get("viewSmoothed")->isEnabled());
        m_window->trigger("trackSmooth");
        auto* dialog = (*m_window)->findChild<SmoothDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QTRY_VERIFY(proof().smoothed().result().has_value());
        QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("smoothEffect"))->text().contains(QLatin1String("jitter")));
        QCOMPARE(proof().draft().differing(0, 100).size(), std::size_t{2});
        // Nothing is kept when it is cancelled.
        dialog->reject();
        QVERIFY(!proof().draft().hasDraft());
        QVERIFY(!proof().state().smoothing().has_value());
        QTRY_VERIFY((*m_window)->findChild<SmoothDialog*>() == nullptr);

        m_window->trigger("trackSmooth");
        dialog = (*m_window)->findChild<SmoothDialog*>();
        dialog->tracks()->choose({QStringLiteral("left")});
        QTRY_VERIFY(proof().smoothed().isUpToDate() && proof().draft().differing(0, 100).size() == 1);
        dialog->tracks()->choose({});
        dialog->findChild<QComboBox*>(QStringLiteral("smoothMethod"))->setCurrentIndex(2);
        QCOMPARE(dialog->setting().options.method, proofread::SmoothMethod::KalmanRts);
        dialog->findChild<QAbstractButton*>(QStringLiteral("smoothUse"))->click();
        QTRY_VERIFY(proof().smoothed().isUpToDate() && proof().smoothed().result().has_value());
        QCOMPARE(proof().state().smoothing()->options.method, proofread::SmoothMethod::KalmanRts);
        QVERIFY((*m_window)->document().labels().isUnchangedCopyOf(before));
        QCOMPARE((*m_window)->document().undoStack()->count(), steps);
        QVERIFY(!(*m_window)->document().isModified());
        // The switch, on the picture and in the plots.
        QCoreApplication::processEvents();
        QVERIFY((*m_window)->actions().get("viewSmoothed")->isChecked());
        auto* plots = (*m_window)->findChild<QDockWidget*>(QStringLiteral("dockPlots"));
        plots->show();
        plots->raise();
        (*m_window)->view().setSelected((*m_window)->presenter().shown().instances[0].header.id);
        QTRY_VERIFY2(proof().plotPanel().csv().contains("left x, smoothed"),
                     proof().plotPanel().csv().left(200).constData());
        m_window->trigger("viewSmoothed");
        QVERIFY(!proof().draft().hasDraft());
        QTRY_VERIFY(!proof().plotPanel().csv().contains("smoothed"));
        m_window->trigger("viewSmoothed");
        QTRY_VERIFY(proof().draft().hasDraft());
        // It is kept beside the project.
        QTRY_VERIFY(proof().state().isSaved());
        QFile side(m_path + QStringLiteral(".skein.json"));
        QVERIFY(side.open(QIODevice::ReadOnly));
        QCOMPARE(
            QJsonDocument::fromJson(side.readAll())[QLatin1String("smoothing")][QLatin1String("method")].toString(),
            QStringLiteral("kalman"));
        m_window.reset();
        openWindow();
        QTRY_VERIFY(proof().smoothed().result().has_value());
        QCOMPARE(proof().draft().differing(0, 100).size(), std::size_t{2});
    }

    void smoothedPointsAreExported() {
        SmoothSetting setting;
        proof().state().setSmoothing(setting);
        const auto layer = proofread::smooth((*m_window)->document().labels(), 0, setting.options);
        QVERIFY(layer);
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("smooth.csv"));
        m_window->trigger("trackExportSmoothed");
        QFile csv(m_window->answers.savePath);
        QTRY_VERIFY(!m_window->sentences().filter(QLatin1String("Wrote ")).isEmpty());
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray table = csv.readAll();
        QVERIFY(table.count('\n') > kFrames);
        const auto instance = (*m_window)->document().labels().frame(100).instance(0);
        const double x = layer->pointsOf(instance.header->id)[0].x;
        QVERIFY(x != instance.points[0].x);
        QVERIFY2(table.contains(QByteArray::number(x, 'f', 3).left(6)), "the smoothed place is not in the table");
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("smooth.analysis.h5"));
        m_window->trigger("trackExportSmoothed");
        QTRY_VERIFY(QFile::exists(m_window->answers.savePath) && QFile(m_window->answers.savePath).size() > 1000);
    }

private:
    [[nodiscard]] Proofreading& proof() { return (*m_window)->proofreading(); }
    void openWindow() {
        m_window = std::make_unique<test::Window>();
        QVERIFY(m_window->open(m_path));
        QVERIFY(m_window->waitForDigest());
    }
    void click(const char* name) { (*m_window)->findChild<QAbstractButton*>(QLatin1String(name))->click(); }
    [[nodiscard]] QString label(const char* name) {
        return (*m_window)->findChild<QLabel*>(QLatin1String(name))->text();
    }
    [[nodiscard]] std::size_t instancesOn(std::int64_t frame) {
        const auto& labels = (*m_window)->document().labels();
        return labels.frame(*labels.findFrame(0, frame)).instanceCount();
    }
    void draw(int encounters, int frames) {
        m_window->trigger("reviewStart");
        (*m_window)->findChild<QSpinBox*>(QStringLiteral("reviewEncounters"))->setValue(encounters);
        (*m_window)->findChild<QSpinBox*>(QStringLiteral("reviewFrames"))->setValue(frames);
        click("reviewDraw");
        QTRY_VERIFY(proof().review().sample().has_value());
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
    std::unique_ptr<test::Window> m_window;
};

QTEST_MAIN(TestReview)
#include "tst_review.moc"
