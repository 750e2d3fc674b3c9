// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/frame_reader.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/base/frame_number.h"
#include "engine/video/damage_map.h"
#include "engine/video/detail/decoder.h"
#include "engine/video/detail/frame_converter.h"
#include "engine/video/detail/group_decoder.h"
#include "engine/video/detail/hardware_use.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/detail/packet_cursor.h"

namespace skein::video {
namespace {

using detail::Decoder;
using detail::FramePtr;
using detail::IndexData;
using detail::PacketEntry;

// No codec shows a picture more than 16 pictures after a later one; when that many later ones came out, it is lost.
constexpr int kMaxReorder = 17;
// Pictures kept behind the last one read: at most, and while reading straight on (holding more then only makes the
// decoder write to cold memory).
constexpr std::size_t kMaxBehind = 64;
constexpr std::size_t kBehindWhileSequential = 1;
// After a far jump fewer are decoded behind it, since the next read is most often another jump.
constexpr std::int32_t kBehindAfterJump = 16;
// Frames read straight on after which that counts as reading straight on.
constexpr int kSequentialAfter = 64;

}  // namespace

struct FrameReader::Impl {
    struct Held {
        std::int32_t rank = -1;
        FramePtr frame;
    };
    enum class Outcome {
        Found,
        Missing,
        Doubtful  ///< on hardware: whatever came, the processor has to say what is there
    };

    Impl(std::shared_ptr<const FrameIndex> frameIndex, const Options& readerOptions, std::shared_ptr<DamageMap> map)
        : index(std::move(frameIndex)),
          data(index->data()),
          options(readerOptions),
          damage(std::move(map)),
          converter(readerOptions.matrix, readerOptions.lumaTable, data.orientation),
          packet(detail::makePacket()) {}

    Result<void> openFile();
    Result<void> openDecoder();
    Result<void> leaveHardware();
    Result<ImagePtr> read(std::int32_t rank, PixelFormat format, std::stop_token stop);
    Result<ImagePtr> deliver(std::int32_t rank, PixelFormat format);
    bool canDecodeOn(std::int32_t ordinal) const;
    std::int32_t startFor(std::int32_t ordinal) const;
    Result<void> startAt(std::int32_t start, std::stop_token stop);
    Result<Outcome> decodeTo(std::int32_t rank, const std::stop_token& stop);
    std::int32_t takePicture(std::int32_t wanted);
    void noteDamage(std::int32_t from, std::int32_t to);
    Result<void> searchDamage(std::stop_token stop);
    Error decodeError(std::int32_t rank) const;
    const Held* held(std::int32_t rank) const;
    void trimRing(std::int32_t wanted);
    const PacketEntry& packetAt(std::int32_t ordinal) const { return data.packets[static_cast<std::size_t>(ordinal)]; }

    std::shared_ptr<const FrameIndex> index;
    const IndexData& data;
    Options options;
    std::shared_ptr<DamageMap> damage;
    detail::FrameConverter converter;
    std::unique_ptr<detail::PacketCursor> cursor;
    std::unique_ptr<Decoder> decoder;
    detail::PacketPtr packet;
    ReaderStats stats;

