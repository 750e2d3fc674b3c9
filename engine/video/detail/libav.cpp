// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/libav.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <mutex>
#include <new>
#include <thread>

#include "engine/base/log.h"

namespace skein::video::detail {
namespace {

constexpr std::size_t kMaxCaptured = 4096;
thread_local std::string* t_captured = nullptr;

/// A decoder's own threads carry its context's `opaque` along.
void tellDecoder(void* object) {
    if (object != nullptr && *static_cast<const AVClass**>(object) == avcodec_get_class())
        if (void* watch = static_cast<AVCodecContext*>(object)->opaque; watch != nullptr)
            static_cast<CodecWatch*>(watch)->hasComplained.store(true, std::memory_order_relaxed);
}

void onMessage(void* object, int level, const char* format, va_list arguments) {
    if (level > AV_LOG_ERROR)
        return;
    tellDecoder(object);
    std::array<char, 512> line{};
    int prefix = 1;
    av_log_format_line2(object, level, format, arguments, line.data(), static_cast<int>(line.size()), &prefix);
    std::string text(line.data());
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    if (t_captured != nullptr && t_captured->size() < kMaxCaptured)
        *t_captured += text + '\n';
    log::debug(text);
}

}  // namespace

FramePtr makeFrame() {
    FramePtr frame(av_frame_alloc());
    if (!frame)
        throw std::bad_alloc();
    return frame;
}

PacketPtr makePacket() {
    PacketPtr packet(av_packet_alloc());
    if (!packet)
        throw std::bad_alloc();
    return packet;
}

std::string avErrorText(int code) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(code, text.data(), text.size());
    return text.data();
}

void quietLibav() {
    static std::once_flag once;
    std::call_once(once, [] { av_log_set_callback(onMessage); });
}

LogCapture::LogCapture() {
    quietLibav();
    t_captured = &m_text;
}

LogCapture::~LogCapture() {
    t_captured = nullptr;
}

bool LogCapture::contains(std::string_view text) const {
    return m_text.find(text) != std::string::npos;
}

int decoderThreads(int requested) {
    if (requested > 0)
        return std::min(requested, 64);
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
}

}  // namespace skein::video::detail
