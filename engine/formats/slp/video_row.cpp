// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/video_row.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace skein::formats::slp {
namespace {

constexpr std::string_view kRowName = "A row of the video list";

std::int64_t wholeNumber(const Json& value) {
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const auto number = value.get<double>();
        if (std::isfinite(number) && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
    }
    return 0;
}

int size(const Json& value) {
    const std::int64_t number = wholeNumber(value);
    return number > 0 && number < (1 << 24) ? static_cast<int>(number) : 0;
}

std::string forwardSlashes(std::string path) {
    std::replace(path.begin(), path.end(), '\\', '/');
    return path;
}

std::vector<std::string> fileList(const Json& value) {
    std::vector<std::string> files;
    if (value.is_array())
        for (const Json& file : value)
            files.push_back(file.is_string() ? forwardSlashes(file.get<std::string>()) : std::string());
    return files;
}

std::string extension(const std::string& path) {
    const auto dot = path.rfind('.');
    std::string text = dot == std::string::npos ? "" : path.substr(dot + 1);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return text;
}

Json shapeOf(const project::Video& video) {
    if (video.frameCount <= 0 || video.height <= 0 || video.width <= 0 || video.channels <= 0)
        return {};
    return Json::array({video.frameCount, video.height, video.width, video.channels});
}

Json grayscaleOf(const project::Video& video) {
    return video.grayscale ? Json(*video.grayscale) : Json();
}
Json fpsOf(const project::Video& video) {
    return video.fps > 0 ? Json(video.fps) : Json();
}

Json newRow(const project::Video& video) {
    Json backend = Json::object();
    Json row = Json::object();
    if (!video.imageFiles.empty()) {
        row["filename"] = video.imageFiles;
        backend["type"] = "ImageVideo";
        backend["shape"] = shapeOf(video);
        backend["filename"] = video.imageFiles.front();
        backend["filenames"] = video.imageFiles;
        backend["height_"] = video.height;
        backend["width_"] = video.width;
        backend["channels_"] = video.channels;
        backend["grayscale"] = grayscaleOf(video);
    } else if (!video.dataset.empty()) {
        row["filename"] = video.filename;
        backend["type"] = "HDF5Video";
        backend["shape"] = shapeOf(video);
        backend["filename"] = video.filename;
        backend["dataset"] = video.dataset;
        backend["input_format"] = "channels_last";
        backend["convert_range"] = false;
        backend["has_embedded_images"] = embeddedNumber(video.dataset).has_value();
        backend["grayscale"] = grayscaleOf(video);
    } else {
        row["filename"] = video.filename;
        const std::string kind = extension(video.filename);
        const bool tiff = kind == "tif" || kind == "tiff";
        backend["type"] = tiff ? "TiffVideo" : "MediaVideo";
        backend["shape"] = shapeOf(video);
        backend["filename"] = video.filename;
        backend["grayscale"] = grayscaleOf(video);
        if (tiff) {
            backend["keep_open"] = true;
            backend["format"] = nullptr;
        } else {
            backend["bgr"] = true;
            backend["dataset"] = "";
            backend["input_format"] = "";
        }
    }
    backend["fps"] = fpsOf(video);
    row["backend"] = std::move(backend);
    if (!video.sourceJson.empty())
        if (auto source = parseJson(video.sourceJson, kRowName))
            row["source_video"] = std::move(*source);
    return row;
}

}  // namespace

Json backendOf(const Json& row) {
    const Json& backend = member(row, "backend");
    return backend.is_object() ? backend : Json::object();
}

project::Video videoFromRow(const Json& row) {
    project::Video video;
    const Json& backend = member(row, "backend");
    video.imageFiles = fileList(member(backend, "filenames"));
    if (video.imageFiles.empty() && member(row, "filename").is_array())
        video.imageFiles = fileList(member(row, "filename"));
    if (video.imageFiles.empty())
        video.filename = forwardSlashes(stringMember(backend, "filename", stringMember(row, "filename")));
    else
        video.filename = video.imageFiles.front();
    video.dataset = stringMember(backend, "dataset");
    const Json& shape = member(backend, "shape");
    if (shape.is_array() && shape.size() == 4) {
        video.frameCount = std::max<std::int64_t>(wholeNumber(shape[0]), 0);
        video.height = size(shape[1]);
        video.width = size(shape[2]);
        video.channels = size(shape[3]);
    } else {
        video.frameCount = static_cast<std::int64_t>(video.imageFiles.size());
        video.height = size(member(backend, "height_"));
        video.width = size(member(backend, "width_"));
        video.channels = size(member(backend, "channels_"));
    }
    const Json& fps = member(backend, "fps");
    if (fps.is_number() && std::isfinite(fps.get<double>()) && fps.get<double>() > 0)
        video.fps = fps.get<double>();
    const Json& grayscale = member(backend, "grayscale");
    if (grayscale.is_boolean())
        video.grayscale = grayscale.get<bool>();
    else if (grayscale.is_number_integer())
        video.grayscale = grayscale.get<std::int64_t>() != 0;
    return video;
}

