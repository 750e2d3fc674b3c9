// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/proofread_state.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <algorithm>
#include <deque>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kSaveAfterMs = 500;
constexpr qint64 kMostBytes = 64 << 20;
constexpr int kVersion = 1;
}  // namespace

ProofreadState::ProofreadState(Document* document, QObject* parent) : QObject(parent), m_document(document) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kSaveAfterMs);
    connect(&m_delay, &QTimer::timeout, this, &ProofreadState::save);
    connect(document, &Document::opened, this, &ProofreadState::reset);
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Tracks))
            followNames();
    });
    // A project that had no name, or got another one: what was decided goes with it.
    connect(document, &Document::saved, this, [this] {
        if (!m_tracks.empty() || m_smoothing || m_dirty)
            touch();
    });
}

ProofreadState::~ProofreadState() {
    if (m_dirty && !m_document->path().isEmpty()) {  // the last half second before the window closed
        QSaveFile file(filePath(m_document->path()));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(QJsonDocument(content()).toJson());
            file.commit();
        }
    }
}

QString ProofreadState::filePath(const QString& project) {
    return project + QStringLiteral(".skein.json");
}

QString ProofreadState::nameOf(int track) const {
    return track >= 0 && track < m_names.size() ? m_names[track] : QString();
}

ProofreadState::OfTrack& ProofreadState::ofTrack(int track) {
    return m_tracks[nameOf(track)];
}

int ProofreadState::inkOf(int track) const {
    const auto it = m_tracks.find(nameOf(track));
    if (it != m_tracks.end() && it->second.ink)
        return *it->second.ink;
    const auto place = static_cast<std::size_t>(track);
    return track >= 0 && place < m_inks.size() ? m_inks[place] : track;
}

void ProofreadState::setInk(const std::vector<int>& tracks, std::optional<int> ink) {
    for (const int track : tracks)
        ofTrack(track).ink = ink;
    touch();
    Q_EMIT colorsChanged();
}

bool ProofreadState::isReviewed(int track) const {
    const auto it = m_tracks.find(nameOf(track));
    return it != m_tracks.end() && it->second.reviewed;
}

void ProofreadState::setReviewed(const std::vector<int>& tracks, bool reviewed) {
    for (const int track : tracks)
        ofTrack(track).reviewed = reviewed;
    touch();
    Q_EMIT reviewedChanged();
}

void ProofreadState::setSmoothing(const std::optional<SmoothSetting>& setting) {
    if (setting == m_smoothing)
        return;
    m_smoothing = setting;
    touch();
    Q_EMIT smoothingChanged();
}

bool ProofreadState::isShown(int track) const {
    return m_solo.empty() ? !m_hidden.contains(track) : m_solo.contains(track);
}

void ProofreadState::solo(const std::vector<int>& tracks) {
    m_solo = {tracks.begin(), tracks.end()};
    Q_EMIT shownChanged();
}

void ProofreadState::hide(const std::vector<int>& tracks) {
    for (const int track : tracks) {
        m_hidden.insert(track);
        m_solo.erase(track);
    }
    Q_EMIT shownChanged();
}

void ProofreadState::showAll() {
    m_hidden.clear();
    m_solo.clear();
    Q_EMIT shownChanged();
}

/// Another project.
void ProofreadState::reset() {
    ++m_generation;
    m_delay.stop();
    m_tracks.clear();
    m_smoothing.reset();
    m_hidden.clear();
    m_solo.clear();
    m_unknown = {};
    m_dirty = false;
    m_names.clear();
    m_inks.clear();
    m_goneInks.clear();
    followNames();
    load();
    Q_EMIT colorsChanged();
    Q_EMIT reviewedChanged();
    Q_EMIT shownChanged();
    Q_EMIT smoothingChanged();
}

void ProofreadState::followNames() {
    QStringList names;
    for (const project::Track& track : m_document->labels().tracks())
        names << QString::fromStdString(track.name);
    if (names.size() == m_names.size())
        takeNewNames(names);
    else
        followList(names);
    Q_EMIT colorsChanged();
}

/// Decisions go with a track that gets another name.
void ProofreadState::takeNewNames(const QStringList& names) {
    const QStringList before = std::exchange(m_names, names);
    std::map<QString, OfTrack> moved;
    for (int i = 0; i < names.size(); ++i)
        if (before[i] != names[i])
            if (const auto it = m_tracks.find(before[i]); it != m_tracks.end()) {
                moved[names[i]] = it->second;
                m_tracks.erase(it);
            }
    bool isSmoothed = false;
    if (m_smoothing)
        for (std::string& smoothed : m_smoothing->options.tracks)
            if (const auto i = before.indexOf(QString::fromStdString(smoothed)); i >= 0 && before[i] != names[i]) {
                smoothed = names[i].toStdString();
                isSmoothed = true;
            }
    if (moved.empty() && !isSmoothed)
        return;
    moved.merge(m_tracks);
    m_tracks = std::move(moved);
    touch();
    if (isSmoothed)
        Q_EMIT smoothingChanged();
}

