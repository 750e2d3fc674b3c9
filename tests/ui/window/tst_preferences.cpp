// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <set>

#include "tests/ui/window/window_fixture.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/shortcut_table_model.h"
#include "ui/models/video_table_model.h"
#include "ui/preferences/preferences_dialog.h"
#include "ui/preferences/shortcuts_page.h"
#include "ui/widgets/plain_table.h"

using namespace skein;
using namespace skein::ui;
using skein::test::sample;
using skein::test::Window;

class TestPreferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<Window>();
    }
    void cleanup() {
        m_window.reset();
        theme::apply(theme::Mode::Light);
    }

    void A_03_aKeyIsChangedAndHoldsAtOnce() {
        chooseCommand("goNextUser");
        const QString was = (*m_window)->actions().get("goNextUser")->shortcut().toString();
        QCOMPARE(was, QStringLiteral("Ctrl+U"));
        pressNewKey(QKeySequence("Ctrl+Alt+U"));
        press("shortcutAssign");
        QCOMPARE((*m_window)->actions().get("goNextUser")->shortcuts(),
                 QList<QKeySequence>{QKeySequence("Ctrl+Alt+U")});
        QVERIFY((*m_window)->actions().get("goNextUser")->toolTip().contains("Ctrl+Alt+U") ||
                !(*m_window)->actions().get("goNextUser")->isEnabled());
        // The next window has it, too.
        m_window = std::make_unique<Window>();
        QCOMPARE((*m_window)->actions().get("goNextUser")->shortcut(), QKeySequence("Ctrl+Alt+U"));
    }

    void A_03_aTakenKeyNamesItsCommandAndChangesHands() {
        chooseCommand("goNextUser");
        pressNewKey(QKeySequence("Ctrl+I"));
        QVERIFY2(word().contains("Add Instance"), qPrintable(word()));
        press("shortcutAssign");
        QCOMPARE((*m_window)->actions().get("goNextUser")->shortcut(), QKeySequence("Ctrl+I"));
        QVERIFY((*m_window)->actions().get("labelAdd")->shortcuts().isEmpty());
        QVERIFY2(word().contains("lost"), qPrintable(word()));
    }

    void A_03_oneAndAllAreReset() {
        chooseCommand("goNextUser");
        pressNewKey(QKeySequence("Ctrl+I"));
        press("shortcutAssign");
        // Taking its own key back takes it from whoever has it.
        chooseCommand("labelAdd");
        press("shortcutReset");
        QCOMPARE((*m_window)->actions().get("labelAdd")->shortcut(), QKeySequence("Ctrl+I"));
        QVERIFY((*m_window)->actions().get("goNextUser")->shortcuts().isEmpty());
        press("prefReset");
        QCOMPARE((*m_window)->actions().get("goNextUser")->shortcut(), QKeySequence("Ctrl+U"));
        QVERIFY(!m_window->window->findChild<Shortcuts*>()->isAnyChanged());
    }

    void A_03_twoKeysForOneCommand() {
        chooseCommand("labelAdd");
        pressNewKey(QKeySequence("Ins"));
        press("shortcutAdd");
        QCOMPARE((*m_window)->actions().get("labelAdd")->shortcuts(),
                 (QList<QKeySequence>{QKeySequence("Ctrl+I"), QKeySequence("Ins")}));
        press("shortcutClear");
        QVERIFY((*m_window)->actions().get("labelAdd")->shortcuts().isEmpty());
    }

    void A_03_sleapsShortcutsAreImported() {
        QTemporaryDir folder;
        const QString path = write(folder, "shortcuts.yaml",
                                   "add instance: Ctrl+Shift+P\n"
                                   "goto next labeled: Ctrl+.\n"
                                   "goto next suggestion: QKeySequence.FindNext\n"
                                   "delete clip:\n"
                                   "select next: '`'\n"
                                   "make coffee: Ctrl+Alt+C\n"
                                   "transpose: Ctrl+Nonsense\n");
        chooseCommand("labelAdd");
        m_window->answers.files = {path};
        press("shortcutImport");
        ActionTable& actions = (*m_window)->actions();
        QCOMPARE(actions.get("labelAdd")->shortcut(), QKeySequence("Ctrl+Shift+P"));
        QCOMPARE(actions.get("goNextLabelled")->shortcut(), QKeySequence("Ctrl+."));
        QCOMPARE(actions.get("goNextSuggestion")->shortcut(), QKeySequence(QKeySequence::FindNext));
        QCOMPARE(actions.get("trackTranspose")->shortcut(), QKeySequence("Ctrl+T"));
        QVERIFY2(word().contains("make coffee") && word().contains("Ctrl+Nonsense"), qPrintable(word()));
        expectNoKeyTwice();
    }

    void A_03_whatIsExportedIsImportedAgain() {
        QTemporaryDir folder;
        chooseCommand("labelAdd");
        pressNewKey(QKeySequence("Ins"));
        press("shortcutAdd");
        chooseCommand("goNextUser");
        press("shortcutClear");
        m_window->answers.savePath = folder.filePath("keys.yaml");
        press("shortcutExport");
        press("prefReset");
        QCOMPARE((*m_window)->actions().get("goNextUser")->shortcut(), QKeySequence("Ctrl+U"));
        m_window->answers.files = {folder.filePath("keys.yaml")};
        press("shortcutImport");
        QVERIFY((*m_window)->actions().get("goNextUser")->shortcuts().isEmpty());
        QCOMPARE((*m_window)->actions().get("labelAdd")->shortcuts().size(), 2);
        expectNoKeyTwice();
    }

    void sleapsKeysComeInByTheOtherImportToo() {
        QTemporaryDir folder;
        m_window->answers.files = {write(folder, "shortcuts.yaml", "add instance: Ctrl+Shift+P\n")};
        (void)preferences();
        press("prefImport");
        QCOMPARE((*m_window)->actions().get("labelAdd")->shortcut(), QKeySequence("Ctrl+Shift+P"));
    }

    void W_05_theKeyOfACommandThatCannotBeUsedSaysWhy() {
        m_window->window->activateWindow();
        m_window->key(Qt::Key_I, Qt::ControlModifier);
        QVERIFY2(m_window->field("statusNotice").contains("Open a video first"),
                 qPrintable(m_window->field("statusNotice")));
    }

    void unusableFilesOfKeysGetASentence_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no map") << QByteArray("- a\n- b\n");
        QTest::newRow("no YAML") << QByteArray("a: [1, 2\nb: }");
        QTest::newRow("binary") << QByteArray("\x00\x01\x02\xff", 4);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a bomb") << QByteArray(2 << 20, '[');
    }
    void unusableFilesOfKeysGetASentence() {
        QFETCH(QByteArray, text);
        const ShortcutFile file = readShortcutFile(text);
        QVERIFY(file.wishes.empty());
        QVERIFY2(file.problem.endsWith(QLatin1Char('.')), qPrintable(file.problem));
    }

    void spacePlaysExchangesKeys() {
        PreferencesDialog& dialog = preferences();
        dialog.findChild<QCheckBox*>("prefSpacePlays")->setChecked(true);
        ActionTable& actions = (*m_window)->actions();
        QCOMPARE(actions.get("goPlay")->shortcut(), QKeySequence("Space"));
        QCOMPARE(actions.get("goNextSuggestion")->shortcut(), QKeySequence("F"));
        QCOMPARE(actions.get("goPlayBack")->shortcut(), QKeySequence("Shift+Space"));
        expectNoKeyTwice();
        dialog.findChild<QCheckBox*>("prefSpacePlays")->setChecked(false);
        QCOMPARE(actions.get("goPlay")->shortcut(), QKeySequence("F"));
    }

    void preferencesHoldAtOnceAndFollowTheMenus() {
        PreferencesDialog& dialog = preferences();
        auto* zero = dialog.findChild<QCheckBox*>("prefCountFromZero");
        QVERIFY(!zero->isChecked());
        zero->setChecked(true);
        QCOMPARE((*m_window)->firstFrameNumber(), 0);
        QVERIFY((*m_window)->actions().get("viewCountFromZero")->isChecked());
        (*m_window)->actions().get("viewCountFromZero")->trigger();
        QVERIFY(!zero->isChecked());
        auto* look = dialog.findChild<QComboBox*>("prefTheme");
        look->setCurrentIndex(2);
        QVERIFY(theme::tokens().dark);
        QVERIFY((*m_window)->actions().get("viewThemeDark")->isChecked());
    }

    void stepsGoAsFarAsThePreferencesSay() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        preferences().findChild<QSpinBox*>("prefMediumStep")->setValue(7);
        preferences().close();
        QVERIFY((*m_window)->actions().get("goNextMedium")->text().contains("7"));
        m_window->trigger("goNextMedium");
        QCOMPARE((*m_window)->view().frame(), 7);
    }

    void theDecoderHoldsForVideosThatAreOpenedLater() {
        const auto tip = [this] {
            const auto* table = m_window->window->findChild<QTableView*>("videosTable");
            return table->model()->index(0, VideoTableModel::Name).data(Qt::ToolTipRole).toString();
        };
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        auto* decoder = preferences().findChild<QComboBox*>("prefDecoder");
        QCOMPARE(decoder->currentIndex(), 0);
        decoder->setCurrentIndex(1);
        QVERIFY2(!tip().contains("Decoded by"), qPrintable(tip()));
        // The next window has it, too.
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        QCOMPARE(preferences().findChild<QComboBox*>("prefDecoder")->currentIndex(), 1);
        const std::string why = video::whyNoGpuDecoding();
        const QString who = why.empty() ? QString("the GPU") : QString::fromStdString("the processor. " + why);
        QVERIFY2(tip().contains("Decoded by " + who), qPrintable(tip()));
    }

    void aPageIsResetByItself() {
        PreferencesDialog& dialog = preferences();
        dialog.showPage(PreferencePage::General);
        dialog.findChild<QSpinBox*>("prefMediumStep")->setValue(7);
        dialog.findChild<QComboBox*>("prefTheme")->setCurrentIndex(2);
        press("prefReset");
        QCOMPARE(dialog.findChild<QSpinBox*>("prefMediumStep")->value(), 10);
        QCOMPARE(dialog.findChild<QComboBox*>("prefTheme")->currentIndex(), 2);
    }

    void theSearchLeavesWhatHasTheWords() {
        PreferencesDialog& dialog = preferences();
        QTest::keyClicks(dialog.findChild<QLineEdit*>("prefSearch"), "recent");
        QVERIFY(dialog.findChild<QSpinBox*>("prefRecentCount")->isVisible());
        QVERIFY(dialog.findChild<QSpinBox*>("prefMediumStep")->isHidden());
        const auto* pages = dialog.findChild<QListWidget*>("prefPages");
        for (int i = 0; i < pages->count(); ++i)
            QCOMPARE(pages->item(i)->isHidden(), pages->item(i)->text() != "General");
        dialog.findChild<QLineEdit*>("prefSearch")->clear();
        QVERIFY(!dialog.findChild<QSpinBox*>("prefMediumStep")->isHidden());
    }

    void sleapsPreferencesAreImported() {
        QTemporaryDir folder;
        m_window->answers.files = {
            write(folder, "preferences.yaml",
                  "medium step size: 25\nmarker size: 8\nlarge step size: -3\npropagate track labels: false\n"
                  "window state: !!binary |\n  AAAA\nshare usage data: true\n")};
        PreferencesDialog& dialog = preferences();
        press("prefImport");
        QCOMPARE(dialog.findChild<QSpinBox*>("prefMediumStep")->value(), 25);
        QCOMPARE(dialog.findChild<QSpinBox*>("prefLargeStep")->value(), 100);
        QCOMPARE(dialog.findChild<QComboBox*>("prefMarkerSize")->currentData().toInt(), 8);
        QCOMPARE((*m_window)->view().style().markerSize, 8);
        QVERIFY(!(*m_window)->actions().get("trackPropagate")->isChecked());
        m_window->answers.files = {write(folder, "other.yaml", "- nothing\n")};
        press("prefImport");
    }

    void everySettingOfTheRowsHasADefaultThatItsEditorShows() {
        PreferencesDialog& dialog = preferences();
        for (const PreferenceRow& row : preferenceRows()) {
            auto* editor = dialog.findChild<QWidget*>(QLatin1String(row.name));
            QVERIFY2(editor != nullptr, row.name);
            const int wanted = Settings::defaultOf(row.setting).toInt();
            if (const auto* box = qobject_cast<QCheckBox*>(editor))
                QCOMPARE(box->isChecked(), wanted != 0);
            else if (const auto* number = qobject_cast<QSpinBox*>(editor))
                QCOMPARE(number->value(), wanted);
            else
                QCOMPARE(qobject_cast<QComboBox*>(editor)->currentData().toInt(), wanted);
            QVERIFY(!editor->toolTip().isEmpty() && !editor->accessibleName().isEmpty());
        }
    }

    void theSheetShowsTheKeysAsTheyAre() {
        m_window->window->findChild<Shortcuts*>()->assign((*m_window)->actions().get("goNextUser"),
                                                          {QKeySequence("Ctrl+Alt+U")});
        m_window->key(Qt::Key_F1);
        auto* sheet = m_window->window->findChild<QDialog*>("shortcutSheet");
        QVERIFY(sheet != nullptr);
        auto* table = sheet->findChild<PlainTable*>("sheetTable");
        QAbstractItemModelTester tester(table->model());
        QTest::keyClicks(sheet->findChild<QLineEdit*>("sheetSearch"), "ctrl+alt+u");
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(table->model()->index(0, ShortcutTableModel::Command).data().toString(),
                 commandName((*m_window)->actions().get("goNextUser")));
        QTest::mouseClick(sheet->findChild<QPushButton*>("sheetChange"), Qt::LeftButton);
        QVERIFY(m_window->window->findChild<ShortcutsPage*>()->isVisible());
    }

    void theGuideForSleapUsersOpens() {
        m_window->trigger("helpDocs");
        auto* page = m_window->window->findChild<QTextBrowser*>("helpText");
        QVERIFY(page != nullptr);
        QVERIFY(page->toPlainText().contains("Ctrl+Z"));
        QCOMPARE(page->window()->windowTitle(), QStringLiteral("What changed for SLEAP users"));
    }

    void W_03_everyDockComesBackFromTheWindowMenuAndThePalette() {
        const auto docks = m_window->window->findChildren<QDockWidget*>();
        QVERIFY(docks.size() >= 6);
        for (QDockWidget* dock : docks)
            dock->close();
        for (QDockWidget* dock : docks) {
            QAction* toggle = dock->toggleViewAction();
            const auto& all = (*m_window)->actions().all();
            QVERIFY2(std::find(all.begin(), all.end(), toggle) != all.end(), qPrintable(dock->objectName()));
            bool inMenu = false;
            for (const QMenu* menu : m_window->window->findChildren<QMenu*>())
                inMenu = inMenu || menu->actions().contains(toggle);
            QVERIFY2(inMenu, qPrintable(dock->objectName()));
            toggle->trigger();
            QVERIFY2(!dock->isHidden(), qPrintable(dock->objectName()));
        }
    }

    void arrangementsShowTheirDocksAndKeepTheSelection() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        (*m_window)->view().setFrame(3);
        const auto hidden = [this](const char* dock) {
            return m_window->window->findChild<QDockWidget*>(QLatin1String(dock))->isHidden();
        };
        m_window->trigger("windowPredict");
        QVERIFY(!hidden("dockJobs") && !hidden("dockProfiling") && !hidden("dockVideos") && hidden("dockInspector"));
        m_window->trigger("windowLabel");
        QVERIFY(hidden("dockJobs") && !hidden("dockInstances") && !hidden("dockInspector"));
        m_window->trigger("windowProofread");
        QVERIFY(hidden("dockJobs") && !hidden("dockInstances"));
        QTRY_VERIFY((*m_window)->timeline().height() > 200);
        QCOMPARE((*m_window)->view().frame(), 3);
        m_window->trigger("viewReset");
        QVERIFY(!hidden("dockJobs") && !hidden("dockInspector"));
    }

    void F6GoesThroughAllPartsOfTheWindow() {
        QVERIFY(m_window->open(sample("synthetic_6.mp4")));
        m_window->window->activateWindow();
        (*m_window)->canvas().setFocus();
        std::set<QWidget*> seen;
        for (int i = 0; i < 12; ++i) {
            m_window->key(Qt::Key_F6);
            QVERIFY(m_window->window->focusWidget() != nullptr);
            seen.insert(m_window->window->focusWidget());
        }
        QVERIFY(seen.count(&(*m_window)->canvas()) == 1);
        QVERIFY(seen.count(&(*m_window)->timeline()) == 1);
        QVERIFY2(seen.size() >= 4, qPrintable(QString::number(seen.size())));
    }

    void aFolderOfSettingsOfItsOwnIsUsed() {
        QTemporaryDir folder;
        const QString usual = QFileInfo(Settings().file()).absolutePath();
        Settings::setFolder(folder.path());
        {
            Settings own;
            own.set(Setting::MediumStep, 33);
            QVERIFY(own.file().startsWith(folder.path()));
        }
        Settings::setFolder(QFileInfo(usual).absolutePath());
        QCOMPARE(Settings().get(Setting::MediumStep).toInt(), 10);
    }

