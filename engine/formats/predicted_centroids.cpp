// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/predicted_centroids.h"

#include <limits>
#include <vector>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/tables.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace {

template <class T>
Result<void> writeColumn(hid_t group, const char* name, hid_t type, const std::vector<T>& values) {
    SKEIN_TRY(table, h5::createTable(group, name, type, values.size()));
    if (values.empty())
        return {};
    return h5::writeRows(table, type, 0, values.size(), values.data());
}

Result<void> writeGroup(hid_t file, std::span<const PredictedCentroid> centroids, const std::string& source) {
    SKEIN_TRY(group, h5::createGroup(file, "centroids"));
    const std::size_t count = centroids.size();
    std::vector<double> x, y;
    std::vector<std::int32_t> video;
    std::vector<std::int64_t> frame;
    std::vector<float> score;
    for (const PredictedCentroid& c : centroids) {
        x.push_back(c.x);
        y.push_back(c.y);
        video.push_back(static_cast<std::int32_t>(c.video));
        frame.push_back(c.frameIndex);
        score.push_back(c.score);
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    SKEIN_CHECK(writeColumn(group.get(), "x", H5T_NATIVE_DOUBLE, x));
    SKEIN_CHECK(writeColumn(group.get(), "y", H5T_NATIVE_DOUBLE, y));
    SKEIN_CHECK(writeColumn(group.get(), "z", H5T_NATIVE_DOUBLE, std::vector<double>(count, nan)));
    SKEIN_CHECK(writeColumn(group.get(), "video", H5T_NATIVE_INT32, video));
    SKEIN_CHECK(writeColumn(group.get(), "frame_idx", H5T_NATIVE_INT64, frame));
    SKEIN_CHECK(writeColumn(group.get(), "track", H5T_NATIVE_INT32, std::vector<std::int32_t>(count, -1)));
    SKEIN_CHECK(writeColumn(group.get(), "instance", H5T_NATIVE_INT32, std::vector<std::int32_t>(count, -1)));
    SKEIN_CHECK(writeColumn(group.get(), "is_predicted", H5T_NATIVE_UINT8, std::vector<std::uint8_t>(count, 1)));
    SKEIN_CHECK(writeColumn(group.get(), "score", H5T_NATIVE_FLOAT, score));
    SKEIN_CHECK(writeColumn(group.get(), "tracking_score", H5T_NATIVE_FLOAT,
                            std::vector<float>(count, std::numeric_limits<float>::quiet_NaN())));
    SKEIN_CHECK(h5::writeStrings(group.get(), "category", std::vector<std::string>(count)));
    SKEIN_CHECK(h5::writeStrings(group.get(), "name", std::vector<std::string>(count)));
    return h5::writeStrings(group.get(), "source", std::vector<std::string>(count, source));
}

}  // namespace

Result<void> attachCentroids(project::Labels& labels, std::span<const PredictedCentroid> centroids,
                             const std::string& source) {
    SKEIN_EXPECTS(labels.origin().path.empty(), "centroids are attached to new projects");
    const h5::Session session;
    // As if the project had been read from a file that holds them: the writer then carries them over.
    SKEIN_TRY(file, h5::createMemoryFile());
    for (const slp::TableLayout* layout :
         {&slp::framesLayout(), &slp::instancesLayout(), &slp::pointsLayout(), &slp::predictedPointsLayout()}) {
        SKEIN_TRY(table, slp::TableWriter::create(file.get(), *layout, 0));
        SKEIN_CHECK(table.finish());
    }
    SKEIN_CHECK(writeGroup(file.get(), centroids, source));
    std::int32_t row = 0;
    for (project::Video& video : labels.editVideos())
        video.originRow = row++;
    std::vector<std::string> warnings;
    SKEIN_TRY(carried, slp::Carried::gather(file.get(), 0, labels, warnings));
    file.abandon();
    project::FileOrigin origin;
    origin.carried = carried;
    labels.setOrigin(std::move(origin));
    return {};
}

}  // namespace skein::formats
