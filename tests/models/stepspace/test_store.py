"""Step spaces as files: what comes back follows plans alike, on the same footprints, and is written again to
the same bytes; damaged files are refused in a sentence, in little time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from jaxtyping import Float, Int
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import numpy as tensors
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from footfall.analysis.reference import Reference
from footfall.errors import LoadError, SaveError
from footfall.figure.sole import Sole
from footfall.formats.stored import StoredArrays
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION
from footfall.models.load import load_model, read_model
from footfall.models.movements.model import MovementLibrary
from footfall.models.stepspace.candidates import BlendCandidates
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.model import FollowedPlan, StepSpace
from footfall.models.stepspace.selection import StepQuery
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.step_table import ARRAYS, StepTable
from footfall.models.stepspace.store import space_bytes, table_names
from footfall.models.stepspace.stored_fields import array_fields, read, written
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.as_stored import assert_as_stored
from tests.models.stepspace.spaces import running_space, small_space
from tests.models.stepspace.stored import good, tampered

AS_SAVED = 1e-6  # m: how far a joint may be from where it was before saving; 1e-5 is promised
EXACT = 1e-9  # m
STEP = 12_000  # bytes, of one step of the actor's


@cache
def loaded() -> StepSpace:
    return read_model(good(), StepSpace)


@cache
def plan() -> FootPlan:
    """Ahead, aside and back, by the way of a curve."""
    rows = [("left", 0.1, 0.0), ("right", -0.1, 0.0), ("left", 0.12, 0.4), ("right", 0.0, 0.9)]
    rows += [("left", 0.3, 1.2), ("right", 0.15, 1.25), ("left", 0.5, 1.25), ("right", 0.3, 1.2)]
    rows += [("left", 0.52, 0.9), ("right", 0.33, 0.6), ("left", 0.5, 0.6)]
    return FootPlan(tuple(FootPlacement(foot, np.array([x, 0.0, z])) for foot, x, z in rows))


@cache
def followed() -> tuple[FollowedPlan, FollowedPlan]:
    return small_space().follow(plan()), loaded().follow(plan())


def test_all_but_the_frames_comes_back_to_the_stored_precision() -> None:
    before, after = small_space(), loaded()
    assert (before.left.foot, before.left.names) == (after.left.foot, after.left.names)
    for name in ARRAYS:
        a, b = getattr(before.left, name), getattr(after.left, name)
        assert a.shape == b.shape
        assert not b.flags.writeable
        if a.shape[1:2] != before.left.root.shape[1:2]:  # no samples
            assert_as_stored(b, a)
        elif name != "rotations":
            assert np.abs(a - b).max() < 1e-6
    assert_allclose(before.left.high, after.left.high, rtol=0.0, atol=2.0 * PRECISION)
    assert_as_stored(after.posture, before.posture)
    assert_as_stored(after.reference.peaks, before.reference.peaks)
    assert_as_stored(after.reference.leg_extension, before.reference.leg_extension)


def test_rotations_come_back_as_they_turn() -> None:
    before, after = (Rotation.from_quat(s.left.rotations.reshape(-1, 4), scalar_first=True)
                     for s in (small_space(), loaded()))  # fmt: skip
    assert (before * after.inv()).magnitude().max() < 1e-6
    rows = loaded().left.rotations
    assert (np.sum(rows[:, 1:] * rows[:, :-1], axis=-1) > 0.0).all()  # without flips from sample to sample


def test_the_skeleton_comes_back_to_the_stored_precision() -> None:
    before, after = small_space().skeleton, loaded().skeleton
    assert before.names == after.names
    assert dict(before.roles) == dict(after.roles)
    for name in ("parents", "offsets", "rest", "end_parents", "end_offsets"):
        assert_as_stored(getattr(after, name), getattr(before, name))


def test_foot_points_that_were_calibrated_come_back() -> None:
    points = small_space().skeleton.foot_points("left")
    skeleton = small_space().skeleton.with_feet(left=replace(points, heel=points.heel + 0.01))
    space = replace(small_space(), left=replace(small_space().left, skeleton=skeleton))
    again = read_model(space_bytes(space), StepSpace)
    assert_as_stored(again.skeleton.foot_points("left").heel, points.heel + 0.01)


def test_candidates_come_back_with_their_tetrahedra() -> None:
    before, after = small_space().candidates, loaded().candidates
    assert before is not None
    assert after is not None
    assert_array_equal(before.offsets, after.offsets)
    assert_array_equal(before.quads, after.quads)
    assert_array_equal(small_space().low.corners, loaded().low.corners)
    low = low_of(loaded().left.high)
    corners = low[loaded().low.corners]
    volumes = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / 6.0
    assert volumes.sum() == pytest.approx(ConvexHull(low).volume, rel=1e-6)


def test_tetrahedra_are_those_of_the_candidates() -> None:
    """Where rounding cuts places otherwise, lists would else be those of other tetrahedra."""
    arrays = tensors.load(good())
    last = int(arrays["candidates.offsets"][-2])
    fewer = {
        "candidates.offsets": arrays["candidates.offsets"][:-1],
        "candidates.quads": arrays["candidates.quads"][:last],
    }
    again = read_model(tampered(**fewer), StepSpace)
    assert_array_equal(again.low.corners, small_space().low.corners[:-1])
    assert again.selector("paper").select(StepQuery(again.left.high[3])).weights.sum() == pytest.approx(1.0)


def test_without_candidates() -> None:
    space = replace(small_space(), candidates=None)
    again = read_model(space_bytes(space), StepSpace)
    assert again.candidates is None
    assert_array_equal(again.low.corners, small_space().low.corners)


def test_running_steps_come_back() -> None:
    before, after = running_space().running, read_model(space_bytes(running_space()), StepSpace).running
    assert before is not None
    assert after is not None
    assert after.runs
    assert (len(before), before.names, before.foot) == (len(after), after.names, after.foot)
    assert_allclose(before.high, after.high, rtol=0.0, atol=2.0 * PRECISION)
    assert_as_stored(after.flights, before.flights)
    assert np.abs(before.root - after.root).max() < 1e-6
    shares = np.abs(np.sum(before.rotations * after.rotations, axis=-1))
    assert np.abs(shares - 1.0).max() < 1e-12


@pytest.mark.parametrize("name", SELECTORS)
def test_the_same_steps_are_selected(name: str) -> None:
    one, other = small_space().selector(name), loaded().selector(name)
    for row in small_space().left.high[::7] + 0.01:
        a, b = one.select(StepQuery(row)), other.select(StepQuery(row))
        assert_array_equal(a.steps, b.steps)
        assert_allclose(a.weights, b.weights, rtol=0.0, atol=1e-6)


def test_a_plan_is_followed_as_before() -> None:
    before, after = followed()
    assert before.positions.shape == after.positions.shape
    assert np.linalg.norm(before.positions - after.positions, axis=-1).max() < AS_SAVED
    assert before.contacts is not None
    assert after.contacts is not None
    assert_array_equal(before.contacts.heel, after.contacts.heel)
    assert_array_equal(before.contacts.toe, after.contacts.toe)


def test_footprints_are_exact() -> None:
    """Every print of the plan has a foot that lies in it, measured from the joints of the loaded space's."""
    made = followed()[1]
    assert made.contacts is not None
    for side in ("left", "right"):
        joint, sole = made.skeleton.joint(f"{side}_foot"), Sole.of(made.skeleton, side)
        turns = Rotation.from_quat(made.orientations[:, joint], scalar_first=True)
        rests = (made.positions[:, joint] + turns.apply(np.array(sole.subtalar)))[made.contacts.flat(side)]
        for placement in plan().of(side):
            assert np.linalg.norm(rests - placement.position, axis=-1).min() < EXACT


