// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions against user labels in the window: sides, scores, plots, empty and error states.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "engine/formats/slp.h"
#include "tests/support/reference.h"
#include "tests/ui/run/run_fakes.h"
#include "ui/dialogs/evaluation_dialog.h"
#include "ui/models/evaluation_table_model.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/small_plot.h"

using namespace skein;
using namespace skein::ui;
using project::InstanceKind;
namespace fs = std::filesystem;

namespace {

project::InstanceData pose(double x, double y, InstanceKind kind, int track) {
    project::InstanceData instance;
    instance.header.kind = kind;
    instance.header.track = track;
    instance.header.score = 0.9F;
    for (int i = 0; i < 3; ++i) {
        project::Point point;
        point.x = x + 20 * i;
        point.y = y + 15 * i;
        point.score = 0.8;
        point.visible = true;
        instance.points.push_back(point);
    }
    return instance;
}

/// 20 labelled frames with two animals; predictions lie 1 px to the right, and the second animal is lost on frames 15
/// to 19.
project::Labels makeProject(bool tracks) {
    project::Labels labels;
    project::Video video;
    video.filename = "/data/fly.mp4";
    video.frameCount = 100;
    labels.editVideos().push_back(video);
    project::Skeleton skeleton;
    skeleton.nodes = {"head", "thorax", "tail"};
    labels.editSkeletons().push_back(skeleton);
    if (tracks)
        labels.editTracks() = {{"a"}, {"b"}};
    for (int frame = 0; frame < 20; ++frame) {
        project::FrameData data{0, frame, {}, -1};
        for (int k = 0; k < 2; ++k)
            data.instances.push_back(pose(100 * k + frame, 50, InstanceKind::User, tracks ? k : -1));
        for (int k = 0; k < (frame < 15 ? 2 : 1); ++k)
            data.instances.push_back(pose(100 * k + frame + 1, 50, InstanceKind::Predicted, tracks ? k : -1));
        labels.appendFrame(std::move(data));
    }
    // Frames without a person's labels do not count.
    project::FrameData other{0, 50, {}, -1};
    other.instances.push_back(pose(0, 0, InstanceKind::Predicted, -1));
    labels.appendFrame(std::move(other));
    return labels;
}

}  // namespace

class TestEvaluation : public QObject {
    Q_OBJECT

    struct Fixture {
        test::FakeDialogs dialogs;
        EvaluationDialog dialog{&dialogs, nullptr};

