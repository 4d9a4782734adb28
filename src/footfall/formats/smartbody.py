"""SmartBody's text formats, in: motions (.skm) of a skeleton (.sk).

A joint's whole rotation is its pre-rotation times the motion's, which a `Quat` channel gives as three
numbers, axis times angle in radians. A position channel adds to the joint's offset. The two files may be
in different units: frames are brought to the skeleton's.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.errors import FootfallError, LoadError
from footfall.figure.skeleton import Skeleton
from footfall.formats.assemble import LARGEST
from footfall.formats.numbers import number, parse_numbers, whole_number
from footfall.formats.skeleton_file import unmatched_joints
from footfall.formats.smartbody_skeleton import read_sk, stated_unit
from footfall.formats.take import Take, check_size
from footfall.formats.units import unit_of_leg
from footfall.geometry import quaternion as quat

__all__ = ["read_sk", "read_skm"]

SIGNATURES = ("skmotion", "homotion", "knmotion")
AXES = {"xpos": 0, "ypos": 1, "zpos": 2}
INSTANT = re.compile(r"(?P<name>[^\s:]+)(?P<time>\s+time)?\s*:\s*(?P<value>\S*)", re.IGNORECASE)
SHORTEST = 1e-6  # s between frames
UNEVEN = 0.1  # of the mean spacing: frame times that stray further are called uneven
ROUNDING = 5e-6  # s; keytimes have five or more decimals


def read_skm(text: bytes, skeleton: Take) -> Take:
    """The skeleton completed with a motion's frames. It may come from any format that has joint names."""
    lines = _Lines(text)
    channels = _read_channels(lines)
    width = sum(_size(kind) for _, kind in channels)
    notes = [*skeleton.notes, *unmatched_joints((name for name, _ in channels), set(skeleton.names))]
    frames, times = _read_frames(lines, width, notes)
    check_size(len(frames), len(skeleton.names), len(text))
    scale, unit = _units(stated_unit(text), skeleton)
    rotations, places, moved = _fill(channels, frames, skeleton, scale)
    first = float(times[0]) if len(times) else 0.0
    return replace(
        skeleton,
        root=places[:, 0].copy(),
        rotations=rotations,
        translations=places if moved else None,
        fps=_rate(times, notes),
        unit=unit,
        instants={name: t - first for name, t in _read_instants(lines).items()},
        notes=tuple(notes),
    )


class _Lines:
    """Lines without their comments, taken one after the other; `line` is the number of the last one."""

    def __init__(self, text: bytes):
        self.lines = text.removeprefix(BOM_UTF8).split(b"\n")
        self.line = 0

    def take(self) -> list[bytes] | None:
        """The next line's words, none for an empty line; None at the end of the file."""
        if self.line == len(self.lines):
            return None
        self.line += 1
        return self.lines[self.line - 1].partition(b"#")[0].split()

    def filled(self, expected: str) -> list[str]:
        """The words of the next line that has some."""
        while (words := self.take()) is not None:
            if words:
                return [word.decode("utf-8", "replace") for word in words]
        raise LoadError(f"expected {expected}, but the file ends", line=len(self.lines))

    def count(self, words: list[str], keyword: str) -> int:
        """The count of a line such as `frames 30`."""
        if len(words) != 2 or words[0].lower() != keyword:
            raise LoadError(f"expected '{keyword} COUNT', found {' '.join(words)[:40]!r}", line=self.line)
        return whole_number(words[1], keyword, self.line)


def _read_channels(lines: _Lines) -> list[tuple[str, str]]:
    """Joint and kind ("xpos", "ypos", "zpos", "quat") of each channel."""
    words = lines.filled("SkMotion")
    if len(words) != 1 or words[0].lower() not in SIGNATURES:
        raise LoadError(f"expected SkMotion, found {' '.join(words)[:40]!r}", line=lines.line)
    words = lines.filled("channels")
    if words[0].lower() == "name":
        words = lines.filled("channels")
    channels: list[tuple[str, str]] = []
    for _ in range(lines.count(words, "channels")):
        *name, kind = lines.filled("a joint and its channel")
        if not name or kind.lower() not in (*AXES, "quat"):
            raise LoadError(
                f"expected a joint and XPos, YPos, ZPos or Quat, found {' '.join([*name, kind])[:40]!r}",
                line=lines.line,
            )
        channels.append((" ".join(name), kind.lower()))
    return channels


def _size(kind: str) -> int:
    return 3 if kind == "quat" else 1


