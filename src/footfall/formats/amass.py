"""AMASS-style archives (.npz), in and out: `poses` as rotation vectors of SMPL joints, `trans`, a frame rate.

Only the skeleton is read. The body model's own joint offsets depend on its shape (`betas`) and are not
stored in such files, so the figure has our own proportions (`amass_skeleton`) unless the archive holds
`footfall_offsets`, which footfall writes: then limb lengths are kept. Z is up in the world, Y in the body.
"""

from __future__ import annotations

import io
from typing import BinaryIO

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError, SaveError
from footfall.figure.motion import Motion
from footfall.formats.amass_fit import Fit
from footfall.formats.amass_skeleton import BODY, BY_WIDTH, PELVIS, SMPL_H, WITHOUT_HANDS, Body
from footfall.formats.assemble import LARGEST
from footfall.formats.axes import Z_TO_Y
from footfall.formats.npz import read_npz
from footfall.formats.take import Take, check_size
from footfall.geometry import quaternion as quat

RATE_KEYS = ("mocap_framerate", "mocap_frame_rate", "fps")
OFFSETS_KEY = "footfall_offsets"
LARGEST_TURN = 1e4  # rad; beyond this a number is no angle
SHAPE_NUMBERS = 16  # betas
BLOCK = 2048  # frames that are turned at once


def read_amass(content: bytes) -> Take:
    arrays = read_npz(content, ("poses", "trans", OFFSETS_KEY, *RATE_KEYS))
    poses, trans = _motion_arrays(arrays)
    notes: list[str] = []
    body = _body_of(poses.shape[1], notes)
    check_size(len(poses), len(body), len(content))
    offsets, scale = _offsets(arrays, body, notes)
    end_parents, end_offsets = body.tips(scale)
    # the stored pelvis offset belongs to `trans`, not to the skeleton
    root = trans + offsets[0]
    bones = offsets.copy()
    bones[0] = 0.0
    return Take(
        names=list(body.names),
        parents=list(body.parents),
        offsets=bones,
        root=root,
        rotations=quat.exp(poses[:, : 3 * len(body)].reshape(len(poses), len(body), 3)),
        fps=_rate(arrays),
        end_parents=end_parents,
        end_offsets=end_offsets,
        unit=1.0,
        up="z",
        notes=tuple(notes),
    )


def _motion_arrays(
    arrays: dict[str, Float[np.ndarray, "*shape"]],
) -> tuple[Float[np.ndarray, "frames turns"], Float[np.ndarray, "frames 3"]]:
    missing = [key for key in ("poses", "trans") if key not in arrays]
    if missing:
        raise LoadError(f"expected the arrays 'poses' and 'trans', found no {missing[0]!r}")
    poses, trans = arrays["poses"], arrays["trans"]
    if poses.ndim == 3 and poses.shape[2] == 3:  # frames x joints x 3
        poses = poses.reshape(len(poses), 3 * poses.shape[1])
    if poses.ndim != 2:
        raise LoadError(f"expected 'poses' as frames x numbers, found the shape {poses.shape}")
    if trans.shape != (len(poses), 3):
        raise LoadError(f"expected 'trans' as {len(poses)} x 3 like 'poses', found the shape {trans.shape}")
    if not (np.abs(poses) < LARGEST_TURN).all():
        raise LoadError("expected rotation vectors in radians in 'poses'")
    return poses, trans


def _body_of(width: int, notes: list[str]) -> Body:
    """The member of the family with so many numbers a frame; of an unknown one, the body without hands."""
    if width in BY_WIDTH:
        return BY_WIDTH[width]
    if width < 3 * len(BODY):
        known = ", ".join(str(n) for n in BY_WIDTH)
        raise LoadError(f"expected {known} numbers a frame in 'poses', found {width}")
    notes.append(f"of {width} numbers a frame, the {3 * len(BODY)} of the body without hands were read")
    return WITHOUT_HANDS


def _offsets(
    arrays: dict[str, Float[np.ndarray, "*shape"]], body: Body, notes: list[str]
) -> tuple[Float[np.ndarray, "joints 3"], float]:
    """Joint offsets, and how large the figure is against ours."""
    stored = arrays.get(OFFSETS_KEY)
    if stored is None:
        notes.append("such a file states no limb lengths: those of a figure of 1.7 m were taken")
        return body.offsets, 1.0
    if stored.shape != body.offsets.shape:
        raise LoadError(f"expected {OFFSETS_KEY!r} as {len(body)} x 3, found the shape {stored.shape}")
    if not (np.abs(stored) < LARGEST).all():
        raise LoadError(f"expected lengths under {LARGEST:g} in {OFFSETS_KEY!r}")
    return stored, body.leg_length(stored) / body.leg_length(body.offsets)


def _rate(arrays: dict[str, Float[np.ndarray, "*shape"]]) -> float | None:
    key = next((k for k in RATE_KEYS if k in arrays), None)
    if key is None:
        return None
    if arrays[key].size != 1 or not 0 < (rate := float(arrays[key].reshape(-1)[0])) < 1e6:
        raise LoadError(f"expected one positive number of frames a second in {key!r}")
    return rate


def write_amass(motion: Motion) -> bytes:
    """The content of the file that `put_amass` writes."""
    archive = io.BytesIO()
    put_amass(motion, archive)
    return archive.getvalue()


def put_amass(motion: Motion, file: BinaryIO) -> None:
    """An archive of SMPL-H poses (156 numbers a frame) of any figure with hips and legs.

    Limb directions are kept exactly; joints that the figure lacks are not turned. `footfall_offsets` holds
    the figure's own bones. Raises SkeletonError where a needed role is missing.
    """
    if motion.root.ndim != 2:
        raise SaveError("one motion is written to an archive, not a batch")
    to_z, pelvis = quat.conjugate(Z_TO_Y), np.array(PELVIS)
    poses, trans = np.empty((len(motion), 3 * len(SMPL_H))), np.empty((len(motion), 3))
    fit = Fit(motion.skeleton)
    for start in range(0, len(motion), BLOCK):
        frames = slice(start, start + BLOCK)
        block = motion[frames]
        rotations = fit.rotations(block)
        rotations[:, 0] = quat.multiply(to_z, rotations[:, 0])
        poses[frames] = quat.log(rotations).reshape(-1, 3 * len(SMPL_H))
        trans[frames] = quat.rotate(to_z, block.of("hips")) - pelvis
    np.savez(
        file,
        poses=poses,
        trans=trans,
        mocap_framerate=np.array(motion.fps),
        gender=np.array("neutral"),
        betas=np.zeros(SHAPE_NUMBERS),
        footfall_offsets=np.concatenate([pelvis[None], fit.offsets()[1:]]),
    )
