// SPDX-License-Identifier: GPL-3.0-or-later
// Models that run in twos, frames chosen by what the project holds, trackers and options that belong to some runs only.
#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "engine/inference/model_set.h"
#include "tests/support/reference.h"
#include "tests/ui/run/dialog_fixture.h"
#include "ui/bridge/instance_centroids.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/text.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using skein::test::FakeHost;
namespace fs = std::filesystem;

namespace {

QString ckpt(const char* name) {
    return QStringLiteral("models/ckpt/minimal_instance_") + QLatin1String(name);
}
QString keras(const char* name) {
    return QStringLiteral("models/legacy_keras/") + QLatin1String(name);
}

project::InstanceData instanceAt(double x, double y, project::InstanceKind kind) {
    project::InstanceData instance;
    instance.header.kind = kind;
    for (int i = 0; i < 2; ++i) {
        project::Point point;
        point.x = x + 10 * i;
        point.y = y;
        point.visible = true;
        instance.points.push_back(point);
    }
    return instance;
}

/// Frames 0-9 with a person's instance, 5-29 with a prediction; 3, 50 and 60 suggested.
void fill(project::Labels& labels) {
    project::Skeleton skeleton;
    skeleton.nodes = {"A", "B"};
    labels.editSkeletons().push_back(skeleton);
    for (int frame = 0; frame < 30; ++frame) {
        project::FrameData data{0, frame, {}, -1};
        if (frame < 10)
            data.instances.push_back(instanceAt(100, 50, project::InstanceKind::User));
        if (frame >= 5)
            data.instances.push_back(instanceAt(200, 80, project::InstanceKind::Predicted));
        labels.appendFrame(std::move(data));
    }
    for (const std::int64_t frame : {3, 50, 60})
        labels.editSuggestions().push_back({0, frame, 0, {}});
}

}  // namespace

