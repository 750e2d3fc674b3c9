// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/issues_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/panels/panel_buttons.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

IssuesPanel::IssuesPanel(IssueList* list, const Document* document, const Actions& actions, QWidget* parent)
    : QWidget(parent),
      m_list(list),
      m_model(new IssueTableModel(list, document, this)),
      m_pages(new QStackedWidget(this)),
      m_table(new PlainTable(QStringLiteral("issuesTable"), tr("Issues"), this)),
      m_searching(new QWidget(this)),
      m_reviewed(new QLabel(this)),
      m_reason(new QLabel(this)),
      m_pictures(new QWidget(this)),
      m_before(new QLabel(m_pictures)),
      m_after(new QLabel(m_pictures)),
      m_all(new QCheckBox(tr("Show settled ones"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(panelButtons(this, {{actions.accept, tr("Accept")},
                                          {actions.dismiss, tr("Dismiss")},
                                          {actions.reopen, tr("Reopen")},
                                          {actions.previous, tr("Previous")},
                                          {actions.next, tr("Next")}}));
    column->addWidget(m_pages, 1);
    m_pages->addWidget(m_table);
    auto* empty = new EmptyPage(QStringLiteral("issuesEmpty"),
                                tr("Skein can look for tracks that changed over, jumps, breaks and other doubts."),
                                {actions.find}, m_pages);
    m_empty = empty;
    m_pages->addWidget(empty);

    m_reason->setObjectName(QStringLiteral("issueReason"));
    m_reason->setAccessibleName(tr("The issue under review"));
    m_reason->setTextFormat(Qt::PlainText);
    m_reason->setWordWrap(true);
    m_reason->setMinimumWidth(1);  // a name without spaces must not make the dock wider
    m_reason->setMargin(theme::kGrid);
    column->addWidget(m_reason);
    auto* pictures = new QHBoxLayout(m_pictures);
    pictures->setContentsMargins(theme::kGrid, 0, theme::kGrid, theme::kGrid);
    pictures->setSpacing(theme::kGrid);
    const std::pair<QLabel*, QString> both[] = {{m_before, tr("Shortly before")}, {m_after, tr("Shortly after")}};
    for (const auto& [label, words] : both) {
        label->setAccessibleName(words);
        label->setToolTip(words);
        label->setAlignment(Qt::AlignCenter);
        pictures->addWidget(label);
    }
    m_before->setObjectName(QStringLiteral("issueBefore"));
    m_after->setObjectName(QStringLiteral("issueAfter"));
    pictures->addStretch(1);
    m_pictures->hide();
    column->addWidget(m_pictures);
    auto* search = new QHBoxLayout(m_searching);
    search->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    m_progress = new ProgressLine(QStringLiteral("issuesProgress"), m_searching);
    m_progress->setAccessibleName(tr("How far the search for issues is"));
    m_stop = new QPushButton(tr("Stop"), m_searching);
    m_stop->setObjectName(QStringLiteral("issuesStop"));
    m_stop->setAccessibleName(tr("Stop looking for issues"));
    m_stop->setToolTip(tr("Stop looking for issues; what was found before stays."));
    search->addWidget(m_progress, 1);
    search->addWidget(m_stop);
    column->addWidget(m_searching);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    m_reviewed->setObjectName(QStringLiteral("issuesReviewed"));
    m_reviewed->setAccessibleName(tr("How far the review is"));
    m_reviewed->setForegroundRole(QPalette::PlaceholderText);
    m_reviewed->setWordWrap(true);
    m_all->setObjectName(QStringLiteral("issuesShowAll"));
    m_all->setAccessibleName(m_all->text());
    m_all->setToolTip(tr("Also list what was fixed or dismissed."));
    foot->addWidget(m_reviewed, 1);
    foot->addWidget(m_all);
    column->addLayout(foot);

    m_table->setModel(m_model);
    m_table->setColumnWidths({15, 8, 8, 14, 24, 15, 9}, IssueTableModel::Reason,
                             {IssueTableModel::Video, IssueTableModel::Repair, IssueTableModel::State});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setLettersLeftToWindow();
    const auto go = [this](const QModelIndex& index) {
        if (const int entry = m_model->entryOf(m_table->toModel(index).row()); entry >= 0)
            Q_EMIT entryWanted(entry);
    };
    connect(m_table, &QAbstractItemView::clicked, this, go);
    connect(m_table, &QAbstractItemView::activated, this, go);
    connect(m_all, &QCheckBox::toggled, this, [this](bool all) {
        m_model->setOnlyOpen(!all);
        setCurrent(m_current);
    });
    connect(m_stop, &QPushButton::clicked, list, &IssueList::stop);
    connect(list, &IssueList::changed, this, &IssuesPanel::showState);
    connect(list, &IssueList::progressChanged, this, &IssuesPanel::showState);
    showState();
}

void IssuesPanel::setCurrent(int entry) {
    m_current = entry;
    const int row = m_model->rowOf(entry);
    m_table->selectModelRow(row);
    if (row >= 0)
        m_table->scrollTo(m_table->fromModel(m_model->index(row, IssueTableModel::Kind)));
    showState();
}

std::vector<int> IssuesPanel::shownOrder() const {
    std::vector<int> order;
    for (int row = 0; row < m_table->model()->rowCount(); ++row)
        order.push_back(m_model->entryOf(m_table->toModel(m_table->model()->index(row, 0)).row()));
    return order;
}

void IssuesPanel::setPictures(const QPixmap& before, const QPixmap& after) {
    m_before->setPixmap(before);
    m_after->setPixmap(after);
    m_pictures->setVisible(!before.isNull() || !after.isNull());
}

void IssuesPanel::showState() {
    const auto& entries = m_list->entries();
    const bool any = !entries.empty();
    m_pages->setCurrentIndex(any ? 0 : 1);
    static_cast<EmptyPage*>(m_empty)->setSentence(
        m_list->isUpToDate() ? tr("Nothing to doubt was found.")
                             : tr("Skein can look for tracks that changed over, jumps, breaks and other doubts."));
    m_table->setEmptySentence(tr("Every issue is settled."));
    m_searching->setVisible(m_list->isWorking());
    m_progress->set(m_list->progress(), ProgressLine::State::Active);
    const auto reviewed = m_list->reviewed();
    m_reviewed->setVisible(any || reviewed.all > 0);
    const auto clean = m_list->cleanShare();
    const QString cleanness = clean                  ? tr(", probably clean: %1 %").arg(text::fixed(100 * *clean, 1))
                              : m_list->isUpToDate() ? tr(", no tracks to judge")
                                                     : QString();
    m_reviewed->setText(tr("%1 / %2 reviewed%3")
                            .arg(text::number(static_cast<std::int64_t>(reviewed.reviewed)),
                                 text::number(static_cast<std::int64_t>(reviewed.all)), cleanness));
    m_all->setVisible(any);
    QString words;
    if (m_current >= 0 && static_cast<std::size_t>(m_current) < entries.size()) {
        const proofread::Issue& issue = entries[static_cast<std::size_t>(m_current)].issue;
        words = QString::fromStdString(issue.reason);
        const QString repair = IssueTableModel::repairName(issue);
        if (entries[static_cast<std::size_t>(m_current)].state == IssueList::State::Open)
            words += QLatin1Char('\n') +
                     (repair.isEmpty() ? tr("X dismisses, F8 leaves it for later.")
                                       : tr("Y: %1. X dismisses, F8 leaves it for later.").arg(repair.toLower()));
    }
    m_reason->setText(words);
    if (words.isEmpty())
        m_pictures->hide();
    m_reason->setVisible(!words.isEmpty());
}

}  // namespace skein::ui
