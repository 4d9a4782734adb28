"""Draws the pictures of docs/movements.md: docs/pictures/movements_*.png.

    python tools/movement_figures.py [error slabs feet error_83 blocks]

The last two are made from CMU subject 83's steps, which are looked for in the captures' folder
($FOOTFALL_DATA, else ../shared/data beside the checkout), and left out where they are not there. All motion
that is shown is synthesized; no clip is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from walk_figures import CAPTURES, DEEP, GREY, PICTURES, TALL, WIDE, View, by_steps, draw_page, save

import footfall as ff
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.figure.soles import toe_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.build import build_movements
from footfall.models.movements.cut import cut_movements
from footfall.models.movements.kind import MovementKind, measured_parameters
from footfall.models.movements.model import MovementLibrary, PlayedMovements
from footfall.models.movements.prepared import Prepared, prepare
from footfall.models.movements.structure import KNOWN
from footfall.picture.camera import Camera
from footfall.picture.error_map import draw_error_map
from footfall.picture.footprints import INK, footprint
from footfall.picture.page import require_pyplot
from footfall.world.foot_plan import FootPlacement
from footfall.world.generators.slabs import build_slabs
from footfall.world.mesh import MeshTerrain

STEPS = "steps/83_*.bvh"
FPS = 30.0  # Hz, of a library
APART = 0.15  # m: of subject 83's cells nearer ones are the same cell
PSEUDO = {"actor": 10, "83": 30}
RUNG, THICK, HALF = 0.29, 0.05, 0.42  # m: a slab along the way, its thickness, and to either side
LEVEL = 0.012  # m: heels and balls that differ by less are level
RAIL = 0.06  # m, the width of what the slabs lie on
BLOCK = (0.24, 0.16)  # m, half of a block across the way and along it
SIX = ("start_length", "start_side", "start_rise", "end_length", "end_side", "end_rise")

Polygon = list[tuple[float, float]]


@cache
def actor_library() -> MovementLibrary:
    return build_movements(ff.VirtualActor().perform("movements"), pseudo_examples=0)


@cache
def clips_83() -> tuple[tuple[str, ff.Motion], ...]:
    return tuple((path.stem, ff.load_motion(path)) for path in sorted(CAPTURES.glob(STEPS)))


def error() -> Any:
    """[movements] figure 1, made again from the actor's steps."""
    before = actor_library().kinds["left_step"]
    after, refinement = before.refined(PSEUDO["actor"])
    assert refinement is not None
    return draw_error_map(before, after, refinement, title="The actor's straight left steps")


def error_83() -> Any:
    """The same for somebody's steps ahead, aside, up and down."""
    names = ("end_length", "end_side", "end_rise")
    examples = first_steps()
    points = measured_parameters(examples, names)
    kept: list[int] = []
    for k, point in enumerate(points):
        if all(np.linalg.norm(point - points[other]) >= APART for other in kept):
            kept.append(k)
    before = MovementKind.of("right_step", [examples[k] for k in kept], names)
    after, refinement = before.refined(PSEUDO["83"])
    assert refinement is not None
    return draw_error_map(before, after, refinement, title="Right steps of CMU subject 83")


def first_steps() -> list[Prepared]:
    """The first step of each clip; those of the left foot mirrored."""
    names, clips = zip(*clips_83(), strict=True)
    found = {}
    for example in cut_movements(clips, names):
        found.setdefault(example.name.split(",")[0], example)
    prepared = [prepare(e, KNOWN[e.kind.removesuffix("_step")], FPS) for e in found.values()]
    return [p if p.swings[0] is None else p.mirrored() for p in prepared]


def walked(lengths: Sequence[float]) -> list[tuple[str, dict[str, float]]]:
    """Straight steps by turns, the left foot first; the last one closes."""
    return [
        (f"{SIDES[k % 2]}_step", {"end_length": float(length)}) for k, length in enumerate((*lengths, 0.0))
    ]


