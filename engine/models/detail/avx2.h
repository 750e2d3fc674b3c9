// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/models/detail/aligned_floats.h"

#if defined(__x86_64__)
#include <immintrin.h>
/// For functions of a program that else runs on any processor: they are called only where hasAvx2().
#define SKEIN_AVX2 __attribute__((target("avx2,fma")))
#endif

namespace skein::models {

/// Whether this processor has the instructions (AVX2 and FMA).
inline bool hasAvx2() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    return has;
#else
    return false;
#endif
}

#if defined(__x86_64__)

/// Masks of the first n of 8 floats, beginning at 8 - n.
alignas(32) inline constexpr std::array<int, 16> kMasks = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

SKEIN_AVX2 inline __m256i maskOf(std::size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMasks.data() + (kVector - count)));
}

/// The first `count` of 8; in pieces, since storing by a mask is slow on some processors.
SKEIN_AVX2 inline void storeSome(float* to, __m256 values, std::size_t count) {
    __m128 four = _mm256_castps256_ps128(values);
    if (count >= 4) {
        _mm_storeu_ps(to, four);
        four = _mm256_extractf128_ps(values, 1);
        to += 4;
        count -= 4;
    }
    if (count >= 2) {
        _mm_storel_pi(reinterpret_cast<__m64*>(to), four);
        four = _mm_movehl_ps(four, four);
        to += 2;
        count -= 2;
    }
    if (count == 1)
        _mm_store_ss(to, four);
}

SKEIN_AVX2 inline void store(float* to, __m256 values, std::size_t count) {
    if (count == kVector)
        _mm256_storeu_ps(to, values);
    else
        storeSome(to, values, count);
}

#endif

}  // namespace skein::models
