"""What a movement library is held to, measured: errors over parameters, sequences, steps it has not seen."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from jaxtyping import Float
from tests.captured import captured
from tests.captures import FOLDER

import footfall as ff
from footfall.actor.sessions.movements import FPS, step
from footfall.align.smooth_time import cubics, time_at
from footfall.analysis.facing import trunk_headings
from footfall.figure.example import Example
from footfall.figure.resample import at_times
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.chain import Chain, chained
from footfall.models.movements.cut import cut_movements
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.measures import STEP
from footfall.models.movements.model import MovementLibrary, PlayedMovements
from footfall.models.movements.movement import Movement, first_standing, next_standing
from footfall.models.movements.perform import perform
from footfall.models.movements.prepared import Prepared, prepare
from footfall.models.movements.request import Request
from footfall.weights.spanning import spanning_set

PLACES, SEED = 10_000, 99  # where errors are looked for; not the seed that refinement looks with
STRAIGHT, SPATIAL = ("start_length", "end_length"), ("end_length", "end_side", "end_rise")
SPACING = 0.15  # m: of two cells of subject 83 that are nearer one is dropped
GENERAL = 40  # examples of the general step
SIDES = ("left", "right")
SWINGS = {"left_step": ((1, 2), None), "right_step": (None, (1, 2))}
DENSE = 960.0  # Hz
JUMPS = 0.2  # of the movements of a sequence
FLAT = 0.03  # m
TWIN = 0.1  # m
BETWEEN = (0.0, 0.2, 0.48, 0.68)  # m: step lengths between those of the session


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@cache
def actor() -> ff.VirtualActor:
    return ff.VirtualActor()


def as_right_steps(examples: Sequence[Example]) -> list[Prepared]:
    """Prepared; left steps are mirrored."""
    made = [prepare(e, SWINGS[e.kind], FPS) for e in examples if e.kind in SWINGS]
    return [p if p.swings[0] is None else p.mirrored() for p in made]


@cache
def straight_steps() -> tuple[Prepared, ...]:
    """The actor's fifteen steps of the left foot."""
    own = [e for e in actor().perform("movements") if e.kind == "left_step"]
    return tuple(prepare(e, SWINGS["left_step"], FPS) for e in own)


@cache
def subject_83() -> tuple[Prepared, ...]:
    """The first step of each clip, from standing; those of the left foot mirrored."""
    files = sorted(path.name for path in (FOLDER / "steps").glob("*.bvh"))
    found: dict[str, Example] = {}
    for example in cut_movements([captured(f"steps/{name}") for name in files], files):
        if example.kind in SWINGS:
            found.setdefault(example.name.split(",")[0], example)
    return tuple(as_right_steps(list(found.values())))


def general_steps() -> tuple[Prepared, ...]:
    """Steps of the actor anywhere, on stairs too, spread over the seven parameters."""
    one, takes = actor(), list(actor().perform("stepping"))
    for riser in (0.08, 0.16, -0.08, -0.16):
        takes += [one.stairs(riser, tread) for tread in (0.28, 0.38)]
        takes += [one.stairs(riser, 0.32, turn=turn) for turn in (0.25, -0.25)]
    for rise in (0.12, -0.12):
        takes += [one.step_to(ahead, side, rise) for ahead in (0.2, 0.5) for side in (0.0, 0.12)]
    steps = as_right_steps(cut_movements([t.motion for t in takes], [t.name or t.kind for t in takes]))
    space = MovementKind.of("step", _apart(steps, STEP, 0.02), STEP)
    points = space.space.to_metric(space.space.points)
    return tuple(space.examples[i] for i in spanning_set(points, count=GENERAL))


def _apart(steps: Sequence[Prepared], names: Sequence[str], spacing: float) -> list[Prepared]:
    """Without near-duplicates."""
    from footfall.models.movements.kind import measured_parameters
    from footfall.weights.space import METRES_A_RADIAN

    scale = np.array([METRES_A_RADIAN if n == "turn" else 1.0 for n in names])
    points = measured_parameters(steps, names) * scale
    return [steps[i] for i in spanning_set(points, spacing=spacing)]


