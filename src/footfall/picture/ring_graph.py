"""Rings as nodes and the ways from one to another: what each costs, and at which phases it is taken.

The paper drew such a graph by hand; this one is found (see `transitions`). Left the graph, arrows dark and
thick where poses and velocities are near; right every pair in numbers.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.picture.page import require_pyplot, save_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (14.0, 6.2)  # inches
COLOURS = "viridis"
NODE = 0.20  # of the circle's radius on which the nodes lie
BEND = 0.10  # of an arrow's length, so that there and back lie beside each other
THIN, THICK = 0.8, 3.2  # points
RESTING, GOING = "#f4e3c3", "#dbe8f5"
DARK = 0.55  # of the colours' range: below it words are white


def draw_graph(graph: RingGraph | MotionRing, path: str | PathLike[str]) -> None:
    """Every ring and every way between two, written as the file's ending says."""
    save_page(graph_page(graph), Path(path))


def graph_page(graph: RingGraph | MotionRing, title: str = "") -> Figure:
    if not isinstance(graph, RingGraph | MotionRing):
        raise RequestError(f"a graph is drawn of a RingGraph, not of {type(graph).__name__}")
    plt = require_pyplot()
    from matplotlib.colors import Normalize

    graph = RingGraph.of(graph)
    costs = transition_costs(graph)
    known = costs[np.isfinite(costs)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    shade = plt.cm.ScalarMappable(Normalize(100.0 * low, 100.0 * max(high, low + 1e-6)), COLOURS)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=SIZE, layout="constrained", facecolor="white", width_ratios=(1.0, 1.35)
    )
    _draw_nodes(left, graph, costs, shade)
    _draw_pairs(right, graph, costs, shade)
    bar = figure.colorbar(shade, ax=right, shrink=0.85, pad=0.015)
    bar.set_label("how far apart poses and velocities are [cm]", fontsize=9)
    bar.ax.tick_params(labelsize=8)
    count, loops = len(graph.rings), sum(len(ring) for ring in graph.rings.values())
    told = f"{count} rings of {loops} loops in all, {len(known)} transitions"
    if count == 1:
        told = f"one ring of {loops} loops, and no other to go to"
    words = f"{title or 'Rings connected'}: {told}"
    figure.suptitle(words, fontsize=11, weight="bold", x=0.008, ha="left")
    return figure


def transition_costs(graph: RingGraph) -> Float[np.ndarray, "rings rings"]:
    """m from each ring to each other, the mean of both feet; nan from a ring to itself."""
    names = list(graph)
    return np.array(
        [[np.nan if a == b else np.mean(graph.transition(a, b).cost) for b in names] for a in names]
    ).reshape(len(names), len(names))


def node_places(count: int) -> Float[np.ndarray, "count 2"]:
    """On a circle, the first one on top, clockwise."""
    angle = 0.5 * np.pi - 2.0 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1) * min(count - 1, 1)


def _draw_nodes(axes: Any, graph: RingGraph, costs: Float[np.ndarray, "rings rings"], shade: Any) -> None:
    from matplotlib.patches import Circle, FancyArrowPatch

    places = node_places(len(graph.rings))
    order = np.argsort(np.nan_to_num(-costs, nan=-np.inf), axis=None)  # the nearest last, over the others
    low, high = (value / 100.0 for value in shade.get_clim())
    for pair in order:
        first, second = divmod(int(pair), len(places))
        cost = costs[first, second]
        if not np.isfinite(cost):
            continue
        along = places[second] - places[first]
        along = along / np.linalg.norm(along)
        near = (high - cost) / (high - low)
        axes.add_patch(
            FancyArrowPatch(
                places[first] + NODE * along, places[second] - NODE * along,
                connectionstyle=f"arc3,rad={BEND}", arrowstyle="-|>", mutation_scale=9.0 + 5.0 * near,
                lw=THIN + (THICK - THIN) * near, color=shade.to_rgba(100.0 * cost), shrinkA=1, shrinkB=1,
            )
        )  # fmt: skip
    for (name, ring), place in zip(graph.rings.items(), places, strict=True):
        axes.add_patch(Circle(place, NODE, fc=RESTING if ring.resting else GOING, ec="0.3", lw=1.2, zorder=3))
        axes.text(*place, f"{name}\n{_told(ring)}", ha="center", va="center", fontsize=8.5, zorder=4)
    axes.set_xlim(-1.0 - 1.3 * NODE, 1.0 + 1.3 * NODE)
    axes.set_ylim(-1.0 - 1.3 * NODE, 1.0 + 1.3 * NODE)
    axes.set_aspect("equal")
    axes.axis("off")


def _told(ring: MotionRing) -> str:
    seconds = float((ring.usual_weights @ ring.seconds).sum())
    return f"{len(ring)} loops\n{seconds:.2f} s"


def _draw_pairs(axes: Any, graph: RingGraph, costs: Float[np.ndarray, "rings rings"], shade: Any) -> None:
    names = list(graph)
    axes.imshow(100.0 * np.ma.masked_invalid(costs), cmap=shade.cmap, norm=shade.norm, aspect="auto")
    for i, first in enumerate(names):
        for k, second in enumerate(names):
            if i != k:
                _write(axes, (k, i), graph, first, second, float(shade.norm(100.0 * costs[i, k])))
    axes.set_xticks(range(len(names)), [f"to {name}" for name in names], fontsize=9)
    axes.set_yticks(range(len(names)), [f"from {name}" for name in names], fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(
        "cost [cm], then the phase at which the one is left and the other entered [% of the half cycle],\n"
        "standing on the left foot and on the right",
        fontsize=9,
    )


def _write(
    axes: Any, place: tuple[int, int], graph: RingGraph, first: str, second: str, share: float
) -> None:
    way = graph.transition(first, second)
    lines = [f"{100.0 * np.mean(way.cost):.0f} cm"]
    lines += [
        f"{letter} {100.0 * leave:.0f} \N{RIGHTWARDS ARROW} {100.0 * enter:.0f} %"
        for letter, leave, enter in zip("LR", way.leave, way.enter, strict=True)
    ]
    axes.text(
        *place,
        "\n".join(lines),
        ha="center",
        va="center",
        fontsize=8,
        color="white" if share < DARK else "0.1",
    )
