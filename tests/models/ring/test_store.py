"""Rings and ring graphs as files: what comes back walks alike, and is written again to the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from safetensors import numpy as tensors

from footfall.blend.principal_geodesics import Geodesics
from footfall.errors import LoadError, SaveError
from footfall.figure.kinematics import forward
from footfall.figure.skeleton import Skeleton
from footfall.models.load import load_model, read_model
from footfall.models.ring import stored_ring
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.playing import played
from footfall.models.ring.store import graph_bytes, ring_bytes, ring_sizes
from footfall.models.stepspace.model import StepSpace
from tests.models.as_stored import assert_as_stored
from tests.models.ring.rings import resting_ring, slow_ring, small_graph, small_ring
from tests.models.ring.stored import good_graph, good_ring

AS_SAVED = 1e-5  # m: how far a joint may be from where it was before saving
STRIKE = 1e-5  # m: the same of a strike point; 1e-4 is promised
SMALL = 200_000  # bytes of a ring's file
CURVES = {"scores": "SCORE", "seconds": "TIME", "headings": "HEADING", "anchors": "PLACE"}
ARRAYS = (*CURVES, "contacts")
Same = Callable[[object, object], None]  # what tells whether numbers are the same
RINGS = {"small": small_ring, "rest": resting_ring, "slow": slow_ring}


@pytest.fixture(params=RINGS)
def before(request: pytest.FixtureRequest) -> MotionRing:
    return RINGS[request.param]()


@cache
def loaded_graph() -> RingGraph:
    return read_model(good_graph(), RingGraph)


def again(ring: MotionRing) -> MotionRing:
    return read_model(ring_bytes(ring), MotionRing)


def poses(ring: MotionRing, weights: np.ndarray) -> np.ndarray:
    """Where joints are at all ring frames and between them, beside the support foot."""
    frames = np.arange(0.0, ring.tables.frames, 0.5)
    root, rotations, _ = played(ring.tables, weights, frames, still=True)
    return forward(ring.skeleton.tree, ring.skeleton.offsets, root, rotations)[0]


def assert_same_skeleton(a: Skeleton, b: Skeleton, same: Same = assert_array_equal) -> None:
    assert a.names == b.names
    assert dict(a.roles) == dict(b.roles)
    for name in ("parents", "offsets", "rest", "end_parents", "end_offsets"):
        same(getattr(b, name), getattr(a, name))
    for side in ("left", "right"):
        for name, point in vars(a.foot_points(side)).items():
            same(getattr(b.foot_points(side), name), point)


def assert_same_ring(a: MotionRing, b: MotionRing, same: Same = assert_array_equal) -> None:
    for name in ("gait", "names", "combined", "resting", "radius", "steepest"):
        assert getattr(a, name) == getattr(b, name)
    for name in ARRAYS:
        assert_array_equal(getattr(a, name), getattr(b, name))
    for field in fields(Geodesics):
        same(getattr(b.geodesics, field.name), getattr(a.geodesics, field.name))
    same(list(b.reference.peaks.values()), list(a.reference.peaks.values()))
    assert list(b.reference.peaks) == list(a.reference.peaks)
    same(b.reference.leg_extension, a.reference.leg_extension)
    assert_same_skeleton(a.skeleton, b.skeleton, same)


def test_every_field_is_in_a_file() -> None:
    told = {f.name for f in fields(MotionRing)}
    known = {
        "gait",
        "geodesics",
        "skeleton",
        "names",
        "reference",
        "combined",
        "resting",
        "radius",
        "steepest",
    }
    assert told == known | set(ARRAYS)
    assert {f.name for f in fields(Geodesics)} == {"mean", "axes", "importance"}
    assert {f.name for f in fields(RingGraph)} == {"rings", "labels"}


def test_curves_come_back_to_half_a_quantum(before: MotionRing) -> None:
    after = again(before)
    for name, quantum in CURVES.items():
        a, b = getattr(before, name), getattr(after, name)
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= 0.5 * getattr(stored_ring, quantum) * (1.0 + 1e-9)
    assert np.abs(before.geodesics.axes - after.geodesics.axes).max() <= 2.0**-24
    assert_array_equal(before.geodesics.moving, after.geodesics.moving)


def test_the_rest_comes_back_to_the_stored_precision(before: MotionRing) -> None:
    after = again(before)
    rounded = {name: getattr(after, name) for name in CURVES}
    geodesics = replace(before.geodesics, axes=after.geodesics.axes)
    assert_same_ring(replace(before, geodesics=geodesics, **rounded), after, assert_as_stored)
    assert after.contacts.dtype == bool


def test_kinds_and_measures_come_back() -> None:
    for told in (
        {"combined": True, "radius": 0.11, "steepest": 0.3},
        {"gait": "größer\n.rest"},
        {"radius": 1},
    ):
        ring = replace(small_ring(), **told)
        after = again(ring)
        assert {name: getattr(after, name) for name in told} == told
        assert ring_bytes(after) == ring_bytes(ring)


def test_foot_points_that_were_measured_come_back() -> None:
    points = small_ring().skeleton.foot_points("left")
    skeleton = small_ring().skeleton.with_feet(left=replace(points, heel=points.heel + 0.01))
    after = again(replace(small_ring(), skeleton=skeleton)).skeleton
    assert_same_skeleton(skeleton, after, assert_as_stored)


def test_joints_are_where_they_were(before: MotionRing) -> None:
    after = again(before)
    mixed = np.random.default_rng(0).dirichlet(np.ones(len(before)), 4)
    for weights in (*np.eye(len(before)), *mixed):
        away = np.linalg.norm(poses(before, weights) - poses(after, weights), axis=-1)
        assert away.max() < AS_SAVED


def test_strikes_are_where_they_were(before: MotionRing) -> None:
    after = again(before)
    for half in (0, 1):
        away = before.tables.own_strikes(half) - after.tables.own_strikes(half)
        assert np.linalg.norm(away, axis=-1).max() < STRIKE
    assert np.abs(before.space.points - after.space.points).max() < STRIKE


def test_loops_take_as_long_as_they_did(before: MotionRing) -> None:
    cycles = before.seconds.sum(axis=1) - again(before).seconds.sum(axis=1)
    assert np.abs(cycles).max() < 1e-6


def test_a_stand_keeps_its_rate() -> None:
    kept = resting_ring().seconds
    assert kept[0, 0] * 120 == pytest.approx(round(kept[0, 0] * 120), abs=1e-9)
    assert_array_equal(again(resting_ring()).seconds, np.full((9, 120), round(kept[0, 0] * 120) / 120))


def test_a_ring_that_was_loaded_closes_exactly() -> None:
    ring = again(small_ring())
    weights = np.full(len(ring), 1.0 / len(ring))
    for frame in (0.0, 7.25, 31.5):
        first, second = ring.pose(frame, weights), ring.pose(frame + ring.tables.frames, weights)
        assert_array_equal(first.rotations, second.rotations)
        assert_array_equal(first.root, second.root)


def test_loaded_twice_it_is_the_same(before: MotionRing) -> None:
    assert_same_ring(again(before), again(before))


def test_what_is_loaded_cannot_be_written_to() -> None:
    ring = again(small_ring())
    for array in (*(getattr(ring, name) for name in ARRAYS), ring.geodesics.mean, ring.geodesics.axes):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_saved_again_it_is_the_same_file(before: MotionRing, tmp_path: Path) -> None:
    first, second = tmp_path / "first.ffmodel", tmp_path / "second.FFMODEL"
    before.save(first)
    load_model(first, MotionRing).save(second)
    assert first.read_bytes() == second.read_bytes() == ring_bytes(before)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "walk.ffmodel"
    small_ring().save(path)
    assert isinstance(load_model(path), MotionRing)
    with pytest.raises(
        LoadError, match=r"walk.ffmodel: this is a motion ring \(MotionRing\), not a ring graph"
    ):
        load_model(path, RingGraph)
    with pytest.raises(LoadError, match=r"this is a ring graph \(RingGraph\), not a step space"):
        read_model(good_graph(), StepSpace)


# Sizes


def large_ring(loops: int, modes: int, joints: int) -> MotionRing:
    """Curves of as many harmonics as a captured gait's, and anchors and headings that never stand still."""
    rng, ring, phase = np.random.default_rng(0), small_ring(), np.arange(60) / 60.0
    waves = np.array([f(2.0 * np.pi * k * phase) / k**2 for k in range(1, 11) for f in (np.sin, np.cos)])
    scores = np.einsum("lmw,wf->lfm", rng.normal(size=(loops, modes, 20)), waves) / np.arange(1, modes + 1)
    axes = np.zeros((modes, len(ring.skeleton), 3))
    axes[:, :joints] = rng.normal(size=(modes, joints, 3))

    def like(array: np.ndarray) -> np.ndarray:
        made = np.resize(array, (loops, *array.shape[1:]))
        return made if made.dtype == bool else made + rng.uniform(0.0, 1e-4, made.shape)

    told = {name: like(getattr(ring, name)) for name in ("seconds", "headings", "anchors", "contacts")}
    names = tuple(f"a captured clip with a long name #{k} mirrored" for k in range(loops))
    geodesics = Geodesics(ring.geodesics.mean, axes, ring.geodesics.importance)
    return replace(ring, geodesics=geodesics, scores=scores, names=names, **told)


