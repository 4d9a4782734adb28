"""A plan from above and to scale: where one can walk, the path, the footprints, the trunk on its way.

The environment of [stepping] figure 8 is drawn so: a room, its obstacles, and numbered soles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.picture.footprints import planned_footprints
from footfall.picture.page import new_page, save_page
from footfall.picture.plan_frame import PlanFrame
from footfall.picture.plan_ground import draw_ground
from footfall.picture.plan_key import draw_key
from footfall.picture.plan_marks import (
    draw_ends,
    draw_levels,
    draw_numbers,
    draw_path,
    draw_soles,
    draw_trunk,
)
from footfall.planning.path import Path as WalkPath
from footfall.planning.standing import checked_place
from footfall.planning.walk_map import Obstacles, WalkMap, placed_at
from footfall.world.foot_plan import FootPlan
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDEST, TALLEST = 14.0, 8.5  # inches of the map
LARGEST = 3.0  # inches a metre
FINE = 130.0  # pixels an inch, of the ground
KEY, TITLE = 0.46, 0.36  # inches under and over the map
SIDE = 0.06  # inches beside it

Trunk = tuple[Float[np.ndarray, "frames 2"], Float[np.ndarray, "frames"]]


@dataclass(frozen=True, eq=False)
class PlanContent:
    """What there is to show, checked; every place has three coordinates."""

    placed: tuple[Placed, ...]
    path: WalkPath | None
    plan: FootPlan | None
    trunk: Trunk | None  # x and z, headings
    start: Float[np.ndarray, "3"] | None
    goal: Float[np.ndarray, "3"] | None
    skeleton: Skeleton

    @property
    def way(self) -> Float[np.ndarray, "n 3"]:
        """All places that are gone to, from the first to the last."""
        parts = [] if self.start is None else [self.start[None]]
        if self.plan is not None:
            parts += [p.outline for p in planned_footprints(self.skeleton, self.plan)]
        if self.trunk is not None:
            parts.append(np.insert(self.trunk[0], 1, self._level, axis=1))
        parts += [] if self.path is None else [self.path.points]
        parts += [] if self.goal is None else [self.goal[None]]
        return np.concatenate([np.zeros((0, 3)), *parts])

    @property
    def gone(self) -> Float[np.ndarray, "n 3"]:
        """The way without its ends, which have names that keep away from it."""
        return self.way[0 if self.start is None else 1 : None if self.goal is None else -1]

    @property
    def walked(self) -> Float[np.ndarray, "n 3"]:
        """Places whose levels are known: those of feet, else of the path."""
        if self.plan is not None and len(self.plan):
            return np.array([p.position for p in self.plan.placements])
        return np.zeros((0, 3)) if self.path is None else self.path.points

    @property
    def _level(self) -> float:
        walked = self.walked
        return float(walked[0, 1]) if len(walked) else 0.0


def save_plan_map(file: Path, walk_map: WalkMap | None, placed: Obstacles = (), **options: Any) -> None:
    """A plan map as PNG, or whatever matplotlib can write by the file's ending."""
    save_page(draw_plan_map(walk_map, placed, **options), file)


def draw_plan_map(
    walk_map: WalkMap | None,
    placed: Obstacles = (),
    *,
    path: WalkPath | None = None,
    plan: FootPlan | None = None,
    trunk: Trunk | None = None,
    start: Sequence[float] | None = None,
    goal: Sequence[float] | None = None,
    title: str | None = None,
    terrain: Ground | None = None,
    skeleton: Skeleton | None = None,
) -> Figure:
    """From above, with +X to the left of +Z. All is optional, but something there must be to show.

    `trunk` is where the trunk's middle is over the ground, (n, 2) in x and z, and where it faces, (n,).
    `terrain` draws the ground as it is; without it the floor is level. Soles are those of `skeleton`, else of
    the humanoid.
    """
    content = _checked(walk_map, placed, path, plan, trunk, start, goal, skeleton)
    if walk_map is None and not len(content.way) and not content.placed:
        raise RequestError("a plan map needs something to show: a walk map, obstacles, a path or a plan")
    frame = PlanFrame.of(content.way, [one.mesh()[0] for one in content.placed], _area(walk_map))
    scale = float(min(WIDEST / frame.size[0], TALLEST / frame.size[1], LARGEST))
    image = draw_ground(
        frame, scale * FINE, walked=content.walked, walk_map=walk_map, placed=content.placed, terrain=terrain
    )
    figure, axes, key = _page(frame, scale, title)
    bottom, right = frame.high[1] - image.shape[0] / (scale * FINE), image.shape[1] / (scale * FINE)
    axes.imshow(
        np.clip(image, 0, 1),
        extent=(frame.low[0], frame.low[0] + right, bottom, frame.high[1]),
        interpolation="antialiased",
    )
    _draw_way(axes, frame, content, scale)
    axes.set_xlim(frame.low[0], frame.high[0])
    axes.set_ylim(frame.low[1], frame.high[1])
    draw_key(key, frame, path=path is not None, soles=plan is not None, trunk=trunk is not None)
    return figure


