// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/video_table_model.h"

#include <QFileInfo>

#include "engine/video/video_source.h"
#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

VideoTableModel::VideoTableModel(const Document* document, const ProjectDigest* digest, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_digest(digest) {
    connect(document, &Document::opened, this, &VideoTableModel::rebuild);
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Videos))
            rebuild();
    });
    connect(document, &Document::videoStateChanged, this, [this](int video) {
        if (video < m_rows)
            Q_EMIT dataChanged(index(video, 0), index(video, ColumnCount - 1));
    });
    connect(digest, &ProjectDigest::updated, this, [this] {
        if (m_rows > 0)
            Q_EMIT dataChanged(index(0, Labelled), index(m_rows - 1, Predicted));
    });
    rebuild();
}

void VideoTableModel::rebuild() {
    beginResetModel();
    m_rows = m_document->videoCount();
    endResetModel();
}

int VideoTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}
int VideoTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant VideoTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_document->videoCount())
        return {};
    const int video = index.row();
    const VideoState& state = m_document->videoState(video);
    const project::Video& stored = m_document->labels().videos()[static_cast<std::size_t>(video)];
    const bool bad = state.kind == VideoState::Kind::Missing || state.kind == VideoState::Kind::Unreadable;
    if (role == Qt::ToolTipRole) {
        if (bad || !state.problem.message.isEmpty())
            return state.problem.message;
        const QString path = state.path.isEmpty() ? QString::fromStdString(stored.filename) : state.path;
        const std::string decoder = state.source ? state.source->decoderNote() : std::string();
        return decoder.empty() ? path
                               : path + QLatin1Char('\n') + tr("Decoded by %1").arg(QString::fromStdString(decoder));
    }
    if (role == Qt::TextAlignmentRole) {
        const int c = index.column();
        return c == Name || c == State || c == Folder ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                      : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ForegroundRole && index.column() == State && bad)
        return theme::tokens().bad;
    if (role == Qt::DecorationRole && index.column() == State) {
        if (bad)
            return icon(QStringLiteral("error"), theme::tokens().bad);
        if (!state.problem.message.isEmpty())
            return icon(QStringLiteral("warning"), theme::tokens().warn);
        return {};
    }
    if (role != Qt::DisplayRole)
        return {};
    const auto sized = [](int value) { return value > 0 ? QString::number(value) : QString(); };
    const double fps = state.source ? state.source->fps() : stored.fps;
    const std::int64_t frames = m_document->frameCount(video);
    switch (index.column()) {
        case Number:
            return video + 1;
        case Name:
            return m_document->videoName(video);
        case Folder:
            return text::tidyPath(
                QFileInfo(state.path.isEmpty() ? QString::fromStdString(stored.filename) : state.path).path());
        case Frames:
            return text::number(frames);
        case Width:
            return sized(state.source ? state.source->width() : stored.width);
        case Height:
            return sized(state.source ? state.source->height() : stored.height);
        case Channels:
            return sized(state.source                       ? state.source->channels()
                         : stored.grayscale.value_or(false) ? 1
                                                            : stored.channels);
        case Rate:
            if (fps <= 0)
                return QString();
            return state.source && state.source->isVariableRate() ? tr("%1 variable").arg(text::fixed(fps, 2))
                                                                  : text::fixed(fps, 2);
        case Duration:
            return fps > 0 ? text::time(static_cast<double>(frames) / fps) : QString();
        case Labelled:
            return text::number(m_digest->counts(video).userFrames);
        case Predicted:
            return text::number(m_digest->counts(video).predictedFrames);
        case State:
            switch (state.kind) {
                case VideoState::Kind::Looking:
                case VideoState::Kind::Found:
                    return tr("not opened yet");
                case VideoState::Kind::Opening:
                    return tr("reading %1%").arg(static_cast<int>(state.progress * 100));
                case VideoState::Kind::Ready:
                    return !state.problem.message.isEmpty() ? tr("damaged")
                           : stored.dataset.empty()         ? tr("ok")
                                                            : tr("embedded");
                case VideoState::Kind::Missing:
                    return tr("missing");
                case VideoState::Kind::Unreadable:
                    return tr("unreadable");
            }
            return {};
        default:
            return {};
    }
}

QVariant VideoTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name || section == State || section == Folder ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                                        : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Number:
            return QStringLiteral("#");
        case Name:
            return tr("Name");
        case Folder:
            return tr("Folder");
        case Frames:
            return tr("Frames");
        case Width:
            return tr("Width");
        case Height:
            return tr("Height");
        case Channels:
            return tr("Channels");
        case Rate:
            return tr("FPS");
        case Duration:
            return tr("Duration");
        case Labelled:
            return tr("Labelled");
        case Predicted:
            return tr("Predicted");
        case State:
            return tr("State");
        default:
            return {};
    }
}

}  // namespace skein::ui
