"""One foot of a captured stride as tables in its footprints' frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

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

LEAVES, LANDS = 0.25, 0.5  # of a swing: over these it takes over from a stance, and leads into one
BRIEF = 0.03  # of a swing: over this a foot rises out of the ground
TOE_CALM = 3.0  # samples of a swing, over which toes are smoothed
LANDING, ROLLING, SWING = 32, 64, 128  # samples of each part; a foot that lies flat needs none between


@dataclass(frozen=True, eq=False)
class CapturedStride:
    """A foot's stance, and the swing that a cycle has of it.

    The foot whose strikes bound the cycle swings from its first plant to its second. The other one is in the
    air at the cycle's end and at its beginning: what it does there belongs to two swings, and they are joined.
    """

    motion: Motion
    stance: Plant
    arrives: Plant  # where the swing ends
    leaves: Plant  # where it began
    frames: int  # of a cycle
    end: int  # the cycle's last frame

    @property
    def side(self) -> str:
        return self.stance.foot

    @property
    def apart(self) -> Float[np.ndarray, "3"]:
        """From the print it left to the one it comes to, in the frame of the former."""
        return quat.rotate(ground.turn(-self.leaves.heading), self.arrives.position - self.leaves.position)

    @property
    def turned(self) -> Float[np.ndarray, "4"]:
        """From the frame of the print it left to that of the one it comes to."""
        return ground.turn(-float(ground.wrap(self.arrives.heading - self.leaves.heading)))

    def beside(self, plant: Plant) -> tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n 4"]]:
        """All frames of the ankle, and the foot's turns, in a footprint's frame."""
        foot = self.motion.skeleton.joint(f"{self.side}_foot")
        turn = ground.turn(-plant.heading)
        places = quat.rotate(turn, self.motion.positions[:, foot] - plant.position)
        return places, quat.multiply(turn, self.motion.orientations[:, foot])

    @property
    def toes(self) -> Float[np.ndarray, "n 4"] | None:
        skeleton = self.motion.skeleton
        role = f"{self.side}_toe"
        return self.motion.rotations[:, skeleton.joint(role)] if skeleton.has(role) else None


def foot_cycle(stride: CapturedStride) -> FootCycle:
    """The tables of one foot over a cycle, from its strike."""
    plant = stride.stance
    assert plant.flat is not None
    events = np.array([plant.flat[0], plant.flat[1] - 1, plant.end - 1]) - plant.start
    flat, lift, off = (float(e) / stride.frames for e in events)
    parts = [np.linspace(0.0, flat, LANDING + 1), np.linspace(lift, off, ROLLING + 1)]
    _, turns = stride.beside(plant)
    lying = turns[(plant.flat[0] + plant.flat[1]) // 2]
    sole = Sole.of(stride.motion.skeleton, stride.side)
    landing, rolling = (_part(turns, plant.start + part * stride.frames, sampled_turns) for part in parts)
    landing[-1], rolling[0] = lying, lying
    heel = sole.heel if plant.heel_first else sole.toe_joint
    stance = np.concatenate(
        [_about(sole, lying, heel, landing), _about(sole, lying, sole.toe_joint, rolling)]
    )
    stance_turns = np.concatenate([landing, rolling])
    toe = stride.toes
    stance_toe = None
    if toe is not None:
        stance_toe = np.concatenate(
            [_part(toe, plant.start + part * stride.frames, sampled_turns) for part in parts]
        )
    share = np.linspace(0.0, 1.0, SWING + 1)[1:]
    swing = _swing(stride, off + share * (1.0 - off), (stance, stance_turns, stance_toe))
    turn = quat.continuous(np.concatenate([stance_turns, swing.turn]))
    made = FootCycle(
        side=stride.side,
        flat=flat,
        lift=lift,
        off=off,
        heel_first=plant.heel_first,
        phases=np.concatenate([*parts, off + share * (1.0 - off)]),
        ankle=np.concatenate([stance, swing.ankle]),
        turn=turn,
        coming=np.concatenate([stance, swing.coming]),
        coming_turn=_beside(quat.continuous(np.concatenate([stance_turns, swing.coming_turn])), turn),
        progress=np.zeros(len(turn)),
        toe=None if swing.toe is None else quat.continuous(np.concatenate([stance_toe, swing.toe])),
    )
    return _cleared(replace(made, progress=_progress(made, sole, stride.apart)), sole)


@dataclass(frozen=True, eq=False)
class _Swing:
    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    coming: Float[np.ndarray, "n 3"]
    coming_turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None


def _swing(stride: CapturedStride, phases: Float[np.ndarray, "n"], stance: tuple) -> _Swing:
    """The foot in the air, from where its stance leaves it to where its stance begins.

    What a swing misses either by, and two swings each other, fades away over what lies between.
    """
    at = stride.stance.start + phases * stride.frames
    over = at > stride.end + 1e-6  # past the cycle's end: its beginning goes on
    at = np.where(over, at - stride.frames, at)
    same = stride.leaves is stride.stance
    own = np.zeros(len(at), dtype=bool) if same else ~over
    (here, here_turns), (there, there_turns) = stride.beside(stride.leaves), stride.beside(stride.stance)
    ankle = sampled(here, at)
    turn = sampled_turns(here_turns, at)
    if own.any():  # the stance's own swing, until the cycle ends
        ankle[own], turn[own] = sampled(there, at[own]), sampled_turns(there_turns, at[own])
    toe = None if stride.toes is None else sampled_turns(stride.toes, at)
    left_at = int(own.sum())
    share = np.linspace(0.0, 1.0, len(at) + 1)[1:]
    fades = 1.0 - smoother((share - share[max(left_at - 1, 0)]) / (1.0 - share[max(left_at - 1, 0)]))
    leaving = smoother(1.0 - share / LEAVES)
    places, turns, toes = stance
    if left_at:
        gap = ankle[left_at - 1] - ankle[left_at] if left_at < len(at) else np.zeros(3)
        ankle[left_at:] += fades[left_at:, None] * gap
        turn[left_at:] = _turned_by(turn[left_at:], turn[left_at - 1], turn[left_at], fades[left_at:])
        if toe is not None:
            toe[left_at:] = _turned_by(toe[left_at:], toe[left_at - 1], toe[left_at], fades[left_at:])
    begin = at[:1] - (at[1] - at[0])
    ankle += leaving[:, None] * (places[-1] - sampled(there if left_at else here, begin)[0])
    found = sampled_turns(there_turns if left_at else here_turns, begin)[0]
    turn = _turned_by(turn, turns[-1], found, leaving)
    if toe is not None and stride.toes is not None:
        toe = _turned_by(toe, toes[-1], sampled_turns(stride.toes, begin)[0], leaving)
    coming = quat.rotate(stride.turned, ankle - stride.apart)
    coming_turn = quat.multiply(stride.turned, turn)
    lands = smoother((share - 1.0 + LANDS) / LANDS)
    coming = coming + lands[:, None] * (places[0] - coming[-1])
    coming_turn = _turned_by(coming_turn, turns[0], coming_turn[-1], lands)
    if toe is not None:
        toe = _calm(_turned_by(toe, toes[0], toe[-1], lands), toes[-1])
    return _Swing(ankle, turn, coming, coming_turn, toe)


def _turned_by(turns: np.ndarray, wanted: np.ndarray, found: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Turns changed by a share of what leads from one to another."""
    gap = quat.log(quat.multiply(wanted, quat.conjugate(found)))
    return quat.multiply(quat.exp(share[:, None] * gap), turns)


