# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures Skein's inference on a device beside the same steps in PyTorch; started by the script "run" beside it."""
import argparse
import ctypes
import os
import re
import statistics
import sys
import time

import numpy as np
import torch

import peer_steps

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
SAMPLE = os.path.join(ROOT, "resources", "sample")
MODEL = os.path.join(SAMPLE, "synthetic_bottomup")
TOLERANCE = 1e-3   # pixels
EXACT, TF32, HALF = 0, 1, 2
LAUNCH = re.compile(r"^(cuda|cu)Launch\w*Kernel\w*|^cudaGraphLaunch")
COPY = re.compile(r"^(cuda|cu)Memcpy\w*")
WAIT = re.compile(r"^(cuda|cu)\w*Synchronize$")


def made_frames(width, height, animals, count, seed):
    """uint8 [count, height, width], by the generator of the sample video."""
    sys.path.insert(0, SAMPLE)
    import make_video
    motion, look, noise = (np.random.default_rng([seed, i]) for i in range(3))
    points = make_video.simulate(motion, count, animals, peer_steps.NODES, width, height, 25, 64, 70)
    painter = make_video.Painter(look, width, height, animals, peer_steps.NODES, 64)
    order = look.permutation(animals)
    return np.stack([painter.frame(points[f], order, 2.5, noise) for f in range(count)])


class Skein:
    """gpu_check.cpp's functions."""
    library = None

    @classmethod
    def load(cls, folder):
        ctypes.CDLL(os.path.join(folder, "libskein-torch.so"))  # by its name it is found again
        cls.library = ctypes.CDLL(os.path.join(folder, "libskein-torch-check.so"))
        cls.library.checkOpen.restype = ctypes.c_void_p
        cls.library.checkError.restype = ctypes.c_char_p
        cls.library.checkRemark.restype = ctypes.c_char_p

    def __init__(self, device, batch, frames, precision=EXACT, graphs=True):
        self.batch, self.count = batch, len(frames)
        self.handle = ctypes.c_void_p(
            self.library.checkOpen(device.encode(), MODEL.encode(), batch, precision, int(graphs)))
        if not self.handle:
            self.fail()
        frames = np.ascontiguousarray(frames)
        self.library.checkFrames(self.handle, frames.ctypes.data_as(ctypes.c_void_p), *frames.shape)

    def fail(self):
        sys.exit("Skein: " + self.library.checkError().decode())

    def run(self):
        if self.library.checkRun(self.handle) != 0:
            self.fail()

    def forward(self, passes):
        if self.library.checkForward(self.handle, passes) != 0:
            self.fail()

    def latency(self):
        times = (ctypes.c_double * self.count)()
        if self.library.checkLatency(self.handle, times) != 0:
            self.fail()
        return list(times)

    def found(self):
        """Instances of each frame, [k, nodes, 2]."""
        counts = (ctypes.c_int * self.count)()
        self.library.checkCounts(self.handle, counts)
        points = np.empty((sum(counts), peer_steps.NODES, 2), np.float32)
        self.library.checkPoints(self.handle, points.ctypes.data_as(ctypes.c_void_p))
        return np.split(points, np.cumsum(list(counts))[:-1])

    def remark(self):
        return self.library.checkRemark(self.handle).decode()

    def counters(self):
        values = (ctypes.c_double * 5)()
        self.library.checkCounters(self.handle, values)
        return list(values)

    def close(self):
        self.library.checkClose(self.handle)


def compare(first, second):
    """Frames with other numbers of instances; and of the instances in the others, each beside the nearest of the same
    frame, the median and the largest of their points' distances."""
    different, distances = 0, [0.0]
    for a, b in zip(first, second):
        if len(a) != len(b):
            different += 1
            continue
        for instance in a:
            apart = [np.inf if np.any(np.isnan(instance) != np.isnan(other)) else
                     float(np.nan_to_num(np.abs(instance - other)).max()) for other in b]
            distances.append(min(apart))
    return different, statistics.median(distances), max(distances)


def counted(work):
    """Launches, copies and waits of the CUDA run time during `work`."""
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
        work()
        torch.cuda.synchronize()
    totals = [0, 0, -1]  # the wait above is ours
    for event in recorded.key_averages():
        for place, pattern in enumerate((LAUNCH, COPY, WAIT)):
            if pattern.match(event.key):
                totals[place] += event.count
    return totals


def milliseconds(work, repeats, wait):
    """Median of some calls."""
    work()
    wait()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        wait()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def other_ways(device, frames, size, wait, line):
    """Without recordings, with faster numbers, on several devices: each beside exact numbers on one; whether the results
    agree where they should."""
    cuda = device != "queued"

    def rate(device=device, **way):
        skein = Skein(device, size, frames, **way)
        ms = milliseconds(skein.run, 3 if cuda else 1, wait) / len(frames)
        found = skein.found()
        skein.close()
        return ms, found
    exact, expected = rate()
    print("\nSkein alone, exact and recorded beside other ways, frames to instances, batch %d:\n%-36s %10s %10s %8s" %
          (size, "", "first", "this way", "ratio"))
    ways = [("kernel by kernel", {"graphs": False})]
    devices = torch.cuda.device_count()
    if cuda:
        ways += [("TF32", {"precision": TF32}), ("float16", {"precision": HALF})]
    if cuda and devices > 1:
        ways.append(("%d GPUs in turn" % devices, {"device": "cuda:all"}))
    good = True
    for name, way in ways:
        ms, found = rate(**way)
        line(name + ", fr/s", 1000 / exact, 1000 / ms, exact / ms)
        different, middle, largest = compare(expected, found)
        print("%36s frames that differ %d, distance %.2g px (median), %.2g (largest)" % ("", different, middle, largest))
        if "precision" not in way:
            good = good and different == 0 and largest <= TOLERANCE
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False  # one process, one setting
    return good


