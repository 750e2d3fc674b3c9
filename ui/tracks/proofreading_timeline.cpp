// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's graphs, marks and lanes, and trails.
#include <QMenu>
#include <QPixmap>
#include <QSplitter>
#include <algorithm>
#include <array>

#include "engine/video/video_source.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/edit/project_editor.h"
#include "ui/main_window.h"
#include "ui/text.h"
#include "ui/timeline/timeline_tip.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/tracks/tracks_panel.h"

namespace skein::ui {

namespace {

constexpr std::size_t kMostSuggested = 20;

struct Choice {
    const char* action;
    int value;
};
struct Choices {
    Setting setting;
    std::vector<Choice> list;
};

const std::vector<Choices>& choices() {
    static const std::vector<Choices> all = {
        {Setting::LaneOrder,
         {{"timelineOrderIndex", static_cast<int>(LaneOrder::Index)},
          {"timelineOrderFirst", static_cast<int>(LaneOrder::FirstFrame)},
          {"timelineOrderLength", static_cast<int>(LaneOrder::Length)},
          {"timelineOrderName", static_cast<int>(LaneOrder::Name)},
          {"timelineOrderIssues", static_cast<int>(LaneOrder::Issues)}}},
        {Setting::TrailLength,
         {{"viewTrailLength0", 0},
          {"viewTrailLength10", 10},
          {"viewTrailLength50", 50},
          {"viewTrailLength100", 100},
          {"viewTrailLength250", 250},
          {"viewTrailLength500", 500}}},
        {Setting::TrailWhen, {{"viewTrailPast", 0}, {"viewTrailFuture", 1}, {"viewTrailBoth", 2}}},
        {Setting::TrailWidth,
         {{"viewTrailWidth1", 1}, {"viewTrailWidth2", 2}, {"viewTrailWidth3", 3}, {"viewTrailWidth5", 5}}},
        {Setting::TrailOpacity,
         {{"viewTrailOpacity25", 25},
          {"viewTrailOpacity50", 50},
          {"viewTrailOpacity75", 75},
          {"viewTrailOpacity100", 100}}},
    };
    return all;
}

constexpr struct {
    const char* action;
    Setting setting;
} kSwitches[] = {{"timelineStack", Setting::TimelineStacked},
                 {"timelinePack", Setting::LanesPacked},
                 {"timelineTime", Setting::TimelineTime},
                 {"viewTrailFade", Setting::TrailFade}};

/// A settings file of another version may hold anything.
int valueOf(const Settings& settings, const Choices& group) {
    bool isNumber = false;
    const int value = settings.get(group.setting).toInt(&isNumber);
    const bool known = isNumber && std::any_of(group.list.begin(), group.list.end(),
                                               [value](const Choice& c) { return c.value == value; });
    return known ? value : Settings::defaultOf(group.setting).toInt();
}

int valueOf(const Settings& settings, Setting setting) {
    for (const Choices& group : choices())
        if (group.setting == setting)
            return valueOf(settings, group);
    return 0;
}

}  // namespace

void Proofreading::applySetting(Setting setting) {
    MainWindow& w = *m_window;
    const Settings& settings = *w.m_settings;
    for (const auto& s : kSwitches)
        if (s.setting == setting)
            w.m_actions->get(s.action)->setChecked(settings.get(setting).toBool());
    for (const Choices& group : choices())
        if (group.setting == setting)
            for (const Choice& choice : group.list)
                if (choice.value == valueOf(settings, group))
                    w.m_actions->get(choice.action)->setChecked(true);
    switch (setting) {
        case Setting::TimelineStatistics:
            return showStatistics();
        case Setting::TimelineStripHeight:
            return w.m_timeline->setStripHeight(settings.get(setting).toInt());
        case Setting::TimelineTime:
            return w.m_timeline->setRulerShowsTime(settings.get(setting).toBool());
        case Setting::LaneOrder:
            return w.m_timeline->setLaneOrder(static_cast<LaneOrder>(valueOf(settings, setting)));
        case Setting::LanesPacked:
            return w.m_timeline->setLanesPacked(settings.get(setting).toBool());
        case Setting::DeletedTracks:  // dots stand for a question
            return w.m_actions->get("trackDeleteRows")
                ->setText(settings.get(setting).toInt() == 0 ? tr("&Delete Tracks...") : tr("&Delete Tracks"));
        case Setting::TrailLength:
        case Setting::TrailWhen:
        case Setting::TrailNode:
        case Setting::TrailFade:
        case Setting::TrailOpacity:
        case Setting::TrailWidth:
            return applyTrails();
        default:
            return;
    }
}

// --- The timeline --------------------------------------------------------------------------------------------------

void Proofreading::connectTimeline() {
    MainWindow& w = *m_window;
    Timeline& timeline = *w.m_timeline;
    timeline.trackColor = [this](int track) { return theme::trackColor(m_state.inkOf(track)); };
    timeline.framesPerSecond = [&w] {
        const int video = w.m_view->video();
        if (video < 0 || video >= w.m_document->videoCount())
            return 0.0;
        const auto& source = w.m_document->videoState(video).source;
        return source ? source->fps() : w.m_document->labels().videos()[static_cast<std::size_t>(video)].fps;
    };
    timeline.countText = [&w](std::int64_t frame) {
        const ShownFrame shown = w.m_contents->at(static_cast<std::uint32_t>(w.m_view->video()), frame);
        const auto all = static_cast<std::int64_t>(shown.instances.size());
        const int users = shown.userCount();
        if (all == 0)
            return QString();
        const QString words = text::count(all, tr("instance"), tr("instances"));
        return users == 0     ? tr("%1, predicted").arg(words)
               : users == all ? tr("%1, by people").arg(words)
                              : tr("%1 (%2 user)").arg(words).arg(users);
    };
    connect(&timeline, &Timeline::trackClicked, this, [this](int track) { selectTracks({track}); });
    connect(&timeline, &Timeline::trackAdded, this, [this](int track) {
        std::vector<int> tracks = m_known;
        if (std::erase(tracks, track) == 0)
            tracks.push_back(track);
        selectTracks(tracks);
    });
    connect(&timeline, &Timeline::trackMenuWanted, this,
            [this](int track, qint64, const QPoint& at) { showTrackMenu(track, at); });
    connect(&timeline, &Timeline::stripMenuWanted, this, &Proofreading::showStripMenu);
    connect(&timeline, &Timeline::thresholdChanged, m_window, &MainWindow::scheduleUpdate);
    connect(&timeline, &Timeline::stripHeightChanged, this,
            [&w](int height) { w.m_settings->set(Setting::TimelineStripHeight, height); });
    connect(&timeline, &Timeline::thumbnailWanted, this, [this, &w](qint64 frame) {
        wantThumbnail({frame,
                       {},
                       {TimelineTip::kWidth, TimelineTip::kHeight},
                       [&w, frame](const QPixmap& picture) { w.m_timeline->setThumbnail(frame, picture); },
                       true});
    });
    connect(&m_thumbnails, &FrameService::frameReady, this,
            [this](quint64, qint64 frame, const ImagePtr& image) { takeThumbnail(image, frame); });
    connect(&m_thumbnails, &FrameService::frameFailed, this,
            [this](quint64, qint64 frame, const UiError&) { takeThumbnail(nullptr, frame); });
    connect(w.m_document, &Document::opened, this, [this] {
        m_wanted.clear();
        m_thumbnails.forget();
    });
    connect(w.m_digest, &ProjectDigest::updated, this, &Proofreading::showMarks);
    connect(w.m_digest, &ProjectDigest::updated, this, &Proofreading::showStrips);
    connect(w.m_document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Suggestions))
            showMarks();
    });
    connect(w.m_view, &ViewState::videoChanged, this, &Proofreading::showMarks);
    connect(w.m_actions->get("goMark"), &QAction::triggered, this, &Proofreading::showMarks);
    connect(w.m_view, &ViewState::selectionChanged, this, [this, &w] {
        if (w.m_view->selection().empty() && !m_selecting)
            clearTracks();
        else
            showSelection(false);
    });
    connect(w.m_presenter, &FramePresenter::contentsChanged, this, [this] { showSelection(true); });
    for (const auto& s : kSwitches)
        connect(w.m_actions->get(s.action), &QAction::toggled, this,
                [&w, setting = s.setting](bool on) { w.m_settings->set(setting, on); });
    for (const Choices& group : choices())
        for (const Choice& choice : group.list)
            connect(w.m_actions->get(choice.action), &QAction::triggered, this,
                    [&w, setting = group.setting, value = choice.value] { w.m_settings->set(setting, value); });
    for (const Setting setting :
         {Setting::TimelineStatistics, Setting::TimelineStripHeight, Setting::TimelineTime, Setting::LaneOrder,
          Setting::LanesPacked, Setting::TimelineStacked, Setting::TrailLength, Setting::TrailWhen, Setting::TrailFade,
          Setting::TrailOpacity, Setting::TrailWidth, Setting::DeletedTracks})
        applySetting(setting);
    m_growing = true;
}

