// SPDX-License-Identifier: GPL-3.0-or-later
// The night of a lab: a window of its own process works through a queue, is killed in the middle with no chance to tidy
// up, and is started again. This program is the window too, when it is called with "window".
#include <QAbstractButton>
#include <QApplication>
#include <QProcess>
#include <cstdio>

#include "engine/batch/queue_file.h"
#include "tests/support/event_loop.h"
#include "tests/ui/queue/queue_fixture.h"
#include "ui/main_window.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
namespace fs = std::filesystem;

namespace {

int give(const char* sentence) {
    std::fprintf(stderr, "window: %s\n", sentence);
    return 1;
}

/// Queues a folder of videos for each model, as a person does in the dialog.
bool fill(MainWindow& window, const QString& videos, const QStringList& models, int count) {
    BatchDialog* dialog = window.queue().batchDialog();
    for (int m = 0; m < models.size(); ++m) {
        dialog->showFor({videos});
        if (!test::looked(dialog, count))
            return false;
        for (int row = 0; row < count; ++row)
            dialog->found()->setUsed(row, true);  // also what cannot be read now
        dialog->findChild<QLineEdit*>("batchPattern")->setText("{video}.{model}.slp");
        const std::size_t before = window.queue().queue()->rows().size();
        if (!test::chooseModel(dialog, models[m].toStdString(), true) ||
            !test::press(dialog, m + 1 < models.size() ? "batchAdd" : "batchStart") ||
            !test::waitUntil([&] { return window.queue().queue()->rows().size() > before; }))
            return false;
    }
    return true;
}

/// "window fill VIDEOS COUNT MODEL...": queues and starts. "window go-on": answers the offer of what was left.
int runWindow(const QStringList& arguments) {
    theme::apply(theme::Mode::Light);
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    QueueSide& queue = window.queue();
    queue.setGraceMs(0);
    queue.queue()->setAfter(AfterQueue::Quit);
    if (arguments.value(0) == "fill") {
        if (!fill(window, arguments[1], arguments.mid(3), arguments[2].toInt()))
            return give("the videos could not be queued");
    } else {
        const auto offer = [&]() -> QAbstractButton* {
            for (auto* button : window.messages().findChildren<QAbstractButton*>())
                if (button->text() == "Go On")
                    return button;
            return nullptr;
        };
        if (!test::waitUntil([&] { return offer() != nullptr; }))
            return give("nothing was offered");
        if (queue.queue()->isStarted() || queue.queue()->isComputing())
            return give("the queue began without being asked to");
        std::printf("left %d of %d\n", queue.queue()->counts().left(), queue.queue()->counts().total);
        std::fflush(stdout);
        offer()->click();
    }
    return QApplication::exec();
}

}  // namespace

class TestQueueProcess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void killedInTheMiddleAndStartedAgainEverythingIsThere() {
        test::forgetQueue();
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString(), videos = folder / "videos";
        fs::create_directories(videos);
        constexpr int kGood = 9, kAll = 12;
        for (int i = 0; i < kGood; ++i)
            test::makeClip(videos / ("v" + std::to_string(i) + ".mp4"), 25 * i, 24);
        test::writeText(videos / "text.mp4", "This was never a video.");
        test::writeText(videos / "nothing.mp4", "");
        fs::copy_file(videos / "v0.mp4", videos / "cut.mp4");
        fs::resize_file(videos / "cut.mp4", fs::file_size(videos / "cut.mp4") / 3);
        const fs::path second = folder / "second_model";
        fs::copy(test::sampleModel(), second, fs::copy_options::recursive);
        const auto results = [&] {
            std::error_code ec;
            int count = 0;
            for (fs::directory_iterator it(videos, ec), end; !ec && it != end; it.increment(ec))
                count += it->path().extension() == ".slp" ? 1 : 0;
            return count;
        };
        {
            QProcess window;
            window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            window.start(QCoreApplication::applicationFilePath(),
                         {"window", "fill", test::text(videos), QString::number(kAll), test::text(test::sampleModel()),
                          test::text(second)});
            QVERIFY(window.waitForStarted(test::kPatienceMs));
            QTRY_VERIFY(results() >= 3 || window.state() != QProcess::Running);
            QCOMPARE(window.state(), QProcess::Running);
            ::kill(static_cast<pid_t>(window.processId()), SIGKILL);
            QVERIFY(window.waitForFinished(test::kPatienceMs));
        }
        const int before = results();
        QVERIFY(before >= 3 && before < 2 * kGood);
        QProcess again;
        again.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        again.start(QCoreApplication::applicationFilePath(), {"window", "go-on"});
        QVERIFY(again.waitForFinished(test::kPatienceMs));
        const QByteArray said = again.readAllStandardOutput();
        QCOMPARE(again.exitStatus(), QProcess::NormalExit);
        QCOMPARE(again.exitCode(), 0);
        qInfo("%d results before it was killed; %s", before, said.trimmed().constData());
        QVERIFY2(said.startsWith("left ") && said.contains(" of 24"), said.constData());

        const auto entries = batch::readQueue(text::toPath(QueueController::defaultFolder()) / "skein-queue.json");
        QVERIFY(entries);
        QCOMPARE(entries->size(), std::size_t{2 * kAll});
        int done = 0, failed = 0;
        for (const batch::Entry& entry : *entries) {
            const std::string name = entry.data.filename().string();
            if (name[0] != 'v') {
                ++failed;
                QCOMPARE(entry.state, EntryState::Failed);
                QVERIFY2(entry.reason.find(name) != std::string::npos && entry.reason.size() > 20,
                         entry.reason.c_str());
                QVERIFY(!fs::exists(entry.output));
                continue;
            }
            ++done;
            QVERIFY2(entry.state == EntryState::Done, batch::describe(entry).c_str());
            QVERIFY(fs::exists(entry.log));
            const fs::path alone = folder / "alone.slp";
            const test::Outcome run = test::runCommand({"predict", "-i", test::text(entry.data), "-m",
                                                        test::text(entry.settings.models.front()), "-o",
                                                        test::text(alone), "--tracking", "--quiet"});
            QVERIFY2(run.exitCode == 0, qPrintable(run.err));
            QCOMPARE(test::differenceOf(alone, entry.output), QString());
        }
        QCOMPARE(done, 2 * kGood);
        QCOMPARE(failed, 2 * (kAll - kGood));
        for (fs::directory_iterator it(videos), end; it != end; ++it)
            QVERIFY2(it->path().extension() != ".unfinished", it->path().c_str());
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.value(1) == "window")
        return runWindow(arguments.mid(2));
    TestQueueProcess test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_queue_process.moc"
