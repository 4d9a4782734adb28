"""Connected rings drawn: a node a ring, an arrow and a cell a way, all numbers the graph's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.patches import Circle, FancyArrowPatch
from PIL import Image

from footfall.errors import RequestError
from footfall.picture.page import require_pyplot
from footfall.picture.ring_graph import NODE, draw_graph, graph_page, node_places, transition_costs
from tests.models.ring.rings import small_graph, small_ring


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    require_pyplot().close("all")


def test_an_arrow_for_every_way_and_none_more() -> None:
    graph = small_graph()
    left = graph_page(graph).axes[0]
    places = np.array([p.center for p in left.patches if isinstance(p, Circle)])
    assert len(places) == len(graph.rings)
    found = []
    for arrow in (p for p in left.patches if isinstance(p, FancyArrowPatch)):
        begin, end = (np.array(place) for place in arrow._posA_posB)
        first = int(np.linalg.norm(places - begin, axis=1).argmin())
        second = int(np.linalg.norm(places - end, axis=1).argmin())
        assert np.linalg.norm(places[first] - begin) == pytest.approx(NODE), "from rim to rim"
        found.append((first, second, arrow.get_linewidth()))
    assert sorted((a, b) for a, b, _ in found) == sorted(permutations(range(len(places)), 2))
    costs = transition_costs(graph)
    widths = np.array([width for *_, width in sorted(found, key=lambda way: costs[way[0], way[1]])])
    assert (np.diff(widths) <= 1e-12).all(), "the nearer, the thicker"


def test_every_cell_tells_its_own_way() -> None:
    graph = small_graph()
    right, names = graph_page(graph).axes[1], list(graph)
    cells = {tuple(t.get_position()): t.get_text() for t in right.texts}
    assert len(cells) == len(names) * (len(names) - 1)
    for (k, i), words in cells.items():
        way = graph.transition(names[i], names[k])
        numbers = [float(n) for n in re.findall(r"\d+", words)]
        told = [np.mean(way.cost), way.leave[0], way.enter[0], way.leave[1], way.enter[1]]
        assert numbers == pytest.approx(100.0 * np.array(told), abs=0.51)
    assert [t.get_text() for t in right.get_yticklabels()] == [f"from {name}" for name in names]


def test_costs_have_no_way_to_itself() -> None:
    costs = transition_costs(small_graph())
    assert np.isnan(np.diag(costs)).all()
    assert np.isfinite(costs[~np.eye(len(costs), dtype=bool)]).all()


def test_nodes_do_not_touch() -> None:
    for count in range(2, 13):
        places = node_places(count)
        apart = np.linalg.norm(places[:, None] - places, axis=-1) + 9.0 * np.eye(count)
        assert apart.min() > 2.0 * NODE


def test_the_file(tmp_path: Path) -> None:
    draw_graph(small_graph(), tmp_path / "graph.png")
    with Image.open(tmp_path / "graph.png") as picture:
        assert picture.size == (1540, 682)
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    rest = np.abs(pixels - [0xF4, 0xE3, 0xC3]).max(axis=-1) < 3
    going = np.abs(pixels - [0xDB, 0xE8, 0xF5]).max(axis=-1) < 3
    assert going.sum() == pytest.approx(2.0 * rest.sum(), rel=0.1), "two that go, one that rests"


def test_one_ring_alone(tmp_path: Path) -> None:
    draw_graph(small_ring(), tmp_path / "ring.png")
    assert "one ring of 5 loops" in graph_page(small_ring()).get_suptitle()
    assert (tmp_path / "ring.png").stat().st_size > 5_000


def test_what_is_no_graph_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="of a RingGraph, not of dict"):
        draw_graph({}, tmp_path / "a.png")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
