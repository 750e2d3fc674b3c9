// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>

#include "engine/formats/slp.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/edit/editor.h"
#include "ui/files/find_videos_dialog.h"
#include "ui/files/merge_dialog.h"
#include "ui/files/project_tools.h"
#include "ui/recovery/project_safety.h"
#include "ui/recovery/recovery_dialog.h"
#include "ui/widgets/job_bar.h"

using namespace skein;
using namespace skein::ui;
using namespace skein::test;

namespace {

project::Labels smallProject(const std::vector<std::string>& videos) {
    project::Labels labels;
    project::Skeleton skeleton;
    skeleton.nodes = {"a", "b"};
    labels.editSkeletons().push_back(skeleton);
    for (const std::string& path : videos) {
        project::Video video;
        video.filename = path;
        video.frameCount = 30;
        video.height = video.width = 100;
        video.channels = 1;
        labels.editVideos().push_back(video);
    }
    project::InstanceData instance;
    instance.header.kind = project::InstanceKind::User;
    instance.points = {{10, 10, project::kNaN, true, true}, {20, 20, project::kNaN, true, true}};
    for (int frame = 0; frame < 5; ++frame)
        labels.appendFrame({0, frame, {instance}, -1});
    return labels;
}

}  // namespace

class TestProjectSafety : public QObject {
    Q_OBJECT

    std::unique_ptr<Window> m_window;
    std::unique_ptr<QTemporaryDir> m_folder;

    MainWindow& window() { return *m_window->window; }
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    QString made(const char* name, const project::Labels& labels) const {
        if (!formats::writeSlp(labels, path(name).toStdString()))
            qFatal("cannot write");
        return path(name);
    }
    QString made(const char* name) const { return made(name, smallProject({sample("synthetic_6.mp4").toStdString()})); }
    void open(const QString& file) {
        window().openPaths({file});
        QTRY_VERIFY(window().document().path() == file && !window().document().isOpening());
    }
    /// A node is moved, as a person would.
    void edit(double x) {
        window().view().setVideo(0, 30, 0);
        const auto id = window().document().labels().frame(0).instance(0).header->id;
        window().editor().setPoint(id, 0, {x, 5, project::kNaN, true, true});
    }
    double pointX() { return window().document().labels().frame(0).instance(0).points[0].x; }
    /// The open a.slp is edited to 77 and left by a crash, then edited to 50 and saved; then the 77 is recovered.
    void recoverOverANewerSave(int choice) {
        edit(77);
        crash();
        open(path("a.slp"));
        edit(50);
        window().session().save();
        QTRY_VERIFY(!window().document().isModified());
        m_window.reset();
        makeWindow();
        m_window->answers.choice = choice;
        QTRY_VERIFY(button("unsavedRecover") != nullptr);
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().document().isOpen());
    }
    QString recoveryFolder() const { return path("recovery"); }
    void makeWindow() {
        Settings().set(Setting::RecoveryFolder, recoveryFolder());
        m_window = std::make_unique<Window>();
    }
    /// The journals as a crash at this moment would leave them; the window goes the usual way.
    void crash() {
        window().safety().keeper().flush();
        QDir(m_folder->path()).mkdir(QStringLiteral("kept"));
        for (const QString& name : QDir(recoveryFolder()).entryList(QDir::Files))
            QVERIFY(QFile::copy(recoveryFolder() + '/' + name, path("kept") + '/' + name));
        m_window.reset();
        QTRY_VERIFY(QDir(recoveryFolder()).entryList(QDir::Files).isEmpty());
        for (const QString& name : QDir(path("kept")).entryList(QDir::Files))
            QVERIFY(QFile::rename(path("kept") + '/' + name, recoveryFolder() + '/' + name));
        makeWindow();
        window().safety().offer().look();
    }
    QPushButton* button(const char* name) { return window().findChild<QPushButton*>(QLatin1String(name)); }
    bool press(const QString& text) {
        for (auto* b : window().messages().findChildren<QToolButton*>())
            if (b->text() == text && b->isVisible()) {
                b->click();
                return true;
            }
        for (auto* b : window().messages().findChildren<QPushButton*>())
            if (b->text() == text && b->isVisible()) {
                b->click();
                return true;
            }
        return false;
    }

