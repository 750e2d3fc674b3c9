// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/unsaved_work.h"

#include <QCoreApplication>
#include <QLocale>

#include "engine/formats/slp.h"
#include "ui/text.h"

namespace skein::ui {

namespace fs = std::filesystem;
namespace journal = project::journal;

namespace {

constexpr std::size_t kMostOffered = 20;

QString tr(const char* sentence) {
    return QCoreApplication::translate("UnsavedWork", sentence);
}

void addCount(QStringList& words, std::size_t n, const QString& one, const QString& many, const QString& what) {
    if (n > 0)
        words << QStringLiteral("%1 %2").arg(text::count(static_cast<std::int64_t>(n), one, many), what);
}

void addTracks(QStringList& words, const std::vector<project::Track>& before, const std::vector<project::Track>& now,
               std::size_t changed) {
    if (now.size() > before.size())
        return addCount(words, now.size() - before.size(), tr("track"), tr("tracks"), tr("added"));
    if (now.size() < before.size())
        return addCount(words, before.size() - now.size(), tr("track"), tr("tracks"), tr("removed"));
    addCount(words, changed, tr("track"), tr("tracks"), tr("renamed"));
}

/// The words of the edit are not on record, but what it changed.
QString titleOf(const journal::Replayed::Step& step, const project::Labels& before) {
    const journal::Difference d = journal::differenceOf(before, step.labels);
    QStringList words;
    const QString one = tr("instance"), many = tr("instances");
    addCount(words, d.instancesChanged, one, many, tr("changed"));
    addCount(words, d.instancesAdded, one, many, tr("added"));
    addCount(words, d.instancesRemoved, one, many, tr("removed"));
    if (words.isEmpty()) {
        addCount(words, d.framesChanged, tr("frame"), tr("frames"), tr("changed"));
        addCount(words, d.framesAdded, tr("frame"), tr("frames"), tr("added"));
        addCount(words, d.framesRemoved, tr("frame"), tr("frames"), tr("removed"));
    } else if (d.framesChanged > 1) {
        words.last() +=
            tr(" on %1").arg(text::count(static_cast<std::int64_t>(d.framesChanged), tr("frame"), tr("frames")));
    }
    addTracks(words, before.tracks(), step.labels.tracks(), d.tracksChanged);
    for (const auto& [differs, list] :
         {std::pair(d.videos, tr("videos changed")), std::pair(d.skeletons, tr("skeleton changed")),
          std::pair(d.suggestions, tr("suggestions changed")), std::pair(d.negatives, tr("negative frames changed"))})
        if (differs)
            words << list;
    return words.isEmpty() ? tr("Recovered edit %1").arg(step.lastEdit)
                           : tr("Recovered: %1").arg(words.join(QStringLiteral(", ")));
}

/// Where a journal starts from.
struct Base {
    fs::path file;  ///< empty: an empty project
    std::size_t firstDelta = 0;
    bool isOlder = false;  ///< another version lies under the project's name by now
    FileStamp current;     ///< of what a save will replace
};

/// A save may have been cut off after it had kept the old version and before it was known what the new one is. And
/// whoever saved since without recovering has left the old version beside the journal.
std::optional<Base> baseOf(const journal::Journal& read, const UnsavedWork& work) {
    Base base;
    const fs::path project = text::toPath(work.path);
    const auto current = stampOf(project);
    if (current && !work.path.isEmpty())
        base.current = *current;
    if (!read.header.base.exists())
        return base;
    for (const fs::path& candidate :
         {project, text::toPath(work.path + QStringLiteral(".bak")), journal::keptBaseOf(work.journal)}) {
        const auto stamp = stampOf(candidate);
        const auto first = stamp ? read.startFor(*stamp) : std::nullopt;
        if (!first)
            continue;
        if (!current)
            base.current = *stamp;
        base.file = candidate;
        base.firstDelta = *first;
        base.isOlder = current && candidate != project;
        return base;
    }
    return std::nullopt;
}

}  // namespace

QString UnsavedWork::sentence() const {
    const QString time = when.date() == QDate::currentDate()
                             ? tr("today %1").arg(when.time().toString(QStringLiteral("HH:mm")))
                             : QLocale().toString(when, QLocale::ShortFormat);
    return tr("%1, %2").arg(text::count(static_cast<std::int64_t>(edits), tr("edit"), tr("edits")), time);
}

std::vector<UnsavedWork> findUnsavedWork(const QString& folder) {
    std::vector<UnsavedWork> found;
    for (const fs::path& path : journal::orphanedJournals(text::toPath(folder))) {
        const auto read = journal::readJournal(path);
        // Without a single whole record there is nothing to offer.
        if (!read || read->deltas.empty()) {
            if (auto claimed = journal::JournalFile::claim(path))
                claimed->remove();
            continue;
        }
        UnsavedWork work;
        work.journal = path;
        work.name = QString::fromStdString(read->header.displayName);
        work.path = QString::fromStdString(read->header.projectPath);
        work.when = QDateTime::fromMSecsSinceEpoch(read->lastTimeMs());
        work.edits = read->edits();
        const auto base = baseOf(*read, work);
        work.onNewerFile = base && base->isOlder;
        found.push_back(std::move(work));
        if (found.size() == kMostOffered)
            break;
    }
    return found;
}

Result<RecoveredWork> recoverWork(const UnsavedWork& work) {
    auto claimed = journal::JournalFile::claim(work.journal);
    if (!claimed)
        return fail(ErrorCode::NotFound,
                    tr("The unsaved work on %1 is open in another window already.").arg(work.name).toStdString());
    auto read = journal::readJournal(work.journal);
    if (!read)
        return fail(std::move(read.error()));

    RecoveredWork recovered;
    recovered.project.path = work.path;
    const auto base = baseOf(*read, work);
    if (!base)
        return fail(
            ErrorCode::Unsupported,
            tr("%1 is not the file that was edited: it was changed, moved or replaced since. Put that version back "
               "and try again.")
                .arg(work.path.isEmpty() ? work.name : work.path)
                .toStdString());
    recovered.project.stamp = base->current;
    recovered.onNewerFile = base->isOlder;
    if (!base->file.empty()) {
        auto labels = formats::readSlp(base->file);
        if (!labels)
            return fail(std::move(labels.error()));
        recovered.project.base = std::move(*labels);
    }
    journal::Replayed replayed = journal::replay(*read, recovered.project.base, base->firstDelta);
    recovered.project.labels = std::move(replayed.labels);
    recovered.difference = journal::differenceOf(recovered.project.base, recovered.project.labels);
    if (recovered.onNewerFile) {
        if (auto newer = formats::readSlp(text::toPath(work.path)))
            recovered.project.base = std::move(*newer);
        recovered.project.steps.push_back(
            {tr("Recover unsaved work"), QDateTime::currentDateTime(), recovered.project.labels});
    } else {
        for (journal::Replayed::Step& step : replayed.steps) {
            auto& steps = recovered.project.steps;
            const QString title = titleOf(step, steps.empty() ? recovered.project.base : steps.back().labels);
            steps.push_back({title, QDateTime::fromMSecsSinceEpoch(step.timeMs), std::move(step.labels)});
        }
    }
    recovered.edits = replayed.edits;
    recovered.complete = replayed.complete && !read->cutShort;
    recovered.journal = std::make_shared<journal::JournalFile>(std::move(*claimed));
    return recovered;
}

void discardWork(const UnsavedWork& work) {
    if (auto claimed = journal::JournalFile::claim(work.journal))
        claimed->remove();
}

QStringList inWords(const journal::Difference& d) {
    QStringList lines;
    addCount(lines, d.framesChanged, tr("frame"), tr("frames"), tr("changed"));
    addCount(lines, d.framesAdded, tr("frame"), tr("frames"), tr("added"));
    addCount(lines, d.framesRemoved, tr("frame"), tr("frames"), tr("removed"));
    addCount(lines, d.instancesChanged, tr("instance"), tr("instances"), tr("changed"));
    addCount(lines, d.instancesAdded, tr("instance"), tr("instances"), tr("added"));
    addCount(lines, d.instancesRemoved, tr("instance"), tr("instances"), tr("removed"));
    addCount(lines, d.tracksChanged, tr("track"), tr("tracks"), tr("added, removed or renamed"));
    const std::pair<bool, QString> lists[] = {{d.videos, tr("The list of videos differs")},
                                              {d.skeletons, tr("The skeletons differ")},
                                              {d.suggestions, tr("The suggestions differ")},
                                              {d.negatives, tr("The negative frames differ")}};
    for (const auto& [differs, words] : lists)
        if (differs)
            lines << words;
    if (lines.isEmpty())
        lines << tr("Nothing differs from the file");
    return lines;
}

}  // namespace skein::ui
