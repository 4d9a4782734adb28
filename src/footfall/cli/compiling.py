"""The first use of kernels on a machine compiles them: a line says so where it takes longer than a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Timer

from footfall.cli.output import remark

MOMENT = 1.0  # s
TERRAIN = (
    "footfall.world.box_tree_build",
    "footfall.world.tree_rays_kernel",
    "footfall.world.tree_spheres_kernel",
)
MOVEMENTS = ("footfall.models.movements.blend_kernel",)
STEPS = (
    "footfall.models.stepspace.candidates_kernel",
    "footfall.models.stepspace.selectors.fit_kernel",
    "footfall.models.stepspace.selectors.judged_kernel",
    "footfall.models.stepspace.selectors.program_kernel",
)
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
