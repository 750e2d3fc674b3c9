// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <set>

#include "engine/proofread/review_sample.h"
#include "tests/engine/proofread/made_tracks.h"

using namespace skein;
using namespace skein::test;
using proofread::Verdict;

class TestReviewSample : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theIntervalIsWilsons() {
        // Values of the closed formula, e.g. Newcombe 1998, table I: 15 of 148 gives 0.0624 to 0.1605.
        const auto newcombe = proofread::wilsonInterval(15, 148);
        QVERIFY(std::abs(newcombe.low - 0.0624) < 5e-5 && std::abs(newcombe.high - 0.1605) < 5e-5);
        const auto none = proofread::wilsonInterval(0, 20);
        QVERIFY(none.low == 0 && std::abs(none.high - 0.1611) < 5e-5);
        const auto all = proofread::wilsonInterval(29, 29);
        QVERIFY(all.high == 1 && std::abs(all.low - 0.8830) < 5e-5);
        QCOMPARE(proofread::wilsonInterval(0, 0).high, 1.0);
    }

    void theSameSeedDrawsTheSameAndNothingTwice() {
        const project::Labels labels = makeTracks({4, 1000, 3, 40, 200, 0.5, 0.03});
        const auto issues = *proofread::findIssues(labels);
        const auto sample = proofread::drawSample(labels, issues, 10, 25, 7);
        const auto again = proofread::drawSample(labels, issues, 10, 25, 7);
        const auto other = proofread::drawSample(labels, issues, 10, 25, 8);
        QCOMPARE(sample.frames, std::size_t{1000});
        QVERIFY(sample.encounters > 10);
        QCOMPARE(sample.items.size(), std::size_t{35});
        std::set<std::int64_t> frames;
        bool differs = false;
        for (std::size_t i = 0; i < sample.items.size(); ++i) {
            QCOMPARE(again.items[i].frame, sample.items[i].frame);
            differs = differs || other.items[i].frame != sample.items[i].frame;
            QCOMPARE(sample.items[i].encounter, i < 10);
            if (!sample.items[i].encounter)
                frames.insert(sample.items[i].frame);
        }
        QVERIFY(differs);
        QCOMPARE(frames.size(), std::size_t{25});
        QCOMPARE(proofread::drawSample(labels, issues, 1'000'000, 5000, 7).items.size(), sample.encounters + 1000);
    }

    void everyFrameIsAsLikelyAsAnyOther() {
        const project::Labels labels = makeTracks({1, 20, 3, 40, 200, 0.5, 0.03});
        std::vector<int> drawn(20, 0);
        for (std::uint64_t seed = 0; seed < 4000; ++seed)
            for (const auto& item : proofread::drawSample(labels, {}, 0, 5, seed).items)
                ++drawn[std::size_t(item.frame)];
        for (const int times : drawn)  // 1000 expected, standard deviation 27
            QVERIFY2(std::abs(times - 1000) < 140, std::to_string(times).c_str());
    }

    void encountersBeyondThoseOfTheListAreDrawnToo() {
        // A list of issues keeps the worst of a kind; a sample of these alone would be no random one.
        const project::Labels labels = makeTracks({6, 3000, 3, 40, 120, 0.5, 0.08});
        proofread::IssueOptions few;
        few.mostOfKind = 10;
        const auto listed = proofread::findIssues(labels, few);
        const auto sample = proofread::sampleProject(labels, {1000, 0, 1});
        QVERIFY(listed && sample);
        QCOMPARE(ofKind(*listed, proofread::IssueKind::Encounter).size(), std::size_t{10});
        QVERIFY2(sample->encounters > 30, std::to_string(sample->encounters).c_str());
        QCOMPARE(sample->items.size(), std::min<std::size_t>(1000, sample->encounters));
        std::stop_source stopped;
        stopped.request_stop();
        const auto none = proofread::sampleProject(labels, {}, {}, stopped.get_token());
        QVERIFY(!none && none.error().code() == ErrorCode::Cancelled);
    }

    void theRateIsASentence() {
        const project::Labels labels = makeTracks({1, 200, 3, 40, 200, 0.5, 0.03});
        auto sample = proofread::drawSample(labels, {}, 0, 20, 1);
        QCOMPARE(proofread::sentenceOf(sample, false),
                 std::string("20 of 200 frames were drawn; none of them is judged yet."));
        for (std::size_t i = 0; i < 18; ++i)
            sample.items[i].verdict = i < 2 ? Verdict::Wrong : Verdict::Right;
        QCOMPARE(proofread::sentenceOf(sample, false),
                 std::string("20 of 200 frames were drawn; identities are wrong in 2 of the 18 that could be judged: "
                             "11.1 % (95 % interval 3.1 % to 32.8 %)."));
    }

    void theReportStatesRateIntervalAndEveryAnswer() {
        project::Labels labels = makeTracks({2, 100, 3, 40, 200, 0.5, 0.03});
        labels.editTracks()[0].name = "<b>&";
        auto sample = proofread::drawSample(labels, {}, 0, 20, 1);
        for (std::size_t i = 0; i < 18; ++i)
            sample.items[i].verdict = i < 2 ? Verdict::Wrong : Verdict::Right;
        sample.items[18].verdict = Verdict::Unsure;
        const auto rate = proofread::rateOf(sample, false);
        QCOMPARE(rate.asked, std::size_t{20});
        QCOMPARE(rate.answered, std::size_t{18});
        QCOMPARE(rate.wrong, std::size_t{2});
        QCOMPARE(rate.unsure, std::size_t{1});
        const std::string html = proofread::reportHtml(labels, sample, {"a<b.slp", "2 May", "1.0"});
        QVERIFY(html.find("11.1 %") != std::string::npos);
        QVERIFY(html.find("3.1 % to 32.8 %") != std::string::npos);
        QVERIFY(html.find("&lt;b&gt;&amp;") != std::string::npos && html.find("<b>&") == std::string::npos);
        QVERIFY(html.find("seed 1)") != std::string::npos && html.find("counted from 0.") != std::string::npos);
        QVERIFY(html.find("identities are wrong in 2 of the 18") != std::string::npos);
        QVERIFY(html.find("a&lt;b.slp") != std::string::npos);
        QVERIFY(html.find("unclear</td>") != std::string::npos && html.find("not judged</td>") != std::string::npos);
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("review.html").toStdString();
        QVERIFY(proofread::writeReport(file, labels, sample, {"a.slp", "2 May", "1.0"}));
        QVERIFY(std::filesystem::file_size(file) > 1000);
        QVERIFY(!proofread::writeReport(file / "nowhere", labels, sample, {}));
    }
};

QTEST_APPLESS_MAIN(TestReviewSample)
#include "tst_review_sample.moc"
