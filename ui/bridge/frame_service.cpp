// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/frame_service.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <list>

#include "engine/base/thread_name.h"

namespace skein::ui {

namespace {
constexpr std::size_t kReaders = 4;     ///< videos whose decoders stay open
constexpr std::int64_t kMaxAhead = 48;  ///< frames read ahead
constexpr std::size_t kAheadShare = 4;  ///< and at most this part of the cache
}  // namespace

/// Lives on the decoding thread.
class FrameService::Worker {
public:
    Worker(FrameService* service) : m_service(service) {}

    void run(const std::stop_token& stop) {
        setThreadName("skein-view");
        while (auto request = m_service->m_mailbox.take(stop)) {
            try {
                serve(*request, stop);
            } catch (const std::exception& e) {
                // Out of memory for a picture, most likely: the next request may be luckier.
                report(*request, Error(ErrorCode::Internal, "The picture could not be made ready for display.")
                                     .withContext(e.what()));
            }
        }
    }

private:
    struct Reader {
        std::uint64_t serial = 0;
        std::shared_ptr<video::VideoSource> source;
    };

    void serve(const Request& request, const std::stop_token& stop) {
        if (request.source == nullptr) {  // forget()
            m_readers.clear();
            return;
        }
        const auto source = readerFor(request);
        if (!source) {
            report(request, source.error());
            return;
        }
        const video::FrameKey key{request.serial, request.frame, video::PixelFormat::Bgra32};
        ImagePtr image = m_service->m_cache.get(key);
        if (image == nullptr) {
            auto read = (*source)->read(request.frame, video::PixelFormat::Bgra32, stop);
            if (!read) {
                if (read.error().code() != ErrorCode::Cancelled)
                    report(request, read.error());
                return;
            }
            image = *read;
            m_service->m_cache.put(key, image);
        }
        Q_EMIT m_service->frameReady(request.serial, request.frame, image);
        readAhead(request, **source, image->sizeBytes(), stop);
    }

    void readAhead(const Request& request, video::VideoSource& source, std::size_t frameBytes,
                   const std::stop_token& stop) {
        if (request.direction == 0 || frameBytes == 0)
            return;
        const auto affordable = static_cast<std::int64_t>(m_service->m_cache.capacity() / kAheadShare / frameBytes);
        const std::int64_t ahead = std::min(kMaxAhead, affordable);
        for (std::int64_t i = 1; i <= ahead; ++i) {
            const std::int64_t frame = request.frame + i * request.direction;
            if (frame < 0 || frame >= source.frameCount() || stop.stop_requested() || m_service->m_mailbox.isFull())
                return;
            const video::FrameKey key{request.serial, frame, video::PixelFormat::Bgra32};
            if (m_service->m_cache.get(key) != nullptr)
                continue;
            auto read = source.read(frame, video::PixelFormat::Bgra32, stop);
            if (!read)
                continue;  // whoever goes there gets the error
            m_service->m_cache.put(key, *read);
        }
    }

    Result<std::shared_ptr<video::VideoSource>> readerFor(const Request& request) {
        const auto it = std::find_if(m_readers.begin(), m_readers.end(),
                                     [&request](const Reader& reader) { return reader.serial == request.serial; });
        if (it != m_readers.end()) {
            m_readers.splice(m_readers.begin(), m_readers, it);
            return m_readers.front().source;
        }
        auto own = request.source->openAnother();
        if (!own)
            return own;
        m_readers.push_front({request.serial, *own});
        if (m_readers.size() > kReaders)
            m_readers.pop_back();
        return m_readers.front().source;
    }

    void report(const Request& request, const Error& error) {
        Q_EMIT m_service->frameFailed(request.serial, request.frame, toUiError(error));
    }

    FrameService* m_service;
    std::list<Reader> m_readers;  ///< last used first
};

FrameService::FrameService(std::size_t cacheBytes, QObject* parent)
    : QObject(parent), m_cache(cacheBytes), m_worker(std::make_unique<Worker>(this)) {
    qRegisterMetaType<ImagePtr>("skein::ImagePtr");
    qRegisterMetaType<UiError>("skein::ui::UiError");
    m_thread = std::jthread([this](const std::stop_token& stop) { m_worker->run(stop); });
}

FrameService::~FrameService() = default;

ImagePtr FrameService::request(const Request& request) {
    ImagePtr image = m_cache.get({request.serial, request.frame, video::PixelFormat::Bgra32});
    // Also when the picture is there: the thread reads on from here.
    m_mailbox.put(request);
    return image;
}

void FrameService::forget() {
    m_mailbox.put({});
    m_cache.clear();
}

std::size_t FrameService::defaultCacheBytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
    const std::size_t memory = pages > 0 && pageSize > 0
                                   ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(pageSize)
                                   : std::size_t{4} << 30;
    return std::min(memory / 4, std::size_t{1} << 30);
}

}  // namespace skein::ui
