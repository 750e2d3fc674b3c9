// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/review_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <string_view>
#include <tuple>

#include "engine/base/atomic_file.h"

namespace skein::proofread {

namespace {

/// `count` of 0..size-1 in the order in which they were drawn, so that the first of them are a sample too and a person
/// may stop early. Written out, since the standard's distributions differ between libraries.
std::vector<std::size_t> draw(std::size_t size, std::size_t count, std::mt19937_64& random) {
    std::vector<std::size_t> all(size);
    for (std::size_t i = 0; i < size; ++i)
        all[i] = i;
    count = std::min(count, size);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t left = size - i;
        // What does not divide evenly is drawn again.
        const std::uint64_t usable = std::numeric_limits<std::uint64_t>::max() / left * left;
        std::uint64_t value = random();
        while (value >= usable)
            value = random();
        std::swap(all[i], all[i + static_cast<std::size_t>(value % left)]);
    }
    all.resize(count);
    return all;
}

bool hasTrack(const project::FrameView& frame) {
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (frame.instance(i).header->track >= 0)
            return true;
    return false;
}

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text) {
        if (c == '&')
            html += "&amp;";
        else if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else if (c == '"')
            html += "&quot;";
        else
            html += c;
    }
    return html;
}

std::string percent(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
    return text.data();
}

const char* wordOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Right:
            return "right";
        case Verdict::Wrong:
            return "wrong";
        case Verdict::Unsure:
            return "unclear";
        case Verdict::Unanswered:
            break;
    }
    return "not judged";
}

std::string paragraphOf(const ReviewSample& sample, bool encounters) {
    return rateOf(sample, encounters).asked == 0 ? std::string() : "<p>" + sentenceOf(sample, encounters) + "</p>\n";
}

std::string rateRow(const char* what, std::size_t population, const ErrorRate& rate) {
    std::string row = std::string("<tr><td>") + what + "</td><td>" + std::to_string(rate.asked) + " of " +
                      std::to_string(population) + "</td><td>" + std::to_string(rate.answered) + "</td><td>" +
                      std::to_string(rate.wrong) + "</td><td>" + std::to_string(rate.unsure) + "</td>";
    if (rate.answered == 0)
        return row + "<td>-</td><td>-</td></tr>\n";
    return row + "<td>" + percent(rate.rate) + "</td><td>" + percent(rate.interval.low) + " to " +
           percent(rate.interval.high) + "</td></tr>\n";
}

}  // namespace

ReviewSample drawSample(const project::Labels& labels, std::span<const Issue> issues, std::size_t encounters,
                        std::size_t frames, std::uint64_t seed) {
    ReviewSample sample;
    sample.seed = seed;
    std::mt19937_64 random(seed);
    std::vector<const Issue*> meetings;
    for (const Issue& issue : issues)
        if (issue.kind == IssueKind::Encounter)
            meetings.push_back(&issue);
    std::sort(meetings.begin(), meetings.end(), [](const Issue* a, const Issue* b) {
        return std::tie(a->video, a->first, a->tracks) < std::tie(b->video, b->first, b->tracks);
    });
    sample.encounters = meetings.size();
    for (const std::size_t k : draw(meetings.size(), encounters, random))
        sample.items.push_back({true, meetings[k]->video, meetings[k]->frame, meetings[k]->first, meetings[k]->last,
                                meetings[k]->tracks, Verdict::Unanswered});

    std::vector<std::pair<std::uint32_t, std::size_t>> all;  // video and row of frames with a track
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        for (const std::size_t row : labels.rowsOf(video))
            if (hasTrack(labels.frame(row)))
                all.emplace_back(video, row);
    sample.frames = all.size();
    for (const std::size_t k : draw(all.size(), frames, random)) {
        const project::FrameView frame = labels.frame(all[k].second);
        SampleItem item{false, all[k].first,       frame.frameIndex(), frame.frameIndex(), frame.frameIndex(),
                        {},    Verdict::Unanswered};
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (frame.instance(i).header->track >= 0)
                item.tracks.push_back(frame.instance(i).header->track);
        std::sort(item.tracks.begin(), item.tracks.end());
        item.tracks.erase(std::unique(item.tracks.begin(), item.tracks.end()), item.tracks.end());
        sample.items.push_back(std::move(item));
    }
    return sample;
}

