// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/render_picture.h"

#include <exception>

#include "engine/base/thread_name.h"
#include "ui/render/frame_renderer.h"

namespace skein::ui {

/// Lives on the drawing thread. Keeps the picture that was read last, so that a change of the look reads nothing.
class RenderPictures::Worker {
public:
    explicit Worker(RenderPictures* owner) : m_owner(owner) {}

    void serve(const Request& request, const std::stop_token& stop) {
        if (request.source != m_source) {
            m_reader = nullptr;
            m_picture = nullptr;
            m_source = request.source;
        }
        QString problem;
        if (request.options.background == RenderBackground::Video && (!m_picture || m_frame != request.frame))
            problem = read(request.frame, stop);
        if (stop.stop_requested())
            return;
        QImage picture;
        if (m_picture && m_frame == request.frame)
            picture = QImage(m_picture->pixels.data(), m_picture->width, m_picture->height,
                             static_cast<qsizetype>(m_picture->rowBytes()), QImage::Format_RGB32);
        FrameRenderer renderer(request.labels, request.options,
                               QSize(request.source->width(), request.source->height()), request.source->fps());
        QImage drawn = renderer.draw(request.frame, picture, project::kNaN);
        const QSize size = drawn.size();
        if (size.width() > request.room.width() || size.height() > request.room.height())
            drawn = drawn.scaled(request.room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        Q_EMIT m_owner->ready(request.number, drawn, size, problem);
    }

private:
    QString read(std::int64_t frame, const std::stop_token& stop) {
        m_picture = nullptr;
        if (!m_reader) {
            auto reader = m_source->openAnother();
            if (!reader)
                return QString::fromStdString(reader.error().message());
            m_reader = std::move(*reader);
        }
        auto picture = m_reader->read(frame, video::PixelFormat::Bgra32, stop);
        if (!picture)
            return QString::fromStdString(picture.error().message());
        m_picture = std::move(*picture);
        m_frame = frame;
        return {};
    }

    RenderPictures* m_owner;
    std::shared_ptr<video::VideoSource> m_source, m_reader;
    ImagePtr m_picture;
    std::int64_t m_frame = -1;  ///< that m_picture is of
};

RenderPictures::RenderPictures(QObject* parent) : QObject(parent) {
    m_thread = std::jthread([this](const std::stop_token& stop) {
        setThreadName("skein-preview");
        Worker worker(this);
        while (auto request = m_mailbox.take(stop)) {
            try {
                worker.serve(*request, stop);
            } catch (const std::exception& e) {
                Q_EMIT ready(request->number, QImage(), QSize(),
                             tr("This picture could not be drawn (%1).").arg(QString::fromUtf8(e.what())));
            }
        }
    });
}

RenderPictures::~RenderPictures() = default;

}  // namespace skein::ui
