"""A sequence of movements as one motion: joined in posture and rate, feet exactly on their prints.

Movements meet at postures that differ a little, for parameters do not determine them. The difference
posture is eased out at the beginning of the next ([movements] 5, eq. 5), and so is the difference of rates;
the rolls of the feet are eased likewise, beside their prints, so that what stands goes on standing. Legs
are solved last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import FLAT
from footfall.adapt.legroom import Leg, coming_down
from footfall.adapt.legs_to_feet import hips_of, leg_lengths, legs_to_feet
from footfall.adapt.toes import raised_toes
from footfall.blend.posture_arithmetic import Join, Rate
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import cell_of, cells_up_to
from footfall.geometry.easing import ease_out, hermite
from footfall.ik.two_link import Limb
from footfall.models.movements.foot_paths import FootPath
from footfall.models.movements.movement import Channels, Movement

JOINING = 0.6  # s, T of [movements] 5, which the paper leaves open; never longer than the movement
FEET_JOINING = 0.12  # s, the same for the rolls of feet, which come down and go up much faster
MOMENT = 1e-5  # s over which rates are taken

Numbers = Float[np.ndarray, "moments"]


@dataclass(frozen=True, eq=False)
class End:
    """How a movement ends: posture, rolls of the feet, and the rates of both."""

    pose: Pose
    rate: Rate
    rolls: Float[np.ndarray, "2 3"]
    rolling: Float[np.ndarray, "2 3"]


def perform(skeleton: Skeleton, legs: dict[str, Limb], movements: Sequence[Movement], fps: float) -> Motion:
    """The movements one after the other, each from where the last one ended."""
    body: list[Channels] = []
    feet: list[tuple[FootPath, FootPath]] = []
    end: End | None = None
    begin = 0.0
    for number, movement in enumerate(movements):
        times = frames_of(begin, movement.seconds, fps, last=number == len(movements) - 1)
        channels, edges, end = _joined(movement, times, end)
        body.append(channels)
        feet.append(movement.feet(channels, times, edges))
        begin += movement.seconds
    root = np.concatenate([c.pose.root for c in body])
    rotations = quat.continuous(np.concatenate([c.pose.rotations for c in body]))
    ways = {side: _one([pair[k] for pair in feet]) for k, side in enumerate(SIDES)}
    return _stood(skeleton, legs, Pose(root, rotations), ways, fps)


def frames_of(begin: float, seconds: float, fps: float, *, last: bool) -> Numbers:
    """Times from a movement's start of the frames that fall into it."""
    first = int(cells_up_to(begin * fps, 1.0))
    stop = begin + seconds
    count = int(cell_of(stop * fps, 1.0)) + 1 if last else int(cells_up_to(stop * fps, 1.0))
    return np.arange(first, count) / fps - begin


def _joined(movement: Movement, times: Numbers, end: End | None) -> tuple[Channels, Channels, End]:
    """A movement's channels at its frames and at its keytimes, joined to what went before; and its end."""
    keys = movement.keytimes
    extra = np.concatenate([keys, [0.0, MOMENT, keys[-1] - MOMENT, keys[-1]]])
    asked = np.concatenate([times, extra])
    made = movement.channels(asked)
    count = len(times)
    if end is not None:
        start = count + len(keys)
        made = led(made, asked, end, slice(start, start + 2), movement.seconds)
    return _part(made, slice(0, count)), _part(made, slice(count, count + len(keys))), end_of(made)


