"""From a piece of gait a little longer than one cycle to a loop ([rings] 3.1).

The piece is a curve in four dimensions; two frames one cycle apart are found on it, the cycle between them is
closed by a Bezier piece, and the closed curve is led back to poses by kriging (eq. 3). The root is blended in
velocity space. What the closure does not touch comes back as it was.

Beyond the paper, for captured gaits: the cycle is sampled anew so that it has a whole number of frames, which
changes its tempo by half a frame in a cycle at most; a fifth dimension keeps apart what four confuse (see
`lifted_curve`); and standing feet keep standing in the closure (see `seam_feet`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.facing import root_headings
from footfall.analysis.strikes import looped_strikes
from footfall.blend.quaternion_sum import quaternion_sum
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times, resample
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import cell_of, clearly_less
from footfall.models.ring.cycle_search import NEEDED, expected_length, find_cycle
from footfall.models.ring.loop import Loop
from footfall.models.ring.pose_curve import lifted_curve, pose_curve
from footfall.models.ring.root_path import RootPath
from footfall.models.ring.seam import MOST_REACH, Seam, best_seam
from footfall.models.ring.seam_feet import FeetPath
from footfall.weights.kriging import Kriging

RATE = 60.0  # Hz of every loop, [rings] 5.1
SHORTEST = 0.2  # s; less than this is not even searched
EVENED = 3  # frames over which feet that come to stand, or leave, take and give up the root
TRAVEL = 0.3  # m by which hips may bob over a root on the ground


def loop_of(motion: Motion, name: str = "") -> Loop:
    """One gait cycle of a motion, closed. Three steps are enough; of more the best cycle is taken."""
    piece = piece_of(motion)
    curve = lifted_curve(piece.motion, piece.frames)
    seam = best_seam(curve[piece.cycle])
    rows = np.eye(len(curve))[piece.cycle]
    region = np.arange(-seam.before, seam.after + 1) % piece.frames  # from t_b to t_e
    rows[region[1:-1]] = Kriging(curve)(seam.places[1:-1])  # [rings] eq. 3
    return _Closure(piece, seam, rows, region).loop(name)


@dataclass(frozen=True, eq=False)
class Piece:
    """A cycle as a whole number of frames at 60 Hz, with some of what came before and after it."""

    motion: Motion  # at least one frame longer than the cycle, contacts attached
    first: int  # frame at which the cycle begins
    frames: int  # of the cycle

    @property
    def cycle(self) -> slice:
        return slice(self.first, self.first + self.frames)


def piece_of(motion: Motion) -> Piece:
    """The motion's best cycle and what lies about it, sampled so that the cycle has whole frames."""
    motion = _with_contacts(motion)
    even = resample(motion, RATE)
    assert even.contacts is not None
    curve = pose_curve(even)
    cycle = find_cycle(curve, expected_length(even, even.contacts, curve))
    pace = cycle.length / cycle.frames
    most = int(MOST_REACH * cycle.frames)
    before = min(int(cell_of(cycle.start, pace)), most)
    after = min(int(cell_of(len(even) - 1 - cycle.start, pace)) - cycle.frames, most)
    times = (cycle.start + pace * np.arange(-before, cycle.frames + max(after, 0) + 1)) / RATE
    sampled = at_times(motion, times)
    sampled = replace(sampled, fps=RATE, rotations=quat.continuous(sampled.rotations))
    piece = Piece(sampled, before, cycle.frames)
    _refuse_standing(piece)
    return piece


def _refuse_standing(piece: Piece) -> None:
    """Arms may come again too, and a body sways: a gait lifts both feet."""
    assert piece.motion.contacts is not None
    for side in SIDES:
        if piece.motion.contacts.stands(side)[piece.cycle].all():
            raise RequestError(f"{NEEDED}, but the {side} foot never leaves the ground")


def _with_contacts(motion: Motion) -> Motion:
    if motion.root.ndim != 2:
        raise RequestError("a batch of motions is looped one by one")
    if len(motion.skeleton.sides) < 2 or not motion.skeleton.has("hips"):
        raise RequestError("only the gait of a figure with hips and two legs can be looped")
    if motion.seconds < SHORTEST:
        raise RequestError(f"{NEEDED}, but this motion lasts {motion.seconds:.2f} s")
    if _hips_travel(motion) > TRAVEL:
        raise RequestError(
            "this figure's hips travel under a root that stays: retarget it to one led by its hips"
        )
    return motion if motion.contacts is not None else replace(motion, contacts=detect_contacts(motion))


