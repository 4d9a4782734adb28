"""Draws the pictures of docs/walk-edit.md: docs/pictures/walk_edit_*.png.

    python tools/walk_figures.py [figure7 stairs terrain root]

From CMU 16_47, which is looked for in the captures' folder ($FOOTFALL_DATA, else ../shared/data beside the
checkout), and from the virtual actor. All motion that is shown is synthesized; no clip is kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import footfall as ff
from footfall.analysis.plants import detect_plants
from footfall.models.walkedit.model import EditedWalk
from footfall.models.walkedit.ribbon import Ribbon
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast
from footfall.picture.footprints import INK
from footfall.picture.landscape import Landscape
from footfall.picture.page import require_pyplot, save_page
from footfall.picture.stage import Stage
from footfall.picture.tracks import Tracks
from footfall.world.mesh import MeshTerrain

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
CAPTURES = Path(os.environ.get("FOOTFALL_DATA") or Path(__file__).parents[2] / "shared" / "data")
CLIP = "walk/16_47.bvh"
WIDE = 11.0  # inches
TITLE, UNDER, BESIDE = 0.34, 0.26, 0.06  # inches over the first row, under each, and between pictures
SCALE = 190.0  # pixels a metre in side views
DEEP, HALF = 0.10, 0.45  # m of ground under the lowest sole, and to either side of the way
TALL = 1.80  # m over the ground that a side view shows
GREY = "0.45"  # of what was captured, or is told by the model
COLOURS = 200  # of a picture that is kept


def captured_walk() -> ff.WalkEdit:
    if not (CAPTURES / CLIP).is_file():
        sys.exit(f"{CAPTURES / CLIP} is not there: set FOOTFALL_DATA to the folder of the captures")
    return ff.WalkEdit(ff.load_motion(CAPTURES / CLIP))


@dataclass(frozen=True, eq=False)
class View:
    """A picture of a walk, and the camera that took it, for lines over it."""

    walk: EditedWalk
    words: str
    camera: Camera
    image: np.ndarray

    @classmethod
    def of(cls, walk: EditedWalk, words: str, camera: Camera, frames: np.ndarray, mesh: MeshTerrain) -> View:
        stage = Stage(camera, None)
        stage.land(Landscape.whole(mesh))
        cast = Cast.of(walk)
        vertices, normals = cast.bodies(frames)
        cast.draw_shadows(stage, vertices)
        tracks = Tracks.of(walk, terrain=mesh)
        tracks.draw_prints(stage, tracks.prints)
        cast.draw(stage, vertices, normals)
        return cls(walk, words, camera, stage.finished())

    def line(self, axes: Any, places: np.ndarray, **options: Any) -> None:
        """A way through the air, drawn over the figures."""
        x, y, _ = np.moveaxis(self.camera.project(places), -1, 0)
        axes.plot(x, y, **{"lw": 1.3, "solid_capstyle": "round"} | options)

    @property
    def shape(self) -> float:
        """Height over width."""
        return self.image.shape[0] / self.image.shape[1]


def strikes(walk: EditedWalk) -> np.ndarray:
    """Frames at which feet come down, in order."""
    assert walk.contacts is not None
    return np.array(sorted(plant.start for plant in detect_plants(walk, walk.contacts)), dtype=float)


def by_steps(walk: EditedWalk, first: float, apart: float) -> np.ndarray:
    """Frames so many steps apart: not a whole number, so that each shows another moment of a cycle."""
    down = strikes(walk)
    numbers = np.arange(first, len(down) - 1, apart)
    return np.interp(numbers, np.arange(len(down)), down).round().astype(int)


def side_view(walk: EditedWalk, words: str, ends: tuple[float, float], apart: float) -> View:
    """What lies between two distances along a straight way."""
    assert isinstance(walk.ground, Ribbon)
    seen = np.array(ends)
    levels = walk.ground.height(np.zeros(2), seen)
    corners = np.array([[x, y, z] for x in (-HALF, HALF) for z, y in zip(seen, levels, strict=True)])
    above = [[0.0, levels.min() - DEEP, seen[0]], [0.0, levels.max() + TALL, seen[0]]]
    camera = Camera.looking("side", 0.0).framing(np.concatenate([corners, above]), scale=SCALE, margin=0.0)
    frames = by_steps(walk, 1.3, apart)
    rim = 0.6 * max(float(np.median(np.diff(walk.ground.stations))), 0.5)  # m: nobody is cut in half
    within = (walk.root[frames, 2] > seen[0] + 0.3) & (walk.root[frames, 2] < seen[1] - rim)
    return View.of(walk, words, camera, frames[within], solid(walk.ground, seen[0] - 0.3, seen[1] + 0.3))


def solid(ribbon: Ribbon, begin: float, end: float) -> MeshTerrain:
    """A piece of a straight walk's ground, cut open along the side from which it is seen."""
    edges = np.concatenate([[begin], ribbon.edges[(ribbon.edges > begin) & (ribbon.edges < end)], [end]])
    piece = np.searchsorted(ribbon.edges, 0.5 * (edges[1:] + edges[:-1]))
    z = np.stack([edges[:-1], edges[1:]], axis=-1)
    y = ribbon.levels[piece, None] + ribbon.grades[piece, None] * (z - ribbon.stations[piece, None])
    z, y = z.ravel(), y.ravel()
    rims = [(HALF, y), (-HALF, y), (-HALF, np.full(len(y), y.min() - 2.0 * DEEP))]
    vertices = np.concatenate([np.stack([np.full(len(z), x), level, z], axis=-1) for x, level in rims])
    k, n = np.arange(len(z) - 1), len(z)
    quads = [(k, k + 1, n + k + 1, n + k), (n + k, n + k + 1, 2 * n + k + 1, 2 * n + k)]
    triangles = [np.stack(t, axis=-1) for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return MeshTerrain(vertices, np.concatenate(triangles))


def ways(axes: Any, view: View) -> None:
    """Of ankles and root."""
    for side in ("left", "right"):
        view.line(axes, view.walk.of(f"{side}_foot"), color=INK[side])
    view.line(axes, view.walk.root, color="0.1")


def draw_page(rows: list[list[View]], title: str, over: Callable[[Any, View], None] = ways) -> Any:
    """Rows of pictures, those of a row equally large; `over` draws on each."""
    plt = require_pyplot()
    wides = [(WIDE - BESIDE * (len(row) - 1)) / len(row) for row in rows]
    talls = [wide * row[0].shape for row, wide in zip(rows, wides, strict=True)]
    total = TITLE + sum(talls) + UNDER * len(rows)
    figure = plt.figure(figsize=(WIDE, total), facecolor="white")
    figure.text(0.005, 1.0 - 0.22 / total, title, fontsize=11, weight="bold")
    top = TITLE
    for row, wide, tall in zip(rows, wides, talls, strict=True):
        top += tall
        for k, view in enumerate(row):
            left = k * (wide + BESIDE)
            axes = figure.add_axes((left / WIDE, 1.0 - top / total, wide / WIDE, tall / total))
            axes.imshow(np.clip(view.image, 0.0, 1.0), aspect="auto", interpolation="antialiased")
            axes.axis("off")
            axes.autoscale(False)
            over(axes, view)
            axes.annotate(view.words, (0, 1), (6, -6), "axes fraction", "offset points", va="top")
        top += UNDER
    return figure


def label_steps(axes: Any, view: View) -> None:
    """Step lengths under a row, each between its two footprints."""
    assert view.walk.plan is not None
    places = np.stack([p.position for p in view.walk.plan.placements]) * [0.0, 1.0, 1.0]
    pixels = view.camera.project(places)[:, 0]
    wide, low = view.camera.size[0], view.camera.size[1] + 9.0
    bar = {"arrowstyle": "|-|,widthA=0.25,widthB=0.25", "color": GREY, "lw": 0.8, "shrinkA": 0, "shrinkB": 0}
    for k in range(1, len(places)):
        if pixels[k - 1] > 0.0 and pixels[k] < wide:
            axes.annotate("", (pixels[k - 1], low), (pixels[k], low), arrowprops=bar, annotation_clip=False)
            length = np.linalg.norm(places[k] - places[k - 1])
            middle = 0.5 * (pixels[k - 1] + pixels[k])
            axes.text(middle, low + 4.0, f"{length:.2f} m", fontsize=8, ha="center", va="top", color="0.3")


def figure7(edit: ff.WalkEdit) -> Any:
    """[walk] figure 7, made again."""
    length, long, lift, slope = edit.step_length, 1.25 * edit.step_length, 0.22, np.radians(12.0)
    base = edit.synthesize(steps=16)
    growing = [(0.0, 0.55 * length), (6.0, 1.3 * length)]
    walks = {
        f"as captured: steps of {length:.2f} m": base,
        f"longer steps: {long:.2f} m": edit.synthesize(steps=12, step_length=long),
        "steps that grow with the distance": edit.synthesize(steps=16, step_length=growing),
        f"feet lifted by {100 * lift:.0f} cm": edit.synthesize(steps=16, lift=lift),
        f"up {np.degrees(slope):.0f} degrees": edit.synthesize(steps=16, slope=slope),
    }
    views = [side_view(walk, words, (-0.15, 6.6), 1.25) for words, walk in walks.items()]
    slopes = {views[3]: 0.0, views[4]: slope}

    def over(axes: Any, view: View) -> None:
        if view in slopes:  # the captured ankles, laid along the slope
            along = np.array([0.0, np.sin(slopes[view]), np.cos(slopes[view])])
            for side in ("left", "right"):
                ankle = base.of(f"{side}_foot")
                ankle = ankle * [1.0, 1.0, 0.0] + ankle[:, 2:] * along
                view.line(axes, ankle, color=GREY, lw=1.1, ls=(0, (3, 1.5)))
        ways(axes, view)
        label_steps(axes, view)

    title = "Five walks from one cycle of CMU 16_47. Lines: root and ankles; dashed: ankles as captured"
    return draw_page([[view] for view in views], title, over)


def stairs(edit: ff.WalkEdit) -> Any:
    riser, tread = 0.17, 0.29
    views = [
        side_view(edit.synthesize(steps=16, stairs=(sign * riser, tread)), words, (-0.05, 3.35), 2.25)
        for sign, words in ((1.0, "up"), (-1.0, "down"))
    ]
    title = f"Stairs of {100 * riser:.0f} by {100 * tread:.0f} cm from a walk on a level floor (CMU 16_47)"
    return draw_page([views], title)


def terrain(edit: ff.WalkEdit) -> Any:
    actor = ff.WalkEdit(ff.VirtualActor(seed=1).walk(speed=1.3).motion)
    views = [
        terrain_view(edit, "rubble", 7, "CMU 16_47 over rubble:7"),
        terrain_view(actor, "stones", 3, "the virtual actor's walk over stones:3"),
    ]
    return draw_page([[view] for view in views], "Footholds found along a path over generated ground")


def terrain_view(edit: ff.WalkEdit, kind: str, seed: int, words: str) -> View:
    made = ff.generate_terrain(kind, seed=seed)
    places = np.stack([placement.position for placement in made.crossing.placements])
    walk = edit.on(made.terrain, 0.5 * (places[1:] + places[:-1]))
    low, high = made.terrain.bounds
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (0.0, 1.2) for z in (low[2], high[2])])
    camera = Camera.looking("three-quarter", 0.0).framing(corners, width=1500, margin=0.0)
    return View.of(walk, words, camera, by_steps(walk, 0.3, 1.25), made.terrain)