        bool show(const project::Labels& labels) {
            dialog.setProject(labels);
            dialog.show();
            return settled();
        }
        bool settled() {
            return test::await([this] { return !dialog.isComputing(); });
        }
        template <class T>
        T* find(const char* name) {
            return dialog.findChild<T*>(QLatin1String(name));
        }
        /// The shown value of a score of a group.
        QString value(const QString& group, const QString& name) {
            const auto* model = find<QTableView>("evaluationTable")->model();
            QString now;
            for (int row = 0; row < model->rowCount(); ++row) {
                const QModelIndex index = model->index(row, 0);
                if (index.data(EvaluationTableModel::kIsHeading).toBool())
                    now = index.data().toString();
                else if (now == group && index.data().toString() == name)
                    return model->index(row, 1).data().toString();
            }
            return "not there";
        }
    };

private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }

    void scoresOfTheProject() {
        Fixture f;
        QVERIFY(f.show(makeProject(true)));
        QVERIFY(f.dialog.result().has_value());
        QVERIFY(f.find<QTableView>("evaluationTable")->isVisible());
        QCOMPARE(f.value("Instances", "Frames compared"), QStringLiteral("20"));
        QCOMPARE(f.value("Instances", "Matched"), QStringLiteral("35"));
        QCOMPARE(f.value("Instances", "Missed"), QStringLiteral("5"));
        QCOMPARE(f.value("Instances", "Surplus"), QStringLiteral("0"));
        QCOMPARE(f.value("Instances", "Recall"), QStringLiteral("0.8750"));
        QCOMPARE(f.value("Distance of nodes", "Median"), QString::fromUtf8("1.000\u2009px"));
        QCOMPARE(f.value("Correct nodes (PCK)", "PCK at 5 px"), QStringLiteral("1.0000"));
        QCOMPARE(f.value("Correct nodes (PCK)", "Mean PCK"), QStringLiteral("0.9000"));
        QCOMPARE(f.value("Visibility of nodes", "Recall"), QStringLiteral("1.0000"));
        QCOMPARE(f.value("Tracks", "Identity switches"), QStringLiteral("0"));
        QCOMPARE(f.value("Tracks", "MOTA"), QStringLiteral("0.8750"));
        QVERIFY(f.value("Tracks", "HOTA") != "not there" && f.value("Tracks", "IDF1") != "not there");

        // Plots hold the same.
        double nodes = 0;
        for (const SmallPlot::Item& item : f.find<SmallPlot>("evaluationErrors")->items())
            nodes += item.value;
        QCOMPARE(nodes, 105.0);
        const auto& pck = f.find<SmallPlot>("evaluationPck")->items();
        QCOMPARE(pck.size(), std::size_t{10});
        QVERIFY(pck[0].value == 0 && pck[1].value == 1);
        const auto& parts = f.find<SmallPlot>("evaluationNodes")->items();
        QCOMPARE(parts.size(), std::size_t{3});
        QCOMPARE(parts[0].label, QStringLiteral("head"));
        QVERIFY(std::abs(parts[0].value - 0.9) < 1e-9);
        QVERIFY(f.find<QLabel>("evaluationSummary")->text().startsWith("20 frames compared"));

        // As text for a spreadsheet, with exact values.
        f.find<QPushButton>("evaluationCopy")->click();
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.startsWith("Group\tMeasure\tValue\nInstances\tFrames compared\t20\n"), qPrintable(copied));
        QVERIFY(copied.contains("Distance of nodes\tMedian\t1\n"));
        for (const QString& line : copied.split('\n'))
            QCOMPARE(line.count('\t'), 2);
    }

    void withoutTracksTheReasonIsGiven() {
        Fixture f;
        QVERIFY(f.show(makeProject(false)));
        QCOMPARE(f.value("Tracks", "HOTA"), QStringLiteral("not there"));
        QVERIFY2(f.find<QLabel>("evaluationNotes")->text().contains("No track scores"),
                 qPrintable(f.find<QLabel>("evaluationNotes")->text()));
    }

    void emptyStatesSayWhatToDo_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << "nothing"
                                 << "no instance that a person made";
        QTest::newRow("no labels") << "no labels"
                                   << "no instance that a person made";
        QTest::newRow("no predictions") << "no predictions"
                                        << "no predictions";
        QTest::newRow("apart") << "apart"
                               << "None of the frames that a person labelled has predictions";
    }
    void emptyStatesSayWhatToDo() {
        QFETCH(const QString, what);
        QFETCH(const QString, words);
        project::Labels labels;
        if (what != "nothing") {
            labels = makeProject(false);
            for (std::size_t row = 0; row < labels.frameCount(); ++row) {
                project::FrameData frame = labels.frame(row).toData();
                const bool labelled = frame.frameIndex < 20;
                std::erase_if(frame.instances, [&](const project::InstanceData& i) {
                    const bool user = i.header.kind == InstanceKind::User;
                    return what == "no labels" ? user : what == "no predictions" ? !user : labelled && !user;
                });
                labels.replaceFrame(row, std::move(frame));
            }
        }
        Fixture f;
        QVERIFY(f.show(labels));
        QVERIFY(!f.dialog.result().has_value());
        auto* message = f.find<QLabel>("evaluationMessage");
        QVERIFY(message->isVisible());
        QVERIFY2(message->text().contains(words), qPrintable(message->text()));
        QVERIFY(!f.find<QPushButton>("evaluationCopy")->isEnabled());
        QVERIFY(f.find<QPushButton>("evaluationAgain")->isEnabled());
    }

    void aFileInPlaceOfOneSide() {
        const QTemporaryDir folder;
        project::Labels predictions = makeProject(true);
        for (std::size_t row = 0; row < predictions.frameCount(); ++row) {
            project::FrameData frame = predictions.frame(row).toData();
            std::erase_if(frame.instances,
                          [](const project::InstanceData& i) { return i.header.kind == InstanceKind::User; });
            for (project::InstanceData& instance : frame.instances)
                for (project::Point& point : instance.points)
                    point.x += 4;
            predictions.replaceFrame(row, std::move(frame));
        }
        const QString file = folder.filePath("other.slp");
        QVERIFY(formats::writeSlp(predictions, text::toPath(file)));
        Fixture f;
        QVERIFY(f.show(makeProject(true)));
        f.dialogs.path = file;
        auto* side = f.find<QComboBox>("evaluationPrediction");
        side->setCurrentIndex(side->count() - 1);
        Q_EMIT side->activated(side->currentIndex());
        QCOMPARE(f.dialogs.questions, 1);
        QVERIFY(f.settled());
        QCOMPARE(side->currentText(), QStringLiteral("other.slp"));
        QCOMPARE(f.value("Distance of nodes", "Median"), QString::fromUtf8("5.000\u2009px"));
        // Back to the project.
        side->setCurrentIndex(0);
        Q_EMIT side->activated(0);
        QVERIFY(f.settled());
        QCOMPARE(f.value("Distance of nodes", "Median"), QString::fromUtf8("1.000\u2009px"));

        // A file that is none: a sentence with its name.
        const QString broken = folder.filePath("broken.slp");
        std::ofstream(broken.toStdString()) << "no labels";
        f.dialog.setFiles({}, broken);
        QVERIFY(f.settled());
        QVERIFY(!f.dialog.result());
        QVERIFY2(f.find<QLabel>("evaluationMessage")->text().contains("broken.slp"),
                 qPrintable(f.find<QLabel>("evaluationMessage")->text()));
    }

    void aChangedProjectIsSaid() {
        Fixture f;
        project::Labels labels = makeProject(false);
        QVERIFY(f.show(labels));
        project::FrameData frame = labels.frame(0).toData();
        frame.instances.pop_back();
        labels.replaceFrame(0, std::move(frame));
        f.dialog.setProject(labels);
        QVERIFY(f.find<QLabel>("evaluationSummary")->text().contains("has changed"));
        QCOMPARE(f.value("Instances", "Missed"), QStringLiteral("5"));
        f.find<QPushButton>("evaluationAgain")->click();
        QVERIFY(f.settled());
        QCOMPARE(f.value("Instances", "Missed"), QStringLiteral("6"));
    }

    // The same figures as the engine gives for the recorded run, through the files' way.
    void recordedRunAgainstItsTruth() {
        SKEIN_NEEDS_REFERENCE(reference);
        const fs::path truth = reference / "media/synthetic_6.truth.slp";
        const fs::path run = reference / "golden/runs/synthetic_bottomup/tracking.slp";
        Fixture f;
        f.dialog.setFiles(text::fromPath(truth), text::fromPath(run));
        QVERIFY(f.show({}));
        QVERIFY2(f.dialog.result().has_value(), qPrintable(f.find<QLabel>("evaluationMessage")->text()));
        const auto a = formats::readSlp(truth), b = formats::readSlp(run);
        QVERIFY(a && b);
        const auto poses = evaluation::poseMetrics(*a, *b);
        QVERIFY(poses);
        QCOMPARE(f.dialog.result()->poses.distance.p95, poses->distance.p95);
        QCOMPARE(f.dialog.result()->poses.oksVoc.mAP, poses->oksVoc.mAP);
        QVERIFY(f.dialog.result()->tracks.has_value());
        QVERIFY(f.dialog.result()->tracks->scores.idf1 > 0.5);
    }

    void everythingHasANameAndHelp() {
        Fixture f;
        QVERIFY(f.show(makeProject(true)));
        for (QWidget* widget : f.dialog.findChildren<QWidget*>()) {
            const bool interactive = qobject_cast<QPushButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                     qobject_cast<QTableView*>(widget) || qobject_cast<SmallPlot*>(widget);
            if (!interactive || qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr)
                continue;
            QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
            if (widget->objectName() != "evaluationClose")
                QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
        }
    }
};

QTEST_MAIN(TestEvaluation)
#include "tst_evaluation.moc"
