// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "engine/models/model_folder.h"
#include "tests/support/reference.h"
#include "tests/support/worked_time.h"
#include "tests/ui/run/dialog_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/text.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using skein::test::sampleModel;

namespace {

/// What an editor shows, in the terms of the option's value.
QVariant shownValue(QWidget* editor, const RunOption& option) {
    if (auto* flag = qobject_cast<QCheckBox*>(editor))
        return flag->isChecked();
    if (auto* choice = qobject_cast<QComboBox*>(editor))
        return choice->currentData();
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        return line->text().isEmpty() ? QVariant() : QVariant(line->text());
    if (auto* box = qobject_cast<QSpinBox*>(editor))
        return option.noneText != nullptr && box->text() == QLatin1String(option.noneText) ? QVariant()
                                                                                           : QVariant(box->value());
    if (auto* box = qobject_cast<QDoubleSpinBox*>(editor))
        return option.noneText != nullptr && box->text() == QLatin1String(option.noneText) ? QVariant()
                                                                                           : QVariant(box->value());
    return {};
}

}  // namespace

class TestInferenceDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // [I-02] Every default is sleap-nn's, the length of the queue excepted.
    void I_02_everyDefaultIsSleapNns_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QVariant>("value");
        const auto row = [](const char* name, const QVariant& value) {
            QTest::newRow(name) << QString::fromLatin1(name) << value;
        };
        row("batch_size", 4);
        row("precision", "exact");  // sleap-nn has float32 only
        row("peak_threshold", 0.2);
        row("max_instances", {});
        row("integral_refinement", true);
        row("integral_patch_size", 5);
        row("n_points", 10);
        row("max_edge_length_ratio", 0.25);
        row("dist_penalty_weight", 1.0);
        row("min_line_scores", 0.25);
        row("min_instance_peaks", 0.0);
        row("input_scale", {});
        row("centroid_peak_threshold", {});
        row("filter_overlapping", false);
        row("filter_overlapping_method", "iou");
        row("filter_overlapping_threshold", 0.8);
        row("filter_min_visible_nodes", 0);
        row("filter_min_visible_node_fraction", 0.0);
        row("filter_min_mean_node_score", 0.0);
        row("filter_min_instance_score", 0.0);
        row("filter_min_centroid_distance", 0.0);
        row("max_peaks_per_node", {});
        row("ensure_rgb", "as_trained");
        row("ensure_grayscale", "as_trained");
        row("crop_size", {});
        row("anchor_part", {});
        row("cpu_threads", {});
        row("match_sleap_nn", false);
        row("of_img_scale", 1.0);
        row("of_window_size", 21);
        row("of_max_levels", 3);
        row("kf_track_features", "centroid");
        row("kf_init_frame_count", 10);
        row("kf_node_indices", {});
        row("kf_reset_gap_size", 5);
        row("similarity", "auto");
        row("track_high_threshold", {});
        row("track_low_threshold", {});
        row("new_track_threshold", {});
        row("min_match_similarity", {});
        row("track_buffer", {});
        row("min_hits", {});
        row("link_tracklets", false);
        row("post_connect_single_breaks", false);
        row("tracking_target_instance_count", {});
        row("tracking_pre_cull_to_target", false);
        row("tracking_pre_cull_iou_threshold", 0.0);
        row("tracking_clean_instance_count", 0);
        row("tracking_clean_iou_threshold", 0.0);
        row("max_height", {});
        row("max_width", {});
        row("queue_maxsize", 16);
        row("max_tracks", {});
        row("tracking_window_size", 5);
        row("features", "keypoints");
        row("scoring_method", "oks");
        row("oks_stddev", {});
        row("scoring_reduction", "mean");
        row("robust_best_instance", 1.0);
        row("track_matching_method", "hungarian");
        row("candidates_method", "fixed_window");
        row("min_new_track_points", 0);
        row("min_match_points", 0);
    }
    void I_02_everyDefaultIsSleapNns() {
        QFETCH(const QString, name);
        QFETCH(const QVariant, value);
        DialogFixture f;
        f.show();
        const RunOption& option = runOption(name.toStdString());
        QCOMPARE(option.get(f.dialog.settings()), value);
        auto* editor = f.dialog.findChild<QWidget*>(OptionEditors::objectNameOf(option));
        QVERIFY2(editor != nullptr, qPrintable(OptionEditors::objectNameOf(option)));
        QCOMPARE(shownValue(editor, option), value);
        QVERIFY2(editor->toolTip().contains(option.argument != nullptr && option.kind != OptionKind::Flag
                                                ? QLatin1String(option.argument)
                                                : "--" + name),
                 qPrintable(editor->toolTip()));
        QVERIFY(editor->toolTip().contains("Default: "));
    }
    void everyOptionIsInTheTableAbove() {
        QCOMPARE(runOptions().size(), std::size_t{63});
        DialogFixture f;
        QVERIFY(!f.dialog.settings().tracking);
        QCOMPARE(f.dialog.settings().inference.device, std::string("auto"));
        QCOMPARE(int(f.dialog.settings().existing), int(ExistingPredictions::Replace));
        QVERIFY(!f.dialog.isModal());
    }

    // [I-01] as far as this version runs them: the right type for every folder, and a refusal in words for the others.
    void I_01_everyModelFolderIsKnownForWhatItIs_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("runs");
        QTest::addColumn<QString>("refusal");
        const auto ckpt = [](const char* name) {
            return QStringLiteral("models/ckpt/minimal_instance_") + QLatin1String(name);
        };
        QTest::newRow("bottom-up") << ckpt("bottomup") << "Bottom-up" << true << "";
        QTest::newRow("synthetic") << "models/synthetic_bottomup"
                                   << "Bottom-up" << true << "";
        QTest::newRow("checkpoint file") << ckpt("bottomup") + "/best.ckpt"
                                         << "Bottom-up" << true << "";
        QTest::newRow("configuration file") << ckpt("bottomup") + "/training_config.yaml"
                                            << "Bottom-up" << true << "";
        QTest::newRow("single") << ckpt("single_instance") << "Single instance" << true << "";
        QTest::newRow("multi bottom-up") << ckpt("multiclass_bottomup") << "Multi-class bottom-up" << true << "";
        const auto keras = [](const char* name) {
            return QStringLiteral("models/legacy_keras/") + QLatin1String(name);
        };
        QTest::newRow("Keras bottom-up") << keras("minimal_instance.UNet.bottomup") << "Bottom-up" << true << "";
        QTest::newRow("Keras single") << keras("minimal_robot.UNet.single_instance") << "Single instance" << true << "";
        QTest::newRow("Keras multi bottom-up")
            << keras("min_tracks_2node.UNet.bottomup_multiclass") << "Multi-class bottom-up" << true << "";
        QTest::newRow("no checkpoint") << "models/ckpt/single_instance_with_metrics"
                                       << "" << false << "best.ckpt";
        QTest::newRow("no model folder") << "media"
                                         << "" << false << "training_config.yaml";
        QTest::newRow("a video") << "media/synthetic_6.mp4"
                                 << "" << false << "not a model";
        QTest::newRow("nothing there") << "models/no_such_model"
                                       << "" << false << "There is no model folder";
    }
    void I_01_everyModelFolderIsKnownForWhatItIs() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, path);
        QFETCH(const QString, type);
        QFETCH(const bool, runs);
        QFETCH(const QString, refusal);
        DialogFixture f;
        f.host.open(1100);
        f.show();
        QVERIFY(f.pick(reference / path.toStdString()));
        const auto& model = f.dialog.modelPicker()->model();
        QVERIFY(model.has_value());
        QCOMPARE(model->canRun(), runs);
        QCOMPARE(f.run()->isEnabled(), runs);
        if (!type.isEmpty()) {
            QVERIFY(model->spec != nullptr);
            const Facts facts = describeModel(*model->spec);
            QCOMPARE(facts.front().second, type);
            auto* shown = f.find<QWidget>("inferenceModelFacts");
            QVERIFY(shown->isVisible());
            QVERIFY(!shown->findChildren<QLabel*>().isEmpty());
        }
        auto* problem = f.find<QLabel>("inferenceModelProblem");
        QCOMPARE(problem->isVisible(), !runs);
        if (!runs) {
            QVERIFY2(problem->text().contains(refusal, Qt::CaseInsensitive), qPrintable(problem->text()));
            QVERIFY(!f.run()->toolTip().isEmpty());
        }
    }

    void factsOfTheSample() {
        DialogFixture f;
        f.host.open(300);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        const auto& model = f.dialog.modelPicker()->model();
        QVERIFY2(model && model->spec, "the bundled model is readable");
        std::map<QString, QString> facts;
        for (const auto& [name, value] : describeModel(*model->spec))
            facts[name] = value;
        QVERIFY(facts["Backbone"].startsWith("UNet"));
        QVERIFY2(facts["Skeleton"].startsWith("4 nodes, 3 edges: "), qPrintable(facts["Skeleton"]));
        QVERIFY2(
            facts["Input"].contains("grey") && facts["Input"].contains("any size") && facts["Input"].contains("0.5"),
            qPrintable(facts["Input"]));
        QVERIFY2(facts["Stride"].contains("2 px for confidence maps"), qPrintable(facts["Stride"]));
        QVERIFY(!describeTraining(*model->spec).empty());
        QVERIFY(f.run()->isEnabled());
        QCOMPARE(f.run()->text(), QStringLiteral("Run on 300 frames"));
    }

    void followsTheWindow() {
        DialogFixture f;
        f.show();
        QCOMPARE(f.summary(), QStringLiteral("Open a video first."));
        QVERIFY(!f.run()->isEnabled());
        QCOMPARE(f.run()->toolTip(), f.summary());
        f.host.open(1100);
        f.tell();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY(f.run()->isEnabled());
        f.find<QRadioButton>("inferenceTargetFrame")->click();
        f.host.frame = 41;
        f.tell();
        QCOMPARE(f.find<QRadioButton>("inferenceTargetFrame")->text(), QStringLiteral("This frame (42)"));
        QVERIFY2(f.summary().contains("frame 42 of fly.mp4"), qPrintable(f.summary()));

        auto* range = f.find<QRadioButton>("inferenceTargetRange");
        QVERIFY(!range->isEnabled());
        QVERIFY(range->toolTip().contains("Shift"));
        f.host.range = FrameRange{9, 19};
        f.tell();
        QVERIFY(range->isEnabled());
        QCOMPARE(f.find<QLabel>("inferenceTargetRangeCount")->text(), QStringLiteral("11 frames"));
        range->click();
        QCOMPARE(f.run()->text(), QStringLiteral("Run on 11 frames"));
        // The range goes away: the reason, and the way out.
        f.host.range.reset();
        f.tell();
        QVERIFY(!f.run()->isEnabled());
        auto* fix = f.find<QPushButton>("inferenceFix");
        QVERIFY(fix->isVisible());
        fix->click();
        QVERIFY(f.run()->isEnabled());
        QCOMPARE(f.run()->text(), QStringLiteral("Run on 1,100 frames"));
    }

    void countsPredictionsThatWillBeReplaced() {
        DialogFixture f;
        f.host.open(1100);
        f.host.project.editSkeletons().push_back(test::plainModel()->skeleton);
        for (int frame = 0; frame < 30; ++frame) {
            project::FrameData data{0, frame, {}, -1};
            data.instances.push_back({});
            data.instances.back().points.resize(2);
            f.host.project.appendFrame(data);
        }
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QTRY_VERIFY2(f.summary().contains("Replaces the predictions of 30 frames."), qPrintable(f.summary()));
        f.find<QComboBox>("inferenceExisting")->setCurrentIndex(2);
        QTRY_VERIFY2(f.summary().contains("Adds to the predictions of 30 frames."), qPrintable(f.summary()));
        // Another skeleton than the project's is told before it happens.
        QVERIFY2(f.find<QLabel>("inferenceModelNote")->text().contains("Another skeleton"),
                 qPrintable(f.find<QLabel>("inferenceModelNote")->text()));
        // Node by node.
        QStringList nodes;
        for (const QLabel* label : f.find<QWidget>("inferenceModelNodes")->findChildren<QLabel*>())
            nodes << label->text();
        QVERIFY2(nodes.contains("head") && nodes.contains("node1"), qPrintable(nodes.join(' ')));
        QCOMPARE(nodes.count("only in the model"), 4);
        QCOMPARE(nodes.count("only in the project"), 2);
    }

    // Every pair of feature and score is selectable exactly when the tracker takes it.
    void impossibleCombinations() {
        DialogFixture f;
        f.host.open(100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        f.find<QComboBox>("inferenceTracker")->setCurrentIndex(1);
        Q_EMIT f.find<QComboBox>("inferenceTracker")->activated(1);
        auto* features = f.option<QComboBox>("features");
        auto* scores = f.option<QComboBox>("scoring_method");
        auto* items = qobject_cast<QStandardItemModel*>(scores->model());
        for (int i = 0; i < features->count(); ++i) {
            features->setCurrentIndex(i);
            for (int k = 0; k < scores->count(); ++k) {
                tracking::TrackerOptions options;
                options.feature = tracking::parseFeature(features->itemData(i).toString().toStdString()).value();
                options.scoring = tracking::parseScoringMethod(scores->itemData(k).toString().toStdString()).value();
                const bool possible = tracking::resolveOptions(options, {}, {true, true}).has_value();
                QCOMPARE(items->item(k)->isEnabled(), possible);
                QCOMPARE(items->item(k)->toolTip().isEmpty(), possible);
            }
            // What was chosen before and has become impossible gave way.
            QVERIFY(items->item(scores->currentIndex())->isEnabled());
            QVERIFY(f.run()->isEnabled());
            if (features->itemData(i) == "centroids")
                QCOMPARE(f.find<QLabel>("inferenceTrackerNote")->text(),
                         QStringLiteral("Score by was set to Distance."));
        }
    }

    void numberOfAnimalsRulesTheCandidates() {
        DialogFixture f;
        f.host.open(100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        auto* tracker = f.find<QComboBox>("inferenceTracker");
        auto* animals = f.option<QSpinBox>("max_tracks");
        auto* candidates = f.option<QComboBox>("candidates_method");
        QVERIFY(!animals->isEnabled());
        QVERIFY(animals->toolTip().contains("Tracking is off"));
        tracker->setCurrentIndex(1);
        Q_EMIT tracker->activated(1);
        QVERIFY(animals->isEnabled());
        QCOMPARE(animals->text(), QStringLiteral("Any"));
        QVERIFY(candidates->isEnabled());
        animals->setValue(2);
        QVERIFY(!candidates->isEnabled());
        QCOMPARE(candidates->currentData().toString(), QStringLiteral("local_queues"));
        QVERIFY(candidates->toolTip().contains("fixed number of animals"));
        QVERIFY2(f.summary().contains("as 2 animals"), qPrintable(f.summary()));
        const auto request = f.dialog.request(RunTarget::WholeVideo);
        QVERIFY(request);
        QVERIFY(request->job.tracking->candidates == tracking::CandidateMethod::LocalQueues);
        animals->setValue(0);
        QVERIFY(candidates->isEnabled());
        QCOMPARE(candidates->currentData().toString(), QStringLiteral("fixed_window"));
    }

    void optionsWithoutEffectSayWhy() {
        DialogFixture f;
        f.show();
        auto* patch = f.option<QSpinBox>("integral_patch_size");
        QVERIFY(patch->isEnabled());
        f.option<QCheckBox>("integral_refinement")->setChecked(false);
        QVERIFY(!patch->isEnabled());
        QVERIFY(patch->toolTip().contains("which is off"));
        // Even sizes cannot be entered: they would shift every peak.
        f.option<QCheckBox>("integral_refinement")->setChecked(true);
        patch->setFocus();
        patch->selectAll();
        QTest::keyClicks(patch, "6");
        QTest::keyClick(patch, Qt::Key_Tab);
        QCOMPARE(f.dialog.settings().inference.integralPatchSize, 7);
    }

    void oneNodeSkeleton() {
        RunSettings settings;
        settings.tracking = true;
        QVERIFY(reconcile(settings, 1).contains("One node"));
        QVERIFY(settings.tracker.feature == tracking::Feature::Centroids);
        QVERIFY(settings.tracker.scoring == tracking::ScoringMethod::EuclideanDistance);
        // Another model: the defaults are back.
        reconcile(settings, 4);
        QCOMPARE(settings.tracker, tracking::TrackerOptions());
        // What a person chose stays.
        settings.tracker.feature = tracking::Feature::Boxes;
        settings.chosen.feature = true;
        reconcile(settings, 4);
        QVERIFY(settings.tracker.feature == tracking::Feature::Boxes);
        QVERIFY(settings.tracker.scoring == tracking::ScoringMethod::Iou);
    }

    void requestHoldsTheSettings() {
        DialogFixture f;
        f.host.open(1100);
        f.host.range = FrameRange{100, 199};
        f.show();
        QVERIFY(f.pick(sampleModel()));
        f.option<QSpinBox>("batch_size")->setValue(8);
        f.option<QDoubleSpinBox>("peak_threshold")->setValue(0.05);
        f.option<QSpinBox>("max_instances")->setValue(6);
        f.option<QDoubleSpinBox>("input_scale")->setValue(1.0);
        f.option<QSpinBox>("queue_maxsize")->setValue(32);
        f.option<QDoubleSpinBox>("min_instance_peaks")->setValue(3);
        f.find<QRadioButton>("inferenceTargetRange")->click();
        QSignalSpy wanted(&f.dialog, &InferenceDialog::runWanted);
        std::optional<RunRequest> request;
        connect(&f.dialog, &InferenceDialog::runWanted, this, [&](const RunRequest& r) { request = r; });
        QTest::mouseClick(f.run(), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(request.has_value());
        QCOMPARE(request->job.inference.batchSize, 8);
        QCOMPARE(request->job.inference.peakThreshold, 0.05);
        QCOMPARE(request->job.inference.maxInstances, 6);
        QVERIFY(request->job.inference.inputScale == 1.0);
        QCOMPARE(request->job.queueMaxsize, 32);
        QCOMPARE(request->job.inference.minInstancePeaks, 3.0);
        QVERIFY(!request->job.tracking.has_value());
        QCOMPARE(request->job.sources.front().frames.size(), std::size_t{100});
        QCOMPARE(request->job.sources.front().frames.front(), std::int64_t{100});
        QCOMPARE(request->info.title, QStringLiteral("Frames 101–200 of fly.mp4"));
        QCOMPARE(request->info.framesTotal, std::int64_t{100});

        // They are there again next time, and the model too.
        InferenceDialog again(&f.settings, &f.dialogs, nullptr);
        QCOMPARE(again.settings().inference.batchSize, 8);
        QCOMPARE(again.settings().inference.maxInstances, 6);
        QVERIFY(again.settings().inference.inputScale == 1.0);
        QCOMPARE(again.settings().target, RunTarget::SelectedRange);
        again.restoreModel();
        QTRY_VERIFY(!again.modelPicker()->isReading());
        QVERIFY(again.modelPicker()->model() && again.modelPicker()->model()->canRun());
        QCOMPARE(again.findChild<QComboBox*>("inferenceModelList")->count(), 1);
    }

    void settingsSurviveAFile() {
        const QTemporaryDir folder;
        QSettings file(folder.filePath("s.ini"), QSettings::IniFormat);
        RunSettings settings;
        saveRunSettings(file, settings);
        QCOMPARE(file.allKeys(), QStringList());  // only what differs from the defaults is stored
        settings.inference.peakThreshold = 0.05;
        settings.inference.integralRefinement = false;
        settings.inference.device = "cpu";
        settings.tracking = true;
        settings.tracker.maxTracks = 3;
        settings.tracker.feature = tracking::Feature::Boxes;
        settings.tracker.scoring = tracking::ScoringMethod::Iou;
        settings.chosen = {true, true};
        settings.existing = ExistingPredictions::Clear;
        saveRunSettings(file, settings);
        file.sync();
        const QSettings reread(folder.filePath("s.ini"), QSettings::IniFormat);
        const RunSettings loaded = loadRunSettings(reread);
        QCOMPARE(loaded.inference.peakThreshold, 0.05);
        QVERIFY(!loaded.inference.integralRefinement);
        QCOMPARE(loaded.inference.device, std::string("cpu"));
        QCOMPARE(loaded.tracker, settings.tracker);
        QCOMPARE(int(loaded.existing), int(ExistingPredictions::Clear));
        QCOMPARE(commandLineOptions(loaded).join(' '),
                 QStringLiteral("--peak_threshold 0.05 --integral_refinement none --max_tracks 3 --features bboxes "
                                "--scoring_method iou --tracking --device cpu"));
        // A damaged file gives defaults, not nonsense.
        file.setValue("inference/batch_size", "many");
        file.setValue("inference/peak_threshold", -3);
        file.setValue("inference/features", "noses");
        file.setValue("inference/target", "everything");
        const RunSettings damaged = loadRunSettings(file);
        QCOMPARE(damaged.inference.batchSize, 4);
        QCOMPARE(damaged.inference.peakThreshold, 0.2);
        QCOMPARE(damaged.target, RunTarget::WholeVideo);
    }

    void modelByDropAndByBrowsing() {
        DialogFixture f;
        f.host.open(10);
        f.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(text::fromPath(sampleModel() / "best.ckpt"))});
        auto* picker = f.dialog.modelPicker();
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(picker, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(picker, &drop);
        QTRY_VERIFY(!picker->isReading());
        QVERIFY(picker->model() && picker->model()->canRun());
        // A checkpoint stands for its folder.
        QCOMPARE(std::filesystem::path(picker->path().toStdString()), sampleModel());

        f.dialogs.path = f.folder.path();
        f.find<QToolButton>("inferenceBrowse")->click();
        QCOMPARE(f.dialogs.questions, 1);
        QTRY_VERIFY(!picker->isReading());
        QVERIFY(picker->model() && picker->model()->problem);
        QVERIFY(!f.run()->isEnabled());
    }

    // [I-03] Many model folders cost the dialog nothing, and weights are not touched.
    void I_03_opensAtOnceWithManyModels() {
        QTemporaryDir folder;
        std::ifstream in(sampleModel() / "training_config.yaml", std::ios::binary);
        const std::string config{std::istreambuf_iterator<char>(in), {}};
        QVERIFY(!config.empty());
        for (int i = 0; i < 200; ++i) {
            const auto model = std::filesystem::path(folder.path().toStdString()) / ("model_" + std::to_string(i));
            std::filesystem::create_directory(model);
            std::ofstream(model / "training_config.yaml", std::ios::binary) << config;
            std::ofstream(model / "best.ckpt") << "not even a checkpoint: nobody looks inside here";
        }
        DialogFixture f;
        f.host.open(1100);
        const test::WorkedTime time;
        f.show();
        f.dialog.modelPicker()->scan({folder.path()});
        QVERIFY(QTest::qWaitForWindowExposed(&f.dialog, test::kPatienceMs));
        const double ms = time.ms();
        qInfo("opened in %.1f ms", ms);
        QVERIFY2(ms <= 200, qPrintable(QString::number(ms)));  // the limit of 100 ms is for a machine of its own
        auto* list = f.find<QComboBox>("inferenceModelList");
        QTRY_COMPARE(list->count(), 200);
        // What each is comes a moment later.
        QTRY_VERIFY2(list->itemText(150).endsWith("Bottom-up, UNet"), qPrintable(list->itemText(150)));
        QVERIFY2(list->itemData(150, Qt::ToolTipRole).toString().contains("Stride:"),
                 qPrintable(list->itemData(150, Qt::ToolTipRole).toString()));
        QVERIFY(f.pick(std::filesystem::path(folder.path().toStdString()) / "model_7"));
        QVERIFY(f.dialog.modelPicker()->model()->canRun());
    }

    void failureToStartIsShownUntilSomethingChanges() {
        DialogFixture f;
        f.host.open(10);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        f.dialog.showFailure("The GPU is gone.");
        QCOMPARE(f.summary(), QStringLiteral("The GPU is gone."));
        f.option<QSpinBox>("batch_size")->setValue(2);
        QVERIFY(f.summary().startsWith("Bottom-up"));
    }

    void devicesAreOffered() {
        DialogFixture f;
        f.host.open(10);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        f.dialog.setDevices({"2.11", {"cpu", "cuda:0 (NVIDIA H200, 139 GiB)"}, {}});
        auto* device = f.find<QComboBox>("inferenceDevice");
        QCOMPARE(device->count(), 3);
        QVERIFY2(f.summary().contains("on cuda:0 (NVIDIA H200"), qPrintable(f.summary()));
        device->setCurrentIndex(1);
        Q_EMIT device->activated(1);
        QVERIFY2(f.summary().contains("on CPU"), qPrintable(f.summary()));
        QCOMPARE(f.dialog.request(RunTarget::WholeVideo)->job.inference.device, std::string("cpu"));
    }

    /// Where there are several GPUs, they can be taken all at once.
    void severalGpusAreOfferedTogether() {
        DialogFixture f;
        f.host.open(10);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        f.dialog.setDevices({"2.11", {"cpu", "cuda:0 (NVIDIA A40, 44 GiB)", "cuda:1 (NVIDIA A40, 44 GiB)"}, {}});
        auto* device = f.find<QComboBox>("inferenceDevice");
        QCOMPARE(device->count(), 5);
        QCOMPARE(device->itemText(4), QStringLiteral("All 2 GPUs in turn"));
        device->setCurrentIndex(4);
        Q_EMIT device->activated(4);
        QVERIFY2(f.summary().contains("on cuda:0, cuda:1"), qPrintable(f.summary()));
        QCOMPARE(f.dialog.request(RunTarget::WholeVideo)->job.inference.device, std::string("cuda:all"));
    }

    // for this dialog: whatever can be operated can be found, read out and explained.
    void everythingHasANameAndHelp() {
        DialogFixture f;
        f.host.open(10);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        for (QWidget* widget : f.dialog.findChildren<QWidget*>()) {
            const bool interactive = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                     qobject_cast<QAbstractSpinBox*>(widget);
            if (!interactive || widget->objectName().startsWith("qt_") ||
                qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr)
                continue;
            QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
            const QString name = widget->objectName();
            if (!widget->isVisible() && name == "inferenceFix")
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(name));
            if (name != "inferenceClose")
                QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(name));
        }
    }
};

QTEST_MAIN(TestInferenceDialog)
#include "tst_inference_dialog.moc"
