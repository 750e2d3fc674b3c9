// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

namespace skein::video::detail {
namespace fs = std::filesystem;
namespace {

// Formats that libav offers but that are no recordings: text drawn as a picture, and lists that name other files.
constexpr std::array<std::string_view, 10> kRefusedFormats{"tty",    "hls",   "dash", "concat",     "sdp",
                                                           "image2", "lavfi", "rtsp", "ffmetadata", "image2pipe"};

std::string cannotOpen(const fs::path& path, const std::string& why) {
    return "Cannot open \"" + path.string() + "\" as a video: " + why;
}

int interrupted(void* opaque) {
    return static_cast<const std::stop_token*>(opaque)->stop_requested() ? 1 : 0;
}

// Checked before libav sees the file, whose own words for these cases say nothing to a person.
Result<std::int64_t> checkedSize(const fs::path& path) {
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorCode::NotFound, cannotOpen(path, "there is no such file."));
    if (ec)
        return fail(ErrorCode::Io, cannotOpen(path, ec.message() + "."));
    if (status.type() == fs::file_type::directory)
        return fail(ErrorCode::Format, cannotOpen(path, "it is a folder."));
    if (status.type() != fs::file_type::regular)
        return fail(ErrorCode::Io, cannotOpen(path, "it is no ordinary file but a pipe or a device."));
    const std::uintmax_t size = fs::file_size(path, ec);
    if (ec)
        return fail(ErrorCode::Io, cannotOpen(path, ec.message() + "."));
    if (size == 0)
        return fail(ErrorCode::Format, cannotOpen(path, "the file is empty (0 bytes); record or copy it again."));
    errno = 0;
    if (!std::ifstream(path, std::ios::binary))
        return fail(ErrorCode::Io,
                    cannotOpen(path, "it cannot be read (" + std::generic_category().message(errno) + ")."));
    return static_cast<std::int64_t>(size);
}

// Whether the file starts with a box of the MP4 family; libav tries that format for any content of a file named so.
bool startsLikeMp4(const fs::path& path) {
    std::array<char, 8> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    const std::string_view box(head.data() + 4, 4);
    constexpr std::array<std::string_view, 7> kBoxes{"ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"};
    return std::find(kBoxes.begin(), kBoxes.end(), box) != kBoxes.end();
}

Error openError(const fs::path& path, int code, const LogCapture& log) {
    if (code == AVERROR_EXIT)
        return Error(ErrorCode::Cancelled, "Opening \"" + path.string() + "\" was cancelled.");
    if (code == AVERROR_EOF)
        return Error(ErrorCode::Format, cannotOpen(path, "there are no frames in it."));
    if (log.contains("moov atom not found") && startsLikeMp4(path))
        return Error(ErrorCode::Format,
                     cannotOpen(path,
                                "its table of contents (moov) is missing, as after a recording or copy that was "
                                "interrupted; copy the file again or repair it."));
    if (code == AVERROR_INVALIDDATA)
        return Error(ErrorCode::Format,
                     cannotOpen(path, "its content is of no known video format, or damaged at the start."));
    return Error(ErrorCode::Io, cannotOpen(path, avErrorText(code) + "."));
}

AVStream* mainStream(AVFormatContext& format) {
    AVStream* best = nullptr;
    for (unsigned i = 0; i < format.nb_streams; ++i) {
        AVStream* stream = format.streams[i];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO ||
            (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0)
            continue;
        const bool isDefault = (stream->disposition & AV_DISPOSITION_DEFAULT) != 0;
        if (best == nullptr || (isDefault && (best->disposition & AV_DISPOSITION_DEFAULT) == 0))
            best = stream;
    }
    return best;
}

bool listsItsStreams(std::string_view format) {
    return format.starts_with("mov,") || format.starts_with("matroska,");
}

}  // namespace

Result<std::unique_ptr<InputFile>> InputFile::open(const fs::path& path, std::stop_token stop, bool again) {
    const Result<std::int64_t> size = checkedSize(path);
    if (!size)
        return fail(size.error());

    std::unique_ptr<InputFile> file(new InputFile);
    file->m_stop = std::move(stop);
    file->m_sizeBytes = *size;
    AVFormatContext* format = avformat_alloc_context();
    if (format == nullptr)
        return fail(ErrorCode::OutOfMemory, "There is no memory left to open \"" + path.string() + "\".");
    format->interrupt_callback = {interrupted, &file->m_stop};

    // "file:" keeps names with a colon from being taken for network addresses; the list keeps playlists off the
    // network.
    LogCapture log;
    AVDictionary* options = nullptr;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    const std::string url = "file:" + path.string();
    int code = avformat_open_input(&format, url.c_str(), nullptr, &options);
    av_dict_free(&options);
    if (code < 0)
        return fail(openError(path, code, log));
    file->m_format.reset(format);
    for (const std::string_view refused : kRefusedFormats)
        if (file->formatName() == refused)
            return fail(ErrorCode::Format, cannotOpen(path, "its content is of no known video format."));

    if (!again || !listsItsStreams(file->formatName())) {
        code = avformat_find_stream_info(format, nullptr);
        if (code < 0)
            return fail(openError(path, code, log));
    }
    file->m_stream = mainStream(*format);
    if (file->m_stream == nullptr)
        return fail(ErrorCode::Format, cannotOpen(path, "there is no video in it."));
    for (unsigned i = 0; i < format->nb_streams; ++i)
        if (format->streams[i] != file->m_stream)
            format->streams[i]->discard = AVDISCARD_ALL;

    file->m_codec = avcodec_find_decoder(file->m_stream->codecpar->codec_id);
    if (file->m_codec == nullptr)
        return fail(ErrorCode::Unsupported, cannotOpen(path, std::string("there is no decoder for its codec (") +
                                                                 avcodec_get_name(file->m_stream->codecpar->codec_id) +
                                                                 "); convert it, e.g. to H.264."));
    return file;
}

bool InputFile::read(AVPacket& packet) {
    while (true) {
        av_packet_unref(&packet);
        const int code = av_read_frame(m_format.get(), &packet);
        if (code < 0) {
            m_readError = code == AVERROR_EOF ? 0 : code;
            return false;
        }
        // AVI writes packets without data where the camera dropped a frame: no picture comes of them.
        if (packet.stream_index == m_stream->index && packet.size > 0)
            return true;
    }
}

}  // namespace skein::video::detail
