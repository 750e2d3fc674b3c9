// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <optional>
#include <stop_token>

#include "engine/proofread/review_sample.h"
#include "ui/review/review_notes.h"

namespace skein::ui {

/// A review with a number, of the open project: random encounters and frames, one after the other, each judged by a
/// person. The sample and what was said of it are kept in `notes`. GUI thread only.
class SampleReview : public QObject {
    Q_OBJECT
public:
    SampleReview(Document* document, ReviewNotes* notes, QObject* parent);
    ~SampleReview() override;

    /// Draws another sample, on a worker; then the first item is current.
    void draw(const proofread::SampleSpec& spec);
    void stop();
    [[nodiscard]] bool isWorking() const { return m_working; }
    [[nodiscard]] double progress() const { return m_progress; }  ///< 0 to 1, while working
    /// The project has nothing to draw from: said after draw() found that.
    [[nodiscard]] bool isEmpty() const { return m_empty; }

    [[nodiscard]] const std::optional<proofread::ReviewSample>& sample() const { return m_sample; }
    /// The item under review; -1: none.
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] int answered() const;  ///< unsure ones too
    /// Items whose tracks have been changed since they were judged, ascending.
    [[nodiscard]] const std::vector<std::size_t>& changedItems() const { return m_changed; }
    /// Goes to an item; the window shows it.
    void goTo(int item);
    /// The first item without an answer, else the first of all.
    void goOn();
    /// Says it of the current item and goes to the next one without an answer; at the end it stays.
    void answer(proofread::Verdict verdict);
    void back();
    /// Lets the sample go.
    void forget();

Q_SIGNALS:
    void changed();
    void itemWanted(int item);
    void problem(const skein::ui::UiError& error);

private:
    void reset();
    void take();
    void compare();

    Document* m_document;
    ReviewNotes* m_notes;
    std::optional<proofread::ReviewSample> m_sample;
    std::stop_source m_stop;
    std::uint64_t m_generation = 0;
    double m_progress = 0;
    int m_current = -1;
    std::vector<std::size_t> m_changed;
    bool m_comparing = false, m_stale = false;
    bool m_working = false, m_empty = false;
};

}  // namespace skein::ui
