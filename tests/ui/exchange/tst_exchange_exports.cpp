// SPDX-License-Identifier: GPL-3.0-or-later
// Results go out of the window: the same as the engine writes, with progress, and nothing half written.
#include <QCheckBox>
#include <QDesktopServices>
#include <QDialog>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/import/import_labels.h"
#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/formats/write_package.h"
#include "tests/support/big_project.h"
#include "tests/ui/exchange/exchange_fixture.h"

using namespace skein;
using namespace skein::ui;
using skein::test::bytesOf;
using skein::test::ExchangeWindow;
using skein::test::sameContent;
using skein::test::sample;

namespace {

/// The number of the video's pictures that lie in a package.
std::size_t picturesIn(const std::filesystem::path& package) {
    const auto labels = formats::readSlp(package);
    if (!labels)
        return 0;
    std::size_t count = 0;
    const auto read = formats::frameImages(*labels, package);
    for (std::int64_t frame = 0; frame < labels->videos()[0].frameCount; ++frame)
        count += read(0, frame) != nullptr ? 1 : 0;
    return count;
}

}  // namespace

class TestExchangeExports : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void folderOpened(const QUrl& url) { m_opened = url; }

private Q_SLOTS:
    void initTestCase() {
        theme::apply(theme::Mode::Light);
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "folderOpened");
    }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<ExchangeWindow>();
        m_opened.clear();
    }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase() { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }

    void everyFormatIsWhatTheEngineWrites_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("sameBytes");  // HDF5 files carry times and identifiers of their own
        using F = formats::ExportFormat;
        QTest::newRow("analysis") << QByteArray("fileExportAnalysisAll") << int(F::Analysis) << "a.analysis.h5"
                                  << false;
        QTest::newRow("analysis, this video")
            << QByteArray("fileExportAnalysisCurrent") << int(F::Analysis) << "a.analysis.h5" << false;
        QTest::newRow("csv") << QByteArray("fileExportCsvAll") << int(F::Csv) << "a.csv" << true;
        QTest::newRow("csv, this video") << QByteArray("fileExportCsvCurrent") << int(F::Csv) << "a.csv" << true;
        QTest::newRow("tidy csv") << QByteArray("fileExportCsvTidy") << int(F::CsvTidy) << "a.tidy.csv" << true;
        QTest::newRow("coco") << QByteArray("fileExportCoco") << int(F::Coco) << "a.coco.json" << true;
        QTest::newRow("dlc") << QByteArray("fileExportDlc") << int(F::Dlc) << "a.dlc.csv" << true;
        QTest::newRow("nwb") << QByteArray("fileExportNwb") << int(F::Nwb) << "a.nwb" << false;
        QTest::newRow("json") << QByteArray("fileExportJson") << int(F::Json) << "a.json" << true;
    }
    void everyFormatIsWhatTheEngineWrites() {
        QFETCH(QByteArray, action);
        QFETCH(int, format);
        QFETCH(QString, name);
        QFETCH(bool, sameBytes);
        openProject();
        ExchangeWindow& w = *m_window;
        w.answers.savePath = w.path(name);
        exportBy(action.constData());
        QVERIFY2(w.waitForWord(), "no word about the file");
        QVERIFY2(w.said().contains(name) && w.said().contains(QLatin1String("1,779 instances")), qPrintable(w.said()));
        QVERIFY(w.answers.suggestion.endsWith(QStringLiteral("project") + name.mid(1)));

        formats::ExportOptions options;
        options.projectFile = w.file("project.slp");
        const auto report = formats::exportLabels(w->document().labels(), static_cast<formats::ExportFormat>(format),
                                                  w.file("engine") / name.toStdString(), options);
        QVERIFY2(report, report ? "" : report.error().describe().c_str());
        if (sameBytes) {
            QVERIFY(!bytesOf(w.file(name)).isEmpty());
            QVERIFY(bytesOf(w.file(name)) == bytesOf(report->files.front()));
        } else {
            const auto mine = formats::importLabels(w.file(name)),
                       theirs = formats::importLabels(report->files.front());
            QVERIFY2(mine, mine ? "" : mine.error().describe().c_str());
            QVERIFY(theirs);
            QCOMPARE(mine->instanceCount(), w->document().labels().instanceCount());
            QVERIFY(sameContent(*mine, *theirs));
        }
        // The way to the file.
        QCOMPARE(w.offers(), QStringList{"Show in Folder"});
        QTest::mouseClick(w.part<QPushButton>("bannerAction"), Qt::LeftButton);
        QCOMPARE(m_opened, QUrl::fromLocalFile(QFileInfo(w.path(name)).absolutePath()));
    }

    void theChoicesOfAFormatAreObeyed() {
        openProject();
        ExchangeWindow& w = *m_window;
        w.answers.savePath = w.path("standard.h5");
        exportBy("fileExportAnalysisAll", [&w] { w.part<QComboBox>("exportAxes")->setCurrentIndex(1); });
        QVERIFY(w.waitForWord());
        formats::ExportOptions options;
        options.standardAxes = true;
        QVERIFY(formats::exportLabels(w->document().labels(), formats::ExportFormat::Analysis,
                                      w.file("engine") / "standard.h5", options));
        // The order of the axes decides how well the arrays pack.
        QCOMPARE(bytesOf(w.file("standard.h5")).size(), bytesOf(w.file("engine") / "standard.h5").size());

        w.answers.savePath = w.path("labelled.csv");
        exportBy("fileExportCsvTidy", [&w] { w.part<QCheckBox>("exportEveryFrame")->setChecked(false); });
        QTRY_VERIFY(w.said().contains(QLatin1String("labelled.csv")));
        options.everyFrame = false;
        options.projectFile = w.file("project.slp");
        QVERIFY(formats::exportLabels(w->document().labels(), formats::ExportFormat::CsvTidy,
                                      w.file("engine") / "labelled.csv", options));
        QVERIFY(bytesOf(w.file("labelled.csv")) == bytesOf(w.file("engine") / "labelled.csv"));
    }

    void theDialogCountsWhatWillBeWritten() {
        openProject();
        ExchangeWindow& w = *m_window;
        w.trigger("fileExportNwb");
        auto* summary = w.part<QLabel>("exportSummary");
        QVERIFY(summary != nullptr);
        QTRY_COMPARE(summary->text(), QStringLiteral("1,779 predictions on 300 frames of 1 video."));
    }

    void aPackageHasThePicturesThatWereChosen() {
        ExchangeWindow& w = *m_window;
        auto labels = formats::readSlp(sample("expected.slp").toStdString());
        QVERIFY(labels);
        labels->editVideos()[0].filename = sample("synthetic_6.mp4").toStdString();
        labels->editSuggestions() = {{0, 3, 0, {}}, {0, 7, 0, {}}};
        QVERIFY(formats::writeSlp(*labels, w.file("project.slp")));
        QVERIFY(w.open(w.path("project.slp")));
        QVERIFY(w.waitForDigest());
        w.answers.savePath = w.path("a.pkg.slp");
        exportBy("fileExportPackageSuggested");
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("2 pictures")), qPrintable(w.said()));
        QCOMPARE(picturesIn(w.file("a.pkg.slp")), std::size_t{2});
        // The dialog begins with what the menu said, and another choice is one click away.
        w.answers.savePath = w.path("b.pkg.slp");
        exportBy("fileExportPackageUser", [&w] {
            QCOMPARE(w.part<QComboBox>("exportContent")->currentIndex(), 0);
            w.part<QComboBox>("exportContent")->setCurrentIndex(2);
        });
        QTRY_VERIFY(w.said().contains(QLatin1String("b.pkg.slp")));
        QVERIFY2(w.said().contains(QLatin1String("300 pictures")), qPrintable(w.said()));
    }

    void severalVideosGiveSeveralFilesAndOldOnesAreAskedFor() {
        ExchangeWindow& w = *m_window;
        auto labels = formats::readSlp(sample("expected.slp").toStdString());
        QVERIFY(labels);
        labels->editVideos()[0].filename = sample("synthetic_6.mp4").toStdString();
        project::Video other = labels->videos()[0];
        other.filename = "other.mp4";
        other.originRow = -1;
        labels->editVideos().push_back(other);
        project::FrameData frame = labels->frame(0).toData();
        frame.video = 1;
        frame.originRow = -1;
        for (project::InstanceData& instance : frame.instances) {
            instance.header.id = 0;
            instance.header.originRow = -1;
        }
        labels->appendFrame(std::move(frame));
        QVERIFY(formats::writeSlp(*labels, w.file("project.slp")));
        QVERIFY(w.open(w.path("project.slp")));
        QVERIFY(w.waitForDigest());
        QFile old(w.path("a.001_other.csv"));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        w.answers.savePath = w.path("a.csv");
        w.answers.confirmed = false;
        exportBy("fileExportCsvAll");
        QTRY_VERIFY(w.answers.question.contains(QLatin1String("a.001_other.csv")));
        QCOMPARE(bytesOf(w.file("a.001_other.csv")), QByteArray("old"));
        w.answers.confirmed = true;
        exportBy("fileExportCsvAll");
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("2 files")), qPrintable(w.said()));
        QVERIFY(QFile::exists(w.path("a.000_synthetic_6.csv")));
        QVERIFY(bytesOf(w.file("a.001_other.csv")).size() > 3);
        // One of the two.
        w.answers.savePath = w.path("one.csv");
        exportBy("fileExportCsvCurrent");
        QTRY_VERIFY(QFile::exists(w.path("one.csv")));
        QVERIFY(w.answers.suggestion.endsWith(QLatin1String("project.000_synthetic_6.csv")));
        QVERIFY(bytesOf(w.file("one.csv")) == bytesOf(w.file("a.000_synthetic_6.csv")));
    }

    void theProjectAndItsVideosAreNotWrittenOver() {
        openProject();
        ExchangeWindow& w = *m_window;
        const QByteArray before = bytesOf(w.file("project.slp"));
        w.answers.savePath = w.path("project.slp");
        exportBy("fileExportPackageUser");
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("is this project itself")), qPrintable(w.said()));
        QVERIFY(bytesOf(w.file("project.slp")) == before);
        w.answers.savePath = sample("synthetic_6.mp4");
        w->view().setRange(FrameRange{0, 3});
        w.trigger("fileExtractClip");
        QTRY_VERIFY(w.said().contains(QLatin1String("is a video of this project")));
    }

    void whatCannotBeWrittenIsSaidInASentence() {
        openProject();
        ExchangeWindow& w = *m_window;
        w.answers.savePath = QStringLiteral("/no/such/folder/a.csv");
        exportBy("fileExportCsvAll");
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("/no/such/folder")), qPrintable(w.said()));
        QVERIFY(!w.bar().isBusy());
    }

    void aStoppedExportLeavesNothingAndTheWindowGoesOn() {
        ExchangeWindow& w = *m_window;
        test::BigProject spec;
        spec.frames = 20'000;
        spec.animals = 20;
        QVERIFY(formats::writeSlp(test::makeBigProject(spec), w.file("project.slp")));
        w->openPaths({w.path("project.slp")});
        QTRY_VERIFY(w->document().isOpen() && !w->document().isOpening());
        QVERIFY(w.waitForDigest());
        const QStringList before = w.files();
        w.answers.savePath = w.path("a.csv");
        exportBy("fileExportCsvTidy");
        QTRY_VERIFY(w.part<ProgressLine>("jobBarProgress")->fraction() > 0);
        QVERIFY(w.bar().isVisible());
        // Another one has to wait, and says so.
        QCoreApplication::processEvents();
        QVERIFY(!w->actions().get("fileExportCsvAll")->isEnabled());
        QVERIFY(w->actions().get("fileExportCsvAll")->toolTip().contains(QLatin1String("wait for it or stop it")));
        QTest::mouseClick(w.part<QPushButton>("jobBarStop"), Qt::LeftButton);
        QTRY_VERIFY(!w.bar().isBusy());
        QCOMPARE(w.files(), before);
        QVERIFY(w.said().isEmpty());
    }

    void closingAsksAboutAFileThatIsBeingWritten() {
        ExchangeWindow& w = *m_window;
        test::BigProject spec;
        spec.frames = 20'000;
        spec.animals = 20;
        QVERIFY(formats::writeSlp(test::makeBigProject(spec), w.file("project.slp")));
        w->openPaths({w.path("project.slp")});
        QTRY_VERIFY(w->document().isOpen() && !w->document().isOpening());
        QVERIFY(w.waitForDigest());
        w.answers.savePath = w.path("a.csv");
        exportBy("fileExportCsvTidy");
        QTRY_VERIFY(w.bar().isBusy());
        w.answers.confirmed = false;
        w->close();
        QVERIFY(w.answers.question.contains(QLatin1String("Writing a.csv")));
        QVERIFY(w->isVisible());
        w.answers.confirmed = true;
        w->close();
        QTRY_VERIFY(!w->isVisible());
        w.window.reset();
        QCOMPARE(w.files(), QStringList{"project.slp"});
    }

    void aClipIsItsFramesWithTheirLabels() {
        openProject();
        ExchangeWindow& w = *m_window;
        QVERIFY(!w->actions().get("fileExtractClip")->isEnabled());
        QVERIFY(w->actions().get("fileExtractClip")->toolTip().contains(QLatin1String("Select a range first")));
        w->view().setRange(FrameRange{20, 39});
        w.answers.savePath = w.path("clip.mp4");
        w.trigger("fileExtractClip");
        QVERIFY(w.answers.suggestion.endsWith(QLatin1String("project.21-40.mp4")));
        QVERIFY(w.waitForWord());
        QVERIFY2(w.said().contains(QLatin1String("20 frames to clip.mp4")), qPrintable(w.said()));
        const auto clip = formats::readSlp(w.file("clip.slp"));
        QVERIFY(clip);
        QCOMPARE(clip->frameCount(), std::size_t{20});
        const auto row = w->document().labels().findFrame(0, 25);
        const auto there = clip->findFrame(0, 5);
        QVERIFY(row && there);
        QCOMPARE(clip->frame(*there).instance(0).points[0].x,
                 w->document().labels().frame(*row).instance(0).points[0].x);
        const auto video = video::openVideo(w.file("clip.mp4"));
        QVERIFY(video);
        QCOMPARE((*video)->frameCount(), std::int64_t{20});
        // The message leads there.
        QCOMPARE(w.offers(), (QStringList{"Open It", "Show in Folder"}));
        QTest::mouseClick(w.part<QPushButton>("bannerAction"), Qt::LeftButton);
        QTRY_COMPARE(w->document().path(), w.path("clip.slp"));
    }

