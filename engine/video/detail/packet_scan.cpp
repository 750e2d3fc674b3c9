// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/packet_scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "engine/video/detail/file_end.h"
#include "engine/video/detail/input_file.h"
#include "engine/video/detail/zero_run.h"

namespace skein::video::detail {
namespace {

// The display matrix as one of the eight ways to lay a rectangle; false when it is none of them.
bool readOrientation(const AVStream& stream, IndexData::Orientation& orientation) {
    const std::uint8_t* bytes = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
    if (bytes == nullptr)
        return true;
    const auto* m = reinterpret_cast<const std::int32_t*>(bytes);  // 3x3, 16.16 fixed point
    const auto sign = [](std::int32_t v) { return std::abs(v) < 0x2000 ? 0 : (v > 0 ? 1 : -1); };
    const IndexData::Orientation found{sign(m[0]), sign(m[1]), sign(m[3]), sign(m[4])};
    const bool upright = found.b == 0 && found.c == 0 && found.a != 0 && found.d != 0;
    const bool sideways = found.a == 0 && found.d == 0 && found.b != 0 && found.c != 0;
    if (!upright && !sideways)
        return false;
    orientation = found;
    return true;
}

bool isIntraOnly(const AVCodecParameters& parameters) {
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(parameters.codec_id);
    return descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
}

// VP8 stores pictures that are only referred to, never shown, in packets of their own.
bool isNeverShown(const AVCodecParameters& parameters, const AVPacket& packet) {
    return parameters.codec_id == AV_CODEC_ID_VP8 && packet.size > 0 && (packet.data[0] & 0x10) == 0;
}

bool isDamaged(const AVCodecParameters& parameters, const AVPacket& packet) {
    if (parameters.codec_id != AV_CODEC_ID_H264 && parameters.codec_id != AV_CODEC_ID_HEVC)
        return false;
    const bool isLengthPrefixed = parameters.extradata_size > 0 && parameters.extradata[0] == 1;
    return hasForbiddenZeros({packet.data, static_cast<std::size_t>(packet.size)}, isLengthPrefixed);
}

// Looks for B pictures where stamps cannot tell whether the decoder reorders.
class ReorderDetector {
public:
    ReorderDetector(const AVCodecParameters& parameters, const AVCodec& codec)
        : m_parser(av_parser_init(parameters.codec_id)), m_context(avcodec_alloc_context3(&codec)) {
        m_mayReorder = !m_parser || !m_context || parameters.video_delay > 0 ||
                       avcodec_parameters_to_context(m_context.get(), &parameters) < 0;
        if (m_parser)
            m_parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    }

    void look(const AVPacket& packet) {
        if (m_mayReorder)
            return;
        std::uint8_t* out = nullptr;
        int outSize = 0;
        av_parser_parse2(m_parser.get(), m_context.get(), &out, &outSize, packet.data, packet.size, packet.pts,
                         packet.dts, packet.pos);
        m_mayReorder = m_parser->pict_type != AV_PICTURE_TYPE_I && m_parser->pict_type != AV_PICTURE_TYPE_P;
    }

