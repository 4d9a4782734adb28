"""Random control: every layer in random legal stacks, on random ground, told random things at random times.

`RandomControl(seed)` drives one character after another and judges every frame. Nothing may raise, no pose
may hold what is no number, and where a frame is no longer than a 30th of a second, no joint may go faster
than people do: 1.2 times the 99.99th percentile of its role over the examples of all models in the stack.
Hips are judged in the world, all others beside the hips; eyes, fingers and toes are not judged.

What the speed of joints is not judged by: a frame in which the figure is put elsewhere by a command (moved
offset, a fade or a play in no time), and a ring's walk while it changes its gait, turns away from what it
cannot walk on, or was put where there is no ground.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from jaxtyping import Float

import footfall as ff
from footfall.actor.virtual_actor import Example
from footfall.control.animation import PARTS, AnimationController
from footfall.control.constraint import ConstraintController
from footfall.control.gait import GaitController
from footfall.control.gaze import PARTS as GAZE_PARTS
from footfall.control.gaze import GazeController
from footfall.control.grab import GrabController, HeldThing
from footfall.control.hand_keeping import HandKeeping
from footfall.control.hand_path import CHEST, WORLD, HandPaths, HandPlace
from footfall.control.idle import IdleController
from footfall.control.locomotion import LocomotionController
from footfall.control.path_steering import PathController
from footfall.control.playing import frame_under
from footfall.control.reach import ReachController
from footfall.control.step_following import StepFollowing
from footfall.control.tick import Controller
from footfall.control.world_offset import WorldOffset
from footfall.errors import FootfallError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import GroundFrame
from footfall.ik.full_body import FullBodyIK
from footfall.ik.grasp import Grasp, close_hand
from footfall.ik.palm_placement import PalmPlacement
from footfall.models.locomotion.model import Locomotion
from footfall.models.reach.model import ReachLibrary
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.planning.path import Path
from footfall.world.generators.generate import KINDS
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from footfall.world.terrain import Terrain
from tests.control.plain_worlds import Crater, Island, Waves

QUICKEST = 1.0 / 30.0 + 1e-9  # s: longer frames are not judged by speed
BEYOND = 1.2  # of the percentile
PERCENTILE = 99.99
UNJUDGED = ("eye", "toe", "thumb", "index", "middle", "ring", "little")
UPPER = ("animation", "hand paths", "reach", "grab", "hand keeping", "gaze", "constraint", "fade")
BASES = ("idle", "locomotion", "gait", "path", "planned")
CHANGES_GAIT = 2.0  # s after a ring was told to change its gait
FRAMES = 1000  # of one character, about
NO_NUMBERS = (np.nan, np.inf, -np.inf, "x", None, 1e300, [], object())

Numbers = Float[np.ndarray, "..."]


@dataclass(frozen=True, eq=False)
class Models:
    """What characters are made of, and the examples that it was made from."""

    locomotion: Locomotion
    reach: ReachLibrary
    gaits: RingGraph
    examples: Mapping[str, Sequence[Motion]]  # by model: locomotion, reach, gaits

    @property
    def skeleton(self) -> Skeleton:
        return self.locomotion.skeleton


@dataclass(frozen=True)
class Violation:
    """What went wrong in a frame, and what had been asked before it."""

    what: str  # "raised", "no number" or a role
    much: float  # m/s over what is allowed, as a share; or nothing
    frame: int
    seed: int
    stack: str  # and the ground
    dt: float
    told: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.what} {self.much:.2f} in frame {self.frame} of seed {self.seed} (dt {self.dt:.4f} s), "
            f"{self.stack}, after: {'; '.join(self.told)}"
        )


# how fast people go


def judged_roles(skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    """Joints by role without its side."""
    found: dict[str, list[int]] = defaultdict(list)
    for role, joint in skeleton.roles.items():
        part = role.removeprefix("left_").removeprefix("right_")
        if not part.startswith(UNJUDGED):
            found[part].append(joint)
    return {part: tuple(joints) for part, joints in found.items()}


def role_speeds(motion: Motion) -> dict[str, Numbers]:
    """m/s by role, frame by frame: hips in the world, others beside the hips."""
    skeleton, places = motion.skeleton, motion.positions
    hips = places[:, skeleton.joint("hips")]
    made = {}
    for part, joints in judged_roles(skeleton).items():
        own = hips[:, None] if part == "hips" else places[:, list(joints)] - hips[:, None]
        made[part] = np.linalg.norm(np.diff(own, axis=0), axis=-1).reshape(-1) * motion.fps
    return made


@cache
def speed_limits(models: Models, names: frozenset[str]) -> dict[str, float]:
    """m/s by role that no frame may exceed, given the models and clips in a stack; kept by these."""
    speeds: dict[str, list[Numbers]] = defaultdict(list)
    for name in sorted(names):
        for part, values in _speeds_of(models, name).items():
            speeds[part].append(values)
    return {
        part: BEYOND * float(np.percentile(np.concatenate(rows), PERCENTILE)) for part, rows in speeds.items()
    }


@cache
def _speeds_of(models: Models, name: str) -> dict[str, Numbers]:
    clips = models.examples[name] if name in models.examples else (clips_of(models.skeleton)[name],)
    rows: dict[str, list[Numbers]] = defaultdict(list)
    for clip in clips:
        for part, values in role_speeds(clip).items():
            rows[part].append(values)
    return {part: np.concatenate(values) for part, values in rows.items()}


@cache
def clips_of(skeleton: Skeleton) -> dict[str, Motion]:
    """What may be played: short and long, on the spot and far away."""
    actor = ff.VirtualActor()
    made = {
        "stand": actor.idle(4.0),
        "walk": actor.walk(1.2, steps=6),
        "turning walk": actor.walk(1.0, turn_rate=0.6, steps=6),
        "back": actor.walk(-0.6, steps=4),
        "run": actor.run(2.8, steps=6),
        "strafe": actor.strafe(0.5, steps=4),
    }
    clips = {name: example.motion for name, example in made.items()}
    clips["moment"] = clips["run"][3:9]
    assert all(skeleton.same_bones(clip.skeleton) for clip in clips.values())
    return clips


def examples_of(examples: Sequence[Example | Motion]) -> tuple[Motion, ...]:
    return tuple(e if isinstance(e, Motion) else e.motion for e in examples)


# where they go


@cache
def world(kind: str, seed: int) -> Terrain | None:
    plain: dict[str, Callable[[], Terrain | None]] = {
        "none": lambda: None,
        "slope": lambda: ff.InclinedTerrain(0.15 - 0.1 * seed),
        "waves": Waves,  # type: ignore[dict-item]
        "island": Island,  # type: ignore[dict-item]
        "crater": Crater,  # type: ignore[dict-item]
    }
    return plain[kind]() if kind in plain else ff.open_terrain(f"{kind}:{seed}")


WORLDS = (*KINDS, "none", "slope", "waves", "island", "crater")


# one character


@dataclass
class Driven:
    """A character, what it can be told (by name), and the models and clips in its stack."""

    character: ff.Character
    sources: set[str]
    tell: dict[str, Callable[[np.random.Generator], str]] = field(default_factory=dict)
    teleported: bool = False  # by what it was told since the last frame
    unjudged: float = 0.0  # s for which speeds are not judged
    gait: GaitController | None = None
    no_ground: int = 0  # remarks of the ring that it has no ground, so far
    name: str = ""
    seed: int = 0
    frame: int = 0
    dt: float = 0.0
    told: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    before: Numbers | None = None  # places of joints in the last frame
    most: Numbers | None = None  # m/s by joint


class RandomControl:
    """Characters one after another, and what was wrong with their frames."""

    def __init__(
        self,
        models: Models,
        seed: int = 0,
        *,
        bases: Sequence[str] = BASES,
        worlds: Sequence[str] = WORLDS,
        upper: Sequence[str] = UPPER,
        grounds: int = 3,
    ) -> None:
        self.models, self.seed, self.bases, self.worlds, self.grounds = models, seed, bases, worlds, grounds
        self.upper = upper
        self.skeleton = models.skeleton
        self.roles = judged_roles(self.skeleton)
        self._ik = FullBodyIK(self.skeleton)
        self._hips = self.skeleton.joint("hips")
        self._parts = {joint: part for part, joints in self.roles.items() for joint in joints}
        self._fastest = np.zeros(len(self.skeleton))
        self.frames = 0
        self.judged = 0
        self.fastest: dict[
            str, tuple[float, str]
        ] = {}  # by role: share of what is allowed, and what caused it
        self.violations: list[Violation] = []
        self._next = seed

    def run(self, frames: int) -> Iterator[int]:
        """So many frames more, at least; tells how many after each character."""
        end = self.frames + frames
        while self.frames < end:
            self.drive(self._next)
            self._next += 1
            yield self.frames

    def drive(self, seed: int, last: int | None = None) -> Driven:
        """One character from its first frame to its last; `last`, to stop early and look at one frame."""
        rng = np.random.default_rng([seed, 20261])
        kind, number = str(rng.choice(self.worlds)), int(rng.integers(self.grounds))
        one = self._stack(rng, kind, number, rng.normal(0.0, 0.7, 2), rng.uniform(-np.pi, np.pi))
        one.name = f"{' > '.join(layer.name for layer in one.character.stack)} on {kind}:{number}"
        rate = float(rng.choice([1 / 240, 1 / 120, 1 / 60, 1 / 60, 1 / 30, 1 / 10, 0.0]))
        eager = float(rng.choice([0.01, 0.05, 0.3]))
        count = int(rng.integers(FRAMES // 2, 2 * FRAMES))
        one.seed, commands = seed, list(one.tell)
        for one.frame in range(count if last is None else last + 1):
            self.frames += 1
            one.dt = rate if rate > 0.0 else float(np.exp(rng.uniform(np.log(1 / 240), np.log(1 / 10))))
            if rng.random() < 0.01:
                one.dt = float(rng.uniform(0.1, 0.5))
            try:
                while rng.random() < eager:
                    name = commands[int(rng.integers(len(commands)))]
                    one.told.append(f"{one.frame}: {name} " + _told(one, name, rng))
                    one.most = None
                pose = one.character.step(one.dt)
            except Exception as what:
                self._violated(one, f"raised {type(what).__name__}: {what!s:.80}")
                break
            left_out = [words for words in one.character.remarks if "was left out" in words]
            if left_out:
                self._violated(one, f"raised in a layer: {left_out[0]}")
                break
            if not np.isfinite(pose.root.sum() + pose.rotations.sum()):
                self._violated(one, "no number")
                break
            self._judge(one, pose)
        return one

    def _judge(self, one: Driven, pose: Pose) -> None:
        """How fast joints are, beside how fast they may be."""
        places, _ = self._ik.placed(pose)
        hips = places[self._hips].copy()
        places -= hips
        places[self._hips] = hips
        before, one.before, dt = one.before, places, one.dt
        teleported, one.teleported = one.teleported, False
        one.unjudged = max(one.unjudged - dt, 0.0)
        if one.gait is not None and _evades(one):
            one.unjudged = CHANGES_GAIT
        if before is None or dt > QUICKEST or teleported or one.unjudged > 0.0:
            return
        if one.most is None:
            one.most = self._most(frozenset(one.sources | {"locomotion", "reach"}))
        self.judged += 1
        gone = places - before
        shares = np.sqrt(np.einsum("ij,ij->i", gone, gone)) / (dt * one.most)
        for joint in np.flatnonzero(shares > self._fastest):
            self._fastest[joint] = share = float(shares[joint])
            part = self._parts[joint]
            if share > self.fastest.get(part, (0.0, ""))[0]:
                last_told = one.told[-1] if one.told else "nothing"
                self.fastest[part] = (
                    share,
                    f"seed {one.seed} frame {one.frame}, {one.name}, after {last_told}",
                )
        for joint in np.flatnonzero(shares > 1.0):
            self._violated(one, self._parts[joint], float(shares[joint]))

    def _most(self, sources: frozenset[str]) -> Numbers:
        """m/s by joint; those that are not judged may go as they like."""
        most, limits = np.full(len(self.skeleton), np.inf), speed_limits(self.models, sources)
        for part, joints in self.roles.items():
            most[list(joints)] = limits[part]
        return most

    def _violated(self, one: Driven, what: str, much: float = 0.0) -> None:
        self.violations.append(Violation(what, much, one.frame, one.seed, one.name, one.dt, tuple(one.told)))

    # stacks

    def _has(self, layer: str, often: float, rng: np.random.Generator) -> bool:
        return bool(rng.random() < often) and layer in self.upper

    def _stack(
        self, rng: np.random.Generator, kind: str, number: int, place: Numbers, heading: float
    ) -> Driven:
        models, skeleton = self.models, self.skeleton
        base = str(rng.choice(self.bases))
        layers: list[Controller] = []
        tell: dict[str, Callable[[np.random.Generator], str]] = {}
        sources: set[str] = set()
        holder: list[Driven] = []
        clips = clips_of(skeleton)

        def pose() -> Pose:
            return holder[0].character.pose

        def teleports() -> None:
            holder[0].teleported = True

        if base == "idle" or rng.random() < 0.15:
            offset = WorldOffset(skeleton, place, heading)
            layers.append(offset)
            sources.add("stand")

            def move(rng: np.random.Generator) -> str:
                offset.move_to(_perhaps(rng, list(rng.normal(0.0, 3.0, 2))), rng.uniform(-4.0, 4.0))
                teleports()
                return "elsewhere"

            if rng.random() < 0.5:
                tell["move_to"] = move
            if rng.random() < 0.8:
                layers.append(IdleController(clips["stand"]))
        if base == "locomotion":
            legs = LocomotionController(models.locomotion, place=place, heading=heading)
            layers.append(legs)
            sources.add("locomotion")
            tell["go"] = _going(legs)
            tell["step"] = _stepping(legs)
        elif base in ("gait", "path"):
            gait = GaitController(models.gaits, place=place, heading=heading)
            sources.add("gaits")

            def changes() -> None:
                holder[0].unjudged = CHANGES_GAIT

            if base == "path":
                path = PathController(gait, _path(rng, place))
                layers.append(path)
                tell["path"] = _leading(path, gait, changes)
            else:
                tell["stick"] = _sticking(gait)
                tell["change gait"] = _changing(gait, models.gaits, changes)
            layers.append(gait)
        elif base == "planned":
            walks = StepFollowing(clips["stand"])
            layers.append(walks)
            sources.add("stand")
            tell["follow"] = _following(walks, clips, sources)
        if self._has("animation", 0.7, rng):
            animation = AnimationController(skeleton)
            layers.append(animation)
            tell["play"] = _playing(animation, clips, sources, teleports)
            tell["stop"] = _stopping(animation, teleports)
        reaching = self._has("reach", 0.7, rng)
        if reaching:
            reach = ReachController(models.reach)
            sources.add("reach")
            if self._has("hand paths", 0.3, rng):
                hands = HandPaths(reach)
                layers.append(hands)
                tell["lead"] = _leading_hands(hands, pose)
            layers.append(reach)
            tell["reach"] = _reaching(reach, pose)
            tell["let go"] = _letting_go(reach)
        if self._has("grab", 0.5, rng):
            grab = GrabController(skeleton)
            layers.append(grab)
            tell["grab"] = _grabbing(grab)
        keep = ConstraintController(skeleton) if self._has("constraint", 0.6, rng) else None
        if keep is not None and reaching and self._has("hand keeping", 0.6, rng):
            layers.append(HandKeeping(reach, keep))
        if self._has("gaze", 0.6, rng):
            gaze = GazeController(skeleton, seed=int(rng.integers(100)))
            layers.append(gaze)
            tell["look"] = _looking(gaze, pose)
        if keep is not None:
            layers.append(keep)
            tell["hold"] = _holding(keep, pose)
            tell["release"] = _releasing(keep)
        if not layers:
            layers.append(WorldOffset(skeleton, place, heading))
            sources.add("stand")
        made = Driven(ff.Character(skeleton, layers, world=world(kind, number)), sources, tell)
        made.gait = next((layer for layer in layers if isinstance(layer, GaitController)), None)
        holder.append(made)
        felt = [one.name for one in layers if one.name not in ("hand paths", "hand keeping", "path")]

        def fade(rng: np.random.Generator) -> str:
            name = str(rng.choice(felt))
            weight = float(rng.choice([0.0, 0.3, 1.0, 1.0]))
            seconds = float(rng.choice([0.0, 0.1, 0.4, 1.0]))
            made.character.fade(name, _perhaps(rng, weight), seconds)
            if seconds == 0.0:
                teleports()
            return f"{name} to {weight} in {seconds} s"

        if self._has("fade", 1.0, rng):
            tell["fade"] = fade
        tell["wait"] = lambda rng: ""
        return made


def _told(one: Driven, name: str, rng: np.random.Generator) -> str:
    try:
        return one.tell[name](rng)
    except FootfallError as refused:
        return f"refused: {refused!s:.60}"


def _evades(one: Driven) -> bool:
    """Whether a ring changes its gait, turns away from where it cannot walk, or has no ground for a foot."""
    gait = one.gait
    assert gait is not None
    before, one.no_ground = one.no_ground, sum("no ground" in words for words in gait.remarks)
    status, state = gait.status, gait.walker.state
    if status.changing_to is not None or status.says == "turning away":
        return True
    on_the_spot = state[layout.ORIGIN] == state[layout.NEXT_ORIGIN]
    return bool(on_the_spot) or one.no_ground > before


def _perhaps(rng: np.random.Generator, value: object) -> object:
    """Now and then no number."""
    return NO_NUMBERS[int(rng.integers(len(NO_NUMBERS)))] if rng.random() < 0.02 else value


def _near(rng: np.random.Generator, pose: Pose, spread: float, low: float, high: float) -> list[float]:
    x, z = pose.root[0] + rng.normal(0.0, spread), pose.root[2] + rng.normal(0.0, spread)
    return [float(x), float(pose.root[1] + rng.uniform(low, high)), float(z)]


def _turn(rng: np.random.Generator) -> list[float]:
    return quat.normalize(rng.normal(size=4)).tolist()  # type: ignore[no-any-return]


def _going(legs: LocomotionController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        speed = float(
            rng.choice([0.0, rng.uniform(-0.5, 1.8), rng.uniform(1.5, 4.0), 50.0], p=[0.25, 0.5, 0.2, 0.05])
        )
        turn, aside = rng.choice([0.0, rng.uniform(-1.5, 1.5)]), rng.choice([0.0, rng.uniform(-0.8, 0.8)])
        legs.command(
            speed=_perhaps(rng, speed),
            turn_rate=_perhaps(rng, turn),
            side_speed=_perhaps(rng, aside),  # type: ignore[arg-type]
        )
        return f"{speed:.2f} {turn:.2f} {aside:.2f}"

    return tell


def _stepping(legs: LocomotionController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        dx, dz, turn = rng.normal(0.0, 0.3, 3)
        legs.step(_perhaps(rng, dx), _perhaps(rng, dz), _perhaps(rng, turn))  # type: ignore[arg-type]
        return f"{dx:.2f} {dz:.2f} {turn:.2f}"

    return tell


def _sticking(gait: GaitController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        turn, length = rng.normal(0.0, 0.8), rng.uniform(0.2, 1.2)
        gait.command(turn=_perhaps(rng, turn), step_length=_perhaps(rng, length))  # type: ignore[arg-type]
        return f"turn {turn:.2f} length {length:.2f}"

    return tell


def _changing(
    gait: GaitController, graph: RingGraph, changes: Callable[[], None]
) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        if rng.random() < 0.8:
            gait.command(step_length=float(rng.uniform(0.2, 1.2)))
            return "step"
        name = str(rng.choice([*graph.rings, "fly"]))
        gait.command(gait=name)
        changes()
        return name

    return tell


def _path(rng: np.random.Generator, start: Numbers) -> Path:
    steps = rng.normal(0.0, 1.0, (int(rng.integers(1, 5)), 2)) + 0.2
    corners = np.concatenate([[start], start + np.cumsum(steps, axis=0)])
    return Path(np.stack([corners[:, 0], np.zeros(len(corners)), corners[:, 1]], axis=-1))


def _leading(
    path: PathController, gait: GaitController, changes: Callable[[], None]
) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        if rng.random() < 0.8:
            return "on"
        path.path = _path(rng, gait.walker.pose[[0, 2]])
        path.heading = None if rng.random() < 0.5 else float(rng.uniform(-4.0, 4.0))
        changes()
        return repr(path.path)

    return tell


def _following(
    walks: StepFollowing, clips: Mapping[str, Motion], sources: set[str]
) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        name = str(rng.choice(list(clips)))
        clip, away = clips[name], float(rng.choice([0.0, 0.05, 0.6]))
        here = frame_under(walks.skeleton, walks.pose)
        there = GroundFrame(
            here.position + rng.normal(0.0, away, 3) * np.array([1.0, 0.1, 1.0]),
            here.heading + rng.normal(0.0, away),
        )
        begins = frame_under(clip.skeleton, clip.pose(0))
        rotations = np.array(clip.rotations)
        rotations[:, 0] = there.turn_to_world(begins.turn_to_local(rotations[:, 0]))
        root = there.to_world(begins.to_local(clip.root))
        walks.follow(Motion(clip.skeleton, root, rotations, clip.fps, contacts=clip.contacts))
        sources.add(name)
        return f"{name} {away} m away"

    return tell


def _playing(
    layer: AnimationController, clips: Mapping[str, Motion], sources: set[str], teleports: Callable[[], None]
) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        name, part = str(rng.choice(list(clips))), str(rng.choice(PARTS))
        fade = float(rng.choice([0.0, 0.1, 0.4, 0.4, 1.0]))
        endlessly = bool(rng.random() < 0.3) or fade == 0.0  # else it ends at once, some time
        layer.play(clips[name], part=part, fade=_perhaps(rng, fade), endlessly=endlessly)  # type: ignore[arg-type]
        if fade == 0.0:
            teleports()
        sources.add(name)
        return f"{name} on {part} in {fade} s, endlessly {endlessly}"

    return tell


def _stopping(
    layer: AnimationController, teleports: Callable[[], None]
) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        fade = float(rng.choice([0.0, 0.1, 0.4, 1.0]))
        layer.stop(fade)
        if fade == 0.0:
            teleports()
        return f"in {fade} s"

    return tell


def _reaching(reach: ReachController, pose: Callable[[], Pose]) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        side, target = str(rng.choice(["left", "right"])), _near(rng, pose(), 0.5, -0.8, 1.0)
        turn = _turn(rng) if rng.random() < 0.3 else None
        if rng.random() < 0.1:
            reach.posture = str(rng.choice(["standing", "sitting"]))
        both = rng.random() < 0.2
        goal: object = {"left": target, "right": _near(rng, pose(), 0.5, -0.5, 0.8)} if both else target
        reach.reach(_perhaps(rng, goal), hand=side, orientation=turn)  # type: ignore[arg-type]
        return f"{'both' if both else side} to {np.round(target, 2)}{' turned' if turn else ''}"

    return tell


def _letting_go(reach: ReachController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        hand = [None, "left", "right"][int(rng.integers(3))]
        reach.let_go(hand)
        return str(hand)

    return tell


def _leading_hands(hands: HandPaths, pose: Callable[[], Pose]) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        side = str(rng.choice(["left", "right"]))
        if rng.random() < 0.3:
            hands.end(side)
            return f"{side} no more"
        joint, skeleton = hands.skeleton.joint(f"{side}_hand"), hands.skeleton
        places, turns = pose().forward(skeleton)
        start = HandPlace(places[joint], turns[joint]) if rng.random() < 0.7 else None
        frame = str(rng.choice([WORLD, CHEST]))
        where = np.array(_near(rng, pose(), 0.3, -0.3, 0.6)) if frame == WORLD else rng.normal(0.0, 0.3, 3)
        seconds = float(rng.uniform(0.4, 2.0))
        hands.lead(side, HandPlace(where, np.array(_turn(rng)), frame), seconds=seconds, start=start)
        return f"{side} in {seconds:.2f} s"

    return tell


@cache
def _grasp(layer: GrabController, side: str) -> Grasp | None:
    poses = layer.poses(side)
    if poses is None:
        return None
    hand = poses.hand
    middle = hand.palm_length * hand.along + 0.055 * hand.normal
    return close_hand(
        poses, Placed(Sphere(0.035), middle, quat.identity()), PalmPlacement(np.zeros(3), quat.identity())
    )


def _grabbing(grab: GrabController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        side, what = str(rng.choice(["left", "right"])), int(rng.integers(5))
        seconds = float(rng.choice([0.0, 0.2, 0.4]))
        if what == 0:
            grab.open(side, _perhaps(rng, seconds))  # type: ignore[arg-type]
        elif what == 1:
            grab.close(side, _grasp(grab, side), seconds)
        elif what == 2:
            grab.hold(side, HeldThing("ball", rng.normal(0.0, 0.1, 3), quat.identity()))
        elif what == 3:
            grab.let_go(side, seconds)
        else:
            grab.relax(side, seconds)
        return f"{('open', 'close', 'hold', 'let go', 'relax')[what]} {side}"

    return tell


def _looking(gaze: GazeController, pose: Callable[[], Pose]) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        at = _near(rng, pose(), 2.0, -1.0, 1.5) if rng.random() < 0.8 else None
        parts = [part for part in GAZE_PARTS if rng.random() < 0.8] if rng.random() < 0.2 else None
        gaze.command(look_at=_perhaps(rng, at), gaze_parts=parts)  # type: ignore[arg-type]
        return f"at {at}"

    return tell


def _holding(keep: ConstraintController, pose: Callable[[], Pose]) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        role = str(
            rng.choice(
                ["left_hand", "right_hand", "chest", "head", "left_foot", "hips"],
                p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1],
            )
        )
        place = pose().forward(keep.skeleton)[0][keep.skeleton.joint(role)]
        far = float(rng.choice([0.0, 0.1, 0.5]))
        position = None if rng.random() < 0.2 else (place + rng.normal(0.0, far, 3)).tolist()
        turn = _turn(rng) if rng.random() < 0.2 or position is None else None
        keep.hold(role, position=_perhaps(rng, position), orientation=turn, level=int(rng.integers(0, 3)))
        return f"{role} {far} m away{' turned' if turn else ''}"

    return tell


def _releasing(keep: ConstraintController) -> Callable[[np.random.Generator], str]:
    def tell(rng: np.random.Generator) -> str:
        role = str(rng.choice(["left_hand", "right_hand", "chest", "head", "left_foot", "hips"]))
        keep.release(role)
        return role

    return tell