def test_saved_again_it_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first.ffmodel", tmp_path / "second.FFMODEL"
    small_space().save(first)
    load_model(first, StepSpace).save(second)
    assert first.read_bytes() == second.read_bytes() == good()


def test_a_step_takes_little() -> None:
    arrays = tensors.load(good())
    size = sum(a.nbytes for name, a in arrays.items() if name.startswith("left."))
    assert size < STEP * len(small_space().left)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "steps.ffmodel"
    small_space().save(path)
    assert isinstance(load_model(path), StepSpace)
    with pytest.raises(LoadError, match=r"steps.ffmodel: this is a step space \(StepSpace\), not a movement"):
        load_model(path, MovementLibrary)


# Fields that a table may gain


@dataclass(frozen=True)
class Grown:
    name: str
    turned: Float[np.ndarray, "n samples joints 4"]
    speed: Float[np.ndarray, "n samples 2"]
    placed: Float[np.ndarray, "n 3"]
    lies: Float[np.ndarray, "n 4"]
    count: Int[np.ndarray, "other"]
    more: Float[np.ndarray, "n n"] | None = None


def grown(more: np.ndarray | None = None) -> Grown:
    rng = np.random.default_rng(0)
    turned = quat.exp(np.concatenate([rng.normal(size=(3, 5, 2, 3)), np.ones((3, 5, 1, 3))], axis=2))
    lies = quat.exp(rng.normal(size=(3, 3)))
    count = np.array([70000, -3, 0])
    return Grown("x", turned, rng.normal(size=(3, 5, 2)), rng.normal(size=(3, 3)), lies, count, more)


