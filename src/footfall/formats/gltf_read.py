"""glTF and GLB in: our own files and foreign rigged characters' animations.

Positions come out in metres and Y up, as glTF has them, with an exporter's armature folded in. What our own
files keep in extras (see `gltf_extras`) comes back as it was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.gltf_container import Animation, Document, Gltf, Skin, open_gltf
from footfall.formats.gltf_extras import Keeping, kept
from footfall.formats.gltf_nodes import NodeTree, Stage
from footfall.formats.gltf_sampling import Tracks, sample, timing_of, tracks_of
from footfall.formats.take import Saved, Take, check_size
from footfall.geometry import quaternion as quat


def read_gltf(content: bytes, fetch: Callable[[str], bytes]) -> Take:
    """`fetch` reads a buffer that lies in a file of its own beside the document."""
    gltf = open_gltf(content, fetch)
    skin = max(gltf.document.skins, key=lambda s: len(s.joints), default=None)
    keeping = kept(skin.extras, len(skin.joints)) if skin is not None else None
    take, joints = _read_take(gltf, skin, keeping.fps if keeping else None, len(content) + gltf.size)
    return take if skin is None or keeping is None else _as_kept(take, keeping, skin, joints)


def _read_take(gltf: Gltf, skin: Skin | None, rate: float | None, size: int) -> tuple[Take, list[int]]:
    """What any glTF file says, and which nodes the joints are; `rate` is the frame rate where it is known."""
    document, notes = gltf.document, list[str]()
    tree = NodeTree.of(document)
    animation = _chosen_animation(document, notes)
    tracks = tracks_of(gltf, animation, size, notes) if animation else {}
    moved = {node for node, _ in tracks}
    wanted = set(skin.joints) if skin is not None else moved or set(tree.order)
    joints = tree.skeleton(document, wanted, moved)
    members = set(joints)
    tracks = {key: track for key, track in tracks.items() if key[0] in members}
    timing = timing_of(tracks, rate)
    check_size(timing.frames, len(joints), size)
    stage = Stage.under(document, tree, joints, notes)
    rotations, places = _frames(stage, tracks, timing.times)
    rest, offsets = _frames(stage, {}, np.zeros(1))
    moving = any((node, "translation") in tracks for node in joints[1:])
    take = Take(
        names=[document.nodes[node].name or f"node{node}" for node in joints],
        parents=stage.parents,
        offsets=offsets[0],
        root=places[:, 0].copy(),
        rotations=rotations,
        translations=places if moving else None,
        fps=timing.rate,
        rest=rest[0],
        unit=1.0,
        up="y",
        notes=tuple(dict.fromkeys(notes)),
    )
    return take, joints


def _as_kept(take: Take, keeping: Keeping, skin: Skin, joints: Sequence[int]) -> Take:
    """One of our own files: with what was kept beside glTF's own words."""
    index = {node: i for i, node in enumerate(joints)}
    if not set(skin.joints) <= index.keys():
        raise LoadError("the joints of the skin are not one tree")
    seats = [index[node] for node in skin.joints]
    roles = {role: seats[joint] for role, joint in keeping.roles.items()}
    return replace(
        take,
        offsets=np.concatenate([[keeping.root_offset], take.offsets[1:]]),
        end_parents=[seats[joint] for joint in keeping.end_parents],
        end_offsets=np.array(keeping.end_offsets, dtype=float).reshape(-1, 3),
        saved=Saved(roles, keeping.foot_points()),
    )


def _chosen_animation(document: Document, notes: list[str]) -> Animation | None:
    if len(document.animations) > 1:
        names = ", ".join(repr(a.name[:40]) for a in document.animations[:6])
        notes.append(f"the file holds {len(document.animations)} animations ({names}); the first was read")
    return document.animations[0] if document.animations else None


def _frames(
    stage: Stage, tracks: Tracks, times: Float[np.ndarray, "frames"]
) -> tuple[Float[np.ndarray, "frames joints 4"], Float[np.ndarray, "frames joints 3"]]:
    """Turns and places of all joints in their parents' frames, the root's in the world."""
    rotations = np.empty((len(times), len(stage.joints), 4))
    places = np.empty((len(times), len(stage.joints), 3))
    for i, (node, still) in enumerate(zip(stage.joints, stage.stills, strict=True)):
        turn, place = tracks.get((node, "rotation")), tracks.get((node, "translation"))
        rotations[:, i] = still.turn if turn is None else sample(turn, times)
        places[:, i] = still.place if place is None else sample(place, times)
    places *= stage.stretches[:, None]
    rotations[:, 0] = quat.multiply(stage.above.turn, rotations[:, 0])
    places[:, 0] = stage.above.place + quat.rotate(stage.above.turn, places[:, 0])
    return rotations, places
