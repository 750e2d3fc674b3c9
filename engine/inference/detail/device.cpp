// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/device.h"

#include <dlfcn.h>

#include <charconv>
#include <exception>
#include <filesystem>

namespace skein::inference {
namespace {

/// Folder of the library that this code lies in.
std::filesystem::path ownFolder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&cudaSupport), &info) == 0 || info.dli_fname == nullptr)
        return {};
    return std::filesystem::path(info.dli_fname).parent_path();
}

std::string lastLoadError() {
    const char* text = dlerror();
    return text != nullptr ? text : "no reason given";
}

CudaSupport findCuda() {
    // Without a driver nothing else is worth loading.
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr)
        return {nullptr, "no NVIDIA driver was found (libcuda.so.1)"};
    // Registers the CUDA kernels with LibTorch; the libraries it needs are fetched by packaging/setup --cuda.
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr)
        return {nullptr, "LibTorch's CUDA part cannot be loaded: " + lastLoadError()};
    void* library = dlopen((ownFolder() / "libskein-cuda.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return {nullptr, "Skein's CUDA part cannot be loaded: " + lastLoadError()};
    const auto entry = reinterpret_cast<CudaBridge* (*)()>(dlsym(library, "skeinCudaBridge"));
    if (entry == nullptr)
        return {nullptr, "libskein-cuda.so is not Skein's CUDA part"};
    try {
        if (entry()->deviceNames().empty())
            return {nullptr, "the NVIDIA driver reports no device"};
    } catch (const std::exception& e) {
        return {nullptr, std::string("CUDA cannot be started: ") + e.what()};
    }
    return {entry(), ""};
}

}  // namespace

const CudaSupport& cudaSupport() {
    static const CudaSupport support = findCuda();
    return support;
}

Result<at::Device> chooseDevice(const std::string& wanted) {
    if (wanted == "cpu")
        return at::Device(at::kCPU);
    if (wanted == "auto")
        return cudaSupport().bridge != nullptr ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    int number = 0;
    bool known = wanted == "cuda";
    if (wanted.starts_with("cuda:")) {
        const char* end = wanted.data() + wanted.size();
        const auto parsed = std::from_chars(wanted.data() + 5, end, number);
        known = parsed.ec == std::errc() && parsed.ptr == end && number >= 0 && wanted.size() > 5;
    }
    if (!known)
        return fail(ErrorCode::InvalidArgument,
                    "'" + wanted + "' is no device; use auto, cpu, cuda or cuda followed by a number (cuda:0).");
    if (cudaSupport().bridge == nullptr)
        return fail(ErrorCode::Device, "CUDA cannot be used: " + cudaSupport().reason + ".");
    const std::size_t count = cudaSupport().bridge->deviceNames().size();
    if (static_cast<std::size_t>(number) >= count)
        return fail(ErrorCode::Device, "There is no CUDA device " + std::to_string(number) + "; the machine has " +
                                           std::to_string(count) + ".");
    return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(number));
}

Result<at::ScalarType> numbersFor(Precision precision, const at::Device& device) {
    if (precision != Precision::Half)
        return at::kFloat;
    if (device.is_cuda())
        return at::kHalf;
#if defined(__x86_64__)
    // Without these instructions every product is converted to float32 and back: ten times slower than exact numbers.
    if (__builtin_cpu_supports("avx512bf16"))
        return at::kBFloat16;
#endif
    return fail(ErrorCode::Unsupported,
                "This processor does not compute with half precision (bfloat16); use exact numbers, or a GPU.");
}

}  // namespace skein::inference
