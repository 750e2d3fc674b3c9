// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <utility>

#include "engine/base/result.h"

/// Defines `name` as the value of a Result, or returns its error from the enclosing function.
#define SKEIN_TRY(name, expression)                            \
    auto name##Result = (expression);                          \
    if (!name##Result)                                         \
        return ::skein::fail(std::move(name##Result.error())); \
    auto& name = *name##Result

/// Returns the error of a Result<void> from the enclosing function.
#define SKEIN_CHECK(expression)                               \
    do {                                                      \
        if (auto checked = (expression); !checked)            \
            return ::skein::fail(std::move(checked.error())); \
    } while (false)