    std::int32_t start = -1;      ///< first packet sent since the last flush; -1: nothing sent
    std::int32_t sentTo = 0;      ///< one past the last packet sent
    std::int32_t lastRank = -1;   ///< highest rank that came out since the last flush
    std::int32_t firstRank = -1;  ///< lowest rank that came out since the last flush
    bool isDrained = false;
    std::int32_t lastRead = -1;
    int sequentialReads = 0;
    std::deque<Held> ring;  ///< pictures decoded last, ascending rank within one run of the decoder
    /// Key packet -> lowest rank that came out after starting there: where it is higher than the key's own rank, the
    /// key picture is only the start of an intra refresh and earlier frames need an earlier start.
    std::unordered_map<std::int32_t, std::int32_t> firstShownFrom;
    std::string doubt;                   ///< why pictures of the hardware cannot be relied upon, as a sentence
    std::vector<std::int32_t> suspects;  ///< key packets of groups in which the decoder complained
};

Result<void> FrameReader::Impl::openFile() {
    Result<std::unique_ptr<detail::PacketCursor>> newCursor = detail::PacketCursor::open(data, {});
    if (!newCursor)
        return fail(newCursor.error());
    cursor = std::move(*newCursor);
    if (options.hardware && options.hardware->hardware() != nullptr) {
        Result<std::unique_ptr<Decoder>> onHardware = Decoder::openOn(*options.hardware->hardware(), *data.parameters);
        if (onHardware) {
            decoder = std::move(*onHardware);
            return {};
        }
        options.hardware->leave(onHardware.error().message());
    }
    return openDecoder();
}

Result<void> FrameReader::Impl::openDecoder() {
    Result<std::unique_ptr<Decoder>> opened = Decoder::open(*data.parameters, detail::decoderThreads(options.threads));
    if (!opened)
        return fail(opened.error().withContext("while opening \"" + data.path.string() + "\""));
    decoder = std::move(*opened);
    return {};
}

// Whatever the hardware gave is forgotten, so that what follows is what a reader without it would do.
Result<void> FrameReader::Impl::leaveHardware() {
    options.hardware->leave(doubt.empty() ? "A picture did not come out of the GPU." : std::exchange(doubt, {}));
    start = -1;
    ring.clear();
    firstShownFrom.clear();
    return openDecoder();
}

Error FrameReader::Impl::decodeError(std::int32_t rank) const {
    return Error(ErrorCode::Decode, "Frame " + frameNumber(rank) + " of \"" + data.path.string() +
                                        "\" cannot be decoded: the file is damaged there.");
}

const FrameReader::Impl::Held* FrameReader::Impl::held(std::int32_t rank) const {
    const auto it = std::find_if(ring.begin(), ring.end(), [rank](const Held& h) { return h.rank == rank; });
    return it == ring.end() ? nullptr : &*it;
}

// Keeps pictures not yet asked for and, of those behind, as many as the options allow.
void FrameReader::Impl::trimRing(std::int32_t wanted) {
    std::size_t bytes = 1;
    for (const AVBufferRef* buffer : ring.back().frame->buf)
        bytes += buffer != nullptr ? static_cast<std::size_t>(buffer->size) : 0;
    const std::size_t most = sequentialReads >= kSequentialAfter
                                 ? kBehindWhileSequential
                                 : std::clamp(options.ringBytes / bytes, kBehindWhileSequential, kMaxBehind);
    auto behind = static_cast<std::size_t>(
        std::count_if(ring.begin(), ring.end(), [wanted](const Held& h) { return h.rank < wanted; }));
    for (; behind > most && ring.front().rank < wanted; --behind)
        ring.pop_front();
}

// The rank of the picture that just came out, now in the ring; -1 when it is none to show.
std::int32_t FrameReader::Impl::takePicture(std::int32_t wanted) {
    ++stats.framesDecoded;
    const std::int64_t ordinal = decoder->pictureOrdinal();
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= data.packets.size())
        return -1;
    stats.framesFromHardware += decoder->isOnHardware() ? 1 : 0;
    const auto o = static_cast<std::int32_t>(ordinal);
    const std::int32_t rank = packetAt(o).rank;
    if (decoder->pictureIsDamaged())
        noteDamage(o, o);
    else if (rank >= 0) {
        firstRank = firstRank < 0 ? rank : std::min(firstRank, rank);
        lastRank = std::max(lastRank, rank);
        if (rank < wanted)
            ++stats.framesDropped;
        ring.push_back({rank, decoder->takePicture()});
        trimRing(wanted);
        return rank;
    }
    ++stats.framesDropped;
    return -1;
}

// The decoder complained about one of these packets: the groups they lie in are to be searched. Hardware conceals
// rather than tells, so that after its first complaint nothing of it is taken.
void FrameReader::Impl::noteDamage(std::int32_t from, std::int32_t to) {
    if (decoder->isOnHardware()) {
        doubt = !decoder->hardwareTrouble().empty()
                    ? decoder->hardwareTrouble()
                    : "The GPU's decoder complained; whether the file is damaged, the processor's can tell.";
        return;
    }
    for (std::int32_t o = std::max(from, start); o <= to && o < static_cast<std::int32_t>(data.packets.size()); ++o) {
        const auto it = std::upper_bound(data.keyOrdinals.begin(), data.keyOrdinals.end(), o);
        const std::int32_t key = it == data.keyOrdinals.begin() ? 0 : *std::prev(it);
        if (suspects.empty() || suspects.back() != key)
            suspects.push_back(key);
        // A picture stored behind a key picture but shown before it builds on the group before.
        if (packetAt(o).rank >= 0 && packetAt(o).rank < packetAt(key).rank && key > 0)
            suspects.push_back(data.keyBefore(key));
    }
}

Result<void> FrameReader::Impl::searchDamage(std::stop_token stop) {
    for (const std::int32_t key : std::exchange(suspects, {})) {
        const Result<bool> ran =
            damage->searchOnce(key, [&] { return detail::markDamageInGroup(data, key, *damage, stop); });
        if (!ran)
            return fail(ran.error());
        stats.damageChecks += *ran ? 1 : 0;
    }
    return {};
}

