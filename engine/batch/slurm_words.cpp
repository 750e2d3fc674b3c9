// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/slurm_words.h"

#include <array>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

namespace skein::batch {
namespace {

/// Where a command's words hold the first, the second is what is wrong and what to do.
struct Complaint {
    std::string_view words;
    const char* sentence;
};
constexpr const char* kNoCluster =
    "No cluster is known here: Slurm's programs are installed, and find none that they belong to. Run this on a login "
    "node of the cluster, or name its configuration in SLURM_CONF.";
constexpr std::array kComplaints{
    Complaint{"configuration source", kNoCluster},
    Complaint{"configuration file", kNoCluster},
    Complaint{"nvalid time limit", "The time is not one that this cluster takes; write hours:minutes:seconds."},
    Complaint{"Requested time limit is invalid",
              "The partition does not allow that much time: ask for less, or for another partition; \"sinfo\" lists "
              "them with their limits."},
    Complaint{"Invalid --mem", "The memory is not one that this cluster takes; write it as 16G."},
    Complaint{"Memory specification can not be satisfied",
              "No node of the partition has that much memory: ask for less, or for another partition."},
    Complaint{"invalid partition", "The cluster has no such partition; \"sinfo\" lists those that there are."},
    Complaint{"Invalid partition", "The cluster has no such partition; \"sinfo\" lists those that there are."},
    Complaint{"Invalid account",
              "The account is not known, or not for this partition; \"sacctmgr show user $USER "
              "withassoc\" lists yours."},
    Complaint{"Invalid qos",
              "The quality of service (qos) is not known to the cluster; \"sacctmgr show qos\" lists "
              "those that there are."},
    Complaint{"group not permitted",
              "You may not use this partition; choose another, or ask the cluster's "
              "administrators."},
    Complaint{"Requested node configuration is not available",
              "No node of the partition has what is asked for: ask for fewer cores, less memory or fewer GPUs, or for "
              "another partition."},
    Complaint{"More processors requested than permitted",
              "More cores are asked for than the partition allows: ask for fewer."},
    Complaint{"generic resource",
              "The cluster has no such GPUs; write a number, or kind and number as a100:1, or "
              "leave it empty."},
    Complaint{"TRES", "The cluster has no such GPUs; write a number, or kind and number as a100:1, or leave it empty."},
    Complaint{"Invalid job array", "The cluster does not allow so many tasks: cut each video into fewer."},
    Complaint{"QOS policy",
              "The cluster's rules allow you less than is asked for: ask for less, or wait until other "
              "jobs of yours have ended."},
    Complaint{"Unable to contact", "The cluster's controller does not answer; try again in a while."},
    Complaint{"Connection refused", "The cluster's controller does not answer; try again in a while."},
    Complaint{"unrecognized option", "One of the further options is none of sbatch's."},
    Complaint{"nvalid option", "One of the further options is none of sbatch's."},
};

const char* generalSentence(const std::string& command) {
    static const std::map<std::string, const char*> kSentences = {
        {"sbatch",
         "The cluster did not take the job; look at the values that are asked for, or ask its administrators."},
        {"scancel", "The job could not be ended; try again, or end it on a login node with scancel."}};
    const auto found = kSentences.find(command);
    return found != kSentences.end() ? found->second : "The cluster does not say how the job stands; try again.";
}

/// In one line, without the name of the command before each.
std::string inOneLine(const std::string& command, const std::string& words) {
    std::string text;
    std::stringstream stream(words);
    for (std::string line; std::getline(stream, line);) {
        for (const std::string& head : {command + ": ", std::string("error: "), std::string("slurm_load_jobs error: ")})
            if (line.starts_with(head))
                line.erase(0, head.size());
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '.'))
            line.pop_back();
        if (!line.empty())
            text += (text.empty() ? "" : "; ") + line;
    }
    return text;
}

}  // namespace

std::string complaintOf(const std::string& command, const std::string& words) {
    std::string sentence = generalSentence(command);
    for (const Complaint& complaint : kComplaints)
        if (words.find(complaint.words) != std::string::npos) {
            sentence = complaint.sentence;
            break;
        }
    const std::string said = inOneLine(command, words);
    return said.empty() ? sentence : sentence + " (" + command + ": " + said + ".)";
}

bool isSlurmTime(const std::string& text) {
    // The first number may be any, those after it are less than one of the unit before.
    static const std::regex kTime(
        R"((\d+)|(\d+(:[0-5]?\d){1,2})|(\d+-([01]?\d|2[0-3])(:[0-5]?\d){0,2})|UNLIMITED|INFINITE)");
    return text.empty() || std::regex_match(text, kTime);
}

bool isSlurmMemory(const std::string& text) {
    static const std::regex kMemory(R"(\d+[KMGT]?)", std::regex::icase);
    return text.empty() || std::regex_match(text, kMemory);
}

std::string waitingReason(const std::string& word) {
    static const std::map<std::string, std::string> kWords = {
        {"PartitionConfig", "no node of the partition has what is asked for: ask for fewer cores or less memory"},
        {"PartitionNodeLimit", "no node of the partition has what is asked for: ask for fewer cores or less memory"},
        {"BadConstraints", "no node has what is asked for: ask for less, or for another partition"},
        {"PartitionTimeLimit", "the partition allows less time than is asked for"},
        {"ReqNodeNotAvail", "the nodes that would do are not available"},
        {"PartitionDown", "the partition is down"},
        {"JobHeldUser", "it is held; \"scontrol release\" lets it go"},
        {"JobHeldAdmin", "the cluster's administrator holds it"}};
    // Slurm adds details behind a comma.
    const auto words = kWords.find(word.substr(0, word.find(',')));
    return words == kWords.end() ? word : words->second + " (" + word + ")";
}

std::string describe(const SlurmTaskState& state) {
    static const std::map<std::string, std::string> kWords = {
        {"TIMEOUT", "it ran out of the time that was asked for"},
        {"OUT_OF_MEMORY", "it needed more memory than was asked for"},
        {"NODE_FAIL", "its node failed"},
        {"CANCELLED", "it was cancelled"},
        {"FAILED", "it ended with an error"},
        {"PREEMPTED", "other jobs pushed it out"},
        {"COMPLETED", "it ended without its result"},
        {"UNKNOWN", "the cluster does not know how it ended"}};
    const auto words = kWords.find(state.state);
    return (words != kWords.end() ? words->second : "it ended") + " (" + state.state +
           (state.reason.empty() ? "" : ", " + state.reason) + ")";
}

}  // namespace skein::batch
