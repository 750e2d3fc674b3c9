// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/slurm.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine/batch/slurm_words.h"
#include "engine/batch/system_command.h"

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Runs one of Slurm's commands; what it complains of becomes the error.
Result<std::string> slurm(const std::vector<std::string>& command) {
    auto output = runCommand(command);
    if (!output)
        return fail(output.error().code() == ErrorCode::NotFound
                        ? Error(ErrorCode::NotFound, "Slurm is not installed here: there is no " + command.front() +
                                                         ". Run this on a login node of the cluster.")
                        : std::move(output.error()));
    if (output->exitCode != 0)
        return fail(ErrorCode::Io, complaintOf(command.front(), output->err.empty() ? output->out : output->err));
    return output->out;
}

std::optional<std::size_t> toNumber(const std::string& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, by);)
        parts.push_back(part);
    return parts;
}

Result<void> check(const SlurmPreset& preset) {
    if (!isSlurmTime(preset.time))
        return fail(ErrorCode::InvalidArgument,
                    "The time \"" + preset.time +
                        "\" is not one that Slurm takes: write hours:minutes:seconds, as 08:00:00, or days-hours, as "
                        "2-12, with less than 60 minutes and seconds and, after days, less than 24 hours.");
    if (!isSlurmMemory(preset.memory))
        return fail(ErrorCode::InvalidArgument,
                    "The memory \"" + preset.memory +
                        "\" is not one that Slurm takes: write a number and K, M, G or T, as 900M or 16G.");
    for (const auto& [name, value] : {std::pair("partition", &preset.partition), std::pair("account", &preset.account),
                                      std::pair("qos", &preset.qos), std::pair("number of GPUs", &preset.gpus)})
        if (value->find_first_of(" \t") != std::string::npos)
            return fail(ErrorCode::InvalidArgument,
                        "The " + std::string(name) + " \"" + *value + "\" cannot hold a space.");
    return {};
}

/// "0-3,7": tasks as sbatch takes them.
std::string arrayOf(const std::vector<std::size_t>& tasks) {
    std::string text;
    for (std::size_t i = 0; i < tasks.size();) {
        std::size_t end = i + 1;
        while (end < tasks.size() && tasks[end] == tasks[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : ",") + std::to_string(tasks[i]);
        if (end - i > 1)
            text += "-" + std::to_string(tasks[end - 1]);
        i = end;
    }
    return text;
}

}  // namespace

Result<void> findSlurm() {
    if (auto version = slurm({"sbatch", "--version"}); !version)
        return fail(std::move(version.error()));
    return {};
}

Result<SlurmPreset> readSlurmPreset(const std::string& nameOrFile) {
    SlurmPreset preset;
    if (nameOrFile == "cpu")
        return preset;
    if (nameOrFile == "gpu") {
        preset.gpus = "1";
        return preset;
    }
    if (fs::path(nameOrFile).extension() != ".json")
        return fail(ErrorCode::InvalidArgument,
                    "The preset must be cpu, gpu or a .json file, not \"" + nameOrFile + "\".");
    std::ifstream in(nameOrFile, std::ios::binary);
    if (!in)
        return fail(ErrorCode::NotFound, "There is no file " + nameOrFile + ".");
    const Json json = Json::parse(in, nullptr, false);
    if (!json.is_object())
        return fail(ErrorCode::Format, nameOrFile + " cannot be read as a JSON object.");
    try {
        for (const auto& [key, value] : json.items()) {
            const std::map<std::string, std::string*> texts = {
                {"partition", &preset.partition}, {"account", &preset.account}, {"qos", &preset.qos},
                {"time", &preset.time},           {"memory", &preset.memory},   {"gpus", &preset.gpus},
                {"setup", &preset.setup}};
            if (const auto text = texts.find(key); text != texts.end())
                *text->second = value.get<std::string>();
            else if (key == "cpus")
                preset.cpus = value.get<int>();
            else if (key == "most_at_once")
                preset.mostAtOnce = value.get<int>();
            else if (key == "options")
                preset.options = value.get<std::vector<std::string>>();
            else
                return fail(ErrorCode::InvalidArgument,
                            "There is no \"" + key + "\" in a preset for Slurm (" + nameOrFile + ").");
        }
    } catch (const nlohmann::json::exception&) {
        return fail(ErrorCode::Format, "A value in " + nameOrFile + " is of the wrong kind.");
    }
    if (preset.cpus < 1 || preset.mostAtOnce < 0)
        return fail(ErrorCode::InvalidArgument,
                    "cpus must be at least 1, most_at_once not negative (" + nameOrFile + ").");
    return preset;
}

