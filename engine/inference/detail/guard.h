// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "engine/base/result.h"

namespace skein::inference {

/// Calls `work` and turns what LibTorch throws into an Error; the one place where its exceptions end.
template <class Work>
auto guarded(const char* what, Work&& work) -> decltype(work()) {
    const auto firstLine = [](std::string text) { return text.substr(0, text.find('\n')); };
    try {
        return std::forward<Work>(work)();
    } catch (const c10::OutOfMemoryError&) {
        return fail(ErrorCode::OutOfMemory,
                    std::string("The device has not enough memory for ") + what + "; use a smaller batch.");
    } catch (const c10::Error& e) {
        const std::string text = firstLine(e.what_without_backtrace());
        // The CPU allocator has no exception of its own.
        if (text.find("can't allocate memory") != std::string::npos)
            return fail(ErrorCode::OutOfMemory,
                        std::string("There is not enough memory for ") + what + "; use a smaller batch.");
        return fail(ErrorCode::Device, std::string("LibTorch failed at ") + what + ": " + text);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    std::string("There is not enough memory for ") + what + "; use a smaller batch.");
    } catch (const std::exception& e) {
        return fail(ErrorCode::Internal, std::string("The engine failed at ") + what + ": " + firstLine(e.what()));
    }
}

}  // namespace skein::inference
