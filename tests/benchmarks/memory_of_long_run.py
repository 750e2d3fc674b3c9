#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the memory of `skein predict` stays flat over a long run.

  memory_of_long_run.py [--skein build/release/bin/skein] [--frames 20000] [--most-mb 50] [CASE]

Runs the command over the frames of a small video again and again (the list of frames repeats them), notes its resident
memory beside the number of finished frames, and compares the largest value of the first thousand frames with that of
the last thousand. The results that the command holds until it saves them are part of what is measured. Exits 1 when
memory grew by more than --most-mb. The video and models come from the reference pack (SKEIN_REFERENCE_DIR, or
../shared/reference beside the repository).
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACK = os.environ.get("SKEIN_REFERENCE_DIR", os.path.join(ROOT, "..", "shared", "reference"))
CASES = {
    "single": (166, "-i media/small_robot.mp4 -m models/ckpt/minimal_instance_single_instance"),
    "topdown": (1100, "-i media/centered_pair_small.mp4 -m models/ckpt/minimal_instance_centroid"
                      " -m models/ckpt/minimal_instance_centered_instance"),
    "synthetic": (300, "-i media/synthetic_6.mp4 -m models/synthetic_bottomup"),
}
PROGRESS = re.compile(r"Predicting ([\d,]+) of")


def resident_mb(pid):
    try:
        with open("/proc/%d/status" % pid) as status:
            for line in status:
                if line.startswith("VmRSS"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def frame_list(frames, length):
    """'0-165,0-165,...,0-79' with `frames` numbers in all."""
    parts = ["0-%d" % (length - 1)] * (frames // length)
    if frames % length:
        parts.append("0-%d" % (frames % length - 1))
    return ",".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="?", default="single", choices=list(CASES))
    parser.add_argument("--skein", default=os.path.join(ROOT, "build", "release", "bin", "skein"))
    parser.add_argument("--frames", type=int, default=20000)
    parser.add_argument("--most-mb", type=float, default=50)
    a = parser.parse_args()
    length, options = CASES[a.case]
    done = [0]
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.abspath(a.skein), "predict"] + options.split() + [
            "-d", "cpu", "-b", "8", "--frames", frame_list(a.frames, length), "-o", os.path.join(folder, "out.slp")]
        process = subprocess.Popen(command, cwd=PACK, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

        def follow():
            for line in process.stderr:
                found = PROGRESS.search(line)
                if found:
                    done[0] = int(found.group(1).replace(",", ""))
                else:
                    print(line.rstrip(), file=sys.stderr)

        reader = threading.Thread(target=follow, daemon=True)
        reader.start()
        samples = []  # (finished frames, MB)
        while process.poll() is None:
            memory = resident_mb(process.pid)
            if memory is not None and done[0] > 0:
                samples.append((done[0], memory))
            time.sleep(0.2)
        reader.join(timeout=5)
    if process.returncode != 0:
        sys.exit("the command ended with %d" % process.returncode)
    # Progress is told every few seconds: what is noted between two lines belongs to the earlier one or after it.
    first = [memory for frames, memory in samples if frames <= 1000] or [samples[0][1]]
    last = [memory for frames, memory in samples if frames >= a.frames - 1000] or [samples[-1][1]]
    grown = max(last) - max(first)
    print("%-10s %8s %14s %14s %9s" % ("case", "frames", "first 1000 MB", "last 1000 MB", "grown MB"))
    print("%-10s %8d %14.1f %14.1f %9.1f" % (a.case, a.frames, max(first), max(last), grown))
    return 1 if grown > a.most_mb else 0


if __name__ == "__main__":
    sys.exit(main())
