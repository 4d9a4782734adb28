"""Parts of the library that no motion shows by itself: shapes, surfaces, clips, sessions, figures.

As in `adapters.py`, each function takes a request and gives an `Outcome`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import combinations, islice
from typing import Any

import numpy as np

import footfall as ff
from tests.golden import sources
from tests.golden.facts import Outcome, certificate_facts, contact_runs, plan_facts, runs

Request = Mapping[str, Any]


def at_instants(values: np.ndarray, count: int = 10) -> np.ndarray:
    """Rows of a table that are spread over it evenly."""
    return values[np.round(np.linspace(0, len(values) - 1, min(count, len(values)))).astype(int)]


# shapes and surfaces


def placed(said: Request) -> ff.Placed:
    """A shape somewhere: {"shape", its sizes, "position", "turn" (a quaternion of any length)}."""
    kinds: Mapping[str, Callable[[], Any]] = {
        "sphere": lambda: ff.Sphere(said["radius"]),
        "box": lambda: ff.Box(said["size"]),
        "capsule": lambda: ff.Capsule(said["radius"], said["length"]),
        "cylinder": lambda: ff.Cylinder(said["radius"], said["height"]),
        "polygon": lambda: ff.Polygon(np.array(said["corners"]), said["height"]),
    }
    turn = np.array(said.get("turn", [1.0, 0.0, 0.0, 0.0]))
    return ff.Placed(kinds[said["shape"]](), np.array(said["position"]), turn / np.linalg.norm(turn))


def shapes(request: Request) -> Outcome:
    """Shapes, how far each is from each other, from `points` and from a ground, and what its mesh is like."""
    things = [placed(one) for one in request["shapes"]]
    points, margin = np.array(request["points"]), request.get("margin", 0.1)
    pairs = list(combinations(things, 2))
    meshes = [one.mesh(request.get("segments", 12)) for one in things]
    numbers = {
        "distances": [ff.distance(a, b) for a, b in pairs],
        "nearest": [ff.nearest_points(a, b) for a, b in pairs],
        "points": [one.distance_to(points) for one in things],
        "along": [one.along(np.array([0.36, 0.48, 0.8])) for one in things],
        "meshes": [mesh_facts(*mesh) for mesh in meshes],
    }
    discrete: dict[str, Any] = {
        "overlap": [ff.overlap(a, b, margin) for a, b in pairs],
        "meshes": [[len(vertices), len(triangles)] for vertices, triangles in meshes],
    }
    if "terrain" in request:
        ground = sources.ground(request["terrain"])
        numbers["over the ground"] = [ff.distance_to_terrain(one, ground) for one in things]
        discrete["on the ground"] = [ff.overlaps_terrain(one, ground, margin) for one in things]
    return Outcome(discrete=discrete, numbers=numbers)


def mesh_facts(vertices: np.ndarray, triangles: np.ndarray) -> list[Any]:
    """Bounds, area and volume of a surface."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=-1).sum()
    return [vertices.min(axis=0), vertices.max(axis=0), area, np.sum(a * np.cross(b, c)) / 6.0]


def surface(request: Request) -> Outcome:
    """What a ground tells of places and points: heights from below, nearest points, rays, spheres."""
    ground = sources.ground(request["terrain"])
    points = np.array(request["points"], dtype=float)
    near = ground.closest(points)
    rays = [ground.project(points, np.array(direction)) for direction in request.get("rays", [[0, -1, 0]])]
    radius = request.get("radius", 0.3)
    around = ground.near(points.mean(axis=0), float(np.ptp(points, axis=0).max()))
    numbers = {
        "heights": ground.height(points[:, 0], points[:, 2], points[:, 1]),
        "normals": ground.normal(points[:, 0], points[:, 2], points[:, 1]),
        "nearest": [near.distance, near.point, near.normal],
        "rays": [[hits.distance, hits.normal] for hits in rays],
    }
    discrete: dict[str, Any] = {
        "labels": list(ground.label(points[:, 0], points[:, 2], points[:, 1])),
        "touching": runs(ground.touching(points, radius)),
        "touching of those near": runs(around.touching(points, np.full(len(points), radius))),
    }
    sentences = []
    if isinstance(request["terrain"], str) or "kind" in request["terrain"]:
        generated = sources.generated(json.dumps(request["terrain"], sort_keys=True))
        told, more = plan_facts(generated.crossing)
        discrete |= {"walkable": runs(generated.walkable(points[:, 0], points[:, 2])), **told}
        numbers |= more | {"mesh": mesh_facts(generated.terrain.vertices, generated.terrain.triangles)}
        sentences = [generated.says()]
    return Outcome(discrete=discrete, numbers=numbers, sentences=sentences)


