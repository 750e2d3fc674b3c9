// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of other programs come into the window: as a project of their own, or merged into the open one.
#include <QAction>
#include <QDialog>
#include <QUndoStack>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/import/import_labels.h"
#include "engine/formats/slp.h"
#include "tests/ui/exchange/exchange_fixture.h"
#include "ui/exchange/import_files.h"

using namespace skein;
using namespace skein::ui;
using skein::test::ExchangeWindow;
using skein::test::sameContent;
using skein::test::sample;

class TestExchangeImports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<ExchangeWindow>();
    }
    void cleanup() { m_window.reset(); }

    void everyFormatOpensAsANewProject_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        using F = formats::ExportFormat;
        QTest::newRow("analysis") << QByteArray("fileImportAnalysis") << int(F::Analysis) << "in.analysis.h5";
        QTest::newRow("csv") << QByteArray("fileImportCsv") << int(F::Csv) << "in.csv";
        QTest::newRow("tidy csv") << QByteArray("fileImportCsv") << int(F::CsvTidy) << "in.tidy.csv";
        QTest::newRow("coco") << QByteArray("fileImportCoco") << int(F::Coco) << "in.coco.json";
        QTest::newRow("dlc") << QByteArray("fileImportDlc") << int(F::Dlc) << "in.dlc.csv";
        QTest::newRow("nwb") << QByteArray("fileImportNwb") << int(F::Nwb) << "in.nwb";
    }
    void everyFormatOpensAsANewProject() {
        QFETCH(QByteArray, action);
        QFETCH(int, format);
        QFETCH(QString, name);
        ExchangeWindow& w = *m_window;
        write(static_cast<formats::ExportFormat>(format), name);
        const auto expected = formats::importLabels(w.file(name));
        QVERIFY2(expected, expected ? "" : expected.error().describe().c_str());
        w.answers.files = {w.path(name)};
        w.trigger(action.constData());
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("Imported ") + name), qPrintable(w.said()));
        QVERIFY(w->document().isOpen());
        QVERIFY(sameContent(w->document().labels(), *expected));
        // No labels file holds it yet.
        QVERIFY(w->document().path().isEmpty());
        QVERIFY(w->document().isModified());
    }

    void mergedIntoTheOpenProjectItIsOneStep_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        // The first says which video it is about, the second does not: then it is the shown one.
        QTest::newRow("analysis") << int(formats::ExportFormat::Analysis) << "in.h5";
        QTest::newRow("csv") << int(formats::ExportFormat::CsvTidy) << "in.csv";
    }
    void mergedIntoTheOpenProjectItIsOneStep() {
        QFETCH(int, format);
        QFETCH(QString, name);
        ExchangeWindow& w = *m_window;
        write(static_cast<formats::ExportFormat>(format), name);
        QVERIFY(w.open(sample("synthetic_6.mp4")));
        w.answers.files = {w.path(name)};
        w.answers.choice = 1;
        w.trigger("fileImportCsv");
        QTRY_VERIFY(w.part<QDialog>("mergeDialog") != nullptr);
        QCOMPARE(w.answers.choiceAsked, 1);
        auto* merge = w.part<QPushButton>("mergeButton");
        QTRY_VERIFY(merge->isEnabled());
        QTest::mouseClick(merge, Qt::LeftButton);
        QTRY_COMPARE(w->document().undoStack()->count(), 1);
        QCOMPARE(w->document().labels().instanceCount(), std::size_t{1779});
        // The same video: nothing was added beside it.
        QCOMPARE(w->document().videoCount(), 1);
        w.trigger("editUndo");
        QCOMPARE(w->document().labels().instanceCount(), std::size_t{0});
    }

    void openingAsNewAsksAboutUnsavedWork() {
        ExchangeWindow& w = *m_window;
        write(formats::ExportFormat::Csv, "in.csv");
        QVERIFY(w.open(sample("expected.slp")));
        project::Labels changed = w->document().snapshot();
        changed.editTracks().push_back({"new", 0, -1});
        w->document().commit(QStringLiteral("Add track"), std::move(changed), {ChangeKind::Tracks, 0, 0, -1});
        w.answers.files = {w.path("in.csv")};
        w.answers.choice = 0;
        w.answers.unsaved = DialogService::Unsaved::Cancel;
        w.trigger("fileImportCsv");
        QTRY_COMPARE(w.answers.unsavedAsked, 1);
        QVERIFY(!w->document().path().isEmpty());
        w.answers.unsaved = DialogService::Unsaved::Discard;
        QTRY_VERIFY(w->actions().get("fileImportCsv")->isEnabled());
        w.trigger("fileImportCsv");
        QTRY_VERIFY(w->document().path().isEmpty());
        QCOMPARE(w->document().labels().instanceCount(), std::size_t{1779});
    }

    void droppedFilesOfOtherProgramsAreImported() {
        ExchangeWindow& w = *m_window;
        write(formats::ExportFormat::Analysis, "in.analysis.h5");
        w->openPaths({w.path("in.analysis.h5")});
        QVERIFY(w.waitForWord());
        QVERIFY(w->document().isOpen());
        QCOMPARE(w->document().labels().instanceCount(), std::size_t{1779});
    }

    void whatIsNoneOfThemIsSaidInASentenceAndNothingIsLost_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text as table") << QByteArray("fileImportDlc") << "notes.csv" << QByteArray("only some notes\n");
        QTest::newRow("empty") << QByteArray("fileImportCoco") << "empty.json" << QByteArray();
        QTest::newRow("cut JSON") << QByteArray("fileImportCoco") << "cut.json" << QByteArray("{\"images\": [");
        QTest::newRow("no NWB") << QByteArray("fileImportNwb") << "not.nwb" << QByteArray("\x89HDF\r\n\x1a\n rest");
        QTest::newRow("no analysis") << QByteArray("fileImportAnalysis") << "not.h5" << QByteArray("1234567890");
    }
    void whatIsNoneOfThemIsSaidInASentenceAndNothingIsLost() {
        QFETCH(QByteArray, action);
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        ExchangeWindow& w = *m_window;
        QVERIFY(w.open(sample("expected.slp")));
        QFile file(w.path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        w.answers.files = {w.path(name)};
        w.trigger(action.constData());
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(name), qPrintable(w.said()));
        QVERIFY2(!w.said().contains(QLatin1String("std::")) && !w.said().contains(QLatin1String("exception")),
                 qPrintable(w.said()));
        QCOMPARE(w->document().labels().instanceCount(), std::size_t{1779});
    }

    void aDeepLabCutProjectIsReadAsAWhole() {
        ExchangeWindow& w = *m_window;
        const char* table =
            "scorer,me,me,me,me\nbodyparts,nose,nose,tail,tail\ncoords,x,y,x,y\nlabeled-data/%1/img0003.png,1,2,3,4\n"
            "labeled-data/%1/img0007.png,5,6,,\n";
        for (const QString& video : {QStringLiteral("one"), QStringLiteral("two")}) {
            const QString folder = w.path("dlc/labeled-data/" + video);
            QVERIFY(QDir().mkpath(folder));
            QFile file(folder + "/CollectedData_me.csv");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QString::fromLatin1(table).arg(video).toUtf8());
        }
        QVERIFY(QDir().mkpath(w.path("dlc/videos")));
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), w.path("dlc/videos/two.mp4")));
        w.answers.folder = w.path("dlc");
        w.trigger("fileImportDlcFolder");
        QVERIFY(w.waitForWord());
        const project::Labels& labels = w->document().labels();
        QCOMPARE(labels.videos().size(), std::size_t{2});
        QCOMPARE(labels.skeletons().size(), std::size_t{1});
        QCOMPARE(labels.frameCount(), std::size_t{4});
        const auto row = labels.findFrame(1, 7);
        QVERIFY(row);
        QCOMPARE(labels.frame(*row).instance(0).points[0].x, 5.0);
        // The project's own video is found, the other one is looked for where it would be.
        QCOMPARE(QString::fromStdString(labels.videos()[1].filename), w.path("dlc/videos/two.mp4"));
        QTRY_COMPARE(w->document().videoState(0).kind, VideoState::Kind::Missing);

        w.answers.folder = w.path("dlc/videos");
        w.trigger("fileImportDlcFolder");
        QTRY_VERIFY(w.said().contains(QLatin1String("holds no labels of DeepLabCut")));
    }

    void filesOfThePeersOpen_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QString>("name");
        QTest::newRow("SLEAP's analysis") << QByteArray("fileImportAnalysis") << "project.matlab.analysis.h5";
        QTest::newRow("sleap-io's NWB") << QByteArray("fileImportNwb") << "project.predictions.nwb";
        QTest::newRow("sleap-io's COCO") << QByteArray("fileImportCoco") << "project.coco.json";
        QTest::newRow("DeepLabCut") << QByteArray("fileImportDlc") << "dlc/madlc_testdata.csv";
    }
    void filesOfThePeersOpen() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QByteArray, action);
        QFETCH(QString, name);
        ExchangeWindow& w = *m_window;
        w.answers.files = {test::fromPath(reference / "exports" / name.toStdString())};
        w.trigger(action.constData());
        QVERIFY(w.waitForWord());
        QVERIFY2(w->document().isOpen(), qPrintable(w.said()));
        QVERIFY(w->document().labels().instanceCount() > 0);
    }

private:
    /// The sample in another program's form.
    void write(formats::ExportFormat format, const QString& name) {
        ExchangeWindow& w = *m_window;
        auto labels = formats::readSlp(sample("expected.slp").toStdString());
        QVERIFY(labels);
        labels->editVideos()[0].filename = sample("synthetic_6.mp4").toStdString();
        formats::ExportOptions options;
        options.projectFile = sample("expected.slp").toStdString();
        const auto report = formats::exportLabels(*labels, format, w.file(name), options);
        QVERIFY2(report, report ? "" : report.error().describe().c_str());
    }

    std::unique_ptr<ExchangeWindow> m_window;
};

QTEST_MAIN(TestExchangeImports)
#include "tst_exchange_imports.moc"
