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

from footfall import (
    calibrate_feet,
    detect_contacts,
    detect_plants,
    level_floor,
    load_motion,
    mirror,
    retarget,
)
from footfall.actor.curves import FEATURES, ORDER, POSTURE, SCALARS, features_of, harmonics
from footfall.actor.gait.jump_curves import KNOTS, generic_time
from footfall.actor.gait.stance import TERMS, bubbles
from footfall.actor.humanoid import humanoid
from footfall.analysis.apex import detect_jumps
from footfall.analysis.cycles import Cycle, detect_cycles
from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant
from footfall.errors import FootfallError, RequestError
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat

FOLDERS = ("walk", "run", "turn-side-back", "stairs-uneven", "locomotion-set")
LEVEL = ("walk", "run", "turn-side-back")  # captured on one floor
# stepping over, running over blocks, and walks with a turn on the spot are no steady gaits
MEANS_ONLY = ("down",)  # too few cycles to see how they depend on anything
LEFT_OUT = ("143_16", "127_34", "127_35", "Turn180", "Turn90", "ToIdle", "ToWalk", "Step")
PHASES = 96
RIDGE = 0.02
UNSTEADY = 0.22  # of the speed
STRAIGHT = np.radians(25.0)  # a second: what turns less counts more
FLAT = np.radians(2.5)
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


def clips(folder: Path) -> Iterator[tuple[str, str, Motion, Motion]]:
    """Path, person, motion as captured (calibrated, levelled) and on the actor's figure."""
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
            yield row["file"], row["skeleton"], motion, retarget(motion, figure)
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


def steady(motion: Motion, cycle: Cycle) -> bool:
    """Neither starting nor stopping: both halves of the cycle are about as fast."""
    middle = (cycle.start + cycle.end) // 2
    way = motion.root[[cycle.start, middle, cycle.end]][:, [0, 2]]
    first, second = np.linalg.norm(np.diff(way, axis=0), axis=1) / (middle - cycle.start, cycle.end - middle)
    return bool(abs(first - second) < UNSTEADY * 0.5 * (first + second))


def samples(clip: str, person: str, captured: Motion, motion: Motion) -> Iterator[Sample]:
    height = hips_over_soles(captured)
    for seen, own_feet in ((motion, captured), (mirror(motion), mirror(captured))):
        pitch = sole_pitch(own_feet)
        contacts = detect_contacts(seen)
        plants = detect_plants(seen, contacts)
        for cycle in detect_cycles(seen, contacts, plants):
            family = family_of(cycle)
            own = {p.start: p for p in plants if p.foot == "left"}
            if family not in ("up", "down") and not steady(seen, cycle):
                continue
            if cycle.foot == "left" and family and own[cycle.start].flat is not None:
                yield sample(
                    clip, person, family, seen, height, pitch, cycle, own[cycle.start], own[cycle.end]
                )


