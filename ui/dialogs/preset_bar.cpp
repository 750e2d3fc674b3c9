// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/preset_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSaveFile>
#include <QSettings>
#include <QToolButton>
#include <algorithm>

#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

const char* const kKey = "inference/presets";
const char* const kLastKey = "inference/preset";
const char* const kFilter = "Presets (*.json)";

bool sameName(const QString& a, const QString& b) {
    return a.compare(b, Qt::CaseInsensitive) == 0;
}

}  // namespace

std::vector<RunPreset> PresetStore::presets() const {
    std::vector<RunPreset> list;
    for (const QString& text : m_file->value(QLatin1String(kKey)).toStringList())
        if (auto preset = presetFromJson(text.toUtf8()))
            list.push_back(std::move(*preset));
    std::sort(list.begin(), list.end(),
              [](const RunPreset& a, const RunPreset& b) { return a.name.compare(b.name, Qt::CaseInsensitive) < 0; });
    return list;
}

void PresetStore::save(const RunPreset& preset) {
    remove(preset.name);
    QStringList texts = m_file->value(QLatin1String(kKey)).toStringList();
    texts << QString::fromUtf8(presetToJson(preset));
    m_file->setValue(QLatin1String(kKey), texts);
}

void PresetStore::remove(const QString& name) {
    QStringList texts;
    for (const QString& text : m_file->value(QLatin1String(kKey)).toStringList())
        if (const auto preset = presetFromJson(text.toUtf8()); !preset || !sameName(preset->name, name))
            texts << text;
    m_file->setValue(QLatin1String(kKey), texts);
}

QString PresetStore::last() const {
    return m_file->value(QLatin1String(kLastKey)).toString();
}

void PresetStore::setLast(const QString& name) {
    m_file->setValue(QLatin1String(kLastKey), name);
}

PresetBar::PresetBar(QSettings* settings, DialogService* dialogs, const QString& prefix, Runs runs, QWidget* parent)
    : QWidget(parent), m_store(settings), m_runs(runs), m_dialogs(dialogs) {
    m_list = new QComboBox(this);
    m_list->setObjectName(prefix + QStringLiteral("Preset"));
    m_list->setAccessibleName(tr("Preset"));
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_list->setMinimumContentsLength(10);
    guardWheel(m_list);
    m_state = new QLabel(tr("changed"), this);
    m_state->setObjectName(prefix + QStringLiteral("PresetChanged"));
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_menu = new QToolButton(this);
    m_menu->setObjectName(prefix + QStringLiteral("PresetMenu"));
    m_menu->setAccessibleName(tr("More about presets"));
    m_menu->setToolTip(tr("Save, rename, delete, export and import presets, or copy the run as a command."));
    m_menu->setIcon(icon(QStringLiteral("more")));
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setAutoRaise(true);

    auto* menu = new QMenu(m_menu);
    const auto add = [menu](const char* name, const QString& text, auto run) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        QObject::connect(action, &QAction::triggered, menu, run);
        return action;
    };
    m_save = add("presetSave", tr("Save changes"), [this] { keep(m_current); });
    add("presetSaveAs", tr("Save as…"), [this] { saveAs(isBuiltInPreset(m_current) ? QString() : m_current); });
    m_rename = add("presetRename", tr("Rename…"), [this] { rename(); });
    m_delete = add("presetDelete", tr("Delete…"), [this] { remove(); });
    menu->addSeparator();
    add("presetExport", tr("Export to a file…"), [this] { exportFile(); });
    add("presetImport", tr("Import from a file…"), [this] { importFile(); });
    menu->addSeparator();
    QAction* copies[] = {add("presetCopySkein", tr("Copy as a skein command"), [this] { copy(false); }),
                         add("presetCopySleapNn", tr("Copy as a sleap-nn command"), [this] { copy(true); })};
    connect(menu, &QMenu::aboutToShow, this, [this, copies] {
        for (QAction* action : copies)
            action->setVisible(commandLine != nullptr);
    });
    m_menu->setMenu(menu);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_state);
    layout->addWidget(m_menu);
    connect(m_list, &QComboBox::activated, this, [this] {
        if (const RunPreset* preset = find(m_list->currentData().toString())) {
            // What is listed may change while the choice is told.
            const RunPreset taken = *preset;
            m_current = taken.name;
            Q_EMIT chosen(taken);
        }
    });
    m_current = builtInPresets().front().name;
    fill();
}

