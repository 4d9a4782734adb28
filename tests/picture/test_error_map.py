"""Error maps: what is drawn is the error, where the examples are, and nothing outside them."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import Delaunay

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import MissingExtra, RequestError
from footfall.models.movements.build import build_movements
from footfall.models.movements.kind import MovementKind
from footfall.picture.error_map import (
    NEAR,
    ErrorMap,
    blend_errors,
    draw_error_map,
    middle,
    save_error_map,
)
from footfall.weights.pseudo_examples import Refinement

CELLS = 41


@pytest.fixture(scope="module")
def steps() -> MovementKind:
    """Fifteen straight steps, two parameters, no pseudo-examples."""
    examples = [e for e in VirtualActor().perform("movements") if e.kind == "left_step"]
    return build_movements(examples, pseudo_examples=0).kinds["left_step"]


@pytest.fixture(scope="module")
def refined(steps: MovementKind) -> tuple[MovementKind, Refinement]:
    kind, refinement = steps.refined(5)
    assert refinement is not None
    return kind, refinement


@pytest.fixture(scope="module")
def general(steps: MovementKind) -> MovementKind:
    """The same steps by three parameters."""
    return MovementKind.of("left_step", steps.examples, ("start_length", "end_side", "end_length"))


class TestErrorMap:
    def test_it_is_empty_outside_the_hull_and_nowhere_else(self, steps: MovementKind) -> None:
        errors = ErrorMap.of(steps, cells=CELLS)
        places = np.stack(np.meshgrid(errors.x, errors.y), axis=-1)
        points = steps.space.points
        centre = points.mean(axis=0)
        surely, maybe = (
            Delaunay(centre + share * (points - centre)).find_simplex(places) >= 0 for share in (0.999, 1.001)
        )
        assert np.isfinite(errors.errors[surely]).all()
        assert np.isnan(errors.errors[~maybe]).all()
        assert (~maybe).sum() > 50  # the corner between the two shortest steps

    def test_values_are_those_of_blends(self, steps: MovementKind) -> None:
        """Each beside the parameters of a blend that is measured on its own, one weight row at a time."""
        errors = ErrorMap.of(steps, cells=CELLS)
        assert steps.measure is not None
        columns = [steps.measure.names.index(name) for name in steps.space.names]
        for row, column in ((37, 3), (20, 20), (7, 33), (33, 7)):
            asked = np.array([errors.x[column], errors.y[row]])
            got = steps.measure(steps.weights(asked)[None])[0, columns]
            assert errors.errors[row, column] == pytest.approx(np.abs(got - asked).max(), abs=1e-12)

    def test_examples_and_pseudo_examples_have_no_error(
        self, steps: MovementKind, refined: tuple[MovementKind, Refinement]
    ) -> None:
        kind, refinement = refined
        assert blend_errors(kind, kind.space.points).max() < 1e-9
        assert len(kind.pseudo_points) == len(refinement.points) > 0
        assert blend_errors(kind, kind.pseudo_points).max() < 1e-5
        assert blend_errors(steps, kind.pseudo_points).max() > 1e-3

    def test_refinement_lowers_the_worst(
        self, steps: MovementKind, refined: tuple[MovementKind, Refinement]
    ) -> None:
        """What the map finds on its grid is what the refinement told of the whole hull, and no more."""
        kind, refinement = refined
        before, after = (ErrorMap.of(k, cells=81).worst for k in (steps, kind))
        assert 0.9 * refinement.before < before < 1.05 * refinement.before
        assert 0.8 * refinement.after < after < 1.05 * refinement.after
        assert after < 0.6 * before

    def test_an_order_of_parameters_turns_the_map(self, steps: MovementKind) -> None:
        there = ErrorMap.of(steps, cells=21)
        back = ErrorMap.of(steps, ("end_length", "start_length"), cells=21)
        np.testing.assert_allclose(back.errors, there.errors.T, atol=1e-15)
        assert there.names == back.names[::-1] == ("start_length", "end_length")

    def test_a_slice_holds_the_others_at_their_median(self, general: MovementKind) -> None:
        errors = ErrorMap.of(general, ("start_length", "end_length"), cells=21)
        side = float(np.median(general.space.points[:, 1]))
        assert errors.held == f"end_side {side:.2f} m"
        row, column = (int(v) for v in np.argwhere(np.isfinite(errors.errors))[30])
        asked = np.array([[errors.x[column], side, errors.y[row]]])
        assert errors.errors[row, column] == pytest.approx(blend_errors(general, asked)[0])
        outside = np.argwhere(np.isnan(errors.errors))
        places = [[errors.x[c], side, errors.y[r]] for r, c in outside]
        assert not general.space.contains(np.array(places)).any()

    def test_near_is_told_across_the_slice_alone(self, general: MovementKind) -> None:
        errors = ErrorMap.of(general, ("start_length", "end_length"), cells=3)
        at = middle(general) + np.array([[5.0, 0.0, -5.0], [0.0, 0.9 * NEAR, 0.0], [0.0, 1.1 * NEAR, 0.0]])
        assert errors.near(at).tolist() == [True, True, False]

    @pytest.mark.parametrize(
        "across", [("start_length",), ("start_length", "turn"), ("end_side", "end_side")]
    )
    def test_other_parameters_are_refused(self, general: MovementKind, across: tuple[str, ...]) -> None:
        with pytest.raises(RequestError, match="two of start_length, end_side, end_length"):
            ErrorMap.of(general, across)

    def test_one_parameter_is_refused(self, steps: MovementKind) -> None:
        ends = [e for e in steps.examples if abs(e.prints[0][0].place[2] - e.prints[1][0].place[2]) < 0.05]
        with pytest.raises(RequestError, match="one parameter, end_length"):
            ErrorMap.of(MovementKind.of("left_step", ends, ("end_length",)))


class TestPicture:
    @pytest.fixture(autouse=True)
    def _plot(self) -> Iterator[None]:
        plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need the extra 'plot'")
        yield
        plt.close("all")

    def test_what_is_drawn(self, steps: MovementKind, refined: tuple[MovementKind, Refinement]) -> None:
        kind, refinement = refined
        figure = draw_error_map(steps, kind, refinement, title="steps", cells=CELLS)
        left, between, right, bar = figure.axes
        assert "[cm]" in bar.get_ylabel()
        assert _dots(left).tolist() == steps.space.points.tolist()
        both = np.concatenate([kind.space.points, kind.pseudo_points])
        assert _dots(between).tolist() == both.tolist()
        worst = 100.0 * np.nanmax(ErrorMap.of(steps, cells=CELLS).errors)
        for axes in (left, between):  # one scale for both
            assert axes.collections[0].get_clim() == pytest.approx((0.0, worst))
        numbers, told = right.lines[0].get_data()
        assert numbers.tolist() == list(range(len(refinement.errors)))
        np.testing.assert_allclose(told, 100.0 * refinement.errors)
        assert {line.get_ydata()[0] for line in right.lines[2:]} == {3.3, 1.0}

    def test_a_slice_says_where_it_is(self, general: MovementKind) -> None:
        kind, refinement = general.refined(1)
        assert refinement is not None
        figure = draw_error_map(general, kind, refinement, across=("start_length", "end_length"), cells=5)
        assert "slice at end_side" in figure.get_suptitle()

    def test_the_same_file_twice(
        self, steps: MovementKind, refined: tuple[MovementKind, Refinement], tmp_path: Path
    ) -> None:
        kind, refinement = refined
        for name in ("a.png", "b.png"):
            save_error_map(steps, kind, refinement, tmp_path / name, cells=9)
        first, second = ((tmp_path / name).read_bytes() for name in ("a.png", "b.png"))
        assert first == second
        assert first.startswith(b"\x89PNG")

    def test_without_matplotlib_the_extra_is_named(
        self,
        steps: MovementKind,
        refined: tuple[MovementKind, Refinement],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        real = builtins.__import__

        def without(name: str, *rest: object) -> object:
            if name.split(".")[0] == "matplotlib":
                raise ImportError(name)
            return real(name, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(MissingExtra, match=r"pip install 'footfall\[plot\]'"):
            save_error_map(steps, *refined, tmp_path / "a.png")
        assert not list(tmp_path.iterdir())


def _dots(axes: Any) -> np.ndarray:
    """Places of everything that is scattered over a map."""
    return np.concatenate([np.asarray(c.get_offsets()).reshape(-1, 2) for c in axes.collections[1:]])
