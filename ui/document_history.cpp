// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a document: how they are done, undone, gone to and recovered.
#include <algorithm>
#include <utility>

#include "engine/formats/slp.h"
#include "ui/document.h"
#include "ui/text.h"

namespace skein::ui {

/// Holds the state before (once done) or after (once undone); undo and redo exchange it with the document's.
class LabelsCommand : public QUndoCommand {
public:
    LabelsCommand(Document* document, const QString& title, Document::State next, const Change& change,
                  std::uint64_t run)
        : QUndoCommand(title), m_document(document), m_other(std::move(next)), m_change(change), m_run(run) {}

    void setPlaces(StepPlace before, StepPlace after) {
        m_before = std::move(before);
        m_after = std::move(after);
    }
    [[nodiscard]] const QDateTime& time() const { return m_time; }
    void setTime(const QDateTime& time) { m_time = time; }
    [[nodiscard]] const std::optional<StepPlace>& place() const { return m_after; }
    [[nodiscard]] const Change& change() const { return m_change; }

    void redo() override {
        m_document->swapState(m_other, m_change);
        // The first time it is the person who does it, and already there.
        if (std::exchange(m_undone, false) && m_after)
            m_document->showStep(*m_after);
    }
    void undo() override {
        m_document->swapState(m_other, m_change);
        m_undone = true;
        if (m_before)
            m_document->showStep(*m_before);
    }
    int id() const override { return m_run == 0 ? -1 : 1; }

    bool mergeWith(const QUndoCommand* command) override {
        const auto* later = static_cast<const LabelsCommand*>(command);
        if (later->m_run != m_run)
            return false;
        Document::widen(m_change, later->m_change);
        m_after = later->m_after;
        m_time = later->m_time;
        setText(later->text());
        return true;
    }

private:
    Document* m_document;
    Document::State m_other;
    Change m_change;
    std::uint64_t m_run;
    std::optional<StepPlace> m_before, m_after;
    QDateTime m_time = QDateTime::currentDateTime();
    bool m_undone = false;
};

void Document::commit(const QString& title, project::Labels next, const Change& change) {
    commitRun(0, title, std::move(next), change);
}

void Document::commitRun(std::uint64_t run, const QString& title, project::Labels next, const Change& change) {
    m_undo->push(new LabelsCommand(this, title, {std::move(next), ++m_lastRevision}, change, run));
}

void Document::commitEdit(const QString& title, project::Labels next, const Change& change, StepPlace before,
                          StepPlace after, std::uint64_t series) {
    auto* command = new LabelsCommand(this, title, {std::move(next), ++m_lastRevision}, change, series);
    command->setPlaces(std::move(before), std::move(after));
    m_undo->push(command);
}

void Document::openRecovered(RecoveredProject recovered) {
    auto& steps = recovered.steps;
    const bool fromFile = !recovered.path.isEmpty();
    Start start;
    start.state.revision = ++m_lastRevision;
    if (steps.empty() || !fromFile) {
        start.saved = std::move(recovered.base);
        if (steps.empty()) {
            start.state.labels = std::move(recovered.labels);
        } else if (project::Labels& first = steps.front().labels; first.frameCount() > 0 || !first.tracks().empty() ||
                                                                  !first.suggestions().empty() ||
                                                                  !first.skeletons().empty()) {
            // The record gathers edits: its first step may hold a whole run besides the opening of the videos, and is
            // taken back to what the bare videos give.
            start.state.labels.editVideos() = first.videos();
        } else {
            // Before the opening of the videos there is nothing that could be seen.
            start.state.labels = std::move(first);
            steps.erase(steps.begin());
        }
    } else {
        start.state.labels = std::move(recovered.base);
    }
    start.path = recovered.path;
    start.stamp = recovered.stamp;
    reset(std::move(start));
    roll([this, &steps] {
        for (auto& step : steps) {
            auto* command =
                new LabelsCommand(this, step.title, {std::move(step.labels), ++m_lastRevision}, Change{}, 0);
            command->setTime(step.time);
            m_undo->push(command);
        }
    });
    lookForVideos();
}

void Document::goToStep(int index) {
    index = std::clamp(index, 0, m_undo->count());
    const QString held = videosHeld ? videosHeld() : QString();
    for (int step = std::min(index, m_undo->index()); !held.isEmpty() && step < std::max(index, m_undo->index());
         ++step)
        if (static_cast<const LabelsCommand*>(m_undo->command(step))->change().kinds.testFlag(ChangeKind::Videos)) {
            Q_EMIT stepRefused(held);
            return;
        }
    roll([this, index] { m_undo->setIndex(index); });
}

/// What `steps` does on the undo stack is told at once.
void Document::roll(const std::function<void()>& steps) {
    m_rolling = true;
    steps();
    m_rolling = false;
    const auto change = std::exchange(m_rolled, std::nullopt);
    const auto place = std::exchange(m_rolledPlace, std::nullopt);
    if (!change)
        return;
    updateModified();
    Q_EMIT changed(*change);
    if (place)
        Q_EMIT stepShown(*place);
}

QDateTime Document::stepTime(int step) const {
    const auto* command = static_cast<const LabelsCommand*>(m_undo->command(step));
    return command == nullptr ? QDateTime() : command->time();
}

std::optional<StepPlace> Document::stepPlace(int step) const {
    const auto* command = static_cast<const LabelsCommand*>(m_undo->command(step));
    return command == nullptr ? std::nullopt : command->place();
}

void Document::showStep(const StepPlace& place) {
    if (m_rolling)
        m_rolledPlace = place;
    else
        Q_EMIT stepShown(place);
}

/// `change` grows until it covers `more` too.
void Document::widen(Change& change, const Change& more) {
    change.kinds |= more.kinds;
    if (change.last >= 0 && more.last >= 0 && change.video == more.video) {
        change.first = std::min(change.first, more.first);
        change.last = std::max(change.last, more.last);
    } else {
        change.first = 0;
        change.last = -1;
    }
}

void Document::swapState(State& other, const Change& change) {
    std::swap(m_state, other);
    // Where embedded pictures lie is a fact about the disk, not a part of the edit.
    if (!m_writtenTo.isEmpty())
        formats::noteSaved(m_state.labels, text::toPath(m_writtenTo));
    if (change.kinds.testFlag(ChangeKind::Videos))
        syncVideos();
    if (m_rolling) {
        if (m_rolled)
            widen(*m_rolled, change);
        else
            m_rolled = change;
        return;
    }
    updateModified();
    Q_EMIT changed(change);
}

}  // namespace skein::ui
