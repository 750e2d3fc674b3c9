// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/shortcuts.h"

#include <algorithm>

namespace skein::ui {

namespace {

QString textOf(const QList<QKeySequence>& keys) {
    return QKeySequence::listToString(keys, QKeySequence::PortableText);
}

/// Whether pressing one would wait for, or stand in the way of, the other.
bool collide(const QKeySequence& a, const QKeySequence& b) {
    return !a.isEmpty() && !b.isEmpty() &&
           (a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch);
}

bool anyCollide(const QList<QKeySequence>& a, const QList<QKeySequence>& b) {
    return std::any_of(a.begin(), a.end(), [&b](const QKeySequence& x) {
        return std::any_of(b.begin(), b.end(), [&x](const QKeySequence& y) { return collide(x, y); });
    });
}

}  // namespace

Shortcuts::Shortcuts(ActionTable* actions, Settings* settings, QObject* parent)
    : QObject(parent), m_actions(actions), m_settings(settings) {
    for (const QAction* action : actions->all())
        m_defaults[action] = action->shortcuts();
    for (const QString& line : settings->get(Setting::Shortcuts).toStringList()) {
        const QAction* action = find(line.section(QLatin1Char('='), 0, 0));
        if (action != nullptr)
            m_chosen[action] = QKeySequence::listFromString(line.section(QLatin1Char('='), 1));
    }
    connect(settings, &Settings::changed, this, [this](Setting setting) {
        if (setting == Setting::SpacePlays)
            apply();
    });
    apply();
}

QAction* Shortcuts::find(const QString& id) const {
    const auto& all = m_actions->all();
    const auto it = std::find_if(all.begin(), all.end(), [&id](const QAction* a) { return a->objectName() == id; });
    return it == all.end() ? nullptr : *it;
}

QList<QKeySequence> Shortcuts::defaultKeys(const QAction* action) const {
    const auto it = m_defaults.find(action);
    if (it == m_defaults.end())
        return {};
    if (m_settings->get(Setting::SpacePlays).toBool()) {
        // The two commands exchange their keys; so do their counterparts backwards.
        static const std::pair<const char*, const char*> kPairs[] = {{"goPlay", "goNextSuggestion"},
                                                                     {"goPlayBack", "goPrevSuggestion"}};
        for (const auto& [a, b] : kPairs) {
            const QString id = action->objectName();
            if (id == QLatin1String(a) || id == QLatin1String(b))
                return m_defaults.at(find(QLatin1String(id == QLatin1String(a) ? b : a)));
        }
    }
    return it->second;
}

bool Shortcuts::isChanged(const QAction* action) const {
    return m_chosen.count(action) != 0;
}

QAction* Shortcuts::conflict(const QList<QKeySequence>& keys, const QAction* besides) const {
    for (QAction* action : m_actions->all())
        if (action != besides && anyCollide(keys, action->shortcuts()))
            return action;
    return nullptr;
}

/// A key belongs to one command only.
void Shortcuts::takeFromOthers(const QAction* action, const QList<QKeySequence>& keys) {
    for (QAction* other : m_actions->all()) {
        QList<QKeySequence> left = other->shortcuts();
        if (other == action || !anyCollide(keys, left))
            continue;
        left.removeIf([&keys](const QKeySequence& key) { return anyCollide({key}, keys); });
        m_chosen[other] = left;
    }
}

void Shortcuts::assign(QAction* action, const QList<QKeySequence>& keys) {
    takeFromOthers(action, keys);
    m_chosen[action] = keys;
    apply();
    store();
}

int Shortcuts::assign(const std::vector<KeyWish>& wishes) {
    std::map<const QAction*, QString> before;
    for (const QAction* action : m_actions->all())
        before[action] = textOf(action->shortcuts());
    // First all the old keys go: the wishes among themselves may exchange keys.
    for (const KeyWish& wish : wishes)
        if (QAction* action = find(wish.action)) {
            QList<QKeySequence> keys = action->shortcuts();
            if (wish.whole)
                keys.clear();
            else if (!keys.isEmpty())
                keys.removeFirst();
            action->setShortcuts(keys);
            m_chosen[action] = keys;
        }
    for (const KeyWish& wish : wishes)
        if (QAction* action = find(wish.action)) {
            QList<QKeySequence> keys = wish.keys;
            for (const QKeySequence& key : action->shortcuts())
                if (!anyCollide({key}, wish.keys))
                    keys << key;
            assign(action, keys);
        }
    int different = 0;
    for (const QAction* action : m_actions->all())
        different += before[action] == textOf(action->shortcuts()) ? 0 : 1;
    return different;
}

void Shortcuts::reset(QAction* action) {
    // Its own keys may be with others by now: they come back.
    m_chosen.erase(action);
    takeFromOthers(action, defaultKeys(action));
    apply();
    store();
}

void Shortcuts::resetAll() {
    m_chosen.clear();
    apply();
    store();
}

void Shortcuts::apply() {
    // A choice that equals the default is none.
    std::erase_if(m_chosen,
                  [this](const auto& entry) { return textOf(entry.second) == textOf(defaultKeys(entry.first)); });
    for (QAction* action : m_actions->all()) {
        const auto chosen = m_chosen.find(action);
        action->setShortcuts(chosen == m_chosen.end() ? defaultKeys(action) : chosen->second);
    }
    m_actions->keysChanged();
    Q_EMIT changed();
}

void Shortcuts::store() {
    QStringList lines;
    for (const auto& [action, keys] : m_chosen)
        lines << action->objectName() + QLatin1Char('=') + textOf(keys);
    lines.sort();
    m_settings->set(Setting::Shortcuts, lines);
}

QString Shortcuts::exportText() const {
    QString text = QStringLiteral("# Skein's keys: command and key. Import it under Preferences, Shortcuts.\n");
    for (const QAction* action : m_actions->all()) {
        QString key = textOf(action->shortcuts());
        key.replace(QLatin1Char('\''), QStringLiteral("''"));
        text += QStringLiteral("%1: '%2'\n").arg(action->objectName(), key);
    }
    return text;
}

}  // namespace skein::ui