def stairs(request: Request) -> Outcome:
    """Endless stairs: heights over `points`, from `start` down, and a flight of them as a mesh."""
    kinds = {"straight": ff.StraightStairs, "spiral": ff.SpiralStairs}
    made = kinds[request["kind"]](**request["sizes"])
    points = np.array(request["points"])
    flight = made.flight(*request["flight"], width=request.get("width", 1.6))
    return Outcome(
        discrete={"mesh": [len(flight.vertices), len(flight.triangles)]},
        numbers={
            "heights": made.height(points[:, 0], points[:, 2]),
            "from here": made.height(points[:, 0], points[:, 2], points[:, 1]),
            "under": made.under(points),
            "mesh": mesh_facts(flight.vertices, flight.triangles),
        },
    )


def course(request: Request) -> Outcome:
    """Where a course is at `times`, and how it moves."""
    made = ff.Course(**request["course"])
    at = np.array(request["times"])
    thing = ff.Obstacle(ff.Box([0.4, 1.0, 0.6]), np.zeros(3), course=made)
    there = [thing.at(time) for time in at]
    return Outcome(
        numbers={
            "places": made.position(at),
            "headings": made.heading(at),
            "velocities": made.velocity(at),
            "obstacle": [[one.position, one.orientation] for one in there],
        }
    )


# clips


def measures(request: Request) -> Outcome:
    """What else is read from a clip: joint angles, jumps, cycles, rests, strikes, warnings, self-contact."""
    from footfall.analysis import joint_angles
    from footfall.analysis.apex import detect_jumps, reach_apex
    from footfall.analysis.cycles import detect_cycles
    from footfall.analysis.resting import resting_contacts
    from footfall.analysis.self_contact import self_contact
    from footfall.analysis.smoothness import peak_accelerations
    from footfall.analysis.stances import stances_of
    from footfall.analysis.strikes import strike_frames
    from footfall.analysis.warnings import find_warnings, plant_slides

    clip = sources.clip(request["clip"])
    contacts = ff.detect_contacts(clip)
    plants = ff.detect_plants(clip, contacts)
    steps = ff.detect_steps(clip, plants)
    jumps, cycles = detect_jumps(clip, contacts), detect_cycles(clip, contacts, plants)
    stances, touch = stances_of(clip, plants, known=request.get("known", False)), self_contact(clip)
    sided = ("hip_flexion", "hip_abduction", "knee_flexion", "ankle_dorsiflexion", "elbow_flexion")
    angles = {
        f"{side} {name}": at_instants(getattr(joint_angles, name)(clip, side), 6)
        for name in (*sided, "shoulder_flexion")
        for side in ("left", "right")
    }
    angles["lean"] = at_instants(joint_angles.trunk_lean(clip))
    angles["pelvis"] = [at_instants(one) for one in joint_angles.pelvis_turn(clip)]
    return Outcome(
        discrete={
            "jumps": [[j.takeoff, j.apex, j.landing] for j in jumps],
            "cycles": [[c.foot, c.start, c.end, c.toe_off] for c in cycles],
            "resting": contact_runs(resting_contacts(clip)),
            "apexes": [reach_apex(clip, side) for side in ("left", "right")],
            "stances": [[p.foot, p.start, p.end] for p in stances],
            "strikes": _or_refused(lambda: list(strike_frames(clip))),
            "touch": [touch.pair, touch.frame],
        },
        numbers={
            "angles": angles,
            "jumps": [[j.length, j.height, j.rise] for j in jumps],
            "cycles": [
                [c.speed, c.side_speed, c.turn_rate, c.stride, c.rise, c.width, c.double_support]
                for c in cycles
            ],
            "slides": plant_slides(clip, plants),
            "depth": touch.depths,
            "stances": [[p.position, p.toe, p.heading, p.level, p.pitch] for p in stances],
        },
        ratios={"peaks": peak_accelerations([clip])},
        sentences=find_warnings(clip, contacts, plants, steps),
    )


def _or_refused(asked: Callable[[], Any]) -> Any:
    try:
        return asked()
    except ff.FootfallError as refusal:
        return type(refusal).__name__