def test_files_are_small(before: MotionRing) -> None:
    assert len(ring_bytes(before)) < 16_000 + 7_000 * len(before)
    assert len(ring_bytes(large_ring(16, 60, 31))) < SMALL


@pytest.mark.slow
def test_files_of_the_actors_gaits_are_small() -> None:
    from footfall.actor.virtual_actor import VirtualActor
    from footfall.models.ring.build import build_ring

    examples = VirtualActor().perform("rings")
    rings = {"walk": build_ring(examples[:43]), "run": build_ring(examples[43:], gait="run")}
    assert max(ring_sizes(RingGraph(rings | {"rest": resting_ring()})).values()) < SMALL


# Graphs


def test_a_graph_comes_back_in_its_order() -> None:
    before, after = small_graph(), loaded_graph()
    assert list(before) == list(after) == ["walk", "rest", "trudge"]
    assert list(before.labels.items()) == list(after.labels.items())
    assert (after.rest, after.first) == ("rest", "walk")


def test_rings_of_a_graph_are_as_in_files_of_their_own() -> None:
    for name, ring in loaded_graph().rings.items():
        assert_same_ring(ring, again(small_graph()[name]))


def test_a_graph_saved_again_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first.ffmodel", tmp_path / "second.ffmodel"
    small_graph().save(first)
    load_model(first, RingGraph).save(second)
    assert first.read_bytes() == second.read_bytes() == good_graph()


