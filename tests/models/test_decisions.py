"""What models and weights decide stays the same when every input is changed by 1e-9, also where it ties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.actor.virtual_actor import VirtualActor
from footfall.align import time_warp
from footfall.blend.principal_geodesics import Geodesics
from footfall.blend.quaternion_sum import heaviest, on_one_hemisphere
from footfall.control.ground_lattice import HEIGHTS
from footfall.control.playing import Playing
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.models.locomotion.cycle import best_cycle
from footfall.models.locomotion.playing import _frames
from footfall.models.movements import structure
from footfall.models.movements.foot_paths import FootPaths
from footfall.models.movements.perform import frames_of
from footfall.models.movements.request import completed
from footfall.models.ring import cycle_search, registration, seam, transitions
from footfall.models.ring.foothold_kernel import SHIFTS
from footfall.models.ring.on_the_spot import turn_left
from footfall.models.ring.playing import _contacts
from footfall.models.ring.pose_curve import scaled
from footfall.models.ring.reduction import chosen_loops
from footfall.weights.barycentric import Barycentric
from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.error_search import _spread_out
from footfall.weights.hull import Hull
from footfall.weights.nearest import Nearest
from footfall.weights.pseudo_examples import refine
from footfall.weights.space import Space
from footfall.weights.spanning import spanning_set

pytestmark = pytest.mark.cpu

JITTER = 1e-9
SEEDS = 12
GRID = np.array(list(product((-0.5, 0.0, 0.5), (0.0, 0.4, 0.8), (-0.1, 0.0, 0.1))))
MIRRORED = GRID * [-1.0, 1.0, 1.0]

Jitter = Callable[[Any], np.ndarray]
Decision = Callable[[Jitter], object]


def jitter_of(seed: int) -> Jitter:
    rng = np.random.default_rng(seed)
    return lambda values: np.asarray(values, dtype=float) + JITTER * rng.uniform(-1.0, 1.0, np.shape(values))


def kept_loops(own: Jitter, count: int) -> object:
    """Loops and their mirror images: half of the distances between them come twice."""
    steps = np.random.default_rng(2).normal((0.1, 0.0, 0.6), 0.3, (count, 2, 3))
    return chosen_loops(own(np.concatenate([steps, (steps * [-1.0, 1.0, 1.0])[:, ::-1]])))


def cycle(own: Jitter) -> object:
    """Of a steady circle every frame is as good as every other one."""
    angles = 2 * np.pi * np.arange(150) / 60.0
    found = cycle_search.find_cycle(own(0.1 * np.column_stack([np.cos(angles), np.sin(angles)])), 60.0)
    return found.start, found.frames


def likeness(own: Jitter) -> object:
    """A cycle of 60 and a half frames."""
    angles = 2 * np.pi * np.arange(180) / 60.5
    return cycle_search._self_likeness(own(0.1 * np.column_stack([np.cos(angles), np.sin(angles)])), 60.0)


def closure(own: Jitter) -> object:
    found = seam.best_seam(own(np.ones((50, 4))))
    return found.before, found.after


def usual_loop(own: Jitter) -> object:
    ways = own([[0.3, 0.0, 1.2], [-0.3, 0.0, 1.2], [0.1, 0.0, 1.0], [-0.1, 0.0, 1.0]])
    turns = own([0.5, -0.5, 0.2, -0.2])
    return registration._usual([SimpleNamespace(advance=w, turn=t) for w, t in zip(ways, turns, strict=True)])  # type: ignore[misc]


def transition(own: Jitter) -> object:
    """From a stand that hardly moves into another one."""
    still = np.ones((len(transitions.SHARES), 12))
    ring = SimpleNamespace(resting=True)
    return transitions._best(ring, ring, own(still), own(still))[:2]  # type: ignore[arg-type]


def warp_path(own: Jitter) -> object:
    """While both stand still every path is as near."""
    places, others = own(np.ones((30, 3))), own(np.ones((121, 3)))
    return time_warp._cheapest(np.square(places[:, None] - others).sum(axis=-1)).tolist()


def touching(own: Jitter) -> object:
    """At twice the ring's rate every other frame lies half way between two of the ring's."""
    tables = SimpleNamespace(contacts=np.random.default_rng(0).random((1, 20, 4)) > 0.5, frames=20)
    frames = own(np.arange(0.0, 19.0, 0.5))
    whole = np.floor(frames + 1e-6).astype(int)
    return _contacts(tables, np.ones(1), whole, frames - whole).tolist()  # type: ignore[arg-type]


def simplices(own: Jitter) -> object:
    return Barycentric(own(GRID)).simplices.tolist()


def surface(own: Jitter) -> object:
    hull = Hull(own(GRID))
    assert hull.corners is not None
    assert hull.surface is not None
    return hull.corners.tolist(), hull.surface.tolist()


def spanning(own: Jitter, **how: float) -> object:
    points = own(np.concatenate([GRID, MIRRORED]))
    return spanning_set(points, **how).tolist()  # type: ignore[arg-type]


def worst(own: Jitter) -> object:
    return _spread_out(GRID, own(np.abs(GRID[:, 0])), 0.3).tolist()


def pseudo_examples(own: Jitter) -> object:
    """What blends make is symmetrical about the middle, and so is where they miss most."""
    points = GRID[GRID[:, 2] == 0.0][:, :2]

    def measure(weights: np.ndarray) -> np.ndarray:
        blended = weights @ points
        return blended + 0.1 * np.sin(6.0 * blended[:, ::-1])

    found = refine(own(points), measure, most=3, samples=300)
    return np.round(found.points, 3).tolist(), len(found.skipped)


def modes(own: Jitter) -> object:
    """Two joints that turn as each other's mirror image: components of an axis are as large."""
    swing = np.sin(np.linspace(0.0, 6.0, 40))[:, None] * np.array([0.4, 0.0, 0.0, -0.4, 0.0, 0.0])
    turned = quat.multiply([0.0, 1.0, 0.0, 0.0], quat.exp(own(swing).reshape(40, 2, 3)))
    found, scores = Geodesics.of(turned, 0.999)
    return np.sign(np.round(scores[3], 3)).tolist(), np.round(found.mean, 6).tolist()


