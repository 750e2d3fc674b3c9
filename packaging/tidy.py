#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs clang-tidy-14 over Skein's sources in a build folder, faster than clang-tidy alone:

- clang-tidy walks through every header of the system again for each source (10 to 40 s, of which Skein's own lines are
  a small part), so several sources are looked at as one, those together whose internal names do not meet;
- a source is not looked at again while neither it, nor a header it includes, nor its command or the rules have changed;
- sources that include LibTorch (half an hour of its headers) and tests are left out, unless asked for with --all.

Usage: tidy.py BUILD_FOLDER [--all] [--folders F...] [--jobs N] [--together N] [--timings]
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

REPO = pathlib.Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-14"


def own_entries(build, everything, folders=None):
    """The compile commands of files in the repository, generated ones left out."""
    kept, left_out = [], []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if REPO not in file.parents or build in file.parents:
            continue
        if folders and not any(REPO / folder in file.parents for folder in folders):
            continue
        costly = "torch/include" in entry["command"] or REPO / "tests" in file.parents
        if costly and not everything:
            left_out.append(file)
            continue
        kept.append((file, entry))
    return kept, left_out


def dependencies(build):
    """What each object was made from, as the compiler told Ninja: object path -> files."""
    text = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found, current = {}, None
    for line in text.splitlines():
        if line.startswith(" "):
            current.append(line.strip())
        elif ": #deps" in line and not line.endswith("(STALE)"):
            current = found.setdefault(line.split(":")[0], [])
        else:
            current = []
    return found


def object_of(entry):
    words = shlex.split(entry["command"])
    return words[words.index("-o") + 1]


class Cache:
    """Names of what was found clean; nothing but names is kept."""

    def __init__(self, rules):
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.folder = pathlib.Path(base, "skein-tidy")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rules = rules
        self.hashes = {}

    def file_hash(self, path):
        if path not in self.hashes:
            try:
                # Headers of the system change by whole packages: their size and time say enough.
                if str(path).startswith("/usr/"):
                    state = os.stat(path)
                    self.hashes[path] = f"{state.st_size} {state.st_mtime_ns}"
                else:
                    self.hashes[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
            except OSError:
                self.hashes[path] = "missing"
        return self.hashes[path]

    def key(self, build, entry, files):
        lines = [self.rules, entry["command"].replace(str(REPO), "")]
        for name in files:
            path = os.path.normpath(os.path.join(build, name))
            lines.append(path.replace(str(REPO), "") + " " + self.file_hash(path))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class Source:
    def __init__(self, file, entry, key):
        self.file, self.entry, self.key = file, entry, key
        self.words = shlex.split(entry["command"])
        self.headers = [after for word, after in zip(self.words, self.words[1:]) if word == "-include"]
        self.uses_qt = any(word.startswith("-DQT_") for word in self.words)
        self.names = internal_names(file.read_text(errors="replace"))


def internal_names(text):
    """Names that only this source knows: two sources with a name in common cannot be one. Found by the layout that
    clang-format gives (definitions start a line), so a name may be missed: such a group is looked at one by one."""
    hidden = "\n".join(re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S))
    names = set(re.findall(r"^(?:struct|class|enum|enum class|union) (\w+)", hidden, re.M))
    names.update(re.findall(r"^[^\s/#}][^;({=\n]*?(\w+)(?:\[[^]\n]*\])* ?(?:=|\{|;)", hidden, re.M))
    names.update(re.findall(r"^[^\s/#}][^(\n]*?(\w+)\(", hidden, re.M))
    names.update(re.findall(r"^(?:using|namespace) (\w+) =", text, re.M))
    names.update(re.findall(r"^#define (\w+)", text, re.M))
    return names - {"main", "namespace"}


