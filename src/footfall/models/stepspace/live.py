"""A plan that is edited while it is watched: one footprint moves, only the steps around it are made again.

Steps last whole numbers of frames here, so that what comes after a change is the same frames, earlier or
later. A step is made again where its own prints changed, and joined again where its neighbour was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.film import Film, Frames
from footfall.models.stepspace.following import HAIR, Following
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.print_blocks import PrintBlocks
from footfall.models.stepspace.wishes import Wishes
from footfall.world.foot_plan import FootPlacement, FootPlan

if TYPE_CHECKING:
    from footfall.models.stepspace.model import FollowedPlan, StepSpace

MARGIN = 1  # steps on either side of those that are made again, to which they are joined
PASSES = 1.0  # m: blocks farther from a swing's way than that it does not pass
LENT = 0.28  # s of frames that these lend: what smoothing looks at


@dataclass(frozen=True)
class Change:
    """Which frames a change has made anew, and how many steps."""

    first: int  # frame
    last: int  # one past the last
    steps: int


class LivePlan:
    """A plan that is followed and edited.

    >>> live = steps.live(plan)
    >>> live.move(5, position=[0.2, 0.0, 1.4])
    >>> live.motion.certificate()
    """

    def __init__(self, space: StepSpace, plan: FootPlan, wishes: Wishes) -> None:
        self._space = space
        self._made = Following.of(space, plan, wishes).snapped()
        self._film = Film((self._made_anew(self._made, 0, len(self._made.planned)),))
        self._made.said(self._film.down)  # refuses what cannot be followed

    @property
    def plan(self) -> FootPlan:
        return self._made.plan

    @property
    def motion(self) -> FollowedPlan:
        """As it is now."""
        frames, fps = self._film.whole(), self._made.wishes.fps
        self._film = Film((frames,))
        contacts = Contacts(frames.heel, frames.toe)
        motion = Motion(
            self._space.skeleton, frames.root, quat.continuous(frames.rotations), fps, contacts=contacts
        )
        return self._space.followed(self._made, motion, frames.down)

    def move(
        self,
        number: int,
        *,
        position: object = None,
        heading: float | None = None,
        swing: float | None = None,
        stance: float | None = None,
    ) -> Change:
        """Changes a footprint, by its number in the plan; what is not named stays as it is.

        A change that is refused changes nothing.
        """
        placements = list(self.plan.placements)
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 0 <= number < len(placements):
            raise RequestError(
                f"there is no steps[{number!r:.20}]; the plan has {len(placements)} footprints"
            )
        asked = {"position": position, "heading": heading, "swing": swing, "stance": stance}
        named = {name: value for name, value in asked.items() if value is not None}
        placements[number] = _changed(placements[number], named, int(number))
        return self.change(FootPlan(tuple(placements)))

    def change(self, plan: FootPlan) -> Change:
        """Another plan with as many footprints; steps that are the same are kept."""
        if not isinstance(plan, FootPlan):
            raise RequestError(f"a foot plan is needed, not {plan!r:.60}")
        if len(plan) != len(self.plan) or any(
            a.foot != b.foot for a, b in zip(plan.placements, self.plan.placements, strict=True)
        ):
            raise RequestError("a live plan keeps its footprints and their feet; follow the other plan anew")
        made = Following.of(self._space, plan, self._made.wishes, self._made).snapped()
        changed = self._changed_steps(made)
        if not len(changed):
            self._made = made
            return Change(0, 0, 0)
        first, last = int(changed[0]), int(changed[-1]) + 1
        count = len(made.planned)
        inner = max(first - 1, 0), min(last + 1, count)  # neighbours are joined to what changed
        anew = self._made_anew(made, *inner)
        old = len(self._film)
        before = self._film.part(0, self._first_frame(self._made, inner[0]))
        after = self._film.part(self._first_frame(self._made, inner[1]) if inner[1] < count else old, old)
        film = before.with_more(Film((anew,)), after)
        made.said(film.down)  # refuses what is no step any more
        self._made, self._film = made, film
        begin = self._first_frame(made, inner[0])
        return Change(begin, begin + len(anew), len(changed))

    def _changed_steps(self, made: Following) -> Int[np.ndarray, "changed"]:
        before = self._made
        same = np.array([a is b for a, b in zip(made.blends, before.blends, strict=True)])
        for name in ("durations", "flights"):
            new, old = getattr(made.timing, name), getattr(before.timing, name)
            same &= (np.abs(new - old) <= HAIR).all(axis=1)
        kept = np.ones(len(made.planned.places), dtype=bool)
        for name, hair in (("places", 0.0), ("headings", HAIR), ("turns", HAIR)):
            new, old = getattr(made.planned, name), getattr(before.planned, name)
            kept &= (np.abs(new - old) <= hair).reshape(len(new), -1).all(axis=1)
        same &= kept[made.planned.prints].all(axis=1)
        for follows in (before, made):
            if isinstance(follows.ground, PrintBlocks):  # which others step over as well
                same &= ~_swings_near(follows.planned, follows.planned.places[~kept])
        return np.flatnonzero(~same)

    @staticmethod
    def _first_frame(made: Following, step: int) -> int:
        """The frame with which a step begins; the first has the stand before it."""
        if step == 0:
            return 0
        seconds = made.lead + made.timing.durations[:step].sum()
        return int(np.ceil(seconds * made.wishes.fps - 1e-6))

    def _made_anew(self, made: Following, first: int, last: int) -> Frames:
        """The frames of some steps; with others around them, which lend what smoothing looks at."""
        count, fps = len(made.planned), made.wishes.fps
        outer = max(first - MARGIN, 0), min(last + MARGIN, count)
        planned, steps = made.joined(*outer)
        starts = made.starts
        end = starts[-1] + float(made.timing.durations[-1].sum()) + made.tail
        stop = int(np.floor(end * fps + 1e-6)) + 1
        inner = self._first_frame(made, first), stop if last == count else self._first_frame(made, last)
        lent = int(np.ceil(LENT * fps))
        begin = max(self._first_frame(made, outer[0]), inner[0] - lent)
        stop = min(stop if outer[1] == count else self._first_frame(made, outer[1]), inner[1] + lent)
        times = np.arange(begin, stop) / fps - starts[outer[0]]
        frames = Frames.of(*made.frames(planned, steps, times))
        return frames.part(inner[0] - begin, inner[1] - begin)


def _swings_near(planned: PlannedSteps, places: Float[np.ndarray, "n 3"]) -> Bool[np.ndarray, "steps"]:
    """Swings that may pass over the blocks of prints."""
    start, end = (planned.places[planned.prints[:, k]][:, None, [0, 2]] for k in range(2))
    way, away = end - start, places[None, :, [0, 2]] - start
    share = np.sum(way * away, axis=-1) / np.maximum(np.sum(way * way, axis=-1), 1e-9)
    far = np.linalg.norm(away - np.clip(share, 0.0, 1.0)[..., None] * way, axis=-1)
    return (far < PASSES).any(axis=1)


def _changed(placement: FootPlacement, named: dict[str, object], number: int) -> FootPlacement:
    try:
        return replace(placement, **named)  # type: ignore[arg-type]
    except RequestError as error:
        raise RequestError(f"steps[{number}]: {error}") from None
