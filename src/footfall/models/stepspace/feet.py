"""Feet on their prints, frame by frame: standing exactly, rolling about heel or toe joint, swinging between.

A frame's swing foot is seen from the print it leaves and from the print it comes to; in the air one passes
into the other. So it leaves and lands without a seam on whatever prints the plan has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.adapt.foot_roll import FLAT, NEARLY, SURELY, shaped
from footfall.adapt.swing_clearance import bumps
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.geometry.easing import smooth, smoother
from footfall.models.stepspace.curves import Moments
from footfall.models.stepspace.foot_channels import (
    COMING,
    LEAVING,
    REST_COMING,
    REST_LEAVING,
)
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Soles

LIES, ROLLS = 0.035, 0.08  # s around a moment in which a foot lies, and in which it comes to and goes from it
SHORT = 1e-3  # s
ON_TOES = np.radians(6.0)  # of roll
LANDING = (0.5, 0.8)  # of a swing, over which it begins to count how the foot lands
FREE = 0.5  # of a swing, over which toes that lay are let go
LEAVES, LANDS = 0.3, 0.7  # of the way: so long a foot is over the ground it leaves, and so soon over the next

Vectors = Float[np.ndarray, "frames 3"]
Turns = Float[np.ndarray, "frames 4"]
Numbers = Float[np.ndarray, "frames"]


@dataclass(frozen=True, eq=False)
class FootWay:
    """One foot over all frames, in the world."""

    ankle: Vectors
    turn: Turns
    toe: Turns | None  # against the foot, as it must lie,
    bound: Numbers  # and how far it must: in the air it is free
    heel_down: Bool[np.ndarray, "frames"]
    toe_down: Bool[np.ndarray, "frames"]
    share: Numbers  # of its swing; 0 stands
    level: Numbers  # of the ground: its print's, halfway the lower of the two
    free: Numbers  # 1 may raise its heel more, 0 must lie


def channels_at(
    steps: JoinedSteps, step: Int[np.ndarray, "frames"], since: Numbers, *, swings: bool
) -> tuple[Float[np.ndarray, "frames 15"], Float[np.ndarray, "frames 15"]]:
    """The feet's channels at moments of steps, and what joins them."""
    events, meets = steps.events.swing, steps.events.meets
    if swings:
        lowest, highest = np.minimum(events[:, 0], meets[:, 0]), np.maximum(events[:, 1], meets[:, 1])
    else:
        lowest, highest = steps.events.support.T
    lowest, highest = lowest[step], highest[step]
    times = steps.swing_times if swings else steps.feet_times
    pieces = Moments.within(step, since, times, lowest, highest)
    return pieces.at(steps.feet, steps.feet_slopes), pieces.at(steps.give, steps.give_slopes)


def unrocked(own: Vectors, more: Vectors, came: Numbers) -> Vectors:
    """Rolls with what joins them; where neither heel nor toes are up or were, joining lifts neither."""
    out = own + more
    for sign in (1.0, -1.0):
        lifted = smooth((sign * own[:, 0] - FLAT) / SURELY)
        over = np.maximum(sign * out[:, 0] - np.maximum(sign * came, FLAT), 0.0)
        out[:, 0] -= sign * (1.0 - lifted) * over * over / (over + FLAT)  # without a corner
    return out


