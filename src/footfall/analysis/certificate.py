"""The certificate: what a finished motion keeps of its promises, measured from joint positions alone.

Contacts come from the motion where it carries them, else they are detected. What cannot be known (no plan,
no terrain, no reference) is null. Without terrain the ground under a plant is the level at which it rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.reference import Reference
from footfall.analysis.smoothness import acceleration_ratio
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground, Terrain

LOOK_DOWN = 0.3  # m over a sole point from where its ground is looked for


@dataclass(frozen=True)
class Certificate:
    """All lengths in metres. See the module's first lines for what null means."""

    contacts: str  # "given" or "detected"
    plants: int
    placement_max_m: float | None
    slide_max_m: float | None
    slide_mean_m: float | None
    penetration_max_m: float | None
    float_max_m: float | None
    leg_extension_max: float | None
    leg_extension_examples: float | None
    acceleration_ratio: float | None
    bone_stretch_max: float
    clamped: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"clamped": list(self.clamped)}

    def __str__(self) -> str:
        def millimetres(name: str, value: float | None) -> str:
            return f"{name} unknown" if value is None else f"{name} {1000 * value:.3f} mm"

        def plain(name: str, value: float | None) -> str:
            return f"{name} unknown" if value is None else f"{name} {value:.3f}"

        parts = [
            millimetres("placement", self.placement_max_m),
            millimetres("slide", self.slide_max_m),
            millimetres("penetration", self.penetration_max_m),
            millimetres("float", self.float_max_m),
            plain("leg extension", self.leg_extension_max),
            plain("acceleration ratio", self.acceleration_ratio),
            f"{self.plants} plants {self.contacts}",
        ]
        return ", ".join(parts + [f"clamped: {c}" for c in self.clamped])


def certificate(
    motion: Motion,
    *,
    plan: FootPlan | None = None,
    terrain: Ground | None = None,
    reference: Motion | Sequence[Motion] | Reference | None = None,
    clamped: Sequence[str] = (),
) -> Certificate:
    """Measures a motion against its plan, the ground and the examples it was made from.

    The reference are these examples, or what is kept of them.
    """
    given = motion.contacts is not None
    contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    plants = detect_plants(motion, contacts)
    slides = [slide for side in motion.skeleton.sides for slide in phase_slides(motion, contacts, side)]
    depth, lift = _ground_errors(motion, contacts, plants, terrain)
    if not isinstance(reference, Reference):
        examples = [reference] if isinstance(reference, Motion) else list(reference or ())
        reference = Reference.of(examples) if examples else None
    return Certificate(
        contacts="given" if given else "detected",
        plants=len(plants),
        placement_max_m=None if plan is None else _placement(motion, contacts, plants, plan),
        slide_max_m=max(slides, default=0.0) if motion.skeleton.sides else None,
        slide_mean_m=float(np.mean(slides)) if slides else (0.0 if motion.skeleton.sides else None),
        penetration_max_m=depth,
        float_max_m=lift,
        leg_extension_max=leg_extension(motion),
        leg_extension_examples=None if reference is None else reference.leg_extension,
        acceleration_ratio=None if reference is None else acceleration_ratio(motion, reference.peaks),
        bone_stretch_max=bone_stretch(motion),
        clamped=tuple(clamped),
    )


def phase_slides(motion: Motion, contacts: Contacts, side: str) -> Iterator[float]:
    """Of each phase of each plant, how far the contact point strays from where the phase began."""
    soles, toe = sole_places(motion, side), toe_places(motion, side)
    heel_on, toe_on = contacts.heel_of(side), contacts.toe_of(side)
    phases = ((heel_on & ~toe_on, soles[:, 0]), (heel_on & toe_on, soles[:, 1]), (~heel_on & toe_on, toe))
    for mask, point in phases:
        for first, last in runs_of(mask):
            away = (point[first:last] - point[first])[:, [0, 2]]
            yield float(np.linalg.norm(away, axis=-1).max())


