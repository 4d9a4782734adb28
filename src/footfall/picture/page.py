"""The page a picture is laid out on: matplotlib, and how its figures become files.

Pages are made without pyplot, whose figures belong to the whole process, so that threads can lay out pages
beside each other. Files are written one at a time, because matplotlib's settings are shared.
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from footfall.errors import MissingExtra
from footfall.formats.save import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE = 15.0  # inches
DPI = 110  # pixels an inch
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # one picture, one file
_WRITING = Lock()


def new_page(width: float, height: float) -> Figure:
    """An empty white page of a size in inches."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("drawing pictures", "plot") from None
    page = Figure(figsize=(width, height), facecolor="white")
    FigureCanvasAgg(page)
    return page


def require_pyplot() -> Any:
    try:
        import matplotlib

        matplotlib.use("Agg", force=False)
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtra("drawing pictures", "plot") from None
    return pyplot


def save_page(figure: Figure, path: Path) -> None:
    """As PNG, or whatever matplotlib can write by the file's ending; a figure of pyplot's is closed."""
    from matplotlib import rc_context

    kind = path.suffix.lstrip(".").lower() or "png"
    try:
        with _WRITING, rc_context({"svg.hashsalt": "footfall"}), written_whole(path) as file:
            figure.savefig(file, dpi=DPI, format=kind, metadata=UNDATED.get(kind))
    finally:
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close(figure)
