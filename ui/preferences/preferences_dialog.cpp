// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/preferences_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QUrl>
#include <algorithm>

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/option_editors.h"
#include "ui/preferences/shortcuts_page.h"
#include "ui/preferences/sleap_preferences.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr int kWidth = 760, kHeight = 560;
constexpr int kListWidth = 150;

QLabel* quietLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    QPalette quiet = label->palette();
    quiet.setColor(QPalette::WindowText, theme::tokens().text2);
    label->setPalette(quiet);
    return label;
}

}  // namespace

PreferencesDialog::PreferencesDialog(Settings* settings, Shortcuts* shortcuts, DialogService* dialogs, QWidget* parent)
    : QDialog(parent),
      m_settings(settings),
      m_dialogs(dialogs),
      m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_stack(new QStackedWidget(this)),
      m_reset(new QPushButton(tr("Reset This Page"), this)),
      m_word(quietLabel({}, this)),
      m_keys(new ShortcutsPage(shortcuts, dialogs, this)) {
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(tr("Preferences"));
    m_search->setObjectName(QStringLiteral("prefSearch"));
    m_search->setAccessibleName(tr("Find a preference"));
    m_search->setPlaceholderText(tr("Find a preference"));
    m_search->setToolTip(tr("Shows only the preferences that have these words."));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("prefPages"));
    m_list->setAccessibleName(tr("Pages"));
    m_list->setToolTip(tr("Pages of preferences."));
    m_list->setFixedWidth(kListWidth);
    m_reset->setObjectName(QStringLiteral("prefReset"));
    m_reset->setToolTip(tr("Puts everything on this page back to what it was at first."));
    m_reset->setAutoDefault(false);

    for (const PreferencePage page : {PreferencePage::General, PreferencePage::Look, PreferencePage::Video,
                                      PreferencePage::Labelling, PreferencePage::Tracks, PreferencePage::Files}) {
        std::vector<Setting> of;
        QWidget* widget = makePage(page, of);
        if (widget != nullptr)
            addPage(titleOf(page), widget, std::move(of));
    }
    addPage(tr("Shortcuts"), m_keys, {Setting::Shortcuts});
    addPage(tr("Privacy"), makePrivacyPage(), {});

    auto* import = new QPushButton(tr("Import from SLEAP..."), this);
    import->setObjectName(QStringLiteral("prefImport"));
    import->setToolTip(
        tr("Takes over what SLEAP's preferences.yaml or shortcuts.yaml says, where Skein has the same."));
    import->setAutoDefault(false);
    auto* folder = new QPushButton(tr("Open Folder"), this);
    folder->setObjectName(QStringLiteral("prefFolder"));
    folder->setToolTip(tr("Opens the folder with the file of settings: %1").arg(m_settings->file()));
    folder->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("prefClose"));
    close->setToolTip(tr("Closes the preferences; all changes hold already."));

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_reset);
    buttons->addWidget(import);
    buttons->addWidget(folder);
    buttons->addStretch();
    buttons->addWidget(close);
    auto* left = new QVBoxLayout;
    left->addWidget(m_search);
    left->addWidget(m_list, 1);
    m_search->setFixedWidth(kListWidth);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(theme::kGap);
    middle->addLayout(left);
    middle->addWidget(m_stack, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addLayout(middle, 1);
    column->addWidget(m_word);
    column->addLayout(buttons);
    m_word->hide();
    resize(kWidth, kHeight);

    connect(m_list, &QListWidget::currentRowChanged, this, &PreferencesDialog::turnTo);
    connect(m_search, &QLineEdit::textChanged, this, &PreferencesDialog::search);
    connect(m_reset, &QPushButton::clicked, this, &PreferencesDialog::resetPage);
    connect(import, &QPushButton::clicked, this, &PreferencesDialog::importFromSleap);
    connect(folder, &QPushButton::clicked, this, &PreferencesDialog::openFolder);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(settings, &Settings::changed, this, [this](Setting setting) {
        for (const Row& row : m_rows)
            if (row.row->setting == setting)
                showValue(row);
    });
    for (const Row& row : m_rows)
        showValue(row);
    m_list->setCurrentRow(0);
}

