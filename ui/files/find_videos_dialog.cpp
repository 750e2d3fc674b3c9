// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/find_videos_dialog.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

namespace {

enum Column { File, LookedFor, Found, Fits, Columns };
constexpr int kWidth = 860, kHeight = 420;
constexpr int kMostRemembered = 20;

QString folderOf(const std::string& stored) {
    const QString path = QString::fromStdString(stored).replace(QLatin1Char('\\'), QLatin1Char('/'));
    return path.contains(QLatin1Char('/')) ? path.section(QLatin1Char('/'), 0, -2) : QString();
}

}  // namespace

FindVideosDialog::FindVideosDialog(Document* document, Settings* settings, DialogService* dialogs, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_settings(settings),
      m_dialogs(dialogs),
      m_model(new QStandardItemModel(0, Columns, this)),
      m_table(new PlainTable(QStringLiteral("findVideosTable"), tr("Videos"), this)),
      m_summary(new QLabel(this)),
      m_find(new QPushButton(tr("Find..."), this)),
      m_anyway(new QPushButton(tr("Open Anyway"), this)),
      m_apply(new QPushButton(tr("Use Found Videos"), this)) {
    setObjectName(QStringLiteral("findVideosDialog"));
    setWindowTitle(tr("Find videos"));
    setAttribute(Qt::WA_DeleteOnClose);
    const auto name = [](QWidget* widget, const char* objectName, const QString& tip) {
        widget->setObjectName(QLatin1String(objectName));
        widget->setToolTip(tip);
        if (auto* button = qobject_cast<QPushButton*>(widget))
            button->setAccessibleName(button->text());
    };
    name(m_find, "findVideosFind", tr("Say where the selected video is; the others are looked for in the same way."));
    name(m_anyway, "findVideosAnyway", tr("Use the selected file although it differs from what the project says."));
    name(m_apply, "findVideosApply", tr("Point the ticked videos at the files found, as one step."));
    m_apply->setProperty("primary", true);
    auto* close = new QPushButton(tr("Close"), this);
    name(close, "findVideosClose", tr("Go on without the others."));
    m_summary->setObjectName(QStringLiteral("findVideosSummary"));
    m_model->setHorizontalHeaderLabels({tr("File"), tr("Looked for in"), tr("Found"), tr("Frames and size")});
    m_table->setModel(m_model);
    m_table->setToolTip(tr("Tick the files that are to be used."));
    m_table->setColumnWidths({22, 26, 26, 26}, Found);
    m_table->setEmptySentence(tr("Every video of this project was found."));
    m_table->setTextElideMode(Qt::ElideMiddle);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(m_summary);
    column->addWidget(m_table, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addWidget(m_find);
    buttons->addWidget(m_anyway);
    buttons->addStretch();
    buttons->addWidget(close);
    buttons->addWidget(m_apply);
    column->addLayout(buttons);
    resize(kWidth, kHeight);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_find, &QPushButton::clicked, this, [this] { chooseFor(currentRow()); });
    connect(m_anyway, &QPushButton::clicked, this, [this] { setUsed(currentRow(), true); });
    connect(m_apply, &QPushButton::clicked, this, &FindVideosDialog::apply);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FindVideosDialog::refresh);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { chooseFor(index.row()); });
    connect(m_model, &QStandardItemModel::itemChanged, this, [this](QStandardItem* item) {
        if (!m_filling && item->column() == File)
            setUsed(item->row(), item->checkState() == Qt::Checked);
    });
    connect(document, &Document::opened, this, &QDialog::reject);

    for (int i = 0; i < document->videoCount(); ++i) {
        const auto kind = document->videoState(i).kind;
        if (kind == VideoState::Kind::Missing || kind == VideoState::Kind::Unreadable)
            m_lost.push_back({i, document->labels().videos()[static_cast<std::size_t>(i)], {}, false, {}});
    }
    m_used.assign(m_lost.size(), false);
    m_filling = true;
    for (const LostVideo& lost : m_lost) {
        QList<QStandardItem*> row;
        for (int i = 0; i < Columns; ++i) {
            row << new QStandardItem;
            row.back()->setEditable(false);
        }
        row[File]->setText(document->videoName(lost.index));
        row[LookedFor]->setText(folderOf(lost.video.filename));
        row[LookedFor]->setToolTip(QString::fromStdString(lost.video.filename));
        m_model->appendRow(row);
    }
    m_filling = false;
    if (!m_lost.empty())
        m_table->selectRow(0);
    refresh();
    search();
}

FindVideosDialog::~FindVideosDialog() {
    m_stop.request_stop();
}

int FindVideosDialog::currentRow() const {
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.first().row();
}

std::vector<formats::PathChange> FindVideosDialog::remembered() const {
    std::vector<formats::PathChange> changes = m_changes;
    for (const QString& entry : m_settings->get(Setting::VideoReplacements).toStringList())
        if (const int bar = static_cast<int>(entry.indexOf(QLatin1Char('|'))); bar > 0)
            changes.push_back({entry.left(bar).toStdString(), entry.mid(bar + 1).toStdString()});
    return changes;
}

void FindVideosDialog::search() {
    ++m_tasks;
    refresh();
    inBackground(
        this,
        [lost = m_lost, project = m_document->path(), changes = remembered()]() -> Result<std::vector<LostVideo>> {
            return lookFor(lost, project, changes);
        },
        [this](Result<std::vector<LostVideo>> result) {
            --m_tasks;
            if (result)
                found(std::move(*result));
            refresh();
        });
}

