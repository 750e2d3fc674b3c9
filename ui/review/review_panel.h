// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

#include "ui/review/sample_review.h"

class QAction;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace skein::ui {

class ProgressLine;

/// Dock "Review": how often identities are wrong, found by judging a random sample. First how many are to be drawn,
/// then one question after the other with the rates so far. GUI thread only.
class ReviewPanel : public QWidget {
    Q_OBJECT
public:
    struct Actions {
        QAction* right;
        QAction* wrong;
        QAction* unsure;
        QAction* back;
        QAction* resume;
        QAction* report;
    };
    ReviewPanel(SampleReview* review, const Document* document, const Actions& actions, QWidget* parent);

    std::function<QString(int)> trackName;
    /// Asks before answers are lost, then calls.
    std::function<void(std::function<void()>)> confirmNew;
    void setFirstFrameNumber(int number);

private:
    [[nodiscard]] QWidget* makeSetup();
    [[nodiscard]] QWidget* makeQuestion(const Actions& actions);
    void showState();
    void showSetup();
    void showQuestion();
    [[nodiscard]] QString nameOf(int track) const;
    [[nodiscard]] QString whereIs(const proofread::SampleItem& item) const;

    SampleReview* m_review;
    const Document* m_document;
    Actions m_actions;
    QStackedWidget* m_pages;
    // Before
    QSpinBox *m_encounters, *m_frames, *m_seed;
    QLabel *m_hint, *m_problem;
    QPushButton *m_draw, *m_stop;
    ProgressLine* m_drawing;
    QWidget* m_working;
    // During and after
    QLabel *m_title, *m_where, *m_question, *m_said;
    ProgressLine* m_progress;
    QLabel *m_count, *m_changed, *m_rates;
    int m_firstNumber = 1;
};

}  // namespace skein::ui
