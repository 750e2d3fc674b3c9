// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/device.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <string_view>

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

struct CudaDevices {
    std::vector<int> numbers;
    bool isAll = false;
};

/// What a word for CUDA devices names, whether or not they exist.
Result<CudaDevices> namedCudaDevices(const std::string& word) {
    if (word == "auto" || word == "cuda")
        return CudaDevices{{0}, false};
    if (word == "cuda:all")
        return CudaDevices{{}, true};
    constexpr std::string_view kPrefix = "cuda:";
    CudaDevices devices;
    const char* at = word.data() + std::min(word.size(), kPrefix.size());
    const char* const end = word.data() + word.size();
    for (bool more = word.starts_with(kPrefix); more;) {
        int number = 0;
        const auto parsed = std::from_chars(at, end, number);
        const bool isNew = std::find(devices.numbers.begin(), devices.numbers.end(), number) == devices.numbers.end();
        if (parsed.ec != std::errc() || number < 0 || !isNew) {
            devices.numbers.clear();
            break;
        }
        devices.numbers.push_back(number);
        more = parsed.ptr != end && *parsed.ptr == ',';
        if (!more && parsed.ptr != end)
            devices.numbers.clear();
        at = parsed.ptr + 1;
    }
    if (devices.numbers.empty())
        return fail(ErrorCode::InvalidArgument,
                    "'" + word +
                        "' is no device; use auto, cpu, cuda, cuda followed by a number (cuda:0) or by several "
                        "(cuda:0,1), or cuda:all.");
    return devices;
}

}  // namespace

const CudaSupport& cudaSupport() {
    static const CudaSupport support = findCuda();
    return support;
}

Result<std::vector<at::Device>> chooseDevices(const std::string& wanted) {
    const std::vector<at::Device> cpu = {at::Device(at::kCPU)};
    if (wanted == "cpu" || (wanted == "auto" && cudaSupport().bridge == nullptr))
        return cpu;
    const auto named = namedCudaDevices(wanted);
    if (!named)
        return fail(named.error());
    if (cudaSupport().bridge == nullptr)
        return fail(ErrorCode::Device, "CUDA cannot be used: " + cudaSupport().reason + ".");
    const int count = static_cast<int>(cudaSupport().bridge->deviceNames().size());
    std::vector<int> numbers = named->numbers;
    for (int i = 0; named->isAll && i < count; ++i)
        numbers.push_back(i);
    std::vector<at::Device> devices;
    for (const int number : numbers) {
        if (number >= count)
            return fail(ErrorCode::Device, "There is no CUDA device " + std::to_string(number) + "; the machine has " +
                                               std::to_string(count) + ".");
        devices.emplace_back(at::kCUDA, static_cast<c10::DeviceIndex>(number));
    }
    return devices;
}

at::ScalarType numbersFor(Precision precision, const at::Device& device) {
    if (precision != Precision::Half)
        return at::kFloat;
    if (device.is_cuda())
        return at::kHalf;
#if defined(__x86_64__)
    // Without these instructions every product is converted to float32 and back: ten times slower than exact numbers.
    if (__builtin_cpu_supports("avx512bf16"))
        return at::kBFloat16;
#endif
    return at::kFloat;
}

}  // namespace skein::inference
