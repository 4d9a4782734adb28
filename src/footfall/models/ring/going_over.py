"""From one ring to another: the state in which the other is entered, if there is ground for its strike.

Both stand on the same foot at the same place. What is left goes on with the weights it has until it has faded
(see `cross_kernel`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry import easing
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN
from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.models.ring.setting_out import State, fresh_state, planned_weights, settle, sphere_flags
from footfall.world.box_tree import TreeArrays

LATEST = 0.4  # of a half cycle: what is entered later has no time to fade
FIRST_PACE, FIRST_LENGTH = 0.6, 0.75  # of the usual pace and step, with which one sets out
FIRST_TURN = 0.6  # rad at most by which a figure turns directly as it sets out from a rest
FIRST_EFFORT = 0.5  # of the hardest turn: hips also go from how one stands to how one walks
NOTICED = 0.3  # rad: a smaller turn is left to the steps
BRAKES, BRAKING_PACE = 1.5, 1.5  # times as quick a gait is left with a quicker pace than usual
REST_TURNS = (0.35, -0.35, 0.7, -0.7, 1.05, -1.05)  # rad by which a figure turns to find room for a rest,
REST_TURN_PACE = 0.5  # and at what pace
SAME_ROW = 1e-3  # m: spheres that are as far ahead as each other
BARELY = 0.1  # of a tilt at the strike: less cannot be told


@dataclass(frozen=True, eq=False)
class Leaving:
    """A ring in the moment in which it is left."""

    ring: MotionRing
    state: State

    @property
    def half(self) -> int:
        return int(self.state[layout.HALF])

    @property
    def share(self) -> float:
        """Of the half cycle that is over."""
        return float(self.state[layout.FRAME] / self.ring.tables.half - self.state[layout.HALF])

    @property
    def extra(self) -> float:
        """By what the half's frame is turned directly, rad."""
        from footfall.models.ring.easing_kernel import extra_now

        return float(extra_now(self.state, self.share))

    @property
    def heading(self) -> float:
        return float(self.state[layout.HEADING]) + self.extra

    def sway(self, half: int) -> float:
        """By what a rest's frame would turn if it began anew beside a foot, rad: hips sway as one stands."""
        facing = _told_stance(self)[0]
        begun, _ = _stance(self.ring, self.ring.usual_weights, half, 0.0, np.zeros(3), 0.0)
        return self.heading - (facing - begun)

    def beside(self, half: int, tree: TreeArrays, pose: Float[np.ndarray, "numbers"]) -> Leaving:
        """A rest as it is told beside one or the other of its feet: both stand, so either may.

        As its next half begins it will be told so; but hips and foot are where they are in this `pose`.
        """
        from footfall.models.ring.handover_kernel import strike_now

        if half == self.half or not self.ring.resting:
            return self
        state = self.state.copy()
        strike_now(*tree, self.ring.packed.sizes, self.ring.packed.numbers, state)
        for place in (layout.FRAME, layout.PENDING, layout.WAITED, layout.RESPONSE, layout.STRIKES):
            state[place] = self.state[place]
        told = Leaving(self.ring, state)
        state[layout.HEADING] += _told_stance(self)[0] - _told_stance(told)[0]
        toe, foot_heading = _standing_foot(self.ring, half, pose)
        state[layout.ORIGIN : layout.ORIGIN + 3] += toe - _told_stance(told)[1]
        state[layout.SUPPORT_HEADING] = foot_heading
        return told

    @property
    def origin(self) -> Float[np.ndarray, "3"]:
        from footfall.models.ring.handover_kernel import origin_now

        return origin_now(self.state, self.extra)

    @property
    def weights(self) -> Float[np.ndarray, "loops"]:
        from footfall.models.ring.easing_kernel import weights_at

        now, rates = np.empty(len(self.ring)), np.empty(len(self.ring))
        weights_at(len(self.ring), self.state, self.share, now, rates)
        return now

    @property
    def fading(self) -> Float[np.ndarray, "left"]:
        """What is remembered of it while it fades, but for when that began."""
        from footfall.models.ring import cross_kernel

        left = np.zeros(cross_kernel.WEIGHTS + len(self.ring))
        left[cross_kernel.SHARE], left[cross_kernel.HALF] = self.share, self.half
        left[cross_kernel.ORIGIN : cross_kernel.ORIGIN + 3] = self.origin
        left[cross_kernel.HEADING], left[cross_kernel.LASTED] = self.heading, self.state[layout.SECONDS]
        left[cross_kernel.WEIGHTS :] = self.weights
        return left


