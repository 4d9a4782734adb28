"""Blender as a judge of saved motions: what it sees in BVH and GLB files, as JSON. Needs bpy, not footfall.

    python blender_judge.py JOBS.json SEEN.json

JOBS is a list of {"file", "fps", "frames": [1, 10, ...]}, frames counted from 0 as in the file. SEEN answers
each in Blender's own axes (Z up): {"bones": {name: [[x, y, z] of its head, one for each frame]},
"rest": {name: [x, y, z]}, "parents": {name: name or null}, "last": the last frame of the animation,
"skin": [{"low": [x, y, z], "high": [x, y, z]} or null, one for each frame], "rest_skin": the same at rest}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector

Triple = list[float]


def judge(job: dict[str, Any]) -> dict[str, Any]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    path = Path(job["file"])
    first = _open_bvh(path) if path.suffix == ".bvh" else _open_glb(path, job["fps"])
    (armature,) = (o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    seen: dict[str, Any] = {"bones": {bone.name: [] for bone in armature.pose.bones}, "skin": []}
    for frame in job["frames"]:
        for name, head in _heads(armature, first + frame).items():
            seen["bones"][name].append(head)
        seen["skin"].append(_bounds())
    armature.data.pose_position = "REST"
    seen["rest"] = _heads(armature, first)
    seen["parents"] = {b.name: b.parent.name if b.parent else None for b in armature.data.bones}
    action = armature.animation_data.action if armature.animation_data else None
    seen["last"] = None if action is None else action.frame_range[1] - first
    seen["rest_skin"] = _bounds()
    return seen


def _open_bvh(path: Path) -> int:
    """Frame by frame, whatever the rate; returns Blender's number of the first, which cannot be 0."""
    bpy.ops.import_anim.bvh(
        filepath=str(path),
        global_scale=1.0,
        frame_start=1,
        use_fps_scale=False,
        rotate_mode="NATIVE",
        axis_forward="-Z",
        axis_up="Y",
    )
    return 1


def _open_glb(path: Path, fps: float) -> int:
    """glTF tells seconds; Blender counts them in frames, of which the first key's is 0."""
    render = bpy.context.scene.render
    render.fps = max(round(fps), 1)
    # the importer multiplies by the base, by which Blender itself divides
    render.fps_base = fps / render.fps
    bpy.ops.import_scene.gltf(filepath=str(path))
    return 0


def _heads(armature: Any, frame: int) -> dict[str, Triple]:
    bpy.context.scene.frame_set(frame)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: list(posed.matrix_world @ bone.head) for bone in posed.pose.bones}


def _bounds() -> dict[str, Triple] | None:
    """Of the skinned mesh as it stands now; bone shapes that Blender adds are no part of the file."""
    graph = bpy.context.evaluated_depsgraph_get()
    graph.update()
    corners: list[Vector] = []
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH" and any(m.type == "ARMATURE" for m in thing.modifiers):
            posed = thing.evaluated_get(graph)
            corners += [posed.matrix_world @ v.co for v in posed.to_mesh().vertices]
    if not corners:
        return None
    columns = list(zip(*corners, strict=True))
    return {"low": [min(c) for c in columns], "high": [max(c) for c in columns]}


def main() -> None:
    jobs, answer = sys.argv[1:]
    seen = [judge(job) for job in json.loads(Path(jobs).read_text())]
    Path(answer).write_text(json.dumps(seen))


if __name__ == "__main__":
    main()
