"""A strip: the figure at several times along its path, from one or more sides, with seconds under it."""

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
from footfall.picture.figures import Cast, floor_of, heading_of, shown_frames, spread
from footfall.picture.stage import Stage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL_VIEWS = ("three-quarter", "side", "front")
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # one motion, one file
GAP = 0.62  # m between figures that would hide each other


@dataclass(frozen=True, eq=False)
class Row:
    """One view: its picture and where the figures stand in it, for captions."""

    view: str
    image: Float[np.ndarray, "h w 3"]
    places: Float[np.ndarray, "n"]  # pixels from the left
    seconds: Float[np.ndarray, "n"]


def draw_row(motion: Motion, view: str, *, figures: int = 9, width: int = 1500) -> Row:
    """The figures of one view as an image."""
    cast = Cast.of(motion)
    frames = shown_frames(motion, figures)
    vertices, normals = cast.bodies(frames)
    camera = Camera.looking(view, heading_of(motion))
    roots = motion.root[frames]
    shifts = spread(vertices, roots, camera, GAP)
    vertices = vertices + shifts[:, None]
    camera = camera.framing(vertices, width=width)
    if camera.size[1] > 0.75 * width:  # a single standing figure need not fill the width
        camera = camera.framing(vertices, scale=camera.scale * 0.75 * width / camera.size[1])
    stage = Stage(camera, floor_of(motion))
    cast.draw(stage, vertices, normals)
    places = camera.project(roots + shifts)[:, 0]
    return Row(view, stage.finished(), places, frames / motion.fps)


def draw_strip(
    motion: Motion, *, views: Sequence[str] = ALL_VIEWS, figures: int = 9, title: str = "", width: int = 1500
) -> Figure:
    """A matplotlib figure with one row a view."""
    plt = require_pyplot()
    rows = [draw_row(motion, view, figures=figures, width=width) for view in views]
    inches = [
        row.image.shape[0] / row.image.shape[1] * 15.0
        if row.image.shape[1] >= width
        else row.image.shape[0] / width * 15.0
        for row in rows
    ]
    figure = plt.figure(figsize=(15.0, sum(inches) + 0.42 * len(rows) + 0.35), facecolor="white")
    total = figure.get_size_inches()[1]
    top = total - 0.35
    figure.text(0.008, (total - 0.24) / total, title, fontsize=12, weight="bold")
    for row, tall in zip(rows, inches, strict=True):
        share = min(row.image.shape[1] / width, 1.0)
        axes = figure.add_axes((0.005, (top - tall) / total, 0.99 * share, tall / total))
        _show(axes, row)
        top -= tall + 0.42
    return figure


def _show(axes: Any, row: Row) -> None:
    axes.imshow(np.clip(row.image, 0, 1), aspect="auto", interpolation="antialiased")
    axes.set_yticks([])
    axes.set_xticks(row.places, [f"{t:.2f} s" for t in row.seconds], fontsize=8)
    axes.tick_params(length=2, pad=2)
    axes.text(0.006, 0.97, row.view, transform=axes.transAxes, fontsize=9, va="top", color="0.35")
    for spine in axes.spines.values():
        spine.set_visible(False)


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