def kinds_to_refine() -> dict[str, tuple[Callable[[], MovementKind], tuple[int, ...]]]:
    """By name: how to make it, and the numbers of pseudo-examples to tell errors for."""
    kinds: dict[str, tuple[Callable[[], MovementKind], tuple[int, ...]]] = {
        "actor, straight": (lambda: MovementKind.of("left_step", straight_steps(), STRAIGHT), (0, 5, 10)),
    }
    if (FOLDER / "steps").is_dir():

        def spatial() -> MovementKind:
            return MovementKind.of("right_step", _apart(subject_83(), SPATIAL, SPACING), SPATIAL)

        kinds["subject 83"] = spatial, (0, 5, 10, 20, 30, 60)
    kinds["actor, general"] = (
        lambda: MovementKind.of("right_step", general_steps(), STEP),
        (0, 5, 10, 20, 40, 80),
    )
    return kinds


@dataclass(frozen=True)
class ErrorLine:
    """Errors of blends' real parameters, in metres of the metric, over places in the examples' hull."""

    kind: str
    examples: int
    dims: int
    added: int  # pseudo-examples
    worst: float
    usual: float  # 99 of 100 places have less
    at_them: float  # worst at the pseudo-examples
    seconds: float  # for as many


def error_lines(name: str, kind: MovementKind, counts: Sequence[int]) -> Iterator[ErrorLine]:
    space = kind.space
    asked = space.to_metric(space.sample(PLACES, SEED))
    start, stamps = time.perf_counter(), list[float]()

    def told(what: str, _: float) -> None:
        stamps.append(time.perf_counter() - start)
        remark(f"  {name}: {what}")

    refined, _ = kind.refined(max(counts), progress=told)
    kept = len(refined.pseudo_points)
    for count in sorted({*(c for c in counts if c < kept), kept}):
        pseudo = refined.pseudo_points[:count], refined.pseudo_weights[:count]
        part = MovementKind.of(kind.name, kind.examples, space.names, space.points, pseudo)
        errors = np.abs(part.measured(part.scheme(asked)) - asked).max(axis=-1)
        known = space.to_metric(pseudo[0])
        left = np.abs(part.measured(part.scheme(known)) - known)
        yield ErrorLine(
            kind=name,
            examples=len(kind.examples),
            dims=space.dims,
            added=count,
            worst=float(errors.max()),
            usual=float(np.percentile(errors, 99.0)),
            at_them=float(left.max(initial=0.0)),
            seconds=stamps[count],
        )


def random_requests(library: MovementLibrary, seed: int, count: int = 100) -> list[Request]:
    """Steps of feet that take turns, and jumps."""
    rng = np.random.default_rng(seed)
    foot, made = str(rng.choice(["left", "right"])), list[Request]()
    while len(made) < count:
        kind = "jump" if rng.random() < JUMPS else f"{foot}_step"
        space = library.space[kind]
        wanted = space.named(space.sample(1, int(rng.integers(2**31)))[0])
        made.append(Request(kind, {n: v for n, v in wanted.items() if not n.startswith("start_")}))
        foot = {"left": "right", "right": "left"}[foot]
    return made


@dataclass(frozen=True)
class SequenceFigures:
    """What one sequence came to; metres and seconds."""

    seed: int
    constraints: bool
    movements: int
    clamped: int
    slide: float
    ratio: float  # of acceleration
    placement: float | None  # of plants from their footprints
    prints: float  # of footprints from what the parameters say
    jump: float  # of a joint's place at a join,
    jump_elsewhere: float
    kink: float  # m/s: change of a joint's velocity from one interval to the next at a join, at 960 Hz
    kink_elsewhere: float


