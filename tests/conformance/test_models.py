"""What every model keeps, whatever system it is of. A new model is one more line in `MODELS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.align.smooth_time import generic_at
from footfall.errors import RequestError
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.models.load import load_model
from footfall.models.locomotion.model import Locomotion
from footfall.models.movements.default import default_movements
from footfall.models.movements.model import MovementLibrary
from footfall.models.ring.model import MotionRing
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.step_table import ARRAYS
from tests.models.locomotion.spaces import actor_space
from tests.models.movements.libraries import FPS, snapped_library
from tests.models.reach.libraries import actor_library
from tests.models.ring.rings import resting_ring, small_ring
from tests.models.stepspace.spaces import small_space

EXACT = 5e-9  # m; what a model holds is stored to about 1e-9
AS_SAVED = 1e-5  # m: how far a joint may be from where it was before the model was saved


@dataclass(frozen=True)
class Asked:
    """A synthesis: what comes first by place (a kind), and the parameters by name."""

    first: tuple[str, ...]
    parameters: Mapping[str, float]

    def of(self, model: Any, **changed: Any) -> Motion:
        return model.synthesize(*self.first, **(dict(self.parameters) | changed))


@dataclass(frozen=True)
class Tried:
    """A model and what it is tried with."""

    make: Callable[[], Any]
    asked: tuple[Asked, ...]
    saved: bool  # has a file of its own
    exact: bool  # an example's parameters give that example back


MODELS = {
    "movements": Tried(
        snapped_library,
        (
            Asked(("left_step",), {"start_length": 0.3, "end_length": 0.5}),
            Asked(("right_step",), {"start_length": 0.35, "end_length": 0.4}),
            Asked(("jump",), {"length": 0.9}),
        ),
        saved=True,
        exact=True,
    ),
    "walk edit": Tried(
        cache(lambda: ff.WalkEdit(ff.VirtualActor(seed=1).walk(1.3).motion)),
        (Asked((), {"step_length": 0.7, "slope": 0.05}), Asked((), {"lift": 0.1, "curve": 0.1})),
        saved=False,
        exact=False,
    ),
    "step space": Tried(
        small_space,
        (
            Asked(("left",), {"x1": 0.2, "z1": -0.4, "x2": 0.18, "z2": 0.5, "theta1": 0.1, "theta2": 0.2}),
            Asked(
                ("right",), {"x1": -0.15, "z1": 0.3, "x2": -0.2, "z2": -0.35, "theta1": 0.1, "theta2": 0.0}
            ),
            Asked(("left",), {"x1": 0.2, "z1": 0.0, "x2": 0.5, "z2": 0.02, "theta1": 0.1, "theta2": 0.1}),
        ),
        saved=True,
        exact=False,
    ),
    "ring": Tried(
        small_ring,
        (
            Asked((), {"turn": 0.05, "step_length": 0.6, "rise": 0.02}),
            Asked((), {"turn": -0.1, "step_length": 0.62, "rise": -0.01}),
        ),
        saved=True,
        exact=False,
    ),
    "reach": Tried(
        actor_library,
        (
            Asked(("right",), {"position": np.array([-0.2, 1.1, 0.4])}),
            Asked(("left",), {"position": np.array([0.1, 0.6, 0.35])}),
        ),
        saved=True,
        exact=False,
    ),
    "locomotion": Tried(
        actor_space,
        (
            Asked((), {"speed": 1.2, "turn_rate": 0.1, "side_speed": 0.05}),
            Asked((), {"speed": -0.4, "turn_rate": 0.2, "side_speed": 0.0}),
            Asked((), {"speed": 0.1, "turn_rate": -0.1, "side_speed": 0.4}),
            Asked((), {"speed": 2.1, "turn_rate": -0.2, "side_speed": 0.0}),
        ),
        saved=True,
        exact=False,
    ),
    "resting ring": Tried(
        resting_ring, (Asked((), {"rise": 0.05, "ahead": -0.03}),), saved=True, exact=False
    ),
}


@pytest.fixture(scope="module", params=MODELS)
def tried(request: pytest.FixtureRequest) -> Tried:
    return MODELS[request.param]


@pytest.fixture(scope="module")
def model(tried: Tried) -> Any:
    return tried.make()


@pytest.fixture(scope="module")
def again(tried: Tried, model: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The model after it was saved and loaded."""
    if not tried.saved:
        pytest.skip("a walk edit has no file of its own: the clip it is made from is one")
    path = tmp_path_factory.mktemp("models") / "model.ffmodel"
    model.save(path)
    return load_model(path)


def apart(a: Motion, b: Motion) -> float:
    """The farthest that any joint is from itself, over the frames both have."""
    frames = min(len(a), len(b))
    return float(np.linalg.norm(a.positions[:frames] - b.positions[:frames], axis=-1).max())


def assert_same(a: Motion, b: Motion) -> None:
    assert a.fps == b.fps
    assert_array_equal(a.root, b.root)
    assert_array_equal(a.rotations, b.rotations)
    assert a.contacts is not None
    assert b.contacts is not None
    assert_array_equal(a.contacts.heel, b.contacts.heel)
    assert_array_equal(a.contacts.toe, b.contacts.toe)


