"""The gait: a character's first layer, that walks, runs and rests where the stick says ([rings] 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

import numpy as np
from jaxtyping import Bool, Float

from footfall.control.standing_ground import StandingGround
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.walker import RingWalker, Status
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.terrain import Terrain

REMARKS = 20  # that are remembered
LONGEST_STEP = 10.0  # m: a longer one is no wish
LARGEST = 1e6  # m from the origin
WILDEST = 1e15  # rad or m: beyond it a number has no digits left to tell a direction


class GaitController:
    """Walks through the rings of one figure.

    >>> gait = GaitController(ring)
    >>> walker = Character(ring.skeleton, [gait], world=terrain)
    >>> walker.command(turn=0.3, step_length=0.7)

    It begins at a place (x, z) and faces along `heading`; with a rest among its rings it begins standing,
    unless another `gait` is asked for. Ground of labels it should `avoid` is none to it.
    """

    name = "gait"

    def __init__(
        self,
        rings: MotionRing | RingGraph,
        *,
        place: tuple[float, float] = (0.0, 0.0),
        heading: float = 0.0,
        gait: str | None = None,
        avoid: Collection[str] = ("water",),
    ) -> None:
        if not isinstance(rings, MotionRing | RingGraph):
            raise RequestError(f"a gait needs a MotionRing or a RingGraph, not {type(rings).__name__}")
        self.graph = RingGraph.of(rings)
        if gait is not None:
            _ = self.graph[gait]
        try:
            begin = [_number(value) for value in (*place, heading)]
        except TypeError:
            begin = []
        if len(begin) != 3 or not all(b is not None and abs(b) <= LARGEST for b in begin):
            raise RequestError(
                f"the place (x, z, within {LARGEST:g} m) and heading at which a gait begins must be finite "
                f"numbers, not {place!r:.40} and {heading!r:.40}"
            )
        if not isinstance(avoid, Collection):
            raise RequestError(f"labels to avoid are a list such as ['water'], not {avoid!r:.40}")
        _ = self.graph.transitions  # now, not in the frame that first needs one
        self._begin = float(place[0]), float(place[1]), float(heading), gait
        self._avoid = (avoid,) if isinstance(avoid, str) else tuple(avoid)
        self._ground: StandingGround | None = None
        self._world: Terrain | None = None
        self._moved = False
        self._walker: RingWalker | None = None
        self._face, self._by_label, self._labelled, self._in_pieces = -1.0, "", False, False
        self.remarks: deque[str] = deque(maxlen=REMARKS)

    @property
    def skeleton(self) -> Skeleton:
        return self.graph.skeleton

    def __repr__(self) -> str:
        return f"GaitController({self.graph}, {self.status.says})"

    # what it knows of itself

    @property
    def walker(self) -> RingWalker:
        """The figure; put on level ground if it has not been anywhere yet."""
        if self._walker is None:
            self._put(FlatTerrain())
        assert self._walker is not None
        return self._walker

    @property
    def status(self) -> Status:
        return self.walker.status

    @property
    def heading(self) -> float:
        """Where it goes, rad."""
        return self.walker.heading

    @property
    def contacts(self) -> Bool[np.ndarray, "4"]:
        """Whether left heel, right heel, left toe and right toe stand now."""
        return self.walker.state[layout.CONTACTS : layout.CONTACTS + 4] > 0.5

    @property
    def weights(self) -> Float[np.ndarray, "loops"]:
        """Of the next strike."""
        loops = len(self.walker.ring)
        return self.walker.state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops].copy()

    # what it is asked

    def command(
        self,
        *,
        turn: float | None = None,
        heading: float | None = None,
        step_length: float | None = None,
        gait: str | None = None,
    ) -> None:
        """A wish: a heading in the world or a turn from where it goes now (rad, to the left), a step length
        (m), a gait by its name. What is no number is not heard, and said.
        """
        walker = self.walker
        asked: dict[str, float | None] = {}
        for word, value in (("turn", turn), ("heading", heading), ("step_length", step_length)):
            asked[word] = None if value is None else _number(value)
            if value is not None and asked[word] is None:
                self.remarks.append(f"{word} {value!r:.40} is no number: it was not heard")
        wished = asked["heading"]
        if asked["turn"] is not None:
            wished = float(walker.state[layout.HEADING]) + asked["turn"]
        length = asked["step_length"]
        if length is not None and not 0.0 <= length <= LONGEST_STEP:
            self.remarks.append(f"a step of {length} m is no wish: it was not heard")
            length = None
        walker.wish(None if wished is None else float(wrap(wished)), length)
        if gait is not None:
            self._by_label = ""
            walker.ask(str(gait))

    # time

    def update(self, tick: Tick) -> Pose:
        """The pose so many seconds later. Never raises."""
        self.advance(tick.dt, tick.world)
        return self.pose

    def advance(self, seconds: float, world: Terrain | None = None) -> Float[np.ndarray, "numbers"]:
        """The same without a pose made of it: root and rotations in one array, written over each frame."""
        walker = self._walker
        if walker is None or (world is not self._world and world is not None and _other(world, self._world)):
            self._put(world if world is not None else FlatTerrain())
            walker = self.walker
        if self._in_pieces:
            assert self._ground is not None
            walker.tree = self._ground.under(walker.state[layout.ORIGIN], walker.state[layout.ORIGIN + 2])
        walker.advance(seconds)
        self._moved = True
        if self._labelled and walker.state[layout.FACE] != self._face:
            assert self._ground is not None
            self._look(walker, self._ground)
        return walker.pose

    @property
    def pose(self) -> Pose:
        numbers = self.walker.pose.copy()
        return made_pose(numbers[:3], numbers[3:].reshape(-1, 4))

    def _put(self, world: Terrain) -> None:
        """On other ground: at the place where it is, or where it begins."""
        self._world = world
        self._ground = StandingGround(world, self._avoid)
        self._in_pieces = not self._ground.whole
        self._labelled = bool(self.graph.labels)
        x, z, heading, gait = self._begin
        before = self._walker
        if before is not None and self._moved:
            x, z = (float(before.state[layout.ORIGIN + k]) for k in (0, 2))
            heading, gait = before.heading, before.status.gait
        level = float(world.height(np.array(x), np.array(z)))
        place = np.array([x, level if np.isfinite(level) else 0.0, z])
        if not np.isfinite(level):
            self.remarks.append(f"there is no ground at ({x:.2f}, {z:.2f})")
        self._walker = RingWalker(self.graph, self._ground.under(x, z), place, heading, gait)
        self._walker.said = self.remarks.append
        if before is not None:  # what it was asked it is still asked
            asked, wish, length = before.wishes
            self._walker.wish(wish, length)
            self._walker.ask(asked)

    def _look(self, walker: RingWalker, ground: StandingGround) -> None:
        """What the next foot comes down on may ask for another gait; off it, the wished one comes back."""
        self._face = float(walker.state[layout.FACE])
        wanted = self.graph.labels.get(ground.label(int(self._face)), "")
        if wanted and wanted != walker.status.gait and not walker.ring.resting:
            if not self._by_label:
                self._by_label = walker.status.gait
            walker.ask(wanted)
        elif not wanted and self._by_label:
            walker.ask(self._by_label)
            self._by_label = ""


def _other(world: Terrain, before: Terrain | None) -> bool:
    """Whether it is other ground; equal planes are the same one."""
    return world is not before and not (isinstance(world, InclinedTerrain) and world == before)


def made_pose(root: Float[np.ndarray, "3"], rotations: Float[np.ndarray, "joints 4"]) -> Pose:
    """A pose of numbers that are known to be sound: nothing is checked again, a frame has no time for it."""
    pose = object.__new__(Pose)
    object.__setattr__(pose, "root", root)
    object.__setattr__(pose, "rotations", rotations)
    object.__setattr__(pose, "translations", None)
    return pose


def _number(value: object) -> float | None:
    """A wish as a number; None where it is none, or no angle or length that anybody could mean."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) <= WILDEST else None
