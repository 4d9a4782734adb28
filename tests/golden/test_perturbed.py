"""Decisions have margins: with inputs that are off by up to 1e-9, motions are the same.

Here plain decisions are off, in a few requests of each system. `make test-cpus` makes all requests so, with
compiled decisions off as well and models built anew.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tools.compare_motions import Difference, compared

import footfall
import footfall.geometry.decisions as exact
from tests.golden.perturbed import decisions as perturbed
from tests.golden.perturbed import put_in
from tests.golden.record import RECORDED, load_records, made, requests

PACKAGE = Path(footfall.__file__).parent
REQUESTS = requests()
RECORDS = load_records(RECORDED)
DECIDING = (
    "cell_of",
    "cells_up_to",
    "clearly_less",
    "first_greatest",
    "first_least",
    "nearest_cell",
    "order_of",
    "shortest_turn",
    "signed_by_largest",
)
CHEAP = (
    "actor climbs a spiral",
    "sidesteps read",
    "contacts cleaned",
    "disguised, mirrored, resampled",
    "a climb certified on its stairs",
    "locomotion by commands on a slope",
    "reach with both hands",
    "animations over a gait, faded",
    "grasp of a box",
    "turning steps of a small library",
    "path round walls",
    "footsteps round on the spot",
    "eight steps of a bend",
    "walk over bumps",
    "prints the actor left",
    "by the paper's tetrahedra",
    "edit over stones",
    "what cannot be done is told",
)


def deciding_modules() -> list[str]:
    """Every module of footfall that imports a decision from `geometry.decisions`."""
    files = [
        file for file in sorted(PACKAGE.rglob("*.py")) if b"geometry.decisions import" in file.read_bytes()
    ]
    return [".".join(("footfall", *file.relative_to(PACKAGE).with_suffix("").parts)) for file in files]


@contextmanager
def off() -> Iterator[None]:
    """Every module of footfall decides by numbers that are off."""
    for name in deciding_modules():
        importlib.import_module(name.removesuffix(".__init__"))
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("footfall.") and module is not exact:
                for deciding in DECIDING:
                    if vars(module).get(deciding) is vars(exact)[deciding]:
                        patch.setattr(module, deciding, vars(perturbed)[deciding])
        yield


def made_off(name: str) -> Difference:
    """A request made with inputs that are off, held against its record."""
    made(REQUESTS[name])  # its models come from, and go to, the cache as they are
    with off():
        return compared(RECORDS[name], made(REQUESTS[name]))


@pytest.mark.parametrize("name", CHEAP)
def test_a_motion_is_the_same_where_inputs_of_decisions_are_off(name: str) -> None:
    found = made_off(name)
    assert found.equal, "\n".join(found.told[:20])


def test_ties_do_decide_where_inputs_are_off_by_more_than_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perturbed, "OFF", 1e-5)
    assert not made_off("grasp of a box").equal


def test_all_modules_that_decide_are_off() -> None:
    with off():
        for module in map(sys.modules.get, deciding_modules()):
            own = vars(module)
            assert not any(own.get(name) is vars(exact)[name] for name in DECIDING)


def test_a_copy_of_the_sources_decides_by_numbers_that_are_off(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "footfall", ignore=shutil.ignore_patterns("__pycache__"))
    put_in(tmp_path / "footfall")
    asked = """
from footfall.geometry import decisions, decisions_kernel, exact_decisions_kernel
from footfall.planning import route
from footfall.planning.footsteps import search_kernel
assert route.clearly_less is decisions.clearly_less and decisions.moved(0.0) != 0.0
assert search_kernel.cell_of is decisions_kernel.cell_of is not exact_decisions_kernel.cell_of
assert decisions_kernel.moved.py_func(0.0, 1) != 0.0
"""
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", asked], check=True, env=environment)


def test_all_functions_that_decide_are_off() -> None:
    own = {name for name, value in vars(exact).items() if getattr(value, "__module__", "") == exact.__name__}
    assert own == {*DECIDING, "rounded", "tie_break"}
    assert all(vars(perturbed)[name] is not vars(exact)[name] for name in DECIDING)


def test_inputs_are_off_both_ways_and_by_no_more_than_a_billionth() -> None:
    values = np.append(np.linspace(-5.0, 5.0, 1001), 1e6)
    off = (perturbed.moved(values) - values) / np.maximum(np.abs(values), 1.0)
    assert 0.9e-9 < off.max() <= 1.01e-9
    assert -1.01e-9 <= off.min() < -0.9e-9
    assert len(np.unique(np.sign(perturbed.moved(np.zeros(9))))) == 2  # ties are broken either way
    assert perturbed.moved([np.inf, -np.inf]).tolist() == [np.inf, -np.inf]
