"""Movement libraries as files: what comes back plays alike, is written again to the same bytes, and is small;
damaged files are refused in a sentence, in little time and memory.
"""

from __future__ import annotations

import json
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import numpy as tensors
from scipy.spatial.transform import Rotation

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.formats.rotation_vectors import rotation_vectors
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION, rounded
from footfall.models.load import load_model, read_model
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store import library_bytes
from footfall.models.movements.store_kind import MOST_POINTS
from tests.formats.examination import no_warnings, within_memory, within_time
from tests.formats.mutate import mutate
from tests.models.as_stored import assert_as_stored
from tests.models.movements.libraries import small_library

AS_SAVED = 1e-6  # m: how far a joint may be from where it was before saving; 1e-5 is promised
PAPER = 10_000  # bytes an example, [movements] 7
CASES = 150
KINDS = ("left_step", "jump", "mood jump")


@cache
def good() -> bytes:
    return library_bytes(small_library())


@cache
def loaded() -> MovementLibrary:
    return read_model(good())


def test_all_but_the_frames_comes_back_to_the_stored_precision() -> None:
    assert [k.name for k in loaded().members] == list(KINDS)
    for saved, again in zip(small_library().members, loaded().members, strict=True):
        assert again.space.names == saved.space.names
        assert again.space.units == saved.space.units
        assert_as_stored(again.space.points, saved.space.points)
        assert_as_stored(again.pseudo_points, saved.pseudo_points)
        assert_allclose(again.pseudo_weights, saved.pseudo_weights, rtol=0.0, atol=PRECISION)
        for a, b in zip(saved.examples, again.examples, strict=True):
            assert (a.name, a.swings, a.motion.fps) == (b.name, b.swings, b.motion.fps)
            assert_as_stored(b.lead, a.lead)
            assert_as_stored(b.keytimes, a.keytimes)
            for left, right in zip(a.prints, b.prints, strict=True):
                for p, q in zip(left, right, strict=True):
                    assert_as_stored(q.heading, p.heading)
                    assert_as_stored(q.place, p.place)
                    assert_as_stored(q.lying, p.lying)
            assert a.motion.contacts is not None
            assert b.motion.contacts is not None
            assert_array_equal(a.motion.contacts.heel, b.motion.contacts.heel)
            assert_array_equal(a.motion.contacts.toe, b.motion.contacts.toe)


def test_the_skeleton_comes_back_to_the_stored_precision() -> None:
    before, after = small_library().skeleton, loaded().skeleton
    assert before.names == after.names
    assert dict(before.roles) == dict(after.roles)
    for name in ("parents", "offsets", "rest", "end_parents", "end_offsets"):
        assert_as_stored(getattr(after, name), getattr(before, name))
    for side in ("left", "right"):
        for point in ("heel", "subtalar", "ball", "toe"):
            a, b = (getattr(s.foot_points(side), point) for s in (before, after))
            assert_as_stored(b, a)


def test_foot_points_that_were_calibrated_come_back() -> None:
    library = small_library()
    points = library.skeleton.foot_points("left")
    skeleton = library.skeleton.with_feet(left=replace(points, heel=points.heel + 0.01))
    first = library.members[0]
    examples = tuple(replace(e, motion=replace(e.motion, skeleton=skeleton)) for e in first.examples)
    again = read_model(library_bytes(MovementLibrary((replace(first, examples=examples),))))
    assert_as_stored(again.skeleton.foot_points("left").heel, points.heel + 0.01)


