// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/sample_review.h"

#include <algorithm>
#include <utility>

#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"

namespace skein::ui {

using proofread::Verdict;

SampleReview::SampleReview(Document* document, ReviewNotes* notes, QObject* parent)
    : QObject(parent), m_document(document), m_notes(notes) {
    connect(document, &Document::opened, this, &SampleReview::reset);
    connect(document, &Document::changed, this, [this](const Change& change) {
        // Tracks and videos may have other places in their lists.
        if (m_sample && change.kinds & (ChangeKinds(ChangeKind::Tracks) | ChangeKind::Videos))
            take();
        else if (m_sample && change.kinds.testFlag(ChangeKind::Frames))
            compare();
    });
    connect(notes, &ReviewNotes::loaded, this, &SampleReview::take);
}

SampleReview::~SampleReview() {
    m_stop.request_stop();
}

void SampleReview::reset() {
    ++m_generation;
    m_stop.request_stop();
    m_sample.reset();
    m_changed.clear();
    m_current = -1;
    m_working = m_empty = false;
    Q_EMIT changed();
}

void SampleReview::take() {
    m_sample = m_notes->log().sample(m_document->labels());
    if (!m_sample || m_current >= static_cast<int>(m_sample->items.size()))
        m_current = -1;
    compare();
    Q_EMIT changed();
}

/// Stretches may be long and many: on a worker.
void SampleReview::compare() {
    m_stale = m_sample.has_value();
    if (!m_sample)
        m_changed.clear();
    if (!m_stale || m_comparing)
        return;
    m_stale = false;
    m_comparing = true;
    inBackground(
        this,
        [labels = m_document->snapshot(), sample = *m_sample]() -> Result<std::vector<std::size_t>> {
            return proofread::changedSince(labels, sample);
        },
        [this, generation = m_generation](Result<std::vector<std::size_t>> items) {
            m_comparing = false;
            if (generation != m_generation || m_stale)
                return compare();
            if (m_sample && items && std::exchange(m_changed, *items) != *items)
                Q_EMIT changed();
        });
}

void SampleReview::draw(const proofread::SampleSpec& spec) {
    if (m_working)
        return;
    m_working = true;
    m_empty = false;
    m_progress = 0;
    m_stop = std::stop_source();
    Q_EMIT changed();
    inBackground(
        this,
        [labels = m_document->snapshot(), spec, stop = m_stop.get_token(),
         progress = throttled(this,
                              [this](double share) {
                                  m_progress = share;
                                  Q_EMIT changed();
                              })] { return proofread::sampleProject(labels, spec, progress, stop); },
        [this, labels = m_document->snapshot(), generation = m_generation](Result<proofread::ReviewSample> sample) {
            if (generation != m_generation)
                return;
            m_working = false;
            if (!sample) {
                if (sample.error().code() != ErrorCode::Cancelled)
                    Q_EMIT problem(toUiError(sample.error()));
            } else if (sample->items.empty()) {
                m_empty = true;
            } else {
                m_notes->edit().setSample(labels, std::move(*sample));
                m_current = -1;
                take();
                goOn();
            }
            Q_EMIT changed();
        });
}

void SampleReview::stop() {
    m_stop.request_stop();
}

int SampleReview::answered() const {
    if (!m_sample)
        return 0;
    return static_cast<int>(
        std::count_if(m_sample->items.begin(), m_sample->items.end(),
                      [](const proofread::SampleItem& item) { return item.verdict != Verdict::Unanswered; }));
}

void SampleReview::goTo(int item) {
    if (!m_sample || item < 0 || item >= static_cast<int>(m_sample->items.size()))
        return;
    m_current = item;
    Q_EMIT changed();
    Q_EMIT itemWanted(item);
}

void SampleReview::goOn() {
    if (!m_sample)
        return;
    const auto& items = m_sample->items;
    const auto open = std::find_if(items.begin(), items.end(), [](const proofread::SampleItem& item) {
        return item.verdict == Verdict::Unanswered;
    });
    goTo(open == items.end() ? 0 : static_cast<int>(open - items.begin()));
}

void SampleReview::answer(Verdict verdict) {
    if (!m_sample || m_current < 0)
        return;
    m_sample->items[static_cast<std::size_t>(m_current)].verdict = verdict;
    proofread::SampleItem& item = m_sample->items[static_cast<std::size_t>(m_current)];
    item.seen = proofread::tracksSeen(m_document->labels(), item);
    m_notes->edit().setVerdict(static_cast<std::size_t>(m_current), verdict, item.seen);
    compare();
    const int count = static_cast<int>(m_sample->items.size());
    for (int step = 1; step < count; ++step) {
        const int next = (m_current + step) % count;
        if (m_sample->items[static_cast<std::size_t>(next)].verdict == Verdict::Unanswered)
            return goTo(next);
    }
    Q_EMIT changed();
}

void SampleReview::back() {
    if (m_sample && m_current > 0)
        goTo(m_current - 1);
}

void SampleReview::forget() {
    m_notes->edit().setSample(m_document->labels(), std::nullopt);
    take();
}

}  // namespace skein::ui
