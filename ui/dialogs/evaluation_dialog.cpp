// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/evaluation_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/models/evaluation_table_model.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/ui_error.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/small_plot.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;
constexpr int kBins = 24;
constexpr int kMessageMargin = 120;

enum Side { Project, File, OtherFile };

/// A round width of bins that brings the 99th percentile into view: 1, 2 or 5 times a power of ten.
double binWidth(double last) {
    const double raw = std::max(last, 1e-3) / kBins;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= raw)
            return step * power;
    return 10 * power;
}

/// How many nodes are how far off; what lies beyond the view is counted in the last bar.
std::vector<SmallPlot::Item> histogram(const evaluation::PoseMetrics& m) {
    if (m.distances.empty())
        return {};
    // A few nodes that are far off would leave no room for all the others.
    const double width = binWidth(std::min(m.distance.p99, 2 * m.distance.p95));
    std::vector<std::int64_t> counts(kBins, 0);
    for (const double distance : m.distances)
        ++counts[static_cast<std::size_t>(std::min<double>(kBins - 1, std::floor(distance / width)))];
    std::vector<SmallPlot::Item> items;
    for (int i = 0; i < kBins; ++i) {
        const double from = width * i;
        const QString range = i + 1 < kBins ? EvaluationDialog::tr("%1–%2 px").arg(from).arg(from + width)
                                            : EvaluationDialog::tr("from %1 px").arg(from);
        const QString label = i % 4 == 0 ? QString::number(from) : QString();
        const std::int64_t n = counts[static_cast<std::size_t>(i)];
        items.push_back({label, static_cast<double>(n),
                         EvaluationDialog::tr("%1: %2").arg(
                             range, text::count(n, EvaluationDialog::tr("node"), EvaluationDialog::tr("nodes")))});
    }
    return items;
}

QWidget* line(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    line->setFixedHeight(1);
    return line;
}

}  // namespace

EvaluationDialog::EvaluationDialog(DialogService* dialogs, QWidget* parent) : QDialog(parent), m_dialogs(dialogs) {
    setObjectName(QStringLiteral("evaluationDialog"));
    setWindowTitle(tr("Evaluate Against User Labels"));
    setModal(false);
    setSizeGripEnabled(true);
    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("evaluationPages"));
    m_pages->addWidget(makeMessage());
    m_pages->addWidget(makeResults());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeChoice());
    layout->addWidget(line(this));
    layout->addWidget(m_pages, 1);
    layout->addWidget(line(this));
    layout->addWidget(makeFoot());
    resize(860, 620);
    fillSide(m_truth, tr("User instances of this project"), {});
    fillSide(m_prediction, tr("Predictions of this project"), {});
}

QWidget* EvaluationDialog::makeChoice() {
    auto* box = new QWidget(this);
    const auto makeSide = [this, box](const QString& name, const QString& title, const QString& help) {
        auto* side = new QComboBox(box);
        side->setObjectName(name);
        side->setAccessibleName(title);
        side->setToolTip(help);
        side->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        side->setMinimumContentsLength(20);
        guardWheel(side);
        return side;
    };
    m_truth = makeSide(QStringLiteral("evaluationTruth"), tr("Truth"),
                       tr("What counts as right: the instances that people made here, or a file with labels."));
    m_prediction = makeSide(QStringLiteral("evaluationPrediction"), tr("Predictions"),
                            tr("What is judged: the predictions of this project, or a file with predictions."));
    connect(m_truth, &QComboBox::activated, this, [this] { sideChosen(m_truth, m_truthFile); });
    connect(m_prediction, &QComboBox::activated, this, [this] { sideChosen(m_prediction, m_predictionFile); });
    m_again = new QPushButton(tr("Evaluate Again"), box);
    m_again->setObjectName(QStringLiteral("evaluationAgain"));
    m_again->setAccessibleName(m_again->text());
    m_again->setToolTip(tr("Computes the scores of the project as it is now."));
    m_again->setAutoDefault(false);
    connect(m_again, &QPushButton::clicked, this, &EvaluationDialog::compute);

    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    for (auto [title, side] : {std::pair{tr("Truth"), m_truth}, std::pair{tr("Predictions"), m_prediction}}) {
        auto* label = new QLabel(title, box);
        label->setBuddy(side);
        layout->addWidget(label);
        layout->addWidget(side, 1);
        layout->addSpacing(theme::kGrid);
    }
    layout->addWidget(m_again);
    return box;
}

