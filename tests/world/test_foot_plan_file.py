"""Plan files that are wrong: the entry and the field are named, whatever is in them, and at once."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footfall.errors import LoadError
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.foot_plan_file import MOST, MOST_BYTES

GOOD = {"foot": "left", "position": [0.1, 0.0, 0.4], "heading_deg": 3.0, "swing": 0.4, "stance": 0.7}


def written(tmp_path: Path, content: bytes) -> Path:
    file = tmp_path / "plan.json"
    file.write_bytes(content)
    return file


def with_fifth(tmp_path: Path, **changed: Any) -> Path:
    """A plan of six whose fifth entry is changed."""
    steps = [dict(GOOD) for _ in range(6)]
    steps[4].update(changed)
    return written(tmp_path, json.dumps({"version": 1, "steps": steps}).encode())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("foot", 3),
        ("foot", None),
        ("foot", "LEFT"),
        ("position", [0, 0]),
        ("position", [0, 0, 0, 0]),
        ("position", [0, "0", 0]),
        ("position", [0, None, 0]),
        ("position", [0, True, 0]),
        ("position", {"x": 0}),
        ("position", None),
        ("position", 1.0),
        ("position", [0, float("nan"), 0]),
        ("position", [0, float("inf"), 0]),
        ("position", [0, 0, float("-inf")]),
        ("position", [0, 0, 10**400]),
        ("position", [1.1e6, 0, 0]),
        ("heading_deg", "north"),
        ("heading_deg", [0]),
        ("swing", 0),
        ("swing", -0.1),
        ("swing", 1e9),
        ("swing", "fast"),
        ("stance", False),
    ],
)
def test_entry_and_field_are_named(tmp_path: Path, field: str, value: Any) -> None:
    file = with_fifth(tmp_path, **{field: value})
    with pytest.raises(LoadError) as error:
        FootPlan.load(file)
    assert str(error.value).startswith(str(file))
    assert "steps[4]" in str(error.value)
    assert field in str(error.value)


@pytest.mark.parametrize("field", ["heading_deg", "swing", "stance"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_soft_fields_that_are_no_numbers(tmp_path: Path, field: str, value: float) -> None:
    with pytest.raises(LoadError, match=rf"steps\[4\]: {field.removesuffix('_deg')} must be a finite number"):
        FootPlan.load(with_fifth(tmp_path, **{field: value}))


def test_missing_and_unknown_fields(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"steps\[4\]: .*unknown field `heading`"):
        FootPlan.load(with_fifth(tmp_path, heading=1.0))
    steps = [dict(GOOD) for _ in range(6)]
    del steps[4]["position"]
    with pytest.raises(LoadError, match=r"steps\[4\]: .*missing required field `position`"):
        FootPlan.load(written(tmp_path, json.dumps({"version": 1, "steps": steps}).encode()))
    steps[2]["swing"] = float("nan")  # no JSON, yet the first thing that is missing is told
    with pytest.raises(LoadError, match=r"steps\[4\]: .*`position`"):
        FootPlan.load(written(tmp_path, json.dumps({"version": 1, "steps": steps}).encode()))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", Path("a\0b")):
        with pytest.raises(LoadError, match="cannot be opened"):
            FootPlan.load(path)


def test_large_files_are_refused_at_once(tmp_path: Path) -> None:
    small = json.dumps({"foot": "left", "position": [0, 0, 0]})
    many = f'{{"version": 1, "steps": [{", ".join([small] * (MOST + 1))}]}}'.encode()
    deep = b'{"version": 1, "steps": ' + b"[" * 1_000_000
    start = time.perf_counter()
    for content, named in ((many, "at most"), (b" " * (MOST_BYTES + 1), "bytes"), (deep, "foot plan")):
        with pytest.raises(LoadError, match=named):
            FootPlan.load(written(tmp_path, content))
    assert time.perf_counter() - start < 2.0


def test_the_longest_plan_is_read_in_time(tmp_path: Path) -> None:
    placements = [FootPlacement(("left", "right")[k % 2], np.array([0, 0, 0.3 * k])) for k in range(MOST)]
    file = written(tmp_path, FootPlan.of_steps(placements).encode())
    start = time.perf_counter()
    plan = FootPlan.load(file)
    assert time.perf_counter() - start < 2.0
    assert len(plan) == MOST
    assert np.array_equal(plan.placements[-1].position, placements[-1].position)


def loaded(tmp_path: Path, content: bytes) -> tuple[FootPlan | None, str]:
    """The plan, or what is said against it; nothing else is ever raised."""
    try:
        return FootPlan.load(written(tmp_path, content)), ""
    except LoadError as error:
        return None, str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(field=st.sampled_from([*GOOD, "version", "steps"]), value=JSON)
def test_any_value_is_read_or_refused(tmp_path: Path, field: str, value: Any) -> None:
    document: dict[str, Any] = {"version": 1, "steps": [dict(GOOD), dict(GOOD)]}
    (document if field in document else document["steps"][1])[field] = value
    plan, problem = loaded(tmp_path, json.dumps(document).encode("utf-8", "surrogatepass"))
    if plan is None:
        assert "\n" not in problem
        assert field not in GOOD or "steps[1]" in problem
    else:
        again, _ = loaded(tmp_path, plan.encode())
        assert again is not None
        for one, other in zip(plan.placements, again.placements, strict=True):
            assert (one.foot, one.swing, one.stance) == (other.foot, other.swing, other.stance)
            assert np.array_equal(one.position, other.position)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 10_000), byte=st.binary(max_size=3), cut=st.integers(0, 40))
def test_broken_bytes_are_read_or_refused(tmp_path: Path, at: int, byte: bytes, cut: int) -> None:
    good = json.dumps({"version": 1, "steps": [GOOD, GOOD]}).encode()
    at %= len(good)
    plan, problem = loaded(tmp_path, good[:at] + byte + good[at + cut :])
    assert str(tmp_path) in problem if plan is None else len(plan) >= 1
