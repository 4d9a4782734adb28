"""One arm that reaches: its target, where its hand is led to now, and the pose that it gives the body."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.reach_clock import Extents, ReachClock
from footfall.control.reach_frame import Frame, length_of
from footfall.control.reach_glide import NOTHING, Glide, way_between
from footfall.control.reach_hull import nearest_among
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.reach.course import anchor_at, share_at
from footfall.models.reach.effector import palm_point
from footfall.models.reach.reach_set import ReachSet

FOLLOWS = 12.0  # m/s2: a target that is told anew is followed where it moves no wilder, else gone over to
FASTEST = 3.0  # m/s: what goes farther in a frame does not move, it is another target
STRETCH = 0.35  # m beyond the examples that a hand is led
COUNTERWEIGHT = {"standing": 0.35, "sitting": 0.0}  # m that hips go back for each metre beyond the examples
LATE = 0.14  # s by which weights follow what is asked, see `reach_kernel`
LEVEL = np.array([1.0, 0.0, 1.0])
ARM = ("upper_arm", "forearm", "hand")

Vector = Float[np.ndarray, "3"]


class ReachingArm:
    """What is known of one arm from frame to frame."""

    def __init__(self, own: ReachSet) -> None:
        from footfall.control.reach_kernel import lay_reach, mix_poses

        self.set, self.side = own, own.hand
        skeleton = own.skeleton
        self.joint = skeleton.joint(f"{own.hand}_hand")
        self.palm = palm_point(skeleton, own.hand)
        self.extents = Extents.of(own)
        self.of_arm = arm_flags(skeleton, own.hand)
        self._nearest = own.scheme.compiled[1]
        self._tables = own.kernel_tables
        self._lay, self._mix = lay_reach, mix_poses
        self._among = nearest_among(own.space)
        self._parents = np.array(skeleton.parents, dtype=np.int64)
        self._offsets = np.ascontiguousarray(skeleton.offsets, dtype=float)
        self._stretches = np.diff(own.tables.keytimes, axis=1)
        self._shortest = self._stretches.min(axis=0)
        self._usual = self._usual_way()
        self.clock, self.glide = ReachClock(), Glide()
        self.target: Vector | None = None  # in the world
        self.turn: Float[np.ndarray, "4"] | None = None
        self.point = self.palm
        self._told: Vector | None = None
        self._pace = np.zeros(3)  # of the target, m/s
        self._leaves = False
        count = len(skeleton)
        self._follow = np.zeros((2, len(own.examples)))  # weights and their rates
        self._since = -1.0  # s since the last frame; under 0: there was none
        self.root, self.rotations = np.empty(3), np.empty((count, 4))
        self._old_root, self._old = np.empty(3), np.empty((count, 4))
        self.aim = np.zeros(3)  # where the palm should be now, in the world
        self.said = False  # that the target cannot be reached

    def _usual_way(self) -> tuple[float, float]:
        """How long the examples' hands take to their apexes, s, and how far these are, m."""
        from footfall.models.reach.effector_kernel import blended_effectors

        start = np.empty((len(self.set.examples), 3))
        blended_effectors(
            *self._tables,
            self._parents,
            self._offsets,
            self.set.hand_joints,
            self.set.palms,
            np.eye(len(self.set.examples)),
            0.0,
            start,
        )
        away = np.linalg.norm(self.set.points - start, axis=1)
        return float(self._stretches[:, 0].mean()), float(max(away.mean(), 0.1))

    # what it is asked

    def reach(self, target: Vector, turn: Float[np.ndarray, "4"] | None, point: Vector | None) -> None:
        self._told, self.turn = target, turn
        self.point = self.palm if point is None else point
        self._leaves = False

    def let_go(self) -> None:
        self._leaves = True

    @property
    def stage(self) -> str:
        if self.clock.wants == "rest" and self._told is not None and self.target is None:
            return "to"
        going_over = self.clock.wants == "out" and self.glide.active
        return "to" if going_over else self.clock.stage

    @property
    def busy(self) -> bool:
        return self.clock.wants != "rest"

    @property
    def on_target(self) -> bool:
        """Whether the time to arrive is over."""
        return self.clock.stage == "on" and not self.glide.active and self.clock.fading <= 0.0

    @property
    def seconds_to_arrive(self) -> float:
        return max(self.clock.seconds_out, self.glide.left) if self.clock.wants == "out" else 0.0

    @property
    def extent(self) -> float:
        """How far it is out, from 0 to 1."""
        if self.clock.fading <= 0.0:
            return share_at(self.clock.generic)
        fades = float(smoother(self.clock.fading))
        return (1.0 - fades) * share_at(self.clock.generic) + fades * share_at(self.clock.old)

    # time

    def advance(self, seconds: float, frame: Frame) -> None:
        """Hears what it was told, and lets time go by."""
        if self._leaves:
            self._told = None
            if self.busy:
                self.clock.ask("back", self.extents)
            if self.clock.wants != "out":
                self._leaves = False
        elif self._told is not None:
            self._hear(self._told, seconds, frame)
            self.clock.ask("out", self.extents)
        self.clock.advance(seconds)
        self.glide.advance(seconds)
        self._since = seconds if self._since >= 0.0 else -1.0
        if not self.busy:
            self.target, self._pace, self.said = None, np.zeros(3), False
            self.glide, self._since = Glide(), -1.0

    def _hear(self, told: Vector, seconds: float, frame: Frame) -> None:
        """A target that moves is followed; another one is gone over to."""
        before = self.target
        if before is None:
            self.target, self._pace = told, np.zeros(3)
            return
        step, pace = told - before, self._pace
        self._pace = step / seconds if length_of(step) < FASTEST * seconds else np.zeros(3)
        if length_of(step - pace * seconds) > FOLLOWS * seconds * seconds:
            now, self.said = self._led_to(frame), False
            goal = self._within(frame.local(told))
            seconds_usual, way_usual = self._usual
            # the root of the way: so that accelerations are those of the examples
            way = way_between(now, goal, self.side)
            # the hand goes on as fast as it went: what the target's pace changed by is left to the glide,
            # which begins where the target, so fast, was a frame ago
            level = Frame(np.zeros(3), frame.heading)
            self.glide.begin(
                now + level.local(self._pace * seconds),
                goal,
                self.side,
                seconds_usual * np.sqrt(way / way_usual),
                kick=level.local(pace - self._pace),
            )
        self.target = told

    def _led_to(self, frame: Frame) -> Vector:
        """Where the hand is led to at the apex, in the figure's frame."""
        assert self.target is not None
        return self._within(frame.local(self.target)) + self.glide.away

    def _within(self, place: Vector) -> Vector:
        """A place that is not too far beyond the examples, else the nearest one that is not."""
        near = self._among(place)
        away = length_of(place - near)
        return place if away <= STRETCH else near + STRETCH / away * (place - near)

    def lay(self, root: Vector, rotations: Float[np.ndarray, "joints 4"], frame: Frame) -> None:
        """The pose with this arm's reach on it, and where the palm should be ([body] 5.2)."""
        assert self.target is not None
        place = self._led_to(frame)
        beyond = place - self._among(place)
        goal = frame.world(place)
        # weights follow late: they are asked for where the hand will be by then, so that the body leads it
        query = place - self.glide.away + self.glide.away_in(LATE) - self._turned_point(frame)
        self.aim = self._laid(
            self.clock.generic, query, goal, frame, root, rotations, self.root, self.rotations
        )
        stretches = self._follow[0] @ self._stretches
        self.clock.stretches = np.maximum(stretches, self._shortest)
        self._since = 0.0
        if self.clock.fading > 0.0:
            aim = self._laid(self.clock.old, query, goal, frame, root, rotations, self._old_root, self._old)
            fades = float(smoother(self.clock.fading))
            shares = np.full(len(rotations), fades)
            self._mix(
                self.root, self.rotations, self._old_root, self._old, shares, fades, self.root, self.rotations
            )
            self.aim = (1.0 - fades) * self.aim + fades * aim
        # hips go back from what is far off, as people's do so as not to fall
        if beyond.any():
            back = Frame(np.zeros(3), frame.heading).world(beyond * LEVEL)
            self.root -= COUNTERWEIGHT[self.set.posture] * self.extent * back

    def _turned_point(self, frame: Frame) -> Vector:
        """Other points of the hand than the palm lie off it: the palm is asked for where it will be then."""
        if self.point is self.palm or self.turn is None:
            return NOTHING
        return frame.local(frame.origin + quat.rotate(self.turn, self.point - self.palm))

    def _laid(
        self,
        generic: float,
        query: Vector,
        goal: Vector,
        frame: Frame,
        root: Vector,
        rotations: Float[np.ndarray, "joints 4"],
        out_root: Vector,
        out: Float[np.ndarray, "joints 4"],
    ) -> Vector:
        share, told = share_at(generic), np.empty((2, 3))
        moment = np.array([generic, anchor_at(generic), share, frame.heading, self._since])
        self._lay(
            self._nearest,
            self._tables,
            self._parents,
            self._offsets,
            self.of_arm,
            self.joint,
            self.point,
            query,
            moment,
            root,
            rotations,
            self._follow,
            out_root,
            out,
            told,
        )
        return told[0] + share * (goal - told[1])  # x_r(t), [body] 5.2


def arm_flags(skeleton: Skeleton, side: str) -> Float[np.ndarray, "joints"]:
    """1 for the joints of an arm, fingers too."""
    flags = np.zeros(len(skeleton))
    shoulder = skeleton.joint(f"{side}_{ARM[0]}")
    for joint in range(len(skeleton)):
        flags[joint] = float(shoulder in skeleton.tree.ancestors(joint))
    return flags