def figure(request: Request) -> Outcome:
    """A figure's bodies: capsules, soles, skin; in the rest pose and at a frame of a clip."""
    from footfall.figure.capsules import body_capsules
    from footfall.figure.kinematics import jacobian
    from footfall.figure.mannequin import build_mannequin
    from footfall.figure.sole import Sole

    clip = sources.clip(request["clip"])
    skeleton, frame = clip.skeleton, request.get("frame", 0)
    if "without" in request:  # the same bones under names that tell nothing: roles come from the shape
        names = [f"{request['without']}{k}" for k in range(len(skeleton.names))]
        skeleton = ff.Skeleton.build(names, skeleton.parents, skeleton.offsets)
    if request.get("names") == "letters":  # thigh_L for left_thigh
        letters = {
            joint: f"{role[5:]}_L" for role, joint in skeleton.roles.items() if role.startswith("left_")
        }
        letters |= {joint: f"{role[6:]}_R" for role, joint in skeleton.roles.items() if "right_" in role}
        names = [letters.get(k, name) for k, name in enumerate(skeleton.names)]
        skeleton = ff.Skeleton.build(names, skeleton.parents, skeleton.offsets)
    positions, orientations = clip.positions[frame], clip.orientations[frame]
    skin, capsules = build_mannequin(skeleton), body_capsules(skeleton)
    places, normals = skin.posed(skeleton, positions, orientations)
    soles = [Sole.of(skeleton, side) for side in skeleton.sides]
    return Outcome(
        discrete={
            "skin": [len(skin.vertices), len(skin.triangles)],
            "roles": {role: skeleton.names[joint] for role, joint in skeleton.roles.items()},
        },
        numbers={
            "skin": mesh_facts(skin.vertices, skin.triangles),
            "posed": mesh_facts(places, skin.triangles),
            "vertices": [at_instants(places, 30), at_instants(normals, 30)],
            "colours": at_instants(skin.colours, 20),
            "capsules": [capsules.ends(positions, orientations), capsules.radii],
            "soles": [[one.lengths, one.lying] for one in soles],
            "jacobian": jacobian(skeleton.tree, positions, skeleton.joint("left_hand")).sum(axis=-1),
            "facing": skeleton.rest_positions,
        },
    )


def range_of_motion(request: Request) -> Outcome:
    """The take with which a capture session begins."""
    made = ff.range_of_motion(ff.humanoid(**request.get("figure", {})), fps=request.get("fps", 20.0))
    discrete, numbers, ratios = certificate_facts(ff.certificate(made))
    return Outcome(made, discrete=discrete, numbers=numbers, ratios=ratios)


# sessions of the actor


def session(request: Request) -> Outcome:
    """Some of the first `takes` of a session, performed now; or what a session asks the actor for.

    Of the session of steps also the stances of each kind of take, cut short: `seconds` of it.
    """
    from footfall.actor.sessions import body, movements, rings, stepping, walk

    module = {"body": body, "movements": movements, "rings": rings, "stepping": stepping, "walk": walk}[
        request["session"]
    ]
    actor = ff.VirtualActor(**request.get("person", {})).at(module.FPS)
    if request.get("asked", False):
        asked = list(module.takes(_Asked(actor)))
        return Outcome(
            discrete={"takes": [[name, one[0]] for name, one in asked]},
            numbers={"takes": [one[1] for _, one in asked]},
        )
    if "seconds" in request:
        scores = {
            kind: stepping._score(actor, kind, 1, request["seconds"], np.random.default_rng(3))
            for kind in stepping.TAKES
        }
        return Outcome(
            discrete={kind: [s.foot for s in score.stances] for kind, score in scores.items()},
            numbers={
                kind: [[s.strike, s.off, s.place, s.heading] for s in score.stances]
                for kind, score in scores.items()
            },
        )
    names, shown = [], []
    for name, take in islice(module.takes(actor), *request["takes"]):
        names.append([name, take.kind, len(take.motion)])
        joints = take.motion.positions[:, [take.motion.skeleton.joint(r) for r in ("hips", "left_foot")]]
        shown.append([take.keytimes, dict(take.parameters), at_instants(joints, 5), joints.mean(axis=0)])
    return Outcome(discrete={"takes": names}, numbers={"takes": shown})


class _Asked:
    """An actor that tells what it is asked for instead of performing it."""

    def __init__(self, actor: ff.VirtualActor) -> None:
        self._actor = actor

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._actor, name)
        return (lambda *told, **named: [name, [told, named]]) if callable(found) else found


