// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/found_table_model.h"

#include <algorithm>

#include "ui/text.h"

namespace skein::ui {

namespace {
class Rows : public TableRows {
public:
    Rows(FoundFrames frames, std::vector<QString> videos, int firstNumber)
        : m_frames(std::move(frames)), m_videos(std::move(videos)), m_firstNumber(firstNumber) {}
    [[nodiscard]] int count() const override { return static_cast<int>(m_frames->size()); }
    [[nodiscard]] bool isNumber(int) const override { return true; }
    [[nodiscard]] double number(int row, int column) const override {
        const project::FoundFrame& found = (*m_frames)[static_cast<std::size_t>(row)];
        return column == FoundTableModel::Video   ? found.video
               : column == FoundTableModel::Frame ? static_cast<double>(found.frame)
                                                  : found.instances;
    }
    [[nodiscard]] QString text(int row, int column) const override {
        const project::FoundFrame& found = (*m_frames)[static_cast<std::size_t>(row)];
        if (column == FoundTableModel::Video)
            return found.video < m_videos.size() ? m_videos[found.video] : QString();
        return column == FoundTableModel::Frame ? text::number(found.frame + m_firstNumber)
                                                : QString::number(found.instances);
    }

private:
    FoundFrames m_frames;
    std::vector<QString> m_videos;
    int m_firstNumber;
};
}  // namespace

FoundTableModel::FoundTableModel(const Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document) {
    setFrames(std::make_shared<std::vector<project::FoundFrame>>(), 1);
}

void FoundTableModel::setFrames(FoundFrames frames, int firstFrameNumber) {
    beginResetModel();
    m_frames = std::move(frames);
    std::vector<QString> videos;
    for (int v = 0; v < m_document->videoCount(); ++v)
        videos.push_back(m_document->videoName(v));
    m_rows = std::make_shared<Rows>(m_frames, std::move(videos), firstFrameNumber);
    endResetModel();
}

int FoundTableModel::rowOf(int video, std::int64_t frame) const {
    const auto key = [](const project::FoundFrame& f) { return std::pair(static_cast<int>(f.video), f.frame); };
    const auto it = std::lower_bound(m_frames->begin(), m_frames->end(), std::pair(video, frame),
                                     [&](const project::FoundFrame& f, const auto& wanted) { return key(f) < wanted; });
    return it != m_frames->end() && key(*it) == std::pair(video, frame) ? static_cast<int>(it - m_frames->begin()) : -1;
}

int FoundTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows->count();
}
int FoundTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FoundTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows->count())
        return {};
    if (role == Qt::DisplayRole)
        return m_rows->text(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return index.column() == Video ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant FoundTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Video ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Video ? tr("Video") : section == Frame ? tr("Frame") : tr("Instances");
}

}  // namespace skein::ui
