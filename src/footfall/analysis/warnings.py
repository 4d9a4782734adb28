"""What is wrong with a capture, in sentences a person can act on.

A wrong frame rate, a tilted floor, spikes, sliding feet, missing feet or roles, no plants: each spoils what
is built from the clip, and each can be mended once it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.analysis.frame_rate import doubt_rate
from footfall.analysis.plants import Plant
from footfall.analysis.steps import Step
from footfall.analysis.tilt import floor_tilt
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.soles import toe_places
from footfall.geometry.decisions import first_greatest

TILTED = np.radians((0.4, 2.5))  # less is level, more is a slope that was walked on purpose
UNEVEN = 0.008  # m: plants that leave their plane by more stand on blocks or stairs
SPIKE = 576.0  # m/s^2: a joint that leaves its path by 4 cm in one frame of 120 Hz
SLIDING = 0.02  # m in the middle of a plant, median over plants
MIDDLE = (0.2, 0.8)  # of a plant: its ends roll and settle
LONG_ENOUGH = 0.3  # s in which some foot should be seen to stand
LEG = ("thigh", "shank", "foot")


def find_warnings(
    motion: Motion, contacts: Contacts, plants: Sequence[Plant], steps: Sequence[Step]
) -> list[str]:
    """All warnings about a motion; none for a clean one."""
    found = list(_missing_roles(motion))
    if not len(motion):
        return [*found, "the file has no frames: only its skeleton can be used"]
    doubt = doubt_rate(motion, contacts, steps)
    if doubt is not None:
        found.append(
            f"the frame rate of {motion.fps:g} Hz looks wrong: {doubt.reason}; "
            f"the true rate is likely {doubt.likely:g} Hz (say so with --fps {doubt.likely:g})"
        )
        # accelerations are judged by the likely rate, or everything would spike
        motion = replace(motion, fps=doubt.likely)
    found += [
        *_no_plants(motion, plants),
        *_tilted_floor(plants),
        *_spikes(motion),
        *_sliding(motion, plants),
    ]
    return found


def _missing_roles(motion: Motion) -> Iterator[str]:
    has = motion.skeleton.has
    legs = {side: [f"{side}_{part}" for part in LEG] for side in ("left", "right")}
    missing = [role for roles in legs.values() for role in roles if not has(role)]
    if len(missing) == 2 * len(LEG):
        yield "no legs were found, so steps are unknown: name the joints (--role left_foot=JOINT ...)"
    elif missing:
        named = f"{', '.join(missing)} not found"
        yield f"a leg is incomplete ({named}): name the joints (--role {missing[0]}=JOINT)"
    if not has("hips"):
        yield "the hips were not found, so no steps can be measured: name the joint (--role hips=JOINT)"
    toes = [f"{side}_toe" for side in motion.skeleton.sides if not has(f"{side}_toe")]
    if toes:
        yield (
            f"{' and '.join(toes)} not found: the ball of the foot is a guess from leg length "
            f"(--role {toes[0]}=JOINT if there is one)"
        )


def _no_plants(motion: Motion, plants: Sequence[Plant]) -> Iterator[str]:
    if motion.skeleton.sides and not plants and motion.seconds > LONG_ENOUGH:
        yield (
            "no foot ever stands: check the frame rate, the unit and which joints are the feet "
            "(--fps, --read-unit, --role)"
        )


def _tilted_floor(plants: Sequence[Plant]) -> Iterator[str]:
    tilt = floor_tilt(plants)
    if tilt is None or tilt.residual > UNEVEN or not tilt.sure:
        return
    if TILTED[0] <= tilt.angle <= TILTED[1]:
        yield (
            f"the floor is tilted by {np.degrees(tilt.angle):.1f} degrees: it rises by "
            f"{100 * np.linalg.norm(tilt.rise):.1f} cm a metre towards heading "
            f"{np.degrees(tilt.heading):.0f} degrees (level it before heights matter)"
        )


def joint_accelerations(motion: Motion) -> Float[np.ndarray, "frames joints"]:
    """Length of each joint's acceleration, m/s^2, of all frames but the first and the last."""
    if len(motion) < 3:
        return np.zeros((0, len(motion.skeleton)))
    return np.linalg.norm(np.diff(motion.positions, 2, axis=0), axis=-1) * motion.fps**2


def spike_frames(motion: Motion) -> list[int]:
    """Frames in which some joint accelerates as no person can: markers swapped or lost."""
    return [int(f) + 1 for f in np.flatnonzero((joint_accelerations(motion) > SPIKE).any(axis=1))]


def _spikes(motion: Motion) -> Iterator[str]:
    frames = spike_frames(motion)
    if frames:
        worst = int(first_greatest(joint_accelerations(motion).max(axis=0)))
        count = "1 frame has a spike" if len(frames) == 1 else f"{len(frames)} frames have spikes"
        listed = ", ".join(str(f) for f in frames[:6]) + (", ..." if len(frames) > 6 else "")
        yield (
            f"{count} (frame {listed}): joints jump, {motion.skeleton.names[worst]} most; "
            "repair or cut them before blending"
        )


def plant_slides(motion: Motion, plants: Sequence[Plant]) -> list[float]:
    """Of each plant, how far the toe joint strays in the middle of it, metres along the ground."""
    toes = {side: toe_places(motion, side) for side in motion.skeleton.sides}
    slides = []
    for plant in plants:
        length = plant.end - plant.start
        first, last = (plant.start + round(share * length) for share in MIDDLE)
        path = toes[plant.foot][first : max(last, first + 1), [0, 2]]
        slides.append(float(np.linalg.norm(path - path[0], axis=-1).max()))
    return slides


def _sliding(motion: Motion, plants: Sequence[Plant]) -> Iterator[str]:
    slides = plant_slides(motion, plants)
    if slides and np.median(slides) > SLIDING:
        yield (
            f"standing feet slide by {100 * np.median(slides):.1f} cm (median of {len(slides)} plants): "
            "pin them with clean_contacts"
        )
