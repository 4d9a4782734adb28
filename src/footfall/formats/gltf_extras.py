"""What glTF has no place for and footfall keeps in a skin's extras: frame rate, roles, end sites, soles.

Joints are named by their place in the skin's list of joints, which tools that reorder nodes keep.
"""

from __future__ import annotations

import msgspec
import numpy as np

from footfall.errors import LoadError
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.formats.assemble import LARGEST

VERSION = 1
FASTEST = 1e6  # frames a second

Vec3 = tuple[float, float, float]


class Soles(msgspec.Struct):
    heel: Vec3
    subtalar: Vec3
    ball: Vec3
    toe: Vec3


class Keeping(msgspec.Struct):
    """The value of the key "footfall" in a skin's extras."""

    version: int
    fps: float
    roles: dict[str, int]
    root_offset: Vec3 = (0.0, 0.0, 0.0)  # idle in every motion; the root's node stands on the floor instead
    end_parents: list[int] = []
    end_offsets: list[Vec3] = []
    feet: dict[str, Soles] = {}

    def foot_points(self) -> dict[str, FootPoints]:
        return {
            side: FootPoints(*(np.array(v) for v in (s.heel, s.subtalar, s.ball, s.toe)))
            for side, s in self.feet.items()
            if side in SIDES
        }

    def check(self, joints: int) -> None:
        """Refuses what cannot belong to a skin of so many joints."""
        vectors = [self.root_offset, *self.end_offsets]
        vectors += [v for s in self.feet.values() for v in (s.heel, s.subtalar, s.ball, s.toe)]
        if not (0 < self.fps <= FASTEST and (np.abs(vectors) < LARGEST).all()):
            raise LoadError("the footfall extras of the skin hold a frame rate or place that cannot be")
        if len(self.end_parents) != len(self.end_offsets):
            raise LoadError("the footfall extras of the skin hold end sites without a joint or a place")
        if any(not 0 <= joint < joints for joint in (*self.end_parents, *self.roles.values())):
            raise LoadError("the footfall extras of the skin name a joint that is not there")


class Extras(msgspec.Struct):
    footfall: Keeping | None = None


def keep(motion: Motion) -> dict[str, object]:
    skeleton = motion.skeleton
    keeping = Keeping(
        VERSION,
        motion.fps,
        dict(skeleton.roles),
        tuple(skeleton.offsets[0].tolist()),
        skeleton.end_parents.tolist(),
        skeleton.end_offsets.tolist(),
        {side: _soles(skeleton.foot_points(side)) for side in skeleton.sides},
    )
    return {"footfall": keeping}


def _soles(points: FootPoints) -> Soles:
    return msgspec.convert(points.as_lists(), Soles)


def kept(raw: msgspec.Raw, joints: int) -> Keeping | None:
    """What an earlier `keep` wrote, or None in a foreign file."""
    try:
        extras = msgspec.json.decode(raw, type=Extras | None)
    except (msgspec.MsgspecError, RecursionError):
        return None
    keeping = extras.footfall if extras is not None else None
    if keeping is None or keeping.version != VERSION:
        return None
    keeping.check(joints)
    return keeping
