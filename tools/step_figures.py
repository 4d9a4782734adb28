"""Draws the pictures of docs/stepping.md: docs/pictures/stepping_*.png.

    python tools/step_figures.py [figure7 figure9 figure10 kinds turning ground run reach]

From steps of CMU subjects 69, 16, 143 and 83 on one figure, which are looked for in the captures' folder
($FOOTFALL_DATA, else ../shared/data beside the checkout). All motion that is shown is synthesized; no clip is
kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from walk_figures import CAPTURES, PICTURES, WIDE, View, draw_page, save

import footfall as ff
from footfall.adapt.foot_roll import print_under
from footfall.figure import kinematics
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.body_channels import ROOT
from footfall.models.stepspace.build import true_rate
from footfall.picture.camera import VIEWS, Camera
from footfall.picture.figures import Cast
from footfall.picture.footprints import INK, footprint
from footfall.picture.page import require_pyplot
from footfall.picture.step_area import draw_low_space, draw_next_step
from footfall.picture.tracks import Tracks

SUBJECTS, FOLDERS = (69, 16, 143, 83), ("turn-side-back", "walk", "steps", "run")
CAPTURED_PLAN, CAPTURED_PRINTS = "turn-side-back/143_40.bvh", slice(10, 24)
SCALE = 230.0  # pixels a metre
TALL = 1.86  # m over the ground that a view shows
AROUND = 0.35  # m of floor around prints
HALF = 0.09  # m: feet are twice this apart
RING = 0.045  # m, radius
RED = (0.85, 0.10, 0.10)

Move = tuple[float, float, float]  # m ahead, m to the left, rad to the left


def captured_files() -> list[Path]:
    """Subject 69's first: all are brought to its figure."""
    return [
        file
        for subject in SUBJECTS
        for folder in FOLDERS
        for file in sorted((CAPTURES / folder).glob(f"{subject}_*.bvh"))
    ]


@cache
def space() -> ff.StepSpace:
    return ff.build_step_space([ff.load_motion(file) for file in captured_files()], candidates=False)


def plan_of(moves: Iterable[Move]) -> ff.FootPlan:
    """Feet by turns, the left first; each move carries the middle between the feet and their heading on."""
    place, heading, prints = np.zeros(3), 0.0, []
    for k, (ahead, aside, turn) in enumerate([(0.0, 0.0, 0.0)] * 2 + list(moves)):
        heading += turn
        foot = SIDES[k % 2]
        forward, left = ground.direction_of(heading), ground.direction_of(heading + 0.5 * np.pi)
        place = place + ahead * forward + aside * left
        out = HALF if foot == "left" else -HALF
        prints.append(ff.FootPlacement(foot, place + out * left, heading))
    return ff.FootPlan(tuple(prints))


def places_of(plan: ff.FootPlan) -> np.ndarray:
    return np.array([p.position for p in plan.placements])


def looking(way: float, plans: Sequence[ff.FootPlan], *, view: str = "three-quarter") -> Camera:
    """A camera over the prints with somebody on each, seen from above the heading `way`; or a map."""
    places = np.concatenate([places_of(plan) for plan in plans])
    corners = AROUND * np.array([[x, 0.0, z] for x in (-1.0, 1.0) for z in (-1.0, 1.0)])
    seen = (places[:, None] + corners).reshape(-1, 3)
    if view != "map":
        seen = np.concatenate([seen, places + TALL * ground.UP])
    return Camera.looking(view, way + np.radians(VIEWS[view][0])).framing(seen, scale=SCALE, margin=0.0)


def alike(cameras: Sequence[Camera]) -> list[Camera]:
    """With pictures of one size."""
    wide, tall = np.max([camera.size for camera in cameras], axis=0)
    return [replace(camera, size=(int(wide), int(tall))) for camera in cameras]


def at_steps(walk: ff.FollowedPlan, numbers: Iterable[float]) -> np.ndarray:
    """Frames by numbers of steps: 0 is where the first begins, 0.5 its middle, 1 where the second begins."""
    begins = [*walk.begins, walk.seconds - walk.begins[0]]  # as long a stand after it as before
    times = np.interp(list(numbers), np.arange(len(begins)), begins)
    return (times * walk.fps).round().astype(int).clip(0, len(walk) - 1)


def every(apart: float, walk: ff.FollowedPlan) -> np.ndarray:
    """Frames so many steps apart: not a whole number, so that each shows another moment of a step."""
    return at_steps(walk, np.linspace(0.0, len(walk.begins), round(len(walk.begins) / apart) + 1))