class TestModelPairs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // [I-01] A pair in either order; the line names it.
    void I_01_pairsAndWrongPartners_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("title");
        const QString topDown = "Top-down (centroid + centered instance)";
        const QString classes = "Multi-class top-down (centroid + centered instance)";
        QTest::newRow("centroid first") << ckpt("centroid") << ckpt("centered_instance") << topDown;
        QTest::newRow("centered first") << ckpt("centered_instance") << ckpt("centroid") << topDown;
        QTest::newRow("classes") << ckpt("centroid") << ckpt("multiclass_centered_instance") << classes;
        QTest::newRow("classes first") << ckpt("multiclass_centered_instance") << ckpt("centroid") << classes;
        QTest::newRow("Keras") << keras("minimal_instance.UNet.centroid")
                               << keras("minimal_instance.UNet.centered_instance") << topDown;
        QTest::newRow("old and new") << keras("minimal_instance.UNet.centered_instance") << ckpt("centroid") << topDown;
    }
    void I_01_pairsAndWrongPartners() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        QFETCH(const QString, title);
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(reference / first.toStdString()));
        // Alone it asks for its partner.
        QVERIFY(f.find<QWidget>("inferencePartner")->isVisible());
        QVERIFY(!f.run()->isEnabled());
        QVERIFY2(f.summary().contains("Choose the cent"), qPrintable(f.summary()));
        auto* fix = f.find<QPushButton>("inferenceFix");
        QVERIFY(fix->isVisible());
        f.dialogs.path = QString::fromStdString((reference / second.toStdString()).string());
        fix->click();
        QVERIFY(f.settled());
        QVERIFY2(f.run()->isEnabled(), qPrintable(f.summary()));
        QVERIFY2(f.summary().startsWith(title + ", frames 1–1,100 of fly.mp4, not tracked."), qPrintable(f.summary()));
        QVERIFY(f.find<QWidget>("inferencePartnerFacts")->isVisible());
        const auto request = f.dialog.request(RunTarget::WholeVideo);
        QVERIFY(request);
        QCOMPARE(request->job.models.size(), std::size_t{2});
        QVERIFY(request->job.models.front().type == models::ModelType::Centroid);
        QVERIFY(request->info.model.contains(" + "));
    }

    void matchingPartnersAreOffered() {
        SKEIN_NEEDS_REFERENCE(reference);
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(reference / ckpt("centroid").toStdString()));
        auto* list = f.find<QComboBox>("inferencePartnerList");
        QTRY_COMPARE(list->count(), 3);  // none, and the two beside it that look into its crops
        QStringList offered;
        for (int i = 1; i < list->count(); ++i)
            offered << QFileInfo(list->itemData(i).toString()).fileName();
        offered.sort();
        QCOMPARE(offered,
                 (QStringList{"minimal_instance_centered_instance", "minimal_instance_multiclass_centered_instance"}));
        QCOMPARE(list->currentIndex(), -1);
        list->setCurrentIndex(list->findText("minimal_instance_centered_instance", Qt::MatchStartsWith));
        Q_EMIT list->activated(list->currentIndex());
        QVERIFY(f.settled());
        QVERIFY(f.run()->isEnabled());

        // The pair is remembered with the model.
        f.run()->click();
        DialogFixture again(1100);
        InferenceDialog other(&f.settings, &f.dialogs, nullptr);
        other.restoreModel();
        QTRY_VERIFY(!other.modelPicker()->path().isEmpty() && !other.modelPicker()->isReading() &&
                    other.modelPicker()->partner().has_value());
        QVERIFY(other.modelPicker()->partnerPath().endsWith("minimal_instance_centered_instance"));
        // Another skeleton goes with no model here.
        f.picker()->setPath(text::fromPath(reference / "models/legacy_keras/min_tracks_2node.UNet.topdown_multiclass"));
        QVERIFY(f.settled());
        QTRY_COMPARE(list->count(), 1);
    }

    void wrongPairsAreRefusedInWords_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("twice centroid") << ckpt("centroid") << keras("minimal_instance.UNet.centroid");
        QTest::newRow("centroid and bottom-up") << ckpt("centroid") << ckpt("bottomup");
        QTest::newRow("bottom-up and centroid") << ckpt("bottomup") << ckpt("centroid");
        QTest::newRow("two for crops") << ckpt("centered_instance") << ckpt("multiclass_centered_instance");
        QTest::newRow("single and centered") << ckpt("single_instance") << ckpt("centered_instance");
    }
    void wrongPairsAreRefusedInWords() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        DialogFixture f(1100);
        f.show();
        f.picker()->setPair(text::fromPath(reference / first.toStdString()),
                            text::fromPath(reference / second.toStdString()));
        QVERIFY(f.settled());
        QVERIFY(!f.run()->isEnabled());
        std::vector<models::ModelSpec> specs{*f.picker()->model()->spec, *f.picker()->partner()->spec};
        const auto refused = inference::arrangeModels(specs);
        QVERIFY(!refused);
        QCOMPARE(f.find<QLabel>("inferencePartnerProblem")->text(), QString::fromStdString(refused.error().message()));
        QVERIFY(f.find<QLabel>("inferencePartnerProblem")->isVisible());
        QCOMPARE(f.summary(), QString::fromStdString(refused.error().message()));
    }

    void droppedTogetherOrOneAfterTheOther() {
        SKEIN_NEEDS_REFERENCE(reference);
        DialogFixture f(1100);
        f.show();
        const auto drop = [&f](const QList<QUrl>& urls) {
            QMimeData data;
            data.setUrls(urls);
            QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(f.picker(), &enter);
            QDropEvent event(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(f.picker(), &event);
        };
        const auto url = [&](const QString& name) {
            return QUrl::fromLocalFile(text::fromPath(reference / name.toStdString()));
        };
        drop({url(ckpt("centered_instance")), url(ckpt("centroid"))});
        QVERIFY(f.settled());
        QVERIFY(f.run()->isEnabled());
        drop({url(ckpt("bottomup"))});
        QVERIFY(f.settled());
        QVERIFY2(f.summary().startsWith("Bottom-up"), qPrintable(f.summary()));
        // One after the other: the second is the partner, for it fits.
        drop({url(ckpt("centroid"))});
        QVERIFY(f.settled());
        drop({url(ckpt("centered_instance"))});
        QTRY_VERIFY2(f.summary().startsWith("Top-down"), qPrintable(f.summary()));
    }

    void aCentroidModelAlone() {
        SKEIN_NEEDS_REFERENCE(reference);
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(reference / ckpt("centroid").toStdString()));
        auto* list = f.find<QComboBox>("inferencePartnerList");
        list->setCurrentIndex(0);
        Q_EMIT list->activated(0);
        QVERIFY(f.run()->isEnabled());
        QVERIFY2(f.summary().startsWith("Centroid, frames"), qPrintable(f.summary()));
        // One node: centroids are compared by distance.
        f.track(TrackerChoice::Classic);
        const auto request = f.dialog.request(RunTarget::WholeVideo);
        QVERIFY(request);
        QVERIFY(request->job.tracking->scoring == tracking::ScoringMethod::EuclideanDistance);
    }

    // A model for crops looks around what is there.
    void aroundInstancesOfTheProject() {
        SKEIN_NEEDS_REFERENCE(reference);
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(reference / ckpt("centered_instance").toStdString()));
        auto* list = f.find<QComboBox>("inferencePartnerList");
        auto* items = qobject_cast<QStandardItemModel*>(list->model());
        QTRY_VERIFY(list->count() > 0);
        QVERIFY(!items->item(0)->isEnabled());  // nothing is there yet
        fill(f.host.project);
        f.tell();
        QTRY_VERIFY(items->item(0)->isEnabled());
        list->setCurrentIndex(0);
        Q_EMIT list->activated(0);
        QTRY_VERIFY2(f.run()->isEnabled(), qPrintable(f.summary()));
        QVERIFY2(f.summary().startsWith("Centered instance, around instances that are there, frames 1–30 of fly.mp4"),
                 qPrintable(f.summary()));
        const auto request = f.dialog.request(RunTarget::WholeVideo);
        QVERIFY(request);
        QCOMPARE(request->job.sources.front().frames.size(), std::size_t{30});
        // The anchor can be chosen among the model's nodes.
        QVERIFY(!f.option<QComboBox>("anchor_part")->isHidden());
        QCOMPARE(f.option<QComboBox>("anchor_part")->count(), 3);
        pipeline::JobSource source = request->job.sources.front();
        const auto definition = inference::centroidDefinition(request->job.models, {});
        QVERIFY(definition);
        lookUpCentroids(f.host.project, *definition, source);
        QCOMPARE(source.centroids.size(), std::size_t{30});
        for (std::size_t i = 0; i < 30; ++i) {
            QCOMPARE(source.centroids[i].size(), std::size_t{1});
            // A person's instance goes before a prediction.
            QVERIFY((source.centroids[i][0].x < 150) == (i < 10));
        }
    }

    // [I-03], acceptance 6: right type, skeleton, input and training facts, and nobody looks into weights.
    void I_03_factsOfEveryFolderWithoutWeights_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("skeleton");
        QTest::addColumn<QStringList>("input");
        const auto row = [](const QString& folder, const char* type, const char* skeleton, const QStringList& input) {
            QTest::newRow(qPrintable(folder)) << folder << type << skeleton << input;
        };
        const QString fitted = QString::fromUtf8("fitted to 384 × 384 px");
        row(ckpt("bottomup"), "Bottom-up", "2 nodes, 1 edge: A, B", {"grey", fitted, "full scale"});
        row(ckpt("centroid"), "Centroid", "2 nodes, 1 edge: A, B", {"grey", fitted, "full scale"});
        row(ckpt("centered_instance"), "Centered instance (top-down)", "2 nodes, 1 edge: A, B",
            {"grey", "crops of 96 px"});
        row(ckpt("multiclass_bottomup"), "Multi-class bottom-up", "2 nodes, 1 edge: A, B", {"grey", fitted, "0.5"});
        row(ckpt("multiclass_centered_instance"), "Multi-class top-down", "2 nodes, 1 edge: A, B",
            {"grey", "crops of 128 px"});
        row(ckpt("single_instance"), "Single instance", "2 nodes", {"colour", "0.5"});
        row("models/synthetic_bottomup", "Bottom-up", "4 nodes, 3 edges", {"grey", "any size", "0.5"});
        row(keras("minimal_instance.UNet.bottomup"), "Bottom-up", "2 nodes", {"grey"});
        row(keras("minimal_instance.UNet.centroid"), "Centroid", "2 nodes", {"grey"});
        row(keras("minimal_instance.UNet.centered_instance"), "Centered instance (top-down)", "2 nodes", {"crops of"});
        row(keras("minimal_robot.UNet.single_instance"), "Single instance", "2 nodes", {});
        row(keras("min_tracks_2node.UNet.bottomup_multiclass"), "Multi-class bottom-up", "2 nodes", {"grey"});
        row(keras("min_tracks_2node.UNet.topdown_multiclass"), "Multi-class top-down", "2 nodes", {"crops of"});
    }
    void I_03_factsOfEveryFolderWithoutWeights() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, folder);
        QFETCH(const QString, type);
        QFETCH(const QString, skeleton);
        QFETCH(const QStringList, input);
        // The same folder, with weights that nobody could load; a Keras file's head is looked at, so it stays whole.
        const QTemporaryDir dir;
        const fs::path copy = dir.path().toStdString(), original = reference / folder.toStdString();
        for (const auto& entry : fs::directory_iterator(original))
            if (entry.is_regular_file())
                fs::copy_file(entry.path(), copy / entry.path().filename());
        if (fs::exists(copy / "best.ckpt")) {
            fs::permissions(copy / "best.ckpt", fs::perms::owner_write, fs::perm_options::add);
            std::ofstream(copy / "best.ckpt") << "no weights at all";
        }
        const CheckedModel model = checkModel(text::fromPath(copy));
        QVERIFY2(model.canRun(), model.problem ? qPrintable(model.problem->message) : "");
        std::map<QString, QString> facts;
        for (const auto& [name, value] : describeModel(*model.spec))
            facts[name] = value;
        QCOMPARE(facts["Type"], type);
        QVERIFY2(facts["Skeleton"].startsWith(skeleton), qPrintable(facts["Skeleton"]));
        for (const QString& words : input)
            QVERIFY2(facts["Input"].contains(words), qPrintable(facts["Input"]));
        QVERIFY(facts["Stride"].contains("px"));
        QVERIFY2(!describeTraining(*model.spec).empty(), qPrintable(folder));
    }

    // Options are there where they can change something, and have no effect where they cannot.
    void optionsBelongToRuns_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QStringList>("notThere");
        QTest::newRow("bottom-up") << ckpt("bottomup") << ""
                                   << QStringList{"n_points", "filter_overlapping", "max_instances"}
                                   << QStringList{"crop_size", "anchor_part", "centroid_peak_threshold",
                                                  "filter_min_centroid_distance"};
        QTest::newRow("single") << ckpt("single_instance") << ""
                                << QStringList{"peak_threshold", "filter_min_visible_nodes"}
                                << QStringList{"max_instances", "filter_overlapping", "filter_min_instance_score",
                                               "crop_size", "n_points"};
        QTest::newRow("top-down") << ckpt("centroid") << ckpt("centered_instance")
                                  << QStringList{"crop_size", "centroid_peak_threshold", "filter_min_centroid_distance"}
                                  << QStringList{"anchor_part", "min_line_scores"};
        QTest::newRow("classes") << ckpt("multiclass_bottomup") << "" << QStringList{"filter_overlapping"}
                                 << QStringList{"n_points", "crop_size"};
        QTest::newRow("centroids") << ckpt("centroid") << "alone" << QStringList{"filter_min_centroid_distance"}
                                   << QStringList{"crop_size", "centroid_peak_threshold", "n_points"};
    }
    void optionsBelongToRuns() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        QFETCH(const QStringList, there);
        QFETCH(const QStringList, notThere);
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(reference / first.toStdString()));
        if (second == "alone")
            f.picker()->setAlone();
        else if (!second.isEmpty())
            QVERIFY(f.partner(reference / second.toStdString()));
        const QStringList shown = f.shownOptions();
        for (const QString& name : there)
            QVERIFY2(shown.contains(name), qPrintable(name));
        for (const QString& name : notThere)
            QVERIFY2(!shown.contains(name), qPrintable(name));
    }
    void hiddenOptionsHaveNoEffect() {
        RunSettings settings;
        settings.inference.cropSize = 200;
        settings.inference.nPoints = 3;
        settings.inference.filters.overlapping = true;
        settings.inference.peakThreshold = 0.1;
        const auto single = effectiveInference(settings, ModelUse::Single);
        QVERIFY(!single.cropSize && single.nPoints == 10 && !single.filters.overlapping);
        QCOMPARE(single.peakThreshold, 0.1);
        const auto pair = effectiveInference(settings, ModelUse::TopDown);
        QVERIFY(pair.cropSize == 200 && pair.filters.overlapping && pair.nPoints == 10);
    }

    // Every tracker with whatever was set for the others: the engine takes it.
    void everyTrackerRunsWithWhateverWasSet() {
        project::Skeleton skeleton;
        skeleton.nodes = {"A", "B"};
        RunSettings settings;
        settings.tracker.windowSize = 9;
        settings.tracker.feature = tracking::Feature::Boxes;
        settings.tracker.scoring = tracking::ScoringMethod::Iou;
        settings.chosen = {true, true};
        settings.tracker.flowWindowSize = 31;
        settings.tracker.kalmanInitFrameCount = 12;
        settings.tracker.mot.minHits = 2;
        settings.tracker.mot.lowThreshold = 0.2;
        settings.tracker.connectSingleBreaks = true;
        settings.tracker.preCullToTarget = true;
        for (const bool counted : {false, true}) {
            runOption("max_tracks").set(settings, counted ? QVariant(2) : QVariant());
            for (const TrackerChoice choice :
                 {TrackerChoice::Classic, TrackerChoice::Flow, TrackerChoice::Kalman, TrackerChoice::Sort,
                  TrackerChoice::ByteTrack, TrackerChoice::OcSort, TrackerChoice::Skein}) {
                chooseTracker(settings, choice);
                QVERIFY(trackerChoice(settings) == choice);
                const auto options = resolvedTracker(settings, skeleton);
                if (choice == TrackerChoice::Kalman && !counted) {
                    QVERIFY(!options);  // the plan says so in its own words
                    continue;
                }
                QVERIFY2(options.has_value(), options ? "" : options.error().message().c_str());
                QCOMPARE(options->useFlow, choice == TrackerChoice::Flow);
                QCOMPARE(options->flowWindowSize, choice == TrackerChoice::Flow ? 31 : 21);
                QCOMPARE(options->kalmanInitFrameCount, choice == TrackerChoice::Kalman ? 12 : 10);
                QCOMPARE(options->windowSize, isBoxTracker(choice) ? 5 : 9);
                const bool box = isBoxTracker(choice) && choice != TrackerChoice::Skein;
                QCOMPARE(options->mot.minHits.has_value(), box);
                QCOMPARE(options->mot.lowThreshold.has_value(), box && choice != TrackerChoice::Sort);
                QCOMPARE(options->connectSingleBreaks, counted && !isBoxTracker(choice));
                QCOMPARE(options->preCullToTarget, counted);
                // Skein's own tracker always links.
                QCOMPARE(options->linkTracklets, choice == TrackerChoice::Skein || (counted && isBoxTracker(choice)));
            }
        }
    }

    void trackersInTheDialog() {
        DialogFixture f(1100);
        f.show();
        QVERIFY(f.pick(fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample" / "synthetic_bottomup"));
        QCOMPARE(f.find<QComboBox>("inferenceTracker")->count(), 8);
        f.track(TrackerChoice::Kalman);
        QVERIFY(!f.run()->isEnabled());
        QVERIFY2(f.summary().contains("number of animals"), qPrintable(f.summary()));
        f.option<QSpinBox>("max_tracks")->setValue(2);
        QVERIFY(f.run()->isEnabled());
        QVERIFY2(f.summary().contains("with Kalman filters as 2 animals"), qPrintable(f.summary()));
        QVERIFY(!f.option<QSpinBox>("kf_init_frame_count")->isHidden());
        QVERIFY(f.option<QSpinBox>("of_window_size")->isHidden());
        const QString note = f.find<QLabel>("inferenceTrackerNote")->text();
        QVERIFY2(note.contains("at most 2 tracks") && note.contains("target count 2"), qPrintable(note));
        f.option<QLineEdit>("kf_node_indices")->setText("0,2");
        Q_EMIT f.option<QLineEdit>("kf_node_indices")->textEdited("0,2");
        QCOMPARE(f.dialog.request(RunTarget::WholeVideo)->job.tracking->kalmanNodes, (std::vector<int>{0, 2}));

        f.track(TrackerChoice::ByteTrack);
        QVERIFY2(f.summary().contains("track with ByteTrack as 2 animals, linked at the end"), qPrintable(f.summary()));
        QVERIFY(f.option<QComboBox>("features")->isHidden());
        QVERIFY(!f.option<QSpinBox>("min_hits")->isHidden());
        auto* link = f.option<QCheckBox>("link_tracklets");
        QVERIFY(!link->isEnabled() && link->toolTip().contains("always link"));
        f.option<QSpinBox>("max_tracks")->setValue(0);
        QVERIFY(link->isEnabled());
        QVERIFY(!f.dialog.request(RunTarget::WholeVideo)->job.tracking->linkTracklets);
        auto* cull = f.option<QCheckBox>("tracking_pre_cull_to_target");
        QVERIFY(!cull->isEnabled() && cull->toolTip().contains("number of animals"));

        // The settings remember the tracker.
        f.run()->click();
        QVERIFY(trackerChoice(loadRunSettings(f.settings)) == TrackerChoice::ByteTrack);
    }

    void commandLineOfARun() {
        RunSettings settings;
        settings.inference.ensureRgb = false;
        settings.inference.matchSleapNn = true;
        settings.inference.filters.overlapping = true;
        settings.inference.filters.overlapThreshold = 0.5;
        chooseTracker(settings, TrackerChoice::OcSort);
        settings.tracker.mot.minHits = 4;
        runOption("similarity").set(settings, "oks");
        QCOMPARE(
            commandLineOptions(settings, ModelUse::BottomUp).join(' '),
            QStringLiteral("--filter_overlapping --filter_overlapping_threshold 0.5 --no_ensure_rgb "
                           "--match_sleap_nn --mot_param similarity=oks --min_hits 4 --tracking --tracker ocsort"));
    }

    void targetsByWhatTheProjectHolds_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("skip");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("words");
        QTest::newRow("suggestions") << "Suggestions" << false << 2 << "2 suggested frames of fly.mp4";
        QTest::newRow("labelled") << "Labelled" << false << 10 << "10 labelled frames of fly.mp4";
        QTest::newRow("predicted") << "Predicted" << false << 25 << "25 frames with predictions of fly.mp4";
        QTest::newRow("predicted, skipping") << "Predicted" << true << 20 << "20 frames with predictions of fly.mp4";
        QTest::newRow("not predicted") << "NotPredicted" << false << 75 << "75 frames without predictions of fly.mp4";
        QTest::newRow("not predicted, skipping")
            << "NotPredicted" << true << 70 << "70 frames without predictions of fly.mp4";
        QTest::newRow("video, skipping") << "Video" << true << 90 << "frames 11–100 of fly.mp4";
        QTest::newRow("sample") << "Sample" << false << 20 << "20 random frames of fly.mp4";
    }
    void targetsByWhatTheProjectHolds() {
        QFETCH(const QString, button);
        QFETCH(const bool, skip);
        QFETCH(const int, count);
        QFETCH(const QString, words);
        DialogFixture f(100);
        fill(f.host.project);
        f.show();
        QVERIFY(f.pick(fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample" / "synthetic_bottomup"));
        const QString name = "inferenceTarget" + button;
        auto* radio = f.dialog.findChild<QRadioButton*>(name);
        auto* counted = f.dialog.findChild<QLabel*>(name + "Count");
        QTRY_VERIFY(counted->text() != "…");
        radio->click();
        auto* box = f.find<QCheckBox>("inferenceSkipLabelled");
        if (skip)
            box->click();
        QCOMPARE(counted->text(), text::count(count, "frame", "frames"));
        QVERIFY2(f.summary().contains(words), qPrintable(f.summary()));
        const auto request = f.dialog.request(f.dialog.settings().target);
        QVERIFY(request);
        const auto& frames = request->job.sources.front().frames;
        QCOMPARE(frames.size(), static_cast<std::size_t>(count));
        QVERIFY(std::is_sorted(frames.begin(), frames.end()));
        QVERIFY(std::adjacent_find(frames.begin(), frames.end()) == frames.end());
        QVERIFY(frames.front() >= 0 && frames.back() < 100);
        if (button == "Suggestions") {
            QCOMPARE(frames, (std::vector<std::int64_t>{50, 60}));
            QVERIFY(!box->isEnabled() && box->isChecked());
        }
        if (button == "Labelled")
            QVERIFY(!box->isEnabled() && !box->isChecked());
        if (button == "Sample") {
            f.find<QSpinBox>("inferenceSampleSize")->setValue(5);
            QCOMPARE(f.dialog.request(RunTarget::RandomSample)->job.sources.front().frames.size(), std::size_t{5});
        }
    }

    void whatIsSkippedMustBeKnownFirst() {
        FakeHost host;
        host.open(100);
        auto spec = std::make_shared<models::ModelSpec>();
        spec->skeleton.nodes = {"A", "B"};
        RunSituation situation;
        situation.video = host.video;
        situation.modelPath = "/models/flies";
        situation.model = CheckedModel{situation.modelPath, spec, {}, {}};
        RunSettings settings;
        QVERIFY(planRun(settings, situation).canRun);
        settings.skipLabelled = true;
        QVERIFY(!planRun(settings, situation).canRun);
        auto labels = std::make_shared<LabelFrames>();
        labels->labelled = {{0, 39}};
        situation.labelFrames = labels;
        const RunPlan plan = planRun(settings, situation);
        QVERIFY(plan.canRun);
        QCOMPARE(plan.frames, (FrameRanges{{40, 99}}));
    }

    void rangesOfFrames() {
        const FrameRanges a{{0, 9}, {20, 29}}, b{{5, 24}};
        QCOMPARE(intersection(a, b), (FrameRanges{{5, 9}, {20, 24}}));
        QCOMPARE(difference(a, b), (FrameRanges{{0, 4}, {25, 29}}));
        QCOMPARE(difference(b, a), (FrameRanges{{10, 19}}));
        QCOMPARE(difference(a, {}), a);
        QCOMPARE(unionOf(a, b), (FrameRanges{{0, 29}}));
        QCOMPARE(countOf(a), std::int64_t{20});
        // All frames are as likely, and a seed gives the same again.
        std::vector<int> drawn(20, 0);
        for (std::uint32_t seed = 0; seed < 2000; ++seed) {
            const auto frames = toFrames(sampleOf(a, 4, seed));
            QCOMPARE(frames.size(), std::size_t{4});
            for (const std::int64_t frame : frames)
                ++drawn[static_cast<std::size_t>(frame < 10 ? frame : frame - 10)];
        }
        for (const int n : drawn)
            QVERIFY2(n > 300 && n < 500, qPrintable(QString::number(n)));
        QCOMPARE(sampleOf(a, 4, 7), sampleOf(a, 4, 7));
        QCOMPARE(sampleOf(a, 40, 7), a);
    }
};

QTEST_MAIN(TestModelPairs)
#include "tst_model_pairs.moc"
