// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/embedded_video.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "engine/base/frame_number.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"
#include "engine/video/image_decoder.h"

namespace skein::formats {
namespace fs = std::filesystem;
using video::FrameNumber;

struct EmbeddedVideoSource::Facts {
    Description description;
    bool encoded = false;  ///< one picture file a row; otherwise an array of pixels
    bool swapsChannels = false;
    std::string codec;
    int width = 0, height = 0, channels = 0;
    bool gray = false;
    double fps = 0;
    FrameNumber frames = 0;
    std::vector<FrameNumber> numbers;                       ///< ascending
    std::vector<std::pair<FrameNumber, std::size_t>> rows;  ///< row of each number, ascending by number
};

namespace {

constexpr int kMaxSide = 1 << 20;

std::string folderOf(const std::string& dataset) {
    const auto slash = dataset.rfind('/');
    return slash == std::string::npos || slash == 0 ? std::string() : dataset.substr(0, slash + 1);
}

herr_t collectPictures(hid_t location, const char* name, const H5O_info_t* info, void* names) {
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    const h5::Id dataset(H5Dopen2(location, name, H5P_DEFAULT));
    if (!dataset)
        return 0;
    const h5::Id space(H5Dget_space(dataset.get()));
    const h5::Id type(H5Dget_type(dataset.get()));
    const H5T_class_t kind = H5Tget_class(type.get());
    const bool array = H5Sget_simple_extent_ndims(space.get()) == 4 && (kind == H5T_INTEGER || kind == H5T_FLOAT);
    if (array || (slp::embeddedNumber(name) && H5Aexists(dataset.get(), "format") > 0))
        static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

/// Samples of any kind as bytes that keep the range: what a picture of that kind would be shown as.
std::vector<std::uint8_t> toBytes(const std::vector<double>& samples, const h5::Dataset& dataset) {
    const bool real = dataset.typeClass() == H5T_FLOAT;
    const bool wide = !real && dataset.typeSize == 2;
    // Whole real numbers above 1 are pixel values; others are shares of white.
    const bool share = real && std::all_of(samples.begin(), samples.end(), [](double v) { return !(v > 1.0); });
    std::vector<std::uint8_t> bytes(samples.size());
    std::transform(samples.begin(), samples.end(), bytes.begin(), [&](double v) {
        const double scaled = wide ? std::floor(v / 256) : share ? v * 255 : v;
        return static_cast<std::uint8_t>(std::isfinite(scaled) ? std::clamp(scaled, 0.0, 255.0) : 0.0);
    });
    return bytes;
}

/// [channels, width, height] to [height, width, channels].
std::vector<std::uint8_t> transposed(const std::vector<std::uint8_t>& in, std::size_t channels, std::size_t width,
                                     std::size_t height) {
    std::vector<std::uint8_t> out(in.size());
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t y = 0; y < height; ++y)
                out[(y * width + x) * channels + c] = in[(c * width + x) * height + y];
    return out;
}

/// Channels of an array as channels of a picture: 1 and 3 stay, 2 keep the first, 4 lose the last.
Image pictureOf(const std::vector<std::uint8_t>& pixels, int width, int height, int channels) {
    const int kept = channels >= 3 ? 3 : 1;
    Image image{width, height, kept, {}};
    if (kept == channels) {
        image.pixels = pixels;
        return image;
    }
    image.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                         static_cast<std::size_t>(kept));
    for (std::size_t i = 0; i < pixels.size(); i += static_cast<std::size_t>(channels))
        image.pixels.insert(image.pixels.end(), pixels.begin() + static_cast<std::ptrdiff_t>(i),
                            pixels.begin() + static_cast<std::ptrdiff_t>(i) + kept);
    return image;
}

void swapRedAndBlue(Image& image) {
    for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3)
        std::swap(image.pixels[i], image.pixels[i + 2]);
}

}  // namespace

Result<std::vector<std::string>> pictureDatasets(const fs::path& path) {
    const h5::Session session;
    SKEIN_TRY(file, h5::openFile(path));
    std::vector<std::string> names;
    H5Ovisit2(file.get(), H5_INDEX_NAME, H5_ITER_INC, collectPictures, &names, H5O_INFO_BASIC);
    return names;
}

bool holdsLabels(const fs::path& path) {
    const h5::Session session;
    const auto file = h5::openFile(path);
    return file && h5::exists(file->get(), "metadata");
}

EmbeddedVideoSource::EmbeddedVideoSource(std::shared_ptr<const Facts> facts) : m_facts(std::move(facts)) {}

