# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# What the scripts of this folder share: where the repository is, how progress is shown, how Skein is built.
# Sourced by bash, never run.

set -euo pipefail
export LC_ALL=C.UTF-8

repo=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
deps=$repo/.deps
preset=release
build=$repo/build/$preset

# step N OF "text": the heading of one part of the work, with the seconds since the script began.
step() { printf '\n[%s/%s] %s  (%d s)\n' "$1" "$2" "$3" "$SECONDS"; }
# heading N OF "text": the same for a script that calls others.
heading() { printf '\n==== %s of %s: %s\n' "$1" "$2" "$3"; }
say() { printf '    %s\n' "$*"; }
warn() { printf '    Warning: %s\n' "$*" >&2; }

# fail "what is wrong" ["what to do"...]: one sentence a line, then the end.
fail() {
    printf '\nError: %s\n' "$1" >&2
    shift
    local line
    for line in "$@"; do
        printf '       %s\n' "$line" >&2
    done
    exit 1
}

# quietly LOG command...: keeps a command's output in LOG and shows its end only when the command fails.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname -- "$log")"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 25 -- "$log" >&2
        return 1
    fi
}

# need_space FOLDER MEGABYTES "what for": refuses early instead of failing halfway.
need_space() {
    local free
    free=$(df -Pm -- "$1" | awk 'NR == 2 { print $4 }')
    if [ "$free" -lt "$2" ]; then
        fail "$3 needs $2 MB of free disk space in $1, and there are $free MB." "Free some space and run this again."
    fi
}

# One compiler takes up to about 1 GB, so a machine with many cores and little memory builds with fewer jobs.
build_jobs() {
    local cores memory_mb
    cores=$(nproc)
    memory_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
    local by_memory=$((memory_mb / 1024))
    [ "$by_memory" -ge 1 ] || by_memory=1
    if [ "$cores" -lt "$by_memory" ]; then echo "$cores"; else echo "$by_memory"; fi
}

# build_targets target...: configures and builds the preset that demo, test and the linters share, so that nothing
# is built twice.
build_targets() {
    cd -- "$repo"
    if ! quietly "$build/configure.log" cmake --preset "$preset" -DSKEIN_WITH_UI=ON -DSKEIN_WITH_TESTS=ON -DSKEIN_WITH_TORCH=ON; then
        fail "CMake could not configure Skein; its last lines stand above." "All of it: $build/configure.log"
    fi
    local jobs
    jobs=$(build_jobs)
    say "$jobs compiler(s) at a time; a first build takes several minutes, a repeated one seconds."
    # Ninja rewrites one line on a terminal and writes a line for each file elsewhere.
    cmake --build "$build" --parallel "$jobs" --target "$@" </dev/null ||
        fail "Skein did not build; the compiler's messages stand above."
}
