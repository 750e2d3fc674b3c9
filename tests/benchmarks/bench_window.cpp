// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window takes for what people do all day, beside the limits that Skein sets itself: a table of medians
// and 95th percentiles. Everything is real: files, decoder, window, mouse and key events. See README.md.
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <random>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/instances.h"
#include "tests/support/big_project.h"
#include "tests/support/video_maker.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/edit/editor.h"

namespace {

using namespace skein;
namespace fs = std::filesystem;

/// CPU time of the GUI thread, in ms.
double guiCpu() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double monotonic() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Resident memory of this process, in MB.
double residentMemory() {
    std::ifstream file("/proc/self/statm");
    long total = 0, resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::lround(at))];
}

/// The application, with a watch on how long each event keeps the GUI thread.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        const double begin = monotonic();
        const bool done = QApplication::notify(receiver, event);
        --m_depth;
        const double took = monotonic() - begin;
        handlers.push_back(took);
        if (took > slowest) {
            slowest = took;
            slowestWhat = QStringLiteral("%1 to %2 %3")
                              .arg(static_cast<int>(event->type()))
                              .arg(QLatin1String(receiver->metaObject()->className()), receiver->objectName());
        }
        return done;
    }
    std::vector<double> handlers;
    double slowest = 0;
    QString slowestWhat;

private:
    int m_depth = 0;
};

class Table {
public:
    void row(const char* what, const std::vector<double>& values, double budget, const char* unit = "ms") {
        const double median = percentile(values, 0.5);
        std::printf("%-58s %10.2f %10.2f %9.0f %8.2f  %s%s\n", what, median, percentile(values, 0.95), budget,
                    median / budget, unit, median > budget ? "  OVER" : "");
        std::fflush(stdout);
    }
    void head() { std::printf("%-58s %10s %10s %9s %8s\n", "interaction", "median", "p95", "budget", "factor"); }
};

/// Notes when a widget has been painted.
class PaintWatch : public QObject {
public:
    PaintWatch(QWidget* widget, bool* painted) : m_painted(painted) { widget->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        *m_painted = *m_painted || event->type() == QEvent::Paint;
        return false;
    }

private:
    bool* m_painted;
};

/// A window on a project file beside its video.
class Bench : public test::Window {
public:
    /// Returns ms until the first frame is on the canvas and until counts and timeline are there too.
    std::pair<double, double> openTimed(const fs::path& path) {
        const double begin = monotonic();
        window->openPaths({test::fromPath(path)});
        if (!waitForFrame())
            throw std::runtime_error("no frame of " + path.string());
        const double first = monotonic() - begin;
        if (!waitForDigest())
            throw std::runtime_error("no digest of " + path.string());
        return {first, monotonic() - begin};
    }

    /// From an action of the person to the canvas having painted what follows, in ms of wall time and of GUI CPU.
    std::pair<double, double> untilPainted(const std::function<void()>& act) {
        QCoreApplication::processEvents();
        bool painted = false;
        PaintWatch watch(&window->canvas(), &painted);
        const double begin = monotonic(), cpu = guiCpu();
        act();
        while (!(window->canvas().lastShownFrame() == window->view().frame() && !window->presenter().isPending() &&
                 window->canvas().contents().frame == window->view().frame()))
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        // Docks and canvas follow in the same turn. A painted canvas would wait for the display's next picture here: it
        // is painted at once instead, and only once.
        QCoreApplication::processEvents();
        if (!painted)
            window->canvas().repaint();
        return {monotonic() - begin, guiCpu() - cpu};
    }

    void mouse(QEvent::Type type, QPointF where, Qt::MouseButton button, Qt::MouseButtons buttons) {
        ui::VideoCanvas& canvas = window->canvas();
        QMouseEvent event(type, where, canvas.mapToGlobal(where), button, buttons, Qt::NoModifier);
        QCoreApplication::sendEvent(&canvas, &event);
    }
};

struct Paths {
    fs::path small, medium, large;
};

