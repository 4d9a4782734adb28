"""Steps joined where both feet stand: neighbours meet halfway, in posture and in rate ([stepping] 5.3).

Steps are made one by one, and where two meet they differ a little. Each gives way by half, eased over all of
it: over a double stance alone, which may last a single frame, the same change would be a jerk. A stand
gives nothing: there the step does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.foot_roll import FLAT
from footfall.geometry.decisions import first_least
from footfall.models.stepspace.blended import LaidSteps
from footfall.models.stepspace.body_channels import YAW
from footfall.models.stepspace.curves import slopes_of
from footfall.models.stepspace.edge import Edge, Stand
from footfall.models.stepspace.foot_channels import (
    COMING,
    LEAVING,
    OFF,
    REST_COMING,
    REST_LEAVING,
    STRIKE,
    SUPPORTING,
)
from footfall.models.stepspace.planned import PlannedSteps

JOINING = 0.6  # s over which the body gives way, never more than a step lasts
FEET_JOINING = 0.12  # s, the same for the rolls of feet, which come down and go up much faster
OF_STANDS = 0.9  # of the time that both feet stand beside a stand, the same there
SOFTLY = 0.03  # s after a toe-off, and before a strike, in which a foot comes to its captured pace
SOFT_WAY = 0.05  # m at its pace, at most: by then it is a sixth of that behind
ROOM = 0.07  # s before and after the moment in which a support foot must lie
LYING = 0.35  # of a swing, by when the other foot lies flat if it can
UNTIMELY = np.radians(6.0)  # of roll for a whole swing earlier or later
FULL_TURN = 2.0 * np.pi


@dataclass(frozen=True, eq=False)
class Events:
    """Samples of the feet's tables at which something happens, step by step."""

    swing: Int[np.ndarray, "steps 2"]  # the swing foot leaves and lands
    support: Int[np.ndarray, "steps 2"]  # the first and the last at which the support foot stands
    meets: Int[np.ndarray, "steps 2"]  # where the swing foot's rolls meet the step before and the next

    @classmethod
    def of(cls, laid: LaidSteps) -> Events:
        """In a walk steps meet where both feet stand, in a run where a foot leaves or lands."""
        window, more = laid.times.shape[1], laid.feet.shape[1]
        beyond, runs = (more - window) // 2, laid.runs[:, None]
        ends, foot = [beyond, beyond + window - 1], [beyond + OFF, beyond + STRIKE]
        return cls(
            np.where(runs, [0, more - 1], foot),
            np.where(runs, foot, ends),
            np.where(runs, [0, more - 1], ends),
        )


@dataclass(frozen=True, eq=False)
class JoinedSteps:
    """Samples and slopes of body and feet; the feet's joining is apart, for it may not lift what lies."""

    times: Float[np.ndarray, "steps samples"]
    body: Float[np.ndarray, "steps samples channels"]
    body_slopes: Float[np.ndarray, "steps samples channels"]
    events: Events
    feet_times: Float[np.ndarray, "steps more"]
    swing_times: Float[np.ndarray, "steps more"]
    feet: Float[np.ndarray, "steps more 15"]
    feet_slopes: Float[np.ndarray, "steps more 15"]
    give: Float[np.ndarray, "steps more 15"]  # what joins the feet's rolls
    give_slopes: Float[np.ndarray, "steps more 15"]
    came: Float[np.ndarray, "steps 2 2"]  # rolls at start and end, of swing foot and support foot
    lies: Float[np.ndarray, "steps"]  # s from a step's start at which its support foot must lie flat
    stands: tuple[bool, bool]  # whether there is a stand before the first step and after the last
    lifts: Float[np.ndarray, "steps bumps"] | None = (
        None  # by which swings are raised over the ground; NaN: not looked at
    )
    aside: Float[np.ndarray, "steps bumps 3"] | None = None  # by which swings leave their way


