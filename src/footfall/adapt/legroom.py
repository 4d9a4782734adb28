"""Legs that reach their feet without being pulled straight.

The body comes down, smoothly and in good time, where a leg would be longer than people's are at that moment
of their walk. A foot in the air need not be reached exactly: late in its swing, where long steps and descents
would snap the knee open, it is raised towards the hip instead. Nothing is changed where the leg is as long
as it was captured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from jaxtyping import Float

from footfall.analysis.signals import box
from footfall.geometry.easing import smooth, smoother

STRAIGHTEST = 0.9949  # of a leg's length: no leg is straighter
EASY = 0.95  # a leg this long is easy at any moment
IN_TIME = 0.07  # s: the width of the bell in which the body comes down and rises again
BELLS, BOLD = 10, 1.6  # how often bells are added, and how much larger than what is missing
ENDS = 0.25  # of a swing: its beginning and end, where the foot must be reached
FLIES = 0.1  # of a swing, the same, where legs may be too long for a foot that is drawn in
GIVES = (0.02, 0.05)  # m to come down, over which legs may be as straight as any, see `Leg.flying`
AIRY = 0.02  # of a leg's length: what the body need not come down for while the foot is in the air
NEARLY_STRAIGHT = 0.008  # of a leg's length: over so much a foot in the air comes to a straight leg
EASY_MORE, SOFT = 0.005, 0.012  # of a leg's length: where a foot begins to be drawn in, and how softly

Numbers = Float[np.ndarray, "n"]


class Way(Protocol):
    """What is asked of a foot's way, whatever it is told by; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def ankle(self) -> Float[np.ndarray, "n 3"]: ...
    @property
    def share(self) -> Numbers: ...  # of its swing; 0 in stance


AnyWay = TypeVar("AnyWay", bound=Way)


@dataclass(frozen=True, eq=False)
class Leg(Generic[AnyWay]):
    """One leg on its way: its hip before the body has come down, its foot, and how long it was captured."""

    reach: float  # m
    hip: Float[np.ndarray, "n 3"]
    way: AnyWay
    captured: Numbers  # of its length
    easy: float = EASY
    flying: float = 0.0  # of its length: what the body need not come down for beyond that, see `drawn_in`

    def too_high(self) -> Numbers:
        """How far the hip must come down so that the leg is no longer than it may be, m."""
        share = self.way.share
        easy = np.clip(self.captured, self.easy, STRAIGHTEST) + AIRY * slack_of(share, ENDS)
        more = self.flying * slack_of(share, FLIES)
        needed = self._above(np.minimum(easy, STRAIGHTEST) + more)
        if not self.flying:
            return needed
        # before the body comes down far, legs are straighter than they like to be
        least = self._above(STRAIGHTEST + more)
        return needed - smooth((needed - GIVES[0]) / (GIVES[1] - GIVES[0])) * (needed - least)

    def _above(self, length: Numbers) -> Numbers:
        """How far the hip is above where the leg is of a length, of its reach."""
        away = self.hip - self.way.ankle
        below = (self.reach * length) ** 2 - away[:, 0] ** 2 - away[:, 2] ** 2
        return away[:, 1] - np.sqrt(np.maximum(below, 0.0))

    def drawn_in(self, down: Numbers) -> AnyWay:
        """The foot's way when the body has come down by `down`, drawn towards the hip where it must be."""
        away = self.way.ankle - self.hip
        away[:, 1] += down
        length = np.linalg.norm(away, axis=-1)
        share = self.way.share
        late = smoother(4.0 * (share - 0.5)) * smoother((1.0 - share) / ENDS)
        soft = SOFT * self.reach
        easy = self.reach * np.minimum(self.captured + EASY_MORE, STRAIGHTEST - 0.002)
        as_captured = np.logaddexp(0.0, (self.reach * self.captured - easy) / soft)
        over = soft * (np.logaddexp(0.0, (length - easy) / soft) - as_captured)
        wanted = length - late * np.maximum(over, 0.0)
        ankle = self.way.ankle.copy()
        # upwards, away from whatever the foot has just cleared
        ankle[:, 1] += _raised(away, wanted)
        softly = slack_of(share, FLIES) if self.flying else np.zeros(len(share))
        return replace(self.way, ankle=_within(self.hip, down, ankle, share, softly, self.reach))


def slack_of(share: Numbers, ends: float) -> Numbers:
    """0 while a foot stands, 1 in its swing but for its ends."""
    return np.where(share > 0.0, np.minimum(smooth(share / ends), smooth((1.0 - share) / ends)), 0.0)


def _raised(away: Float[np.ndarray, "n 3"], length: Numbers) -> Numbers:
    """How far up an ankle must go to be `length` from its hip; as far as that helps."""
    level = away[:, 0] ** 2 + away[:, 2] ** 2
    below = np.sqrt(np.maximum(length**2 - level, 0.0))
    return np.maximum(-away[:, 1] - below, 0.0)


def _within(
    hip: Float[np.ndarray, "n 3"],
    down: Numbers,
    ankle: Float[np.ndarray, "n 3"],
    share: Numbers,
    softly: Numbers,
    reach: float,
) -> Float[np.ndarray, "n 3"]:
    """Feet in the air are no farther from their hips than legs are long.

    `softly`, from 0 to 1: legs come to their full length without a stop.
    """
    away = ankle - hip
    away[:, 1] += down
    length = np.linalg.norm(away, axis=-1)
    soft = NEARLY_STRAIGHT * reach
    over = np.maximum(length - (STRAIGHTEST * reach - soft), 0.0)
    drawn = softly * (over + soft * np.expm1(-over / soft))
    short = np.where(share > 0.0, np.maximum(drawn, length - STRAIGHTEST * reach), 0.0)
    return ankle - away * (short / np.maximum(length, 1e-9))[:, None]


def coming_down(legs: list[Leg[AnyWay]], fps: float) -> Numbers:
    """How far the body comes down: never less than any leg needs, smoothly, and no longer than it must."""
    needed = np.zeros(len(legs[0].hip))
    for leg in legs:
        needed = np.maximum(needed, leg.too_high())
    return over_peaks(needed, IN_TIME * fps) if needed.any() else needed


def over_peaks(needed: Numbers, width: float) -> Numbers:
    """A smooth curve over values, made of bells of a width (frames) wherever it would be too low."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    out = np.zeros(len(needed))
    near = 2 * max(round(width), 1) + 1
    for _ in range(BELLS):
        short = np.maximum(needed - out, 0.0)
        bell = gaussian_filter1d(short, width, mode="nearest", truncate=3.0)
        # a bell over a peak falls short of it, over a plateau it does not
        peak, top = (maximum_filter1d(v, near, mode="nearest") for v in (short, bell))
        bold = np.clip(peak / np.maximum(top, 1e-12), 1.0, BOLD)
        out = out + gaussian_filter1d(bold, width, mode="nearest", truncate=3.0) * bell
    rest = np.maximum(needed - out, 0.0)
    # the last of it: widened first, or smoothing would break the limit again
    few = max(round(width), 1)
    return out + box(box(maximum_filter1d(rest, 2 * few + 1, mode="nearest"), few), few)