/// The projects' common video, so that steps show pictures.
Paths prepare(const fs::path& folder) {
    fs::create_directories(folder);
    test::VideoSpec spec;
    spec.width = 1280;
    spec.height = 1024;
    spec.frames = 400;
    spec.gop = 250;
    spec.isGray = true;
    spec.encoderOptions = "preset=veryfast";
    const fs::path video = folder / "arena.mp4";
    if (!fs::exists(video) && !test::makeVideo(video, spec))
        throw std::runtime_error("this machine's FFmpeg has no encoder for H.264");
    test::BigProject small;
    small.frames = 1000;
    small.animals = 2;
    small.nodes = 2;
    test::BigProject medium;
    medium.animals = 5;
    medium.nodes = 13;
    return {test::bigProjectFile(folder, small), test::bigProjectFile(folder, medium),
            test::bigProjectFile(folder, {})};
}

/// What a started window says of itself: ms since its process began, and its memory.
int runAsStartedWindow(double begin) {
    ui::theme::apply(ui::theme::Mode::Light);
    ui::MainWindow window;
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return 1;
    QCoreApplication::processEvents();
    window.repaint();
    std::printf("%f %f\n", monotonic() - begin, residentMemory());
    return 0;
}

void measureStart(Table& table) {
    std::vector<double> times, memory;
    for (int i = 0; i < 5; ++i) {
        QProcess process;
        const double begin = monotonic();
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("--started-at"), QString::number(begin, 'f', 6)});
        process.waitForFinished(30000);
        const QStringList fields = QString::fromLatin1(process.readAllStandardOutput()).split(QLatin1Char(' '));
        if (fields.size() != 2)
            throw std::runtime_error("the window did not start");
        times.push_back(fields[0].toDouble());
        memory.push_back(fields[1].toDouble());
    }
    table.row("start to usable window, warm", times, 400);
    table.row("resident memory, empty window", memory, 120, "MB");
}

void measureSteps(Table& table, Bench& window, const char* size, double cpuBudget) {
    std::vector<double> wall, cpu;
    for (int i = 0; i < 60; ++i) {
        const auto [w, c] = window.untilPainted([&] { window.trigger("goNextFrame"); });
        if (i >= 5) {  // the first ones warm up
            wall.push_back(w);
            cpu.push_back(c);
        }
        QTest::qWait(5);
    }
    const std::string name = std::string("frame step, ") + size;
    table.row((name + ", GUI thread").c_str(), cpu, cpuBudget);
    table.row((name + ", key to picture").c_str(), wall, 16.7);
}

/// What the docks take to follow (D-03): the same two frames in turns, told to all that listen.
void measureDocks(Table& table, Bench& window, const char* size) {
    std::vector<ui::ShownFrame> frames;
    for (const std::int64_t frame : {20, 21}) {
        (void)window.untilPainted([&] { window->view().setFrame(frame); });
        frames.push_back(window->presenter().shown());
    }
    window->view().setSelected(frames[0].instances.back().header.id);
    std::vector<double> follow, painted;
    for (int i = 0; i < 40; ++i) {
        const double begin = monotonic();
        Q_EMIT window->presenter().contentsChanged(frames[static_cast<std::size_t>(i % 2)]);
        follow.push_back(monotonic() - begin);
        window->findChild<QWidget*>("instancesTable")->repaint();
        painted.push_back(monotonic() - begin);
        QCoreApplication::processEvents();
    }
    table.row((std::string("docks follow a frame, ") + size).c_str(), follow, 2);
    table.row("  and the table of instances is painted", painted, 8);
}

/// N-03 and N-04.
void measureSeeks(Table& table, Bench& window, const char* size) {
    std::mt19937 random(7);
    std::vector<double> cached, cold;
    // What was stepped through lies in the cache.
    for (int i = 0; i < 40; ++i) {
        const auto target = static_cast<std::int64_t>(random() % 50);
        cached.push_back(window.untilPainted([&] { window->view().setFrame(target); }).first);
    }
    for (int i = 0; i < 12; ++i) {
        const auto target = static_cast<std::int64_t>(110 + (random() % 29) * 10);
        cold.push_back(window.untilPainted([&] { window->view().setFrame(target); }).first);
    }
    table.row((std::string("cached seek to screen, ") + size).c_str(), cached, 16.7);
    table.row((std::string("seek to screen, 1280 x 1024 H.264, ") + size).c_str(), cold, 150);
}

