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
from footfall.geometry.decisions import MARGIN
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.going_over import NOTICED, Leaving, entered_state
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.intent import FACES_WELL, Intent
from footfall.models.ring.model import MotionRing
from footfall.models.ring.on_the_spot import STANDS_WELL, spot_steps, stands_well, turn_left
from footfall.models.ring.setting_out import begun_state
from footfall.world.box_tree import TreeArrays

LONGEST = 1.0  # s of one step in time; longer ones are cut
WINDOW = 0.15  # of a half cycle after the moment at which a ring should be left, in which it still may be
REHEARSED = 1.0 / 60.0  # s
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
        self._intent, self._refused, self._waits = Intent(self._gait), "", 0.0
        self._left: np.ndarray | None = None  # of the ring that is left, while its legs still count
        self._fading: np.ndarray | None = None  # the same, while what is above them does
        self.pose = np.zeros(3 + 4 * len(graph.skeleton))
        self._other = self.pose.copy()
        self._wish_length: float | None = None
        self.said: Callable[[str], None] = lambda _: None
        self._stands = False  # for want of ground
        self.stepped = False  # whether it ever turned on the spot
        ring = graph[self._gait]
        self.state = begun_state(ring, tree, np.asarray(place, dtype=float), float(heading))
        self._enter_tables(ring)
        self.advance(0.0)

    @property
    def wishes(self) -> tuple[str, float, float | None]:
        """The gait that is asked for, the heading, and the step length if one was told."""
        return self._intent.asked, float(self.state[layout.WISH_HEADING]), self._wish_length

    # what it knows of itself

    @property
    def status(self) -> Status:
        words = {layout.WALKING: "walking", layout.TURNING_AWAY: "turning away", layout.STANDING: "standing"}
        says = "standing" if self.graph[self._gait].resting else words[float(self.state[layout.STATUS])]
        asked = self._intent.asked
        return Status(self._gait, asked if asked != self._gait else None, says)

    @property
    def stepping(self) -> bool:
        """Whether it goes from one ring to another, or steps on the spot."""
        return self._left is not None or self._intent.closes is not None

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
            self._intent.renew()
            self._walk_on = partial(self._compiled, *self._tables, *tree)

    # what it is asked

    def wish(self, heading: float | None = None, step_length: float | None = None) -> None:
        """A heading in the world, rad, and a step length, m; what is no number is not heard, and what is
        wished already is no news.
        """
        state, heard = self.state, False
        if heading is not None and np.isfinite(heading) and heading != state[layout.WISH_HEADING]:
            state[layout.WISH_HEADING], heard = float(heading), True
            if self.ring.resting:
                self._intent.near = FACES_WELL
        if step_length is not None and np.isfinite(step_length) and step_length != self._wish_length:
            self._wish_length = float(step_length)
            state[layout.WISH_LENGTH], heard = self._wish_length, True
        if heard:
            self._intent.renew()
            self.look_again()

    def rehearse(self) -> None:
        """A step with a search on a copy of itself: the first that counts then finds its tables at hand."""
        state, pose = self.state.copy(), self.pose.copy()
        state[layout.PENDING], state[layout.WAITED] = 1.0, 0.0
        for _ in range(2):
            self._walk_on(REHEARSED, state, pose)

    def look_again(self) -> None:
        """The ground has changed: what was found for the next strike may hold no more."""
        if self.state[layout.PENDING] < 0.5:
            self.state[layout.PENDING], self.state[layout.WAITED] = 1.0, 0.0

    def stand_at(self, x: float, z: float) -> None:
        """Where it should stand while it rests: a few steps on the spot lead there, along its heading."""
        if np.isfinite(x) and np.isfinite(z):
            self._intent.place = float(x), float(z)

    def ask(self, gait: str) -> None:
        """Another gait, as soon as it can be taken up."""
        if gait in self.graph.rings:
            self._intent.ask(gait)
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
        elif self._left is self._fading is None:
            if self.ring.resting:
                self._at_rest()
            elif self._stands or self._intent.asked != self._gait:
                self._go_over(seconds)
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

    # from ring to ring

    @property
    def _leaving(self) -> Leaving:
        return Leaving(self.ring, self.state)

    def _go_over(self, seconds: float) -> None:
        """From a gait to another that is asked for, at the right moment; or to a rest, for want of ground."""
        intent, rest = self._intent, self.graph.rest
        half, share = int(self.state[layout.HALF]), self._leaving.share
        if self._stands and rest is not None:
            if self._enter(rest, share):
                self._tell("no ground to go on: standing")
                intent.give_up(rest)
            else:
                self._refuse(rest)
        elif intent.asked == self._gait:
            self._tell("no ground to go on: standing")
        else:
            onto = self.graph.towards(self._gait, intent.asked)
            found = self.graph.transition(self._gait, onto)
            late = share - found.leave[half]
            window = max(WINDOW, seconds / (self.ring.tables.half * self.state[layout.SECONDS]))
            # frames may begin at just the share at which a ring is left
            due = -MARGIN <= late <= window + MARGIN
            if (self._stands or due) and not self._enter(onto, found.enter[half]):
                self._refuse(onto)

    def _at_rest(self) -> None:
        """Sets out if a gait is asked for, and steps on the spot to where it should stand and face."""
        intent, turn = self._intent, turn_left(self.state)
        if intent.asked != self._gait:
            if not self._set_out(turn) and not self._step_on_spot():
                self._refuse(intent.asked)
                intent.give_up(self._gait)
        elif (
            intent.closes is not None
            or abs(turn) > (FACES_WELL if intent.tries_again else intent.near) + MARGIN
            or (intent.place is not None and not stands_well(self.state, intent))
        ):
            if not self._step_on_spot():
                intent.stay()
        elif intent.tries_again:
            intent.tries -= 1
            intent.resume()

    def _set_out(self, turn: float) -> bool:
        """From a rest into the gait that is asked for; turning, with the foot of that side."""
        asked = self._intent.asked
        enter = self.graph.transition(self._gait, asked).enter
        first = int(self.state[layout.HALF]) if abs(turn) < NOTICED + MARGIN else int(turn > 0.0)
        if self._intent.closes is not None:  # the foot that would have closed strides out instead
            first = self._intent.closes
        feet = (first, 1 - first)
        return any(self._enter(asked, enter[half], turn=turn, beside=half) for half in feet)

    def _step_on_spot(self) -> bool:
        """One step of a figure at rest; False where it stands as it should or has no ground."""
        intent = self._intent
        closes = intent.closes
        for step in spot_steps(self.state, self.ring, intent):
            turn = step.turn + self._leaving.sway(step.support)
            if self._enter(self._gait, 0.0, turn=turn, beside=step.support, ahead=step.ahead):
                more = abs(step.turn) > FACES_WELL or abs(step.ahead) > STANDS_WELL
                intent.closes = 1 - step.support if closes is None or more else None
                self.stepped = True
                return True
        intent.closes = None
        return False

    def _enter(
        self, gait: str, share: float, *, turn: float = 0.0, beside: int | None = None, ahead: float = 0.0
    ) -> bool:
        """Goes over to another ring at a share of the same half cycle, if there is ground for its strike.

        A rest may be left `beside` either of its feet.
        """
        from footfall.models.ring import cross_kernel

        leaving, there = self._leaving, self.graph[gait]
        if beside is not None:
            leaving = leaving.beside(beside, self._tree, self.pose)
        state = entered_state(leaving, there, self._tree, share, self._wish_length, turn, ahead)
        if state is None:
            return False
        if there.resting and gait != self._gait:
            self._intent.come_to_rest()
        if not there.resting:
            self._intent.set_out()
        self._left, self._left_tables, self._fading = leaving.fading, self._tables, None
        began = state[layout.EASED_FROM]
        self._left[cross_kernel.BEGAN] = self._left[cross_kernel.PROGRESS] = began
        self._other[:] = self.pose
        self.state, self._gait, self._refused = state, gait, ""
        self._enter_tables(there)
        return True

    def _refuse(self, gait: str) -> None:
        self._waits = TRY_AGAIN
        where = "for the other foot here" if self.graph[gait].resting else "to go on"
        self._tell(f"no ground {where}: no {gait}")

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