std::int32_t FrameReader::Impl::startFor(std::int32_t ordinal) const {
    const std::int32_t rank = packetAt(ordinal).rank;
    std::int32_t key = data.startFor(ordinal);
    for (auto it = firstShownFrom.find(key); key > 0 && it != firstShownFrom.end() && it->second > rank;
         it = firstShownFrom.find(key))
        key = data.keyBefore(key);
    return key;
}

// Whether decoding on from where the decoder stands gets to the picture, and sooner than a seek would.
bool FrameReader::Impl::canDecodeOn(std::int32_t ordinal) const {
    if (start < 0 || isDrained || packetAt(ordinal).rank <= lastRank)
        return false;
    const std::int32_t key = startFor(ordinal);
    // Packets inside the decoder's threads and reorder buffer are lost by a seek; that many more are worth decoding.
    return start <= key && key <= sentTo + decoder->threads() + data.reorderDepth;
}

Result<void> FrameReader::Impl::startAt(std::int32_t newStart, std::stop_token stop) {
    const bool wasRunning = start >= 0;
    if (wasRunning)
        decoder->flush();
    start = -1;
    const std::uint64_t readBefore = cursor->packetsRead();
    const std::uint64_t jumpsBefore = cursor->jumps();
    const Result<void> there = cursor->seekTo(newStart, std::move(stop));
    stats.packetsRead += cursor->packetsRead() - readBefore;
    stats.seeks += wasRunning || cursor->jumps() != jumpsBefore ? 1 : 0;
    if (!there)
        return there;
    start = newStart;
    sentTo = newStart;
    lastRank = firstRank = -1;
    isDrained = false;
    ring.clear();
    return {};
}

// Decodes until the picture is there, and on until all pictures came out that it may build on: only on coming out do
// they tell that they are damaged.
Result<FrameReader::Impl::Outcome> FrameReader::Impl::decodeTo(std::int32_t rank, const std::stop_token& stop) {
    const std::int32_t until = std::min(rank + data.reorderDepth, static_cast<std::int32_t>(data.order.size()) - 1);
    // On the way there, pictures that no other builds on are not decoded, but for some to step back to.
    const bool isNear = lastRead >= 0 && std::abs(rank - lastRead) <= 2 * static_cast<std::int32_t>(kMaxBehind);
    const std::int32_t from = rank - (isNear ? static_cast<std::int32_t>(kMaxBehind) : kBehindAfterJump);
    int later = 0;
    bool found = held(rank) != nullptr;
    while (doubt.empty() && (!found || lastRank < until)) {
        const Decoder::Step step = decoder->receive();
        // With frame threads the error belongs to a packet that may have been sent a few calls ago.
        if (decoder->hasComplained())
            noteDamage(sentTo - 1 - decoder->threads(), sentTo - 1);
        switch (step) {
            case Decoder::Step::Picture: {
                const std::int32_t got = takePicture(rank);
                found = found || got == rank;
                if (!found && got > rank && ++later > kMaxReorder)
                    return Outcome::Missing;
                break;
            }
            case Decoder::Step::Damage:
                noteDamage(sentTo - 1 - decoder->threads(), sentTo - 1);
                break;
            case Decoder::Step::Finished:
                isDrained = true;
                return !doubt.empty() ? Outcome::Doubtful : found ? Outcome::Found : Outcome::Missing;
            case Decoder::Step::NeedsInput: {
                const std::uint64_t readBefore = cursor->packetsRead();
                const Result<std::optional<std::int32_t>> ordinal = cursor->read(*packet, stop);
                stats.packetsRead += cursor->packetsRead() - readBefore;
                if (!ordinal) {
                    decoder->flush();
                    start = -1;  // the position is lost
                    return fail(ordinal.error());
                }
                if (!*ordinal) {
                    decoder->end();
                    break;
                }
                sentTo = **ordinal + 1;
                if (packetAt(**ordinal).isDamaged)
                    noteDamage(**ordinal, **ordinal);
                const std::int32_t packetRank = packetAt(**ordinal).rank;
                decoder->leaveOutUnreferenced(packetRank >= 0 && packetRank < from);
                if (!decoder->send(*packet, **ordinal))
                    noteDamage(**ordinal - decoder->threads(), **ordinal);
                break;
            }
        }
    }
    return doubt.empty() ? Outcome::Found : Outcome::Doubtful;
}

