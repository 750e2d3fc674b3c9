#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole runs of `skein predict` and `sleap-nn predict`, side by side on this machine, start-up included.

  against_sleap_nn.py --peer PATH/TO/sleap-nn [--skein build/release/bin/skein] [--repeats 3] [CASE ...]

Cases read the reference pack (SKEIN_REFERENCE_DIR, or ../shared/reference beside the repository). The two programs take
turns, so that a busy machine slows both; the shortest time of each counts. Prints a table and exits 1 if a ratio is
below the one asked for with --at-least.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACK = os.environ.get("SKEIN_REFERENCE_DIR", os.path.join(ROOT, "..", "shared", "reference"))
CASES = {
    "bottomup": "-i media/centered_pair_small.mp4 -m models/ckpt/minimal_instance_bottomup -b 8 --tracking",
    "synthetic": "-i media/synthetic_6.mp4 -m models/synthetic_bottomup -b 8 --tracking",
    "topdown": "-i media/centered_pair_small.mp4 -m models/ckpt/minimal_instance_centroid"
               " -m models/ckpt/minimal_instance_centered_instance -b 8 --tracking",
}


def run(command):
    """Wall seconds of one run."""
    start = time.monotonic()
    done = subprocess.run(command, cwd=PACK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit("%s\nended with %d:\n%s" % (" ".join(command), done.returncode, done.stdout[-2000:]))
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=["bottomup"], choices=list(CASES), metavar="CASE",
                        help=", ".join(CASES))
    parser.add_argument("--peer", required=True, help="the sleap-nn command")
    parser.add_argument("--skein", default=os.path.join(ROOT, "build", "release", "bin", "skein"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--at-least", type=float, default=0)
    a = parser.parse_args()
    worst = float("inf")
    print("%-12s %12s %12s %8s" % ("case", "sleap-nn s", "skein s", "ratio"))
    for case in a.cases:
        peer, ours = [], []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(a.repeats):
                options = CASES[case].split() + ["-d", "cpu", "-o", os.path.join(folder, "out.slp")]
                ours.append(run([os.path.abspath(a.skein), "predict"] + options))
                peer.append(run([a.peer, "predict"] + options))
        ratio = min(peer) / min(ours)
        worst = min(worst, ratio)
        print("%-12s %12.1f %12.1f %8.2f" % (case, min(peer), min(ours), ratio), flush=True)
    return 1 if worst < a.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
