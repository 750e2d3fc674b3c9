# SPDX-License-Identifier: BSD-3-Clause
"""Reads the exports of a project back with sleap-io, pynwb and ndx-pose and compares them with the project itself.

Usage: read_back.py PROJECT.slp FOLDER [PROJECT.slp FOLDER ...]     each FOLDER holds out.* as the test wrote them
Prints one line for each project and format and ends with 1 when anything differs.

What a format has no place for is taken out on both sides before comparing; each rule is stated where it is applied.
"""
import json
import pathlib
import sys
import warnings

import h5py
import ndx_pose  # noqa: F401  (the reader of NWB needs to know the types)
import numpy as np
import pandas as pd
import sleap_io as sio

warnings.simplefilter("ignore")
project = folder = labels = None
failures = []


def say(name, problem):
    print(f"{project.name}, {name}: {problem or 'equal'}", flush=True)
    if problem:
        failures.append(name)


def load():
    """The project, or what Skein saved of it where the peer cannot read the original."""
    try:
        return sio.load_slp(str(project), open_videos=False)
    except Exception:  # noqa: BLE001
        return sio.load_slp(str(folder / "out.slp"), open_videos=False)


def is_user(instance):
    return type(instance) is sio.Instance


def score_of(instance):
    return None if is_user(instance) else float(instance.score)