def _hips_travel(motion: Motion) -> float:
    """Metres by which the hips move against the root: the root's velocity is taken for the body's."""
    apart = np.linalg.norm(motion.of("hips") - motion.positions[:, 0], axis=1)
    return float(np.ptp(apart))


@dataclass(frozen=True, eq=False)
class _Closure:
    """A piece and the shares of its frames in each frame of the loop: 1 of its own outside the seam."""

    piece: Piece
    seam: Seam
    rows: Float[np.ndarray, "cycle frames"]
    region: Int[np.ndarray, "region"]  # frames of the loop from t_b to t_e

    def loop(self, name: str) -> Loop:
        path = RootPath.of(self.piece.motion).blended(self.rows)
        feet = FeetPath.of(self.piece.motion).blended(self.rows)
        inside = np.zeros(self.piece.frames)
        inside[self.region[:-1]] = 1.0  # steps that begin or end at a blended pose
        posed = self._posed(name)
        missing = _evened(feet.ahead_of(self._feet(posed, path)))
        path = replace(path, moving=path.moving + inside[:, None] * missing)
        loop = self._placed(posed, path)
        return replace(loop, strikes=looped_strikes(loop.cycles(3), len(loop)))

    def _feet(self, posed: Loop, path: RootPath) -> FeetPath:
        """What the feet do in the loop itself, the step from its last frame on included."""
        played = self._placed(posed, path).cycles(2)[: self.piece.frames + 1]
        feet = FeetPath.of(played)
        return FeetPath(feet.standing[:-1], feet.moving[:-1])

    def _posed(self, name: str) -> Loop:
        """Poses and contacts, the root still where it was."""
        motion, cycle, rows = self.piece.motion, self.piece.cycle, self.rows
        touched = self.region[1:-1]
        rotations = np.array(motion.rotations[cycle])
        rotations[touched] = quaternion_sum(rows[touched], motion.rotations[None])
        moved = None
        if motion.translations is not None:
            moved = np.array(motion.translations[cycle])
            moved[touched] = np.einsum("qf,fjc->qjc", rows[touched], motion.translations)
        posed = replace(
            motion[cycle], rotations=rotations, translations=moved, contacts=_contacts(motion, rows)
        )
        ends = self.piece.frames - self.seam.before, self.seam.after
        return Loop(posed, name, 0.0, np.zeros(3), (0, 0), ends)

    def _placed(self, posed: Loop, path: RootPath) -> Loop:
        """The loop with its root led along a path; where nothing was touched it is where it was."""
        motion, cycle, (last, first) = self.piece.motion, self.piece.cycle, posed.seam
        heading = root_headings(motion)[cycle][first]
        headings, places = path.integrated(first, float(heading), motion.root[cycle][first])
        rotations, root = np.array(posed.motion.rotations), places[:-1].copy()
        rotations[:, 0] = quat.multiply(ground.turn(headings[:-1]), path.tilt)
        own = slice(first, last + 1)
        rotations[own, 0], root[own] = motion.rotations[cycle][own, 0], motion.root[cycle][own]
        return replace(
            posed,
            motion=replace(posed.motion, root=root, rotations=quat.continuous(rotations)),
            turn=float(headings[-1] - headings[0]),
            advance=places[-1] - places[0],
        )


def _evened(steps: Float[np.ndarray, "cycle 3"]) -> Float[np.ndarray, "cycle 3"]:
    """A running mean round the loop."""
    around = EVENED // 2
    return np.mean([np.roll(steps, shift, axis=0) for shift in range(-around, around + 1)], axis=0)


def _contacts(motion: Motion, rows: Float[np.ndarray, "cycle frames"]) -> Contacts:
    """A blended foot stands where most of what it is made of stands."""
    assert motion.contacts is not None
    heel, toe = rows @ motion.contacts.heel, rows @ motion.contacts.toe
    return Contacts(clearly_less(0.5, heel), clearly_less(0.5, toe))
