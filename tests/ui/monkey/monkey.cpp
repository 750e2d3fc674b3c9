// SPDX-License-Identifier: GPL-3.0-or-later
// A monkey at the keyboard: seeded random commands, clicks, drags, wheels, typing and playing in the real window, then
// everything is undone and must be as it was. As a test it plays for some seconds; "monkey --minutes 10 --seed 7
// [PROJECT]" plays longer, best in the asan build.
#include <QAbstractItemView>
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMenu>
#include <QMouseEvent>
#include <QRandomGenerator>
#include <QTimer>
#include <QUndoStack>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <map>

#include "engine/formats/slp.h"
#include "engine/formats/slp_dump.h"
#include "tests/ui/edit/edit_fixture.h"

namespace {

using namespace skein;
using namespace skein::ui;

constexpr double kTestSeconds = 15;

/// What leaves the project, the session or the machine, and what has tests of its own.
bool isForbidden(const QString& id) {
    return id.startsWith(QLatin1String("file")) || id.startsWith(QLatin1String("predict")) ||
           id == QLatin1String("helpDiagnostics") || id == QLatin1String("viewThemeSystem");
}

class Monkey {
public:
    Monkey(test::EditWindow& window, quint32 seed) : m_window(window), m_random(seed) {
        for (QAction* action : m_window->actions().all())
            if (!isForbidden(action->objectName()))
                m_allowed.push_back(action);
        // The menu of a tool button waits inside the key press that opened it.
        QObject::connect(&m_impatience, &QTimer::timeout, [] {
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
        });
        m_impatience.start(200);
    }

    void play(double seconds) {
        QElapsedTimer clock;
        clock.start();
        while (static_cast<double>(clock.elapsed()) < 1e3 * seconds) {
            move();
            ++moves;
            QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
            if (moves % 50 == 0)
                tidy();
        }
        tidy();
    }

    std::int64_t moves = 0;
    std::map<QString, int> triggered;

private:
    int below(int limit) { return static_cast<int>(m_random.bounded(static_cast<quint32>(std::max(1, limit)))); }

    void move() {
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return command();
            case 4:
                return click();
            case 5:
            case 6:
                return drag();
            case 7:
                return wheel();
            case 8:
                return type();
            default:
                return goSomewhere();
        }
    }

    void command() {
        QAction* action = m_allowed[static_cast<std::size_t>(below(static_cast<int>(m_allowed.size())))];
        if (!action->isEnabled())
            return;
        m_window.answers.number = below(20);
        m_window.answers.decimal = m_random.generateDouble();
        m_window.answers.text = QStringLiteral("name %1").arg(below(6));
        ++triggered[action->objectName()];
        action->trigger();
    }

    Qt::KeyboardModifiers modifiers() {
        static const Qt::KeyboardModifiers kAll[] = {Qt::NoModifier,      Qt::NoModifier,  Qt::NoModifier,
                                                     Qt::ControlModifier, Qt::AltModifier, Qt::ShiftModifier};
        return kAll[below(6)];
    }

    /// A place on the canvas; half of the time on a node, so that something is hit.
    QPoint place() {
        VideoCanvas& canvas = m_window.canvas();
        const auto& instances = canvas.contents().instances;
        if (!instances.empty() && below(2) == 0) {
            const auto& points = instances[static_cast<std::size_t>(below(static_cast<int>(instances.size())))].points;
            if (!points.empty()) {
                const project::Point& p = points[static_cast<std::size_t>(below(static_cast<int>(points.size())))];
                if (std::isfinite(p.x) && std::isfinite(p.y))
                    return canvas.sceneToView({p.x, p.y}).toPoint();
            }
        }
        return {below(canvas.width()), below(canvas.height())};
    }

    void click() {
        const Qt::KeyboardModifiers with = modifiers();
        switch (below(4)) {
            case 0:
                return m_window.doubleClick(place(), with);
            case 1:
                return m_window.click(place(), with, Qt::RightButton);
            default:
                return m_window.click(place(), with);
        }
    }

    void drag() {
        const QPoint from = place(), by(below(200) - 100, below(200) - 100);
        const Qt::KeyboardModifiers with = modifiers();
        if (below(4) != 0)
            return m_window.drag(from, by, with);
        // Something else happens while the button is down.
        m_window.press(from, with);
        m_window.move(from + by / 2, with);
        below(2) == 0 ? command() : m_window.wheel(from + by / 2, below(2) == 0 ? 120 : -120, with);
        m_window.release(from + by, with);
    }

