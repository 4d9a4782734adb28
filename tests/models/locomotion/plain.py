"""One frame of locomotion in plain NumPy, written from what the kernels promise: their judge."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import forward
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, solve_two_link
from footfall.models.locomotion import foot_clock, foot_kernel, frame_kernel, way_kernel
from footfall.models.locomotion.model import SCALES, Locomotion
from footfall.models.locomotion.response import CHANGE, QUICK


def spring(value: np.ndarray, rate: np.ndarray, to: np.ndarray, quick: float, dt: float) -> tuple:
    """A critically damped spring after a while: x = to + (a + b t) exp(-q t)."""
    a, b = value - to, rate + quick * (value - to)
    fades = np.exp(-quick * dt)
    return to + (a + b * dt) * fades, (rate - b * quick * dt) * fades


@dataclass
class PlainFoot:
    sole: Sole
    rest: np.ndarray  # ankle, yaw, pitch, roll in the stand
    stands: bool = True
    print: np.ndarray = field(default_factory=lambda: np.zeros(3))
    yaw: float = 0.0
    off: np.ndarray = field(default_factory=lambda: np.zeros(6))
    off_rate: np.ndarray = field(default_factory=lambda: np.zeros(6))
    was: list[np.ndarray] = field(default_factory=list)  # the last two
    meant: list[np.ndarray] = field(default_factory=list)
    since: float = 0.0
    leaving: float = 0.0
    allowed: float = 0.0

    def turn(self, yaw: float, pitch: float, roll: float) -> np.ndarray:
        tilt = quat.exp(np.array([pitch, 0.0, roll]))
        return quat.multiply(quat.multiply(ground.turn(yaw), tilt), self.sole.lying)

    def standing(self, pitch: float) -> np.ndarray:
        pivot = self.sole.heel if pitch < 0.0 else self.sole.toe_joint
        flat, now = self.turn(self.yaw, 0.0, 0.0), self.turn(self.yaw, pitch, 0.0)
        return self.print + quat.rotate(flat, pivot - self.sole.subtalar) - quat.rotate(now, pivot)

    def put_down(self, dt: float) -> None:
        now, before = self.was[-1], self.was[-2]
        pivot = self.sole.heel if now[4] < 0.0 else self.sole.toe_joint
        places = [row[:3] + quat.rotate(self.turn(*row[3:]), pivot) for row in (now, before)]
        share = 1.0 / (foot_kernel.LANDING * dt)
        at = places[0] + share * (places[0] - places[1])
        self.yaw = now[3] + share * (now[3] - before[3])
        flat = self.turn(self.yaw, 0.0, 0.0)
        place = at + quat.rotate(flat, self.sole.subtalar - pivot)
        self.print = np.array([place[0], 0.0, place[2]])
        away = [row[:3] - self.standing(row[4]) for row in (now, before)]
        pitches = [w[4] - m[4] for w, m in zip(self.was[-1:-3:-1], self.meant[-1:-3:-1], strict=True)]
        self.off = np.array([*away[0], now[3] - self.yaw, pitches[0], now[5]])
        rates = [now[3] - before[3], pitches[0] - pitches[1], now[5] - before[5]]
        self.off_rate = np.array([*(away[0] - away[1]), *rates]) / dt
        self.stands = True

    def lift(self, dt: float) -> None:
        away = [w - m for w, m in zip(self.was[-1:-3:-1], self.meant[-1:-3:-1], strict=True)]
        self.off, self.off_rate = away[0], (away[0] - away[1]) / dt
        self.stands = False


class PlainWalker:
    """As `LocomotionWalker`, on level ground at 0, feet locked."""

    def __init__(self, model: Locomotion) -> None:
        self.model, self.tables = model, model.tables
        skeleton = model.skeleton
        self.wish, self.now = np.zeros(3), np.zeros(3)
        self.weights = model.shares(model.scheme(np.zeros(3)))
        self.rates, self.to = np.zeros(len(model)), self.weights.copy()
        self.phase, self.place, self.heading = 0.0, np.zeros(3), 0.0
        self.stand, self.stand_rate, self.stands_to, self.idle_time = 1.0, 0.0, 1.0, 0.0
        self.velocity, self.last_dt = np.zeros(3), 1.0 / 60.0
        self.feet = [
            PlainFoot(Sole.of(skeleton, s), r) for s, r in zip(SIDES, self.tables.idle_feet, strict=True)
        ]
        self.legs = []
        for k, (side, foot) in enumerate(zip(SIDES, self.feet, strict=True)):
            joints = [skeleton.joint(f"{side}_{part}") for part in ("thigh", "shank", "foot")]
            rest = skeleton.rest_positions[joints]
            lengths = (float(np.linalg.norm(rest[1] - rest[0])), float(np.linalg.norm(rest[2] - rest[1])))
            self.legs.append(Limb(*joints, self.tables.knees[k], lengths))
            foot.yaw = float(foot.rest[3])
            ankle = foot.rest[:3] + quat.rotate(foot.turn(foot.yaw, 0.0, 0.0), foot.sole.subtalar)
            foot.print = ankle * [1.0, 0.0, 1.0]
            foot.since, foot.leaving = -0.5 * k % 1.0, self.events(k)[2]
            foot.allowed = frame_kernel.MOST_DOWN * skeleton.leg_length(side)
        self.advance(0.0)

    def events(self, side: int) -> np.ndarray:
        weights = self.weights * self.tables.travel
        return weights @ self.tables.events[:, side] / weights.sum()

    def advance(self, dt: float) -> None:
        if dt > 0.0:
            self._set_out_or_stop()
            self._lead(dt)
            self._go_on(dt)
        rotations, root = self._body()
        targets = [self._foot(k, dt, rotations) for k in range(2)]
        self.drop = self._drop(rotations, root, targets, dt)
        root = root - self.drop * ground.UP
        for k in range(2):
            self._leg(k, rotations, root, targets[k])
        self.root, self.rotations = root, rotations
        self.last_dt = dt if dt > 0.0 else self.last_dt

    def _set_out_or_stop(self) -> None:
        if np.abs(self.wish).max() > way_kernel.GOES:
            if self.stands_to == 1.0 and self.stand > 0.98:
                side = 0 if self.wish[1] + 2.0 * self.wish[2] > 0.05 else 1
                self.phase = (0.5 * side + self.events(side)[2] - way_kernel.BEFORE) % 1.0
            self.stands_to = 0.0
        elif np.abs(self.velocity).max() <= way_kernel.SLOW and all(map(self._beside, self.feet)):
            self.stands_to = 1.0

    def _beside(self, foot: PlainFoot) -> bool:
        meant = self.place + quat.rotate(ground.turn(self.heading), foot.rest[:3])
        away = np.hypot(*(meant - foot.print)[[0, 2]])
        turn = abs(float(ground.wrap(self.heading + foot.rest[3] - foot.yaw)))
        return foot.stands and bool(away <= way_kernel.BESIDE and turn <= way_kernel.ALONG)

    def _lead(self, dt: float) -> None:
        far = float(np.linalg.norm((self.wish - self.now) / CHANGE))
        if far > 0.0:
            self.now = self.now + min(dt / far, 1.0) * (self.wish - self.now)
            self.to = self.model.shares(self.model.scheme(self.now * SCALES))
        self.weights, self.rates = spring(self.weights, self.rates, self.to, QUICK, dt)
        self.weights = self.weights / self.weights.sum()

    def _go_on(self, dt: float) -> None:
        made = spring(
            np.array(self.stand), np.array(self.stand_rate), np.array(self.stands_to), way_kernel.STOPS, dt
        )
        self.stand, self.stand_rate = float(np.clip(made[0], 0.0, 1.0)), float(made[1])
        if abs(self.stand - self.stands_to) < 1e-4 and abs(self.stand_rate) < 1e-3:
            self.stand, self.stand_rate = self.stands_to, 0.0
        lasts = (
            self.weights * self.tables.seconds * (1.0 + self.tables.limps * np.sin(2 * np.pi * self.phase))
        )
        ahead, turn, aside = lasts @ self.tables.points / lasts.sum()
        goes = dt * (1.0 - self.stand)
        self.velocity = (1.0 - self.stand) * np.array([ahead, turn, aside])
        self.phase = (self.phase + goes / lasts.sum()) % 1.0
        middle = ground.turn(self.heading + 0.5 * turn * goes)
        self.place = self.place + goes * quat.rotate(middle, np.array([aside, 0.0, ahead]))
        self.heading += turn * goes
        self.idle_time += dt

    def _body(self) -> tuple[np.ndarray, np.ndarray]:
        tangents = np.tensordot(self.weights, around(self.tables.tangents, self.phase), axes=1)
        root = self.weights @ around(self.tables.roots, self.phase)
        idle = self.idle_time * self.tables.idle_fps / len(self.tables.idle_roots) % 1.0
        self.idle = around(self.tables.idle_tangents[None], idle)[0]
        tangents = (1.0 - self.stand) * tangents + self.stand * self.idle
        root = (1.0 - self.stand) * root + self.stand * around(self.tables.idle_roots[None], idle)[0]
        rotations = quat.multiply(self.tables.mean, quat.exp(tangents))
        turn = ground.turn(self.heading)
        rotations[0] = quat.multiply(turn, rotations[0])
        return rotations, self.place + quat.rotate(turn, root)

    def _foot(self, k: int, dt: float, rotations: np.ndarray) -> np.ndarray:
        foot, events = self.feet[k], self.events(k)
        since = (self.phase - 0.5 * k) % 1.0
        came, foot.since = foot.since - since > 0.5, since
        if foot.was:
            if not foot.stands and came:
                foot.put_down(self.last_dt)
                foot.leaving = events[2]
            elif foot.stands and since >= min(foot.leaving, events[2]) and self.stands_to == 0.0:
                foot.lift(self.last_dt)
        if self.stands_to == 1.0:
            foot.leaving = events[2]
        elif foot.stands:
            foot.leaving = min(foot.leaving, events[2])
        hand = foot_clock.clock_at(np.array([since]), events * foot.leaving / events[2])[0]
        hand = min(hand, foot_clock.OFF) if foot.stands else hand
        row = self.weights @ around(self.tables.feet[:, k], hand)
        toe = self.model.skeleton.joint(f"{SIDES[k]}_toe")
        bend = (1.0 - self.stand) * row[6:] + self.stand * self.idle[toe]
        rotations[toe] = quat.multiply(self.tables.mean[toe], quat.exp(bend))
        ankle = self.place + quat.rotate(ground.turn(self.heading), row[:3])
        meant = np.array([*ankle, self.heading + row[3], (1.0 - self.stand) * row[4], row[5]])
        rate = foot_kernel.LANDING if foot.stands else foot_kernel.LEAVING
        foot.off, foot.off_rate = spring(foot.off, foot.off_rate, np.zeros(6), rate, dt)
        now = meant.copy()
        if foot.stands:
            now[:3], now[3], now[5] = foot.standing(meant[4] + foot.off[4]), foot.yaw, 0.0
        now = now + foot.off
        if not foot.stands:
            turn = foot.turn(*now[3:])
            high = quat.rotate(foot.sole.lying, foot.sole.toe_joint - foot.sole.subtalar)[1]
            lowest = min(
                quat.rotate(turn, foot.sole.heel)[1], quat.rotate(turn, foot.sole.toe_joint)[1] - high
            )
            now[1] = max(now[1], -lowest)
        foot.was = [*(foot.was or [now]), now][-2:]
        foot.meant = [*(foot.meant or [meant]), meant][-2:]
        return now

    def _drop(self, rotations: np.ndarray, root: np.ndarray, targets: list, dt: float) -> float:
        skeleton = self.model.skeleton
        places, _ = forward(skeleton.tree, skeleton.offsets, root, rotations)
        total = 1.0
        for k, (foot, leg) in enumerate(zip(self.feet, self.legs, strict=True)):
            size = skeleton.leg_length(SIDES[k])
            longest, hip = self.tables.straightest * size, places[leg.upper]
            across = np.hypot(*(hip - targets[k][:3])[[0, 2]])
            inside = across < longest
            needed = hip[1] - targets[k][1] - np.sqrt(longest**2 - across**2) if inside else np.inf
            most = size * (frame_kernel.MOST_DOWN if foot.stands else frame_kernel.IN_THE_AIR)
            foot.allowed += (most - foot.allowed) * (1.0 - np.exp(-frame_kernel.ALLOWS * dt))
            if needed > frame_kernel.LEAVES * size and foot.stands and self.stands_to == 0.0:
                foot.lift(self.last_dt)
            total += np.exp(min(needed, foot.allowed) / frame_kernel.SOFT)
        return float(frame_kernel.SOFT * np.log(total))

    def _leg(self, k: int, rotations: np.ndarray, root: np.ndarray, target: np.ndarray) -> None:
        skeleton, leg, foot = self.model.skeleton, self.legs[k], self.feet[k]
        places, turns = forward(skeleton.tree, skeleton.offsets, root, rotations)
        away = target[:3] - places[leg.upper]
        longest = self.tables.straightest * skeleton.leg_length(SIDES[k])
        if np.linalg.norm(away) > longest + 1e-9:
            target[:3] = places[leg.upper] + away * longest / np.linalg.norm(away)
        joints = [leg.upper, leg.middle, leg.end]
        upper, lower, _ = solve_two_link(leg, places[joints], turns[leg.upper], target[:3])
        parents = [turns[skeleton.parents[j]] for j in joints]
        thigh = quat.multiply(upper, turns[leg.upper])
        shank = quat.multiply(lower, turns[leg.middle])
        sole = foot.turn(*target[3:])
        rotations[leg.upper] = quat.multiply(quat.conjugate(parents[0]), thigh)
        rotations[leg.middle] = quat.multiply(quat.conjugate(quat.multiply(upper, parents[1])), shank)
        rotations[leg.end] = quat.multiply(quat.conjugate(quat.multiply(lower, parents[2])), sole)
        toe = skeleton.joint(f"{SIDES[k]}_toe")
        turn = quat.multiply(sole, rotations[toe])
        tip, lowest = quat.rotate(turn, foot.sole.tip), -target[1] - quat.rotate(sole, foot.sole.toe_joint)[1]
        if tip[1] < lowest:
            length = np.linalg.norm(tip)
            more = np.arcsin(np.clip(lowest / length, -1.0, 1.0)) - np.arcsin(tip[1] / length)
            axis = quat.cross(tip, ground.UP)
            raised = quat.multiply(quat.from_axis_angle(axis, more), turn)
            rotations[toe] = quat.multiply(quat.conjugate(sole), raised)


def around(rows: np.ndarray, phase: float) -> np.ndarray:
    """Rows (loops, frames, ...) at a phase, straight between frames."""
    at = phase * rows.shape[1]
    i = int(at)
    rows = rows.astype(float)
    return rows[:, i % rows.shape[1]] * (1.0 - at + i) + rows[:, (i + 1) % rows.shape[1]] * (at - i)
