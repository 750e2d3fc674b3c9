// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QObject>
#include <memory>
#include <thread>

#include "engine/base/mailbox.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"
#include "ui/render/render_options.h"

namespace skein::ui {

/// Draws single pictures of a video that is to be rendered, on a thread of its own, where only the newest request
/// counts. GUI thread.
class RenderPictures : public QObject {
    Q_OBJECT
public:
    struct Request {
        std::shared_ptr<video::VideoSource> source;  ///< read through openAnother(), never itself
        project::Labels labels;
        RenderOptions options;
        std::int64_t frame = 0;
        QSize room;  ///< px; a larger picture is made smaller
        std::uint64_t number = 0;
    };

    explicit RenderPictures(QObject* parent);
    ~RenderPictures() override;

    void request(Request request) { m_mailbox.put(std::move(request)); }

Q_SIGNALS:
    /// `size`: of the picture in the video, before it was made smaller. `problem`: why the video's own picture is
    /// missing.
    void ready(quint64 number, const QImage& picture, const QSize& size, const QString& problem);

private:
    class Worker;

    Mailbox<Request> m_mailbox;
    std::jthread m_thread;  // last: joined before what it uses goes away
};

}  // namespace skein::ui