def swinging(
    soles: Soles,
    planned: PlannedSteps,
    steps: JoinedSteps,
    step: Int[np.ndarray, "frames"],
    since: Numbers,
) -> FootWay:
    """The swing feet of steps, at moments since these began."""
    feet = planned.feet[step]
    off, strike = (steps.swing_times[step, steps.events.swing[step, k]] for k in range(2))
    share = np.clip((since - off) / (strike - off), 0.0, 1.0)
    own, more = channels_at(steps, step, since, swings=True)
    before, after = share <= 0.0, share >= 1.0
    air = ~(before | after)
    early, late = 1.0 - smoother(2.0 * share), smoother(2.0 * share - 1.0)
    rows = np.arange(len(planned))
    edges, rolls = [], []
    for k, part in enumerate((LEAVING, COMING)):
        at, came = steps.events.swing[:, k], steps.came[:, k, 0]
        edges.append(unrocked(steps.feet[rows, at][:, part], steps.give[rows, at][:, part], came))
        rolls.append(unrocked(own[:, part], more[:, part], came[step]))
    leaving = _shaped(rolls[0], edges[0][step], before, early)
    coming = _shaped(rolls[1], edges[1][step], after, late)
    origin, target = planned.prints[step, 0], planned.prints[step, 1]
    lying = shaped(edges[0])[step], shaped(edges[1])[step]
    left = beside(soles, feet, planned, origin, leaving, own[:, REST_LEAVING], air, lying[0], early)
    lands = beside(soles, feet, planned, target, coming, own[:, REST_COMING], air, lying[1], late)
    mix = smoother(share)
    ankle = (1.0 - mix)[:, None] * left[0] + mix[:, None] * lands[0]
    turn = quat.slerp(left[1], lands[1], mix)
    if steps.aside is not None:
        ankle = ankle + np.sum(bumps(share)[..., None] * steps.aside[step], axis=1)
    heights = planned.places[:, 1]
    lower = np.minimum(heights[origin], heights[target])
    above = ankle - lower[:, None] * ground.UP
    raised = np.where(air, soles.buried(feet, above, turn), 0.0)
    if steps.lifts is not None:  # those whose ground is not looked at are not numbers
        lifted = np.sum(bumps(share) * steps.lifts[step], axis=-1)
        raised = np.where(np.isnan(lifted), raised, lifted)
    ankle[:, 1] += raised
    roll = np.where(clearly_less(0.5, mix)[:, None], coming, leaving)
    flat = np.abs(roll[:, 0]) < NEARLY
    return FootWay(
        ankle=ankle,
        turn=turn,
        toe=lying_toe(soles, feet, roll),
        bound=np.where(air, np.maximum(1.0 - smooth(share / FREE), smooth(4.0 * share - 3.0)), 1.0),
        heel_down=~air & (flat | (roll[:, 0] < 0.0)),
        toe_down=~air & (flat | (roll[:, 0] > 0.0)),
        share=np.where(air, share, 0.0),
        level=np.where(mix < LEAVES, heights[origin], np.where(mix > LANDS, heights[target], lower)),
        free=_out_of_stands(planned, steps, step, since) * _on_landing(share, rolls[1]),
    )


def _out_of_stands(
    planned: PlannedSteps, steps: JoinedSteps, step: Int[np.ndarray, "frames"], since: Numbers
) -> Numbers:
    """Swing feet lie in the stand they leave, in that they come to, and between two steps of one foot."""
    same = planned.feet[1:] == planned.feet[:-1]
    first = np.concatenate([[steps.stands[0]], same])[step]
    last = np.concatenate([same, [steps.stands[1]]])[step]
    left = steps.times[step, -1] - since
    leaving = np.where(first, smooth((since - LIES) / ROLLS), 1.0)
    return leaving * np.where(last, smooth((left - LIES) / ROLLS), 1.0)


def _on_landing(share: Numbers, coming: Vectors) -> Numbers:
    """A foot that has come down raises its heel no more, unless it came on its toes."""
    return 1.0 + smooth((share - LANDING[0]) / (LANDING[1] - LANDING[0])) * (
        smooth(coming[:, 0] / ON_TOES) - 1.0
    )


def _shaped(roll: Vectors, edge: Vectors, stands: Bool[np.ndarray, "frames"], fade: Numbers) -> Vectors:
    """Rolls as a standing foot may have them; in the air the change at the edge is eased out."""
    change = shaped(edge) - edge
    return np.where(stands[:, None], shaped(roll), roll + fade[:, None] * change)


def beside(
    soles: Soles,
    feet: Int[np.ndarray, "frames"],
    planned: PlannedSteps,
    prints: Int[np.ndarray, "frames"],
    roll: Vectors,
    rest: Vectors,
    air: Bool[np.ndarray, "frames"],
    edge: Vectors,
    fade: Numbers,
) -> tuple[Vectors, Turns]:
    """Ankle and turn as seen from a print, in the world."""
    turn = quat.multiply(quat.exp(roll), soles.lying[feet])
    # in the air the point goes on to count that stood last, or will first
    pivot = np.where(air[:, None], soles.pivot(feet, edge), soles.pivot(feet, roll))
    ankle = soles.about(feet, pivot, turn) + np.where(air[:, None], rest, 0.0)
    edge_turn = quat.multiply(quat.exp(edge), soles.lying[feet])
    edge_ankle = soles.about(feet, soles.pivot(feet, edge), edge_turn)
    raised = soles.buried(feet, edge_ankle, edge_turn)  # at the edge; in the air that is let go
    ankle[:, 1] += np.where(air, fade * raised, soles.buried(feet, ankle, turn))
    facing = planned.turns[prints]
    return planned.places[prints] + quat.rotate(facing, ankle), quat.multiply(facing, turn)


def lying_toe(soles: Soles, feet: Int[np.ndarray, "frames"], roll: Vectors) -> Turns | None:
    """The toe's turn against the foot: it lies while the heel is up, and is straight otherwise."""
    if soles.toe_rest is None:
        return None
    rest = soles.toe_rest[feet]
    turn = quat.multiply(quat.exp(roll), soles.lying[feet])
    lies = quat.multiply(quat.conjugate(turn), quat.multiply(soles.lying[feet], rest))
    return np.where(roll[:, :1] > 0.0, lies, rest)