def joined(
    planned: PlannedSteps,
    laid: LaidSteps,
    stands: tuple[Stand | None, Stand | None],
) -> JoinedSteps:
    """Steps that meet; `stands` are the postures to start from and to end in, where there are any."""
    from footfall.models.stepspace.curves_kernel import give_way

    body = _without_whole_turns(laid.body)
    slopes = slopes_of(body, laid.times)
    start, start_rate, end, end_rate = _meetings(body, slopes)
    for at, stand in ((0, stands[0]), (-1, stands[1])):
        if stand is not None:
            edge = body[0, 0] if at == 0 else body[-1, -1]
            values, rates = (start, start_rate) if at == 0 else (end, end_rate)
            values[at], rates[at] = stand.body, 0.0
            values[at, YAW] += FULL_TURN * np.round((edge[YAW] - stand.body[YAW]) / FULL_TURN)
    seconds = np.minimum(JOINING, laid.seconds)
    give_way(np.ascontiguousarray(laid.times), seconds, start, start_rate, end, end_rate, body, slopes)
    events = Events.of(laid)
    own = _foot_slopes(laid)
    feet = np.array(laid.feet, order="C")
    _leave_and_land_softly(laid, events, feet, own)
    give, give_slopes, came = _rolls_given(planned, laid, events, own, stands)
    return JoinedSteps(
        laid.times,
        body,
        slopes,
        events,
        laid.feet_times,
        laid.swing_times,
        feet,
        own,
        give,
        give_slopes,
        came,
        lies=_lying(laid, events),
        stands=(stands[0] is not None, stands[1] is not None),
    )


def _foot_slopes(laid: LaidSteps) -> Float[np.ndarray, "steps more 15"]:
    """Slopes of the feet's channels; what a walk has no samples for is left out."""
    beyond = (laid.feet.shape[1] - laid.times.shape[1]) // 2
    if not beyond:
        return slopes_of(laid.feet, laid.feet_times)
    out = np.zeros(laid.feet.shape)
    for runs, samples in ((True, slice(None)), (False, slice(beyond, -beyond))):
        rows = laid.runs == runs
        if rows.any():
            swing = slopes_of(laid.feet[rows, samples], laid.swing_times[rows, samples])
            stance = slopes_of(laid.feet[rows, samples], laid.feet_times[rows, samples])
            swing[..., SUPPORTING] = stance[..., SUPPORTING]
            out[rows, samples] = swing
    return out


def _leave_and_land_softly(
    laid: LaidSteps,
    events: Events,
    feet: Float[np.ndarray, "steps more 15"],
    slopes: Float[np.ndarray, "steps more 15"],
) -> None:
    """Feet leave as slowly as they stood and land so, in place: captured rests begin and end with a rate.

    The moment of a toe-off is known to a frame, and by then the foot is on its way.
    """
    from footfall.models.stepspace.curves_kernel import add_eased

    rows, times = np.arange(len(feet)), np.ascontiguousarray(laid.swing_times)
    swing = times[rows, events.swing[:, 1]] - times[rows, events.swing[:, 0]]
    for channels, edge, way in ((REST_LEAVING, events.swing[:, 0], 1), (REST_COMING, events.swing[:, 1], -1)):
        off = times[rows, edge]
        gone = np.abs(times[rows, edge + way] - off)[:, None]
        rate = np.ascontiguousarray(way * feet[rows, edge + way, channels] / gone)
        slopes[rows, edge, channels] = rate
        # no longer than that: what is fast soon is far from where it was captured
        quick = SOFT_WAY / np.maximum(np.linalg.norm(rate, axis=-1), 1e-9)
        seconds = np.minimum(np.minimum(SOFTLY, quick), 0.25 * swing)
        none = np.zeros(rate.shape)
        add_eased(times, off, float(way), seconds, none, -rate, channels.start, feet, slopes)


def _lying(laid: LaidSteps, events: Events) -> Float[np.ndarray, "steps"]:
    """When support feet lie flattest, early rather than late: every print is to be lain in."""
    beyond = (laid.feet.shape[1] - laid.times.shape[1]) // 2
    inner = np.arange(OFF, STRIKE + 1)
    share = (inner - OFF) / (STRIKE - OFF)
    roll = np.abs(laid.feet[:, beyond + inner, SUPPORTING.start])
    best = first_least(np.maximum(roll, FLAT) + UNTIMELY * np.abs(share - LYING), axis=1)
    rows = np.arange(len(best))
    first, last = (laid.feet_times[rows, events.support[:, k]] for k in range(2))
    # with room to come to it and to go from it while the foot stands
    room = np.minimum(ROOM, 0.45 * (last - first))
    return np.clip(laid.feet_times[rows, beyond + inner[best]], first + room, last - room)


def edge_of(planned: PlannedSteps, laid: LaidSteps, *, last: bool) -> Edge:
    """How the first step starts, or the last one ends."""
    step, sample = (-1, -1) if last else (0, 0)
    # a foot that leaves its print next, or has just come to its print, has no other moment to lie in it
    rolls = np.array(
        [0.0, laid.feet[step, Events.of(laid).support[-1, 1], SUPPORTING.start] if last else 0.0]
    )
    pair = planned.prints[step, [1 if last else 0, 2]]  # swing foot and support foot
    order = [1, 0] if planned.feet[step] else [0, 1]
    pair = pair[order]
    return Edge(laid.body[step, sample], rolls[order], planned.places[pair], planned.headings[pair])


