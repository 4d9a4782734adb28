"""Pictures of what was measured: how a gait answers its stick, and each frame's turnaround time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ring_response import FOLLOWED, QUARTER, TURN, Responses
from ring_speed import Timed

from footfall.picture.page import require_pyplot, save_page

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
RESPONSE, TURNAROUND = FOLDER / "ring_response.png", FOLDER / "ring_turnaround.png"
COLOURS = {"bumps": "#4477aa", "stairs": "#cc6677", "stones": "#ddaa33"}
SHOWN = 800  # frames, [rings] figure 8
FROM = 1200  # the first of them
BINS = 25


def save_responses(found: Sequence[Responses], path: Path = RESPONSE) -> None:
    """A row a ring: what was waited, how far off the step's turn is, when the heading followed."""
    plt = require_pyplot()
    rings = list(dict.fromkeys(one.ring for one in found))
    figure, axes = plt.subplots(len(rings), 3, figsize=(13.0, 2.9 * len(rings)), squeeze=False)
    for row, ring in zip(axes, rings, strict=True):
        own = [one for one in found if one.ring == ring]
        names, colours = [one.ground for one in own], [COLOURS[one.ground] for one in own]
        heard = [one.cycles[np.isfinite(one.cycles)] for one in own]
        off = [np.degrees(one.turn_off[np.isfinite(one.turn_off)]) for one in own]
        follows = [one.follows[np.isfinite(one.follows) & one.turning] for one in own]
        row[0].hist(heard, bins=np.linspace(0.0, 0.3, BINS + 1), color=colours, label=names)
        row[0].axvline(QUARTER, color="0.3", linestyle=":")
        row[0].set_xlabel("heard after, gait cycles")
        row[1].hist(off, bins=np.linspace(-60.0, 60.0, BINS + 1), color=colours)
        for side in (-1.0, 1.0):
            row[1].axvline(side * np.degrees(TURN), color="0.3", linestyle=":")
        row[1].set_xlabel("turn of the step from what was wished and possible, degrees")
        row[2].hist(follows, bins=np.linspace(0.0, 2.5, BINS + 1), color=colours)
        row[2].set_xlabel(f"heading within {np.degrees(FOLLOWED):.0f} degrees of the wish after, s")
        row[0].set_ylabel(f"{ring}\ninputs")
        row[0].legend(fontsize=8)
    figure.tight_layout()
    save_page(figure, path)


def save_turnaround(found: Sequence[Timed], path: Path = TURNAROUND) -> None:
    """Microseconds of each of some frames, one line a method."""
    plt = require_pyplot()
    figure, axes = plt.subplots(figsize=(13.0, 3.6))
    for one in found:
        if one.call == "gait.advance":
            axes.plot(1e6 * one.seconds[FROM : FROM + SHOWN], linewidth=0.8, label=one.method)
    axes.set_xlabel("frame")
    axes.set_ylabel("turnaround time, us")
    axes.set_xlim(0, SHOWN)
    axes.set_ylim(0.0, None)
    axes.legend()
    figure.tight_layout()
    save_page(figure, path)
