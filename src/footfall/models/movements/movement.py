"""One movement of a sequence: blended for its parameters, placed on its footprints ([movements] 4, 5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.align.smooth_time import cubics, generic_at
from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.movements.foot_paths import FootPath
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.parts import UpperBody
from footfall.models.movements.root_path import RootPath

Numbers = Float[np.ndarray, "moments"]
Place = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a figure stands between two movements: its footprints, and where its trunk faces."""

    heading: float
    places: Float[np.ndarray, "2 3"]  # left and right
    headings: Float[np.ndarray, "2"]

    def __post_init__(self) -> None:
        places, headings = (frozen_array(v, "a standing") for v in (self.places, self.headings))
        if places.shape != (2, 3) or headings.shape != (2,) or not np.isfinite(self.heading):
            raise RequestError(
                "a standing has a heading, a place of three numbers for each foot, and their headings"
            )
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "headings", headings)


@dataclass(frozen=True, eq=False)
class Channels:
    """A movement at some moments before its legs are solved: body, and rolls and rests of both feet."""

    pose: Pose  # in the world
    feet: tuple[Float[np.ndarray, "moments 12"], Float[np.ndarray, "moments 12"]]


@dataclass(frozen=True, eq=False)
class Movement:
    """A blend of a kind's examples from one standing to the next."""

    kind: MovementKind
    parameters: Float[np.ndarray, "d"]
    weights: Float[np.ndarray, "n"]
    before: Standing
    after: Standing
    upper: UpperBody | None = None

    @cached_property
    def keytimes(self) -> Float[np.ndarray, "keys"]:
        return self.kind.tables.blended_keytimes(self.weights)

    @cached_property
    def path(self) -> RootPath:
        return RootPath.of(self.kind.tables, self.weights, self.keytimes)

    @property
    def seconds(self) -> float:
        return float(self.keytimes[-1])

    @cached_property
    def clock(self) -> Float[np.ndarray, "stretches 4"]:
        return cubics(self.keytimes)

    def generic(self, times: Numbers) -> Numbers:
        return generic_at(times, self.clock)

    def channels(self, times: Numbers) -> Channels:
        """Body and feet at times from the movement's start."""
        kind, w = self.kind, self.weights
        generic = self.generic(times)
        rotations = kind.tables.blend(w, generic)[1]
        root = self.path.at(times)
        anchors = np.tensordot(w, kind.anchors, axes=1)
        turn = float(w @ kind.turns)
        missing = self.after.heading - self.before.heading - turn
        share = smoother(self._progress(generic))[:, None]
        left = _anchor(kind, self.before) + quat.rotate(ground.turn(self.before.heading), root - anchors[0])
        coming = _anchor(kind, self.after) + quat.rotate(
            ground.turn(self.before.heading + missing), root - anchors[1]
        )
        facing = ground.turn(self.before.heading + missing * share[:, 0])
        rotations = rotations.copy() if self.upper is None else self.upper.put_on(rotations, generic)
        rotations[:, 0] = quat.multiply(facing, rotations[:, 0])
        feet = (kind.feet[0].rolls(w, generic), kind.feet[1].rolls(w, generic))
        return Channels(Pose((1.0 - share) * left + share * coming, rotations), feet)

    def feet(self, channels: Channels, times: Numbers, edges: Channels) -> tuple[FootPath, FootPath]:
        """Both feet on their prints; `edges` are the channels at the keytimes."""
        generic = self.generic(times)
        left, right = (
            foot.on(
                channels.feet[k],
                foot.in_air(generic),
                (
                    (self.before.places[k], float(self.before.headings[k])),
                    (self.after.places[k], float(self.after.headings[k])),
                ),
                edges.feet[k][list(foot.swing or (0, 0))],
            )
            for k, foot in enumerate(self.kind.feet)
        )
        return left, right

    def _progress(self, generic: Numbers) -> Numbers:
        """How far the body has gone from its first anchor to its last: while feet are in the air."""
        swings = [s for s in self.kind.swings if s is not None] or [(0, len(self.keytimes) - 1)]
        off, strike = min(s[0] for s in swings), max(s[1] for s in swings)
        return np.clip((generic - off) / (strike - off), 0.0, 1.0)


def _anchor(kind: MovementKind, standing: Standing) -> Place:
    return standing.places[kind.anchored].mean(axis=0)


def first_standing(kind: MovementKind, weights: Float[np.ndarray, "n"], asked: dict[str, float]) -> Standing:
    """Where a first movement begins: its base at the origin, facing +Z."""
    places = np.stack([weights @ foot.places[:, 0] for foot in kind.feet])
    headings = np.array([weights @ foot.headings[:, 0] for foot in kind.feet])
    if kind.family == "step":
        moving = 0 if kind.swings[0] is not None else 1
        vector = places[moving] - places[1 - moving]
        vector[1] *= not kind.level
        _put(vector, asked, {"start_side": (0, 1.0), "start_rise": (1, 1.0), "start_length": (2, -1.0)})
        places[moving] = places[1 - moving] + vector
    return Standing(0.0, places, headings)


def next_standing(
    kind: MovementKind, weights: Float[np.ndarray, "n"], before: Standing, asked: dict[str, float]
) -> Standing:
    """Where a movement ends: footprints exactly where the parameters say, else where the blend has them."""
    turn_back = ground.turn(-float(weights @ kind.turns))
    turn = asked.get("turn", float(weights @ kind.turns))
    heading = before.heading + turn
    anchors = np.tensordot(weights, kind.anchors, axes=1)
    way = anchors[1] - anchors[0]
    way[1] *= not kind.level
    if kind.family == "jump":
        _put(way, asked, {"side": (0, 1.0), "rise": (1, 1.0), "length": (2, 1.0)})
    anchor = _anchor(kind, before) + quat.rotate(ground.turn(before.heading), way)
    places, headings = np.array(before.places), np.array(before.headings)
    for k, swing in enumerate(kind.swings):
        if swing is None:
            continue
        foot = kind.feet[k]
        vector = quat.rotate(turn_back, weights @ foot.places[:, 1] - anchors[1])
        vector[1] *= not kind.level
        if kind.family == "step":
            _put(vector, asked, {"end_side": (0, 1.0), "end_rise": (1, 1.0), "end_length": (2, 1.0)})
        places[k] = anchor + quat.rotate(ground.turn(heading), vector)
        headings[k] = heading + float(weights @ (foot.headings[:, 1] - kind.turns))
    return Standing(heading, places, headings)


def start_parameters(kind: MovementKind, before: Standing) -> dict[str, float]:
    """What a step starts with where a figure stands."""
    if kind.family != "step":
        return {}
    moving = 0 if kind.swings[0] is not None else 1
    vector = quat.rotate(ground.turn(-before.heading), before.places[moving] - before.places[1 - moving])
    return {"start_length": -vector[2], "start_side": vector[0], "start_rise": vector[1]}


def _put(vector: Place, asked: dict[str, float], names: dict[str, tuple[int, float]]) -> None:
    for name, (axis, sign) in names.items():
        if name in asked:
            vector[axis] = sign * asked[name]
