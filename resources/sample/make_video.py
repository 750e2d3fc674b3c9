#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Synthetic multi-animal test video with exact ground truth.

Draws N articulated, textured animals (a chain of soft ellipses that follows a
wandering head) over a textured background, pipes raw grey frames into the
`ffmpeg` command line tool and writes the true node positions.

The animals ignore each other, so they overlap and cross: useful for matching and
tracking tests.  Everything is derived from --seed; the same seed, size, fps and
animal count give the same trajectories and pixels (before encoding).

Needs: Python >= 3.9, numpy, ffmpeg with libx264.  --truth x.slp also needs sleap-io;
--truth x.npz does not.

Examples
  # small smoke-test video
  make_video.py --out s.mp4 --truth s.slp --width 384 --height 384 --animals 6 \
                --frames 300 --fps 25 --seed 1
  # the benchmark of sleap-nn pull request 342 (1024x1080, 50 fps, 30,002 frames)
  make_video.py --out big.mp4 --truth big.npz --width 1024 --height 1080 --fps 50 \
                --frames 30002 --animals 10 --seed 342
  # every frame a key frame (seek tests)
  make_video.py --out intra.mp4 --all-intra --frames 300
"""
import argparse
import json
import subprocess
import sys
import time

import numpy as np

NODE_NAMES = ["head", "neck", "thorax", "abdomen", "tail", "tip"]


# --------------------------------------------------------------------------- motion
def smooth_noise(rng, n, tau):
    """n samples of an Ornstein-Uhlenbeck process with unit variance, time constant tau frames."""
    a = np.exp(-1.0 / max(tau, 1e-6))
    s = np.sqrt(1.0 - a * a)
    out = np.empty(n)
    x = rng.standard_normal()
    w = rng.standard_normal(n)
    for i in range(n):
        x = a * x + s * w[i]
        out[i] = x
    return out


def simulate(rng, n_frames, n_animals, n_nodes, width, height, fps, length, speed, burn=None):
    """Node positions, float64 (frames, animals, nodes, 2) in pixels, x then y.

    Pixel centres are at integer coordinates (top-left pixel centre = (0, 0)).
    """
    link = length / (n_nodes - 1)
    if burn is None:
        burn = int(2 * fps)
    total = n_frames + burn
    pts = np.empty((n_frames, n_animals, n_nodes, 2))
    margin = 0.5 * length
    dt = 1.0 / fps
    sub = max(1, int(np.ceil(speed * dt / (0.15 * length))))
    h = dt / sub
    for k in range(n_animals):
        turn = smooth_noise(rng, total, 0.5 * fps) * 2.2        # rad / s
        gait = smooth_noise(rng, total, 1.0 * fps)              # speed modulation
        wiggle_f = 1.5 + 1.0 * rng.random()
        wiggle_p = rng.random() * 6.283
        pos = np.array([margin + rng.random() * (width - 2 * margin),
                        margin + rng.random() * (height - 2 * margin)])
        th = rng.random() * 6.283
        body = pos - np.outer(np.arange(n_nodes) * link, [np.cos(th), np.sin(th)])
        for f in range(total):
            v = speed * max(0.05, 1.0 + 0.6 * gait[f])
            for s in range(sub):
                t = (f + s / sub) * dt
                om = turn[f] + 1.2 * np.cos(6.283 * wiggle_f * t + wiggle_p)
                # steer away from the walls
                to_c = np.arctan2(height / 2 - pos[1], width / 2 - pos[0])
                d = min(pos[0], width - pos[0], pos[1], height - pos[1])
                if d < 2 * margin:
                    err = (to_c - th + np.pi) % (2 * np.pi) - np.pi
                    om += 4.0 * err * (1 - d / (2 * margin))
                th += om * h
                pos = pos + v * h * np.array([np.cos(th), np.sin(th)])
                pos[0] = min(max(pos[0], 0.3 * margin), width - 0.3 * margin)
                pos[1] = min(max(pos[1], 0.3 * margin), height - 0.3 * margin)
                body[0] = pos
                for j in range(1, n_nodes):                      # chain follows its leader
                    dvec = body[j] - body[j - 1]
                    n = np.hypot(*dvec)
                    dvec = dvec / n if n > 1e-9 else -np.array([np.cos(th), np.sin(th)])
                    body[j] = body[j - 1] + link * dvec
            if f >= burn:
                pts[f - burn, k] = body
    return pts


# --------------------------------------------------------------------------- drawing
def texture(rng, h, w, scale, lo, hi):
    """Band-limited random texture between lo and hi."""
    gh, gw = max(2, int(h / scale) + 2), max(2, int(w / scale) + 2)
    g = rng.random((gh, gw))
    y = np.linspace(0, gh - 1.001, h)
    x = np.linspace(0, gw - 1.001, w)
    y0, x0 = y.astype(int), x.astype(int)
    fy, fx = (y - y0)[:, None], (x - x0)[None, :]
    a = g[y0][:, x0] * (1 - fx) + g[y0][:, x0 + 1] * fx
    b = g[y0 + 1][:, x0] * (1 - fx) + g[y0 + 1][:, x0 + 1] * fx
    t = a * (1 - fy) + b * fy
    return lo + (hi - lo) * t


class Painter:
    def __init__(self, rng, width, height, n_animals, n_nodes, length):
        self.w, self.h, self.length = width, height, length
        bg = 0.6 * texture(rng, height, width, 90, 120, 200) + 0.4 * texture(rng, height, width, 7, 130, 190)
        self.bg = bg.astype(np.float32)
        self.shade = 30 + 45 * rng.random(n_animals)            # body darkness
        self.stripe = 0.20 + 0.25 * rng.random(n_animals)       # stripe wave number
        self.amp = 10 + 12 * rng.random(n_animals)
        widths = np.array([0.13, 0.10, 0.15, 0.17, 0.09, 0.05])
        self.width = length * widths[np.linspace(0, len(widths) - 1, n_nodes).round().astype(int)]
        self.n_nodes = n_nodes

    def draw(self, frame, body, k):
        r = float(self.width.max()) + 3
        x0 = max(0, int(np.floor(body[:, 0].min() - r)))
        x1 = min(self.w, int(np.ceil(body[:, 0].max() + r)) + 1)
        y0 = max(0, int(np.floor(body[:, 1].min() - r)))
        y1 = min(self.h, int(np.ceil(body[:, 1].max() + r)) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        xs = np.arange(x0, x1, dtype=np.float32)[None, :]
        ys = np.arange(y0, y1, dtype=np.float32)[:, None]
        patch = frame[y0:y1, x0:x1].astype(np.float32)
        grain = self.grain[y0:y1, x0:x1]
        link = self.length / (self.n_nodes - 1)
        for j in range(self.n_nodes - 1, -1, -1):               # tail first, head on top
            if j == 0:
                d = body[0] - body[1]
            else:
                d = body[j - 1] - body[j]
            d = d / max(np.hypot(*d), 1e-9)
            dx, dy = np.float32(d[0]), np.float32(d[1])
            u = (xs - np.float32(body[j, 0])) * dx + (ys - np.float32(body[j, 1])) * dy   # along the body
            v = -(xs - np.float32(body[j, 0])) * dy + (ys - np.float32(body[j, 1])) * dx  # across
            a, b = np.float32(0.62 * link if j else 0.45 * link), np.float32(self.width[j])
            q = np.sqrt((u / a) ** 2 + (v / b) ** 2)
            alpha = np.clip((1.0 - q) * min(a, b) * 0.8 + 0.5, 0, 1)
            col = self.shade[k] + self.amp[k] * np.sin(self.stripe[k] * (u + (j * link)) * (2.0 if j == 0 else 1.0))
            if j == 0:                                           # bright mark on the head
                col = np.where((u / a - 0.25) ** 2 + (v / b) ** 2 < 0.16, 215.0, col * 0.5)
            elif j == self.n_nodes - 1:
                col = col + 35.0
            patch += alpha * (col.astype(np.float32) + grain - patch)
        frame[y0:y1, x0:x1] = np.clip(patch, 0, 255).astype(np.uint8)

    PLANES = 16

    def frame(self, bodies, order, noise, rng):
        """One grey frame.  Sensor noise cycles at random through a few fixed planes (fast)."""
        if not hasattr(self, "noisy"):
            self.noise = [(noise * rng.standard_normal((self.h, self.w))).astype(np.float32)
                          for _ in range(self.PLANES)]
            self.noisy = [np.clip(self.bg + n, 0, 255).astype(np.uint8) for n in self.noise]
        i = int(rng.integers(0, self.PLANES))
        self.grain = self.noise[i]
        f = self.noisy[i].copy()
        for k in order:
            self.draw(f, bodies[k], k)
        return f


# --------------------------------------------------------------------------- output
def ffmpeg_command(a):
    cmd = [a.ffmpeg, "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray",
           "-s", f"{a.width}x{a.height}", "-r", str(a.fps), "-i", "-", "-an", "-c:v", "libx264",
           "-preset", a.preset, "-crf", str(a.crf), "-pix_fmt", "yuv420p", "-threads", str(a.threads)]
    if a.all_intra:
        cmd += ["-g", "1", "-bf", "0"]
    else:
        cmd += ["-g", str(a.gop), "-bf", str(a.bframes), "-b_strategy", "0"]
    return cmd + ["-movflags", "+faststart", a.out]


def write_slp(path, video_path, pts, names):
    import sleap_io as sio
    n_frames, n_animals, n_nodes, _ = pts.shape
    skel = sio.Skeleton(nodes=names, edges=[[names[i], names[i + 1]] for i in range(n_nodes - 1)], name="synthetic")
    tracks = [sio.Track(f"animal_{k}") for k in range(n_animals)]
    video = sio.load_video(video_path)
    lfs = []
    for f in range(n_frames):
        inst = [sio.Instance.from_numpy(pts[f, k], skeleton=skel, track=tracks[k]) for k in range(n_animals)]
        lfs.append(sio.LabeledFrame(video=video, frame_idx=f, instances=inst))
    sio.Labels(labeled_frames=lfs, videos=[video], skeletons=[skel], tracks=tracks).save(path, embed=False)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True)
    p.add_argument("--truth", help=".slp (needs sleap-io) or .npz; may be given twice", action="append", default=[])
    p.add_argument("--width", type=int, default=384)
    p.add_argument("--height", type=int, default=384)
    p.add_argument("--fps", type=float, default=25)
    p.add_argument("--frames", type=int, default=300)
    p.add_argument("--animals", type=int, default=6)
    p.add_argument("--nodes", type=int, default=4, help="2 to 6, a chain head .. tail")
    p.add_argument("--length", type=float, default=64, help="body length, pixels")
    p.add_argument("--speed", type=float, default=70, help="mean speed, pixels per second")
    p.add_argument("--noise", type=float, default=2.5, help="sensor noise, grey levels (sd)")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--crf", type=int, default=20)
    p.add_argument("--preset", default="veryfast")
    p.add_argument("--gop", type=int, default=250)
    p.add_argument("--bframes", type=int, default=3)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--all-intra", action="store_true")
    p.add_argument("--ffmpeg", default="ffmpeg")
    a = p.parse_args()
    if not 2 <= a.nodes <= 6:
        p.error("--nodes must be 2..6")
    if a.width % 2 or a.height % 2:
        p.error("yuv420p needs even sizes")
    pick = np.linspace(0, 5, a.nodes).round().astype(int)
    names = [NODE_NAMES[i] for i in pick]

    rng_motion, rng_look, rng_noise = (np.random.default_rng([a.seed, i]) for i in range(3))
    t0 = time.time()
    pts = simulate(rng_motion, a.frames, a.animals, a.nodes, a.width, a.height, a.fps, a.length, a.speed)
    painter = Painter(rng_look, a.width, a.height, a.animals, a.nodes, a.length)
    order = rng_look.permutation(a.animals)
    t1 = time.time()
    proc = subprocess.Popen(ffmpeg_command(a), stdin=subprocess.PIPE)
    for f in range(a.frames):
        proc.stdin.write(painter.frame(pts[f], order, a.noise, rng_noise).tobytes())
        if f % 1000 == 999:
            print(f"{f + 1}/{a.frames} frames", file=sys.stderr)
    proc.stdin.close()
    if proc.wait() != 0:
        sys.exit("ffmpeg failed")
    t2 = time.time()
    for t in a.truth:
        if t.endswith(".npz"):
            np.savez_compressed(t, points=pts.astype(np.float32), node_names=np.array(names),
                                meta=json.dumps({k: v for k, v in vars(a).items()}))
        elif t.endswith(".slp"):
            write_slp(t, a.out, pts, names)
        else:
            sys.exit(f"unknown ground truth type: {t}")
    print(json.dumps({"out": a.out, "frames": a.frames, "simulate_s": round(t1 - t0, 2),
                      "render_encode_s": round(t2 - t1, 2), "fps_rendered": round(a.frames / (t2 - t1), 1),
                      "truth_s": round(time.time() - t2, 2)}))


if __name__ == "__main__":
    main()
