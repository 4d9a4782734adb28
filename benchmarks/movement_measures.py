"""Examples that a movement library is measured with, and its errors over their parameters."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float
from tests.captured import captured
from tests.captures import FOLDER

import footfall as ff
from footfall.actor.sessions.movements import FPS
from footfall.figure.example import Example
from footfall.models.movements.cut import cut_movements
from footfall.models.movements.kind import ENOUGH, MovementKind, measured_parameters
from footfall.models.movements.measures import STEP
from footfall.models.movements.prepared import Prepared, prepare
from footfall.weights.exact import exact_weights
from footfall.weights.space import METRES_A_RADIAN
from footfall.weights.spanning import spanning_set

PLACES, FEWER, SEED = 10_000, 1000, 99  # where errors are looked for; not the seed that refinement looks with
STRAIGHT, SPATIAL = ("start_length", "end_length"), ("end_length", "end_side", "end_rise")
SPACING = 0.15  # m: of two cells of subject 83 that are nearer one is dropped
GENERAL = 40  # examples of the general step
SWINGS = {"left_step": ((1, 2), None), "right_step": (None, (1, 2))}


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
    return tuple(_spread(steps, STEP, count=GENERAL))


def _spread(
    steps: Sequence[Prepared], names: Sequence[str], *, count: int | None = None, spacing: float | None = None
) -> list[Prepared]:
    """A few that span all, no near-duplicates among them."""
    scale = np.array([METRES_A_RADIAN if name == "turn" else 1.0 for name in names])
    points = measured_parameters(steps, names) * scale
    return [steps[i] for i in spanning_set(points, count=count, spacing=spacing)]


def kinds_to_refine() -> dict[str, tuple[Callable[[], MovementKind], tuple[int, ...]]]:
    """By name: how to make it, and the numbers of pseudo-examples to tell errors for."""
    kinds: dict[str, tuple[Callable[[], MovementKind], tuple[int, ...]]] = {
        "actor, straight": (lambda: MovementKind.of("left_step", straight_steps(), STRAIGHT), (0, 5, 10)),
    }
    if (FOLDER / "steps").is_dir():

        def spatial() -> MovementKind:
            return MovementKind.of("right_step", _spread(subject_83(), SPATIAL, spacing=SPACING), SPATIAL)

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
    searched: float | None = None  # worst of weights that are searched when asked, over fewer places


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
            searched=_searched(part, asked[:FEWER]) if count == kept else None,
        )


def _searched(kind: MovementKind, asked: Float[np.ndarray, "q d"]) -> float:
    return float(exact_weights(kind.scheme, kind.measured, asked, precise=ENOUGH)[1].max())
