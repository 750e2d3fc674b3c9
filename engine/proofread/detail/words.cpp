// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/words.h"

#include <array>
#include <cstdio>

namespace skein::proofread {

namespace {

std::string number(double value, int decimals) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string px(double value) {
    return number(value, value < 10 ? 1 : 0) + " px";
}

std::string frames(std::int64_t count) {
    return count == 1 ? "1 frame" : std::to_string(count) + " frames";
}

}  // namespace

std::string Words::track(std::int32_t index) const {
    const bool known = index >= 0 && static_cast<std::size_t>(index) < m_labels.tracks().size();
    return known ? "\"" + m_labels.tracks()[static_cast<std::size_t>(index)].name + "\"" : "a track";
}

std::string Words::instance(std::int32_t index) const {
    return index < 0 ? "an instance without track" : track(index);
}

std::string Words::swapGain(const Signal& s) const {
    return track(s.a) + " and " + track(s.b) + " move " + px(s.other) +
           " off their expected ways if they change over here, and " + px(s.value) + " if they do not.";
}

std::string Words::otherLinks(const Signal& s) const {
    return "By its pose or its box, " + track(s.a) + " continues " + track(s.b) + " here.";
}

std::string Words::reappears(const Signal& s) const {
    return track(s.a) + " comes back after " + frames(static_cast<std::int64_t>(s.other)) + ", " + px(s.value) +
           " from where it was.";
}

std::string Words::jumps(const Signal& s) const {
    return track(s.a) + " moves " + px(s.value) + " a frame here; the usual is " + px(s.other) + ".";
}

std::string Words::breaks(std::int32_t from, std::int32_t to, std::int64_t count, double distance) const {
    return track(from) + " ends, and " + track(to) + " begins " + frames(count) + " later, " + px(distance) + " away.";
}

std::string Words::isShort(std::int32_t index, std::int64_t count) const {
    return track(index) + " is there for " + frames(count) + " only.";
}

std::string Words::isNew(std::int32_t index) const {
    return track(index) + " begins here, and no track ended nearby shortly before.";
}

std::string Words::flips(std::int32_t index, std::int64_t count) const {
    return "Left and right of " + instance(index) + " are exchanged for " + frames(count) + ".";
}

std::string Words::edge(const PoseDoubt& d) const {
    // Issues of several skeletons are rare; the first that has the edge gives the names.
    std::string name = "An edge";
    for (const project::Skeleton& skeleton : m_labels.skeletons())
        if (static_cast<std::size_t>(d.edge) < skeleton.edges.size()) {
            const project::Edge& edge = skeleton.edges[static_cast<std::size_t>(d.edge)];
            name = "The edge from " + skeleton.nodes[static_cast<std::size_t>(edge.source)] + " to " +
                   skeleton.nodes[static_cast<std::size_t>(edge.destination)];
            break;
        }
    return name + " of " + instance(d.a) + " is " + px(static_cast<double>(d.value)) + " long; the usual is " +
           px(static_cast<double>(d.other)) + ".";
}

std::string Words::lowScore(const PoseDoubt& d, double usual) const {
    return "The nodes of " + instance(d.a) + " have a mean score of " + number(static_cast<double>(d.value), 2) +
           "; the usual is " + number(usual, 2) + ".";
}

std::string Words::meet(std::int32_t a, std::int32_t b, std::int64_t count) const {
    return track(a) + " and " + track(b) + " are very near each other for " + frames(count) + ".";
}

std::string Words::duplicate(const PoseDoubt& d, std::int64_t count) const {
    const std::string first = instance(d.a), second = instance(d.b);
    const std::string both = d.a < 0 && d.b < 0 ? "Two instances without track" : first + " and " + second;
    return both + " lie on one another for " + frames(count) + ".";
}

std::string Words::count(std::size_t count, std::size_t usual, std::int64_t over) const {
    return "There " + std::string(count == 1 ? "is 1 instance" : "are " + std::to_string(count) + " instances") +
           " for " + frames(over) + "; the usual is " + std::to_string(usual) + ".";
}

}  // namespace skein::proofread
