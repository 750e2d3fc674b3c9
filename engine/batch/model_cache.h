// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"

namespace skein::batch {

/// Keeps models on the device from one run to the next. Thread-safe; what it lends must not outlive it.
class ModelCache {
public:
    using Loader = std::function<Result<std::unique_ptr<inference::InferenceRunner>>(const pipeline::JobSpec&,
                                                                                     profile::Profiler&)>;
    /// `most`: sets of models that stay. `load`: how one is loaded (pipeline::loadWithBackend).
    explicit ModelCache(std::size_t most, Loader load);
    ~ModelCache();
    ModelCache(const ModelCache&) = delete;
    ModelCache& operator=(const ModelCache&) = delete;

    /// The models of the spec with its options, loaded or kept from before; for JobSpec::makeRunner. Where memory is
    /// short, those that are not in use go first. A runner on which something failed is not used again.
    /// Errors: those of the loader.
    [[nodiscard]] Result<std::unique_ptr<inference::InferenceRunner>> lend(const pipeline::JobSpec& spec,
                                                                           profile::Profiler& profiler);
    /// Frees what is not in use.
    void clear();

private:
    class Lent;
    struct Kept;
    void giveBack(const std::shared_ptr<Kept>& kept);

    std::size_t m_most;
    Loader m_load;
    std::mutex m_mutex;
    std::list<std::shared_ptr<Kept>> m_free;  // the one used last is first
};

}  // namespace skein::batch
