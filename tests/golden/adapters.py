"""With `parts.py` what knows today's API: from what a request says to the function that is asked for it.

A request names its `system`; `SYSTEMS` holds a function for each, which takes the request and gives an
`Outcome`. Where the library is renamed, only these files (and `sources.py` for models) are changed: requests
and records stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import footfall as ff
from tests.golden import parts, sources
from tests.golden.facts import Outcome, certificate_facts, contact_runs, plan_facts, runs

Request = Mapping[str, Any]
Layer = Any  # a controller


def run(request: Request) -> Outcome:
    """What a request gives; a refusal is an outcome too.

    Args:
        request: `system`, and what that system takes; angles in radians, lengths in metres.

    Returns:
        The outcome.
    """
    try:
        return SYSTEMS[request["system"]](request)
    except ff.FootfallError as refusal:
        numbers = {}
        nearest = getattr(refusal, "nearest", None)
        if nearest is not None:
            numbers["nearest"] = nearest
        return Outcome(
            discrete={"refused": type(refusal).__name__}, numbers=numbers, sentences=[str(refusal)]
        )


def synthesized(motion: Any, request: Request, **facts: Any) -> Outcome:
    """A motion that knows its plan and what was clamped; with its certificate unless told otherwise."""
    outcome = Outcome(motion, sentences=list(motion.clamped), **facts)
    outcome.discrete["clamped"] = len(motion.clamped)
    discrete, numbers = plan_facts(motion.plan)
    outcome.discrete |= discrete
    outcome.numbers |= numbers
    if request.get("certificate", True):
        discrete, numbers, outcome.ratios = certificate_facts(motion.certificate())
        outcome.discrete |= discrete
        outcome.numbers |= numbers
    return outcome


# walk edit


def walk_edit(request: Request) -> Outcome:
    """Of a `clip`: `ask` of it, or `on` a ground along a path, with `ask`."""
    edit = ff.WalkEdit(sources.clip(request["clip"]))
    asked = {name: _varying(value) for name, value in request.get("ask", {}).items()}
    if "on" not in request:
        made = edit.synthesize(**asked)
    else:
        path = _path_over(request["on"], request["path"])
        made = edit.on(sources.ground(request["on"]), path, **asked)
    return synthesized(made, request, numbers={"captured": [edit.step_length, edit.speed]})


def _varying(value: Any) -> Any:
    """A number, pairs of distance and value, or {"mean", "swing", "wave"} over the distance or over time."""
    if not isinstance(value, Mapping):
        return (
            value if not isinstance(value, list) else [tuple(v) if isinstance(v, list) else v for v in value]
        )
    mean, swing, wave = value["mean"], value["swing"], value["wave"]

    def function(at: float) -> float:
        return mean + swing * float(np.sin(2.0 * np.pi * at / wave))

    return ff.OverTime(function) if value.get("over_time") else function


def _path_over(ground: object, path: Any) -> Any:
    """Points, or the middle between the feet of the walk that a generated ground is made for."""
    if path != "crossing":
        return path
    places = np.array([placement.position for placement in sources.crossing(ground).placements])
    return 0.5 * (places[1:] + places[:-1])


# movement library


def movements(request: Request) -> Outcome:
    """A `sequence`, as its file has it, with `options`."""
    library = sources.model(request["model"])
    made = library.play(request["sequence"], **request.get("options", {}))
    return synthesized(
        made,
        request,
        discrete={"kinds": made.kinds},
        numbers={"begins": made.begins, "given": [dict(one) for one in made.given]},
    )


# step space


def steps(request: Request) -> Outcome:
    """A plan followed, edited by `moves` while it is followed, or one step of S_high (`ask`)."""
    space = sources.model(request["model"])
    options = dict(request.get("options", {}))
    if "ask" in request:
        return _followed(space.synthesize(**request["ask"]), request)
    if "terrain" in request:
        options["terrain"] = sources.ground(request["terrain"])
    plan = _plan(request["plan"])
    if "moves" not in request:
        return _followed(space.follow(plan, **options), request)
    live, changes = space.live(plan, **options), []
    for move in request["moves"]:
        wishes = dict(move)
        try:
            change = live.move(wishes.pop("number"), **wishes)
            changes.append([change.first, change.last, change.steps])
        except ff.RequestError as refusal:
            changes.append(type(refusal).__name__)
    outcome = _followed(live.motion, request)
    outcome.discrete["changes"] = changes
    return outcome


def _followed(made: Any, request: Request) -> Outcome:
    chosen = made.selections
    return synthesized(
        made,
        request,
        discrete={
            "chosen": [sorted(int(k) for k in one.steps) for one in chosen],
            "inside": [bool(one.inside) for one in chosen],
            "runs": [bool(one.runs) for one in chosen],
        },
        numbers={
            "begins": made.begins,
            "weights": [one.weights[np.argsort(one.steps)] for one in chosen],
            "lowered": 0.0 if made.lowered is None else made.lowered.max(initial=0.0),
        },
    )


def _plan(said: Mapping[str, Any]) -> ff.FootPlan:
    """Footprints one by one, a generated ground's own walk, or what a clip's feet left."""
    if "prints" in said:
        return ff.FootPlan(
            tuple(
                ff.FootPlacement(foot, np.array(place), **(more[0] if more else {}))
                for foot, place, *more in said["prints"]
            )
        )
    if "crossing" in said:
        placements = sources.crossing(said["crossing"]).placements
        return ff.FootPlan(placements[: said.get("count", len(placements))])
    return ff.extract_plan(sources.clip(said["left_by"]))


# rings: gaits, crowds, paths


def ring(request: Request) -> Outcome:
    """Steps of one `gait` at `ask`."""
    made = sources.model(request["model"])[request["gait"]].synthesize(**request["ask"])
    return synthesized(made, request)


def gait(request: Request) -> Outcome:
    """A walk that obeys `commands`."""
    made = ff.walk(
        sources.model(request["model"]),
        [ff.Command(**command) for command in request["commands"]],
        request["seconds"],
        terrain=sources.ground(request.get("terrain")),
        **request.get("options", {}),
    )
    return _walked(made, request)


def _walked(made: Any, request: Request) -> Outcome:
    return synthesized(
        made,
        request,
        discrete={"strikes": made.strikes, "gaits": [name for _, name in made.gaits]},
        numbers={"taken up": [time for time, _ in made.gaits], "responses": made.responses},
    )


def crowd(request: Request) -> Outcome:
    """Many figures of one ring, told by `commands`; where all are at the end, and the motion of the first."""
    model = sources.model(request["model"])[request["gait"]]
    many = ff.Crowd(
        model,
        np.array(request["places"]),
        np.array(request["headings"]),
        world=sources.ground(request.get("terrain")),
        threads=request.get("threads", 1),
    )
    fps, frames = request.get("fps", 60.0), []
    for k in range(round(request["seconds"] * fps)):
        for command in request["commands"]:
            if k == round(command["time"] * fps):
                many.command(**{name: np.array(v) for name, v in command.items() if name != "time"})
        root, rotations = many.step(1.0 / fps)
        frames.append((root[0].copy(), rotations[0].copy(), many.contacts[0].copy()))
    many.close()
    return Outcome(
        _recorded(model.skeleton, frames, fps),
        discrete={"standing": many.standing, "contacts at the end": many.contacts},
        numbers={"roots": many.root, "headings": many.headings},
    )


def _recorded(skeleton: ff.Skeleton, frames: Sequence[Any], fps: float) -> ff.Motion:
    """Frames of roots, rotations and contacts (left heel, right heel, left toe, right toe; or None)."""
    touching = [frame[2] for frame in frames]
    contacts = None
    if touching[0] is not None:
        contacts = ff.Contacts(np.array(touching)[:, :2], np.array(touching)[:, 2:])
    roots, rotations = np.array([f[0] for f in frames]), np.array([f[1] for f in frames])
    return ff.Motion(skeleton, roots, rotations, fps, contacts=contacts)


def path_walk(request: Request) -> Outcome:
    """A character that follows a path to its end."""
    made = ff.follow_path(
        sources.model(request["model"]),
        ff.Path(np.array(request["path"])),
        terrain=sources.ground(request.get("terrain")),
        **request.get("options", {}),
    )
    return _walked(made, request)


# locomotion and reach


def locomotion(request: Request) -> Outcome:
    """Seconds of one velocity."""
    return synthesized(sources.model(request["model"]).synthesize(**request["ask"]), request)


def reach(request: Request) -> Outcome:
    """A hand to a place and back."""
    return synthesized(sources.model(request["model"]).synthesize(**request["ask"]), request)


# layers of a character


def layers(request: Request) -> Outcome:
    """A stack of `layers` stepped through some `seconds`, told what to `do` at times."""
    stack: dict[str, Layer] = {}
    for said in request["layers"]:
        wishes = dict(said)
        kind = wishes.pop("layer")
        stack[kind] = LAYERS[kind](stack, **wishes)
    skeleton = next(iter(stack.values())).skeleton
    figure = ff.Character(skeleton, list(stack.values()), world=sources.ground(request.get("terrain")))
    fps, frames, told = request.get("fps", 60.0), [], list(request["do"])
    knows = next((one for one in stack.values() if hasattr(one, "contacts")), None)
    refused = []
    for k in range(round(request["seconds"] * fps)):
        while told and k >= round(told[0]["at"] * fps):
            action = told.pop(0)
            try:
                ACTIONS[action["do"]](figure, stack, **action.get("with", {}))
            except ff.FootfallError as refusal:
                refused.append([action["do"], type(refusal).__name__])
        pose = figure.step(1.0 / fps)
        frames.append((pose.root, pose.rotations, None if knows is None else np.array(knows.contacts)))
    outcome = Outcome(_recorded(skeleton, frames, fps), discrete={"refused": refused})
    for kind, layer in stack.items():
        outcome.sentences += [f"{kind}: {remark}" for remark in getattr(layer, "remarks", ())]
        if kind in ENDS:
            discrete, numbers = ENDS[kind](layer)
            outcome.discrete[kind], outcome.numbers[kind] = discrete, numbers
    return outcome


def _idle(stack: Mapping[str, Layer], clip: Request) -> Layer:
    return ff.IdleController(sources.clip(clip))


def _keep(stack: Mapping[str, Layer], **said: Any) -> Layer:
    """The constraint layer: the one that a hand-keeping layer tells, where there is one."""
    if "hand keeping" in stack:
        return stack["hand keeping"].keep
    return ff.ConstraintController(_first_skeleton(stack), **said)


def _first_skeleton(stack: Mapping[str, Layer]) -> ff.Skeleton:
    return next(iter(stack.values())).skeleton


LAYERS: Mapping[str, Callable[..., Layer]] = {
    "offset": lambda stack, model, **said: ff.WorldOffset(sources.model(model).skeleton, **said),
    "idle": _idle,
    "gait": lambda stack, model, **said: ff.GaitController(sources.model(model), **said),
    "locomotion": lambda stack, model, **said: ff.LocomotionController(sources.model(model), **said),
    "reach": lambda stack, model, **said: ff.ReachController(sources.model(model), **said),
    "gaze": lambda stack, **said: ff.GazeController(_first_skeleton(stack), **said),
    "animation": lambda stack: ff.AnimationController(_first_skeleton(stack)),
    "grab": lambda stack: ff.GrabController(_first_skeleton(stack)),
    "keep": lambda stack, **said: _keep(stack, **said),
    "hand paths": lambda stack: ff.HandPaths(stack["reach"]),
    # tells the constraint layer, which comes later, to keep hands where the reach layer has them
    "hand keeping": lambda stack: ff.HandKeeping(
        stack["reach"], ff.ConstraintController(_first_skeleton(stack))
    ),
}


def _step_aside(figure: ff.Character, stack: Mapping[str, Layer], place: Sequence[float]) -> None:
    stack["locomotion"].step(*place)


def _play(figure: ff.Character, stack: Mapping[str, Layer], clip: Request, **said: Any) -> None:
    stack["animation"].play(sources.clip(clip), **said)


def _close(figure: ff.Character, stack: Mapping[str, Layer], hand: str, thing: Request) -> None:
    grab = stack["grab"]
    grab.close(hand, ff.grasp(grab.poses(hand), parts.placed(thing), orientation=np.array(thing["hand"])))


def _lead(figure: ff.Character, stack: Mapping[str, Layer], side: str, **said: Any) -> None:
    from footfall.control.hand_path import HandPlace

    for end in {"start", "end"} & said.keys():
        said[end] = HandPlace(**{name: np.array(value) for name, value in said[end].items()})
    stack["hand paths"].lead(side, **said)


ACTIONS: Mapping[str, Callable[..., None]] = {
    "command": lambda figure, stack, **said: figure.command(**said),
    "fade": lambda figure, stack, **said: figure.fade(**said),
    "move": lambda figure, stack, **said: stack["offset"].move_to(**said),
    "step": _step_aside,
    "reach": lambda figure, stack, **said: stack["reach"].reach(**said),
    "let go": lambda figure, stack, **said: stack["reach"].let_go(**said),
    "lead": _lead,
    "hold": lambda figure, stack, **said: stack["keep"].hold(**said),
    "release": lambda figure, stack, **said: stack["keep"].release(**said),
    "play": _play,
    "stop": lambda figure, stack, **said: stack["animation"].stop(**said),
    "open": lambda figure, stack, hand: stack["grab"].open(hand),
    "close": _close,
    "relax": lambda figure, stack, hand: stack["grab"].relax(hand),
}


def _reach_end(layer: Layer) -> tuple[dict[str, Any], dict[str, Any]]:
    status = layer.status
    discrete = {hand: [one.stage, one.arrived] for hand, one in status.items()}
    return discrete, {hand: [one.missed, one.seconds_to_arrive] for hand, one in status.items()}


def _locomotion_end(layer: Layer) -> tuple[dict[str, Any], dict[str, Any]]:
    status = layer.status
    numbers = {
        "velocity": [status.speed, status.turn_rate, status.side_speed],
        "place": layer.place,
        "weights": layer.weights,
    }
    return {"says": status.says, "clamped": len(status.clamped)}, numbers


def _gait_end(layer: Layer) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"gait": layer.status.gait}, {"heading": layer.heading, "weights": layer.weights}


def _gaze_end(layer: Layer) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"says": layer.status.says}, {"missed": layer.status.missed}


def _keep_end(layer: Layer) -> tuple[dict[str, Any], dict[str, Any]]:
    return {}, {"missed": dict(layer.status.missed)}


ENDS = {
    "reach": _reach_end,
    "locomotion": _locomotion_end,
    "gait": _gait_end,
    "gaze": _gaze_end,
    "keep": _keep_end,
}


def grasp(request: Request) -> Outcome:
    """A hand round a `thing`: which segments touch, and how far each closes."""
    from footfall.ik.hand import hand_of
    from footfall.ik.hand_pose import poses_of

    skeleton = ff.humanoid(**request.get("figure", {}))
    thing = request["thing"]
    poses = poses_of(hand_of(skeleton, request["side"]))
    position = None if "wrist" not in thing else np.array(thing["wrist"])
    taken = ff.grasp(poses, parts.placed(thing), orientation=np.array(thing["hand"]), position=position)
    return Outcome(
        discrete={"holds": taken.holds, "fingers": taken.fingers, "touches": taken.touches},
        numbers={
            "shares": taken.shares,
            "gaps": taken.gaps,
            "palm": [taken.palm_gap, taken.opposition],
            "position": taken.placement.position,
            "orientation": taken.placement.orientation,
        },
        sentences=[taken.why] if taken.why else [],
    )


def full_body(request: Request) -> Outcome:
    """Goals of a body that stands, level by level: joint places of the pose that is found."""
    stands = sources.clip(request["clip"])
    skeleton, frame = stands.skeleton, request.get("frame", 0)
    pose = ff.Pose(stands.root[frame], stands.rotations[frame])
    goals = []
    for said in request["goals"]:
        wishes, joint = dict(said), skeleton.joint(said["role"])
        wishes.pop("role")
        if wishes.pop("stay", False):
            wishes |= {
                "position": stands.positions[frame, joint],
                "orientation": stands.orientations[frame, joint],
            }
        arrays = {n: np.array(v, dtype=float) for n, v in wishes.items() if n != "level"}
        goals.append(ff.Goal(joint, level=wishes.get("level", 0), **arrays))
    solved = ff.FullBodyIK(skeleton).solve(pose, goals, **request.get("options", {}))
    there = ff.Motion(skeleton, solved.pose.root[None], solved.pose.rotations[None], 60.0)
    return Outcome(
        discrete={"rounds": solved.rounds},
        numbers={
            "missed": solved.missed,
            "places": {role: there.positions[0, joint] for role, joint in skeleton.roles.items()},
        },
    )


# planning


def path(request: Request) -> Outcome:
    """A path in a scene, and again when things have moved."""
    scene = sources.scene(request["scene"])
    if "moved" not in request:
        found = ff.plan_path(scene, request["start"], request["goal"], **request.get("options", {}))
        return _told_path(found)
    world = ff.WalkMap.of_scene(scene, around=[np.array(request["start"]), np.array(request["goal"])])
    planner = ff.Replanner(world, request["start"], request["goal"], **request.get("options", {}))
    fresh, paths, problems = [], [planner.path.points], []
    for event in request["moved"]:
        here = planner.path.point(event["gone"])
        obstacles = sources.scene({"obstacles": event["obstacles"]}).obstacles
        fresh.append(planner.update(here, obstacles))
        paths.append(planner.path.points)
        problems += [planner.problem] if planner.problem else []
    return Outcome(
        discrete={"fresh": fresh, "counts": [len(points) for points in paths]},
        numbers={"paths": paths},
        sentences=problems,
    )


def _told_path(found: ff.Path) -> Outcome:
    along = np.linspace(0.0, found.length, 21)
    return Outcome(
        discrete={"points": len(found)},
        numbers={
            "length": found.length,
            "places": found.point(along),
            "headings": found.heading(along),
        },
    )


def footsteps(request: Request) -> Outcome:
    """Footsteps to every place that a scene's tasks lead to, walked."""
    scene, options = sources.scene(request["scene"]), {}
    if "body" in request:
        options["body"] = ff.BodySize(**request["body"])
    if "limits" in request:
        options["limits"] = ff.WalkLimits(**request["limits"])
    planned = ff.plan_scene(scene, sources.model(request["model"]), **options)
    outcome = synthesized(planned.walk.motion, request)
    discrete, numbers = plan_facts(planned.walk.plan)
    outcome.discrete |= {"planned": discrete, "legs": [len(leg.plan) for leg in planned.legs]}
    outcome.numbers |= {"planned": numbers, "room": planned.walk.room.least}
    return outcome