private Q_SLOTS:
    void init() {
        forgetSettings();
        m_folder = std::make_unique<QTemporaryDir>();
        makeWindow();
    }
    void cleanup() {
        m_window.reset();
        QThreadPool::globalInstance()->waitForDone();
    }

    void S_01_theEmptyStateOffersWorkThatACrashLeft() {
        open(made("a.slp"));
        const QByteArray before = [&] {
            QFile file(path("a.slp"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }();
        edit(77);
        edit(78);
        crash();
        QTRY_VERIFY(button("unsavedRecover") != nullptr && button("unsavedRecover")->isVisible());
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().document().isOpen());
        QCOMPARE(pointX(), 78.0);
        QVERIFY(window().document().isModified());
        QCOMPARE(window().document().path(), path("a.slp"));
        QFile file(path("a.slp"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll() == before, "the file is not touched");
        // What was recovered is safe again, and the old record is gone.
        window().safety().keeper().flush();
        QTRY_COMPARE(QDir(recoveryFolder()).entryList(QDir::Files).size(), 1);
        window().session().save();
        QTRY_VERIFY(!window().document().isModified());
        QTRY_VERIFY(QDir(recoveryFolder()).entryList(QDir::Files).isEmpty());
    }

    void workThatWasNeverSavedIsRecoveredToo() {
        window().openPaths({sample("synthetic_6.mp4")});
        QTRY_VERIFY(window().document().isOpen() && !window().document().isOpening());
        project::Labels next = window().document().snapshot();
        next.editTracks().push_back({"anna", 0, -1});
        window().document().commit(QStringLiteral("Add track"), next, {ChangeKind::Tracks, 0, 0, -1});
        crash();
        QTRY_VERIFY(button("unsavedRecover") != nullptr);
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().document().isOpen());
        QCOMPARE(window().document().labels().tracks().size(), 1U);
        QVERIFY(window().document().path().isEmpty() && window().document().isModified());
        QTRY_COMPARE(window().document().videoState(0).kind, VideoState::Kind::Ready);
        // The record gathered the opening of the video and the edit: the edit is taken back, the video stays.
        QCOMPARE(window().document().undoStack()->count(), 1);
        window().document().undoStack()->undo();
        QVERIFY(window().document().labels().tracks().empty());
        QCOMPARE(window().document().labels().videos().size(), 1U);
        window().document().undoStack()->redo();
        QCOMPARE(window().document().labels().tracks().size(), 1U);
    }

    void openingTheProjectItselfOffersItsWork() {
        open(made("a.slp"));
        edit(77);
        crash();
        open(path("a.slp"));
        QTRY_VERIFY(window().messages().find(QStringLiteral("recovery")) != nullptr);
        QVERIFY(press(QStringLiteral("Show Differences")));
        auto* dialog = window().findChild<RecoveryDialog*>();
        QVERIFY(dialog != nullptr);
        auto* words = dialog->findChild<QLabel*>(QStringLiteral("recoveryWords"));
        QTRY_VERIFY(words->text().contains(QStringLiteral("1 frame changed")));
        QVERIFY(words->text().contains(QStringLiteral("1 instance changed")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("recoveryRecover")), Qt::LeftButton);
        QTRY_COMPARE(pointX(), 77.0);
    }

    void workIsRecoveredAlsoAfterSavesWithoutIt() {
        open(made("a.slp"));
        edit(77);
        crash();
        // Twice somebody ignores the offer, edits, saves and goes.
        for (const double x : {50.0, 51.0}) {
            open(path("a.slp"));
            QTRY_VERIFY(window().messages().find(QStringLiteral("recovery")) != nullptr);
            edit(x);
            window().session().save();
            QTRY_VERIFY(!window().document().isModified());
            m_window.reset();
            makeWindow();
        }
        open(path("a.slp"));
        QTRY_VERIFY(window().messages().find(QStringLiteral("recovery")) != nullptr);
        QCOMPARE(pointX(), 51.0);
        QVERIFY(!m_window->sentences().filter(QStringLiteral("The file was saved since")).isEmpty());
        // Nothing is replaced unasked.
        QVERIFY(press(QStringLiteral("Recover")));
        QCOMPARE(m_window->answers.choiceAsked, 1);
        QCOMPARE(pointX(), 51.0);
        m_window->answers.choice = 1;
        QVERIFY(press(QStringLiteral("Recover")));
        QTRY_COMPARE(pointX(), 77.0);
        // As a step: what was saved since comes back with undo.
        window().document().undoStack()->undo();
        QCOMPARE(pointX(), 51.0);
    }

    void workOnAnOlderVersionIsOpenedAsACopyOrOverTheNewer_data() {
        QTest::addColumn<int>("choice");
        QTest::newRow("copy") << 0;
        QTest::newRow("over the newer") << 1;
    }
    void workOnAnOlderVersionIsOpenedAsACopyOrOverTheNewer() {
        QFETCH(const int, choice);
        open(made("a.slp"));
        recoverOverANewerSave(choice);
        QCOMPARE(pointX(), 77.0);
        QVERIFY(window().document().isModified());
        QCOMPARE(window().document().path(), choice == 0 ? QString() : path("a.slp"));
        if (choice == 1) {
            window().document().undoStack()->undo();
            QCOMPARE(pointX(), 50.0);
            QVERIFY(!window().document().isModified());
        }
        const auto saved = formats::readSlp(path("a.slp").toStdString());
        QVERIFY(saved);
        QCOMPARE(saved->frame(0).instance(0).points[0].x, 50.0);
    }

    void aRecoveredCopyFindsTheVideoThatLayBesideTheProject() {
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), path("clip.mp4")));
        open(made("a.slp", smallProject({"/not/here/clip.mp4"})));
        recoverOverANewerSave(0);
        QCOMPARE(window().document().path(), QString());
        QCOMPARE(QString::fromStdString(window().document().labels().videos()[0].filename), path("clip.mp4"));
    }

    void recoveredEditsAreTakenBackOneByOne() {
        open(made("a.slp"));
        for (const double x : {71.0, 72.0, 73.0}) {
            edit(x);
            window().safety().keeper().flush();  // or the record would gather them
        }
        crash();
        QTRY_VERIFY(button("unsavedRecover") != nullptr);
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().document().isOpen());
        QUndoStack& steps = *window().document().undoStack();
        QCOMPARE(pointX(), 73.0);
        QCOMPARE(steps.count(), 3);
        QCOMPARE(steps.text(1), QStringLiteral("Recovered: 1 instance changed"));
        for (const double x : {72.0, 71.0, 10.0}) {
            QVERIFY(window().document().isModified());
            steps.undo();
            QCOMPARE(pointX(), x);
        }
        QVERIFY(!window().document().isModified());
    }

    void recoveredEditsSayWhatTheyChanged() {
        project::Labels labels = smallProject({sample("synthetic_6.mp4").toStdString()});
        labels.editTracks().push_back({"left", 0, -1});
        open(made("a.slp", labels));
        window().view().setVideo(0, 30, 0);
        window().editor().renameTrack(0, QStringLiteral("right"));
        window().safety().keeper().flush();
        window().editor().deleteMatching({}, {});
        QTRY_COMPARE(window().document().labels().instanceCount(), std::size_t{0});
        window().safety().keeper().flush();
        crash();
        QTRY_VERIFY(button("unsavedRecover") != nullptr);
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().document().isOpen());
        const QUndoStack& steps = *window().document().undoStack();
        QCOMPARE(steps.count(), 2);
        QCOMPARE(steps.text(0), QStringLiteral("Recovered: 1 track renamed"));
        QVERIFY2(steps.text(1).startsWith(QStringLiteral("Recovered: 5 instances removed")), qPrintable(steps.text(1)));
    }

    void recoveringIntoNewEditsIsAStepOnTopOfThem() {
        open(made("a.slp"));
        edit(77);
        crash();
        open(path("a.slp"));
        QTRY_VERIFY(window().messages().find(QStringLiteral("recovery")) != nullptr);
        edit(50);
        QVERIFY(press(QStringLiteral("Recover")));
        QTRY_COMPARE(pointX(), 77.0);
        QCOMPARE(m_window->answers.unsavedAsked, 0);
        window().document().undoStack()->undo();
        QCOMPARE(pointX(), 50.0);
        // The save that follows is no other program's.
        window().document().undoStack()->redo();
        window().session().save();
        QTRY_VERIFY(!window().document().isModified());
        QVERIFY(window().messages().find(QStringLiteral("file")) == nullptr);
    }

    void discardedWorkIsGoneAfterAQuestion() {
        open(made("a.slp"));
        edit(77);
        crash();
        QTRY_VERIFY(button("unsavedDiscard") != nullptr);
        QTest::mouseClick(button("unsavedDiscard"), Qt::LeftButton);
        QCOMPARE(m_window->answers.choiceAsked, 1);
        QCOMPARE(QDir(recoveryFolder()).entryList(QDir::Files).size(), 1);
        m_window->answers.choice = 0;
        QTest::mouseClick(button("unsavedDiscard"), Qt::LeftButton);
        QTRY_VERIFY(QDir(recoveryFolder()).entryList(QDir::Files).isEmpty());
        QTRY_VERIFY(!window().findChild<QWidget*>(QStringLiteral("emptyUnsaved"))->isVisible());
    }

    void workOnAFileThatChangedSinceIsNotForcedOntoIt() {
        open(made("a.slp"));
        edit(77);
        crash();
        project::Labels other = smallProject({"/nowhere/x.mp4"});
        other.editTracks().push_back({"x", 0, -1});
        made("a.slp", other);
        window().safety().offer().look();
        QTRY_VERIFY(button("unsavedRecover") != nullptr);
        QTest::mouseClick(button("unsavedRecover"), Qt::LeftButton);
        QTRY_VERIFY(window().messages().find(QStringLiteral("recoveryFailed")) != nullptr);
        QVERIFY(!window().document().isOpen());
        QCOMPARE(QDir(recoveryFolder()).entryList(QDir::Files).size(), 1);
    }

    void theFirstSaveOfASessionKeepsTheOldFile() {
        open(made("a.slp"));
        edit(77);
        window().session().save();
        QTRY_VERIFY(!window().document().isModified());
        edit(78);
        window().session().save();
        QTRY_VERIFY(!window().document().isModified());
        const auto old = formats::readSlp(path("a.slp.bak").toStdString());
        QVERIFY(old);
        QCOMPARE(old->frame(0).instance(0).points[0].x, 10.0);
        QVERIFY2(window().messages().find(QStringLiteral("file")) == nullptr, "our own save is no news");
    }

    void aSaveNeverReplacesWhatAnotherProgramWrote() {
        open(made("a.slp"));
        edit(77);
        project::Labels other = smallProject({sample("synthetic_6.mp4").toStdString()});
        other.editTracks().push_back({"theirs", 0, -1});
        made("a.slp", other);
        window().session().save();
        QTRY_VERIFY(window().messages().find(QStringLiteral("file")) != nullptr);
        QTRY_VERIFY(!window().document().isSaving());
        QVERIFY(window().document().isModified());
        QCOMPARE(formats::readSlp(path("a.slp").toStdString())->tracks().size(), 1U);
        QVERIFY(press(QStringLiteral("Keep Mine")));
        QTRY_VERIFY(formats::readSlp(path("a.slp").toStdString())->tracks().empty());
        QTRY_VERIFY(!window().document().isModified());
    }

    void aChangedFileIsNoticedAndReloadedAsOneStep() {
        open(made("a.slp"));
        edit(77);
        project::Labels other = smallProject({sample("synthetic_6.mp4").toStdString()});
        other.editTracks().push_back({"theirs", 0, -1});
        made("a.slp", other);
        QTRY_VERIFY(window().messages().find(QStringLiteral("file")) != nullptr);
        QVERIFY(press(QStringLiteral("Reload")));
        QTRY_COMPARE(window().document().labels().tracks().size(), 1U);
        QVERIFY(!window().document().isModified());
        window().document().undoStack()->undo();
        QCOMPARE(pointX(), 77.0);
        QVERIFY(window().document().isModified());
    }

    void autosaveIsOffUntilItIsWanted() {
        QVERIFY(!window().safety().savesByItself());
        m_window->trigger("filePreferences");
        auto* minutes = window().findChild<QSpinBox*>("prefAutosave");
        minutes->setValue(5);
        QVERIFY(window().safety().savesByItself());
        minutes->setValue(0);
        QVERIFY(!window().safety().savesByItself());
    }

    void aProjectIsMergedAsOneStepAfterItWasCounted() {
        open(made("a.slp"));
        project::Labels other = smallProject({sample("synthetic_6.mp4").toStdString()});
        other.editTracks().push_back({"theirs", 0, -1});
        project::InstanceData instance;
        instance.points = {{50, 50, 0.9, true, false}, {60, 60, 0.9, true, false}};
        other.appendFrame({0, 20, {instance}, -1});
        m_window->answers.files = {made("b.slp", other)};
        m_window->trigger("fileMerge");
        QTRY_VERIFY(window().findChild<MergeDialog*>() != nullptr);
        auto* dialog = window().findChild<MergeDialog*>();
        auto* merge = dialog->findChild<QPushButton*>(QStringLiteral("mergeButton"));
        QTRY_VERIFY(merge->isEnabled());
        const QString words = dialog->findChild<QLabel*>(QStringLiteral("mergeBrings"))->text();
        QVERIFY2(words.contains("1 video in both projects") && words.contains("1 new labelled frame") &&
                     words.contains("5 instances here already"),
                 qPrintable(words));
        QTest::mouseClick(merge, Qt::LeftButton);
        QCOMPARE(window().document().labels().frameCount(), 6U);
        QCOMPARE(window().document().undoStack()->count(), 1);
        window().document().undoStack()->undo();
        QCOMPARE(window().document().labels().frameCount(), 5U);
    }

    void aProjectDroppedOnAProjectIsOpenedOrMerged() {
        open(made("a.slp"));
        const QString other = made("b.slp");
        m_window->answers.choice = 1;
        window().session().openPaths({other}, true);
        QTRY_VERIFY(window().findChild<MergeDialog*>() != nullptr);
        window().findChild<MergeDialog*>()->reject();
        m_window->answers.choice = 0;
        window().session().openPaths({other}, true);
        QTRY_COMPARE(window().document().path(), other);
    }

    void E_01_thirtyVideosThatMovedTogetherAreFoundWithOneChoice() {
        std::vector<std::string> stored;
        QDir(m_folder->path()).mkpath(QStringLiteral("elsewhere/disk/day"));
        for (int i = 0; i < 30; ++i) {
            const QString name = QStringLiteral("video%1.mp4").arg(i);
            stored.push_back("/old/place/day/" + name.toStdString());
            QVERIFY(QFile::copy(sample("synthetic_6.mp4"), path("elsewhere/disk/day/") + name));
        }
        project::Labels labels = smallProject(stored);
        for (project::Video& video : labels.editVideos())
            video.frameCount = video.height = video.width = 0;
        project::Video& other = labels.editVideos()[29];  // this one is another one now
        other.frameCount = 1234;
        other.height = other.width = 100;
        QDir(m_folder->path()).mkpath(QStringLiteral("x/y/z/projects"));
        open(made("x/y/z/projects/a.slp", labels));
        QTRY_VERIFY(window().actions().get("fileReplaceVideos")->isEnabled());
        QTRY_VERIFY(!m_window->sentences().filter(QStringLiteral("30 videos not found")).isEmpty());
        m_window->answers.files = {path("elsewhere/disk/day/video3.mp4")};
        m_window->trigger("fileReplaceVideos");
        auto* dialog = window().findChild<FindVideosDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(!dialog->isSearching());
        auto* table = dialog->findChild<QTableView*>(QStringLiteral("findVideosTable"));
        table->selectRow(3);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("findVideosFind")), Qt::LeftButton);
        QTRY_VERIFY(!dialog->isSearching());
        QVERIFY(dialog->videos()[29].warning.contains(QStringLiteral("not 1,234")));
        auto* apply = dialog->findChild<QPushButton*>(QStringLiteral("findVideosApply"));
        QVERIFY2(apply->text().contains("29"), qPrintable(apply->text()));
        table->selectRow(29);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("findVideosAnyway")), Qt::LeftButton);
        QTest::mouseClick(apply, Qt::LeftButton);
        const auto found = [&] {
            for (int i = 0; i < 30; ++i)
                if (window().document().videoState(i).kind == VideoState::Kind::Missing ||
                    window().document().videoState(i).kind == VideoState::Kind::Looking)
                    return false;
            return true;
        };
        QTRY_VERIFY(found());
        QCOMPARE(window().document().undoStack()->count(), 1);
        window().document().undoStack()->undo();
        QCOMPARE(window().document().labels().videos()[7].filename, stored[7]);
    }

    void aPackageIsWrittenInTheBackground() {
        open(made("a.slp"));
        QTRY_VERIFY(window().actions().get("fileExportPackageUser")->isEnabled());
        m_window->answers.savePath = path("out.pkg.slp");
        m_window->trigger("fileExportPackageUser");
        auto* button = window().findChild<QPushButton*>(QStringLiteral("exportButton"));
        QTRY_VERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(window().messages().find(QStringLiteral("exchange")) != nullptr);
        const auto packed = formats::readSlp(path("out.pkg.slp").toStdString());
        QVERIFY(packed);
        QCOMPARE(packed->videos()[0].dataset, std::string("video0/video"));
        QVERIFY(!window().findChild<JobBar*>()->isBusy());
    }

    void greyAndColourAreOneStep() {
        open(made("a.slp"));
        QTRY_COMPARE(window().document().videoState(0).kind, VideoState::Kind::Ready);
        QTRY_VERIFY(window().actions().get("videoGray")->isChecked());
        m_window->trigger("videoGray");
        QTRY_COMPARE(window().document().videoState(0).kind, VideoState::Kind::Ready);
        QVERIFY(!window().document().videoState(0).source->isGray());
        m_window->trigger("videoGray");
        QTRY_COMPARE(window().document().videoState(0).kind, VideoState::Kind::Ready);
        QVERIFY(window().document().videoState(0).source->isGray());
        QCOMPARE(window().document().undoStack()->count(), 2);
        window().document().undoStack()->setIndex(0);
        QVERIFY(!window().document().labels().videos()[0].grayscale);
    }

    void anHdf5FileOfPicturesOpensInBothChannelOrders() {
        SKEIN_NEEDS_REFERENCE(reference);
        const QString file = fromPath(reference / "pitfalls/hdf5/channels_first.h5");
        if (!QFile::exists(file))
            QSKIP("this reference file is absent");
        window().openPaths({file});
        QTRY_VERIFY(window().document().isOpen() && window().document().videoCount() == 1);
        QTRY_COMPARE(window().document().videoState(0).kind, VideoState::Kind::Ready);
        const project::Video& video = window().document().labels().videos()[0];
        QVERIFY(video.channels <= 4);
        QCOMPARE(window().document().videoState(0).source->width(), video.width);
    }

    // E-03: every box belongs to the window and speaks plainly.
    void E_03_messageBoxesHaveAParentAndPlainWords() {
        WindowDialogs dialogs;
        dialogs.askUnsaved(&window(), QStringLiteral("a.slp"), [](DialogService::Unsaved) {});
        dialogs.askChoice(&window(), QStringLiteral("Open or merge"), QStringLiteral("Which?"),
                          {QStringLiteral("Open"), QStringLiteral("Merge...")}, [](int) {});
        int boxes = 0;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* box = qobject_cast<QMessageBox*>(widget)) {
                ++boxes;
                QVERIFY(box->parentWidget() == &window());
                const QString all = box->text() + box->informativeText();
                QVERIFY(!all.contains(QStringLiteral("::")) && !all.contains(QStringLiteral("0x")) &&
                        !all.contains(QStringLiteral("skein")));
                box->reject();
            }
        QCOMPARE(boxes, 2);
        // Errors of files come as messages, in words; where they came from is folded away.
        QFile file(path("broken.slp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no project");
        file.close();
        window().openPaths({path("broken.slp")});
        QTRY_VERIFY(!m_window->sentences().isEmpty());
        for (const QString& sentence : m_window->sentences())
            QVERIFY2(!sentence.contains(QStringLiteral("::")), qPrintable(sentence));
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    TestProjectSafety test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_project_safety.moc"
