// SPDX-License-Identifier: GPL-3.0-or-later
// What looking at a run costs it, and what a run costs the window: the bundled sample through its model in the real
// window, in turns with and without the view following (I-05), while a thread asks the GUI thread for a sign of life
// every five milliseconds (I-07). Also how long a preview of one frame takes once the model is loaded.
#include <time.h>

#include <QApplication>
#include <QComboBox>
#include <QCommandLineParser>
#include <QEventLoop>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "tests/ui/window/window_fixture.h"
#include "ui/bridge/running_job.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preview_window.h"

namespace {

using namespace skein;
using namespace skein::ui;
namespace fs = std::filesystem;

constexpr int kPatienceMs = 600000;

double seconds(clockid_t clock = CLOCK_MONOTONIC) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

/// Asks the GUI thread for a sign of life every five milliseconds and notes how long each takes.
class Probe {
public:
    Probe() {
        m_thread = std::jthread([this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                if (m_waiting.exchange(true))
                    continue;  // one question at a time: a stall counts once, with its whole length
                QMetaObject::invokeMethod(
                    QCoreApplication::instance(),
                    [this, asked = seconds()] {
                        m_latencies.push_back(1000 * (seconds() - asked));
                        m_waiting = false;
                    },
                    Qt::QueuedConnection);
            }
        });
    }
    ~Probe() {
        m_thread.request_stop();
        m_thread.join();
        // The last question still refers to this object.
        (void)QTest::qWaitFor([this] { return !m_waiting; }, 10000);
    }
    [[nodiscard]] std::vector<double> take() { return std::exchange(m_latencies, {}); }

private:
    std::vector<double> m_latencies;  // GUI thread
    std::atomic<bool> m_waiting = false;
    std::jthread m_thread;
};

/// Notes how long the GUI thread was in each handler, so that what holds it up can be named.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        if (!m_notes || m_depth > 0)
            return QApplication::notify(receiver, event);
        // Known before the handler, which may delete it.
        const QString name = QStringLiteral("%1 %2, event %3")
                                 .arg(QLatin1String(receiver->metaObject()->className()), receiver->objectName())
                                 .arg(int(event->type()));
        ++m_depth;
        const double begin = seconds();
        const bool handled = QApplication::notify(receiver, event);
        --m_depth;
        m_handlers.emplace_back(1000 * (seconds() - begin), name);
        return handled;
    }
    void note(bool on) { m_notes = on; }
    void printSlowest(std::size_t most) {
        std::sort(m_handlers.begin(), m_handlers.end(), std::greater<>());
        std::printf("slowest handlers of the GUI thread:\n");
        for (std::size_t i = 0; i < std::min(most, m_handlers.size()); ++i)
            std::printf("  %6.1f ms  %s\n", m_handlers[i].first, qPrintable(m_handlers[i].second));
    }

private:
    std::vector<std::pair<double, QString>> m_handlers;
    int m_depth = 0;
    bool m_notes = false;
};

/// Lets the window live until the run is over. No polling: what is measured is the window, not the waiting.
void untilItEnds(RunController& run) {
    QEventLoop loop;
    QObject::connect(&run, &RunController::stateChanged, &loop, [&] {
        if (!run.isRunning())
            loop.quit();
    });
    QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
    if (run.isRunning())
        loop.exec();
}

struct Turn {
    double framesPerSecond = 0;
    double cpu = 0;     ///< seconds of the whole program
    double guiCpu = 0;  ///< of the GUI thread
    std::vector<double> latencies;
    std::int64_t shown = 0;
};

Turn runOnce(test::Window& window, bool follow) {
    RunController& run = window->run();
    InferenceDialog* dialog = run.dialog();
    run.showDialog();
    if (!QTest::qWaitFor([&] { return dialog->plan().canRun; }, kPatienceMs))
        return {};
    Turn turn;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), guiCpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    auto* app = static_cast<TimedApplication*>(qApp);
    Probe probe;
    app->note(true);
    // Behind what the run itself decides about following when it begins.
    const QMetaObject::Connection begun = QObject::connect(
        &run, &RunController::stateChanged, &run,
        [&run, follow] {
            if (run.run().state == RunState::Running && run.isFollowing() != follow)
                run.setFollowing(follow);
        },
        Qt::QueuedConnection);
    dialog->findChild<QPushButton*>("inferenceRun")->click();
    untilItEnds(run);
    QObject::disconnect(begun);
    app->note(false);
    turn.cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    turn.guiCpu = seconds(CLOCK_THREAD_CPUTIME_ID) - guiCpu;
    turn.latencies = probe.take();
    turn.shown = run.run().framesFollowed;
    if (run.run().progress)
        turn.framesPerSecond = static_cast<double>(run.run().framesDone()) / run.run().progress->secondsElapsed;
    return turn;
}

