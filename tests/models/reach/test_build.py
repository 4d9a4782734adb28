"""Libraries from examples and from clips: what is taken, what is mirrored, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.errors import RequestError
from footfall.models.reach.build import build_reach
from tests.captures import needs_captures
from tests.models.reach.libraries import bare_library, captured_library, session


def one_arm(arm: float) -> list[ff.Example]:
    return [e for e in session() if e.parameters["arm"] == arm and e.parameters["seat"] == 0.0]


def test_sets_are_by_hand_and_posture() -> None:
    library = bare_library()
    sizes = {name: len(one.examples) for name, one in library.by_name.items()}
    # of the right hand the one of the hands' session with an open hand, too
    assert sizes == {
        "left_standing": 16,
        "right_standing": 17,
        "both_standing": 1,
        "left_sitting": 3,
        "right_sitting": 3,
    }
    assert set(library.space) == set(sizes)
    assert library.space is library.spaces


def test_an_arm_without_examples_is_the_others_mirror() -> None:
    library = build_reach(one_arm(-1.0), pseudo_examples=False)
    left, right = library.set_of("left"), library.set_of("right")
    assert_allclose(left.points, right.points * [-1.0, 1.0, 1.0], atol=1e-6)


def test_a_real_left_arm_is_kept() -> None:
    library = build_reach(one_arm(1.0) + one_arm(-1.0)[:5], pseudo_examples=False)
    assert len(library.set_of("left").examples) == 16
    assert len(library.set_of("right").examples) == 5


def test_clips_are_as_good_as_examples() -> None:
    """The same reaches as clips that know nothing: hand, posture and apex are found."""
    known = [e for e in session() if "reach_" in e.name][::4]
    library = build_reach([e.motion for e in known], pseudo_examples=False)
    truth = build_reach(known, pseudo_examples=False)
    for hand in ("left", "right"):
        assert_allclose(library.set_of(hand).points, truth.set_of(hand).points, atol=0.02)
        for found, told in zip(library.set_of(hand).examples, truth.set_of(hand).examples, strict=True):
            assert_allclose(np.diff(found.keytimes)[[0, 2]], np.diff(told.keytimes)[[0, 2]], atol=0.35)


def test_clips_of_one_who_sits_and_of_both_hands_are_told() -> None:
    known = [e for e in session() if e.name.startswith(("sitting", "both"))]
    library = build_reach([e.motion for e in known], pseudo_examples=False)
    assert set(library.space) == {"both_standing", "left_sitting", "right_sitting"}


@needs_captures
def test_captures_are_cut_where_their_files_say() -> None:
    """Apexes are as low and as high as the clips' own marks put the wrist, some centimetres for the palm."""
    library = captured_library()
    assert {name: len(one.examples) for name, one in library.by_name.items()} == {
        "left_standing": 10,
        "right_standing": 10,
    }
    heights = np.sort(library.set_of("right").points[:, 1])
    assert_allclose(heights[[0, -1]], [0.09, 2.02], atol=0.08)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ([], "none were given"),
        ("reach", "a list of"),
        (None, "a list of"),
        ([1, 2], "not from a mixture"),
    ],
)
def test_refuses_what_is_no_source(source: object, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        build_reach(source)  # type: ignore[arg-type]


def test_refuses_examples_that_do_not_say_enough() -> None:
    example = one_arm(-1.0)[0]
    with pytest.raises(RequestError, match="its arm"):
        build_reach([replace(example, parameters={})])
    with pytest.raises(RequestError, match="four keytimes"):
        build_reach([replace(example, keytimes=example.keytimes[:3])])
    with pytest.raises(RequestError, match="none of the examples is a reach"):
        build_reach([replace(example, kind="jump")])
    with pytest.raises(RequestError, match="fps must be"):
        build_reach([example], fps=1.0)


def test_refuses_clips_that_show_none() -> None:
    actor = ff.VirtualActor()
    with pytest.raises(RequestError, match="clip 1 shows no reach"):
        build_reach([actor.idle(2.0).motion])
    with pytest.raises(RequestError, match="feet do not stay"):
        build_reach([actor.walk(1.3, steps=4).motion])


def test_progress_is_told() -> None:
    heard: list[tuple[str, float]] = []
    build_reach(one_arm(-1.0)[:3], pseudo_examples=False, progress=lambda *a: heard.append(a))
    assert [share for _, share in heard] == sorted(share for _, share in heard)
    assert any("right standing" in what for what, _ in heard)
