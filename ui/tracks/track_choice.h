// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// All tracks, or those that were selected when it was offered. Tracks are known by name, since indices change while a
/// project is edited. GUI thread only.
class TrackChoice : public QComboBox {
    Q_OBJECT
public:
    explicit TrackChoice(QWidget* parent);

    /// The second choice; without names there is only the first one.
    void offer(const QStringList& names);
    /// Offers these and chooses them; none: all tracks.
    void choose(const QStringList& names);
    [[nodiscard]] QStringList chosen() const;  ///< empty: all
    /// Indices of chosen() in that project.
    [[nodiscard]] std::vector<std::int32_t> indicesIn(const project::Labels& labels) const;

Q_SIGNALS:
    void choiceChanged();

private:
    QStringList m_names;
};

}  // namespace skein::ui