def entered_state(
    leaving: Leaving,
    ring: MotionRing,
    tree: TreeArrays,
    share: float,
    wish_length: float | None,
    turn: float,
    ahead: float = 0.0,
) -> State | None:
    """Another ring at a share of the same half cycle, turned directly by an angle; None without ground.

    Of a rest the foot that comes down does so by so many metres `ahead` of where it usually stands.
    """
    from footfall.models.ring.handover_kernel import HARDEST_TURN, origin_now, turn_away
    from footfall.models.ring.search_kernel import search, test_spheres

    old, half, usual = leaving.state, leaving.half, ring.usual_weights
    share = min(share, LATEST)
    state = fresh_state(ring, None if ring.resting else wish_length)
    state[layout.HALF], state[layout.FRAME] = half, ring.tables.half * (half + share)
    _take_place(leaving, ring, share, state)
    kept = (layout.WISH_HEADING, layout.PENDING, layout.WAITED, layout.RESPONSE, layout.STRIKES)
    for place in (*kept, layout.SUPPORT_HEADING, layout.SUPPORT_LEVEL):
        state[place] = old[place]
    _take_feet(leaving, ring, share, state)
    state[layout.EASED_FROM] = share
    sets_out, wished = leaving.ring.resting and not ring.resting, state[layout.WISH_LENGTH]
    state[layout.PACE] = FIRST_PACE if sets_out else (1.0 if leaving.ring.resting else old[layout.PACE])
    state[layout.WISH_LENGTH] = (FIRST_LENGTH if sets_out else 1.0) * wished
    if leaving.ring.quickness > BRAKES * ring.quickness > 0.0:  # momentum is kept: long and quick at first
        state[layout.PACE], state[layout.WISH_LENGTH] = BRAKING_PACE, ring.spheres[0].step_lengths.max()
    planned_weights(state, len(ring))[:] = usual
    if abs(turn) > NOTICED + MARGIN and not ring.resting:
        # no farther than hips can be turned until its strike: an eased turn accelerates by 6 / t^2 of it
        left = (layout.ARRIVED - share) * ring.tables.half * state[layout.SECONDS]
        most = min(FIRST_TURN, FIRST_EFFORT * HARDEST_TURN * left * left / 6.0)
        state[layout.EXTRA_TO] = np.clip(turn, -most, most)
    origin = origin_now(state, state[layout.EXTRA_TO])
    heading = float(state[layout.HEADING] + state[layout.EXTRA_TO])
    if state[layout.EXTRA_TO] != 0.0:  # the wish is heard, and the turn is enough: the step goes straight on
        state[layout.WISH_HEADING] = heading
        state[layout.PENDING], state[layout.RESPONSE] = 0.0, state[layout.WAITED]
    pace = 1.0
    if ring.resting:
        turns = (turn,) if leaving.ring.resting else (turn, *REST_TURNS)
        found = _rest_turned(leaving, ring, tree, share, turns, ahead, state)
        if found is None:
            return None
        pace = 1.0 if found == turns[0] else REST_TURN_PACE
    else:
        flags, tables = sphere_flags(state, ring), (ring.packed.sizes, ring.packed.numbers)
        test_spheres(*tree, *tables, half, origin, heading, 0, len(flags), flags)
        if not search(*tree, *tables, flags, state):
            turn_away(*tree, *tables, state)
            if state[layout.STATUS] == layout.STANDING:
                return None
            pace = (1.0 - share) * float(state[layout.PACE_TO])  # there is less time to turn
            state[layout.PACE] = min(float(state[layout.PACE]), pace)
    state[layout.PACE_TO], state[layout.WISH_LENGTH] = pace, wished
    state[layout.WISH_HEADING] = old[layout.WISH_HEADING]
    state[layout.SCALARS : layout.SCALARS + len(ring)] = planned_weights(state, len(ring))
    if ring.resting:
        settle(state)
    return state


def _rest_turned(
    leaving: Leaving,
    ring: MotionRing,
    tree: TreeArrays,
    share: float,
    turns: Sequence[float],
    ahead: float,
    state: State,
) -> float | None:
    """A rest for which the figure turns about its support foot, by the first of some angles at which the
    other foot has ground; None where it has none at any.
    """
    from footfall.models.ring.search_kernel import search, test_spheres

    flags, tables = sphere_flags(state, ring), (ring.packed.sizes, ring.packed.numbers)
    wanted = _usual_stand(ring, leaving.half) + ahead
    away = np.abs(ring.spheres[leaving.half].centres[:, 2] - wanted)
    if ahead != 0.0:
        middle = np.median(ring.spheres[leaving.half].kriging.points, axis=0)
        weights = ring.spheres[leaving.half].kriging(np.array([middle[0], 0.0, wanted]))
        planned_weights(state, len(ring))[:] = weights
    for turn in turns:
        _take_place(leaving, ring, share, state, turn)
        origin, heading = state[layout.ORIGIN : layout.ORIGIN + 3], float(state[layout.HEADING])
        test_spheres(*tree, *tables, leaving.half, origin, heading, 0, len(flags), flags)
        if ahead != 0.0:
            flags[away > away.min() + SAME_ROW] = 0.0
        if search(*tree, *tables, flags, state):
            return turn
    return None


def _usual_stand(ring: MotionRing, half: int) -> float:
    """How far ahead of the foot that is told beside the other one of a rest stands."""
    return float(np.median(ring.spheres[half].kriging.points[:, 2]))