def avoidance(request: Request) -> Outcome:
    """Discs that walk to their goals and keep out of each other's way."""
    from footfall.planning.avoidance import MovingObstacles

    if "circle" in request:
        angles = 2.0 * np.pi / request["circle"] * np.arange(request["circle"])
        places = request["radius"] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        goals = -places
    else:
        places, goals = np.array(request["places"]), np.array(request["goals"])
    count, speed, dt = len(places), request.get("speed", 1.4), request.get("dt", 1.0 / 60.0)
    options = dict(request.get("options", {}))
    if "walls" in options:
        options["walls"] = np.array(options["walls"])
    crowd = ff.Avoidance(np.full(count, request.get("width", 0.3)), np.full(count, speed), **options)
    moving = None
    velocities, kept, nearest = np.zeros_like(places), [places], np.inf
    for k in range(round(request["seconds"] / dt)):
        if "moving" in request:
            start, velocity, radius = (np.array(value) for value in request["moving"])
            moving = MovingObstacles(start + k * dt * velocity, velocity, radius)
        ahead = goals - places
        wished = speed * ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1.0)
        velocities = crowd.velocities(places, velocities, wished, dt, moving)
        places = places + dt * velocities
        apart = np.linalg.norm(places[:, None] - places[None], axis=-1) + 1e3 * np.eye(count)
        nearest = min(nearest, float(apart.min()))
        if (k + 1) % max(round(request["seconds"] / dt / 10), 1) == 0:
            kept.append(places)
    return Outcome(numbers={"places": kept, "nearest": nearest})


