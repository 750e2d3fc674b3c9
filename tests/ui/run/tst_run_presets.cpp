// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QProcess>
#include <QSpinBox>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/reference.h"
#include "tests/ui/run/dialog_fixture.h"
#include "ui/bridge/background_settings.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_command.h"
#include "ui/dialogs/run_preset.h"
#include "ui/dialogs/run_settings.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using Json = nlohmann::ordered_json;
using skein::test::sampleModel;

namespace {

const RunPreset& builtIn(const char* name) {
    const auto& presets = builtInPresets();
    const auto it = std::find_if(presets.begin(), presets.end(),
                                 [name](const RunPreset& p) { return p.name == QLatin1String(name); });
    return it == presets.end() ? presets.front() : *it;
}

project::FileOrigin originOf(const char* path) {
    project::FileOrigin origin;
    origin.path = path;
    return origin;
}

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), qint64{text.size()});
}

}  // namespace

class TestRunPresets : public QObject {
    Q_OBJECT

    static void choose(DialogFixture& f, const QString& preset) {
        auto* list = f.find<QComboBox>("inferencePreset");
        const int at = list->findData(preset);
        QVERIFY2(at >= 0, qPrintable(preset));
        list->setCurrentIndex(at);
        Q_EMIT list->activated(at);
    }
    static void menu(DialogFixture& f, const char* action) { f.find<QAction>(action)->trigger(); }
    static bool isChanged(DialogFixture& f) { return !f.find<QLabel>("inferencePresetChanged")->isHidden(); }
    static QStringList names(DialogFixture& f) {
        auto* list = f.find<QComboBox>("inferencePreset");
        QStringList names;
        for (int i = 0; i < list->count(); ++i)
            if (list->itemData(i).isValid())
                names << list->itemData(i).toString();
        return names;
    }

private Q_SLOTS:
    void thereAreFiveBuiltInPresetsAndDefaultIsTheDefaults() {
        QStringList names;
        for (const RunPreset& preset : builtInPresets()) {
            names << preset.name;
            QVERIFY(!preset.description.isEmpty());
        }
        QCOMPARE(names, QStringList({"Default", "Fast preview", "Two mice", "Many flies", "Re-track only"}));
        QVERIFY(sameChoices(builtIn("Default").settings, RunSettings()));
        QCOMPARE(builtIn("Two mice").settings.tracker.maxTracks, std::optional(2));
        QCOMPARE(builtIn("Two mice").settings.inference.maxInstances, 2);
        QVERIFY(builtIn("Re-track only").settings.trackOnly);
    }

    // What a preset is not about stays as it is.
    void aPresetLeavesFramesDeviceAndExistingPredictionsAlone() {
        RunSettings settings;
        settings.target = RunTarget::Custom;
        settings.frameList = "1-5";
        settings.existing = ExistingPredictions::Keep;
        settings.inference.device = "cpu";
        settings.skipLabelled = true;
        for (const RunPreset& preset : builtInPresets()) {
            applyPreset(settings, preset);
            QVERIFY(sameChoices(settings, preset.settings));
            QCOMPARE(settings.target, RunTarget::Custom);
            QCOMPARE(settings.frameList, QString("1-5"));
            QCOMPARE(settings.existing, ExistingPredictions::Keep);
            QCOMPARE(settings.inference.device, std::string("cpu"));
            QVERIFY(settings.skipLabelled);
        }
    }

