// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QStringList>
#include <stop_token>
#include <vector>

namespace skein::ui {

/// A video that may be queued.
struct FoundVideo {
    QString path;
    QString name;  ///< as it is shown: its path from the folder that was looked through
    bool use = true;
    bool looked = false;  ///< what follows is known
    qint64 frames = 0;
    int width = 0, height = 0;
    QString problem;      ///< why it cannot be read; empty: it can
    QString warning;      ///< that its end is missing; empty: it is not
    QString result;       ///< name of the file that it would write
    bool exists = false;  ///< it is there already, and whole
};

/// Videos of some folders and files, as a table with ticks. They are opened one after another on a worker, so that a
/// slow disk is not asked for everything at once; those that cannot be read lose their tick.
class FoundVideos : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Frames, Size, Output, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    ~FoundVideos() override;

    /// Looks through folders, with `subfolders` also those within, and takes files as they are, in place of what was
    /// there.
    void look(const QStringList& paths, bool subfolders);
    /// Videos in subfolders that were not taken.
    [[nodiscard]] qint64 leftOut() const { return m_leftOut; }
    /// The folders were looked through; the videos may still be opened one by one.
    [[nodiscard]] bool isSearching() const { return m_searching; }
    [[nodiscard]] const std::vector<FoundVideo>& videos() const { return m_videos; }
    [[nodiscard]] bool isLooking() const { return m_searching || m_next < m_videos.size(); }
    /// What look() could not do, one sentence; empty: all is well.
    [[nodiscard]] QString problem() const { return m_problem; }
    [[nodiscard]] std::vector<FoundVideo> used() const;
    void setUsed(int row, bool use);
    /// Results of the used videos, in their order, and which of them are there already.
    void setResults(const QStringList& names, const std::vector<bool>& exist);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void changed();  ///< videos, what is known of them, or which are used

private:
    void openNext();

    std::vector<FoundVideo> m_videos;
    std::size_t m_next = 0;
    bool m_searching = false;
    qint64 m_leftOut = 0;
    quint64 m_question = 0;
    QString m_problem;
    std::stop_source m_stop;
};

}  // namespace skein::ui
