// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "engine/video/damage_map.h"
#include "engine/video/image_decoder.h"
#include "engine/video/video_source.h"

namespace skein::video {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{2} << 30;
constexpr std::array<std::string_view, 7> kExtensions{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp"};

std::string lowerExtension(const fs::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

Result<std::vector<std::uint8_t>> readFile(const fs::path& path) {
    std::error_code ec;
    const std::uintmax_t size = fs::file_size(path, ec);
    if (ec)
        return fail(fs::exists(path) ? ErrorCode::Io : ErrorCode::NotFound,
                    "Cannot read the image \"" + path.string() + "\": " + ec.message() + ".");
    if (size > kMaxFileBytes)
        return fail(ErrorCode::Unsupported, "The image \"" + path.string() + "\" is larger than 2 GB.");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file || file.gcount() != static_cast<std::streamsize>(bytes.size()))
        return fail(ErrorCode::Io, "Cannot read the image \"" + path.string() + "\".");
    return bytes;
}

Error inFile(const Error& error, const fs::path& path, ErrorCode code) {
    return Error(code, "Cannot read the image \"" + path.string() + "\": " + error.message());
}

struct Shared {
    std::vector<fs::path> files;
    int pages = 0;  ///< > 0: one multi-page file, and this many frames
    int width = 0;
    int height = 0;
    bool isGray = false;
    std::shared_ptr<DamageMap> damage;
};

class ImageSource final : public VideoSource {
public:
    explicit ImageSource(std::shared_ptr<const Shared> shared) : m_shared(std::move(shared)) {}

    FrameNumber frameCount() const override {
        return m_shared->pages > 0 ? m_shared->pages : static_cast<FrameNumber>(m_shared->files.size());
    }
    int width() const override { return m_shared->width; }
    int height() const override { return m_shared->height; }
    bool isGray() const override { return m_shared->isGray; }

    Result<ImagePtr> read(FrameNumber frame, PixelFormat format, std::stop_token stop) override {
        if (frame < 0 || frame >= frameCount())
            return fail(ErrorCode::InvalidArgument, "There is no image " + std::to_string(frame) +
                                                        ": the list has images 0 to " +
                                                        std::to_string(frameCount() - 1) + ".");
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Reading the images was cancelled.");
        const bool isStack = m_shared->pages > 0;
        const fs::path& path = m_shared->files[isStack ? 0 : static_cast<std::size_t>(frame)];
        if (!isStack || m_stack.empty()) {
            Result<std::vector<std::uint8_t>> bytes = readFile(path);
            if (!bytes) {
                m_shared->damage->markUnreadable(frame);
                return fail(std::move(bytes.error()));
            }
            (isStack ? m_stack : m_bytes) = std::move(*bytes);
        }
        Result<Image> image = decodeImage(isStack ? m_stack : m_bytes, isStack ? static_cast<int>(frame) : 0);
        if (!image) {
            m_shared->damage->markUnreadable(frame);
            const std::string page = isStack ? " page " + std::to_string(frame) + ":" : std::string();
            return fail(ErrorCode::Decode,
                        "Cannot read the image \"" + path.string() + "\":" + page + " " + image.error().message());
        }
        m_shared->damage->markReadable(frame);
        return toFormat(std::make_shared<const Image>(std::move(*image)), format);
    }

    double timeOf(FrameNumber frame) const override { return static_cast<double>(frame); }
    double fps() const override { return 0; }
    std::string codecName() const override { return lowerExtension(m_shared->files.front()).substr(1); }

    std::vector<std::string> warnings() const override {
        const FrameNumber lost = m_shared->damage->unreadableFrames();
        if (lost == 0)
            return {};
        return {std::to_string(lost) + " of " + std::to_string(frameCount()) +
                " images cannot be read: " + m_shared->damage->describe() + "."};
    }

    FrameState stateOf(FrameNumber frame) const override {
        SKEIN_EXPECTS(frame >= 0 && frame < frameCount(), "frame lies in the list");
        return m_shared->damage->stateOf(frame);
    }

    std::string frameName(FrameNumber frame) const override {
        SKEIN_EXPECTS(frame >= 0 && frame < frameCount(), "frame lies in the list");
        if (m_shared->pages > 0)
            return m_shared->files.front().filename().string() + ", page " + std::to_string(frame + 1);
        return m_shared->files[static_cast<std::size_t>(frame)].filename().string();
    }

    Result<std::shared_ptr<VideoSource>> openAnother() const override {
        return std::make_shared<ImageSource>(m_shared);
    }

    void release() override { m_stack = {}; }

private:
    std::shared_ptr<const Shared> m_shared;
    std::vector<std::uint8_t> m_stack;  ///< the multi-page file, kept between pages
    std::vector<std::uint8_t> m_bytes;
};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool hasImageExtension(const fs::path& path) {
    const std::string extension = lowerExtension(path);
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

bool naturallyBefore(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        // Numbers of any length: without leading zeros the longer is the larger, equal lengths compare digit by digit.
        const auto numberEnd = [](const std::string& s, std::size_t k) {
            while (k < s.size() && isDigit(s[k]))
                ++k;
            return k;
        };
        const auto firstDigit = [](const std::string& s, std::size_t k, std::size_t end) {
            while (k + 1 < end && s[k] == '0')
                ++k;
            return k;
        };
        const std::size_t endA = numberEnd(a, i);
        const std::size_t endB = numberEnd(b, j);
        const std::size_t startA = firstDigit(a, i, endA);
        const std::size_t startB = firstDigit(b, j, endB);
        if (endA - startA != endB - startB)
            return endA - startA < endB - startB;
        if (const int order = a.compare(startA, endA - startA, b, startB, endB - startB); order != 0)
            return order < 0;
        i = endA;
        j = endB;
    }
    if (i < a.size() || j < b.size())
        return i >= a.size();
    return a < b;  // "01" and "1" are the same number; any fixed order will do
}

std::vector<fs::path> imagesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        std::error_code typeError;
        if (it->is_regular_file(typeError) && hasImageExtension(it->path()))
            files.push_back(it->path());
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return naturallyBefore(a.filename().string(), b.filename().string());
    });
    return files;
}

Result<std::shared_ptr<VideoSource>> openImages(std::vector<fs::path> files, OpenOptions options) {
    if (files.empty())
        return fail(ErrorCode::InvalidArgument, "The list of images is empty.");
    auto shared = std::make_shared<Shared>();
    shared->files = std::move(files);
    const fs::path& firstPath = shared->files.front();
    const Result<std::vector<std::uint8_t>> bytes = readFile(firstPath);
    if (!bytes)
        return fail(bytes.error());
    if (shared->files.size() == 1)
        if (const int pages = countPages(*bytes); pages > 1)
            shared->pages = pages;
    const Result<Image> first = decodeImage(*bytes);
    if (!first)
        return fail(inFile(first.error(), firstPath, first.error().code()));
    shared->width = first->width;
    shared->height = first->height;
    shared->isGray = options.grayscale.value_or(redEqualsBlue(*first));
    const FrameNumber count = shared->pages > 0 ? shared->pages : static_cast<FrameNumber>(shared->files.size());
    shared->damage = std::make_shared<DamageMap>(count);
    return std::make_shared<ImageSource>(std::move(shared));
}

}  // namespace skein::video
