"""One foot of a captured stride as tables in its footprints' frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.sampling import sampled, sampled_turns

LANDS = 0.5  # of a swing: its end, over which it is led into the strike
BRIEF = 0.024  # of a swing: over this a foot rises out of the ground
JOINED = 1.0  # frames, over which the rates of two swings are compared
TOE_CALM = 3.0  # samples of a swing, over which toes are smoothed
LANDING, ROLLING, SWING = 32, 64, 128  # samples of each part; a foot that lies flat needs none between


@dataclass(frozen=True, eq=False)
class CapturedStride:
    """A foot's stance, and the swing that a cycle has of it.

    The foot whose strikes bound the cycle swings from its first plant to its second. The other one is in the
    air at the cycle's end and at its beginning: what it does there belongs to two swings, which are joined.
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

    def beside(self, plant: Plant) -> FootPose:
        """All frames of the foot, in a footprint's frame."""
        skeleton, role = self.motion.skeleton, f"{self.side}_toe"
        foot = skeleton.joint(f"{self.side}_foot")
        turn = ground.turn(-plant.heading)
        return FootPose(
            quat.rotate(turn, self.motion.positions[:, foot] - plant.position),
            quat.multiply(turn, self.motion.orientations[:, foot]),
            self.motion.rotations[:, skeleton.joint(role)] if skeleton.has(role) else None,
        )


@dataclass(frozen=True, eq=False)
class FootPose:
    """A foot at some moments: its ankle and its turn in a print's frame, its toe's turn against it."""

    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None

    def sampled(self, at: Float[np.ndarray, "n"]) -> FootPose:
        """At places between frames."""
        at = np.clip(at, 0.0, len(self.ankle) - 1.0)
        toe = None if self.toe is None else sampled_turns(self.toe, at)
        return FootPose(sampled(self.ankle, at), sampled_turns(self.turn, at), toe)

    def __getitem__(self, index: slice) -> FootPose:
        toe = None if self.toe is None else self.toe[index]
        return FootPose(self.ankle[index], self.turn[index], toe)

    def then(self, other: FootPose) -> FootPose:
        toe = None if self.toe is None or other.toe is None else np.concatenate([self.toe, other.toe])
        return FootPose(
            np.concatenate([self.ankle, other.ankle]),
            quat.continuous(np.concatenate([self.turn, other.turn])),
            None if toe is None else quat.continuous(toe),
        )

    def gap(self, other: FootPose) -> FootGap:
        """What leads from another pose to this, moment by moment."""

        def between(to: np.ndarray, back: np.ndarray) -> np.ndarray:
            return quat.log(quat.multiply(to, quat.conjugate(back)))

        toe = None if self.toe is None or other.toe is None else between(self.toe, other.toe)
        return FootGap(self.ankle - other.ankle, between(self.turn, other.turn), toe)

    def led(self, gap: FootGap) -> FootPose:
        """Changed by what leads elsewhere."""
        toe = self.toe
        if toe is not None and gap.toe is not None:
            toe = quat.multiply(quat.exp(gap.toe), toe)
        return FootPose(self.ankle + gap.ankle, quat.multiply(quat.exp(gap.turn), self.turn), toe)

    def moved(self, apart: Float[np.ndarray, "3"], turn: Float[np.ndarray, "4"]) -> FootPose:
        """Told in another print's frame."""
        return FootPose(quat.rotate(turn, self.ankle - apart), quat.multiply(turn, self.turn), self.toe)


@dataclass(frozen=True, eq=False)
class FootGap:
    """Differences between poses: vectors, and rotation vectors."""

    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 3"]
    toe: Float[np.ndarray, "n 3"] | None

    def faded(self, value: Float[np.ndarray, "n"], rate: Float[np.ndarray, "n"]) -> FootGap:
        """The last of two gaps times `value`, and how the gap grows from the first to it times `rate`."""

        def over(gap: np.ndarray) -> np.ndarray:
            return value[:, None] * gap[-1] + rate[:, None] * (gap[-1] - gap[0])

        return FootGap(over(self.ankle), over(self.turn), None if self.toe is None else over(self.toe))