/// The tracks of the selected instances are the selected ones. `came`: another frame is seen, with the same selection;
/// tracks that are not on it stay selected.
void Proofreading::showSelection(bool came) {
    if (m_selecting)
        return;
    std::vector<int> tracks;
    bool any = false;
    for (const project::InstanceId id : m_window->m_view->selection())
        if (const ShownInstance* instance = m_window->m_presenter->shown().find(id)) {
            any = true;
            const int track = instance->header.track;
            if (track >= 0 && std::find(tracks.begin(), tracks.end(), track) == tracks.end())
                tracks.push_back(track);
        }
    const bool known = std::all_of(tracks.begin(), tracks.end(), [this](int track) {
        return std::find(m_known.begin(), m_known.end(), track) != m_known.end();
    });
    if (!any || tracks == m_known || (came && known))
        return;
    noteTracks(tracks);
}

void Proofreading::showMarks() {
    MainWindow& w = *m_window;
    TimelineMarks marks;
    const int video = w.m_view->video();
    if (video >= 0) {
        const auto& timeline = w.m_digest->timeline();
        const auto has = [](const std::vector<std::int64_t>& frames, std::int64_t frame) {
            return std::binary_search(frames.begin(), frames.end(), frame);
        };
        for (const project::Suggestion& suggestion : w.m_document->labels().suggestions()) {
            if (static_cast<int>(suggestion.video) != video)
                continue;
            auto& list = timeline && has(timeline->user, suggestion.frameIndex)        ? marks.suggestedLabelled
                         : timeline && has(timeline->predicted, suggestion.frameIndex) ? marks.suggestedPredicted
                                                                                       : marks.suggestedOpen;
            list.push_back(suggestion.frameIndex);
        }
        for (auto* list : {&marks.suggestedOpen, &marks.suggestedLabelled, &marks.suggestedPredicted})
            std::sort(list->begin(), list->end());
        for (const IssueList::Entry& entry : m_issues.entries())
            if (entry.state == IssueList::State::Open && static_cast<int>(entry.issue.video) == video)
                marks.issues.emplace_back(entry.issue.frame, entry.issue.severity);
        std::sort(marks.issues.begin(), marks.issues.end());
        marks.flag = w.m_markVideo == video ? w.m_mark : -1;
    }
    w.m_timeline->setMarks(std::move(marks));
}

