"""What the rings' compiled code should find, written plainly from the equations with SciPy's rotations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.models.ring import layout
from footfall.models.ring.aligned import lying_toe, mid_sole
from footfall.models.ring.figure_kernel import LAID_BY
from footfall.models.ring.foot_kernel import ANKLE, HIPS, TWIST
from footfall.models.ring.model import MotionRing
from footfall.models.ring.tables import RingTables

Row = Float[np.ndarray, "n"]


def but_toes(skeleton: Skeleton) -> Int[np.ndarray, "others"]:
    """All joints but the toes: these are bent by the ground last of all, and nothing hangs on them."""
    toes = [skeleton.joint(f"{side}_toe") for side in SIDES]
    return np.array([joint for joint in range(len(skeleton)) if joint not in toes])


def turn_of(quaternion: Row) -> Rotation:
    return Rotation.from_quat(quaternion, scalar_first=True)


def about_y(angle: float) -> Rotation:
    return Rotation.from_rotvec([0.0, angle, 0.0])


def joints_at(tables: RingTables, weights: Row, frame: float) -> Float[np.ndarray, "joints 4"]:
    """[rings] 3, y(t, w): between two frames the tangents go straight from one to the other."""
    i, share = int(np.floor(frame)), frame - np.floor(frame)
    rows = [np.tensordot(weights, tables.tangents[:, k % tables.frames], axes=1) for k in (i, i + 1)]
    tangents = (1.0 - share) * rows[0] + share * rows[1]
    return (turn_of(tables.mean) * Rotation.from_rotvec(tangents)).as_quat(scalar_first=True)


def path_at(tables: RingTables, weights: Row, half: int, share: float) -> tuple[Row, float]:
    """The support foot's toe joint and the root's heading in the half's frame; a toe never sinks."""
    at = share * tables.half
    k = min(int(at), tables.half - 1)
    rows = [
        np.append(weights @ tables.anchors[:, half, n], weights @ tables.headings[:, half, n])
        for n in (k, k + 1)
    ]
    told = (k + 1 - at) * rows[0] + (at - k) * rows[1]
    told[1] = max(told[1], weights @ tables.anchors[:, half, 0, 1])
    return told[:3], float(told[3])


@dataclass
class Figure:
    """Joints placed by a root; feet can be turned about their ankles by rotation vectors of the world."""

    skeleton: Skeleton
    rotations: Float[np.ndarray, "joints 4"]
    root: Row

    def foot(self, side: str) -> int:
        return self.skeleton.joint(f"{side}_foot")

    def place(self, side: str, point: Row) -> Row:
        """In the world, of a point in a foot's frame."""
        told = forward(self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations)
        return attached(*told, [self.foot(side)], np.asarray(point)[None])[0]

    def along(self, side: str) -> Row:
        points = self.skeleton.foot_points(side)
        return self.place(side, points.toe) - self.place(side, points.heel)

    def tilt(self, side: str, vector: Row) -> None:
        """The foot's orientation becomes exp(vector) * orientation."""
        _, turns = forward(self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations)
        above = turn_of(turns[self.skeleton.parents[self.foot(side)]])
        new = Rotation.from_rotvec(vector) * turn_of(turns[self.foot(side)])
        self.rotations[self.foot(side)] = (above.inv() * new).as_quat(scalar_first=True)

    def heading(self, side: str) -> float:
        """Of a foot, however it is pitched: the twist about y of its turn from where it lies along +Z."""
        _, turns = forward(self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations)
        turned = turn_of(turns[self.foot(side)]) * turn_of(Sole.of(self.skeleton, side).lying).inv()
        _, y, _, w = turned.as_quat()
        return float(2.0 * np.arctan2(y, w))

    def keep(self, side: str, tilt: Row, heading: float) -> float:
        """The support foot is laid as told and keeps its heading as far as a leg can; by what turn."""
        twist = 0.0
        if not np.isnan(heading):
            back = (heading - self.heading(side) + np.pi) % (2.0 * np.pi) - np.pi
            twist = float(np.clip(back, -TWIST, TWIST))
        self.tilt(side, np.asarray(tilt) + np.array([0.0, twist, 0.0]))
        return twist

    def lift(self, side: str, plane: Row) -> Row:
        """A heel in the ground comes up to it, about the axis square to the foot and the ground; by what."""
        up = Rotation.from_rotvec([plane[0], 0.0, plane[1]]).apply([0.0, 1.0, 0.0])
        points, toe = self.skeleton.foot_points(side), Sole.of(self.skeleton, side).toe_joint
        back = self.place(side, points.heel) - self.place(side, toe)
        under, length = float(lying_toe(self.skeleton, side)[1]), float(np.linalg.norm(back))
        if back @ up >= -under:
            return np.zeros(3)
        axis = np.cross(back, up)
        angle = np.arcsin(-under / length) - np.arcsin(back @ up / length)
        vector = angle * axis / np.linalg.norm(axis)
        self.tilt(side, vector)
        return vector

    def share_twist(self, side: str, twist: float) -> None:
        """The hip takes its share of a twist: thigh and shank turn about the line from ankle to hip."""
        share = max(HIPS * (abs(twist) - ANKLE), 0.0) * np.sign(twist)
        joints, turns = forward(self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations)
        thigh, foot = self.skeleton.joint(f"{side}_thigh"), self.foot(side)
        leg = joints[thigh] - joints[foot]
        by = Rotation.from_rotvec(share * leg / np.linalg.norm(leg))
        above = turn_of(turns[self.skeleton.parents[thigh]])
        shank = turn_of(turns[self.skeleton.parents[foot]])
        self.rotations[thigh] = (above.inv() * by * turn_of(turns[thigh])).as_quat(scalar_first=True)
        self.rotations[foot] = ((by * shank).inv() * turn_of(turns[foot])).as_quat(scalar_first=True)

    def stand(self, side: str, anchor: Row) -> None:
        """The root goes where the toe joint is at its anchor."""
        self.root = self.root + anchor - self.place(side, Sole.of(self.skeleton, side).toe_joint)


