// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/system_command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace skein::batch {
namespace {

constexpr std::size_t kMostKept = 16U << 20U;

struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        closeEnd(0);
        closeEnd(1);
    }
    [[nodiscard]] bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
    void closeEnd(std::size_t end) {
        if (ends[end] >= 0)
            ::close(ends[end]);
        ends[end] = -1;
    }
};

/// Reads both pipes to their ends, whichever has something.
void readBoth(Pipe& out, Pipe& err, CommandOutput& output) {
    std::array<Pipe*, 2> pipes{&out, &err};
    std::array<std::string*, 2> texts{&output.out, &output.err};
    std::array<char, 4096> buffer{};
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
        std::array<pollfd, 2> waits{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
        if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            return;
        for (std::size_t i = 0; i < pipes.size(); ++i) {
            if (pipes[i]->ends[0] < 0 || waits[i].revents == 0)
                continue;
            const ssize_t count = ::read(pipes[i]->ends[0], buffer.data(), buffer.size());
            if (count <= 0) {
                if (count == 0 || errno != EINTR)
                    pipes[i]->closeEnd(0);
                continue;
            }
            if (texts[i]->size() < kMostKept)
                texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
        }
    }
}

}  // namespace

Result<CommandOutput> runCommand(const std::vector<std::string>& command) {
    SKEIN_EXPECTS(!command.empty(), "a program");
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    Pipe out, err;
    if (!out.open() || !err.open())
        return fail(ErrorCode::Io, "Cannot start " + command.front() + ": " + std::strerror(errno) + ".");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
    pid_t pid = 0;
    const int problem = ::posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return fail(problem == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                    "Cannot start " + command.front() + ": " + std::strerror(problem) + ".");
    out.closeEnd(1);
    err.closeEnd(1);
    CommandOutput output;
    readBoth(out, err, output);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    output.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return output;
}

std::string shellWord(const std::string& text) {
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace skein::batch
