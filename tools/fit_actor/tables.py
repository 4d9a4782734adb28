"""One family's table of coefficients, and what is done where its cycles are too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from tools.fit_actor.regression import fourier, regress
from tools.fit_actor.samples import SHARE, Sample, counterpart

from footfall.actor.curves import FEATURES, ORDER, POSTURE, SCALARS, features_of, harmonics
from footfall.errors import RequestError

MEANS_ONLY = ("down",)  # too few cycles to see how they depend on anything
STRAIGHT = np.radians(25.0)  # a second: what turns less counts more
BOUNDS = (4, 96)  # percentiles
LARGEST_BOB = 1.6  # what averaging can have taken of the hips' rise and fall, at most
SLOW_WALK = 0.9  # m/s

Coefficients = Float[np.ndarray, "features coefficients ..."]


@dataclass(frozen=True, eq=False)
class Table:
    """The coefficients of one family; rows are the constant and its features."""

    cycles: int
    clips: int
    people: int
    bounds: Mapping[str, Float[np.ndarray, "2"]]
    posture: Mapping[str, Coefficients]
    height: Coefficients
    scalars: Mapping[str, Float[np.ndarray, "features values"]]

    def plain(self) -> dict[str, object]:
        """As `curves.json` has it: scalars beside the rest."""
        own = dict(vars(self))
        return own | own.pop("scalars")


def family_table(family: str, seen: Sequence[Sample]) -> Table:
    """The fit to all samples of one family and to their counterparts."""
    if not seen:
        raise RequestError(f"the captures show no cycle of the family {family!r}")
    both = [*seen, *map(counterpart, seen)]
    design, weight = design_of(family, both), weights(both)
    posture = np.array([fourier(s.posture) for s in both])
    fitted = regress(design, posture.reshape(len(both), -1), weight).reshape(-1, *posture.shape[1:])
    height = regress(design, np.array([fourier(s.height) for s in both]), weight)
    height[:, 1:] *= restored(both, height, design)
    return Table(
        cycles=len(seen),
        clips=len({s.clip for s in seen}),
        people=len({s.person for s in seen}),
        bounds={n: np.percentile([s.features[n] for s in both], BOUNDS) for n in FEATURES[family]},
        posture={role: fitted[:, :, k] for k, role in enumerate(POSTURE)},
        height=height,
        scalars={
            name: regress(design, np.array([s.scalars[name] for s in both]), weight) for name in SCALARS
        },
    )


def design_of(family: str, seen: Sequence[Sample]) -> Float[np.ndarray, "n features"]:
    design = np.array([[1.0, *(s.features[name] for name in FEATURES[family])] for s in seen])
    if family in MEANS_ONLY:
        design[:, 1:] = 0.0
    return design


def weights(seen: Sequence[Sample]) -> Float[np.ndarray, "n"]:
    """Every clip counts alike, straight ones more."""
    by_clip = Counter(s.clip for s in seen)
    straight = [0.15 + np.exp(-((s.features["turn"] / STRAIGHT) ** 2)) for s in seen]
    return np.array([w / by_clip[s.clip] for w, s in zip(straight, seen, strict=True)])


def restored(
    seen: Sequence[Sample],
    height: Float[np.ndarray, "features coefficients"],
    design: Float[np.ndarray, "n features"],
) -> float:
    """What averaging took: people bob at slightly different phases, so the mean bobs less than anybody."""
    fitted = (design @ height[:, 1:]) @ harmonics(SHARE)[:, 1:].T
    own = np.array([np.ptp(s.height) for s in seen])
    return float(np.clip(np.median(own / np.ptp(fitted, axis=1)), 1.0, LARGEST_BOB))


def tempered(table: Table, walk: Table) -> Table:
    """One person's habits are no average: half of what sets it apart from a slow walk goes."""
    pace = features_of(SLOW_WALK)
    slow = np.array([1.0, *(pace[name] for name in FEATURES["walk"])])
    posture = {role: np.array(own) for role, own in table.posture.items()}
    for role, own in posture.items():
        own[0, 0] += 0.5 * (slow @ walk.posture[role][:, 0] - own[0, 0])
    return replace(table, posture=posture)


def descending(down: Table, up: Table) -> Table:
    """The way down with the hips' height of the way up run backwards: there the strike is where the foot
    leaves here. Its own few cycles are of blocks, not of stairs."""
    leaves = down.scalars["stance"][0, 0]
    height = np.array(up.height)
    for k in range(1, ORDER + 1):
        c, s = up.height[:, 2 * k - 1], up.height[:, 2 * k]
        angle = 2.0 * np.pi * k * leaves
        height[:, 2 * k - 1] = c * np.cos(angle) + s * np.sin(angle)
        height[:, 2 * k] = c * np.sin(angle) - s * np.cos(angle)
    height[1 + FEATURES["up"].index("slope")] *= -1.0
    low, high = up.bounds["slope"]
    bounds = {"speed": up.bounds["speed"], "slope": np.array([-high, -low])}
    return replace(down, height=height, bounds=bounds)