# scenes and performances


def scene(request: Request) -> Outcome:
    """A scene's tasks acted one after another."""
    steps_, reach_ = (
        sources.model(name) for name in request.get("models", ("default steps", "default reach"))
    )
    made = ff.act(sources.scene(request["scene"]), steps_, reach_, **request.get("options", {}))
    outcome = synthesized(made, request)
    outcome.discrete["tasks"] = [[task.task, task.done] for task in made.tasks]
    outcome.numbers["tasks"] = [[task.seconds, task.error] for task in made.tasks]
    outcome.sentences += [task.says for task in made.tasks if task.says]
    instants = np.round(np.linspace(0, len(made) - 1, 10)).astype(int)
    outcome.numbers["objects"] = {track.name: track.positions[instants] for track in made.objects}
    return outcome


def actor(request: Request) -> Outcome:
    """A performance of the virtual actor."""
    example = sources.performed(request["perform"])
    return Outcome(
        example.motion,
        discrete={"kind": example.kind},
        numbers={"keytimes": example.keytimes, "parameters": dict(example.parameters)},
    )


# analysis and changes of a motion


def analysis(request: Request) -> Outcome:
    """Contacts, plants, steps and the foot plan of a clip: no frame of it is kept."""
    clip = sources.clip(request["clip"])
    contacts = ff.detect_contacts(clip)
    plants = ff.detect_plants(clip, contacts)
    found = ff.detect_steps(clip, plants)
    told, numbers = plan_facts(ff.extract_plan(clip) if request.get("plan", True) else None)
    return Outcome(
        discrete={
            "contacts": contact_runs(contacts),
            "plants": [[p.foot, p.start, p.end, p.heel_strike, p.foot_flat, p.heel_off] for p in plants],
            "steps": [[step.foot, step.kind, *step.keytimes] for step in found],
            "plan": told,
        },
        numbers={
            "lengths": [step.length for step in found],
            "high": [step.high for step in found],
            "general": [step.general for step in found],
            "velocities": [step.velocity for step in found],
            "clearances": [step.clearance for step in found],
            "plan": numbers,
        },
    )


