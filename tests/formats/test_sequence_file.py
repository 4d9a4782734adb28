"""Sequences of movements as files: what is written is read back, what is wrong is named."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import LoadError, RequestError
from footfall.formats.sequence_file import ANGLES, MOST, MOST_BYTES, WORDS, read_sequence, write_sequence
from footfall.models.movements.measures import UNITS

STEP = {"kind": "left_step", "end_length": 0.6}


def written(folder: Path, content: object) -> Path:
    path = folder / "sequence.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def movements(*stated: object) -> dict[str, Any]:
    return {"version": 1, "movements": list(stated)}


def second(**fields: object) -> dict[str, Any]:
    return movements(STEP, {"kind": "jump", **fields})


def test_as_the_design_says(tmp_path: Path) -> None:
    steps = [
        {"kind": "left_step", "start_length": 0.4, "end_length": 0.6},
        {"kind": "jump", "length": 1.2},
    ]
    assert read_sequence(written(tmp_path, movements(*steps))) == tuple(steps)


def test_degrees_are_radians_in_memory(tmp_path: Path) -> None:
    upper = {"kind": "wave", "lean_deg": -90}
    path = written(tmp_path, movements({"kind": "left_step", "turn_deg": 180, "upper": upper}))
    assert read_sequence(path) == (
        {"kind": "left_step", "turn": np.pi, "upper": {"kind": "wave", "lean": -np.pi / 2}},
    )


def test_the_angles_are_those_that_libraries_measure() -> None:
    assert set(ANGLES) == {name for name, unit in UNITS.items() if unit == "rad"}


def test_hands(tmp_path: Path) -> None:
    held = {"right_hand": [1, 2.5, -3], "left_hand": None}
    (jump,) = read_sequence(written(tmp_path, movements({"kind": "jump", "hold": held})))
    assert jump["hold"] == {"right_hand": (1.0, 2.5, -3.0), "left_hand": None}


def test_null_is_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, second(upper=None, hold=None))
    assert read_sequence(path)[1] == {"kind": "jump"}


numbers = st.floats(-1e6, 1e6)
names = st.text('abcdefghijklmnopqrstuvwxyzäß_ 1"\\', min_size=1).filter(
    lambda n: n not in (*WORDS, *ANGLES) and not n.endswith("_deg")
)
parameters = st.dictionaries(names, numbers, max_size=4)
places = st.none() | st.tuples(numbers, numbers, numbers)


@st.composite
def stated(draw: st.DrawFn) -> dict[str, Any]:
    found = {**draw(parameters), "kind": draw(names)}
    if draw(st.booleans()):
        found["turn"] = draw(numbers)
    if draw(st.booleans()):
        found["upper"] = {**draw(parameters), "kind": draw(names), "turn": draw(numbers)}
    if draw(st.booleans()):
        found["hold"] = draw(st.dictionaries(st.sampled_from(["left_hand", "right_hand"]), places))
    return found


@settings(deadline=None)
@given(st.lists(stated(), min_size=1, max_size=6))
def test_what_is_written_is_read(sequence: list[dict[str, Any]]) -> None:
    """All but angles to the last bit; these are converted twice."""
    content = write_sequence(sequence)
    text = json.loads(content)  # another reader understands it too
    assert len(text["movements"]) == len(sequence)
    assert content.count(b"\n") == len(sequence) + 2

    def exact(one: dict[str, Any]) -> dict[str, Any]:
        rounded = {name: exact(value) if name == "upper" else value for name, value in one.items()}
        if "turn" in one:
            rounded["turn"] = pytest.approx(one["turn"], rel=1e-15, abs=1e-300)
        return rounded

    again = _read(content)
    assert again == tuple(exact(one) for one in sequence)
    assert write_sequence(again) == write_sequence(_read(write_sequence(again)))


def _read(content: bytes) -> tuple[dict[str, Any], ...]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return read_sequence(written(Path(folder), content))


def test_pairs_are_written_as_mappings() -> None:
    assert write_sequence([("jump", {"length": 1})]) == write_sequence([{"kind": "jump", "length": 1.0}])


REFUSED: list[tuple[object, str]] = [
    ("", "is no sequence of movements: "),
    ("null", "is no sequence of movements: "),
    ("[1, 2", "is no sequence of movements: "),
    (b'{"version": 1, "movements": [{"kind": "\xff"}]}', "is no sequence of movements: "),
    (b"\xef\xbb\xbf{}", "is no sequence of movements: "),
    ('{"version": 1, "movements": [{"kind": "jump", "length": NaN}]}', "is no sequence of movements: "),
    ('{"version": 1, "movements": [{"kind": "jump", "length": Infinity}]}', "is no sequence of movements: "),
    ('{"version": 1, "movements": ' + "[" * 100_000, "is no sequence of movements: "),
    ('{"version": 1, "movements": [{"a": ' + "[" * 100_000, "is no sequence of movements: "),
    ('{"version": 1, "movements": [{"a": ' + '{"a":' * 100_000, "is no sequence of movements: "),
    ('{"version": 1, "movements": [{"kind": "jump", "length": 1e999}]}', "is no sequence of movements: "),
    (
        '{"version": 1, "movements": [{"kind": "jump", "length": 1' + "0" * 400 + "}]}",
        "movements[0].length: ",
    ),
    ('{"version": 1, "movements": [{"kind": "jump", "length": 1' + "0" * 5000 + "}]}", "is no sequence"),
    ({"movements": [STEP]}, "missing required field `version`"),
    ({"version": 1}, "missing required field `movements`"),
    ({"version": 2, "movements": [STEP]}, "version: expected 1, found 2"),
    ({"version": True, "movements": [STEP]}, "Expected `int`, got `bool` - at `$.version`"),
    ({"version": "1", "movements": [STEP]}, "Expected `int`, got `str` - at `$.version`"),
    ({"version": 1, "movements": [STEP], "speed": 1}, "unknown field `speed`"),
    (movements(), f"movements: must be 1 to {MOST}, not 0"),
    ({"version": 1, "movements": {}}, "Expected `array`, got `object` - at `$.movements`"),
    (movements("left_step"), "Expected `object`, got `str` - at `$.movements[0]`"),
    (
        movements(STEP, {}),
        "movements[1].kind: must be the name of a kind of movement, such as left_step; non",
    ),
    (second(kind=7), "such as left_step; it is a int"),
    (second(kind=""), "such as left_step; it is ''"),
    (second(kind="a\nb"), "such as left_step; it is 'a\\nb'"),
    (second(length="far"), "movements[1].length: must be a number, not 'far'"),
    (second(length=True), "movements[1].length: must be a number, not true"),
    (second(length=None), "movements[1].length: must be a number, not nothing"),
    (second(length=[1, 2]), "movements[1].length: must be a number, not a list of 2"),
    (second(length={}), "movements[1].length: must be a number, not an object"),
    (second(turn=0.5), "movements[1].turn: is an angle: write turn_deg, in degrees"),
    (second(turn_deg="left"), "movements[1].turn_deg: must be a number, not 'left'"),
    (second(kind_deg=1), "movements[1].kind_deg: cannot stand beside kind"),
    (second(hold_deg=1), "movements[1].hold_deg: cannot stand beside hold"),
    (second(lean=1, lean_deg=1), "movements[1].lean_deg: cannot stand beside lean"),
    (second(upper="wave"), "movements[1].upper: must be an object, not 'wave'"),
    (second(upper={}), "movements[1].upper.kind: must be the name of a kind"),
    (second(upper={"kind": "wave", "height": "high"}), "movements[1].upper.height: must be a number, not"),
    (
        second(upper={"kind": "wave", "upper": {"kind": "wave"}}),
        "movements[1].upper.upper: an upper body has",
    ),
    (
        second(upper={"kind": "wave", "hold": {}}),
        "movements[1].upper.hold: an upper body has its kind and pa",
    ),
    (second(hold=[1, 2, 3]), "movements[1].hold: must be an object, not a list of 3"),
    (second(hold={"left_foot": None}), "movements[1].hold.left_foot: is no hand: left_hand or right_hand"),
    (second(hold={"left_hand": [1, 2]}), "movements[1].hold.left_hand: must be a place [x, y, z] in metres,"),
    (
        second(hold={"left_hand": "up"}),
        "movements[1].hold.left_hand: must be a place [x, y, z] in metres, or",
    ),
    (second(hold={"left_hand": [1, 2, "3"]}), "movements[1].hold.left_hand: must be a number, not '3'"),
    (second(hold={"left_hand": [1, 2, 1e9]}), "movements[1].hold.left_hand: must be within 1e+07 m"),
    (second(**{"x" * 10_000: "far"}), "movements[1].xxxxx"),
    (second(**{"\ud800": 1}), "is no sequence of movements: "),
    (second(**{"\u202e": 1}), "is no name of a parameter"),
]


@pytest.mark.parametrize(("content", "sentence"), REFUSED)
def test_what_is_wrong_is_named(content: object, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LoadError) as caught:
        read_sequence(path)
    message = str(caught.value)
    assert re.match(rf"{re.escape(str(path))}: .*{re.escape(sentence)}", message, re.DOTALL)
    assert message.isprintable()
    assert len(message) < 1000


@pytest.mark.parametrize("name", ["none.json", "", "a\0b", "x" * 1000, "none.json/below"])
def test_what_cannot_be_opened(name: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError):
        read_sequence(tmp_path / name)


def test_no_file_takes_long(tmp_path: Path) -> None:
    """Of the longest that are read, and of endless ones."""
    head, tail = '{"version": 1, "movements": [', "]}"
    room = MOST_BYTES - len(head) - len(tail) - 100
    costly = [
        head + "{}," * (room // 3) + "{}" + tail,
        head + '{"kind":"a","b":[' + "[]," * (room // 3 - 20) + "[]]}" + tail,
        head + "{" + ",".join(f'"{k}":0' for k in range(room // 11)) + "}" + tail,
        head + '{"kind": "' + "a" * (room - 20) + '"}' + tail,
        "[" * (MOST_BYTES + 1),
    ]
    for content in costly:
        path = written(tmp_path, content)
        start = time.process_time()
        with pytest.raises(LoadError):
            read_sequence(path)
        assert time.process_time() - start < 10.0  # a machine may be busy; what is costly takes minutes
    tracemalloc.start()
    with pytest.raises(LoadError, match=f"a sequence has at most {MOST_BYTES} bytes"):
        read_sequence("/dev/zero")
    assert tracemalloc.get_traced_memory()[1] < 4 * MOST_BYTES
    tracemalloc.stop()


def test_the_longest_that_is_written_can_be_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    one = {"kind": "right_step", "start_length": 0.1, "end_length": 0.1, "turn": 0.1}
    many = [{**one, "end_length": float(rng.uniform())} for _ in range(MOST)]
    path = written(tmp_path, write_sequence(many))
    assert [m["end_length"] for m in read_sequence(path)] == [m["end_length"] for m in many]
    with pytest.raises(RequestError, match=f"movements must be 1 to {MOST}, not {MOST + 1}"):
        write_sequence([*many, one])


@pytest.mark.parametrize(
    ("movement", "sentence"),
    [
        (7, "movements[0] must name a kind and its parameters, not a int"),
        (("jump", 1.2), "movements[0] must name a kind and its parameters, not a list of 2"),
        ({}, "movements[0].kind must be the name of a kind of movement, such as left_step; none is"),
        ({"kind": "jump", "length": float("nan")}, "movements[0].length must be a finite number, not nan"),
        ({"kind": "jump", "turn": float("inf")}, "movements[0].turn must be a finite number, not inf"),
        ({"kind": "jump", "turn_deg": 3.0}, "movements[0].turn_deg is no name in memory"),
        ({"kind": "jump", 7: 3.0}, "movements[0].7 is no name in memory"),
        ({"kind": "jump", "\ud800": 3.0}, "is no name of a parameter"),
        ({"kind": "\ud800"}, "movements[0].kind must be the name of a kind"),
        (
            {"kind": "jump", "upper": {"kind": "wave", "turn": "far"}},
            "movements[0].upper.turn must be a number",
        ),
        ({"kind": "jump", "hold": {"head": None}}, "movements[0].hold.head is no hand"),
        ({"kind": "jump", "hold": {"left_hand": (1.0, 2.0)}}, "movements[0].hold.left_hand must be a place"),
    ],
)
def test_what_cannot_be_told_is_not_written(movement: Any, sentence: str) -> None:
    with pytest.raises(RequestError, match=re.escape(sentence)):
        write_sequence([movement])