int measure(int turns) {
    test::Window window;
    const fs::path sample = fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample";
    if (!window.open(test::sample("synthetic_6.mp4"))) {
        std::fprintf(stderr, "live_run: the sample did not open\n");
        return 1;
    }
    window->run().showDialog();
    window->run().dialog()->modelPicker()->setPath(test::fromPath(sample / "synthetic_bottomup"));
    (void)runOnce(window, true);  // loads the model
    std::vector<double> on, off, onCpu, offCpu, onGui, offGui, latencies;
    std::int64_t shown = 0;
    for (int i = 0; i < turns; ++i) {
        const bool first = i % 2 == 0;  // neither is always the first
        for (const bool follow : {first, !first}) {
            Turn turn = runOnce(window, follow);
            (follow ? on : off).push_back(turn.framesPerSecond);
            (follow ? onCpu : offCpu).push_back(turn.cpu);
            (follow ? onGui : offGui).push_back(turn.guiCpu);
            if (follow) {
                shown += turn.shown;
                latencies.insert(latencies.end(), turn.latencies.begin(), turn.latencies.end());
            }
        }
    }
    const double with = percentile(on, 0.5), without = percentile(off, 0.5);
    std::printf("frames/s following %.1f, not following %.1f, ratio %.3f (I-05: at least 0.970)%s\n", with, without,
                with / without, with < 0.97 * without ? " OVER" : "");
    // On a machine that does other things too, time spent says more than time passed.
    const double spent = percentile(offCpu, 0.5) / percentile(onCpu, 0.5);
    std::printf("the same by processor time: following %.2f s, not following %.2f s, ratio %.3f%s\n",
                percentile(onCpu, 0.5), percentile(offCpu, 0.5), spent, spent < 0.97 ? " OVER" : "");
    std::printf("GUI thread's processor time: following %.2f s, not following %.2f s\n", percentile(onGui, 0.5),
                percentile(offGui, 0.5));
    std::printf("pictures shown while following: %lld\n", static_cast<long long>(shown));
    std::printf("GUI thread while it runs: p50 %.1f ms, p99 %.1f ms, most %.1f ms of %zu (I-07: p99 at most 33 ms)%s\n",
                percentile(latencies, 0.5), percentile(latencies, 0.99), percentile(latencies, 1), latencies.size(),
                percentile(latencies, 0.99) > 33 ? " OVER" : "");

    static_cast<TimedApplication*>(qApp)->printSlowest(8);

    // The preview of one frame, warm: from the click to the picture.
    window->run().showDialog();
    InferenceDialog* dialog = window->run().dialog();
    auto* button = dialog->findChild<QPushButton*>("inferencePreview");
    std::vector<double> previews;
    for (int i = 0; i < turns + 1; ++i) {
        const double begin = seconds();
        button->click();
        auto* preview = dialog->findChild<PreviewWindow*>();
        if (!QTest::qWaitFor([&] { return !preview->isBusy(); }, kPatienceMs) || !preview->now().preview()) {
            std::fprintf(stderr, "live_run: no preview: %s\n",
                         qPrintable(preview->findChild<QLabel*>("previewMessage")->text()));
            return 1;
        }
        if (i > 0)
            previews.push_back(seconds() - begin);
    }
    std::printf("preview of one frame, warm: p50 %.2f s, most %.2f s (at most 1 s)%s\n", percentile(previews, 0.5),
                percentile(previews, 1), percentile(previews, 1) > 1 ? " OVER" : "");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // Nothing of the person's own is read or written.
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    qputenv("XDG_DATA_HOME", home.path().toUtf8());
    TimedApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("What looking at a run costs it, and what it costs the window."));
    parser.addHelpOption();
    const QCommandLineOption turns(QStringLiteral("turns"), QStringLiteral("Runs with and without following."),
                                   QStringLiteral("N"), QStringLiteral("3"));
    parser.addOption(turns);
    parser.process(app);
    return measure(std::max(1, parser.value(turns).toInt()));
}
