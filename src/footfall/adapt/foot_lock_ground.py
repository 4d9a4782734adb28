"""The ground as a locked foot finds it: a terrain's, or where none is known, the level of its prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_prints import LOOK_DOWN, LockedPrint
from footfall.geometry import quaternion as quat
from footfall.world.terrain import Ground

FAR_DOWN = 1.0  # m: ground that is farther under a foot, or none, does not matter

Places = Float[np.ndarray, "frames *points 3"]
Heights = Float[np.ndarray, "frames *points"]


@dataclass(frozen=True, eq=False)
class FootGround:
    """What is under one foot, asked by frame and place."""

    terrain: Ground | None
    levels: Float[np.ndarray, "frames"]  # where there is no terrain: a stance's, in a swing the lower of two

    @classmethod
    def of(cls, terrain: Ground | None, foot: RecordedFoot, prints: list[LockedPrint]) -> FootGround:
        levels = np.full(len(foot.places), -np.inf)
        rests = [_lowest(foot, p) for p in prints]
        for i, stance in enumerate(prints):
            levels[stance.first : stance.last] = rests[i]
            if i:
                levels[prints[i - 1].last : stance.first] = min(rests[i - 1 : i + 1])
        return cls(terrain, levels)

    def height(
        self,
        frames: Float[np.ndarray, "frames"],
        places: Places,
        start: Float[np.ndarray, "frames"] | None = None,
    ) -> Heights:
        """Of the ground under places, looked for from `start` or from a little over each of them."""
        x, y, z = np.moveaxis(places, -1, 0)
        more = (slice(None),) + (None,) * (x.ndim - 1)
        if self.terrain is None:
            whole = np.clip(np.rint(frames).astype(int), 0, len(self.levels) - 1)
            found = np.broadcast_to(self.levels[whole][more], x.shape)
        else:
            top = y + LOOK_DOWN if start is None else np.broadcast_to(start[more], x.shape)
            found = self.terrain.height(x, z, top)
        return np.maximum(found, y - FAR_DOWN)


def _lowest(foot: RecordedFoot, stance: LockedPrint) -> float:
    ankle = stance.held["flat"] - quat.rotate(stance.turn, foot.sole.subtalar)
    return float((ankle + quat.rotate(stance.turn, foot.lying))[:, 1].min())
