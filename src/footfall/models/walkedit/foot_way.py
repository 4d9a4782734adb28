"""The way of one foot over its footprints.

In stance a foot is where its print has it. In the air it is told beside the print it left and beside the one
it comes to, and passes from the one telling to the other as it makes its way: so its displacement is the
captured one, scaled to this step ([walk] 5.1), and near either print it moves as it was captured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.landing import flat_toes, flatter, leads, relanded
from footfall.models.walkedit.sampling import mixed, mixed_turns, spot
from footfall.models.walkedit.steps import Footprints

LAG_PEAK = 3.0**6 / 2.0**4  # s^2 (1 - s)^4 is 1 over this at its peak


@dataclass(frozen=True, eq=False)
class FootWay:
    """One foot, frame by frame, before anything has lifted it."""

    side: str
    at: Int[np.ndarray, "n"]  # the print it stands on or left, by number
    share: Float[np.ndarray, "n"]  # of the swing: 0 in stance, to 1
    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None
    heel_down: Bool[np.ndarray, "n"]
    toe_down: Bool[np.ndarray, "n"]


def foot_way(
    foot: FootCycle, prints: Footprints, phase: Float[np.ndarray, "n"], strike_phase: float
) -> FootWay:
    """At phases of the walk; `strike_phase` is that of this foot's strikes."""
    own = prints.own(foot.side)
    past = phase - strike_phase
    cycle = np.floor(past + 1e-9)
    u = np.clip(past - cycle, 0.0, 1.0)
    # the print's number: left prints have even numbers when the offset is added
    number = 2 * cycle.astype(int) + (foot.side == "right") - prints.offset
    here = np.clip(number, own.start, len(prints) - 1 - (len(prints) - 1 - own.start) % 2)
    there = np.clip(number + 2, own.start, len(prints) - 1 - (len(prints) - 1 - own.start) % 2)
    i, f = spot(foot.phases, u)
    share = np.clip((u - foot.off) / (1.0 - foot.off), 0.0, 1.0)
    place, turned = mixed(foot.ankle, i, f), mixed_turns(foot.turn, i, f)
    toe = None if foot.toe is None else mixed_turns(foot.toe, i, f)
    scale = None if prints.landings is None or not foot.heel_first else prints.landings
    if scale is not None:
        _land(foot, scale[here], u, place, turned, toe)
    ankle = prints.places[here] + quat.rotate(prints.lying[here], place)
    turn = quat.multiply(prints.lying[here], turned)

    weight = mixed(foot.progress, i, f)
    air = np.flatnonzero(weight > 0.0)
    w, i, f, to = weight[air], i[air], f[air], there[air]
    place, turned = mixed(foot.coming, i, f), mixed_turns(foot.coming_turn, i, f)
    if scale is not None:
        _lead(foot, scale[to], share[air], place, turned, toe, air)
    coming = prints.places[to] + quat.rotate(prints.lying[to], place)
    ankle[air] += w[:, None] * (coming - ankle[air]) + _round_bend(prints, here[air], to, w)
    turn[air] = _blend(turn[air], quat.multiply(prints.lying[to], turned), w)
    if prints.lags is not None and prints.lags[there].any():
        _lag(foot, prints, ankle, share, here, there)
    heel_only, toe_only = _touching(foot, None if scale is None else scale[here])
    lies = u >= foot.flat - 1e-9
    return FootWay(
        foot.side,
        here,
        share,
        ankle,
        turn,
        toe,
        heel_down=(u <= foot.lift + 1e-9) & (lies | heel_only),
        toe_down=(u <= foot.off + 1e-9) & (lies | toe_only),
    )


def _round_bend(
    prints: Footprints,
    here: Int[np.ndarray, "n"],
    there: Int[np.ndarray, "n"],
    weight: Float[np.ndarray, "n"],
) -> Float[np.ndarray, "n 3"]:
    """From the tangents at both prints, along which the tellings lead, to the bend: legs would collide."""
    turned = ground.wrap(prints.ways[there] - prints.ways[here])
    apart = prints.places[there] - prints.places[here]
    # tangents are off an arc of length s that turns by t, by t s (c^2 or (1 - c)^2) / 2; passing from one to
    # the other with c leaves t s c (1 - c) / 2, to its outside
    away = 0.5 * turned * np.hypot(apart[:, 0], apart[:, 2]) * weight * (1.0 - weight)
    middle = prints.ways[here] + 0.5 * turned
    left = np.stack([np.cos(middle), np.zeros(len(middle)), -np.sin(middle)], axis=-1)
    return away[:, None] * left


