"""The contact timeline: when each heel and each toe stands, and at which times figures are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from footfall.figure.contacts import Contacts, runs_of
from footfall.picture.footprints import INK
from footfall.picture.page import DPI

LANES = (("left", "heel"), ("left", "toe"), ("right", "heel"), ("right", "toe"))
BAR = 0.78  # of a lane
HEIGHT = 127 / DPI  # inches, its seconds included


def bars(contacts: Contacts, fps: float) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """For each heel and toe the stretches in which it stands: start and length in seconds."""
    found = {}
    for side, part in LANES:
        touching = contacts.heel_of(side) if part == "heel" else contacts.toe_of(side)
        found[side, part] = [(a / fps, (b - a) / fps) for a, b in runs_of(touching)]
    return found


def draw_timeline(axes: Any, contacts: Contacts, fps: float, shown: Iterable[float] = ()) -> None:
    """Four lanes on matplotlib axes, time to the right, a line for each shown figure."""
    for lane, ((side, part), stretches) in enumerate(bars(contacts, fps).items()):
        middle = -lane - 0.25 * (lane > 1)  # the right foot a little apart from the left
        axes.axhspan(middle - 0.5 * BAR, middle + 0.5 * BAR, color="0.95", lw=0)
        axes.broken_barh(
            stretches,
            (middle - 0.5 * BAR, BAR),
            color=INK[side],
            alpha=1.0 if part == "toe" else 0.6,
            lw=0,
            label=f"{side} {part}",
        )
    for seconds in shown:
        axes.axvline(seconds, color="0.2", lw=0.8, ls=(0, (2, 2)))
    axes.set_xlim(0.0, max(len(contacts) / fps, 1e-6))
    axes.set_ylim(-3.25 - 0.6, 0.6)
    axes.set_yticks(
        [0, -1, -2.25, -3.25], [f"{side} {part}" for side, part in LANES], fontsize=8, color="0.2"
    )
    axes.tick_params(axis="x", length=2, pad=2, labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter("{x:g} s")
    for spine in axes.spines.values():
        spine.set_visible(False)
