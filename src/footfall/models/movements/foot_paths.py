"""A movement's feet told beside their footprints, so that whatever is blended, what stands stands.

For each example a foot is sampled at shared generic times. Told are: its roll (how it is turned away from
lying flat, seen from the print it leaves and from the print it comes to) and, in the air, where its ankle
is beyond where that roll about a standing toe or heel would put it. That rest is 0 as the foot leaves and
as it lands; sums of such rests are 0 there as well. So a blend's feet leave and land without a seam on any
prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.foot_roll import NEARLY, Footprint, Rolls, pivot_of, roll_of, shaped
from footfall.figure import kinematics
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, cells_up_to
from footfall.geometry.easing import smooth, smoother
from footfall.models.movements.footing import Swing
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables, cubic

RATE = 60.0  # Hz, of the longest example
FEWEST, MOST = 6, 240  # samples in a stretch between keytimes
FREE = 0.5  # of a swing, over which toes that lay are let go
LEAVES, LANDS = 0.3, 0.7  # of the way: so long a foot is over the ground it leaves, and so soon over the next


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot over one movement, on given prints, in the world."""

    ankle: Float[np.ndarray, "moments 3"]
    turn: Float[np.ndarray, "moments 4"]
    toe: Float[np.ndarray, "moments 4"] | None  # against the foot, as it must lie,
    bound: Float[np.ndarray, "moments"]  # and how far it must: in the air it is free
    heel_down: Bool[np.ndarray, "moments"]
    toe_down: Bool[np.ndarray, "moments"]
    share: Float[np.ndarray, "moments"]  # of its swing; 0 stands
    level: Float[np.ndarray, "moments"]  # of the ground: its print's, halfway the lower of the two