Result<std::shared_ptr<EmbeddedVideoSource>> EmbeddedVideoSource::open(Description description) {
    const h5::Session session;
    auto facts = std::make_shared<Facts>();
    SKEIN_TRY(file, h5::openFile(description.file));
    const std::string& name = description.dataset;
    if (!h5::exists(file.get(), name) || h5::objectKind(file.get(), name) != h5::ObjectKind::Dataset) {
        SKEIN_TRY(known, pictureDatasets(description.file));
        std::string list;
        for (const std::string& other : known)
            list += (list.empty() ? "" : ", ") + other;
        return fail(ErrorCode::Format,
                    "The file " + description.file.string() + " has no pictures at " + name + "; " +
                        (list.empty() ? "it holds no pictures at all." : "it has some at " + list + "."));
    }
    SKEIN_TRY(images, h5::openDataset(file.get(), name));
    const auto number = [&](const char* attribute) {
        return h5::numberAttribute(images.id.get(), attribute).value_or(0);
    };
    const auto format = h5::textAttribute(images.id.get(), "format");
    facts->encoded = images.dims.size() <= 2;
    facts->codec = format.value_or(facts->encoded ? "image" : "raw");
    if (facts->codec == "hdf5")
        facts->codec = "raw";

    std::vector<std::int64_t> stored;
    const std::string numbers = folderOf(name) + "frame_numbers";
    if (!folderOf(name).empty() && h5::exists(file.get(), numbers)) {
        SKEIN_TRY(read, h5::readIntegers(file.get(), numbers));
        stored = std::move(read);
    } else {
        for (hsize_t row = 0; row < images.rows(); ++row)
            stored.push_back(static_cast<std::int64_t>(row));
    }
    stored.resize(std::min<std::size_t>(stored.size(), static_cast<std::size_t>(images.rows())));
    for (std::size_t row = 0; row < stored.size(); ++row)
        if (stored[row] >= 0)
            facts->rows.emplace_back(stored[row], row);
    std::stable_sort(facts->rows.begin(), facts->rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [frame, row] : facts->rows)
        if (facts->numbers.empty() || facts->numbers.back() != frame)
            facts->numbers.push_back(frame);

    const double length = number("frames");
    facts->frames = length >= 1 && length < 9e15 ? static_cast<FrameNumber>(length) : 1;
    if (!facts->numbers.empty())
        facts->frames = std::max(facts->frames, facts->numbers.back() + 1);
    if (const double rate = number("fps"); std::isfinite(rate) && rate > 0)
        facts->fps = rate;

    if (facts->encoded) {
        const auto order = h5::textAttribute(images.id.get(), "channel_order");
        facts->swapsChannels = order ? *order == "BGR" : description.bgrUnlessStated;
        const auto side = [&](const char* attribute) {
            const double value = number(attribute);
            return value >= 1 && value <= kMaxSide ? static_cast<int>(value) : 0;
        };
        facts->width = side("width");
        facts->height = side("height");
        facts->channels = side("channels");
    } else {
        if (images.dims.size() != 4 || (images.typeClass() != H5T_INTEGER && images.typeClass() != H5T_FLOAT))
            return fail(ErrorCode::Format, "The dataset " + name + " of " + description.file.string() +
                                               " holds no pictures; an array of frames, height, width and channels is "
                                               "needed.");
        const std::array<hsize_t, 3> sides = description.channelsFirst
                                                 ? std::array{images.dims[3], images.dims[2], images.dims[1]}
                                                 : std::array{images.dims[1], images.dims[2], images.dims[3]};
        if (sides[0] < 1 || sides[1] < 1 || sides[2] < 1 || sides[0] > kMaxSide || sides[1] > kMaxSide || sides[2] > 4)
            return fail(ErrorCode::Format, "The array " + name + " of " + description.file.string() +
                                               " has no shape of a picture; check its axis order.");
        facts->height = static_cast<int>(sides[0]);
        facts->width = static_cast<int>(sides[1]);
        facts->channels = static_cast<int>(sides[2]);
    }
    facts->gray = description.grayscale.value_or(facts->channels == 1);
    const bool askPixels = !description.grayscale && facts->channels != 1;
    facts->description = std::move(description);
    const std::shared_ptr<EmbeddedVideoSource> source(new EmbeddedVideoSource(facts));
    if (!facts->rows.empty() && (askPixels || facts->width == 0 || facts->height == 0)) {
        SKEIN_TRY(first, source->readRow(facts->rows.front().second));
        if (askPixels)
            facts->gray = video::redEqualsBlue(*first);
        facts->width = first->width;
        facts->height = first->height;
    }
    return source;
}

