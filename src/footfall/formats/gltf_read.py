"""glTF and GLB in: our own files and foreign rigged characters' animations.

The skeleton is the skin with the most joints and whatever lies between them; without a skin, the nodes
that move. Still nodes above it (an armature turned and scaled by an exporter) are folded into the root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.gltf_container import Animation, Document, Gltf, Node, Skin, open_gltf
from footfall.formats.gltf_extras import Keeping, foot_points, kept
from footfall.formats.gltf_sampling import Track, frame_times, sample, tracks_of
from footfall.formats.take import Saved, Take, check_size
from footfall.geometry import quaternion as quat


def read_gltf(content: bytes, fetch: Callable[[str], bytes]) -> Take:
    """`fetch` reads a buffer that lies in a file of its own beside the document."""
    gltf = open_gltf(content, fetch)
    skin = max(gltf.document.skins, key=lambda s: len(s.joints), default=None)
    keeping = kept(skin.extras) if skin is not None else None
    return _read_take(gltf, skin, keeping, len(content) + sum(map(len, gltf.buffers)))


@dataclass(frozen=True, eq=False)
class _Still:
    """A node's own place, turn and uniform scale."""

    place: Float[np.ndarray, "3"]
    turn: Float[np.ndarray, "4"]
    scale: float


def _read_take(gltf: Gltf, skin: Skin | None, keeping: Keeping | None, size: int) -> Take:
    document = gltf.document
    notes: list[str] = []
    parents = _parents(document)
    animation = _chosen_animation(document, notes)
    tracks = tracks_of(gltf, animation, len(document.nodes), notes) if animation else {}
    joints = _joint_nodes(document, parents, skin, tracks)
    check_size(0, len(joints), size)
    stills = [_still(node, i, notes) for i, node in enumerate(document.nodes)]
    above = _folded(parents, stills, joints[0])
    times, fps = frame_times(tracks, keeping.fps if keeping else None)
    check_size(len(times), len(joints), size)
    index = {node: i for i, node in enumerate(joints)}
    own = [index.get(parents[node], -1) for node in joints]
    scales = _scales(joints, own, stills, above)
    rotations, places = _frames(joints, tracks, stills, times)
    places = places * scales[:, None]
    rotations[:, 0] = quat.multiply(above.turn, rotations[:, 0])
    root = above.place + quat.rotate(above.turn, places[:, 0])
    places[:, 0] = root
    moving = any((node, "translation") in tracks for node in joints[1:])
    rest = np.stack([stills[node].turn for node in joints])
    rest[0] = quat.multiply(above.turn, rest[0])
    return Take(
        names=[document.nodes[node].name or f"node{node}" for node in joints],
        parents=own,
        offsets=np.stack([stills[node].place for node in joints]) * scales[:, None],
        root=root,
        rotations=rotations,
        translations=places if moving else None,
        fps=fps,
        end_parents=_checked_ends(keeping, len(joints)),
        end_offsets=np.array(keeping.end_offsets if keeping else [], dtype=float).reshape(-1, 3),
        rest=rest,
        unit=1.0,
        up="y",
        notes=tuple(dict.fromkeys(notes)),
        saved=None if keeping is None else Saved(keeping.roles, foot_points(keeping)),
    )


def _checked_ends(keeping: Keeping | None, joints: int) -> list[int]:
    ends = keeping.end_parents if keeping else []
    if any(not 0 <= e < joints for e in ends):
        raise LoadError("the footfall extras name an end site on a joint that is not there")
    return ends


def _chosen_animation(document: Document, notes: list[str]) -> Animation | None:
    if len(document.animations) > 1:
        names = ", ".join(repr(a.name[:40]) for a in document.animations[:6])
        notes.append(f"the file holds {len(document.animations)} animations ({names}); the first was read")
    return document.animations[0] if document.animations else None


def _parents(document: Document) -> list[int]:
    """Each node's parent; a node with two parents or a ring of nodes is refused."""
    parents = [-1] * len(document.nodes)
    for i, node in enumerate(document.nodes):
        for child in node.children:
            if not 0 <= child < len(parents) or parents[child] >= 0 or child == i:
                raise LoadError(f"node {i} has a child {child} that is not there or has another parent")
            parents[child] = i
    reached = [i for i, p in enumerate(parents) if p < 0]
    for i in reached:  # grows while it is walked: breadth first from the roots
        reached.extend(document.nodes[i].children)
    if len(reached) != len(parents):
        raise LoadError("some nodes are their own ancestors")
    return parents


