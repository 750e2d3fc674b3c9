// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QStringList>
#include <string_view>
#include <vector>

#include "ui/dialogs/run_options.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QWidget;

namespace skein::ui {

/// The editors of run options, made from their table: one row each, with a label, and help as tool tip. They write into
/// the settings as the person edits; refresh() shows the settings and what they make impossible.
class OptionEditors : public QObject {
    Q_OBJECT
public:
    /// `settings` outlives the editors.
    OptionEditors(RunSettings* settings, QObject* parent);

    /// Adds a row for each option of `group` below what `grid` holds, under `heading` where it is not empty.
    void addGroup(QGridLayout* grid, OptionGroup group, QWidget* parent, const QString& heading = {});
    /// Shows the settings: values, editors that have no effect (disabled, with the reason as tool tip), choices that
    /// cannot be taken. Rows that do not concern such a run are hidden, and headings without rows. `nodes`: of the
    /// model's skeleton.
    void refresh(ModelUse use, const QStringList& nodes);

    [[nodiscard]] static QString objectNameOf(const RunOption& option);  ///< "inferenceBatchSize"

Q_SIGNALS:
    /// The person has changed an option; the settings hold it already.
    void edited(const skein::ui::RunOption& option);

private:
    struct Row {
        const RunOption* option;
        QLabel* label;
        QWidget* editor;
    };
    struct Heading {
        OptionGroup group;
        QLabel* label;
    };
    [[nodiscard]] QWidget* makeEditor(const RunOption& option, QWidget* parent);
    void change(const RunOption& option, const QVariant& value);
    void showValue(const Row& row) const;
    void showNodes(QComboBox* box, const QStringList& nodes) const;
    void showChoices(const Row& row) const;

    RunSettings* m_settings;
    std::vector<Row> m_rows;
    std::vector<Heading> m_headings;
    bool m_refreshing = false;
};

/// Keeps the mouse wheel for scrolling: a spin or combo box takes it only once it has been clicked.
void guardWheel(QWidget* editor);

}  // namespace skein::ui
