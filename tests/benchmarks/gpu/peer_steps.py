# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of bottom-up inference as sleap-nn 0.3.5 arranges them, in plain PyTorch and for the sample model only: the
yardstick of measure.py. Frames of a batch go to the device together; peaks are found and refined there; then each frame
by itself is scored, copied to the host and matched, one edge after another."""
import os

import numpy as np
import torch
import torch.nn.functional as F

try:
    from scipy.optimize import linear_sum_assignment
except ImportError:
    linear_sum_assignment = None

NODES = 4
EDGES = [(0, 1), (1, 2), (2, 3)]
SCALE, MAX_STRIDE, PEAK_STRIDE, FIELD_STRIDE = 0.5, 16, 2, 4
THRESHOLD, PATCH, POINTS, LONGEST, MIN_LINE = 0.2, 5, 10, 0.25, 0.25


def match(scores):
    """Rows and columns of the assignment with the largest sum; without SciPy the best pair first, which is as good on
    frames whose animals stand apart."""
    scores = np.nan_to_num(scores, nan=-1e3)
    if linear_sum_assignment is not None:
        return linear_sum_assignment(-scores)
    rows, columns = [], []
    left = scores.copy()
    for _ in range(min(scores.shape)):
        row, column = np.unravel_index(np.argmax(left), left.shape)
        rows.append(row)
        columns.append(column)
        left[row, :] = left[:, column] = -np.inf
    return np.array(rows), np.array(columns)


class Network:
    """The UNet of the sample: eight convolutions on the way down, two in the middle, six on the way up, two heads."""

    PARTS = ("backbone.encoders.", "backbone.middle_blocks.", "backbone.decoders.", "head_layers.")

    def __init__(self, folder, device):
        state = torch.load(os.path.join(folder, "best.ckpt"), map_location="cpu", weights_only=False)["state_dict"]
        keys = [key for part in self.PARTS for key in state
                if key.startswith("model." + part) and key.endswith(".weight") and state[key].dim() == 4]
        weights = [(state[key], state[key[:-len("weight")] + "bias"]) for key in keys]
        self.weights = [(w.to(device), b.to(device)) for w, b in weights]
        if len(self.weights) != 18:
            raise SystemExit("best.ckpt is not the sample's: it has %d convolutions" % len(self.weights))

    def conv(self, x, number, relu=True):
        weight, bias = self.weights[number]
        x = F.conv2d(x, weight, bias, padding=weight.shape[2] // 2)
        return F.relu(x) if relu else x

    def __call__(self, x):
        skips = []
        for block in range(4):
            if block > 0:
                x = F.max_pool2d(x, 2)
            x = self.conv(self.conv(x, 2 * block), 2 * block + 1)
            skips.append(x)
        x = self.conv(self.conv(F.max_pool2d(x, 2), 8), 9)
        levels = []
        for block in range(3):
            x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
            x = torch.cat((skips[3 - block], x), dim=1)
            x = self.conv(self.conv(x, 10 + 2 * block), 11 + 2 * block)
            levels.append(x)
        return self.conv(levels[2], 16, relu=False), self.conv(levels[1], 17, relu=False)


class Steps:
    def __init__(self, folder, device):
        self.device = torch.device(device)
        self.network = Network(folder, self.device)

    def prepare(self, frames):
        """uint8 [n, h, w] on the host to the network's input on the device."""
        x = torch.from_numpy(frames).unsqueeze(1).to(self.device)
        size = [int(side * SCALE) for side in x.shape[2:]]
        # Only the processor has a kernel for bytes.
        x = F.interpolate(x.float() if x.is_cuda else x, size=size, mode="bilinear", antialias=True,
                          align_corners=False)
        x = x.round().clamp(0, 255).to(torch.uint8) if x.is_floating_point() else x
        down, right = (-x.shape[2]) % MAX_STRIDE, (-x.shape[3]) % MAX_STRIDE
        return F.pad(x, (0, right, 0, down)).float() / 255

    def peaks(self, maps):
        """Sample, channel, position [k, 2] in network-input pixels and value of every local peak."""
        n, c, h, w = maps.shape
        flat = maps.reshape(n * c, 1, h, w)
        around = F.unfold(F.pad(flat, (1, 1, 1, 1), value=-torch.inf), 3).reshape(n * c, 9, h, w)
        highest = torch.cat((around[:, :4], around[:, 5:]), dim=1).amax(dim=1).reshape(n, c, h, w)
        sample, channel, y, x = torch.where((maps > THRESHOLD) & (maps > highest))
        value = maps[sample, channel, y, x]
        half = PATCH // 2
        padded = F.pad(maps, (half, half, half, half))
        offset = torch.arange(PATCH, device=maps.device)
        rows, columns = y[:, None] + offset, x[:, None] + offset
        patch = padded[sample[:, None, None], channel[:, None, None], rows[:, :, None], columns[:, None, :]]
        total = patch.sum(dim=(1, 2))
        shift = (offset - half).to(maps.dtype)
        dx = (patch * shift[None, None, :]).sum(dim=(1, 2)) / total
        dy = (patch * shift[None, :, None]).sum(dim=(1, 2)) / total
        return sample, channel, torch.stack((x + dx, y + dy), dim=1) * PEAK_STRIDE, value

    def lines(self, fields, points, channels):
        """Candidates of one frame: for each edge the peaks at both ends and the score of every pair."""
        longest = LONGEST * max(fields.shape) * FIELD_STRIDE
        along = torch.linspace(0, 1, POINTS, device=fields.device)
        result = []
        for e, (source, destination) in enumerate(EDGES):
            a = torch.where(channels == source)[0]
            b = torch.where(channels == destination)[0]
            start, vector = points[a][:, None, :], points[b][None, :, :] - points[a][:, None, :]
            place = (start[:, :, None, :] + vector[:, :, None, :] * along[None, None, :, None]) / FIELD_STRIDE
            x = place[..., 0].round().long().clamp(0, fields.shape[2] - 1)
            y = place[..., 1].round().long().clamp(0, fields.shape[1] - 1)
            length = vector.norm(dim=2)
            unit = vector / length[..., None]
            flow = torch.stack((fields[2 * e][y, x], fields[2 * e + 1][y, x]), dim=-1)
            score = (flow * unit[:, :, None, :]).sum(dim=-1).mean(dim=2)
            penalty = torch.clamp(longest / length - 1, max=0)
            result.append((a, b, score + penalty))
        return result

    def group(self, points, values, channels, lines):
        """Instances of one frame [k, nodes, 2], from what lies on the host."""
        instance_of, instances = {}, []
        for (source, destination), (a, b, scores) in zip(EDGES, lines):
            if len(a) == 0 or len(b) == 0:
                continue
            for row, column in zip(*match(scores)):
                if not scores[row, column] >= MIN_LINE:
                    continue
                first, second = a[row], b[column]
                if first not in instance_of:
                    instance_of[first] = len(instances)
                    instances.append({source: first})
                instance_of[second] = instance_of[first]
                instances[instance_of[first]][destination] = second
        out = np.full((len(instances), NODES, 2), np.nan, np.float32)
        for number, members in enumerate(instances):
            for node, peak in members.items():
                out[number, node] = points[peak]
        return out / SCALE

    @torch.inference_mode()
    def batch(self, frames):
        confidence, fields = self.network(self.prepare(frames))
        sample, channel, points, value = self.peaks(confidence)
        result = []
        for f in range(len(frames)):
            mine = sample == f
            lines = self.lines(fields[f], points[mine], channel[mine])
            host = [(a.cpu().numpy(), b.cpu().numpy(), s.cpu().numpy()) for a, b, s in lines]
            result.append(self.group(points[mine].cpu().numpy(), value[mine].cpu().numpy(),
                                     channel[mine].cpu().numpy(), host))
        return result

    def run(self, frames, size):
        result = []
        for first in range(0, len(frames), size):
            result += self.batch(frames[first:first + size])
        return result
