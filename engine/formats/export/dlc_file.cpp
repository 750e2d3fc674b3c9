// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "engine/formats/export/text_file.h"
#include "engine/formats/export/track_table.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/try.h"
#include "engine/formats/video_path.h"

namespace skein::formats::exporting {

namespace {

constexpr const char* kScorer = "Skein";

/// One row of the head: its name, and a cell for each coordinate of each node of each place.
template <class Cell>
void putHead(TextFile& out, const char* name, std::size_t places, std::size_t nodes, Cell cell) {
    out.put(name);
    for (std::size_t place = 0; place < places; ++place)
        for (std::size_t node = 0; node < nodes; ++node)
            for (std::size_t part = 0; part < 3; ++part) {
                out.put(',');
                out.cell(std::string_view(cell(place, node, part)));
            }
    out.put('\n');
}

/// Readers know individuals by name alone: of equal ones, and of those without any, each gets a number.
std::vector<std::string> differing(const std::vector<std::string>& names) {
    std::vector<std::string> result;
    std::set<std::string> taken;
    for (const std::string& name : names) {
        std::string free = name.empty() ? "track" : name;
        for (int number = 2; !taken.insert(free).second; ++number)
            free = (name.empty() ? "track" : name) + "_" + std::to_string(number);
        result.push_back(free);
    }
    return result;
}

/// "img0012.png", or the picture's own name in a list of pictures.
std::string imageName(const project::Video& video, std::int64_t frame, int digits) {
    if (static_cast<std::size_t>(frame) < video.imageFiles.size())
        return storedBaseName(video.imageFiles[static_cast<std::size_t>(frame)]);
    std::string number = std::to_string(frame);
    number.insert(0, static_cast<std::size_t>(std::max(0, digits - static_cast<int>(number.size()))), '0');
    return "img" + number + ".png";
}

}  // namespace

Result<void> writeDlc(const Task& task, std::uint32_t video, const std::filesystem::path& path) {
    SKEIN_TRY(table, makeTrackTable(task.labels, video));
    task.report.leftOut += table.leftOut;
    const project::Video& source = task.labels.videos()[video];
    const auto& nodes = task.labels.skeletons().front().nodes;
    const std::size_t places = table.places();
    TextFile out(path);
    putHead(out, "scorer", places, nodes.size(), [](auto, auto, auto) { return kScorer; });
    if (places > 1) {
        const std::vector<std::string> names = differing(table.names);
        putHead(out, "individuals", places, nodes.size(), [&](std::size_t place, auto, auto) { return names[place]; });
    }
    putHead(out, "bodyparts", places, nodes.size(), [&](auto, std::size_t node, auto) { return nodes[node]; });
    putHead(out, "coords", places, nodes.size(), [](auto, auto, std::size_t part) {
        return std::array<const char*, 3>{"x", "y", "likelihood"}[part];
    });
    // Names of one length sort as numbers do.
    const int digits = std::max(4, static_cast<int>(std::to_string(table.frameCount - 1).size()));
    const std::string folder = "labeled-data/" + stemOf(source) + "/";
    std::size_t done = 0;
    const auto putFrame = [&](std::int64_t frame, std::span<const PlacedInstance> placed) -> Result<void> {
        if (done++ % kStepRows == 0)
            SKEIN_CHECK(task.step("rows", done, table.rows.size()));
        if (placed.empty())
            return {};
        out.cell(folder + imageName(source, frame, digits));
        auto next = placed.begin();
        for (std::size_t place = 0; place < places; ++place) {
            const PlacedInstance* here = next != placed.end() && next->place == place ? &*next++ : nullptr;
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                const bool isThere =
                    here != nullptr && n < here->instance.points.size() && here->instance.points[n].exists();
                if (!isThere) {
                    out.put(",,,");
                    continue;
                }
                const project::Point& p = here->instance.points[n];
                out.put(',');
                out.number(p.x);
                out.put(',');
                out.number(p.y);
                out.put(',');
                // What a person placed is certain; readers drop points that are less.
                out.cell(here->instance.header->kind == project::InstanceKind::User ? 1.0 : p.score);
            }
        }
        out.put('\n');
        task.report.instances += placed.size();
        return out.check();
    };
    SKEIN_CHECK(visitFrames(task.labels, table, putFrame));
    return out.close();
}

}  // namespace skein::formats::exporting
