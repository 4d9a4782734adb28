"""The page a picture is laid out on: matplotlib, and how its figures become files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from footfall.errors import MissingExtra, printable
from footfall.formats.save import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE = 15.0  # inches
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # one picture, one file


def require_pyplot() -> Any:
    try:
        import matplotlib

        matplotlib.use("Agg", force=False)
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtra("drawing pictures", "plot") from None
    return pyplot


def save_page(figure: Figure, path: Path) -> None:
    """As PNG, or whatever matplotlib can write by the file's ending; the figure is closed."""
    plt = require_pyplot()
    from matplotlib.text import Text

    kind = path.suffix.lstrip(".").lower() or "png"
    for text in figure.findobj(Text):  # a name with $ in it is no formula, and a code in it is only shown
        text.set_parse_math(False)
        text.set_text("\n".join(printable(line) for line in text.get_text().split("\n")))
    try:
        with plt.rc_context({"svg.hashsalt": "footfall"}), written_whole(path) as file:
            figure.savefig(file, dpi=110, format=kind, metadata=UNDATED.get(kind))
    finally:
        plt.close(figure)