def curve_signs(own: Jitter) -> object:
    points = np.random.default_rng(3).normal(size=(30, 2)) * [1.0, 0.3]
    points = np.concatenate([points, -points])
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    return np.sign(np.round(scaled(np.abs(own(apart)), 2), 4)).tolist()


def reference(own: Jitter) -> object:
    turns = quat.exp(np.random.default_rng(1).normal(size=(4, 3, 3)))
    return heaviest(own([0.25, 0.25, 0.25, 0.25]), turns).tolist()


def hemisphere(own: Jitter) -> object:
    """Half a turn apart either sign is as near."""
    opposite = on_one_hemisphere(own([[[0.0, 0.0, 1.0, 0.0]]]), np.array([1.0, 0.0, 0.0, 0.0]))
    return np.round(opposite, 6).tolist()


def frame_counts(own: Jitter) -> object:
    """Movements begin and end on frames."""
    counts = [len(frames_of(float(own(k / 60.0)), float(own(0.6)), 60.0, last=k > 4)) for k in range(8)]
    return counts, _frames(float(own(24.5 / 60.0)), 60.0)


def air(own: Jitter) -> object:
    foot = SimpleNamespace(swing=(1, 2))
    share = FootPaths.in_air(foot, own([0.5, 1.0, 1.5, 2.0, 2.5]))  # type: ignore[arg-type]
    return (share <= 0.0).tolist(), (share >= 1.0).tolist()


def keytime(own: Jitter) -> object:
    return structure._keytime(own([0.0, 0.4, 0.6, 1.0]), float(own(0.5)))


def guessed(own: Jitter) -> object:
    """Nothing is said but what many examples have alike."""
    space = Space(("start_length", "end_length", "height"), ("m", "m", "m"), own(np.abs(GRID)))
    return np.round(completed(space, {"end_length": float(own(0.2))}), 6).tolist()


def opposite_way(own: Jitter) -> object:
    """Straight back: to the left."""
    state = np.zeros(100)
    from footfall.models.ring import layout

    state[layout.WISH_HEADING], state[layout.HEADING] = own(np.pi), own(0.0)
    there = turn_left(state) > 0.0
    state[layout.WISH_HEADING] = own(-np.pi)
    return there, turn_left(state) > 0.0


def known_contacts(own: Jitter) -> object:
    figure = humanoid()
    frames = np.random.default_rng(5).random((30, 2)) > 0.5
    motion = Motion(
        figure, np.zeros((30, 3)), quat.identity(30, len(figure)), 30.0, contacts=Contacts(frames, frames)
    )
    playing = Playing(motion)
    found = []
    for k in range(50):
        playing.time = float(own(k / 60.0))
        found.append(playing.contacts.tolist())
    return found


def ground_piece(own: Jitter) -> object:
    return HEIGHTS.pieces_at(own([[2.4, -2.4], [0.0, 7.2], [-7.2, 12.0]])).tolist()


@cache
def walk() -> Motion:
    """A straight walk comes back as well from left to left as from right to right strike."""
    return VirtualActor().walk(1.2).motion


