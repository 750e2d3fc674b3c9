// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "tests/ui/window/window_fixture.h"
#include "ui/document.h"

using namespace skein;
using namespace skein::ui;
using skein::test::sameContent;
using skein::test::sample;

namespace {

project::FrameData frameOf(std::int64_t index, project::InstanceKind kind, double x) {
    project::InstanceData instance;
    instance.header.kind = kind;
    instance.points.assign(2, {x, 1, 0.5, true, false});
    return {0, index, {instance}, -1};
}

/// `labels` with predictions on the frames from `first` to `last`.
project::Labels withRun(project::Labels labels, std::int64_t first, std::int64_t last, double x) {
    if (labels.skeletons().empty()) {
        project::Skeleton skeleton;
        skeleton.nodes = {"a", "b"};
        labels.editSkeletons().push_back(skeleton);
    }
    std::vector<project::FrameData> frames;
    for (std::int64_t i = first; i <= last; ++i)
        frames.push_back(frameOf(i, project::InstanceKind::Predicted, x));
    labels.mergePredictions(std::move(frames));
    return labels;
}

Change framesChange(std::int64_t first, std::int64_t last) {
    return {ChangeKinds(ChangeKind::Frames) | ChangeKind::Skeletons, 0, first, last};
}

}  // namespace

class TestDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNewDocumentIsEmptyAndClean() {
        Document document;
        QVERIFY(!document.isOpen());
        QVERIFY(!document.isModified());
        QVERIFY(!document.undoStack()->canUndo());
    }

    void opensAVideoAndKnowsItsFacts() {
        Document document;
        QSignalSpy opened(&document, &Document::opened);
        document.openVideos({sample("synthetic_6.mp4")});
        QVERIFY(document.isOpening());
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(document.videoCount(), 1);
        QCOMPARE(document.videoState(0).kind, VideoState::Kind::Ready);
        QCOMPARE(document.videoName(0), QStringLiteral("synthetic_6.mp4"));
        QCOMPARE(document.frameCount(0), document.videoState(0).source->frameCount());
        QCOMPARE(document.labels().videos()[0].width, document.videoState(0).source->width());
        QVERIFY(!document.isModified());
    }

    void stepsOfOneRunAreOneUndoStep() {
        Document document;
        document.openVideos({sample("synthetic_6.mp4")});
        QTRY_COMPARE(document.videoCount(), 1);
        QSignalSpy changed(&document, &Document::changed);
        QSignalSpy modified(&document, &Document::modifiedChanged);
        const project::Labels before = document.snapshot();
        document.commitRun(5, "Predict 1", withRun(document.snapshot(), 0, 9, 1), framesChange(0, 9));
        document.commitRun(5, "Predict 2", withRun(document.snapshot(), 10, 19, 2), framesChange(10, 19));
        document.commitRun(5, "Predict 3", withRun(document.snapshot(), 20, 29, 3), framesChange(20, 29));
        const project::Labels after = document.snapshot();
        QCOMPARE(document.labels().frameCount(), std::size_t{30});
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Predict 3"));
        QCOMPARE(changed.size(), 3);
        QVERIFY(document.isModified());
        QCOMPARE(modified.size(), 1);

        document.undoStack()->undo();
        QVERIFY(sameContent(document.labels(), before));
        QVERIFY(!document.isModified());
        const Change undone = changed.back()[0].value<Change>();
        QVERIFY(undone.touches(0, 0) && undone.touches(0, 29));
        document.undoStack()->redo();
        QVERIFY(sameContent(document.labels(), after));
        QVERIFY(document.isModified());

        // Another run is another step, and so is the same run after something else.
        document.commitRun(6, "Again", withRun(document.snapshot(), 0, 0, 9), framesChange(0, 0));
        QCOMPARE(document.undoStack()->count(), 2);
        document.commit("Edit", withRun(document.snapshot(), 1, 1, 9), framesChange(1, 1));
        document.commitRun(6, "Again", withRun(document.snapshot(), 2, 2, 9), framesChange(2, 2));
        QCOMPARE(document.undoStack()->count(), 4);
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
        QVERIFY(sameContent(document.labels(), before));
    }

    void U_01_randomStepsUndoneGiveTheStart() {
        Document document;
        std::mt19937 generator(12345);
        const auto random = [&generator](std::uint32_t below) {
            return static_cast<std::int64_t>(generator() % below);
        };
        std::vector<project::Labels> states{document.snapshot()};
        for (int i = 0; i < 200; ++i) {
            const std::int64_t first = random(300);
            document.commit(QString::number(i),
                            withRun(document.snapshot(), first, first + random(20), static_cast<double>(random(100))),
                            framesChange(first, first + 20));
            states.push_back(document.snapshot());
        }
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            document.undoStack()->undo();
            QVERIFY(sameContent(document.labels(), states[i]));
        }
        QVERIFY(!document.isModified());
        for (std::size_t i = 1; i < states.size(); ++i) {
            document.undoStack()->redo();
            QVERIFY(sameContent(document.labels(), states[i]));
        }
    }

    void savesInTheBackgroundAndStaysCleanAcrossUndo() {
        QTemporaryDir folder;
        Document document;
        document.openVideos({sample("synthetic_6.mp4")});
        QTRY_COMPARE(document.videoCount(), 1);
        document.commit("One", withRun(document.snapshot(), 0, 9, 1), framesChange(0, 9));
        QSignalSpy saved(&document, &Document::saved);
        const QString path = folder.filePath("a.slp");
        document.save(path);
        QVERIFY(document.isSaving());
        // Editing goes on while the snapshot is written, and is not part of it.
        document.commit("Two", withRun(document.snapshot(), 50, 59, 1), framesChange(50, 59));
        QTRY_COMPARE(saved.size(), 1);
        QCOMPARE(document.path(), path);
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QVERIFY(!document.isModified());
        document.undoStack()->undo();
        QVERIFY(document.isModified());
        document.undoStack()->redo();
        QVERIFY(!document.isModified());

        Document again;
        again.openProject(path);
        QTRY_VERIFY(again.isOpen());
        QVERIFY(sameContent(again.labels(), document.labels()));
        QCOMPARE(again.labels().videos()[0].frameCount, document.labels().videos()[0].frameCount);
        QCOMPARE(again.videoState(0).kind, VideoState::Kind::Found);
    }

    void aRunStepAfterASaveMarksTheProjectModified() {
        QTemporaryDir folder;
        Document document;
        document.commitRun(3, "Predict", withRun(document.snapshot(), 0, 9, 1), framesChange(0, 9));
        QSignalSpy saved(&document, &Document::saved);
        document.save(folder.filePath("a.slp"));
        QTRY_COMPARE(saved.size(), 1);
        QVERIFY(!document.isModified());
        document.commitRun(3, "Predict", withRun(document.snapshot(), 10, 19, 1), framesChange(10, 19));
        QVERIFY(document.isModified());
        QCOMPARE(document.undoStack()->count(), 1);
    }

    void aFailedSaveChangesNothing() {
        QTemporaryDir folder;
        Document document;
        document.commit("One", withRun(document.snapshot(), 0, 9, 1), framesChange(0, 9));
        QSignalSpy failed(&document, &Document::saveFailed);
        // A file cannot be a folder.
        QFile file(folder.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        document.save(folder.filePath("file/a.slp"));
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(document.isModified());
        QVERIFY(document.path().isEmpty());
        QVERIFY(!document.isSaving());
        const auto error = failed[0][1].value<UiError>();
        QVERIFY2(!error.message.isEmpty() && error.message.contains(QLatin1Char(' ')), qPrintable(error.message));
    }

    void addedVideosCanBeUndoneAndComeBackReady() {
        Document document;
        document.openVideos({sample("synthetic_6.mp4")});
        QTRY_COMPARE(document.videoCount(), 1);
        QTemporaryDir folder;
        const QString copy = folder.filePath("copy.mp4");
        QVERIFY(QFile::copy(sample("synthetic_6.mp4"), copy));
        document.addVideos({copy});
        QTRY_COMPARE(document.videoCount(), 2);
        QCOMPARE(document.videoState(1).kind, VideoState::Kind::Ready);
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QCOMPARE(document.videoCount(), 1);
        QCOMPARE(document.videoState(0).kind, VideoState::Kind::Ready);
        document.undoStack()->redo();
        QCOMPARE(document.videoCount(), 2);
        QCOMPARE(document.videoState(1).kind, VideoState::Kind::Ready);
        QCOMPARE(document.videoName(1), QStringLiteral("copy.mp4"));
    }

    void anUnreadableVideoLeavesTheProjectAlone() {
        Document document;
        document.openVideos({sample("synthetic_6.mp4")});
        QTRY_COMPARE(document.videoCount(), 1);
        QSignalSpy failed(&document, &Document::failed);
        document.openVideos({sample("README.md")});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].value<UiError>().message.contains(QLatin1String("README.md")));
        QCOMPARE(document.videoCount(), 1);
        QCOMPARE(document.videoName(0), QStringLiteral("synthetic_6.mp4"));
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
