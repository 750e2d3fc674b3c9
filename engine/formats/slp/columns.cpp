// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/columns.h"

#include <algorithm>

#include "engine/formats/hdf5/file.h"

namespace skein::formats::slp {

Columns::Columns(hid_t location, std::string table) : m_location(location), m_table(std::move(table)) {
    const h5::ObjectKind kind =
        h5::exists(location, m_table) ? h5::objectKind(location, m_table) : h5::ObjectKind::None;
    m_isGroup = kind == h5::ObjectKind::Group;
    if (kind == h5::ObjectKind::Dataset) {
        if (const auto dataset = h5::openDataset(location, m_table))
            m_rows = static_cast<std::size_t>(dataset->rows());
    } else if (m_isGroup) {
        // All columns of one kind of thing are equally long; any that is always there tells the number of rows.
        for (const char* name : {"/video", "/name", "/owner_type", "/type"})
            if (h5::exists(location, m_table + name)) {
                if (const auto dataset = h5::openDataset(location, m_table + name))
                    m_rows = static_cast<std::size_t>(dataset->rows());
                break;
            }
    }
}

bool Columns::has(const std::string& name) const {
    if (m_isGroup)
        return h5::exists(m_location, m_table + "/" + name);
    const auto dataset = h5::openDataset(m_location, m_table);
    return dataset && dataset->typeClass() == H5T_COMPOUND &&
           H5Tget_member_index(dataset->type.get(), name.c_str()) >= 0;
}

template <class T>
std::vector<T> Columns::column(const std::string& name, hid_t type, T fallback) const {
    std::vector<T> values(m_rows, fallback);
    if (m_rows == 0 || !has(name))
        return values;
    const auto dataset = h5::openDataset(m_location, m_isGroup ? m_table + "/" + name : m_table);
    if (!dataset || dataset->rowElements() != 1)
        return values;
    h5::Id memory(H5Tcopy(type));
    if (!m_isGroup) {
        memory = h5::Id(H5Tcreate(H5T_COMPOUND, sizeof(T)));
        H5Tinsert(memory.get(), name.c_str(), 0, type);
    }
    // Damaged columns stay at the fallback: a description of the rest is worth having.
    std::vector<T> read(static_cast<std::size_t>(dataset->rows()), fallback);
    if (h5::readRows(*dataset, memory.get(), 0, dataset->rows(), read.data()))
        std::copy_n(read.begin(), std::min(read.size(), values.size()), values.begin());
    return values;
}

std::vector<std::int64_t> Columns::integers(const std::string& name, std::int64_t fallback) const {
    return column<std::int64_t>(name, H5T_NATIVE_INT64, fallback);
}

std::vector<double> Columns::numbers(const std::string& name, double fallback) const {
    return column<double>(name, H5T_NATIVE_DOUBLE, fallback);
}

std::vector<std::string> Columns::texts(const std::string& name, const std::string& beside) const {
    std::vector<std::string> values(m_rows);
    const std::string dataset = m_isGroup ? m_table + "/" + name : beside;
    if (!dataset.empty() && h5::exists(m_location, dataset))
        if (auto read = h5::readStrings(m_location, dataset))
            std::copy_n(read->begin(), std::min(read->size(), values.size()), values.begin());
    return values;
}

}  // namespace skein::formats::slp
