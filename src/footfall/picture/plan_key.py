"""What explains a plan map, under it: a scale bar, which way the world's axes go, and the signs used."""

from __future__ import annotations

from typing import Any

import numpy as np

from footfall.geometry.ground import direction_of
from footfall.picture.footprints import FILL, INK, PLANNED
from footfall.picture.plan_frame import PlanFrame
from footfall.picture.plan_marks import TRUNK_INK

BARS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)  # m
LONGEST = 0.22  # of the map's width
DARK, FAINT = "0.15", "0.35"


def bar_length(width: float) -> float:
    """m: the longest round length that is not too long for a map so many metres wide."""
    return max((bar for bar in BARS if bar <= LONGEST * width), default=LONGEST * width)


def draw_key(axes: Any, frame: PlanFrame, *, path: bool, soles: bool, trunk: bool) -> None:
    """On axes in metres that have the map's scale."""
    wide, tall = axes.get_xlim()[1], axes.get_ylim()[1]
    length, level = bar_length(wide), 0.62 * tall
    left = 0.05 * tall
    halves = np.array([left, left + 0.5 * length, left + length])
    axes.plot(halves[[0, 2]], [level, level], color=DARK, lw=4.0, solid_capstyle="butt", gid="scale bar")
    axes.plot(halves[1:], [level, level], color="white", lw=2.4, solid_capstyle="butt")
    axes.text(halves.mean(), 0.20 * tall, f"{length:g} m", fontsize=8, ha="center", va="center", color=DARK)
    _draw_axes(axes, frame, np.array([halves[2] + 1.1 * tall, 0.5 * tall]), 0.36 * tall)
    handles = _signs(path=path, soles=soles, trunk=trunk)
    if handles:
        axes.legend(
            handles=handles,
            loc="center right",
            ncols=len(handles),
            frameon=False,
            fontsize=8,
            handlelength=1.6,
            columnspacing=1.4,
            borderaxespad=0.1,
        )


def _draw_axes(axes: Any, frame: PlanFrame, middle: np.ndarray, size: float) -> None:
    """Arrows along +X and +Z as the picture shows them, from one corner."""
    ways = {name: frame.picture(direction_of(h)) for name, h in (("x", 0.5 * np.pi), ("z", 0.0))}
    corner = middle - 0.5 * size * (ways["x"] + ways["z"])
    arrow = {"arrowstyle": "-|>", "color": FAINT, "lw": 1.0, "mutation_scale": 7, "shrinkA": 0, "shrinkB": 0}
    for name, way in ways.items():
        axes.annotate("", tuple(corner + size * way), xytext=tuple(corner), arrowprops=arrow)
        axes.text(*(corner + 1.4 * size * way), name, fontsize=7.5, ha="center", va="center", color=FAINT)


def _signs(*, path: bool, soles: bool, trunk: bool) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    found: list[Any] = []
    if soles:
        found += [Patch(facecolor=FILL[s], edgecolor=INK[s], label=f"{s} foot") for s in ("left", "right")]
    if trunk:
        found.append(Patch(facecolor=(*TRUNK_INK, 0.07), edgecolor=(*TRUNK_INK, 0.45), label="trunk"))
    if path:
        found.append(Line2D([], [], color=PLANNED, lw=1.8, label="path"))
    return found