void Proofreading::showTrackMenu(int track, const QPoint& at) {
    MainWindow& w = *m_window;
    const bool among = std::find(m_known.begin(), m_known.end(), track) != m_known.end();
    selectTracks(among ? std::vector<int>(m_known) : std::vector<int>{track});
    const bool several = m_known.size() > 1;
    auto* menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("laneMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QString name = several ? text::count(static_cast<std::int64_t>(m_known.size()), tr("track"), tr("tracks"))
                           : tr("Track \u201c%1\u201d").arg(w.m_contents->trackName(track));
    QAction* title = menu->addAction(name.replace(QLatin1Char('&'), QLatin1String("&&")));
    title->setObjectName(QStringLiteral("laneMenuTitle"));
    title->setEnabled(false);
    menu->addSeparator();
    menu->addAction(tr("Go to Track &Start"), this, [&w, track] { w.goToTrackEnd(track, false); });
    menu->addAction(tr("Go to Track &End"), this, [&w, track] { w.goToTrackEnd(track, true); });
    menu->addSeparator();
    if (several)
        menu->addAction(w.m_actions->get("trackRenameRows"));
    else
        menu->addAction(tr("Re&name Track..."), this, [this, track] { renameTrack(track); });
    for (const char* id : {"trackReviewed", "trackColor", "trackSolo", "trackHide", "trackShowAll", "trackExportRows"})
        menu->addAction(w.m_actions->get(id));
    if (several)
        menu->addAction(w.m_actions->get("trackMergeRows"));
    if (!several)  // it means the one instance that is selected
        menu->addAction(w.m_actions->get("trackSplit"));
    menu->addAction(w.m_actions->get("trackDeleteRows"));
    w.updateNow();
    menu->popup(at);
}

// --- Graphs --------------------------------------------------------------------------------------------------------

void Proofreading::connectGraphs() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    connect(&m_statistics, &StatisticSeries::changed, this, &Proofreading::showStrips);
    a.on("timelineNone", [&w] { w.m_settings->set(Setting::TimelineStatistics, QStringList()); });
    for (const StatisticName& name : statisticNames())
        a.on(name.action, [this, statistic = name.statistic] { chooseStatistic(statistic); });
    a.on("timelineLine", [this, &w] {
        const auto& strips = w.m_timeline->strips();
        if (m_strip >= strips.size() || strips[m_strip].values == nullptr)
            return;
        if (w.m_timeline->threshold(strips[m_strip].id)) {
            w.m_timeline->setThreshold(strips[m_strip].id, std::nullopt);
        } else {
            const auto all = strips[m_strip].values->all();
            w.m_timeline->setThreshold(strips[m_strip].id, (std::min(0.0, all.least) + all.most) / 2);
        }
    });
    a.on("timelineNextAbove", [this] { goBeyond(true); });
    a.on("timelineNextBelow", [this] { goBeyond(false); });
    a.on("timelineSuggestAbove", [this] { suggestBeyond(true); });
    a.on("timelineSuggestBelow", [this] { suggestBeyond(false); });
    showStrips();
}

