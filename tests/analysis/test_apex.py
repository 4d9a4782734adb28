"""Jumps and reaches against what is known of the captures; strike frames against detected contacts."""

from __future__ import annotations

import re

import numpy as np
import pytest

from footfall.analysis.apex import detect_jumps, reach_apex
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.analysis.strikes import strike_frames
from footfall.errors import RequestError
from footfall.formats.load import load_capture, load_motion
from tests.captures import FOLDER, captures


def jump_table() -> list[tuple[str, float, float]]:
    """File, length and pelvis apex of each jump, as the captures' README measured them."""
    if not FOLDER.is_dir():
        return []
    text = (FOLDER / "README.md").read_text().split("## jump/")[1].split("## reach/")[0]
    rows = re.findall(r"^\| (\S+\.(?:bvh|skm)) \|(.*)\|$", text, re.MULTILINE)
    cells = [(name, [cell.strip() for cell in rest.split("|")]) for name, rest in rows]
    return [(name, float(c[4]), float(c[5])) for name, c in cells]


@pytest.mark.parametrize(("name", "length", "height"), jump_table())
def test_standing_jumps_are_measured(name: str, length: float, height: float) -> None:
    motion = load_motion(captures(f"jump/{name}"))
    jumps = detect_jumps(motion, detect_contacts(motion))
    assert len(jumps) == 1
    assert jumps[0].length == pytest.approx(length, abs=0.02)
    assert jumps[0].height == pytest.approx(height, abs=0.03)
    assert abs(jumps[0].rise) < 0.05
    assert jumps[0].takeoff < jumps[0].apex < jumps[0].landing


def test_a_walk_has_no_flight() -> None:
    motion = load_motion(captures("walk/16_16.bvh"))
    assert detect_jumps(motion, detect_contacts(motion)) == ()


@pytest.mark.parametrize("name", ["ForwardFloor", "ForwardHigh", "ForwardLow", "BackMediumNear", "Left30Low"])
def test_reaches_peak_where_their_files_mark_it(name: str) -> None:
    capture = load_capture(captures(f"reach/ChrGarza@IdleStand01_Reach{name}01.skm"))
    apex = reach_apex(capture.motion, "right") / capture.motion.fps
    assert apex == pytest.approx(capture.instants["emphasis"], abs=0.12)


@pytest.mark.parametrize("name", ["16_16", "16_47", "07_01", "136_21"])
def test_strikes_of_one_cycle_lie_in_the_plants(name: str) -> None:
    motion = load_motion(captures(f"walk/{name}.bvh"))
    plants = detect_plants(motion, detect_contacts(motion))
    own = [p for p in plants if p.foot == "right" and p.whole]
    own = [p for p in own if p.start > 0.1 * motion.fps]
    start = own[0].start - round(0.1 * motion.fps)
    following = [p.start for p in plants if p.foot == "right" and p.start > own[0].start]
    cycle = motion[start : following[0] - round(0.1 * motion.fps)]
    left, right = strike_frames(cycle)
    contacts = detect_contacts(motion)
    assert contacts.stands("left")[start + left]
    assert contacts.stands("right")[start + right]
    apart = abs(left - right) / len(cycle)
    assert abs(min(apart, 1 - apart) - 0.5) < 0.12


def test_no_strike_without_a_cycle() -> None:
    motion = load_motion(captures("walk/16_16.bvh"))
    with pytest.raises(RequestError, match="gait cycle"):
        strike_frames(motion[:4])
    assert np.isfinite(motion.positions).all()