Json rowFromVideo(const project::Video& video) {
    if (video.rowJson.empty())
        return newRow(video);
    auto parsed = parseJson(video.rowJson, kRowName);
    if (!parsed || !parsed->is_object())
        return newRow(video);
    Json row = std::move(*parsed);
    const project::Video before = videoFromRow(row);
    if (!member(row, "backend").is_object())
        row["backend"] = Json::object();
    Json& backend = row["backend"];
    if (video.imageFiles != before.imageFiles) {
        backend["filename"] = video.imageFiles.empty() ? video.filename : video.imageFiles.front();
        backend["filenames"] = video.imageFiles;
        row["filename"] = video.imageFiles;
    } else if (video.filename != before.filename && video.imageFiles.empty()) {
        backend["filename"] = video.filename;
        row["filename"] = video.filename;
    }
    if (video.dataset != before.dataset)
        backend["dataset"] = video.dataset;
    if (video.grayscale != before.grayscale)
        backend["grayscale"] = grayscaleOf(video);
    // The size of embedded images belongs to their group.
    if (video.dataset.empty()) {
        if (shapeOf(video) != shapeOf(before) && !shapeOf(video).is_null())
            backend["shape"] = shapeOf(video);
        if (video.fps > 0 && video.fps != before.fps)
            backend["fps"] = video.fps;
    }
    return row;
}

Json storedRow(const project::Video& video) {
    if (!video.rowJson.empty())
        if (auto parsed = parseJson(video.rowJson, kRowName); parsed && parsed->is_object())
            return std::move(*parsed);
    return newRow(video);
}

std::optional<std::uint32_t> embeddedNumber(const std::string& dataset) {
    std::string_view name = dataset;
    if (!name.empty() && name.front() == '/')
        name.remove_prefix(1);
    constexpr std::string_view kGroup = "video";
    constexpr std::string_view kImages = "/video";
    if (name.size() <= kGroup.size() + kImages.size() || name.substr(0, kGroup.size()) != kGroup ||
        name.substr(name.size() - kImages.size()) != kImages)
        return std::nullopt;
    const std::string_view digits = name.substr(kGroup.size(), name.size() - kGroup.size() - kImages.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return number;
}

VideoIds::VideoIds(const std::set<std::uint32_t>& used, const std::vector<std::string>& datasets)
    : m_plain(!used.empty() && used.size() == datasets.size() && *used.rbegin() == datasets.size() - 1) {
    for (std::size_t i = 0; i < datasets.size(); ++i)
        m_byId[embeddedNumber(datasets[i]).value_or(static_cast<std::uint32_t>(i))] = static_cast<std::uint32_t>(i);
}

std::uint32_t VideoIds::index(std::uint32_t id) const {
    if (m_plain)
        return id;
    const auto it = m_byId.find(id);
    return it == m_byId.end() ? id : it->second;
}

VideoIdPlan planVideoIds(const std::set<std::uint32_t>& used, const std::vector<project::Video>& videos,
                         const std::vector<bool>& embeddedHere) {
    VideoIdPlan plan;
    for (std::size_t i = 0; i < videos.size(); ++i) {
        plan.ids.push_back(static_cast<std::uint32_t>(i));
        plan.datasets.push_back(videos[i].dataset);
    }
    const auto readsBack = [&](const std::vector<std::uint32_t>& ids) {
        std::set<std::uint32_t> stored;
        for (const std::uint32_t index : used)
            if (index < ids.size())
                stored.insert(ids[index]);
        const VideoIds reader(stored, plan.datasets);
        return std::all_of(used.begin(), used.end(), [&](std::uint32_t index) {
            return index >= ids.size() || reader.index(ids[index]) == index;
        });
    };
    if (readsBack(plan.ids))
        return plan;
    std::vector<std::uint32_t> numbers = plan.ids;
    for (std::size_t i = 0; i < videos.size(); ++i)
        numbers[i] = embeddedNumber(videos[i].dataset).value_or(static_cast<std::uint32_t>(i));
    if (readsBack(numbers)) {
        plan.ids = std::move(numbers);
        return plan;
    }
    for (std::size_t i = 0; i < videos.size(); ++i)
        if (embeddedHere[i] && embeddedNumber(videos[i].dataset))
            plan.datasets[i] = "video" + std::to_string(i) + "/video";
    return plan;
}

}  // namespace skein::formats::slp
