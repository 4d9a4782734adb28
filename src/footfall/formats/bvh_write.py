"""BVH out: metres, nine decimals, one rotation order, end sites kept."""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion, local_translations
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

WRITE_ORDER = "ZYX"
UNWRITABLE = re.compile(r"[{}\x00-\x1f\x7f-\x9f\u2028\u2029]")


def write_bvh(motion: Motion, *, unit: float = 1.0) -> bytes:
    """BVH text: nine decimals, ZYX order, lengths in units of `unit` metres, end sites kept.

    Joints with translations of their own get six channels. Joints stand, and their channels follow, depth
    first: that is the only order a hierarchy in braces can have.
    """
    skeleton = motion.skeleton
    places = local_translations(motion)
    moving = (places != skeleton.offsets).any(axis=(0, 2)).tolist()
    moving[0] = True
    lines = ["HIERARCHY", *_hierarchy_lines(motion, moving, unit)]
    lines += ["MOTION", f"Frames: {len(motion)}", f"Frame Time: {1.0 / motion.fps!r}"]
    angles = np.rad2deg(np.unwrap(quat.to_euler(motion.rotations, WRITE_ORDER), axis=0))
    columns = []
    for j in _depth_first(skeleton):
        if moving[j]:
            columns.append((motion.root if j == 0 else places[:, j]) / unit)
        columns.append(angles[:, j])
    table = np.concatenate(columns, axis=1) + 0.0  # no "-0"
    row = " ".join(["%.9f"] * table.shape[1])
    lines += [row % tuple(values) for values in table.tolist()]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _depth_first(skeleton: Skeleton) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(joint := waiting.pop())
        waiting += reversed(skeleton.tree.children[joint])
    return order


def _hierarchy_lines(motion: Motion, moving: list[bool], unit: float) -> list[str]:
    skeleton = motion.skeleton
    positions = "Xposition Yposition Zposition "
    turns = " ".join(f"{axis}rotation" for axis in WRITE_ORDER)
    lines: list[str] = []
    stack: list[tuple[str, int, int]] = [("open", 0, 0)]
    while stack:
        what, joint, depth = stack.pop()
        pad = "\t" * depth
        if what == "close":
            lines.append(pad + "}")
            continue
        offset = _three(skeleton.offsets[joint] / unit)
        kind = "ROOT" if joint == 0 else "JOINT"
        channels = f"6 {positions}{turns}" if moving[joint] else f"3 {turns}"
        lines += [f"{pad}{kind} {_on_one_line(skeleton.names[joint])}", pad + "{"]
        lines += [f"{pad}\tOFFSET {offset}", f"{pad}\tCHANNELS {channels}"]
        for end in np.flatnonzero(skeleton.end_parents == joint):
            place = _three(skeleton.end_offsets[end] / unit)
            lines += [f"{pad}\tEnd Site", pad + "\t{", f"{pad}\t\tOFFSET {place}", pad + "\t}"]
        stack.append(("close", joint, depth))
        stack += [("open", child, depth + 1) for child in reversed(skeleton.tree.children[joint])]
    return lines


def _on_one_line(name: str) -> str:
    """A name without what would end its line or open a block; glTF allows joints any name."""
    return UNWRITABLE.sub("_", name).strip() or "joint"


def _three(values: Float[np.ndarray, "3"]) -> str:
    return " ".join(f"{v + 0.0:.9f}" for v in values.tolist())