QWidget* EvaluationDialog::makeMessage() {
    auto* page = new QWidget(this);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    m_messageIcon = new QLabel(page);
    m_message = new QLabel(page);
    m_message->setObjectName(QStringLiteral("evaluationMessage"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setAlignment(Qt::AlignHCenter);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(kMessageMargin, theme::kGap, kMessageMargin, theme::kGap);
    layout->addStretch();
    layout->addWidget(m_messageIcon, 0, Qt::AlignHCenter);
    layout->addSpacing(theme::kMargin);
    layout->addWidget(m_message);
    layout->addStretch();
    return page;
}

QWidget* EvaluationDialog::makeResults() {
    auto* page = new QWidget(this);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    m_model = new EvaluationTableModel(this);
    m_table = new PlainTable(QStringLiteral("evaluationTable"), tr("Scores"), page);
    m_table->setToolTip(tr("Every score explains itself where the pointer rests on it."));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setFixedOrder();  // headings stand among the rows
    m_table->setColumnWidths({24, 14}, 0);

    auto* plots = new QWidget(page);
    m_errors =
        new SmallPlot(QStringLiteral("evaluationErrors"), tr("Distance of nodes, in px"), SmallPlot::Kind::Bars, plots);
    m_pck = new SmallPlot(QStringLiteral("evaluationPck"), tr("Share of nodes closer than, in px (PCK)"),
                          SmallPlot::Kind::Line, plots);
    m_nodes = new SmallPlot(QStringLiteral("evaluationNodes"), tr("Mean PCK of each node"), SmallPlot::Kind::NamedBars,
                            plots);
    m_errors->setToolTip(tr("How many nodes are how far from where a person put them."));
    m_pck->setToolTip(tr("Share of the nodes that are closer than 1 to 10 px."));
    m_nodes->setToolTip(
        tr("Share of correct places of each node, mean over 1 to 10 px: short bars are the weak nodes."));
    m_notes = new QLabel(plots);
    m_notes->setObjectName(QStringLiteral("evaluationNotes"));
    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(plots);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap + theme::kGrid);
    column->addWidget(m_notes);
    column->addWidget(m_errors);
    column->addWidget(m_pck);
    column->addWidget(m_nodes);
    column->addStretch();
    auto* scroll = new QScrollArea(page);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    plots->setAutoFillBackground(true);
    plots->setBackgroundRole(QPalette::Base);
    scroll->setWidget(plots);

    auto* split = new QFrame(page);
    split->setFrameShape(QFrame::VLine);
    split->setFrameShadow(QFrame::Plain);
    split->setForegroundRole(QPalette::Mid);
    split->setFixedWidth(1);
    auto* layout = new QHBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 5);
    layout->addWidget(split);
    layout->addWidget(scroll, 6);
    return page;
}

QWidget* EvaluationDialog::makeFoot() {
    auto* foot = new QWidget(this);
    m_summary = new QLabel(foot);
    m_summary->setObjectName(QStringLiteral("evaluationSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_copy = new QPushButton(tr("Copy Table"), foot);
    m_copy->setObjectName(QStringLiteral("evaluationCopy"));
    m_copy->setAccessibleName(m_copy->text());
    m_copy->setToolTip(tr("Copies all scores as tab-separated text, for a spreadsheet."));
    m_copy->setAutoDefault(false);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(asTsv()); });
    auto* close = new QPushButton(tr("Close"), foot);
    close->setObjectName(QStringLiteral("evaluationClose"));
    close->setAccessibleName(close->text());
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_summary, 1);
    layout->addWidget(m_copy);
    layout->addWidget(close);
    return foot;
}

void EvaluationDialog::fillSide(QComboBox* box, const QString& own, const QString& file) {
    const QSignalBlocker blocker(box);
    box->clear();
    box->addItem(own, Project);
    if (!file.isEmpty()) {
        box->addItem(QFileInfo(file).fileName(), File);
        box->setItemData(1, text::tidyPath(file), Qt::ToolTipRole);
    }
    box->addItem(file.isEmpty() ? tr("A file…") : tr("Another file…"), OtherFile);
    box->setCurrentIndex(file.isEmpty() ? 0 : 1);
}

void EvaluationDialog::sideChosen(QComboBox* box, QString& file) {
    const bool truth = box == m_truth;
    const auto take = [this, truth](const QString& chosen) {
        setFiles(truth ? chosen : m_truthFile, truth ? m_predictionFile : chosen);
    };
    switch (box->currentData().toInt()) {
        case Project:
            take({});
            break;
        case File:
            break;
        default: {
            // Until a file is chosen, what was chosen before stands.
            setFiles(m_truthFile, m_predictionFile);
            m_dialogs->chooseFiles(this, tr("Choose a labels file"), file, tr("Labels (*.slp)"),
                                   [take](const QStringList& files) {
                                       if (!files.isEmpty())
                                           take(files.front());
                                   });
        }
    }
}