Result<ReviewSample> sampleProject(const project::Labels& labels, const SampleSpec& spec, const Progress& progress,
                                   std::stop_token stop) {
    IssueOptions options;
    // Every encounter must be as likely to be drawn as any other, not only the closest ones.
    options.mostOfKind = std::numeric_limits<std::size_t>::max();
    auto issues = findIssues(labels, options, progress, std::move(stop));
    if (!issues)
        return fail(std::move(issues.error()));
    return drawSample(labels, *issues, spec.encounters, spec.frames, spec.seed);
}

std::uint64_t tracksSeen(const project::Labels& labels, const SampleItem& item) {
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a: the value is kept in a file
    const auto add = [&hash](std::string_view bytes) {
        for (const char byte : bytes)
            hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
        hash = (hash ^ 0xFFU) * 1099511628211ULL;
    };
    for (std::int64_t f = item.first; f <= item.last && item.video < labels.videos().size(); ++f) {
        const auto row = labels.findFrame(item.video, f);
        if (!row)
            continue;
        const project::FrameView frame = labels.frame(*row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const std::int32_t track = frame.instance(i).header->track;
            if (track < 0 ||
                (item.encounter && std::find(item.tracks.begin(), item.tracks.end(), track) == item.tracks.end()))
                continue;
            add(std::to_string(f));
            add(std::to_string(i));
            add(labels.tracks()[static_cast<std::size_t>(track)].name);
        }
    }
    return std::max<std::uint64_t>(hash, 1);
}

std::vector<std::size_t> changedSince(const project::Labels& labels, const ReviewSample& sample) {
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < sample.items.size(); ++i) {
        const SampleItem& item = sample.items[i];
        if (item.verdict != Verdict::Unanswered && item.seen != 0 && tracksSeen(labels, item) != item.seen)
            changed.push_back(i);
    }
    return changed;
}

std::string warningOf(std::size_t changed) {
    if (changed == 0)
        return {};
    return "The tracks have been changed since " + std::to_string(changed) + " of these answers " +
           (changed == 1 ? "was" : "were") + " given.";
}

Interval wilsonInterval(std::size_t wrong, std::size_t count, double z) {
    if (count == 0)
        return {};
    const auto n = static_cast<double>(count);
    const double p = static_cast<double>(wrong) / n, zz = z * z;
    const double centre = (p + zz / (2 * n)) / (1 + zz / n);
    const double half = z / (1 + zz / n) * std::sqrt(p * (1 - p) / n + zz / (4 * n * n));
    return {wrong == 0 ? 0 : std::max(0.0, centre - half), wrong == count ? 1 : std::min(1.0, centre + half)};
}

ErrorRate rateOf(const ReviewSample& sample, bool encounters) {
    ErrorRate rate;
    for (const SampleItem& item : sample.items) {
        if (item.encounter != encounters)
            continue;
        ++rate.asked;
        rate.answered += item.verdict == Verdict::Right || item.verdict == Verdict::Wrong ? 1 : 0;
        rate.wrong += item.verdict == Verdict::Wrong ? 1 : 0;
        rate.unsure += item.verdict == Verdict::Unsure ? 1 : 0;
    }
    if (rate.answered > 0)
        rate.rate = static_cast<double>(rate.wrong) / static_cast<double>(rate.answered);
    rate.interval = wilsonInterval(rate.wrong, rate.answered);
    return rate;
}