private:
    PreferencesDialog& preferences() {
        m_window->trigger("filePreferences");
        return *m_window->window->findChild<PreferencesDialog*>();
    }
    void chooseCommand(const char* id) {
        preferences().showShortcuts();
        auto* table = preferences().findChild<PlainTable*>("shortcutsTable");
        table->selectModelRow(preferences().findChild<ShortcutTableModel*>()->rowOf((*m_window)->actions().get(id)));
    }
    void pressNewKey(const QKeySequence& key) {
        auto* edit = preferences().findChild<QKeySequenceEdit*>("shortcutEdit");
        edit->setKeySequence(key);
    }
    void press(const char* button) {
        auto* found = preferences().findChild<QPushButton*>(QLatin1String(button));
        QVERIFY2(found->isEnabled(), button);
        QTest::mouseClick(found, Qt::LeftButton);
    }
    QString word() { return preferences().findChild<QLabel*>("shortcutWord")->text(); }
    static QString write(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
        QFile file(folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write a test file");
        return file.fileName();
    }
    void expectNoKeyTwice() {
        std::map<QString, QString> taken;
        for (const QAction* action : (*m_window)->actions().all())
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!taken.contains(key.toString()), qPrintable(key.toString() + taken[key.toString()]));
                taken[key.toString()] = action->objectName();
            }
    }

    std::unique_ptr<Window> m_window;
};

QTEST_MAIN(TestPreferences)
#include "tst_preferences.moc"