def _without_whole_turns(body: Float[np.ndarray, "steps samples channels"]) -> np.ndarray:
    out = np.array(body, order="C")
    jumps = np.round((body[:-1, -1, YAW] - body[1:, 0, YAW]) / FULL_TURN)
    out[1:, :, YAW] += FULL_TURN * np.cumsum(jumps)[:, None]
    return out


def _meetings(values: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Values and rates at which each step starts and ends: halfway to its neighbour's."""
    start, start_rate = values[:, 0].copy(), slopes[:, 0].copy()
    end, end_rate = values[:, -1].copy(), slopes[:, -1].copy()
    start[1:] = end[:-1] = 0.5 * (values[1:, 0] + values[:-1, -1])
    start_rate[1:] = end_rate[:-1] = 0.5 * (slopes[1:, 0] + slopes[:-1, -1])
    return start, start_rate, end, end_rate


def _rolls_given(
    planned: PlannedSteps,
    laid: LaidSteps,
    events: Events,
    slopes: Float[np.ndarray, "steps more 15"],
    stands: tuple[Stand | None, Stand | None],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How rolls give way where steps meet: the same foot in both, swing or support."""
    from footfall.models.stepspace.curves_kernel import add_eased

    feet, rows = laid.feet, np.arange(len(laid.feet))
    # where each foot is met by the step before, and by the next: (steps, swing/support)
    first = np.stack([events.meets[:, 0], events.support[:, 0]], axis=1)
    last = np.stack([events.meets[:, 1], events.support[:, 1]], axis=1)

    def at(values: np.ndarray, samples: np.ndarray, swing: slice) -> np.ndarray:
        pair = values[rows, samples[:, 0]][:, swing], values[rows, samples[:, 1]][:, SUPPORTING]
        return np.stack(pair, axis=1)

    starts, start_rates = at(feet, first, LEAVING), at(slopes, first, LEAVING)
    ends, end_rates = at(feet, last, COMING), at(slopes, last, COMING)
    wanted = [starts.copy(), start_rates.copy(), ends.copy(), end_rates.copy()]
    same = planned.feet[1:] == planned.feet[:-1]
    before = rows[:-1]
    for k in range(2):
        other = np.where(same, k, 1 - k)  # what the foot k of a step was in the one before
        for value, ending, into, back in (
            (starts, ends, wanted[0], wanted[2]),
            (start_rates, end_rates, wanted[1], wanted[3]),
        ):
            middle = 0.5 * (value[1:, k] + ending[before, other])
            if k == 0:  # a foot that steps twice lies in the print between
                middle[same] = 0.0
            into[1:, k] = middle
            back[before, other] = middle
    for end, stand in ((0, stands[0]), (-1, stands[1])):
        if stand is not None:
            values, rates = wanted[0 if end == 0 else 2], wanted[1 if end == 0 else 3]
            values[end], rates[end] = 0.0, 0.0
            foot = int(planned.feet[end])
            values[end, :, 0] = stand.rolls[[foot, 1 - foot]]
    opening, closing = (np.minimum(FEET_JOINING, 0.5 * laid.seconds) for _ in range(2))
    # out of a stand and into one both feet stand for longer
    if stands[0] is not None:
        opening[0] = max(opening[0], OF_STANDS * laid.swing_times[0, events.swing[0, 0]])
    if stands[1] is not None:
        left = laid.seconds[-1] - laid.swing_times[-1, events.swing[-1, 1]]
        closing[-1] = max(closing[-1], OF_STANDS * left)
    give, give_slopes = np.zeros(feet.shape), np.zeros(feet.shape)
    for k, (early, late, times) in enumerate(
        ((LEAVING, COMING, laid.swing_times), (SUPPORTING, SUPPORTING, laid.feet_times))
    ):
        times = np.ascontiguousarray(times)
        for way, part, meets, seconds, value, rate in (
            (1.0, early, first, opening, wanted[0] - starts, wanted[1] - start_rates),
            (-1.0, late, last, closing, wanted[2] - ends, wanted[3] - end_rates),
        ):
            own = value[:, k].copy(), rate[:, k].copy()
            add_eased(times, times[rows, meets[:, k]], way, seconds, *own, part.start, give, give_slopes)
    return give, give_slopes, np.stack([wanted[0][..., 0], wanted[2][..., 0]], axis=1)
