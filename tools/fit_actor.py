"""Fits the virtual actor's curves: averages over captured cycles of several people, as coefficients.

    python tools/fit_actor.py [CAPTURES] [-o src/footfall/actor/curves.json]

Every clip is brought onto the actor's figure, cut into cycles at the left foot's strikes (right ones are
mirrored), and sorted into families: walk, run, back, side, up, down. In each family every joint's turn away
from rest is a Fourier series of phase whose coefficients depend linearly on speed, turn rate and slope. What
is written are averages; no clip and no frame of one goes into the file.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from footfall import calibrate_feet, detect_contacts, detect_plants, level_floor, load_motion, mirror, retarget
from footfall.actor.curves import FEATURES, ORDER, POSTURE, SCALARS, features_of
from footfall.actor.humanoid import humanoid
from footfall.actor.swing import TERMS, bubbles
from footfall.analysis.cycles import Cycle, detect_cycles
from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant
from footfall.errors import FootfallError, RequestError
from footfall.figure.motion import Motion
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat

FOLDERS = ("walk", "run", "turn-side-back", "stairs-uneven", "locomotion-set")
LEVEL = ("walk", "run", "turn-side-back")  # captured on one floor
# stepping over, running over blocks, and walks with a turn on the spot are no steady gaits
LEFT_OUT = ("143_16", "127_34", "127_35", "Turn180", "Turn90", "ToIdle", "ToWalk", "Step")
PHASES = 96
RIDGE = 0.02
DIGITS = 5


@dataclass(frozen=True)
class Sample:
    """One cycle as the fit sees it."""

    clip: str
    person: str
    family: str
    features: dict[str, float]
    posture: np.ndarray  # (PHASES, channels, 3)
    height: np.ndarray  # (PHASES,)
    scalars: dict[str, np.ndarray]


def clips(folder: Path) -> Iterator[tuple[str, str, Motion]]:
    """Path, person and motion on the actor's figure."""
    figure = humanoid()
    with (folder / "MANIFEST.csv").open(newline="") as lines:
        rows = [row for row in DictReader(lines) if row["file"].split("/")[0] in FOLDERS and row["steps"]]
    for row in rows:
        if any(word in row["file"] for word in LEFT_OUT):
            continue
        try:
            motion = load_motion(folder / row["file"], fps=float(row["fps_true"]))
            motion = replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))
            if row["file"].split("/")[0] in LEVEL:
                motion = level_floor(motion)
            yield row["file"], row["skeleton"], retarget(motion, figure)
        except FootfallError as error:
            print(f"{row['file']}: left out ({error})")


def family_of(cycle: Cycle) -> str | None:
    if abs(cycle.turn_rate) > np.radians(100.0) or cycle.width > 0.45:
        return None
    if abs(cycle.rise) > 0.06:
        return ("up" if cycle.rise > 0 else "down") if 0.3 < cycle.speed < 1.6 else None
    if abs(cycle.side_speed) > 0.3 and abs(cycle.side_speed) > abs(cycle.speed):
        return "side" if abs(cycle.side_speed) < 1.0 else None
    if cycle.speed < -0.3:
        return "back"
    if cycle.speed > 2.0:
        return "run" if cycle.stride > 1.2 and abs(cycle.side_speed) < 0.6 else None
    return "walk" if 0.6 < cycle.speed < 1.95 and cycle.double_support > 0.0 else None


def samples(clip: str, person: str, motion: Motion) -> Iterator[Sample]:
    for seen in (motion, mirror(motion)):
        contacts = detect_contacts(seen)
        plants = detect_plants(seen, contacts)
        for cycle in detect_cycles(seen, contacts, plants):
            family = family_of(cycle)
            own = {p.start: p for p in plants if p.foot == "left"}
            if cycle.foot == "left" and family and own[cycle.start].flat is not None:
                yield sample(clip, person, family, seen, cycle, own[cycle.start], own[cycle.end])


