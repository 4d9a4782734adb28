"""glTF animation channels as frames at a steady rate: linear, step and cubic-spline samplers.

Keys may lie anywhere in time and differ from channel to channel; frames lie at one rate for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.gltf_container import Animation, Gltf
from footfall.formats.take import ALLOWANCE, EXPANSION
from footfall.geometry import quaternion as quat

WIDTHS = {"rotation": 4, "translation": 3}
COMMON_RATES = (
    23.976023976,
    24.0,
    25.0,
    29.97002997,
    30.0,
    48.0,
    50.0,
    59.94005994,
    60.0,
    90.0,
    100.0,
    120.0,
    240.0,
)
FALLBACK_RATE = 30.0


@dataclass(frozen=True, eq=False)
class Track:
    """Keys of one node's rotation (w, x, y, z) or translation; tangents only for cubic splines."""

    times: Float[np.ndarray, "keys"]
    values: Float[np.ndarray, "keys width"]
    mode: str
    tangents: tuple[Float[np.ndarray, "keys width"], Float[np.ndarray, "keys width"]] | None = None


Tracks = Mapping[tuple[int, str], Track]


def tracks_of(gltf: Gltf, animation: Animation, size: int, notes: list[str]) -> dict[tuple[int, str], Track]:
    """The tracks of all nodes that turn or move; `size` are the file's bytes."""
    tracks: dict[tuple[int, str], Track] = {}
    budget = ALLOWANCE + EXPANSION * size
    read = cache(gltf.array)  # samplers mostly share their times
    for channel in animation.channels:
        node, path = channel.target.node, channel.target.path
        if node is None or path not in WIDTHS:
            if path == "scale":
                notes.append("animated scales are not read")
            continue
        if not 0 <= node < len(gltf.document.nodes) or not 0 <= channel.sampler < len(animation.samplers):
            raise LoadError("an animation channel refers to a node or sampler that is not there")
        sampler = animation.samplers[channel.sampler]
        times = read(sampler.input)[:, 0]
        if (np.diff(times) < 0).any():
            raise LoadError(f"the times of accessor {sampler.input} do not increase")
        tracks[node, path] = _track(times, read(sampler.output), sampler.interpolation, path)
        budget -= times.nbytes + tracks[node, path].values.nbytes
        if budget < 0:  # many accessors may lie over the same bytes
            raise LoadError(f"the animation's tracks cannot come from {size} bytes")
    return tracks


def _track(times: Float[np.ndarray, "keys"], output: np.ndarray, mode: str, path: str) -> Track:
    keys = len(times)
    if mode not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise LoadError(f"the interpolation {mode[:40]!r} is unknown")
    wanted = 3 * keys if mode == "CUBICSPLINE" else keys
    if output.shape != (wanted, WIDTHS[path]):
        raise LoadError(f"a {path} sampler holds {len(output)} values for {keys} times")
    values = np.roll(output, 1, axis=-1) if path == "rotation" else output
    if mode == "CUBICSPLINE":
        before, values, after = values[0::3], values[1::3], values[2::3]
        return Track(times, values, mode, (before, after))
    return Track(times, quat.normalize(values) if path == "rotation" else values, mode)


@dataclass(frozen=True)
class Timing:
    """When the frames are: counted before they are made, for a file can announce any number."""

    first: float
    frames: int
    rate: float | None

    @property
    def times(self) -> Float[np.ndarray, "frames"]:
        return self.first + np.arange(self.frames) / (self.rate or 1.0)


def timing_of(tracks: Tracks, stated: float | None) -> Timing:
    """The rate is as stated in our own files, else that of the densest track."""
    if not tracks:
        return Timing(0.0, 0, stated)
    first = min(float(track.times[0]) for track in tracks.values())
    last = max(float(track.times[-1]) for track in tracks.values())
    densest = max(tracks.values(), key=lambda track: len(track.times))
    rate = stated or _rate_of(densest.times)
    # a frame that ends a hundredth of a frame after the last key is the last key
    return Timing(first, int(np.floor((last - first) * rate + 1e-2)) + 1, rate)


def _rate_of(times: Float[np.ndarray, "keys"]) -> float:
    steps = np.diff(times)
    steps = steps[steps > 1e-6]
    if not len(steps):
        return FALLBACK_RATE
    rate = 1.0 / float(np.median(steps))
    nearest = min(COMMON_RATES, key=lambda common: abs(common - rate))
    if abs(nearest - rate) < 2e-3 * rate:
        return nearest
    steady = float(np.ptp(steps)) < 0.05 * float(np.median(steps))
    return rate if steady and 5.0 <= rate <= 1000.0 else FALLBACK_RATE


def sample(track: Track, times: Float[np.ndarray, "frames"]) -> Float[np.ndarray, "frames width"]:
    """Values at any times, held before the first and after the last key."""
    keys = track.times
    if len(keys) == len(times) and track.tangents is None and np.allclose(keys, times, rtol=1e-6, atol=1e-6):
        return track.values  # every frame is a key: nothing is lost to the rounding of stored times
    # keys are stored in single precision: a frame on a key must not fall to its left by rounding
    place = np.clip(times, keys[0], keys[-1])
    i = np.clip(np.searchsorted(keys, place + 1e-6 * (1 + np.abs(place)), side="right") - 1, 0, len(keys) - 1)
    j = np.minimum(i + 1, len(keys) - 1)
    step = keys[j] - keys[i]
    t = np.clip(np.where(step > 0, (place - keys[i]) / np.where(step > 0, step, 1.0), 0.0), 0.0, 1.0)
    rotation = track.values.shape[1] == WIDTHS["rotation"]
    if track.mode == "STEP":
        return track.values[i]
    if track.tangents is not None:
        values = _hermite(track, i, j, t[:, None], step[:, None])
        return quat.normalize(values) if rotation else values
    if rotation:
        return quat.slerp(track.values[i], track.values[j], t)
    return track.values[i] * (1 - t[:, None]) + track.values[j] * t[:, None]


def _hermite(
    track: Track, i: np.ndarray, j: np.ndarray, t: Float[np.ndarray, "n 1"], step: Float[np.ndarray, "n 1"]
) -> Float[np.ndarray, "n width"]:
    """The cubic of glTF's specification: tangents are rates, so they count by the step between keys."""
    assert track.tangents is not None
    before, after = track.tangents
    t2, t3 = t * t, t * t * t
    return (
        (2 * t3 - 3 * t2 + 1) * track.values[i]
        + step * (t3 - 2 * t2 + t) * after[i]
        + (3 * t2 - 2 * t3) * track.values[j]
        + step * (t3 - t2) * before[j]
    )
