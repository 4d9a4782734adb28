"""How a motion is closed to a loop in few dimensions, drawn: [rings] figure 2.

A row a sample: its curve, the cycle found on it with its two ends, the curve closed by the Bezier piece, and
that place once more, as near as the gap is small. Dots are the poses of the finished loop, put on the same
axes: kriging leads back to the curve, so they lie on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.resample import resample
from footfall.models.ring.looping import RATE, Piece, loop_of, piece_of
from footfall.models.ring.pose_curve import DIMENSIONS, lifted_curve, seen_bodies
from footfall.models.ring.seam import Seam, best_seam
from footfall.picture.page import require_pyplot, save_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE, TALL, TITLE = 15.0, 2.6, 0.35  # inches: a page, one of its rows, and the words over all rows
SAMPLE, CYCLE, BEZIER, LOOP = "0.75", "0.2", "#e0352b", "#174a9c"
BEGIN, END = "#178a43", "#9440b8"
AROUND = 0.12  # of the seam's size, that its own panel shows besides
BEYOND = 3  # frames on either side of the seam that its own panel shows
PANELS = (
    "(a) the sample, from \u25cb to \u25cf",
    "(b) one cycle and its ends",
    "(c) closed by a Bezier piece",
    "(d) the closure, enlarged",
)


@dataclass(frozen=True, eq=False)
class ClosedCurve:
    """A sample's curve and its closure, all on the axes of the piece that is closed (metres)."""

    sample: Float[np.ndarray, "frames 4"]  # all of it, at 60 Hz
    piece: Piece
    curve: Float[np.ndarray, "piece 4"]  # of the piece about the cycle
    seam: Seam
    loop: Float[np.ndarray, "cycle 4"]  # of the poses that the loop really has

    @classmethod
    def of(cls, sample: Motion) -> ClosedCurve:
        """The same steps as `loop_of` takes."""
        if not isinstance(sample, Motion):
            raise RequestError(f"a curve is drawn of a motion, not of {type(sample).__name__}")
        piece = piece_of(sample)
        lifted = lifted_curve(piece.motion, piece.frames)
        curve = lifted[:, :DIMENSIONS]
        bodies = seen_bodies(piece.motion)
        middle = bodies.mean(axis=0)
        # scaling of distances between rows is a projection of the rows: what it did to these, do to others
        axes = np.linalg.pinv(bodies - middle, rcond=1e-9) @ curve

        def put(motion: Motion) -> Float[np.ndarray, "frames 4"]:
            return (seen_bodies(motion) - middle) @ axes

        loop = loop_of(sample).motion
        return cls(put(resample(sample, RATE)), piece, curve, best_seam(lifted[piece.cycle]), put(loop))

    @property
    def cycle(self) -> Float[np.ndarray, "cycle 4"]:
        return self.curve[self.piece.cycle]

    @property
    def ends(self) -> Float[np.ndarray, "2 4"]:
        """Where the cycle begins, and where the sample is one cycle later."""
        return self.curve[[self.piece.first, self.piece.first + self.piece.frames]]

    @property
    def gap(self) -> float:
        """m in the four dimensions."""
        return float(np.linalg.norm(self.ends[1] - self.ends[0]))

    @cached_property
    def bezier(self) -> Float[np.ndarray, "region 4"]:
        return self.seam.places[:, :DIMENSIONS]

    @property
    def region(self) -> Int[np.ndarray, "region"]:
        """Frames of the cycle that the Bezier piece takes the place of."""
        return np.arange(-self.seam.before, self.seam.after + 1) % self.piece.frames

    @property
    def rest(self) -> Float[np.ndarray, "others 4"]:
        """What stays as it was, from one end of the Bezier piece round to the other."""
        return self.cycle[self.seam.after : self.piece.frames - self.seam.before + 1]


def draw_ring_curve(sample: Motion | Mapping[str, Motion], path: str | PathLike[str]) -> None:
    """A sample of three steps, or several by name, a row each; written as the file's ending says."""
    save_page(ring_curve_page(sample), Path(path))


def ring_curve_page(sample: Motion | Mapping[str, Motion]) -> Figure:
    plt = require_pyplot()
    samples = {"": sample} if isinstance(sample, Motion) else sample
    if not isinstance(samples, Mapping) or not samples:
        raise RequestError("no sample is given to be drawn; give a motion, or several by name")
    curves = {name: ClosedCurve.of(one) for name, one in samples.items()}
    figure = plt.figure(figsize=(WIDE, TITLE + TALL * len(curves)), layout="constrained", facecolor="white")
    figure.suptitle(
        f"Looping in {DIMENSIONS} dimensions, of which the first two are shown",
        fontsize=11, weight="bold", x=0.008, ha="left",
    )  # fmt: skip
    rows = figure.subfigures(len(curves), 1, squeeze=False)[:, 0]
    for part, (name, curve) in zip(rows, curves.items(), strict=True):
        told = f"one cycle of {curve.piece.frames} frames at {RATE:g} Hz, its ends {_apart(curve.gap)} apart"
        part.suptitle(f"{name}: {told}" if name else told, fontsize=9.5, x=0.008, ha="left", color="0.25")
        panels = part.subplots(1, 4, width_ratios=(1.0, 1.0, 1.0, 1.05))
        for axes, draw, words in zip(panels, DRAWN, PANELS, strict=True):
            draw(axes, curve)
            axes.set_title(words, fontsize=9.5, loc="left")
            axes.tick_params(labelsize=7.5)
            axes.spines[["top", "right"]].set_visible(False)
        for axes in panels[:3]:
            _finish(axes, curve)
    return figure