def sequence_figures(library: MovementLibrary, seed: int, constraints: bool) -> SequenceFigures:
    requests = random_requests(library, seed)
    chain = chained(library.kinds, requests)
    motion = library.play(requests, constraints=constraints)
    written = motion.certificate()
    dense = library.play(requests, constraints=constraints, fps=DENSE)
    assert written.slide_max_m is not None
    assert written.acceleration_ratio is not None
    return SequenceFigures(
        seed,
        constraints,
        len(chain.movements),
        len(motion.clamped),
        written.slide_max_m,
        written.acceleration_ratio,
        written.placement_max_m,
        print_error(motion, chain),
        *seams(dense),
    )


def print_error(motion: PlayedMovements, chain: Chain) -> float:
    """Largest distance of footprints, as plants tell them, from what each movement's parameters say."""
    assert motion.contacts is not None
    plants = {side: [p for p in ff.detect_plants(motion, motion.contacts) if p.foot == side] for side in SIDES}
    headings = trunk_headings(motion)
    frames = [*(round(t * motion.fps) for t in motion.begins), len(motion) - 1]
    worst = 0.0
    for movement, (first, last) in zip(chain.movements, pairwise(frames), strict=True):
        (a, b), (c, d) = ([_standing(plants[s], f) for s in SIDES] for f in (first, last))
        asked = movement.kind.space.named(movement.parameters)
        if movement.kind.family == "jump":
            way = _as_faced(0.5 * (c + d - a - b), movement.before.heading if motion.plan else headings[first])
            worst = max(worst, abs(way[2] - asked["length"]))
        else:
            moved = d - c if movement.kind.swings[0] is None else c - d
            way = _as_faced(moved, movement.after.heading if motion.plan else headings[last])
            worst = max(worst, abs(way[2] - asked["end_length"]))
    return float(worst)


def _standing(plants: Sequence[ff.Plant], frame: int) -> np.ndarray:
    """Where a foot stands at a frame, or next to it."""
    nearest = min(plants, key=lambda p: max(p.start - frame, frame - p.end + 1, 0))
    return nearest.position


def _as_faced(way: np.ndarray, heading: float) -> np.ndarray:
    return quat.rotate(ground.turn(-float(heading)), way)


def seams(motion: PlayedMovements) -> tuple[float, float, float, float]:
    """Largest jump of a joint at joins [m] and elsewhere, and of its velocity [m/s].

    A jump is what a joint moves in an interval over the mean of the intervals beside it, less what a change
    of velocity within it explains.
    """
    moves = np.diff(motion.positions, axis=0)
    changes = np.linalg.norm(moves[2:] - moves[:-2], axis=-1)
    jumps = (np.linalg.norm(moves[1:-1] - 0.5 * (moves[:-2] + moves[2:]), axis=-1) - 0.5 * changes).max(axis=1)
    kinks = changes.max(axis=1) * motion.fps
    joins = np.ceil(np.array(motion.begins[1:]) * motion.fps).astype(int) - 2
    near = np.zeros(len(jumps), dtype=bool)
    for shift in (-1, 0, 1):
        near[np.clip(joins + shift, 0, len(near) - 1)] = True
    return (
        float(jumps[near].max(initial=0.0)),
        float(jumps[~near].max()),
        float(kinks[near].max(initial=0.0)),
        float(kinks[~near].max()),
    )


@dataclass(frozen=True)
class HeldOut:
    """Mean joint distance to steps that a library has not seen, m, and the nearest example's in its place."""

    group: str
    steps: int
    blended: float
    nearest: float
    blended_worst: float

    @property
    def share(self) -> float:
        return self.blended / self.nearest


def held_out(group: str, pairs: Sequence[tuple[float, float]]) -> HeldOut:
    blended, nearest = np.array(pairs).T
    return HeldOut(
        group, len(pairs), float(blended.mean()), float(nearest.mean()), float(blended.max(initial=0.0))
    )