@dataclass
class Strike:
    point: Row
    toe: Row
    along: Row
    turn: float
    origin: Row
    tilt: Row  # of the support foot
    begun: Row
    heading: float  # of the foot that comes down, before it is laid on its ground
    flat: Row  # the turn about x and z that lays it flat then


def strike(tables: RingTables, half: int, weights: Row, tilts: Row, back: int = 0) -> Strike:
    """The end of a half cycle, or `back` frames before it, with both soles laid on their ground."""
    support, swing = SIDES[half], SIDES[1 - half]
    anchor, heading = path_at(tables, weights, half, (tables.half - back) / tables.half)
    rotations = joints_at(tables, weights, (half + 1) * tables.half - back)
    rotations[0] = (about_y(heading) * turn_of(rotations[0])).as_quat(scalar_first=True)
    figure = Figure(tables.skeleton, rotations, np.zeros(3))
    twist = figure.keep(support, np.array([tilts[0], 0.0, tilts[2]]), tilts[1])
    lift = Rotation.from_rotvec(figure.lift(support, tilts[[0, 2]]))
    tilt = (lift * Rotation.from_rotvec([tilts[0], twist, tilts[2]])).as_rotvec()
    own_heading, (x, y, z) = figure.heading(swing), figure.along(swing)
    figure.tilt(swing, tilts[3:])
    figure.stand(support, anchor)
    begun = weights @ tables.anchors[:, 1 - half, 0]
    turn = heading - float(weights @ tables.headings[:, 1 - half, 0])
    toe = figure.place(swing, Sole.of(tables.skeleton, swing).toe_joint)
    point = figure.place(swing, mid_sole(tables.skeleton, swing))
    origin = toe - about_y(turn).apply(begun)
    flat = np.arctan2(y, np.hypot(x, z)) * np.array([z, -x]) / np.hypot(x, z)
    return Strike(point, toe, figure.along(swing), turn, origin, tilt, begun, own_heading, flat)


def eased(state: Row, share: float, first: object, rate: object, last: object) -> np.ndarray:
    """From a value at a rate to another at rest, arrived before the strike ([rings] 4.2, the errata's H)."""
    ends = state[layout.EASED_FROM], layout.ARRIVED
    curve = CubicHermiteSpline(ends, np.stack([first, last]), np.stack([rate, np.zeros_like(rate)]))
    return np.asarray(curve(np.clip(share, *ends)))


def weights_of(state: Row, loops: int, share: float) -> Row:
    first, rate, last = state[layout.SCALARS : layout.SCALARS + 3 * loops].reshape(3, loops)
    return eased(state, share, first, rate, last)


def share_of(ring: MotionRing, state: Row) -> float:
    """Of the half cycle that is over."""
    return float(state[layout.FRAME] / ring.tables.half - state[layout.HALF])


def placed(ring: MotionRing, state: Row) -> Figure:
    """The figure that a walker's state stands for."""
    tables, half, share = ring.tables, int(state[layout.HALF]), share_of(ring, state)
    weights = weights_of(state, len(ring), share)
    extra = float(eased(state, share, *(state[[layout.EXTRA_FROM, layout.EXTRA_RATE, layout.EXTRA_TO]])))
    heading = state[layout.HEADING] + extra
    pivot = np.array([state[layout.PIVOT], 0.0, state[layout.PIVOT + 1]])
    origin = state[layout.ORIGIN : layout.ORIGIN + 3] + about_y(state[layout.HEADING]).apply(pivot)
    origin = origin - about_y(heading).apply(pivot)  # the toe joint under it stays
    anchor, turned = path_at(tables, weights, half, share)
    rotations = joints_at(tables, weights, tables.half * (half + share))
    rotations[0] = (about_y(heading + turned) * turn_of(rotations[0])).as_quat(scalar_first=True)
    figure = Figure(ring.skeleton, rotations, np.zeros(3))
    three = slice(0, 3)
    tilt = eased(
        state, share, *(state[k:][three] for k in (layout.TILT_FROM, layout.TILT_RATE, layout.TILT_TO))
    )
    swing, support = SIDES[1 - half], SIDES[half]
    figure.tilt(swing, tilt)
    figure.share_twist(swing, tilt[1])
    plane = state[layout.SUPPORT_PLANE :][:2]
    twist = figure.keep(support, support_tilt(state, share), state[layout.SUPPORT_HEADING])
    figure.lift(support, plane)
    figure.share_twist(support, twist)
    figure.stand(support, origin + about_y(heading).apply(anchor))
    return figure


def support_tilt(state: Row, share: float) -> Row:
    """Laid flat at the strike, then as the ground is inclined."""
    x, z = state[layout.SUPPORT_PLANE :][:2]
    plane = np.array([x, 0.0, z])
    t = min(share / LAID_BY, 1.0)
    return plane + (1.0 - t * t * (3.0 - 2.0 * t)) * (state[layout.SUPPORT_TILT :][:3] - plane)