@dataclass(frozen=True, eq=False)
class FootPaths:
    """One foot of all examples: channels are rolls beside the first and the last print, and the rests."""

    swing: Swing
    sole: Sole
    stretches: tuple[Float[np.ndarray, "n samples 12"], ...]  # one for each stretch between keytimes
    places: Float[np.ndarray, "n 2 3"]  # of the prints, in the base frame
    headings: Float[np.ndarray, "n 2"]
    toe_rest: Float[np.ndarray, "4"] | None  # the straight toe's turn against the foot

    @classmethod
    def of(cls, examples: Sequence[Prepared], tables: Tables, side: str) -> FootPaths:
        index = SIDES.index(side)
        swing = examples[0].swings[index]
        sole = Sole.of(examples[0].motion.skeleton, side)
        longest = np.max([np.diff(e.keytimes) for e in examples], axis=0)
        counts = np.clip(cells_up_to(RATE * longest, 1.0), FEWEST, MOST) + 1
        stretches = []
        for k, count in enumerate(counts):
            generic = k + np.linspace(0.0, 1.0, count)
            feet = [_Examined(e, tables, i, side) for i, e in enumerate(examples)]
            stretches.append(np.stack([_channels(foot, generic, swing, sole) for foot in feet]))
        prints = [e.prints[index] for e in examples]
        skeleton = examples[0].motion.skeleton
        return cls(
            swing=swing,
            sole=sole,
            stretches=tuple(stretches),
            places=np.array([[p.place for p in pair] for pair in prints]),
            headings=np.array([_headings(e, pair) for e, pair in zip(examples, prints, strict=True)]),
            toe_rest=skeleton.rest[skeleton.joint(f"{side}_toe")] if sole.has_toe else None,
        )

    def rolls(
        self, weights: Float[np.ndarray, "n"], generic: Float[np.ndarray, "moments"]
    ) -> Float[np.ndarray, "moments 12"]:
        """The blended channels."""
        blended = [np.tensordot(weights, table, axes=1) for table in self.stretches]
        stretch = np.clip(generic.astype(int), 0, len(blended) - 1)
        out = np.empty((len(generic), 12))
        for k in np.unique(stretch):
            own = stretch == k
            out[own] = cubic(blended[k], (generic[own] - k) * (len(blended[k]) - 1))
        return out

    def in_air(self, generic: Float[np.ndarray, "moments"]) -> Float[np.ndarray, "moments"]:
        """The share of the swing that is done; 0 before it and 1 after it, and 0 for a foot that stands."""
        if self.swing is None:
            return np.zeros(len(generic))
        off, strike = self.swing
        share = (generic - off) / (strike - off)
        # frames may fall on the moments at which it leaves and lands
        return np.where(share < MARGIN, 0.0, np.where(share > 1.0 - MARGIN, 1.0, share))

    def on(
        self,
        channels: Float[np.ndarray, "moments 12"],
        share: Float[np.ndarray, "moments"],
        prints: Prints,
        edges: Float[np.ndarray, "2 12"],
    ) -> FootPath:
        """The foot on its prints; `edges` are the channels as it leaves and as it lands."""
        before, after = share <= 0.0, share >= 1.0
        air = ~(before | after)
        early, late = 1.0 - smoother(2.0 * share), smoother(2.0 * share - 1.0)
        leaving = _standing(channels[:, 0:3], edges[0, 0:3], before, early)
        coming = _standing(channels[:, 3:6], edges[1, 3:6], after, late)
        left = self._beside(prints[0], leaving, channels[:, 6:9], air, shaped(edges[:1, 0:3]), early)
        lands = self._beside(prints[1], coming, channels[:, 9:12], air, shaped(edges[1:, 3:6]), late)
        mix = smoother(share)[:, None]
        ankle, turn = (1.0 - mix) * left[0] + mix * lands[0], quat.slerp(left[1], lands[1], mix[:, 0])
        lower = min(float(prints[0][0][1]), float(prints[1][0][1]))
        ankle[:, 1] += np.where(air, _buried(self.sole, ankle - lower * ground.UP, turn), 0.0)
        roll = np.where(mix > 0.5, coming, leaving)
        flat = np.abs(roll[:, 0]) < NEARLY
        return FootPath(
            ankle=ankle,
            turn=turn,
            toe=self._lying_toe(roll),
            bound=np.where(air, np.maximum(1.0 - smooth(share / FREE), smooth(4.0 * share - 3.0)), 1.0),
            heel_down=~air & (flat | (roll[:, 0] < 0.0)),
            toe_down=~air & (flat | (roll[:, 0] > 0.0)),
            share=np.where(air, share, 0.0),
            level=np.where(
                mix[:, 0] < LEAVES, prints[0][0][1], np.where(mix[:, 0] > LANDS, prints[1][0][1], lower)
            ),
        )

    def _beside(
        self,
        footprint: tuple[Float[np.ndarray, "3"], float],
        roll: Rolls,
        rest: Float[np.ndarray, "moments 3"],
        air: Bool[np.ndarray, "moments"],
        edge: Rolls,
        fade: Float[np.ndarray, "moments"],
    ) -> tuple[Float[np.ndarray, "moments 3"], Float[np.ndarray, "moments 4"]]:
        """Ankle and turn as seen from one print, in the world."""
        sole, (place, heading) = self.sole, footprint
        turn = quat.multiply(quat.exp(roll), sole.lying)
        # in the air the point goes on to count that stood last, or will first
        pivot = np.where(air[:, None], pivot_of(sole, edge), pivot_of(sole, roll))
        ankle = sole.ankle_about(pivot, sole.lying, turn) + np.where(air[:, None], rest, 0.0)
        # in the air what the edge was raised by is let go
        ankle[:, 1] += np.where(air, fade * self._raised_at(edge), _buried(sole, ankle, turn))
        facing = ground.turn(heading)
        return place + quat.rotate(facing, ankle), quat.multiply(facing, turn)

    def _raised_at(self, edge: Rolls) -> float:
        """By how much a foot is raised as it leaves or lands, for its ball not to be under the ground."""
        turn = quat.multiply(quat.exp(edge), self.sole.lying)
        ankle = self.sole.ankle_about(pivot_of(self.sole, edge), self.sole.lying, turn)
        return float(_buried(self.sole, ankle, turn)[0])

    def _lying_toe(self, roll: Rolls) -> Float[np.ndarray, "moments 4"] | None:
        """The toe's turn against the foot: it lies while the heel is up, and is straight otherwise."""
        if self.toe_rest is None:
            return None
        turn = quat.multiply(quat.exp(roll), self.sole.lying)
        lies = quat.multiply(quat.conjugate(turn), quat.multiply(self.sole.lying, self.toe_rest))
        return np.where(roll[:, :1] > 0.0, lies, self.toe_rest)


