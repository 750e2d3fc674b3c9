// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "engine/profile/profiler.h"

namespace skein::ui {

/// What a run costs, as the table shows it.
struct ShownProfile {
    profile::Summary summary;
    std::optional<profile::Stage> limiting;               ///< the stage that holds the run back
    std::array<double, profile::kStageCount> critical{};  ///< share of the run's time that waits for each stage, 0 to 1
    int groupThreads = 1;                                 ///< that share the matching

    [[nodiscard]] double busyMs() const;  ///< of all stages together
    [[nodiscard]] double shareOf(profile::Stage stage) const;
    /// Frames a second if there were nothing but this stage; 0: not known, or it only waits.
    [[nodiscard]] double framesPerSecondAlone(profile::Stage stage) const;
    [[nodiscard]] const profile::StageSummary* find(profile::Stage stage) const;
    [[nodiscard]] const profile::StageSummary* find(profile::Stage stage, profile::Part part) const;
};

/// The stages of a run and what they cost; below a stage, when it is unfolded, what its threads do besides. Without a
/// run the cells are empty. With a second run beside it two columns tell by how much they differ.
class ProfileTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// What matters most comes first: a narrow dock shows that much without scrolling.
    enum Column {
        StageName,
        Share,
        Average,
        AverageChange,
        P95,
        P95Change,
        Alone,
        P50,
        Max,
        Count,
        Total,
        ColumnCount
    };
    enum Role {
        ShareRole = Qt::UserRole + 1,  ///< double 0 to 1 of the time that all stages took together
        CriticalRole,                  ///< double 0 to 1 of the run's time that waits for the stage
        LimitingRole,                  ///< bool: the stage that holds the run back
        WaitingRole,                   ///< bool: the stage waits rather than works
        FoldRole,                      ///< int: 0 no parts, 1 folded, 2 unfolded, 3 is itself a part
        ChangeRole                     ///< double, of a change: below 0 is faster
    };

    explicit ProfileTableModel(QObject* parent = nullptr);

    void setProfile(const ShownProfile& profile);
    void clear();
    /// The run to compare with; nullopt: none.
    void setOther(std::optional<profile::Summary> other);
    [[nodiscard]] bool hasOther() const { return m_other.has_value(); }
    void toggle(int row);  ///< folds and unfolds the parts of a stage

    [[nodiscard]] const ShownProfile& profile() const { return m_profile; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// A stage, what the threads do beside it, or a part of it.
    struct Row {
        profile::Stage stage;
        std::optional<profile::Part> part = {};
        [[nodiscard]] bool isInner() const {
            return part.has_value() || static_cast<std::size_t>(stage) >= profile::kStageCount;
        }
    };
    [[nodiscard]] static std::vector<Row> rowsUnder(profile::Stage stage);
    [[nodiscard]] static QString meaningOf(const Row& row);
    [[nodiscard]] const profile::StageSummary* figuresOf(const Row& row) const;
    [[nodiscard]] const profile::StageSummary* otherOf(const Row& row) const;
    [[nodiscard]] int foldOf(std::size_t row) const;
    [[nodiscard]] QVariant text(const Row& row, int column) const;
    /// By how much a figure differs from the other run's, as a share of that; NaN: nothing to compare.
    [[nodiscard]] double changeOf(const Row& row, int column) const;

    std::vector<Row> m_rows;
    ShownProfile m_profile;
    std::optional<profile::Summary> m_other;
};

/// The same figures as a table in Markdown, with the run's totals below: to be pasted beside another run's. With
/// `other`, by how much the averages differ from it.
[[nodiscard]] QString profileMarkdown(const ShownProfile& shown, const profile::Summary* other, double seconds,
                                      double framesPerSecond, const QString& device);
/// All figures, parts too, as a table with commas: one row a stage.
[[nodiscard]] QString profileCsv(const ShownProfile& shown, const profile::Summary* other);

}  // namespace skein::ui
