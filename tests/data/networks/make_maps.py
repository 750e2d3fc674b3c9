# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes cases.json and maps.h5 beside this file: networks of sleap-nn 0.3.5 with weights by a formula, and their maps.

Run once, with a Python that has sleap-nn and h5py, when a case is added: python make_maps.py
The weights are those of test::WeightMaker (tests/support/checkpoint_writer.h), so that no checkpoint is stored. The
outputs are ours: no trained model and no picture of anyone's is in them.
"""

import json
import math
import pathlib

import h5py
import numpy as np
import torch
from omegaconf import OmegaConf
from sleap_nn.architectures.model import Model

HERE = pathlib.Path(__file__).parent

UNET = dict(in_channels=1, kernel_size=3, filters=6, filters_rate=1.5, max_stride=8, stem_stride=None, middle_block=True,
            up_interpolate=True, stacks=1, convs_per_block=2, output_stride=2)
CONVNEXT = dict(in_channels=1, model_type="custom", arch=dict(depths=[1, 2, 1, 1], channels=[6, 10, 14, 18]),
                stem_patch_kernel=4, stem_patch_stride=2, kernel_size=3, filters_rate=2, convs_per_block=2,
                up_interpolate=True, output_stride=2, max_stride=32)
SWINT = dict(in_channels=1, model_type="custom", arch=dict(embed=8, depths=[2, 2, 1, 2], num_heads=[1, 2, 4, 4]),
             patch_size=4, window_size=7, stem_patch_stride=2, kernel_size=3, filters_rate=1.5, convs_per_block=2,
             up_interpolate=True, output_stride=2, max_stride=32)
BASE = dict(unet=UNET, convnext=CONVNEXT, swint=SWINT)

PARTS = ["a", "b", "c"]
HEADS = dict(
    single_instance=lambda s, t: dict(confmaps=dict(part_names=PARTS, sigma=2.5, output_stride=s)),
    centroid=lambda s, t: dict(confmaps=dict(anchor_part=None, sigma=2.5, output_stride=s, use_sigmoid_activation=True)),
    centered_instance=lambda s, t: dict(confmaps=dict(part_names=PARTS, anchor_part=None, sigma=2.5, output_stride=s)),
    bottomup=lambda s, t: dict(confmaps=dict(part_names=PARTS, sigma=2.5, output_stride=s),
                               pafs=dict(edges=[["a", "b"], ["b", "c"]], sigma=50, output_stride=t)),
    multi_class_bottomup=lambda s, t: dict(confmaps=dict(part_names=PARTS, sigma=2.5, output_stride=s),
                                           class_maps=dict(classes=["x", "y"], sigma=50, output_stride=t)),
    multi_class_topdown=lambda s, t: dict(
        confmaps=dict(part_names=PARTS, anchor_part=None, sigma=2.5, output_stride=s),
        class_vectors=dict(classes=["x", "y", "z"], num_fc_layers=2, num_fc_units=12, global_pool=True, output_stride=t)),
)


def cases():
    for backbone in BASE:
        for kind in HEADS:
            yield f"{backbone}, {kind}", backbone, {}, kind, (2, 4), (1, 32, 64)
    single = "single_instance"
    size = (1, 64, 32)
    yield "unet, transposed", "unet", dict(up_interpolate=False), single, (2, 2), size
    yield "unet, kernel 5", "unet", dict(kernel_size=5), single, (2, 2), size
    yield "unet, kernel 4", "unet", dict(kernel_size=4, up_interpolate=False), single, (2, 2), size
    yield "unet, three convolutions, rate 1.7", "unet", dict(convs_per_block=3, filters_rate=1.7), single, (2, 2), size
    yield "unet, no decoder", "unet", dict(output_stride=8), single, (8, 8), size
    yield "unet, stride 1, colour", "unet", dict(in_channels=3, output_stride=1), single, (1, 1), (3, 24, 32)
    yield "unet, grey for colour", "unet", dict(in_channels=3), single, (2, 2), (1, 24, 32)
    yield "unet, colour for grey", "unet", {}, single, (2, 2), (3, 24, 32)
    yield "unet, stem", "unet", dict(stem_stride=2, output_stride=1), single, (1, 1), (1, 32, 48)
    yield "unet, stem, odd", "unet", dict(stem_stride=2, up_interpolate=False), single, (2, 2), (1, 24, 40)
    for b in ("convnext", "swint"):
        yield f"{b}, transposed, stride 1", b, dict(up_interpolate=False, output_stride=1), single, (1, 1), size
        yield f"{b}, stem stride 4", b, dict(stem_patch_stride=4, output_stride=1, max_stride=64), single, (1, 1), (1, 64, 64)
        yield f"{b}, stem stride 1", b, dict(stem_patch_stride=1, output_stride=1, max_stride=16), single, (1, 1), (1, 32, 48)
        yield f"{b}, stem stride 3", b, dict(stem_patch_stride=3, output_stride=1), single, (1, 6), (1, 48, 96)
        yield f"{b}, one convolution", b, dict(convs_per_block=1, filters_rate=1), single, (2, 2), size
        yield f"{b}, three convolutions, kernel 5", b, dict(convs_per_block=3, kernel_size=5), single, (2, 2), size
        yield f"{b}, kernel 4, rate 1.3", b, dict(kernel_size=4, filters_rate=1.3), single, (2, 2), size
        yield f"{b}, contraction", b, dict(block_contraction=True, filters_rate=1.5, up_interpolate=False), single, (2, 2), size
        yield f"{b}, no decoder", b, dict(output_stride=32), single, (32, 32), (1, 96, 64)
        yield f"{b}, colour", b, dict(in_channels=3), single, (2, 2), (3, 32, 64)
        yield f"{b}, padded too little", b, dict(max_stride=16), single, (2, 2), (1, 48, 80)
        yield f"{b}, odd windows", b, {}, "multi_class_topdown", (2, 32), (1, 96, 96)
    yield "convnext, large patches", "convnext", dict(stem_patch_kernel=7), single, (2, 2), (1, 64, 96)
    yield "convnext, an empty stage", "convnext", dict(arch=dict(depths=[1, 0, 1, 1], channels=[8, 8, 8, 8])), single, (2, 4), size
    yield "swint, window 4", "swint", dict(window_size=4), single, (2, 2), size
    yield "swint, window 3, patch 6", "swint", dict(window_size=3, patch_size=6), single, (2, 2), (1, 64, 96)
    yield "swint, window 1", "swint", dict(window_size=1), single, (2, 2), size


def pattern(channels, height, width):
    c, y, x = np.meshgrid(np.arange(channels), np.arange(height), np.arange(width), indexing="ij")
    return (((31 * y + 17 * x + 53 * c) % 256).astype(np.float32) / np.float32(255))[None]


def set_weights(model, seed=1):
    state = seed
    for key, tensor in model.state_dict().items():
        if not tensor.is_floating_point():
            continue
        shape = tuple(tensor.shape)
        count = tensor.numel()
        scale, offset = (3.4 / math.sqrt(count / shape[0]), 0.0) if len(shape) > 1 else (0.2, 0.0)
        if key.endswith("layer_scale") or (len(shape) == 1 and key.endswith(".weight")):
            scale, offset = 0.5, 1.0
        values = np.empty(count)
        for i in range(count):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            values[i] = ((state >> 8) / 16777216.0 - 0.5) * scale + offset
        tensor.copy_(torch.from_numpy(values.astype(np.float32)).reshape(shape))


def hash_of(model):
    """FNV-1a, 64 bit, over "key (sizes)" lines."""
    value = 0xCBF29CE484222325
    for key, tensor in model.state_dict().items():
        for byte in f"{key} ({', '.join(map(str, tensor.shape))})\n".encode():
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def build(backbone, config, kind, heads):
    # Of a preset only the names and sizes of its weights are wanted, not their gigabytes.
    with torch.device("cpu" if config.get("model_type", "custom") == "custom" else "meta"):
        return Model(backbone, OmegaConf.create(config), OmegaConf.create(heads), kind).eval()


def main():
    torch.set_num_threads(1)
    listed = []
    with h5py.File(HERE / "maps.h5", "w") as out, torch.no_grad():
        for number, (tag, backbone, changes, kind, strides, size) in enumerate(cases()):
            config = {**BASE[backbone], **changes}
            heads = HEADS[kind](*strides)
            model = build(backbone, config, kind, heads)
            set_weights(model)
            x = torch.from_numpy(pattern(*size))
            model(x)  # the first pass pads odd sizes once; what counts is every later one
            maps = model(x)
            for name, tensor in maps.items():
                out.create_dataset(f"{number}/{name}", data=tensor.numpy(), compression="gzip", shuffle=True)
            listed.append(dict(tag=tag, size=size, model_config=dict(backbone_config={backbone: config},
                                                                    head_configs={kind: heads})))
            print(tag, {k: (tuple(v.shape), round(float(v.abs().max()), 3), round(float(v.std()), 4)) for k, v in maps.items()})
    presets = []
    for backbone, types in (("convnext", ("tiny", "small", "base", "large")), ("swint", ("tiny", "small", "base"))):
        for model_type in types:
            config = {**BASE[backbone], "model_type": model_type, "arch": None}
            heads = HEADS["bottomup"](2, 4)
            presets.append(dict(tag=f"{backbone} {model_type}", hash=hash_of(build(backbone, config, "bottomup", heads)),
                                model_config=dict(backbone_config={backbone: config}, head_configs=dict(bottomup=heads))))
            print(presets[-1]["tag"], presets[-1]["hash"])
    (HERE / "cases.json").write_text(json.dumps(dict(cases=listed, presets=presets), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
