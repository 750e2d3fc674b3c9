// SPDX-License-Identifier: GPL-3.0-or-later
// Work without a mouse, and texts that are longer than ours.
#include <QAbstractButton>
#include <QDialog>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>
#include <QUndoStack>

#include "engine/formats/slp.h"
#include "tests/ui/edit/edit_fixture.h"
#include "ui/preferences/preferences_dialog.h"

using namespace skein;
using namespace skein::ui;

namespace {

/// A language that needs 40 % more room: every text gets a tail.
class LongLanguage : public QTranslator {
public:
    QString translate(const char*, const char* source, const char*, int) const override {
        const QString text = QString::fromUtf8(source);
        // What stands for a value or a key is no text.
        if (text.size() < 3 || !text.contains(QRegularExpression(QStringLiteral("[A-Za-z]{3}"))))
            return {};
        QString tail;
        for (qsizetype i = 0; i < (text.size() * 2 + 4) / 5; ++i)
            tail += QLatin1Char('o');
        return text + tail;
    }
    bool isEmpty() const override { return false; }
};

/// Parts of a window that show less than their text.
QStringList cutTexts(const QWidget& window) {
    QStringList cut;
    for (const QWidget* part : window.findChildren<QWidget*>()) {
        if (!part->isVisible() || part->visibleRegion().isEmpty())
            continue;
        const auto* label = qobject_cast<const QLabel*>(part);
        const auto* button = qobject_cast<const QAbstractButton*>(part);
        if (label != nullptr ? label->text().isEmpty() || label->wordWrap()
                             : button == nullptr || button->text().isEmpty())
            continue;
        // Status fields shorten their text themselves and say all of it in the tool tip.
        if (part->minimumSizeHint().width() > part->width() + 1 || part->sizeHint().height() > part->height() + 1)
            cut << QStringLiteral("%1 %2 \"%3\" needs %4 x %5, has %6 x %7")
                       .arg(QLatin1String(part->metaObject()->className()), part->objectName(),
                            label != nullptr ? label->text() : button->text())
                       .arg(part->minimumSizeHint().width())
                       .arg(part->sizeHint().height())
                       .arg(part->width())
                       .arg(part->height());
    }
    return cut;
}

}  // namespace

class TestAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() { test::forgetSettings(); }

    void X_02_aReviewByKeysOnly() {
        QTemporaryDir folder;
        // A project with predictions and two suggestions.
        const QString path = folder.filePath("review.slp");
        {
            test::EditWindow maker;
            QVERIFY(maker.setUp());
            project::Labels labels = maker.document().snapshot();
            labels.editSuggestions() = {{0, 3, 0, {}}, {0, 7, 0, {}}};
            QVERIFY(formats::writeSlp(labels, path.toStdString()));
        }
        test::EditWindow w;
        w.answers.files = {path};
        w.window->activateWindow();
        w.key(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(w.waitForFrame() && w.waitForDigest());
        w.key(Qt::Key_Space);
        QCOMPARE(w.view().frame(), 3);
        QVERIFY(w.waitForFrame());
        w.key(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w.steps(), 1);
        QVERIFY(w.waitForFrame());
        w.key(Qt::Key_1);
        const project::InstanceId chosen = w.view().selected();
        QVERIFY(chosen != 0);
        const project::Point was = w.points(chosen).at(0);
        w.key(Qt::Key_M);
        // The arrows are the canvas's while a node is nudged.
        w.canvas().setFocus();
        QTest::keyClick(&w.canvas(), Qt::Key_Right);
        QTest::keyClick(&w.canvas(), Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(&w.canvas(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(std::abs(w.points(chosen).at(0).x - (was.x + 0.9)) < 1e-9);
        QVERIFY(std::abs(w.points(chosen).at(0).y - (was.y + 10)) < 1e-9);
        w.key(Qt::Key_Escape);
        QCOMPARE(w.view().frame(), 3);
        w.key(Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(w.track(chosen), 2);
        w.key(Qt::Key_Space);
        QCOMPARE(w.view().frame(), 7);
        w.key(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!w.document().isSaving() && !w.document().isModified());
        const auto saved = formats::readSlp(path.toStdString());
        QVERIFY(saved.has_value());
        const project::FrameData frame = project::edit::frameAt(*saved, 0, 3);
        QCOMPARE(std::count_if(frame.instances.begin(), frame.instances.end(),
                               [](const auto& i) { return i.header.kind == project::InstanceKind::User; }),
                 4);
    }

    void X_03_nothingIsCutInALanguageWithLongerWords() {
        LongLanguage language;
        QCoreApplication::installTranslator(&language);
        {
            test::EditWindow w;
            w.window->resize(1280, 720);
            QVERIFY(w.setUp());
            QStringList cut;
            const auto look = [&](const char* what, const QWidget* window) {
                QVERIFY2(window != nullptr, what);
                QCoreApplication::processEvents();
                for (const QString& line : cutTexts(*window))
                    cut << QStringLiteral("%1: %2").arg(QLatin1String(what), line);
            };
            for (const char* action : {"labelCustomDelete", "filePreferences", "helpShortcuts", "predictRun",
                                       "predictMetrics", "helpAbout"}) {
                w.trigger(action);
                QCoreApplication::processEvents();
                QVERIFY2(test::await([] { return newestDialog() != nullptr; }), action);
                QWidget* dialog = newestDialog();
                look(action, dialog);
                if (auto* preferences = qobject_cast<PreferencesDialog*>(dialog)) {
                    preferences->showPage(PreferencePage::Look);
                    look("Look", dialog);
                    preferences->showShortcuts();
                    look("Shortcuts", dialog);
                }
                dialog->close();
                QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            }
            w.trigger("fileNew");
            look("empty window", w.window.get());
            QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        }
        QCoreApplication::removeTranslator(&language);
    }

    void X_03_theSameOnFinerScreens_data() {
        QTest::addColumn<QString>("ratio");
        QTest::newRow("1.5") << "1.5";
        QTest::newRow("2") << "2";
    }
    void X_03_theSameOnFinerScreens() {
        QFETCH(QString, ratio);
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_SCALE_FACTOR", ratio);
        again.setProcessEnvironment(environment);
        again.setProcessChannelMode(QProcess::MergedChannels);
        again.start(QCoreApplication::applicationFilePath(), {"X_03_nothingIsCutInALanguageWithLongerWords"});
        QVERIFY(again.waitForFinished(test::kPatienceMs));
        QVERIFY2(again.exitCode() == 0, again.readAll().constData());
    }

private:
    static QWidget* newestDialog() {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (qobject_cast<QDialog*>(top) != nullptr && top->isVisible())
                return top;
        return nullptr;
    }
};

QTEST_MAIN(TestAccess)
#include "tst_access.moc"
