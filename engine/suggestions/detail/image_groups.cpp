// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <random>

#include "engine/suggestions/detail/cluster.h"
#include "engine/suggestions/detail/features.h"
#include "engine/suggestions/detail/rules.h"

namespace skein::suggestions::detail {

namespace {

/// Grey pictures kept at once. Larger sets are reduced further: what the first components of a whole picture tell, a
/// smaller one tells too.
constexpr double kMostPixels = 64.0 * 1024 * 1024;
constexpr std::size_t kWords = 20;  // of the visual vocabulary

struct SampledFrame {
    std::size_t task;
    std::int64_t frame;
};

struct Sampled {
    std::vector<SampledFrame> frames;
    std::vector<Gray> pictures;
};

Result<void> readPictures(const std::vector<VideoTask>& tasks, const ImageFeatures& method, std::size_t first,
                          std::size_t count, Sampled& out) {
    std::int64_t total = 0, done = 0;
    std::vector<std::vector<std::int64_t>> picked;
    for (std::size_t t = first; t < first + count; ++t) {
        const VideoTask& task = tasks[t];
        picked.push_back(pick(task.span.last - task.span.first + 1, method.samplesPerVideo, method.sampling,
                              method.seed + task.video));
        total += static_cast<std::int64_t>(picked.back().size());
    }
    for (std::size_t t = first; t < first + count; ++t) {
        const VideoTask& task = tasks[t];
        auto source = task.around.open(task.video);
        if (!source)
            return fail(std::move(source.error()));
        const double pixels = double((*source)->width()) * double((*source)->height()) * double(total);
        const double scale =
            std::min(std::clamp(method.scale, 0.01, 1.0), std::sqrt(kMostPixels / std::max(1.0, pixels)));
        for (const std::int64_t offset : picked[t - first]) {
            if (task.around.stop.stop_requested())
                return fail(ErrorCode::Cancelled, "Looking for frames was stopped.");
            const std::int64_t frame = task.span.first + offset;
            const auto image = (*source)->read(frame, (*source)->engineFormat(), task.around.stop);
            if (image) {
                out.frames.push_back({t, frame});
                out.pictures.push_back(reduced(**image, scale));
            } else if (image.error().code() == ErrorCode::Cancelled) {
                return fail(image.error());
            }  // a damaged frame is not worth suggesting
            ++done;
            if (task.around.progress)
                task.around.progress((double(first) + double(count) * double(done) / double(total)) /
                                     double(tasks.size()));
        }
    }
    return {};
}

/// Inner product of two pictures laid into the same corner; where one ends the other meets zeros.
double product(const Gray& a, const Gray& b) {
    std::uint64_t sum = 0;
    for (int y = 0; y < std::min(a.height, b.height); ++y) {
        const std::uint8_t* p = a.pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width);
        const std::uint8_t* q = b.pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(b.width);
        std::uint32_t line = 0;  // 65535 pixels of 255 x 255 fit
        for (int x = 0; x < std::min({a.width, b.width, 65535}); ++x)
            line += static_cast<std::uint32_t>(p[x]) * q[x];
        sum += line;
    }
    return static_cast<double>(sum);
}

double product(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        sum += double(a[i]) * double(b[i]);
    return sum;
}

/// How often each word of a vocabulary made from all pictures' corners occurs in each picture.
std::vector<std::vector<float>> wordCounts(const std::vector<Gray>& pictures, std::mt19937_64& random) {
    Table bits{0, 256, {}};
    std::vector<std::size_t> owner;
    for (std::size_t p = 0; p < pictures.size(); ++p)
        for (const BinaryDescriptor& descriptor : cornerDescriptors(pictures[p])) {
            for (std::size_t i = 0; i < 256; ++i)
                bits.values.push_back((descriptor[i / 8] >> (i % 8)) & 1U);
            owner.push_back(p);
            ++bits.rows;
        }
    std::vector<std::vector<float>> counts(pictures.size(), std::vector<float>(kWords, 0));
    const std::vector<std::size_t> words = kMeans(bits, kWords, random);
    for (std::size_t d = 0; d < words.size(); ++d)
        counts[owner[d]][words[d]] += 1;
    return counts;
}

Table features(const Sampled& sampled, const ImageFeatures& method, std::mt19937_64& random) {
    const std::size_t rows = sampled.pictures.size();
    const auto components = static_cast<std::size_t>(std::max(1, method.components));
    if (method.feature == ImageFeatures::Feature::Raw)
        return principalScores(rows, components, [&](std::size_t a, std::size_t b) {
            return product(sampled.pictures[a], sampled.pictures[b]);
        });
    std::vector<std::vector<float>> vectors;
    if (method.feature == ImageFeatures::Feature::Hog)
        for (const Gray& picture : sampled.pictures)
            vectors.push_back(orientationHistograms(picture));
    else
        vectors = wordCounts(sampled.pictures, random);
    return principalScores(rows, components,
                           [&](std::size_t a, std::size_t b) { return product(vectors[a], vectors[b]); });
}

}  // namespace

Result<Found> imageGroups(const std::vector<VideoTask>& tasks, const ImageFeatures& method) {
    Found found;
    std::mt19937_64 random(method.seed);
    const std::size_t atOnce = method.acrossVideos ? std::max<std::size_t>(1, tasks.size()) : 1;
    for (std::size_t first = 0; first < tasks.size(); first += atOnce) {
        Sampled sampled;
        if (auto read = readPictures(tasks, method, first, std::min(atOnce, tasks.size() - first), sampled); !read)
            return fail(std::move(read.error()));
        if (sampled.frames.empty())
            continue;
        const Table scores = features(sampled, method, random);
        const std::vector<std::size_t> cluster =
            kMeans(scores, static_cast<std::size_t>(std::max(1, method.clusters)), random);
        const std::int64_t groupsBefore =
            method.acrossVideos ? 0 : static_cast<std::int64_t>(tasks[first].video) * std::max(1, method.clusters);
        for (std::size_t k = 0; k < static_cast<std::size_t>(std::max(1, method.clusters)); ++k) {
            std::vector<std::size_t> members;
            for (std::size_t i = 0; i < cluster.size(); ++i)
                if (cluster[i] == k)
                    members.push_back(i);
            // Which of a cluster is taken is left to chance, as the middle ones look all alike.
            for (int n = 0; n < method.perCluster && !members.empty(); ++n) {
                const std::size_t at = drawn(random, members.size());
                const SampledFrame& frame = sampled.frames[members[at]];
                found.push_back({tasks[frame.task].video, frame.frame, groupsBefore + static_cast<std::int64_t>(k),
                                 "cluster " + std::to_string(k + 1)});
                members.erase(members.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Suggested& a, const Suggested& b) {
        return std::pair(a.video, a.frame) < std::pair(b.video, b.frame);
    });
    return found;
}

}  // namespace skein::suggestions::detail
