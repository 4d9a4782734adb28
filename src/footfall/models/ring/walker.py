"""A figure that walks through rings: its state, its wishes, and what compiled code is asked for it.

Nothing here raises once it is made: what cannot be done is not done, and said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.going_over import Leaving, entered_state
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.setting_out import begun_state
from footfall.world.box_tree import TreeArrays

LONGEST = 1.0  # s of one step in time; longer ones are cut
WINDOW = 0.15  # of a half cycle after the moment at which a ring should be left, in which it still may be
TRY_AGAIN = 0.25  # s after another ring could not be entered


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
        tree: TreeArrays,
        place: Float[np.ndarray, "3"],
        heading: float = 0.0,
        gait: str | None = None,
    ) -> None:
        from footfall.models.ring.cross_kernel import cross_on, fade_upper
        from footfall.models.ring.walk_kernel import walk_on

        self.graph, self._tree = graph, tree
        self._compiled, self._cross_on, self._fade_upper = walk_on, cross_on, fade_upper
        self._upper = _upper_joints(graph.skeleton)
        self._gait = gait if gait is not None else graph.rest or graph.first
        self._asked, self._refused, self._waits = self._gait, "", 0.0
        self._left: np.ndarray | None = None  # of the ring that is left, while its legs still count
        self._fading: np.ndarray | None = None  # the same, while what is above them does
        self.pose = np.zeros(3 + 4 * len(graph.skeleton))
        self._other = self.pose.copy()
        self._wish_length: float | None = None
        self._given_up: str | None = None  # a gait for which there was no ground
        self.said: Callable[[str], None] = lambda _: None
        self._stands = False  # for want of ground
        ring = graph[self._gait]
        self.state = begun_state(ring, tree, np.asarray(place, dtype=float), float(heading))
        self._enter_tables(ring)
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

    @property
    def tree(self) -> TreeArrays:
        """The ground."""
        return self._tree

    @tree.setter
    def tree(self, tree: TreeArrays) -> None:
        if tree is not self._tree:
            self._tree = tree
            self._walk_on = partial(self._compiled, *self._tables, *tree)

    # what it is asked

    def wish(self, heading: float | None = None, step_length: float | None = None) -> None:
        """A heading in the world, rad, and a step length, m; what is no number is not heard."""
        state, heard = self.state, False
        if heading is not None and np.isfinite(heading):
            state[layout.WISH_HEADING], heard = float(heading), True
        if step_length is not None and np.isfinite(step_length):
            self._wish_length = float(step_length)
            state[layout.WISH_LENGTH], heard = self._wish_length, True
        if heard and self._given_up is not None:  # another way may have ground
            self._asked, self._given_up = self._given_up, None
        if heard and state[layout.PENDING] < 0.5:
            state[layout.PENDING], state[layout.WAITED] = 1.0, 0.0

    def ask(self, gait: str) -> None:
        """Another gait, as soon as it can be taken up."""
        if gait in self.graph.rings:
            self._asked, self._given_up = gait, None
        else:
            self._tell(f"there is no gait {gait!r}")

    # time

    def advance(self, seconds: float) -> None:
        """So many seconds further."""
        try:
            sound = 0.0 <= seconds <= LONGEST
        except TypeError:
            sound, seconds = True, 0.0
        if not sound:
            seconds = LONGEST if seconds > LONGEST else 0.0
        if self._waits > 0.0:
            self._waits = max(self._waits - seconds, 0.0)
        elif self._left is self._fading is None and (self._stands or self._asked != self._gait):
            stuck = self._stands and not self.ring.resting
            if stuck and self.graph.rest is not None:
                self._stop()
            elif stuck and self._asked == self._gait:
                self._tell("no ground to go on: standing")
            elif self._asked != self._gait:
                self._change(stuck)
        if self._left is not None:
            over = self._cross_on(
                *self._left_tables,
                self._upper,
                *self._tables,
                *self._tree,
                seconds,
                self._left,
                self._other,
                self.state,
                self.pose,
            )
            if over:
                self._left, self._fading = None, self._left
            self._stands = bool(self.state[layout.STATUS] == layout.STANDING)
            return
        self._stands = self._walk_on(seconds, self.state, self.pose)
        if self._fading is not None and self._fade_upper(
            *self._left_tables, self._upper, *self._tables[1:], seconds, self._fading, self._other, self.pose
        ):
            self._fading = None

    def _stop(self) -> None:
        """There is no ground to go on: a rest, if it can be had here."""
        rest = self.graph.rest
        assert rest is not None
        if self._gait != rest and self._enter(rest, self._leaving.share):
            self._tell("no ground to go on: standing")
            self._given_up = self._asked if self._asked != rest else None
            self._asked = rest

    # from ring to ring

    @property
    def _leaving(self) -> Leaving:
        return Leaving(self.ring, self.state)

    def _change(self, stuck: bool) -> None:
        onto = self.graph.towards(self._gait, self._asked)
        found = self.graph.transition(self._gait, onto)
        half, share = int(self.state[layout.HALF]), self._leaving.share
        if self.ring.resting:
            self._set_out(found.enter)
        elif stuck or found.leave[half] <= share <= found.leave[half] + WINDOW:
            self._enter(onto, found.enter[half])

    def _set_out(self, enter: tuple[float, float]) -> None:
        """From a rest, on the foot that it is told beside now: to go over to the other would be seen."""
        turn = float(wrap(self.state[layout.WISH_HEADING] - self.state[layout.HEADING]))
        if not self._enter(self._asked, enter[int(self.state[layout.HALF])], turn=turn):
            self._given_up, self._asked = self._asked, self._gait

    def _enter(self, gait: str, share: float, *, turn: float = 0.0) -> bool:
        """Goes over to another ring at a share of the same half cycle, if there is ground for its strike."""
        from footfall.models.ring import cross_kernel

        leaving, there = self._leaving, self.graph[gait]
        state = entered_state(leaving, there, self._tree, share, self._wish_length, turn)
        if state is None:
            where = "for the other foot here" if there.resting else "to go on"
            return self._refuse(f"no ground {where}: no {gait}")
        self._left, self._left_tables, self._fading = leaving.fading, self._tables, None
        began = state[layout.EASED_FROM]
        self._left[cross_kernel.BEGAN] = self._left[cross_kernel.PROGRESS] = began
        self._other[:] = self.pose
        self.state, self._gait, self._refused = state, gait, ""
        self._enter_tables(there)
        return True

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
        self._walk_on = partial(self._compiled, *self._tables, *self._tree)
        still = np.setdiff1d(np.arange(len(ring.skeleton)), ring.tables.moving)
        turns = self.pose[3:].reshape(-1, 4)
        turns[still] = ring.tables.mean[still]


def _upper_joints(skeleton: Skeleton) -> Int[np.ndarray, "upper"]:
    """All joints but the root and what carries or hangs on the legs."""
    legs = {0}
    for side in SIDES:
        thigh = skeleton.joint(f"{side}_thigh")
        legs |= {*skeleton.tree.ancestors(thigh), *skeleton.tree.descendants(thigh)}
    return np.array([j for j in range(len(skeleton)) if j not in legs], dtype=np.int64)