def _touching(
    foot: FootCycle, scale: Float[np.ndarray, "n"] | None
) -> tuple[Bool[np.ndarray, "*n"] | bool, Bool[np.ndarray, "*n"] | bool]:
    """Whether the heel, and the toe, touch while the foot lands."""
    if scale is None:
        return foot.heel_first, not foot.heel_first
    return scale >= 0.0, scale <= 0.0


def _land(
    foot: FootCycle,
    scale: Float[np.ndarray, "n"],
    u: Float[np.ndarray, "n"],
    place: Float[np.ndarray, "n 3"],
    turned: Float[np.ndarray, "n 4"],
    toe: Float[np.ndarray, "n 4"] | None,
) -> None:
    """Changes the landing of feet that come down otherwise than captured, beside their own print."""
    landing = np.flatnonzero((u < foot.flat) & (scale != 1.0))
    if not len(landing):
        return
    whole, struck = np.ones(len(landing)), np.ones(len(landing), dtype=bool)
    place[landing], turned[landing] = relanded(
        foot, scale[landing], whole, place[landing], turned[landing], struck
    )
    if toe is not None:
        toe[landing] = flat_toes(
            foot, turned[landing], toe[landing], flatter(scale[landing]), scale[landing] < 0.0
        )


def _lead(
    foot: FootCycle,
    scale: Float[np.ndarray, "n"],
    share: Float[np.ndarray, "n"],
    place: Float[np.ndarray, "n 3"],
    turned: Float[np.ndarray, "n 4"],
    toe: Float[np.ndarray, "frames 4"] | None,
    air: Int[np.ndarray, "n"],
) -> None:
    """Leads the end of swings into such a landing, beside the print they come to."""
    weight = leads(share)
    late = np.flatnonzero((weight > 0.0) & (scale != 1.0))
    if not len(late):
        return
    scale, weight = scale[late], weight[late]
    struck = np.zeros(len(late), dtype=bool)
    place[late], turned[late] = relanded(foot, scale, weight, place[late], turned[late], struck)
    if toe is not None:
        toe[air[late]] = flat_toes(foot, turned[late], toe[air[late]], weight * flatter(scale), scale < 0.0)


def _lag(
    foot: FootCycle,
    prints: Footprints,
    ankle: Float[np.ndarray, "n 3"],
    share: Float[np.ndarray, "n"],
    here: Int[np.ndarray, "n"],
    there: Int[np.ndarray, "n"],
) -> None:
    """Lets feet go up before on, or on before they come down: x and z are those of another moment."""
    assert prints.lags is not None
    lags = prints.lags[there]
    late = np.flatnonzero((lags != 0.0) & (share > 0.0) & (share < 1.0))
    if not len(late):
        return
    there, here = there[late], here[late]

    def along(moment: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n 3"]:
        i, f = spot(foot.phases, foot.off + moment * (1.0 - foot.off))
        left = prints.places[here] + quat.rotate(prints.lying[here], mixed(foot.ankle, i, f))
        coming = prints.places[there] + quat.rotate(prints.lying[there], mixed(foot.coming, i, f))
        return left + mixed(foot.progress, i, f)[:, None] * (coming - left)

    change = along(lagging(share[late], lags[late])) - along(share[late])
    ankle[late, 0] += change[:, 0]
    ankle[late, 2] += change[:, 2]


def lagging(share: Float[np.ndarray, "n"], lag: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    """The moment of a swing whose place is taken: earlier early on, or later late; the same at both ends."""
    early = LAG_PEAK * share**2 * (1.0 - share) ** 4
    late = LAG_PEAK * (1.0 - share) ** 2 * share**4
    return share - np.maximum(lag, 0.0) * early - np.minimum(lag, 0.0) * late


def _blend(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> np.ndarray:
    """From a to b, which are near each other."""
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    return quat.normalize(a + w[:, None] * (b - a))