@pytest.mark.parametrize("constraints", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_movements_are_those_of_the_saved_library(kind: str, constraints: bool) -> None:
    space = small_library().space[kind]
    for point in [*space.sample(4), *space.points[:2]]:
        asked: dict[str, Any] = dict(space.named(point))
        saved, again = (
            m.synthesize(kind, constraints=constraints, **asked) for m in (small_library(), loaded())
        )
        assert saved.positions.shape == again.positions.shape
        assert np.linalg.norm(saved.positions - again.positions, axis=-1).max() < AS_SAVED


def test_weights_are_those_of_the_saved_library() -> None:
    for saved, again in zip(small_library().members, loaded().members, strict=True):
        for point in saved.space.sample(20):
            assert_allclose(saved.weights(point), again.weights(point), rtol=0.0, atol=1e-7)


def test_parameters_are_not_measured_anew() -> None:
    """Parameters that no measure would give come back and decide."""
    arrays = tensors.load(good())
    moved = rounded(arrays["0.points"] + 0.3)
    again = read_model(tampered(**{"0.points": moved}))
    assert_array_equal(again.space["left_step"].points, moved)


def test_saved_again_it_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first.ffmodel", tmp_path / "second.FFMODEL"
    small_library().save(first)
    load_model(first).save(second)
    assert first.read_bytes() == second.read_bytes() == good()


def test_an_example_of_a_second_takes_less_than_the_paper_says() -> None:
    arrays = tensors.load(good())
    for number, kind in enumerate(small_library().members):
        size = sum(a.nbytes for name, a in arrays.items() if name.startswith(f"{number}."))
        seconds = sum(e.motion.seconds for e in kind.examples)
        assert size < PAPER * max(seconds, len(kind.examples))


def test_joints_that_never_move_are_kept_once() -> None:
    arrays = tensors.load(good())
    frames = np.concatenate([e.motion.rotations for e in small_library().members[0].examples])
    still = (np.abs(np.abs(np.sum(frames * frames[0], axis=-1)) - 1.0) < 1e-14).all(axis=0)
    assert 20 < still.sum() < len(still)
    assert_array_equal(arrays["0.moving"], ~still)
    assert arrays["0.turns"].shape == (len(frames), (~still).sum(), 3)
    assert arrays["0.still"].shape == (still.sum(), 3)


NUMBERS = st.floats(-1.0, 1.0, width=32).map(float)


@settings(max_examples=300, deadline=None)
@given(axis=st.tuples(NUMBERS, NUMBERS, NUMBERS), short=st.sampled_from([0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3]))
def test_rotation_vectors_settle_at_once(axis: tuple[float, ...], short: float) -> None:
    """What was rounded once is not rounded otherwise again, not even at a half turn."""
    direction = np.array(axis)
    length = np.linalg.norm(direction)
    for angle in (np.pi - short, np.pi + short, min(length, 3.0), 1e-20):
        turn = quat.exp(direction / length * angle if length > 1e-30 else np.array([angle, 0.0, 0.0]))
        for q in (turn, -turn):
            vector = rotation_vectors(q)
            assert vector.dtype == np.float32
            back = quat.exp(vector.astype(np.float64))
            assert rotation_vectors(back).tobytes() == vector.tobytes()
            assert rotation_vectors(-back).tobytes() == vector.tobytes()
            apart = Rotation.from_quat(q, scalar_first=True) * Rotation.from_rotvec(vector).inv()
            assert apart.magnitude() < 2e-6


# Saving


@pytest.mark.parametrize("name", ["library", "library.ffm", "library.ffmodel.zip", "ffmodel"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"\.ffmodel"):
        small_library().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="nowhere"):
        small_library().save(tmp_path / "nowhere" / "library.ffmodel")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "library.ffmodel"
    small_library().save(path)
    broken = MovementLibrary((replace(small_library().members[0], name="x" * 2000),))
    with pytest.raises(SaveError, match="could not be read again"):
        broken.save(path)
    assert path.read_bytes() == good()
    assert list(tmp_path.iterdir()) == [path]


# Files that lie


def tampered(edit: Callable[[dict[str, Any]], None] | None = None, **arrays: np.ndarray | None) -> bytes:
    """The good file with a changed text, or arrays replaced (None: left out)."""
    content = good()
    length = int.from_bytes(content[:8], "little")
    text = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["footfall_model"])
    if edit is not None:
        edit(text)
    stored = {k: v for k, v in (tensors.load(content) | arrays).items() if v is not None}
    return tensors.save(stored, metadata={"footfall_model": json.dumps(text)})


def described(**fields: object) -> Callable[[], bytes]:
    return lambda: tampered(lambda text: text["description"].update(fields))


def of_kind(**fields: object) -> Callable[[], bytes]:
    return lambda: tampered(lambda text: text["description"]["kinds"][0].update(fields))


def array(name: str, change: Callable[[np.ndarray], object]) -> Callable[[], bytes]:
    def made() -> bytes:
        changed = tensors.load(good())[name].copy()
        out = change(changed)
        return tampered(**{name: changed if out is None else np.ascontiguousarray(out)})

    return made


def put(place: Any, value: Any) -> Callable[[np.ndarray], None]:
    return lambda a: a.__setitem__(place, value)


def test_tampering_with_nothing_reads() -> None:
    assert library_bytes(read_model(tampered())) == good()


