"""A gait driven by commands and recorded: what `footfall walk` makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.reference import Reference
from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.formats.commands_file import Command, in_order
from footfall.geometry.decisions import nearest_cell
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.synthesized import Synthesized
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Terrain, checked_terrain

FPS = 60.0
RATES = (10.0, 1000.0)  # Hz
LONGEST = 2 * 3600.0  # s
MOST_FRAMES = 500_000  # of a recording: two hours at 60 Hz
SOON = 1e-9  # s: a command so much later than a frame still belongs to it
MOST_REMARKS = 100
STEP = "step_length"


@dataclass(frozen=True, eq=False, repr=False)
class WalkedGait(Synthesized):
    """A walk that obeyed commands."""

    responses: tuple[float, ...] = ()  # s from each input until it entered the search
    strikes: int = 0
    remarks: tuple[str, ...] = ()  # what the controller said, and when
    gaits: tuple[tuple[float, str], ...] = ()  # s at which each was taken up
    frames_per_second: float = 0.0  # of the stepping alone, as it was measured

    @property
    def response_s(self) -> dict[str, float] | None:
        """Mean and worst of the responses; None where nothing was asked."""
        if not self.responses:
            return None
        return {"mean": float(np.mean(self.responses)), "worst": max(self.responses)}


def walk(
    rings: MotionRing | RingGraph,
    commands: Iterable[Command],
    seconds: float,
    *,
    terrain: Terrain | None = None,
    fps: float = FPS,
    foot_lock: bool = True,
    place: Sequence[float] = (0.0, 0.0),
    heading: float = 0.0,
    gait: str | None = None,
) -> WalkedGait:
    """So many seconds of a gait that obeys commands, from a place (x, z) on; see `load_commands`.

    Before the first command it does what it begins with: it stands where there is a rest among its rings,
    until a command comes; one that names no gait sets out with the first that goes. The foot lock makes
    feet stand exactly.
    """
    if not isinstance(rings, MotionRing | RingGraph):
        raise RequestError(f"a MotionRing or a RingGraph is needed, not {rings!r:.40}")
    graph, ground = RingGraph.of(rings), FlatTerrain() if terrain is None else checked_terrain(terrain)
    heard = _known(commands, graph)
    frames = checked_frames(seconds, fps)
    start = _start(ground, place)
    controller = GaitController(graph, place=start, heading=heading, gait=gait)
    recorded = Recording(controller, ground, frames, float(fps))
    recorded.walk(heard)
    return recorded.made(foot_lock=foot_lock)


def joined_reference(references: Sequence[Reference]) -> Reference:
    """What examples do that is done in any of several."""
    peaks: dict[str, float] = {}
    for one in references:
        peaks |= {role: max(peak, peaks.get(role, 0.0)) for role, peak in one.peaks.items()}
    straight = [one.leg_extension for one in references if one.leg_extension is not None]
    return Reference(peaks, max(straight, default=None))


@dataclass(eq=False)
class Recording:
    """A controller on some ground, every frame kept."""

    controller: GaitController
    ground: Terrain
    frames: int
    fps: float
    responses: list[float] = field(default_factory=list)
    gaits: list[tuple[float, str]] = field(default_factory=list)
    spent: float = 0.0  # s of stepping
    unsaid: int = 0  # remarks beyond the most
    _remarks: list[str] = field(default_factory=list)
    _says: str = ""  # what the figure does

    def __post_init__(self) -> None:
        from footfall.geometry.kernel_cache import ready_for

        ready_for(self.controller)  # before frames are timed
        self.controller.advance(0.0, self.ground)
        joints = len(self.controller.skeleton)
        self._poses: Float[np.ndarray, "frames numbers"] = np.empty((self.frames, 3 + 4 * joints))
        self._contacts: Bool[np.ndarray, "frames 4"] = np.zeros((self.frames, 4), dtype=bool)

    def walk(self, commands: Sequence[Command]) -> None:
        waiting = list(reversed(commands))
        for k in range(self.frames):
            time = k / self.fps
            self.keep(k)
            while waiting and waiting[-1].time <= time + SOON:
                self._hear(waiting.pop(), time)
            if k + 1 < self.frames:
                self.step()

    def keep(self, k: int) -> None:
        """The frame as it is now, under its number."""
        controller, time = self.controller, k / self.fps
        self._poses[k], self._contacts[k] = controller.walker.pose, controller.contacts
        status = controller.status
        if not self.gaits or self.gaits[-1][1] != status.gait:
            self.gaits.append((time, status.gait))
        while controller.remarks:
            self._say(time, controller.remarks.popleft())
        if status.says != self._says:
            self._says = status.says
            if status.says != "walking" and not controller.graph[status.gait].resting:
                self._say(time, f"no ground to go on as asked: {status.says}")

    def _hear(self, command: Command, time: float) -> None:
        """A command that names no gait keeps the one there is; whoever rests sets out."""
        graph, status = self.controller.graph, self.controller.status
        goes = command.gait or status.changing_to or status.gait
        asked = command.gait
        if asked is None and graph[goes].resting:
            goes = asked = graph.first
        self._check_length(command, goes, time)
        self._make_ready(goes, (status.gait, status.changing_to or status.gait))
        self.controller.command(
            turn=command.turn, heading=command.heading, step_length=command.step_length, gait=asked
        )

    def _make_ready(self, gait: str, leaving: Sequence[str]) -> None:
        """What is worked out once, when it is first needed: before the clock runs."""
        graph = self.controller.graph
        for name in {gait, graph.rest or gait}:
            _ = graph[name].packed, graph[name].usual_weights
        for here in set(leaving) - {gait}:
            graph.transition(here, gait)

    def _check_length(self, command: Command, gait: str, time: float) -> None:
        """A step that is longer or shorter than all of a gait's will not come."""
        ring = self.controller.graph[gait]
        if command.step_length is None or ring.resting:
            return
        low, high = (float(bound[ring.space.names.index(STEP)]) for bound in ring.space.bounds)
        if not low <= command.step_length <= high:
            told = f"{STEP} {command.step_length:.2f} m: steps of {gait} are {low:.2f} to {high:.2f} m"
            self._say(time, told)

    def step(self) -> None:
        """One frame on."""
        state = self.controller.walker.state
        asked = state[layout.PENDING] > 0.5
        begin = perf_counter()
        self.controller.advance(1.0 / self.fps, self.ground)
        self.spent += perf_counter() - begin
        state = self.controller.walker.state  # another one, where another ring was entered
        if asked and state[layout.PENDING] < 0.5:
            self.responses.append(float(state[layout.RESPONSE]))

    def _say(self, time: float, sentence: str) -> None:
        if len(self._remarks) < MOST_REMARKS:
            self._remarks.append(f"{time:.2f} s: {sentence}")
        else:
            self.unsaid += 1

    @property
    def told(self) -> tuple[str, ...]:
        more = (f"and {self.unsaid} remarks more",) if self.unsaid else ()
        return (*self._remarks, *more)

    @property
    def rings(self) -> tuple[str, ...]:
        """Whose examples the motion is measured by; who turns on the spot goes, too."""
        walker = self.controller.walker
        return (*(name for _, name in self.gaits), *((walker.graph.first,) if walker.stepped else ()))

    @property
    def frames_per_second(self) -> float:
        return (self.frames - 1) / max(self.spent, 1e-9)

    @property
    def motion(self) -> Motion:
        poses, contacts = self._poses[: self.frames], self._contacts[: self.frames]
        rotations = poses[:, 3:].reshape(self.frames, -1, 4)
        told = Contacts(contacts[:, :2], contacts[:, 2:])
        return Motion(self.controller.skeleton, poses[:, :3], rotations, self.fps, contacts=told)

    def made(self, *, foot_lock: bool, clamped: tuple[str, ...] = ()) -> WalkedGait:
        """All frames as a motion that knows what it promises, and what could not be as asked."""
        motion, graph = self.motion, self.controller.graph
        if foot_lock:
            from footfall.adapt.foot_lock import lock_feet

            motion = lock_feet(motion, self.ground)
        walked = WalkedGait(
            motion.skeleton,
            motion.root,
            motion.rotations,
            motion.fps,
            contacts=motion.contacts,
            ground=self.ground,
            clamped=(*self.told, *clamped),
            reference=joined_reference([graph[name].reference for name in self.rings]),
            responses=tuple(self.responses),
            strikes=int(self.controller.walker.state[layout.STRIKES]),
            remarks=self.told,
            gaits=tuple(self.gaits),
            frames_per_second=self.frames_per_second,
        )
        object.__setattr__(walked, "made", (walked.root, walked.rotations))
        return walked


