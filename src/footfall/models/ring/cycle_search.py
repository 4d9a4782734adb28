"""Where a motion comes back to where it was: two frames one gait cycle apart ([rings] 3.1, figure 2 b).

The paper's distance of two frames is a weighted sum of how far apart the poses are and of the inverse of the
inner product of their velocities. That inverse has no bound and no meaning where velocities are opposed:
such pairs are refused, and it is told in the curve's own mean squared speed, so that it is 1 for an ordinary
pair. Pairs are about one cycle apart (else neighbours win), as long as the clip's own feet say.

A cycle is no whole number of frames. Half a frame is 3 cm in a run: so its length is found between frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.plants import Plant, detect_plants
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry.decisions import clearly_less, first_least, nearest_cell

VELOCITY_WEIGHT = 0.01  # m of pose distance that an ordinary pair's velocities count
SLACK = 0.2  # of the expected length: how much a cycle may be off
SAME_WAY = 0.3  # cosine between velocities, below which a pair moves in different directions
WIDEST_GAP = 0.08  # m between the poses at a cycle's two ends; steady gaits have 0.01, sharp turns 0.05
AROUND = 3  # frames on both sides that are laid over each other to find a length between frames
SHORTEST, LONGEST = 0.4, 3.0  # s of a gait cycle
ALIKE = 0.5  # of the curve's mean distance: a motion that repeats is nearer to itself than this
NEEDED = "a loop needs a little more than one gait cycle: three steps, the feet taking turns"


@dataclass(frozen=True)
class Cycle:
    """Frames `start` to `start + length` of a motion; `length` (frames) is not whole."""

    start: int
    length: float
    gap: float  # m between the poses at its two ends

    @property
    def frames(self) -> int:
        """The whole number of frames nearest to its length."""
        return int(nearest_cell(self.length, 1.0))


def find_cycle(curve: Float[np.ndarray, "frames dims"], expected: float) -> Cycle:
    """The pair of frames about `expected` frames apart that are most alike in pose and velocity."""
    shortest, longest = max(round((1 - SLACK) * expected), 4), round((1 + SLACK) * expected)
    if len(curve) < shortest + 2:
        raise RequestError(f"{NEEDED}, but this motion's {len(curve)} frames are fewer than one cycle")
    speed = _velocities(curve)
    ordinary = float(np.square(speed[1:-1]).sum(axis=1).mean())
    lags = range(shortest, min(longest, len(curve) - 2) + 1)
    found = [_costs(curve, speed, lag, ordinary) for lag in lags]
    costs = np.concatenate(found) if found else np.zeros(0)
    if not np.isfinite(costs).any():
        raise RequestError(f"{NEEDED}, but no two frames about {expected:.0f} apart move the same way")
    # half a cycle later a straight walk is its own mirror image, with the same cost
    best = int(first_least(costs))
    counts = np.array([len(row) for row in found])
    row = int(np.searchsorted(np.cumsum(counts), best, side="right"))
    start, lag = best - int(counts[:row].sum()) + 1, lags[row]
    gap = float(np.linalg.norm(curve[start + lag] - curve[start]))
    if gap > WIDEST_GAP:
        raise RequestError(
            f"{NEEDED}, but no two poses of this motion about {expected:.0f} frames apart are alike: "
            f"the best differ by {gap:.2f} m on average over the joints, where {WIDEST_GAP:g} is the most"
        )
    return Cycle(start, lag + _remainder(curve, speed, start, start + lag), gap)


def _velocities(curve: Float[np.ndarray, "frames dims"]) -> Float[np.ndarray, "frames dims"]:
    """Differences over two frames; the ends have none and are not asked for."""
    speed = np.zeros_like(curve)
    speed[1:-1] = curve[2:] - curve[:-2]
    return speed


def _costs(
    curve: Float[np.ndarray, "frames dims"],
    speed: Float[np.ndarray, "frames dims"],
    lag: int,
    ordinary: float,
) -> Float[np.ndarray, "pairs"]:
    """Of frames 1, 2, ... with the frame `lag` later; infinite where they do not move the same way."""
    first, second = slice(1, len(curve) - 1 - lag), slice(1 + lag, len(curve) - 1)
    apart = np.linalg.norm(curve[second] - curve[first], axis=1)
    inner = np.einsum("td,td->t", speed[first], speed[second])
    lengths = np.linalg.norm(speed[first], axis=1) * np.linalg.norm(speed[second], axis=1)
    same: Bool[np.ndarray, "pairs"] = inner > np.maximum(SAME_WAY * lengths, 1e-6 * ordinary)
    return np.where(same, apart + VELOCITY_WEIGHT * ordinary / np.where(same, inner, 1.0), np.inf)


def _remainder(
    curve: Float[np.ndarray, "frames dims"], speed: Float[np.ndarray, "frames dims"], first: int, second: int
) -> float:
    """How much later than `second`, in frames, the curve is where it was about `first`: by least squares."""
    reach = np.arange(-min(AROUND, first - 1), min(AROUND, len(curve) - 2 - second) + 1)
    ahead = curve[first + reach] - curve[second + reach]
    pace = 0.25 * (speed[first + reach] + speed[second + reach])  # a frame's, mean of the two
    pace_squared = float(np.square(pace).sum())
    return float(np.clip(float((ahead * pace).sum()) / max(pace_squared, 1e-12), -0.5, 0.5))


def expected_length(motion: Motion, contacts: Contacts, curve: Float[np.ndarray, "frames dims"]) -> float:
    """Frames of a gait cycle: as the feet say, else as the curve comes back to itself."""
    plants = detect_plants(motion, contacts)
    spans = [
        span for side, other in (("left", "right"), ("right", "left")) for span in _spans(plants, side, other)
    ]
    likely = [s for s in spans if SHORTEST * motion.fps <= s <= LONGEST * motion.fps]
    return float(np.median(likely)) if likely else _self_likeness(curve, motion.fps)


def _spans(plants: tuple[Plant, ...], side: str, other: str) -> list[int]:
    """From touch to next touch and from lift to next lift of one foot, the other standing once between."""
    own = [p for p in plants if p.foot == side]
    others = [p for p in plants if p.foot == other]
    spans = []
    for first, second in pairwise(own):
        if first.start > 0 and sum(first.start < p.start < second.start for p in others) == 1:
            spans.append(second.start - first.start)
        if second.whole and sum(first.end < p.end < second.end for p in others) == 1:
            spans.append(second.end - first.end)
    return spans


def _self_likeness(curve: Float[np.ndarray, "frames dims"], fps: float) -> float:
    """The shortest lag at which the curve is nearer to itself than at lags around."""
    lags = np.arange(round(0.5 * SHORTEST * fps), min(round(LONGEST * fps), len(curve) - 5))
    if len(lags) < 3:
        raise RequestError(f"{NEEDED}, but this motion lasts {max(len(curve) - 1, 0) / fps:.2f} s")
    apart = np.array([np.linalg.norm(curve[k:] - curve[:-k], axis=1).mean() for k in lags])
    usual = float(np.linalg.norm(curve[:, None] - curve, axis=-1).mean())
    # of two lags as good as each other, half a frame from the cycle's length, the later one
    low = ~clearly_less(apart[:-2], apart[1:-1]) & clearly_less(apart[1:-1], apart[2:])
    low &= apart[1:-1] < ALIKE * usual
    found = lags[1:-1][low & (lags[1:-1] >= SHORTEST * fps)]
    if not len(found):
        raise RequestError(f"{NEEDED}, but nothing in this motion comes again")
    return float(found[0])