void PresetBar::fill() {
    m_own = m_store.presets();
    m_list->clear();
    for (const RunPreset& preset : builtInPresets()) {
        if (!fits(preset))
            continue;
        m_list->addItem(preset.name, preset.name);
        m_list->setItemData(m_list->count() - 1, preset.description, Qt::ToolTipRole);
    }
    if (!m_own.empty())
        m_list->insertSeparator(m_list->count());
    for (const RunPreset& preset : m_own) {
        if (!fits(preset))
            continue;
        m_list->addItem(preset.name, preset.name);
        m_list->setItemData(m_list->count() - 1, tr("Your own preset."), Qt::ToolTipRole);
    }
    setCurrent(m_current);
}

const RunPreset* PresetBar::find(const QString& name) const {
    const auto in = [&name](const std::vector<RunPreset>& list) -> const RunPreset* {
        const auto found =
            std::find_if(list.begin(), list.end(), [&name](const RunPreset& p) { return sameName(p.name, name); });
        return found == list.end() ? nullptr : &*found;
    };
    const RunPreset* own = in(m_own);
    return own != nullptr ? own : in(builtInPresets());
}

bool PresetBar::fits(const RunPreset& preset) const {
    return m_runs == Runs::All || !preset.settings.trackOnly;
}

void PresetBar::setCurrent(const QString& name) {
    const RunPreset* preset = find(name);
    m_current = preset != nullptr && fits(*preset) ? preset->name : builtInPresets().front().name;
    show(m_settings);
}

/// Another dialog may have saved or deleted one meanwhile.
void PresetBar::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fill();
}

void PresetBar::show(const RunSettings& settings) {
    m_settings = settings;
    const RunPreset* preset = find(m_current);
    m_changed = preset == nullptr || !sameChoices(preset->settings, settings);
    m_list->setCurrentIndex(m_list->findData(m_current));
    const bool builtIn = isBuiltInPreset(m_current);
    const QString words = builtIn && preset != nullptr ? preset->description : tr("A preset of your own.");
    const QString since = m_changed ? tr("Changed since: %1. Choose it again to go back.")
                                          .arg(changes().join(QStringLiteral(", ")).toHtmlEscaped())
                                    : tr("Unchanged.");
    m_list->setToolTip(QStringLiteral("<p>%1</p><p>%2</p>").arg(words.toHtmlEscaped(), since));
    m_list->setAccessibleDescription(m_changed ? tr("changed") : QString());
    m_state->setVisible(m_changed);
    m_save->setEnabled(m_changed && !builtIn);
    m_rename->setEnabled(!builtIn);
    m_delete->setEnabled(!builtIn);
}

QStringList PresetBar::changes() const {
    const RunPreset* preset = find(m_current);
    if (preset == nullptr || !m_changed)
        return {};
    QStringList changes = changedOptions(preset->settings, m_settings);
    RunSettings others = m_settings;
    others.inference = preset->settings.inference;
    others.queueMaxsize = preset->settings.queueMaxsize;
    if (!sameChoices(preset->settings, others))
        changes << tr("tracking");
    return changes;
}

void PresetBar::saveAs(const QString& suggestion) {
    m_dialogs->askText(this, tr("Save preset"), tr("Name"), suggestion, [this](const std::optional<QString>& answer) {
        const QString name = answer ? answer->simplified().left(kLongestPresetName) : QString();
        if (name.isEmpty())
            return;
        if (isBuiltInPreset(name))
            return Q_EMIT failed(tr("“%1” is a preset of Skein's own. Choose another name.").arg(name));
        if (find(name) == nullptr)
            return keep(name);
        m_dialogs->confirm(this, tr("Replace the preset “%1”?").arg(name), tr("Its settings are lost."), tr("Replace"),
                           [this, name](bool yes) {
                               if (yes)
                                   keep(name);
                           });
    });
}

