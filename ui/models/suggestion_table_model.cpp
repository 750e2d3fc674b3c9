// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/suggestion_table_model.h"

#include <algorithm>
#include <cmath>

#include "ui/edit/project_editor.h"
#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

/// What is on a suggested frame.
struct OnFrame {
    int users = 0, predictions = 0;
    double meanScore = project::kNaN;  ///< of the predictions' instance scores
};

/// The suggestions of one state of the project; for the table and for the worker that sorts it.
class Rows : public TableRows {
public:
    Rows(project::Labels labels, std::vector<QString> videos, int firstNumber)
        : m_labels(std::move(labels)), m_videos(std::move(videos)), m_firstNumber(firstNumber) {}

    [[nodiscard]] const project::Suggestion& at(int row) const {
        return m_labels.suggestions()[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] OnFrame onFrame(int row) const {
        OnFrame on;
        const project::Suggestion& suggestion = at(row);
        const auto found = m_labels.findFrame(suggestion.video, suggestion.frameIndex);
        if (!found)
            return on;
        const project::FrameView frame = m_labels.frame(*found);
        double sum = 0;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceHeader& header = *frame.instance(i).header;
            if (header.kind == project::InstanceKind::User) {
                ++on.users;
            } else {
                ++on.predictions;
                sum += double(header.score);
            }
        }
        if (on.predictions > 0)
            on.meanScore = sum / on.predictions;
        return on;
    }
    [[nodiscard]] int count() const override { return static_cast<int>(m_labels.suggestions().size()); }
    [[nodiscard]] bool isNumber(int column) const override { return column != SuggestionTableModel::Reason; }
    [[nodiscard]] double number(int row, int column) const override {
        const project::Suggestion& suggestion = at(row);
        switch (column) {
            case SuggestionTableModel::Video:
                return suggestion.video;
            case SuggestionTableModel::Frame:
                return static_cast<double>(suggestion.frameIndex);
            case SuggestionTableModel::Group:
                return static_cast<double>(suggestion.group);
            case SuggestionTableModel::Labelled:
                return onFrame(row).users;
            case SuggestionTableModel::MeanScore:
                return onFrame(row).meanScore;
            default:
                return project::kNaN;
        }
    }
    [[nodiscard]] QString text(int row, int column) const override {
        const project::Suggestion& suggestion = at(row);
        switch (column) {
            case SuggestionTableModel::Video:
                return suggestion.video < m_videos.size() ? m_videos[suggestion.video] : QString();
            case SuggestionTableModel::Frame:
                return text::number(suggestion.frameIndex + m_firstNumber);
            case SuggestionTableModel::Group:
                return QString::number(suggestion.group);
            case SuggestionTableModel::Labelled:
                return QString::number(onFrame(row).users);
            case SuggestionTableModel::MeanScore: {
                const double score = onFrame(row).meanScore;
                return std::isnan(score) ? QString() : text::fixed(score, 3);
            }
            case SuggestionTableModel::Reason:
                return ProjectEditor::reasonOf(suggestion);
            default:
                return {};
        }
    }

private:
    project::Labels m_labels;
    std::vector<QString> m_videos;
    int m_firstNumber;
};

}  // namespace

SuggestionTableModel::SuggestionTableModel(const Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document) {
    connect(document, &Document::opened, this, &SuggestionTableModel::rebuild);
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds & (ChangeKinds(ChangeKind::Suggestions) | ChangeKind::Videos)) {
            rebuild();
        } else if (change.kinds.testFlag(ChangeKind::Frames) && rowCount() > 0) {
            readRows();
            if (change.last >= 0 && change.first == change.last) {
                const int row = rowOf(static_cast<int>(change.video), change.first);
                if (row >= 0)
                    Q_EMIT dataChanged(index(row, Labelled), index(row, MeanScore));
            } else {
                Q_EMIT dataChanged(index(0, Labelled), index(rowCount() - 1, MeanScore));
            }
        }
    });
    rebuild();
}

void SuggestionTableModel::readRows() {
    std::vector<QString> videos;
    for (int v = 0; v < m_document->videoCount(); ++v)
        videos.push_back(m_document->videoName(v));
    m_rows = std::make_shared<Rows>(m_document->snapshot(), std::move(videos), m_firstNumber);
}

void SuggestionTableModel::rebuild() {
    beginResetModel();
    readRows();
    m_places.clear();
    const auto& suggestions = m_document->labels().suggestions();
    for (std::size_t i = 0; i < suggestions.size(); ++i)
        if (static_cast<int>(suggestions[i].video) < m_document->videoCount())
            m_places.emplace_back(static_cast<int>(suggestions[i].video), suggestions[i].frameIndex,
                                  static_cast<int>(i));
    std::sort(m_places.begin(), m_places.end());
    endResetModel();
}

void SuggestionTableModel::setFirstFrameNumber(int number) {
    if (std::exchange(m_firstNumber, number) != number)
        rebuild();
}

int SuggestionTableModel::rowOf(int video, std::int64_t frame) const {
    const auto it = std::lower_bound(m_places.begin(), m_places.end(), std::tuple(video, frame, 0));
    return it != m_places.end() && std::get<0>(*it) == video && std::get<1>(*it) == frame ? std::get<2>(*it) : -1;
}

std::optional<SuggestionTableModel::Neighbour> SuggestionTableModel::neighbour(int video, std::int64_t frame,
                                                                               int direction) const {
    if (m_places.empty())
        return std::nullopt;
    auto it =
        std::lower_bound(m_places.begin(), m_places.end(), std::tuple(video, direction > 0 ? frame + 1 : frame, 0));
    bool wrapped = false;
    if (direction > 0) {
        if (wrapped = it == m_places.end(); wrapped)
            it = m_places.begin();
    } else {
        if (wrapped = it == m_places.begin(); wrapped)
            it = m_places.end();
        --it;
    }
    return Neighbour{std::get<0>(*it), std::get<1>(*it), wrapped};
}

int SuggestionTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows->count();
}

int SuggestionTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

std::shared_ptr<const TableRows> SuggestionTableModel::rowsForWorker() const {
    return m_rows;
}

QVariant SuggestionTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows->count())
        return {};
    const auto& rows = static_cast<const Rows&>(*m_rows);
    if (role == Qt::DisplayRole)
        return rows.text(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return index.column() == Video || index.column() == Reason ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                                   : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && (index.column() == Video || index.column() == Reason))
        return rows.text(index.row(), index.column());
    if (role == Qt::DecorationRole && index.column() == Labelled && rows.onFrame(index.row()).users > 0)
        return icon(QStringLiteral("check"), theme::tokens().good);
    return {};
}

QVariant SuggestionTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Video || section == Reason ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                     : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
            case Group:
                return tr("Frames of one group belong together, e.g. to one cluster of pictures");
            case Labelled:
                return tr("User instances on the frame");
            case MeanScore:
                return tr("Mean score of the predictions on the frame");
            case Reason:
                return tr("Why the frame was suggested");
            default:
                return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Video:
            return tr("Video");
        case Frame:
            return tr("Frame");
        case Group:
            return tr("Group");
        case Labelled:
            return tr("Labelled");
        case MeanScore:
            return tr("Mean score");
        case Reason:
            return tr("Reason");
        default:
            return {};
    }
}

}  // namespace skein::ui
