"""BVH out: metres, nine decimals, one rotation order, end sites kept; frames in blocks, however many."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.motion import Motion, local_translations
from footfall.figure.skeleton import Skeleton
from footfall.formats.axes import turned_to
from footfall.formats.decimals import decimal_rows
from footfall.geometry import quaternion as quat

BLOCK = 512  # frames
WRITE_ORDER = "ZYX"
UNWRITABLE = re.compile(r"[{}\x00-\x1f\x7f-\x9f\u2028\u2029]")


def write_bvh(motion: Motion, *, unit: float = 1.0, up: str = "y") -> bytes:
    """All of `bvh_blocks` in one."""
    return b"".join(bvh_blocks(motion, unit=unit, up=up))


def bvh_blocks(motion: Motion, *, unit: float = 1.0, up: str = "y") -> Iterator[bytes]:
    """BVH text: nine decimals, ZYX order, lengths in units of `unit` metres, end sites kept.

    Joints with translations of their own get six channels. Joints stand, and their channels follow, depth
    first: that is the only order a hierarchy in braces can have.
    """
    starts = range(0, len(motion), BLOCK)
    moving = np.zeros(len(motion.skeleton), dtype=bool)
    moving[0] = True
    if motion.translations is not None:
        for start in starts:
            block = turned_to(motion[start : start + BLOCK], up)
            moving |= (local_translations(block) != block.skeleton.offsets).any(axis=(0, 2))
    skeleton = turned_to(motion[:0], up).skeleton
    lines = ["HIERARCHY", *_hierarchy_lines(skeleton, moving, unit)]
    lines += ["MOTION", f"Frames: {len(motion)}", f"Frame Time: {1.0 / motion.fps!r}"]
    yield ("\n".join(lines) + "\n").encode("utf-8", "replace")
    order, unwrap = _depth_first(skeleton), _Unwrapped()
    for start in starts:
        block = turned_to(motion[start : start + BLOCK], up)
        places = local_translations(block)
        angles = np.rad2deg(unwrap(quat.to_euler(block.rotations, WRITE_ORDER)))
        columns = []
        for j in order:
            if moving[j]:
                columns.append((block.root if j == 0 else places[:, j]) / unit)
            columns.append(angles[:, j])
        yield decimal_rows(np.concatenate(columns, axis=1) + 0.0)  # no "-0"


class _Unwrapped:
    """`np.unwrap` of blocks that follow each other, to the last bit as of all frames together."""

    def __init__(self) -> None:
        self._last: Float[np.ndarray, "joints 3"] | None = None
        self._turns: Float[np.ndarray, "joints 3"] | None = None

    def __call__(self, angles: Float[np.ndarray, "frames joints 3"]) -> Float[np.ndarray, "frames joints 3"]:
        before = angles[:1] if self._last is None else self._last[None]
        steps = np.diff(angles, axis=0, prepend=before)
        short = np.mod(steps + np.pi, 2.0 * np.pi) - np.pi
        short[(short == -np.pi) & (steps > 0.0)] = np.pi
        turns = np.where(np.abs(steps) < np.pi, 0.0, short - steps)
        if self._turns is not None:
            turns[0] += self._turns
        turns = turns.cumsum(axis=0)
        self._last, self._turns = angles[-1], turns[-1]
        return angles + turns


def _depth_first(skeleton: Skeleton) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(joint := waiting.pop())
        waiting += reversed(skeleton.tree.children[joint])
    return order


def _hierarchy_lines(skeleton: Skeleton, moving: Bool[np.ndarray, "joints"], unit: float) -> list[str]:
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
