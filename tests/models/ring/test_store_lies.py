"""Files of rings that lie: refused in one sentence, in little time and memory, whatever is in them."""

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
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.store import MOST_JOINTS, MOST_RINGS, graph_bytes, ring_bytes
from footfall.models.ring.stored_ring import MOST_LOOPS, MOST_TURNS
from tests.formats.examination import no_warnings, within_memory, within_time
from tests.formats.mutate import extreme_bytes, flip_bytes, mutate, random_bytes
from tests.models.ring.rings import small_ring
from tests.models.ring.stored import good_graph, good_ring, tampered

CASES = {good_ring: 32, good_graph: 12}
Edit = Callable[[dict[str, Any]], object]


def ring(**told: object) -> Callable[[], bytes]:
    return lambda: tampered(good_ring(), lambda text: text["ring"].update(told))


def figure(**told: object) -> Callable[[], bytes]:
    return lambda: tampered(good_ring(), lambda text: text["figure"].update(told))


def graph(edit: Edit) -> Callable[[], bytes]:
    return lambda: tampered(good_graph(), edit)


def array(
    name: str, change: Callable[[np.ndarray], object], file: Callable[[], bytes] = good_ring
) -> Callable[[], bytes]:
    def made() -> bytes:
        changed = tensors.load(file())[name].copy()
        out = change(changed)
        return tampered(file(), None, {name: changed if out is None else np.asarray(out)})

    return made


def put(place: Any, value: Any) -> Callable[[np.ndarray], None]:
    return lambda a: a.__setitem__(place, value)


def test_tampering_with_nothing_reads() -> None:
    assert ring_bytes(read_model(tampered(good_ring()), MotionRing)) == good_ring()
    assert graph_bytes(read_model(tampered(good_graph()), RingGraph)) == good_graph()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (ring(loops=[]), "loops"),
        (ring(loops=["one"]), "loops"),
        (ring(loops=["one"] * 6), "'scores.bits'"),
        (ring(loops=["one"] * (MOST_LOOPS + 1)), "loops"),
        (ring(loops=["x" * 2000] * 5), "loops"),
        (ring(loops=[3] * 5), "loops"),
        (ring(frames=61), "frames"),
        (ring(frames=62), "'scores.bits'"),
        (ring(frames=2), "frames"),
        (ring(frames=-60), "frames"),
        (ring(frames=10**9), "frames"),
        (ring(frames=60.5), "frames"),
        (ring(gait=None), "gait"),
        (ring(gait="x" * 2000), "gait"),
        (ring(combined=1), "combined"),
        (ring(resting="no"), "resting"),
        (ring(radius=0.0), "radius"),
        (ring(radius=1e9), "radius"),
        (ring(steepest=-0.1), "steepest"),
        (ring(steepest=2.0), "steepest"),
        (ring(peaks=None), "peaks"),
        (ring(peaks={"hips": -1.0}), "peaks"),
        (ring(peaks={str(k): 1.0 for k in range(1001)}), "peaks"),
        (ring(leg_extension=-0.5), "leg_extension"),
        (figure(joints=[]), "joints"),
        (figure(joints=["a"] * (MOST_JOINTS + 1)), f"at most {MOST_JOINTS} joints, found {MOST_JOINTS + 1}"),
        (figure(joints=["a"] * 53), "53"),
        (figure(roles={}), "role"),
        (figure(roles={"tail": 1}), "'tail'"),
        (array("parents", put(4, 7)), "parents"),
        (array("mean", put((3, slice(None)), 0.0)), "unit quaternions in 'mean'"),
        (array("mean", lambda a: 1.01 * a), "unit quaternions in 'mean'"),
        (array("importance", put(0, 0.0)), "importance"),
        (array("importance", put(0, -1.0)), "importance"),
        (array("moving", put(0, 2)), "0 or 1"),
        (array("moving", lambda a: 1 - a), "'axes'"),
        (array("axes", lambda a: a[:-1]), "'scores.widths'"),
        (array("axes", lambda a: 30.0 * a), "less than a turn"),
        (array("axes", lambda a: a.astype(np.float64)), "float32"),
        (array("scores.widths", put((2, 0), 33)), "at most 32 bits"),
        (array("scores.widths", put((2, 0), 3)), "'scores.bits'"),
        (array("scores.bits", lambda a: a[:-1]), "'scores.bits'"),
        (array("scores.bits", put(slice(None), 255)), "less than a turn"),
        (array("seconds.bits", lambda a: ~a), "times from 0 on"),
        (array("seconds.bits", lambda a: 0 * a), "times from 0 on"),
        (array("anchors.bits", lambda a: np.append(a, a[:1])), "'anchors.bits'"),
        (array("contacts", lambda a: a[:-1]), "'contacts'"),
        (graph(lambda t: t.update(rings=[])), "rings"),
        (graph(lambda t: t.update(rings=t["rings"][:1] * (MOST_RINGS + 1))), "rings"),
        (graph(lambda t: t.update(rings=t["rings"][:1] * 2)), "different names"),
        (graph(lambda t: t.update(rings=t["rings"][1:2])), "the ring 'rest': expected"),
        (graph(lambda t: t["rings"].append(dict(t["rings"][0], name="more"))), "the ring 'more': expected"),
        (graph(lambda t: t["rings"][1].update(figure=1)), "a number under 1 for a figure, found 1"),
        (graph(lambda t: t["rings"][1].update(figure=-1)), "figure"),
        (graph(lambda t: t["rings"][1].update(name=None)), "name"),
        (graph(lambda t: t["rings"][0]["ring"].update(resting=True) or t["rings"].pop()), "goes somewhere"),
        (graph(lambda t: t.update(labels={"snow": "ski"})), "'ski'"),
        (graph(lambda t: t.update(labels={str(k): "walk" for k in range(1001)})), "labels"),
        (graph(lambda t: t.update(figures=[])), "figures"),
        (graph(lambda t: t["figures"].append(t["figures"][0])), "expected an array"),
        (graph(lambda t: t.update(figures=t["figures"] * 30)), f"at most {MOST_JOINTS} joints, found 1620"),
        (array("ring 1.mean", put((3, 0), np.nan), good_graph), "the ring 'rest': expected numbers"),
        (array("figure 0.parents", put(4, 7), good_graph), "parents"),
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
    for name, own in tensors.load(good_ring()).items():
        short = own[: len(own) - 1] if own.size else own[None]
        other = own.astype(np.float16 if own.dtype != np.uint8 else np.int8)
        for wrong in (None, own[..., None], other, own.reshape(1, *own.shape), short):
            with pytest.raises(LoadError):
                read_model(tampered(good_ring(), None, {name: wrong}))