def quantile(values, share):
    return float(np.quantile(np.array(values), share))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--libraries", required=True)
    parser.add_argument("--cpu", action="store_true", help="everything but CUDA itself, on few frames")
    a = parser.parse_args()
    cuda = not a.cpu
    device, tested = ("cuda:0", "cuda:0") if cuda else ("cpu", "queued")
    wait = torch.cuda.synchronize if cuda else lambda: None
    name = torch.cuda.get_device_name(0) if cuda else "the processor, %d threads" % torch.get_num_threads()
    print("%s; torch %s; %s" % (time.strftime("%Y-%m-%d %H:%M"), torch.__version__, name))
    # Exact float32 on both sides.
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    Skein.load(a.libraries)

    small = made_frames(384, 384, 6, 64 if cuda else 16, 1)
    large = made_frames(1024, 1080, 10, 256 if cuda else 8, 342)
    good = True

    print("\nSame results? (sample model, %d frames of 384 x 384 and %d of 1024 x 1080)" % (len(small), len(large[:32])))
    for frames in (small, large[:32]):
        sides = []
        for which in ("cpu", tested):
            skein = Skein(which, 4, frames)
            skein.run()
            sides.append(skein.found())
            remark = skein.remark()
            skein.close()
        print("  %s" % (remark or "Batches were queued kernel by kernel."))
        different, _, largest = compare(*sides)
        held = different == 0 and largest <= TOLERANCE and sum(map(len, sides[0])) > 0
        good = good and held
        what = "CUDA" if cuda else "the GPU's way on the processor"
        print("  %s against the CPU: %d instances, frames that differ %d, largest distance %.2g px (allowed %g): %s" %
              (what, sum(map(len, sides[0])), different, largest, TOLERANCE, "same" if held else "NOT the same"))
        steps = peer_steps.Steps(MODEL, device)
        different, middle, largest = compare(sides[0], steps.run(frames, 4))
        print("  the steps in PyTorch against the CPU: frames that differ %d, distance %.2g px (median), %.2g (largest)" %
              (different, middle, largest))

    size = 8 if cuda else 4
    skein, steps = Skein(tested, size, large), peer_steps.Steps(MODEL, device)
    skein.run()
    steps.run(large, size)
    before = skein.counters()
    skein.run()
    after = [now - then for now, then in zip(skein.counters(), before)]
    batches = after[0]
    print("\nPer batch of %d at 1024 x 1080, as Skein counts: %.2f uploads (%.0f bytes), %.2f downloads (%.0f bytes)" %
          (size, after[1] / batches, after[2] / batches, after[3] / batches, after[4] / batches))
    good = good and after[1] == batches and after[3] == batches
    if cuda:
        one_by_one = Skein(tested, size, large, graphs=False)
        one_by_one.run()
        print("As PyTorch's profiler counts, per batch (a recorded batch has one more copy, within the device):\n"
              "%24s %10s %10s %10s" % ("", "launches", "copies", "waits"))
        for what, work in (("Skein", skein.run), ("Skein, kernel by kernel", one_by_one.run),
                           ("PyTorch", lambda: steps.run(large, size))):
            print("%24s %10.1f %10.1f %10.1f" % ((what,) + tuple(c / batches for c in counted(work))))
        one_by_one.close()
    else:
        print("Launches and waits are counted on a GPU only.")

    print("\nAt 1024 x 1080, medians:\n%-36s %10s %10s %8s" % ("", "PyTorch", "Skein", "ratio"))

    def line(what, theirs, ours, faster):
        print("%-36s %10.2f %10.2f %8.2f" % (what, theirs, ours, faster), flush=True)

    repeats = 10 if cuda else 2
    with torch.inference_mode():
        pixels = steps.prepare(large[:size])
        theirs = milliseconds(lambda: steps.network(pixels), repeats, wait) / size
    if cuda:
        ours = milliseconds(lambda: skein.forward(1), repeats, wait) / size
    else:
        plain = Skein("cpu", size, large)
        ours = milliseconds(lambda: plain.forward(1), repeats, wait) / size
        plain.close()
    line("forward, batch %d, ms a frame" % size, theirs, ours, theirs / ours)
    for batch in ((1, 4, 8, 16) if cuda else (4,)):
        mine = Skein(tested, batch, large)
        ours = milliseconds(mine.run, 3 if cuda else 1, wait) / len(large)
        theirs = milliseconds(lambda: steps.run(large, batch), 3 if cuda else 1, wait) / len(large)
        mine.close()
        line("frames to instances, batch %d, fr/s" % batch, 1000 / theirs, 1000 / ours, theirs / ours)
    single = Skein(tested, 1, large)
    single.latency()
    ours = single.latency()
    single.close()
    theirs = [milliseconds(lambda: steps.batch(large[f:f + 1]), 1, wait) for f in range(min(len(large), 64))]
    for share in (0.5, 0.95, 0.99):
        line("latency of a frame, p%.0f, ms" % (100 * share), quantile(theirs, share), quantile(ours, share),
             quantile(theirs, share) / quantile(ours, share))
    skein.close()
    good = other_ways(tested, large, size, wait, line) and good
    if peer_steps.linear_sum_assignment is None:
        print("SciPy is missing: PyTorch's side matched greedily, which takes less time.")
    print("\n%s" % ("All checks held." if good else "A CHECK FAILED, see above."))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
