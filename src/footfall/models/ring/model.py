"""`MotionRing`: a gait of many loops, told by weights, that closes on itself ([rings] 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.reference import Reference
from footfall.blend.principal_geodesics import Geodesics
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import checked_rate
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry.decisions import cell_of
from footfall.models.ring import layout
from footfall.models.ring.packed import STEEPEST, PackedRing, pack
from footfall.models.ring.playing import played
from footfall.models.ring.spheres import LATTICE, RADIUS, ContactSpheres
from footfall.models.ring.tables import RingTables
from footfall.models.synthesized import Synthesized
from footfall.weights.kriging import Kriging
from footfall.weights.space import Space

NAMES, UNITS = ("turn", "step_length", "rise"), ("rad", "m", "m")
SAGITTAL = (1, 5, 5)  # spheres of the combined method
FPS = 60.0
RATES = (1.0, 1000.0)  # Hz
MOST_STEPS = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class MotionRing:
    """Loops of one figure on one clock.

    >>> ring = build_ring(clips)
    >>> walk = ring.synthesize(turn=0.1, step_length=0.6, rise=0.0, steps=8)

    `combined` rings are of straight loops: turns are made by turning the figure ([rings] 4.4).
    """

    gait: str
    geodesics: Geodesics
    scores: Float[np.ndarray, "loops frames modes"]
    seconds: Float[np.ndarray, "loops frames"]
    headings: Float[np.ndarray, "loops 2 half+1"]
    anchors: Float[np.ndarray, "loops 2 half+1 3"]
    contacts: Bool[np.ndarray, "loops frames 4"]
    skeleton: Skeleton
    names: tuple[str, ...]
    reference: Reference
    combined: bool = False
    resting: bool = False  # feet stay: every frame is a strike frame, and all share one set of spheres
    radius: float = RADIUS
    steepest: float = field(default=STEEPEST)  # rad: soles lie on ground inclined up to it

    def __repr__(self) -> str:
        return f"MotionRing({self.gait}: {len(self)} loops of {self.tables.frames} frames)"

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def tables(self) -> RingTables:
        """Expanded once: blending tangents is twice as fast as decompressing geodesics every frame."""
        return RingTables(
            self.skeleton,
            self.names,
            self.geodesics.mean,
            self.geodesics.tangents_of(self.scores),
            self.seconds,
            self.headings,
            self.anchors,
            self.contacts,
        )

    @cached_property
    def spheres(self) -> tuple[ContactSpheres, ContactSpheres]:
        """Contact spheres of the half cycle that ends with the right foot's strike, and of the other."""
        lattice = SAGITTAL if self.combined or self.resting else LATTICE
        left, right = (ContactSpheres.over(self.tables, half, lattice, self.radius) for half in (0, 1))
        return left, right

    @cached_property
    def packed(self) -> PackedRing:
        kind = layout.RESTING if self.resting else layout.COMBINED if self.combined else layout.STANDARD
        return pack(self.tables, self.spheres, steepest=self.steepest, kind=kind)

    @cached_property
    def parameters(self) -> Float[np.ndarray, "loops 3"]:
        """Turn, length and rise of each loop's steps, in the mean of both feet."""
        halves = [self.tables.strikes(half, np.eye(len(self))) for half in (0, 1)]
        told = [np.column_stack([h.turn, h.step_length, h.point[:, 1]]) for h in halves]
        return np.mean(told, axis=0)

    @cached_property
    def space(self) -> Space:
        """Turn, length and rise of a step; of a rest, how high and how far ahead the right foot stands."""
        if self.resting:
            return Space(("rise", "ahead"), ("m", "m"), self.tables.own_strikes(0)[:, 1:])
        return Space(NAMES, UNITS, self.parameters)

    @cached_property
    def _kriging(self) -> Kriging:
        return Kriging(self.space.to_metric(self.space.points))

    @cached_property
    def usual_weights(self) -> Float[np.ndarray, "loops"]:
        """Of a step ahead of middling length on level ground, as far as there is one."""
        if self.resting:
            points = self.spheres[0].kriging.points
            return self.spheres[0].kriging(np.median(points, axis=0))
        lengths = self.parameters[:, 1]
        asked = np.array([0.0, np.median(lengths), 0.0])
        return self._kriging(self.space.to_metric(self.space.nearest(asked)))

    @cached_property
    def velocity(self) -> Float[np.ndarray, "3"]:
        """Of a usual step, m/s, seen from where the figure faces."""
        weights = self.usual_weights
        ways = [self.tables.strikes(half, weights).origin for half in (0, 1)]
        return np.sum(ways, axis=0) / float((weights @ self.seconds).sum())

    @cached_property
    def quickness(self) -> float:
        """Of a usual step, m/s; none of a rest."""
        return 0.0 if self.resting else float(np.linalg.norm(self.velocity[[0, 2]]))

    def weights(self, **parameters: float) -> Float[np.ndarray, "loops"]:
        """Weights for a turn, a length and a rise of a step; what is outside is clamped to the hull."""
        asked = self.space.vector(**parameters)
        return self._kriging(self.space.to_metric(self.space.nearest(asked)))

    def pose(self, frame: float, weights: Float[np.ndarray, "loops"]) -> Pose:
        """y(t, w) in the frame of its half cycle: the support foot's sole at the origin, facing +Z."""
        root, rotations, _ = played(self.tables, self._checked(weights), np.array([float(frame)]), still=True)
        return Pose(root[0], rotations[0])

    def synthesize(self, *, steps: int = 8, fps: float = FPS, **parameters: float) -> Synthesized:
        """Steps that turn, reach and rise as asked, on ground that is where the feet come down."""
        if (
            isinstance(steps, bool)
            or not isinstance(steps, (int, np.integer))
            or not 1 <= steps <= MOST_STEPS
        ):
            raise RequestError(f"steps must be a whole number from 1 to {MOST_STEPS}, not {steps!r}")
        fps = checked_rate(fps)
        if not RATES[0] <= fps <= RATES[1]:
            raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {fps:g}")
        asked = self.space.vector(**parameters)
        given = self.space.nearest(asked)
        weights = self._kriging(self.space.to_metric(given))
        frames = self._clock(weights, steps, fps)
        root, rotations, contacts = played(self.tables, weights, frames)
        told = tuple(
            f"{name} {a:.3f} {unit}: {b:.3f} given"
            for name, unit, a, b in zip(self.space.names, self.space.units, asked, given, strict=True)
            if abs(a - b) > 1e-6
        )
        made = Synthesized(
            self.skeleton,
            root,
            rotations,
            fps,
            contacts=Contacts(contacts[:, :2], contacts[:, 2:]),
            clamped=told,
            reference=self.reference,
        )
        object.__setattr__(made, "made", (made.root, made.rotations))
        return made

    def _clock(
        self, weights: Float[np.ndarray, "loops"], steps: int, fps: float
    ) -> Float[np.ndarray, "frames"]:
        """Ring frames at a steady rate: the time-warp channel added up and turned round."""
        seconds = np.maximum(weights @ self.seconds, 1e-3)
        cycles = int(np.ceil(steps / 2)) + 1
        ring = np.arange(cycles * self.tables.frames + 1)
        times = np.concatenate([[0.0], np.cumsum(np.tile(seconds, cycles))])
        last = times[steps * self.tables.half]
        return np.interp(np.arange(int(cell_of(last * fps, 1.0)) + 1) / fps, times, ring)

    def _checked(self, weights: Float[np.ndarray, "loops"]) -> Float[np.ndarray, "loops"]:
        try:
            row = np.asarray(weights, dtype=float)
        except (TypeError, ValueError):
            row = np.zeros(0)
        if row.shape != (len(self),) or not np.isfinite(row).all():
            raise RequestError(f"weights must be {len(self)} finite numbers, one a loop")
        return row

    def save(self, path: str | PathLike[str]) -> None:
        from footfall.models.ring.store import save_ring

        save_ring(self, path)