SIZES = {"n": 3, "samples": 5, "joints": 3}


@pytest.mark.parametrize("more", [None, np.arange(9.0).reshape(3, 3)])
def test_any_array_field_comes_back(more: np.ndarray | None) -> None:
    assert [f.name for f in array_fields(Grown)] == ["turned", "speed", "placed", "lies", "count", "more"]
    arrays = written(grown(more), "g.")
    assert {name: a.dtype for name, a in arrays.items() if name != "g.more"} == {
        "g.turned.moving": np.uint8,
        "g.turned.turns": np.float32,
        "g.turned.still": np.float32,
        "g.speed": np.float32,
        "g.placed": np.float64,
        "g.lies": np.float64,
        "g.count": np.int32,
    }
    assert arrays["g.turned.turns"].shape == (3, 5, 2, 3)
    back = read(StoredArrays(arrays), Grown, "g.", SIZES)
    for name, precision in (("placed", 0.0), ("lies", 0.0), ("count", 0.0), ("speed", 1e-6)):
        assert np.abs(back[name] - getattr(grown(), name)).max() <= precision
    shares = np.abs(np.sum(back["turned"] * grown().turned, axis=-1))
    assert np.abs(shares - 1.0).max() < 1e-12
    assert (back["more"] is None) == (more is None)
    if more is not None:
        assert_array_equal(back["more"], more)


def test_the_tables_of_a_step_space_are_written_whole() -> None:
    assert tuple(f.name for f in array_fields(StepTable)) == ARRAYS
    known = {f.name for f in array_fields(StepSpace)} | set(table_names()) | {"reference", "candidates"}
    assert {f.name for f in fields(StepSpace)} == known
    known = {f.name for f in array_fields(StepTable)} | {"skeleton", "foot", "names"}
    assert {f.name for f in fields(StepTable)} == known
    assert {f.name for f in fields(BlendCandidates)} == {f.name for f in array_fields(BlendCandidates)}
    assert {f.name for f in fields(Reference)} == {"peaks", "leg_extension"}


# Saving


@pytest.mark.parametrize("name", ["steps", "steps.ffm", "steps.ffmodel.zip", "ffmodel"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"\.ffmodel"):
        small_space().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="nowhere"):
        small_space().save(tmp_path / "nowhere" / "steps.ffmodel")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "steps.ffmodel"
    small_space().save(path)
    broken = replace(small_space(), posture=np.full(small_space().posture.shape, np.nan))
    with pytest.raises(SaveError, match=r"could not be read again .*'posture'"):
        broken.save(path)
    assert path.read_bytes() == good()
    assert list(tmp_path.iterdir()) == [path]
