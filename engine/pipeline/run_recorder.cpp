// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/run_recorder.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "engine/pipeline/frame_list.h"
#include "engine/pipeline/run_identity.h"

namespace skein::pipeline {

RunRecorder::RunRecorder(std::filesystem::path file, std::string identity)
    : m_file(std::move(file)), m_identity(std::move(identity)) {}

void RunRecorder::begin(JobSpec& spec, bool resume) {
    auto before = readCheckpoint(m_file);
    if (before && before->through > 0) {
        const std::string difference = identityDifference(before->identity, m_identity);
        if (!resume)
            m_notes.push_back("An unfinished run of " + countOfFrames(before->through) +
                              " was here; this one starts over. --resume would have gone on with it.");
        else if (!difference.empty())
            m_notes.push_back("The unfinished run of " + countOfFrames(before->through) + " was made with " +
                              difference + "; this one starts over.");
        else if (auto writer = CheckpointWriter::resume(m_file, *before)) {
            m_writer.emplace(std::move(*writer));
            m_through = spec.resumeFrom = before->through;
            spec.finished = std::move(before->frames);
            return;
        }
    }
    auto writer = CheckpointWriter::create(m_file, m_identity);
    if (writer)
        m_writer.emplace(std::move(*writer));
    else
        giveUp(writer.error());
}

void RunRecorder::add(const std::vector<FrameResult>& found) {
    if (!found.empty())
        write(found, found.back().sequence + 1);
    if (m_writer)
        if (auto synced = m_writer->syncWhenDue(std::chrono::steady_clock::now()); !synced)
            giveUp(synced.error());
}

void RunRecorder::complete(std::int64_t framesTotal) {
    if (m_through < framesTotal)
        write({}, framesTotal);
    if (m_writer)
        if (auto synced = m_writer->sync(); !synced)
            giveUp(synced.error());
}

void RunRecorder::remove() {
    m_writer.reset();
    std::error_code ec;
    std::filesystem::remove(m_file, ec);
}

void RunRecorder::removeIfEmpty() {
    if (m_through == 0)
        remove();
}

std::vector<std::string> RunRecorder::takeNotes() {
    return std::exchange(m_notes, {});
}

void RunRecorder::write(std::span<const FrameResult> found, std::int64_t through) {
    if (!m_writer)
        return;
    if (auto added = m_writer->add(found, through); !added)
        giveUp(added.error());
    else
        m_through = through;
}

void RunRecorder::giveUp(const Error& error) {
    m_notes.push_back("What is found cannot be kept on disk while the run goes on: " + error.message() +
                      " A crash would lose it.");
    remove();
}

}  // namespace skein::pipeline