private:
    void openProject() {
        ExchangeWindow& w = *m_window;
        auto labels = formats::readSlp(sample("expected.slp").toStdString());
        QVERIFY(labels);
        labels->editVideos()[0].filename = sample("synthetic_6.mp4").toStdString();
        QVERIFY(formats::writeSlp(*labels, w.file("project.slp")));
        QVERIFY(QDir().mkpath(w.path("engine")));
        QVERIFY(w.open(w.path("project.slp")));
        QVERIFY(w.waitForDigest());
        QCoreApplication::processEvents();
    }

    /// By the menu, the dialog and its button, as a person does it.
    void exportBy(const char* action, const std::function<void()>& choose = {}) {
        ExchangeWindow& w = *m_window;
        QTRY_VERIFY2(w->actions().get(action)->isEnabled(), qPrintable(w->actions().get(action)->toolTip()));
        w.trigger(action);
        auto* dialog = w.part<QDialog>("exportDialog");
        QVERIFY(dialog != nullptr);
        if (choose)
            choose();
        auto* button = w.part<QPushButton>("exportButton");
        auto* summary = w.part<QLabel>("exportSummary");
        QTRY_VERIFY(button->isEnabled() && summary->text() != QLatin1String("Counting..."));
        QTest::mouseClick(button, Qt::LeftButton);
    }

    std::unique_ptr<ExchangeWindow> m_window;
    QUrl m_opened;
};

QTEST_MAIN(TestExchangeExports)
#include "tst_exchange_exports.moc"
