"""Scenes on disk: see `scene_document` for what stands in such a file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import LoadError
from footfall.file_access import as_path
from footfall.formats.save import written_whole
from footfall.formats.terrain_source import open_terrain
from footfall.world.scene import Scene
from footfall.world.terrain import Terrain

if TYPE_CHECKING:
    from footfall.formats.scene_read import TerrainLoader


def _open(text: str, folder: Path) -> Terrain:
    return open_terrain(text, folder=folder)


def load_scene(path: str | PathLike[str], *, terrain_loader: TerrainLoader | None = _open) -> Scene:
    """Reads a scene; every problem is a LoadError that names the field.

    `terrain_loader` makes the terrain from what the file says and the folder it lies in: mesh files and
    generators by default. Without one the scene has the words alone, in `terrain_source`.
    """
    from footfall.formats.scene_read import read_document, scene_of

    file = as_path(path)
    try:
        return scene_of(read_document(file), file.parent, terrain_loader)
    except LoadError as error:
        raise error.at(file) from None


def save_scene(scene: Scene, path: str | PathLike[str]) -> None:
    """Writes a scene; what such a file cannot say is refused."""
    from footfall.formats.scene_write import write_scene

    file = as_path(path)
    content = write_scene(scene, file.parent)
    with written_whole(file) as target:
        target.write(content)
