// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <pthread.h>

namespace skein {

/// Names the calling thread for debuggers and profilers; at most 15 characters.
inline void setThreadName(const char* name) {
    pthread_setname_np(pthread_self(), name);
}

}  // namespace skein
