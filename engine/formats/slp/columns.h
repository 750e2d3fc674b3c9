// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/formats/hdf5/dataset.h"

namespace skein::formats::slp {

/// One of the newer tables, stored as a group of columns or as a compound dataset, read column by column. A column that
/// does not exist reads as its fallback; so does a row beyond a column's end. Meant for describing a file, not for
/// speed.
class Columns {
public:
    Columns(hid_t location, std::string table);

    [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name, std::int64_t fallback = -1) const;
    [[nodiscard]] std::vector<double> numbers(const std::string& name, double fallback = NAN) const;
    /// Texts of a column of the group, or of a dataset beside a compound table.
    [[nodiscard]] std::vector<std::string> texts(const std::string& name, const std::string& beside = {}) const;

private:
    template <class T>
    [[nodiscard]] std::vector<T> column(const std::string& name, hid_t type, T fallback) const;

    hid_t m_location;
    std::string m_table;
    bool m_isGroup = false;
    std::size_t m_rows = 0;
};

}  // namespace skein::formats::slp