Result<ImagePtr> FrameReader::Impl::deliver(std::int32_t rank, PixelFormat format) {
    const Held* picture = held(rank);
    const Result<ImagePtr> image = converter.convert(*picture->frame, format);
    stats.lumaTableUses = converter.lumaTableUses();
    if (!image)
        return fail(image.error().withContext("while converting frame " + frameNumber(rank) + " of \"" +
                                              data.path.string() + "\""));
    damage->markReadable(rank);
    sequentialReads = rank == lastRead + 1 ? sequentialReads + 1 : (rank == lastRead ? sequentialReads : 0);
    lastRead = rank;
    return image;
}

Result<ImagePtr> FrameReader::Impl::read(std::int32_t rank, PixelFormat format, std::stop_token stop) {
    const std::int32_t ordinal = data.order[static_cast<std::size_t>(rank)];
    if (ordinal < 0)
        return fail(ErrorCode::Decode, "Frame " + frameNumber(rank) + " of \"" + data.path.string() +
                                           "\" is announced, but its data is missing: the file was cut short.");
    if (damage->stateOf(rank) == FrameState::Unreadable)
        return fail(decodeError(rank));
    if (held(rank) != nullptr) {
        if (rank == lastRead || rank < lastRank)
            ++stats.ringHits;
    } else if (canDecodeOn(ordinal)) {
        if (rank != lastRank + 1)
            ++stats.seeksSkipped;
    } else {
        const Result<void> started = startAt(startFor(ordinal), stop);
        if (!started)
            return fail(started.error());
    }
    // When the picture does not come, the start was no clean one (leading pictures, intra refresh): begin further back,
    // in growing steps, at last from the beginning of the file.
    for (int step = 1;; step *= 2) {
        const Result<Outcome> outcome = decodeTo(rank, stop);
        if (!outcome)
            return fail(outcome.error());
        if (decoder->isOnHardware() && *outcome != Outcome::Found) {
            const Result<void> left = leaveHardware();
            if (!left)
                return fail(left.error());
            return read(rank, format, std::move(stop));
        }
        if (firstRank >= 0 && start > 0 && firstRank > packetAt(start).rank)
            firstShownFrom[start] = firstRank;
        const Result<void> searched = searchDamage(stop);
        if (!searched)
            return fail(searched.error());
        if (damage->stateOf(rank) == FrameState::Unreadable)
            return fail(decodeError(rank));
        if (*outcome == Outcome::Found)
            return deliver(rank, format);
        // A hole between pictures that did come out stays one, however far back the decoder starts.
        const bool isHole = step > 1 && firstRank >= 0 && firstRank < rank;
        if (start <= 0 || isHole) {
            damage->markUnreadable(rank);
            return fail(decodeError(rank));
        }
        ++stats.retries;
        std::int32_t earlier = start;
        for (int i = 0; i < step; ++i)
            earlier = data.keyBefore(earlier);
        const Result<void> started = startAt(earlier, stop);
        if (!started)
            return fail(started.error());
    }
}

FrameReader::FrameReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
FrameReader::~FrameReader() = default;

Result<std::unique_ptr<FrameReader>> FrameReader::open(std::shared_ptr<const FrameIndex> index, const Options& options,
                                                       std::shared_ptr<DamageMap> damage) {
    SKEIN_EXPECTS(index != nullptr, "a reader needs an index");
    if (!damage)
        damage = std::make_shared<DamageMap>(index->frameCount());
    auto impl = std::make_unique<Impl>(std::move(index), options, std::move(damage));
    const Result<void> opened = impl->openFile();
    if (!opened)
        return fail(opened.error());
    return std::unique_ptr<FrameReader>(new FrameReader(std::move(impl)));
}

Result<ImagePtr> FrameReader::read(FrameNumber frame, PixelFormat format, std::stop_token stop) {
    const FrameNumber count = m_impl->index->frameCount();
    if (frame < 0 || frame >= count)
        return fail(ErrorCode::InvalidArgument, "There is no frame " + frameNumber(frame) + " in \"" +
                                                    m_impl->data.path.string() + "\": its frames are " +
                                                    frameNumber(0) + " to " + frameNumber(count - 1) + ".");
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Reading the video was cancelled.");
    return m_impl->read(static_cast<std::int32_t>(frame), format, std::move(stop));
}

const FrameIndex& FrameReader::index() const noexcept {
    return *m_impl->index;
}
const std::shared_ptr<DamageMap>& FrameReader::damage() const noexcept {
    return m_impl->damage;
}
const ReaderStats& FrameReader::stats() const noexcept {
    return m_impl->stats;
}
bool FrameReader::isOnHardware() const noexcept {
    return m_impl->decoder->isOnHardware();
}

}  // namespace skein::video
