// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ui/document.h"
#include "ui/tracks/smooth_setting.h"

namespace skein::ui {

/// What a person decided about tracks that is no part of the labels: their colours, which were looked through, and how
/// points are smoothed. It is kept in a file beside the project (its name and ".skein.json"), under the names of the
/// tracks, so that the project's own file stays as every other program knows it. Which tracks are shown is not kept.
/// GUI thread only; files are read and written by a worker.
class ProofreadState : public QObject {
    Q_OBJECT
public:
    ProofreadState(Document* document, QObject* parent);
    ~ProofreadState() override;

    /// Place in the palette: the person's choice, else the track's index when the project was opened. It stays while
    /// other tracks come and go, and a track that comes back has it again.
    [[nodiscard]] int inkOf(int track) const;
    void setInk(const std::vector<int>& tracks, std::optional<int> ink);  ///< nullopt: its own again
    [[nodiscard]] bool isReviewed(int track) const;
    void setReviewed(const std::vector<int>& tracks, bool reviewed);

    /// nullopt: points are not smoothed.
    [[nodiscard]] const std::optional<SmoothSetting>& smoothing() const { return m_smoothing; }
    void setSmoothing(const std::optional<SmoothSetting>& setting);

    [[nodiscard]] bool isShown(int track) const;
    [[nodiscard]] bool hidesAny() const { return !m_hidden.empty() || !m_solo.empty(); }
    void solo(const std::vector<int>& tracks);
    void hide(const std::vector<int>& tracks);
    void showAll();

    [[nodiscard]] static QString filePath(const QString& project);
    /// All that was decided is in the file, or there is no file to keep it in yet.
    [[nodiscard]] bool isSaved() const { return !m_dirty && !m_saving; }

Q_SIGNALS:
    void colorsChanged();
    void reviewedChanged();
    void shownChanged();
    void smoothingChanged();
    void problem(const skein::ui::UiError& error);

private:
    struct OfTrack {
        std::optional<int> ink;
        bool reviewed = false;
    };
    [[nodiscard]] QString nameOf(int track) const;
    OfTrack& ofTrack(int track);
    void reset();
    void load();
    void take(const QJsonObject& content);
    void followNames();
    void takeNewNames(const QStringList& names);
    void followList(const QStringList& names);
    void touch();
    void save();
    [[nodiscard]] QJsonObject content() const;

    Document* m_document;
    std::map<QString, OfTrack> m_tracks;
    std::optional<SmoothSetting> m_smoothing;
    std::set<int> m_hidden, m_solo;
    QStringList m_names;                ///< of the tracks as m_tracks knows them
    std::vector<int> m_inks;            ///< their own, as long as nobody chose another
    std::map<QString, int> m_goneInks;  ///< of tracks that left the list
    QJsonObject m_unknown;              ///< what another version of Skein put into the file
    QTimer m_delay;
    bool m_dirty = false;
    bool m_saving = false;
    std::uint64_t m_generation = 0;
};

}  // namespace skein::ui
