// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "engine/proofread/apply_fix.h"
#include "engine/proofread/review_log.h"
#include "tests/engine/proofread/made_tracks.h"

using namespace skein;
using namespace skein::test;
using proofread::Issue;
using proofread::ReviewLog;
using proofread::ReviewState;

namespace {

project::Labels withSwaps() {
    project::Labels labels = makeTracks({4, 600, 3, 40, 200, 0.5, 0.03});
    for (const std::int64_t frame : {150, 300, 450})
        labels = edit::transposeTracks(labels, 0, {frame, edit::kToEnd}, 1, 2).labels;
    return labels;
}

}  // namespace

class TestReviewLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasSaidSurvivesTheFile() {
        const project::Labels labels = withSwaps();
        const std::vector<Issue> issues = *proofread::findIssues(labels);
        ReviewLog log;
        log.setState(labels, issues[0], ReviewState::Dismissed);
        QTemporaryDir folder;
        const std::filesystem::path project = folder.filePath("a.slp").toStdString();
        QCOMPARE(ReviewLog::pathFor(project).filename().string(), std::string("a.slp.review.json"));
        QVERIFY(log.write(ReviewLog::pathFor(project)));
        const auto read = ReviewLog::read(ReviewLog::pathFor(project));
        QVERIFY(read);
        const auto states = read->statesOf(labels, issues);
        QCOMPARE(states[0], ReviewState::Dismissed);
        for (std::size_t i = 1; i < states.size(); ++i)
            QCOMPARE(states[i], ReviewState::Open);
        QCOMPARE(read->progress(labels, issues).reviewed, std::size_t{1});
        QCOMPARE(read->progress(labels, issues).all, issues.size());
    }

    // P-07, the engine's half
    void aFixedIssueCountsAsReviewedAndIsOpenAgainAfterUndo() {
        const project::Labels labels = withSwaps();
        const std::vector<Issue> issues = *proofread::findIssues(labels);
        ReviewLog log;
        log.setState(labels, issues[0], ReviewState::Fixed);
        const project::Labels fixed = proofread::applyFix(labels, issues[0]).labels;
        const std::vector<Issue> left = *proofread::findIssues(fixed);
        QCOMPARE(log.progress(fixed, left).reviewed, std::size_t{1});
        QVERIFY(log.progress(fixed, left).all > left.size() - 1);
        QCOMPARE(log.statesOf(labels, issues)[0], ReviewState::Open);
        QCOMPARE(log.progress(labels, issues).reviewed, std::size_t{0});
    }

    void aDismissedIssueStaysSoWhenTracksAreRenumbered() {
        const project::Labels labels = withSwaps();
        const std::vector<Issue> issues = *proofread::findIssues(labels);
        ReviewLog log;
        log.setState(labels, issues[0], ReviewState::Dismissed);
        const std::int32_t gone[] = {0};
        const project::Labels fewer = edit::deleteTracks(labels, gone, true).labels;
        const std::vector<Issue> now = *proofread::findIssues(fewer);
        const auto states = log.statesOf(fewer, now);
        QCOMPARE(std::count(states.begin(), states.end(), ReviewState::Dismissed), std::ptrdiff_t{1});
    }

    void aSampleAndItsAnswersSurviveTheFileAndRenumberedTracks() {
        const project::Labels labels = withSwaps();
        const auto sample = proofread::sampleProject(labels, {5, 10, 3});
        QVERIFY(sample);
        QCOMPARE(sample->items.size(), std::size_t{15});
        ReviewLog log;
        QVERIFY(log.isEmpty() && !log.sample(labels));
        log.setSample(labels, *sample);
        log.setVerdict(2, proofread::Verdict::Wrong, 0xFEDCBA9876543210ULL);
        log.setVerdict(14, proofread::Verdict::Unsure);
        log.setVerdict(99, proofread::Verdict::Right);
        QVERIFY(!log.isEmpty());
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.slp.review.json").toStdString();
        QVERIFY(log.write(file));
        const auto read = ReviewLog::read(file);
        QVERIFY(read);
        const auto back = read->sample(labels);
        QVERIFY(back);
        QCOMPARE(back->seed, std::uint64_t{3});
        QCOMPARE(back->encounters, sample->encounters);
        QCOMPARE(back->frames, sample->frames);
        QCOMPARE(back->items.size(), sample->items.size());
        for (std::size_t i = 0; i < back->items.size(); ++i) {
            QCOMPARE(back->items[i].encounter, sample->items[i].encounter);
            QCOMPARE(back->items[i].first, sample->items[i].first);
            QCOMPARE(back->items[i].last, sample->items[i].last);
            QCOMPARE(back->items[i].frame, sample->items[i].frame);
            QCOMPARE(back->items[i].tracks, sample->items[i].tracks);
            QCOMPARE(back->items[i].seen, i == 2 ? 0xFEDCBA9876543210ULL : 0ULL);
            QCOMPARE(back->items[i].verdict, i == 2    ? proofread::Verdict::Wrong
                                             : i == 14 ? proofread::Verdict::Unsure
                                                       : proofread::Verdict::Unanswered);
        }
        // The first track goes: the others have other numbers and are still meant.
        const std::int32_t gone[] = {0};
        const project::Labels fewer = edit::deleteTracks(labels, gone, true).labels;
        const auto now = read->sample(fewer);
        for (std::size_t i = 0; i < now->items.size(); ++i) {
            std::vector<std::int32_t> expected;
            for (const std::int32_t track : sample->items[i].tracks)
                if (track > 0)
                    expected.push_back(track - 1);
            QCOMPARE(now->items[i].tracks, expected);
        }
        // Without its video an item is still there.
        project::Labels elsewhere = labels;
        elsewhere.editVideos()[0].filename = "other.mp4";
        QCOMPARE(read->sample(elsewhere)->items[0].video, std::uint32_t{1});
        log.setSample(labels, std::nullopt);
        QVERIFY(log.isEmpty());
    }

    void aBrokenFileIsNamed() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("b.review.json").toStdString();
        QVERIFY(ReviewLog::read(file));
        for (const char* text : {"", "[1]", "{\"version\": 1, \"issues\": [{\"kind\": 3}]}", "{\"version\": 99}",
                                 "{\"version\": 1, \"issues\": [], \"sample\": {\"seed\": 1}}"}) {
            std::ofstream(file) << text;
            const auto read = ReviewLog::read(file);
            QVERIFY(!read);
            QCOMPARE(read.error().code(), ErrorCode::Format);
            QVERIFY(read.error().message().find("b.review.json") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestReviewLog)
#include "tst_review_log.moc"