# weights


def weights(request: Request) -> Outcome:
    """Weights of all schemes over points in a space, and what is refined where blends are not as asked.

    `points` are drawn by a `seed`, in `dims`, or a `grid` of so many a side, or in a plane (`flat`).
    """
    from footfall.weights.barycentric import Barycentric
    from footfall.weights.cardinal_rbf import CardinalRBF
    from footfall.weights.exact import exact_weights
    from footfall.weights.hull import Hull
    from footfall.weights.kriging import Kriging
    from footfall.weights.nearest import Nearest
    from footfall.weights.pseudo_examples import refine
    from footfall.weights.spanning import spanning_set

    points, rng = _points(request), np.random.default_rng(request.get("seed", 0))
    queries = np.concatenate([points[:3], rng.uniform(-0.2, 1.2, (6, points.shape[1]))])
    hull = Hull(points)
    schemes: dict[str, Any] = {"nearest": Nearest(points, np.eye(len(points)), 3), "kriging": Kriging(points)}
    if not request.get("flat", False):
        schemes |= {"cardinal": CardinalRBF(points, np.eye(len(points)))}
        schemes |= {"barycentric": Barycentric(points)} if points.shape[1] < 4 else {}
    bend = request.get("bend", 0.3)

    def measure(rows: np.ndarray) -> np.ndarray:
        blended = rows @ points
        return blended + bend * np.sin(3.0 * blended) * blended[:, ::-1]

    discrete: dict[str, Any] = {
        "spanning": spanning_set(points, count=5),
        "spaced": spanning_set(points, spacing=0.3, keep=[1]),
        "contained": hull.contains(queries),
        "corners": None if hull.corners is None else hull.corners,
    }
    numbers: dict[str, Any] = {
        "rows": {name: scheme(queries) for name, scheme in schemes.items()},
        "change": schemes["kriging"].change(queries[3], queries[4:]),
        "hull": [hull.nearest(query) for query in queries],
        "sampled": hull.sample(12, rng),
    }
    if "cardinal" in schemes:
        given, missed = exact_weights(schemes["cardinal"], measure, queries[3:])
        made = refine(points, measure, most=request.get("most", 5), samples=200, seed=3)
        discrete["added"] = [len(made.points), len(made.errors), len(made.skipped)]
        numbers |= {"exact": [given, missed], "refined": [made.points, made.errors, made.residuals]}
        numbers["again"] = made.scheme(queries)
    return Outcome(discrete=discrete, numbers=numbers)


def _points(request: Request) -> np.ndarray:
    dims = request["dims"]
    if "grid" in request:
        sides = [np.linspace(0.0, 1.0, request["grid"])] * dims
        return np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, dims)
    drawn = np.random.default_rng(request["seed"]).uniform(size=(request["count"], dims))
    if request.get("flat", False):
        drawn[:, -1] = 0.4 * drawn[:, 0] + 0.1
    return drawn


def joined(request: Request) -> Outcome:
    """Clips one after the other."""
    return Outcome(ff.concatenate([sources.clip(one) for one in request["clips"]]))


def steering(request: Request) -> Outcome:
    """Where a gait is told to go from `places` beside a path."""
    from footfall.models.locomotion import limits as of_locomotion
    from footfall.models.ring import limits as of_ring

    model = sources.model(request["model"])
    known = (
        of_ring.limits_of(model["walk"])
        if isinstance(model, ff.RingGraph)
        else of_locomotion.limits_of(model)
    )
    made = ff.Steering(ff.Path(np.array(request["path"])), known)
    told = []
    for stretch in made.stretches:
        lines = [stretch.at(np.array([x, 0.0, z]), request.get("speed", 1.0)) for x, z in request["places"]]
        told.append([[one.heading, one.speed, one.s, one.aside, one.remaining] for one in lines])
    return Outcome(
        discrete={"stretches": len(made.stretches)},
        numbers={"told": told, "speeds": [[one.speed(s) for s in (0.0, 0.4, 1.1)] for one in made.stretches]},
    )


PARTS: Mapping[str, Callable[[Request], Outcome]] = {
    "shapes": shapes,
    "surface": surface,
    "stairs": stairs,
    "course": course,
    "measures": measures,
    "figure": figure,
    "range of motion": range_of_motion,
    "session": session,
    "joined": joined,
    "weights": weights,
    "steering": steering,
}
