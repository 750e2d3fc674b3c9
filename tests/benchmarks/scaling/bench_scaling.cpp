// SPDX-License-Identifier: GPL-3.0-or-later
// How costs grow: one table for each thing that may become many.
//   bench_scaling [--quick] [TABLE...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/slp.h"
#include "engine/inference/grouping.h"
#include "engine/pipeline/compose_labels.h"
#include "engine/pipeline/job.h"
#include "engine/tracking/tracker.h"
#include "tests/benchmarks/bench_models.h"
#include "tests/benchmarks/scaling/made_runner.h"
#include "tests/benchmarks/scaling/table.h"
#include "tests/support/big_project.h"
#include "tests/support/fake_video.h"
#include "tests/support/walking_animals.h"

using namespace skein;
using namespace skein::bench;

namespace {

constexpr int kAnimals = 5, kNodes = 13, kBatch = 8;

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a run costs beside its network.
struct HostCost {
    double wall = 0;                          ///< seconds, of the whole run
    double match = 0, finish = 0, track = 0;  ///< ms a frame, on one core
    double write = 0;                         ///< ms a frame: composing the project and saving it
    [[nodiscard]] double all() const { return match + finish + track + write; }
};

/// A tracked run over frames in which these animals are found, by a device that takes no time.
HostCost hostRun(int frames, int animals, int nodes) {
    pipeline::JobSpec spec;
    spec.models = {test::treeModel(nodes)};
    pipeline::JobSource source{0, std::make_shared<test::FakeVideo>(frames),
                               std::vector<std::int64_t>(static_cast<std::size_t>(frames)), "made up"};
    std::iota(source.frames.begin(), source.frames.end(), 0);
    spec.sources.push_back(std::move(source));
    spec.inference.batchSize = kBatch;
    spec.tracking = orThrow(tracking::resolveOptions({}, tracking::factsOf({spec.models[0].skeleton})));
    auto walk = test::walkAndBack(animals, nodes, 25 * kBatch);
    spec.makeRunner = [&](const pipeline::JobSpec& job,
                          profile::Profiler&) -> Result<std::unique_ptr<inference::InferenceRunner>> {
        return std::unique_ptr<inference::InferenceRunner>(new MadeRunner(job.models[0], std::move(walk), kBatch));
    };
    HostCost cost;
    const auto begin = Clock::now();
    const auto job = orThrow(pipeline::Job::start(std::move(spec)));
    const auto outcome = job->wait();
    if (outcome.error)
        throw std::runtime_error(outcome.error->describe());
    cost.wall = secondsSince(begin);
    const auto progress = job->progress();
    const auto perFrame = [&](profile::Stage stage) {
        return progress->profile.stages[static_cast<std::size_t>(stage)].totalMs / frames;
    };
    cost.match = perFrame(profile::Stage::PafScorer);
    cost.finish = perFrame(profile::Stage::Postprocess);
    cost.track = perFrame(profile::Stage::TrackerTrack);
    const ScratchFolder scratch;
    project::Video video;
    video.filename = "made_up.mp4";
    video.frameCount = frames;
    const auto saving = Clock::now();
    const project::Labels labels =
        pipeline::composeLabels({video}, test::treeModel(nodes).skeleton, job->takeResults(), progress->trackNames);
    if (const auto written = formats::writeSlp(labels, scratch.path() / "out.slp"); !written)
        throw std::runtime_error(written.error().describe());
    cost.write = 1000 * secondsSince(saving) / frames;
    return cost;
}

void byFrames(bool quick) {
    ScalingTable table("Frames: a tracked run beside its network, 5 animals of 13 nodes", "frames",
                       {"run s", "matching ms/fr", "tracking ms/fr", "writing ms/fr"});
    for (int frames = 1000; frames <= (quick ? 8000 : 64'000); frames *= 2) {
        const HostCost cost = hostRun(frames, kAnimals, kNodes);
        table.row(frames, {cost.wall, cost.match + cost.finish, cost.track, cost.write});
    }
    table.finish();
}

void byAnimals(bool quick) {
    ScalingTable table("Animals: the host's work on a frame, 20 nodes each", "animals",
                       {"matching ms/fr", "tracking ms/fr", "writing ms/fr", "all ms/fr"});
    for (const int animals : {2, 5, 10, 20, 50}) {
        const HostCost cost = hostRun(quick ? 200 : 1000, animals, 20);
        table.row(animals, {cost.match + cost.finish, cost.track, cost.write, cost.all()});
    }
    table.finish();
}

void byNodes(bool quick) {
    ScalingTable table("Nodes: the host's work on a frame, 5 animals", "nodes",
                       {"matching ms/fr", "tracking ms/fr", "writing ms/fr", "all ms/fr"});
    for (const int nodes : {5, 10, 20, 40, 80}) {
        const HostCost cost = hostRun(quick ? 400 : 2000, kAnimals, nodes);
        table.row(nodes, {cost.match + cost.finish, cost.track, cost.write, cost.all()});
    }
    table.finish();
}

/// The sample's frame repeated over a larger one, so that animals grow with the picture.
ImagePtr tiled(const Image& tile, int side) {
    auto image = std::make_shared<Image>();
    image->width = image->height = side;
    image->channels = tile.channels;
    image->pixels.resize(image->rowBytes() * static_cast<std::size_t>(side));
    for (int y = 0; y < side; ++y)
        for (std::size_t x = 0; x < image->rowBytes(); ++x)
            image->pixels[static_cast<std::size_t>(y) * image->rowBytes() + x] =
                tile.pixels[static_cast<std::size_t>(y % tile.height) * tile.rowBytes() + x % tile.rowBytes()];
    return image;
}

void byImageSize(bool quick) {
    inference::Backend& backend = *orThrow(inference::openBackend());
    const BenchModel model = trainedModels().front();
    const ImagePtr tile = framesInMemory(model.video, 1).front();
    inference::InferenceOptions options;
    options.batchSize = 4;
    profile::Profiler profiler;
    const auto runner = orThrow(backend.loadRunner(model.specs(), options, profiler));
    const std::string title =
        "Image size: the sample model from frames in memory to instances, batch 4, on " + runner->device();
    ScalingTable table(title.c_str(), "pixels", {"ms/fr", "ns/pixel"});
    const auto grouper = orThrow(inference::Grouper::create(runner->spec(), options));
    for (const int side : {192, 384, 768, 1152, 1536}) {
        if (quick && side > 768)
            break;
        const std::vector<ImagePtr> batch(4, tiled(*tile, side));
        double best = 0;
        for (int i = 0; i < (quick ? 3 : 10); ++i) {
            const auto begin = Clock::now();
            const auto pending = orThrow(runner->submit(batch));
            (void)grouper.group(orThrow(pending->wait()), profiler);
            const double ms = 1000 * secondsSince(begin) / static_cast<double>(batch.size());
            best = i == 0 ? ms : std::min(best, ms);
        }
        const double pixels = static_cast<double>(side) * side;
        table.row(pixels, {best, 1e6 * best / pixels});
    }
    table.finish();
}

std::unique_ptr<tracking::Tracker> trackerOf(tracking::CandidateMethod candidates) {
    tracking::TrackerOptions options;
    options.candidates = candidates;
    return tracking::makeTracker(orThrow(tracking::resolveOptions(options, {})));
}

/// Milliseconds that the tracker takes for one frame.
double trackFrame(tracking::Tracker& tracker, std::int64_t frame,
                  const std::vector<std::vector<tracking::PointD>>& animals) {
    std::vector<tracking::Detection> detections;
    for (const auto& points : animals)
        detections.push_back({points, 0.9, false});
    const auto begin = Clock::now();
    (void)tracker.update(frame, detections);
    return 1000 * secondsSince(begin);
}

void byTracks(bool quick) {
    ScalingTable table("Tracks: tracking 5 animals after so many tracks have been", "tracks",
                       {"window ms/fr", "queues ms/fr"});
    for (const int tracks : {10, 30, 100, 300}) {
        std::vector<double> costs;
        for (const auto method : {tracking::CandidateMethod::FixedWindow, tracking::CandidateMethod::LocalQueues}) {
            const auto tracker = trackerOf(method);
            (void)trackFrame(*tracker, 0, test::WalkingAnimals(tracks, kNodes, 3).next());
            test::WalkingAnimals walk(kAnimals, kNodes, 7);
            const int frames = quick ? 50 : 500;
            double sum = 0;
            for (int f = 1; f <= 2 * frames; ++f) {
                const double ms = trackFrame(*tracker, f, walk.next());
                sum += f > frames ? ms : 0;
            }
            costs.push_back(sum / frames);
        }
        table.row(tracks, costs);
    }
    table.finish();
}

/// Not a fit: the cost at a video's end beside that at its beginning.
void byLength(bool quick) {
    const int frames = quick ? 10'000 : 100'000, tenth = frames / 10;
    std::printf("\nLength: tracking 5 animals through %d frames, median ms a frame\n%12s %16s %16s %8s\n", frames,
                "candidates", "first tenth", "last tenth", "ratio");
    for (const auto& [method, name] : {std::pair{tracking::CandidateMethod::FixedWindow, "window"},
                                       {tracking::CandidateMethod::LocalQueues, "queues"}}) {
        const auto tracker = trackerOf(method);
        test::WalkingAnimals walk(kAnimals, kNodes, 7);
        std::vector<double> first, last;
        for (int f = 0; f < frames; ++f) {
            const double ms = trackFrame(*tracker, f, walk.next());
            if (f < tenth)
                first.push_back(ms);
            else if (f >= frames - tenth)
                last.push_back(ms);
        }
        // Medians: one moment in which another program has the core must not look like growth.
        const auto median = [](std::vector<double>& times) {
            const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
            std::nth_element(times.begin(), middle, times.end());
            return *middle;
        };
        const double early = median(first), late = median(last);
        std::printf("%12s %16.4f %16.4f %8.2f\n", name, early, late, late / early);
        std::fflush(stdout);
    }
}

void byProject(bool quick) {
    ScalingTable table("Project: labels files of instances with 13 nodes", "instances",
                       {"write s", "read s", "write us/inst", "read us/inst"});
    const ScratchFolder scratch;
    for (const int instances : {10'000, 30'000, 100'000, 300'000}) {
        if (quick && instances > 100'000)
            break;
        test::BigProject spec;
        spec.animals = 10;
        spec.frames = instances / spec.animals;
        spec.nodes = kNodes;
        const project::Labels labels = test::makeBigProject(spec);
        const auto path = scratch.path() / "project.slp";
        const auto writing = Clock::now();
        if (const auto written = formats::writeSlp(labels, path); !written)
            throw std::runtime_error(written.error().describe());
        const double write = secondsSince(writing);
        const auto reading = Clock::now();
        (void)orThrow(formats::readSlp(path));
        const double read = secondsSince(reading);
        table.row(instances, {write, read, 1e6 * write / instances, 1e6 * read / instances});
    }
    table.finish();
}

const std::vector<std::pair<std::string, std::function<void(bool)>>> kTables = {
    {"frames", byFrames}, {"animals", byAnimals}, {"nodes", byNodes},     {"images", byImageSize},
    {"tracks", byTracks}, {"length", byLength},   {"project", byProject},
};

int usage() {
    std::fprintf(stderr, "Usage: bench_scaling [--quick] [TABLE...]\nTables:");
    for (const auto& [name, make] : kTables)
        std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    bool quick = false;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--quick")
            quick = true;
        else if (std::any_of(kTables.begin(), kTables.end(),
                             [&](const auto& table) { return table.first == argument; }))
            wanted.push_back(argument);
        else
            return usage();
    }
    try {
        for (const auto& [name, make] : kTables)
            if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
                make(quick);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_scaling: %s\n", e.what());
        return 1;
    }
    return 0;
}