def test_one_figure_is_kept_once() -> None:
    names = [name for name in tensors.load(good_graph()) if name.endswith("offsets")]
    assert sorted(names) == ["figure 0.end_offsets", "figure 0.offsets"]
    skeletons = {id(ring.skeleton) for ring in loaded_graph().rings.values()}
    assert len(skeletons) == 1
    assert len(good_graph()) < sum(ring_sizes(small_graph()).values())


def test_figures_that_differ_in_their_soles_stay_apart() -> None:
    points = small_ring().skeleton.foot_points("left")
    other = small_ring().skeleton.with_feet(left=replace(points, heel=points.heel + 0.004))
    rings = dict(small_graph().rings) | {"trudge": replace(slow_ring(), skeleton=other)}
    after = read_model(graph_bytes(RingGraph(rings)), RingGraph)
    for name, ring in rings.items():
        assert_same_skeleton(ring.skeleton, after[name].skeleton, assert_as_stored)
    assert after["walk"].skeleton is after["rest"].skeleton is not after["trudge"].skeleton


@pytest.mark.parametrize(
    "name", ["", "ring 0.", "figure 0.offsets", "a.b/c\\d", "Gehen 歩く\n\0", "__metadata__"]
)
def test_gaits_and_grounds_have_any_names(name: str) -> None:
    graph = RingGraph(
        {name: slow_ring(), f"{name}.": resting_ring()}, {name: name, f"{name}ground": f"{name}."}
    )
    after = read_model(graph_bytes(graph), RingGraph)
    assert list(after) == list(graph)
    assert dict(after.labels) == dict(graph.labels)
    assert after[name].gait == "trudge"
    assert graph_bytes(after) == graph_bytes(graph)


def test_sizes_are_those_of_files(tmp_path: Path) -> None:
    sizes = ring_sizes(small_graph())
    assert list(sizes) == list(small_graph())
    for number, (name, size) in enumerate(sizes.items()):
        small_graph()[name].save(tmp_path / f"{number}.ffmodel")
        assert (tmp_path / f"{number}.ffmodel").stat().st_size == size


# Saving


@pytest.mark.parametrize("name", ["ring", "ring.ffm", "ring.ffmodel.zip", "ffmodel"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    for model in (small_ring(), small_graph()):
        with pytest.raises(SaveError, match=r"\.ffmodel"):
            model.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="nowhere"):
        small_ring().save(tmp_path / "nowhere" / "ring.ffmodel")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"seconds": np.zeros((5, 60))}, "seconds"),
        ({"seconds": np.full((5, 60), np.nan)}, "seconds"),
        ({"anchors": np.full((5, 2, 31, 3), np.inf)}, "anchors"),
        (
            {
                "scores": None,  # zeros, of as many modes as there are
                "headings": np.zeros((5, 2, 31)),
                "anchors": np.zeros((5, 2, 31, 3)),
            },
            "coincide",
        ),
        ({"radius": np.nan}, "radius"),
        ({"radius": -1.0}, "radius"),
        ({"names": ("a", "b")}, "'scores"),
        ({"gait": 3}, "gait"),
        ({"gait": "\ud800"}, "no text"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(
    broken: dict[str, object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "ring.ffmodel"
    small_ring().save(path)
    if "scores" in broken:
        broken = broken | {"scores": np.zeros_like(small_ring().scores)}
    ring = replace(small_ring(), **broken)  # type: ignore[arg-type]
    for model in (ring, RingGraph({"walk": small_ring(), "other": ring})):
        with pytest.raises(SaveError, match=said):
            model.save(path)
    assert path.read_bytes() == good_ring()
    assert list(tmp_path.iterdir()) == [path]
