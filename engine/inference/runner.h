// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/map_probe.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"
#include "engine/profile/profiler.h"

// The border between Skein and LibTorch: nothing here names a tensor. The implementation lies in a library of its own
// (libskein-torch.so), opened when the first model is wanted, since LibTorch takes a moment and 100 MB to load.
namespace skein::inference {

/// A batch on its way through the device.
class PendingBatch {
public:
    virtual ~PendingBatch() = default;
    /// Waits for the batch's packed copy. Called once, on the runner's thread. If a frame held more peaks than there
    /// were slots, the batch is computed again with more slots: results never lose a peak.
    [[nodiscard]] virtual Result<HostBatch> wait() = 0;
};

/// A model with its weights on a device. Thread-compatible: one thread calls submit() and wait().
class InferenceRunner {
public:
    virtual ~InferenceRunner() = default;

    /// Starts one batch: one upload of the pixels, preprocessing, network, peaks and line scores on the device, one
    /// packed copy back. All images have the same size and channel count (1 or 3, uint8) and stay alive until wait().
    /// On a GPU this returns as soon as the work is queued, so that batch n+1 can be submitted before wait() on n.
    /// Errors: OutOfMemory (try fewer images), Device, Model (channel count does not fit).
    [[nodiscard]] virtual Result<std::unique_ptr<PendingBatch>> submit(std::span<const ImagePtr> images) = 0;

    /// The same for a centered-instance model without a centroid model (see needsCentroids()): looks around these
    /// places, one list for each image, in image pixels. They travel in the same upload. Other runners refuse.
    [[nodiscard]] virtual Result<std::unique_ptr<PendingBatch>> submitAround(
        std::span<const ImagePtr> images, std::span<const std::vector<CentroidPoint>> centroids) {
        (void)images;
        (void)centroids;
        return fail(ErrorCode::Internal, "These models find instances by themselves.");
    }

    /// One forward pass on black frames of this size, so that kernels are chosen and buffers exist before the clock
    /// runs.
    [[nodiscard]] virtual Result<void> warmUp(int height, int width, int channels) = 0;
    /// Seconds that a batch of `frames` black frames takes, from the first byte to the packed result. Leaves no trace
    /// in the profile. Errors: as submit().
    [[nodiscard]] virtual Result<double> secondsFor(int frames, int height, int width, int channels) = 0;

    /// From now on what a batch costs is counted here: a runner that serves one run after another. Between batches.
    virtual void profileInto(profile::Profiler& profiler) { (void)profiler; }

    /// Of the run's last model, whose instances come out.
    [[nodiscard]] virtual const models::ModelSpec& spec() const = 0;
    /// Preprocessing of frames in force after the overrides of the options.
    [[nodiscard]] virtual const models::PreprocessSpec& preprocess() const = 0;
    /// "cpu" or "cuda:0"; several of them: "cuda:0, cuda:1".
    [[nodiscard]] virtual std::string device() const = 0;
    /// How many batches to have submitted before the first of them is waited for beside the one that is being made
    /// ready: as many as there are devices.
    [[nodiscard]] virtual int batchesAtOnce() const { return 1; }
    /// What of the options could not be done here and how it is done instead, as a sentence for the person; empty when
    /// all of it can.
    [[nodiscard]] virtual std::string warning() const { return {}; }
    /// A sentence for the log on how batches were computed; empty where there is nothing to say.
    [[nodiscard]] virtual std::string remark() const { return {}; }
};

/// What can compute here.
struct DeviceInfo {
    std::string torchVersion;
    std::vector<std::string> devices;  ///< "cpu", then "cuda:N (name, memory)"
    std::string cudaReason;            ///< why CUDA is not used, one sentence; empty when it is
};

/// The opened LibTorch library. Thread-safe.
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual DeviceInfo devices() = 0;
    /// Reads the weights of `specs` (one model, or a centroid and a centered-instance model in either order) onto the
    /// device, or onto each where options.device names several, which then take turns.
    /// Errors name the file and, for weights, the key that is missing, surplus or misshapen.
    [[nodiscard]] virtual Result<std::unique_ptr<InferenceRunner>> loadRunner(
        const std::vector<models::ModelSpec>& specs, const InferenceOptions& options, profile::Profiler& profiler) = 0;
    /// The same models for looking at their maps, one frame at a time. Errors: as loadRunner().
    [[nodiscard]] virtual Result<std::unique_ptr<MapProbe>> loadProbe(const std::vector<models::ModelSpec>& specs,
                                                                      const InferenceOptions& options) = 0;
};

/// Raised when functions are added to the classes above or the packed layout changes.
inline constexpr std::uint64_t kBackendVersion = 5;
/// Changes with the layout of what crosses the border, so that a library of another version is refused instead of
/// misread.
inline constexpr std::uint64_t kBackendStamp =
    (kBackendVersion << 56U) ^
    (sizeof(InferenceOptions) + (std::uint64_t{sizeof(models::ModelSpec)} << 16U) +
     (std::uint64_t{sizeof(HostBatch)} << 32U) + (std::uint64_t{sizeof(profile::Profiler)} << 44U));

/// Opens the LibTorch library once per process; later calls return the same object. Takes up to a second the first
/// time. Errors: Device, with the dynamic linker's sentence, when it cannot be loaded.
[[nodiscard]] Result<Backend*> openBackend();
/// Whether it has been opened.
[[nodiscard]] bool isBackendOpen();

}  // namespace skein::inference
