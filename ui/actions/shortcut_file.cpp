// SPDX-License-Identifier: GPL-3.0-or-later
#include <yaml-cpp/yaml.h>

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "ui/actions/shortcuts.h"

namespace skein::ui {

namespace {

constexpr qsizetype kMostBytes = 1 << 20;

/// SLEAP's names for what Skein's commands do.
const std::map<QString, const char*>& sleapNames() {
    static const std::map<QString, const char*> names = {
        {"add instance", "labelAdd"},
        {"add videos", "fileAddVideos"},
        {"replace videos", "fileReplaceVideos"},
        {"clear selection", "goClear"},
        {"close", "fileQuit"},
        {"color predicted", "viewColorPredicted"},
        {"copy instance", "editCopyInstance"},
        {"copy instance track", "editCopyTrack"},
        {"paste instance", "editPasteInstance"},
        {"paste instance track", "editPasteTrack"},
        {"delete area", "labelDeletePredArea"},
        {"delete area predictions", "labelDeletePredArea"},
        {"delete clip", "labelDeletePredClip"},
        {"delete clip predictions", "labelDeletePredClip"},
        {"delete frame", "labelDeletePredFrame"},
        {"delete frame predictions", "labelDeletePredFrame"},
        {"delete instance", "labelDelete"},
        {"delete track", "trackDeleteInstanceAndTrack"},
        {"export clip", "labelExtractClip"},
        {"export_analysis_current", "fileExportAnalysisCurrent"},
        {"fit", "viewFit"},
        {"frame next", "goNextFrame"},
        {"frame prev", "goPrevFrame"},
        {"frame next medium step", "goNextMedium"},
        {"frame prev medium step", "goPrevMedium"},
        {"frame next large step", "goNextLarge"},
        {"frame prev large step", "goPrevLarge"},
        {"goto frame", "goFrame"},
        {"goto last interacted", "goLastInteracted"},
        {"goto marked", "goMarked"},
        {"goto next labeled", "goNextLabelled"},
        {"goto prev labeled", "goPrevLabelled"},
        {"goto next suggestion", "goNextSuggestion"},
        {"goto prev suggestion", "goPrevSuggestion"},
        {"goto next track spawn", "goNextTrackSpawn"},
        {"goto next user", "goNextUser"},
        {"goto prev user", "goPrevUser"},
        {"learning", "predictRun"},
        {"mark frame", "goMark"},
        {"new", "fileNew"},
        {"next video", "goNextVideo"},
        {"prev video", "goPrevVideo"},
        {"open", "fileOpen"},
        {"save", "fileSave"},
        {"save as", "fileSaveAs"},
        {"select next", "goSelectNext"},
        {"select to frame", "goSelectTo"},
        {"show edges", "viewShowEdges"},
        {"show instances", "viewShowInstances"},
        {"show labels", "viewShowNames"},
        {"show trails", "viewShowTrails"},
        {"transpose", "trackTranspose"},
    };
    return names;
}

/// SLEAP writes some keys as names of Qt's standard ones.
QKeySequence standardKey(const QString& name) {
    static const std::map<QString, QKeySequence::StandardKey> keys = {
        {"New", QKeySequence::New},           {"Open", QKeySequence::Open},
        {"Save", QKeySequence::Save},         {"SaveAs", QKeySequence::SaveAs},
        {"Close", QKeySequence::Close},       {"Quit", QKeySequence::Quit},
        {"Copy", QKeySequence::Copy},         {"Paste", QKeySequence::Paste},
        {"FindNext", QKeySequence::FindNext}, {"FindPrevious", QKeySequence::FindPrevious},
        {"Forward", QKeySequence::Forward},   {"Back", QKeySequence::Back},
    };
    const auto it = keys.find(name);
    return it == keys.end() ? QKeySequence() : QKeySequence(it->second);
}

bool isUsable(const QKeySequence& key) {
    for (int i = 0; i < key.count(); ++i)
        if (key[static_cast<uint>(i)].key() == Qt::Key_unknown)
            return false;
    return !key.isEmpty();
}

QString tr(const char* text) {
    return QCoreApplication::translate("ShortcutFile", text);
}

}  // namespace

ShortcutFile readShortcutFile(const QByteArray& text) {
    ShortcutFile file;
    if (text.size() > kMostBytes) {
        file.problem = tr("This is no file of shortcuts: it is too large.");
        return file;
    }
    YAML::Node root;
    try {
        root = YAML::Load(text.toStdString());
    } catch (const YAML::Exception&) {
        file.problem = tr("This is no file of shortcuts: it is not in the YAML format.");
        return file;
    }
    if (!root.IsMap()) {
        file.problem = tr("This is no file of shortcuts: it has no lines of the form \"command: key\".");
        return file;
    }
    std::map<QString, QString> ids;
    for (const ActionSpec& spec : ActionTable::specs())
        ids[QLatin1String(spec.id)] = QLatin1String(spec.id);
    for (const auto& [name, id] : sleapNames())
        if (ids.count(QLatin1String(id)) != 0)
            ids[name] = QLatin1String(id);
    for (const auto& entry : root) {
        if (!entry.first.IsScalar())
            continue;
        const QString name = QString::fromStdString(entry.first.Scalar());
        const QString value =
            entry.second.IsScalar() ? QString::fromStdString(entry.second.Scalar()).trimmed() : QString();
        const auto id = ids.find(name);
        if (id == ids.end()) {
            file.unknown << name;
            continue;
        }
        const bool own = id->second == name;
        if (value.isEmpty()) {
            // In a file of ours that is a choice; SLEAP has commands without a key, and there ours stays.
            if (own)
                file.wishes.push_back({id->second, {}, true});
            continue;
        }
        const QString standard = QStringLiteral("QKeySequence.");
        QList<QKeySequence> keys;
        if (value.startsWith(standard))
            keys << standardKey(value.mid(standard.size()).section(QLatin1Char('.'), -1));
        else if (own)
            keys = QKeySequence::listFromString(value, QKeySequence::PortableText);
        else
            keys << QKeySequence::fromString(value, QKeySequence::PortableText);
        if (std::all_of(keys.begin(), keys.end(), isUsable))
            file.wishes.push_back({id->second, keys, own});
        else
            file.unusable << name + QStringLiteral(": ") + value;
    }
    if (file.wishes.empty() && file.unknown.isEmpty() && file.unusable.isEmpty())
        file.problem = tr("There is no shortcut in this file.");
    return file;
}

}  // namespace skein::ui
