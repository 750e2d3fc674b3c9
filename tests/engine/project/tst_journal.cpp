// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <fstream>
#include <random>

#include "engine/project/edit/instances.h"
#include "engine/project/edit/removal.h"
#include "engine/project/edit/tracks.h"
#include "engine/project/journal/delta.h"
#include "engine/project/journal/journal_file.h"
#include "engine/project/journal/recorder.h"
#include "tests/support/worked_time.h"

using namespace skein;
using namespace skein::project;
namespace fs = std::filesystem;

namespace {

InstanceData instanceAt(double x, InstanceKind kind, std::int32_t track) {
    InstanceData instance;
    instance.header.kind = kind;
    instance.header.track = track;
    for (int node = 0; node < 3; ++node)
        instance.points.push_back({x + node, x - node, kind == InstanceKind::User ? kNaN : 0.5, true, false});
    return instance;
}

Labels projectOf(std::int64_t frames) {
    Labels labels;
    Skeleton skeleton;
    skeleton.name = "mouse";
    skeleton.nodes = {"nose", "back", "tail"};
    skeleton.edges = {{0, 1}, {1, 2}};
    labels.editSkeletons().push_back(skeleton);
    for (const char* name : {"one.mp4", "two.mp4"}) {
        Video video;
        video.filename = name;
        video.originRow = static_cast<std::int32_t>(labels.videos().size());
        labels.editVideos().push_back(video);
    }
    for (int i = 0; i < 3; ++i)
        labels.editTracks().push_back({"track_" + std::to_string(i), 0, i});
    LabelsBuilder builder(labels);
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        builder.beginFrame(static_cast<std::uint32_t>(frame % 2), frame, frame);
        for (int i = 0; i < 2; ++i) {
            const InstanceData data = instanceAt(double(frame + i), InstanceKind::Predicted, i);
            auto header = data.header;
            header.originRow = 2 * frame + i;
            const auto points = builder.addInstance(header, 3);
            std::copy(data.points.begin(), data.points.end(), points.begin());
        }
    }
    return builder.finish();
}

/// Everything that a file would hold, links by place.
QString contentOf(const Labels& labels) {
    std::map<InstanceId, QString> places;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        for (std::size_t i = 0; i < labels.frame(row).instanceCount(); ++i)
            places[labels.frame(row).instance(i).header->id] = QString("%1/%2").arg(row).arg(i);
    QString text;
    for (const Video& video : labels.videos())
        text += QString::fromStdString(video.filename) + QString(" %1 %2;").arg(video.frameCount).arg(video.originRow);
    for (const Track& track : labels.tracks())
        text += QString::fromStdString(track.name) + QString(" %1 %2;").arg(track.spawnedOn).arg(track.originRow);
    for (const Skeleton& skeleton : labels.skeletons())
        text += QString::fromStdString(skeleton.name) + QString(" %1;").arg(skeleton.nodes.size());
    for (const Suggestion& s : labels.suggestions())
        text += QString("s%1 %2;").arg(s.video).arg(s.frameIndex);
    for (const auto& [video, frame] : labels.negativeFrames())
        text += QString("n%1 %2;").arg(video).arg(frame);
    text += QString::fromStdString(labels.provenanceJson());
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const FrameView frame = labels.frame(row);
        text += QString("\nf%1 %2 %3:").arg(frame.video()).arg(frame.frameIndex()).arg(frame.originRow());
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView v = frame.instance(i);
            text += QString(" %1,%2,%3,%4,%5,%6")
                        .arg(int(v.header->kind))
                        .arg(v.header->skeleton)
                        .arg(v.header->track)
                        .arg(std::bit_cast<quint32>(v.header->score))
                        .arg(v.header->originRow)
                        .arg(places[v.header->fromPredicted]);
            for (const Point& p : v.points)
                text += QString(" %1 %2 %3 %4")
                            .arg(std::bit_cast<quint64>(p.x), 0, 16)
                            .arg(std::bit_cast<quint64>(p.y), 0, 16)
                            .arg(std::bit_cast<quint64>(p.score), 0, 16)
                            .arg(int(p.visible) + 2 * int(p.complete));
        }
    }
    return text;
}