const std::vector<FrameNumber>& EmbeddedVideoSource::embeddedFrames() const {
    return m_facts->numbers;
}
FrameNumber EmbeddedVideoSource::frameCount() const {
    return m_facts->frames;
}
int EmbeddedVideoSource::width() const {
    return m_facts->width;
}
int EmbeddedVideoSource::height() const {
    return m_facts->height;
}
bool EmbeddedVideoSource::isGray() const {
    return m_facts->gray;
}
double EmbeddedVideoSource::fps() const {
    return m_facts->fps;
}
std::string EmbeddedVideoSource::codecName() const {
    return m_facts->codec;
}

double EmbeddedVideoSource::timeOf(FrameNumber frame) const {
    return m_facts->fps > 0 ? static_cast<double>(frame) / m_facts->fps : static_cast<double>(frame);
}

video::FrameState EmbeddedVideoSource::stateOf(FrameNumber frame) const {
    return std::binary_search(m_facts->numbers.begin(), m_facts->numbers.end(), frame) ? video::FrameState::Readable
                                                                                       : video::FrameState::Unreadable;
}

Result<std::shared_ptr<video::VideoSource>> EmbeddedVideoSource::openAnother() const {
    return std::shared_ptr<video::VideoSource>(new EmbeddedVideoSource(m_facts));
}

Result<ImagePtr> EmbeddedVideoSource::readRow(std::size_t row) const {
    const Facts& facts = *m_facts;
    std::vector<std::uint8_t> encoded;
    {
        // Only the bytes are fetched while the library is held; decoding runs beside other readers.
        const h5::Session session;
        SKEIN_TRY(file, h5::openFile(facts.description.file));
        SKEIN_TRY(images, h5::openDataset(file.get(), facts.description.dataset));
        if (!facts.encoded) {
            const auto count = static_cast<std::size_t>(images.rowElements());
            if (images.dims.size() != 4 || count != static_cast<std::size_t>(facts.width) *
                                                        static_cast<std::size_t>(facts.height) *
                                                        static_cast<std::size_t>(facts.channels))
                return fail(ErrorCode::Format, "The file " + facts.description.file.string() +
                                                   " changed while it was read; open it again.");
            std::vector<std::uint8_t> pixels(count);
            if (images.typeClass() == H5T_INTEGER && images.typeSize == 1) {
                SKEIN_CHECK(h5::readRows(images, H5T_NATIVE_UINT8, row, 1, pixels.data()));
            } else {
                std::vector<double> samples(count);
                SKEIN_CHECK(h5::readRows(images, H5T_NATIVE_DOUBLE, row, 1, samples.data()));
                pixels = toBytes(samples, images);
            }
            if (facts.description.channelsFirst)
                pixels = transposed(pixels, static_cast<std::size_t>(facts.channels),
                                    static_cast<std::size_t>(facts.width), static_cast<std::size_t>(facts.height));
            return std::make_shared<const Image>(pictureOf(pixels, facts.width, facts.height, facts.channels));
        }
        SKEIN_TRY(bytes, h5::readImageBytes(images, row));
        encoded = std::move(bytes);
    }
    SKEIN_TRY(image, video::decodeImage(encoded));
    if (facts.swapsChannels && image.channels == 3)
        swapRedAndBlue(image);
    return std::make_shared<const Image>(std::move(image));
}

Result<ImagePtr> EmbeddedVideoSource::read(FrameNumber frame, video::PixelFormat format, std::stop_token stop) {
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Reading was cancelled.");
    const std::string where = " of " + m_facts->description.file.string();
    if (frame < 0 || frame >= m_facts->frames)
        return fail(ErrorCode::InvalidArgument, "There is no frame " + frameNumber(frame) + " in " +
                                                    m_facts->description.dataset + where + "; it has " +
                                                    std::to_string(m_facts->frames) + ".");
    const auto found = std::lower_bound(m_facts->rows.begin(), m_facts->rows.end(), std::pair(frame, std::size_t{0}));
    if (found == m_facts->rows.end() || found->first != frame)
        return fail(ErrorCode::Decode, "Frame " + frameNumber(frame) + " is not embedded in " +
                                           m_facts->description.dataset + where + "; find the source video to see it.");
    try {
        auto image = readRow(found->second);
        if (!image)
            return fail(
                std::move(image.error())
                    .withContext("while reading frame " + frameNumber(frame) + " of " + m_facts->description.dataset));
        return video::toFormat(*image, format);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "There is not enough memory for frame " + frameNumber(frame) + where + ".");
    }
}

}  // namespace skein::formats
