"""Selected steps blended and laid on the plan's prints: body and feet at all samples of all steps.

The body is a weighted sum of the steps' channels in their support foot's frame ([stepping] 5.2). What their
prints then miss of the plan's is shared with the body: half of it while both feet stand, as the middle
between the feet moves, and likewise for where the feet point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest
from footfall.geometry.easing import smooth, smoother
from footfall.models.stepspace.body_channels import ROOT, YAW, BodyChannels
from footfall.models.stepspace.foot_channels import REST_COMING, REST_LEAVING, foot_channels
from footfall.models.stepspace.low_space import MIRRORED, low_axis
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.selection import Selection
from footfall.models.stepspace.step_table import BEYOND, STRETCHES, StepTable, grid, sample_times
from footfall.models.stepspace.timing import HAIR

NO_WAY = (0.1, 0.3)  # m from print to print, over which there comes to be a way
HURRY = 0.8  # of its time in the blend that a stretch of a step takes for the body, at least


@dataclass(frozen=True, eq=False)
class StepSide:
    """The steps of one swing foot, told as channels."""

    table: StepTable
    channels: BodyChannels

    @cached_property
    def body(self) -> Float[np.ndarray, "n samples channels"]:
        own = self.table.window
        return self.channels.told(self.table.root[:, own], self.table.rotations[:, own])

    @cached_property
    def root(self) -> Float[np.ndarray, "n samples 3"]:
        return self.table.root[:, self.table.window]

    @cached_property
    def velocity(self) -> Float[np.ndarray, "n samples 3"]:
        return self.table.velocity[:, self.table.window]

    @cached_property
    def feet(self) -> Float[np.ndarray, "n samples 15"]:
        return foot_channels(self.table)

    @cached_property
    def axes(self) -> Float[np.ndarray, "n"]:
        """The angle of the S_low axis in the support foot's frame; of the right foot the left's, mirrored."""
        if self.table.foot == "left":
            return low_axis(self.table.high)
        return -low_axis(self.table.high * MIRRORED)


@dataclass(frozen=True, eq=False)
class Blend:
    """One step's blend in its support foot's frame, before it is laid on the plan's prints."""

    body: Float[np.ndarray, "samples channels"]
    velocity: Float[np.ndarray, "samples 3"]  # of the root, m/s
    feet: Float[np.ndarray, "more 15"]  # of a run with the samples before and after it
    places: Float[np.ndarray, "2 3"]  # of origin and target
    headings: Float[np.ndarray, "3"]  # of origin, target and support
    durations: Float[np.ndarray, "3"]
    flights: Float[np.ndarray, "2"]
    runs: bool

    @cached_property
    def gaps(self) -> Float[np.ndarray, "samples"]:
        """s between a sample's neighbours, as captured; at the ends twice that to the one."""
        times = sample_times(self.durations)
        return np.concatenate(
            [[2.0 * (times[1] - times[0])], times[2:] - times[:-2], [2.0 * (times[-1] - times[-2])]]
        )


@cache
def _swung() -> Float[np.ndarray, "samples"]:
    """How much of its swing a step has done at each sample, eased."""
    return smoother(np.clip(grid() - 1.0, 0.0, STRETCHES - 2.0))


def _summed(
    own: Float[np.ndarray, "n samples channels"], selection: Selection
) -> Float[np.ndarray, "samples channels"]:
    """The weighted sum of selected rows."""
    from footfall.models.stepspace.blend_kernel import add_rows

    out = np.empty(own.shape[1:])
    rows, weights = np.asarray(selection.steps, dtype=np.int64), np.asarray(selection.weights, dtype=float)
    add_rows(np.ascontiguousarray(own), np.ascontiguousarray(rows), np.ascontiguousarray(weights), out)
    return out


def blend_of(side: StepSide, selection: Selection, axis: float = 0.0) -> Blend:
    """The weighted sum of selected steps; `axis` is the query's, for steps that are aligned on S_low's."""
    rows, w = selection.steps, selection.weights
    table = side.table
    body, velocity, feet = (_summed(own, selection) for own in (side.body, side.velocity, side.feet))
    places = np.tensordot(w, table.places[rows, :2], axes=1)
    headings = w @ table.headings[rows]
    if selection.frame == "low":
        turns = ground.wrap(axis - side.axes[rows])
        aligned = ground.turn(turns)[:, None]
        body[:, ROOT] = np.tensordot(w, quat.rotate(aligned, side.root[rows]), axes=1)
        velocity = np.tensordot(w, quat.rotate(aligned, side.velocity[rows]), axes=1)
        places = np.tensordot(w, quat.rotate(aligned, table.places[rows, :2]), axes=1)
        heaviest = turns[first_greatest(w)]
        near = heaviest + ground.wrap(turns - heaviest)
        body[:, YAW] += w @ near
        headings = headings + w @ near
    return Blend(
        body,
        velocity,
        feet,
        places,
        headings,
        w @ table.durations[rows],
        w @ table.flights[rows],
        table.runs,
    )


