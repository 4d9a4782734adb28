"""Footfall: captured clips in, a character that walks where you say out.

>>> import footfall as ff
>>> clip = ff.load_motion("walk.bvh")        # unit, axes, rotation orders, T-pose frame: handled
>>> ff.save_motion(clip, "walk.glb")         # a person in every viewer

Names are loaded when they are first used: `import footfall` costs a few milliseconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from footfall.version import __version__

if TYPE_CHECKING:
    from footfall.acting.act import act
    from footfall.acting.report import ActedScene, TaskReport
    from footfall.actor.capture.disguise import disguised
    from footfall.actor.capture.faults import Faults, with_faults
    from footfall.actor.humanoid import humanoid
    from footfall.actor.range_of_motion import range_of_motion
    from footfall.actor.style import Style
    from footfall.actor.virtual_actor import VirtualActor
    from footfall.adapt.calibrate_feet import calibrate_feet
    from footfall.adapt.clean_contacts import clean_contacts
    from footfall.adapt.level_floor import level_floor
    from footfall.adapt.normalize import normalize
    from footfall.adapt.retarget import retarget
    from footfall.analysis.certificate import Certificate, certificate
    from footfall.analysis.contacts import detect_contacts
    from footfall.analysis.extract_plan import extract_plan
    from footfall.analysis.plants import Plant, detect_plants
    from footfall.analysis.steps import Step, detect_steps
    from footfall.batch.crowd import Crowd
    from footfall.character import Character
    from footfall.control.animation import AnimationController
    from footfall.control.constraint import ConstraintController
    from footfall.control.gait import GaitController
    from footfall.control.gaze import GazeController
    from footfall.control.grab import GrabController
    from footfall.control.hand_keeping import HandKeeping
    from footfall.control.hand_path import HandPaths
    from footfall.control.idle import IdleController
    from footfall.control.locomotion import LocomotionController
    from footfall.control.path_steering import PathController
    from footfall.control.path_walk import follow_path
    from footfall.control.reach import ReachController
    from footfall.control.walked import WalkedGait, walk
    from footfall.control.world_offset import WorldOffset
    from footfall.errors import (
        FootfallError,
        LoadError,
        MissingExtra,
        RequestError,
        SaveError,
        SkeletonError,
    )
    from footfall.figure.contacts import Contacts
    from footfall.figure.example import Example
    from footfall.figure.feet import FootPoints
    from footfall.figure.mirror import mirror
    from footfall.figure.motion import Motion, concatenate
    from footfall.figure.pose import Pose
    from footfall.figure.resample import resample
    from footfall.figure.skeleton import Skeleton
    from footfall.formats.assemble import Capture
    from footfall.formats.commands_file import Command, load_commands
    from footfall.formats.load import load_capture, load_motion, load_motions, load_skeleton
    from footfall.formats.save import save_motion
    from footfall.formats.scene_file import load_scene, save_scene
    from footfall.formats.terrain_file import load_terrain, save_terrain
    from footfall.formats.terrain_source import open_terrain
    from footfall.ik.full_body import FullBodyIK, Goal
    from footfall.ik.grasp import Grasp, grasp
    from footfall.models.gait_limits import GaitLimits
    from footfall.models.load import load_model
    from footfall.models.locomotion.build import build_locomotion
    from footfall.models.locomotion.model import Locomotion
    from footfall.models.movements.build import build_movements
    from footfall.models.movements.model import MovementLibrary, PlayedMovements
    from footfall.models.reach.build import build_reach
    from footfall.models.reach.model import ReachLibrary
    from footfall.models.ring.build import build_ring
    from footfall.models.ring.gaits import build_gaits
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.model import MotionRing
    from footfall.models.stepspace.build import build_step_space
    from footfall.models.stepspace.model import FollowedPlan, StepSpace
    from footfall.models.walkedit.model import EditedWalk, WalkEdit
    from footfall.models.walkedit.varying import OverTime
    from footfall.planning.avoidance import Avoidance
    from footfall.planning.footsteps.planned_walk import NoStepsError, PlannedWalk
    from footfall.planning.footsteps.planner import FootPlanner
    from footfall.planning.footsteps.scene_plan import PlannedScene, plan_scene
    from footfall.planning.footsteps.walker_body import BodySize
    from footfall.planning.limits import WalkLimits
    from footfall.planning.path import Path
    from footfall.planning.replanning import Replanner
    from footfall.planning.route import NoPathError, plan_path
    from footfall.planning.steering import Steering
    from footfall.planning.walk_map import WalkMap
    from footfall.world.foot_plan import FootPlacement, FootPlan
    from footfall.world.generators.generate import generate as generate_terrain
    from footfall.world.generators.limits import StepLimits
    from footfall.world.height_field import HeightField
    from footfall.world.mesh import MeshTerrain
    from footfall.world.obstacle import Course, Obstacle
    from footfall.world.plane import FlatTerrain, InclinedTerrain
    from footfall.world.scene import Scene, SceneObject, Start, Task
    from footfall.world.shapes.box import Box
    from footfall.world.shapes.capsule import Capsule
    from footfall.world.shapes.cylinder import Cylinder
    from footfall.world.shapes.distance import distance, nearest_points, overlap
    from footfall.world.shapes.ground import distance_to_terrain, overlaps_terrain
    from footfall.world.shapes.placed import Placed
    from footfall.world.shapes.polygon import Polygon
    from footfall.world.shapes.sphere import Sphere
    from footfall.world.sliced_touch import SlicedTouch
    from footfall.world.stairs import SpiralStairs, StraightStairs
    from footfall.world.terrain import Terrain

# a public name: its module, and its name there where that is another
_HOMES = {
    "ActedScene": "footfall.acting.report",
    "AnimationController": "footfall.control.animation",
    "Avoidance": "footfall.planning.avoidance",
    "BodySize": "footfall.planning.footsteps.walker_body",
    "Box": "footfall.world.shapes.box",
    "Capsule": "footfall.world.shapes.capsule",
    "Capture": "footfall.formats.assemble",
    "Certificate": "footfall.analysis.certificate",
    "Character": "footfall.character",
    "Command": "footfall.formats.commands_file",
    "ConstraintController": "footfall.control.constraint",
    "Contacts": "footfall.figure.contacts",
    "Course": "footfall.world.obstacle",
    "Crowd": "footfall.batch.crowd",
    "Cylinder": "footfall.world.shapes.cylinder",
    "EditedWalk": "footfall.models.walkedit.model",
    "Example": "footfall.figure.example",
    "Faults": "footfall.actor.capture.faults",
    "FlatTerrain": "footfall.world.plane",
    "FollowedPlan": "footfall.models.stepspace.model",
    "FootPlacement": "footfall.world.foot_plan",
    "FootPlan": "footfall.world.foot_plan",
    "FootPlanner": "footfall.planning.footsteps.planner",
    "FootPoints": "footfall.figure.feet",
    "FootfallError": "footfall.errors",
    "FullBodyIK": "footfall.ik.full_body",
    "GaitController": "footfall.control.gait",
    "GaitLimits": "footfall.models.gait_limits",
    "GazeController": "footfall.control.gaze",
    "Goal": "footfall.ik.full_body",
    "GrabController": "footfall.control.grab",
    "Grasp": "footfall.ik.grasp",
    "HandKeeping": "footfall.control.hand_keeping",
    "HandPaths": "footfall.control.hand_path",
    "HeightField": "footfall.world.height_field",
    "IdleController": "footfall.control.idle",
    "InclinedTerrain": "footfall.world.plane",
    "LoadError": "footfall.errors",
    "Locomotion": "footfall.models.locomotion.model",
    "LocomotionController": "footfall.control.locomotion",
    "MeshTerrain": "footfall.world.mesh",
    "MissingExtra": "footfall.errors",
    "Motion": "footfall.figure.motion",
    "MotionRing": "footfall.models.ring.model",
    "MovementLibrary": "footfall.models.movements.model",
    "NoPathError": "footfall.planning.route",
    "NoStepsError": "footfall.planning.footsteps.planned_walk",
    "Obstacle": "footfall.world.obstacle",
    "OverTime": "footfall.models.walkedit.varying",
    "Path": "footfall.planning.path",
    "PathController": "footfall.control.path_steering",
    "Placed": "footfall.world.shapes.placed",
    "PlannedScene": "footfall.planning.footsteps.scene_plan",
    "PlannedWalk": "footfall.planning.footsteps.planned_walk",
    "Plant": "footfall.analysis.plants",
    "PlayedMovements": "footfall.models.movements.model",
    "Polygon": "footfall.world.shapes.polygon",
    "Pose": "footfall.figure.pose",
    "ReachController": "footfall.control.reach",
    "ReachLibrary": "footfall.models.reach.model",
    "Replanner": "footfall.planning.replanning",
    "RequestError": "footfall.errors",
    "RingGraph": "footfall.models.ring.graph",
    "SaveError": "footfall.errors",
    "Scene": "footfall.world.scene",
    "SceneObject": "footfall.world.scene",
    "Skeleton": "footfall.figure.skeleton",
    "SkeletonError": "footfall.errors",
    "SlicedTouch": "footfall.world.sliced_touch",
    "Sphere": "footfall.world.shapes.sphere",
    "SpiralStairs": "footfall.world.stairs",
    "Start": "footfall.world.scene",
    "Steering": "footfall.planning.steering",
    "Step": "footfall.analysis.steps",
    "StepLimits": "footfall.world.generators.limits",
    "StepSpace": "footfall.models.stepspace.model",
    "StraightStairs": "footfall.world.stairs",
    "Style": "footfall.actor.style",
    "Task": "footfall.world.scene",
    "TaskReport": "footfall.acting.report",
    "Terrain": "footfall.world.terrain",
    "VirtualActor": "footfall.actor.virtual_actor",
    "WalkEdit": "footfall.models.walkedit.model",
    "WalkLimits": "footfall.planning.limits",
    "WalkMap": "footfall.planning.walk_map",
    "WalkedGait": "footfall.control.walked",
    "WorldOffset": "footfall.control.world_offset",
    "act": "footfall.acting.act",
    "build_gaits": "footfall.models.ring.gaits",
    "build_locomotion": "footfall.models.locomotion.build",
    "build_movements": "footfall.models.movements.build",
    "build_reach": "footfall.models.reach.build",
    "build_ring": "footfall.models.ring.build",
    "build_step_space": "footfall.models.stepspace.build",
    "calibrate_feet": "footfall.adapt.calibrate_feet",
    "certificate": "footfall.analysis.certificate",
    "clean_contacts": "footfall.adapt.clean_contacts",
    "concatenate": "footfall.figure.motion",
    "detect_contacts": "footfall.analysis.contacts",
    "detect_plants": "footfall.analysis.plants",
    "detect_steps": "footfall.analysis.steps",
    "disguised": "footfall.actor.capture.disguise",
    "distance": "footfall.world.shapes.distance",
    "distance_to_terrain": "footfall.world.shapes.ground",
    "extract_plan": "footfall.analysis.extract_plan",
    "follow_path": "footfall.control.path_walk",
    "generate_terrain": "footfall.world.generators.generate:generate",
    "grasp": "footfall.ik.grasp",
    "humanoid": "footfall.actor.humanoid",
    "level_floor": "footfall.adapt.level_floor",
    "load_capture": "footfall.formats.load",
    "load_commands": "footfall.formats.commands_file",
    "load_model": "footfall.models.load",
    "load_motion": "footfall.formats.load",
    "load_motions": "footfall.formats.load",
    "load_scene": "footfall.formats.scene_file",
    "load_skeleton": "footfall.formats.load",
    "load_terrain": "footfall.formats.terrain_file",
    "mirror": "footfall.figure.mirror",
    "nearest_points": "footfall.world.shapes.distance",
    "normalize": "footfall.adapt.normalize",
    "open_terrain": "footfall.formats.terrain_source",
    "overlap": "footfall.world.shapes.distance",
    "overlaps_terrain": "footfall.world.shapes.ground",
    "plan_path": "footfall.planning.route",
    "plan_scene": "footfall.planning.footsteps.scene_plan",
    "range_of_motion": "footfall.actor.range_of_motion",
    "resample": "footfall.figure.resample",
    "retarget": "footfall.adapt.retarget",
    "save_motion": "footfall.formats.save",
    "save_scene": "footfall.formats.scene_file",
    "save_terrain": "footfall.formats.terrain_file",
    "walk": "footfall.control.walked",
    "with_faults": "footfall.actor.capture.faults",
}

__all__ = [
    "ActedScene",
    "AnimationController",
    "Avoidance",
    "BodySize",
    "Box",
    "Capsule",
    "Capture",
    "Certificate",
    "Character",
    "Command",
    "ConstraintController",
    "Contacts",
    "Course",
    "Crowd",
    "Cylinder",
    "EditedWalk",
    "Example",
    "Faults",
    "FlatTerrain",
    "FollowedPlan",
    "FootPlacement",
    "FootPlan",
    "FootPlanner",
    "FootPoints",
    "FootfallError",
    "FullBodyIK",
    "GaitController",
    "GaitLimits",
    "GazeController",
    "Goal",
    "GrabController",
    "Grasp",
    "HandKeeping",
    "HandPaths",
    "HeightField",
    "IdleController",
    "InclinedTerrain",
    "LoadError",
    "Locomotion",
    "LocomotionController",
    "MeshTerrain",
    "MissingExtra",
    "Motion",
    "MotionRing",
    "MovementLibrary",
    "NoPathError",
    "NoStepsError",
    "Obstacle",
    "OverTime",
    "Path",
    "PathController",
    "Placed",
    "PlannedScene",
    "PlannedWalk",
    "Plant",
    "PlayedMovements",
    "Polygon",
    "Pose",
    "ReachController",
    "ReachLibrary",
    "Replanner",
    "RequestError",
    "RingGraph",
    "SaveError",
    "Scene",
    "SceneObject",
    "Skeleton",
    "SkeletonError",
    "SlicedTouch",
    "Sphere",
    "SpiralStairs",
    "Start",
    "Steering",
    "Step",
    "StepLimits",
    "StepSpace",
    "StraightStairs",
    "Style",
    "Task",
    "TaskReport",
    "Terrain",
    "VirtualActor",
    "WalkEdit",
    "WalkLimits",
    "WalkMap",
    "WalkedGait",
    "WorldOffset",
    "__version__",
    "act",
    "build_gaits",
    "build_locomotion",
    "build_movements",
    "build_reach",
    "build_ring",
    "build_step_space",
    "calibrate_feet",
    "certificate",
    "clean_contacts",
    "concatenate",
    "detect_contacts",
    "detect_plants",
    "detect_steps",
    "disguised",
    "distance",
    "distance_to_terrain",
    "extract_plan",
    "follow_path",
    "generate_terrain",
    "grasp",
    "humanoid",
    "level_floor",
    "load_capture",
    "load_commands",
    "load_model",
    "load_motion",
    "load_motions",
    "load_scene",
    "load_skeleton",
    "load_terrain",
    "mirror",
    "nearest_points",
    "normalize",
    "open_terrain",
    "overlap",
    "overlaps_terrain",
    "plan_path",
    "plan_scene",
    "range_of_motion",
    "resample",
    "retarget",
    "save_motion",
    "save_scene",
    "save_terrain",
    "walk",
    "with_faults",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'footfall' has no attribute {name!r}")
    module, _, own = home.partition(":")
    value = getattr(import_module(module), own or name)
    globals()[name] = value  # found at once the next time
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
