"""The feet of steps told beside their prints: what stands stands, whatever is blended ([stepping] 5.2.2).

The paper blends subtalar places in the support foot's frame, so that start and end fall on the footprints.
Told beside the prints they do for any weights and any prints: the roll of a foot is how it is turned away
from lying flat, and in the air there is a rest, where its ankle is beyond the roll about the toe joint or the
heel that stood last, or will stand next. Rests are 0 as the foot leaves and as it lands.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import pivot_of, roll_of
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.stepspace.step_table import (
    ORIGIN,
    SAMPLES,
    SUPPORT,
    TARGET,
    StepTable,
    sample_times,
)

OFF, STRIKE = (
    SAMPLES[0],
    SAMPLES[0] + SAMPLES[1],
)  # at which the swing foot of a walk leaves and lands
# channels: rolls beside origin and target, rests beside origin and target, the support foot's roll
LEAVING, COMING = slice(0, 3), slice(3, 6)
REST_LEAVING, REST_COMING = slice(6, 9), slice(9, 12)
SUPPORTING = slice(12, 15)
CHANNELS = 15


def foot_channels(table: StepTable) -> Float[np.ndarray, "n samples 15"]:
    """All steps' channels."""
    ankles, turns = table.feet
    out = np.zeros((*ankles.shape[:2], CHANNELS))
    sole = Sole.of(table.skeleton, table.foot)
    off, strike = edges_of(table)
    share = shares_of(table)
    fades = {ORIGIN: 1.0 - smoother(share), TARGET: smoother(share)}
    swings = (share > 0.0) & (share < 1.0)
    for which, edge, rolls, rests in (
        (ORIGIN, off, LEAVING, REST_LEAVING),
        (TARGET, strike, COMING, REST_COMING),
    ):
        local, turned, lying = _seen_from(table, which, ankles[:, :, 0], turns[:, :, 0])
        roll = roll_of(turned, lying[:, None])
        pivot = pivot_of(sole, roll[:, edge : edge + 1])
        about = quat.rotate(lying[:, None], pivot - sole.subtalar) - quat.rotate(turned, pivot)
        beyond = local - about
        out[..., rolls] = roll
        rest = beyond - fades[which][..., None] * beyond[:, edge : edge + 1]
        out[..., rests] = np.where(swings[..., None], rest, 0.0)
    _, turned, lying = _seen_from(table, SUPPORT, ankles[:, :, 1], turns[:, :, 1])
    out[..., SUPPORTING] = roll_of(turned, lying[:, None])
    return out


def edges_of(table: StepTable) -> tuple[int, int]:
    """The samples at which the swing foot leaves and lands."""
    return (0, table.root.shape[1] - 1) if table.runs else (OFF, STRIKE)


def shares_of(table: StepTable) -> Float[np.ndarray, "n samples"]:
    """How much of its swing a swing foot has done at each sample, in time."""
    times = sample_times(table.durations, table.flights if table.runs else None)
    off, strike = edges_of(table)
    return np.clip((times - times[:, off, None]) / (times[:, strike] - times[:, off])[:, None], 0.0, 1.0)


def _seen_from(
    table: StepTable,
    which: int,
    ankle: Float[np.ndarray, "n samples 3"],
    turn: Float[np.ndarray, "n samples 4"],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ankles and turns as seen from a print, and how the flat foot lies there."""
    back = ground.turn(-table.headings[:, which])[:, None]
    local = quat.rotate(back, ankle - table.places[:, which, None])
    return local, quat.multiply(back, turn), table.lying[:, which]
