"""Swings of locked feet brought over what they would cut through.

Toes are bent up first, as far as that helps; the rest of the way is raised. Where only a jerk would do, the
foot waits before it goes or is there before it comes down, if that is gentler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FAR_DOWN, FootGround
from footfall.adapt.foot_lock_lifts import gentlest_lift, hardness
from footfall.adapt.foot_lock_prints import LOOK_DOWN
from footfall.adapt.foot_lock_timing import Timing
from footfall.adapt.foot_lock_toes import toes_over
from footfall.adapt.foot_lock_way import LockedWay
from footfall.adapt.swing_clearance import MARGIN, SLIGHT, along_sole, held_between, smooth_ends
from footfall.geometry.decisions import clearly_less, first_least
from footfall.geometry.easing import smoother

GENTLE = 20.0  # m/s^2: a swing that is changed less hard is not timed anew
PARTS = 5  # places looked at between two frames of a swing
LEAVES = 0.4  # of a swing, in which a foot comes out of ground that it stood in
FEWEST = 4  # frames between which edges can be told from slopes
LEVEL = [0, 2]  # what of a place is level

Swing = tuple[int, int]


def over_ground(
    way: LockedWay, foot: RecordedFoot, ground: FootGround, fps: float
) -> tuple[LockedWay, list[float]]:
    """The way with every swing that cuts the ground brought over it, and how hard each was changed, m/s^2.

    Once raised, a foot need not bend its toes as much; what they then cut is raised again.
    """
    raised, hard = _raised(toes_over(way, foot, ground, fps), foot, ground, fps)
    straighter = toes_over(replace(raised, toe=way.toe), foot, ground, fps)
    return _raised(straighter, foot, ground, fps)[0], hard


def _raised(
    way: LockedWay, foot: RecordedFoot, ground: FootGround, fps: float
) -> tuple[LockedWay, list[float]]:
    ankle, hard = way.ankle.copy(), []
    for swing, deep in zip(way.swings, swing_depths(way, foot, ground), strict=True):
        hard.append(0.0)
        if deep > SLIGHT:
            changed = _gentlest(_Cut(way, foot, ground, swing, fps))
            ankle[changed.inner] += changed.moved
            hard[-1] = max(changed.hard)
    return replace(way, ankle=ankle), hard


def swing_depths(way: LockedWay, foot: RecordedFoot, ground: FootGround) -> list[float]:
    """How deep in the ground each swing is in any of its frames, m."""
    soles = along_sole(foot.sole.points(way.ankle, way.turn, way.toe))
    under = ground.height(np.arange(len(soles), dtype=float), soles)
    depth = (under - soles[..., 1]).max(axis=1)
    return [float(depth[max(a + 1, 0) : b].max()) for a, b in way.swings]


@dataclass(frozen=True, eq=False)
class _Changed:
    """What is done to a swing: by how much its ankle is moved in its frames, and how hard."""

    inner: Int[np.ndarray, "inner"]
    moved: Float[np.ndarray, "inner 3"]
    hard: tuple[float, float]  # in its first half and in its second, m/s^2


@dataclass(frozen=True, eq=False)
class _Cut:
    """A swing that cuts the ground."""

    way: LockedWay
    foot: RecordedFoot
    ground: FootGround
    swing: Swing
    fps: float

    @property
    def inner(self) -> Int[np.ndarray, "inner"]:
        """Its frames within the clip."""
        return np.arange(max(self.swing[0] + 1, 0), min(self.swing[1], len(self.way.ankle)))

    @property
    def whole(self) -> bool:
        """Whether the clip has both its ends."""
        return self.swing[0] >= 0 and self.swing[1] < len(self.way.ankle)

    def timed(self, timing: Timing) -> _Changed:
        """Timed so, and raised as that needs."""
        first, last = self.swing
        inner = self.inner
        moved = np.zeros((last - first - 1, 3))  # with frames that a clip's ends cut off
        if timing != Timing():
            moved[:, LEVEL] = timing.moved(self.way.ankle[first : last + 1])[1:-1, LEVEL]
        need = np.full(len(moved), -FAR_DOWN)
        need[inner - first - 1] = self._needed(moved[inner - first - 1])
        moved[:, 1] = gentlest_lift(need, self.fps)
        return _Changed(inner, moved[inner - first - 1], hardness(moved, self.fps))

    def _needed(self, moved: Float[np.ndarray, "inner 3"]) -> Float[np.ndarray, "inner"]:
        """How much higher it must be. A sole over the ground by less than the margin keeps what it has."""
        inner = self.inner
        over, sure = _clearances(self._soles(inner, moved), inner.astype(float), self.ground)
        first, last = self.swing
        share = (inner - first) / (last - first)
        margin = MARGIN * smooth_ends(share)
        # all of the margin over an edge; over even ground as much of it as the foot is deep
        deep = np.where(clearly_less(sure, over), 1.0, np.clip(-sure / MARGIN, 0.0, 1.0))
        need = np.where(sure < 0.0, deep * margin, np.minimum(margin, 0.5 * sure)) - sure
        stuck = self._deep(first) * _leaving(share) + self._deep(last) * _leaving(1.0 - share)
        return need - stuck

    def _deep(self, frame: int) -> float:
        """How deep its print lies that nothing could bring out of the ground, m."""
        if not 0 <= frame < len(self.way.ankle):
            return 0.0
        at = np.array([frame])
        soles = self._soles(at, np.zeros((1, 3)))
        deep = float((self.ground.height(at.astype(float), soles) - soles[..., 1]).max())
        return deep if deep > SLIGHT else 0.0

    def _soles(
        self, frames: Int[np.ndarray, "n"], moved: Float[np.ndarray, "n 3"]
    ) -> Float[np.ndarray, "n 8 3"]:
        toe = None if self.way.toe is None else self.way.toe[frames]
        ankle, turn = self.way.ankle[frames] + moved, self.way.turn[frames]
        return along_sole(self.foot.sole.points(ankle, turn, toe))


def _leaving(share: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    """From 1 to 0 while a foot comes out of ground that it stood in."""
    return 1.0 - smoother(share / LEAVES)


def _gentlest(cut: _Cut) -> _Changed:
    """The swing raised; where that is not gentle, timed so that it is: first its start, then its end."""
    timing, best = Timing(), cut.timed(Timing())
    if not cut.whole:
        return best
    for half, others in enumerate((Timing.later, Timing.earlier)):
        if best.hard[half] > GENTLE:
            tried = [(timing, best), *((other, cut.timed(other)) for other in others(timing))]
            timing, best = tried[int(first_least(np.array([sum(found.hard) for _, found in tried])))]
    return best


def _clearances(
    soles: Float[np.ndarray, "inner 8 3"], frames: Float[np.ndarray, "inner"], ground: FootGround
) -> tuple[Float[np.ndarray, "inner"], Float[np.ndarray, "inner"]]:
    """How far soles are over the ground: in each frame, and in and around it."""
    top = np.full(len(soles), soles[..., 1].max() + LOOK_DOWN)

    def beneath(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        count = x.shape[1]  # frames, or what lies between each two of them
        places = np.stack([x[0], soles[:count, :, 1], z[0]], axis=-1)
        return ground.height(frames[:count], places, top[:count])[None]

    under = beneath(soles[None, ..., 0], soles[None, ..., 2])
    over = np.minimum(soles[..., 1] - under[0], FAR_DOWN)[..., :4].min(axis=-1)
    if len(soles) < FEWEST:
        return over, over
    return over, held_between(soles[None], under, beneath, ours=False, parts=PARTS)[0]