def slabs() -> Any:
    """[movements] figure 4, made again: a walk over slabs at arbitrary distances."""
    lengths = np.random.default_rng(7).uniform(0.34, 0.78, 11).round(2)
    walk = actor_library().play(walked(lengths), fps=120.0)
    assert walk.plan is not None
    placements = walk.plan.placements
    ahead = sole_middle(walk)  # of the subtalar: slabs lie under the middles of soles
    places = np.unique(np.round([p.position[2] + ahead for p in placements], 6))
    ladder = rungs(places)
    seen = (places[0] - 0.45, places[-1] + 0.35)
    frames = by_steps(walk, 1.45, 1.1)
    cameras = (side_camera(seen, -2.0 * THICK), oblique_camera(seen))
    views = [View.of(walk, "", camera, frames, ladder) for camera in cameras]

    def over(axes: Any, view: View) -> None:
        if view is views[0]:
            label_gaps(axes, view, places)

    title = "The actor's steps over slabs at arbitrary distances"
    return draw_page([[view] for view in views], f"{title}: {judgement(walk, ladder)}", over)


def judgement(walk: PlayedMovements, under: MeshTerrain) -> str:
    """What the certificate says of a walk on a ground."""
    found = ff.certificate(walk, plan=walk.plan, terrain=under)
    names = ("placement", "slide", "penetration")
    return ", ".join(f"{name} {told(getattr(found, f'{name}_max_m'))}" for name in names)


def told(metres: float | None) -> str:
    assert metres is not None
    return f"{1000.0 * metres:.1f} mm"


def sole_middle(walk: ff.Motion) -> float:
    """How far the middle of a sole is ahead of its subtalar, m."""
    points = walk.skeleton.foot_points("left")
    middle = 0.5 * (points.heel + points.toe) - points.subtalar
    along = points.toe - points.heel
    return float(middle @ along / np.linalg.norm(along))


def rungs(places: np.ndarray) -> MeshTerrain:
    """Slabs across the way on two rails."""
    slabs = [rectangle((-HALF, z - 0.5 * RUNG), (HALF, z + 0.5 * RUNG)) for z in places]
    ends = (places[0] - 0.4, places[-1] + 0.4)
    sides = ((-HALF, -HALF + RAIL), (HALF - RAIL, HALF))
    rails = [rectangle((a, ends[0]), (b, ends[1])) for a, b in sides]
    heights = np.array([0.0] * len(slabs) + [-THICK] * len(rails))
    return build_slabs(np.array(slabs + rails), heights, THICK, "wood")


def rectangle(low: tuple[float, float], high: tuple[float, float]) -> Polygon:
    """Corners (x, z)."""
    return [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]


def side_camera(seen: tuple[float, float], floor: float, top: float = TALL) -> Camera:
    corners = np.array([[x, y, z] for x in (-HALF, HALF) for y in (floor, 0.0) for z in seen])
    above = np.array([[0.0, top, z] for z in seen])
    return Camera.looking("side", 0.0).framing(np.concatenate([corners, above]), width=1500, margin=0.02)


def oblique_camera(seen: tuple[float, float], top: float = TALL) -> Camera:
    corners = [[x, y, z] for x in (-HALF, HALF) for z in seen for y in (-2.0 * THICK, 0.0)]
    return Camera.looking("three-quarter", 0.0).framing(
        np.array([*corners, [0.0, top, seen[0] + 0.3]]), width=1500, margin=0.02
    )


def label_gaps(axes: Any, view: View, places: np.ndarray) -> None:
    """Distances under a side view, each between the middles of two slabs."""
    pixels = view.camera.project(np.stack([0 * places, 0 * places, places], axis=-1))[:, 0]
    low = view.camera.size[1] + 9.0
    bar = {"arrowstyle": "|-|,widthA=0.25,widthB=0.25", "color": GREY, "lw": 0.8, "shrinkA": 0, "shrinkB": 0}
    for k in range(1, len(places)):
        axes.annotate("", (pixels[k - 1], low), (pixels[k], low), arrowprops=bar, annotation_clip=False)
        words, middle = f"{places[k] - places[k - 1]:.2f} m", 0.5 * (pixels[k - 1] + pixels[k])
        axes.text(middle, low + 4.0, words, fontsize=8, ha="center", va="top", color="0.3")