void PreferencesDialog::addPage(const QString& title, QWidget* widget, std::vector<Setting> settings) {
    m_pages.push_back({title, widget, std::move(settings)});
    auto* item = new QListWidgetItem(title, m_list);
    item->setSizeHint({0, theme::controlHeight()});
    m_stack->addWidget(widget);
}

QWidget* PreferencesDialog::makePage(PreferencePage page, std::vector<Setting>& settings) {
    const auto& rows = preferenceRows();
    if (std::none_of(rows.begin(), rows.end(), [page](const PreferenceRow& row) { return row.page == page; }))
        return nullptr;
    auto* area = new QScrollArea(m_stack);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    auto* inside = new QWidget(area);
    auto* grid = new QGridLayout(inside);
    grid->setContentsMargins(0, 0, theme::kMargin, 0);
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    int line = 0;
    for (const PreferenceRow& row : rows) {
        if (row.page != page)
            continue;
        settings.push_back(row.setting);
        QWidget* editor = makeEditor(row, inside);
        QLabel* label = nullptr;
        if (row.kind == PreferenceRow::Kind::Switch) {
            grid->addWidget(editor, line, 0, 1, 3);
        } else {
            label = new QLabel(preferenceText(row.label), inside);
            label->setBuddy(editor);
            grid->addWidget(label, line, 0);
            grid->addWidget(editor, line, 1);
        }
        QLabel* help = quietLabel(preferenceText(row.help), inside);
        grid->addWidget(help, line + 1, 0, 1, 3);
        grid->setRowMinimumHeight(line + 2, theme::kMargin);
        line += 3;
        m_rows.push_back({&row, label, editor, help});
    }
    grid->setColumnStretch(2, 1);
    grid->setRowStretch(line, 1);
    area->setWidget(inside);
    return area;
}

QWidget* PreferencesDialog::makePrivacyPage() {
    auto* page = new QWidget(m_stack);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto* text = new QLabel(tr("Skein sends nothing anywhere: no videos, no labels, no counts of what you do, and it "
                               "does not look for updates. It works without a network."),
                            page);
    text->setWordWrap(true);
    column->addWidget(text);
    column->addStretch();
    return page;
}

QWidget* PreferencesDialog::makeEditor(const PreferenceRow& row, QWidget* parent) {
    QWidget* editor = nullptr;
    const Setting setting = row.setting;
    const auto change = [this, setting](const QVariant& value) {
        if (!m_showing)
            m_settings->set(setting, value);
    };
    switch (row.kind) {
        case PreferenceRow::Kind::Switch: {
            auto* box = new QCheckBox(preferenceText(row.label), parent);
            connect(box, &QCheckBox::toggled, this, change);
            editor = box;
            break;
        }
        case PreferenceRow::Kind::Number: {
            auto* box = new QSpinBox(parent);
            box->setRange(row.least, row.most);
            box->setSingleStep(row.step);
            box->setGroupSeparatorShown(true);
            if (*row.unit != 0)
                box->setSuffix(QStringLiteral("\u2009") + preferenceText(row.unit));
            connect(box, &QSpinBox::valueChanged, this, change);
            editor = box;
            break;
        }
        case PreferenceRow::Kind::Choice: {
            auto* box = new QComboBox(parent);
            for (std::size_t i = 0; i < row.choices.size(); ++i)
                box->addItem(preferenceText(row.choices[i]), row.values.empty() ? static_cast<int>(i) : row.values[i]);
            connect(box, &QComboBox::currentIndexChanged, this, [box, change] { change(box->currentData()); });
            editor = box;
            break;
        }
    }
    editor->setObjectName(QLatin1String(row.name));
    editor->setAccessibleName(preferenceText(row.label));
    editor->setAccessibleDescription(preferenceText(row.help));
    editor->setToolTip(preferenceText(row.help));
    guardWheel(editor);
    return editor;
}

