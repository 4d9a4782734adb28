"""Plants and steps as `inspect` tells them: the keys of its JSON (docs/steps.md) and a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.facing import trunk_headings
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import HIGH_NAMES, Step, detect_steps
from footfall.analysis.warnings import find_warnings
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import ground

KEYTIMES = ("start", "toe_off", "heel_strike", "end")
GENERAL_NAMES = ("x_start", "y_start", "z_start", "x_end", "y_end", "z_end", "turn")
ANGLES = ("theta1", "theta2", "turn")
MOST_ROWS = 24


@dataclass(frozen=True, eq=False)
class Gait:
    """What was found in one motion."""

    motion: Motion
    plants: tuple[Plant, ...]
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, motion: Motion) -> Gait:
        """Contacts as the motion carries them, else detected; nothing for a figure without legs or frames."""
        contacts = motion.contacts
        if contacts is None:
            contacts = detect_contacts(motion) if motion.skeleton.sides else Contacts.none(len(motion))
        plants = detect_plants(motion, contacts)
        steps = detect_steps(motion, plants)
        return cls(motion, plants, steps, tuple(find_warnings(motion, contacts, plants, steps)))

    def plant_values(self) -> list[dict[str, object]]:
        return [_plant(plant, self.motion.fps) for plant in self.plants]

    def step_values(self) -> list[dict[str, object]]:
        trunk = trunk_headings(self.motion) if self.steps else np.zeros(0)
        return [_step(step, self.motion.fps, float(trunk[step.keytimes[1]])) for step in self.steps]

    def lines(self) -> Iterator[str]:
        """A short table of the steps."""
        yield f"  {len(self.plants)} plants, {len(self.steps)} steps"
        values = self.step_values()
        if values:
            yield "    at s   foot   kind      length m  stride m  rise m  swing s  direction deg  turn deg"
        for step in values[:MOST_ROWS]:
            yield _line(step)
        if len(values) > MOST_ROWS:
            yield f"    and {len(values) - MOST_ROWS} more (all of them with --json)"


def _plant(plant: Plant, fps: float) -> dict[str, object]:
    flat = plant.flat
    return {
        "foot": plant.foot,
        "start_s": plant.start / fps,
        "end_s": plant.end / fps,
        "flat_start_s": None if flat is None else flat[0] / fps,
        "flat_end_s": None if flat is None else flat[1] / fps,
        "heel_first": plant.heel_first,
        "position": [float(x) for x in plant.position],
        "heading_deg": _degrees(plant.heading),
        "level_m": plant.level,
        "pitch_deg": _degrees(plant.pitch),
        "whole": plant.whole,
    }


def _step(step: Step, fps: float, trunk: float) -> dict[str, object]:
    forward, turning, left = step.velocity
    high = _named(HIGH_NAMES, step.high)
    general = _named(GENERAL_NAMES, step.general)
    return {
        "foot": step.foot,
        "kind": step.kind,
        "keytimes_s": {name: frame / fps for name, frame in zip(KEYTIMES, step.keytimes, strict=True)},
        "length_m": step.length,
        "stride_m": float(np.linalg.norm(step.travel[[0, 2]])),
        "rise_m": step.rise,
        "direction_deg": _degrees(float(ground.wrap(ground.heading_of(step.travel) - trunk))),
        "swing_s": high["swing"],
        "stance_s": high["stance2"],
        "support_s": high["support"],
        "clearance_m": step.clearance,
        "turn_deg": general["turn_deg"],
        "speed_m_s": forward,
        "turn_rate_deg_s": _degrees(turning),
        "side_speed_m_s": left,
        "high": high,
        "general": general,
    }


def _named(names: Sequence[str], values: np.ndarray) -> dict[str, float]:
    """By name; angles in degrees, under a name that says so."""
    return {
        f"{name}_deg" if name in ANGLES else name: _degrees(value) if name in ANGLES else float(value)
        for name, value in zip(names, values, strict=True)
    }


def _degrees(radians: float) -> float:
    return float(np.degrees(radians))


def _line(step: dict[str, object]) -> str:
    times = step["keytimes_s"]
    assert isinstance(times, dict)
    return (
        f"  {times['toe_off']:6.2f}   {step['foot']:<6} {step['kind']:<9} {step['length_m']:8.2f}"
        f"  {step['stride_m']:8.2f} {step['rise_m']:+7.2f}  {step['swing_s']:7.2f}"
        f"  {step['direction_deg']:13.0f}  {step['turn_deg']:8.0f}"
    )