def _draw_way(axes: Any, frame: PlanFrame, content: PlanContent, scale: float) -> None:
    """From what lies lowest to what lies on top."""
    if content.trunk is not None:
        draw_trunk(axes, frame, *content.trunk)
    if content.path is not None:
        draw_path(axes, frame, content.path)
    if content.plan is not None:
        prints = planned_footprints(content.skeleton, content.plan)
        draw_soles(axes, frame, prints, scale)
        draw_levels(axes, frame, prints, scale)
        draw_numbers(axes, frame, prints, scale)
    draw_ends(axes, frame, (content.start, content.goal), content.gone, scale)


def _page(frame: PlanFrame, scale: float, title: str | None) -> tuple[Figure, Any, Any]:
    """A figure with axes for the map, to scale, and for what explains it."""
    wide, tall = frame.size * scale
    over = TITLE if title else SIDE
    page = np.array([wide + 2.0 * SIDE, tall + KEY + over])
    figure = new_page(*page)
    axes = figure.add_axes((SIDE / page[0], KEY / page[1], wide / page[0], tall / page[1]))
    key = figure.add_axes((SIDE / page[0], 0.0, wide / page[0], KEY / page[1]))
    key.set_xlim(0.0, wide / scale)
    key.set_ylim(0.0, KEY / scale)
    for each in (axes, key):
        each.axis("off")
    if title:
        figure.text(SIDE / page[0], 1.0 - 0.25 / page[1], title, fontsize=12, weight="bold")
    return figure, axes, key


def _area(walk_map: WalkMap | None) -> Float[np.ndarray, "4 3"]:
    if walk_map is None:
        return np.zeros((4, 3))
    lattice = walk_map.surfaces.lattice
    return np.array(
        [[x, 0.0, z] for x in (lattice.low[0], lattice.high[0]) for z in (lattice.low[1], lattice.high[1])]
    )


def _checked(
    walk_map: object,
    placed: Obstacles,
    path: object,
    plan: object,
    trunk: object,
    start: object,
    goal: object,
    skeleton: Skeleton | None,
) -> PlanContent:
    for name, value, kind in (("map", walk_map, WalkMap), ("path", path, WalkPath), ("plan", plan, FootPlan)):
        if value is not None and not isinstance(value, kind):
            raise RequestError(
                f"the {name} of a plan map must be a {kind.__name__}, not {type(value).__name__}"
            )
    assert path is None or isinstance(path, WalkPath)
    assert plan is None or isinstance(plan, FootPlan)
    ends = [
        None if p is None else np.array([p[0], p[1] if len(p) == 3 else 0.0, p[-1]])
        for p in (None if e is None else checked_place(e, w) for e, w in ((start, "start"), (goal, "goal")))
    ]
    return PlanContent(
        placed_at(placed), path, plan, _checked_trunk(trunk), ends[0], ends[1], skeleton or humanoid()
    )


def _checked_trunk(trunk: object) -> Trunk | None:
    if trunk is None:
        return None
    try:
        places, headings = (np.asarray(part, dtype=float) for part in trunk)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        places, headings = np.zeros(0), np.zeros(0)
    fits = places.ndim == 2 and places.shape[1] == 2 and headings.shape == places.shape[:1]
    if not fits or not len(places) or not np.isfinite(places).all() or not np.isfinite(headings).all():
        raise RequestError("the trunk must be two arrays: x and z for every frame, and as many headings")
    return places, headings
