"""The gait: a character's first layer, that walks, runs and rests where the stick says ([rings] 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

import numpy as np
from jaxtyping import Bool, Float

from footfall.control.standing_ground import StandingGround
from footfall.control.tick import Tick
from footfall.errors import NO_NUMBER, RequestError
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
STOREY = 0.6  # m over a foot: ground beneath that is of its storey,
SAME = 0.08  # m: and so near to its feet it is the ground they stand on
WILDEST = 1e15  # rad or m: beyond it a number has no digits left to tell a direction


class GaitController:
    """Walks through the rings of one figure.

    >>> gait = GaitController(ring)
    >>> walker = Character(ring.skeleton, [gait], world=terrain)
    >>> walker.command(turn=0.3, step_length=0.7)

    It begins at a place, (x, z) or (x, y, z) where there are several storeys, and faces along `heading`; with
    a rest among its rings it begins standing, unless another `gait` is asked for. Ground of labels it should
    `avoid` is none to it.
    """

    name = "gait"

    def __init__(
        self,
        rings: MotionRing | RingGraph,
        *,
        place: Sequence[float] = (0.0, 0.0),
        heading: float = 0.0,
        gait: str | None = None,
        avoid: Collection[str] = ("water",),
    ) -> None:
        if not isinstance(rings, MotionRing | RingGraph):
            raise RequestError(f"a gait needs a MotionRing or a RingGraph, not {type(rings).__name__}")
        self.graph = RingGraph.of(rings)
        if gait is not None:
            _ = self.graph[gait]
        begin = _begin(place, heading)
        if not isinstance(avoid, Collection):
            raise RequestError(f"labels to avoid are a list such as ['water'], not {avoid!r:.40}")
        _ = self.graph.transitions  # now, not in the frame that first needs one
        self._begin = begin, gait
        self._avoid = (avoid,) if isinstance(avoid, str) else tuple(avoid)
        self._ground: StandingGround | None = None
        self._world: Terrain | None = None
        self._walker: RingWalker | None = None
        self._moved = False
        self._face, self._in_pieces = -1.0, False
        self._wished: str | None = None  # the gait that was asked for, whatever the ground asks for
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
            return self._stand_on(FlatTerrain())
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
            self._wished = str(gait)
            self._ask(walker)

    # time

    def update(self, tick: Tick) -> Pose:
        """The pose so many seconds later. Never raises."""
        self.advance(tick.dt, tick.world)
        return self.pose

    def advance(self, seconds: float, world: Terrain | None = None) -> Float[np.ndarray, "numbers"]:
        """The same without a pose made of it: root and rotations in one array, written over each frame."""
        walker = self._walker
        if walker is None or (world is not self._world and world is not None):
            walker = self._stand_on(world if world is not None else FlatTerrain())
        if self._in_pieces:
            assert self._ground is not None
            walker.tree = self._ground.under(walker.state[layout.ORIGIN], walker.state[layout.ORIGIN + 2])
        walker.advance(seconds)
        self._moved = True
        if self.graph.labels and walker.state[layout.FACE] != self._face:
            self._face = float(walker.state[layout.FACE])
            self._ask(walker)
        return walker.pose

    @property
    def pose(self) -> Pose:
        numbers = self.walker.pose.copy()
        return Pose.sound(numbers[:3], numbers[3:].reshape(-1, 4))

    def _stand_on(self, world: Terrain) -> RingWalker:
        """On other ground: it walks on if there is some under its foot, else it is put on it anew."""
        before = self._walker
        if before is not None and isinstance(world, InclinedTerrain) and world == self._world:
            self._world = world  # an equal plane is the same ground
            return before
        (x, y, z, heading), gait = self._begin
        if before is not None and self._moved:
            x, y, z = (float(before.state[layout.ORIGIN + k]) for k in range(3))
            heading, gait = before.heading, before.status.gait
        try:
            start, level = _storey(world, x, y, z)
            ground = StandingGround(world, self._avoid)
        except Exception as what:  # whatever an object that is no terrain does: it is told, not raised
            self._world = world
            self.remarks.append(f"{type(world).__name__} is no ground: {what!s:.60}")
            return before if before is not None else self._stand_on(FlatTerrain())
        self._world, self._ground, self._in_pieces, self._face = world, ground, not ground.whole, -1.0
        if before is not None and self._moved and _bears(world, before):
            before.tree = ground.under(x, z)
            before.look_again()
            return before
        if not np.isfinite(level):
            self.remarks.append(f"there is no ground at ({x:.2f}, {z:.2f})")
        elif str(world.label(np.array(x), np.array(z), start=start)) in self._avoid:
            self.remarks.append(f"the ground at ({x:.2f}, {z:.2f}) is to be avoided")
        place = np.array([x, level if np.isfinite(level) else 0.0, z])
        walker = RingWalker(self.graph, ground.under(x, z), place, heading, gait)
        walker.said = self.remarks.append
        if before is not None:  # what it was asked it is still asked
            asked, wish, length = before.wishes
            walker.wish(wish, length)
            walker.ask(asked)
        walker.rehearse()
        self._walker = walker
        return walker

    def _ask(self, walker: RingWalker) -> None:
        """The gait that was wished, unless the ground under the next step asks for another one."""
        if self._wished is None:
            self._wished = walker.wishes[0]
        wished, label = self.graph.rings.get(self._wished), ""
        if self.graph.labels and self._ground is not None and self._face >= 0.0:
            label = self._ground.label(int(self._face))
        by_ground = self.graph.labels.get(label)
        goes = wished is not None and not wished.resting
        walker.ask(by_ground if by_ground is not None and goes else self._wished)


def _storey(world: Terrain, x: float, y: float, z: float) -> tuple[float, float]:
    """The level of the ground at a place and from where it is looked for: on the storey of a level, or, where
    there is none beneath it, the topmost.
    """
    for start in (y + STOREY, np.inf):
        level = float(world.height(np.array(x), np.array(z), start=np.array(start)))
        if np.isfinite(level):
            break
    return start, level


def _bears(world: Terrain, walker: RingWalker) -> bool:
    """Whether there is ground where a figure stands, and where its other foot comes down."""
    x, y, z = (walker.state[[layout.ORIGIN + k, layout.NEXT_ORIGIN + k]] for k in range(3))
    return bool((np.abs(world.height(x, z, start=y + STOREY) - y) < SAME).all())


def _begin(place: object, heading: object) -> tuple[float, float, float, float]:
    """Where a gait begins: x, y, z, heading; y is from the top where no storey is told."""
    try:
        told = [_number(value) for value in (*place, heading)]  # type: ignore[misc]
    except TypeError:
        told = []
    begin = [b for b in told if b is not None and abs(b) <= LARGEST]
    if len(begin) != len(told) or len(begin) not in (3, 4):
        raise RequestError(
            f"the place (x, z or x, y, z, within {LARGEST:g} m) and heading at which a gait begins must be "
            f"finite numbers, not {place!r:.40} and {heading!r:.40}"
        )
    x, *y, z, facing = begin
    return x, (y[0] if y else np.inf), z, facing


def _number(value: object) -> float | None:
    """A wish as a number; None where it is none, or no angle or length that anybody could mean."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except NO_NUMBER:
        return None
    return number if abs(number) <= WILDEST else None