NAMES = [f"example {k}" for k in range(5)]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (described(kinds=[]), "kinds"),
        (described(kinds=None), "kinds"),
        (described(joints=[]), "joints"),
        (described(joints=["a"] * 5000), "5000"),
        (described(joints=["a"] * 53), "53"),
        (described(roles={}), "role"),
        (described(roles={"tail": 1}), "'tail'"),
        (described(roles={"hips": 0}), "foot"),
        (of_kind(name=3), "name"),
        (of_kind(name="jump"), "different names"),
        (of_kind(name="x" * 2000), "name"),
        (of_kind(fps=0.0), "fps"),
        (of_kind(fps=1e300), "fps"),
        (of_kind(fps="30"), "fps"),
        (of_kind(fps=900.0), "keytimes lie outside the frames"),
        (of_kind(examples=[]), "examples"),
        (of_kind(examples=NAMES[:4]), "as float64 4 x 2"),
        (of_kind(examples=[*NAMES, "another"]), "as float64 6 x 2"),
        (of_kind(examples=["x"] * (MOST_POINTS + 1)), "examples"),
        (of_kind(parameters=[]), "parameters"),
        (of_kind(parameters=["start_length"]), "'0.pseudo_points'"),
        (of_kind(parameters=["start_length"] * 2), "different names"),
        (of_kind(parameters=["p"] * 40), "parameters"),
        (array("0.points", put(0, [0.0, 1e300])), "'0.points'"),
        (array("0.points", lambda a: a[[0, 1, 2, 2, 4]]), "same"),
        (array("0.points", lambda a: np.repeat(a[:1], len(a), axis=0)), "same"),
        (array("0.pseudo_weights", put(0, 0.0)), "sums to 0"),
        (array("0.pseudo_points", lambda a: a[:1]), "'0.pseudo_weights'"),
        (array("0.pseudo_points", lambda a: a[[1, 1]]), "coincide"),
        (array("0.counts", put(0, 0)), "counts"),
        (array("0.counts", put(0, -5)), "counts"),
        (array("0.counts", put(0, 2**62)), "counts"),
        (array("0.counts", lambda a: a + 1), "counts"),
        (array("0.counts", lambda a: a.astype(np.int32)), "int64"),
        (array("0.keytimes", put((0, 0), 0.1)), "start at 0"),
        (array("0.keytimes", put((0, 2), 0.0)), "increase"),
        (array("0.keytimes", put((0, 3), 100.0)), "outside the frames"),
        (array("0.keytimes", lambda a: a[:, :1]), "2 to 32 keytimes, found 1"),
        (array("0.keytimes", lambda a: np.tile(np.arange(40.0), (len(a), 1))), "found 40"),
        (array("0.keytimes", lambda a: a[:, :2]), "land at a later one"),
        (array("0.leads", put(0, -1.0)), "outside the frames"),
        (array("0.swings", put((0, 0), [2, 1])), "land at a later one"),
        (array("0.swings", put((0, 0), [1, 4])), "land at a later one"),
        (array("0.swings", put((0, 0), [-1, 2])), "land at a later one"),
        (array("0.lying", put((0, 0), 0.0)), "unit quaternions"),
        (array("0.turns", put((0, 0), [3.0, 3.0, 0.0])), "half turn"),
        (array("0.still", put(0, [9e6, 0.0, 0.0])), "half turn"),
        (array("0.moving", put(0, 2)), "0 or 1"),
        (array("0.moving", lambda a: 1 - a), "'0.turns'"),
        (array("0.contacts", put(0, 16)), "four bits"),
        (array("0.root", lambda a: a.astype(np.float64)), "float32"),
        (array("parents", put(4, 7)), "parents"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(made: Callable[[], bytes], said: str) -> None:
    content = made()
    with no_warnings(), pytest.raises(LoadError) as refusal:
        read_model(content)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 1000


def test_every_array_is_needed_in_its_own_type_and_shape() -> None:
    for name, own in tensors.load(good()).items():
        if name.startswith(("1.", "2.")):
            continue  # as those of the first kind
        short = own[: len(own) - 1] if len(own) else None
        other = own.astype(np.float16 if own.dtype != np.uint8 else np.int8)
        for wrong in (None, own[..., None], other, own.reshape(1, *own.shape), short):
            if wrong is None and name.endswith("foot_points"):
                continue  # then they are the skeleton's own
            with pytest.raises(LoadError):
                read_model(tampered(**{name: wrong}))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
def test_no_array_holds_what_is_no_number(bad: float) -> None:
    rng = np.random.default_rng(0)
    for name, own in tensors.load(good()).items():
        if own.dtype.kind == "f" and own.size:
            damaged = own.copy()
            damaged.flat[rng.integers(own.size)] = bad
            with no_warnings(), pytest.raises(LoadError, match=f"'{name}'"):
                read_model(tampered(**{name: damaged}))


def test_legs_must_hang_together() -> None:
    roles = dict(small_library().skeleton.roles)
    with pytest.raises(LoadError, match="left foot that hangs on a shank"):
        read_model(described(roles=roles | {"left_shank": roles["right_shank"]})())


def test_a_small_file_cannot_become_large() -> None:
    """Joints that never move take nothing in the file: 4000 of them over many frames would take gigabytes."""
    joints, frames = 4000, 200_000
    arrays = tensors.load(good()) | {
        "0.root": np.zeros((frames, 3), np.float32),
        "0.contacts": np.zeros(frames, np.uint8),
        "0.moving": np.zeros(joints, np.uint8),
        "0.still": np.zeros((joints, 3), np.float32),
        "0.turns": np.zeros((frames, 0, 3), np.float32),
        "0.counts": np.full(5, frames // 5),
    }
    content = tampered(lambda text: text["description"].update(joints=["a"] * joints), **arrays)
    tracemalloc.start()
    with within_time(0.5), pytest.raises(LoadError, match="803176000 rotations"):
        read_model(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(content)


def test_the_largest_number_of_points_takes_little_time() -> None:
    """As many examples as may be: their weights are solved for on the way in."""
    n, frames = MOST_POINTS, 4
    arrays = {name: a for name, a in tensors.load(good()).items() if not name.startswith(("1.", "2."))}
    rng = np.random.default_rng(0)
    one = {"keytimes", "leads", "swings", "places", "headings", "lying"}
    for name in one:
        arrays[f"0.{name}"] = np.repeat(arrays[f"0.{name}"][:1], n, axis=0)
    arrays["0.keytimes"] *= 0.1
    arrays["0.points"] = rng.uniform(0.0, 1.0, (n, 2))
    arrays["0.pseudo_points"], arrays["0.pseudo_weights"] = np.zeros((0, 2)), np.zeros((0, n))
    arrays["0.counts"] = np.full(n, frames)
    for name in ("root", "turns", "contacts"):
        arrays[f"0.{name}"] = np.repeat(arrays[f"0.{name}"][:1], frames * n, axis=0)
    text = json.loads(
        json.loads(good()[8 : 8 + int.from_bytes(good()[:8], "little")])["__metadata__"]["footfall_model"]
    )
    text["description"]["kinds"] = text["description"]["kinds"][:1]
    text["description"]["kinds"][0]["examples"] = ["x"] * n
    content = tensors.save(arrays, metadata={"footfall_model": json.dumps(text)})
    with within_time(2.0), within_memory(200 << 20), suppress(LoadError):
        read_model(content)


def test_damaged_files(tmp_path: Path) -> None:
    """A LoadError that names the file, or a library that can be saved and synthesizes or refuses to."""
    outcomes: Counter[str] = Counter()
    path = tmp_path / "damaged.ffmodel"
    for seed in range(CASES):
        path.write_bytes(mutate(good(), np.random.default_rng([7, seed])))
        with within_time(), no_warnings(), within_memory(100 << 20):
            library = load_or_refuse(path)
        outcomes["refused" if library is None else "loaded"] += 1
        if library is not None:
            check_sound(library)
    assert outcomes["loaded"] > 0.05 * CASES, outcomes
    assert outcomes["refused"] > 0.05 * CASES, outcomes


def load_or_refuse(path: Path) -> MovementLibrary | None:
    try:
        return load_model(path)
    except LoadError as error:
        message = str(error)
    assert str(path) in message
    assert message.isprintable()
    assert len(message) < 1000
    return None


def check_sound(library: MovementLibrary) -> None:
    assert library_bytes(read_model(library_bytes(library))) == library_bytes(library)
    with warnings.catch_warnings(), suppress(FootfallError):
        warnings.simplefilter("ignore")
        made = library.synthesize(library.members[0].name, fps=15.0)
        assert np.isfinite(made.positions).all()


@pytest.mark.slow
def test_many_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "damaged.ffmodel"
    for seed in range(10_000):
        path.write_bytes(mutate(good(), np.random.default_rng([8, seed])))
        with within_time(), no_warnings():
            library = load_or_refuse(path)
        if library is not None:
            check_sound(library)
