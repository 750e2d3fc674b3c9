// SPDX-License-Identifier: BSD-3-Clause
// Box trackers and linking on the recorded sequences: no worse than what sleap-nn 0.3.5 made of them, by the animals'
// true identities.
#include <QtTest>
#include <cmath>
#include <map>
#include <sstream>

#include "engine/evaluation/identity_sequence.h"
#include "engine/tracking/track_labels.h"
#include "engine/tracking/tracker.h"
#include "tests/engine/tracking/tracking_cases.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::tracking;
using test::Json;

namespace {

/// Who is who: one digit for each instance of each frame, "-" for an empty frame. Worked out from the movements (the
/// cases do not say it) and checked by the absences that the sequences' descriptions name.
const std::map<std::string, std::string> kTruth{
    {"crossing2",
     "01 10 01 01 01 10 01 01 01 01 01 10 01 10 10 01 10 10 01 10 10 10 10 10 10 10 01 10 01 01 01 10 01 10 10 10 10 "
     "01 01 10"},
    {"walk5",
     "01234 03412 01432 30241 13024 03214 41032 23140 20143 04312 31240 04231 02413 24103 14032 21340 41032 43120 "
     "12403 30421 31024 12304 01342 30124 30142 14320 10234 03214 42301 04321 30412 43201 43210 43120 13204 01324 "
     "32401 14230 34102 04312"},
    {"missing3",
     "01 210 021 120 201 1 102 021 102 - 102 210 120 0 210 01 10 10 0 0 01 01 10 10 021 012 201 012 20 01 12 1 2 1 12 "
     "201 102 012 21 120 201 201 21 01 102 12 01 102 021 0"},
    {"enter5",
     "01 01 01 10 01 10 01 10 210 021 120 120 021 210 102 102 3012 2130 3120 3102 0321 2013 1023 2130 123 132 312 321 "
     "2341 1234 4231 4213 3412 4321 421 214 241 214 214 241"},
    {"gaps3",
     "012 120 012 012 120 201 210 102 012 102 021 012 102 201 102 021 012 102 021 021 012 102 021 201 102 102 201 120 "
     "021 120"},
    {"onenode3",
     "012 102 210 210 021 201 021 02 02 201 120 021 120 120 210 012 201 10 2 210 210 012 201 102 021 021 10 021 20 210 "
     "102 210 20 102 210 12 120 012 120 21"},
    {"orbit3",
     "012 012 102 012 20 210 012 021 01 012 210 21 102 012 210 102 012 210 01 10 102 01 12 210 021 021 01 120 102 201 "
     "201 012 12 201 21 12 12 2 21 12 21 21 12 21 20 20 120 102 01 210 012 201 10 021 102 201 120 210 120 012"},
};

using Identities = std::vector<std::vector<int>>;  // per frame, per instance of the input; -1 none

Identities truthOf(const std::string& sequence) {
    Identities frames;
    std::istringstream words(kTruth.at(sequence));
    for (std::string word; words >> word;) {
        frames.emplace_back();
        for (const char c : word)
            if (c != '-')
                frames.back().push_back(c - '0');
    }
    return frames;
}

evaluation::IdentityScores score(const Identities& truth, const Identities& found) {
    evaluation::IdentitySequence sequence;
    for (std::size_t f = 0; f < truth.size(); ++f) {
        std::vector<int> kept;
        std::vector<std::size_t> from;
        for (std::size_t i = 0; i < found[f].size(); ++i)
            if (found[f][i] >= 0) {
                kept.push_back(found[f][i]);
                from.push_back(i);
            }
        std::vector<double> similarity(truth[f].size() * kept.size(), 0.0);
        for (std::size_t k = 0; k < from.size(); ++k)
            similarity[from[k] * kept.size() + k] = 1;
        sequence.addFrame(truth[f], kept, similarity);
    }
    return evaluation::scoreSequence(sequence);
}

/// Track of each input instance after the run; -1 where it has none or is gone.
Identities tracksOf(const project::Labels& labels, const Json& sequence) {
    Identities frames;
    std::uint64_t firstId = 1;
    for (const Json& input : sequence["frames"]) {
        frames.emplace_back(input["instances"].size(), -1);
        const auto row = labels.findFrame(0, input.at("frame_idx").get<std::int64_t>());
        for (std::size_t i = 0; row && i < labels.frame(*row).instanceCount(); ++i) {
            const auto& header = *labels.frame(*row).instance(i).header;
            frames.back()[static_cast<std::size_t>(header.id - firstId)] = header.track;
        }
        firstId += input["instances"].size();
    }
    return frames;
}

}  // namespace

class TestMotCases : public QObject {
    Q_OBJECT
    Json m_cases;

private Q_SLOTS:
    void initTestCase() {
        SKEIN_NEEDS_SPEC(folder);
        auto cases = test::loadTrackingCases(folder);
        QVERIFY2(cases.has_value(), "tracking-cases.json cannot be read");
        m_cases = *std::move(cases);
    }

    void noWorseThanRecorded_data() {
        QTest::addColumn<int>("index");
        int rows = 0;
        for (std::size_t i = 0; i < m_cases["cases"].size(); ++i) {
            const Json& options = m_cases["cases"][i]["options"];
            if (!options.contains("tracker") && !options.contains("link_tracklets"))
                continue;
            QTest::newRow(m_cases["cases"][i].at("id").get<std::string>().c_str()) << static_cast<int>(i);
            ++rows;
        }
        QCOMPARE(rows, 18);
    }
    void noWorseThanRecorded() {
        QFETCH(int, index);
        const Json& testCase = m_cases["cases"][static_cast<std::size_t>(index)];
        const auto name = testCase.at("sequence").get<std::string>();
        const Json& sequence = m_cases["sequences"][name];
        project::Labels labels = test::labelsOf(sequence);
        auto given = test::optionsOf(testCase.at("options"));
        given.given = {.feature = false, .scoring = testCase.at("options").contains("scoring_method_explicit")};
        const auto options = resolveOptions(given.options, factsOf(labels.skeletons()), given.given);
        QVERIFY2(options.has_value(), options ? "" : options.error().describe().c_str());
        const std::size_t before = labels.instanceCount();
        const auto outcome = trackLabels(labels, *options);
        QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().describe().c_str());
        if (options->tracker != TrackerKind::Classic)
            QCOMPARE(labels.instanceCount(), before);