def test_the_same_again(tried: Tried, model: Any) -> None:
    for asked in tried.asked:
        assert_same(asked.of(model), asked.of(model))


def inputs(model: Any, made: Any) -> list[bytes]:
    """What a motion was made from: its examples, a step space's table of steps, or a ring's loops."""
    if isinstance(model, MotionRing):
        arrays = (model.scores, model.seconds, model.headings, model.anchors, model.contacts)
        return [array.tobytes() for array in (*arrays, *vars(model.geodesics).values())]
    if isinstance(model, Locomotion):
        return [array.tobytes() for array in vars(model.tables).values() if isinstance(array, np.ndarray)]
    if isinstance(model, StepSpace):
        return [getattr(model.left, name).tobytes() for name in ARRAYS]
    return [m.root.tobytes() + m.rotations.tobytes() for m in made.examples]


def test_inputs_stay_as_they_are(tried: Tried, model: Any) -> None:
    for asked in tried.asked:
        given = dict(asked.parameters)
        made = asked.of(model)
        before = inputs(model, made)
        assert before
        repeated = asked.of(model)
        assert before == inputs(model, made)
        assert given == dict(asked.parameters)
        assert not made.root.flags.writeable
        assert not made.rotations.flags.writeable
        assert_same(made, repeated)


def test_survives_save_and_load(tried: Tried, model: Any, again: Any) -> None:
    for asked in tried.asked:
        before, after = asked.of(model), asked.of(again)
        assert len(before) == len(after)
        assert apart(before, after) < AS_SAVED


def test_saved_again_it_is_the_same_file(model: Any, again: Any, tmp_path: Path) -> None:
    for number, one in enumerate((model, again)):
        one.save(tmp_path / f"{number}.ffmodel")
    assert (tmp_path / "0.ffmodel").read_bytes() == (tmp_path / "1.ffmodel").read_bytes()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, "far", [], {}])
def test_refuses_what_is_no_number(tried: Tried, model: Any, bad: object) -> None:
    for asked in tried.asked:
        for name in asked.parameters:
            with pytest.raises(RequestError):
                asked.of(model, **{name: bad})


@pytest.mark.parametrize("bad", [np.nan, 0.0, -30.0, 1e9, "fast"])
def test_refuses_rates_that_are_none(tried: Tried, model: Any, bad: object) -> None:
    for asked in tried.asked:
        with pytest.raises(RequestError):
            asked.of(model, fps=bad)


def test_continuous(tried: Tried, model: Any) -> None:
    """A step ten times smaller changes the motion about ten times less; a jump would not shrink."""
    for asked in tried.asked:
        for name, value in asked.parameters.items():
            base = asked.of(model)
            changes = [apart(base, asked.of(model, **{name: value + h})) for h in (1e-3, 1e-4, 1e-5)]
            assert changes[0] < 0.05
            assert changes[1] < 0.3 * changes[0]
            assert changes[2] < 0.3 * changes[1]


# What movement libraries declare: an example's parameters give that example back.


def test_unknown_names_are_refused() -> None:
    library = snapped_library()
    with pytest.raises(RequestError, match="left_step, right_step, jump"):
        library.synthesize("cartwheel")
    with pytest.raises(RequestError, match="'stride'"):
        library.synthesize("left_step", stride=0.5)
    with pytest.raises(RequestError, match="must name a kind"):
        library.play([{"length": 0.5}])


def test_exact_at_examples_as_played(tried: Tried, model: Any, again: Any) -> None:
    """Frame by frame, where the frames of movement and example coincide."""
    if not tried.exact:
        pytest.skip("does not say so")
    for library in (model, again):
        for kind in library.members:
            for example, point in zip(kind.examples, kind.space.points, strict=True):
                played = library.synthesize(kind.name, fps=FPS, constraints=False, **kind.space.named(point))
                first = round(example.lead * FPS)
                assert abs(example.lead * FPS - first) < 1e-7  # of a frame: keytimes are stored to 1e-9 s
                assert len(played) >= int(example.keytimes[-1] * FPS)
                own = example.motion[first : first + len(played)]
                assert len(own) == len(played)
                assert apart(played, own) < EXACT


def exactness(library: MovementLibrary) -> float:
    """The farthest that any joint is from any example's, at the example's own frames between its keytimes."""
    worst = 0.0
    for kind in library.members:
        for number, (example, point) in enumerate(zip(kind.examples, kind.space.points, strict=True)):
            times = example.motion.times - example.lead
            inside = (times >= 0.0) & (times <= example.keytimes[-1])
            generic = generic_at(times[inside], kind.tables.clocks[number])
            root, turns = kind.tables.blend(kind.weights(point), generic)
            skeleton = library.skeleton
            places, _ = kinematics.forward(skeleton.tree, skeleton.offsets, root, turns)
            away = np.linalg.norm(places - example.motion.positions[inside], axis=-1)
            assert len(away) > 5
            worst = max(worst, float(away.max()))
    return worst


def test_exact_at_all_examples_of_the_default_library() -> None:
    assert exactness(default_movements()) < EXACT
