"""Steps that a library has not seen, beside the nearest example moved by the same constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from movement_measures import SPATIAL, STRAIGHT, SWINGS, actor, straight_steps, subject_83
from tests.captures import FOLDER

from footfall.actor.sessions.movements import FPS, step
from footfall.align.smooth_time import cubics, time_at
from footfall.figure.resample import at_times
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.movement import Movement, first_standing, next_standing
from footfall.models.movements.perform import perform
from footfall.models.movements.prepared import Prepared, prepare

FLAT = 0.03  # m
TWIN = 0.1  # m
BETWEEN = (0.0, 0.2, 0.48, 0.68)  # m: step lengths between those of the session


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
    return _distance(kind, real, parameters, kind.weights(parameters)), _distance(
        kind, real, parameters, alone
    )


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