def _take_place(leaving: Leaving, ring: MotionRing, share: float, state: State, turn: float = 0.0) -> None:
    """The half's frame of the other ring: facing, but for a turn, and support foot are where they were."""
    facing, anchor = _told_stance(leaving)
    own_facing, (x, y, z) = _stance(ring, ring.usual_weights, leaving.half, share, np.zeros(3), 0.0)
    heading = facing - own_facing + turn
    cosine, sine = np.cos(heading), np.sin(heading)
    turned = np.array([cosine * x + sine * z, y, cosine * z - sine * x])
    state[layout.ORIGIN : layout.ORIGIN + 3], state[layout.HEADING] = anchor - turned, heading
    state[layout.PIVOT], state[layout.PIVOT + 1] = x, z


def _take_feet(leaving: Leaving, ring: MotionRing, share: float, state: State) -> None:
    """How both feet lie, and where the one stood that leaves."""
    from footfall.models.ring.easing_kernel import tilt_at
    from footfall.models.ring.figure_kernel import LAID_BY, support_tilt

    old = leaving.state
    for c in range(3):
        state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = tilt_at(old, leaving.share, c)
    x, y, z = support_tilt(old, leaving.share)
    laid = 1.0 - float(easing.smooth(share / LAID_BY))  # what still counts of the tilt at the strike, there
    if ring.resting or leaving.ring.resting or laid < BARELY:
        plane, laid = np.array([x, z]), 1.0
    else:
        plane = old[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2]
    state[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2] = plane
    state[layout.SUPPORT_TILT : layout.SUPPORT_TILT + 3] = (
        plane[0] + (x - plane[0]) / laid,
        y / laid,
        plane[1] + (z - plane[1]) / laid,
    )
    if not leaving.ring.resting:
        state[layout.LEFT_PLANE : layout.LEFT_PLANE + 2] = old[layout.LEFT_PLANE : layout.LEFT_PLANE + 2]
        state[layout.LEFT_LEVEL : layout.LEFT_PLACE + 2] = old[layout.LEFT_LEVEL : layout.LEFT_PLACE + 2]
        return
    # of a rest, the foot that leaves stands where it would strike
    packed = leaving.ring.packed
    sole = packed.sizes[layout.AT_SOLES] + layout.SOLE * (1 - leaving.half)
    heading, (x, z) = old[layout.NEXT_HEADING], old[layout.NEXT_PIVOT : layout.NEXT_PIVOT + 2]
    cosine, sine = np.cos(heading), np.sin(heading)
    state[layout.LEFT_LEVEL] = old[layout.NEXT_ORIGIN + 1] + packed.numbers[sole + layout.HIGH]
    state[layout.LEFT_PLANE : layout.LEFT_PLANE + 2] = old[layout.NEXT_PLANE : layout.NEXT_PLANE + 2]
    state[layout.LEFT_PLACE] = old[layout.NEXT_ORIGIN] + cosine * x + sine * z
    state[layout.LEFT_PLACE + 1] = old[layout.NEXT_ORIGIN + 2] + cosine * z - sine * x


def _standing_foot(
    ring: MotionRing, half: int, pose: Float[np.ndarray, "numbers"]
) -> tuple[Float[np.ndarray, "3"], float]:
    """Where a foot's toe joint is in a pose, and where the foot points."""
    from footfall.models.ring.pose_kernel import go_down

    packed, foot = ring.packed, np.empty(7)
    go_down(packed.sizes, packed.numbers, half, 0, pose[3:], foot)
    sole = packed.numbers[packed.sizes[layout.AT_SOLES] + layout.SOLE * half :][: layout.SOLE]
    lying = sole[layout.LYING : layout.LYING + 4]
    w, _, y, _ = quat.multiply(foot[3:], quat.conjugate(lying))
    return pose[:3] + foot[:3] + quat.rotate(foot[3:], sole[:3]), float(2.0 * np.arctan2(y, w))


def _told_stance(leaving: Leaving) -> tuple[float, Float[np.ndarray, "3"]]:
    return _stance(
        leaving.ring, leaving.weights, leaving.half, leaving.share, leaving.origin, leaving.heading
    )


def _stance(
    ring: MotionRing,
    weights: Float[np.ndarray, "loops"],
    half: int,
    share: float,
    origin: Float[np.ndarray, "3"],
    heading: float,
) -> tuple[float, Float[np.ndarray, "3"]]:
    """The root's heading and the support foot's toe joint in the world at a share of a half cycle."""
    tables = ring.tables
    at = np.clip(share, 0.0, 1.0) * tables.half
    k = min(int(at), tables.half - 1)
    v = at - k
    turned = weights @ ((1.0 - v) * tables.headings[:, half, k] + v * tables.headings[:, half, k + 1])
    x, y, z = weights @ ((1.0 - v) * tables.anchors[:, half, k] + v * tables.anchors[:, half, k + 1])
    y = max(y, float(weights @ tables.anchors[:, half, 0, 1]))  # as in `put_figure`: a toe never sinks
    cosine, sine = np.cos(heading), np.sin(heading)
    place = origin + np.array([cosine * x + sine * z, y, cosine * z - sine * x])
    return heading + float(turned), place
