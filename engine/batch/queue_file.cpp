// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/queue_file.h"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "engine/base/atomic_file.h"
#include "engine/pipeline/options_json.h"

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "skein-queue";
constexpr int kVersion = 1;
/// A hundred thousand entries; what is larger is no list that a person or Skein made.
constexpr std::uintmax_t kLargestFile = 512U << 20U;

constexpr std::array kStates = {EntryState::Waiting, EntryState::Running, EntryState::Done,     EntryState::Partly,
                                EntryState::Failed,  EntryState::Skipped, EntryState::Cancelled};
constexpr std::array<const char*, 3> kExisting = {"skip", "overwrite", "number"};
constexpr std::array<const char*, 3> kCentroids = {"instance", "centroid", "both"};
constexpr std::array<const char*, 2> kDecoders = {"cpu", "gpu"};

Json asJson(const Entry& entry) {
    const Settings& s = entry.settings;
    Json json;
    json["id"] = entry.id;
    json["data"] = entry.data.string();
    if (!entry.more.empty()) {
        Json& more = json["more"] = Json::array();
        for (const fs::path& video : entry.more)
            more.push_back(video.string());
    }
    json["output"] = entry.output.string();
    Json& models = json["models"] = Json::array();
    for (const fs::path& model : s.models)
        models.push_back(model.string());
    if (!s.frames.empty())
        json["frames"] = s.frames;
    json["inference"] = pipeline::optionsJson(s.inference);
    if (s.tracking)
        json["tracking"] = pipeline::optionsJson(*s.tracking);
    json["centroid_output"] = kCentroids.at(static_cast<std::size_t>(s.centroids));
    json["no_empty_frames"] = !s.keepEmptyFrames;
    json["queue_maxsize"] = s.queueMaxsize;
    json["paf_workers"] = s.groupThreads;
    json["decoder"] = kDecoders.at(static_cast<std::size_t>(s.decoder));
    json["existing"] = kExisting.at(static_cast<std::size_t>(entry.existing));
    json["resume"] = entry.resume;
    json["interrupted"] = entry.interrupted;
    json["paused"] = entry.paused;
    json["state"] = toString(entry.state);
    json["reason"] = entry.reason;
    json["notes"] = entry.notes;
    json["frames_done"] = entry.framesDone;
    json["frames_total"] = entry.framesTotal;
    json["frames_resumed"] = entry.framesResumed;
    json["instances"] = entry.instances;
    json["reached_end"] = entry.reachedEnd;
    json["started"] = entry.startedAt;
    json["ended"] = entry.endedAt;
    json["seconds"] = entry.seconds;
    json["log"] = entry.log.string();
    return json;
}

fs::path pathFrom(const std::string& text, const fs::path& folder) {
    const fs::path path(text);
    return text.empty() || path.is_absolute() ? path : (folder / path).lexically_normal();
}

template <std::size_t N>
std::size_t wordFrom(const Json& json, const char* key, const std::array<const char*, N>& words, std::size_t usual) {
    const auto found = json.find(key);
    if (found == json.end())
        return usual;
    for (std::size_t i = 0; i < N; ++i)
        if (*found == words[i])
            return i;
    throw Error(ErrorCode::InvalidArgument, "\"" + std::string(key) + "\" cannot be " + found->dump() + ".");
}

template <class T>
T need(Result<T> result) {
    if (!result)
        throw std::move(result.error());
    return std::move(*result);
}

