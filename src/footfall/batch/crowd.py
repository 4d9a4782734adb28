"""A crowd: many figures of one ring on one ground, all moved by one call."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from typing import Any, Self

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.batch.crowd_ground import CrowdGround, Run
from footfall.batch.kept_threads import KeptThreads
from footfall.control.gait import LARGEST, LONGEST_STEP, WILDEST
from footfall.control.standing_ground import StandingGround
from footfall.control.tick import sound_seconds
from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.walker import LONGEST, RingWalker
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Terrain

MOST = 1_000_000  # figures


class Crowd:
    """Figures that each have their own wishes.

    >>> crowd = Crowd(ring, places, headings, world=terrain)
    >>> crowd.command(turn=np.full(len(crowd), 0.2))
    >>> root, rotations = crowd.step(1 / 60)

    Places are (x, z) in metres. Ground of labels they should `avoid` is none to them. Each figure walks as it
    would alone, with a GaitController. With `threads` the figures are shared among so many cores; the threads
    are kept until `close`, or until the crowd is gone.

    Meshes and height fields are fastest, and planes. Ground that only tells its heights is cut in pieces of
    12 m where figures are, which costs about 3 MB and 30 ms each: for a crowd far and wide on such ground,
    make a HeightField of it.
    """

    def __init__(
        self,
        ring: MotionRing,
        places: Float[np.ndarray, "figures 2"],
        headings: Float[np.ndarray, "figures"] | float = 0.0,
        *,
        world: Terrain | None = None,
        avoid: Collection[str] = ("water",),
        threads: int = 1,
    ) -> None:
        if not isinstance(ring, MotionRing) or ring.resting:
            raise RequestError("a crowd walks through one ring that goes somewhere")
        where = _numbers(places, "places")
        if (
            where.ndim != 2
            or where.shape[1] != 2
            or not 1 <= len(where) <= MOST
            or not (np.abs(where) <= LARGEST).all()
        ):
            raise RequestError(
                f"places must be finite rows of x and z within {LARGEST:g} m, at least one; "
                f"these are of shape {where.shape}"
            )
        facing = _one_each(headings, "headings", len(where))
        if not np.isfinite(facing).all():
            raise RequestError("headings must be finite numbers")
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise RequestError(f"threads must be 1 to 256, not {threads}")
        from footfall.geometry.kernel_cache import ready_for

        ready_for(self)  # here, and not in the first frames
        self.ring, self.world = ring, FlatTerrain() if world is None else world
        ground = StandingGround(self.world, _labels(avoid))
        levels = np.asarray(self.world.height(where[:, 0], where[:, 1]))
        if not np.isfinite(levels).all():
            lost = int(np.argmin(np.isfinite(levels)))
            raise RequestError(f"there is no ground under figure {lost + 1}, at {tuple(where[lost])}")
        self._threads = KeptThreads(min(threads, len(where)))
        self._ground = CrowdGround(ground, where, self._threads.count)
        graph = RingGraph.of(ring)
        walkers = [
            RingWalker(graph, self._ground.under(k), np.array([x, y, z]), h, ring.gait)
            for k, ((x, z), y, h) in enumerate(zip(where, levels, facing, strict=True))
        ]
        self._states = np.stack([w.state for w in walkers])
        self._poses = np.stack([w.pose for w in walkers])
        self._lengths = np.full(len(where), np.nan)  # of steps, as they were told; m

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Figures of its own, that go on from here; ring and world never change, and are shared."""
        other = object.__new__(type(self))
        memo |= {id(self): other, id(self.ring): self.ring, id(self.world): self.world}
        for name, value in vars(self).items():
            setattr(other, name, deepcopy(value, memo))
        return other

    def close(self) -> None:
        """Gives its threads back; a step after that takes new ones."""
        self._threads.close()

    def __len__(self) -> int:
        return len(self._states)

    @property
    def root(self) -> Float[np.ndarray, "figures 3"]:
        return self._poses[:, :3]

    @property
    def rotations(self) -> Float[np.ndarray, "figures joints 4"]:
        return self._poses[:, 3:].reshape(len(self), -1, 4)

    @property
    def headings(self) -> Float[np.ndarray, "figures"]:
        """Where they go, rad, within half a turn to either side."""
        return wrap(self._states[:, layout.HEADING])

    @property
    def contacts(self) -> Bool[np.ndarray, "figures 4"]:
        return self._states[:, layout.CONTACTS : layout.CONTACTS + 4] > 0.5

    @property
    def standing(self) -> Bool[np.ndarray, "figures"]:
        """Who finds no ground to go on."""
        return self._states[:, layout.STATUS] == layout.STANDING

    def command(
        self,
        *,
        turn: Float[np.ndarray, "who"] | float | None = None,
        heading: Float[np.ndarray, "who"] | float | None = None,
        step_length: Float[np.ndarray, "who"] | float | None = None,
        who: Int[np.ndarray, "who"] | None = None,
    ) -> None:
        """Wishes of all, or of some; what is no number is not heard, what is wished already is no news."""
        chosen = np.arange(len(self)) if who is None else self._chosen(who)
        if chosen.ndim != 1 or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(self)):
            raise RequestError(f"who must be numbers of figures from 0 to {len(self) - 1}")
        states = self._states
        wished, length = np.full(len(chosen), np.nan), np.full(len(chosen), np.nan)
        if heading is not None:
            told = _one_each(heading, "heading", len(chosen))
            wished = np.where(np.abs(told) <= WILDEST, told, np.nan)
        if turn is not None:  # where it is a number it outranks a heading
            told = _one_each(turn, "turn", len(chosen))
            wished = np.where(np.abs(told) <= WILDEST, states[chosen, layout.HEADING] + told, wished)
        if step_length is not None:
            told = _one_each(step_length, "step_length", len(chosen))
            length = np.where((told >= 0.0) & (told <= LONGEST_STEP), told, np.nan)
        wished = wrap(wished)
        turned = np.isfinite(wished) & (wished != states[chosen, layout.WISH_HEADING])
        longer = np.isfinite(length) & (length != self._lengths[chosen])
        states[chosen[turned], layout.WISH_HEADING] = wished[turned]
        states[chosen[longer], layout.WISH_LENGTH] = self._lengths[chosen[longer]] = length[longer]
        fresh = chosen[(turned | longer) & (states[chosen, layout.PENDING] < 0.5)]
        states[fresh, layout.PENDING], states[fresh, layout.WAITED] = 1.0, 0.0

    def _chosen(self, who: object) -> Int[np.ndarray, "who"]:
        """Figures by their numbers, or by a mask with one truth for each."""
        told = np.asarray(who)
        if told.dtype == bool and told.shape == (len(self),):
            return np.flatnonzero(told)
        numbers = _numbers(who, "who")
        if told.dtype == bool or not np.array_equal(numbers, np.round(numbers)):
            raise RequestError(f"who must be whole numbers of figures, or {len(self)} truths")
        return numbers.astype(int)

    def step(self, dt: float) -> tuple[Float[np.ndarray, "figures 3"], Float[np.ndarray, "figures joints 4"]]:
        """All figures `dt` seconds later: their roots and rotations, written over each time."""
        from footfall.models.ring.crowd_kernel import walk_all

        seconds = sound_seconds(dt, LONGEST)
        packed = self.ring.packed
        self._ground.follow(self._states[:, layout.ORIGIN : layout.ORIGIN + 3 : 2])

        tables, states, poses = (packed.rows, packed.sizes, packed.numbers), self._states, self._poses

        def walk(runs: list[Run]) -> None:
            for who, tree in runs:
                walk_all(*tables, *tree, seconds, states[who], poses[who])

        self._threads.each(walk, self._ground.runs)
        return self.root, self.rotations


def _labels(avoid: object) -> tuple[str, ...]:
    found = (avoid,) if isinstance(avoid, str) else avoid
    if not isinstance(found, Collection) or not all(isinstance(label, str) for label in found):
        raise RequestError(f"labels to avoid are a list such as ['water'], not {avoid!r:.40}")
    return tuple(found)


def _numbers(values: object, what: str) -> Float[np.ndarray, "*any"]:
    try:
        return np.asarray(values, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"{what} must be numbers, not {values!r:.40}") from None


def _one_each(values: object, what: str, count: int) -> Float[np.ndarray, "count"]:
    """One number for each figure, or one for all."""
    found = _numbers(values, what)
    if found.shape not in ((), (count,)):
        raise RequestError(f"{what} must be one number or {count}, not of shape {found.shape}")
    return np.broadcast_to(found, count)
