"""Footfall: captured clips in, a character that walks where you say out.

>>> import footfall as ff
>>> clip = ff.load_motion("walk.bvh")        # unit, axes, rotation orders, T-pose frame: handled
>>> ff.save_motion(clip, "walk.glb")         # a person in every viewer
"""

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.errors import (
    FootfallError,
    LoadError,
    MissingExtra,
    RequestError,
    SaveError,
    SkeletonError,
)
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

__all__ = [
    "Capture",
    "FootPoints",
    "FootfallError",
    "LoadError",
    "MissingExtra",
    "Motion",
    "Pose",
    "RequestError",
    "SaveError",
    "Skeleton",
    "SkeletonError",
    "__version__",
    "concatenate",
    "humanoid",
    "load_capture",
    "load_motion",
    "load_motions",
    "load_skeleton",
    "mirror",
    "range_of_motion",
    "resample",
    "save_motion",
]
