"""Files of step spaces that lie: refused in one sentence, in little time and memory, whatever is in them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import numpy as tensors

from footfall.errors import FootfallError, LoadError
from footfall.models.load import load_model, read_model
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.step_table import grid
from footfall.models.stepspace.store import MOST_JOINTS, MOST_STEPS, MOST_TURNS, space_bytes
from tests.formats.examination import no_warnings, within_memory, within_time
from tests.formats.mutate import mutate
from tests.models.stepspace.spaces import small_space
from tests.models.stepspace.stored import good, tampered

CASES = 100


def described(**fields: object) -> Callable[[], bytes]:
    return lambda: tampered(lambda text: text["description"].update(fields))


def of_table(steps: list[Any]) -> Callable[[], bytes]:
    return described(steps={"left": steps})


def array(name: str, change: Callable[[np.ndarray], object]) -> Callable[[], bytes]:
    def made() -> bytes:
        changed = tensors.load(good())[name].copy()
        out = change(changed)
        return tampered(**{name: changed if out is None else np.asarray(out)})

    return made


def put(place: Any, value: Any) -> Callable[[np.ndarray], None]:
    return lambda a: a.__setitem__(place, value)


def test_tampering_with_nothing_reads() -> None:
    assert space_bytes(read_model(tampered(), StepSpace)) == good()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (described(steps={}), "expected steps in 'left'"),
        (described(steps={"other": ["a step"] * 49}), "expected steps in 'left'"),
        (of_table([]), "steps"),
        (of_table(["a step"] * 4), "steps"),
        (of_table(["a step"] * 50), "as float32 50 x 37 x 3"),
        (of_table(["a step"] * (MOST_STEPS + 1)), "steps"),
        (of_table(["x" * 2000] * 49), "steps"),
        (of_table([3] * 49), "steps"),
        (described(joints=[]), "joints"),
        (described(joints=["a"] * 5000), "at most 1000 joints, found 5000"),
        (described(joints=["a"] * 53), "53"),
        (described(roles={}), "role"),
        (described(roles={"tail": 1}), "'tail'"),
        (described(roles={"hips": 0}), "foot"),
        (described(peaks=None), "peaks"),
        (described(peaks={"hips": -1.0}), "peaks"),
        (described(peaks={"hips": 1e300}), "peaks"),
        (described(peaks={str(k): 1.0 for k in range(1001)}), "peaks"),
        (described(leg_extension=-0.5), "leg_extension"),
        (described(leg_extension="0.9"), "leg_extension"),
        (described(candidates="yes"), "candidates"),
        (array("posture", lambda a: a[:-1]), "'posture'"),
        (array("left.durations", put((0, 1), 0.0)), "'left.durations'"),
        (array("left.durations", put((0, 1), 4000.0)), "'left.durations'"),
        (array("left.stances", put((0, 1), -1.0)), "'left.stances'"),
        (array("left.flights", put((0, 1), -0.1)), "'left.flights'"),
        (array("left.ways", put(0, 2)), "'left.ways'"),
        (array("left.clips", put(0, -1)), "'left.clips'"),
        (array("left.clips", lambda a: a.astype(np.float32)), "'left.clips' as int64"),
        (array("left.places", put((0, 2), 0.1)), "support foot's place and heading"),
        (array("left.headings", put((0, 2), 0.1)), "support foot's place and heading"),
        (array("left.lying", put((0, 0), 0.0)), "unit quaternions"),
        (array("left.rotations.turns", put((0, 0), [3.0, 3.0, 0.0])), "half turn"),
        (array("left.rotations.still", put(0, [9e6, 0.0, 0.0])), "half turn"),
        (array("left.rotations.moving", put(0, 2)), "0 or 1"),
        (array("left.rotations.moving", lambda a: 1 - a), "'left.rotations.turns'"),
        (array("left.root", lambda a: a.astype(np.float64)), "float32"),
        (array("left.root", lambda a: a[:, :36]), "'left.root'"),
        (array("candidates.quads", put((0, 3), 49)), "four different steps of the 49"),
        (array("candidates.quads", put((0, 0), -1)), "four different steps"),
        (array("candidates.quads", put((0, slice(None)), 3)), "four different steps"),
        (array("candidates.quads", lambda a: a[:0]), "'candidates.offsets'"),
        (array("candidates.quads", lambda a: a[:, :3]), "'candidates.quads'"),
        (array("candidates.offsets", put(1, 0)), "every tetrahedron needs"),
        (array("candidates.offsets", put(0, 1)), "blend candidates need"),
        (array("candidates.offsets", put(1, -4)), "'candidates.offsets'"),
        (array("candidates.offsets", put(1, 30_000)), "'candidates.offsets'"),
        (array("candidates.offsets", lambda a: a[:1]), "blend candidates need"),
        (array("candidates.offsets", lambda a: a[:0]), "blend candidates need"),
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
    roles = dict(small_space().skeleton.roles)
    with pytest.raises(LoadError, match="left foot that hangs on a shank"):
        read_model(described(roles=roles | {"left_shank": roles["right_shank"]})())


def enlarged(joints: int, steps: int) -> bytes:
    """More steps, alike, and more joints, which never move and so take nothing in the file."""
    own, arrays = small_space().skeleton, tensors.load(good())
    more, samples = joints - len(own), small_space().left.root.shape[1]
    changed: dict[str, np.ndarray] = {
        name: np.resize(a, (steps, *a.shape[1:])) for name, a in arrays.items() if name.startswith("left.")
    }
    changed |= {
        "parents": np.concatenate([own.parents, np.zeros(more, np.int64)]),
        "offsets": np.concatenate([own.offsets, np.full((more, 3), 0.1)]),
        "rest": np.concatenate([own.rest, np.tile([1.0, 0.0, 0.0, 0.0], (more, 1))]),
        "posture": np.zeros(7 + 3 * (joints - 1)),
        "left.rotations.moving": np.zeros(joints, np.uint8),
        "left.rotations.still": np.zeros((joints, 3), np.float32),
        "left.rotations.turns": np.zeros((steps, samples, 0, 3), np.float32),
    }
    names = [*own.names, *(f"more{k}" for k in range(more))]
    told = {"joints": names, "steps": {"left": ["a step"] * steps}}
    return tampered(lambda text: text["description"].update(told), **changed)


@pytest.mark.parametrize(("joints", "steps"), [(1000, 5000), (4000, 5)])
def test_a_small_file_cannot_become_large(joints: int, steps: int) -> None:
    content = enlarged(joints, steps)
    with within_memory(len(content) + (20 << 20)), within_time(0.5), pytest.raises(LoadError, match="000"):
        read_model(content)


@pytest.mark.parametrize("joints", [54, MOST_JOINTS])
def test_the_largest_files_take_little_time(joints: int) -> None:
    steps = min(MOST_TURNS // (len(grid()) * joints), MOST_STEPS)
    content = enlarged(joints, steps)
    assert len(content) < 5 << 20
    with within_time(), within_memory():
        assert len(read_model(content, StepSpace).left) == steps


def test_damaged_files(tmp_path: Path) -> None:
    """A LoadError that names the file, or a space that can be saved and synthesizes or refuses to."""
    outcomes: Counter[str] = Counter()
    path = tmp_path / "damaged.ffmodel"
    for seed in range(CASES):
        path.write_bytes(mutate(good(), np.random.default_rng([9, seed])))
        with within_time(), no_warnings(), within_memory(100 << 20):
            space = load_or_refuse(path)
        outcomes["refused" if space is None else "loaded"] += 1
        if space is not None:
            check_sound(space)
    assert outcomes["loaded"] > 0.05 * CASES, outcomes
    assert outcomes["refused"] > 0.05 * CASES, outcomes


def load_or_refuse(path: Path) -> StepSpace | None:
    try:
        return load_model(path, StepSpace)
    except LoadError as error:
        message = str(error)
    assert str(path) in message
    assert message.isprintable()
    assert len(message) < 1000
    return None


def check_sound(space: StepSpace) -> None:
    assert space_bytes(read_model(space_bytes(space), StepSpace)) == space_bytes(space)
    with warnings.catch_warnings(), suppress(FootfallError):
        warnings.simplefilter("ignore")
        made = space.synthesize("right", fps=15.0, x1=-0.2, z1=-0.3)
        assert np.isfinite(made.positions).all()


@pytest.mark.slow
def test_many_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "damaged.ffmodel"
    for seed in range(2_000):
        path.write_bytes(mutate(good(), np.random.default_rng([10, seed])))
        with within_time(), no_warnings():
            space = load_or_refuse(path)
        if space is not None:
            check_sound(space)