def feet() -> Any:
    """The same sequence with and without constraints: where soles are while they should stand."""
    plt = require_pyplot()
    lengths = np.random.default_rng(10).uniform(0.2, 0.78, 7).round(2)
    walks = {k: actor_library().play(walked(lengths), fps=120.0, constraints=k) for k in (False, True)}
    figure, axes = plt.subplots(2, 1, figsize=(WIDE, 3.5), sharex=True, sharey=True, layout="constrained")
    for row, (constraints, walk) in zip(axes, walks.items(), strict=True):
        for placement in walks[True].plan.placements:
            print_ = footprint(walk.skeleton, placement.foot, placement.position, placement.heading)
            row.fill(print_.outline[:, 2], print_.outline[:, 0], color="0.85", lw=0.0)
        draw_soles(row, walk)
        judged = walk.certificate()
        row.set_title(
            f"{'with' if constraints else 'without'} constraints: slide {told(judged.slide_max_m)} at most, "
            f"{told(judged.slide_mean_m)} on average",
            fontsize=10,
        )
        row.set_aspect("equal")
        row.set_ylabel("to the left [m]", fontsize=9)
        row.tick_params(labelsize=8)
        row.spines[["top", "right"]].set_visible(False)
    axes[1].set_xlabel("distance [m]", fontsize=9)
    title = "The same eight steps from above. Grey: asked for; outlines: soles that stand, every 1/24 s"
    figure.suptitle(f"{title}; lines: toe joints", fontsize=11, weight="bold", x=0.01, ha="left")
    return figure


def draw_soles(axes: Any, walk: PlayedMovements) -> None:
    """Outlines of soles in the frames in which they stand; from above, the way to the right."""
    for side in SIDES:
        toe = toe_places(walk, side)
        axes.plot(toe[:, 2], toe[:, 0], color=INK[side], lw=0.8)
        sole, foot = Sole.of(walk.skeleton, side), walk.skeleton.joint(f"{side}_foot")
        under = walk.positions[:, foot] + quat.rotate(walk.orientations[:, foot], sole.subtalar)
        heading = ground.heading_of(quat.rotate(walk.orientations[:, foot], sole.ball - sole.heel))
        for frame in np.flatnonzero(standing(walk, side))[::5]:
            rim = footprint(walk.skeleton, side, under[frame], float(heading[frame])).outline
            rim = np.concatenate([rim, rim[:1]])
            axes.plot(rim[:, 2], rim[:, 0], color=INK[side], lw=0.7, alpha=0.55)


def standing(walk: PlayedMovements, side: str) -> np.ndarray:
    """Frames in which a foot should stand and its heel is as low as its ball."""
    sole, foot = Sole.of(walk.skeleton, side), walk.skeleton.joint(f"{side}_foot")
    along = quat.rotate(walk.orientations[:, foot], sole.ball - sole.heel)
    assert walk.contacts is not None
    return walk.contacts.stands(side) & (np.abs(along[:, 1]) < LEVEL)