void PresetBar::keep(const QString& name) {
    m_store.save({name, {}, m_settings});
    m_current = name;
    fill();
}

void PresetBar::rename() {
    m_dialogs->askText(
        this, tr("Rename preset"), tr("Name"), m_current,
        [this, before = m_current](const std::optional<QString>& answer) {
            const QString name = answer ? answer->simplified().left(kLongestPresetName) : QString();
            const RunPreset* preset = find(before);
            if (name.isEmpty() || name == before || preset == nullptr)
                return;
            if (const RunPreset* other = find(name); other != nullptr && other != preset)
                return Q_EMIT failed(tr("There is a preset “%1” already. Choose another name.").arg(other->name));
            RunPreset renamed = *preset;
            renamed.name = name;
            m_store.remove(before);
            m_store.save(renamed);
            m_current = name;
            fill();
        });
}

void PresetBar::remove() {
    m_dialogs->confirm(this, tr("Delete the preset “%1”?").arg(m_current),
                       tr("The options of this dialog stay as they are."), tr("Delete"),
                       [this, name = m_current](bool yes) {
                           if (!yes)
                               return;
                           m_store.remove(name);
                           m_current = builtInPresets().front().name;
                           fill();
                       });
}

void PresetBar::exportFile() {
    const RunPreset preset{m_current, {}, m_settings};
    m_dialogs->chooseNewFile(
        this, tr("Export preset"), m_current + QStringLiteral(".json"), tr(kFilter),
        [this, text = presetToJson(preset)](const QString& path) {
            if (path.isEmpty())
                return;
            inBackground(
                this,
                [path, text]() -> Result<bool> {
                    QSaveFile file(path);
                    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
                        return fail(ErrorCode::Io,
                                    tr("%1 could not be written: %2.").arg(path, file.errorString()).toStdString());
                    return true;
                },
                [this, path](const Result<bool>& written) {
                    if (written)
                        Q_EMIT done(tr("Wrote %1.").arg(QFileInfo(path).fileName()));
                    else
                        Q_EMIT failed(QString::fromStdString(written.error().message()));
                });
        });
}

void PresetBar::importFile() {
    m_dialogs->chooseFiles(this, tr("Import preset"), {}, tr(kFilter), [this](const QStringList& paths) {
        if (paths.isEmpty())
            return;
        inBackground(
            this,
            [path = paths.front()]() -> Result<RunPreset> {
                QFile file(path);
                if (!file.open(QIODevice::ReadOnly))
                    return fail(ErrorCode::Io,
                                tr("%1 could not be read: %2.").arg(path, file.errorString()).toStdString());
                // One byte more tells what is too large.
                auto preset = presetFromJson(file.read(kLargestPreset + 1));
                if (!preset)
                    return fail(preset.error().code(),
                                tr("%1: %2")
                                    .arg(QFileInfo(path).fileName(), QString::fromStdString(preset.error().message()))
                                    .toStdString());
                return preset;
            },
            [this](Result<RunPreset> preset) {
                if (!preset)
                    return Q_EMIT failed(QString::fromStdString(preset.error().message()));
                // Nothing that is there is overwritten by a file.
                const QString name = preset->name;
                for (int n = 2; find(preset->name) != nullptr; ++n)
                    preset->name = QStringLiteral("%1 (%2)").arg(name).arg(n);
                m_store.save(*preset);
                m_current = preset->name;
                fill();
                Q_EMIT chosen(*preset);
            });
    });
}

void PresetBar::copy(bool ofSleapNn) {
    const QString line = commandLine ? commandLine(ofSleapNn) : QString();
    if (line.isEmpty())
        return Q_EMIT failed(tr("There is no command for this yet. Choose a model and a video first."));
    QGuiApplication::clipboard()->setText(line);
    Q_EMIT done(ofSleapNn ? tr("The sleap-nn command is in the clipboard.")
                          : tr("The skein command is in the clipboard."));
}

}  // namespace skein::ui