Prints = tuple[tuple[Float[np.ndarray, "3"], float], tuple[Float[np.ndarray, "3"], float]]


def _headings(example: Prepared, prints: tuple[Footprint, Footprint]) -> tuple[float, float]:
    """Of a foot's prints, near where the trunk faces: whole turns more or less would not blend."""
    start, end = prints
    return float(ground.wrap(start.heading)), example.turn + float(ground.wrap(end.heading - example.turn))


def _standing(
    roll: Rolls,
    edge: Float[np.ndarray, "3"],
    stands: Bool[np.ndarray, "moments"],
    fade: Float[np.ndarray, "m"],
) -> Rolls:
    """Rolls as a standing foot may have them; in the air the change at the edge is eased out."""
    change = shaped(edge[None])[0] - edge
    return np.where(stands[:, None], shaped(roll), roll + fade[:, None] * change)


def _buried(
    sole: Sole, ankle: Float[np.ndarray, "moments 3"], turn: Float[np.ndarray, "moments 4"]
) -> Float[np.ndarray, "moments"]:
    """How deep heel or ball are under their print."""
    points = np.stack([sole.heel, sole.subtalar, sole.ball])
    height = ankle[:, None, 1] + quat.rotate(turn[:, None], points)[..., 1]
    return np.maximum(-height.min(axis=-1), 0.0)


@dataclass(frozen=True, eq=False)
class _Examined:
    """One foot of one example."""

    example: Prepared
    tables: Tables
    number: int
    side: str

    @property
    def prints(self) -> tuple[Footprint, Footprint]:
        return self.example.prints[SIDES.index(self.side)]

    def at(self, generic: Float[np.ndarray, "n"]) -> _Foot:
        rows = self.tables.at_generic(generic, self.number)
        skeleton = self.example.motion.skeleton
        turns = quat.normalize(rows[:, 3:].reshape(len(rows), -1, 4))
        places, world = kinematics.forward(skeleton.tree, skeleton.offsets, rows[:, :3], turns)
        foot = skeleton.joint(f"{self.side}_foot")
        return _Foot(places[:, foot], world[:, foot])


@dataclass(frozen=True, eq=False)
class _Foot:
    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]


def _channels(
    foot: _Examined, generic: Float[np.ndarray, "samples"], swing: Swing, sole: Sole
) -> Float[np.ndarray, "samples 12"]:
    """Rolls beside both prints, and in the air the rests beside both."""
    path = foot.at(generic)
    out = np.zeros((len(generic), 12))
    for k, footprint in enumerate(foot.prints):
        out[:, 3 * k : 3 * k + 3] = roll_of(footprint.turned(path.turn), footprint.lying)
        if swing is not None and swing[0] < generic[-1] and generic[0] < swing[1]:
            share = (generic - swing[0]) / (swing[1] - swing[0])
            edge = foot.at(np.array([float(swing[k])]))
            fade = smoother(share) if k == 1 else 1.0 - smoother(share)
            out[:, 6 + 3 * k : 9 + 3 * k] = _rest(footprint, sole, path, edge, fade)
    return out


def _rest(
    footprint: Footprint, sole: Sole, path: _Foot, edge: _Foot, fade: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n 3"]:
    """Where the ankle is beyond the roll about what stood last, or stands next, led to 0 at that edge."""
    pivot = pivot_of(sole, roll_of(footprint.turned(edge.turn), footprint.lying))

    def beyond(foot: _Foot) -> Float[np.ndarray, "n 3"]:
        about = sole.ankle_about(pivot, footprint.lying, footprint.turned(foot.turn))
        return footprint.local(foot.ankle) - about

    return beyond(path) - fade[:, None] * beyond(edge)
