// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <QTest>
#include <utility>

// How long tests wait for what comes from a thread, a process, a file or the window system. A machine with other work
// may be many times slower than an idle one, and a test that passes never waits the time out: so there is one limit,
// far beyond every expectation. Every test has this header through the shared precompiled one.
namespace skein::test {

inline constexpr int kPatienceMs = 240'000;

/// Lets the event loop run until `condition` holds; false when it does not within kPatienceMs.
template <class Condition>
[[nodiscard]] bool await(Condition&& condition) {
    return QTest::qWaitFor(std::forward<Condition>(condition), kPatienceMs);
}

}  // namespace skein::test

// Qt's own wait 5 s only, have no setting for it, and ask a condition once more after it held, when what they look at
// may have moved on.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expr)                                                                                     \
    do {                                                                                                      \
        if (!QTest::qVerify(skein::test::await([&] { return static_cast<bool>(expr); }), #expr, "", __FILE__, \
                            __LINE__))                                                                        \
            return;                                                                                           \
    } while (false)

#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expr, message)                                                                  \
    do {                                                                                             \
        const bool qtryHeld = skein::test::await([&] { return static_cast<bool>(expr); });           \
        if (!QTest::qVerify(qtryHeld, #expr, static_cast<const char*>(message), __FILE__, __LINE__)) \
            return;                                                                                  \
    } while (false)

#undef QTRY_COMPARE
#define QTRY_COMPARE(expr, expected)                                    \
    do {                                                                \
        (void)skein::test::await([&] { return (expr) == (expected); }); \
        QCOMPARE(expr, expected);                                       \
    } while (false)
