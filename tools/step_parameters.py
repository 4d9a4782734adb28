"""Draws docs/pictures/step_parameters.png: the ten parameters of a step, seen from above and in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt

from footfall.actor.humanoid import humanoid
from footfall.geometry import ground
from footfall.picture.footprints import FILL, INK, footprint

TARGET = Path(__file__).parents[1] / "docs" / "pictures" / "step_parameters.png"
FIRST, SECOND = np.array([0.24, 0.0, -0.52]), np.array([0.20, 0.0, 0.55])  # of the left foot
TURNS = (np.radians(-14.0), np.radians(24.0))
GREY = "0.35"


def on_page(place: np.ndarray) -> np.ndarray:
    """Forward upwards, and so the figure's left to the left."""
    return np.stack([-place[..., 0], place[..., 2]], axis=-1)


def draw_print(axes: Any, side: str, place: np.ndarray, heading: float, *, faint: bool = False) -> None:
    rim = on_page(footprint(humanoid(), side, place, heading).outline)
    axes.fill(*rim.T, facecolor=FILL[side], edgecolor=INK[side], lw=1.5, alpha=0.45 if faint else 1.0)
    axes.plot(*on_page(place), "o", color=INK[side], ms=4)


def draw_angle(axes: Any, place: np.ndarray, heading: float, name: str) -> None:
    """From the support foot's forward to this foot's own."""
    reach = 0.33
    for angle, style in ((0.0, ":"), (heading, "-")):
        line = np.stack([place, place + reach * ground.direction_of(angle)])
        axes.plot(*on_page(line).T, style, color=GREY, lw=1)
    arc = place + 0.85 * reach * ground.direction_of(np.linspace(0.0, heading, 20))
    axes.plot(*on_page(arc).T, color=GREY, lw=1)
    x, y = on_page(place + 1.12 * reach * ground.direction_of(0.5 * heading))
    axes.text(x, y, name, ha="center", va="center", fontsize=11)


def draw_lengths(axes: Any, place: np.ndarray, number: int) -> None:
    x, y = on_page(place)
    arrow = {"arrowstyle": "<->", "color": GREY, "lw": 1, "shrinkA": 0, "shrinkB": 0}
    outside = -0.52
    axes.annotate("", (outside, 0.0), (outside, y), arrowprops=arrow)
    axes.text(outside - 0.03, 0.5 * y, f"$z_{number}$", ha="right", va="center", fontsize=11)
    axes.plot([outside, x], [y, y], ":", color=GREY, lw=0.8)
    across = y + (0.22 if y > 0 else -0.20)
    axes.annotate("", (0.0, across), (x, across), arrowprops=arrow)
    axes.plot([x, x], [y, across], ":", color=GREY, lw=0.8)
    axes.text(0.5 * x, across + 0.03, f"$x_{number}$", ha="center", va="bottom", fontsize=11)


def draw_from_above(axes: Any) -> None:
    axes.axvline(0.0, color=GREY, lw=0.8, ls=":")
    axes.plot([-0.52, 0.0], [0.0, 0.0], ":", color=GREY, lw=0.8)
    draw_print(axes, "right", np.zeros(3), 0.0)
    draw_print(axes, "left", FIRST, TURNS[0], faint=True)
    draw_print(axes, "left", SECOND, TURNS[1])
    for number, (place, turn) in enumerate(zip((FIRST, SECOND), TURNS, strict=True), start=1):
        draw_angle(axes, place, turn, rf"$\theta_{number}$")
        draw_lengths(axes, place, number)
    axes.text(0.10, 0.0, "support foot:\norigin, forward up", fontsize=9, va="center", color=INK["right"])
    axes.set_aspect("equal")
    axes.set_xlim(-0.66, 0.62)
    axes.set_ylim(-0.86, 0.98)
    axes.axis("off")


def draw_in_time(axes: Any) -> None:
    left = [(0.0, 0.7, "stance1"), (1.15, 0.72, "stance2")]
    for start, length, name in left:
        axes.barh(1.0, length, left=start, height=0.5, color=INK["left"])
        axes.text(start + 0.5 * length, 1.0, name, ha="center", va="center", color="white", fontsize=9)
    axes.barh(0.0, 0.98, left=0.5, height=0.5, color=INK["right"])
    axes.text(0.99, 0.0, "support", ha="center", va="center", color="white", fontsize=9)
    axes.annotate("", (0.7, 1.0), (1.15, 1.0), arrowprops={"arrowstyle": "<->", "color": GREY})
    axes.text(0.925, 1.08, "swing", ha="center", va="bottom", fontsize=9)
    for time, name in ((0.6, "start"), (0.7, "toe_off"), (1.15, "heel_strike"), (1.315, "end")):
        axes.axvline(time, ymin=0.1, ymax=0.86, color=GREY, lw=0.8, ls=(0, (2, 2)))
        axes.text(time, 1.55, name, rotation=40, ha="left", va="bottom", fontsize=9, color=GREY)
    axes.set_yticks([0.0, 1.0], ["support foot", "swing foot"], fontsize=9)
    axes.set_ylim(-0.5, 1.8)
    axes.set_xlim(-0.02, 1.9)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.set_xlabel("time", fontsize=9, color=GREY)
    for spine in axes.spines.values():
        spine.set_visible(False)


def main() -> None:
    figure = plt.figure(figsize=(9.2, 4.6), facecolor="white")
    draw_from_above(figure.add_axes((0.01, 0.01, 0.40, 0.98)))
    draw_in_time(figure.add_axes((0.50, 0.24, 0.49, 0.52)))
    figure.savefig(TARGET, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    main()