void Proofreading::chooseStatistic(Statistic statistic) {
    Settings& settings = *m_window->m_settings;
    QStringList shown = settings.get(Setting::TimelineStatistics).toStringList();
    const QString id = QLatin1String(nameOf(statistic).id);
    const bool was = shown.contains(id);
    if (!settings.get(Setting::TimelineStacked).toBool())
        shown.clear();
    shown.removeAll(id);
    if (!was)
        shown << id;
    while (shown.size() > static_cast<int>(StatisticSeries::kMost)) {
        const QString gone = shown.takeFirst();
        for (const StatisticName& name : statisticNames())
            if (gone == QLatin1String(name.id))
                m_window->m_status->notice(
                    tr("At most %1 graphs are shown; \u201c%2\u201d made room.")
                        .arg(text::number(static_cast<std::int64_t>(StatisticSeries::kMost)), name.title));
    }
    settings.set(Setting::TimelineStatistics, shown);
    showStatistics();
}

void Proofreading::showStatistics() {
    const QStringList ids = m_window->m_settings->get(Setting::TimelineStatistics).toStringList();
    std::vector<Statistic> statistics;
    for (const QString& id : ids)
        for (const StatisticName& name : statisticNames())
            if (id == QLatin1String(name.id))
                statistics.push_back(name.statistic);
    for (const StatisticName& name : statisticNames())
        m_window->m_actions->get(name.action)
            ->setChecked(std::find(statistics.begin(), statistics.end(), name.statistic) != statistics.end());
    m_window->m_actions->get("timelineNone")->setChecked(statistics.empty());
    m_statistics.show(statistics);
}

void Proofreading::showStrips() {
    MainWindow& w = *m_window;
    std::vector<TimelineStrip> strips;
    for (const StatisticSeries::Series& series : m_statistics.series()) {
        const StatisticName& name = nameOf(series.request.statistic);
        QString title = name.title;
        if (series.request.statistic == Statistic::TrackSpeed && series.request.track >= 0)
            title = tr("Speed of %1").arg(w.m_contents->trackName(series.request.track));
        // Where nothing has a track, those without one would be compared with each other, which means nothing.
        if (name.needsTracks && w.m_digest->timeline() && w.m_digest->timeline()->lanes.empty())
            strips.push_back({QLatin1String(name.id), title, name.unit, nullptr, tr("needs tracks")});
        else if (series.request.statistic == Statistic::TrackSpeed && series.request.track < 0)
            strips.push_back({QLatin1String(name.id), title, name.unit, nullptr, tr("needs a selected track")});
        else
            strips.push_back({QLatin1String(name.id), title, name.unit, series.values, {}});
    }
    const int more = static_cast<int>(strips.size()) - static_cast<int>(w.m_timeline->strips().size());
    QList<int> sizes = w.m_splitter->sizes();
    w.m_timeline->setStrips(std::move(strips));
    m_strip = std::min(m_strip, w.m_timeline->strips().empty() ? 0 : w.m_timeline->strips().size() - 1);
    if (more != 0 && m_growing && sizes.size() == 2) {  // the lanes keep their room
        const int by = more * w.m_timeline->stripHeight();
        w.m_splitter->setSizes({sizes[0] - by, sizes[1] + by});
    }
    w.scheduleUpdate();
}

