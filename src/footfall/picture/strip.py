"""A strip: the figure at several times along its path, from one or more sides, its footprints, a map of them,
and a timeline of its contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry.ground import UP
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast, heading_of, path_heading, shown_frames, spread
from footfall.picture.marks import Mark
from footfall.picture.page import DPI, WIDE, new_page, save_page
from footfall.picture.stage import TILE
from footfall.picture.timeline import HEIGHT as TIMELINE
from footfall.picture.timeline import draw_timeline
from footfall.picture.tracks import ROOT, Tracks
from footfall.world.foot_plan import FootPlan
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL_VIEWS = ("three-quarter", "side", "front", "map")
BEHIND = 0.3  # m up the picture: so far behind each other figures may stand
GAP = 0.62  # m between figures that would hide each other
NEAREST = 0.36  # m: figures at least this far apart stay where they are, on their own footprints
TALLEST, TALLEST_MAP = 0.75, 0.30  # of the width
MAP_AROUND = 0.9  # m that a map shows at least on either side of the middle of the path
DOT = 0.022 * ground.direction_of(np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False))  # m around the root
PAGE = round(WIDE * DPI)  # pixels
TITLE, CAPTION = 38 / DPI, 46 / DPI  # inches over all rows, and under each
LABEL = (52.0, 12.0)  # pixels of a row 1500 wide: the room that a few words need


@dataclass(frozen=True, eq=False)
class Row:
    """One view: its picture and where the figures stand in it, for captions."""

    view: str
    image: Float[np.ndarray, "h w 3"]
    places: Float[np.ndarray, "n"]  # pixels from the left
    seconds: Float[np.ndarray, "n"]
    labels: tuple[tuple[float, float, str], ...] = ()  # pixels right and down, and words


def draw_row(
    motion: Motion,
    view: str,
    *,
    figures: int = 9,
    width: int = PAGE,
    tracks: Tracks | None = None,
    cast: Cast | None = None,
) -> Row:
    """The figures of one view as an image: on the floor with its prints and paths where they have room, else
    side by side, each on the prints it stands on. The map has prints and paths alone. Among obstacles, and on
    a terrain, figures stay where they were: fewer are shown where they would hide each other."""
    cast, frames = Cast.of(motion) if cast is None else cast, shown_frames(motion, figures)
    tracks = Tracks.of(motion) if tracks is None else tracks
    if view == "map":
        return _draw_map(tracks, frames, width)
    camera = Camera.looking(view, heading_of(motion))
    if tracks.in_place:
        level = motion.root[frames] * [1.0, 0.0, 1.0]
        along = np.stack([level @ camera.right, level @ camera.up], axis=1)
        frames = frames[apart_from_others(along, np.array([NEAREST, BEHIND]))]
    vertices, normals = cast.bodies(frames)
    shifts = spread(vertices, motion.root[frames], camera, NEAREST)
    if tracks.in_place:
        shifts = np.zeros_like(shifts)
    apart = bool(shifts.any())
    if apart:
        shifts = spread(vertices, motion.root[frames], camera, GAP)
    vertices = vertices + shifts[:, None]
    under = [(tracks.stood_on(int(f)), s) for f, s in zip(frames, shifts, strict=True)] if apart else []
    held = [tracks.extent(prints) + shift for prints, shift in under] if apart else [tracks.extent()]
    solids = tracks.solids(frames)
    held.append(tracks.beside(solids))
    camera = _framed(camera, np.concatenate([vertices.reshape(-1, 3), *held]), width, TALLEST)
    stage = tracks.stage(camera, solids)
    cast.draw_shadows(stage, vertices)
    with stage.behind(solids):
        for prints, shift in under:
            tracks.draw_prints(stage, prints, shift)
        if not apart:
            tracks.draw(stage)
        cast.draw(stage, vertices, normals)
    places = camera.project(motion.root[frames] + shifts)[:, 0]
    return Row(view, stage.finished(), places, frames / motion.fps)


def _draw_map(tracks: Tracks, frames: Int[np.ndarray, "n"], width: int) -> Row:
    """From above, the longest way along the picture; dots where the root is at the shown times."""
    motion = tracks.motion
    travels = np.ptp(motion.root, axis=0)[[0, 2]].max() > 0.5
    camera = Camera.looking("map", path_heading(motion.root) if travels else heading_of(motion))
    sides = motion.root.mean(axis=0) + np.array([[-MAP_AROUND], [MAP_AROUND]]) * camera.right
    solids = tracks.solids(frames)
    held = np.concatenate([tracks.extent(), sides, tracks.beside(solids)])
    camera = _framed(camera, held, width, TALLEST_MAP)
    camera = replace(camera, size=(max(width, camera.size[0]), camera.size[1]))
    stage = tracks.stage(camera, solids)
    dots = motion.root[frames] * [1.0, 0.0, 1.0] + tracks.floor * UP
    if tracks.land is not None:
        dots = tracks.land.drape(motion.root[frames], over=0.0, beyond=tracks.floor)
    with stage.behind(solids):
        tracks.draw(stage)
        stage.marks([Mark(dot + DOT, ROOT) for dot in dots])
    raised = [p for p in tracks.prints if tracks.raised(p)]
    middles = camera.project(np.array([p.outline.mean(axis=0) for p in raised]).reshape(-1, 3))[:, :2]
    labels = tuple(
        (*middles[k].tolist(), f"{raised[k].level - tracks.floor:+.2f} m")
        for k in apart_from_others(middles, np.array(LABEL) * width / 1500.0)
    )
    return Row("map", stage.finished(), camera.project(dots)[:, 0], frames / motion.fps, labels)


def _framed(camera: Camera, points: Float[np.ndarray, "n 3"], width: int, tallest: float) -> Camera:
    framed = camera.framing(points, width=width)
    if framed.size[1] > tallest * width:  # a single standing figure need not fill the width
        return camera.framing(points, scale=framed.scale * tallest * width / framed.size[1])
    return framed


def draw_strip(
    motion: Motion,
    *,
    views: Sequence[str] = ALL_VIEWS,
    figures: int = 9,
    title: str = "",
    width: int = PAGE,
    plan: FootPlan | None = None,
    terrain: Ground | None = None,
    obstacles: Sequence[Obstacle | Placed] = (),
    clock: float = 0.0,
) -> Figure:
    """A matplotlib figure with one row a view and, for a figure with legs, the timeline of its contacts.

    Obstacles that move are shown where they are at the figures' times; `clock` is what their courses call the
    time of the first frame.
    """
    cast = Cast.of(motion)  # refuses a motion without frames before anything is measured
    tracks = Tracks.of(motion, plan, terrain, obstacles, clock)
    if tracks.contacts is None and len(views) > 1:  # without feet a map would show next to nothing
        views = [view for view in views if view != "map"]
    rows = [draw_row(motion, view, figures=figures, width=width, tracks=tracks, cast=cast) for view in views]
    # everything lies on whole pixels of the page, so that a row as wide as it is shown pixel by pixel
    inches = [round(row.image.shape[0] / max(row.image.shape[1], width) * PAGE) / DPI for row in rows]
    total = sum(inches) + CAPTION * len(rows) + TITLE + (TIMELINE if tracks.contacts is not None else 0.0)
    figure = new_page(WIDE, total)
    top = total - TITLE
    figure.text(0.008, (total - 0.24) / total, title, fontsize=12, weight="bold")
    for row, tall in zip(rows, inches, strict=True):
        share = min(row.image.shape[1] / width, 1.0)
        axes = figure.add_axes((0.0, (top - tall) / total, share, tall / total))
        _show(axes, row, width)
        top -= tall + CAPTION
    if tracks.contacts is not None:
        axes = figure.add_axes((0.06, 0.24 / total, 0.925, (TIMELINE - 0.24) / total))
        draw_timeline(axes, tracks.contacts, motion.fps, rows[0].seconds if rows else ())
    return figure


def _show(axes: Any, row: Row, width: int) -> None:
    axes.imshow(
        np.clip(row.image, 0, 1), aspect="auto", interpolation="nearest" if width == PAGE else "antialiased"
    )
    axes.set_yticks([])
    room = np.array(LABEL[:1]) * max(row.image.shape[1], width) / 1500.0
    kept = apart_from_others(row.places[:, None], room)
    axes.set_xticks(row.places[kept], [f"{t:.2f} s" for t in row.seconds[kept]], fontsize=8)
    axes.tick_params(length=2, pad=2)
    for x, y, words in row.labels:
        axes.text(x, y, words, fontsize=7, ha="center", va="center", color="0.1")
    name = f"map, tiles of {TILE:g} m" if row.view == "map" else row.view
    axes.text(0.006, 0.97, name, transform=axes.transAxes, fontsize=9, va="top", color="0.35")
    for spine in axes.spines.values():
        spine.set_visible(False)


def apart_from_others(places: Float[np.ndarray, "n dims"], room: Float[np.ndarray, "dims"]) -> list[int]:
    """Which places get words: each that has room beside those before it."""
    kept: list[int] = []
    for i, place in enumerate(places):
        if all((np.abs(place - places[k]) >= room).any() for k in kept):
            kept.append(i)
    return kept


def save_strip(motion: Motion, path: Path, **options: Any) -> None:
    """A strip as PNG (or whatever matplotlib can write by the file's ending)."""
    save_page(draw_strip(motion, **options), path)