def step_pair(kind: MovementKind, real: Prepared, parameters: np.ndarray) -> tuple[float, float]:
    """Distances to a real step of the blend for its parameters, and of the nearest example alone."""
    away = np.linalg.norm(kind.space.to_metric(kind.space.points - parameters), axis=-1)
    alone = np.eye(len(kind.examples))[int(away.argmin())]
    return _distance(kind, real, parameters, kind.weights(parameters)), _distance(kind, real, parameters, alone)


def _distance(
    kind: MovementKind, real: Prepared, parameters: np.ndarray, weights: Float[np.ndarray, "n"]
) -> float:
    """Mean over joints and equal generic times, both in their base frames, feet on the asked prints."""
    asked = dict(kind.space.named(parameters))
    before = first_standing(kind, weights, asked)
    movement = Movement(kind, parameters, weights, before, next_standing(kind, weights, before, asked))
    library = MovementLibrary((kind,))
    made = perform(library.skeleton, library.legs, [movement], 120.0)
    generic = np.linspace(0.0, len(movement.keytimes) - 1.0, 61)
    own = at_times(made, time_at(generic, movement.clock))
    there = at_times(real.motion, real.lead + time_at(generic, cubics(real.keytimes)))
    return float(np.linalg.norm(own.positions - there.positions, axis=-1).mean())


def left_out(
    steps: Sequence[Prepared],
    names: Sequence[str],
    wanted: Callable[[np.ndarray], bool],
    *,
    inside: bool = False,
    twins: bool = False,
) -> list[tuple[float, float]]:
    """Each wanted step against a kind without it, and where `twins` without its nearest mirrored one."""
    whole = MovementKind.of("step", steps, names)
    points, found = whole.space.points, []
    for i, parameters in enumerate(points):
        if not wanted(parameters):
            continue
        gone = {i}
        away = np.linalg.norm(points - parameters, axis=-1)
        others = [j for j in range(len(steps)) if is_mirrored(steps[j]) != is_mirrored(steps[i])]
        if twins and others:
            twin = min(others, key=lambda j: float(away[j]))
            gone |= {twin} if away[twin] < TWIN else set()
        kind = MovementKind.of("step", [s for j, s in enumerate(steps) if j not in gone], names)
        if not inside or kind.space.contains(parameters):
            found.append(step_pair(kind, steps[i], parameters))
    return found


def is_mirrored(example: Prepared) -> bool:
    return example.name.endswith("mirrored")


def held_out_lines(*, full: bool) -> Iterator[HeldOut]:
    if full and (FOLDER / "steps").is_dir():
        steps = subject_83()
        right, left = ([s for s in steps if is_mirrored(s) == m] for m in (False, True))

        def flat(parameters: np.ndarray) -> bool:
            return bool(abs(parameters[2]) < FLAT)

        yield held_out("subject 83 flat, right steps alone", left_out(right, SPATIAL, flat))
        yield held_out("subject 83 flat, left steps alone", left_out(left, SPATIAL, flat))
        yield held_out("subject 83 flat, both sides", left_out(steps, SPATIAL, flat))
        yield held_out("subject 83 flat, both sides, no twin", left_out(steps, SPATIAL, flat, twins=True))
        yield held_out("subject 83 flat, both, in the hull", left_out(steps, SPATIAL, flat, inside=True))
        yield held_out("subject 83, both sides, all", left_out(steps, SPATIAL, lambda _: True))
    own = straight_steps()
    yield held_out("actor, left out of 15, in the hull", left_out(own, STRAIGHT, lambda _: True, inside=True))
    kind = MovementKind.of("left_step", own, STRAIGHT)
    pairs = []
    for before, after in ((a, b) for a in BETWEEN for b in BETWEEN if a + b > 0.0):
        real = prepare(step(actor().at(FPS), "left", before, after), SWINGS["left_step"], FPS)
        parameters = MovementKind.of("left_step", [*own[:8], real], STRAIGHT).space.points[-1]
        pairs.append(step_pair(kind, real, parameters))
    yield held_out("actor, lengths between", pairs)