void Proofreading::showStripMenu(int strip, const QPoint& at) {
    MainWindow& w = *m_window;
    m_strip = static_cast<std::size_t>(strip);
    w.updateNow();
    auto* menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("stripMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (const char* id :
         {"timelineLine", "timelineNextAbove", "timelineNextBelow", "timelineSuggestAbove", "timelineSuggestBelow"})
        menu->addAction(w.m_actions->get(id));
    menu->addSeparator();
    const Statistic shown = m_statistics.series()[m_strip].request.statistic;
    menu->addAction(tr("&Remove Graph"), this, [this, shown] {
        QStringList ids = m_window->m_settings->get(Setting::TimelineStatistics).toStringList();
        ids.removeAll(QLatin1String(nameOf(shown).id));
        m_window->m_settings->set(Setting::TimelineStatistics, ids);
    });
    menu->addAction(w.m_actions->get("timelineStack"));
    menu->popup(at);
}

void Proofreading::goBeyond(bool above) {
    MainWindow& w = *m_window;
    const auto next = w.m_timeline->nextBeyond(m_strip, above, w.m_view->frame(), 1);
    if (!next) {
        w.m_status->notice(above ? tr("No frame lies above the line.") : tr("No frame lies below the line."));
        return;
    }
    w.m_playback->stop();
    const bool wrapped = *next <= w.m_view->frame();
    w.goTo(*next);
    if (wrapped)
        w.m_status->notice(tr("Went on from the start."));
}

void Proofreading::suggestBeyond(bool above) {
    MainWindow& w = *m_window;
    const std::vector<std::int64_t> frames = w.m_timeline->extremesBeyond(m_strip, above, kMostSuggested);
    if (frames.empty()) {
        w.m_status->notice(above ? tr("No frame lies above the line.") : tr("No frame lies below the line."));
        return;
    }
    const TimelineStrip& strip = w.m_timeline->strips()[m_strip];
    std::vector<suggestions::Suggested> suggested;
    for (const std::int64_t frame : frames)
        suggested.push_back(
            {static_cast<std::uint32_t>(w.m_view->video()), frame, 0,
             strip.title.toLower().toStdString() + " " +
                 text::fixed(strip.values->values()[static_cast<std::size_t>(frame)], 2).toStdString()});
    w.m_projectEditor->addSuggestions(suggested, false);
}

// --- Trails --------------------------------------------------------------------------------------------------------

void Proofreading::connectTrails() {
    MainWindow& w = *m_window;
    m_trails.contents = [&w](std::uint32_t video, std::int64_t frame) { return w.m_contents->at(video, frame); };
    m_layers.add(&m_trails);
    m_layers.add(&m_draft);
    m_layers.add(&m_marks);
    w.m_canvas->setLayer(&m_layers);
    w.m_actions->on("viewTrailNode", [this] { askForTrailNode(); });
    connect(w.m_document, &Document::changed, this, [this](const Change& change) { m_trails.forget(change); });
    connect(w.m_document, &Document::opened, this, [this] { m_trails.forgetAll(); });
    connect(w.m_view, &ViewState::displayChanged, this, [this] { m_trails.forgetAll(); });
    connect(w.m_view, &ViewState::videoChanged, this, [this] { m_trails.forgetAll(); });
}

void Proofreading::applyTrails() {
    const Settings& settings = *m_window->m_settings;
    TrailStyle style;
    style.length = valueOf(settings, Setting::TrailLength);
    style.when = static_cast<TrailStyle::When>(valueOf(settings, Setting::TrailWhen));
    style.node = settings.get(Setting::TrailNode).toString();
    style.fade = settings.get(Setting::TrailFade).toBool();
    style.opacity = valueOf(settings, Setting::TrailOpacity) / 100.0;
    style.width = valueOf(settings, Setting::TrailWidth);
    m_trails.setStyle(style);
    m_window->m_canvas->update();
}

void Proofreading::askForTrailNode() {
    MainWindow& w = *m_window;
    QStringList names{tr("Centre of the animal")};
    for (const project::Skeleton& skeleton : w.m_document->labels().skeletons())
        for (const std::string& node : skeleton.nodes)
            if (const QString name = QString::fromStdString(node); !names.contains(name))
                names << name;
    w.m_session->dialogs().askItem(
        m_window, tr("Trails"), tr("Trails follow:"), names, [&w, names](std::optional<int> chosen) {
            if (chosen)
                w.m_settings->set(Setting::TrailNode, *chosen == 0 ? QString() : names[*chosen]);
        });
}

}  // namespace skein::ui
