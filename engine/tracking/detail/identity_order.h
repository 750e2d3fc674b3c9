// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

namespace skein::tracking {

/// A set of identities that lists them in the order in which CPython's `set` of the same integers does. sleap-nn takes
/// the columns of its cost matrix from such a set, and the column order decides who wins among equal costs.
class IdentityOrder {
public:
    void clear();
    /// `id` >= 0.
    void insert(int id);
    /// Something that is no integer joins the set: it takes a slot, but is not listed.
    void insertUnlisted();
    /// Appends all identities to `out`.
    void list(std::vector<int>& out) const;

private:
    static constexpr int kFree = -1;
    [[nodiscard]] static bool place(std::vector<int>& table, int id);
    void grown();

    std::vector<int> m_table = std::vector<int>(8, kFree);
    std::vector<int> m_larger;
    std::size_t m_count = 0;
    bool m_unlisted = false;
};

}  // namespace skein::tracking
