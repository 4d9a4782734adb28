"""Footfall: captured clips in, a character that walks where you say out.

>>> import footfall as ff
>>> clip = ff.load_motion("walk.bvh")        # unit, axes, rotation orders, T-pose frame: handled
>>> ff.save_motion(clip, "walk.glb")         # a person in every viewer
"""

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
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import Step, detect_steps
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
from footfall.formats.load import load_capture, load_motion, load_motions, load_skeleton
from footfall.formats.save import save_motion
from footfall.version import __version__
from footfall.world.foot_plan import FootPlacement, FootPlan

__all__ = [
    "Capture",
    "Certificate",
    "Contacts",
    "Example",
    "Faults",
    "FootPlacement",
    "FootPlan",
    "FootPoints",
    "FootfallError",
    "LoadError",
    "MissingExtra",
    "Motion",
    "Plant",
    "Pose",
    "RequestError",
    "SaveError",
    "Skeleton",
    "SkeletonError",
    "Step",
    "Style",
    "VirtualActor",
    "__version__",
    "calibrate_feet",
    "certificate",
    "clean_contacts",
    "concatenate",
    "detect_contacts",
    "detect_plants",
    "detect_steps",
    "disguised",
    "humanoid",
    "level_floor",
    "load_capture",
    "load_motion",
    "load_motions",
    "load_skeleton",
    "mirror",
    "normalize",
    "range_of_motion",
    "resample",
    "retarget",
    "save_motion",
    "with_faults",
]