/// Throws Error or a JSON exception.
Entry entryFrom(const Json& json, const fs::path& folder, const Entry& usual) {
    Entry entry = usual;
    Settings& s = entry.settings;
    entry.id = json.value("id", std::int64_t{0});
    entry.data = pathFrom(json.value("data", json.value("video", std::string())), folder);
    if (entry.data.empty())
        throw Error(ErrorCode::InvalidArgument, "It has no \"data\": the video or labels file to predict on.");
    if (json.contains("more"))
        for (const Json& video : json.at("more"))
            entry.more.push_back(pathFrom(video.get<std::string>(), folder));
    entry.output = pathFrom(json.value("output", usual.output.string()), folder);
    if (json.contains("models")) {
        s.models.clear();
        for (const Json& model : json.at("models"))
            s.models.push_back(pathFrom(model.get<std::string>(), folder));
    }
    s.frames = json.value("frames", s.frames);
    if (json.contains("inference"))
        s.inference = need(pipeline::inferenceOptionsFrom(json.at("inference")));
    if (json.contains("tracking"))
        s.tracking = need(pipeline::trackerOptionsFrom(json.at("tracking")));
    s.centroids = static_cast<pipeline::CentroidOutput>(
        wordFrom(json, "centroid_output", kCentroids, static_cast<std::size_t>(s.centroids)));
    s.keepEmptyFrames = !json.value("no_empty_frames", !s.keepEmptyFrames);
    s.queueMaxsize = json.value("queue_maxsize", s.queueMaxsize);
    s.groupThreads = json.value("paf_workers", s.groupThreads);
    s.decoder =
        static_cast<video::DecoderChoice>(wordFrom(json, "decoder", kDecoders, static_cast<std::size_t>(s.decoder)));
    if (s.inference.batchSize < inference::kAutomaticBatch || s.inference.batchSize > 4096 || s.queueMaxsize < 1 ||
        s.queueMaxsize > 65536 || s.groupThreads < 1 || s.groupThreads > 256)
        throw Error(ErrorCode::InvalidArgument,
                    "batch_size must be from 1 to 4096, queue_maxsize to 65536 and paf_workers to 256.");
    entry.existing =
        static_cast<ExistingOutput>(wordFrom(json, "existing", kExisting, static_cast<std::size_t>(entry.existing)));
    entry.resume = json.value("resume", entry.resume);
    entry.interrupted = json.value("interrupted", entry.interrupted);
    entry.paused = json.value("paused", entry.paused);
    const std::string state = json.value("state", std::string(toString(EntryState::Waiting)));
    for (const EntryState candidate : kStates)
        if (state == toString(candidate))
            entry.state = candidate;
    entry.reason = json.value("reason", std::string());
    entry.notes = json.value("notes", std::vector<std::string>());
    entry.framesDone = json.value("frames_done", std::int64_t{0});
    entry.framesTotal = json.value("frames_total", std::int64_t{0});
    entry.framesResumed = json.value("frames_resumed", std::int64_t{0});
    entry.instances = json.value("instances", std::int64_t{0});
    entry.reachedEnd = json.value("reached_end", false);
    entry.startedAt = json.value("started", std::string());
    entry.endedAt = json.value("ended", std::string());
    entry.seconds = json.value("seconds", 0.0);
    entry.log = pathFrom(json.value("log", std::string()), folder);
    return entry;
}

}  // namespace

Result<void> writeQueue(const fs::path& file, const std::vector<Entry>& entries) {
    Json json{{"format", kFormat}, {"version", kVersion}};
    Json& list = json["entries"] = Json::array();
    for (const Entry& entry : entries)
        list.push_back(asJson(entry));
    return writeAtomically(file, [&](const fs::path& temporary) -> Result<void> {
        std::ofstream out(temporary, std::ios::binary);
        // Names of files may be of any bytes; JSON is of characters.
        out << json.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
        out.close();
        if (!out)
            return fail(ErrorCode::Io, "The queue could not be written; is the disk full?");
        return {};
    });
}

Result<std::vector<Entry>> readQueue(const fs::path& file, const Entry& usual) {
    std::error_code ec;
    if (!fs::exists(file, ec))
        return fail(ErrorCode::NotFound, "There is no file " + file.string() + ".");
    const bool isFile = fs::is_regular_file(file, ec);
    std::ifstream in(isFile ? file : fs::path(), std::ios::binary);
    if (!in)
        return fail(ErrorCode::Io, "Cannot read " + file.string() + ".");
    if (fs::file_size(file, ec) > kLargestFile || ec)
        return fail(ErrorCode::Format, file.string() + " is too large for a list of runs.");
    const Json json = Json::parse(in, nullptr, false);
    if (json.is_discarded())
        return fail(ErrorCode::Format,
                    file.string() + " cannot be read as JSON. Mend it, or move it away to begin anew.");
    const Json* list = json.is_array()                                ? &json
                       : json.is_object() && json.contains("entries") ? &json["entries"]
                                                                      : nullptr;
    if (list == nullptr || !list->is_array() ||
        (json.is_object() && json.value("format", kFormat) != std::string(kFormat)))
        return fail(ErrorCode::Format, file.string() + " holds no list of runs: an object with \"entries\" is wanted.");
    if (json.is_object() && json.contains("version") && json["version"] != kVersion)
        return fail(ErrorCode::Format, file.string() + " was written by another version of Skein.");
    std::vector<Entry> entries;
    const fs::path folder = fs::absolute(file, ec).parent_path();
    for (const Json& item : *list) {
        const std::string where = "in entry " + std::to_string(entries.size() + 1) + " of " + file.string();
        try {
            entries.push_back(entryFrom(item, folder, usual));
        } catch (const Error& error) {
            return fail(Error(error).withContext(where));
        } catch (const nlohmann::json::exception&) {
            return fail(Error(ErrorCode::Format, "A value is of the wrong kind " + where + "."));
        }
    }
    return entries;
}

}  // namespace skein::batch
