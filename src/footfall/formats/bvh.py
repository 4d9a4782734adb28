"""Biovision hierarchy (BVH) in.

Any rotation order and a different one on every joint, channels in any order (rotations before
positions too), position channels on any joint, joints without channels, missing end sites, names with
colons and spaces, CRLF, tabs, scientific notation, zero frames. A position channel states the joint's
place in its parent's frame and stands in for the offset.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import LoadError
from footfall.formats.bvh_hierarchy import Block, Hierarchy
from footfall.formats.numbers import number, parse_numbers, whole_number
from footfall.formats.take import Take, check_size
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float

ROUNDED = 1e-4  # of a rate: what four digits of a frame time leave open
# possessive: a line without end must not be tried again from each of its characters
COUNTS = re.compile(
    rb"\s*+Frames:[ \t]*+(\S*+)[^\n]*+\n\s*+Frame[ \t]*+Time:[ \t]*+(\S*+)[^\n]*+(?:\n|$)", re.IGNORECASE
)
BLOCK = 256  # frames turned at once: few enough that everything in between stays in the cache


def read_bvh(text: bytes) -> Take:
    header, frames, rate, block, block_line = _split(text)
    hierarchy = Hierarchy()
    hierarchy.read(header)
    joints, ends = hierarchy.joints, hierarchy.ends
    width = sum(len(j.channels) for j in joints)
    check_size(frames, len(joints), len(text))
    notes: list[str] = []
    rows = _read_rows(block, block_line, frames, width, notes)
    offsets = np.array([j.offset for j in joints], dtype=float)
    rotations = np.empty((frames, len(joints), 4))
    places = np.broadcast_to(offsets, (frames, len(joints), 3)).copy()
    moved = _fill(joints, rows, rotations, places)
    return Take(
        names=[j.name for j in joints],
        parents=[j.parent for j in joints],
        offsets=offsets,
        root=places[:, 0].copy(),
        rotations=rotations,
        translations=places if moved else None,
        fps=rate,
        end_parents=[e.parent for e in ends],
        end_offsets=np.array([e.offset for e in ends], dtype=float).reshape(-1, 3),
        notes=tuple(notes),
    )


def _rate(word: str, frame_time: float) -> float:
    """Frames a second; headers round or cut the frame time (.0083333), so a rate they may mean is whole."""
    whole = round(1.0 / frame_time)
    mantissa, _, power = word.lower().partition("e")
    last_digit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2].rstrip("0")))
    meant = whole > 0 and abs(1.0 / whole - frame_time) < last_digit
    return float(whole) if meant and abs(1.0 / frame_time - whole) < ROUNDED * whole else 1.0 / frame_time


def _split(text: bytes) -> tuple[str, int, float | None, bytes, int]:
    """Hierarchy text, frame count, frame rate, the block of numbers and the line it starts on."""
    found = re.search(rb"^[ \t]*MOTION[ \t]*\r?$", text, re.MULTILINE | re.IGNORECASE)
    if found is None:
        raise LoadError("expected a line MOTION after the hierarchy, found none")
    header = text[: found.start()].decode("utf-8-sig", "replace")
    line = text.count(b"\n", 0, found.start()) + 1
    counts = COUNTS.match(text, found.end())
    if counts is None:
        raise LoadError("expected 'Frames: N' and then 'Frame Time: SECONDS' after MOTION", line=line + 1)
    frames = whole_number(counts[1].decode("utf-8", "replace"), "Frames", line + 1)
    word = counts[2].decode("utf-8", "replace")
    frame_time = number(word, "Frame Time", line + 2)
    if frame_time < 0 or (frame_time == 0 and frames > 1):
        raise LoadError(f"expected a positive Frame Time, found {frame_time:g}", line=line + 2)
    block_line = text.count(b"\n", 0, counts.end()) + 1
    known = 1e-6 < frame_time < 1e6
    return header, frames, _rate(word, frame_time) if known else None, text[counts.end() :], block_line


def _read_rows(
    block: bytes, line: int, frames: int, width: int, notes: list[str]
) -> Float[np.ndarray, "frames channels"]:
    wanted = frames * width
    lines = block.count(b"\n") + 1
    if not width and frames > lines:  # frames without numbers are empty lines
        raise LoadError(f"expected {frames} frames, found {lines} lines", line=line)
    values = parse_numbers(block, first_line=line)
    if len(values) < wanted or (width and len(values) % width):
        raise _row_error(block, line, frames, width, len(values))
    if len(values) > wanted and width:
        notes.append(
            f"the file holds {len(values) // width} frames; the {frames} that its header says were read"
        )
    return values[:wanted].reshape(frames, width)


def _row_error(block: bytes, line: int, frames: int, width: int, count: int) -> LoadError:
    """Names the first row of the wrong length; else says how much is missing."""
    for number_, row in enumerate(block.split(b"\n"), start=line):
        words = len(row.split())
        if words and words != width:
            return LoadError(f"expected {width} numbers a frame, found {words}", line=number_)
    return LoadError(
        f"expected {frames} frames of {width} numbers, found {count // max(width, 1)}", line=line
    )


def _fill(
    joints: list[Block],
    rows: Float[np.ndarray, "frames channels"],
    rotations: Float[np.ndarray, "frames joints 4"],
    places: Float[np.ndarray, "frames joints 3"],
) -> bool:
    """Channels to local rotations and places, all joints of one order at a time; whether a joint moves."""
    by_order: dict[str, tuple[list[int], list[list[int]]]] = {}
    column, moved = 0, False
    for j, joint in enumerate(joints):
        turns: list[int] = []
        order = ""
        for kind, axis in joint.channels:
            if kind == "position":
                places[:, j, axis] = rows[:, column]
                moved |= j > 0
            else:
                turns.append(column)
                order += "XYZ"[axis]
            column += 1
        members, columns = by_order.setdefault(order, ([], []))
        members.append(j)
        columns.append(turns)
    for order, (members, columns) in by_order.items():
        place, turning = _run(members), _run([column for turns in columns for column in turns])
        for start in range(0, len(rows), BLOCK):
            some = rows[start : start + BLOCK, turning]
            angles = np.deg2rad(some).reshape(len(some), len(members), len(order))
            rotations[start : start + BLOCK, place] = quat.from_euler(angles, order)
    return moved


def _run(indices: list[int]) -> slice | list[int]:
    """Neighbours as a slice, which is taken without copying."""
    if not indices:
        return slice(0, 0)
    first, last = indices[0], indices[-1]
    return slice(first, last + 1) if indices == list(range(first, last + 1)) else indices
