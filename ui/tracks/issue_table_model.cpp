// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/issue_table_model.h"

#include <algorithm>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

class IssueTableModel::Rows : public TableRows {
public:
    struct Row {
        int entry = 0;
        proofread::Issue issue;
        IssueList::State state = IssueList::State::Open;
    };
    std::vector<Row> rows;
    std::vector<QString> videos;
    int firstNumber = 1;

    [[nodiscard]] const Row& at(int row) const { return rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int count() const override { return static_cast<int>(rows.size()); }
    [[nodiscard]] bool isNumber(int column) const override { return column == Severity || column == Frame; }
    [[nodiscard]] double number(int row, int column) const override {
        return column == Severity ? at(row).issue.severity : static_cast<double>(at(row).issue.frame);
    }
    [[nodiscard]] QString text(int row, int column) const override {
        const proofread::Issue& issue = at(row).issue;
        switch (column) {
            case Kind:
                return kindName(issue.kind);
            case Severity:
                return text::fixed(issue.severity, 2);
            case Frame:
                return text::number(issue.frame + firstNumber);
            case Video:
                return issue.video < videos.size() ? videos[issue.video] : QString();
            case Reason:
                return QString::fromStdString(issue.reason);
            case Repair:
                return repairName(issue);
            case State:
                return at(row).state == IssueList::State::Open    ? tr("open")
                       : at(row).state == IssueList::State::Fixed ? tr("fixed")
                                                                  : tr("dismissed");
            default:
                return {};
        }
    }
};

IssueTableModel::IssueTableModel(const IssueList* list, const Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_list(list), m_document(document), m_rows(std::make_shared<Rows>()) {
    connect(list, &IssueList::changed, this, &IssueTableModel::rebuild);
}

void IssueTableModel::rebuild() {
    auto rows = std::make_shared<Rows>();
    const auto& entries = m_list->entries();
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!m_onlyOpen || entries[i].state == IssueList::State::Open)
            rows->rows.push_back({static_cast<int>(i), entries[i].issue, entries[i].state});
    for (int v = 0; v < m_document->videoCount(); ++v)
        rows->videos.push_back(m_document->videoName(v));
    rows->firstNumber = m_firstNumber;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void IssueTableModel::setFirstFrameNumber(int number) {
    if (std::exchange(m_firstNumber, number) != number)
        rebuild();
}

void IssueTableModel::setOnlyOpen(bool onlyOpen) {
    if (std::exchange(m_onlyOpen, onlyOpen) != onlyOpen)
        rebuild();
}

int IssueTableModel::entryOf(int row) const {
    return row >= 0 && row < rowCount() ? m_rows->at(row).entry : -1;
}

int IssueTableModel::rowOf(int entry) const {
    const auto it = std::lower_bound(m_rows->rows.begin(), m_rows->rows.end(), entry,
                                     [](const Rows::Row& row, int key) { return row.entry < key; });
    return it != m_rows->rows.end() && it->entry == entry ? static_cast<int>(it - m_rows->rows.begin()) : -1;
}

QString IssueTableModel::kindName(proofread::IssueKind kind) {
    using K = proofread::IssueKind;
    switch (kind) {
        case K::Swap:
            return tr("Possible swap");
        case K::Jump:
            return tr("Jump");
        case K::Break:
            return tr("Break");
        case K::NewTrack:
            return tr("New track");
        case K::ShortTrack:
            return tr("Short track");
        case K::Duplicate:
            return tr("Duplicate");
        case K::Flip:
            return tr("Left/right flip");
        case K::EdgeLength:
            return tr("Odd length");
        case K::CountChange:
            return tr("Count change");
        case K::LowScore:
            return tr("Low score");
        case K::Encounter:
            return tr("Encounter");
    }
    return {};
}

QString IssueTableModel::repairName(const proofread::Issue& issue) {
    using F = proofread::Fix::Kind;
    switch (issue.fix.kind) {
        case F::None:
            return {};
        case F::Swap:
            return tr("Exchange tracks");
        case F::Join:
            return tr("Join tracks");
        case F::Delete:
            return tr("Delete %1")
                .arg(text::count(static_cast<std::int64_t>(issue.fix.instances.size()), tr("instance"),
                                 tr("instances")));
        case F::Flip:
            return tr("Exchange sides");
    }
    return {};
}

int IssueTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows->count();
}

int IssueTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

std::shared_ptr<const TableRows> IssueTableModel::rowsForWorker() const {
    return m_rows;
}

QVariant IssueTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const int row = index.row(), column = index.column();
    if (role == Qt::DisplayRole || (role == Qt::ToolTipRole && (column == Reason || column == Video)))
        return m_rows->text(row, column);
    if (role == Qt::TextAlignmentRole)
        return QVariant((m_rows->isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const auto& t = theme::tokens();
    const IssueList::State state = m_rows->at(row).state;
    if (role == Qt::DecorationRole && column == Kind) {
        if (state != IssueList::State::Open)
            return icon(QStringLiteral("check"), t.good);
        const double severity = m_rows->at(row).issue.severity;
        return icon(QStringLiteral("warning"), severity >= 0.66 ? t.bad : severity >= 0.33 ? t.warn : t.text2);
    }
    if (role == Qt::ForegroundRole && state != IssueList::State::Open)
        return t.text2;
    return {};
}

QVariant IssueTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((m_rows->isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const struct {
        QString title, tip;
    } columns[ColumnCount] = {{tr("Issue"), tr("What may be wrong")},
                              {tr("Severity"), tr("From 0 to 1: how likely, and how much it would matter")},
                              {tr("Frame"), tr("The frame to look at")},
                              {tr("Video"), tr("The video to look at")},
                              {tr("Reason"), tr("What speaks for it")},
                              {tr("Repair"), tr("What accepting it does (Y)")},
                              {tr("State"), tr("Open, fixed or dismissed")}};
    if (role == Qt::ToolTipRole)
        return columns[section].tip;
    return role == Qt::DisplayRole ? QVariant(columns[section].title) : QVariant();
}

}  // namespace skein::ui
