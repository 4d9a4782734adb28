"""Acclaim's skeleton (.asf) and motion (.amc), in.

A joint of ours sits at the start of each bone, where its parent ends; a bone that carries no other ends in
an end site. Joint frames are the world's at rest, so a bone's rotation is C M C^-1, with C its axes and M
the motion's turns, and the rest pose is the pose of no rotation. What a bone has no freedom for is zero.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import replace
from os import PathLike

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.acclaim_skeleton import ROOT, Bone, Figure, fixed_turns, parse_asf
from footfall.formats.assemble import LARGEST
from footfall.formats.numbers import number, parse_numbers, whole_number
from footfall.formats.skeleton_file import listing, unmatched_joints
from footfall.formats.take import Take, check_size
from footfall.geometry import quaternion as quat


def read_asf(text: bytes) -> Take:
    """A skeleton alone: a Take of no frames."""
    return _resting(parse_asf(text))


def _resting(figure: Figure) -> Take:
    carrying = set(figure.parents)
    ends = [j for j in range(len(figure.bones)) if j not in carrying]
    starts = [figure.bones[parent].end for parent in figure.parents[1:]]
    return Take(
        names=[bone.name for bone in figure.bones],
        parents=figure.parents,
        offsets=np.array([figure.bones[0].start, *starts]),
        root=np.zeros((0, 3)),
        rotations=np.zeros((0, len(figure.bones), 4)),
        fps=None,
        end_parents=ends,
        end_offsets=np.array([figure.bones[j].end for j in ends]).reshape(-1, 3),
        unit=figure.unit,
        notes=figure.notes,
    )


def read_amc(text: bytes, skeleton_text: bytes, *, skeleton_file: str | PathLike[str] | None = None) -> Take:
    """The frames of an AMC on the skeleton of an ASF; `skeleton_file` is its name, for errors about it."""
    try:
        figure = parse_asf(skeleton_text)
    except LoadError as error:
        raise (error.at(skeleton_file) if skeleton_file is not None else error) from None
    resting = _resting(figure)
    motion = _MotionReader(figure)
    motion.read(text)
    check_size(motion.frames, len(figure.bones), len(text))
    radians = figure.radians if motion.radians is None else motion.radians
    rotations, shifts = _fill(figure, motion.values(), motion.frames, radians)
    return replace(
        resting,
        root=resting.offsets[0] + shifts,
        rotations=rotations,
        fps=motion.fps,
        notes=(*resting.notes, *motion.notes()),
    )


def _fill(
    figure: Figure, values: dict[str, Float[np.ndarray, "frames dofs"]], frames: int, radians: bool
) -> tuple[Float[np.ndarray, "frames joints 4"], Float[np.ndarray, "frames 3"]]:
    """Local rotations of all joints, and the root's shifts."""
    rotations = quat.identity(frames, len(figure.bones))
    shifts = np.zeros((frames, 3))
    for j, bone in enumerate(figure.bones):
        columns = values.get(bone.name.lower())
        if columns is None:
            continue
        turning = [i for i, dof in enumerate(bone.dofs) if dof[0] == "r"]
        angles = columns[:, turning] if radians else np.deg2rad(columns[:, turning])
        rotations[:, j] = _about_axes(_axes(bone, figure.radians), fixed_turns(angles, bone.turns))
        if j == 0:
            shifts = _translation(bone, columns)
    return rotations, shifts


def _axes(bone: Bone, radians: bool) -> Float[np.ndarray, "4"]:
    """C: the bone's own axes, seen from the world at rest."""
    about = np.array(["XYZ".index(letter) for letter in bone.order])
    angles = np.array(bone.axis)[about]
    return fixed_turns(angles if radians else np.deg2rad(angles), bone.order)


def _about_axes(
    axes: Float[np.ndarray, "4"], turns: Float[np.ndarray, "frames 4"]
) -> Float[np.ndarray, "frames 4"]:
    return quat.multiply(quat.multiply(axes, turns), quat.conjugate(axes))


def _translation(root: Bone, columns: Float[np.ndarray, "frames dofs"]) -> Float[np.ndarray, "frames 3"]:
    out = np.zeros((len(columns), 3))
    for i, dof in enumerate(root.dofs):
        if dof[0] == "t":
            out[:, "xyz".index(dof[1])] = columns[:, i]
    return out