@dataclass(frozen=True, eq=False)
class Profile:
    """A stretch of four steps along a straight way, seen from the side."""

    walk: EditedWalk
    words: str
    step: float  # m on the ground plan
    rise: float = 0.0  # m a step

    @property
    def down(self) -> np.ndarray:
        return strikes(self.walk).astype(int)[4:9]

    @property
    def way(self) -> np.ndarray:
        """The root's distances and its heights over a line through the footprints."""
        root = self.walk.root[self.down[0] : self.down[-1] + 1]
        return np.stack([root[:, 2], root[:, 1] - self.rise / self.step * root[:, 2]])

    def model(self, leg: float) -> np.ndarray:
        """[walk] eq. 4 as printed, over the same frames; hips over ankles instead of heels."""
        lowest = np.sqrt(leg**2 - (0.5 * self.step) ** 2)  # eq. 3
        frames = np.arange(self.down[0], self.down[-1] + 1)
        theta = np.pi * np.interp(frames, self.down, np.arange(len(self.down)))
        return lowest + (leg - lowest) * np.abs(np.sin(theta))


def root(edit: ff.WalkEdit) -> Any:
    """[walk] figure 4, made again for three walks: the root, and the feet under it."""
    plt = require_pyplot()
    step, tread, riser = edit.step_length, 0.29, 0.17
    long, climb = edit.synthesize(steps=12, step_length=1.3 * step), (riser, tread)
    profiles = [
        Profile(edit.synthesize(steps=12), f"as captured: {step:.2f} m", step),
        Profile(long, f"1.3 times: {1.3 * step:.2f} m", 1.3 * step),
        Profile(edit.synthesize(steps=12, stairs=climb), f"stairs: {riser} by {tread} m", tread, riser),
    ]
    leg = edit.cycle.leg_length
    # a root is higher than hips are over ankles: one distance, for all three
    away = float(np.mean(profiles[0].way[1] - profiles[0].model(leg)))
    figure, axes = plt.subplots(2, 3, figsize=(WIDE, 5.0), sharey="row", layout="constrained")
    for (above, below), profile in zip(axes.T, profiles, strict=True):
        above.plot(*profile.way, color="0.1", label="the walk's root")
        dashes = (0, (3, 1.5))
        above.plot(profile.way[0], profile.model(leg) + away, color=GREY, ls=dashes, label="[walk] eq. 4")
        above.set_title(profile.words, fontsize=10)
        draw_feet(below, profile)
        for each in (above, below):
            each.set_xlim(*profile.way[0, [0, -1]])
            for place in profile.walk.root[profile.down, 2]:
                each.axvline(place, color="0.86", lw=1.0, zorder=0)
            each.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("root over a line\nthrough the footprints [m]")
    axes[1, 0].set_ylabel("height [m]")
    axes[1, 0].set_ylim(-DEEP, 1.02)
    axes[0, 0].legend(fontsize=9, loc="lower left")
    axes[1, 0].legend(fontsize=9, loc="upper left")
    return figure


