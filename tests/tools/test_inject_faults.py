"""Faults that are injected change one expression, and the same seed draws the same ones."""

from __future__ import annotations

import ast
import random
import shutil
from functools import cache
from pathlib import Path

from tools.inject_faults import PACKAGE, ROOT, Fault, candidates, covering, drawn, inject, probes


@cache
def every() -> tuple[Fault, ...]:
    return tuple(candidates(ROOT))


def test_there_are_faults_of_all_kinds_in_compiled_functions_and_others() -> None:
    kinds = {(fault.kind, fault.compiled) for fault in every()}
    assert kinds == {(k, c) for k in ("sign", "index", "threshold", "constant") for c in (False, True)}
    assert not any(fault.file.startswith(("cli/", "picture/", "formats/")) for fault in every())


def test_an_injected_fault_changes_its_expression_alone(tmp_path: Path) -> None:
    for fault in random.Random(5).sample(every(), 60):
        file = tmp_path / PACKAGE / fault.file
        file.parent.mkdir(parents=True, exist_ok=True)
        before = ast.parse(shutil.copy(ROOT / PACKAGE / fault.file, file).read_text())
        inject(fault, tmp_path)
        after = ast.parse(file.read_text())
        assert ast.dump(before) != ast.dump(after)
        changed = [
            node.lineno
            for node, other in zip(before.body, after.body, strict=True)
            if ast.dump(node) != ast.dump(other)
        ]
        assert len(changed) == 1
        assert fault.before not in ("", fault.after)


def test_the_same_seed_draws_the_same_faults_half_of_them_compiled() -> None:
    one, other = drawn(every(), 40, seed=3), drawn(every(), 40, seed=3)
    assert one == other
    assert sum(fault.compiled for fault in one) == 20
    assert drawn(every(), 40, seed=4) != one
    assert len({fault.kind for fault in one}) == 4


def test_requests_that_run_a_line_come_the_cheapest_first_and_those_of_default_models_last() -> None:
    fault = next(f for f in every() if not f.compiled)
    rows = (
        ("slow", fault.line, 2.0, []),
        ("quick", fault.line, 0.1, []),
        ("other", -1, 0.0, ["default gaits"]),
        ("of a model", fault.line, 0.0, ["default gaits"]),
    )
    runs = {
        name: {
            "lines": {fault.file: [line]},
            "kernels": [],
            "seconds": seconds,
            "frames": name != "of a model",
            "defaults": defaults,
        }
        for name, line, seconds, defaults in rows
    }
    assert covering(fault, runs) == ["quick", "slow", "of a model"]
    assert probes(runs) == ["other"]
