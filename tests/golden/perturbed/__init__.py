"""The decision functions of `footfall.geometry` with inputs that are off by up to 1e-9.

    decisions.py           the plain functions
    decisions_kernel.py    the compiled ones

`put_in` replaces both in a copy of the sources: what is compiled and built from it is compiled and built
anew. Only what decides is changed, never a number that is handed on: so where every decision has a margin,
motions are the same to the last bit.

Two things are left as they are: `rounded` of plain code, which rounds what is stored and decides nothing, and
`tie_break`, whose inputs are whole numbers.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
EXACT = "exact_"  # what the library's own functions are called in the copy


def put_in(package: Path) -> None:
    """Put the functions of this folder into a copy of the package; the library's own stay beside them."""
    folder = package / "geometry"
    for name in ("decisions", "decisions_kernel"):
        (folder / f"{name}.py").rename(folder / f"{EXACT}{name}.py")
        text = (HERE / f"{name}.py").read_text()
        for known in ("decisions_kernel", "decisions"):
            text = text.replace(f"geometry.{known} ", f"geometry.{EXACT}{known} ")
        (folder / f"{name}.py").write_text(text)
