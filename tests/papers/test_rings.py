"""[rings]: what the paper says of its rings and its controller, on small rings of the actor."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.kinematics import forward
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.aligned import FRAMES, AlignedLoop
from footfall.models.ring.loop import Loop
from footfall.models.ring.model import MotionRing
from footfall.models.ring.registration import align_loops
from footfall.models.ring.search_kernel import test_spheres as touch_spheres
from tests.models.ring.gaits import ACTOR, loop
from tests.models.ring.plain_ground import bumps, table, walker_on
from tests.models.ring.plain_ring import about_y
from tests.models.ring.rings import resting_ring, small_graph, small_ring
from tests.models.ring.test_kernels_walk import combined_ring

RINGS = [small_ring, resting_ring]


def joints_at(ring: MotionRing, frame: float, weights: np.ndarray) -> np.ndarray:
    """Joints beside the support foot."""
    pose = ring.pose(frame, weights)
    return forward(ring.skeleton.tree, ring.skeleton.offsets, pose.root, pose.rotations)[0]


@pytest.mark.parametrize("ring_of", RINGS)
def test_a_ring_comes_round_exactly(ring_of: Callable[[], MotionRing]) -> None:
    """[rings] 3, y(t + T, w) = y(t, w): not one bit is another, whatever the weights."""
    ring, rng = ring_of(), np.random.default_rng(1)
    for frame in (0.0, 3.25, ring.tables.half, 0.75 + ring.tables.half, ring.tables.frames - 0.5):
        weights = rng.normal(0.0, 0.5, len(ring))
        first = ring.pose(frame, weights)
        for turns in (1, 2, 7):
            again = ring.pose(frame + turns * ring.tables.frames, weights)
            assert_array_equal(again.root, first.root)
            assert_array_equal(again.rotations, first.rotations)


def rate_changes(ring: MotionRing, weights: np.ndarray) -> np.ndarray:
    """By how much joints change their rates at each frame, rad a frame: the first is the seam's."""
    turns = np.stack([ring.tables.joints(weights, k) for k in range(-1, ring.tables.frames + 1)])
    rates = quat.log(quat.multiply(quat.conjugate(turns[:-1]), turns[1:]))
    return np.linalg.norm(np.diff(rates, axis=0), axis=-1).max(axis=1)


@pytest.mark.parametrize("k", range(6))
def test_velocity_is_continuous_across_the_seam(k: int) -> None:
    """From the last frame to the first joints change their rates by no more than they do elsewhere."""
    ring = small_ring()
    changes = rate_changes(ring, np.stack([*np.eye(len(ring)), ring.usual_weights])[k])
    assert changes[0] < changes[1:].max()
    assert changes[0] < 3.0 * np.median(changes[1:])


@pytest.mark.parametrize("k", range(3))
def test_weights_of_a_loop_give_that_loop_back(k: int) -> None:
    """To the millimetre: what was aligned is what the ring's own weights play."""
    loops = small_loops()
    ring = ring_of_loops()
    name, one = loops[k].name, aligned_loops()[k]
    index = ring.names.index(name)
    weights = np.eye(len(ring))[index]
    skeleton = ring.skeleton
    for frame in range(0, FRAMES, 5):
        rotations = one.rotations[frame].copy()
        made = ring.tables.joints(weights, frame)
        own = forward(skeleton.tree, skeleton.offsets, np.zeros(3), rotations)[0]
        played = forward(skeleton.tree, skeleton.offsets, np.zeros(3), made)[0]
        assert np.linalg.norm(played - own, axis=-1).max() < 0.02  # m at the fingers
        assert np.linalg.norm(played - own, axis=-1).mean() < 4e-3
    assert_allclose(ring.tables.seconds[index], one.seconds, atol=1e-9)


@cache
def aligned_loops() -> list[AlignedLoop]:
    return align_loops(small_loops())


def small_loops() -> list[Loop]:
    return [loop(index) for index in ACTOR[:3]]


@cache
def ring_of_loops() -> MotionRing:
    from footfall.analysis.reference import Reference
    from footfall.models.ring.build import ring_of

    loops = small_loops()
    return ring_of(loops, "walk", Reference.of([one.motion for one in loops]))


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("ring_of", RINGS)
def test_strike_points_are_exact_at_the_samples(ring_of: Callable[[], MotionRing], half: int) -> None:
    """[rings] eq. 4: kriging goes through its points."""
    ring = ring_of()
    points = ring.tables.own_strikes(half)
    weights = ring.spheres[half].kriging(points)
    assert_allclose(weights, np.eye(len(ring)), atol=1e-9)
    assert_allclose(ring.tables.strikes(half, weights).point, points, atol=1e-9)


@pytest.mark.parametrize("half", [0, 1])
def test_spheres_are_sought_in_the_box(half: int) -> None:
    """[rings] 4.1: a lattice in the box of the strike points, 5 x 5 x 5; 5 x 5 in the combined method."""
    points, spheres = small_ring().tables.own_strikes(half), small_ring().spheres[half]
    low, high = points.min(axis=0) - 1e-9, points.max(axis=0) + 1e-9
    assert ((spheres.lattice >= low) & (spheres.lattice <= high)).all()
    assert len(spheres) == 125
    assert len(combined_ring().spheres[half]) == 25
    assert np.ptp(combined_ring().spheres[half].lattice[:, 0]) == 0.0  # on the sagittal plane