        Identities recorded;
        for (const Json& frame : testCase["expected"]) {
            recorded.emplace_back();
            for (const Json& track : frame["track"])
                recorded.back().push_back(track.is_null() ? -1 : track.get<int>());
        }
        const Identities truth = truthOf(name);
        const Identities found = tracksOf(labels, sequence);
        const auto theirs = score(truth, recorded);
        const auto ours = score(truth, found);
        qInfo("IDF1 %.4f (recorded %.4f), switches %lld (%lld), tracks %zu (%zu)", ours.idf1, theirs.idf1,
              static_cast<long long>(ours.switches), static_cast<long long>(theirs.switches), labels.tracks().size(),
              testCase.at("tracks").size());
        QVERIFY(ours.idf1 >= theirs.idf1 - 1e-9);
        QVERIFY(ours.switches <= theirs.switches);
        if (options->maxTracks)
            QVERIFY(static_cast<int>(labels.tracks().size()) <= *options->maxTracks);
    }

    /// Tracking while frames come in, then finishTracking(), is the same as tracking afterwards.
    void finishingGivesTheSame_data() {
        QTest::addColumn<QString>("tracker");
        QTest::addColumn<int>("animals");
        for (const char* tracker : {"sort", "bytetrack", "ocsort", "classic"})
            for (const int animals : {0, 3})
                QTest::addRow("%s %d", tracker, animals) << tracker << animals;
    }
    void finishingGivesTheSame() {
        QFETCH(QString, tracker);
        QFETCH(int, animals);
        for (const char* name : {"missing3", "orbit3", "twovideos"}) {
            const project::Labels labels = test::labelsOf(m_cases["sequences"][name]);
            TrackerOptions wanted;
            wanted.tracker = parseTracker(tracker.toStdString()).value();
            wanted.linkTracklets = true;
            if (animals > 0)
                wanted.maxTracks = animals;
            const TrackerOptions options = resolveOptions(wanted, factsOf(labels.skeletons())).value();
            QVERIFY(needsWholeVideo(options));

            project::Labels finished = labels;
            OnlineTracking online(options);
            for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
                for (const std::size_t row : labels.rowsOf(video)) {
                    project::FrameData frame = labels.frame(row).toData();
                    online.track(frame);
                    finished.replaceFrame(row, std::move(frame));
                }
            finished.editTracks() = online.tracks();
            QVERIFY(finishTracking(finished, options).has_value());

            project::Labels afterwards = labels;
            QVERIFY(trackLabels(afterwards, options).has_value());
            QCOMPARE(finished.instanceCount(), afterwards.instanceCount());
            std::map<int, int> renamed;
            for (std::size_t row = 0; row < afterwards.frameCount(); ++row)
                for (std::size_t i = 0; i < afterwards.frame(row).instanceCount(); ++i) {
                    const auto& a = *afterwards.frame(row).instance(i).header;
                    const auto& b = *finished.frame(row).instance(i).header;
                    QCOMPARE(a.id, b.id);
                    QCOMPARE(renamed.try_emplace(a.track, b.track).first->second, b.track);
                }
            QCOMPARE(afterwards.tracks().size(), finished.tracks().size());
        }
    }

    /// Frame by frame, without the end of the video in sight, animals keep their identities too.
    void online_data() {
        QTest::addColumn<QString>("tracker");
        QTest::addColumn<QString>("sequence");
        for (const char* tracker : {"sort", "bytetrack", "ocsort"})
            for (const char* sequence : {"crossing2", "walk5", "gaps3", "onenode3"})
                QTest::addRow("%s %s", tracker, sequence) << tracker << sequence;
    }
    void online() {
        QFETCH(QString, tracker);
        QFETCH(QString, sequence);
        const Json& input = m_cases["sequences"][sequence.toStdString()];
        const project::Labels labels = test::labelsOf(input);
        TrackerOptions wanted;
        wanted.tracker = parseTracker(tracker.toStdString()).value();
        const TrackerOptions options = resolveOptions(wanted, factsOf(labels.skeletons())).value();
        OnlineTracking online(options);
        Identities found;
        for (std::size_t row = 0; row < labels.frameCount(); ++row) {
            project::FrameData frame = labels.frame(row).toData();
            const std::uint64_t first = labels.frame(row).instanceCount() == 0 ? 0 : frame.instances[0].header.id;
            found.emplace_back(frame.instances.size(), -1);
            online.track(frame);
            QCOMPARE(frame.instances.size(), found.back().size());
            for (const project::InstanceData& instance : frame.instances)
                found.back()[static_cast<std::size_t>(instance.header.id - first)] = instance.header.track;
        }
        const auto scores = score(truthOf(sequence.toStdString()), found);
        qInfo("IDF1 %.4f, switches %lld", scores.idf1, static_cast<long long>(scores.switches));
        QVERIFY(scores.switches <= 1);
        QVERIFY(scores.idf1 > 0.7);
    }
};

QTEST_APPLESS_MAIN(TestMotCases)
#include "tst_mot_cases.moc"