std::string sentenceOf(const ReviewSample& sample, bool encounters) {
    const ErrorRate rate = rateOf(sample, encounters);
    const std::string of = " of " + std::to_string(encounters ? sample.encounters : sample.frames) +
                           (encounters ? " encounters" : " frames");
    const std::string drawn = std::to_string(rate.asked) + of + (rate.asked == 1 ? " was" : " were") + " drawn";
    if (rate.answered == 0)
        return drawn + "; none of them is judged yet.";
    return drawn + "; identities are wrong in " + std::to_string(rate.wrong) + " of the " +
           std::to_string(rate.answered) + " that could be judged: " + percent(rate.rate) + " (95 % interval " +
           percent(rate.interval.low) + " to " + percent(rate.interval.high) + ").";
}

std::string reportHtml(const project::Labels& labels, const ReviewSample& sample, const ReportFacts& facts) {
    const std::vector<std::size_t> changed = changedSince(labels, sample);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Identity review</title>\n"
        "<style>body{font:15px/1.5 sans-serif;max-width:56em;margin:2em auto;padding:0 1em;color:#222;"
        "background:#fff}table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #bbb;padding:3px 6px;"
        "text-align:left}th{background:#eee}</style></head><body>\n<h1>Identity review</h1>\n<p>" +
        escaped(facts.project) + ", reviewed " + escaped(facts.date) + " with Skein " + escaped(facts.version) +
        ".</p>\n<table><tr><th>Sample</th><th>Drawn</th><th>Judged</th><th>Wrong</th>"
        "<th>Unclear</th><th>Error rate</th><th>95 % interval</th></tr>\n" +
        rateRow("Encounters", sample.encounters, rateOf(sample, true)) +
        rateRow("Frames", sample.frames, rateOf(sample, false)) + "</table>\n" + paragraphOf(sample, true) +
        paragraphOf(sample, false) + (changed.empty() ? "" : "<p><b>" + warningOf(changed.size()) + "</b></p>\n") +
        "<p>Items were drawn at random without replacement (seed " + std::to_string(sample.seed) +
        "). An encounter is a stretch in which two animals are within half a body length of each other; it is wrong if "
        "an identity changes in it. A frame is wrong if any of its identities is. Unclear answers are left out. The "
        "interval is Wilson's score interval at 95 %. Frames are counted from " +
        std::to_string(facts.firstFrame) +
        ".</p>\n<table><tr><th>Kind</th><th>Video</th><th>Frames</th>"
        "<th>Tracks</th><th>Answer</th></tr>\n";
    const auto number = [&facts](std::int64_t frame) { return std::to_string(frame + facts.firstFrame); };
    for (std::size_t i = 0; i < sample.items.size(); ++i) {
        const SampleItem& item = sample.items[i];
        std::string tracks;
        for (const std::int32_t track : item.tracks)
            if (static_cast<std::size_t>(track) < labels.tracks().size())
                tracks += (tracks.empty() ? "" : ", ") + labels.tracks()[static_cast<std::size_t>(track)].name;
        const std::string frames =
            item.first == item.last ? number(item.frame) : number(item.first) + " to " + number(item.last);
        html += std::string("<tr><td>") + (item.encounter ? "encounter" : "frame") + "</td><td>" +
                escaped(item.video < labels.videos().size() ? labels.videos()[item.video].filename : "") + "</td><td>" +
                frames + "</td><td>" + escaped(tracks) + "</td><td>" + wordOf(item.verdict) +
                (std::binary_search(changed.begin(), changed.end(), i) ? " (tracks changed since)" : "") +
                "</td></tr>\n";
    }
    return html + "</table>\n</body></html>\n";
}

Result<void> writeReport(const std::filesystem::path& file, const project::Labels& labels, const ReviewSample& sample,
                         const ReportFacts& facts) {
    const std::string html = reportHtml(labels, sample, facts);
    return writeAtomically(file, [&](const std::filesystem::path& temporary) -> Result<void> {
        std::ofstream stream(temporary, std::ios::binary);
        stream << html;
        stream.close();
        if (!stream)
            return fail(ErrorCode::Io, "The report " + file.string() + " cannot be written.");
        return {};
    });
}

}  // namespace skein::proofread
