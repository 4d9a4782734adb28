"""How far blends are from what was asked, over a kind's parameters: [movements] figure 1.

Left the error (maximum norm, in the metric) inside the examples' hull without pseudo-examples, in the middle
with them, on the right the worst error against their number. Of more than two parameters two are shown and
the others held at the examples' median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.models.movements.kind import MovementKind
from footfall.picture.page import require_pyplot, save_page
from footfall.weights.pseudo_examples import Refinement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELLS = 200  # along each side of a map
ROWS = 2048  # blends measured in one go, to bound memory
NEAR = 0.10  # m in the metric: what is farther from a slice is drawn pale
AROUND = 0.04  # of a map's width, beyond the examples
PAPER_BEFORE, PAPER_AFTER = 3.3, 1.0  # cm, [movements] 7
SIZE = (12.0, 3.9)  # inches
COLOURS = "YlOrRd"


@dataclass(frozen=True, eq=False)
class ErrorMap:
    """Errors over two parameters, on a grid of places inside the hull."""

    kind: MovementKind
    across: tuple[int, int]  # the parameters shown: to the right, and up
    x: Float[np.ndarray, "columns"]  # in the parameters' own units
    y: Float[np.ndarray, "rows"]
    errors: Float[np.ndarray, "rows columns"]  # m in the metric; nan outside the hull

    @classmethod
    def of(cls, kind: MovementKind, across: Sequence[str] | None = None, *, cells: int = CELLS) -> ErrorMap:
        """Over the first two parameters, or over those named; the others are held at their median."""
        columns = _columns(kind, across)
        low, high = (bound[list(columns)] for bound in kind.space.bounds)
        x, y = np.linspace(low, high, cells).T
        places = np.tile(middle(kind), (cells, cells, 1))
        places[..., columns[0]], places[..., columns[1]] = x[None, :], y[:, None]
        inside = kind.space.contains(places)
        errors = np.full(inside.shape, np.nan)
        errors[inside] = blend_errors(kind, places[inside])
        return cls(kind, columns, x, y, errors)

    @property
    def names(self) -> tuple[str, str]:
        names = self.kind.space.names
        return names[self.across[0]], names[self.across[1]]

    @property
    def held(self) -> str:
        """The parameters that do not change over the map, in words; empty where there are none."""
        space, at = self.kind.space, middle(self.kind)
        return ", ".join(
            f"{name} {at[k]:.2f} {space.units[k]}"
            for k, name in enumerate(space.names)
            if k not in self.across
        )

    @property
    def worst(self) -> float:
        """m in the metric; 0 where the slice misses the hull."""
        return float(np.max(self.errors, initial=0.0, where=~np.isnan(self.errors)))

    def near(self, points: Float[np.ndarray, "n d"]) -> Bool[np.ndarray, "n"]:
        """Which of some parameters lie in the slice, or not far from it."""
        away = (points - middle(self.kind)) * self.kind.space.scales
        away[:, list(self.across)] = 0.0
        return np.linalg.norm(away, axis=-1) <= NEAR


def blend_errors(kind: MovementKind, places: Float[np.ndarray, "q d"]) -> Float[np.ndarray, "q"]:
    """How far the real parameters of blends are from those they were made for: maximum norm, metric."""
    asked = kind.space.to_metric(places)
    parts = [asked[k : k + ROWS] for k in range(0, len(asked), ROWS)]
    missed = [np.abs(kind.measured(kind.scheme(part)) - part).max(axis=-1) for part in parts]
    return np.concatenate([np.zeros(0), *missed])


def middle(kind: MovementKind) -> Float[np.ndarray, "d"]:
    """The median of each parameter over the examples."""
    return np.asarray(np.median(kind.space.points, axis=0), dtype=float)


def _columns(kind: MovementKind, across: Sequence[str] | None) -> tuple[int, int]:
    names = kind.space.names
    if len(names) < 2:
        raise RequestError(f"{kind.name} has one parameter, {names[0]}; an error map needs two")
    shown = tuple(names[:2] if across is None else across)
    if len(shown) != 2 or shown[0] == shown[1] or not set(shown) <= set(names):
        raise RequestError(
            f"an error map of {kind.name} is over two of {', '.join(names)}, not over {', '.join(shown)}"
        )
    return names.index(shown[0]), names.index(shown[1])


def draw_error_map(
    before: MovementKind,
    after: MovementKind,
    refinement: Refinement,
    *,
    across: Sequence[str] | None = None,
    title: str = "",
    cells: int = CELLS,
) -> Figure:
    """`after` and `refinement` are what `before.refined()` gives."""
    plt = require_pyplot()
    maps = [ErrorMap.of(kind, across, cells=cells) for kind in (before, after)]
    top = max(*(100.0 * m.worst for m in maps), 1e-9)
    figure, axes = plt.subplots(
        1, 3, figsize=SIZE, layout="constrained", facecolor="white", width_ratios=(1.0, 1.0, 1.05)
    )
    shown = [_draw_map(a, m, top) for a, m in zip(axes[:2], maps, strict=True)]
    bar = figure.colorbar(shown[0], ax=axes[:2], shrink=0.9, pad=0.02)
    bar.set_label("error [cm], largest of the parameters", fontsize=9)
    bar.ax.tick_params(labelsize=8)
    axes[0].set_title(f"{len(before.examples)} examples: {_centimetres(maps[0].worst)} at worst", fontsize=10)
    count = len(after.pseudo_points)
    axes[1].set_title(f"and {count} pseudo-examples: {_centimetres(maps[1].worst)}", fontsize=10)
    _draw_course(axes[2], refinement)
    held = maps[0].held
    words = f"{title or before.name}: " if held else title or before.name
    words += f"slice at {held} (median); pale: more than {100 * NEAR:.0f} cm away from it" if held else ""
    figure.suptitle(words, fontsize=11, weight="bold", x=0.01, ha="left")
    return figure


def _draw_map(axes: Any, errors: ErrorMap, top: float) -> Any:
    """One map with its examples (dots) and pseudo-examples (crosses); `top` is the scale's, in cm."""
    kind = errors.kind
    shown = axes.pcolormesh(
        errors.x,
        errors.y,
        100.0 * np.ma.masked_invalid(errors.errors),
        cmap=COLOURS,
        vmin=0.0,
        vmax=top,
        shading="nearest",
        rasterized=True,
    )
    for points, style in (
        (kind.space.points, {"marker": "o", "s": 22}),
        (kind.pseudo_points, {"marker": "x", "s": 34, "linewidths": 1.5}),
    ):
        near = errors.near(points)
        for own, colour, order in ((~near, "0.68", 2), (near, "black", 3)):
            axes.scatter(*points[own][:, list(errors.across)].T, color=colour, zorder=order, **style)
    axes.use_sticky_edges = False
    axes.margins(AROUND)
    for label, k in ((axes.set_xlabel, 0), (axes.set_ylabel, 1)):
        label(f"{errors.names[k]} [{kind.space.units[errors.across[k]]}]", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return shown


def _draw_course(axes: Any, refinement: Refinement) -> None:
    """The worst error found in the hull, after each pseudo-example; those given up at the end hollow."""
    errors, kept = 100.0 * refinement.errors, len(refinement.points)
    numbers = np.arange(len(errors))
    axes.plot(numbers, errors, color="0.1", lw=1.4, marker="o", ms=4, markerfacecolor="white", zorder=3)
    axes.plot(numbers[: kept + 1], errors[: kept + 1], "o", color="0.1", ms=4, zorder=4)
    for level, words in (
        (PAPER_BEFORE, f"paper, none: {PAPER_BEFORE:g} cm"),
        (PAPER_AFTER, f"paper, 10: {PAPER_AFTER:g} cm"),
    ):
        axes.axhline(level, color="0.55", lw=1.0, ls=(0, (4, 2)), zorder=1)
        axes.annotate(
            words, (1, level), (-2, 3), ("axes fraction", "data"), "offset points", fontsize=8, color="0.35",
            ha="right",
        )  # fmt: skip
    axes.set_xlim(-0.3, max(len(errors) - 1, 1) + 0.3)
    axes.set_ylim(0.0, 1.12 * max(PAPER_BEFORE, float(errors.max())))
    axes.set_title(f"in the whole hull: {errors[0]:.2f} to {errors[kept]:.2f} cm", fontsize=10)
    axes.set_xlabel("pseudo-examples", fontsize=9)
    axes.set_ylabel("worst error [cm]", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)


def _centimetres(metres: float) -> str:
    return f"{100.0 * metres:.2f} cm"


def save_error_map(
    before: MovementKind, after: MovementKind, refinement: Refinement, path: Path, **options: Any
) -> None:
    """As PNG, or whatever matplotlib can write by the file's ending."""
    save_page(draw_error_map(before, after, refinement, **options), path)
