// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

class QAction;
class QLabel;

namespace skein::ui {

/// What a dock shows while it has nothing: one sentence, and the buttons that make something.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    /// A button follows its action: its words (without mnemonics), whether it can be used, and why not. The first is
    /// named objectName + "Button", the others objectName + "Button2" and so on.
    EmptyPage(const QString& objectName, const QString& sentence, const std::vector<QAction*>& actions,
              QWidget* parent);
    void setSentence(const QString& sentence);

private:
    QLabel* m_sentence;
};

}  // namespace skein::ui