void PreferencesDialog::showValue(const Row& row) {
    m_showing = true;
    const QVariant value = m_settings->get(row.row->setting);
    if (auto* box = qobject_cast<QCheckBox*>(row.editor))
        box->setChecked(value.toBool());
    else if (auto* number = qobject_cast<QSpinBox*>(row.editor))
        number->setValue(value.toInt());
    else if (auto* choice = qobject_cast<QComboBox*>(row.editor))
        choice->setCurrentIndex(std::max(0, choice->findData(value.toInt())));
    m_showing = false;
}

void PreferencesDialog::turnTo(int page) {
    if (page < 0)
        return;
    m_stack->setCurrentIndex(page);
    m_reset->setEnabled(!m_pages[static_cast<std::size_t>(page)].settings.empty());
    m_word->hide();
}

/// Rows without the words go, and pages without rows; the shown page follows.
void PreferencesDialog::search(const QString& text) {
    const QString words = text.trimmed();
    const auto has = [&words](const QString& where) { return where.contains(words, Qt::CaseInsensitive); };
    for (const Row& row : m_rows) {
        const bool found = words.isEmpty() || has(preferenceText(row.row->label)) || has(preferenceText(row.row->help));
        for (QWidget* part : {static_cast<QWidget*>(row.label), row.editor, static_cast<QWidget*>(row.help)})
            if (part != nullptr)
                part->setVisible(found);
    }
    m_keys->setFilter(words);
    int first = -1;
    for (int i = 0; i < m_list->count(); ++i) {
        const Page& page = m_pages[static_cast<std::size_t>(i)];
        bool found = words.isEmpty() || has(page.title);
        for (const Row& row : m_rows)
            found = found || (page.widget->isAncestorOf(row.editor) && !row.editor->isHidden());
        if (page.widget == m_keys)
            found = found || m_keys->rowsShown() > 0;
        m_list->item(i)->setHidden(!found);
        if (found && first < 0)
            first = i;
    }
    if (first >= 0 && (m_list->currentRow() < 0 || m_list->currentItem()->isHidden()))
        m_list->setCurrentRow(first);
}

void PreferencesDialog::resetPage() {
    const Page& page = m_pages[static_cast<std::size_t>(std::max(0, m_list->currentRow()))];
    if (page.widget == m_keys)
        m_keys->resetAll();
    else
        for (const Setting setting : page.settings)
            m_settings->reset(setting);
}

void PreferencesDialog::openFolder() {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_settings->file()).absolutePath()));
}

void PreferencesDialog::importFromSleap() {
    const QString folder = QDir::home().exists(QStringLiteral(".sleap"))
                               ? QDir::home().filePath(QStringLiteral(".sleap"))
                               : QDir::homePath();
    m_dialogs->chooseFiles(
        this, tr("Import SLEAP's Preferences"), folder, tr("SLEAP's preferences (*.yaml *.yml)"),
        [this](const QStringList& files) {
            if (files.isEmpty())
                return;
            // SLEAP keeps its keys in a file of their own, beside the other.
            if (QFileInfo(files.front()).fileName().contains(QLatin1String("shortcut"), Qt::CaseInsensitive)) {
                showShortcuts();
                m_keys->importFrom(files.front());
                return;
            }
            m_word->setText(importSleapPreferences(files.front(), m_settings));
            m_word->show();
        });
}

void PreferencesDialog::showPage(PreferencePage page) {
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].title == titleOf(page))
            m_list->setCurrentRow(static_cast<int>(i));
}

void PreferencesDialog::showShortcuts() {
    m_list->setCurrentRow(m_stack->indexOf(m_keys));
}

}  // namespace skein::ui
