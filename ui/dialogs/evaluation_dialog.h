// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <optional>

#include "ui/bridge/evaluation_run.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace skein::ui {

class DialogService;
class EvaluationTableModel;
class PlainTable;
class SmallPlot;

/// "Evaluate Against User Labels": how close predictions come to what people labelled, as a table and three plots. The
/// scores are computed on a worker. Not modal. GUI thread.
class EvaluationDialog : public QDialog {
    Q_OBJECT
public:
    /// `dialogs` outlives the dialog.
    EvaluationDialog(DialogService* dialogs, QWidget* parent);

    /// The project as it is now. What is shown stays, with a word that it is about an earlier state, until it is shown
    /// again or the person asks for it.
    void setProject(const project::Labels& labels);
    /// Files in place of the project's two sides; empty: the project.
    void setFiles(const QString& truth, const QString& prediction);
    [[nodiscard]] bool isComputing() const { return m_computing; }
    /// The scores that are shown, if there are any.
    [[nodiscard]] const std::optional<EvaluationResult>& result() const { return m_result; }
    [[nodiscard]] QString asTsv() const;

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeChoice();
    [[nodiscard]] QWidget* makeResults();
    [[nodiscard]] QWidget* makeMessage();
    [[nodiscard]] QWidget* makeFoot();
    void sideChosen(QComboBox* box, QString& file);
    void fillSide(QComboBox* box, const QString& own, const QString& file);
    void compute();
    void showResult();
    void showMessage(const QString& icon, const QString& sentence, const QString& details = {});
    void refreshIcon();

    DialogService* m_dialogs;
    project::Labels m_labels;
    QString m_truthFile, m_predictionFile;
    std::optional<EvaluationResult> m_result;
    bool m_computing = false;
    bool m_outdated = true;  ///< what is shown is not about the project as it is now
    quint64 m_question = 0;
    QString m_iconName;

    QComboBox *m_truth, *m_prediction;
    QStackedWidget* m_pages;
    EvaluationTableModel* m_model;
    PlainTable* m_table;
    SmallPlot *m_errors, *m_pck, *m_nodes;
    QLabel *m_notes, *m_messageIcon, *m_message, *m_summary;
    QPushButton *m_again, *m_copy;
};

}  // namespace skein::ui