@dataclass(frozen=True, eq=False)
class LaidSteps:
    """All steps of a plan, in the world, before they are joined."""

    times: Float[np.ndarray, "steps samples"]  # s from each step's start, of the body
    body: Float[np.ndarray, "steps samples channels"]
    runs: Bool[np.ndarray, "steps"]
    feet_times: Float[np.ndarray, "steps more"]  # of feet; before and after steps as well where any is run,
    swing_times: Float[np.ndarray, "steps more"]  # and as the swing foot has them
    feet: Float[np.ndarray, "steps more 15"]

    @property
    def seconds(self) -> Float[np.ndarray, "steps"]:
        return self.times[:, -1]


def laid(
    planned: PlannedSteps,
    blends: Sequence[Blend],
    durations: Float[np.ndarray, "steps 3"],
    flights: Float[np.ndarray, "steps 2"] | None = None,
) -> LaidSteps:
    """Blends on their prints, with their times."""
    from footfall.models.stepspace.blend_kernel import lay

    calm = unhurried(np.stack([b.durations for b in blends]), durations)
    times = np.ascontiguousarray(sample_times(calm))
    body = np.stack([b.body for b in blends])
    velocity, own = np.stack([b.velocity for b in blends]), np.stack([b.gaps for b in blends])
    places, turns = planned.beside()
    missed = places - np.stack([b.places for b in blends])
    headings = np.stack([b.headings for b in blends])
    turned = ground.wrap(np.concatenate([turns, np.zeros((len(turns), 1))], axis=1) - headings)
    support = planned.prints[:, 2]
    stands = planned.places[support], planned.headings[support]
    lay(velocity, own, times, _swung(), missed, turned, *stands, body)
    runs = np.array([b.runs for b in blends])
    feet = np.stack([_more(b) if runs.any() else b.feet for b in blends])
    _along_their_way(feet, places, missed, turned)
    if not runs.any():
        feet_times = times if (calm == durations).all() else sample_times(durations)
        return LaidSteps(times, body, runs, feet_times, feet_times, feet)
    assert flights is not None
    more = sample_times(durations, np.where(runs[:, None], flights, HAIR))
    return LaidSteps(times, body, runs, more, _swing_times(blends, more, runs), feet)


def _along_their_way(
    feet: Float[np.ndarray, "steps samples 15"],
    places: Float[np.ndarray, "steps 2 3"],
    missed: Float[np.ndarray, "steps 2 3"],
    turned: Float[np.ndarray, "steps 3"],
) -> None:
    """Rests turned with the way from print to print, in place, and not with where the feet point.

    A foot that points elsewhere than the blended ones did still goes the straight way. Without a way, on the
    spot, it is the foot that tells.
    """
    asked = places[:, 1] - places[:, 0]
    blended = asked - (missed[:, 1] - missed[:, 0])
    shorter = np.minimum(np.hypot(asked[:, 0], asked[:, 2]), np.hypot(blended[:, 0], blended[:, 2]))
    sure = smooth((shorter - NO_WAY[0]) / (NO_WAY[1] - NO_WAY[0]))
    off = np.arctan2(asked[:, 0], asked[:, 2]) - np.arctan2(blended[:, 0], blended[:, 2])
    angles = sure[:, None] * ground.wrap(off[:, None] - turned[:, :2])
    sin, cos = np.sin(angles)[:, None], np.cos(angles)[:, None]
    for k, rest in enumerate((REST_LEAVING, REST_COMING)):
        x, z = feet[..., rest.start].copy(), feet[..., rest.start + 2]
        feet[..., rest.start] = cos[..., k] * x + sin[..., k] * z
        feet[..., rest.start + 2] = cos[..., k] * z - sin[..., k] * x


def unhurried(
    own: Float[np.ndarray, "steps 3"], durations: Float[np.ndarray, "steps 3"]
) -> Float[np.ndarray, "steps 3"]:
    """The body's share of a step's stretches: none goes by much faster than in the blend where feet hurry.

    A double stance of a frame or two is a matter of the feet: a body that passed through all it does in one
    would be thrown. What one stretch needs more the others give, so the step lasts as long.
    """
    least = HURRY * own * np.minimum(durations.sum(axis=1) / own.sum(axis=1), 1.0)[:, None]
    spare = np.maximum(durations - least, 0.0)
    needed = np.maximum(least - durations, 0.0).sum(axis=1)
    return np.maximum(durations, least) - spare * (needed / spare.sum(axis=1))[:, None]


def _swing_times(
    blends: Sequence[Blend], times: Float[np.ndarray, "steps more"], runs: Bool[np.ndarray, "steps"]
) -> Float[np.ndarray, "steps more"]:
    """Swings of running steps at their own pace, from when they leave to when they land.

    Beside a walking step there is no flight: the swing is quicker as a whole rather than at once.
    """
    durations = np.stack([b.durations for b in blends])
    own = sample_times(durations, np.where(runs[:, None], np.stack([b.flights for b in blends]), HAIR))
    share = (own - own[:, :1]) / (own[:, -1:] - own[:, :1])
    return np.where(runs[:, None], times[:, :1] + share * (times[:, -1:] - times[:, :1]), times)


def _more(blend: Blend) -> Float[np.ndarray, "more 15"]:
    """Feet with samples before and after the step; those of a walk are not looked at."""
    return blend.feet if blend.runs else np.pad(blend.feet, ((BEYOND, BEYOND), (0, 0)), mode="edge")
