// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/video/detail/hardware.h"
#include "engine/video/detail/libav.h"
#include "engine/video/detail/planar_picture.h"

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
    /// Decodes on `hardware`, which outlives it; pictures come out as open()'s do. Errors: those of open(); Unsupported
    /// (not this codec). That the stream itself is refused shows at the first picture only: see hardwareTrouble().
    [[nodiscard]] static Result<std::unique_ptr<Decoder>> openOn(const Hardware& hardware,
                                                                 const AVCodecParameters& parameters);

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
    [[nodiscard]] bool isOnHardware() const noexcept { return m_watch.hardware != nullptr; }
    /// Why the hardware does not decode, as a sentence; empty where it does, and where the data may be to blame.
    [[nodiscard]] const std::string& hardwareTrouble() const noexcept { return m_watch.refusal; }
    /// After any step: whether the decoder logged an error since the last call. With frame threads a picture may be
    /// copied out before its flags are set; that something was wrong with its packet, or with one of the threads()
    /// before or after, has always been logged by then.
    [[nodiscard]] bool hasComplained() noexcept {
        return m_watch.hasComplained.exchange(false, std::memory_order_relaxed);
    }

    [[nodiscard]] int threads() const noexcept { return m_codec->thread_count; }

private:
    Decoder() = default;
    [[nodiscard]] static Result<std::unique_ptr<Decoder>> start(const AVCodec* codec,
                                                                const AVCodecParameters& parameters, int threads,
                                                                Wanted wanted, const Hardware* hardware);
    [[nodiscard]] bool fetchPicture();

    CodecWatch m_watch;  // before the codec, whose threads use it
    CodecPtr m_codec;
    FramePtr m_frame;
    FramePtr m_fetched;  ///< what came from the hardware last, as it came
    PlanarPictures m_planar;
    bool m_ended = false;
    bool m_canLeaveOut = false;
    int m_errorsInRow = 0;
};

}  // namespace skein::video::detail