/// One edit of any kind, chosen by the numbers.
Labels edited(const Labels& labels, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const std::size_t row = below(labels.frameCount());
    const FrameView frame = labels.frame(row);
    edit::Place place{frame.video(), frame.frameIndex(), 0};
    if (frame.instanceCount() > 0)
        place.instance = frame.instance(below(frame.instanceCount())).header->id;
    Labels next = labels;
    switch (random() % 14) {
        case 0:
            return edit::moveNode(labels, place, below(3), double(random() % 100), 1).labels;
        case 1:
            return edit::acceptPrediction(labels, place, true).labels;
        case 2:
            return edit::acceptFrame(labels, place.video, place.frame).labels;
        case 3:
            return edit::deleteInstances(labels, place.video, place.frame, std::vector{place.instance}).labels;
        case 4:
            return edit::setNewTrack(labels, place, edit::FrameSpan{place.frame, edit::kToEnd}).labels;
        case 5:
            return labels.tracks().empty() ? labels
                                           : edit::renameTrack(labels, std::int32_t(below(labels.tracks().size())),
                                                               "é" + std::to_string(random()))
                                                 .labels;
        case 6:
            return labels.tracks().size() < 2
                       ? labels
                       : edit::deleteTracks(
                             labels, std::vector<std::int32_t>{std::int32_t(below(labels.tracks().size()))}, false)
                             .labels;
        case 7:
            return edit::toggleNegative(labels, place.video, place.frame).labels;
        case 8: {
            next.appendFrame({0, std::int64_t(random() % 5000), {instanceAt(7, InstanceKind::User, -1)}, -1});
            return next;
        }
        case 9: {
            std::vector<std::size_t> rows{row};
            if (row + 3 < labels.frameCount())
                rows.push_back(row + 3);
            if (labels.frameCount() > 10)
                next.removeFrames(rows);
            return next;
        }
        case 10:
            next.editSuggestions().push_back({1, std::int64_t(random() % 99), 0, "{}"});
            return next;
        case 11: {
            // A link that leads to another frame.
            FrameData data = frame.toData();
            InstanceData user = instanceAt(3, InstanceKind::User, -1);
            const FrameView other = labels.frame(below(labels.frameCount()));
            if (other.instanceCount() > 0)
                user.header.fromPredicted = other.instance(0).header->id;
            data.instances.insert(data.instances.begin(), user);
            next.replaceFrame(row, data);
            return next;
        }
        case 12: {
            FrameData data = frame.toData();
            data.frameIndex += 1 + std::int64_t(random() % 7);
            next.replaceFrame(row, data);
            return next;
        }
        default: {
            edit::InstanceFilter filter;
            filter.track = std::int32_t(random() % 3);
            filter.frames = edit::FrameSpan{place.frame, place.frame + 20};
            return edit::deleteMatching(labels, filter).labels;
        }
    }
}

journal::Header header() {
    journal::Header h;
    h.displayName = "rats.slp";
    return h;
}

}  // namespace