def sample(
    clip: str, person: str, family: str, motion: Motion, cycle: Cycle, plant: Plant, landing: Plant
) -> Sample:
    frames = np.linspace(cycle.start, cycle.end, PHASES, endpoint=False)
    share = np.linspace(0.0, 1.0, PHASES, endpoint=False)
    headings = np.unwrap(root_headings(motion))
    way = headings[cycle.start] + share * (headings[cycle.end] - headings[cycle.start])
    before = np.floor(frames).astype(int)
    after = np.minimum(before + 1, len(motion) - 1)
    turns = []
    for role in POSTURE:
        joint = motion.skeleton.index(role)
        local = quat.slerp(motion.rotations[before, joint], motion.rotations[after, joint], frames - before)
        if role == "hips":
            local = quat.multiply(ground.turn(-way), local)
        turns.append(quat.log(np.where(local[:, :1] < 0, -local, local)))
    leg = motion.skeleton.leg_length()
    level = plant.level + share * (landing.level - plant.level)
    hips = np.interp(frames, np.arange(len(motion)), motion.root[:, 1])
    return Sample(
        clip,
        person,
        family,
        features_of(cycle.speed, cycle.side_speed, cycle.turn_rate, cycle.slope),
        np.stack(turns, axis=1),
        (hips - level) / leg,
        scalars_of(motion, cycle, plant, landing),
    )