void FindVideosDialog::found(std::vector<LostVideo> lost) {
    for (std::size_t i = 0; i < m_lost.size(); ++i)
        if (m_lost[i].found.isEmpty() && !lost[i].found.isEmpty())
            m_lost[i].found = lost[i].found;
    check();
}

/// One after the other, so that a slow disk is not asked for everything at once.
void FindVideosDialog::check() {
    for (std::size_t i = 0; i < m_lost.size(); ++i) {
        if (m_lost[i].found.isEmpty() || m_lost[i].checked)
            continue;
        m_lost[i].checked = true;
        m_lost[i].warning = tr("Checking...");
        ++m_tasks;
        inBackground(
            this,
            [lost = m_lost[i], stop = m_stop.get_token()]() -> Result<QString> { return differenceOf(lost, stop); },
            [this, i, path = m_lost[i].found](Result<QString> result) {
                --m_tasks;
                if (m_lost[i].found == path) {
                    m_lost[i].warning = result ? *result : QString::fromStdString(result.error().message());
                    m_used[i] = m_lost[i].warning.isEmpty();
                    check();
                }
                refresh();
            });
        break;
    }
}

void FindVideosDialog::chooseFor(int row) {
    if (row < 0)
        return;
    m_dialogs->chooseFiles(this, tr("Find %1").arg(m_document->videoName(m_lost[static_cast<std::size_t>(row)].index)),
                           m_settings->get(Setting::LastFolder).toString(), tr("All files (*)"),
                           [this, row](const QStringList& paths) {
                               if (!paths.isEmpty())
                                   take(row, paths.first());
                           });
}

void FindVideosDialog::take(int row, const QString& path) {
    LostVideo& lost = m_lost[static_cast<std::size_t>(row)];
    lost.found = QFileInfo(path).absoluteFilePath();
    lost.checked = false;
    m_used[static_cast<std::size_t>(row)] = false;
    m_settings->set(Setting::LastFolder, QFileInfo(path).absolutePath());
    if (const auto change = formats::changeBetween(lost.video.filename, text::toPath(lost.found)))
        m_changes.insert(m_changes.begin(), *change);
    search();
}

void FindVideosDialog::setUsed(int row, bool used) {
    if (row < 0)
        return;
    const auto i = static_cast<std::size_t>(row);
    m_used[i] = used && !m_lost[i].found.isEmpty();
    refresh();
}

void FindVideosDialog::refresh() {
    m_filling = true;
    int located = 0, used = 0;
    for (std::size_t i = 0; i < m_lost.size(); ++i) {
        const LostVideo& lost = m_lost[i];
        const int row = static_cast<int>(i);
        located += lost.found.isEmpty() ? 0 : 1;
        used += m_used[i] ? 1 : 0;
        QStandardItem* file = m_model->item(row, File);
        file->setCheckable(!lost.found.isEmpty());
        if (!lost.found.isEmpty())
            file->setCheckState(m_used[i] ? Qt::Checked : Qt::Unchecked);
        m_model->item(row, Found)->setText(lost.found.isEmpty() ? tr("not found") : text::tidyPath(lost.found));
        m_model->item(row, Found)->setToolTip(lost.found);
        const QString fits = lost.found.isEmpty()                     ? QString()
                             : lost.warning.isEmpty() && lost.checked ? tr("match")
                                                                      : lost.warning;
        m_model->item(row, Fits)->setText(fits);
        m_model->item(row, Fits)->setToolTip(fits);
    }
    m_filling = false;
    m_summary->setText(m_lost.empty()
                           ? tr("Every video of this project was found.")
                           : tr("%1 of %2 found.%3")
                                 .arg(located)
                                 .arg(text::count(static_cast<std::int64_t>(m_lost.size()), tr("video"), tr("videos")))
                                 .arg(m_tasks > 0 ? tr(" Searching...") : QString()));
    const int row = currentRow();
    const LostVideo* lost = row < 0 ? nullptr : &m_lost[static_cast<std::size_t>(row)];
    m_find->setEnabled(lost != nullptr);
    m_anyway->setEnabled(lost != nullptr && !lost->found.isEmpty() && !m_used[static_cast<std::size_t>(row)]);
    m_apply->setEnabled(used > 0);
    m_apply->setText(used > 0 ? tr("Use %1").arg(text::count(used, tr("Video"), tr("Videos")))
                              : tr("Use Found Videos"));
}

void FindVideosDialog::apply() {
    std::vector<std::pair<int, project::Video>> videos;
    QStringList replacements = m_settings->get(Setting::VideoReplacements).toStringList();
    for (std::size_t i = 0; i < m_lost.size(); ++i) {
        if (!m_used[i] || m_lost[i].index >= m_document->videoCount())
            continue;
        const auto path = text::toPath(m_lost[i].found);
        videos.emplace_back(m_lost[i].index, formats::movedTo(m_lost[i].video, path));
        if (const auto change = formats::changeBetween(m_lost[i].video.filename, path)) {
            const QString entry = QString::fromStdString(change->from + "|" + change->to);
            replacements.removeAll(entry);
            replacements.prepend(entry);
        }
    }
    if (videos.empty())
        return;
    m_settings->set(Setting::VideoReplacements, QStringList(replacements.mid(0, kMostRemembered)));
    const QString what =
        videos.size() == 1 ? m_document->videoName(videos.front().first) : tr("%1 videos").arg(videos.size());
    disconnect(m_document, nullptr, this, nullptr);
    m_document->replaceVideos(tr("Find %1").arg(what), videos);
    QDialog::accept();
}

}  // namespace skein::ui