def test_of_the_variation_at_least_99_percent_is_kept() -> None:
    """[rings] 3.4: the share that the stored modes explain, from the poses themselves."""
    loops = aligned_loops()
    turns = np.concatenate([one.rotations for one in loops])
    ring = ring_of_loops()
    mean = ring.geodesics.mean
    order = [ring.names.index(one.name) for one in loops]
    truth = quat.log(_near(quat.multiply(quat.conjugate(mean), turns)))
    made = ring.tables.tangents[order].reshape(truth.shape)
    left = ((truth - made) ** 2).sum() / (truth**2).sum()
    assert left < 0.01


def _near(turns: np.ndarray) -> np.ndarray:
    return np.where(turns[..., :1] < 0.0, -turns, turns)


@pytest.mark.parametrize("ring_of", [small_ring, combined_ring, resting_ring])
def test_a_ring_file_is_under_200_kilobytes(ring_of: Callable[[], MotionRing], tmp_path: Path) -> None:
    path = tmp_path / "ring.ffmodel"
    ring_of().save(path)
    assert path.stat().st_size < 200_000


@pytest.mark.parametrize("half", [0, 1])
def test_collisions_in_two_steps_are_those_of_brute_force(half: int) -> None:
    """[rings] 4.4: the box tree, first with the sphere round all, finds what every triangle would."""
    ring, terrain, rng = small_ring(), bumps(), np.random.default_rng(half)
    corners = terrain.vertices[terrain.triangles]
    spheres = ring.spheres[half]
    for _ in range(4):
        x, z = rng.uniform(3.0, 17.0, 2)
        origin, heading = (
            np.array([x, float(terrain.height(np.array(x), np.array(z))), z]),
            rng.uniform(-3.0, 3.0),
        )
        flags = np.full(len(spheres), np.nan)
        tables = ring.packed.sizes, ring.packed.numbers
        touch_spheres(*terrain.tree.arrays, *tables, half, origin, heading, 0, len(spheres), flags)
        centres = origin + about_y(heading).apply(spheres.centres)
        near = corners[np.linalg.norm(corners.mean(axis=1)[:, [0, 2]] - origin[[0, 2]], axis=1) < 2.5]
        brute = [_nearest(near, centre) < spheres.radius for centre in centres]
        assert_array_equal(flags > 0.5, brute)


def _nearest(corners: np.ndarray, place: np.ndarray) -> float:
    """The distance to the nearest of some triangles: of a face where it is over it, else of its edges."""
    a, b, c = (corners[:, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    over = np.einsum("ij,ij->i", place - a, normal)
    foot = place - over[:, None] * normal
    inside = np.ones(len(corners), dtype=bool)
    edges = np.full(len(corners), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(q - p, foot - p), normal) >= 0.0
        along = q - p
        share = np.clip(np.einsum("ij,ij->i", place - p, along) / (along**2).sum(axis=1), 0.0, 1.0)
        edges = np.minimum(edges, np.linalg.norm(place - p - share[:, None] * along, axis=1))
    return float(np.where(inside, np.abs(over), edges).min())


@pytest.mark.parametrize("heading", [-2.0, -0.6, 0.3, 1.5])
def test_the_combined_method_obeys_the_stick_exactly_on_level_ground(heading: float) -> None:
    """[rings] 4.4: user control is exactly satisfied using direct transformation."""
    walker = walker_on(combined_ring(), table(60.0, 60.0))
    walker.wish(heading=heading)
    for _ in range(10 * 60):
        walker.advance(1 / 60)
    while walker.state[layout.STRIKES] % 2:
        walker.advance(1 / 60)
    turned = walker.state[layout.HEADING] + walker.state[layout.EXTRA_TO]
    assert abs((turned - heading + np.pi) % (2 * np.pi) - np.pi) < 1e-9


def test_strikes_are_within_three_centimetres_of_the_ground() -> None:
    """[rings] 4.3, on bumps."""
    walker, rng = walker_on(small_ring(), bumps(), 10.0, 10.0), np.random.default_rng(3)
    errors, strikes = [], walker.state[layout.STRIKES]
    for k in range(40 * 60):
        if k % 50 == 0:
            to_middle = np.arctan2(*(10.0 - walker.pose[[0, 2]]))
            walker.wish(heading=to_middle + rng.normal(0.0, 0.5))
        walker.advance(1 / 60)
        if walker.state[layout.STRIKES] != strikes:
            strikes = walker.state[layout.STRIKES]
            errors.append(walker.state[layout.ERROR])
    assert len(errors) > 15
    assert max(errors) < 0.03


def test_a_rest_is_left_and_come_to_from_any_gait() -> None:
    """[rings] 5.3: rings are connected, to and fro."""
    graph = small_graph()
    for name in graph:
        if not graph[name].resting:
            assert graph.transition(name, "rest").cost[0] < 1.0
            assert graph.transition("rest", name).cost[0] < 1.0
