"""Scenes on disk: see `scene_document` for what stands in such a file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from footfall.errors import LoadError
from footfall.formats.save import written_whole
from footfall.formats.scene_read import TerrainLoader, read_document, scene_of
from footfall.formats.scene_write import write_scene
from footfall.world.scene import Scene


def load_scene(path: str | PathLike[str], *, terrain_loader: TerrainLoader | None = None) -> Scene:
    """Reads a scene; every problem is a LoadError that names the field.

    `terrain_loader` makes the terrain from what the file says and the folder it lies in; without one the
    scene has the words alone, in `terrain_source`.
    """
    file = Path(path)
    try:
        return scene_of(read_document(file), file.parent, terrain_loader)
    except LoadError as error:
        raise error.at(file) from None


def save_scene(scene: Scene, path: str | PathLike[str]) -> None:
    """Writes a scene; what such a file cannot say is refused."""
    file = Path(path)
    content = write_scene(scene, file.parent)
    with written_whole(file) as target:
        target.write(content)
