// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/model_cache.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/pipeline/options_json.h"

namespace skein::batch {
namespace {

/// Which files they are, with when they were written, and all options: what a loaded runner depends on.
std::string keyOf(const pipeline::JobSpec& spec) {
    std::string key = pipeline::optionsJson(spec.inference).dump();
    for (const models::ModelSpec& model : spec.models)
        for (const auto& file :
             {model.configFile, model.weightsFile, model.backboneWeightsFile, model.headWeightsFile}) {
            std::error_code ec;
            const auto time = std::filesystem::last_write_time(file, ec);
            key += "\n" + file.string() + " " + std::to_string(ec ? 0 : time.time_since_epoch().count());
        }
    return key;
}

}  // namespace

struct ModelCache::Kept {
    std::string key;
    profile::Profiler idle;  // counts for nobody, while no run has the runner
    std::unique_ptr<inference::InferenceRunner> runner;
    std::set<std::array<int, 3>> warmed;  // shapes of frames
    bool isBroken = false;
};

/// A runner on loan: goes back when it is destroyed.
class ModelCache::Lent final : public inference::InferenceRunner {
public:
    Lent(ModelCache& cache, std::shared_ptr<Kept> kept) : m_cache(cache), m_kept(std::move(kept)) {}
    ~Lent() override {
        m_kept->runner->profileInto(m_kept->idle);
        m_cache.giveBack(m_kept);
    }

    Result<std::unique_ptr<inference::PendingBatch>> submit(std::span<const ImagePtr> images) override {
        return wrapped(m_kept->runner->submit(images));
    }
    Result<std::unique_ptr<inference::PendingBatch>> submitAround(
        std::span<const ImagePtr> images, std::span<const std::vector<inference::CentroidPoint>> centroids) override {
        return wrapped(m_kept->runner->submitAround(images, centroids));
    }
    Result<void> warmUp(int height, int width, int channels) override {
        if (m_kept->warmed.count({height, width, channels}) != 0)
            return {};
        auto warmed = m_kept->runner->warmUp(height, width, channels);
        if (warmed)
            m_kept->warmed.insert({height, width, channels});
        else
            m_kept->isBroken = true;
        return warmed;
    }
    Result<double> secondsFor(int frames, int height, int width, int channels) override {
        return m_kept->runner->secondsFor(frames, height, width, channels);
    }
    void profileInto(profile::Profiler& profiler) override { m_kept->runner->profileInto(profiler); }
    const models::ModelSpec& spec() const override { return m_kept->runner->spec(); }
    const models::PreprocessSpec& preprocess() const override { return m_kept->runner->preprocess(); }
    std::string device() const override { return m_kept->runner->device(); }
    int batchesAtOnce() const override { return m_kept->runner->batchesAtOnce(); }
    std::string warning() const override { return m_kept->runner->warning(); }
    std::string remark() const override { return m_kept->runner->remark(); }

private:
    /// Tells the keeper when fetching fails.
    struct Watched final : inference::PendingBatch {
        Watched(std::unique_ptr<inference::PendingBatch> p, std::shared_ptr<Kept> k)
            : pending(std::move(p)), kept(std::move(k)) {}
        Result<inference::HostBatch> wait() override {
            auto host = pending->wait();
            kept->isBroken = kept->isBroken || !host;
            return host;
        }
        std::unique_ptr<inference::PendingBatch> pending;
        std::shared_ptr<Kept> kept;
    };

    Result<std::unique_ptr<inference::PendingBatch>> wrapped(Result<std::unique_ptr<inference::PendingBatch>> pending) {
        if (!pending) {
            // Too little memory is answered with smaller batches; everything else ends the run.
            m_kept->isBroken = m_kept->isBroken || pending.error().code() != ErrorCode::OutOfMemory;
            return pending;
        }
        return std::unique_ptr<inference::PendingBatch>(std::make_unique<Watched>(std::move(*pending), m_kept));
    }

    ModelCache& m_cache;
    std::shared_ptr<Kept> m_kept;
};

ModelCache::ModelCache(std::size_t most, Loader load) : m_most(most), m_load(std::move(load)) {}
ModelCache::~ModelCache() = default;

Result<std::unique_ptr<inference::InferenceRunner>> ModelCache::lend(const pipeline::JobSpec& spec,
                                                                     profile::Profiler& profiler) {
    const std::string key = keyOf(spec);
    std::shared_ptr<Kept> kept;
    {
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::find_if(m_free.begin(), m_free.end(), [&](const auto& candidate) { return candidate->key == key; });
        if (found != m_free.end()) {
            kept = *found;
            m_free.erase(found);
        }
    }
    if (!kept) {
        kept = std::make_shared<Kept>();
        kept->key = key;
        auto runner = m_load(spec, kept->idle);
        if (!runner && runner.error().code() == ErrorCode::OutOfMemory) {
            clear();
            runner = m_load(spec, kept->idle);
        }
        if (!runner)
            return runner;
        kept->runner = std::move(*runner);
    }
    kept->runner->profileInto(profiler);
    return std::unique_ptr<inference::InferenceRunner>(std::make_unique<Lent>(*this, std::move(kept)));
}

void ModelCache::giveBack(const std::shared_ptr<Kept>& kept) {
    const std::lock_guard lock(m_mutex);
    if (kept->isBroken)
        return;
    m_free.push_front(kept);
    if (m_free.size() > m_most)
        m_free.pop_back();
}

void ModelCache::clear() {
    const std::lock_guard lock(m_mutex);
    m_free.clear();
}

}  // namespace skein::batch
