"""DeepMimic clips: JSON rows of 44 numbers that move one fixed humanoid, in metres with Y up.

The humanoid faces +X with its right at +Z; everything is told here in footfall's axes, facing +Z with its
left at +X. Knees and elbows are hinges about the humanoid's z. Feet, hands and head end in added points.
"""

from __future__ import annotations

import msgspec
import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.take import Take, check_size
from footfall.geometry import quaternion as quat

# In the order of a frame's columns: parent, place on the parent (its own axes, m), numbers of the rotation.
# Wrists do not turn; they are joints so that the figure has hands.
HUMANOID: dict[str, tuple[str, tuple[float, float, float], int]] = {
    "root": ("", (0.0, 0.0, 0.0), 4),
    "chest": ("root", (0.0, 0.236151, 0.0), 4),
    "neck": ("chest", (0.0, 0.223894, 0.0), 4),
}
for _side, _z in (("right", 1.0), ("left", -1.0)):
    HUMANOID |= {
        f"{_side}_hip": ("root", (0.0, 0.0, _z * 0.084887), 4),
        f"{_side}_knee": (f"{_side}_hip", (0.0, -0.421546, 0.0), 1),
        f"{_side}_ankle": (f"{_side}_knee", (0.0, -0.409870, 0.0), 4),
        f"{_side}_shoulder": ("chest", (-0.02405, 0.24350, _z * 0.18311), 4),
        f"{_side}_elbow": (f"{_side}_shoulder", (0.0, -0.274788, 0.0), 1),
        f"{_side}_wrist": (f"{_side}_elbow", (0.0, -0.258947, 0.0), 0),
    }
ENDS = {
    "neck": (0.0, 0.28, 0.0),
    "right_ankle": (0.1335, -0.05, 0.0),  # the sole is 5 cm under the ankle
    "right_wrist": (0.0, -0.09, 0.0),
    "left_ankle": (0.1335, -0.05, 0.0),
    "left_wrist": (0.0, -0.09, 0.0),
}
NAMES = list(HUMANOID)
WIDTH = 4 + sum(width for _, _, width in HUMANOID.values())  # duration and root position come first
HINGE = np.array([0.0, 0.0, 1.0])
UNEVEN = 0.01  # share by which durations may differ and still be one frame rate
LONGEST = 1e4  # s, a frame
FASTEST = 1e5  # Hz


class _Clip(msgspec.Struct):
    frames: list[msgspec.Raw] = msgspec.field(name="Frames")


def read_deepmimic(text: bytes) -> Take:
    rows = _read_rows(text)
    duration, root, rotations = rows[:, 0], rows[:, 1:4], _rotations(rows[:, 4:])
    fps, even = _timing(duration)
    notes: tuple[str, ...] = ()
    if even is not None:
        root, rotations = _resampled(root, rotations, even)
        notes = (f"frames of different durations were resampled to {fps:.4g} Hz",)
    return Take(
        names=NAMES,
        parents=[NAMES.index(parent) if parent else -1 for parent, _, _ in HUMANOID.values()],
        offsets=_our_axes(np.array([offset for _, offset, _ in HUMANOID.values()])),
        root=_our_axes(root),
        rotations=np.concatenate([rotations[..., :1], _our_axes(rotations[..., 1:])], axis=-1),
        fps=fps,
        end_parents=[NAMES.index(joint) for joint in ENDS],
        end_offsets=_our_axes(np.array(list(ENDS.values()))),
        unit=1.0,
        up="y",
        notes=notes,
    )


def _read_rows(text: bytes) -> Float[np.ndarray, "frames numbers"]:
    try:
        clip = msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"), type=_Clip)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise LoadError(f"expected JSON with a list 'Frames' ({_first_words(error)})") from None
    check_size(len(clip.frames), len(NAMES), len(text))
    rows = np.empty((len(clip.frames), WIDTH))
    decoder = msgspec.json.Decoder(list[float])
    for i, raw in enumerate(clip.frames):
        try:
            numbers = decoder.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise LoadError(f"frame {i}: expected {WIDTH} numbers ({_first_words(error)})") from None
        if len(numbers) != WIDTH:
            raise LoadError(f"frame {i}: expected {WIDTH} numbers, found {len(numbers)}")
        rows[i] = numbers
    return rows


def _first_words(error: Exception) -> str:
    return str(error).split("\n", 1)[0][:100]


def _rotations(columns: Float[np.ndarray, "frames numbers"]) -> Float[np.ndarray, "frames joints 4"]:
    """Local rotations in the humanoid's own axes."""
    rotations = quat.identity(len(columns), len(NAMES))
    column = 0
    for j, (name, (_, _, width)) in enumerate(HUMANOID.items()):
        stated = columns[:, column : column + width]
        if width == 4:
            rotations[:, j] = _unit(stated, name)
        elif width == 1:
            rotations[:, j] = _hinge(stated[:, 0], name)
        column += width
    return rotations


def _unit(stated: Float[np.ndarray, "frames 4"], name: str) -> Float[np.ndarray, "frames 4"]:
    bounded = (np.abs(stated) < 2.0).all(axis=-1)
    wrong = np.flatnonzero(~bounded | (np.linalg.norm(np.clip(stated, -2.0, 2.0), axis=-1) < 0.5))
    if len(wrong):
        raise LoadError(f"frame {wrong[0]}: expected a unit quaternion w, x, y, z for {name}")
    return quat.normalize(stated)


def _hinge(angle: Float[np.ndarray, "frames"], name: str) -> Float[np.ndarray, "frames 4"]:
    wrong = np.flatnonzero(~(np.abs(angle) < 100.0))
    if len(wrong):
        raise LoadError(f"frame {wrong[0]}: expected an angle in radians for {name}")
    return quat.from_axis_angle(HINGE, angle)


def _our_axes(v: Float[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch 3"]:
    """From facing +X with the right at +Z to facing +Z with the left at +X; quaternions' vectors too."""
    return np.stack([-v[..., 2], v[..., 1], v[..., 0]], axis=-1)


def _timing(
    duration: Float[np.ndarray, "frames"],
) -> tuple[float | None, Float[np.ndarray, "frames"] | None]:
    """The frame rate, and where durations differ, the places (in frames) of evenly spaced times."""
    wrong = np.flatnonzero(~((duration >= 0) & (duration < LONGEST)))
    if len(wrong):
        raise LoadError(f"frame {wrong[0]}: expected a duration in seconds, found {duration[wrong[0]]:g}")
    # a last frame lasts until the clip ends or wraps: it says nothing where there are others
    steps = duration[:-1] if len(duration) > 1 else duration
    total = float(steps.sum())
    if total == 0.0:
        return None, None
    fps = len(steps) / total
    if fps > FASTEST:
        raise LoadError(f"expected frame durations in seconds, found {total / len(steps):.3g} on average")
    if (np.abs(steps * fps - 1.0) <= UNEVEN).all():
        return fps, None
    times = np.concatenate([[0.0], np.cumsum(steps)])[: len(duration)]
    return fps, np.interp(np.arange(len(duration)) / fps, times, np.arange(len(duration), dtype=float))


def _resampled(
    root: Float[np.ndarray, "frames 3"],
    rotations: Float[np.ndarray, "frames joints 4"],
    place: Float[np.ndarray, "frames"],
) -> tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames joints 4"]]:
    first = np.minimum(place.astype(int), len(root) - 2)
    share = (place - first)[:, None]
    straight = root[first] * (1.0 - share) + root[first + 1] * share
    return straight, quat.slerp(rotations[first], rotations[first + 1], share)