def blocks() -> Any:
    """Subject 83 from block to block."""
    names, clips = zip(*clips_83(), strict=True)
    parameters = {f"{side}_step": SIX for side in SIDES}
    library = build_movements(clips, names=names, parameters=parameters, pseudo_examples=0)
    walk = library.play(from_block_to_block(), fps=120.0)
    assert walk.plan is not None
    stops = pairs(walk.plan.placements)
    under = blocks_under(walk, stops)
    seen = (-0.45, float(stops[-1, 2]) + 0.5)
    camera = side_camera(seen, -DEEP, 1.95)
    views = [
        View.of(walk, words, camera, by_steps(walk, first, 2.0), under)
        for first, words in ((1.8, "steps out"), (2.45, "steps that close"))
    ]

    def over(axes: Any, view: View) -> None:
        low = view.camera.size[1] + 4.0
        for x, level in zip(view.camera.project(stops)[:, 0], stops[:, 1], strict=True):
            axes.text(x, low, f"{100 * level:.0f} cm", fontsize=8, ha="center", va="top", color="0.3")

    return draw_page([views], f"CMU subject 83 from block to block: {judgement(walk, under)}", over)


def from_block_to_block() -> list[tuple[str, dict[str, float]]]:
    """One foot steps out, up or down, and the other is set beside it; the other side is next."""
    rng = np.random.default_rng(3)
    out: list[tuple[str, dict[str, float]]] = []
    for k, rise in enumerate((0.12, 0.10, -0.14, -0.08, 0.15, -0.10)):
        sign, (first, other) = ((-1.0, ("right", "left")), (1.0, ("left", "right")))[k % 2]
        ahead, aside = float(rng.uniform(0.45, 0.70)), sign * float(rng.uniform(0.35, 0.45))
        out.append((f"{first}_step", {"end_length": ahead, "end_side": aside, "end_rise": rise}))
        out.append((f"{other}_step", {"end_length": 0.0, "end_side": -0.1 * sign, "end_rise": 0.0}))
    out[0][1]["start_side"] = -0.1
    return out


def pairs(placements: Sequence[FootPlacement]) -> np.ndarray:
    """The middles between two feet that stand beside each other."""
    places = np.array([p.position for p in placements]).round(6) + 0.0
    middles = [0.5 * (a + b) for a, b in pairwise(places) if abs((b - a)[2]) < 0.1]
    return np.array(middles)


def blocks_under(walk: ff.Motion, stops: np.ndarray) -> MeshTerrain:
    """A floor, and a block under each stop that is higher."""
    ahead = sole_middle(walk)
    low, high = stops.min(axis=0) - 1.0, stops.max(axis=0) + 1.0
    level = float(np.min(stops[:, 1]))
    parts = [
        build_slabs(
            np.array([rectangle((low[0], low[2]), (high[0], high[2]))]), np.array([level]), DEEP, "ground"
        )
    ]
    for x, y, z in stops:
        if y > level + 1e-3:
            polygon = rectangle((x - BLOCK[0], z + ahead - BLOCK[1]), (x + BLOCK[0], z + ahead + BLOCK[1]))
            parts.append(build_slabs(np.array([polygon]), np.array([y]), y - level, "wood"))
    return together(parts)


def together(parts: Sequence[MeshTerrain]) -> MeshTerrain:
    """Several grounds as one."""
    starts = np.cumsum([0, *(len(p.vertices) for p in parts[:-1])])
    labels = tuple(dict.fromkeys(label for p in parts for label in p.labels))
    triangles = np.concatenate([p.triangles + start for p, start in zip(parts, starts, strict=True)])
    kinds = np.concatenate([np.full(len(p.triangles), labels.index(p.labels[0])) for p in parts])
    return MeshTerrain(np.concatenate([p.vertices for p in parts]), triangles, labels, kinds)


DRAWN: dict[str, Callable[[], Any]] = {
    "error": error,
    "slabs": slabs,
    "feet": feet,
    "error_83": error_83,
    "blocks": blocks,
}
CAPTURED = {"error_83", "blocks"}


def main(names: list[str]) -> None:
    if unknown := set(names) - set(DRAWN):
        sys.exit(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(DRAWN)}")
    for name in names or DRAWN:
        if name in CAPTURED and not clips_83():
            print(f"{name} is left out: {CAPTURES / STEPS} are not there; set FOOTFALL_DATA to their folder")
            continue
        path = PICTURES / f"movements_{name}.png"
        save(DRAWN[name](), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