    void wheel() { m_window.wheel(place(), below(2) == 0 ? 120 : -120, modifiers()); }

    void type() {
        static const Qt::Key kKeys[] = {Qt::Key_Left, Qt::Key_Right,     Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Tab,
                                        Qt::Key_1,    Qt::Key_2,         Qt::Key_Escape, Qt::Key_Space, Qt::Key_Return,
                                        Qt::Key_V,    Qt::Key_Backspace, Qt::Key_F6,     Qt::Key_M};
        QWidget* target = QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : m_window.window.get();
        QTest::keyClick(target, kKeys[below(14)], modifiers());
    }

    void goSomewhere() {
        m_window.view().setFrame(below(test::EditWindow::kFrames + 2));
        if (below(4) == 0)
            m_window.view().setRange(FrameRange{below(6), 6 + below(6)});
    }

    /// Menus and dialogs that stand open are closed, as a person would; a playing video stops.
    void tidy() {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top != m_window.window.get() && top->isVisible())
                top->close();
        m_window->playback().stop();
        m_window.canvas().cancelGesture();
        m_window->actions().get("windowLabel")->trigger();
        (void)test::await([this] { return !m_window->editor().isWorking(); });
    }

    test::EditWindow& m_window;
    QRandomGenerator m_random;
    std::vector<QAction*> m_allowed;
    QTimer m_impatience;
};

std::string describe(const project::Labels& labels) {
    const auto text = formats::dumpJson(labels);
    return text ? *text : "cannot be described: " + text.error().message();
}

/// Whether the project is as it was; if not, where the two part.
bool isAsItWas(const char* what, const std::string& was, const std::string& is) {
    const auto at = std::mismatch(was.begin(), was.end(), is.begin(), is.end());
    if (at.first == was.end() && at.second == is.end())
        return true;
    const auto place = static_cast<std::size_t>(at.first - was.begin());
    const std::size_t from = place < 200 ? 0 : place - 200;
    std::fprintf(stderr, "monkey: %s, the project was\n%s\nand is\n%s\n", what, was.substr(from, 400).c_str(),
                 is.substr(from, 400).c_str());
    return false;
}

int play(double seconds, quint32 seed, const QString& project) {
    test::EditWindow window;
    if (project.isEmpty() ? !window.setUp() : !window.open(project) || !window.waitForDigest()) {
        std::fprintf(stderr, "monkey: the project did not open\n");
        return 1;
    }
    // What made the project is no step of the game: taken back and written over, nothing would lead back to it.
    QUndoStack& undo = *window.document().undoStack();
    undo.clear();
    const std::string before = describe(window.labels());
    Monkey monkey(window, seed);
    monkey.play(seconds);
    const std::string after = describe(window.labels());
    const int steps = undo.index(), most = undo.count();
    undo.setIndex(0);
    const bool undone = isAsItWas("with all undone", before, describe(window.labels()));
    undo.setIndex(steps);
    const bool redone = isAsItWas("with all redone", after, describe(window.labels()));
    undo.setIndex(0);
    std::printf("seed %u: %lld moves, %zu different commands, %d steps (%d with those taken back)\n", seed,
                static_cast<long long>(monkey.moves), monkey.triggered.size(), steps, most);
    std::printf("undo of everything: %s; redo: %s\n", undone ? "as it was" : "DIFFERENT",
                redone ? "as it was" : "DIFFERENT");
    if (most < 3) {
        std::fprintf(stderr, "monkey: it edited nothing\n");
        return 1;
    }
    return undone && redone ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("minutes"), QStringLiteral("How long it plays."), QStringLiteral("number")},
                       {QStringLiteral("seed"), QStringLiteral("Another seed is another game."),
                        QStringLiteral("number"), QStringLiteral("1")}});
    parser.addPositionalArgument(QStringLiteral("project"), QStringLiteral("A copy of a project to play with."),
                                 QStringLiteral("[project]"));
    parser.process(app);
    test::forgetSettings();
    theme::apply(theme::Mode::Light);
    const double minutes = parser.value(QStringLiteral("minutes")).toDouble();
    return play(minutes > 0 ? 60 * minutes : kTestSeconds, parser.value(QStringLiteral("seed")).toUInt(),
                parser.positionalArguments().value(0));
}