def _read_frames(
    lines: _Lines, width: int, notes: list[str]
) -> tuple[Float[np.ndarray, "frames channels"], Float[np.ndarray, "frames"]]:
    """Values and times of the frames; leaves `lines` before what follows them."""
    wanted = lines.count(lines.filled("frames"), "frames")
    start, found = lines.line + 1, 0
    rows: list[bytes] = []  # one for each line of the file, so that a bad number is found on its line
    while (words := lines.take()) is not None:
        if words and words[0].lower() != b"kt":
            lines.line -= 1
            break
        found += bool(words)
        rows.append(_row(words, width, lines.line))
    if found < wanted:
        raise LoadError(f"expected {wanted} frames, found {found}", line=lines.line)
    if found > wanted:
        notes.append(f"the file holds {found} frames; the {wanted} that it announces were read")
    values = parse_numbers(b"\n".join(rows), first_line=start)
    _check_lengths(values)
    table = values.reshape(found, width + 1)[:wanted]
    return table[:, 1:], table[:, 0]


def _row(words: list[bytes], width: int, line: int) -> bytes:
    """The time and the numbers of a line `kt TIME fr NUMBERS`."""
    if not words:
        return b""
    if len(words) < 3 or words[2].lower() != b"fr":
        raise LoadError("expected 'kt TIME fr NUMBERS'", line=line)
    if len(words) != width + 3:
        raise LoadError(f"expected {width} numbers after fr, found {len(words) - 3}", line=line)
    return b" ".join([words[1], *words[3:]])


def _check_lengths(values: Float[np.ndarray, "..."]) -> None:
    if not (np.abs(values) < LARGEST).all():
        raise LoadError(f"expected numbers under {LARGEST:g}")


def _read_instants(lines: _Lines) -> dict[str, float]:
    """Named times after the frames, `ready time: 0.16` or `toeLift: 0.16`; other remarks are left out."""
    instants: dict[str, float] = {}
    while (words := lines.take()) is not None:
        found = INSTANT.fullmatch(b" ".join(words).decode("utf-8", "replace"))
        if not words or (found is None and b":" in b"".join(words)):
            continue
        if found is None:
            raise LoadError("expected an instant such as 'ready time: 0.16'", line=lines.line)
        try:
            instants[found["name"]] = number(found["value"], f"the time of {found['name'][:40]}", lines.line)
        except LoadError:
            if found["time"]:
                raise
    return instants


def _rate(times: Float[np.ndarray, "frames"], notes: list[str]) -> float | None:
    """Frames a second, a whole number where the written times allow it; None for fewer than two frames."""
    if len(times) < 2:
        return None
    steps = np.diff(times)
    if not (steps > 0).all():
        late = int(np.argmin(steps > 0)) + 1
        raise LoadError(f"expected times that rise, found {times[late]:g} s after {times[late - 1]:g} s")
    spacing = float(times[-1] - times[0]) / len(steps)
    if spacing < SHORTEST:
        raise LoadError(f"expected frames at least {SHORTEST:g} s apart, found {spacing:g} s")
    if np.abs(steps - spacing).max() > UNEVEN * spacing:
        notes.append(f"frame times are uneven; their mean spacing of {spacing:.4g} s was taken throughout")
    whole = round(1.0 / spacing)
    if whole and abs(len(steps) / whole - len(steps) * spacing) < ROUNDING:
        return float(whole)
    return 1.0 / spacing


def _units(stated: float | None, skeleton: Take) -> tuple[float, float | None]:
    """What turns the frames' lengths into the skeleton's, and the skeleton's unit where it is known."""
    if stated is None:
        return 1.0, skeleton.unit
    if skeleton.unit is not None:
        return stated / skeleton.unit, skeleton.unit
    leg = _leg_length(skeleton)
    if not leg:
        return 1.0, stated
    return stated / unit_of_leg(leg), None


def _leg_length(skeleton: Take) -> float:
    """In file units; 0 where no leg is found."""
    _check_lengths(skeleton.offsets)
    try:
        figure = Skeleton.build(skeleton.names, skeleton.parents, skeleton.offsets, rest=skeleton.rest)
    except FootfallError as error:
        raise LoadError(str(error)) from error
    return figure.leg_length() if figure.sides else 0.0


def _fill(
    channels: list[tuple[str, str]],
    frames: Float[np.ndarray, "frames channels"],
    skeleton: Take,
    scale: float,
) -> tuple[Float[np.ndarray, "frames joints 4"], Float[np.ndarray, "frames joints 3"], bool]:
    """Whole local rotations, places in the parents' frames, and whether a joint but the root has places."""
    prerots = quat.identity(len(skeleton.names)) if skeleton.rest is None else skeleton.rest
    rotations = np.tile(prerots, (len(frames), 1, 1))
    places = np.tile(skeleton.offsets, (len(frames), 1, 1))
    index = {name: j for j, name in reversed(list(enumerate(skeleton.names)))}
    column, moved = 0, False
    for name, kind in channels:
        j = index.get(name, -1)
        if j >= 0 and kind == "quat":
            rotations[:, j] = quat.multiply(prerots[j], quat.exp(frames[:, column : column + 3]))
        elif j >= 0:
            places[:, j, AXES[kind]] = skeleton.offsets[j, AXES[kind]] + scale * frames[:, column]
            moved |= j > 0
        column += _size(kind)
    return rotations, places, moved
