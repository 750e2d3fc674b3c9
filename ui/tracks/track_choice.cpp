// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_choice.h"

#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr int kMostNames = 3;
}

TrackChoice::TrackChoice(QWidget* parent) : QComboBox(parent) {
    addItem(tr("All tracks"));
    connect(this, &QComboBox::currentIndexChanged, this, &TrackChoice::choiceChanged);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // names may be long
}

void TrackChoice::offer(const QStringList& names) {
    if (names == m_names)
        return;
    m_names = names;
    if (names.isEmpty())
        return removeItem(1);
    const QString words = names.size() > kMostNames
                              ? tr("The %1 selected tracks").arg(text::number(static_cast<std::int64_t>(names.size())))
                              : tr("Only %1").arg(names.join(QStringLiteral(", ")));
    if (count() < 2)
        addItem(words);
    else
        setItemText(1, words);
    setItemData(1, names.join(QLatin1Char('\n')), Qt::ToolTipRole);
    if (currentIndex() == 1)
        Q_EMIT choiceChanged();
}

void TrackChoice::choose(const QStringList& names) {
    offer(names);
    setCurrentIndex(names.isEmpty() ? 0 : 1);
}

QStringList TrackChoice::chosen() const {
    return currentIndex() == 1 ? m_names : QStringList();
}

std::vector<std::int32_t> TrackChoice::indicesIn(const project::Labels& labels) const {
    std::vector<std::int32_t> indices;
    const QStringList names = chosen();
    for (std::size_t t = 0; t < labels.tracks().size(); ++t)
        if (names.contains(QString::fromStdString(labels.tracks()[t].name)))
            indices.push_back(static_cast<std::int32_t>(t));
    return indices;
}

}  // namespace skein::ui
