// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/smoothed_tracks.h"

#include "ui/bridge/background.h"

namespace skein::ui {

namespace {
constexpr int kWorkAfterMs = 150;
}

SmoothedTracks::SmoothedTracks(Document* document, ViewState* view, ProofreadState* state, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_state(state) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kWorkAfterMs);
    connect(&m_delay, &QTimer::timeout, this, &SmoothedTracks::work);
    connect(state, &ProofreadState::smoothingChanged, this, &SmoothedTracks::follow);
    connect(document, &Document::opened, this, [this] {
        m_result.reset();
        follow();
        invalidate();
    });
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds & (ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks | ChangeKind::Videos))
            invalidate();
    });
    connect(view, &ViewState::videoChanged, this, [this] {
        m_result.reset();
        invalidate();
        Q_EMIT changed();
    });
}

SmoothedTracks::~SmoothedTracks() {
    m_stop.request_stop();
}

void SmoothedTracks::setTrial(std::optional<SmoothSetting> trial) {
    m_trial = trial;
    follow();
}

const std::optional<SmoothSetting>& SmoothedTracks::setting() const {
    return m_used;
}

bool SmoothedTracks::isWanted() const {
    return m_used && m_used->shown && m_view->video() >= 0;
}

void SmoothedTracks::follow() {
    const std::optional<SmoothSetting> wanted = m_trial ? m_trial : m_state->smoothing();
    if (wanted == m_used)
        return;
    m_used = wanted;
    if (!isWanted())
        m_result.reset();
    invalidate();
    Q_EMIT changed();
}

void SmoothedTracks::invalidate() {
    m_dirty = isWanted();
    m_stop.request_stop();
    if (m_dirty)
        m_delay.start();
}

void SmoothedTracks::work() {
    if (m_working || !m_dirty || !isWanted())
        return;
    m_dirty = false;
    m_working = true;
    m_stop = std::stop_source();
    inBackground(
        this,
        [labels = m_document->snapshot(), video = static_cast<std::uint32_t>(m_view->video()),
         options = m_used->options, stop = m_stop.get_token()]() -> Result<Smoothed> {
            auto layer = proofread::smooth(labels, video, options, {}, stop);
            if (!layer)
                return fail(std::move(layer.error()));
            return Smoothed{proofread::withLayer(labels, video, *layer), proofread::effectOf(labels, video, *layer)};
        },
        [this](Result<Smoothed> result) {
            m_working = false;
            if (m_dirty) {  // something else is wanted by now
                m_delay.start();
                return;
            }
            m_result.reset();
            if (result && isWanted())
                m_result = std::move(*result);
            else if (!result && result.error().code() != ErrorCode::Cancelled)
                Q_EMIT problem(toUiError(result.error()));
            Q_EMIT changed();
        });
}

}  // namespace skein::ui
