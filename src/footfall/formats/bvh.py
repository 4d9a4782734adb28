"""Biovision hierarchy (BVH), in and out.

Read: any rotation order and a different one on every joint, channels in any order (rotations before
positions too), position channels on any joint, joints without channels, missing end sites, names with
colons and spaces, CRLF, tabs, scientific notation, zero frames. A position channel states the joint's
place in its parent's frame and stands in for the offset.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.figure.motion import Motion, local_translations
from footfall.figure.skeleton import Skeleton
from footfall.formats.numbers import number, parse_numbers, whole_number
from footfall.formats.take import Take, check_size
from footfall.geometry import quaternion as quat

WRITE_ORDER = "ZYX"
ROUNDED = 1e-4  # of a rate: what four digits of a frame time leave open
WORD = re.compile(r"[{}]|[^\s{}]+")
UNWRITABLE = re.compile(r"[{}\x00-\x1f\x7f-\x9f\u2028\u2029]")
# possessive: a line without end must not be tried again from each of its characters
COUNTS = re.compile(
    rb"\s*+Frames:[ \t]*+(\S*+)[^\n]*+\n\s*+Frame[ \t]*+Time:[ \t]*+(\S*+)[^\n]*+(?:\n|$)", re.IGNORECASE
)
BLOCK = 256  # frames turned at once: few enough that everything in between stays in the cache


@dataclass
class _Block:
    """A joint, or an end site (index -1)."""

    name: str
    parent: int
    index: int
    offset: list[float] | None = None
    channels: list[tuple[str, int]] = field(default_factory=list)  # ("position" | "rotation", axis)


def read_bvh(text: bytes) -> Take:
    header, frames, frame_time, block, block_line = _split(text)
    hierarchy = _HierarchyReader()
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
        fps=None if frame_time is None else _rate(frame_time),
        end_parents=[e.parent for e in ends],
        end_offsets=np.array([e.offset for e in ends], dtype=float).reshape(-1, 3),
        notes=tuple(notes),
    )


def _rate(frame_time: float) -> float:
    """Frames a second; headers round the frame time (.0083333), so a rate all but whole is whole."""
    rate = 1.0 / frame_time
    return float(round(rate)) if abs(rate - round(rate)) < ROUNDED * rate else rate


def _split(text: bytes) -> tuple[str, int, float | None, bytes, int]:
    """Hierarchy text, frame count, frame time, the block of numbers and the line it starts on."""
    found = re.search(rb"^[ \t]*MOTION[ \t]*\r?$", text, re.MULTILINE | re.IGNORECASE)
    if found is None:
        raise LoadError("expected a line MOTION after the hierarchy, found none")
    header = text[: found.start()].decode("utf-8-sig", "replace")
    line = text.count(b"\n", 0, found.start()) + 1
    counts = COUNTS.match(text, found.end())
    if counts is None:
        raise LoadError("expected 'Frames: N' and then 'Frame Time: SECONDS' after MOTION", line=line + 1)
    frames = whole_number(counts[1].decode("utf-8", "replace"), "Frames", line + 1)
    frame_time = number(counts[2].decode("utf-8", "replace"), "Frame Time", line + 2)
    if frame_time < 0 or (frame_time == 0 and frames > 1):
        raise LoadError(f"expected a positive Frame Time, found {frame_time:g}", line=line + 2)
    block_line = text.count(b"\n", 0, counts.end()) + 1
    known = 1e-6 < frame_time < 1e6
    return header, frames, frame_time if known else None, text[counts.end() :], block_line


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


class _Words:
    """The words of one line, one at a time: a line may be as long as the file."""

    def __init__(self, line: str):
        self.line = line
        self._coming = WORD.finditer(line)
        self.next = next(self._coming, None)

    def take(self) -> str:
        """The next word, or nothing at the line's end."""
        found, self.next = self.next, next(self._coming, None)
        return found.group() if found else ""

    def take_name(self) -> str:
        """All up to a brace or the line's end: names may hold spaces."""
        start = end = self.next.start() if self.next else 0
        while self.next and self.next.group() not in ("{", "}"):
            end = self.next.end()
            self.take()
        return self.line[start:end]


class _HierarchyReader:
    """The hierarchy word by word: joints in file order and end sites, no recursion."""

    def __init__(self) -> None:
        self.joints: list[_Block] = []
        self.ends: list[_Block] = []
        self.open: list[_Block] = []  # whose brace is open, the innermost last
        self.named: _Block | None = None  # named, but its brace has not come yet
        self.line = 0

    def read(self, text: str) -> None:
        for self.line, line in enumerate(text.split("\n"), start=1):
            words = _Words(line)
            while words.next:
                self._statement(words)
        if self.open or self.named is not None:
            raise self._error("the hierarchy ends before its braces are closed")
        if not self.joints:
            raise self._error("expected a ROOT joint, found none")

    def _error(self, problem: str) -> LoadError:
        return LoadError(problem, line=self.line)

    def _statement(self, words: _Words) -> None:
        word = words.take()
        what = word.upper()
        if self.named is not None:
            if what != "{":
                raise self._error(f"expected '{{' after {self.named.name[:40]!r}, found {word[:40]!r}")
            self.open.append(self.named)
            self.named = None
        elif what in ("ROOT", "JOINT", "END"):
            self._name(word, words)
        elif what == "}" and self.open:
            if self.open.pop().offset is None:
                raise self._error("expected an OFFSET before '}'")
        elif what == "OFFSET" and self.open:
            _offset(self.open[-1], words, self.line)
        elif what == "CHANNELS" and self.open and self.open[-1].index >= 0:
            _channels(self.open[-1], words, self.line)
        elif what != "HIERARCHY" or self.joints:
            expected = "OFFSET, CHANNELS, JOINT, End Site or a brace" if self.open else "ROOT"
            raise self._error(f"expected {expected}, found {word[:40]!r}")

    def _name(self, word: str, words: _Words) -> None:
        what = word.upper()
        if (what == "ROOT") != (not self.joints) or (what != "ROOT" and not self.open):
            raise self._error(f"expected one ROOT that holds everything, found {word}")
        if self.open and self.open[-1].index < 0:
            raise self._error("an End Site cannot carry joints")
        name = words.take_name()
        parent = self.open[-1].index if self.open else -1
        if what == "END":
            self.named = _Block(name, parent, index=-1)
            self.ends.append(self.named)
        else:
            self.named = _Block(name or f"joint{len(self.joints)}", parent, index=len(self.joints))
            self.joints.append(self.named)
            check_size(0, len(self.joints), 0)


def _offset(joint: _Block, words: _Words, line: int) -> None:
    three = [words.take() for _ in range(3)]
    if not three[-1]:
        raise LoadError(f"expected three numbers after OFFSET, found {sum(map(bool, three))}", line=line)
    joint.offset = [number(w, "OFFSET", line) for w in three]


def _channels(joint: _Block, words: _Words, line: int) -> None:
    count = whole_number(words.take(), "CHANNELS", line)
    if count > 6:
        raise LoadError(f"expected at most 6 channels, found {count}", line=line)
    joint.channels = []
    for i in range(count):
        word = words.take()
        if not word:
            raise LoadError(f"expected {count} channel names after CHANNELS, found {i}", line=line)
        kind, axis = word[1:].lower(), "XYZ".find(word[:1].upper())
        if kind not in ("position", "rotation") or axis < 0:
            raise LoadError(
                f"expected a channel such as Xposition or Zrotation, found {word[:40]!r}", line=line
            )
        joint.channels.append((kind, axis))


def _fill(
    joints: list[_Block],
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
