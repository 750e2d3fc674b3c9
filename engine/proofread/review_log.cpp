// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/review_log.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "engine/base/atomic_file.h"

namespace skein::proofread {

namespace {

using Json = nlohmann::ordered_json;

// Issues move a little when others near them are settled.
constexpr std::int64_t kMoved = 5;
// A fixed issue that is as severe as this share of what it was is not fixed any more.
constexpr double kBack = 0.8;
constexpr int kVersion = 1;

constexpr std::string_view kVerdicts[] = {"", "right", "wrong", "unsure"};

/// File and dataset.
std::string videoName(const project::Video& video) {
    return video.dataset.empty() ? video.filename : video.filename + ":" + video.dataset;
}

constexpr const char* nameOf(ReviewState state) {
    return state == ReviewState::Fixed ? "fixed" : "dismissed";
}

}  // namespace

std::filesystem::path ReviewLog::pathFor(const std::filesystem::path& project) {
    std::filesystem::path file = project;
    file += ".review.json";
    return file;
}

ReviewLog::Record ReviewLog::recordOf(const project::Labels& labels, const Issue& issue) {
    Record record;
    record.kind = issue.kind;
    if (issue.video < labels.videos().size())
        record.video = videoName(labels.videos()[issue.video]);
    record.first = issue.first;
    record.last = issue.last;
    record.frame = issue.frame;
    for (const std::int32_t track : issue.tracks)
        if (track >= 0 && static_cast<std::size_t>(track) < labels.tracks().size())
            record.tracks.push_back(labels.tracks()[static_cast<std::size_t>(track)].name);
    std::sort(record.tracks.begin(), record.tracks.end());
    record.severity = issue.severity;
    return record;
}

bool ReviewLog::isSame(const Record& record, const Record& other) {
    return record.kind == other.kind && record.video == other.video && record.tracks == other.tracks &&
           record.first <= other.last + kMoved && other.first <= record.last + kMoved;
}

std::size_t ReviewLog::find(const Record& wanted) const {
    std::size_t best = m_records.size();
    for (std::size_t r = 0; r < m_records.size(); ++r)
        if (isSame(m_records[r], wanted) &&
            (best == m_records.size() ||
             std::abs(m_records[r].frame - wanted.frame) < std::abs(m_records[best].frame - wanted.frame)))
            best = r;
    return best;
}

ReviewState ReviewLog::stateOf(const Record& wanted, std::size_t known) const {
    if (known == m_records.size())
        return ReviewState::Open;
    const Record& record = m_records[known];
    if (record.state == ReviewState::Fixed && wanted.severity >= kBack * record.severity)
        return ReviewState::Open;
    return record.state;
}

void ReviewLog::setState(const project::Labels& labels, const Issue& issue, ReviewState state) {
    Record record = recordOf(labels, issue);
    record.state = state;
    const std::size_t known = find(record);
    if (state == ReviewState::Open) {
        if (known < m_records.size())
            m_records.erase(m_records.begin() + static_cast<std::ptrdiff_t>(known));
    } else if (known < m_records.size()) {
        m_records[known] = std::move(record);
    } else {
        m_records.push_back(std::move(record));
    }
}

std::vector<ReviewState> ReviewLog::statesOf(const project::Labels& labels, std::span<const Issue> issues) const {
    std::vector<ReviewState> states;
    states.reserve(issues.size());
    for (const Issue& issue : issues) {
        const Record wanted = recordOf(labels, issue);
        states.push_back(stateOf(wanted, find(wanted)));
    }
    return states;
}

ReviewLog::Progress ReviewLog::progress(const project::Labels& labels, std::span<const Issue> issues) const {
    Progress progress;
    std::set<std::size_t> met;
    for (const Issue& issue : issues) {
        const Record wanted = recordOf(labels, issue);
        const std::size_t known = find(wanted);
        if (known < m_records.size())
            met.insert(known);
        progress.reviewed += stateOf(wanted, known) != ReviewState::Open ? 1 : 0;
        ++progress.all;
    }
    for (std::size_t r = 0; r < m_records.size(); ++r)
        if (m_records[r].state == ReviewState::Fixed && met.count(r) == 0) {
            ++progress.reviewed;
            ++progress.all;
        }
    return progress;
}

void ReviewLog::setSample(const project::Labels& labels, std::optional<ReviewSample> sample) {
    m_sampleNames.clear();
    m_sample = std::move(sample);
    if (!m_sample)
        return;
    for (const SampleItem& item : m_sample->items) {
        Names names;
        if (item.video < labels.videos().size())
            names.video = videoName(labels.videos()[item.video]);
        for (const std::int32_t track : item.tracks)
            if (track >= 0 && static_cast<std::size_t>(track) < labels.tracks().size())
                names.tracks.push_back(labels.tracks()[static_cast<std::size_t>(track)].name);
        m_sampleNames.push_back(std::move(names));
    }
}

void ReviewLog::setVerdict(std::size_t item, Verdict verdict, std::uint64_t seen) {
    if (!m_sample || item >= m_sample->items.size())
        return;
    m_sample->items[item].verdict = verdict;
    m_sample->items[item].seen = seen;
}

std::optional<ReviewSample> ReviewLog::sample(const project::Labels& labels) const {
    if (!m_sample)
        return std::nullopt;
    std::unordered_map<std::string, std::int32_t> tracks;
    for (std::size_t t = 0; t < labels.tracks().size(); ++t)
        tracks.try_emplace(labels.tracks()[t].name, static_cast<std::int32_t>(t));
    std::unordered_map<std::string, std::uint32_t> videos;
    for (std::uint32_t v = 0; v < labels.videos().size(); ++v)
        videos.try_emplace(videoName(labels.videos()[v]), v);
    ReviewSample sample = *m_sample;
    for (std::size_t i = 0; i < sample.items.size(); ++i) {
        SampleItem& item = sample.items[i];
        const auto video = videos.find(m_sampleNames[i].video);
        item.video = video != videos.end() ? video->second : static_cast<std::uint32_t>(labels.videos().size());
        item.tracks.clear();
        for (const std::string& name : m_sampleNames[i].tracks)
            if (const auto track = tracks.find(name); track != tracks.end())
                item.tracks.push_back(track->second);
    }
    return sample;
}

Result<ReviewLog> ReviewLog::read(const std::filesystem::path& file) {
    ReviewLog log;
    std::error_code ec;
    if (!std::filesystem::exists(file, ec))
        return log;
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    if (!stream)
        return fail(ErrorCode::Io, "The review notes " + file.string() + " cannot be read.");
    try {
        const Json json = Json::parse(text.str());
        if (json.at("version").get<int>() > kVersion)
            return fail(ErrorCode::Format,
                        "The review notes " + file.string() + " were written by a newer version of Skein.");
        for (const Json& row : json.at("issues")) {
            const auto kind = issueKindOf(row.at("kind").get<std::string>());
            const auto state = row.at("state").get<std::string>();
            if (!kind || (state != "fixed" && state != "dismissed"))
                continue;  // of a kind that this version does not look for
            Record record;
            record.kind = *kind;
            record.video = row.at("video").get<std::string>();
            record.first = row.at("first").get<std::int64_t>();
            record.last = row.at("last").get<std::int64_t>();
            record.frame = row.at("frame").get<std::int64_t>();
            record.tracks = row.at("tracks").get<std::vector<std::string>>();
            record.severity = row.at("severity").get<double>();
            record.state = state == "fixed" ? ReviewState::Fixed : ReviewState::Dismissed;
            log.m_records.push_back(std::move(record));
        }
        if (json.contains("sample")) {
            const Json& drawn = json.at("sample");
            ReviewSample sample;
            sample.seed = drawn.at("seed").get<std::uint64_t>();
            sample.encounters = drawn.at("encounters").get<std::size_t>();
            sample.frames = drawn.at("frames").get<std::size_t>();
            for (const Json& row : drawn.at("items")) {
                SampleItem item;
                item.encounter = row.at("encounter").get<bool>();
                item.frame = row.at("frame").get<std::int64_t>();
                item.first = row.at("first").get<std::int64_t>();
                item.last = row.at("last").get<std::int64_t>();
                const auto verdict = row.at("verdict").get<std::string>();
                const auto known = std::find(std::begin(kVerdicts), std::end(kVerdicts), verdict);
                if (known != std::end(kVerdicts))
                    item.verdict = static_cast<Verdict>(known - std::begin(kVerdicts));
                item.seen = row.value("seen", std::uint64_t{0});
                sample.items.push_back(item);
                log.m_sampleNames.push_back(
                    {row.at("video").get<std::string>(), row.at("tracks").get<std::vector<std::string>>()});
            }
            log.m_sample = std::move(sample);
        }
    } catch (const Json::exception&) {
        return fail(ErrorCode::Format, "The file " + file.string() +
                                           " does not hold review notes; move it away to begin the review anew.");
    }
    return log;
}

Result<void> ReviewLog::write(const std::filesystem::path& file) const {
    Json json;
    json["version"] = kVersion;
    json["issues"] = Json::array();
    for (const Record& record : m_records)
        json["issues"].push_back({{"kind", proofread::nameOf(record.kind)},
                                  {"video", record.video},
                                  {"first", record.first},
                                  {"last", record.last},
                                  {"frame", record.frame},
                                  {"tracks", record.tracks},
                                  {"severity", record.severity},
                                  {"state", nameOf(record.state)}});
    if (m_sample) {
        Json items = Json::array();
        for (std::size_t i = 0; i < m_sample->items.size(); ++i) {
            const SampleItem& item = m_sample->items[i];
            items.push_back({{"encounter", item.encounter},
                             {"video", m_sampleNames[i].video},
                             {"frame", item.frame},
                             {"first", item.first},
                             {"last", item.last},
                             {"tracks", m_sampleNames[i].tracks},
                             {"verdict", std::string(kVerdicts[static_cast<std::size_t>(item.verdict)])}});
            if (item.seen != 0)
                items.back()["seen"] = item.seen;
        }
        json["sample"] = {{"seed", m_sample->seed},
                          {"encounters", m_sample->encounters},
                          {"frames", m_sample->frames},
                          {"items", std::move(items)}};
    }
    // A name in a file may hold bytes that are no text.
    const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
    return writeAtomically(file, [&](const std::filesystem::path& temporary) -> Result<void> {
        std::ofstream stream(temporary, std::ios::binary);
        stream << text << '\n';
        stream.close();
        if (!stream)
            return fail(ErrorCode::Io, "The review notes " + file.string() + " cannot be written.");
        return {};
    });
}

}  // namespace skein::proofread