def changed(request: Request) -> Outcome:
    """A clip changed by steps such as "clean contacts"; frames are kept of the actor's clips only."""
    motion = sources.clip(request["clip"])
    for said in request["changes"]:
        wishes = dict(said)
        motion = CHANGES[wishes.pop("change")](motion, **wishes)
    discrete, numbers, ratios = certificate_facts(
        ff.certificate(motion, reference=sources.clip(request["clip"]))
    )
    captured = "capture" in request["clip"]
    if captured:
        discrete["frames"], numbers["seconds"] = len(motion), motion.seconds
        if motion.contacts is not None:
            discrete["contacts"] = contact_runs(motion.contacts)
        numbers["step lengths"] = [
            step.length
            for step in ff.detect_steps(motion, ff.detect_plants(motion, ff.detect_contacts(motion)))
        ]
    return Outcome(None if captured else motion, discrete=discrete, numbers=numbers, ratios=ratios)


def _calibrated(motion: ff.Motion) -> ff.Motion:
    skeleton = ff.calibrate_feet(motion.skeleton, [motion])
    return ff.Motion(skeleton, motion.root, motion.rotations, motion.fps, motion.translations)


CHANGES: Mapping[str, Callable[..., ff.Motion]] = {
    "calibrate feet": _calibrated,
    "clean contacts": ff.clean_contacts,
    "level floor": ff.level_floor,
    "retarget": lambda motion, height, **said: ff.retarget(motion, ff.humanoid(height=height), **said),
    "disguise": lambda motion, **said: ff.disguised(motion, **said),
    "mirror": ff.mirror,
    "normalize": ff.normalize,
    "resample": lambda motion, fps: ff.resample(motion, fps),
}


