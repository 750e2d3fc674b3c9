// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <QtTest>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/case_file.h"
#include "tests/support/reference.h"

namespace skein::test {

/// Calls check(case, id) for each of the `expected` recorded cases of `op`. Skips the test function without the file.
template <class F>
void forCases(const char* op, int expected, F check) {
    SKEIN_NEEDS_SPEC(spec);
    const nlohmann::json cases = readCases(spec / "inference-cases.json");
    int seen = 0;
    for (const auto& c : cases["cases"])
        if (c["op"] == op) {
            ++seen;
            check(c, c["id"].get<std::string>());
        }
    QCOMPARE(seen, expected);
}

}  // namespace skein::test
