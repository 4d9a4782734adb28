"""What glTF has no place for and footfall keeps in a skin's extras: frame rate, roles, end sites, soles."""

from __future__ import annotations

import msgspec
import numpy as np

from footfall.errors import LoadError
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion

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
    roles: dict[str, str]
    end_parents: list[int] = []
    end_offsets: list[Vec3] = []
    feet: dict[str, Soles] = {}


class Extras(msgspec.Struct):
    footfall: Keeping | None = None


def keep(motion: Motion) -> dict[str, object]:
    skeleton = motion.skeleton
    feet = {side: skeleton.foot_points(side).as_lists() for side in skeleton.sides}
    return {
        "footfall": {
            "version": 1,
            "fps": motion.fps,
            "roles": {role: skeleton.names[j] for role, j in skeleton.roles.items()},
            "end_parents": skeleton.end_parents.tolist(),
            "end_offsets": skeleton.end_offsets.tolist(),
            "feet": feet,
        }
    }


def kept(raw: msgspec.Raw) -> Keeping | None:
    """What an earlier `keep` wrote, or None in a foreign file."""
    try:
        extras = msgspec.json.decode(raw, type=Extras | None)
    except (msgspec.MsgspecError, RecursionError):
        return None
    keeping = extras.footfall if extras is not None else None
    if keeping is None or keeping.version != 1:
        return None
    values = [keeping.fps, *(x for v in keeping.end_offsets for x in v)]
    if (
        not np.isfinite(values).all()
        or keeping.fps <= 0
        or len(keeping.end_parents) != len(keeping.end_offsets)
    ):
        raise LoadError("the footfall extras of the skin are not valid")
    return keeping


def foot_points(keeping: Keeping) -> dict[str, FootPoints]:
    return {
        side: FootPoints(*(np.array(v) for v in (s.heel, s.subtalar, s.ball, s.toe)))
        for side, s in keeping.feet.items()
        if side in ("left", "right")
    }
