"""A strip: the figure at several times along its path, from one or more sides, its footprints, a map of them,
and a timeline of its contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from footfall.errors import MissingExtra
from footfall.figure.motion import Motion
from footfall.formats.save import written_whole
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast, heading_of, shown_frames, spread
from footfall.picture.marks import Mark
from footfall.picture.stage import Stage
from footfall.picture.timeline import HEIGHT as TIMELINE
from footfall.picture.timeline import draw_timeline
from footfall.picture.tracks import ROOT, Tracks
from footfall.world.foot_plan import FootPlan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL_VIEWS = ("three-quarter", "side", "front", "map")
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # one motion, one file
GAP = 0.62  # m between figures that would hide each other
NEAREST = 0.42  # m: figures at least this far apart stay where they are, on their own footprints
TALLEST = {"map": 0.34}  # of the width; 0.75 for pictures with figures
WIDE = 15.0  # inches
CAPTION = 0.42  # inches under a row
CAPTION_PIXELS = 44  # of a row 1500 wide, for one caption


@dataclass(frozen=True, eq=False)
class Row:
    """One view: its picture and where the figures stand in it, for captions."""

    view: str
    image: Float[np.ndarray, "h w 3"]
    places: Float[np.ndarray, "n"]  # pixels from the left
    seconds: Float[np.ndarray, "n"]


def draw_row(
    motion: Motion, view: str, *, figures: int = 9, width: int = 1500, tracks: Tracks | None = None
) -> Row:
    """The figures of one view as an image: on the floor with its prints and paths where they have room, else
    side by side, each on the prints it stands on. A map has prints and paths alone."""
    cast, frames = Cast.of(motion), shown_frames(motion, figures)
    tracks = Tracks.of(motion) if tracks is None else tracks
    camera = Camera.looking(view, heading_of(motion))
    roots = motion.root[frames]
    if view == "map":
        stage = Stage(_framed(camera, np.concatenate([motion.root, tracks.extent()]), view, width), tracks.floor)
        tracks.draw_all(stage)
        stage.marks([_dot(root, tracks.floor) for root in roots])
        return _row(view, stage, roots, frames / motion.fps)
    vertices, normals = cast.bodies(frames)
    shifts = spread(vertices, roots, camera, NEAREST)
    apart = bool(shifts.any())
    shifts = spread(vertices, roots, camera, GAP) if apart else shifts
    vertices = vertices + shifts[:, None]
    held = vertices.reshape(-1, 3)
    stage = Stage(
        _framed(camera, held if apart else np.concatenate([held, tracks.extent()]), view, width), tracks.floor
    )
    if apart:
        for frame, shift in zip(frames, shifts, strict=True):
            tracks.draw_under(stage, int(frame), shift)
    else:
        tracks.draw_all(stage)
    cast.draw(stage, vertices, normals)
    return _row(view, stage, roots + shifts, frames / motion.fps)


def _framed(camera: Camera, points: Float[np.ndarray, "n 3"], view: str, width: int) -> Camera:
    framed = camera.framing(points, width=width)
    tallest = TALLEST.get(view, 0.75) * width
    if framed.size[1] > tallest:  # a single standing figure need not fill the width
        return camera.framing(points, scale=framed.scale * tallest / framed.size[1])
    return framed


def _dot(root: Float[np.ndarray, "3"], floor: float) -> Mark:
    """Where the root is at a shown time."""
    turns = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    rim = 0.022 * np.stack([np.cos(turns), 0.0 * turns, np.sin(turns)], 1)
    return Mark(np.array([root[0], floor, root[2]]) + rim, ROOT)


def _row(
    view: str, stage: Stage, places: Float[np.ndarray, "n 3"], seconds: Float[np.ndarray, "n"]
) -> Row:
    image = stage.finished()
    shown = stage.camera.project(places)[:, 0] * image.shape[1] / stage.camera.size[0]
    return Row(view, image, shown, seconds)


def draw_strip(
    motion: Motion,
    *,
    views: Sequence[str] = ALL_VIEWS,
    figures: int = 9,
    title: str = "",
    width: int = 1500,
    plan: FootPlan | None = None,
) -> Figure:
    """A matplotlib figure with one row a view and, for a figure with legs, the timeline of its contacts."""
    plt = require_pyplot()
    Cast.of(motion)  # refuses a motion without frames before anything is measured
    tracks = Tracks.of(motion, plan)
    rows = [draw_row(motion, view, figures=figures, width=width, tracks=tracks) for view in views]
    inches = [row.image.shape[0] / max(row.image.shape[1], width) * WIDE for row in rows]
    total = sum(inches) + CAPTION * len(rows) + 0.35 + (TIMELINE if tracks.contacts is not None else 0.0)
    figure = plt.figure(figsize=(WIDE, total), facecolor="white")
    top = total - 0.35
    figure.text(0.008, (total - 0.24) / total, title, fontsize=12, weight="bold")
    for row, tall in zip(rows, inches, strict=True):
        share = min(row.image.shape[1] / width, 1.0)
        axes = figure.add_axes((0.005, (top - tall) / total, 0.99 * share, tall / total))
        _show(axes, row, width)
        top -= tall + CAPTION
    if tracks.contacts is not None:
        axes = figure.add_axes((0.06, 0.24 / total, 0.925, (TIMELINE - 0.24) / total))
        draw_timeline(axes, tracks.contacts, motion.fps, rows[0].seconds if rows else ())
    return figure


def _show(axes: Any, row: Row, width: int) -> None:
    axes.imshow(np.clip(row.image, 0, 1), aspect="auto", interpolation="antialiased")
    axes.set_yticks([])
    room = CAPTION_PIXELS * max(row.image.shape[1], width) / 1500.0
    kept = captioned(row.places, room)
    axes.set_xticks(row.places[kept], [f"{t:.2f} s" for t in row.seconds[kept]], fontsize=8)
    axes.tick_params(length=2, pad=2)
    axes.text(0.006, 0.97, row.view, transform=axes.transAxes, fontsize=9, va="top", color="0.35")
    for spine in axes.spines.values():
        spine.set_visible(False)


def captioned(places: Float[np.ndarray, "n"], room: float) -> list[int]:
    """Which places get a caption: each that has room beside those before it."""
    kept: list[int] = []
    for i, place in enumerate(places):
        if all(abs(place - places[k]) >= room for k in kept):
            kept.append(i)
    return kept


def save_strip(motion: Motion, path: Path, **options: Any) -> None:
    """A strip as PNG (or whatever matplotlib can write by the file's ending)."""
    plt = require_pyplot()
    figure = draw_strip(motion, **options)
    kind = path.suffix.lstrip(".").lower() or "png"
    try:
        with plt.rc_context({"svg.hashsalt": "footfall"}), written_whole(path) as file:
            figure.savefig(file, dpi=110, format=kind, metadata=UNDATED.get(kind))
    finally:
        plt.close(figure)


def require_pyplot() -> Any:
    try:
        import matplotlib

        matplotlib.use("Agg", force=False)
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtra("drawing pictures", "plot") from None
    return pyplot