    // Every option of the table comes back from a file as it was.
    void aFileGivesBackEveryOption() {
        for (const RunOption& option : runOptions()) {
            RunSettings settings;
            chooseTracker(settings, TrackerChoice::Sort);
            QVariant other;
            switch (option.kind) {
                case OptionKind::Integer:
                    other =
                        static_cast<int>(option.maximum) - (option.name == std::string_view("integral_patch_size") &&
                                                                    static_cast<int>(option.maximum) % 2 == 0
                                                                ? 1
                                                                : 0);
                    break;
                case OptionKind::Number:
                    other = option.maximum;
                    break;
                case OptionKind::Flag:
                    other = !option.get(settings).toBool();
                    break;
                case OptionKind::Choice:
                    other = QLatin1String(option.values.back().name);
                    break;
                case OptionKind::Node:
                    other = QStringLiteral("thorax");
                    break;
                case OptionKind::Text:
                    other = QStringLiteral("0,2");
                    break;
            }
            option.set(settings, other);
            const auto back = presetFromJson(presetToJson({"Mine", {}, settings}));
            QVERIFY2(back, back ? "" : back.error().message().c_str());
            QVERIFY2(option.get(back->settings) == option.get(settings), option.name);
            QVERIFY2(sameChoices(back->settings, settings), option.name);
        }
        for (const RunPreset& preset : builtInPresets()) {
            const auto back = presetFromJson(presetToJson(preset));
            QVERIFY(back);
            QCOMPARE(back->name, preset.name);
            QVERIFY(sameChoices(back->settings, preset.settings));
            QCOMPARE(back->settings.trackOnly, preset.settings.trackOnly);
        }
    }

