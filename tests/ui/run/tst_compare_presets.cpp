// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyledItemDelegate>

#include "tests/support/track_scenes.h"
#include "tests/ui/run/dialog_fixture.h"
#include "ui/bridge/preset_comparison.h"
#include "ui/dialogs/compare_presets_dialog.h"
#include "ui/models/preset_table_model.h"
#include "ui/widgets/plain_table.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;

namespace {

/// A walk of four animals whose detections are predictions; on the first `labelled` frames a person has given tracks.
project::Labels walk(int frames, int labelled) {
    test::TrackSceneSpec spec = test::trackScene(test::TrackSceneKind::Walk, 3);
    spec.frames = frames;
    const test::TrackScene scene = test::makeTrackScene(spec);
    project::Labels labels = scene.detections;
    std::vector<std::size_t> rows(labels.frameCount());
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row] = row;
    labels.editTracks() = scene.truth.tracks();
    for (const std::size_t row : rows) {
        const bool truth = labels.frame(row).frameIndex() < labelled;
        project::FrameData data = (truth ? scene.truth : scene.detections).frame(row).toData();
        for (project::InstanceData& instance : data.instances)
            instance.header.kind = truth ? project::InstanceKind::User : project::InstanceKind::Predicted;
        labels.replaceFrame(row, std::move(data));
    }
    return labels;
}

const ComparedPreset& rowOf(const PresetComparison& comparison, std::string_view key) {
    for (const ComparedPreset& row : comparison.presets)
        if (row.preset == key)
            return row;
    return comparison.presets.front();
}

}  // namespace

class TestComparePresets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPresetIsTriedOnTheStretch() {
        const project::Labels labels = walk(200, 0);
        std::int64_t last = -1;
        const auto comparison = comparePresets(labels, {0, 50, 149}, 4,
                                               [&last](std::int64_t done, std::int64_t total) {
                                                   QVERIFY(done <= total);
                                                   last = done;
                                               },
                                               {});
        QVERIFY(comparison);
        QCOMPARE(comparison->presets.size(), tracking::trackingPresets().size());
        QCOMPARE(comparison->trueFrames, std::int64_t{0});
        QCOMPARE(last, std::int64_t{500});
        for (const ComparedPreset& row : comparison->presets) {
            QVERIFY2(row.problem.empty(), row.problem.c_str());
            QCOMPARE(row.frames, std::int64_t{100});
            QVERIFY(row.tracks >= 4);
            QVERIFY(!row.switches && !row.idf1);
        }
        // The project has not been touched.
        QCOMPARE(labels.frame(60).instance(0).header->track, -1);
    }

    // With tracks that a person has given, the table says who keeps identities.
    void truthOnTheStretchIsMeasured() {
        const auto comparison = comparePresets(walk(120, 120), {0, 0, 119}, 4, {}, {});
        QVERIFY(comparison);
        QCOMPARE(comparison->trueFrames, std::int64_t{120});
        const ComparedPreset& ours = rowOf(*comparison, "skein");
        QVERIFY(ours.idf1 && ours.switches);
        QCOMPARE(*ours.switches, std::int64_t{0});
        QVERIFY(*ours.idf1 > 0.99);
        const ComparedPreset& peer = rowOf(*comparison, "as_sleap_nn");
        QVERIFY2(peer.idf1 && *peer.idf1 < *ours.idf1, "the default tracker mixes these up");
        QVERIFY(*peer.switches > 0);
    }

    void presetsThatNeedTheCountSaySo() {
        const auto comparison = comparePresets(walk(40, 0), {0, 0, 39}, std::nullopt, {}, {});
        QVERIFY(comparison);
        QVERIFY(!rowOf(*comparison, "kalman").problem.empty());
        QVERIFY(rowOf(*comparison, "skein").problem.empty());
    }

    void aStretchWithoutInstancesIsRefused() {
        const auto comparison = comparePresets(walk(40, 0), {0, 100, 200}, 4, {}, {});
        QVERIFY(!comparison);
        QVERIFY(!comparison.error().message().empty());
    }

    void theTableIsChosenFrom() {
        QWidget parent;
        auto* dialog = new ComparePresetsDialog(walk(120, 120), {0, 0, 119}, "frames 1–120 of fly.mp4", 4, &parent);
        dialog->show();
        QSignalSpy chosen(dialog, &ComparePresetsDialog::presetChosen);
        QVERIFY(dialog->isComparing());
        QTRY_VERIFY(!dialog->isComparing());
        const PresetTableModel& model = dialog->model();
        QCOMPARE(model.rowCount(), 5);
        // The best by the truth is proposed.
        const auto& rows = model.comparison().presets;
        for (const ComparedPreset& row : rows)
            QVERIFY(*rows[static_cast<std::size_t>(model.best())].idf1 >= *row.idf1);
        auto* use = dialog->findChild<QPushButton*>("compareUse");
        QCOMPARE(use->text(),
                 QStringLiteral("Use %1").arg(model.index(model.best(), PresetTableModel::Preset).data().toString()));
        QVERIFY(dialog->findChild<QLabel*>("compareNote")->text().contains("120 frames"));
        dialog->findChild<PlainTable*>("compareTable")->selectModelRow(1);
        QCOMPARE(use->text(), QString("Use Tolerant OKS"));
        use->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<std::string>(), std::string("tolerant_oks"));
    }

    void comparingCanBeStopped() {
        QWidget parent;
        auto* dialog = new ComparePresetsDialog(walk(3000, 0), {0, 0, 2999}, "all", 4, &parent);
        dialog->show();
        dialog->findChild<QPushButton*>("compareAgain")->click();
        QTRY_VERIFY(!dialog->isComparing());
        // Stopped, or done before: never half a table.
        const int rows = dialog->model().rowCount();
        QVERIFY(rows == 0 || rows == 5);
        QCOMPARE(dialog->findChild<QPushButton*>("compareAgain")->text(), QString("Compare again"));
        QCOMPARE(dialog->findChild<QPushButton*>("compareUse")->isEnabled(), rows == 5);
    }

    // From the inference dialog and back: the tracker that was chosen is the one that will run.
    void theInferenceDialogTakesTheChoice() {
        DialogFixture f(120);
        const project::Video video = f.host.project.videos().front();
        f.host.project = walk(120, 0);
        f.host.project.editVideos() = {video};
        f.show();
        auto* compare = f.find<QPushButton>("inferenceCompare");
        QTRY_VERIFY(compare->isEnabled());
        compare->click();
        auto* dialog = f.dialog.findChild<ComparePresetsDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(!dialog->isComparing());
        // What was not run says what it wants.
        QVERIFY(dialog->findChild<QLabel*>("compareNote")->text().contains("need the number of animals"));
        dialog->findChild<QSpinBox*>("compareAnimals")->setValue(4);
        dialog->findChild<QPushButton*>("compareAgain")->click();
        QTRY_VERIFY(!dialog->isComparing());
        dialog->findChild<PlainTable*>("compareTable")->selectModelRow(3);
        dialog->findChild<QPushButton*>("compareUse")->click();
        QCOMPARE(f.find<QComboBox>("inferenceTracker")->currentText(), QString("ByteTrack"));
        QCOMPARE(f.dialog.settings().tracker.maxTracks, std::optional(4));
    }

    void withoutPredictionsThereIsNothingToCompare() {
        DialogFixture f(120);
        f.show();
        auto* compare = f.find<QPushButton>("inferenceCompare");
        QVERIFY(!compare->isEnabled());
        QVERIFY(compare->toolTip().contains("no predictions"));
    }
};

QTEST_MAIN(TestComparePresets)
#include "tst_compare_presets.moc"