def scalars_of(motion: Motion, cycle: Cycle, plant: Plant, landing: Plant) -> dict[str, np.ndarray]:
    """Timing, pitches and the swing's bubbles of one cycle."""
    frames = cycle.end - cycle.start
    foot = motion.skeleton.joint("left_foot")
    forward = quat.rotate(motion.orientations[:, foot], ground.FORWARD)
    pitch, yaw = np.arcsin(np.clip(forward[:, 1], -1, 1)), ground.heading_of(forward)
    rate = np.gradient(pitch) * motion.fps
    assert plant.flat is not None
    first, last = cycle.toe_off, cycle.end
    ankle = motion.positions[:, foot]
    u = (np.arange(first, last + 1) - first) / (last - first)
    seconds = (last - first) / motion.fps
    speed = np.gradient(ankle, axis=0) * motion.fps

    def beyond(values: np.ndarray, rates: np.ndarray) -> np.ndarray:
        plain = easing.hermite(u, values[0], values[-1], rates[0] * seconds, rates[-1] * seconds)
        return np.linalg.lstsq(bubbles(u), values - plain, rcond=None)[0]

    covered = (ankle[last] - ankle[first]) * np.array([1.0, 0.0, 1.0])
    length = float(np.linalg.norm(covered))
    ahead = covered / max(length, 1e-6)
    outward = np.array([ahead[2], 0.0, -ahead[0]])
    heading = np.unwrap(root_headings(motion))[cycle.start : first].mean()
    inside = slice(first, last + 1)
    leg = motion.skeleton.leg_length()

    def of(axis: np.ndarray) -> np.ndarray:
        return beyond(ankle[inside] @ axis, speed[inside] @ axis)

    return {
        "period": np.array([frames / motion.fps]),
        "stride": np.array([cycle.stride]),
        "stance": np.array([(first - cycle.start) / frames]),
        "flat": np.array([(plant.flat[0] - cycle.start) / frames]),
        "lift": np.array([(plant.flat[1] - cycle.start) / frames]),
        "strike_pitch": pitch[[last]],
        "strike_rate": rate[[last]],
        "off_pitch": pitch[[first]],
        "off_rate": rate[[first]],
        "width": np.array([cycle.width]),
        "toe_out": ground.wrap(yaw[[(plant.flat[0] + plant.flat[1]) // 2]] - heading),
        "along": of(ahead) / max(length, 0.05),
        "up": of(ground.UP) / leg,
        "out": of(outward) / leg,
        "pitch": beyond(pitch[inside], rate[inside]),
    }


def fourier(values: np.ndarray) -> np.ndarray:
    """(PHASES, ...) to (2 ORDER + 1, ...): mean, then cosine and sine of each harmonic."""
    spectrum = np.fft.rfft(values, axis=0) / len(values)
    parts = [spectrum[0].real]
    for k in range(1, ORDER + 1):
        parts += [2.0 * spectrum[k].real, -2.0 * spectrum[k].imag]
    return np.stack(parts)


def weights(found: list[Sample]) -> np.ndarray:
    """Every person counts alike, and every clip of a person."""
    by_clip = Counter(s.clip for s in found)
    people = {person: len({s.clip for s in found if s.person == person}) for person in {s.person for s in found}}
    return np.array([1.0 / (by_clip[s.clip] * np.sqrt(people[s.person])) for s in found])


def regress(design: np.ndarray, values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weighted ridge regression; the constant is not held back. (n, f), (n, k) -> (f, k)."""
    root = np.sqrt(weight / weight.sum())[:, None]
    spread = np.sqrt((design**2 * root**2).sum(axis=0))
    held = RIDGE * spread * (np.arange(design.shape[1]) > 0)
    left = np.concatenate([design * root, np.diag(held)])
    right = np.concatenate([values * root, np.zeros((design.shape[1], values.shape[1]))])
    # captures have outliers: three rounds of downweighting what lies far off
    found = np.linalg.lstsq(left, right, rcond=None)[0]
    return found


def family_table(family: str, found: list[Sample]) -> dict[str, object]:
    names = FEATURES[family]
    design = np.array([[1.0, *(s.features[n] for n in names)] for s in found])
    weight = weights(found)
    posture = np.array([fourier(s.posture) for s in found])
    shape = posture.shape[1:]
    fitted = regress(design, posture.reshape(len(found), -1), weight).reshape(-1, *shape)
    height = regress(design, np.array([fourier(s.height) for s in found]), weight)
    table: dict[str, object] = {
        "cycles": len(found),
        "clips": len({s.clip for s in found}),
        "people": len({s.person for s in found}),
        "bounds": {n: np.percentile([s.features[n] for s in found], [4, 96]) for n in names},
        "posture": {role: fitted[:, :, k] for k, role in enumerate(POSTURE)},
        "height": height,
    }
    for name in SCALARS:
        table[name] = regress(design, np.array([s.scalars[name] for s in found]), weight)
    return table


def standing(folder: Path) -> dict[str, object]:
    """The posture of people who stand and wait: the mean over quiet clips."""
    figure = humanoid()
    rows = []
    for file in ("idle/77_02.bvh", "locomotion-set/ChrMarine@Idle01.skm"):
        motion = load_motion(folder / file)
        motion = retarget(replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion])), figure)
        for seen in (motion, mirror(motion)):
            turn = ground.turn(-root_headings(seen))
            rows.append(
                [
                    quat.log(
                        quat.multiply(turn, seen.rotations[:, 0]) if r == "hips" else seen.rotations[:, figure.index(r)]
                    ).mean(axis=0)
                    for r in POSTURE
                ]
            )
    mean = np.mean(rows, axis=0)
    return {role: mean[k] for k, role in enumerate(POSTURE)}


def plain(value: object) -> object:
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return np.round(value, DIGITS).tolist() if isinstance(value, np.ndarray) else value


def main() -> None:
    here = Path(__file__).parents[1]
    default = os.environ.get("FOOTFALL_DATA") or here.parent / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="?", type=Path, default=Path(default))
    parser.add_argument("-o", "--out", type=Path, default=here / "src/footfall/actor/curves.json")
    asked = parser.parse_args()
    if not asked.captures.is_dir():
        raise RequestError(f"{asked.captures} is no folder of captures")
    found = [s for clip in clips(asked.captures) for s in samples(*clip)]
    families = {}
    for family in FEATURES:
        own = [s for s in found if s.family == family]
        families[family] = family_table(family, own)
        people = len({s.person for s in own})
        print(f"{family}: {len(own)} cycles of {len({s.clip for s in own})} clips, {people} people")
    out = {"version": 1, "stand": standing(asked.captures), "families": families}
    asked.out.write_text(json.dumps(plain(out), separators=(",", ":")) + "\n")
    print(f"{asked.out}: {asked.out.stat().st_size / 1000:.0f} kB; {TERMS} bubbles a swing curve")


if __name__ == "__main__":
    main()
