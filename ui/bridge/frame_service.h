// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <cstdint>
#include <memory>
#include <thread>

#include "engine/base/image.h"
#include "engine/base/mailbox.h"
#include "engine/video/frame_cache.h"
#include "engine/video/video_source.h"
#include "ui/ui_error.h"

namespace skein::ui {

/// Pictures for the canvas, as 32-bit RGB (Image with 4 channels). GUI thread; the decoding runs on a thread of its
/// own, where only the newest request counts. After a request the thread reads on in the direction of travel until the
/// next one comes, so that stepping and playing find their pictures in the cache.
class FrameService : public QObject {
    Q_OBJECT
public:
    struct Request {
        std::shared_ptr<video::VideoSource> source;  ///< read through openAnother(), never itself
        std::uint64_t serial = 0;                    ///< VideoState::serial of the source
        std::int64_t frame = 0;
        int direction = 1;  ///< +1 or -1: where the person is going; 0: nowhere yet
    };

    explicit FrameService(std::size_t cacheBytes, QObject* parent = nullptr);
    ~FrameService() override;

    /// The picture when it is in the cache, else null; then frameReady() or frameFailed() follows, unless a newer
    /// request comes first.
    [[nodiscard]] ImagePtr request(const Request& request);
    /// Drops readers and pictures of sources that are no longer open.
    void forget();
    [[nodiscard]] video::CacheStats cacheStats() const { return m_cache.stats(); }

    /// A quarter of the machine's memory, at most 1 GB.
    [[nodiscard]] static std::size_t defaultCacheBytes();

Q_SIGNALS:
    void frameReady(quint64 serial, qint64 frame, skein::ImagePtr image);
    void frameFailed(quint64 serial, qint64 frame, const skein::ui::UiError& error);

private:
    class Worker;

    video::FrameCache m_cache;
    Mailbox<Request> m_mailbox;
    std::unique_ptr<Worker> m_worker;
    std::jthread m_thread;  // last: joined before what it uses goes away
};

}  // namespace skein::ui
