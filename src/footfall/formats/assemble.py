"""From a reader's plain values to a Motion: the one place where unit, axes, rest pose and opening frames
are decided, and where what was decided is put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import FootfallError, LoadError
from footfall.figure import kinematics
from footfall.figure.motion import RATES, Motion
from footfall.figure.reframe import reframe
from footfall.figure.skeleton import Skeleton
from footfall.formats import axes
from footfall.formats.opening import WINDOW, artificial_frames
from footfall.formats.rest_pose import rest_pose
from footfall.formats.take import Saved, Take
from footfall.formats.units import HUMAN_LEG, PLAUSIBLE_LEG, UNITS, unit_name, unit_of_leg
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float

LARGEST = 1e7  # file units; beyond this a length is no length
DEFAULT_FPS = 120.0
TRANSLATED = 1e-6  # m; a joint that strays less than this from its offset does not move


@dataclass(frozen=True, eq=False)
class Capture:
    """A loaded motion and what was found and decided on the way in."""

    motion: Motion
    unit: float  # metres in one file unit
    up: str  # the file's up axis
    dropped: int = 0  # artificial opening frames left out
    notes: tuple[str, ...] = ()  # sentences for a person
    instants: Mapping[str, float] = field(default_factory=dict)  # named times in seconds
    file: str = ""
    format: str = ""

    @property
    def unit_name(self) -> str:
        return unit_name(self.unit)


def assemble(
    take: Take,
    *,
    fps: float | None = None,
    unit: float | None = None,
    up: str | None = None,
    roles: Mapping[str, str] | None = None,
) -> Capture:
    """A Capture from a Take; `fps`, `unit` and `up` overrule the file and the judgement."""
    _check_lengths(take)
    if take.saved is not None:
        return _as_saved(take, take.saved, fps=fps, roles=roles)
    notes = list(take.notes)
    skeleton = _skeleton_of(take, roles)
    take, skeleton, up = _stand_up(take, skeleton, up, roles, notes)
    metres = _decide_unit(take, skeleton, unit, notes)
    rate = fps or take.fps
    if rate is None:
        rate = DEFAULT_FPS
        if len(take.root) > 1:
            notes.append(f"the file states no frame rate; {rate:g} Hz was taken (say otherwise with --fps)")
    if not RATES[0] <= rate <= RATES[1]:
        raise LoadError(f"expected a frame rate from {RATES[0]:g} to {RATES[1]:g} Hz, found {rate:g}")
    dropped = _opening(take, skeleton, notes)
    skeleton = replace(skeleton, rest=rest_pose(take, skeleton, dropped, notes)).scaled(metres)
    motion = Motion(
        skeleton,
        metres * take.root[dropped:],
        take.rotations[dropped:],
        rate,
        _translations(take, skeleton, metres, dropped),
    )
    if take.rest is not None:
        motion = reframe(motion)
    instants = {name: t - dropped / rate for name, t in take.instants.items()}
    return Capture(motion, metres, up, dropped, tuple(notes), instants)


def _as_saved(take: Take, saved: Saved, *, fps: float | None, roles: Mapping[str, str] | None) -> Capture:
    """One of our own files: frames, rest pose, roles and soles as they were saved."""
    try:
        skeleton = Skeleton(
            tuple(take.names),
            np.array(take.parents),
            take.offsets,
            quat.identity(len(take.names)) if take.rest is None else take.rest,
            saved.roles,
            np.array(take.end_parents, dtype=int),
            take.end_offsets,
            saved.feet or None,
        )
        skeleton = skeleton.with_roles(**roles) if roles else skeleton
        moved = _translations(take, skeleton, 1.0, 0)
        motion = Motion(skeleton, take.root, take.rotations, fps or take.fps or DEFAULT_FPS, moved)
    except FootfallError as error:
        raise LoadError(str(error)) from None
    return Capture(motion, 1.0, "y", notes=take.notes)


def _check_lengths(take: Take) -> None:
    arrays = [take.offsets, take.root, take.end_offsets, take.rotations]
    if take.translations is not None:
        arrays.append(take.translations)
    for array in arrays:
        if array.size and not (np.abs(array) < LARGEST).all():
            raise LoadError(f"a length or rotation is not a number under {LARGEST:g}")


def _skeleton_of(take: Take, roles: Mapping[str, str] | None) -> Skeleton:
    try:
        return Skeleton.build(
            take.names,
            take.parents,
            take.offsets,
            rest=take.rest,
            end_parents=take.end_parents,
            end_offsets=take.end_offsets,
            roles=roles,
        )
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from error


def _stand_up(
    take: Take, skeleton: Skeleton, up: str | None, roles: Mapping[str, str] | None, notes: list[str]
) -> tuple[Take, Skeleton, str]:
    """Rest pose and world turned until both have Y up; the two are judged apart, each as the file has it."""
    unturned = quat.identity(len(skeleton)) if take.rest is None else take.rest
    resting = kinematics.forward(skeleton.tree, skeleton.offsets, np.zeros(3), unturned)[0]
    bones_up = axes.up_of(axes.upward(skeleton, resting)) if take.up is None else "y"
    if up is None:
        up = take.up
    if up is None:
        seen = axes.sample_positions(take, skeleton)
        up = axes.up_of(axes.upward(skeleton, seen)) if len(seen) else bones_up
        if up == "z":
            notes.append("the figure stands along z: z is taken as up and turned to y")
    turn = axes.world_turn(up)
    if bones_up == "z":
        take = _turn_bones(take, axes.Z_TO_Y)
        skeleton = _skeleton_of(take, roles)
        # which has turned the world along
        turn = quat.multiply(turn, quat.conjugate(axes.Z_TO_Y))
    return _turn_world(take, turn), skeleton, up


def _turn_bones(take: Take, turn: Float[np.ndarray, "4"]) -> Take:
    """A change of axes: every vector and every rotation of the file, told in the new axes."""
    back = quat.conjugate(turn)
    return replace(
        take,
        offsets=quat.rotate(turn, take.offsets),
        end_offsets=quat.rotate(turn, take.end_offsets),
        root=quat.rotate(turn, take.root),
        rotations=quat.multiply(quat.multiply(turn, take.rotations), back),
        translations=None if take.translations is None else quat.rotate(turn, take.translations),
        rest=None if take.rest is None else quat.multiply(quat.multiply(turn, take.rest), back),
    )


def _turn_world(take: Take, turn: Float[np.ndarray, "4"]) -> Take:
    """The whole scene turned: only the root moves, bones and their frames stay."""
    if quat.angle(turn) < 1e-12:
        return take
    rotations = np.array(take.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    moved = take.translations
    if moved is not None:
        moved = np.array(moved)
        moved[:, 0] = quat.rotate(turn, moved[:, 0])
    return replace(take, root=quat.rotate(turn, take.root), rotations=rotations, translations=moved)


def _decide_unit(take: Take, skeleton: Skeleton, unit: float | None, notes: list[str]) -> float:
    if unit is not None:
        return unit
    leg = _leg_in_file_units(take, skeleton)
    if take.unit is not None:
        if leg and not PLAUSIBLE_LEG[0] <= leg * take.unit <= PLAUSIBLE_LEG[1]:
            notes.append(f"the legs are {leg * take.unit:.2f} m long: is the file's unit what it says?")
        return take.unit
    if not leg:
        notes.append(
            "no legs were found, so the unit is unknown: metres were taken (say otherwise with --read-unit)"
        )
        return 1.0
    metres = unit_of_leg(leg)
    if metres != UNITS["m"]:
        notes.append(
            f"legs of {leg:.4g} file units: the unit is taken as {unit_name(metres)} "
            f"(legs of {leg * metres:.2f} m)"
        )
    if not PLAUSIBLE_LEG[0] <= leg * metres <= PLAUSIBLE_LEG[1]:
        notes.append(f"no known unit makes the legs human ({leg * metres:.2f} m against {HUMAN_LEG} m)")
    return metres


def _leg_in_file_units(take: Take, skeleton: Skeleton) -> float:
    """Thigh plus shank; from the frames where joints have translations, for offsets may be idle there."""
    if not skeleton.sides:
        return 0.0
    if take.translations is None or not len(take.translations):
        return skeleton.leg_length()
    sides = [(skeleton.joint(f"{s}_shank"), skeleton.joint(f"{s}_foot")) for s in skeleton.sides]
    lengths = np.linalg.norm(take.translations[: WINDOW + 1], axis=-1)
    return float(np.mean([np.median(lengths[:, shank] + lengths[:, foot]) for shank, foot in sides]))


def _opening(take: Take, skeleton: Skeleton, notes: list[str]) -> int:
    first = replace(
        take,
        root=take.root[: WINDOW + 4],
        rotations=take.rotations[: WINDOW + 4],
        translations=None if take.translations is None else take.translations[: WINDOW + 4],
    )
    if not skeleton.sides or len(first.root) < 2:
        return 0
    motion = Motion(skeleton, first.root, first.rotations, 1.0, first.translations)
    dropped = artificial_frames(motion.positions, _leg_in_file_units(take, skeleton))
    if dropped:
        what = "frame is" if dropped == 1 else f"{dropped} frames are"
        notes.append(f"the first {what} an artificial pose before the motion, and left out")
    return dropped


def _translations(
    take: Take, skeleton: Skeleton, metres: float, dropped: int
) -> Float[np.ndarray, "frames joints 3"] | None:
    """The file's own joint translations in metres, where any joint really leaves its offset."""
    if take.translations is None:
        return None
    moved = metres * take.translations[dropped:]
    strays = np.abs(moved[:, 1:] - skeleton.offsets[1:]).max(initial=0.0)
    return moved if strays > TRANSLATED else None
