"""The search for the next strike, drawn: [rings] figure 5.

Left the figure as it is now, with the centres of all contact spheres of the foot that comes next: those that
touch the ground green, the chosen one red, the others grey. Right the figure at the strike that was found,
and the chosen sphere alone. What lies in the ground is seen through it, paler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.walker import RingWalker
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Colour, Mark
from footfall.picture.page import WIDE, require_pyplot, save_page
from footfall.picture.stage import Stage
from footfall.world.terrain import Terrain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FREE: Colour = (0.66, 0.66, 0.68)
TOUCHING: Colour = (0.20, 0.68, 0.24)
CHOSEN: Colour = (0.88, 0.10, 0.12)
GROUND: Colour = (0.86, 0.84, 0.79)
WISH: Colour = (0.10, 0.10, 0.12)
BALL, CHOSEN_BALL = 0.018, 0.032  # m: spheres as they are would hide each other
BURIED, BURIED_CHOSEN = 0.35, 0.8  # how much is seen of balls in the ground,
WHOLE = 0.22  # and of a sphere in its true size
ARROW = 0.9  # m
WIDTH = 900  # pixels of each picture
TICK, LONGEST = 1.0 / 240.0, 3.0  # s: how finely, and how long at most, the next strike is waited for
AROUND = 0.25  # m of ground shown beyond the figures and the spheres


@dataclass(frozen=True, eq=False)
class Search:
    """Contact spheres in the world, as a walker's last search had them."""

    centres: Float[np.ndarray, "spheres 3"]
    touching: Bool[np.ndarray, "spheres"]
    chosen: int | None  # None where nothing fitted
    radius: float  # m
    foot: str  # the one that comes down next
    origin: Float[np.ndarray, "3"]  # of the half cycle's frame
    wish: float  # rad: the heading that was asked for

    @classmethod
    def of(cls, walker: RingWalker) -> Search:
        from footfall.models.ring.handover_kernel import origin_now

        ring, state = walker.ring, walker.state
        if ring.resting:
            raise RequestError(
                "this gait rests, and a rest looks for no strike: ask for one that goes, and let it set out"
            )
        half, extra = int(state[layout.HALF]), float(state[layout.EXTRA_TO])
        spheres, origin = ring.spheres[half], origin_now(state, extra)
        first = layout.SCALARS + 3 * len(ring)
        touching = state[first : first + len(spheres)] > 0.5
        chosen = int(state[layout.CHOSEN])
        found = bool(touching[chosen]) and state[layout.STATUS] != layout.STANDING
        frame = ground.turn(float(state[layout.HEADING]) + extra)
        return cls(
            origin + quat.rotate(frame, spheres.centres),
            touching,
            chosen if found else None,
            spheres.radius,
            SIDES[1 - half],
            origin,
            float(state[layout.WISH_HEADING]),
        )

    @property
    def colours(self) -> Float[np.ndarray, "spheres 3"]:
        colours = np.where(self.touching[:, None], TOUCHING, FREE)
        if self.chosen is not None:
            colours[self.chosen] = CHOSEN
        return colours


def draw_search(gait: GaitController, path: str | PathLike[str], *, terrain: Terrain) -> None:
    """Where a gait's next foot may come down on the terrain it walks on; written as the file's ending says.

    >>> draw_search(gait, "search.png", terrain=hills)

    The gait is not moved.
    """
    save_page(search_page(gait, terrain), Path(path))


def search_page(
    gait: GaitController, terrain: Terrain, *, view: str = "three-quarter", title: str = ""
) -> Figure:
    if not isinstance(gait, GaitController):
        raise RequestError(f"a search is drawn of a GaitController, not of {type(gait).__name__}")
    plt = require_pyplot()
    search, figures = Search.of(gait.walker), _figures(gait.walker)
    images = _images(search, figures, terrain, view)
    tall = images[0].shape[0] / images[0].shape[1] * 0.5 * WIDE
    total = tall + 0.62
    page = plt.figure(figsize=(WIDE, total), facecolor="white")
    for k, image in enumerate(images):
        axes = page.add_axes((0.003 + 0.5 * k, 0.28 / total, 0.494, tall / total))
        axes.imshow(np.clip(image, 0.0, 1.0), aspect="auto", interpolation="antialiased")
        axes.axis("off")
    words = ("(a) the search", "(b) the next strike")
    for k in range(len(images)):
        told = f"{title}: {words[k]}" if title and k == 0 else words[k]
        page.text(0.008 + 0.5 * k, 1.0 - 0.22 / total, told, fontsize=11, weight="bold")
    _legend(page, search, total)
    return page


def _legend(page: Any, search: Search, total: float) -> None:
    from matplotlib.lines import Line2D

    count, touching = len(search.centres), int(search.touching.sum())
    kinds = [
        (
            TOUCHING,
            f"{touching} of {count} spheres touch the ground (r = {search.radius:.2f} m, centres shown)",
        )
    ]
    if search.chosen is not None:
        kinds.append((CHOSEN, f"the chosen one, for the {search.foot} foot"))
    kinds.append((FREE, f"{count - touching} do not"))
    handles = [Line2D([], [], ls="", marker="o", ms=7, color=c, label=words) for c, words in kinds]
    handles.append(Line2D([], [], color=WISH, lw=2.0, label="where the stick points"))
    page.legend(
        handles=handles, loc="lower center", bbox_to_anchor=(0.5, -0.02 / total), ncols=len(handles),
        fontsize=9, frameon=False,
    )  # fmt: skip


