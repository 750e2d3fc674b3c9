// SPDX-License-Identifier: GPL-3.0-or-later
// What changes whole tracks: joining, filling, cutting, names, deleting.
#include <algorithm>

#include "engine/project/edit/gaps.h"
#include "engine/project/edit/track_repair.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/edit/editor.h"
#include "ui/main_window.h"
#include "ui/text.h"
#include "ui/tracks/join_dialog.h"
#include "ui/tracks/proofreading.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
constexpr std::size_t kMostNames = 5;      ///< in a question
constexpr std::int64_t kLongestGap = 300;  ///< frames: beyond that poses on the way mean nothing

/// Joins all into the first, of one video. The list of tracks grows shorter on the way.
edit::Outcome joinIntoFirst(const project::Labels& labels, std::vector<int> tracks, edit::JoinRule rule,
                            std::uint32_t video) {
    int into = tracks.front();
    std::sort(tracks.begin() + 1, tracks.end(), std::greater<>());
    edit::Outcome all = edit::unchanged(labels);
    for (auto from = tracks.begin() + 1; from != tracks.end(); ++from) {
        const std::size_t before = all.labels.tracks().size();
        edit::Outcome one = edit::joinTracks(all.labels, *from, into, rule, video);
        if (one.labels.tracks().size() < before && *from < into)
            --into;
        one.changed += all.changed;
        all = std::move(one);
    }
    all.extent = {};
    all.extent.everywhere = true;
    all.extent.tracks = true;
    return all;
}

}  // namespace

void Proofreading::connectRepairs() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    a.on("trackRenameRows", [this] { renameByPattern(); });
    a.on("trackDeleteRows", [this] { deleteTracks(); });
    a.on("trackMergeRows", [this] { joinTracks(tracksInMind()); });
    a.on("trackJoin", [this, &w] {
        const std::vector<int> tracks = tracksInMind();
        if (tracks.size() > 1)
            return joinTracks(tracks);
        QStringList names;
        std::vector<int> others;
        if (const auto& timeline = w.m_digest->timeline())
            for (const TimelineData::Lane& lane : timeline->lanes)
                if (lane.track != tracks.front()) {
                    others.push_back(lane.track);
                    names << w.m_contents->trackName(lane.track);
                }
        w.m_session->dialogs().askItem(m_window, tr("Join Tracks"),
                                       tr("Track that %1 becomes:").arg(w.m_contents->trackName(tracks.front())), names,
                                       [this, others, from = tracks.front()](std::optional<int> chosen) {
                                           if (chosen)
                                               joinTracks({others[static_cast<std::size_t>(*chosen)], from});
                                       });
    });
    a.on("trackJoinBroken", [this] { joinBroken(); });
    a.on("trackInterpolate", [this] { interpolate(); });
    a.on("trackDeleteBefore", [this] { cutTracksHere(true); });
    a.on("trackDeleteAfter", [this] { cutTracksHere(false); });
    a.on("trackTrim", [this, &w] {
        if (const auto& range = w.m_view->range())
            cutTracks(tr("outside frames %1\u2013%2").arg(w.frameNumber(range->first), w.frameNumber(range->last)),
                      [keep = edit::FrameSpan{range->first, range->last}](const project::Labels& labels,
                                                                          std::uint32_t video, int track) {
                          return edit::trimTrack(labels, video, track, keep, true);
                      });
    });
}

/// Over the selected frames where there are some, as every other step on tracks.
void Proofreading::cutTracksHere(bool before) {
    MainWindow& w = *m_window;
    if (!w.m_editor->isInSelectedFrames())
        return;
    const auto& range = w.m_view->range();
    const std::int64_t frame = w.m_view->frame();
    const edit::FrameSpan cut = before ? edit::FrameSpan{range ? range->first : 0, frame - 1}
                                       : edit::FrameSpan{frame + 1, range ? range->last : edit::kToEnd};
    if (cut.first > cut.last) {
        w.m_status->notice(tr("There is nothing of it there."));
        return;
    }
    const QString title = range    ? tr("on frames %1\u2013%2").arg(w.frameNumber(cut.first), w.frameNumber(cut.last))
                          : before ? tr("before frame %1").arg(w.frameNumber(frame))
                                   : tr("after frame %1").arg(w.frameNumber(frame));
    cutTracks(title, [cut](const project::Labels& labels, std::uint32_t video, int track) {
        return edit::clearTrack(labels, video, track, cut, true);
    });
}