def _ground_errors(
    motion: Motion, contacts: Contacts, plants: Sequence[Plant], terrain: Ground | None
) -> tuple[float | None, float | None]:
    """Deepest sole point under the ground in any frame; highest lowest sole point over it in stance."""
    if not motion.skeleton.sides or not len(motion):
        return None, None
    depth, lift = 0.0, 0.0
    for side in motion.skeleton.sides:
        soles = sole_places(motion, side)
        if terrain is not None:
            over = _over_ground(soles, terrain)
        else:
            own = [p for p in plants if p.foot == side]
            if not own:
                continue
            over = soles[..., 1] - _levels(soles, contacts, own, side)[:, None]
        lowest = over.min(axis=-1)
        depth = max(depth, float(-lowest.min(initial=0.0)))
        lift = max(lift, float(lowest[contacts.stands(side)].max(initial=0.0)))
    return depth, lift


def _over_ground(
    soles: Float[np.ndarray, "frames points 3"], terrain: Ground
) -> Float[np.ndarray, "frames points"]:
    """How high points are over the ground under them; beyond its edge, how far they are from it.

    One looks down from a little over each point: a sole in the ground is seen to be in it, and a bridge
    overhead is not taken for the ground. Where there is no ground below, the point is deep in what is above.
    """
    x, y, z = np.moveaxis(soles, -1, 0)
    level = terrain.height(x, z, y + LOOK_DOWN)
    level = np.where(np.isneginf(level), terrain.height(x, z), level)
    over = y - level
    beyond = np.isposinf(over)
    if beyond.any() and isinstance(terrain, Terrain):
        over[beyond] = terrain.closest(soles[beyond]).distance
    return over


def _levels(
    soles: Float[np.ndarray, "frames 4 3"], contacts: Contacts, plants: Sequence[Plant], side: str
) -> Float[np.ndarray, "frames"]:
    """The ground under a foot where no terrain is known: its plant's level, in a swing the lower of two.

    Before the first plant and after the last nothing is known: a foot may be on its way down a stair.
    """
    lowest = soles[..., 1].min(axis=-1)
    flat = contacts.flat(side)
    levels = np.full(len(soles), -np.inf)
    rests = []
    for plant in plants:
        frames = np.arange(plant.start, plant.end)
        resting = frames[flat[frames]] if flat[frames].any() else frames
        rests.append(float(np.median(lowest[resting])))
        levels[frames] = rests[-1]
    for i in range(1, len(plants)):
        levels[plants[i - 1].end : plants[i].start] = min(rests[i - 1], rests[i])
    return levels


def _placement(motion: Motion, contacts: Contacts, plants: Sequence[Plant], plan: FootPlan) -> float | None:
    """Largest distance between a planned footprint and where the subtalar rested in its turn.

    Unknown where a planned foot never stands.
    """
    worst = 0.0
    for side in {footprint.foot for footprint in plan.placements}:
        planned = plan.of(side)
        own = [p for p in plants if p.foot == side]
        if not own:
            return None
        soles, flat = sole_places(motion, side)[:, 1], contacts.flat(side)
        rested = np.array([_rested(soles, flat, p) for p in own])
        for i, footprint in enumerate(planned):
            # in turn where every footprint has its plant; else the nearest, so that a lost one shows
            candidates = rested[i : i + 1] if len(own) == len(planned) else rested
            away = np.linalg.norm(candidates - footprint.position, axis=-1)
            worst = max(worst, float(away.min()))
    return worst


def _rested(
    subtalar: Float[np.ndarray, "frames 3"], flat: Float[np.ndarray, "frames"], plant: Plant
) -> Float[np.ndarray, "3"]:
    frames = np.arange(plant.start, plant.end)
    return subtalar[frames[flat[frames]] if flat[frames].any() else frames].mean(axis=0)


def leg_extension(motion: Motion) -> float | None:
    """The largest hip-ankle distance over the leg's length."""
    if not motion.skeleton.sides or not len(motion):
        return None
    return max(
        float(np.linalg.norm(motion.of(f"{s}_foot") - motion.of(f"{s}_thigh"), axis=-1).max())
        / motion.skeleton.leg_length(s)
        for s in motion.skeleton.sides
    )


def bone_stretch(motion: Motion) -> float:
    """The largest relative change of a bone's length against the skeleton's."""
    skeleton = motion.skeleton
    if len(skeleton) < 2 or not len(motion):
        return 0.0
    lengths = np.linalg.norm(motion.positions[:, 1:] - motion.positions[:, skeleton.parents[1:]], axis=-1)
    known = skeleton.bone_lengths[1:]
    real = known > 1e-6
    return float(np.abs(lengths[:, real] / known[real] - 1.0).max(initial=0.0))