class _MotionReader:
    """Frames line by line: a number on its own, then a line for each bone, the same bones in every frame."""

    def __init__(self, figure: Figure):
        self.bones = {bone.name.lower(): bone for bone in figure.bones}
        self.layout: dict[str, int] = {}  # the bones of the first frame and their places in it
        self.place = 0  # of the bone that comes next
        # numbers, one row for each line of the file, so that a bad one is found on its line
        self.rows: list[bytes] = []
        self.frames = 0
        self.number = 0  # of the frame, as written
        self.radians: bool | None = None
        self.fps: float | None = None
        self.line = 0

    def read(self, text: bytes) -> None:
        for self.line, line in enumerate(text.removeprefix(BOM_UTF8).split(b"\n"), start=1):
            words = line.partition(b"#")[0].split()
            row = b""
            if not words:
                pass
            elif words[0].startswith(b":"):
                self._flag(words)
            elif len(words) == 1 and words[0].isdigit():
                self._frame(words[0])
            else:
                row = self._bone(words)
            self.rows.append(row)
        self._complete()

    def _error(self, problem: str) -> LoadError:
        return LoadError(problem, line=self.line)

    def _flag(self, words: list[bytes]) -> None:
        flag = words[0][1:].upper()
        if flag in (b"DEGREES", b"RADIANS"):
            self.radians = flag == b"RADIANS"
        elif flag == b"SAMPLES-PER-SECOND":
            rate = number(words[-1].decode("utf-8", "replace"), "the samples per second", self.line)
            if not 1e-6 < rate < 1e6:
                raise self._error(f"expected a positive number of samples per second, found {rate:g}")
            self.fps = rate

    def _frame(self, word: bytes) -> None:
        self._complete()
        written = whole_number(word.decode(), "the frame's number", self.line)
        if self.frames and written != self.number + 1:
            raise self._error(f"expected frame {self.number + 1}, found {written}")
        self.number, self.place = written, 0
        self.frames += 1

    def _complete(self) -> None:
        """Refuses a frame that ends before all bones of the first frame have come."""
        if self.place < len(self.layout):
            raise self._error(f"expected {self._next()}, but frame {self.number} ends")

    def _next(self) -> str:
        return next((n[:40] for n, place in self.layout.items() if place == self.place), "the next frame")

    def _bone(self, words: list[bytes]) -> bytes:
        """The numbers of a bone's line; none for a bone that the skeleton lacks."""
        name = words[0].decode("utf-8", "replace").lower()
        if not self.frames:
            raise self._error(f"expected the number of a frame, found {name[:40]!r}")
        if self.frames == 1:
            if name in self.layout:
                raise self._error(f"expected each bone once in a frame, found {name[:40]!r} again")
            self.layout[name] = self.place
        elif self.layout.get(name) != self.place:
            raise self._error(f"expected {self._next()}, as in the first frame, found {name[:40]!r}")
        self.place += 1
        bone = self.bones.get(name)
        if bone is None:
            return b""
        if len(words) - 1 != len(bone.dofs):
            raise self._error(f"expected {len(bone.dofs)} numbers for {name[:40]}, found {len(words) - 1}")
        return b" ".join(words[1:])

    def values(self) -> dict[str, Float[np.ndarray, "frames dofs"]]:
        """Each bone's columns."""
        known = [name for name in self.layout if name in self.bones]
        widths = [len(self.bones[name].dofs) for name in known]
        table = parse_numbers(b"\n".join(self.rows))
        if not (np.abs(table) < LARGEST).all():
            raise LoadError(f"expected numbers under {LARGEST:g}")
        table = table.reshape(self.frames, sum(widths))
        columns = np.split(table, np.cumsum(widths)[:-1], axis=1)
        return dict(zip(known, columns, strict=bool(known)))

    def notes(self) -> tuple[str, ...]:
        shifted = [n for n in self.layout if n != ROOT and n in self.bones and self.bones[n].shifts]
        left_out = (f"shifts and stretches of bones are left out: {listing(shifted)}",) if shifted else ()
        return (*unmatched_joints(self.layout, self.bones), *left_out)