/// The first one keeps its name. Frames on which several of them are decide whether there is a question.
void Proofreading::joinTracks(std::vector<int> tracks) {
    MainWindow& w = *m_window;
    if (tracks.size() < 2 || w.m_view->video() < 0)
        return;
    const auto video = static_cast<std::uint32_t>(w.m_view->video());
    std::size_t conflicts = 0;
    for (std::size_t i = 1; i < tracks.size(); ++i)
        conflicts += edit::joinConflicts(w.m_document->labels(), tracks[i], tracks.front(), video).size();
    QStringList names;
    for (std::size_t i = 1; i < tracks.size(); ++i)
        names << w.m_contents->trackName(tracks[i]);
    const QString into = w.m_contents->trackName(tracks.front());
    const QString who = names.size() > 3 ? tr("%1 tracks").arg(names.size()) : names.join(QStringLiteral(", "));
    const auto join = [this, tracks, video, who, into](edit::JoinRule rule) {
        m_window->m_editor->applyLarge(
            [who, into](std::size_t) { return tr("Join %1 into %2").arg(who, into); },
            [tracks, rule, video](const project::Labels& labels) { return joinIntoFirst(labels, tracks, rule, video); },
            tr("There is nothing to join."));
    };
    if (conflicts == 0)
        return join(edit::JoinRule::Leave);
    w.m_session->dialogs().askChoice(
        m_window, tr("Join Tracks"),
        tr("%1 and %2 are both on %3. Which of them stays in the track there? The other one is left without.")
            .arg(who, into, text::count(static_cast<std::int64_t>(conflicts), tr("frame"), tr("frames"))),
        {tr("The Better Score"), tr("User Instances First"), tr("Leave Those Frames")}, [join](int chosen) {
            if (chosen >= 0)
                join(chosen == 0   ? edit::JoinRule::BetterScore
                     : chosen == 1 ? edit::JoinRule::UserFirst
                                   : edit::JoinRule::Leave);
        });
}