def locomotion_cycle(own: Jitter) -> object:
    motion = walk()
    turned = quat.normalize(own(motion.rotations))
    found = best_cycle(replace(motion, rotations=turned, root=own(motion.root)))
    return found.first, found.last


DECISIONS: dict[str, Decision] = {
    "ring: loops kept of few": lambda own: kept_loops(own, 6),
    "ring: loops kept of many": lambda own: kept_loops(own, 30),
    "ring: cycle of a clip": cycle,
    "ring: length of a cycle": likeness,
    "ring: closure": closure,
    "ring: usual loop": usual_loop,
    "ring: transition": transition,
    "ring: contacts between frames": touching,
    "ring: side to turn to": opposite_way,
    "ring: signs of a pose curve": curve_signs,
    "align: warp while nothing moves": warp_path,
    "weights: simplices": simplices,
    "weights: corners and surface of a hull": surface,
    "weights: spanning set by count": lambda own: spanning(own, count=9),
    "weights: spanning set by spacing": lambda own: spanning(own, spacing=0.4),
    "weights: worst places": worst,
    "weights: pseudo-examples": pseudo_examples,
    "blend: signs of modes": modes,
    "blend: reference of a sum": reference,
    "blend: hemisphere": hemisphere,
    "movements: frames": frame_counts,
    "movements: foot in the air": air,
    "movements: keytime": keytime,
    "movements: parameters that nobody told": guessed,
    "locomotion: cycle of a clip": locomotion_cycle,
    "control: contacts between frames": known_contacts,
    "control: piece of ground": ground_piece,
}


@pytest.mark.parametrize("name", DECISIONS)
def test_rounding_decides_nothing(name: str) -> None:
    decide = DECISIONS[name]
    expected = decide(np.asarray)
    for seed in range(SEEDS):
        assert decide(jitter_of(seed)) == expected


def test_places_of_a_sample_move_as_its_points_do() -> None:
    plain = Hull(GRID).sample(2000, np.random.default_rng(0))
    for seed in range(SEEDS):
        own = Hull(jitter_of(seed)(GRID)).sample(2000, np.random.default_rng(0))
        assert_allclose(own, plain, rtol=0, atol=1e-6)


def test_weights_of_points_that_do_not_span_move_as_the_points_do() -> None:
    """All have one height, but for rounding."""
    flat = GRID[GRID[:, 2] == 0.0]
    asked = np.array([[0.1, 0.3, 0.0], [0.4, 0.9, 0.0]])
    plain = CardinalRBF(flat)(asked)
    for seed in range(SEEDS):
        assert_allclose(CardinalRBF(jitter_of(seed)(flat))(asked), plain, rtol=0, atol=1e-6)


def test_a_place_as_far_from_all_neighbours_is_a_mean_of_them() -> None:
    points = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.6, 0.8]])
    for seed in range(SEEDS):
        scheme = Nearest(jitter_of(seed)(points), np.eye(5))
        own = np.empty(5)
        kernel, tables = scheme.compiled
        kernel(*tables, np.zeros(2), own)
        for weights in (scheme(np.zeros(2)), own):
            assert_allclose(np.sort(weights), [0.0, 0.25, 0.25, 0.25, 0.25], atol=1e-12)


def test_simplices_between_points_of_a_grid_fill_it_once() -> None:
    scheme = Barycentric(GRID)
    corners = GRID[scheme.simplices]
    volumes = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / 6.0
    assert volumes.min() > 1e-4
    assert volumes.sum() == pytest.approx(1.0 * 0.8 * 0.2)
    asked = np.random.default_rng(6).uniform(GRID.min(axis=0), GRID.max(axis=0), (200, 3))
    assert_allclose(scheme(asked) @ GRID, asked, rtol=0, atol=1e-12)
    assert_allclose(scheme(GRID), np.eye(len(GRID)), rtol=0, atol=1e-12)


def test_a_hull_has_the_corners_of_its_box_alone() -> None:
    within = np.random.default_rng(7).uniform(GRID.min(axis=0), GRID.max(axis=0), (20, 3))
    hull = Hull(np.concatenate([GRID, within, GRID]))
    assert hull.corners is not None
    corners = sorted(product((-0.5, 0.5), (0.0, 0.8), (-0.1, 0.1)))
    assert sorted(map(tuple, hull.points[hull.corners].tolist())) == corners


def test_footholds_are_tried_from_the_nearest_on() -> None:
    away = np.hypot(*SHIFTS.T)
    assert (np.diff(away) > -1e-12).all()
    assert len(set(map(tuple, SHIFTS.tolist()))) == 11 * 7
