"""An example keeps its moments in order and its parameters numbers, and cannot be changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat


@pytest.fixture(scope="module")
def motion() -> Motion:
    body = humanoid()
    return Motion(body, np.zeros((3, 3)), np.tile(quat.identity(len(body)), (3, 1, 1)), 60.0)


def test_it_holds_numbers_whatever_they_were(motion: Motion) -> None:
    made = Example(motion, [0, np.float32(0.5), 0.5], {"speed": np.int64(2), "turn": 0}, "walk", "first")
    assert made.keytimes == (0.0, 0.5, 0.5)
    assert dict(made.parameters) == {"speed": 2.0, "turn": 0.0}
    assert all(type(v) is float for v in (*made.keytimes, *made.parameters.values()))
    assert "first: speed 2, turn 0" in repr(made)
    assert "walk" in repr(Example(motion, kind="walk"))


def test_it_cannot_be_changed(motion: Motion) -> None:
    asked = {"speed": 1.0}
    made = Example(motion, (0.0,), asked)
    asked["speed"] = 9.0
    assert made.parameters["speed"] == 1.0
    with pytest.raises(TypeError):
        made.parameters["speed"] = 2.0  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        made.keytimes = ()  # type: ignore[misc]


@pytest.mark.parametrize("keytimes", [(1.0, 0.5), (0.0, np.nan), (np.inf,), (0.0, 2.0, 1.999999)])
def test_keytimes_that_go_back_are_refused(motion: Motion, keytimes: tuple[float, ...]) -> None:
    with pytest.raises(RequestError, match="keytimes must not decrease"):
        Example(motion, keytimes)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_parameters_that_are_no_numbers_are_refused(motion: Motion, value: float) -> None:
    with pytest.raises(RequestError, match="parameters must be numbers"):
        Example(motion, parameters={"speed": value})