def _part(values: np.ndarray, at: Float[np.ndarray, "n"], reader: Callable[..., np.ndarray]) -> np.ndarray:
    """Samples from the frames of one part alone: what a foot does before or after has no say in it."""
    first, last = int(np.floor(at[0] + 1e-6)), int(np.ceil(at[-1] - 1e-6))
    return reader(values[first : last + 1], np.clip(at - first, 0.0, last - first))


def _about(
    sole: Sole, lying: Float[np.ndarray, "4"], pivot: Float[np.ndarray, "3"], turns: Float[np.ndarray, "n 4"]
) -> Float[np.ndarray, "n 3"]:
    """Where the ankle is when the foot turns about a point that stands where the flat foot has it."""
    return quat.rotate(lying, pivot - sole.subtalar) - quat.rotate(turns, pivot)


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
        ways.append((along - along[0]) / max(float(along[-1] - along[0]), 1e-3))
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


def _beside(turns: np.ndarray, others: np.ndarray) -> np.ndarray:
    """On the hemisphere of others, so that the two can be mixed."""
    return -turns if np.sum(turns[-1] * others[-1]) < 0.0 else turns


def _cleared(foot: FootCycle, sole: Sole) -> FootCycle:
    """The foot raised by the least that keeps its sole out of its own level ground.

    Turning about its toe joint, a ball that lies before it dips by a millimetre or two.
    """
    air = foot.phases > foot.off
    depth = -sole.points(foot.ankle, foot.turn, foot.toe)[..., 1].min(axis=-1)
    depth_coming = -sole.points(foot.coming, foot.coming_turn, foot.toe)[..., 1].min(axis=-1)
    more = np.maximum(depth, np.where(air, depth_coming, depth)).clip(min=0.0)
    share = (foot.phases[air] - foot.off) / (1.0 - foot.off)
    # from what the roll ends with to what the landing begins with
    ends = more[~air][-1] + smoother(share) * (more[0] - more[~air][-1])
    over = _smooth_over(np.maximum(more[air] - ends, 0.0))
    window = np.minimum(smoother(share / BRIEF), smoother((1.0 - share) / BRIEF))
    raised = more.copy()
    raised[air] = ends + window * over
    up = raised[:, None] * ground.UP
    return replace(foot, ankle=foot.ankle + up, coming=foot.coming + up)


def _smooth_over(values: np.ndarray) -> np.ndarray:
    """Never less than the values, and without their corners."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    wide = gaussian_filter1d(maximum_filter1d(values, 9, mode="nearest"), 3.0, mode="nearest")
    return np.maximum(wide, values)