def led(made: Channels, times: Numbers, end: End, opening: slice, seconds: float) -> Channels:
    """A movement that begins as the last one ended; `opening` are its own first two moments."""
    seconds = min(JOINING, seconds)
    first, second = _moment(made.pose, opening.start), _moment(made.pose, opening.start + 1)
    join = Join.between(
        end.pose, first, seconds, last_rate=end.rate, first_rate=Rate.between(first, second, MOMENT)
    )
    pose = join.adjusted(made.pose, times)
    brief = min(FEET_JOINING, seconds)
    share = times / brief
    fade, rate = ease_out(share)[:, None], hermite(share, 0.0, 0.0, brief, 0.0)[:, None]
    feet = []
    for k, rolls in enumerate(made.feet):
        own = rolls[opening, 0:3]
        more = fade * (end.rolls[k] - own[0]) + rate * (end.rolling[k] - (own[1] - own[0]) / MOMENT)
        joined = rolls.copy()
        for beside in (slice(0, 3), slice(3, 6)):
            joined[:, beside] = _unrocked(rolls[:, beside], more, float(end.rolls[k, 0]))
        feet.append(joined)
    return Channels(pose, (feet[0], feet[1]))


def _unrocked(
    own: Float[np.ndarray, "moments 3"], more: Float[np.ndarray, "moments 3"], came: float
) -> Float[np.ndarray, "moments 3"]:
    """Rolls with what joins them; where neither heel nor toes are up, and were not, joining lifts neither."""
    out = own + more
    for sign in (1.0, -1.0):
        down = (sign * own[:, 0] <= FLAT) & (sign * came <= FLAT)
        out[:, 0] = np.where(down, sign * np.minimum(sign * out[:, 0], FLAT), out[:, 0])
    return out


def end_of(made: Channels) -> End:
    before, last = _moment(made.pose, -2), _moment(made.pose, -1)
    rolls = np.stack([foot[-2:, 3:6] for foot in made.feet])
    return End(last, Rate.between(before, last, MOMENT), rolls[:, 1], (rolls[:, 1] - rolls[:, 0]) / MOMENT)


def _moment(pose: Pose, index: int) -> Pose:
    return Pose(pose.root[index], pose.rotations[index])


def _part(made: Channels, frames: slice) -> Channels:
    pose = Pose(made.pose.root[frames], made.pose.rotations[frames])
    return Channels(pose, (made.feet[0][frames], made.feet[1][frames]))


def _one(paths: Sequence[FootPath]) -> FootPath:
    """Paths of one foot, one after the other."""
    toes = [p.toe for p in paths if p.toe is not None]
    return FootPath(
        ankle=np.concatenate([p.ankle for p in paths]),
        turn=np.concatenate([p.turn for p in paths]),
        toe=np.concatenate(toes) if len(toes) == len(paths) else None,
        bound=np.concatenate([p.bound for p in paths]),
        heel_down=np.concatenate([p.heel_down for p in paths]),
        toe_down=np.concatenate([p.toe_down for p in paths]),
        share=np.concatenate([p.share for p in paths]),
        level=np.concatenate([p.level for p in paths]),
    )


def _stood(
    skeleton: Skeleton, legs: dict[str, Limb], pose: Pose, ways: dict[str, FootPath], fps: float
) -> Motion:
    """The body come down where a leg would be too short, and the legs solved to end in their feet."""
    rotations = np.array(pose.rotations)
    hips = hips_of(skeleton, legs, pose.root, rotations)
    blended = leg_lengths(skeleton, legs, rotations)
    reaching = {s: Leg(legs[s].reach, hips[s][0], ways[s], blended[s]) for s in legs}
    down = coming_down(list(reaching.values()), fps)
    feet = {}
    for side, leg in reaching.items():
        way = leg.drawn_in(down)
        if way.toe is not None:
            own = rotations[:, skeleton.joint(f"{side}_toe")]
            toes = quat.slerp(own, way.toe, way.bound)
            air = way.share > 0.0
            way = replace(way, toe=raised_toes(skeleton, side, way.ankle, way.turn, toes, way.level, air))
        feet[side] = way
    rotations = legs_to_feet(skeleton, legs, rotations, hips, down, feet)
    contacts = Contacts(
        np.stack([feet[s].heel_down for s in SIDES], axis=1),
        np.stack([feet[s].toe_down for s in SIDES], axis=1),
    )
    root = pose.root - down[:, None] * ground.UP
    return Motion(skeleton, root, quat.continuous(rotations), fps, contacts=contacts)
