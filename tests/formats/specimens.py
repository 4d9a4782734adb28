"""Small sound files of every format that footfall reads, made here: what the fuzz tests then damage.

A specimen is the files of one clip, the clip's own first; a skeleton or buffer it needs lies beside it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import msgspec
import numpy as np

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.amass import write_amass
from footfall.formats.bvh_write import write_bvh
from footfall.formats.deepmimic import HUMANOID
from footfall.formats.ffm import write_ffm
from footfall.formats.gltf_container import pack_glb
from footfall.formats.gltf_write import write_glb
from footfall.geometry import quaternion as quat
from tests.formats.foreign_gltf import gltf, gltf_binary
from tests.formats.person import FRAMES, PERSON, children, root_path, swing

Specimen = dict[str, bytes]  # file name to content, the clip first


@cache
def specimens() -> dict[str, list[Specimen]]:
    """By the name that `recognise` gives the format."""
    sk, asf = _sk(), _asf()
    beside, binary = gltf(buffer="person.bin"), gltf_binary()
    return {
        "bvh": [{"made.bvh": write_bvh(_made())}, {"awkward.bvh": AWKWARD_BVH}, {"person.bvh": _bvh()}],
        "gltf": [
            {"made.glb": write_glb(_stick())},
            {"person.glb": pack_glb(msgspec.json.decode(gltf(buffer=None)), binary)},
            {"person.gltf": gltf(buffer="data:application/octet-stream;base64,")},
            {"beside.gltf": beside, "person.bin": binary},
        ],
        "amass": [{"made.amass.npz": write_amass(_made())}, {"foreign.npz": _foreign_npz()}],
        "deepmimic": [{"clip.txt": _deepmimic()}],
        "ffm": [{"made.ffm": write_ffm(_standing())}, {"stick.ffm": write_ffm(_stick())}],
        "sk": [{"person.sk": sk}],
        "skm": [{"clip.skm": _skm(), "person.sk": sk}],
        "asf": [{"person.asf": asf}],
        "amc": [{"clip.amc": _amc(), "person.asf": asf}],
    }


def _made() -> Motion:
    return range_of_motion(humanoid(), fps=0.5)


def _standing() -> Motion:
    """With all that only our own files keep: contacts and soles."""
    made = _made()
    skeleton = made.skeleton.with_feet(left=made.skeleton.foot_points("left"))
    stands = np.ones((len(made), 2), dtype=bool)
    return replace(made, skeleton=skeleton, contacts=Contacts(stands, stands))


def _stick() -> Motion:
    """No person: three joints, one of which has translations of its own; the mesh stays small."""
    skeleton = Skeleton.build(
        ["base", "arm", "tip"],
        [-1, 0, 1],
        np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]),
        end_parents=[2],
        end_offsets=[[0.1, 0.0, 0.0]],
    )
    moved = np.tile(skeleton.offsets, (FRAMES, 1, 1))
    moved[:, 2, 0] += 0.1 * np.arange(FRAMES)
    return Motion(skeleton, np.zeros((FRAMES, 3)), swing(3), 30.0, moved)


def _numbers(values: np.ndarray | tuple[float, ...]) -> str:
    return " ".join(f"{v:.6f}" for v in values)


AWKWARD_BVH = b"""HIERARCHY\r
ROOT mixamorig:Hips {\r
\tOFFSET 0 +90. 0 CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition\r
\tJOINT upper body\r
\t{\r
\t\tOFFSET 0 .5 1e1\r
\t\tCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation Zrotation\r
\t\tJOINT still { OFFSET 1 2 3 }\r
\t\tJOINT hinge { OFFSET 0 20 0 CHANNELS 1 Xrotation }\r
\t\tEnd Site\r
\t\t{ OFFSET 0 5 0 }\r
\t}\r
}\r
MOTION\r
Frames: 3\r
Frame Time: .0333333\r
1 2 3 4 5 6 7 8 9 10 11 12 13\r
1. .5 -2e1 +4 5 6 7 8 9 10 11 12 13\r
0 0 0 0 90 0 0 0.5 10 0 0 0 0\r
"""


def _bvh() -> bytes:
    lines = ["HIERARCHY", *_bvh_joint("Hips", 0), "MOTION", f"Frames: {FRAMES}", "Frame Time: 0.0333333"]
    for place, turn in zip(root_path(), swing(len(PERSON)), strict=True):
        angles = np.rad2deg(quat.to_euler(turn, "ZXY")).reshape(-1)
        lines.append(f"{_numbers(100 * place)} {_numbers(angles)}")
    return "\n".join(lines).encode()


def _bvh_joint(name: str, depth: int) -> Iterator[str]:
    pad = "  " * depth
    places = "" if depth else " Xposition Yposition Zposition"
    yield f"{pad}{'JOINT' if depth else 'ROOT'} {name}"
    yield pad + "{"
    yield f"{pad}  OFFSET {_numbers(tuple(100 * v for v in PERSON[name][1]))}"
    yield f"{pad}  CHANNELS {3 if depth else 6}{places} Zrotation Xrotation Yrotation"
    for child in children(name):
        yield from _bvh_joint(child, depth + 1)
    if not children(name):
        yield f"{pad}  End Site {{ OFFSET 0 -7 12 }}"
    yield pad + "}"


def _sk() -> bytes:
    head = ["# SK Skeleton Definition", "# Units: m", "set_name person", "skeleton"]
    return "\n".join([*head, *_sk_joint("Hips", 0)]).encode()


def _sk_joint(name: str, depth: int) -> Iterator[str]:
    pad = "  " * depth
    yield f"{pad}{'joint' if depth else 'root'} {name}"
    yield f"{pad}{{ offset {_numbers(PERSON[name][1])}"
    yield f"{pad}  prerot axis 1.0 0.0 0.0 ang {5.0 * depth}"
    yield from (f"{pad}  channel {axis}Pos 0 free" for axis in ("XYZ" if not depth else ""))
    yield f"{pad}  channel Quat"
    for child in children(name):
        yield from _sk_joint(child, depth + 1)
    yield pad + "}"


def _skm() -> bytes:
    channels = ["Hips XPos", "Hips YPos", "Hips ZPos", *(f"{name} Quat" for name in PERSON)]
    lines = ["# SKM Motion Definition", "# Units: m", "SkMotion", 'name "clip"', f"channels {len(channels)}"]
    lines += [*channels, f"frames {FRAMES}"]
    for i, (place, turn) in enumerate(zip(root_path(), swing(len(PERSON)), strict=True)):
        lines.append(f"kt {i / 30:.6f} fr {_numbers(place)} {_numbers(quat.log(turn).reshape(-1))}")
    return "\n".join([*lines, "", "ready time: 0.05", "stroke time: 0.1"]).encode()


def _asf() -> bytes:
    """A bone of this format ends where its children begin: each joint's bone leads to its first child."""
    lines = [":version 1.10", ":name person", ":units", "  length 0.45", "  angle deg"]
    lines += [":root", "  order TX TY TZ RX RY RZ", "  axis XYZ", "  position 0 0 0", "  orientation 0 0 0"]
    lines.append(":bonedata")
    for i, (name, (_, offset)) in enumerate(list(PERSON.items())[1:], start=1):
        length = 17.7 * float(np.linalg.norm(offset))
        direction = _numbers(np.array(offset) / np.linalg.norm(offset))
        lines += ["  begin", f"    id {i}", f"    name {name}", f"    direction {direction}"]
        lines += [
            f"    length {length:.5f}",
            "    axis 0 0 20 XYZ",
            "    dof rx ry",
            "    limits (-160.0 20.0)",
        ]
        lines += ["           (-70.0 70.0)", "  end"]
    lines += [":hierarchy", "  begin"]
    lines += [f"    {_acclaim(n)} {' '.join(children(n))}" for n in PERSON if children(n)]
    return "\n".join([*lines, "  end"]).encode()


