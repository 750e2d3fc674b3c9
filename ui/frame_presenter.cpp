// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame_presenter.h"

#include "ui/text.h"

namespace skein::ui {

namespace {
/// While a drag outruns the decoder, a picture is shown this often even though it is no longer the wanted one.
constexpr qint64 kStaleAfterMs = 80;
}  // namespace

FramePresenter::FramePresenter(Document* document, ViewState* view, FrameContents* contents, VideoCanvas* canvas,
                               FrameService* service, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_contents(contents), m_canvas(canvas), m_service(service) {
    m_sinceShown.start();
    connect(view, &ViewState::frameChanged, this, &FramePresenter::present);
    connect(view, &ViewState::displayChanged, this, &FramePresenter::refreshContents);
    connect(document, &Document::opened, this, [this] {
        m_service->forget();
        m_serial = 0;
        m_canvas->clear();
        setPending(false);
        Q_EMIT contentsChanged(shown());
    });
    connect(document, &Document::videoStateChanged, this, [this](int video) {
        if (video == m_view->video())
            present();
    });
    connect(document, &Document::changed, this, [this](const Change& change) {
        const ShownFrame& now = shown();
        if (now.frame >= 0 && (change.touches(now.video, now.frame) || change.kinds.testFlag(ChangeKind::Tracks) ||
                               change.kinds.testFlag(ChangeKind::Skeletons)))
            refreshContents();
    });
    connect(service, &FrameService::frameReady, this, &FramePresenter::take);
    connect(service, &FrameService::frameFailed, this, &FramePresenter::fail);
}

bool FramePresenter::hasVideo() const {
    return m_view->video() >= 0 && m_view->video() < m_document->videoCount();
}

void FramePresenter::present() {
    if (!hasVideo()) {
        m_canvas->clear();
        setPending(false);
        Q_EMIT contentsChanged(shown());
        return;
    }
    const VideoState& state = m_document->videoState(m_view->video());
    const std::int64_t frame = m_view->frame();
    switch (state.kind) {
        case VideoState::Kind::Looking:
        case VideoState::Kind::Found:
        case VideoState::Kind::Opening:
            m_canvas->clear();
            m_canvas->setPlaceholder(state.progress > 0 ? tr("Reading %1: %2%")
                                                              .arg(m_document->videoName(m_view->video()))
                                                              .arg(static_cast<int>(state.progress * 100))
                                                        : QString());
            m_canvas->setWaiting(true);
            Q_EMIT contentsChanged(shown());
            return;
        case VideoState::Kind::Missing:
        case VideoState::Kind::Unreadable:
            setPending(false);
            showWithoutPicture(state.kind == VideoState::Kind::Missing
                                   ? tr("%1 is missing").arg(m_document->videoName(m_view->video()))
                                   : tr("%1 cannot be read").arg(m_document->videoName(m_view->video())));
            return;
        case VideoState::Kind::Ready:
            break;
    }
    m_canvas->setPlaceholder({});
    m_serial = state.serial;
    const std::int64_t step = frame - m_lastWanted;
    m_lastWanted = frame;
    const ImagePtr image = m_service->request({state.source, state.serial, frame, step < 0 ? -1 : 1});
    if (image != nullptr) {
        show(image, frame);
        return;
    }
    setPending(true);
    m_canvas->setWaiting(true);
}

void FramePresenter::take(quint64 serial, qint64 frame, const ImagePtr& image) {
    if (serial != m_serial || !hasVideo() || m_document->videoState(m_view->video()).serial != serial)
        return;
    if (frame == m_view->frame()) {
        if (m_pending || shown().frame != frame)
            show(image, frame);
    } else if (m_pending && m_sinceShown.elapsed() > kStaleAfterMs) {
        show(image, frame);
        setPending(true);
        m_canvas->setWaiting(true);
    }
}

void FramePresenter::fail(quint64 serial, qint64 frame, const UiError& error) {
    if (serial != m_serial || frame != m_view->frame() || !hasVideo())
        return;
    setPending(false);
    const bool packed = !m_document->labels().videos()[static_cast<std::size_t>(m_view->video())].dataset.empty();
    showWithoutPicture(packed ? tr("Frame %1 has no picture in this package.").arg(text::number(frame + m_firstNumber))
                              : error.message);
}

void FramePresenter::show(ImagePtr image, std::int64_t frame) {
    m_canvas->showFrame(std::move(image), m_contents->at(static_cast<std::uint32_t>(m_view->video()), frame));
    m_sinceShown.restart();
    setPending(false);
    Q_EMIT contentsChanged(shown());
}

void FramePresenter::showWithoutPicture(const QString& sentence) {
    const auto video = static_cast<std::uint32_t>(m_view->video());
    const VideoState& state = m_document->videoState(m_view->video());
    const project::Video& stored = m_document->labels().videos()[video];
    QSize size(stored.width, stored.height);
    if (state.source)
        size = {state.source->width(), state.source->height()};
    ShownFrame contents = m_contents->at(video, m_view->frame());
    if (size.isEmpty()) {
        // Nobody knows the size: the labels say how much room they need.
        QRectF all;
        for (const ShownInstance& instance : contents.instances)
            all = all.united(boundsOf(instance));
        size = all.isNull() ? QSize(640, 480)
                            : QSize(static_cast<int>(all.right()) + 20, static_cast<int>(all.bottom()) + 20);
    }
    m_canvas->showWithoutPicture(size, sentence, std::move(contents));
    m_sinceShown.restart();
    Q_EMIT contentsChanged(shown());
}

void FramePresenter::refreshContents() {
    const ShownFrame& now = shown();
    if (now.frame < 0 || !hasVideo())
        return;
    m_canvas->updateContents(m_contents->at(now.video, now.frame));
    Q_EMIT contentsChanged(shown());
}

void FramePresenter::setPending(bool pending) {
    if (std::exchange(m_pending, pending) != pending)
        Q_EMIT pendingChanged(pending);
}

}  // namespace skein::ui
