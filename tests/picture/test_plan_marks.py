"""Marks on plan maps: numbers in their soles, trunks as large as they are, names that cover no sole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.geometry.ground import direction_of, wrap
from footfall.picture.plan_map import draw_plan_map
from footfall.picture.plan_marks import MOST_NUMBERS, MOVED, TRUNK, TURNED, numbered, shown_trunks, stadium
from tests.picture.plans import PLAN, TRUNK_WAY, WALLS, map_of, steps, world

plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need the extra 'plot'")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


class TestNumbers:
    def test_few_enough_and_always_the_last(self) -> None:
        for count in (*range(1, 60), 100, 333, 1000):
            chosen = numbered(count)
            assert chosen[-1] == count
            assert len(chosen) <= MOST_NUMBERS + 1
            assert (np.diff(chosen) > 0).all()
            assert chosen[0] >= 1
            if len(chosen) > 2:
                assert len(set(np.diff(chosen[:-1]))) <= 1
                assert len(set(chosen[:-1] % 2)) == 2 or len(chosen) == 2  # of both feet

    def test_none_for_a_stand(self) -> None:
        assert len(numbered(0)) == 0
        assert not [
            t for t in map_of(draw_plan_map(None, (), plan=steps(0)))[0].texts if t.get_text().isdigit()
        ]

    def test_lie_in_their_soles(self) -> None:
        axes, _ = map_of(draw_plan_map(None, WALLS, plan=PLAN))
        soles = {p.get_gid(): p for p in axes.patches if p.get_gid()}
        told = {int(t.get_text()): t.get_position() for t in axes.texts if t.get_text().isdigit()}
        assert list(told) == list(range(1, 9))
        for step, place in told.items():
            assert soles[f"sole {step + 1}"].get_path().contains_point(place)


class TestTrunk:
    @pytest.mark.parametrize("heading", [0.0, 1.1, -2.5])
    def test_a_stadium_is_as_far_from_its_line_everywhere(self, heading: float) -> None:
        place = np.array([1.0, -2.0])
        rim = stadium(place, heading)[:, [0, 2]]
        left = direction_of(heading + 0.5 * np.pi)[[0, 2]]
        half = 0.5 * (TRUNK[0] - TRUNK[1])
        along = np.clip((rim - place) @ left, -half, half)
        assert_allclose(
            np.linalg.norm(rim - place - along[:, None] * left, axis=1), 0.5 * TRUNK[1], atol=1e-12
        )
        ahead = direction_of(heading)[[0, 2]]
        assert np.ptp((rim - place) @ left) == pytest.approx(0.50)
        assert np.ptp((rim - place) @ ahead) == pytest.approx(0.28)
        x, y = rim.T  # closed, and round once
        area = 0.5 * abs(x @ (np.roll(y, -1) - np.roll(y, 1)))
        assert area == pytest.approx(0.22 * 0.28 + np.pi * 0.14**2, rel=0.01)

    def test_drawn_often_enough_and_no_oftener(self) -> None:
        places, headings = TRUNK_WAY
        chosen = shown_trunks(places, headings)
        assert chosen[0] == 0
        assert chosen[-1] == len(places) - 1
        moved = np.hypot(*np.diff(places[chosen], axis=0).T)
        turned = np.abs(wrap(np.diff(headings[chosen])))
        assert ((moved >= MOVED) | (turned >= TURNED))[:-1].all()
        assert moved.max() < MOVED + 0.1

    def test_one_outline_for_each(self) -> None:
        axes, _ = map_of(draw_plan_map(None, WALLS, trunk=TRUNK_WAY))
        found = [p for p in axes.patches if (p.get_gid() or "").startswith("trunk")]
        assert [int(p.get_gid().split()[1]) for p in found] == shown_trunks(*TRUNK_WAY).tolist()

    def test_one_frame(self) -> None:
        draw_plan_map(None, (), trunk=(np.zeros((1, 2)), np.zeros(1)))


class TestLevels:
    def test_prints_on_other_levels_say_so(self) -> None:
        axes, _ = map_of(draw_plan_map(None, (), plan=steps(6, rise=0.17)))
        told = [t.get_text() for t in axes.texts if t.get_text().endswith(" m")]
        assert told
        assert set(told) <= {f"{0.17 * k:+.2f} m" for k in range(1, 7)}
        assert not [
            t for t in map_of(draw_plan_map(None, (), plan=PLAN))[0].texts if t.get_text().endswith(" m")
        ]


class TestEnds:
    def test_signs_and_their_names(self) -> None:
        start, goal = world(0.0, 0.0), world(0.0, 3.2)
        axes, _ = map_of(draw_plan_map(None, WALLS, plan=PLAN, start=start[[0, 2]], goal=goal))
        told = {
            t.get_text(): np.array(t.get_position()) for t in axes.texts if t.get_text() in ("start", "goal")
        }
        rings = [line for line in axes.lines if line.get_marker() == "o"]
        assert set(told) == {"start", "goal"}
        assert len(rings) == 3
        apart = np.linalg.norm(goal - start)
        assert np.hypot(*(rings[-1].get_xydata()[0] - rings[0].get_xydata()[0])) == pytest.approx(apart)
        soles = [p for p in axes.patches if (p.get_gid() or "").startswith("sole")]
        for place in told.values():
            assert not any(sole.get_path().contains_point(place) for sole in soles)