def seen(
    walk: ff.FollowedPlan, words: str, camera: Camera, frames: Sequence[int] | np.ndarray, terrain: Any = None
) -> View:
    """Somebody in some frames, the prints on the floor or the ground."""
    tracks = Tracks.of(walk, terrain=terrain or ff.FlatTerrain())
    stage = tracks.stage(camera)
    cast = Cast.of(walk)
    vertices, normals = cast.bodies(np.asarray(frames, dtype=int))
    if len(vertices):
        cast.draw_shadows(stage, vertices)
    tracks.draw(stage)
    cast.draw(stage, vertices, normals)
    return View(walk, words, camera, stage.finished())  # type: ignore[arg-type]


def number_prints(axes: Any, view: View) -> None:
    """Beside each print of the plan its number in the file."""
    assert view.walk.plan is not None
    for k, one in enumerate(view.walk.plan.placements):
        heading, side = one.heading or 0.0, 0.5 if one.foot == "left" else -0.5
        aside = 0.12 * ground.direction_of(heading + side * np.pi)
        x, y, _ = view.camera.project(one.position + 0.05 * ground.direction_of(heading) + aside)
        axes.text(x, y, str(k), fontsize=7, ha="center", va="center", color=INK[one.foot])


def nothing(axes: Any, view: View) -> None:
    """Over a picture."""


def judged(walk: ff.FollowedPlan) -> str:
    found = walk.certificate()
    assert found.placement_max_m is not None
    assert found.slide_max_m is not None
    worst = 1e3 * max(found.placement_max_m, found.slide_max_m)
    within = "under 0.001" if worst < 1e-3 else f"{worst:.3f}"
    return f"{len(walk.selections)} steps, {walk.seconds:.1f} s, footprints and slide {within} mm"


# Figure 7: the red rings of plain rotational blending


