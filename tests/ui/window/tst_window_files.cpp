// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QFile>
#include <QMenu>
#include <QTest>
#include <csignal>

#include "engine/formats/slp.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/files/find_videos_dialog.h"

using namespace skein;
using namespace skein::ui;
using skein::test::fromPath;
using skein::test::sameContent;
using skein::test::sample;
using skein::test::Window;

/// Opening, saving and leaving, with files as they come and as they should not.
class TestWindowFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<Window>();
    }
    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void aFolderThatIsOpenedSaysWhichVideosCannotBeRead() {
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), m_folder->filePath("good.mp4")));
        const auto open = [&](int videos, const QString& said) {
            for (int i = 0; i < 2; ++i) {
                QFile bad(m_folder->filePath(QStringLiteral("bad%1.mp4").arg(i)));
                if (i + 1 < videos && !(bad.open(QIODevice::WriteOnly) && bad.write("no video") > 0))
                    return false;
            }
            (*m_window)->openPaths({m_folder->path()});
            return test::await([&] { return m_window->sentences().join('|').contains(said); }) &&
                   (*m_window)->document().videoCount() == 1;
        };
        QVERIFY2(open(2, "bad0.mp4"), qPrintable(m_window->sentences().join('|')));
        QVERIFY2(open(3, "2 of 3 videos cannot be read and were left out."),
                 qPrintable(m_window->sentences().join('|')));
        QCOMPARE(m_window->sentences().size(), 1);
    }

    void savesAsAndReopensEqual() {
        QVERIFY(m_window->open(sample("expected.slp")));
        const project::Labels before = (*m_window)->document().snapshot();
        const QString path = m_folder->filePath("copy");
        m_window->answers.savePath = path;
        m_window->trigger("fileSaveAs");
        QTRY_VERIFY(QFile::exists(path + ".slp"));
        QTRY_COMPARE((*m_window)->document().path(), path + ".slp");
        QVERIFY((*m_window)->windowTitle().startsWith(QLatin1String("copy.slp")));
        QVERIFY(m_window->open(path + ".slp"));
        QVERIFY(sameContent((*m_window)->document().labels(), before));
        QCOMPARE((*m_window)->document().labels().videos()[0].filename, before.videos()[0].filename);
    }

    void saveWritesTheChangesAndTheTitleFollows() {
        openCopy();
        changeSomething();
        QVERIFY((*m_window)->isWindowModified());
        m_window->trigger("fileSave");
        QTRY_VERIFY(!(*m_window)->isWindowModified());
        QCOMPARE(m_window->answers.saveAsked, 0);
        const auto again = formats::readSlp((*m_window)->document().path().toStdString());
        QVERIFY(again.has_value());
        QVERIFY(sameContent(*again, (*m_window)->document().labels()));
        // Undo past the save is allowed, and makes the project modified again.
        m_window->trigger("editUndo");
        QVERIFY((*m_window)->isWindowModified());
    }

    void savingAVideoForTheFirstTimeSuggestsAName() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        m_window->trigger("fileSave");
        QCOMPARE(m_window->answers.saveAsked, 1);
        QVERIFY(m_window->answers.suggestion.endsWith(QLatin1String("synthetic_6.slp")));
        QVERIFY((*m_window)->document().path().isEmpty());
    }

    void aFailedSaveSaysWhyAndKeepsEverything() {
        openCopy();
        changeSomething();
        QFile blocker(m_folder->filePath("file"));
        QVERIFY(blocker.open(QIODevice::WriteOnly));
        m_window->answers.savePath = m_folder->filePath("file/x.slp");
        m_window->trigger("fileSaveAs");
        QTRY_VERIFY(!m_window->sentences().isEmpty());
        QVERIFY((*m_window)->isWindowModified());
        QCOMPARE((*m_window)->document().path(), m_folder->filePath("project.slp"));
        // The banner offers the way out.
        m_window->answers.savePath = m_folder->filePath("good.slp");
        const auto buttons = (*m_window)->findChildren<QPushButton*>("bannerAction");
        QVERIFY2(!buttons.isEmpty(), qPrintable(m_window->sentences().join('|')));
        QTest::mouseClick(buttons.first(), Qt::LeftButton);
        QTRY_VERIFY(!(*m_window)->isWindowModified());
        QVERIFY(m_window->sentences().isEmpty());
    }

    void aFullDiskSaysSoAndKeepsTheOldFile() {
        openCopy();
        changeSomething();
        const QString path = (*m_window)->document().path();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        file.close();
        // A limit on file sizes makes writing fail half way, as a full disk does.
        rlimit old{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &old), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit small = old;
        small.rlim_cur = 16384;
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        m_window->trigger("fileSave");
        const bool finished = test::await([this] { return !(*m_window)->document().isSaving(); });
        setrlimit(RLIMIT_FSIZE, &old);
        std::signal(SIGXFSZ, handler);
        QVERIFY(finished);
        QVERIFY2(m_window->sentences().size() == 1, qPrintable(m_window->sentences().join('|')));
        QVERIFY2(m_window->sentences().first().contains(QLatin1String("project.slp")),
                 qPrintable(m_window->sentences().first()));
        QVERIFY((*m_window)->isWindowModified());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before);
        // No half-written file is left beside it.
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 2);
    }

    void closingAsksAndObeys() {
        openCopy();
        changeSomething();
        m_window->answers.unsaved = DialogService::Unsaved::Cancel;
        (*m_window)->close();
        QCOMPARE(m_window->answers.unsavedAsked, 1);
        QCOMPARE(m_window->answers.toSave, QStringLiteral("the changes to project.slp"));
        QVERIFY((*m_window)->isVisible());
        // A save that fails keeps the window open.
        m_window->answers.unsaved = DialogService::Unsaved::Save;
        QVERIFY(QFile::remove((*m_window)->document().path()));
        QVERIFY(QDir().mkdir((*m_window)->document().path()));
        QVERIFY(QFile(m_folder->filePath("project.slp/x")).open(QIODevice::WriteOnly));
        (*m_window)->close();
        QTRY_VERIFY(!m_window->sentences().isEmpty());
        QVERIFY((*m_window)->isVisible());
        QVERIFY((*m_window)->isWindowModified());
        m_window->answers.unsaved = DialogService::Unsaved::Discard;
        (*m_window)->close();
        QVERIFY(!(*m_window)->isVisible());
    }

    void closingSavesWhenAsked() {
        openCopy();
        changeSomething();
        const project::Labels before = (*m_window)->document().snapshot();
        m_window->answers.unsaved = DialogService::Unsaved::Save;
        (*m_window)->close();
        QTRY_VERIFY(!(*m_window)->isVisible());
        const auto again = formats::readSlp(m_folder->filePath("project.slp").toStdString());
        QVERIFY(again.has_value());
        QVERIFY(sameContent(*again, before));
    }

    void openingAnotherProjectAsksFirst() {
        openCopy();
        changeSomething();
        (*m_window)->openPaths({sample("synthetic_6.mp4")});
        QTRY_COMPARE(m_window->answers.unsavedAsked, 1);
        QVERIFY((*m_window)->isWindowModified());
        m_window->answers.unsaved = DialogService::Unsaved::Discard;
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        QTRY_VERIFY((*m_window)->document().path().isEmpty());
        QVERIFY(!(*m_window)->isWindowModified());
        // Nobody shall think that the video is written over.
        project::Labels next = (*m_window)->document().snapshot();
        next.editTracks().push_back({"anna", 0, -1});
        (*m_window)->document().commit("Add track", std::move(next), {ChangeKind::Tracks, 0, 0, -1});
        (*m_window)->close();
        QCOMPARE(m_window->answers.toSave, QStringLiteral("the labels of synthetic_6.mp4 as a project"));
    }

    void E_02_unreadableFilesGiveSentences_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text as video") << "notes.mp4" << QByteArray("these are notes, not a video\n");
        QTest::newRow("empty video") << "empty.mp4" << QByteArray();
        QTest::newRow("empty project") << "empty.slp" << QByteArray();
        QTest::newRow("text as project") << "notes.slp" << QByteArray("not a project");
        QTest::newRow("JPEG as project") << "photo.slp"
                                         << QByteArray::fromHex("ffd8ffe000104a46494600010100000100010000ffd9");
        QTest::newRow("cut HDF5") << "cut.slp" << QByteArray::fromHex("894844460d0a1a0a0000000000080800");
        QTest::newRow("unknown kind") << "thing.xyz" << QByteArray("?????");
        QTest::newRow("missing") << "nothing.mp4" << QByteArray();
    }
    void E_02_unreadableFilesGiveSentences() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QVERIFY(m_window->open(sample("expected.slp")));
        const project::Labels before = (*m_window)->document().snapshot();
        const QString path = m_folder->filePath(name);
        if (name != QLatin1String("nothing.mp4")) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        (*m_window)->openPaths({path});
        QTRY_COMPARE(m_window->sentences().size(), 1);
        const QString sentence = m_window->sentences().first();
        QVERIFY2(sentence.contains(name), qPrintable(sentence));
        QVERIFY2(sentence.endsWith(QLatin1Char('.')) && sentence.contains(QLatin1Char(' ')), qPrintable(sentence));
        QVERIFY2(!sentence.contains(QLatin1String("::")), qPrintable(sentence));
        QVERIFY(sameContent((*m_window)->document().labels(), before));
        QVERIFY((*m_window)->canvas().hasPicture());
    }

    void anEmptyFolderSaysSo() {
        (*m_window)->openPaths({m_folder->path()});
        QTRY_COMPARE(m_window->sentences().size(), 1);
        QVERIFY(!(*m_window)->document().isOpen());
    }

    void P21_aMissingVideoShowsItsLabels() {
        SKEIN_NEEDS_REFERENCE(reference);
        const QString original = fromPath(reference / "pitfalls/slp/missing_video.slp");
        const QString path = m_folder->filePath("missing.slp");
        QVERIFY(QFile::copy(original, path));
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(m_window->open(path));
        const Document& document = (*m_window)->document();
        QTRY_COMPARE(document.videoState(0).kind, VideoState::Kind::Missing);
        QCOMPARE(m_window->sentences().size(), 1);
        QVERIFY(!(*m_window)->canvas().hasPicture());
        QVERIFY(!(*m_window)->presenter().shown().instances.empty());
        QTRY_VERIFY((*m_window)->actions().get("fileReplaceVideos")->isEnabled());
        const project::Labels before = document.snapshot();
        const project::Video video = document.labels().videos()[0];
        m_window->answers.savePath = m_folder->filePath("saved.slp");
        m_window->trigger("fileSaveAs");
        QTRY_VERIFY(document.path().endsWith(QLatin1String("saved.slp")));
        const auto again = formats::readSlp(m_folder->filePath("saved.slp").toStdString());
        QVERIFY(again.has_value());
        QVERIFY(sameContent(*again, before));
        QCOMPARE(again->videos()[0].filename, video.filename);
        QCOMPARE(again->videos()[0].height, video.height);
        QCOMPARE(again->videos()[0].width, video.width);
    }

    void aFoundVideoReplacesTheMissingOneAndUndoTakesItBack() {
        SKEIN_NEEDS_REFERENCE(reference);
        QVERIFY(m_window->open(fromPath(reference / "pitfalls/slp/missing_video.slp")));
        m_window->answers.files = {sample("synthetic_6.mp4")};
        QTRY_VERIFY((*m_window)->actions().get("fileReplaceVideos")->isEnabled());
        m_window->trigger("fileReplaceVideos");
        auto* dialog = (*m_window)->findChild<FindVideosDialog*>();
        QVERIFY(dialog != nullptr);
        QTest::mouseClick(dialog->findChild<QPushButton*>("findVideosFind"), Qt::LeftButton);
        QTRY_VERIFY(!dialog->isSearching());
        // It is another video than the project speaks of: only a person can say that it is right.
        if (!dialog->videos()[0].warning.isEmpty())
            QTest::mouseClick(dialog->findChild<QPushButton*>("findVideosAnyway"), Qt::LeftButton);
        QTest::mouseClick(dialog->findChild<QPushButton*>("findVideosApply"), Qt::LeftButton);
        QTRY_COMPARE((*m_window)->document().videoState(0).kind, VideoState::Kind::Ready);
        QVERIFY(m_window->waitForFrame());
        QVERIFY((*m_window)->canvas().hasPicture());
        // The person has said that it is right; that it is another one stays true.
        for (const QString& sentence : m_window->sentences())
            QVERIFY2(sentence.contains("is not the video that was labelled"), qPrintable(sentence));
        m_window->trigger("editUndo");
        QTRY_COMPARE((*m_window)->document().videoState(0).kind, VideoState::Kind::Missing);
        QTRY_VERIFY(!(*m_window)->canvas().hasPicture());
    }

    void oddProjectsOpen_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"nan_everywhere", "no_videos", "zero_instances", "zero_nodes", "no_edges",
                                 "disconnected", "out_of_frame", "visible_flag", "frame_beyond_end",
                                 "unsorted_duplicates", "from_predicted", "format_1_0", "windows_path", "tracks_10000"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void oddProjectsOpen() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, name);
        const QString path = fromPath(reference / "pitfalls/slp") + QLatin1Char('/') + name + QStringLiteral(".slp");
        (*m_window)->openPaths({path});
        QTRY_VERIFY((*m_window)->document().isOpen());
        QTRY_VERIFY(!(*m_window)->document().isOpening() && !(*m_window)->presenter().isPending());
        QVERIFY(m_window->waitForDigest());
        for (const char* id : {"goNextFrame", "goNextLabelled", "goPrevLabelled", "viewFit", "viewFitFrame", "goLast",
                               "goSelectNext", "viewShowNames"})
            m_window->trigger(id);
        (void)(*m_window)->grab();
        QVERIFY(!(*m_window)->document().isModified());
    }

    void packagesShowTheirPictures() {
        SKEIN_NEEDS_REFERENCE(reference);
        QVERIFY(m_window->open(fromPath(reference / "media/minimal_instance.pkg.slp")));
        QVERIFY((*m_window)->canvas().hasPicture());
        QVERIFY(!(*m_window)->presenter().shown().instances.empty());
    }

    void damagedVideosKeepTheirNumbers_P20() {
        SKEIN_NEEDS_REFERENCE(reference);
        QVERIFY(m_window->open(fromPath(reference / "pitfalls/video/corrupt_middle.mp4")));
        QCOMPARE((*m_window)->view().frameCount(), std::int64_t{40});
        (*m_window)->view().setFrame(20);
        QVERIFY(m_window->waitForFrame());
        QVERIFY(!(*m_window)->canvas().hasPicture());
        (*m_window)->view().setFrame(10);
        QVERIFY(m_window->waitForFrame());
        QVERIFY((*m_window)->canvas().hasPicture());
    }

    void recentFilesAreListedNewestFirst() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        QVERIFY(m_window->open(sample("expected.slp")));
        const auto* menu = (*m_window)->findChild<QMenu*>("fileOpenRecent");
        QTRY_COMPARE(menu->actions().value(0)->text(), QStringLiteral("expected.slp"));
        QCOMPARE(menu->actions().value(1)->text(), QStringLiteral("synthetic_6.mp4"));
        m_window = std::make_unique<Window>();
        menu = (*m_window)->findChild<QMenu*>("fileOpenRecent");
        QCOMPARE(menu->actions().value(0)->text(), QStringLiteral("expected.slp"));
        menu->actions().value(0)->trigger();
        QTRY_VERIFY((*m_window)->document().path().endsWith(QLatin1String("expected.slp")));
    }

private:
    void openCopy() {
        const QString path = m_folder->filePath("project.slp");
        QVERIFY(QFile::copy(sample("expected.slp"), path));
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), m_folder->filePath("synthetic_6.mp4")));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        QVERIFY(m_window->open(path));
    }

    /// Removes the first frame, as one step.
    void changeSomething() {
        Document& document = (*m_window)->document();
        project::Labels next = document.snapshot();
        const std::size_t row = 0;
        next.removeFrames({&row, 1});
        document.commit("Delete a frame", std::move(next), {ChangeKind::Frames, 0, 0, -1});
        QVERIFY(document.isModified());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Window> m_window;
};

QTEST_MAIN(TestWindowFiles)
#include "tst_window_files.moc"