def test_every_array_of_a_graph_is_needed() -> None:
    for name in tensors.load(good_graph()):
        with pytest.raises(LoadError, match="expected an array"):
            read_model(tampered(good_graph(), None, {name: None}))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
def test_no_array_holds_what_is_no_number(bad: float) -> None:
    rng = np.random.default_rng(0)
    for name, own in tensors.load(good_ring()).items():
        if own.dtype.kind == "f":
            damaged = own.copy()
            damaged.flat[rng.integers(own.size)] = bad
            with no_warnings(), pytest.raises(LoadError, match=f"'{name}'"):
                read_model(tampered(good_ring(), None, {name: damaged}))


def enlarged(joints: int, loops: int, frames: int, modes: int) -> bytes:
    """More joints, loops, frames and modes, none of which moves and so takes anything in the file; loops
    differ in where they set out alone.
    """
    own = small_ring().skeleton
    more, half = joints - len(own), frames // 2 + 1
    widths = np.zeros((3, 3), np.uint8)
    widths[0, 2] = 32
    places = np.repeat(2**31 + 100_000 * np.arange(loops, dtype=np.uint32), 2)
    bits = np.unpackbits(places[:, None].view(np.uint8), axis=1, bitorder="little")
    times = np.full(loops, 2**31 + int(2**20 * 60 / frames), np.uint32)
    arrays: dict[str, np.ndarray | None] = {
        "parents": np.concatenate([own.parents, np.zeros(more, np.int64)]),
        "offsets": np.concatenate([own.offsets, np.full((more, 3), 0.1)]),
        "rest": np.concatenate([own.rest, np.tile([1.0, 0.0, 0.0, 0.0], (more, 1))]),
        "mean": np.tile([1.0, 0.0, 0.0, 0.0], (joints, 1)),
        "importance": np.ones(joints),
        "moving": np.zeros(joints, np.uint8),
        "axes": np.zeros((modes, 0, 3), np.float32),
        "contacts": np.zeros(-(-loops * frames // 2), np.uint8),
        "scores.widths": np.zeros((3, modes), np.uint8),
        "scores.bits": np.zeros(0, np.uint8),
        "headings.widths": np.zeros((3, 1), np.uint8),
        "headings.bits": np.zeros(0, np.uint8),
        "anchors.widths": widths,
        "anchors.bits": np.packbits(bits),
        "seconds.widths": np.array([[32], [0], [0]], np.uint8),
        "seconds.bits": np.packbits(np.unpackbits(times[:, None].view(np.uint8), axis=1, bitorder="little")),
    }
    assert half > 2
    names = [*own.names, *(f"more{k}" for k in range(more))]

    def edit(text: dict[str, Any]) -> None:
        text["figure"].update(joints=names)
        text["ring"].update(loops=["a loop"] * loops, frames=frames)

    return tampered(good_ring(), edit, arrays)


@pytest.mark.parametrize(
    ("joints", "loops", "frames", "modes"),
    [(1000, 500, 2000, 1), (54, 500, 2000, 1), (54, 5, 60, 100_000), (5000, 5, 60, 1)],
)
def test_a_small_file_cannot_become_large(joints: int, loops: int, frames: int, modes: int) -> None:
    content = enlarged(joints, loops, frames, modes)
    with within_memory(len(content) + (20 << 20)), within_time(0.5), pytest.raises(LoadError, match="000"):
        read_model(content)


@pytest.mark.parametrize(
    ("joints", "loops", "frames"),
    [(54, MOST_LOOPS, 36), (54, 9, 2000), (MOST_JOINTS, 100, 10), (MOST_JOINTS, 2, 500)],
)
def test_the_largest_files_take_little_time(joints: int, loops: int, frames: int) -> None:
    assert 0.9 * MOST_TURNS < joints * loops * frames <= MOST_TURNS
    content = enlarged(joints, loops, frames, MOST_TURNS // (loops * frames))
    assert len(content) < 1 << 20
    with within_time(), within_memory():
        assert len(read_model(content, MotionRing)) == loops


@pytest.mark.parametrize("file", CASES)
def test_damaged_files(file: Callable[[], bytes], tmp_path: Path) -> None:
    """A LoadError that names the file, or a model that can be saved and synthesizes or refuses to."""
    outcomes = examined(file(), range(CASES[file]), tmp_path)
    assert outcomes["loaded"] > 0.2 * CASES[file], outcomes
    assert outcomes["refused"] > 0.2 * CASES[file], outcomes


@pytest.mark.slow
@pytest.mark.parametrize("file", [good_ring, good_graph])
def test_many_damaged_files(file: Callable[[], bytes], tmp_path: Path) -> None:
    examined(file(), range(1000, 1200), tmp_path)


def damaged(content: bytes, seed: int) -> bytes:
    """Every second time only what lies behind the header: most damage to a header is found at once."""
    rng = np.random.default_rng([9, seed])
    if seed % 2:
        return mutate(content, rng)
    begin = 8 + int.from_bytes(content[:8], "little")
    kind = (flip_bytes, random_bytes, extreme_bytes)[rng.integers(3)]
    return content[:begin] + kind(content[begin:], rng)[: len(content) - begin]


def examined(content: bytes, seeds: range, folder: Path) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    path = folder / "damaged.ffmodel"
    for seed in seeds:
        path.write_bytes(damaged(content, seed))
        with within_time(), no_warnings(), within_memory(100 << 20):
            model = load_or_refuse(path)
        outcomes["refused" if model is None else "loaded"] += 1
        if isinstance(model, MotionRing):
            saved = ring_bytes(model)
            assert ring_bytes(read_model(saved, MotionRing)) == saved
            check_sound(model)
        elif model is not None:
            saved = graph_bytes(model)
            assert graph_bytes(read_model(saved, RingGraph)) == saved
            check_sound(model[model.first])
    return outcomes


def load_or_refuse(path: Path) -> MotionRing | RingGraph | None:
    try:
        model = load_model(path)
    except LoadError as error:
        message = str(error)
    else:
        assert isinstance(model, MotionRing | RingGraph)
        return model
    assert str(path) in message
    assert message.isprintable()
    assert len(message) < 1000
    return None


def check_sound(ring: MotionRing) -> None:
    with warnings.catch_warnings(), suppress(FootfallError):
        warnings.simplefilter("ignore")
        made = ring.synthesize(steps=2, fps=15.0, **ring.space.named(ring.space.points[0]))
        assert np.isfinite(made.positions).all()
