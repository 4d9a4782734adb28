"""A crowd: many figures of one ring on one ground, all moved by one call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.control.gait import LARGEST, LONGEST_STEP
from footfall.control.standing_ground import StandingGround
from footfall.control.tick import sound_seconds
from footfall.errors import RequestError
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

    Places are (x, z) in metres. With `threads` the figures are shared among so many cores. The ground of a
    crowd is one piece: a mesh, a height field, or a plane near the middle of the places.
    """

    def __init__(
        self,
        ring: MotionRing,
        places: Float[np.ndarray, "figures 2"],
        headings: Float[np.ndarray, "figures"] | float = 0.0,
        *,
        world: Terrain | None = None,
        threads: int = 1,
    ) -> None:
        if not isinstance(ring, MotionRing) or ring.resting:
            raise RequestError("a crowd walks through one ring that goes somewhere")
        where = _numbers(places, "places")
        if (
            where.ndim != 2
            or where.shape[1] != 2
            or not 1 <= len(where) <= MOST
            or not np.isfinite(where).all()
        ):
            raise RequestError(f"places must be finite rows of x and z, at least one, not {where.shape}")
        facing = _one_each(headings, "headings", len(where))
        if not np.isfinite(facing).all():
            raise RequestError("headings must be finite numbers")
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise RequestError(f"threads must be 1 to 256, not {threads}")
        self.ring, self.world = ring, FlatTerrain() if world is None else world
        ground = StandingGround(self.world)
        self._tree = ground.under(*where.mean(axis=0))
        levels = np.asarray(self.world.height(where[:, 0], where[:, 1]))
        if not np.isfinite(levels).all():
            lost = int(np.argmin(np.isfinite(levels)))
            raise RequestError(f"there is no ground under figure {lost + 1}, at {tuple(where[lost])}")
        graph = RingGraph.of(ring)
        walkers = [
            RingWalker(graph, self._tree, np.array([x, y, z]), h, ring.gait)
            for (x, z), y, h in zip(where, levels, facing, strict=True)
        ]
        self._states = np.stack([w.state for w in walkers])
        self._poses = np.stack([w.pose for w in walkers])
        self._threads = min(threads, len(where))

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
        return self._states[:, layout.HEADING]

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
        """Wishes of all, or of some; what is no number is not heard."""
        chosen = np.arange(len(self)) if who is None else self._chosen(who)
        if chosen.ndim != 1 or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(self)):
            raise RequestError(f"who must be numbers of figures from 0 to {len(self) - 1}")
        states = self._states
        heard = np.zeros(len(chosen), dtype=bool)
        if turn is not None:
            heading = states[chosen, layout.HEADING] + _one_each(turn, "turn", len(chosen))
        for wish, place in ((heading, layout.WISH_HEADING), (step_length, layout.WISH_LENGTH)):
            if wish is None:
                continue
            values = _one_each(wish, "wishes", len(chosen))
            sound = np.abs(values) <= LARGEST
            if place == layout.WISH_LENGTH:
                sound = (values >= 0.0) & (values <= LONGEST_STEP)
            states[chosen[sound], place] = values[sound]
            heard |= sound
        fresh = chosen[heard & (states[chosen, layout.PENDING] < 0.5)]
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
        parts = np.array_split(np.arange(len(self)), self._threads)
        pieces = [slice(int(part[0]), int(part[-1]) + 1) for part in parts]

        def walk(piece: slice) -> None:
            walk_all(
                packed.rows,
                packed.sizes,
                packed.numbers,
                *self._tree,
                seconds,
                self._states[piece],
                self._poses[piece],
            )

        if len(pieces) == 1:
            walk(pieces[0])
        else:
            with ThreadPoolExecutor(len(pieces)) as pool:
                list(pool.map(walk, pieces))
        return self.root, self.rotations


def _numbers(values: object, what: str) -> Float[np.ndarray, "*any"]:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise RequestError(f"{what} must be numbers, not {values!r:.40}") from None


def _one_each(values: object, what: str, count: int) -> Float[np.ndarray, "count"]:
    """One number for each figure, or one for all."""
    found = _numbers(values, what)
    if found.shape not in ((), (count,)):
        raise RequestError(f"{what} must be one number or {count}, not of shape {found.shape}")
    return np.broadcast_to(found, count)
