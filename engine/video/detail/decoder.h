// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/base/result.h"
#include "engine/video/detail/libav.h"

namespace skein::video::detail {

/// A libav decoder that is told each packet's number in the file instead of its time stamp. Decoders hand the stamp
/// through to the picture, so each picture says which packet it came from. Thread-compatible.
class Decoder {
public:
    enum class Step {
        Picture,     ///< a picture came out
        NeedsInput,  ///< send a packet, or end()
        Finished,    ///< drained after end()
        Damage       ///< the decoder reported an error; go on as after a picture
    };

    enum class Wanted {
        Pictures,
        Order  ///< only which picture follows which: they are read but not painted, which is faster
    };

    /// Errors: Unsupported (the decoder cannot be started), OutOfMemory.
    [[nodiscard]] static Result<std::unique_ptr<Decoder>> open(const AVCodecParameters& parameters, int threads,
                                                               Wanted wanted = Wanted::Pictures);

    /// Sends a packet under the number `ordinal`; only after receive() said NeedsInput. False: the decoder refused it
    /// as damaged. Changes the packet's stamps.
    [[nodiscard]] bool send(AVPacket& packet, std::int64_t ordinal);
    void end();
    void flush();
    /// Whether packets sent from now on are left out where no other picture builds on theirs. Only where that is
    /// certain (H.264 that is not interlaced); elsewhere it does nothing.
    void leaveOutUnreferenced(bool on) noexcept;
    /// Whether this packet would be left out so.
    [[nodiscard]] bool isUnreferenced(const AVPacket& packet) const noexcept;

    [[nodiscard]] Step receive();
    /// After Picture: its packet's number (-1 when the decoder lost it).
    [[nodiscard]] std::int64_t pictureOrdinal() const noexcept;
    /// Moves the picture out; the last thing to ask for.
    [[nodiscard]] FramePtr takePicture();
    /// After Picture: whether the decoder itself says that parts are missing or concealed.
    [[nodiscard]] bool pictureIsDamaged() const noexcept;
    /// After any step: whether the decoder logged an error since the last call. With frame threads a picture may be
    /// copied out before its flags are set; that something was wrong with its packet, or with one of the threads()
    /// before or after, has always been logged by then.
    [[nodiscard]] bool hasComplained() noexcept { return m_complaint.exchange(false, std::memory_order_relaxed); }

    [[nodiscard]] int threads() const noexcept { return m_codec->thread_count; }

private:
    Decoder() = default;
    std::atomic<bool> m_complaint{false};  // before the codec, whose threads use it
    CodecPtr m_codec;
    FramePtr m_frame;
    bool m_ended = false;
    bool m_canLeaveOut = false;
    int m_errorsInRow = 0;
};

}  // namespace skein::video::detail