void measureAccepting(Table& table, Bench& window, const char* size) {
    std::vector<double> times;
    for (std::int64_t frame = 60; frame < 72; ++frame) {
        (void)window.untilPainted([&] { window->view().setFrame(frame); });
        QTest::qWait(20);
        times.push_back(window.untilPainted([&] { window->actions().get("labelAcceptFrame")->trigger(); }).first);
        (void)window.waitForDigest();
    }
    table.row((std::string("accept all predictions of a frame, ") + size).c_str(), times, 16);
}

void measureDragging(Table& table, Bench& window, const char* size) {
    // On a frame that was accepted: user instances can be grabbed.
    (void)window.untilPainted([&] { window->view().setFrame(60); });
    const project::FrameData frame = project::edit::frameAt(window->document().labels(), 0, 60);
    const project::InstanceData* own = nullptr;
    for (const project::InstanceData& instance : frame.instances)
        if (instance.header.kind == project::InstanceKind::User)
            own = &instance;
    if (own == nullptr)
        throw std::runtime_error("nothing was accepted");
    window->view().setSelected(own->header.id);
    QCoreApplication::processEvents();
    ui::VideoCanvas& canvas = window->canvas();
    const QPointF at = canvas.sceneToView({own->points[0].x, own->points[0].y});
    std::vector<double> moves, releases;
    for (int drag = 0; drag < 6; ++drag) {
        window.mouse(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
        QPointF to = at;
        for (int i = 0; i < 20; ++i) {
            to += QPointF(1.5, 0.5);
            const double begin = monotonic();
            window.mouse(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
            canvas.repaint();
            moves.push_back(monotonic() - begin);
        }
        const int steps = window->document().undoStack()->index();
        releases.push_back(
            window.untilPainted([&] { window.mouse(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton); })
                .first);
        if (window->document().undoStack()->index() != steps + 1)
            throw std::runtime_error("the drag made no step");
        window.trigger("editUndo");
        (void)window.waitForDigest();
    }
    table.row((std::string("node drag, pointer to picture, ") + size).c_str(), moves, 16.7);
    table.row((std::string("node drag, release to picture, ") + size).c_str(), releases, 16);
}

void measureSwap(Table& table, Bench& window) {
    std::vector<double> times, undo;
    window->view().setFrame(100);
    (void)window.waitForFrame();
    for (int i = 0; i < 5; ++i) {
        const double begin = monotonic();
        const int steps = window->document().undoStack()->index();
        window->editor().transposeTracks(0, 10);
        while (window->document().undoStack()->index() == steps)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        window->canvas().repaint();
        times.push_back(monotonic() - begin);
        undo.push_back(window.untilPainted([&] { window.trigger("editUndo"); }).first);
        (void)window.waitForDigest();
    }
    table.row("track swap to the end, 1 M instances", times, 100);
    table.row("its undo", undo, 100);
}

void measureTimeline(Table& table, Bench& window, const char* size) {
    std::vector<double> rebuild, paint;
    for (std::int64_t frame = 80; frame < 85; ++frame) {
        (void)window.untilPainted([&] { window->view().setFrame(frame); });
        window.trigger("labelAcceptFrame");
        const double begin = monotonic();
        (void)window.waitForDigest();
        rebuild.push_back(monotonic() - begin);
        const double painting = monotonic();
        window->timeline().repaint();
        paint.push_back(monotonic() - painting);
    }
    table.row((std::string("timeline rebuilt in the background, ") + size).c_str(), rebuild, 1000);
    table.row((std::string("timeline painted, ") + size).c_str(), paint, 50);
}

void measureDialog(Table& table, Bench& window) {
    std::vector<double> times;
    for (int i = 0; i < 3; ++i) {
        const double begin = monotonic();
        window.trigger("predictRun");
        ui::InferenceDialog* dialog = window->run().dialog();
        if (dialog == nullptr || !QTest::qWaitForWindowExposed(dialog))
            throw std::runtime_error("the dialog did not open");
        dialog->repaint();
        times.push_back(monotonic() - begin);
        dialog->close();
        QCoreApplication::processEvents();
    }
    table.row("inference dialog opens", times, 100);
}

/// S-02.
void measureSaving(Table& table, Bench& window, const fs::path& folder, const char* size) {
    std::vector<double> times, latencies;
    const fs::path out = folder / "saved.slp";
    for (std::int64_t frame = 90; frame < 93; ++frame) {
        (void)window.untilPainted([&] { window->view().setFrame(frame); });
        window.trigger("labelAcceptFrame");
        (void)window.waitForDigest();
        const double begin = monotonic();
        window->document().save(test::fromPath(out));
        while (window->document().isSaving()) {
            // A person goes on meanwhile.
            latencies.push_back(window.untilPainted([&] { window.trigger("goNextFrame"); }).first);
            QTest::qWait(5);
        }
        times.push_back(monotonic() - begin);
    }
    fs::remove(out);
    table.row((std::string("save with one edited frame, ") + size).c_str(), times, 3000);
    table.row("  a step's key to picture meanwhile", latencies, 33);
}

/// `only`: names of the groups to measure; empty: all of them.
int measure(WatchedApplication& app, const fs::path& folder, const QStringList& only) {
    const auto wanted = [&only](const char* group) { return only.isEmpty() || only.contains(QLatin1String(group)); };
    const Paths paths = prepare(folder);
    Table table;
    table.head();
    if (wanted("start"))
        measureStart(table);
    const auto openRows = [&](const char* size, double first, double all, Bench& window, const fs::path& path) {
        const auto [shown, usable] = window.openTimed(path);
        table.row((std::string("open ") + size + ", first frame").c_str(), {shown}, first);
        table.row((std::string("open ") + size + ", counts and timeline too").c_str(), {usable}, all);
    };
    if (wanted("small")) {
        Bench window;
        openRows("2 k instances", 150, 150, window, paths.small);
        measureSteps(table, window, "2 x 2", 4);
        measureDialog(table, window);
    }
    if (wanted("medium")) {
        Bench window;
        const double before = residentMemory();
        openRows("100 k instances x 13", 500, 500, window, paths.medium);
        table.row("  memory", {residentMemory() - before}, 200, "MB");
        measureSteps(table, window, "5 x 13", 5);
        measureAccepting(table, window, "100 k");
    }
    if (wanted("large") || wanted("seek") || wanted("edit") || wanted("save")) {
        Bench window;
        const double before = residentMemory();
        openRows("1 M instances x 20", 1000, 5000, window, paths.large);
        table.row("  memory", {residentMemory() - before}, 1200, "MB");
        if (wanted("large"))
            measureSteps(table, window, "50 x 20", 8);
        if (wanted("large"))
            measureDocks(table, window, "50 x 20");
        if (wanted("seek"))
            measureSeeks(table, window, "50 x 20");
        if (wanted("edit")) {
            measureAccepting(table, window, "1 M");
            measureDragging(table, window, "1 M");
            measureTimeline(table, window, "1 M");
            measureSwap(table, window);
        }
        if (wanted("save"))
            measureSaving(table, window, folder, "1 M");
    }
    table.row("every event of the GUI thread (p99)", {percentile(app.handlers, 0.99)}, 16);
    std::printf("slowest event: %.1f ms, type %s\n", app.slowest, qUtf8Printable(app.slowestWhat));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const double begin = monotonic();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home;
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
        qputenv(name, home.path().toLocal8Bit());
    WatchedApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({QStringLiteral("started-at"), QStringLiteral("(used by itself)"), QStringLiteral("ms")});
    parser.addOption({QStringLiteral("only"),
                      QStringLiteral("Groups to measure, with commas: start, small, medium, large, seek, edit, save."),
                      QStringLiteral("groups")});
    parser.addPositionalArgument(QStringLiteral("folder"), QStringLiteral("Where the made projects are kept."),
                                 QStringLiteral("[folder]"));
    parser.process(app);
    try {
        if (parser.isSet(QStringLiteral("started-at")))
            return runAsStartedWindow(std::min(begin, parser.value(QStringLiteral("started-at")).toDouble()));
        const QStringList folders = parser.positionalArguments();
        return measure(
            app,
            folders.isEmpty() ? fs::temp_directory_path() / "skein-bench" : fs::path(folders.front().toStdString()),
            parser.value(QStringLiteral("only")).split(QLatin1Char(','), Qt::SkipEmptyParts));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_window: %s\n", e.what());
        return 1;
    }
}
