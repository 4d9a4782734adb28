"""Contact spheres of a ring from above and from the side: [rings] figure 4.

Crosses are the lattice in the box of the strike points, dots where the foot really comes down with the
weights that were predicted for them: there the spheres are. A line leads from the one to the other.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.models.ring.aligned import mid_sole
from footfall.models.ring.model import MotionRing
from footfall.picture.footprints import FILL, INK, footprint
from footfall.picture.page import require_pyplot, save_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE, TALLEST = 13.0, 9.0  # inches
AROUND = 0.04  # m that panels show beyond what they must hold
LATTICE, BOX, OWN = "0.55", "0.55", "0.05"
VIEWS = {
    "from above": 0,
    "from the side": 1,
}  # the coordinate that is up in the picture; ahead is to the right
NAMES = ("to the left [m]", "up [m]")


def draw_spheres(ring: MotionRing, path: str | PathLike[str]) -> None:
    """The spheres of both half cycles of a ring, written as the file's ending says."""
    save_page(spheres_page(ring), Path(path))


def spheres_page(ring: MotionRing, title: str = "") -> Figure:
    if not isinstance(ring, MotionRing):
        raise RequestError(f"contact spheres are those of a MotionRing, not of {type(ring).__name__}")
    plt = require_pyplot()
    low, high = _limits(ring)
    wide, *talls = (high - low)[[2, 0, 1]]
    tall = WIDE / 2.0 * float(sum(talls)) / wide + 1.6
    figure, axes = plt.subplots(
        2, 2, figsize=(WIDE, min(tall, TALLEST)), layout="compressed", facecolor="white", height_ratios=talls
    )
    for half, column in enumerate(axes.T):
        for panel, (view, upward) in zip(column, VIEWS.items(), strict=True):
            _draw_half(panel, ring, half, [2, upward])
            panel.set_title(f"strikes of the {SIDES[1 - half]} foot, {view}", fontsize=10, loc="left")
    far = [100.0 * np.linalg.norm(s.centres - s.lattice, axis=1) for s in ring.spheres]
    words = title or f"Contact spheres of the ring {ring.gait!r}"
    words += (
        f": {len(ring)} loops, {len(ring.spheres[0])} spheres a foot, {np.mean(far):.1f} cm from where they"
    )
    words += f" were sought on average ({np.max(far):.1f} cm at most)"
    figure.suptitle(words, fontsize=11, weight="bold", x=0.008, ha="left")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
    return figure


def _limits(ring: MotionRing) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
    """The same for both feet, so that panels can be compared."""
    places = np.concatenate([_held(ring, half) for half in (0, 1)])
    return places.min(axis=0) - AROUND, places.max(axis=0) + AROUND


def _held(ring: MotionRing, half: int) -> Float[np.ndarray, "n 3"]:
    """What a panel must hold: the sole that stands, every sphere's centre, and one sphere whole."""
    spheres = ring.spheres[half]
    corners = spheres.radius * np.concatenate([np.eye(3), -np.eye(3)])
    whole = (_middle(spheres.centres) + corners) if len(spheres) else corners
    return np.concatenate([_sole(ring, half), spheres.centres, spheres.lattice, whole])


def _middle(places: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "3"]:
    """The place nearest to the mean of all."""
    return places[int(np.linalg.norm(places - places.mean(axis=0), axis=1).argmin())]


def _sole(ring: MotionRing, half: int) -> Float[np.ndarray, "n 3"]:
    """The outline of the sole that stands: its middle is the origin, and it points ahead."""
    side = SIDES[half]
    points = ring.skeleton.foot_points(side)
    along = points.toe - points.heel
    ahead = (points.subtalar - mid_sole(ring.skeleton, side)) @ along / np.linalg.norm(along)
    return footprint(ring.skeleton, side, np.array([0.0, 0.0, ahead]), 0.0).outline


def _draw_half(axes: Any, ring: MotionRing, half: int, flat: list[int]) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Circle, Rectangle

    spheres, own = ring.spheres[half], ring.tables.own_strikes(half)
    ink, fill = INK[SIDES[1 - half]], FILL[SIDES[1 - half]]
    low, high = own.min(axis=0)[flat], own.max(axis=0)[flat]
    axes.add_patch(
        Rectangle(
            low, *(high - low), fill=False, ec=BOX, ls=(0, (4, 2)), lw=1.0, label="box of the strike points"
        )
    )
    x, y = _middle(spheres.centres)[flat].tolist()
    axes.add_patch(
        Circle(
            (x, y),
            spheres.radius,
            fc=(*fill, 0.35),
            ec=ink,
            lw=1.0,
            label=f"a sphere: r = {spheres.radius:.2f} m",
        )
    )
    ways = np.stack([spheres.lattice[:, flat], spheres.centres[:, flat]], axis=1)
    axes.add_collection(LineCollection(list(ways), colors="0.6", lw=0.7))
    axes.plot(*spheres.lattice[:, flat].T, "+", ms=5, color=LATTICE, mew=0.9, label="lattice", zorder=2)
    axes.plot(
        *spheres.centres[:, flat].T,
        "o",
        ms=4.0,
        color=ink,
        mec="white",
        mew=0.4,
        label="sphere's centre",
        zorder=3,
    )
    axes.plot(*own[:, flat].T, "D", ms=6, mfc="none", mec=OWN, mew=1.2, label="strike of a loop", zorder=4)
    _draw_sole(axes, ring, half, flat)
    _finish(axes, ring, flat)


def _draw_sole(axes: Any, ring: MotionRing, half: int, flat: list[int]) -> None:
    sole = _sole(ring, half)
    if 1 not in flat:
        axes.fill(
            *sole[:, flat].T, fc=FILL[SIDES[half]], ec=INK[SIDES[half]], lw=1.0, label="foot that stands"
        )
    else:
        axes.plot(
            [sole[:, 2].min(), sole[:, 2].max()], [0.0, 0.0], color=INK[SIDES[half]], lw=4.0,
            solid_capstyle="butt", label="foot that stands",
        )  # fmt: skip


def _finish(axes: Any, ring: MotionRing, flat: list[int]) -> None:
    low, high = _limits(ring)
    axes.set_xlim(low[flat[0]], high[flat[0]])
    axes.set_ylim(low[flat[1]], high[flat[1]])
    axes.set_aspect("equal")
    axes.set_xlabel("ahead [m]", fontsize=9)
    axes.set_ylabel(NAMES[flat[1]], fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
