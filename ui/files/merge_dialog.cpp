// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/merge_dialog.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/formats/match_videos.h"
#include "engine/formats/project_video.h"
#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
constexpr int kWidth = 480;
}

MergeDialog::MergeDialog(Document* document, project::Labels theirs, const QString& path, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_theirs(std::move(theirs)),
      m_path(path),
      m_brings(new QLabel(this)),
      m_conflicts(new QLabel(this)),
      m_users(new QComboBox(this)),
      m_predictions(new QComboBox(this)),
      m_merge(new QPushButton(tr("Merge"), this)) {
    setObjectName(QStringLiteral("mergeDialog"));
    setWindowTitle(tr("Merge into project"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* title = new QLabel(tr("%1 into %2").arg(QFileInfo(path).fileName(), document->displayName()), this);
    title->setFont(theme::headingFont(2));
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    title->setToolTip(path);
    for (QLabel* label : {m_brings, m_conflicts}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_brings->setObjectName(QStringLiteral("mergeBrings"));
    m_brings->setText(tr("Counting..."));
    m_conflicts->setObjectName(QStringLiteral("mergeConflicts"));
    const auto fill = [](QComboBox* box, const char* name, const QString& what, const QString& tip) {
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(what);
        box->setToolTip(tip);
        box->addItems({tr("Keep mine"), tr("Take theirs"), tr("Keep both")});
    };
    fill(m_users, "mergeUsers", tr("User instances in conflict"),
         tr("Two user instances of one track, or at one place, that differ."));
    fill(m_predictions, "mergePredictions", tr("Predictions in conflict"),
         tr("Frames on which both projects have predictions."));
    m_merge->setObjectName(QStringLiteral("mergeButton"));
    m_merge->setAccessibleName(m_merge->text());
    m_merge->setToolTip(tr("Merge as one step that can be undone."));
    m_merge->setProperty("primary", true);
    m_merge->setDefault(true);
    m_merge->setEnabled(false);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("mergeCancel"));
    cancel->setAccessibleName(cancel->text());
    cancel->setToolTip(tr("Leave the project as it is."));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(title);
    column->addWidget(m_brings);
    column->addWidget(m_conflicts);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kMargin);
    for (const auto& [text, box] : {std::pair(tr("User instances in conflict"), m_users),
                                    std::pair(tr("Predictions in conflict"), m_predictions)}) {
        auto* label = new QLabel(text, this);
        label->setMinimumHeight(theme::kControlHeight);
        form->addRow(label, box);
    }
    column->addLayout(form);
    column->addStretch();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_merge);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_merge, &QPushButton::clicked, this, &MergeDialog::accept);
    for (QComboBox* box : {m_users, m_predictions})
        connect(box, qOverload<int>(&QComboBox::currentIndexChanged), this, &MergeDialog::count);
    // What is counted is what will be done, so it follows edits made meanwhile.
    connect(document, &Document::changed, this, &MergeDialog::count);
    connect(document, &Document::opened, this, &QDialog::reject);
    count();
}

edit::MergeOptions MergeDialog::options() const {
    return {m_videos, static_cast<edit::Prefer>(m_users->currentIndex()),
            static_cast<edit::Prefer>(m_predictions->currentIndex())};
}

void MergeDialog::count() {
    m_merge->setEnabled(false);
    m_result.reset();
    struct Counted {
        edit::Merged merged;
        std::vector<std::int32_t> videos;
        project::Labels theirs;
    };
    inBackground(
        this,
        [mine = m_document->snapshot(), theirs = m_theirs, path = m_path, own = m_document->path(), chosen = options(),
         matched = m_matched]() -> Result<Counted> {
            Counted counted{{}, chosen.videos, theirs};
            edit::MergeOptions used = chosen;
            if (!matched) {
                // Its videos as this project's file refers to them.
                counted.theirs.editVideos() = formats::externalVideos(theirs, text::toPath(path));
                counted.videos =
                    formats::matchVideos(mine.videos(), text::toPath(own), counted.theirs.videos(), text::toPath(path));
                used.videos = counted.videos;
            }
            counted.merged = edit::mergeProjects(mine, counted.theirs, used);
            return counted;
        },
        [this, asked = ++m_asked, mine = m_document->snapshot()](Result<Counted> result) {
            if (asked != m_asked)
                return;
            if (!result) {
                m_brings->setText(QString::fromStdString(result.error().message()));
                return;
            }
            m_videos = result->videos;
            m_theirs = std::move(result->theirs);
            m_matched = true;
            m_countedFor = mine;
            show(result->merged);
            m_result = std::move(result->merged);
        });
}

void MergeDialog::show(const edit::Merged& result) {
    const edit::MergeCounts& c = result.counts;
    QStringList lines;
    const auto add = [&lines](std::size_t n, const QString& one, const QString& many, const QString& form) {
        if (n > 0)
            lines << form.arg(text::count(static_cast<std::int64_t>(n), one, many));
    };
    add(c.videosMatched, tr("video"), tr("videos"), tr("%1 in both projects"));
    add(c.videosAdded, tr("new video"), tr("new videos"), QStringLiteral("%1"));
    add(c.skeletonsAdded, tr("new skeleton"), tr("new skeletons"), QStringLiteral("%1"));
    add(c.tracksAdded, tr("new track"), tr("new tracks"), QStringLiteral("%1"));
    add(c.framesAdded, tr("new labelled frame"), tr("new labelled frames"), QStringLiteral("%1"));
    add(c.framesOfBoth, tr("frame"), tr("frames"), tr("%1 in both projects"));
    add(c.usersAdded, tr("user instance"), tr("user instances"), tr("%1 added"));
    add(c.predictionsAdded, tr("prediction"), tr("predictions"), tr("%1 added"));
    add(c.replaced, tr("instance"), tr("instances"), tr("%1 of this project replaced"));
    add(c.duplicates, tr("instance"), tr("instances"), tr("%1 here already, left out"));
    add(c.suggestionsAdded, tr("new suggestion"), tr("new suggestions"), QStringLiteral("%1"));
    add(c.negativesAdded, tr("new negative frame"), tr("new negative frames"), QStringLiteral("%1"));
    if (result.nothing())
        lines << tr("Nothing in it is new to this project.");
    m_brings->setText(lines.join(QLatin1Char('\n')));
    QStringList conflicts;
    if (c.userConflicts > 0)
        conflicts << tr("%1 of user instances")
                         .arg(text::count(static_cast<std::int64_t>(c.userConflicts), tr("conflict"), tr("conflicts")));
    if (c.predictionConflicts > 0)
        conflicts << tr("%1 with predictions of both")
                         .arg(text::count(static_cast<std::int64_t>(c.predictionConflicts), tr("frame"), tr("frames")));
    m_conflicts->setText(conflicts.isEmpty() ? tr("No conflicts.") : conflicts.join(QLatin1String(", ")));
    m_users->setEnabled(c.userConflicts > 0);
    m_predictions->setEnabled(c.predictionConflicts > 0);
    m_merge->setEnabled(!result.nothing());
    adjustSize();
}

void MergeDialog::accept() {
    if (!m_result || !m_countedFor.isUnchangedCopyOf(m_document->labels()))
        return;
    disconnect(m_document, nullptr, this, nullptr);
    m_document->replaceAll(tr("Merge %1").arg(QFileInfo(m_path).fileName()), std::move(m_result->labels));
    if (merged)
        merged();
    QDialog::accept();
}

}  // namespace skein::ui