def draw_feet(axes: Any, profile: Profile) -> None:
    walk, begin, end = profile.walk, *profile.way[0, [0, -1]]
    assert walk.ground is not None
    less = profile.rise / profile.step * begin  # so that all begin near the same height
    for side in ("left", "right"):
        ankle = walk.of(f"{side}_foot")
        axes.plot(ankle[:, 2], ankle[:, 1] - less, color=INK[side], label=f"{side} ankle")
    z = np.linspace(begin, end, 1001)
    level = walk.ground.height(np.zeros(len(z)), z) - less
    axes.fill_between(z, level, -1.0, color="0.88", lw=0.0)
    axes.set_xlabel("distance [m]; lines: a foot comes down")


def save(figure: Any, path: Path) -> None:
    """With a palette: a third of the size, and nobody sees it."""
    from PIL import Image

    save_page(figure, path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


DRAWN: dict[str, Callable[[ff.WalkEdit], Any]] = {
    "figure7": figure7,
    "stairs": stairs,
    "terrain": terrain,
    "root": root,
}


def main(names: list[str]) -> None:
    if unknown := set(names) - set(DRAWN):
        sys.exit(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(DRAWN)}")
    edit = captured_walk()
    for name in names or DRAWN:
        path = PICTURES / f"walk_edit_{name}.png"
        save(DRAWN[name](edit), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
