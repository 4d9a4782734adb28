"""The public surface: sorted names that are there, and an import that loads no more than it must."""

from __future__ import annotations

import subprocess
import sys

import pytest

import footfall

LATE = ["numba", "matplotlib", "PIL", "cyclopts", "rich", "safetensors", "scipy", "msgspec"]


def test_all_is_sorted_and_has_no_name_twice() -> None:
    assert list(footfall.__all__) == sorted(set(footfall.__all__))


@pytest.mark.parametrize("name", footfall.__all__)
def test_every_name_is_there(name: str) -> None:
    value = getattr(footfall, name)
    assert name == "__version__" or value.__doc__, f"{name} says nothing about itself"


def test_nothing_else_is_public() -> None:
    """What lies in the package is in __all__, a folder, or private."""
    modules = {name for name, value in vars(footfall).items() if type(value) is type(sys)}
    public = {name for name in vars(footfall) if not name.startswith("_")}
    assert public - modules == {name for name in footfall.__all__ if not name.startswith("_")}


def test_every_error_is_one_of_ours() -> None:
    errors = [getattr(footfall, name) for name in footfall.__all__ if name.endswith("Error")]
    assert all(issubclass(error, footfall.FootfallError) for error in [*errors, footfall.MissingExtra])


def test_import_loads_nothing_heavy() -> None:
    """Kernels, commands, pictures and files load what they need when they are used."""
    program = (
        f"import sys, footfall; print(*sorted({{m for m in sys.modules if m.split('.')[0] in {LATE!r}}}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_names_can_be_imported_by_star() -> None:
    names: dict[str, object] = {}
    exec("from footfall import *", names)
    assert set(footfall.__all__) <= set(names)