void Proofreading::joinBroken() {
    MainWindow& w = *m_window;
    auto* dialog = w.findChild<JoinDialog*>();
    if (dialog == nullptr) {
        dialog = new JoinDialog(w.m_document, m_window);
        dialog->frameNumber = [&w](std::int64_t frame) { return w.frameNumber(frame); };
        connect(dialog, &JoinDialog::placeWanted, this,
                [this, &w](int video, qint64 last, qint64 first, const QStringList& names) {
                    Scene scene{static_cast<std::uint32_t>(video), last, last, first, {}, {}};
                    const auto& all = w.m_document->labels().tracks();
                    for (std::size_t t = 0; t < all.size(); ++t)
                        if (names.contains(QString::fromStdString(all[t].name)))
                            scene.tracks.push_back(static_cast<std::int32_t>(t));
                    goToScene(scene);
                    noteTracks({scene.tracks.begin(), scene.tracks.end()});
                });
        connect(dialog, &JoinDialog::joinWanted, this, [&w](const proofread::JoinOptions& options, bool all) {
            w.m_editor->applyLarge(
                [](std::size_t n) {
                    return tr("Join broken tracks (%1)")
                        .arg(text::count(static_cast<std::int64_t>(n), tr("join"), tr("joins")));
                },
                [options, all](const project::Labels& labels) {
                    edit::Outcome outcome = edit::unchanged(labels);
                    auto joined = proofread::joinUntilNone(labels, options, all);
                    if (!joined || joined->made.empty())
                        return outcome;
                    outcome.labels = std::move(joined->labels);
                    outcome.changed = joined->made.size();
                    outcome.extent.everywhere = true;
                    outcome.extent.tracks = true;
                    return outcome;
                },
                tr("No track goes on as another one."));
        });
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void Proofreading::interpolate() {
    MainWindow& w = *m_window;
    if (m_known.empty() || w.m_view->video() < 0)
        return;
    const auto video = static_cast<std::uint32_t>(w.m_view->video());
    const int track = m_known.back();
    const project::Labels& labels = w.m_document->labels();
    std::optional<edit::Gap> gap = edit::gapAt(labels, video, track, w.m_view->frame(), kLongestGap);
    if (!gap)
        for (const edit::Gap& later : edit::gapsOf(labels, video, track, kLongestGap))
            if (later.span.first > w.m_view->frame()) {
                gap = later;
                break;
            }
    const QString name = w.m_contents->trackName(track);
    if (!gap) {
        w.m_status->notice(tr("%1 has no pause of at most %2 frames from here on.").arg(name).arg(kLongestGap));
        return;
    }
    w.m_editor->applyLarge([name, first = w.frameNumber(gap->span.first), last = w.frameNumber(gap->span.last)](
                               std::size_t) { return tr("Interpolate %1, frames %2\u2013%3").arg(name, first, last); },
                           [gap = *gap](const project::Labels& now) {
                               return edit::fillGaps(now, std::span(&gap, 1), edit::GapPath::Smooth);
                           },
                           tr("Nothing could be filled: the poses before and after have no node in common."));
    w.goTo(gap->span.first);
}

void Proofreading::cutTracks(const QString& title, const Cut& cut) {
    MainWindow& w = *m_window;
    const std::vector<int> tracks = tracksInMind();
    if (tracks.empty() || w.m_view->video() < 0)
        return;
    const QString who =
        tracks.size() == 1 ? w.m_contents->trackName(tracks.front()) : tr("%1 tracks").arg(tracks.size());
    w.m_editor->applyLarge(
        [who, title](std::size_t n) {
            return tr("Delete %1 of %2 %3")
                .arg(text::count(static_cast<std::int64_t>(n), tr("instance"), tr("instances")), who, title);
        },
        [tracks, cut, video = static_cast<std::uint32_t>(w.m_view->video())](const project::Labels& labels) {
            edit::Outcome all = edit::unchanged(labels);
            for (const int track : tracks) {
                edit::Outcome one = cut(all.labels, video, track);
                one.changed += all.changed;
                all = std::move(one);
            }
            all.extent = {};
            all.extent.everywhere = true;
            return all;
        },
        tr("There is nothing of it there."));
}

void Proofreading::renameByPattern() {
    std::vector<int> tracks = tracksInMind();
    m_window->m_session->dialogs().askText(
        m_window, tr("Rename Tracks"), tr("Pattern; # stands for the number:"), QStringLiteral("animal_#"),
        [this, tracks](const std::optional<QString>& pattern) {
            if (!pattern)
                return;
            project::Labels next = m_window->m_document->snapshot();
            int number = 0;
            for (const int track : tracks) {
                ++number;
                QString name = *pattern;
                if (name.contains(QLatin1Char('#')))
                    name.replace(QLatin1Char('#'), QString::number(number));
                else if (tracks.size() > 1)
                    name += QString::number(number);
                if (track >= 0 && static_cast<std::size_t>(track) < next.tracks().size())
                    next.editTracks()[static_cast<std::size_t>(track)].name = name.toStdString();
            }
            const StepPlace here = m_window->m_editor->here();
            m_window->m_document->commitEdit(tr("Rename %1").arg(text::count(number, tr("track"), tr("tracks"))),
                                             std::move(next), {ChangeKind::Tracks, 0, 0, -1}, here, here);
        });
}

/// What becomes of the instances is asked until a person has said it for all times.
void Proofreading::deleteTracks() {
    constexpr int kAsk = 0, kKeep = 1, kDelete = 2;
    const std::vector<int> tracks = tracksInMind();
    if (tracks.empty())
        return;
    const std::vector<std::int32_t> list(tracks.begin(), tracks.end());
    const auto remove = [this, list](int how) { m_window->m_editor->deleteTracks(list, how == kDelete); };
    if (const int known = m_window->m_settings->get(Setting::DeletedTracks).toInt(); known != kAsk)
        return remove(known);
    std::int64_t frames = 0;
    for (const int track : tracks)
        if (const auto& timeline = m_window->m_digest->timeline())
            if (const TimelineData::Lane* lane = timeline->lane(track))
                for (const auto& [first, last] : lane->spans)
                    frames += last - first + 1;
    const bool one = tracks.size() == 1;
    const QString instances = text::count(frames, tr("instance"), tr("instances"));
    const QString here =
        m_window->m_document->videoCount() > 1 ? tr(" in this video and those in the others") : QString();
    const QString question = (one ? tr("Its %1%2 can stay, without a track, or go too. Undo brings all back.")
                                  : tr("Their %1%2 can stay, without a track, or go too. Undo brings all back."))
                                 .arg(instances, here);
    m_window->m_session->dialogs().askOnce(
        m_window,
        one ? tr("Delete track %1?").arg(quotedNames(tracks))
            : tr("Delete %1 tracks (%2)?")
                  .arg(text::number(static_cast<std::int64_t>(tracks.size())), quotedNames(tracks)),
        question, {tr("Keep Instances"), tr("Delete Instances")}, tr("Cancel"),
        [this, remove](int choice, bool always) {
            if (choice < 0)
                return;
            const int how = choice + kKeep;
            if (always)
                m_window->m_settings->set(Setting::DeletedTracks, how);
            remove(how);
        });
}

void Proofreading::renameTrack(int track) {
    m_window->m_session->dialogs().askText(m_window, tr("Rename Track"), tr("Name of the track:"),
                                           m_window->m_contents->trackName(track),
                                           [this, track](const std::optional<QString>& name) {
                                               if (name)
                                                   m_window->m_editor->renameTrack(track, *name);
                                           });
}

/// The first few, as a question names them.
QString Proofreading::quotedNames(const std::vector<int>& tracks) const {
    QStringList names;
    for (std::size_t i = 0; i < std::min(tracks.size(), kMostNames); ++i)
        names << tr("\u201c%1\u201d").arg(m_window->m_contents->trackName(tracks[i]));
    if (tracks.size() > kMostNames)
        names << tr("...");
    return names.join(QStringLiteral(", "));
}

}  // namespace skein::ui
