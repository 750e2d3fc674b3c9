// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

#include "ui/ui_error.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace skein::ui {

enum class Severity { Info, Warning, Error };

/// One message above the view: a sentence, what can be done about it, and details behind a fold. Never modal.
class Banner : public QFrame {
    Q_OBJECT
public:
    struct Action {
        QString text;
        std::function<void()> run;
    };
    Banner(Severity severity, const UiError& message, const std::vector<Action>& actions, QWidget* parent);

    [[nodiscard]] QString sentence() const { return m_message.message; }
    [[nodiscard]] QString details() const { return m_message.details; }

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyColors();

    Severity m_severity;
    UiError m_message;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_more;
};

/// Stack of banners. A message of the same key replaces the one before; the newest is on top; at most three are shown.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent);

    /// `key` names what the message is about, e.g. "save"; a later message or withdraw() of that key takes it away.
    void post(const QString& key, Severity severity, const UiError& message,
              const std::vector<Banner::Action>& actions = {});
    void withdraw(const QString& key);
    void clear();
    [[nodiscard]] Banner* find(const QString& key) const;
    [[nodiscard]] int count() const { return static_cast<int>(m_banners.size()); }

Q_SIGNALS:
    void cleared();

private:
    struct Entry {
        QString key;
        Banner* banner;
    };
    QVBoxLayout* m_layout;
    std::vector<Entry> m_banners;
};

}  // namespace skein::ui
