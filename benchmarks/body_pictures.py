"""The pictures of docs/body.md: figures 1 to 6 of [body] made again.

python benchmarks/body_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import footfall as ff
from footfall.cli.demo_fetch import demo_errand
from footfall.control.hand_keeping import HandKeeping
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import grasp
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import poses_of
from footfall.models.locomotion.default import default_locomotion
from footfall.models.reach.default import default_reach
from footfall.models.stepspace.default import default_step_space
from footfall.picture.poses import Panel, save_poses
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere

OUT = Path(__file__).parents[1] / "docs" / "pictures"
DT = 1.0 / 60.0


def errand() -> None:
    """Figure 1: round a post to a table, a ball from it, and down on another one."""
    scene = demo_errand()
    made = ff.act(scene, default_step_space(), default_reach())
    ends = np.cumsum([0.0, *(task.seconds for task in made.tasks)])
    times = [ends[1] + 2.0, *np.linspace(ends[2] - 6.0, ends[2] - 0.3, 7)]
    times += [ends[2] + 3.0, *np.linspace(ends[3] - 5.5, ends[3] - 0.5, 3)]
    ball = made.object_named("ball")
    panels = []
    for at in times:
        k = round(at * made.fps)
        thing = Placed(scene.objects[0].shape, ball.positions[k], ball.orientations[k])
        panels.append(Panel(made.pose(k), (*scene.obstacles, thing), f"{at:.1f} s"))
    save_poses(made.skeleton, panels, OUT / "body_errand.png", view="three-quarter")


def reach_space() -> None:
    """Figure 2, right: examples and pseudo-examples of the right hand."""
    import matplotlib.pyplot as plt

    own = default_reach().set_of("right")
    figure = plt.figure(figsize=(9, 4.5))
    for k, (a, b, names) in enumerate(((0, 1, "xy"), (2, 1, "zy"))):
        axes = figure.add_subplot(1, 2, k + 1)
        axes.plot(own.pseudo_points[:, a], own.pseudo_points[:, b], ".", ms=3, color="#7fbf7f")
        axes.plot(own.points[:, a], own.points[:, b], "o", ms=7, color="#3b6fb6")
        axes.set_xlabel(f"{names[0]}, m")
        axes.set_ylabel("height, m")
        axes.set_aspect("equal")
    figure.suptitle(f"{len(own.points)} examples (blue), {len(own.pseudo_points)} pseudo-examples (green)")
    figure.savefig(OUT / "body_reach_space.png", dpi=90)


def gait_space() -> None:
    """Figure 3: the locomotion space, its tetrahedra, and a way that was gone."""
    import matplotlib.pyplot as plt
    from scipy.spatial import Delaunay

    model = default_locomotion()
    points = np.asarray(model.space.points)
    edges = {tuple(sorted(e)) for s in Delaunay(model.space.to_metric(points)).simplices for e in _pairs(s)}
    figure = plt.figure(figsize=(10, 4.5))
    axes = figure.add_subplot(1, 2, 1, projection="3d")
    for a, b in edges:
        axes.plot(*points[[a, b]].T, color="0.75", lw=0.6)
    axes.plot(*points.T, "o", color="#d9a400")
    for name, put in zip(model.space.names, (axes.set_xlabel, axes.set_ylabel, axes.set_zlabel), strict=True):
        put(name)
    walker = ff.LocomotionController(model)
    figure_of = ff.Character(model.skeleton, [walker])
    places = []
    wishes = [
        (1.2, 0.0, 0.0),
        (1.2, 0.5, 0.0),
        (1.2, -0.5, 0.0),
        (2.5, 0.0, 0.0),
        (0.0, 0.0, 0.5),
        (0.0, 1.0, 0.0),
    ]
    for speed, turn, side in wishes:
        walker.command(speed=speed, turn_rate=turn, side_speed=side)
        for _ in range(180):
            figure_of.step(DT)
            places.append(np.asarray(walker.place)[[0, -1]])
    way = np.array(places)
    axes = figure.add_subplot(1, 2, 2)
    for k, (speed, turn, side) in enumerate(wishes):
        part = way[180 * k : 180 * k + 181]
        axes.plot(part[:, 0], part[:, 1], label=f"{speed:g} m/s, {turn:g} rad/s, {side:g} m/s aside")
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.05, 1.0))
    axes.set_aspect("equal")
    axes.set_xlabel("x, m")
    axes.set_ylabel("z, m")
    figure.savefig(OUT / "body_gait_space.png", dpi=90)


def _pairs(simplex: np.ndarray) -> list[tuple[int, int]]:
    return [(int(simplex[i]), int(simplex[j])) for i in range(4) for j in range(i)]


def with_and_without() -> None:
    """Figure 4: a target between examples, by blending alone and with inverse kinematics; then others."""
    library = default_reach()
    target = np.array([-0.33, 0.95, 0.33])
    own = library.set_of("right")
    root, rotations = own.tables.blend(own.scheme(target), np.array([1.0]))
    ball = Placed(Sphere(0.03), target)
    panels = [Panel(ff.Pose(root[0], rotations[0]), (ball,), "blending alone")]
    made = library.synthesize("right", position=target, hold=0.5)
    panels.append(Panel(made.pose(len(made) // 2), (ball,), "with inverse kinematics"))
    for name, place in (("high", (-0.1, 1.75, 0.3)), ("low", (-0.1, 0.25, 0.4)), ("aside", (-0.6, 1.1, 0.1))):
        made = library.synthesize("right", position=place, hold=0.5)
        panels.append(Panel(made.pose(len(made) // 2), (Placed(Sphere(0.03), np.array(place)),), name))
    both = ff.act(_crate(), default_step_space(), library)
    k = round((both.tasks[0].seconds - 0.2) * both.fps)
    track = both.object_named("crate")
    crate = Placed(_crate().objects[0].shape, track.positions[k], track.orientations[k])
    panels.append(Panel(both.pose(k), (*_crate().obstacles, crate), "both hands"))
    save_poses(library.skeleton, panels, OUT / "body_reaches.png", view="three-quarter")


def _crate() -> ff.Scene:
    table = ff.Obstacle(Box((1.2, 0.75, 0.6)), np.array([0.0, 0.375, 1.2]))
    crate = ff.SceneObject("crate", Box((0.4, 0.25, 0.3)), np.array([0.0, 0.875, 1.15]))
    return ff.Scene(obstacles=(table,), objects=(crate,), tasks=(ff.Task("pick_up", "crate"),))


def grasps() -> None:
    """Figure 5: fingers round each shape, drawn as capsules."""
    import matplotlib.pyplot as plt

    skeleton = default_reach().skeleton
    poses = poses_of(hand_of(skeleton, "right"))
    hand, turn = poses.hand, quat.identity()
    at = hand.palm_length * hand.along + 0.06 * hand.normal
    things = {
        "sphere": Placed(Sphere(0.04), at),
        "box": Placed(Box((0.05, 0.12, 0.06)), at),
        "capsule": Placed(Capsule(0.025, 0.16), at, quat.between(np.array([0.0, 1.0, 0.0]), hand.across)),
    }
    figure = plt.figure(figsize=(12, 4))
    for k, (name, thing) in enumerate(things.items()):
        taken = grasp(poses, thing, orientation=turn, position=np.zeros(3))
        axes = figure.add_subplot(1, 3, k + 1, projection="3d")
        corners, triangles = thing.mesh(24)
        axes.plot_trisurf(*corners.T, triangles=triangles, color="#c9a227", alpha=0.5)
        rotations = np.array(skeleton.rest)
        rotations[hand.joints] = np.array(list(taken.rotations().values()))
        places, turns = ff.Pose(np.zeros(3), rotations).forward(skeleton)
        origin, back = places[hand.joint], quat.conjugate(turns[hand.joint])
        put = taken.placement
        chains = [(hand.starts[f], hand.starts[f + 1]) for f in range(len(hand.fingers))]
        for first, last in chains:
            line = [np.zeros(3), *quat.rotate(back, places[hand.joints[first:last]] - origin)]
            line = np.asarray(put.position) + quat.rotate(put.orientation, np.array(line))
            axes.plot(*line.T, lw=7, color="#d98850", solid_capstyle="round")
        axes.set_title(f"{name}: {int(taken.touches.sum())} segments of {len(taken.fingers)} fingers touch")
        axes.set_aspect("equal")
        axes.set_axis_off()
    figure.savefig(OUT / "body_grasps.png", dpi=90)


def constrained() -> None:
    """Figure 6: a hand on its place, a gaze that takes the trunk along, and the same with constraints."""
    library = default_reach()
    skeleton = library.skeleton
    standing = next(take.motion for take in ff.VirtualActor().perform("body") if take.kind == "idle")
    target = (-0.25, 1.0, 0.4)
    panels = []
    for title, look, held in (
        ("a hand on its place", None, False),
        ("a gaze to the side takes it away", (3.0, 1.3, -1.5), False),
        ("with constraints it stays", (3.0, 1.3, -1.5), True),
    ):
        reaching, gaze = ff.ReachController(library), ff.GazeController(skeleton, saccades=False)
        keep = ff.ConstraintController(skeleton)
        layers = [ff.WorldOffset(skeleton), ff.IdleController(standing), reaching]
        layers += [HandKeeping(reaching, keep), gaze, keep] if held else [gaze]
        body = ff.Character(skeleton, layers)
        reaching.reach(target, hand="right")
        for frame in range(240):
            if frame == 120:
                gaze.command(look_at=look)
            body.step(DT)
        panels.append(Panel(body.pose, (Placed(Sphere(0.03), np.array(target)),), title))
    save_poses(skeleton, panels, OUT / "body_constraint.png", view="three-quarter", columns=3)


if __name__ == "__main__":
    for draw in (errand, reach_space, gait_space, with_and_without, grasps, constrained):
        print(draw.__name__, file=sys.stderr, flush=True)
        draw()
