// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <optional>

class QWidget;

namespace skein::ui {

/// Every question that the window asks. Answers come later, through `then`: no call runs an event loop of its own.
/// Tests put an implementation of theirs here and answer at once. GUI thread only.
class DialogService {
public:
    enum class Unsaved { Save, Discard, Cancel };

    virtual ~DialogService() = default;

    virtual void askUnsaved(QWidget* parent, const QString& name, std::function<void(Unsaved)> then) = 0;
    /// Projects, videos and model files; empty answer: cancelled.
    virtual void chooseFiles(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                             std::function<void(const QStringList&)> then) = 0;
    virtual void chooseFolder(QWidget* parent, const QString& title, const QString& folder,
                              std::function<void(const QString&)> then) = 0;
    /// Path with extension .slp; empty answer: cancelled. Asks itself before an existing file is replaced.
    virtual void chooseSavePath(QWidget* parent, const QString& suggestion,
                                std::function<void(const QString&)> then) = 0;
    /// Where to write a file that is no project; asks itself before an existing one is replaced. Empty: cancelled.
    virtual void chooseNewFile(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                               std::function<void(const QString&)> then) = 0;
    /// A question before something is lost: `details` says what, `verb` is on the button that does it.
    virtual void confirm(QWidget* parent, const QString& question, const QString& details, const QString& verb,
                         std::function<void(bool)> then) = 0;
    /// A number from `least` to `most`, both allowed; nullopt: cancelled.
    virtual void askNumber(QWidget* parent, const QString& title, const QString& label, std::int64_t value,
                           std::int64_t least, std::int64_t most,
                           std::function<void(std::optional<std::int64_t>)> then) = 0;
    /// The same for a number with `decimals` digits after the point.
    virtual void askDecimal(QWidget* parent, const QString& title, const QString& label, double value, double least,
                            double most, int decimals, std::function<void(std::optional<double>)> then) = 0;
    /// One line of text; nullopt: cancelled or empty.
    virtual void askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
                         std::function<void(std::optional<QString>)> then) = 0;
    /// One of several ways to go on, each a button; -1: none of them. Without dialogs nobody chooses.
    virtual void askChoice(QWidget*, const QString& /*title*/, const QString& /*question*/,
                           const QStringList& /*choices*/, std::function<void(int)> then) {
        then(-1);
    }
    /// The same, for a question whose answer may stand for all times: the second value. `none`: what closes it.
    virtual void askOnce(QWidget* parent, const QString& title, const QString& question, const QStringList& choices,
                         const QString& /*none*/, std::function<void(int, bool)> then) {
        askChoice(parent, title, question, choices, [then = std::move(then)](int choice) { then(choice, false); });
    }
    /// One of a list; nullopt: cancelled.
    virtual void askItem(QWidget*, const QString& /*title*/, const QString& /*label*/, const QStringList& /*items*/,
                         std::function<void(std::optional<int>)> then) {
        then(std::nullopt);
    }
};

/// The dialogs that people see.
class WindowDialogs : public DialogService {
public:
    void askUnsaved(QWidget* parent, const QString& name, std::function<void(Unsaved)> then) override;
    void chooseFiles(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                     std::function<void(const QStringList&)> then) override;
    void chooseFolder(QWidget* parent, const QString& title, const QString& folder,
                      std::function<void(const QString&)> then) override;
    void chooseSavePath(QWidget* parent, const QString& suggestion, std::function<void(const QString&)> then) override;
    void chooseNewFile(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                       std::function<void(const QString&)> then) override;
    void confirm(QWidget* parent, const QString& question, const QString& details, const QString& verb,
                 std::function<void(bool)> then) override;
    void askNumber(QWidget* parent, const QString& title, const QString& label, std::int64_t value, std::int64_t least,
                   std::int64_t most, std::function<void(std::optional<std::int64_t>)> then) override;
    void askDecimal(QWidget* parent, const QString& title, const QString& label, double value, double least,
                    double most, int decimals, std::function<void(std::optional<double>)> then) override;
    void askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
                 std::function<void(std::optional<QString>)> then) override;
    void askChoice(QWidget* parent, const QString& title, const QString& question, const QStringList& choices,
                   std::function<void(int)> then) override;
    void askOnce(QWidget* parent, const QString& title, const QString& question, const QStringList& choices,
                 const QString& none, std::function<void(int, bool)> then) override;
    void askItem(QWidget* parent, const QString& title, const QString& label, const QStringList& items,
                 std::function<void(std::optional<int>)> then) override;
};

}  // namespace skein::ui
