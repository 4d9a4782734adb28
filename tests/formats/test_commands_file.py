"""Commands as files: what is said is read, what is wrong is named by command and field."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import LoadError, RequestError
from footfall.formats.commands_file import LATEST, MOST, MOST_BYTES, Command, in_order, load_commands


def written(folder: Path, content: object) -> Path:
    path = folder / "commands.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def commands(*stated: object) -> dict[str, Any]:
    return {"version": 1, "commands": list(stated)}


def second(**fields: object) -> dict[str, Any]:
    return commands({"time": 0.5, "gait": "walk"}, {"time": 1.0, **fields})


def test_as_the_design_says(tmp_path: Path) -> None:
    stated = [
        {"time": 0.0, "heading_deg": 0, "step_length": 0.7, "gait": "walk"},
        {"time": 2, "turn_deg": -90},
    ]
    assert load_commands(written(tmp_path, commands(*stated))) == (
        Command(0.0, heading=0.0, step_length=0.7, gait="walk"),
        Command(2.0, turn=-np.pi / 2),
    )


def test_nothing_need_be_said(tmp_path: Path) -> None:
    assert load_commands(written(tmp_path, commands())) == ()
    silent = dict.fromkeys(("heading_deg", "turn_deg", "step_length", "gait"))
    assert load_commands(written(tmp_path, second(**silent)))[1] == Command(1.0)
    (one,) = load_commands(written(tmp_path, commands({"time": 1, "turn_deg": 5, "heading_deg": None})))
    assert one == Command(1.0, turn=float(np.radians(5.0)))


angles = st.none() | st.floats(-36_000.0, 36_000.0)


@settings(deadline=None)
@given(
    st.lists(st.floats(0.0, LATEST), unique=True, max_size=8),
    st.lists(
        st.tuples(angles, st.booleans(), st.none() | st.floats(0.0, 10.0), st.sampled_from(["run", "läuft"]))
    ),
)
def test_every_sound_command_is_read(times: list[float], wishes: list[Any]) -> None:
    """With the numbers that it has; degrees as an independent conversion has them."""
    stated, expected = [], []
    for moment, (angle, turns, length, gait) in zip(sorted(times), wishes, strict=False):
        one: dict[str, Any] = {"time": moment, "step_length": length, "gait": gait}
        radians = None if angle is None else pytest.approx(angle / 180.0 * np.pi, rel=1e-12, abs=1e-300)
        stated.append(one | {"turn_deg" if turns else "heading_deg": angle})
        expected.append((moment, None if turns else radians, radians if turns else None, length, gait))
    with TemporaryDirectory() as folder:
        found = load_commands(written(Path(folder), commands(*stated)))
    assert [(c.time, c.heading, c.turn, c.step_length, c.gait) for c in found] == expected


NAN = '{"version": 1, "commands": [{"time": 0}, {"time": 1, %s}]}'
REFUSED: list[tuple[object, str]] = [
    ("", "is no file of commands: "),
    ("{", "is no file of commands: "),
    ("[]", "is no file of commands: it must be an object, not a list of 0"),
    (b"\xff\xfe", "is no file of commands: "),
    ("[" * 100_000, "is no file of commands: "),
    ({"commands": []}, "version: expected 1, found nothing"),
    ({"version": 1}, "commands: must be a list of commands, not nothing"),
    ({"version": 2, "commands": []}, "version: expected 1, found 2"),
    ({"version": "1", "commands": []}, "version: expected 1, found '1'"),
    (
        {"version": 1, "commands": [], "speed": 1},
        "speed: is no field of such a file: there are version, commands",
    ),
    ({"version": 1, "commands": {}}, "commands: must be a list of commands, not an object"),
    (commands("walk"), "commands[0]: must be an object, not 'walk'"),
    (commands({}), "commands[0].time: must be there, in seconds"),
    (commands({"time": None}), "commands[0].time: must be there, in seconds"),
    (commands({"time": "soon"}), "commands[0].time: must be a number, not 'soon'"),
    (commands({"time": True}), "commands[0].time: must be a number, not true"),
    (commands({"time": [1]}), "commands[0].time: must be a number, not a list of 1"),
    (commands({"time": -0.1}), "commands[0].time: must be 0 to 86400 s, not -0.1"),
    (commands({"time": 1e9}), "commands[0].time: must be 0 to 86400 s, not 1e+09"),
    (second(time=0.5), "commands[1].time: must come after that of the command before, 0.5 s, not 0.5 s"),
    (second(time=0.25), "commands[1].time: must come after that of the command before, 0.5 s, not 0.25 s"),
    (second(heading_deg="north"), "commands[1].heading_deg: must be a number, not 'north'"),
    (second(turn_deg={}), "commands[1].turn_deg: must be a number, not an object"),
    (second(turn_deg=1e6), "commands[1].turn_deg: must be -36000 to 36000 degrees, not 1e+06"),
    (second(heading_deg=0, turn_deg=5), "commands[1].turn_deg: cannot stand beside heading_deg"),
    (second(heading=1), "commands[1].heading: is no field of a command: write heading_deg, in degrees"),
    (second(turn=1), "commands[1].turn: is no field of a command: write turn_deg, in degrees"),
    (second(speed=1), "commands[1].speed: is no field of a command: there are time, heading_deg, turn_deg"),
    (second(step_length=-0.5), "commands[1].step_length: must be 0 to 10 m, not -0.5"),
    (second(step_length=11), "commands[1].step_length: must be 0 to 10 m, not 11"),
    (second(step_length="long"), "commands[1].step_length: must be a number, not 'long'"),
    (second(step_length=int("9" * 400)), "commands[1].step_length: must be a finite number, not inf"),
    (second(gait=7), "commands[1].gait: must be the name of a gait, such as walk, not a int"),
    (second(gait=""), "commands[1].gait: must be the name of a gait, such as walk, not ''"),
    (second(gait="a\nb"), "commands[1].gait: must be the name of a gait"),
    (second(gait="x" * 10_000), "commands[1].gait: must be the name of a gait, such as walk, not 'xxx"),
    (second(**{"y" * 10_000: 1}), "commands[1].yyy"),
    (second(**{"\u202e": 1}), "commands[1].\\u202e: is no field of a command"),
    (NAN % '"step_length": NaN', "commands[1].step_length: must be a finite number, not nan"),
    (NAN % '"heading_deg": Infinity', "commands[1].heading_deg: must be a finite number, not inf"),
    (NAN % '"turn_deg": -Infinity', "commands[1].turn_deg: must be a finite number, not -inf"),
    ('{"version": 1, "commands": [{"time": NaN}]}', "commands[0].time: must be a finite number, not nan"),
    ('{"version": NaN, "commands": []}', "version: expected 1, found nan"),
    ({"version": True, "commands": []}, "version: expected 1, found true"),
    ('{"version": 1, "commands": [{"time": ' + "9" * 5000 + "}]}", "is no file of commands: "),
]


@pytest.mark.parametrize(("content", "sentence"), REFUSED)
def test_what_is_wrong_is_named(content: object, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    with pytest.raises(LoadError) as caught:
        load_commands(path)
    message = str(caught.value)
    assert re.match(rf"{re.escape(str(path))}: .*{re.escape(sentence)}", message, re.DOTALL), message
    assert message.isprintable()
    assert len(message) < 1000


@pytest.mark.parametrize("name", ["none.json", "", "a\0b", "x" * 1000, "none.json/below"])
def test_what_cannot_be_opened(name: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError):
        load_commands(tmp_path / name)


def test_no_file_takes_long(tmp_path: Path) -> None:
    """Of the longest that are read, and of endless ones."""
    head, tail = '{"version": 1, "commands": [', "]}"
    room = MOST_BYTES - len(head) - len(tail) - 100
    costly = [
        head + "{}," * (room // 3) + "{}" + tail,
        head + '{"time":[' + "[]," * (room // 3 - 20) + "[]]}" + tail,
        head + "{" + ",".join(f'"{k}":0' for k in range(room // 11)) + "}" + tail,
        head + '{"time": 0, "gait": "' + "a" * (room - 40) + '"}' + tail,
        head + '{"time":NaN},' * (room // 13) + '{"time":0}' + tail,
        "[" * (MOST_BYTES + 1),
    ]
    for content in costly:
        path = written(tmp_path, content)
        start = time.process_time()
        with pytest.raises(LoadError):
            load_commands(path)
        assert time.process_time() - start < 5.0
    tracemalloc.start()
    with pytest.raises(LoadError, match=f"a file of commands has at most {MOST_BYTES} bytes"):
        load_commands("/dev/zero")
    assert tracemalloc.get_traced_memory()[1] < 4 * MOST_BYTES
    tracemalloc.stop()


def test_the_longest_can_be_read(tmp_path: Path) -> None:
    many = [{"time": k / 60, "heading_deg": 10.5, "step_length": 0.7} for k in range(MOST)]
    assert len(load_commands(written(tmp_path, commands(*many)))) == MOST
    with pytest.raises(LoadError, match=f"commands: must be at most {MOST}, not {MOST + 1}"):
        load_commands(written(tmp_path, commands(*many, {"time": 1e4})))


class TestInMemory:
    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"time": None}, "time must be a number, not nothing"),
            ({"time": -1.0}, "time must be 0 to 86400 s, not -1"),
            ({"time": float("nan")}, "time must be a finite number, not nan"),
            ({"time": 0.0, "heading": float("inf")}, "heading must be a finite number, not inf"),
            ({"time": 0.0, "heading": 0.0, "turn": 0.0}, "turn cannot stand beside heading"),
            ({"time": 0.0, "turn": "left"}, "turn must be a number, not 'left'"),
            ({"time": 0.0, "turn": 1e6}, "turn must be -628.319 to 628.319 rad, not 1e+06"),
            ({"time": 0.0, "gait": 3}, "gait must be the name of a gait"),
        ],
    )
    def test_what_is_no_command(self, fields: dict[str, Any], sentence: str) -> None:
        with pytest.raises(RequestError, match=re.escape(sentence)):
            Command(**fields)

    def test_numbers_of_other_kinds_are_floats(self) -> None:
        found = Command(np.float32(1), turn=np.int64(2))  # type: ignore[arg-type]
        assert (type(found.time), type(found.turn)) == (float, float)

    def test_order(self) -> None:
        kept = (Command(0.0), Command(0.5))
        assert in_order(iter(kept)) == kept
        with pytest.raises(RequestError, match=re.escape("commands[1].time must come after")):
            in_order(reversed(kept))