def sample(
    clip: str,
    person: str,
    family: str,
    motion: Motion,
    height: np.ndarray,
    pitch: np.ndarray,
    cycle: Cycle,
    plant: Plant,
    landing: Plant,
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
    # the ground under the body: halfway between both feet in the middle of the double support
    level = plant.level + (share - 0.25 - 0.25 * cycle.double_support) * (landing.level - plant.level)
    hips = np.interp(frames, np.arange(len(motion)), height)
    return Sample(
        clip,
        person,
        family,
        features_of(cycle.speed, cycle.side_speed, cycle.turn_rate, cycle.slope),
        np.stack(turns, axis=1),
        (hips - level) / leg,
        scalars_of(motion, pitch, cycle, plant),
    )


def hips_over_soles(captured: Motion) -> np.ndarray:
    """The hips' height as the actor's figure would have it whose legs are bent as the captured ones are.

    Not read off the retargeted motion: real legs are all but straight, and retargeting makes room.
    """
    figure, own = humanoid(), captured.skeleton
    scale = figure.leg_length() / own.leg_length()
    joints = 0.5 * (captured.of("left_thigh") + captured.of("right_thigh"))[:, 1]
    depths = [
        np.mean([np.linalg.norm(s.foot_points(side).subtalar) for side in s.sides]) for s in (own, figure)
    ]
    over = -figure.offsets[figure.joint("left_thigh")][1]
    return scale * (joints - depths[0]) + depths[1] + over


def sole_pitch(captured: Motion) -> np.ndarray:
    """The left sole's pitch, toes up positive; as captured, for a pinned foot has lost some of its roll."""
    soles = sole_places(captured, "left")
    along = soles[:, 2] - soles[:, 0]
    # in the plane the body faces: the heel of a runner comes up until the sole is past the vertical
    forwards = np.sum(along * ground.direction_of(root_headings(captured)), axis=-1)
    aside = np.sum(along * ground.direction_of(root_headings(captured) + 0.5 * np.pi), axis=-1)
    level = np.where(forwards < -np.abs(aside), forwards, np.hypot(forwards, aside))
    return np.arctan2(along[:, 1], level)


def counterpart(seen: Sample) -> Sample:
    """The same cycle seen in a mirror, half a cycle later: people are as good as symmetric."""
    half = PHASES // 2
    swapped = [POSTURE.index(_other(role)) for role in POSTURE]
    # mirrored across the sagittal plane a rotation vector keeps x and changes y and z
    posture = np.roll(seen.posture, -half, axis=0)[:, swapped] * np.array([1.0, -1.0, -1.0])
    features = dict(seen.features)
    features["turn"], features["side"] = -features["turn"], -features["side"]
    return replace(seen, posture=posture, height=np.roll(seen.height, -half), features=features)


def _other(role: str) -> str:
    if role.startswith("left_"):
        return "right_" + role.removeprefix("left_")
    return "left_" + role.removeprefix("right_") if role.startswith("right_") else role


def scalars_of(motion: Motion, pitch: np.ndarray, cycle: Cycle, plant: Plant) -> dict[str, np.ndarray]:
    """Timing, pitches and the swing's bubbles of one cycle."""
    frames = cycle.end - cycle.start
    foot = motion.skeleton.joint("left_foot")
    forward = quat.rotate(motion.orientations[:, foot], ground.FORWARD)
    yaw = ground.heading_of(forward)
    rate = np.gradient(pitch) * motion.fps
    first, last = cycle.toe_off, cycle.end
    flat, lift = flat_stretch(pitch[cycle.start : first], plant)
    ankle = motion.positions[:, foot]
    speed = np.gradient(ankle, axis=0) * motion.fps

    covered = (ankle[last] - ankle[first]) * np.array([1.0, 0.0, 1.0])
    length = float(np.linalg.norm(covered))
    ahead = covered / max(length, 1e-6)
    outward = np.array([ahead[2], 0.0, -ahead[0]])
    heading = np.unwrap(root_headings(motion))[cycle.start : first].mean()
    inside = slice(first, last + 1)
    leg = motion.skeleton.leg_length()

    def of(axis: np.ndarray) -> np.ndarray:
        return beyond(ankle[inside] @ axis, speed[inside] @ axis, motion.fps)

    return {
        "period": np.array([frames / motion.fps]),
        "stride": np.array([cycle.stride]),
        "stance": np.array([(first - cycle.start) / frames]),
        "flat": np.array([flat / frames]),
        "lift": np.array([lift / frames]),
        "strike_pitch": pitch[[last]],
        "strike_rate": rate[[last]],
        "off_pitch": pitch[[first]],
        "off_rate": rate[[first]],
        "width": np.array([cycle.width]),
        "toe_out": ground.wrap(yaw[[cycle.start + (flat + lift) // 2]] - heading),
        "along": of(ahead) / max(length, 0.05),
        "up": of(ground.UP) / leg,
        "out": of(outward) / leg,
        "pitch": beyond(pitch[inside], rate[inside], motion.fps),
        "roll": rolling_off(pitch[cycle.start + lift : first + 1], rate[first], motion.fps),
    }


def beyond(values: np.ndarray, rates: np.ndarray, fps: float, terms: int = TERMS) -> np.ndarray:
    """The bubbles that lie over the cubic through both ends."""
    u = np.linspace(0.0, 1.0, len(values))
    seconds = (len(values) - 1) / fps
    cubic = easing.hermite(u, values[0], values[-1], rates[0] * seconds, rates[-1] * seconds)
    return np.linalg.lstsq(bubbles(u)[:, :terms], values - cubic, rcond=None)[0]


def rolling_off(pitch: np.ndarray, rate: float, fps: float) -> np.ndarray:
    """The same for a foot that rolls off from flat; a stance that never rolls has none."""
    if len(pitch) < 6:
        return np.zeros(TERMS)
    rates = np.array([*np.zeros(len(pitch) - 1), rate])
    # two bubbles: more would follow the noise of a few frames
    return 0.6 * np.array([*beyond(np.array([0.0, *pitch[1:]]), rates, fps, 2), 0.0, 0.0])


def flat_stretch(pitch: np.ndarray, plant: Plant) -> tuple[int, int]:
    """The frames of a stance, from its start, between which the sole lies flat within FLAT."""
    assert plant.flat is not None
    rest = np.median(pitch[plant.flat[0] - plant.start : plant.flat[1] - plant.start])
    near = np.flatnonzero(np.abs(pitch - rest) < FLAT)
    return int(near[0]), int(near[-1]) + 1


def fourier(values: np.ndarray) -> np.ndarray:
    """(PHASES, ...) to (2 ORDER + 1, ...): mean, then cosine and sine of each harmonic."""
    spectrum = np.fft.rfft(values, axis=0) / len(values)
    parts = [spectrum[0].real]
    for k in range(1, ORDER + 1):
        parts += [2.0 * spectrum[k].real, -2.0 * spectrum[k].imag]
    return np.stack(parts)


def weights(found: list[Sample]) -> np.ndarray:
    """Every clip counts alike, straight ones more."""
    by_clip = Counter(s.clip for s in found)
    straight = [0.15 + np.exp(-((s.features["turn"] / STRAIGHT) ** 2)) for s in found]
    return np.array([w / by_clip[s.clip] for w, s in zip(straight, found, strict=True)])


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
    if family in MEANS_ONLY:
        design[:, 1:] = 0.0
    weight = weights(found)
    posture = np.array([fourier(s.posture) for s in found])
    shape = posture.shape[1:]
    fitted = regress(design, posture.reshape(len(found), -1), weight).reshape(-1, *shape)
    height = regress(design, np.array([fourier(s.height) for s in found]), weight)
    height[:, 1:] *= restored(found, height, design)
    table: dict[str, object] = {
        "cycles": len(found) // 2,
        "clips": len({s.clip for s in found}),
        "people": len({s.person for s in found}),
        "bounds": {n: np.percentile([s.features[n] for s in found], [4, 96]) for n in names},
        "posture": {role: fitted[:, :, k] for k, role in enumerate(POSTURE)},
        "height": height,
    }
    for name in SCALARS:
        table[name] = regress(design, np.array([s.scalars[name] for s in found]), weight)
    return table


def restored(found: list[Sample], height: np.ndarray, design: np.ndarray) -> float:
    """What averaging took: people bob at slightly different phases, so the mean bobs less than anybody."""
    share = np.linspace(0.0, 1.0, PHASES, endpoint=False)
    fitted = (design @ height[:, 1:]) @ harmonics(share)[:, 1:].T
    own = np.array([np.ptp(s.height) for s in found])
    return float(np.clip(np.median(own / np.ptp(fitted, axis=1)), 1.0, 1.6))


def descending(down: dict[str, object], up: dict[str, object]) -> dict[str, object]:
    """The way down with the hips' height of the way up run backwards: there the strike is where the foot
    leaves here. Its own few cycles are of blocks, not of stairs."""
    leaves = down["stance"][0, 0]
    height = np.array(up["height"])
    for k in range(1, ORDER + 1):
        c, s = up["height"][:, 2 * k - 1], up["height"][:, 2 * k]
        angle = 2.0 * np.pi * k * leaves
        height[:, 2 * k - 1] = c * np.cos(angle) + s * np.sin(angle)
        height[:, 2 * k] = c * np.sin(angle) - s * np.cos(angle)
    height[2] *= -1.0  # of slope
    low, high = up["bounds"]["slope"]
    return down | {
        "height": height,
        "bounds": {"speed": up["bounds"]["speed"], "slope": np.array([-high, -low])},
    }


def jumps(folder: Path) -> dict[str, object]:
    """Standing jumps over generic time: weighted means over clips, linear in length and height."""
    figure = humanoid()
    design, turns, legs = [], [], []
    with (folder / "MANIFEST.csv").open(newline="") as lines:
        rows = [row for row in DictReader(lines) if row["file"].startswith("jump/") and row["steps"]]
    for row in rows:
        if "Left90" in row["file"]:
            continue
        motion = load_motion(folder / row["file"], fps=float(row["fps_true"]))
        motion = retarget(replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion])), figure)
        found = detect_jumps(motion, detect_contacts(motion))
        if not found:
            print(f"{row['file']}: no jump found")
            continue
        jump = max(found, key=lambda j: j.landing - j.takeoff)
        for seen in (motion, mirror(motion)):
            g = generic_time(seen.times, jump.takeoff / seen.fps, jump.landing / seen.fps)
            heading = ground.turn(-np.unwrap(root_headings(seen)).mean())
            local = np.stack(
                [
                    quat.multiply(heading, seen.rotations[:, 0])
                    if r == "hips"
                    else seen.rotations[:, figure.index(r)]
                    for r in POSTURE
                ],
                axis=1,
            )
            turned = quat.log(np.where(local[..., :1] < 0, -local, local))
            inside = (g > KNOTS[0]) & (g < KNOTS[-1])
            at = np.interp(KNOTS, g[inside], np.flatnonzero(inside))
            turns.append(np.stack([_sampled(turned[:, k], at) for k in range(len(POSTURE))], axis=1))
            reach = [
                np.linalg.norm(seen.of(f"{x}_foot") - seen.of(f"{x}_thigh"), axis=-1)
                for x in ("left", "right")
            ]
            legs.append(np.interp(at, np.arange(len(g)), np.mean(reach, axis=0)) / figure.leg_length())
            design.append([1.0, jump.length, jump.height])
    rows_ = np.array(design)
    weight = np.ones(len(rows_))
    fitted = regress(rows_, np.array(turns).reshape(len(rows_), -1), weight).reshape(3, *turns[0].shape)
    print(f"jump: {len(rows_) // 2} clips")
    return {
        "posture": {role: fitted[:, :, k] for k, role in enumerate(POSTURE)},
        "legs": regress(rows_, np.array(legs), weight),
        "bounds": np.percentile(rows_[:, 1:], [4, 96], axis=0).T,
    }


def _sampled(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.stack([np.interp(at, np.arange(len(values)), column) for column in values.T], axis=1)


def temper(posture: dict[str, np.ndarray], common: dict[str, np.ndarray]) -> None:
    slow = np.array([1.0, 0.9, 0.81, 0.0, 0.0])  # a walk at 0.9 m/s
    for role, table in posture.items():
        table[0, 0] += 0.5 * (slow @ common[role][:, 0] - table[0, 0])


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
                        quat.multiply(turn, seen.rotations[:, 0])
                        if r == "hips"
                        else seen.rotations[:, figure.index(r)]
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("captures", nargs="?", type=Path, default=Path(default))
    parser.add_argument("-o", "--out", type=Path, default=here / "src/footfall/actor/curves.json")
    asked = parser.parse_args()
    if not asked.captures.is_dir():
        raise RequestError(f"{asked.captures} is no folder of captures")
    found = [s for clip in clips(asked.captures) for s in samples(*clip)]
    families = {}
    for family in FEATURES:
        own = [s for s in found if s.family == family]
        own += [counterpart(s) for s in own]
        families[family] = family_table(family, own)
        people = len({s.person for s in own})
        print(f"{family}: {len(own) // 2} cycles of {len({s.clip for s in own})} clips, {people} people")
    # one person's habits are no average: half of what sets the posture apart from the walk's is taken
    for family, table in families.items():
        if table["people"] == 1:
            temper(table["posture"], families["walk"]["posture"])
    families["down"] = descending(families["down"], families["up"])
    out = {
        "version": 1,
        "stand": standing(asked.captures),
        "families": families,
        "jump": jumps(asked.captures),
    }
    asked.out.write_text(json.dumps(plain(out), separators=(",", ":")) + "\n")
    print(f"{asked.out}: {asked.out.stat().st_size / 1000:.0f} kB; {TERMS} bubbles a swing curve")


if __name__ == "__main__":
    main()