def figure7() -> Any:
    """[stepping] figure 7, made again."""
    plt = require_pyplot()
    round_ = [(0.3, 0.0, -0.4)] * 3
    moves = [
        *[(0.45, 0.0, 0.0), (0.55, 0.0, 0.0), (0.5, 0.0, 0.0), (0.25, 0.0, 0.0)],
        *[(0.0, 0.35, 0.0), (0.0, 0.0, 0.0)] * 2,
        *[(0.4, 0.0, 0.0), *round_, (0.45, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0)],
    ]
    plan = plan_of(moves)
    walk = space().follow(plan)
    landed, inside = plain_landings(plan)
    places = places_of(plan)
    missed = np.linalg.norm((landed - places[2:])[:, [0, 2]], axis=1)
    figure, axes = plt.subplots(figsize=(WIDE, 5.0), layout="constrained")
    for one in plan.placements:
        rim = footprint(walk.skeleton, one.foot, one.position, float(one.heading or 0.0)).outline
        axes.fill(rim[:, 2], rim[:, 0], color="0.87", lw=0.0)
    for place, there, within in zip(places[2:], landed, inside, strict=True):
        axes.plot([place[2], there[2]], [place[0], there[0]], color=RED, lw=1.0)
        dashes = "-" if within else (0, (2.0, 1.2))
        axes.add_patch(plt.Circle((there[2], there[0]), RING, fill=False, color=RED, lw=1.6, ls=dashes))
    for plant in ff.detect_plants(walk, walk.contacts):
        axes.plot(plant.position[2], plant.position[0], "o", ms=4.5, color=INK[plant.foot])
    axes.set_aspect("equal")
    axes.set_xlabel("ahead [m]", fontsize=9)
    axes.set_ylabel("to the left [m]", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    off = 100.0 * missed[inside]
    figure.suptitle(
        f"Dots: the feet here, {judged(walk)}.\nRings: plain rotational blending, off by {off.mean():.1f} cm "
        f"on average and {off.max():.1f} at most; dashed: outside the hull, the nearest step",
        fontsize=10,
        x=0.01,
        ha="left",
    )
    return figure


def plain_landings(plan: ff.FootPlan) -> tuple[np.ndarray, np.ndarray]:
    """Where swing feet land when orientations are blended by the containing tetrahedron's weights and nothing
    else is done, each step from its planned support print; and which steps are in the hull."""
    own, planned = space(), space().planned(plan)
    selections = own.selected(planned, own.selector("containing"), from_stand=True, to_stand=True)
    body = np.stack([blend.body[-1] for blend in own.blended(planned, selections)])
    skeleton = own.skeleton
    joints, turns = kinematics.forward(
        skeleton.tree, skeleton.offsets, body[:, ROOT], own.channels.rotations(body)
    )
    landed = np.empty((len(body), 3))
    for k, foot in enumerate(planned.feet):
        joint = skeleton.joint(f"{SIDES[foot]}_foot")
        landed[k] = print_under(joints[k, joint], turns[k, joint], Sole.of(skeleton, SIDES[foot]))[0]
    support = planned.prints[:, 2]
    there = planned.places[support] + quat.rotate(ground.turn(planned.headings[support]), landed)
    return there, np.array([selection.inside for selection in selections])


# Figures 9 and 10, and strips


def figure9() -> Any:
    """[stepping] figure 9, made again: 12 steps extracted from a capture, then with prints moved."""
    clip = true_rate(ff.load_motion(CAPTURES / CAPTURED_PLAN))
    prints = ff.extract_plan(clip).placements[CAPTURED_PRINTS]
    plan = ff.FootPlan(tuple(replace(p, position=p.position * [1.0, 0.0, 1.0]) for p in prints))
    plans = {
        "as extracted": plan,
        "three prints moved": shifted(plan, {5: 0.20, 6: 0.35, 7: 0.25}),
        "along an arc": bent(plan, 1.0),
    }
    rows, maps = [], []
    for words, each in plans.items():
        walk = space().follow(each)
        cameras = alike([looking(0.0, [each], view=view) for view in ("three-quarter", "map")])
        strip = seen(walk, words, cameras[0], at_steps(walk, (0.0, 1.6, 3.2, 4.8, 6.4, 8.0, 12.0)))
        maps.append(seen(walk, judged(walk), cameras[1], []))
        rows.append([strip, maps[-1]])
    title = "12 steps extracted from CMU 143_40, and edited"
    return draw_page(rows, title, lambda axes, view: number_prints(axes, view) if view in maps else None)


def shifted(plan: ff.FootPlan, ahead: dict[int, float]) -> ff.FootPlan:
    """Some prints moved ahead (+Z)."""
    prints = list(plan.placements)
    for k, z in ahead.items():
        prints[k] = replace(prints[k], position=prints[k].position + np.array([0.0, 0.0, z]))
    return ff.FootPlan(tuple(prints))


def bent(plan: ff.FootPlan, turn: float) -> ff.FootPlan:
    """A way to the right (-X) laid along an arc that turns to the left by so much, its middle ahead."""
    places = places_of(plan)
    start, radius = places[0], float(np.ptp(places[:, 0])) / turn
    middle = start + np.array([0.0, 0.0, radius])
    prints = []
    for one in plan.placements:
        along = (start[0] - one.position[0]) / radius
        arm = (radius - one.position[2] + start[2]) * ground.direction_of(along + np.pi)
        assert one.heading is not None
        prints.append(replace(one, position=middle + arm, heading=one.heading + along))
    return ff.FootPlan(tuple(prints))


def figure10() -> Any:
    """[stepping] figure 10, made again: forward, backward, forward."""
    ahead, back = [(0.55, 0.0, 0.0)] * 3, [(-0.4, 0.0, 0.0)] * 3
    plan = plan_of([*ahead, (0.0, 0.0, 0.0), *back, (0.0, 0.0, 0.0), *ahead, (0.0, 0.0, 0.0)])
    walk = space().follow(plan)
    camera = looking(-0.5 * np.pi, [plan])
    phases = {
        "steps 1 to 4": (0.0, 1.3, 2.5, 4.0),
        "5 to 8": (4.5, 5.6, 6.7, 8.0),
        "9 to 12": (8.5, 9.4, 10.6, 12.0),
    }
    views = [seen(walk, words, camera, at_steps(walk, numbers)) for words, numbers in phases.items()]
    return draw_page([views], f"Forward, backward, forward: {judged(walk)}", nothing)


def kinds() -> Any:
    """Strips of four kinds of step."""
    still, right = (0.0, 0.0, 0.0), -0.5 * np.pi
    ahead, back, aside = (0.65, 0.0, 0.0), (-0.45, 0.0, 0.0), [(0.0, 0.4, 0.0), still]
    strips = {
        "forward": (plan_of([(0.5, 0.0, 0.0), *[ahead] * 4, still]), right, 1.2),
        "backward": (plan_of([*[back] * 6, still]), right, 1.4),
        "side": (plan_of(aside * 6), 0.0, 2.45),
        "cross": (crossing(), 0.0, 1.75),
    }
    return in_pairs(strips, "Steps of four kinds on plans set by hand")


def turning() -> Any:
    """Round a bend, ahead and back."""
    ahead = (0.45, 0.0, 0.0)
    bend = [ahead, *[(0.42, 0.0, 0.4)] * 5, ahead, ahead, (0.0, 0.0, 0.0)]
    strips = {
        "turning": (plan_of(bend), -0.18 * np.pi, 1.5),
        "turning, backward": (plan_of([(-a, b, -c) for a, b, c in bend]), 0.18 * np.pi, 1.5),
    }
    return in_pairs(strips, "Round bends on plans set by hand")


def in_pairs(strips: dict[str, tuple[ff.FootPlan, float, float]], title: str) -> Any:
    """Two strips a row: a plan, the heading from above which it is seen, and steps between figures."""
    rows: list[list[View]] = []
    cameras = [looking(way, [plan]) for plan, way, _ in strips.values()]
    for k, (words, (plan, _, apart)) in enumerate(strips.items()):
        if k % 2 == 0:
            cameras[k : k + 2] = alike(cameras[k : k + 2])
            rows.append([])
        walk = space().follow(plan)
        rows[-1].append(seen(walk, f"{words}: {judged(walk)}", cameras[k], every(apart, walk)))
    return draw_page(rows, title, nothing)


def crossing() -> ff.FootPlan:
    """To the left, the right foot before the left."""
    spots = [("left", HALF, 0.0), ("right", -HALF, 0.0)]
    for k in range(4):
        x = 0.32 + 0.66 * k
        spots += [("right", x, 0.17), ("left", x + 0.32, 0.0)]
    spots.append(("right", spots[-1][1] - 2.0 * HALF, 0.0))
    return ff.FootPlan(tuple(ff.FootPlacement(foot, np.array([x, 0.0, z]), 0.0) for foot, x, z in spots))


def uneven() -> Any:
    """Stairs and stepping stones."""
    rows = []
    for kind, seed in (("stairs", 7), ("stones", 3)):
        made = ff.generate_terrain(kind, seed=seed)
        walk = space().follow(made.crossing, terrain=made.terrain)
        low, high = made.terrain.bounds
        corners = [[x, y, z] for x in (low[0], high[0]) for y in (low[1], 1.3) for z in (low[2], high[2])]
        camera = Camera.looking("three-quarter", 0.0).framing(np.array(corners), width=1500, margin=0.0)
        rows.append([seen(walk, f"{kind}:{seed}: {judged(walk)}", camera, every(1.45, walk), made.terrain)])
    return draw_page(rows, "On generated ground", nothing)


def run() -> Any:
    """Out of a walk into a run, and back."""
    lengths = (0.55, 0.65, 0.75, 0.85, 1.0, 1.15, 1.25, 1.25, 1.15, 1.0, 0.85, 0.75, 0.65, 0.0)
    plan = plan_of([(length, 0.0, 0.0) for length in lengths])
    walk = space().follow(plan)
    runs = [s.runs for s in walk.selections]
    cameras = looking(-0.5 * np.pi, [plan]), looking(-0.5 * np.pi, [plan], view="map")
    rows = [
        [seen(walk, "", cameras[0], at_steps(walk, (0.0, *np.arange(1.3, 13.0, 0.85), 14.0)))],
        [seen(walk, "", cameras[1], [])],
    ]
    title = f"A run out of a walk and back, run from step {runs.index(True) + 1} on: {judged(walk)}"
    return draw_page(rows, title, nothing)


# What the next step can reach


def reach() -> Any:
    """S_low, and the area for the next step after three stances."""
    plt = require_pyplot()
    figure = plt.figure(figsize=(WIDE, 3.9))
    draw_low_space(figure.add_axes((0.0, 0.0, 0.30, 0.93), projection="3d"), space())
    stances = {"feet side by side": (0.0, 0.0), "a step ahead": (0.0, 0.6), "a step aside": (-0.35, 0.0)}
    for k, (words, (aside, ahead)) in enumerate(stances.items()):
        spots = (("left", HALF, 0.0), ("right", aside - HALF, ahead))
        plan = ff.FootPlan(tuple(ff.FootPlacement(f, np.array([x, 0.0, z]), 0.0) for f, x, z in spots))
        axes = figure.add_axes((0.375 + 0.21 * k, 0.11, 0.2, 0.76))
        draw_next_step(axes, space(), plan, "left")
        axes.set_xlim(1.0, -1.25)
        axes.set_ylim(-0.75, 1.45)
        axes.set_title(words, fontsize=9)
        axes.set_xlabel("to the left [m]", fontsize=8)
        axes.tick_params(labelsize=7)
        if k:
            axes.set_yticklabels([])
        else:
            axes.set_ylabel("ahead [m]", fontsize=8)
            axes.legend(fontsize=6.5, loc="upper left", ncols=2, handletextpad=0.1, columnspacing=0.5)
    figure.text(0.005, 0.95, "S_low and its tetrahedra", fontsize=10, weight="bold")
    figure.text(0.355, 0.95, "Where the left foot (blue) may land next", fontsize=10, weight="bold")
    return figure


DRAWN: dict[str, Callable[[], Any]] = {
    "figure7": figure7,
    "figure9": figure9,
    "figure10": figure10,
    "kinds": kinds,
    "turning": turning,
    "ground": uneven,
    "run": run,
    "reach": reach,
}


def main(names: list[str]) -> None:
    if unknown := set(names) - set(DRAWN):
        sys.exit(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(DRAWN)}")
    if not captured_files():
        sys.exit(f"{CAPTURES} has no clips: set FOOTFALL_DATA to the folder of the captures")
    for name in names or DRAWN:
        path = PICTURES / f"stepping_{name}.png"
        save(DRAWN[name](), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