class TestJournal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deltasOfRandomEditsGiveTheSameProject_data() {
        QTest::addColumn<int>("frames");
        QTest::newRow("one chunk") << 20;
        QTest::newRow("many chunks") << 400;
    }
    // Applied to the version in memory and to the same version with other ids, as a file would give it.
    void deltasOfRandomEditsGiveTheSameProject() {
        QFETCH(int, frames);
        std::mt19937 random(7);
        Labels labels = projectOf(frames);
        Labels replayed = projectOf(frames);
        QVERIFY(!replayed.isUnchangedCopyOf(labels));
        for (int step = 0; step < 400; ++step) {
            Labels next = labels;
            for (int i = 0; i <= step % 3; ++i)
                next = edited(next, random);
            const auto bytes = journal::encodeDelta(labels, next);
            auto again = journal::applyDelta(replayed, bytes);
            QVERIFY2(again, again ? "" : again.error().message().c_str());
            replayed = *again;
            const QStringList got = contentOf(replayed).split('\n'), wanted = contentOf(next).split('\n');
            QCOMPARE(got.size(), wanted.size());
            for (int i = 0; i < got.size(); ++i)
                QVERIFY2(got[i] == wanted[i], qPrintable(got[i] + "\n" + wanted[i]));
            QCOMPARE(replayed.instanceCount(), next.instanceCount());
            QCOMPARE(replayed.predictedInstanceCount(), next.predictedInstanceCount());
            labels = next;
        }
        // All at once, and back.
        const Labels start = projectOf(frames);
        auto whole = journal::applyDelta(start, journal::encodeDelta(start, labels));
        QVERIFY(whole);
        QCOMPARE(contentOf(*whole), contentOf(labels));
    }

    void aDeltaCostsWhatChanged() {
        const Labels labels = projectOf(100'000);
        const edit::Place place{0, 50'000, labels.frame(50'000).instance(0).header->id};
        const Labels user = edit::acceptPrediction(labels, place, true).labels;
        const skein::test::WorkedTime time;
        const auto bytes = journal::encodeDelta(labels, user);
        QVERIFY2(time.ms() < 50, qPrintable(QString::number(time.ms())));
        QVERIFY2(bytes.size() < 300, qPrintable(QString::number(bytes.size())));
        // Exchanging tracks over all frames stores no points.
        const auto swapped =
            journal::encodeDelta(labels, edit::transposeTracks(labels, 0, {0, edit::kToEnd}, 0, 1).labels);
        QVERIFY2(swapped.size() < 50'000 * 2 * 40, qPrintable(QString::number(swapped.size())));
    }

    void aDamagedDeltaIsRefusedAndNeverCrashes() {
        std::mt19937 random(3);
        const Labels labels = projectOf(200);
        Labels next = labels;
        for (int i = 0; i < 30; ++i)
            next = edited(next, random);
        const auto bytes = journal::encodeDelta(labels, next);
        for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40)
            QVERIFY(!journal::applyDelta(labels, std::span(bytes).first(size)));
        for (int i = 0; i < 3000; ++i) {
            auto damaged = bytes;
            for (int k = 0; k <= i % 3; ++k)
                damaged[random() % damaged.size()] = std::uint8_t(random());
            (void)journal::applyDelta(labels, damaged);
        }
        QVERIFY(!journal::applyDelta(projectOf(201), bytes));
    }

    void differencesAreCounted() {
        const Labels labels = projectOf(300);
        edit::Place place{0, 10, labels.frame(10).instance(0).header->id};
        Labels next = edit::acceptPrediction(labels, place, true).labels;
        next = edit::renameTrack(next, 1, "Anna").labels;
        next.removeFrames(std::vector<std::size_t>{200, 201});
        next.appendFrame({1, 999, {instanceAt(1, InstanceKind::User, -1)}, -1});
        const auto d = journal::differenceOf(labels, next);
        QCOMPARE(d.framesAdded, 1U);
        QCOMPARE(d.framesRemoved, 2U);
        QCOMPARE(d.framesChanged, 1U);
        QCOMPARE(d.instancesAdded, 2U);
        QCOMPARE(d.instancesRemoved, 4U);
        QCOMPARE(d.tracksChanged, 1U);
        QVERIFY(!d.videos && !d.suggestions);
        QVERIFY(journal::differenceOf(labels, labels).nothing());
    }

    void readingStopsAtTheFirstDamagedRecord() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "a.journal";
        std::vector<std::uint64_t> ends;
        {
            auto file = journal::JournalFile::create(path, header());
            QVERIFY(file);
            ends.push_back(file->size());
            for (std::uint64_t i = 1; i <= 5; ++i) {
                QVERIFY(file->append(journal::DeltaRecord{i, 100, {1, 2, 3, 4}}));
                ends.push_back(file->size());
            }
        }
        std::string bytes;
        {
            std::ifstream in(path, std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(in), {});
        }
        QCOMPARE(bytes.size(), ends.back());
        const auto readBytes = [&path](const std::string& some) {
            std::ofstream(path, std::ios::binary | std::ios::trunc) << some;
            return journal::readJournal(path);
        };
        for (std::size_t size = 0; size <= bytes.size(); ++size) {
            const auto journal = readBytes(bytes.substr(0, size));
            if (size < ends.front()) {
                QVERIFY(!journal);
                continue;
            }
            std::size_t whole = 0;
            while (whole + 1 < ends.size() && ends[whole + 1] <= size)
                ++whole;
            QVERIFY(journal);
            QCOMPARE(journal->deltas.size(), whole);
            QCOMPARE(journal->cutShort, size != ends[whole]);
        }
        for (std::size_t at = ends[2]; at < bytes.size(); ++at) {
            std::string damaged = bytes;
            damaged[at] = char(damaged[at] ^ 0x20);
            const auto journal = readBytes(damaged);
            QVERIFY(journal);
            QVERIFY(journal->deltas.size() >= 2 && journal->deltas.size() < 5 && journal->cutShort);
        }
    }

    void aJournalInUseBelongsToItsOwner() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "a.journal";
        {
            auto file = journal::JournalFile::create(path, header());
            QVERIFY(file);
            QVERIFY(!journal::JournalFile::claim(path));
            QVERIFY(journal::orphanedJournals(path.parent_path()).empty());
        }
        QCOMPARE(journal::orphanedJournals(path.parent_path()).size(), 1U);
        auto claimed = journal::JournalFile::claim(path);
        QVERIFY(claimed);
        QVERIFY(!journal::JournalFile::claim(path));
        claimed->remove();
        QVERIFY(!fs::exists(path));
    }

    // A kill between "the file will be this one" and the rename leaves one of two files; both are understood.
    void aJournalFitsTheFileBeforeAndAfterASave() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        journal::Header h = header();
        h.base = {100, 1, 42};
        const Labels base = projectOf(50);
        std::mt19937 random(5);
        Labels saved = base, last;
        for (int i = 0; i < 5; ++i)
            saved = edited(saved, random);
        last = edited(edited(saved, random), random);
        const FileStamp after{120, 2, 77};
        {
            journal::Recorder recorder(dir, h, base);
            recorder.saveBegins(saved, 5);
            recorder.record(last, 7);
            recorder.fileWillBe(after);
            recorder.flush();
            QCOMPARE(recorder.problem(), std::string());
        }
        const auto paths = journal::orphanedJournals(dir);
        QCOMPARE(paths.size(), 1U);
        const auto read = journal::readJournal(paths.front());
        QVERIFY(read);
        QCOMPARE(read->startFor(h.base), std::optional<std::size_t>(0));
        QCOMPARE(read->startFor(after), std::optional<std::size_t>(1));
        QVERIFY(!read->startFor({120, 2, 78}));
        const auto fromOld = journal::replay(*read, base, 0);
        const auto fromNew = journal::replay(*read, saved, 1);
        QVERIFY(fromOld.complete && fromNew.complete);
        QCOMPARE(fromOld.edits, 7U);
        QCOMPARE(contentOf(fromOld.labels), contentOf(last));
        QCOMPARE(contentOf(fromNew.labels), contentOf(last));
        QCOMPARE(fromOld.steps.size(), read->deltas.size());
        QCOMPARE(contentOf(fromOld.steps.front().labels), contentOf(saved));
        QCOMPARE(contentOf(fromOld.steps.back().labels), contentOf(last));
        QCOMPARE(fromOld.steps.front().firstEdit, 1U);
        QCOMPARE(fromNew.steps.front().firstEdit, fromOld.steps.front().lastEdit + 1);
    }

    void editsAreOnDiskWithinTwoSeconds() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        const Labels base = projectOf(50);
        std::mt19937 random(5);
        journal::Recorder recorder(dir, header(), base);
        const Labels next = edited(base, random);
        const skein::test::WorkedTime time;
        recorder.record(next, 1);
        QVERIFY2(time.ms() < 20, "handing an edit in takes no time");
        const auto kept = [&] {
            for (const auto& entry : fs::directory_iterator(dir))
                if (const auto read = journal::readJournal(entry.path()); read && read->edits() == 1)
                    return true;
            return false;
        };
        QTRY_VERIFY(kept());
        recorder.drop();
    }

    void aJournalThatGrewIsWrittenAfresh() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        const Labels base = projectOf(50);
        Labels last = base;
        const edit::Place place{0, 10, base.frame(10).instance(0).header->id};
        last = edit::acceptPrediction(last, place, true).labels;
        const auto user = last.frame(10).instance(last.frame(10).instanceCount() - 1).header->id;
        {
            journal::Recorder::Options options;
            options.gather = std::chrono::milliseconds(0);
            options.largest = 2000;
            journal::Recorder recorder(dir, header(), base, options);
            for (int i = 0; i < 200; ++i) {
                last = edit::moveNode(last, {0, 10, user}, 0, i, i).labels;
                recorder.record(last, std::uint64_t(i) + 1);
                recorder.flush();
            }
            QCOMPARE(recorder.problem(), std::string());
        }
        const auto paths = journal::orphanedJournals(dir);
        QCOMPARE(paths.size(), 1U);
        QVERIFY2(fs::file_size(paths.front()) < 4000, qPrintable(QString::number(fs::file_size(paths.front()))));
        const auto read = journal::readJournal(paths.front());
        QVERIFY(read);
        QCOMPARE(contentOf(journal::replay(*read, base, 0).labels), contentOf(last));
        QCOMPARE(read->edits(), 200U);
    }

    void aDroppedJournalIsGone() {
        QTemporaryDir folder;
        const fs::path dir = folder.path().toStdString();
        std::mt19937 random(5);
        {
            journal::Recorder recorder(dir, header(), projectOf(50));
            recorder.record(edited(projectOf(50), random), 1);
            recorder.flush();
            QVERIFY(!fs::is_empty(dir));
            recorder.drop();
        }
        QVERIFY(fs::is_empty(dir));
    }

    void aFolderThatCannotBeWrittenIsSaid() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "file";
        std::ofstream(file) << "x";
        std::mt19937 random(5);
        journal::Recorder recorder(file / "inside", header(), projectOf(50));
        recorder.record(edited(projectOf(50), random), 1);
        recorder.flush();
        QVERIFY(recorder.problem().find("recovery file") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