def same(a, b, tolerance=0.0):
    """Numbers alike, not-a-number alike to itself."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return a.shape == b.shape and bool(np.all((np.abs(a - b) <= tolerance) | (np.isnan(a) & np.isnan(b))))


def frames_of(video):
    """Instances by frame number; frames that are listed twice are one."""
    frames = {}
    for frame in labels.labeled_frames:
        if frame.video is video:
            frames.setdefault(int(frame.frame_idx), []).extend(frame.instances)
    return dict(sorted(frames.items()))


def placed(video):
    """What stands in a table with one place a track: by frame number, then by track (or by order without tracks)."""
    skeleton = labels.skeletons[0]
    table = {}
    for frame, instances in frames_of(video).items():
        row = {}
        if labels.tracks:
            for wanted in (False, True):  # a person's instance goes before the prediction
                for instance in instances:
                    if instance.skeleton is skeleton and instance.track is not None and is_user(instance) == wanted:
                        row[labels.tracks.index(instance.track)] = instance
        else:
            replaced = [i.from_predicted for i in instances if is_user(i) and i.from_predicted is not None]
            rest = [i for i in instances if not any(i is r for r in replaced) and i.skeleton is skeleton]
            row = dict(enumerate(rest))
        table[frame] = row
    return table


def with_points(instances):
    return [i for i in instances if not np.isnan(i.numpy()).all()]


def video_file(video_index, extension):
    one = [v for v in labels.videos if frames_of(v)]
    if len(one) == 1:
        return folder / f"out{extension}"
    standard = extension.startswith(".standard")
    first, last = ("out.standard", extension[len(".standard"):]) if standard else ("out", extension)
    if last == ".dlc.csv":
        first, last = "out.dlc", ".csv"
    found = sorted(folder.glob(f"{first}.{video_index:03d}_*{last}"))
    return found[0] if found else folder / "missing"


def check_analysis(name, extension):
    for index, video in enumerate(labels.videos):
        table = placed(video)
        if not table:
            continue
        path = video_file(index, extension)
        taken = sorted({place for row in table.values() for place in row})
        with h5py.File(path) as f:
            dims = f["tracks"].attrs["dims"]
            order = [["frame", "track", "node", "xy"].index(d) for d in json.loads(dims)]
            xy = np.transpose(f["tracks"][:], np.argsort(order))
            scores = [("frame", "track", "node").index(d) for d in json.loads(f["point_scores"].attrs["dims"])]
            point_scores = np.transpose(f["point_scores"][:], np.argsort(scores))
            instance_scores = f["instance_scores"][:]
            if "matlab" in name:
                instance_scores = instance_scores.T
            occupancy = f["track_occupancy"][:]
        for frame in range(xy.shape[0]):
            row = table.get(frame, {})
            for column, place in enumerate(taken):
                instance = row.get(place)
                if bool(occupancy[frame, column]) != (instance is not None):
                    return say(name, f"occupancy of frame {frame}, place {place}")
                if instance is None:
                    if not np.isnan(xy[frame, column]).all():
                        return say(name, f"frame {frame} has positions where nothing is")
                    continue
                if not same(xy[frame, column], instance.numpy()):
                    return say(name, f"positions of frame {frame}, place {place}")
                if not is_user(instance):
                    if not same(point_scores[frame, column], instance.points["score"]):
                        return say(name, f"point scores of frame {frame}, place {place}")
                    if not same(instance_scores[frame, column], instance.score):
                        return say(name, f"score of frame {frame}, place {place}")
        if labels.skeletons[0].nodes and len(taken):
            read = sio.load_analysis_h5(str(path))
            if sum(len(with_points(f.instances)) for f in read) != sum(len(with_points(r.values())) for r in table.values()):
                return say(name, "sleap-io reads another number of instances")
            for frame in read:
                row = table[int(frame.frame_idx)]
                pairs = zip(with_points(frame.instances), with_points(row[p] for p in sorted(row)))
                if not all(same(a.numpy(), b.numpy()) for a, b in pairs):
                    return say(name, f"sleap-io reads other positions in frame {frame.frame_idx}")
            if [n.name for n in read.skeletons[0].nodes] != [n.name for n in labels.skeletons[0].nodes]:
                return say(name, "sleap-io reads other nodes")
            if read.skeletons[0].edge_inds != labels.skeletons[0].edge_inds:
                return say(name, "sleap-io reads other edges")
    say(name, None)


def aligned(instance, skeleton):
    """Positions in the order of `skeleton`, by the names of nodes."""
    by_name = dict(zip([n.name for n in instance.skeleton.nodes], instance.numpy()))
    return np.array([by_name.get(n.name, [np.nan, np.nan]) for n in skeleton.nodes]).reshape(-1, 2)


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_csv(name):
    skeleton = labels.skeletons[0]
    for index, video in enumerate(labels.videos):
        table = placed(video)
        if not table or not skeleton.nodes:
            continue
        path = video_file(index, ".csv")
        text = pd.read_csv(path, dtype=str, keep_default_na=False)
        want = ["track", "frame_idx", "instance.score"] + [
            f"{n.name}.{part}" for n in skeleton.nodes for part in ("x", "y", "score")]
        if list(text.columns) != want:
            return say(name, f"columns {list(text.columns)[:6]}")
        read = sio.load_csv(str(path))
        frames = {int(f.frame_idx): with_points(f.instances) for f in read}
        for frame, row in table.items():
            expected = with_points(row[p] for p in sorted(row))
            got = frames.get(frame, [])
            if len(got) != len(expected):
                return say(name, f"{len(got)} instances in frame {frame} in place of {len(expected)}")
            for a, b in zip(got, expected):
                if not same(aligned(a, skeleton), b.numpy()):
                    return say(name, f"positions in frame {frame}")
                track = b.track.name if b.track is not None else None
                if track and a.track is None:
                    return say(name, f"track in frame {frame}")
                # pandas takes names that look like numbers for numbers.
                if track and a.track.name != track and not is_number(track):
                    return say(name, f"track in frame {frame}")
                if not is_user(b) and not same(a.score, b.score):
                    return say(name, f"score in frame {frame}")
        if any(instances and frame not in table for frame, instances in frames.items()):
            return say(name, "frames that are not in the project")
    say(name, None)


def check_tidy(name):
    text = pd.read_csv(folder / "out.tidy.csv")
    rows = 0
    names = [v.filename[0] if isinstance(v.filename, list) else v.filename for v in labels.videos]
    for video, filename in zip(labels.videos, names):
        part = text[text.video_path == filename] if "video_path" in text else text
        if names.count(filename) > 1 or filename == ".":
            continue  # told apart by nothing in the table
        for frame, instances in frames_of(video).items():
            here = part[part.frame_idx == frame]
            rows += len(here)
            if len(here) != sum(len(i.points) for i in instances):
                return say(name, f"{len(here)} rows in frame {frame}")
            at = 0
            for instance in instances:
                mine = here.iloc[at:at + len(instance.points)]
                at += len(instance.points)
                if not same(mine[["x", "y"]].to_numpy(float), instance.numpy()):
                    return say(name, f"positions in frame {frame}")
                if len(mine) and list(mine.node.astype(str)) != [n.name for n in instance.skeleton.nodes]:
                    return say(name, f"nodes in frame {frame}")
                if len(mine) and set(mine.instance_type) != {"user" if is_user(instance) else "predicted"}:
                    return say(name, f"kind in frame {frame}")
    # sleap-io tells instances of a frame apart by track and kind; where these are the same it cannot, and it knows one
    # skeleton only, whose nodes must not look like numbers.
    if len(labels.skeletons) == 1 and not any(is_number(n.name) for n in labels.skeletons[0].nodes) and len(set(names)) == len(names) and rows:
        read = sio.load_csv(str(folder / "out.tidy.csv"), format="points")
        points = sum(int((~np.isnan(i.numpy()).any(axis=1)).sum()) for f in read for i in f.instances)
        expected = 0
        for video in labels.videos:
            for instances in frames_of(video).values():
                seen = set()
                anyone_tracked = any(i.track is not None for i in instances)
                for i in instances:
                    key = (is_user(i), i.track.name if i.track is not None else None)
                    if anyone_tracked and key in seen:
                        return say(name, None)
                    seen.add(key)
                    expected += int((~np.isnan(i.numpy()).any(axis=1)).sum())
        if points != expected:
            return say(name, f"sleap-io reads {points} points in place of {expected}")
    say(name, None)


def check_coco(name):
    text = json.loads((folder / "out.coco.json").read_text())
    for image in text["images"]:  # the reader passes over annotations of pictures that are missing
        target = folder / image["file_name"].replace("\\", "/").split(":")[-1].lstrip("/")
        image["file_name"] = str(target.relative_to(folder))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    (folder / "moved.coco.json").write_text(json.dumps(text))
    read = sio.load_coco(str(folder / "moved.coco.json"), dataset_root=str(folder))
    got = []
    for f in read.labeled_frames:
        image = f.video.filename[int(f.frame_idx)] if isinstance(f.video.filename, list) else f.video.filename
        for i in f.instances:
            got.append((pathlib.Path(str(image)).name, [n.name for n in i.skeleton.nodes], i))
    images = {i["id"]: i for i in text["images"]}
    expected = [(a["image_id"], i) for a, i in zip(text["annotations"], [
        i for v in labels.videos for instances in frames_of(v).values() for i in with_points(instances)])]
    if len(expected) != len(text["annotations"]) or len(text["annotations"]) != sum(
            len(with_points(i)) for v in labels.videos for i in frames_of(v).values()):
        return say(name, f"{len(text['annotations'])} annotations")
    if len(got) != len(expected):
        return say(name, f"sleap-io reads {len(got)} instances in place of {len(expected)}")
    by_image = {}
    for image, nodes, instance in got:
        by_image.setdefault(image, []).append((nodes, instance))
    for image_id, instance in expected:
        image = pathlib.Path(images[image_id]["file_name"].replace("\\", "/")).name
        nodes, other = by_image[image].pop(0)
        # Key points that are hidden are "labelled, not visible", which sleap-io takes for visible.
        visible = instance.points["visible"] & ~np.isnan(instance.points["xy"]).any(axis=1)
        if nodes != [n.name for n in instance.skeleton.nodes] or not same(
                other.numpy()[visible], instance.numpy()[visible], 1e-3):  # sleap-io keeps 32 bits
            return say(name, f"positions on {image}")
        if (instance.track is None) != (other.track is None):
            return say(name, f"track on {image}")
    say(name, None)


def check_dlc(name):
    for index, video in enumerate(labels.videos):
        table = placed(video)
        if not any(table.values()) or not labels.skeletons[0].nodes:
            continue
        path = video_file(index, ".dlc.csv")
        # The reader drops rows whose picture is missing.
        text = pd.read_csv(path, header=None, dtype=str, keep_default_na=False)
        head = text[0].tolist().index("coords") + 1
        for picture in text[0].tolist()[head:]:
            target = folder / picture
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
        frames = [f for f, row in table.items() if row]
        if len(text) - head != len(frames):
            return say(name, f"{len(text) - head} rows in place of {len(frames)}")
        read = sio.load_dlc(str(path))
        got = {int(f.frame_idx): with_points(f.instances) for f in read}
        for rank, frame in enumerate(frames):
            expected = with_points(table[frame][p] for p in sorted(table[frame]))
            here = got.get(rank, [])
            if len(here) != len(expected):
                return say(name, f"{len(here)} instances in frame {frame} in place of {len(expected)}")
            for a, b in zip(here, expected):
                if not same(aligned(a, labels.skeletons[0]), b.numpy()):
                    return say(name, f"positions in frame {frame}")
    say(name, None)


def check_nwb(name):
    from pynwb import NWBHDF5IO
    path = folder / "out.nwb"
    users = any(is_user(i) for f in labels for i in f.instances)
    predicted = {}
    with NWBHDF5IO(str(path), "r", load_namespaces=False) as io:
        nwb = io.read()
        for module_name, module in nwb.processing.items():
            if not module_name.startswith("SLEAP_VIDEO"):
                continue
            fps = float(module.description.split(" at ")[-1].split(" frames")[0])
            for pose_name, pose in module.data_interfaces.items():
                nodes = list(pose.skeleton.nodes[:])
                for n, node in enumerate(nodes):
                    series = pose.pose_estimation_series[node.replace("/", "_").replace(":", "_")]
                    for t, xy, score in zip(series.timestamps[:], series.data[:], series.confidence[:]):
                        key = (module_name[12:15], pose_name, int(round(t * fps)))
                        predicted.setdefault(key, np.full((len(nodes), 3), np.nan))[n] = [*xy, score]
    expected = []
    for index, video in enumerate(labels.videos):
        for frame, instances in frames_of(video).items():
            seen = set()
            for i in instances:
                if is_user(i) or i.skeleton not in labels.skeletons:
                    continue
                key = (i.track, labels.skeletons.index(i.skeleton))
                if i.track is not None and key in seen:
                    continue  # one place a track
                seen.add(key)
                expected.append((f"{index:03d}", frame, i))
    expected = [e for e in expected if not np.isnan(e[2].numpy()).all()]
    if len(predicted) != len(expected):
        return say(name, f"{len(predicted)} poses in place of {len(expected)}")
    pool = {}
    for (module, pose, frame), values in predicted.items():
        pool.setdefault((module, frame), []).append((pose, values))
    for index, frame, instance in expected:
        want = np.column_stack([instance.numpy(), instance.points["score"]])
        want[np.isnan(want[:, :2]).any(axis=1)] = np.nan
        match = [p for p in pool[(index, frame)] if same(p[1], want) and
                 (instance.track is None or instance.track.name.replace("/", "_").replace(":", "_") in p[0])]
        if not match:
            return say(name, f"pose in frame {frame}")
    if users and any(isinstance(v.filename, list) for v in labels.videos):
        return say(name, None)  # sleap-io cannot read lists of pictures back, its own neither
    read = sio.load_nwb(str(path)) if users or predicted else None
    if users:
        got = {}
        for f in read:
            got.setdefault(int(f.frame_idx), []).extend(f.instances)
        for video in labels.videos:
            for frame, instances in frames_of(video).items():
                mine = [i for i in instances if is_user(i)]
                for i in mine:
                    if not any(same(i.numpy(), o.numpy()) for o in got.get(frame, []) if len(o.points) == len(i.points)):
                        return say(name, f"training frame {frame}")
    elif predicted and len(labels.videos) == 1 and len(labels.skeletons) == 1:
        # sleap-io keeps 32 bits of a position, counts frames by rank and knows no tracks.
        count = sum(len(f.instances) for f in read)
        if count != len(expected):
            return say(name, f"sleap-io reads {count} poses in place of {len(expected)}")
    say(name, None)


CHECKS = (("analysis matlab", lambda n: check_analysis(n, ".analysis.h5")),
          ("analysis standard", lambda n: check_analysis(n, ".standard.analysis.h5")),
          ("csv", check_csv), ("csv-tidy", check_tidy), ("coco", check_coco), ("dlc", check_dlc), ("nwb", check_nwb))
for at in range(1, len(sys.argv), 2):
    project, folder = pathlib.Path(sys.argv[at]), pathlib.Path(sys.argv[at + 1])
    labels = load()
    if not len(labels):
        continue
    for format_name, check in CHECKS:
        try:
            check(format_name)
        except Exception as error:  # noqa: BLE001
            say(format_name, f"{type(error).__name__}: {error}")
sys.exit(1 if failures else 0)
