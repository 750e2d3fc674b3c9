// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QString>
#include <optional>

#include "engine/profile/profiler.h"

namespace skein::ui {

/// The stages of a run and what they cost. Always one row per stage; without a run the cells are empty.
class ProfileTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { StageName, Count, Average, P50, P95, Total, Share, ColumnCount };
    enum Role {
        ShareRole = Qt::UserRole + 1,  ///< double 0 to 1 of the time that all stages took together
        LimitingRole,                  ///< bool: the stage that holds the run back
        WaitingRole                    ///< bool: the stage waits rather than works
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setProfile(const profile::Summary& summary, std::optional<profile::Stage> limiting);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] double shareOf(std::size_t stage) const;

    profile::Summary m_summary;
    double m_totalMs = 0;
    std::optional<profile::Stage> m_limiting;
};

/// The same figures as a table in Markdown, with the run's totals below: to be pasted beside another run's.
[[nodiscard]] QString profileMarkdown(const profile::Summary& summary, double seconds, double framesPerSecond,
                                      const QString& device);

}  // namespace skein::ui