def foot_cycle(stride: CapturedStride) -> FootCycle:
    """The tables of one foot over a cycle, from its strike."""
    plant = stride.stance
    assert plant.flat is not None
    events = np.array([plant.flat[0], plant.flat[1] - 1, plant.end - 1]) - plant.start
    flat, lift, off = (float(e) / stride.frames for e in events)
    parts = [np.linspace(0.0, flat, LANDING + 1), np.linspace(lift, off, ROLLING + 1)]
    air = off + np.linspace(0.0, 1.0, SWING + 1)[1:] * (1.0 - off)
    sole = Sole.of(stride.motion.skeleton, stride.side)
    stance = _stance(stride, sole, parts)
    swing = _swing(stride, air)
    leaving = stance.then(swing)
    coming = stance.then(_landing(swing.moved(stride.apart, stride.turned), stance))
    made = FootCycle(
        side=stride.side,
        flat=flat,
        lift=lift,
        off=off,
        heel_first=plant.heel_first,
        phases=np.concatenate([*parts, air]),
        ankle=leaving.ankle,
        turn=leaving.turn,
        coming=coming.ankle,
        coming_turn=_beside(coming.turn, leaving.turn),
        progress=np.zeros(len(leaving.ankle)),
        toe=None if coming.toe is None else _calm(coming.toe, len(stance.ankle)),
        sole=sole,
        lying=stance.turn[LANDING],
        lying_toe=None if stance.toe is None else stance.toe[LANDING],
    )
    return _cleared(replace(made, progress=_progress(made, sole, stride.apart)), sole)


def _stance(stride: CapturedStride, sole: Sole, parts: list[Float[np.ndarray, "n"]]) -> FootPose:
    """The foot landing and rolling off: turned as captured, about points that stand."""
    plant = stride.stance
    assert plant.flat is not None
    pose = stride.beside(plant)
    moments = [plant.start + part * stride.frames for part in parts]
    landing, rolling = (_part(pose.turn, at, sampled_turns) for at in moments)
    lying = pose.turn[(plant.flat[0] + plant.flat[1]) // 2]
    landing[-1], rolling[0] = lying, lying
    heel = sole.heel if plant.heel_first else sole.toe_joint
    ankle = [sole.ankle_about(heel, lying, landing), sole.ankle_about(sole.toe_joint, lying, rolling)]
    toe = pose.toe
    if toe is not None:
        toe = np.concatenate([_part(toe, at, sampled_turns) for at in moments])
    return FootPose(np.concatenate(ankle), np.concatenate([landing, rolling]), toe)


def _swing(stride: CapturedStride, phases: Float[np.ndarray, "n"]) -> FootPose:
    """The foot in the air, beside the print it left."""
    at = stride.stance.start + phases * stride.frames
    if stride.leaves is stride.stance:
        return stride.beside(stride.stance).sampled(at)
    own = at <= stride.end
    # a cycle earlier: the swing that led to this stance, led on from where this stance's own swing is cut off
    earlier, later = stride.beside(stride.leaves), stride.beside(stride.stance)
    count = int(own.sum())
    seam = min(float(stride.end), float(len(later.ankle) - 1)) if count else at[0] - (at[1] - at[0])
    moments = np.array([seam - JOINED, seam])
    gap = later.sampled(moments).gap(earlier.sampled(moments - stride.frames))
    share = (at[count:] - seam) / (at[-1] - seam)
    rest = earlier.sampled(at[count:] - stride.frames)
    rest = rest.led(gap.faded(1.0 - smoother(share), (at[-1] - seam) / JOINED * share * (1.0 - share) ** 3))
    return later.sampled(at[own]).then(rest) if count else rest


def _landing(swing: FootPose, stance: FootPose) -> FootPose:
    """The swing beside the print it comes to, led into the strike from which its stance begins."""
    share = np.linspace(0.0, 1.0, len(swing.ankle) + 1)[1:]
    lands = smoother((share - 1.0 + LANDS) / LANDS)
    return swing.led(stance[:1].gap(swing[-1:]).faded(lands, np.zeros(len(share))))


def _part(values: np.ndarray, at: Float[np.ndarray, "n"], reader: Callable[..., np.ndarray]) -> np.ndarray:
    """Samples from the frames of one part alone: what a foot does before or after has no say in it."""
    first, last = int(np.floor(at[0] + 1e-6)), int(np.ceil(at[-1] - 1e-6))
    return reader(values[first : last + 1], np.clip(at - first, 0.0, last - first))


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
    out[air] = np.clip(made / max(float(made[-1]), 1e-9), 0.0, 1.0)
    return out


def _calm(turns: Float[np.ndarray, "samples 4"], stance: int) -> Float[np.ndarray, "samples 4"]:
    """Toes without the jerks of markers in the air; both its ends stay."""
    from scipy.ndimage import gaussian_filter1d

    air = turns[stance - 1 :]
    share = np.linspace(0.0, 1.0, len(air))
    inside = np.minimum(1.0, 12.0 * np.minimum(share, 1.0 - share))[:, None]
    smooth = gaussian_filter1d(air, TOE_CALM, axis=0, mode="nearest")
    return np.concatenate([turns[: stance - 1], quat.normalize(air + inside * (smooth - air))])


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
