// SPDX-License-Identifier: BSD-3-Clause
// The tracker on the instances of recorded runs: identities, order and scores as recorded.
#include <hdf5.h>

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/tracking/tracker.h"
#include "tests/support/reference.h"

using namespace skein::tracking;

namespace {

/// Whole dataset as doubles; its extents go to `shape`.
std::vector<double> readAll(hid_t file, const char* name, std::vector<hsize_t>* shape = nullptr) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return {};
    const hid_t space = H5Dget_space(set);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        values.clear();
    H5Sclose(space);
    H5Dclose(set);
    if (shape != nullptr)
        *shape = extents;
    return values;
}

}  // namespace

class TestTrackingGolden : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordedRun_data() {
        QTest::addColumn<TrackerOptions>("options");
        QTest::newRow("bottomup/tracking") << TrackerOptions();
        QTest::newRow("single_instance/tracking") << TrackerOptions();
        QTest::newRow("topdown/tracking") << TrackerOptions();
        QTest::newRow("synthetic_bottomup/tracking") << TrackerOptions();
        TrackerOptions centroids;
        centroids.feature = Feature::Centroids;
        centroids.scoring = ScoringMethod::EuclideanDistance;
        centroids.candidates = CandidateMethod::LocalQueues;
        centroids.maxTracks = 2;
        QTest::newRow("bottomup/thr005_tracking") << centroids;
        TrackerOptions boxes;
        boxes.feature = Feature::Boxes;
        boxes.scoring = ScoringMethod::Iou;
        boxes.matching = MatchingMethod::Greedy;
        boxes.windowSize = 8;
        QTest::newRow("synthetic_bottomup/tracking_greedy_iou") << boxes;
        TrackerOptions six;
        six.candidates = CandidateMethod::LocalQueues;
        six.maxTracks = 6;
        QTest::newRow("synthetic_bottomup/tracking_max6") << six;
    }
    void recordedRun() {
        SKEIN_NEEDS_REFERENCE(folder);
        QFETCH(TrackerOptions, options);
        const std::filesystem::path path = folder / "golden" / "runs" / (std::string(QTest::currentDataTag()) + ".h5");
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        QVERIFY2(file >= 0, path.c_str());
        const auto frameIndex = readAll(file, "frame_index");
        const auto instanceFrame = readAll(file, "instance_frame");
        std::vector<hsize_t> shape;
        const auto points = readAll(file, "points", &shape);
        const auto scores = readAll(file, "instance_scores");
        const auto trackingScores = readAll(file, "tracking_scores");
        const auto tracks = readAll(file, "track");
        H5Fclose(file);
        QCOMPARE(shape.size(), std::size_t{3});
        QVERIFY(!tracks.empty() && tracks.size() == instanceFrame.size());
        const std::size_t nodes = shape[1];

        const auto tracker = makeTracker(resolveOptions(options, {}).value());
        std::map<int, int> recordedOf;  // tracks agree up to renaming
        std::map<int, int> oursOf;
        std::size_t next = 0;
        for (std::size_t f = 0; f < frameIndex.size(); ++f) {
            const std::size_t first = next;
            std::vector<std::vector<PointD>> frame;
            for (; next < instanceFrame.size() && instanceFrame[next] == static_cast<double>(f); ++next) {
                std::vector<PointD> instance;
                for (std::size_t k = 0; k < nodes; ++k)
                    instance.push_back({points[(next * nodes + k) * 2], points[(next * nodes + k) * 2 + 1]});
                frame.push_back(std::move(instance));
            }
            std::vector<Detection> detections;
            for (std::size_t i = 0; i < frame.size(); ++i)
                detections.push_back({frame[i], scores[first + i], false});
            const auto out = tracker->update(static_cast<std::int64_t>(frameIndex[f]), detections);
            QCOMPARE(out.size(), frame.size());
            for (std::size_t i = 0; i < out.size(); ++i) {
                QCOMPARE(out[i].detection, i);
                const int recorded = static_cast<int>(tracks[first + i]);
                QCOMPARE(recordedOf.try_emplace(out[i].trackId, recorded).first->second, recorded);
                QCOMPARE(oursOf.try_emplace(recorded, out[i].trackId).first->second, out[i].trackId);
                // Recorded in single precision.
                QVERIFY(std::abs(out[i].score - trackingScores[first + i]) <=
                        1e-6 * std::max(1.0, std::abs(out[i].score)));
            }
        }
        QCOMPARE(next, tracks.size());
    }
};

QTEST_APPLESS_MAIN(TestTrackingGolden)
#include "tst_tracking_golden.moc"