Result<std::string> scriptText(const SlurmScript& script) {
    const SlurmPreset& p = script.preset;
    if (auto checked = check(p); !checked)
        return fail(std::move(checked.error()));
    std::string text = "#!/bin/bash\n";
    std::string broken;
    const auto option = [&](const std::string& name, const std::string& value) {
        if (value.empty())
            return;
        if (value.find_first_of("\r\n\"") != std::string::npos)
            broken = value;
        text += "#SBATCH " + name + (value.find(' ') == std::string::npos ? value : "\"" + value + "\"") + "\n";
    };
    option("--job-name=", script.name);
    option("--output=", script.log.string());
    text += "#SBATCH --open-mode=append\n";
    // A task that a node's failure or another job has pushed out begins again, and goes on where it was.
    text += "#SBATCH --requeue\n";
    text += "#SBATCH --ntasks=1\n";
    option("--cpus-per-task=", std::to_string(p.cpus));
    option("--mem=", p.memory);
    option("--time=", p.time);
    option("--gpus-per-task=", p.gpus);
    option("--partition=", p.partition);
    option("--account=", p.account);
    option("--qos=", p.qos);
    for (const std::string& further : p.options)
        option("", further);
    if (!broken.empty())
        return fail(ErrorCode::InvalidArgument,
                    "Slurm cannot be given \"" + broken + "\": it holds a quotation mark or a line break.");
    if (!p.setup.empty())
        text += p.setup + "\n";
    text += "exec";
    for (const std::string& word : script.command)
        text += " " + shellWord(word);
    return text + " \"$SLURM_ARRAY_TASK_ID\"\n";
}

Result<std::string> submitArray(const fs::path& script, const std::vector<std::size_t>& tasks, int mostAtOnce) {
    const std::string limit = mostAtOnce > 0 ? "%" + std::to_string(mostAtOnce) : "";
    auto out = slurm({"sbatch", "--parsable", "--array=" + arrayOf(tasks) + limit, script.string()});
    if (!out)
        return fail(std::move(out.error()));
    // "number" or "number;cluster".
    const std::string job = trimmed(out->substr(0, out->find(';')));
    if (!toNumber(job))
        return fail(ErrorCode::Io, "sbatch gave no job number but \"" + trimmed(*out) + "\".");
    return job;
}

Result<std::map<std::size_t, SlurmTaskState>> liveTasks(const std::string& job) {
    auto out = slurm({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%K|%T|%r"});
    std::map<std::size_t, SlurmTaskState> tasks;
    if (!out) {
        // A job that ended some minutes ago is forgotten.
        if (out.error().message().find("Invalid job id") != std::string::npos)
            return tasks;
        return fail(std::move(out.error()));
    }
    for (const std::string& line : split(*out, '\n')) {
        const auto parts = split(trimmed(line), '|');
        if (parts.size() < 2)
            continue;
        if (const auto task = toNumber(parts[0]))
            tasks[*task] = {parts[1], parts.size() > 2 && parts[2] != "None" ? parts[2] : std::string()};
    }
    return tasks;
}

SlurmTaskState endedTask(const std::string& job, std::size_t task) {
    const std::string id = job + "_" + std::to_string(task);
    if (const auto out = slurm({"scontrol", "--oneliner", "show", "job", id})) {
        SlurmTaskState state;
        for (const std::string& word : split(*out, ' ')) {
            if (word.starts_with("JobState="))
                state.state = trimmed(word.substr(word.find('=') + 1));
            if (word.starts_with("Reason="))
                state.reason = trimmed(word.substr(word.find('=') + 1));
        }
        if (state.reason == "None")
            state.reason.clear();
        if (!state.state.empty())
            return state;
    }
    if (const auto out = slurm({"sacct", "--noheader", "--parsable2", "--jobs=" + id, "--format=State"})) {
        const auto lines = split(*out, '\n');
        // "CANCELLED by 1000"
        if (!lines.empty() && !trimmed(lines.front()).empty())
            return {split(trimmed(lines.front()), ' ').front(), {}};
    }
    return {"UNKNOWN", {}};
}

Result<void> cancelArray(const std::string& job) {
    if (auto out = slurm({"scancel", job}); !out)
        return fail(std::move(out.error()));
    return {};
}

}  // namespace skein::batch
