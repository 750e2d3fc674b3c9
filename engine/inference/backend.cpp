// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "engine/inference/runner.h"

namespace skein::inference {
namespace {

constexpr const char* kLibrary = "libskein-torch.so";
constexpr const char* kEntry = "skeinTorchBackend";
std::atomic<bool> isOpen{false};

/// Where the library may lie: beside the build's or the package's programs, else wherever the dynamic linker looks.
std::vector<std::string> candidates() {
    std::vector<std::string> result;
    std::error_code ec;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ec);
    if (!ec)
        for (const char* place : {"../lib", "../lib/skein", "."}) {
            const std::filesystem::path path = (program.parent_path() / place / kLibrary).lexically_normal();
            if (std::filesystem::exists(path, ec))
                result.push_back(path.string());
        }
    result.emplace_back(kLibrary);
    return result;
}

Result<Backend*> load() {
    std::optional<std::string> reason;
    for (const std::string& candidate : candidates()) {
        // Lazily: most of the functions that LibTorch calls across libraries are never reached.
        void* library = dlopen(candidate.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (library == nullptr) {
            // The first place is where it should be: its reason is the one that helps.
            if (const char* text = dlerror(); !reason && text != nullptr)
                reason = text;
            continue;
        }
        isOpen = true;
        // A function found by name cannot be reached without this conversion.
        const auto entry = reinterpret_cast<Backend* (*)(std::uint64_t)>(dlsym(library, kEntry));
        if (entry == nullptr)
            return fail(ErrorCode::Device, candidate + " is not Skein's inference library: it has no " + kEntry + ".");
        if (Backend* backend = entry(kBackendStamp); backend != nullptr)
            return backend;
        return fail(ErrorCode::Device, candidate + " belongs to another version of Skein; build or install it again.");
    }
    return fail(ErrorCode::Device, "The inference library cannot be loaded: " + reason.value_or("no reason given") +
                                       ". Run packaging/setup, or build Skein with LibTorch.");
}

}  // namespace

bool isBackendOpen() {
    return isOpen;
}

Result<Backend*> openBackend() {
    // The library stays open until the process ends: LibTorch does not survive being unloaded.
    static const Result<Backend*> backend = load();
    return backend;
}

}  // namespace skein::inference
