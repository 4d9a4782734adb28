"""The first use of kernels on a machine compiles them: a line says so where it takes longer than a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from threading import Timer

from footfall.cli.output import remark

MOMENT = 1.0  # s


def _kernels_in(package: str) -> tuple[str, ...]:
    """The modules of a package that are kernels, by their names; none is imported."""
    found = find_spec(package)
    folders = None if found is None else found.submodule_search_locations
    names = sorted(module.name for module in iter_modules(folders or []))
    return tuple(f"{package}.{name}" for name in names if name.endswith("_kernel"))


TERRAIN = (
    "footfall.world.box_tree_build",
    "footfall.world.tree_rays_kernel",
    "footfall.world.tree_spheres_kernel",
)
MOVEMENTS = ("footfall.models.movements.blend_kernel",)
STEPS = (
    *_kernels_in("footfall.models.stepspace"),
    *_kernels_in("footfall.models.stepspace.selectors"),
)
REACH = (
    *MOVEMENTS,
    "footfall.weights.nearest_kernel",
    "footfall.models.reach.effector_kernel",
)
LOCOMOTION = _kernels_in("footfall.models.locomotion")
RINGS = (*TERRAIN, *_kernels_in("footfall.models.ring"))  # a walk on any ground asks its tree of boxes
PLANNING = (
    *TERRAIN,
    *_kernels_in("footfall.planning"),
    *_kernels_in("footfall.planning.footsteps"),
)
BODY = (*REACH, *_kernels_in("footfall.ik"), *_kernels_in("footfall.control"))
DRAWING = (*TERRAIN, "footfall.picture.raster_kernel")


def make_ready(modules: tuple[str, ...]) -> None:
    """Imports kernels, which compiles those that are not yet."""
    with _patience("compiling kernels, once after installation"):
        for module in modules:
            import_module(module)


@contextmanager
def _patience(words: str) -> Iterator[None]:
    """Says something if what follows takes long."""
    timer = Timer(MOMENT, remark, [words])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