    [[nodiscard]] bool mayReorder() const noexcept { return m_mayReorder; }

private:
    ParserPtr m_parser;
    CodecPtr m_context;
    bool m_mayReorder = true;
};

// "00:00:12.040000000", which stands with each stream, or the length of the whole, which sound may make longer.
double matroskaSeconds(InputFile& file) {
    if (const AVDictionaryEntry* tag = av_dict_get(file.stream().metadata, "DURATION", nullptr, 0)) {
        const std::string_view text = tag->value;
        int hours = 0, minutes = 0;
        double seconds = 0;
        if (text.size() > 6 && std::sscanf(tag->value, "%2d:%2d:", &hours, &minutes) == 2 &&
            std::from_chars(text.data() + 6, text.data() + text.size(), seconds).ec == std::errc())
            return 3600.0 * hours + 60.0 * minutes + seconds;
    }
    const AVFormatContext& format = file.format();
    const bool isTold =
        format.duration > 0 && av_fmt_ctx_get_duration_estimation_method(&format) != AVFMT_DURATION_FROM_BITRATE;
    return isTold ? static_cast<double>(format.duration) / AV_TIME_BASE : 0;
}

// AVI counts one tick for each picture, also for those that the camera dropped, of which there is an empty place only.
std::int64_t droppedFrames(const IndexData& data) {
    if (data.formatName != "avi" || data.packets.empty() || data.packets.back().dts == AV_NOPTS_VALUE)
        return 0;
    return std::max<std::int64_t>(0, data.packets.back().dts + 1 - std::ssize(data.packets));
}

void readAnnounced(InputFile& file, Scan& scan) {
    AVStream& stream = file.stream();
    scan.isShort = isShorterThanItSays(scan.data->path, file.formatName(), file.sizeBytes());
    if (file.formatName().starts_with("matroska,"))
        scan.announcedSeconds = matroskaSeconds(file);
    scan.data->announced = std::max<std::int64_t>(stream.nb_frames - droppedFrames(*scan.data), 0);
    if (file.formatName().find("mp4") == std::string_view::npos)
        return;
    const int entries = avformat_index_get_entries_count(&stream);
    scan.listedPackets = entries;
    // MP4 lists every packet, also those that an interrupted copy lacks; fragmented files list them as they are read.
    if (stream.nb_frames <= 0)
        return;
    scan.data->announced = entries;
    for (int i = 0; i < entries; ++i)
        scan.announcedDts.push_back(avformat_index_get_entry(&stream, i)->timestamp);
}

}  // namespace

Result<Scan> scanPackets(const std::filesystem::path& path, const FrameIndex::Options& options) {
    Result<std::unique_ptr<InputFile>> opened = InputFile::open(path, options.stop);
    if (!opened)
        return fail(std::move(opened.error()));
    InputFile& file = **opened;
    AVStream& stream = file.stream();

    Scan scan;
    scan.data = std::make_unique<IndexData>();
    IndexData& data = *scan.data;
    data.path = path;
    data.streamIndex = stream.index;
    data.timeBase = stream.time_base;
    data.formatName = file.formatName();
    data.codecName = avcodec_get_name(stream.codecpar->codec_id);
    data.isIntraOnly = isIntraOnly(*stream.codecpar);
    data.parameters.reset(avcodec_parameters_alloc());
    if (!data.parameters || avcodec_parameters_copy(data.parameters.get(), stream.codecpar) < 0)
        return fail(ErrorCode::OutOfMemory, "There is no memory left to index \"" + path.string() + "\".");
    if (!readOrientation(stream, data.orientation))
        data.warnings.push_back(
            "The video asks to be turned by an angle that is no multiple of 90 degrees; it is shown "
            "as stored.");
    scan.nominalRate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : stream.r_frame_rate;

    // AVI counts packets; what libav derives from that as presentation stamps is a guess.
    scan.hasStamps = data.formatName != "avi";
    bool ascending = true;
    std::int64_t lastPts = AV_NOPTS_VALUE;
    std::int64_t stampless = 0;
    ReorderDetector detector(*stream.codecpar, file.codec());
    const PacketPtr packet = makePacket();
    while (file.read(*packet)) {
        if ((data.packets.size() & 0xFF) == 0) {
            if (options.stop.stop_requested())
                break;
            if (options.progress && packet->pos >= 0 && file.sizeBytes() > 0)
                options.progress(
                    std::min(1.0, static_cast<double>(packet->pos) / static_cast<double>(file.sizeBytes())));
        }
        if (data.packets.size() >= std::numeric_limits<std::int32_t>::max() - 1)
            return fail(ErrorCode::Unsupported, "\"" + path.string() + "\" holds more than 2^31 frames.");
        PacketEntry entry;
        entry.pts = packet->pts;
        entry.dts = packet->dts;
        entry.pos = packet->pos;
        entry.size = packet->size;
        entry.isKey = (packet->flags & AV_PKT_FLAG_KEY) != 0;
        entry.isHidden = (packet->flags & AV_PKT_FLAG_DISCARD) != 0 || isNeverShown(*stream.codecpar, *packet);
        entry.isIncomplete = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
        entry.isDamaged = isDamaged(*stream.codecpar, *packet);
        data.packets.push_back(entry);
        if (!data.isIntraOnly && (stampless > 0 || !scan.hasStamps || entry.pts == AV_NOPTS_VALUE))
            detector.look(*packet);
        if (entry.isHidden)
            continue;
        if (entry.pts == AV_NOPTS_VALUE)
            ++stampless;
        else if (lastPts != AV_NOPTS_VALUE && entry.pts < lastPts)
            ascending = false;
        lastPts = entry.pts == AV_NOPTS_VALUE ? lastPts : entry.pts;
    }
    if (options.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Indexing \"" + path.string() + "\" was cancelled.");
    if (file.readError() != 0)
        data.warnings.push_back("Reading ended early: " + avErrorText(file.readError()) + ".");
    scan.hasStamps = scan.hasStamps && stampless == 0;
    scan.mayReorder = !data.isIntraOnly && (scan.hasStamps ? !ascending : detector.mayReorder());
    readAnnounced(file, scan);
    if (options.progress)
        options.progress(1.0);
    return scan;
}

}  // namespace skein::video::detail
