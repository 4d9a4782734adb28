"""One foot of a captured stride as tables in its footprints' frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.sampling import sampled, sampled_turns
from footfall.models.walkedit.soles import Sole

TOE_CALM = 3.0  # samples of a swing, over which toes are smoothed
LANDING, ROLLING, SWING = 32, 64, 128  # samples of each part; a foot that lies flat needs none between


@dataclass(frozen=True, eq=False)
class _Stride:
    """A foot's frames from one plant's strike to the next, in the first print's frame."""

    places: Float[np.ndarray, "frames 3"]
    turns: Float[np.ndarray, "frames 4"]
    toes: Float[np.ndarray, "frames 4"] | None

    def part(
        self, values: np.ndarray, at: Float[np.ndarray, "n"], reader: Callable[..., np.ndarray]
    ) -> np.ndarray:
        """Samples from the frames of one part alone: what a foot does before or after has no say in it."""
        first, last = int(np.floor(at[0] + 1e-6)), int(np.ceil(at[-1] - 1e-6))
        return reader(values[first : last + 1], np.clip(at - first, 0.0, last - first))


def foot_cycle(
    motion: Motion,
    side: str,
    plants: tuple[Plant, Plant],
    frames: Float[np.ndarray, "4"],
    phases: Float[np.ndarray, "4"],
) -> FootCycle:
    """From the strike of one plant to that of the next; `frames` and `phases` tell when strikes are."""
    first, second = plants
    assert first.flat is not None
    skeleton = motion.skeleton
    foot = skeleton.joint(f"{side}_foot")
    to_print = ground.turn(-first.heading)
    stride = _Stride(
        quat.rotate(to_print, motion.positions[:, foot] - first.position),
        quat.multiply(to_print, motion.orientations[:, foot]),
        motion.rotations[:, skeleton.joint(f"{side}_toe")] if skeleton.has(f"{side}_toe") else None,
    )
    events = np.array([first.start, first.flat[0], first.flat[1] - 1, first.end - 1, second.start])
    start, flat, lift, off, again = (float(p) for p in np.interp(events, frames, phases))
    parts = [np.linspace(*span) for span in _spans(start, flat, lift, off, again)]
    moments = [np.interp(part, phases, frames) for part in parts]
    lying = stride.turns[(first.flat[0] + first.flat[1]) // 2]

    landing, rolling, swing = (stride.part(stride.turns, at, sampled_turns) for at in moments)
    landing[-1], rolling[0] = lying, lying
    sole = Sole.of(skeleton, side)
    heel = sole.heel if first.heel_first else sole.toe_joint
    way = stride.part(stride.places, moments[2], sampled)
    ankle = np.concatenate(
        [_about(sole, lying, heel, landing), _about(sole, lying, sole.toe_joint, rolling), way[1:]]
    )
    turn = quat.continuous(np.concatenate([landing, rolling, swing[1:]]))
    toe = None
    if stride.toes is not None:
        bits = [stride.part(stride.toes, at, sampled_turns) for at in moments]
        toe = quat.continuous(np.concatenate([bits[0], bits[1], bits[2][1:]]))
    made = FootCycle(
        side=side,
        flat=flat - start,
        lift=lift - start,
        off=off - start,
        progress=np.zeros(len(turn)),
        heel_first=first.heel_first,
        phases=np.concatenate([parts[0], parts[1], parts[2][1:]]) - start,
        ankle=ankle,
        turn=turn,
        coming=ankle,
        coming_turn=turn,
        toe=toe,
    )
    return _cleared(_closed(made, first, second, sole), sole)


def _spans(
    start: float, flat: float, lift: float, off: float, again: float
) -> list[tuple[float, float, int]]:
    return [(start, flat, LANDING + 1), (lift, off, ROLLING + 1), (off, again, SWING + 1)]


def _about(
    sole: Sole, lying: Float[np.ndarray, "4"], pivot: Float[np.ndarray, "3"], turns: Float[np.ndarray, "n 4"]
) -> Float[np.ndarray, "n 3"]:
    """Where the ankle is when the foot turns about a point that stands where the flat foot has it."""
    return quat.rotate(lying, pivot - sole.subtalar) - quat.rotate(turns, pivot)


def _closed(foot: FootCycle, first: Plant, second: Plant, sole: Sole) -> FootCycle:
    """The swing beside the print it comes to, led into the strike from which its stance begins.

    A person's second strike is not quite the first; the difference fades in over the swing.
    """
    from dataclasses import replace

    air = foot.phases > foot.off
    turned = ground.turn(-float(ground.wrap(second.heading - first.heading)))
    apart = quat.rotate(ground.turn(-first.heading), second.position - first.position)
    share = smoother((foot.phases[air] - foot.off) / (1.0 - foot.off))[:, None]
    coming = quat.rotate(turned, foot.ankle[air] - apart)
    coming = coming + share * (foot.ankle[0] - coming[-1])
    coming_turn = quat.multiply(turned, foot.turn[air])
    coming_turn = _faded(coming_turn, foot.turn[0], share)
    before = np.concatenate([foot.ankle[~air], coming])
    turns = quat.continuous(np.concatenate([quat.multiply(turned, foot.turn[~air]), coming_turn]))
    toe = foot.toe
    if toe is not None:
        toe = quat.continuous(
            np.concatenate([toe[~air], _calm(_faded(toe[air], toe[0], share), toe[~air][-1])])
        )
    return replace(
        foot,
        coming=before,
        coming_turn=_beside(turns, foot.turn),
        toe=toe,
        progress=_progress(foot, sole, apart),
    )


def _progress(foot: FootCycle, sole: Sole, apart: Float[np.ndarray, "3"]) -> Float[np.ndarray, "samples"]:
    """How much of the way to its next print a foot has made: 0 in stance, 1 at the strike.

    Told by the toe as it leaves and by the heel as it lands, for these are at rest then.
    """
    air = foot.phases >= foot.off
    share = smoother((foot.phases[air] - foot.off) / (1.0 - foot.off))
    ahead = apart / np.linalg.norm(apart)
    ways = []
    for point in (sole.toe_joint, sole.heel):
        along = (foot.ankle[air] + quat.rotate(foot.turn[air], point)) @ ahead
        ways.append((along - along[0]) / (along[-1] - along[0]))
    made = np.maximum.accumulate((1.0 - share) * ways[0] + share * ways[1])
    out = np.zeros(len(foot.phases))
    out[air] = np.clip(made / made[-1], 0.0, 1.0)
    return out


def _calm(turns: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Toes without the jerks of markers; both ends stay."""
    from scipy.ndimage import gaussian_filter1d

    turns = quat.continuous(np.concatenate([before[None], turns]))
    share = np.linspace(0.0, 1.0, len(turns))
    inside = np.minimum(1.0, 12.0 * np.minimum(share, 1.0 - share))[:, None]
    smooth = gaussian_filter1d(turns, TOE_CALM, axis=0, mode="nearest")
    return quat.normalize(turns + inside * (smooth - turns))[1:]


def _faded(turns: np.ndarray, last: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Turns that end in `last`: what they miss it by is added as `share` grows."""
    return quat.multiply(quat.exp(share * quat.log(quat.multiply(last, quat.conjugate(turns[-1])))), turns)


def _beside(turns: np.ndarray, others: np.ndarray) -> np.ndarray:
    """On the hemisphere of others, so that the two can be mixed."""
    return -turns if np.sum(turns[-1] * others[-1]) < 0.0 else turns


def _cleared(foot: FootCycle, sole: Sole) -> FootCycle:
    """The foot raised by the least that keeps its sole out of its own level ground.

    Turning about its toe joint, a ball that lies before it dips by a millimetre or two.
    """
    from dataclasses import replace

    air = foot.phases >= foot.off
    depth = -sole.points(foot.ankle, foot.turn, foot.toe)[..., 1].min(axis=-1)
    depth_coming = -sole.points(foot.coming, foot.coming_turn, foot.toe)[..., 1].min(axis=-1)
    more = np.maximum(depth, np.where(air, depth_coming, depth)).clip(min=0.0)
    raised = np.where(air, _smooth_over(more, foot.phases), more)[:, None] * ground.UP
    return replace(foot, ankle=foot.ankle + raised, coming=foot.coming + raised)


def _smooth_over(values: np.ndarray, phases: np.ndarray) -> np.ndarray:
    """Never less than the values, and without their corners."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    wide = gaussian_filter1d(maximum_filter1d(values, 9, mode="nearest"), 3.0, mode="nearest")
    return np.maximum(wide, values)