def _known(commands: Iterable[Command], graph: RingGraph) -> tuple[Command, ...]:
    """Commands in order, whose gaits there are."""
    given = tuple(commands)
    for k, command in enumerate(given):
        if not isinstance(command, Command):
            raise RequestError(f"commands[{k}] must be a Command, not {command!r:.40}")
        if command.gait is not None and command.gait not in graph.rings:
            there = ", ".join(graph)
            raise RequestError(
                f"commands[{k}].gait: there is no gait {command.gait!r:.42}; there are {there}"
            )
    return in_order(given)


def checked_frames(seconds: float, fps: float) -> int:
    """How many frames so many seconds are."""
    if not _between(fps, *RATES):
        raise RequestError(f"fps must be {RATES[0]:g} to {RATES[1]:g} Hz, not {fps!r:.40}")
    if not _between(seconds, 1.0 / fps, LONGEST):
        raise RequestError(f"seconds must be one frame's to {LONGEST:g}, not {seconds!r:.40}")
    frames = int(nearest_cell(seconds * fps, 1.0)) + 1
    if frames > MOST_FRAMES:
        raise RequestError(f"{seconds:g} s at {fps:g} Hz are {frames} frames; at most {MOST_FRAMES} are made")
    return frames


def _between(value: object, low: float, high: float) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and low <= value <= high  # type: ignore[operator]


def _start(ground: Terrain, place: Sequence[float]) -> tuple[float, float]:
    """Where it begins, which must be on the ground."""
    try:
        x, z = (float(one) for one in place)
    except (TypeError, ValueError):
        raise RequestError(f"a place is two numbers, x and z in metres, not {place!r:.40}") from None
    if not (np.isfinite([x, z]).all() and np.isfinite(ground.height(np.array(x), np.array(z)))):
        raise RequestError(f"there is no ground at ({x:g}, {z:g}) to begin on")
    return x, z