void EvaluationDialog::setFiles(const QString& truth, const QString& prediction) {
    const bool same = truth == m_truthFile && prediction == m_predictionFile;
    m_truthFile = truth;
    m_predictionFile = prediction;
    fillSide(m_truth, tr("User instances of this project"), truth);
    fillSide(m_prediction, tr("Predictions of this project"), prediction);
    if (!same)
        isVisible() ? compute() : void(m_outdated = true);
}

void EvaluationDialog::setProject(const project::Labels& labels) {
    if (labels.isUnchangedCopyOf(m_labels))
        return;
    m_labels = labels;
    m_outdated = true;
    if (isVisible() && !m_computing)
        m_summary->setText(tr("The project has changed since."));
}

void EvaluationDialog::compute() {
    m_outdated = false;
    m_computing = true;
    m_again->setEnabled(false);
    m_copy->setEnabled(false);
    m_summary->clear();
    showMessage(QStringLiteral("info"), tr("Comparing…"));
    inBackground(
        this, [request = EvaluationRequest{m_labels, m_truthFile, m_predictionFile}] { return evaluate(request); },
        [this, question = ++m_question](Result<EvaluationResult> result) {
            if (question != m_question)
                return;
            m_computing = false;
            m_again->setEnabled(true);
            m_result.reset();
            if (result) {
                m_result = std::move(*result);
                showResult();
                return;
            }
            m_model->clear();
            const UiError error = toUiError(result.error());
            const bool nothingYet = result.error().code() == ErrorCode::InvalidArgument;
            showMessage(nothingYet ? QStringLiteral("info") : QStringLiteral("error"), error.message, error.details);
        });
}

void EvaluationDialog::showResult() {
    const evaluation::PoseMetrics& m = m_result->poses;
    m_model->setResult(*m_result);
    m_table->clearSpans();
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->index(row, 0).data(EvaluationTableModel::kIsHeading).toBool())
            m_table->setSpan(row, 0, 1, EvaluationTableModel::ColumnCount);
    m_errors->setItems(histogram(m), 0);
    std::vector<SmallPlot::Item> pck, nodes;
    if (m.method == evaluation::MatchMethod::Oks) {
        for (std::size_t i = 0; i < m.pck.size(); ++i)
            pck.push_back({QString::number(i + 1), m.pck[i], tr("%1 px: %2").arg(i + 1).arg(text::fixed(m.pck[i], 3))});
        for (std::size_t i = 0; i < m.mPckOfNode.size() && i < m.nodes.size(); ++i) {
            const QString name = QString::fromStdString(m.nodes[i]);
            nodes.push_back(
                {name, m.mPckOfNode[i], QStringLiteral("%1: %2").arg(name, text::fixed(m.mPckOfNode[i], 3))});
        }
    }
    m_pck->setItems(std::move(pck), 1);
    m_nodes->setItems(std::move(nodes), 1);
    m_notes->setText(m_result->notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!m_result->notes.isEmpty());
    m_copy->setEnabled(true);
    m_summary->setText(tr("%1 compared, half of the nodes within %2.")
                           .arg(text::frames(m.frames), text::withUnit(text::significant(m.distance.p50), tr("px"))));
    m_pages->setCurrentIndex(1);
}

void EvaluationDialog::showMessage(const QString& icon, const QString& sentence, const QString& details) {
    m_iconName = icon;
    refreshIcon();
    m_message->setText(sentence);
    m_message->setToolTip(details);
    m_copy->setEnabled(false);
    m_pages->setCurrentIndex(0);
}

void EvaluationDialog::refreshIcon() {
    if (m_iconName.isEmpty())
        return;
    const theme::Tokens& t = theme::tokens();
    m_messageIcon->setPixmap(ui::icon(m_iconName, m_iconName == QLatin1String("error") ? t.bad : t.text2)
                                 .pixmap(QSize(kIcon, kIcon) * 1.5, devicePixelRatioF()));
}

QString EvaluationDialog::asTsv() const {
    return m_model->asTsv();
}

void EvaluationDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    if (m_outdated)
        compute();
}

void EvaluationDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshIcon();
}

}  // namespace skein::ui
