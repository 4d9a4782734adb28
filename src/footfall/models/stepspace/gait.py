"""Walk or run, judged over a whole plan: one step alone does not tell, and gaits are kept to for a while.

S_high knows how a step begins and how it ends, so a step that is run is near captured ones only where its
neighbours could be run as well. Of all ways to walk and run along a plan the nearest to what was captured is
taken; every change of gait costs.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import runs_of
from footfall.geometry.decisions import clearly_less, first_least

FEWEST = 2  # steps that are run one after the other
CHANGE = 0.04  # m^2: what a change of gait costs beside squared distances in S_high
SURELY = 0.2  # m^2 by which a step must be nearer to a run, where only one is seen of it


def judged_gaits(
    walked: Float[np.ndarray, "steps"],
    run: Float[np.ndarray, "steps"],
    runnable: Bool[np.ndarray, "steps"],
    *,
    from_stand: bool,
    to_stand: bool,
) -> Bool[np.ndarray, "steps"]:
    """Which steps are run, from the distances to the nearest step of either gait; stands are walked from."""
    costs = np.stack([np.square(walked), np.where(runnable, np.square(run), np.inf)], axis=1)
    if not clearly_less(costs[:, 1], costs[:, 0]).any():  # nothing can be gained
        return np.zeros(len(costs), dtype=bool)
    best = np.empty(costs.shape)
    came = np.zeros(costs.shape, dtype=int)
    best[0] = costs[0] + [0.0, CHANGE * from_stand]
    change = CHANGE * (1.0 - np.eye(2))  # from the row's gait to the column's
    for k in range(1, len(costs)):
        ways = best[k - 1][:, None] + change
        came[k] = first_least(ways, axis=0)
        best[k] = ways.min(axis=0) + costs[k]
    gait = int(first_least(best[-1] + [0.0, CHANGE * to_stand]))
    out = np.zeros(len(costs), dtype=bool)
    for k in range(len(costs) - 1, -1, -1):
        out[k] = gait == 1
        gait = int(came[k, gait])
    return out


def without_lone_runs(
    runs: Bool[np.ndarray, "steps"], alone: Bool[np.ndarray, "steps"]
) -> Bool[np.ndarray, "steps"]:
    """Nobody runs a single step: it is walked, but for those that may be run `alone`."""
    out = np.array(runs)
    for first, last in runs_of(out):
        if last - first < FEWEST and not alone[first:last].all():
            out[first:last] = False
    return out
