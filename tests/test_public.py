"""The public surface: sorted names that are there, and an import that loads no more than it must."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import footfall

LATE = ["numba", "matplotlib", "PIL", "cyclopts", "rich", "safetensors", "scipy", "msgspec"]


def test_all_is_sorted_and_has_no_name_twice() -> None:
    assert list(footfall.__all__) == sorted(set(footfall.__all__))


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in footfall.__all__:
        assert name == "__version__" or getattr(footfall, name).__doc__, f"{name} says nothing about itself"
    assert set(footfall.__all__) <= set(dir(footfall))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = footfall.nothing


def test_nothing_else_is_public() -> None:
    """What lies in the package is in __all__, a folder, or private."""
    modules = {name for name, value in vars(footfall).items() if type(value) is type(sys)}
    public = {name for name in vars(footfall) if not name.startswith("_")}
    own = {"annotations", "import_module", "TYPE_CHECKING"}
    assert public - modules - own <= {name for name in footfall.__all__ if not name.startswith("_")}


def test_every_error_is_one_of_ours() -> None:
    errors = [getattr(footfall, name) for name in footfall.__all__ if name.endswith("Error")]
    assert all(issubclass(error, footfall.FootfallError) for error in [*errors, footfall.MissingExtra])


def loaded_by(program: str) -> set[str]:
    code = f"import sys; {program}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_but_the_version() -> None:
    loaded = loaded_by("import footfall")
    assert {m for m in loaded if m.startswith("footfall")} == {"footfall", "footfall.version"}
    assert "numpy" not in loaded


def test_a_reader_loads_little() -> None:
    """Kernels, commands, pictures, shapes in annotations: each is loaded when it is used."""
    loaded = loaded_by("import footfall as ff; ff.load_motion")
    assert not loaded & {*LATE, "jaxtyping"}
    assert len({m for m in loaded if m.startswith("footfall.")}) < 40


def test_a_reader_is_imported_in_half_as_long_again_as_its_libraries() -> None:
    """A ratio of processor times measured in turn, the best of five each, with compiled bytecode."""

    def seconds(program: str) -> float:
        begin = os.times()
        subprocess.run([sys.executable, "-c", program], check=True)
        end = os.times()
        used = end.children_user - begin.children_user, end.children_system - begin.children_system
        return sum(used)

    programs = ("import numpy, scipy", "import footfall as ff; ff.load_motion")
    times = np.array([[seconds(program) for program in programs] for _ in range(6)])[1:]
    libraries, reader = times.min(axis=0)
    assert reader < 1.5 * libraries


def test_type_checkers_see_the_names_that_are_loaded_late() -> None:
    """The imports for type checkers and the table of homes say the same."""
    tree = ast.parse(Path(footfall.__file__).read_text())
    (guarded,) = (node for node in tree.body if isinstance(node, ast.If))
    rows = {
        alias.asname or alias.name: f"{node.module}:{alias.name}" if alias.asname else node.module
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert rows == footfall._HOMES
    assert {*rows, "__version__"} == set(footfall.__all__)
