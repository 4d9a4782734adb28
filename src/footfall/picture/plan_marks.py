"""What is drawn on the ground of a plan map: path, soles with numbers and levels, trunk, start and goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.ground import direction_of, wrap
from footfall.picture.footprints import FILL, INK, PLANNED, Footprint
from footfall.picture.plan_frame import PlanFrame
from footfall.picture.strip import apart_from_others
from footfall.planning.path import Path as WalkPath

TRUNK = (0.50, 0.28)  # m, width of the shoulders and depth of the chest: a stadium from above
TRUNK_INK = (0.20, 0.45, 0.35)
NOSE = 0.035  # m, of a point at the chest
MOVED, TURNED = 0.22, 0.45  # m or rad after which the trunk is drawn again
MOST_NUMBERS = 14
STRIDES = (
    1,
    3,
    5,
    15,
    25,
    75,
    125,
    375,
)  # steps from one number to the next: odd, so that both feet get some
LEVEL = 0.05  # m from the first print: what is higher or lower says so
ROOM = (0.42, 0.14)  # inches that the words of a level need
ENOUGH = 0.3  # inches from a word to the way
INCH = 72.0  # points
PAPER = (1.0, 1.0, 1.0)

ORDER = {"trunk": 2, "path": 3, "soles": 4, "ends": 5, "words": 6}


def draw_path(axes: Any, frame: PlanFrame, path: WalkPath) -> None:
    line = frame.picture(path.points)
    for colour, width in ((PAPER, 3.6), (PLANNED, 1.8)):
        axes.plot(*line.T, color=colour, lw=width, solid_capstyle="round", zorder=ORDER["path"])


def draw_soles(axes: Any, frame: PlanFrame, prints: Sequence[Footprint], scale: float) -> None:
    """Later over earlier; `scale` is inches a metre."""
    width = float(np.clip(0.45 * scale, 0.5, 1.1))
    for k, sole in enumerate(prints):
        rim = frame.picture(sole.outline)
        axes.fill(
            *rim.T,
            facecolor=FILL[sole.foot],
            edgecolor=INK[sole.foot],
            lw=width,
            zorder=ORDER["soles"] + 1e-4 * k,
            gid=f"sole {k}",
        )


def numbered(count: int) -> Int[np.ndarray, "n"]:
    """Which of so many steps get a number, counted from 1: few enough to read, and always the last."""
    if count < 1:
        return np.zeros(0, dtype=int)
    stride = next((s for s in STRIDES if count / s <= MOST_NUMBERS), STRIDES[-1])
    chosen = np.arange(stride, count + 1, stride)
    if count - (chosen[-1] if len(chosen) else 0) > 0:
        chosen = np.append(chosen[chosen <= count - 0.5 * stride], count)
    return chosen


def draw_numbers(axes: Any, frame: PlanFrame, prints: Sequence[Footprint], scale: float) -> None:
    """In the soles: the first two are where the feet start, the third is step 1."""
    size = float(np.clip(0.055 * scale * INCH, 5.0, 8.0))
    for step in numbered(len(prints) - 2):
        sole = prints[step + 1]
        # under the ball, where a sole is widest
        heel, toe = sole.outline[0], sole.outline[len(sole.outline) // 2]
        place = frame.picture(heel + 0.62 * (toe - heel))
        _words(axes, place, str(step), size, INK[sole.foot], weight="bold")


def draw_levels(axes: Any, frame: PlanFrame, prints: Sequence[Footprint], scale: float) -> None:
    """How much higher than the first print others are, beside them on their outer sides."""
    raised = [p for p in prints if abs(p.level - prints[0].level) > LEVEL]
    outer = {"left": 1.0, "right": -1.0}
    places = []
    for p in raised:
        heel, toe = p.outline[0], p.outline[len(p.outline) // 2]
        ahead = (toe - heel) / max(float(np.linalg.norm(toe - heel)), 1e-9)
        aside = np.array([ahead[2], 0.0, -ahead[0]]) * outer[p.foot]
        places.append(frame.picture(0.5 * (heel + toe) + (0.07 + 0.22 / scale) * aside))
    room = np.array(ROOM) / scale
    for k in apart_from_others(np.array(places).reshape(-1, 2), room):
        words = f"{raised[k].level - prints[0].level:+.2f} m"
        _words(axes, places[k], words, 6.5, (0.25, 0.25, 0.25))


def stadium(
    place: Float[np.ndarray, "2"], heading: float, size: tuple[float, float] = TRUNK
) -> Float[np.ndarray, "n 3"]:
    """The outline of a trunk at x and z: half circles at the shoulders, from the right one's front round."""
    width, depth = size
    turn = np.linspace(0.0, np.pi, 17)
    aside, ahead = 0.5 * depth * np.sin(turn), 0.5 * depth * np.cos(turn)
    half = 0.5 * (width - depth)
    left = np.concatenate([half + aside, -half - aside])
    front = np.concatenate([ahead, -ahead])
    middle = np.array([place[0], 0.0, place[1]])
    return (
        middle + left[:, None] * direction_of(heading + 0.5 * np.pi) + front[:, None] * direction_of(heading)
    )