def certified(request: Request) -> Outcome:
    """The certificate of a clip against a ground."""
    clip = sources.clip(request["clip"])
    told = ff.certificate(clip, terrain=sources.ground(request.get("terrain")), reference=clip)
    discrete, numbers, ratios = certificate_facts(told)
    return Outcome(discrete=discrete, numbers=numbers, ratios=ratios)


def terrain(request: Request) -> Outcome:
    """Generated ground: its own walk, and heights, normals, rays and spheres over a square grid."""
    ground = sources.ground(request["terrain"])
    x, z = np.meshgrid(np.linspace(*request["x"]), np.linspace(*request["z"]), indexing="ij")
    heights, points = ground.height(x, z), np.stack([x, np.full_like(x, 0.3), z], axis=-1).reshape(-1, 3)
    ahead = ground.project(points + np.array([0.0, 1.5, 0.0]), np.array([0.1, -1.0, 0.6]))
    discrete: dict[str, Any] = {
        "there": runs(np.isfinite(heights).ravel()),
        "labels": sorted(set(ground.label(x, z).ravel().tolist())),
        "touching": runs(ground.touching(points, 0.31)),
    }
    numbers = {"heights": heights, "normals": ground.normal(x, z), "rays": ahead.distance}
    if isinstance(request["terrain"], str) or "kind" in request["terrain"]:
        told, more = plan_facts(sources.crossing(request["terrain"]))
        discrete |= told
        numbers |= more
    return Outcome(discrete=discrete, numbers=numbers)


SYSTEMS: Mapping[str, Callable[[Request], Outcome]] = {
    "walk edit": walk_edit,
    "movements": movements,
    "steps": steps,
    "ring": ring,
    "gait": gait,
    "crowd": crowd,
    "path walk": path_walk,
    "locomotion": locomotion,
    "reach": reach,
    "layers": layers,
    "grasp": grasp,
    "full body": full_body,
    "path": path,
    "footsteps": footsteps,
    "avoidance": avoidance,
    "scene": scene,
    "actor": actor,
    "analysis": analysis,
    "changed": changed,
    "certificate": certified,
    "terrain": terrain,
} | parts.PARTS
