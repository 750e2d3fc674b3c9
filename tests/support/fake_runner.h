// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "engine/inference/runner.h"

namespace skein::test {

/// A bottom-up model of two nodes and one edge whose answer tells which picture it saw: one instance with node A at
/// (pixel value, 1) and node B at (pixel value, 2). Blank pictures (value 0) hold nothing.
inline models::ModelSpec fakeModel() {
    models::ModelSpec spec;
    spec.type = models::ModelType::BottomUp;
    spec.skeleton.name = "fake";
    spec.skeleton.nodes = spec.partNames = {"A", "B"};
    spec.skeleton.edges = spec.pafEdges = {{0, 1}};
    spec.heads = {{.kind = models::HeadKind::MultiInstanceConfmaps, .channels = 2, .outputStride = 1},
                  {.kind = models::HeadKind::PartAffinityFields, .channels = 2, .outputStride = 1}};
    return spec;
}

/// What a test may make go wrong or slow.
struct FakeBehaviour {
    std::chrono::milliseconds perBatch{0};
    std::atomic<int> batches{0};
    std::atomic<int> largestBatch{0};
    /// Batches from this number on wait until it is raised: however busy the machine is, a test can act in the middle
    /// of a run.
    std::atomic<int> heldFrom{std::numeric_limits<int>::max()};
    void release() { heldFrom = std::numeric_limits<int>::max(); }
    /// So many more batches come out; the one behind them waits on the device, after which nothing follows.
    void holdAfter(int batchesDone) { heldFrom = batches + batchesDone + 1; }
    int failAtBatch = -1;          ///< submit() of this batch fails
    int failWaitAtBatch = -1;      ///< wait() of this batch fails
    std::size_t memoryFrames = 0;  ///< more images than this are out of memory; 0: no limit
    bool throwing = false;         ///< submit() throws
    /// What secondsFor() tells of a batch, and the batches that it was asked for.
    std::function<double(int)> secondsFor = [](int frames) { return 0.001 * frames; };
    std::vector<int> timedBatches;
};

class FakeRunner : public inference::InferenceRunner {
public:
    FakeRunner(std::shared_ptr<FakeBehaviour> behaviour, profile::Profiler& profiler)
        : m_behaviour(std::move(behaviour)), m_profiler(profiler) {}

    [[nodiscard]] Result<std::unique_ptr<inference::PendingBatch>> submit(std::span<const ImagePtr> images) override {
        const int number = m_behaviour->batches++;
        m_behaviour->largestBatch = std::max(m_behaviour->largestBatch.load(), static_cast<int>(images.size()));
        while (number >= m_behaviour->heldFrom)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (m_behaviour->throwing)
            throw std::runtime_error("thrown by the device");
        if (m_behaviour->memoryFrames != 0 && images.size() > m_behaviour->memoryFrames)
            return fail(ErrorCode::OutOfMemory, "Out of memory.");
        if (number == m_behaviour->failAtBatch)
            return fail(ErrorCode::Device, "The device fell off.");
        std::this_thread::sleep_for(m_behaviour->perBatch);
        inference::HostBatch host;
        host.frames = static_cast<int>(images.size());
        host.nodes = 2;
        host.edges = 1;
        host.slots = 1;
        const auto word = [](std::int32_t value) {
            float bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            return bits;
        };
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const ImagePtr& image : images)
            host.packed.insert(host.packed.end(), 2, word(image->pixels[0] == 0 ? 0 : 1));
        for (const ImagePtr& image : images)
            for (int node = 0; node < 2; ++node) {
                const bool found = image->pixels[0] != 0;
                host.packed.push_back(found ? static_cast<float>(image->pixels[0]) : nan);
                host.packed.push_back(found ? static_cast<float>(node + 1) : nan);
                host.packed.push_back(found ? 0.9F : nan);
            }
        for (const ImagePtr& image : images)
            host.packed.push_back(image->pixels[0] != 0 ? 0.8F : nan);
        host.effScale.assign(images.size(), 1.0F);
        m_profiler.countCopyToDevice(1);
        m_profiler.countCopyToHost(host.packed.size() * sizeof(float));
        return std::unique_ptr<inference::PendingBatch>(
            new Pending(std::move(host), number == m_behaviour->failWaitAtBatch));
    }
    [[nodiscard]] Result<void> warmUp(int, int, int) override { return {}; }
    /// As long as the behaviour says, if the memory suffices.
    [[nodiscard]] Result<double> secondsFor(int frames, int, int, int) override {
        m_behaviour->timedBatches.push_back(frames);
        if (m_behaviour->memoryFrames != 0 && static_cast<std::size_t>(frames) > m_behaviour->memoryFrames)
            return fail(ErrorCode::OutOfMemory, "Out of memory.");
        return m_behaviour->secondsFor(frames);
    }
    [[nodiscard]] const models::ModelSpec& spec() const override { return m_spec; }
    [[nodiscard]] const models::PreprocessSpec& preprocess() const override { return m_spec.preprocess; }
    [[nodiscard]] std::string device() const override { return "fake"; }

private:
    class Pending : public inference::PendingBatch {
    public:
        Pending(inference::HostBatch host, bool fails) : m_host(std::move(host)), m_fails(fails) {}
        [[nodiscard]] Result<inference::HostBatch> wait() override {
            if (m_fails)
                return fail(ErrorCode::Device, "The download failed.");
            return std::move(m_host);
        }

    private:
        inference::HostBatch m_host;
        bool m_fails;
    };

    std::shared_ptr<FakeBehaviour> m_behaviour;
    profile::Profiler& m_profiler;
    models::ModelSpec m_spec = fakeModel();
};

}  // namespace skein::test
