"""From a captured walk to one clean cycle that can be repeated without a seam.

Everything is sampled through one map from phase to frames with knots at both feet's strikes: maps of their own
would shift the body against the feet by centimetres. The body is closed by cubic offsets that take half of the
gap in value and in rate at either end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.level_floor import level_floor
from footfall.adapt.normalize import placed
from footfall.analysis.cycles import Cycle, detect_cycles
from footfall.analysis.plants import Plant, detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import leg_of
from footfall.models.walkedit.course import captured_strides, lay
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.foot_tables import foot_cycle
from footfall.models.walkedit.perform import captured_extension
from footfall.models.walkedit.phase import steps_at
from footfall.models.walkedit.sampling import sampled, sampled_turns
from footfall.models.walkedit.way import STRAIGHT_ON

SAMPLES = 256  # of a cycle
SLOWEST = 0.25  # m/s: what goes on more slowly is no walk
TURNING = np.radians(35.0)  # a cycle that turns by more is no straight walk
NEEDS = "a walk edit needs a clip with three steps or more of straight, forward walking on one level floor"


@dataclass(frozen=True, eq=False)
class Strides:
    """A cycle of the left foot and one of the right that overlap: what one seamless cycle is made from."""

    left: tuple[Plant, Plant]
    right: tuple[Plant, Plant]

    @property
    def phases(self) -> tuple[Float[np.ndarray, "4"], Float[np.ndarray, "4"], float]:
        """Frames of the four strikes, their phases, and the phase at which the right foot strikes."""
        (a, b), (c, d) = ((p.start, q.start) for p, q in (self.left, self.right))
        between, whole = (c, 0.0) if a < c < b else (d, -1.0)
        of_left = (between - a) / (b - a)
        of_right = 1.0 - (b - between) / (d - c) if whole == 0.0 else (between - a) / (d - c)
        strike = 0.5 * (of_left + of_right)
        knots = sorted([(a, 0.0), (b, 1.0), (c, strike + whole), (d, strike + whole + 1.0)])
        frames, phases = np.array(knots, dtype=float).T
        return frames, phases, strike


def extract_cycle(clip: Motion) -> WalkCycle:
    """The steadiest cycle of a walk, cleaned and closed; refused where there is none."""
    clean = _cleaned(clip)
    strides = _steadiest(clean)
    motion, strides = _facing_forward(clean, strides)
    return _tabled(motion, strides)


def _cleaned(clip: Motion) -> Motion:
    if not {"left", "right"} <= set(clip.skeleton.sides) or not clip.skeleton.has("hips"):
        raise RequestError(f"the figure has no two whole legs and hips: {NEEDS}")
    if not np.isfinite(clip.root).all() or not np.isfinite(clip.rotations).all():
        raise RequestError("the clip has frames that are not finite numbers")
    if clip.skeleton.feet is None:
        clip = replace(clip, skeleton=calibrate_feet(clip.skeleton, [clip]))
    try:
        clip = level_floor(clip)
    except RequestError as error:
        raise RequestError(f"{error}; {NEEDS}") from None
    return clean_contacts(clip)


def _steadiest(motion: Motion) -> Strides:
    """The pair of overlapping strides whose end is most like its beginning."""
    assert motion.contacts is not None
    plants = detect_plants(motion, motion.contacts)
    cycles = [c for c in detect_cycles(motion, motion.contacts, plants) if _straight_on(c, motion.fps)]
    best, least = None, np.inf
    for left in (c for c in cycles if c.foot == "left"):
        for right in (c for c in cycles if c.foot == "right"):
            pair = _stride(plants, left), _stride(plants, right)
            if not left.start < right.end or not right.start < left.end or None in pair:
                continue
            cost = _unevenness(motion, left, right)
            if cost < least:
                best, least = pair, cost
    if best is None:
        raise RequestError(f"no whole cycle of walking was found in this clip: {NEEDS}")
    return Strides(*best)  # type: ignore[arg-type]


def _straight_on(cycle: Cycle, fps: float) -> bool:
    return (
        cycle.speed > SLOWEST
        and abs(cycle.side_speed) < 0.5 * cycle.speed
        and abs(cycle.turn_rate) * cycle.seconds(fps) < TURNING
        and cycle.double_support >= 0.0
    )


def _stride(plants: Sequence[Plant], cycle: Cycle) -> tuple[Plant, Plant] | None:
    """The plants between which a cycle runs; None where one of them never lies flat."""
    own = [p for p in plants if p.foot == cycle.foot]
    i = next(k for k, p in enumerate(own) if p.start == cycle.start)
    first, second = own[i], own[i + 1]
    return None if first.flat is None or second.flat is None else (first, second)


def _unevenness(motion: Motion, left: Cycle, right: Cycle) -> float:
    """Metres by which the body is not where it began, with what else makes a bad cycle in like units."""
    body = motion.positions - motion.root[:, None] * np.array([1.0, 0.0, 1.0])
    speed = np.gradient(motion.positions, axis=0) * motion.fps
    gap = np.linalg.norm(body[left.end] - body[left.start], axis=-1).mean()
    rate_gap = np.linalg.norm(speed[left.end] - speed[left.start], axis=-1).mean()
    apart = abs(left.stride - right.stride) + abs(left.seconds(motion.fps) - right.seconds(motion.fps))
    return float(gap + 0.1 * rate_gap + 0.3 * abs(left.turn_rate) + apart)


def _facing_forward(motion: Motion, strides: Strides) -> tuple[Motion, Strides]:
    """The motion walking along +Z, its first left footprint at the origin."""
    way = sum((second.position - first.position) for first, second in (strides.left, strides.right))
    heading = float(ground.heading_of(way))
    turn = ground.turn(-heading)
    origin = quat.rotate(turn, strides.left[0].position * np.array([1.0, 0.0, 1.0]))

    def moved(plant: Plant) -> Plant:
        return replace(
            plant,
            position=quat.rotate(turn, plant.position) - origin,
            toe=quat.rotate(turn, plant.toe) - origin,
            heading=float(ground.wrap(plant.heading - heading)),
        )

    left, right = ((moved(a), moved(b)) for a, b in (strides.left, strides.right))
    return placed(motion, -heading, -origin), Strides(left, right)


def _tabled(motion: Motion, strides: Strides) -> WalkCycle:
    frames, phases, right_strike = strides.phases
    at = np.interp(np.linspace(0.0, 1.0, SAMPLES + 1), phases, frames)
    stride = 0.5 * sum(float((b.position - a.position)[2]) for a, b in (strides.left, strides.right))
    # the two prints of a foot seldom agree to the millimetre: each is where both would have it
    whole = 0.0 if phases[frames == strides.right[0].start][0] > 0.0 else -1.0
    left = 0.5 * (strides.left[0].position + strides.left[1].position) - 0.5 * stride * ground.FORWARD
    right = (
        0.5 * (strides.right[0].position + strides.right[1].position)
        - (0.5 + whole) * stride * ground.FORWARD
    )
    middle = 0.5 * (left + right) - 0.5 * stride * ground.FORWARD  # at the left strike, phase 0
    along = 0.5 * steps_at(np.linspace(0.0, 1.0, SAMPLES + 1), right_strike) * stride
    line = middle + along[:, None] * ground.FORWARD
    root = closed(sampled(motion.root, at) - line)
    rotations = closed_turns(sampled_turns(motion.rotations, at))
    own = {side: (strides.left if side == "left" else strides.right) for side in SIDES}
    headings = tuple(
        float(a.heading + 0.5 * ground.wrap(b.heading - a.heading)) for a, b in (own[s] for s in SIDES)
    )
    legs = {side: leg_of(motion.skeleton, side, motion) for side in SIDES}
    feet = {side: foot_cycle(motion, side, own[side], frames, phases) for side in SIDES}
    first, last = int(frames[0]), int(frames[-1])
    right_step = float(right[2] - left[2])
    cycle = WalkCycle(
        skeleton=motion.skeleton,
        captured=motion[first : last + 1],
        strides=tuple((a.start - first, b.start - first) for a, b in (own[s] for s in SIDES)),  # type: ignore[arg-type]
        seconds=(last - first) / motion.fps / float(phases[-1] - phases[0]),
        right_strike=right_strike,
        step_lengths=(stride - right_step, right_step),
        beside=(float(left[0] - middle[0]), float(right[0] - middle[0])),
        headings=(headings[0], headings[1]),
        rotations=rotations,
        root=root,
        feet=feet,
        legs=legs,
        extension={},
    )
    prints = lay(cycle, captured_strides(cycle, "left", 10), STRAIGHT_ON, "left").prints
    return replace(cycle, extension=captured_extension(cycle, prints, SAMPLES + 1))


def closed(values: Float[np.ndarray, "samples dims"]) -> Float[np.ndarray, "samples dims"]:
    """Values over a cycle whose end meets its beginning, in rate as well."""
    gap = values[-1] - values[0]
    rate = (values[-1] - values[-2]) - (values[1] - values[0])
    return values + _offsets(len(values), gap, rate * (len(values) - 1))


def closed_turns(turns: Float[np.ndarray, "samples joints 4"]) -> Float[np.ndarray, "samples joints 4"]:
    """The same for rotations, in the frame of the bone that turns."""
    gap = quat.log(quat.multiply(quat.conjugate(turns[0]), turns[-1]))
    last = quat.log(quat.multiply(quat.conjugate(turns[-2]), turns[-1]))
    first = quat.log(quat.multiply(quat.conjugate(turns[0]), turns[1]))
    offsets = _offsets(len(turns), gap, (last - first) * (len(turns) - 1))
    out = quat.multiply(turns, quat.exp(offsets))
    out[-1] = out[0]
    return quat.continuous(out)


def _offsets(samples: int, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Cubics that take half of a gap, and of a gap in rate, away at either end."""
    p = np.linspace(0.0, 1.0, samples).reshape(-1, *[1] * gap.ndim)
    start, end = (2 * p**3 - 3 * p**2 + 1), (3 * p**2 - 2 * p**3)
    rate_start, rate_end = (p**3 - 2 * p**2 + p), (p**3 - p**2)
    return 0.5 * (gap * (start - end) + rate * (rate_start - rate_end))
