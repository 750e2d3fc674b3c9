// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>
#include <optional>
#include <vector>

#include "tests/support/bar_code.h"
#include "tests/support/patience.h"
#include "tests/support/reference.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"
#include "ui/theme.h"

// The real window, with answers in place of dialogs and without LibTorch.
namespace skein::test {

/// Gives the answers a test has prepared, and counts the questions.
class Answers : public ui::DialogService {
public:
    Unsaved unsaved = Unsaved::Cancel;
    QStringList files;
    QString folder;
    QString savePath;
    std::optional<std::int64_t> number;
    std::optional<double> decimal;
    std::optional<QString> text;
    int unsavedAsked = 0;
    QString toSave;  ///< what was last asked to be saved, in words
    int saveAsked = 0;
    QString suggestion;
    bool confirmed = true;
    QString question;  ///< the last one that was to be confirmed

    void askUnsaved(QWidget*, const QString& what, std::function<void(Unsaved)> then) override {
        ++unsavedAsked;
        toSave = what;
        then(unsaved);
    }
    void chooseFiles(QWidget*, const QString&, const QString&, const QString&,
                     std::function<void(const QStringList&)> then) override {
        then(files);
    }
    void chooseFolder(QWidget*, const QString&, const QString&, std::function<void(const QString&)> then) override {
        then(folder);
    }
    void chooseSavePath(QWidget*, const QString& suggested, std::function<void(const QString&)> then) override {
        ++saveAsked;
        suggestion = suggested;
        then(savePath);
    }
    void chooseNewFile(QWidget*, const QString&, const QString& suggested, const QString&,
                       std::function<void(const QString&)> then) override {
        suggestion = suggested;
        then(savePath);
    }
    void confirm(QWidget*, const QString& asked, const QString& details, const QString&,
                 std::function<void(bool)> then) override {
        question = asked + QLatin1Char('\n') + details;
        then(confirmed);
    }
    void askNumber(QWidget*, const QString&, const QString&, std::int64_t, std::int64_t, std::int64_t,
                   std::function<void(std::optional<std::int64_t>)> then) override {
        then(number);
    }
    void askDecimal(QWidget*, const QString&, const QString&, double, double, double, int,
                    std::function<void(std::optional<double>)> then) override {
        then(decimal);
    }
    void askText(QWidget*, const QString&, const QString&, const QString&,
                 std::function<void(std::optional<QString>)> then) override {
        then(text);
    }
    int choice = -1;
    int choiceAsked = 0;
    std::optional<int> item;
    QStringList items;
    void askChoice(QWidget*, const QString&, const QString&, const QStringList&,
                   std::function<void(int)> then) override {
        ++choiceAsked;
        then(choice);
    }
    bool always = false;  ///< the answer to the next askOnce() holds from then on
    void askOnce(QWidget*, const QString&, const QString& asked, const QStringList&, const QString&,
                 std::function<void(int, bool)> then) override {
        ++choiceAsked;
        question = asked;
        then(choice, always);
    }
    void askItem(QWidget*, const QString&, const QString&, const QStringList& offered,
                 std::function<void(std::optional<int>)> then) override {
        items = offered;
        then(item);
    }
};

inline QString fromPath(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
inline QString sample(const char* name) {
    return QStringLiteral(SKEIN_SOURCE_DIR "/resources/sample/") + QLatin1String(name);
}

class Window {
public:
    explicit Window(ui::JobStarter jobs = ui::engineJobs()) {
        ui::RunServices services;
        services.jobs = std::move(jobs);
        services.dialogs = &answers;
        services.devices = []() -> Result<inference::DeviceInfo> {
            return inference::DeviceInfo{"0", {"cpu"}, "no driver"};
        };
        window = std::make_unique<ui::MainWindow>(std::move(services));
        window->session().setDialogs(&answers);
        window->resize(1280, 800);
        window->show();
        (void)QTest::qWaitForWindowExposed(window.get(), kPatienceMs);
    }

    ui::MainWindow* operator->() const { return window.get(); }

    /// Opens and waits until a picture (or its absence) is on the canvas.
    [[nodiscard]] bool open(const QString& path) {
        window->openPaths({path});
        return waitForFrame();
    }
    [[nodiscard]] bool waitForFrame() {
        return await([this] {
            return !window->document().isOpening() && !window->presenter().isPending() &&
                   window->canvas().lastShownFrame() == window->view().frame() &&
                   window->canvas().contents().frame == window->view().frame();
        });
    }
    [[nodiscard]] bool waitForDigest() {
        return await([this] { return window->digest().isUpToDate(); });
    }
    /// A person is never faster than the window's next turn.
    void trigger(const char* id) {
        QCoreApplication::processEvents();
        window->actions().get(id)->trigger();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(window.get(), key, modifiers);
    }
    [[nodiscard]] QString field(const char* name) const {
        return window->findChild<QLabel*>(QLatin1String(name))->text();
    }
    /// All sentences in the message bar.
    [[nodiscard]] QStringList sentences() const {
        QStringList all;
        for (const ui::Banner* banner : window->messages().findChildren<ui::Banner*>())
            if (!banner->isHidden())
                all << banner->sentence();
        return all;
    }

    Answers answers;
    std::unique_ptr<ui::MainWindow> window;
};

/// Settings of an earlier test shall not matter.
inline void forgetSettings() {
    QSettings(QSettings::IniFormat, QSettings::UserScope, "skein", "skein").clear();
}

/// Every number of two projects that a person put in or a model found, compared in file order.
inline bool sameContent(const project::Labels& a, const project::Labels& b) {
    const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
    if (a.frameCount() != b.frameCount() || a.instanceCount() != b.instanceCount() ||
        a.videos().size() != b.videos().size() || a.tracks().size() != b.tracks().size() ||
        a.skeletons().size() != b.skeletons().size())
        return false;
    for (std::size_t i = 0; i < a.tracks().size(); ++i)
        if (a.tracks()[i].name != b.tracks()[i].name)
            return false;
    for (std::size_t i = 0; i < a.skeletons().size(); ++i)
        if (!a.skeletons()[i].sameStructure(b.skeletons()[i]))
            return false;
    for (std::size_t row = 0; row < a.frameCount(); ++row) {
        const project::FrameView x = a.frame(row), y = b.frame(row);
        if (x.video() != y.video() || x.frameIndex() != y.frameIndex() || x.instanceCount() != y.instanceCount())
            return false;
        for (std::size_t i = 0; i < x.instanceCount(); ++i) {
            const auto p = x.instance(i), q = y.instance(i);
            if (p.header->kind != q.header->kind || p.header->track != q.header->track ||
                !same(double(p.header->score), double(q.header->score)) || p.points.size() != q.points.size())
                return false;
            for (std::size_t n = 0; n < p.points.size(); ++n)
                if (!same(p.points[n].x, q.points[n].x) || !same(p.points[n].y, q.points[n].y) ||
                    p.points[n].visible != q.points[n].visible)
                    return false;
        }
    }
    return true;
}

}  // namespace skein::test
