"""A figure that walks through rings: its state, its wishes, and what compiled code is asked for it.

Nothing here raises once it is made: what cannot be done is not done, and said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing

Tree = tuple[np.ndarray, ...]
LONGEST = 1.0  # s of one step in time; longer ones are cut
WINDOW = 0.15  # of a half cycle after the moment at which a ring should be left, in which it still may be
TRY_AGAIN = 0.25  # s after another ring could not be entered
FIRST_PACE, FIRST_LENGTH = 0.6, 0.75  # of the usual pace and step, with which one sets out
FIRST_TURN = 0.6  # rad at most by which a figure turns directly as it sets out from a rest


@dataclass(frozen=True)
class Status:
    """What a walker is doing."""

    gait: str
    changing_to: str | None
    says: str  # "walking", "turning away" or "standing"


class RingWalker:
    """One figure on some ground. `pose` is its root and its joints' rotations, one after the other."""

    def __init__(
        self,
        graph: RingGraph,
        tree: Tree,
        place: Float[np.ndarray, "3"],
        heading: float = 0.0,
        gait: str | None = None,
    ) -> None:
        from footfall.models.ring.cross_kernel import cross_on, fade_upper
        from footfall.models.ring.walk_kernel import walk_on

        self.graph, self.tree = graph, tree
        self._walk_on, self._cross_on, self._fade_upper = walk_on, cross_on, fade_upper
        self._upper = _upper_joints(graph.skeleton)
        self._gait = gait if gait is not None else graph.rest or graph.first
        self._asked, self._refused, self._waits = self._gait, "", 0.0
        self._left: np.ndarray | None = None  # of the ring that is left, while its legs still count
        self._fading: np.ndarray | None = None  # the same, while what is above them does
        self.pose = np.zeros(3 + 4 * len(graph.skeleton))
        self._other = self.pose.copy()
        self._wish_length: float | None = None
        self.said: Callable[[str], None] = lambda _: None
        self.state = self._begun(graph[self._gait], np.asarray(place, dtype=float), float(heading))
        self._enter_tables(graph[self._gait])
        self.advance(0.0)

    @property
    def wishes(self) -> tuple[str, float, float | None]:
        """The gait that is asked for, the heading, and the step length if one was told."""
        return self._asked, float(self.state[layout.WISH_HEADING]), self._wish_length

    # what it knows of itself

    @property
    def status(self) -> Status:
        words = {layout.WALKING: "walking", layout.TURNING_AWAY: "turning away", layout.STANDING: "standing"}
        says = "standing" if self.graph[self._gait].resting else words[float(self.state[layout.STATUS])]
        return Status(self._gait, self._asked if self._asked != self._gait else None, says)

    @property
    def heading(self) -> float:
        """Of the frame it walks in, rad."""
        return float(wrap(self.state[layout.HEADING]))

    @property
    def ring(self) -> MotionRing:
        return self.graph[self._gait]

    # what it is asked

    def wish(self, heading: float | None = None, step_length: float | None = None) -> None:
        """A heading in the world, rad, and a step length, m; what is no number is not heard."""
        state, heard = self.state, False
        if heading is not None and np.isfinite(heading):
            state[layout.WISH_HEADING], heard = float(heading), True
        if step_length is not None and np.isfinite(step_length):
            self._wish_length = float(step_length)
            state[layout.WISH_LENGTH], heard = self._wish_length, True
        if heard and state[layout.PENDING] < 0.5:
            state[layout.PENDING], state[layout.WAITED] = 1.0, 0.0

    def ask(self, gait: str) -> None:
        """Another gait, as soon as it can be taken up."""
        if gait in self.graph.rings:
            self._asked = gait
        else:
            self._tell(f"there is no gait {gait!r}")

    # time

    def advance(self, seconds: float) -> None:
        """So many seconds further."""
        if not 0.0 <= seconds <= LONGEST:
            seconds = LONGEST if seconds > LONGEST else 0.0
        self._waits = max(self._waits - seconds, 0.0)
        if self._left is None and self._waits == 0.0:
            stuck = self.state[layout.STATUS] == layout.STANDING and not self.ring.resting
            if stuck and self.graph.rest is not None:
                self._stop()
            elif self._asked != self._gait and self._fading is None:
                self._change(stuck)
        if self._left is not None:
            over = self._cross_on(
                *self._left_tables,
                self._upper,
                *self._tables,
                *self.tree,
                seconds,
                self._left,
                self._other,
                self.state,
                self.pose,
            )
            if over:
                self._left, self._fading = None, self._left
            return
        self._walk_on(*self._tables, *self.tree, seconds, self.state, self.pose)
        if self._fading is not None and self._fade_upper(
            *self._left_tables, self._upper, *self._tables[1:], seconds, self._fading, self._other, self.pose
        ):
            self._fading = None

    def _stop(self) -> None:
        """There is no ground to go on: a rest, if it can be had here."""
        rest = self.graph.rest
        assert rest is not None
        if self._gait != rest and self._enter(rest, self._share):
            self._tell("no ground to go on: standing")
            self._asked = rest

    # from ring to ring

    @property
    def _share(self) -> float:
        """Of the half cycle that is over."""
        half = self.ring.tables.half
        return float(self.state[layout.FRAME] / half - self.state[layout.HALF])

    def _change(self, stuck: bool) -> None:
        onto = self.graph.towards(self._gait, self._asked)
        found = self.graph.transition(self._gait, onto)
        half, share = int(self.state[layout.HALF]), self._share
        if self.ring.resting:
            self._set_out(found.enter)
        elif stuck or found.leave[half] <= share <= found.leave[half] + WINDOW:
            self._enter(onto, found.enter[half])

    def _set_out(self, enter: tuple[float, float]) -> None:
        """From a rest, on the foot that it is told beside now: to go over to the other would be seen."""
        turn = float(wrap(self.state[layout.WISH_HEADING] - self.state[layout.HEADING]))
        if not self._enter(self._asked, enter[int(self.state[layout.HALF])], turn=turn):
            self._asked = self._gait

    def _enter(self, gait: str, share: float, *, turn: float = 0.0) -> bool:
        """Goes over to another ring at a share of the same half cycle, if there is ground for its strike."""
        from footfall.models.ring import cross_kernel
        from footfall.models.ring.easing_kernel import weights_at
        from footfall.models.ring.handover_kernel import origin_now, turn_away
        from footfall.models.ring.search_kernel import search, test_spheres

        here, there, old = self.ring, self.graph[gait], self.state
        now, rates = np.empty(len(here)), np.empty(len(here))
        weights_at(len(here), old, self._share, now, rates)
        half = int(old[layout.HALF])
        share = min(share, 0.4)
        base = float(old[layout.HEADING] + self._extra)
        origin = self._origin
        facing, anchor = _stance(here, now, half, self._share, origin, base)
        state, loops = self._fresh(there), len(there)
        usual = there.usual_weights
        own_facing, own_anchor = _stance(there, usual, half, share, np.zeros(3), 0.0)
        heading = facing - own_facing
        cosine, sine = np.cos(heading), np.sin(heading)
        x, y, z = own_anchor
        turned = np.array([cosine * x + sine * z, y, cosine * z - sine * x])
        state[layout.HALF], state[layout.FRAME] = half, there.tables.half * (half + share)
        state[layout.ORIGIN : layout.ORIGIN + 3], state[layout.HEADING] = anchor - turned, heading
        state[layout.PIVOT], state[layout.PIVOT + 1] = x, z
        kept = (layout.WISH_HEADING, layout.PENDING, layout.WAITED, layout.RESPONSE, layout.STRIKES)
        for place in (*kept, layout.SUPPORT_HEADING, layout.SUPPORT_LEVEL):
            state[place] = old[place]
        self._take_feet(old, state)
        state[layout.EASED_FROM] = share
        state[layout.PACE] = FIRST_PACE if here.resting else old[layout.PACE]
        wished = state[layout.WISH_LENGTH]
        state[layout.WISH_LENGTH] = (FIRST_LENGTH if here.resting else 1.0) * wished
        state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops] = usual
        first, spheres = layout.SCALARS + 3 * loops, len(there.spheres[0])
        flags = state[first : first + spheres]
        tables = there.packed.sizes, there.packed.numbers
        state[layout.EXTRA_TO] = min(max(turn, -FIRST_TURN), FIRST_TURN) if abs(turn) > 0.3 else 0.0
        place, facing = origin_now(state, state[layout.EXTRA_TO]), heading + state[layout.EXTRA_TO]
        test_spheres(*self.tree, *tables, half, place, facing, 0, spheres, flags)
        if not search(*self.tree, *tables, flags, state):
            if there.resting:
                return self._refuse(f"no ground for the other foot here: no {gait}")
            turn_away(*self.tree, *tables, state)
            if state[layout.STATUS] == layout.STANDING:
                return self._refuse(f"no ground to go on: no {gait}")
        state[layout.PACE_TO], state[layout.WISH_LENGTH] = 1.0, wished
        weights = state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops]
        state[layout.SCALARS : layout.SCALARS + loops] = weights
        left = np.zeros(cross_kernel.WEIGHTS + len(here))
        left[cross_kernel.SHARE] = self._share
        left[cross_kernel.BEGAN] = left[cross_kernel.PROGRESS] = share
        left[cross_kernel.ORIGIN : cross_kernel.ORIGIN + 3] = origin
        left[cross_kernel.HEADING], left[cross_kernel.LASTED] = base, old[layout.SECONDS]
        left[cross_kernel.HALF], left[cross_kernel.WEIGHTS :] = half, now
        self._left, self._left_tables, self._fading = left, self._tables, None
        self._other[:] = self.pose
        self.state, self._gait, self._refused = state, gait, ""
        self._enter_tables(there)
        return True

    def _take_feet(self, old: Float[np.ndarray, "state"], state: Float[np.ndarray, "state"]) -> None:
        """How both feet lie, and where the one stood that leaves."""
        from footfall.models.ring.easing_kernel import tilt_at
        from footfall.models.ring.figure_kernel import support_tilt

        for c in range(3):
            state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = tilt_at(old, self._share, c)
        x, y, z = support_tilt(old, self._share)
        state[layout.SUPPORT_TILT : layout.SUPPORT_TILT + 3] = x, y, z
        state[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 2] = x, z
        if not self.ring.resting:
            for left in (
                slice(layout.LEFT_PLANE, layout.LEFT_PLANE + 2),
                slice(layout.LEFT_LEVEL, layout.LEFT_PLACE + 2),
            ):
                state[left] = old[left]
            return
        # of a rest, the foot that leaves stands where it would strike
        swing, packed = 1 - int(old[layout.HALF]), self.ring.packed
        high = packed.numbers[packed.sizes[layout.AT_SOLES] + layout.SOLE * swing + layout.HIGH]
        heading, (x, z) = old[layout.NEXT_HEADING], old[layout.NEXT_PIVOT : layout.NEXT_PIVOT + 2]
        cosine, sine = np.cos(heading), np.sin(heading)
        state[layout.LEFT_LEVEL] = old[layout.NEXT_ORIGIN + 1] + high
        state[layout.LEFT_PLANE : layout.LEFT_PLANE + 2] = old[layout.NEXT_PLANE : layout.NEXT_PLANE + 2]
        state[layout.LEFT_PLACE] = old[layout.NEXT_ORIGIN] + cosine * x + sine * z
        state[layout.LEFT_PLACE + 1] = old[layout.NEXT_ORIGIN + 2] + cosine * z - sine * x

    @property
    def _extra(self) -> float:
        from footfall.models.ring.easing_kernel import extra_now

        return float(extra_now(self.state, self._share))

    @property
    def _origin(self) -> Float[np.ndarray, "3"]:
        from footfall.models.ring.handover_kernel import origin_now

        return origin_now(self.state, self._extra)

    def _refuse(self, why: str) -> bool:
        self._waits = TRY_AGAIN
        self._tell(why)
        return False

    def _tell(self, sentence: str) -> None:
        if sentence != self._refused:
            self._refused = sentence
            self.said(sentence)

    def _enter_tables(self, ring: MotionRing) -> None:
        self._tables = ring.packed.rows, ring.packed.sizes, ring.packed.numbers
        still = np.setdiff1d(np.arange(len(ring.skeleton)), ring.tables.moving)
        turns = self.pose[3:].reshape(-1, 4)
        turns[still] = ring.tables.mean[still]

    def _fresh(self, ring: MotionRing) -> Float[np.ndarray, "state"]:
        state = np.zeros(layout.state_size(len(ring), len(ring.spheres[0])))
        lengths = ring.spheres[0].step_lengths
        state[layout.WISH_LENGTH] = np.median(lengths) if self._wish_length is None else self._wish_length
        state[layout.SECONDS] = float((ring.usual_weights @ ring.seconds).mean())
        state[layout.PACE] = state[layout.PACE_TO] = 1.0
        state[layout.NEXT_SUPPORT_HEADING] = np.nan
        return state

    def _begun(
        self, ring: MotionRing, place: Float[np.ndarray, "3"], heading: float
    ) -> Float[np.ndarray, "state"]:
        """At the strike of the left foot at a place; a rest with both feet on the ground."""
        from footfall.models.ring.handover_kernel import strike_now
        from footfall.models.ring.search_kernel import search, test_spheres

        state, loops = self._fresh(ring), len(ring)
        state[layout.WISH_HEADING] = heading
        state[layout.HALF], state[layout.NEXT_HEADING] = 1.0, heading
        state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3] = place
        state[layout.SUPPORT_HEADING] = np.nan
        weights = slice(layout.SCALARS + 2 * loops, layout.SCALARS + 3 * loops)
        state[weights] = _level(ring)
        if ring.resting:
            state[layout.HALF], state[layout.HEADING] = 0.0, heading
            state[layout.ORIGIN : layout.ORIGIN + 3] = place
            first, spheres = layout.SCALARS + 3 * loops, len(ring.spheres[0])
            flags, tables = state[first : first + spheres], (ring.packed.sizes, ring.packed.numbers)
            origin = state[layout.ORIGIN : layout.ORIGIN + 3]
            test_spheres(*self.tree, *tables, 0, origin, heading, 0, spheres, flags)
            search(*self.tree, *tables, flags, state)
            state[layout.SCALARS : layout.SCALARS + loops] = state[weights]
            for c in range(3):
                state[layout.TILT_FROM + c] = state[layout.TILT_TO + c]
            return state
        strike_now(*self.tree, ring.packed.sizes, ring.packed.numbers, state)
        return state


def _level(ring: MotionRing) -> Float[np.ndarray, "loops"]:
    """Weights of a usual step that ends with the left foot as high as the right."""
    kriging = ring.spheres[1].kriging
    x, _, z = np.median(kriging.points, axis=0)
    return kriging(np.array([x, 0.0, z]))


def _upper_joints(skeleton: Skeleton) -> Int[np.ndarray, "upper"]:
    """All joints but the root and what carries or hangs on the legs."""
    legs = {0}
    for side in SIDES:
        thigh = skeleton.joint(f"{side}_thigh")
        legs |= {*skeleton.tree.ancestors(thigh), *skeleton.tree.descendants(thigh)}
    return np.array([j for j in range(len(skeleton)) if j not in legs], dtype=np.int64)


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
    cosine, sine = np.cos(heading), np.sin(heading)
    place = origin + np.array([cosine * x + sine * z, y, cosine * z - sine * x])
    return heading + float(turned), place