def shown_trunks(places: Float[np.ndarray, "n 2"], headings: Float[np.ndarray, "n"]) -> Int[np.ndarray, "k"]:
    """Frames in which the trunk is drawn: the first, the last, and each some way from the one before."""
    chosen = [0]
    for k in range(1, len(places)):
        moved = float(np.hypot(*(places[k] - places[chosen[-1]])))
        turned = abs(float(wrap(headings[k] - headings[chosen[-1]])))
        if moved >= MOVED or turned >= TURNED:
            chosen.append(k)
    if chosen[-1] != len(places) - 1:
        chosen.append(len(places) - 1)
    return np.array(chosen)


def draw_trunk(
    axes: Any, frame: PlanFrame, places: Float[np.ndarray, "n 2"], headings: Float[np.ndarray, "n"]
) -> None:
    """Faintly; a point tells which way it faces."""
    for k in shown_trunks(places, headings):
        rim = frame.picture(stadium(places[k], float(headings[k])))
        style = {"lw": 0.7, "zorder": ORDER["trunk"], "gid": f"trunk {k}"}
        axes.fill(*rim.T, facecolor=(*TRUNK_INK, 0.07), edgecolor=(*TRUNK_INK, 0.45), **style)
        ahead = direction_of(float(headings[k]))
        aside = 0.6 * NOSE * direction_of(float(headings[k]) + 0.5 * np.pi)
        chest = np.array([places[k][0], 0.0, places[k][1]]) + 0.5 * TRUNK[1] * ahead
        point = chest + np.outer([-1.0, 1.0, 0.0], aside) - np.outer([1.0, 1.0, 0.0], NOSE * ahead)
        axes.fill(*frame.picture(point).T, color=(*TRUNK_INK, 0.5), lw=0.0, zorder=ORDER["trunk"])


def draw_ends(
    axes: Any,
    frame: PlanFrame,
    ends: tuple[Float[np.ndarray, "3"] | None, Float[np.ndarray, "3"] | None],
    way: Float[np.ndarray, "n 3"],
    scale: float,
) -> None:
    """A ring where it begins, a target where it ends; their names beside the way, where there is room."""
    ink = (0.10, 0.10, 0.10)
    signs = (("start", ((9.0, "none"),)), ("goal", ((11.0, "none"), (4.0, ink))))
    for place, (words, rings) in zip(ends, signs, strict=True):
        if place is None:
            continue
        at = frame.picture(place)
        for size, face in rings:
            axes.plot(*at, "o", ms=size, mec=ink, mfc=face, mew=1.5, zorder=ORDER["ends"])
        _words(axes, _beside(at, frame, frame.picture(way), scale), words, 8.0, ink)


def _beside(
    at: Float[np.ndarray, "2"], frame: PlanFrame, way: Float[np.ndarray, "n 2"], scale: float
) -> Float[np.ndarray, "2"]:
    """Of some places round one in the picture, the one that is farthest from the way."""
    turn = 0.25 * np.pi * np.arange(8)
    round_it = np.stack([1.3 * np.sin(turn), -np.cos(turn)], axis=-1)  # words are wider than tall
    tried = np.concatenate([at + far * round_it for far in (0.2 / scale, 0.2, 0.34)])
    tried = np.clip(tried, frame.low + 0.2 / scale, frame.high - 0.2 / scale)
    room = np.linalg.norm(tried[:, None] - way, axis=-1).min(axis=1, initial=np.inf)
    return tried[int(np.argmax(np.minimum(room, ENOUGH / scale)))]


def _words(
    axes: Any,
    place: Float[np.ndarray, "2"],
    words: str,
    size: float,
    colour: tuple[float, float, float],
    **style: Any,
) -> None:
    """Words with a light rim, which can be read on any ground."""
    from matplotlib.patheffects import withStroke

    axes.text(
        *place,
        words,
        ha="center",
        va="center",
        fontsize=size,
        color=colour,
        zorder=ORDER["words"],
        path_effects=[withStroke(linewidth=1.8, foreground=PAPER)],
        clip_on=True,
        **style,
    )
