// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "ui/bridge/evaluation_run.h"

namespace skein::ui {

/// Scores of an evaluation as a table of name and value, with a heading for each group and an explanation as tool tip.
class EvaluationTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Value, ColumnCount };
    /// True for a heading.
    static constexpr int kIsHeading = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setResult(const EvaluationResult& result);
    void clear();
    /// All rows as tab-separated text, with the exact values.
    [[nodiscard]] QString asTsv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name, value, help;
        QString exact;  ///< for copies
        bool heading = false;
    };
    void heading(const QString& name);
    void count(const QString& name, std::int64_t value, const QString& help);
    void pixels(const QString& name, double value, const QString& help);
    void share(const QString& name, double value, const QString& help);
    void addPoses(const evaluation::PoseMetrics& m);
    void addTracks(const evaluation::IdentityMetrics& m);

    std::vector<Row> m_rows;
};

}  // namespace skein::ui