def _joint_nodes(
    document: Document, parents: list[int], skin: Skin | None, tracks: dict[tuple[int, str], Track]
) -> list[int]:
    """Nodes of the skeleton, parents first: the skin's joints, or what moves, and all between."""
    wanted = set(skin.joints) if skin is not None else {node for node, _ in tracks}
    if not wanted:
        wanted = set(range(len(document.nodes)))
    if not wanted or any(not 0 <= node < len(parents) for node in wanted):
        raise LoadError(
            "expected a skin or animated nodes, found none" if not wanted else "a joint is no node"
        )
    lines = {node: _line(parents, node) for node in wanted}
    # several trees: keep the one that holds most
    tops = [line[0] for line in lines.values()]
    top = max(set(tops), key=lambda t: (tops.count(t), -t))
    lines = {node: line for node, line in lines.items() if line[0] == top}
    moved = {node for node, _ in tracks}
    shared = set.intersection(*(set(line) for line in lines.values()))
    # fold the still ancestors: the root is the first that is wanted, that moves, or where branches part
    chain = [n for n in next(iter(lines.values())) if n in shared]
    root = next((n for n in chain if n in wanted or n in moved), chain[-1])
    members = {n for line in lines.values() for n in line[line.index(root) :]}
    if all(parents[n] < n for n in members if n != root):
        return sorted(members)
    ordered = [root]
    for node in ordered:
        ordered.extend(c for c in document.nodes[node].children if c in members)
    return ordered


def _line(parents: list[int], node: int) -> list[int]:
    """From the top of the scene down to a node."""
    line = [node]
    while parents[line[-1]] >= 0:
        line.append(parents[line[-1]])
    return line[::-1]


def _still(node: Node, index: int, notes: list[str]) -> _Still:
    place, turn, scale = np.zeros(3), quat.identity(), np.ones(3)
    if node.matrix is not None:
        if len(node.matrix) != 16:
            raise LoadError(f"node {index} has a matrix of {len(node.matrix)} numbers instead of 16")
        m = np.array(node.matrix, dtype=float).reshape(4, 4).T
        place = m[:3, 3]
        scale = np.linalg.norm(m[:3, :3], axis=0)
        if not np.isfinite(m).all() or (scale < 1e-9).any():
            raise LoadError(f"node {index} has a matrix that flattens space")
        turn = quat.from_matrix(m[:3, :3] / scale)
    place = place if node.translation is None else np.array(node.translation)
    scale = scale if node.scale is None else np.array(node.scale)
    if node.rotation is not None:
        turn = quat.normalize(np.roll(np.array(node.rotation), 1))
    if not (np.isfinite(place).all() and np.isfinite(turn).all() and np.isfinite(scale).all()):
        raise LoadError(f"node {index} has a place, turn or scale that is no number")
    uniform = float(np.cbrt(np.prod(np.abs(scale))))
    if np.ptp(np.abs(scale)) > 1e-3 * uniform:
        notes.append("some nodes are scaled unevenly: their mean scale was taken")
    return _Still(place, turn, max(uniform, 1e-9))


def _folded(parents: list[int], stills: list[_Still], root: int) -> _Still:
    """Everything above the root as one placement."""
    whole = _Still(np.zeros(3), quat.identity(), 1.0)
    for node in _line(parents, root)[:-1]:
        own = stills[node]
        place = whole.place + whole.scale * quat.rotate(whole.turn, own.place)
        whole = _Still(place, quat.multiply(whole.turn, own.turn), whole.scale * own.scale)
    return whole


def _scales(
    joints: list[int], own: list[int], stills: list[_Still], above: _Still
) -> Float[np.ndarray, "joints"]:
    """By what each joint's place is stretched: the scales of all nodes over it."""
    total = np.empty(len(joints))
    stretch = np.empty(len(joints))
    for i, node in enumerate(joints):
        stretch[i] = above.scale if own[i] < 0 else total[own[i]]
        total[i] = stretch[i] * stills[node].scale
    return stretch


def _frames(
    joints: list[int],
    tracks: dict[tuple[int, str], Track],
    stills: list[_Still],
    times: Float[np.ndarray, "frames"],
) -> tuple[Float[np.ndarray, "frames joints 4"], Float[np.ndarray, "frames joints 3"]]:
    rotations = np.empty((len(times), len(joints), 4))
    places = np.empty((len(times), len(joints), 3))
    for i, node in enumerate(joints):
        turn, place = tracks.get((node, "rotation")), tracks.get((node, "translation"))
        rotations[:, i] = stills[node].turn if turn is None else sample(turn, times)
        places[:, i] = stills[node].place if place is None else sample(place, times)
    return rotations, places