    // A stranger's file: nothing is taken on trust, and the sentence says what is wrong.
    void aStrangersFileIsRefusedWithASentence_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto changed = [](const char* part, const char* key, const Json& value) {
            Json json = Json::parse(presetToJson({"Mine", {}, RunSettings()}).toStdString());
            (*part == '\0' ? json : json[part])[key] = value;
            return QByteArray::fromStdString(json.dump());
        };
        QTest::newRow("empty") << QByteArray() << "no preset";
        QTest::newRow("text") << QByteArray("hello") << "no preset";
        QTest::newRow("another object") << QByteArray("{\"a\": 1}") << "no preset";
        QTest::newRow("list") << QByteArray("[1, 2]") << "no preset";
        QTest::newRow("deep") << QByteArray(400000, '[') << "no preset";
        QTest::newRow("huge") << QByteArray(kLargestPreset + 1, ' ') << "too large";
        QTest::newRow("version") << changed("", "skein_preset", 2) << "another version";
        QTest::newRow("no name") << changed("", "name", "  ") << "no name";
        QTest::newRow("name of a wrong kind") << changed("", "name", 7) << "no name";
        QTest::newRow("batch size") << changed("inference", "batch_size", 1000000) << "batch_size = 1000000";
        QTest::newRow("negative") << changed("inference", "peak_threshold", -0.5) << "peak_threshold = -0.5";
        QTest::newRow("even patch") << changed("inference", "integral_patch_size", 4) << "must be odd";
        QTest::newRow("text for a number")
            << changed("inference", "n_points", "ten") << "n_points must be a whole number";
        QTest::newRow("fraction") << changed("inference", "n_points", 1.5) << "n_points must be a whole number";
        QTest::newRow("word") << changed("inference", "precision", "double") << "precision must be one of";
        QTest::newRow("unknown option") << changed("inference", "explode", true) << "no option explode";
        QTest::newRow("unknown tracker") << changed("tracking", "tracker", "magic") << "magic";
        QTest::newRow("tracks") << changed("tracking", "max_tracks", 0) << "max_tracks = 0";
        QTest::newRow("queue") << changed("", "queue_maxsize", 99999) << "queue_maxsize = 99999";
        QTest::newRow("queue of a wrong kind") << changed("", "queue_maxsize", "many") << "queue_maxsize";
        QTest::newRow("flag") << changed("", "track", "yes") << "track must be true or false";
        QTest::newRow("options of a wrong kind") << changed("", "inference", 3) << "must be an object";
        QTest::newRow("long text") << changed("inference", "anchor_part", std::string(5000, 'a')) << "too long";
        QTest::newRow("large number") << QByteArray(
                                             "{\"skein_preset\":1,\"name\":\"x\",\"inference\":{\"batch_size\":1e999}}")
                                      << "no preset";
    }
    void aStrangersFileIsRefusedWithASentence() {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, says);
        const auto preset = presetFromJson(text);
        QVERIFY(!preset);
        const QString sentence = QString::fromStdString(preset.error().message());
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void theDialogShowsWhichPresetItIsAndWhetherItWasChanged() {
        DialogFixture f(100);
        f.show();
        QCOMPARE(f.find<QComboBox>("inferencePreset")->currentText(), QString("Default"));
        QVERIFY(!isChanged(f));
        choose(f, "Two mice");
        QVERIFY(!isChanged(f));
        QCOMPARE(f.dialog.settings().inference.maxInstances, 2);
        QCOMPARE(f.option<QSpinBox>("max_tracks")->value(), 2);
        f.option<QSpinBox>("batch_size")->setValue(9);
        QVERIFY(isChanged(f));
        QCOMPARE(f.find<QComboBox>("inferencePreset")->currentText(), QString("Two mice"));
        // Choosing it again goes back.
        choose(f, "Two mice");
        QVERIFY(!isChanged(f));
        QCOMPARE(f.dialog.settings().inference.batchSize, RunSettings().inference.batchSize);
    }

    void ownPresetsAreSavedRenamedAndDeleted() {
        DialogFixture f(100);
        f.show();
        QVERIFY(!f.find<QAction>("presetDelete")->isEnabled());
        f.option<QSpinBox>("batch_size")->setValue(9);
        // A built-in name is taken.
        f.dialogs.text = "default";
        menu(f, "presetSaveAs");
        QVERIFY(f.summary().contains("preset of Skein's own"));
        QCOMPARE(names(f).size(), 5);
        f.dialogs.text = "  My   flies ";
        menu(f, "presetSaveAs");
        QCOMPARE(names(f).mid(5), QStringList({"My flies"}));
        QCOMPARE(f.find<QComboBox>("inferencePreset")->currentText(), QString("My flies"));
        QVERIFY(!isChanged(f));
        // Changed, and saved again under its name.
        f.option<QSpinBox>("batch_size")->setValue(10);
        QVERIFY(isChanged(f));
        menu(f, "presetSave");
        QVERIFY(!isChanged(f));
        choose(f, "Default");
        QCOMPARE(f.dialog.settings().inference.batchSize, 4);
        choose(f, "My flies");
        QCOMPARE(f.dialog.settings().inference.batchSize, 10);

        f.dialogs.text = "Other flies";
        menu(f, "presetRename");
        QCOMPARE(names(f).mid(5), QStringList({"Other flies"}));
        QVERIFY(!isChanged(f));
        // It is there in the next session.
        {
            FakeSession next(f);
            QCOMPARE(next.names().mid(5), QStringList({"Other flies"}));
        }
        const int asked = f.dialogs.questions;
        menu(f, "presetDelete");
        QCOMPARE(f.dialogs.questions, asked + 1);
        QCOMPARE(names(f).size(), 5);
        // The options stay.
        QCOMPARE(f.dialog.settings().inference.batchSize, 10);
    }

    void presetsTravelAsFiles() {
        DialogFixture f(100);
        f.show();
        f.option<QSpinBox>("batch_size")->setValue(7);
        f.dialogs.text = "Lab";
        menu(f, "presetSaveAs");
        f.dialogs.path = f.folder.filePath("lab.json");
        menu(f, "presetExport");
        QTRY_VERIFY(f.summary().contains("Wrote lab.json"));

        DialogFixture other(100);
        other.show();
        other.dialogs.path = f.dialogs.path;
        menu(other, "presetImport");
        QTRY_COMPARE(other.dialog.settings().inference.batchSize, 7);
        QCOMPARE(other.find<QComboBox>("inferencePreset")->currentText(), QString("Lab"));
        // A second one of that name takes nothing away.
        menu(other, "presetImport");
        QTRY_COMPARE(names(other).mid(5), QStringList({"Lab", "Lab (2)"}));

        // A file that is none: a sentence with its name, and nothing changes.
        other.dialogs.path = f.folder.filePath("bad.json");
        write(other.dialogs.path, "{\"skein_preset\": 1, \"name\": \"Bad\", \"inference\": {\"batch_size\": -3}}");
        menu(other, "presetImport");
        QTRY_VERIFY2(other.summary().contains("bad.json") && other.summary().contains("batch_size"),
                     qPrintable(other.summary()));
        QCOMPARE(names(other).size(), 7);
        QCOMPARE(other.dialog.settings().inference.batchSize, 7);
    }

    void eachProjectRemembersItsLastSettings() {
        DialogFixture f(100);
        f.host.project.setOrigin(originOf("/data/a.slp"));
        f.show();
        QVERIFY(f.pick(sampleModel()));
        choose(f, "Two mice");
        QTRY_VERIFY(f.dialog.plan().canRun);
        f.run()->click();
        // Another project, never run: it goes on with what is there.
        f.host.project.setOrigin(originOf("/data/b.slp"));
        f.tell();
        QCOMPARE(f.dialog.settings().inference.maxInstances, 2);
        choose(f, "Default");
        f.option<QSpinBox>("batch_size")->setValue(6);
        QTRY_VERIFY(f.dialog.plan().canRun);
        f.run()->click();
        // Back to the first one.
        f.host.project.setOrigin(originOf("/data/a.slp"));
        f.tell();
        QCOMPARE(f.dialog.settings().inference.maxInstances, 2);
        QCOMPARE(f.find<QComboBox>("inferencePreset")->currentText(), QString("Two mice"));
        QVERIFY(!isChanged(f));
        f.host.project.setOrigin(originOf("/data/b.slp"));
        f.tell();
        QCOMPARE(f.dialog.settings().inference.batchSize, 6);
        QVERIFY(isChanged(f));
    }

    void aChoiceOfTrackingIsRecognised() {
        DialogFixture f(100);
        f.show();
        auto* kind = f.find<QComboBox>("inferenceTrackingPreset");
        QCOMPARE(kind->currentData().toString(), QString("none"));
        for (const tracking::TrackingPreset& preset : tracking::trackingPresets()) {
            kind->setCurrentIndex(kind->findData(QString::fromStdString(std::string(preset.key))));
            Q_EMIT kind->activated(kind->currentIndex());
            QCOMPARE(trackingPresetOf(f.dialog.settings()), preset.key);
            QCOMPARE(kind->currentData().toString().toStdString(), std::string(preset.key));
            // The number of animals is part of it, whatever it is.
            if (preset.usesCount) {
                f.option<QSpinBox>("max_tracks")->setValue(3);
                QCOMPARE(trackingPresetOf(f.dialog.settings()), preset.key);
            }
        }
        f.option<QSpinBox>("max_tracks")->setValue(5);
        f.track(TrackerChoice::Classic);
        f.option<QSpinBox>("tracking_window_size")->setValue(17);
        QCOMPARE(trackingPresetOf(f.dialog.settings()), std::string_view());
        QCOMPARE(kind->currentText(), QString("Own choice"));
        kind->setCurrentIndex(0);
        Q_EMIT kind->activated(0);
        QVERIFY(!f.dialog.settings().tracking);
    }

    // The number of animals survives a preset that does not use it.
    void theNumberOfAnimalsIsNotForgotten() {
        DialogFixture f(100);
        f.show();
        const auto take = [&f](const char* key) {
            auto* kind = f.find<QComboBox>("inferenceTrackingPreset");
            kind->setCurrentIndex(kind->findData(QLatin1String(key)));
            Q_EMIT kind->activated(kind->currentIndex());
        };
        take("skein");
        f.option<QSpinBox>("max_tracks")->setValue(4);
        take("as_sleap_nn");
        QVERIFY(!f.dialog.settings().tracker.maxTracks);
        take("kalman");
        QCOMPARE(f.dialog.settings().tracker.maxTracks, std::optional(4));
        QCOMPARE(f.dialog.settings().tracker.targetInstanceCount, std::optional(4));
    }

    // A run begins with a write of what was chosen: not on the thread that shows it.
    void whatIsSetIsThereAtOnceAndReachesTheDisk() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("skein.ini");
        const auto written = [&path] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        BackgroundSettings settings(path, QSettings::IniFormat);
        for (const int value : {7, 8}) {
            settings.setValue("a/b", value);
            QCOMPARE(QSettings(path, QSettings::IniFormat).value("a/b").toInt(), value);
            QTRY_VERIFY2(written().contains("b=" + QByteArray::number(value)), written().constData());
        }
    }

    void wordsForAShellAreQuoted() {
        QCOMPARE(shellWord("/data/a.mp4"), QString("/data/a.mp4"));
        QCOMPARE(shellWord("/my data/a.mp4"), QString("'/my data/a.mp4'"));
        QCOMPARE(shellWord("it's; rm -rf $HOME"), QString("'it'\\''s; rm -rf $HOME'"));
        QCOMPARE(shellWord(""), QString("''"));
    }

    void theRunIsCopiedAsACommand() {
        DialogFixture f(100);
        f.host.range = FrameRange{10, 19};
        f.show();
        menu(f, "presetCopySkein");
        QVERIFY(f.summary().contains("Choose a model"));
        QVERIFY(f.pick(sampleModel()));
        choose(f, "Two mice");
        f.option<QSpinBox>("batch_size")->setValue(8);
        QTRY_VERIFY(f.dialog.plan().canRun);
        menu(f, "presetCopySkein");
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith("skein predict -i /data/fly.mp4 -m "), qPrintable(line));
        for (const char* part : {"--batch_size 8", "--max_instances 2", "--filter_overlapping", "--tracking",
                                 "--tracker skein", "--max_tracks 2", "-o /data/fly.mp4.predictions.slp"})
            QVERIFY2(line.contains(QLatin1String(part)), qPrintable(QLatin1String(part) + ": " + line));
        menu(f, "presetCopySleapNn");
        const QString peer = QGuiApplication::clipboard()->text();
        QVERIFY2(peer.startsWith("sleap-nn predict -i /data/fly.mp4 -m "), qPrintable(peer));
        QVERIFY(!peer.section('#', 0, 0).contains("--tracker"));
        QVERIFY2(peer.contains("# without what sleap-nn does not have: --tracker skein"), qPrintable(peer));
        // It computes on one device.
        f.dialog.setDevices({"2.11", {"cpu", "cuda:0 (A40, 44 GiB)", "cuda:1 (A40, 44 GiB)"}, {}});
        auto* device = f.dialog.findChild<QComboBox*>("inferenceDevice");
        device->setCurrentIndex(device->findData("cuda:all"));
        Q_EMIT device->activated(device->currentIndex());
        menu(f, "presetCopySkein");
        QVERIFY(QGuiApplication::clipboard()->text().contains("--device cuda:all"));
        menu(f, "presetCopySleapNn");
        const QString onOne = QGuiApplication::clipboard()->text();
        QVERIFY2(onOne.section('#', 0, 0).contains("--device cuda "), qPrintable(onOne));
        QVERIFY2(onOne.section('#', 1).contains("--device cuda:all"), qPrintable(onOne));
        // Chosen frames are part of it.
        f.dialog.findChild<QAbstractButton*>("inferenceTargetRange")->click();
        menu(f, "presetCopySkein");
        QVERIFY(QGuiApplication::clipboard()->text().contains("--frames 10-19"));
        // The fastest batch is asked for by name.
        choose(f, "Fast preview");
        menu(f, "presetCopySkein");
        QVERIFY2(QGuiApplication::clipboard()->text().contains("--batch_size auto --precision half") ||
                     QGuiApplication::clipboard()->text().contains("--batch_size auto"),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

private:
    /// The dialog of another session with the same settings file.
    struct FakeSession {
        explicit FakeSession(DialogFixture& f) : dialog(&f.settings, &f.dialogs, nullptr) {}
        ui::InferenceDialog dialog;
        QStringList names() {
            auto* list = dialog.findChild<QComboBox*>("inferencePreset");
            QStringList names;
            for (int i = 0; i < list->count(); ++i)
                if (list->itemData(i).isValid())
                    names << list->itemData(i).toString();
            return names;
        }
    };
};

QTEST_MAIN(TestRunPresets)
#include "tst_run_presets.moc"