def groups_of(sources, together):
    """Deals sources into groups of at most `together`, apart by Qt, each group without a name twice."""
    groups = []
    for source in sorted(sources, key=lambda s: (s.uses_qt, str(s.file))):
        for group in groups:
            if group[0].uses_qt == source.uses_qt and len(group) < together and all(
                    not source.names & other.names for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def flags_of(group):
    """Definitions, include folders, language and code options of all of them."""
    flags = []
    for source in group:
        words = iter(source.words[1:])
        for word in words:
            flag = [word, next(words)] if word in ("-isystem", "-I", "-D") else [word]
            if word.startswith(("-I", "-D", "-isystem", "-std=", "-f", "-O")) and flag not in flags:
                flags.append(flag)
    return [word for flag in flags for word in flag]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="the sources that include LibTorch and the tests too")
    parser.add_argument("--folders", nargs="+", help="only the sources below these folders")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--together", type=int, default=12, help="most sources that are looked at as one [12]")
    parser.add_argument("--timings", action="store_true", help="print what each group took")
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    cache = Cache(version + (REPO / ".clang-tidy").read_text())
    entries, left_out = own_entries(build, arguments.all, arguments.folders)
    deps = dependencies(build)
    work = []
    for file, entry in entries:
        files = deps.get(object_of(entry))
        key = cache.folder / cache.key(build, entry, files) if files else None
        if key is None or not key.exists():
            work.append(Source(file, entry, key))
    print(f"    clang-tidy: {len(work)} of {len(entries)} sources to look at, the others are known to be clean; "
          f"{len(left_out)} that include LibTorch or are tests are left out.", flush=True)
    scratch = build / "tidy"
    scratch.mkdir(exist_ok=True)

    def look(group):
        """(exit code, output) of clang-tidy for these sources as one, or None where they cannot be one."""
        unit = scratch / (hashlib.sha256("".join(str(s.file) for s in group).encode()).hexdigest()[:16] + ".cpp")
        # A precompiled header is text to clang-tidy; GCC's compiled form of it would be an error.
        lines = sorted({f'#include "{header}"' for source in group for header in source.headers})
        for number, source in enumerate(group):
            # Each test and each program has a main of its own.
            lines += [f"#define main main_{number}  // NOLINT", f'#include "{source.file}"', "#undef main"]
        unit.write_text("\n".join(lines) + "\n")
        # Diagnostics of included files are those that HeaderFilterRegex lets through: all of Skein's.
        result = subprocess.run([CLANG_TIDY, "--quiet", f"--config-file={REPO / '.clang-tidy'}",
                                 "--checks=-bugprone-suspicious-include", str(unit), "--", *flags_of(group)],
                                capture_output=True, text=True)
        if len(group) > 1 and "clang-diagnostic-error" in result.stdout:
            return None
        return result.returncode, result.stdout or result.stderr

    def run(group):
        began = time.monotonic()
        outcome = look(group)
        if outcome is None:
            outcomes = [([source], look([source])) for source in group]
        else:
            outcomes = [(group, outcome)]
        return outcomes, len(group), time.monotonic() - began

    # The largest groups first, so that none of them is left alone at the end.
    groups = sorted(groups_of(work, arguments.together), key=len, reverse=True)
    bad, done, told = 0, 0, time.monotonic()
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, group) for group in groups]):
            outcomes, count, seconds = future.result()
            done += count
            for members, (code, output) in outcomes:
                if code != 0:
                    bad += 1
                    # A finding in a header comes once for each group that includes it.
                    lines = [line for line in output.splitlines() if line not in seen]
                    seen.update(line for line in lines if re.match(r"^/.*(error|warning): ", line))
                    print("\n".join(lines), flush=True)
                else:
                    for source in members:
                        if source.key is not None:
                            source.key.touch()
            if arguments.timings:
                names = " ".join(str(source.file.relative_to(REPO)) for members, _ in outcomes for source in members)
                print(f"    {seconds:6.1f} s  {len(outcomes)} x  {names}", flush=True)
            elif time.monotonic() - told > 20:
                told = time.monotonic()
                print(f"    ... {done} of {len(work)}", flush=True)
    if bad:
        print(f"    clang-tidy: {bad} groups of sources with findings.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