def _acclaim(name: str) -> str:
    return "root" if name == "Hips" else name


def _amc() -> bytes:
    lines = ["# frames", ":FULLY-SPECIFIED", ":DEGREES"]
    for i, (place, turn) in enumerate(zip(root_path(), swing(len(PERSON)), strict=True), start=1):
        angles = np.rad2deg(quat.to_euler(turn, "XYZ"))
        lines += [str(i), f"root {_numbers(17.7 * place)} {_numbers(angles[0])}"]
        lines += [f"{name} {_numbers(angles[j, :2])}" for j, name in enumerate(PERSON) if j]
    return "\n".join(lines).encode()


def _deepmimic() -> bytes:
    rows = []
    for place in root_path():
        row = [0.0333, *place.tolist()]
        for _, _, width in HUMANOID.values():
            row += {4: [0.995, 0.1, 0.0, 0.0], 1: [0.3], 0: []}[width]
        rows.append(row)
    return msgspec.json.format(msgspec.json.encode({"Loop": "wrap", "Frames": rows}), indent=1)


def _foreign_npz() -> bytes:
    """As others write it: compressed, single precision, words and numbers that are no motion."""
    archive = io.BytesIO()
    poses = 0.1 * np.random.default_rng(0).normal(size=(FRAMES, 72)).astype(np.float32)
    np.savez_compressed(
        archive,
        poses=poses,
        trans=root_path().astype(np.float32)[:, [0, 2, 1]],
        mocap_framerate=np.array(30),
        gender=np.array("female"),
        betas=np.zeros(16),
    )
    return archive.getvalue()