/// Tracks came or went, and indices mean others now.
void ProofreadState::followList(const QStringList& names) {
    std::map<QString, std::deque<std::size_t>> known;  // of one name the first stays the first
    for (std::size_t i = 0; i < m_inks.size(); ++i)
        known[m_names[static_cast<int>(i)]].push_back(i);
    std::vector<int> inks(static_cast<std::size_t>(names.size()), -1);
    std::set<int> hidden, solo, taken;
    for (std::size_t i = 0; i < inks.size(); ++i) {
        const auto same = known.find(names[static_cast<int>(i)]);
        if (same == known.end() || same->second.empty())
            continue;
        const std::size_t before = same->second.front();
        same->second.pop_front();
        inks[i] = m_inks[before];
        taken.insert(inks[i]);
        if (m_hidden.contains(static_cast<int>(before)))
            hidden.insert(static_cast<int>(i));
        if (m_solo.contains(static_cast<int>(before)))
            solo.insert(static_cast<int>(i));
    }
    for (const auto& [name, gone] : known)
        for (const std::size_t i : gone)
            m_goneInks[name] = m_inks[i];
    for (std::size_t i = 0; i < inks.size(); ++i) {
        if (inks[i] >= 0)
            continue;
        const auto gone = m_goneInks.find(names[static_cast<int>(i)]);
        inks[i] = gone != m_goneInks.end() ? gone->second : static_cast<int>(i);
        if (!taken.insert(inks[i]).second)
            taken.insert(inks[i] = *taken.rbegin() + 1);
    }
    m_names = names;
    m_inks = std::move(inks);
    m_hidden = std::move(hidden);
    m_solo = std::move(solo);
    Q_EMIT shownChanged();
}

void ProofreadState::load() {
    if (m_document->path().isEmpty())
        return;
    inBackground(
        this,
        [path = filePath(m_document->path())]() -> Result<QJsonObject> {
            QFile file(path);
            if (!file.exists())
                return QJsonObject();
            const std::string name = QFileInfo(path).fileName().toStdString();
            if (!file.open(QIODevice::ReadOnly))
                return fail(ErrorCode::Io, name + " cannot be read: colours and reviewed tracks are not known.");
            if (file.size() > kMostBytes)
                return fail(ErrorCode::Format,
                            name + " is too large to be a list of reviewed tracks; it is left alone.");
            QJsonParseError error;
            const QJsonDocument json = QJsonDocument::fromJson(file.readAll(), &error);
            if (error.error != QJsonParseError::NoError || !json.isObject())
                return fail(
                    ErrorCode::Format,
                    name + " is damaged: colours and reviewed tracks are not known, and it will be written anew.");
            return json.object();
        },
        [this, generation = m_generation](Result<QJsonObject> content) {
            if (generation != m_generation)
                return;
            if (!content)
                Q_EMIT problem({QString::fromStdString(content.error().message()), {}});
            else
                take(*content);
        });
}

void ProofreadState::take(const QJsonObject& content) {
    m_unknown = content;
    const QJsonObject tracks = content.value(QStringLiteral("tracks")).toObject();
    for (auto it = tracks.begin(); it != tracks.end(); ++it) {
        const QJsonObject entry = it.value().toObject();
        OfTrack& known = m_tracks[it.key()];
        const QJsonValue color = entry.value(QStringLiteral("color"));
        if (color.isDouble() && color.toInt(-1) >= 0)
            known.ink = color.toInt();
        known.reviewed = entry.value(QStringLiteral("reviewed")).toBool();
    }
    m_smoothing = smoothSettingOf(content.value(QStringLiteral("smoothing")).toObject());
    Q_EMIT colorsChanged();
    Q_EMIT reviewedChanged();
    Q_EMIT smoothingChanged();
}

QJsonObject ProofreadState::content() const {
    QJsonObject tracks;
    for (const auto& [name, of] : m_tracks) {
        QJsonObject entry;
        if (of.ink)
            entry[QStringLiteral("color")] = *of.ink;
        if (of.reviewed)
            entry[QStringLiteral("reviewed")] = true;
        if (!entry.isEmpty())
            tracks[name] = entry;
    }
    QJsonObject all = m_unknown;
    all[QStringLiteral("version")] = kVersion;
    all[QStringLiteral("tracks")] = tracks;
    if (m_smoothing)
        all[QStringLiteral("smoothing")] = toJson(*m_smoothing);
    else
        all.remove(QStringLiteral("smoothing"));
    return all;
}

void ProofreadState::touch() {
    m_dirty = true;
    m_delay.start();
}

void ProofreadState::save() {
    if (!m_dirty || m_document->path().isEmpty() || m_document->isReadOnly())
        return;
    if (m_saving) {
        m_delay.start();
        return;
    }
    m_dirty = false;
    m_saving = true;
    inBackground(
        this,
        [path = filePath(m_document->path()), json = QJsonDocument(content()).toJson()]() -> Result<void> {
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit())
                return fail(ErrorCode::Io, QFileInfo(path).fileName().toStdString() +
                                               " cannot be written: colours and reviewed tracks are kept only as long "
                                               "as this window is open.");
            return {};
        },
        [this](const Result<void>& done) {
            m_saving = false;
            if (!done)
                Q_EMIT problem({QString::fromStdString(done.error().message()), {}});
        });
}

}  // namespace skein::ui