def _figures(walker: RingWalker) -> Motion:
    """One or two frames: the figure as it is, and at its next strike if there will be one."""
    from footfall.models.ring.walk_kernel import walk_on

    packed, state, pose = walker.ring.packed, walker.state.copy(), walker.pose.copy()
    state[layout.PENDING] = 0.0  # what is asked for by now was not in this search
    poses, strikes = [walker.pose.copy()], state[layout.STRIKES]
    for _ in range(round(LONGEST / TICK)):
        walk_on(packed.rows, packed.sizes, packed.numbers, *walker.tree, TICK, state, pose)
        if state[layout.STRIKES] > strikes:
            poses.append(pose)
            break
    numbers = np.stack(poses)
    return Motion(walker.graph.skeleton, numbers[:, :3], numbers[:, 3:].reshape(len(numbers), -1, 4), 1.0)


def _images(search: Search, figures: Motion, terrain: Terrain, view: str) -> list[Float[np.ndarray, "h w 3"]]:
    cast = Cast.of(figures)
    vertices, normals = cast.bodies(np.arange(len(figures)))
    held = np.concatenate([vertices.reshape(-1, 3), search.centres])
    if search.chosen is not None:
        held = np.concatenate([held, search.centres[search.chosen] + search.radius * _ball(4)[0]])
    low, high = held.min(axis=0) - AROUND, held.max(axis=0) + AROUND
    land = Landscape.around(terrain, np.stack([low, high]) * [1.0, 0.0, 1.0] + [0.0, search.origin[1], 0.0])
    land = replace(land, colours=np.tile(GROUND, (len(land.colours), 1)))  # green is the spheres' alone
    corners = [[x, search.origin[1], z] for x in (low[0], high[0]) for z in (low[2], high[2])]
    camera = Camera.looking(view, float(search.wish)).framing(
        np.concatenate([held, corners]), width=WIDTH, margin=0.05
    )
    images = []
    for k in range(len(figures)):
        stage = Stage(camera, None)
        stage.land(land)
        cast.draw_shadows(stage, vertices[k : k + 1])
        stage.marks(_arrow(search, land))
        cast.draw(stage, vertices[k : k + 1], normals[k : k + 1])
        shown = np.arange(len(search.centres)) if k == 0 else np.array([search.chosen or 0])
        if k == 0 or search.chosen is not None:
            draw_balls(stage, search, shown)
        images.append(stage.finished())
    return images


def draw_balls(stage: Stage, search: Search, shown: Int[np.ndarray, "n"]) -> None:
    """Spheres as small balls, and the chosen one also as large as it is; what is hidden shows through."""
    points, triangles = _ball()
    if search.chosen is not None and search.chosen in shown:
        true = _layer(stage)
        place = search.centres[search.chosen] + search.radius * points
        true.body(place, points, np.tile(CHOSEN, (len(points), 1)), triangles)
        _lay(stage, true, WHOLE, WHOLE)
    others, chosen = _layer(stage), _layer(stage)
    for k in shown:
        size, layer = (CHOSEN_BALL, chosen) if k == search.chosen else (BALL, others)
        colours = np.tile(search.colours[k], (len(points), 1))
        layer.body(search.centres[k] + size * points, points, colours, triangles)
    _lay(stage, others, 1.0, BURIED)
    _lay(stage, chosen, 1.0, BURIED_CHOSEN)


def _layer(stage: Stage) -> Stage:
    """The same picture with nothing in it."""
    empty = Stage(replace(stage.camera, size=(1, 1)), None)
    empty.camera, empty.image, empty.depth = (
        stage.camera,
        stage.image.copy(),
        np.full_like(stage.depth, np.inf),
    )
    return empty


def _lay(stage: Stage, layer: Stage, before: float, behind: float) -> None:
    """A layer over a picture: so much is seen of what lies before the picture's things, and behind them."""
    seen = np.isfinite(layer.depth)
    share = np.where(layer.depth < stage.depth, before, behind)[seen, None].astype(np.float32)
    stage.image[seen] = (1.0 - share) * stage.image[seen] + share * layer.image[seen]


def _ball(rows: int = 16) -> tuple[Float[np.ndarray, "v 3"], Int[np.ndarray, "t 3"]]:
    """A unit sphere: points, which are its normals too, and triangles."""
    down, around = np.meshgrid(
        np.linspace(0.0, np.pi, rows + 1),
        np.linspace(0.0, 2.0 * np.pi, 2 * rows, endpoint=False),
        indexing="ij",
    )
    points = np.stack([np.sin(down) * np.cos(around), np.cos(down), np.sin(down) * np.sin(around)], axis=-1)
    at = np.arange(points.shape[0] * points.shape[1]).reshape(points.shape[:2])
    a, b = at[:-1], at[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return points.reshape(-1, 3), triangles


def _arrow(search: Search, land: Landscape) -> list[Mark]:
    """Along the ground from the foot that stands, where the stick points."""
    ahead, aside = ground.direction_of(search.wish), ground.direction_of(search.wish + 0.5 * np.pi)
    shaft = search.origin + np.linspace(0.0, ARROW, 25)[:, None] * ahead
    tip = shaft[-1] + np.array([0.12 * ahead, -0.05 * aside, 0.05 * aside])
    return [Mark(land.drape(shaft), WISH, 2.5), Mark(land.drape(tip), WISH)]
