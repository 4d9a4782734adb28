"""One foot of a captured stride as tables in its footprints' frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import toe_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.sampling import sampled, sampled_turns
from footfall.models.walkedit.soles import Sole

LANDING, ROLLING, SWING = 32, 64, 128  # samples of each part; a foot that lies flat needs none between
AWAY = 0.8  # m/s: a toe that moves faster has left the ground, though the toe joint rose earlier


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
        free=float(np.interp(_under_way(motion, side, first, second), frames, phases)) - start,
        heel_first=first.heel_first,
        phases=np.concatenate([parts[0], parts[1], parts[2][1:]]) - start,
        ankle=ankle,
        turn=turn,
        coming=ankle,
        coming_turn=turn,
        toe=toe,
    )
    return _cleared(_closed(made, first, second), sole)


def _spans(start: float, flat: float, lift: float, off: float, again: float) -> list[tuple[float, float, int]]:
    return [(start, flat, LANDING + 1), (lift, off, ROLLING + 1), (off, again, SWING + 1)]


def _about(
    sole: Sole, lying: Float[np.ndarray, "4"], pivot: Float[np.ndarray, "3"], turns: Float[np.ndarray, "n 4"]
) -> Float[np.ndarray, "n 3"]:
    """Where the ankle is when the foot turns about a point that stands where the flat foot has it."""
    return quat.rotate(lying, pivot - sole.subtalar) - quat.rotate(turns, pivot)


def _under_way(motion: Motion, side: str, first: Plant, second: Plant) -> float:
    """The frame at which the toe moves on: it rolls over its tip for a while after the toe joint rises."""
    toe = toe_places(motion, side)[first.end - 1 : second.start + 1]
    fast = np.linalg.norm(np.diff(toe, axis=0), axis=-1) * motion.fps > AWAY
    half = (second.start - first.end + 1) // 2
    return float(first.end - 1 + (int(np.argmax(fast[:half])) if fast[:half].any() else 0))


def _closed(foot: FootCycle, first: Plant, second: Plant) -> FootCycle:
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
        toe = quat.continuous(np.concatenate([toe[~air], _faded(toe[air], toe[0], share)]))
    return replace(foot, coming=before, coming_turn=_beside(turns, foot.turn), toe=toe)


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
