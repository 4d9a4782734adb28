"""`MovementLibrary`: movements of any kind, for any parameters, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from types import MappingProxyType

import numpy as np

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion, checked_rate
from footfall.figure.skeleton import Skeleton
from footfall.geometry.decisions import first_greatest
from footfall.ik.two_link import Limb, leg_of
from footfall.models.movements.chain import Chain, chained
from footfall.models.movements.hands import hold_hands
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.movement import Standing
from footfall.models.movements.perform import perform
from footfall.models.movements.plain import perform_plain
from footfall.models.movements.request import Request, as_request
from footfall.models.synthesized import Synthesized, lain_in
from footfall.weights.space import Space
from footfall.world.foot_plan import FootPlacement, FootPlan

FPS = 60.0
RATES = (10.0, 1000.0)  # Hz
MOST_MOVEMENTS = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class PlayedMovements(Synthesized):
    """A sequence of movements as a motion."""

    kinds: tuple[str, ...] = ()
    begins: tuple[float, ...] = ()  # s, of each movement
    given: tuple[Mapping[str, float], ...] = ()  # the parameters of each, as they were given


@dataclass(frozen=True, eq=False, repr=False)
class MovementLibrary:
    """Kinds of movement, each with its examples.

    >>> library = build_movements(actor.perform("movements"))
    >>> library.synthesize("left_step", start_length=0.4, end_length=0.7)
    >>> library.play([("left_step", {"end_length": 0.5}), ("right_step", {"end_length": 0.7})])
    """

    members: tuple[MovementKind, ...]

    @cached_property
    def kinds(self) -> Mapping[str, MovementKind]:
        return MappingProxyType({kind.name: kind for kind in self.members})

    @cached_property
    def space(self) -> Mapping[str, Space]:
        """The parameters of each kind: names, units, bounds."""
        return MappingProxyType({kind.name: kind.space for kind in self.members})

    @property
    def skeleton(self) -> Skeleton:
        return self.members[0].examples[0].motion.skeleton

    @cached_property
    def legs(self) -> dict[str, Limb]:
        """Knee axes are the most bent example's."""
        motions = [e.motion for kind in self.members for e in kind.examples]
        most = {side: int(first_greatest(np.array([_bend(m, side) for m in motions]))) for side in SIDES}
        return {side: leg_of(self.skeleton, side, motions[most[side]]) for side in SIDES}

    @cached_property
    def captured(self) -> tuple[Motion, ...]:
        """All examples, in their base frames."""
        return tuple(e.motion for kind in self.members for e in kind.examples)

    def synthesize(
        self,
        kind: str,
        *,
        fps: float = FPS,
        constraints: bool = True,
        start: Standing | None = None,
        **parameters: float,
    ) -> PlayedMovements:
        """One movement, from the origin along +Z or from a standing."""
        return self.play(
            [Request(kind, parameters)], fps=fps, constraints=constraints, start=start, transitions=False
        )

    def play(
        self,
        sequence: Sequence[object],
        *,
        fps: float = FPS,
        constraints: bool = True,
        transitions: bool = True,
        start: Standing | None = None,
    ) -> PlayedMovements:
        """A sequence of movements as one motion, joined smoothly.

        Each is a `Request`, a pair of kind and parameters, or a mapping as in a sequence file. Parameters
        that say how a step starts follow from where the last movement left the feet. With `constraints`
        standing feet stand and every footprint is where the parameters say; without, movements are blended
        and joined as in the paper. With `transitions` a step is put in where feet stand otherwise than a
        movement begins.
        """
        rate = checked_rate(fps)
        if not RATES[0] <= rate <= RATES[1]:
            raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
        if isinstance(sequence, str | Mapping) or not isinstance(sequence, Sequence):
            raise RequestError(f"a sequence is a list of movements, not {sequence!r:.60}")
        if start is not None and not isinstance(start, Standing):
            raise RequestError(f"start is a Standing, not {start!r:.60}")
        requests = [as_request(one, k) for k, one in enumerate(sequence)]
        if not 1 <= len(requests) <= MOST_MOVEMENTS:
            raise RequestError(f"a sequence has 1 to {MOST_MOVEMENTS} movements, not {len(requests)}")
        chain = chained(self.kinds, requests, start=start, transitions=transitions)
        begins = np.concatenate([[0.0], np.cumsum([m.seconds for m in chain.movements])])
        if constraints:
            motion = perform(self.skeleton, self.legs, chain.movements, rate)
        else:
            motion = perform_plain(self.skeleton, chain.movements, rate)
        motion, beyond = hold_hands(motion, [r.hold for r in chain.requests], begins)
        return PlayedMovements(
            motion.skeleton,
            motion.root,
            motion.rotations,
            motion.fps,
            contacts=motion.contacts,
            plan=lain_in(plan_of(chain), motion) if constraints else None,
            clamped=(*chain.clamped, *beyond),
            examples=self._examples_of(chain),
            made=(motion.root, motion.rotations),
            kinds=tuple(r.kind for r in chain.requests),
            begins=tuple(float(t) for t in begins[:-1]),
            given=tuple(m.kind.space.named(m.parameters) for m in chain.movements),
        )

    def _examples_of(self, chain: Chain) -> tuple[Motion, ...]:
        """Those of the kinds that are played: how hard others accelerate is no excuse."""
        played = {m.kind.name for m in chain.movements} | {
            m.upper.kind.name for m in chain.movements if m.upper is not None
        }
        return tuple(e.motion for k in self.members if k.name in played for e in k.examples)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the library (.ffmodel): arrays and names only, so that reading one can never run code."""
        from footfall.models.movements.store import save_library

        save_library(self, path)

    def __repr__(self) -> str:
        told = ", ".join(f"{k.name} ({len(k.examples)})" for k in self.members)
        return f"MovementLibrary({told}; {len(self.skeleton)} joints)"


def _bend(motion: Motion, side: str) -> float:
    hip, ankle = motion.of(f"{side}_thigh"), motion.of(f"{side}_foot")
    return -float(np.linalg.norm(hip - ankle, axis=-1).min())


def plan_of(chain: Chain) -> FootPlan:
    """The footprints of a chain: where both feet start, then each that lands."""

    def placed(stands: Standing, foot: int) -> FootPlacement:
        return FootPlacement(SIDES[foot], stands.places[foot], float(stands.headings[foot]))

    first = chain.movements[0].before
    out = [placed(first, 0), placed(first, 1)]
    for movement in chain.movements:
        out += [placed(movement.after, k) for k, s in enumerate(movement.kind.swings) if s is not None]
    return FootPlan(tuple(out))