def _apart(metres: float) -> str:
    return f"{100.0 * metres:.1f} cm" if metres >= 5e-4 else "less than a millimetre"


def _flat(places: Float[np.ndarray, "n 4"]) -> Float[np.ndarray, "2 n"]:
    """The first two dimensions, cm."""
    return 100.0 * places[:, :2].T


def _draw_sample(axes: Any, curve: ClosedCurve) -> None:
    axes.plot(*_flat(curve.sample), color=CYCLE, lw=1.0)
    axes.plot(*_flat(curve.sample), "o", ms=1.8, color=CYCLE)
    for place, inside in ((curve.sample[0], "white"), (curve.sample[-1], CYCLE)):
        axes.plot(*_flat(place[None]), "o", ms=5.5, mfc=inside, color=CYCLE, zorder=4)


def _draw_cycle(axes: Any, curve: ClosedCurve) -> None:
    axes.plot(*_flat(curve.sample), color=SAMPLE, lw=1.0)
    first, frames = curve.piece.first, curve.piece.frames
    axes.plot(*_flat(curve.curve[first : first + frames + 1]), color=CYCLE, lw=1.7)
    begin, end = curve.ends
    axes.plot(*_flat(begin[None]), "o", ms=5.0, color=BEGIN, zorder=5)
    axes.plot(*_flat(end[None]), "o", ms=10.0, mfc="none", mew=1.8, color=END, zorder=4)


def _draw_closed(axes: Any, curve: ClosedCurve) -> None:
    axes.plot(*_flat(curve.rest), color=CYCLE, lw=1.7)
    axes.plot(*_flat(curve.bezier), color=BEZIER, lw=2.8, zorder=3)
    axes.plot(*_flat(curve.loop), "o", ms=2.2, color=LOOP, zorder=4)


def _draw_gap(axes: Any, curve: ClosedCurve) -> None:
    """On the plane through the way along the seam and the way from one end to the other."""
    plane = _plane(curve)

    def flat(places: Float[np.ndarray, "n 4"]) -> Float[np.ndarray, "2 n"]:
        return 100.0 * ((places - curve.ends.mean(axis=0)) @ plane).T

    first, last = curve.piece.first, curve.piece.first + curve.piece.frames
    begin, end = curve.ends
    until, since = last - curve.seam.before - BEYOND, first + curve.seam.after + BEYOND
    axes.plot(*flat(curve.curve[max(until, 0) : last + 1]), color=END, lw=1.2, label="to the cycle's end")
    axes.plot(*flat(curve.curve[first : since + 1]), color=BEGIN, lw=1.2, label="from its beginning")
    axes.plot(*flat(begin[None]), "o", ms=5.0, color=BEGIN, zorder=5)
    axes.plot(*flat(end[None]), "o", ms=10.0, mfc="none", mew=1.8, color=END, zorder=5)
    axes.plot(*flat(curve.bezier), color=BEZIER, lw=2.2, label="Bezier piece", zorder=3)
    axes.plot(*flat(curve.loop[curve.region]), "o", ms=3.0, color=LOOP, label="poses of the loop", zorder=4)
    shown = np.concatenate([flat(curve.bezier), flat(curve.ends)], axis=1)
    for setter, low, high in zip(
        (axes.set_xlim, axes.set_ylim), shown.min(axis=1), shown.max(axis=1), strict=True
    ):
        room = AROUND * max(high - low, 0.1)
        setter(low - room, high + room)
    axes.set_xlabel("along the seam [cm]", fontsize=8)
    axes.set_ylabel("across it [cm]", fontsize=8)
    axes.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=1.4)


def _plane(curve: ClosedCurve) -> Float[np.ndarray, "4 2"]:
    """Unit columns: the seam's own direction, and what of the gap is square to it."""
    along = curve.bezier[-1] - curve.bezier[0]
    along = along / np.linalg.norm(along)
    across = curve.ends[1] - curve.ends[0]
    across = across - (across @ along) * along
    if np.linalg.norm(across) < 1e-9:  # the ends meet: any plane will do
        across = np.linalg.svd(along[None])[2][1]
    return np.column_stack([along, across / np.linalg.norm(across)])


def _finish(axes: Any, curve: ClosedCurve) -> None:
    shown = _flat(curve.sample)
    (left, low), (right, high) = shown.min(axis=1), shown.max(axis=1)
    room = 0.08 * max(right - left, high - low)
    axes.set_xlim(left - room, right + room)
    axes.set_ylim(low - room, high + room)
    axes.set_aspect("equal")
    axes.set_xlabel("first dimension [cm]", fontsize=8)
    axes.set_ylabel("second [cm]", fontsize=8)


DRAWN = (_draw_sample, _draw_cycle, _draw_closed, _draw_gap)
