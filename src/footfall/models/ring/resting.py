"""The resting ring: a stand, on any ground ([rings] 5.3).

The paper captured nine stands with the feet in different places. Here one stand is enough: the others are
made of it, by putting one foot higher, lower, ahead or behind and letting hips and legs follow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.footprints import mean_turn
from footfall.adapt.legs_to_feet import hips_of, legs_to_feet
from footfall.adapt.one_figure import on_one_figure
from footfall.analysis.reference import Reference
from footfall.blend.principal_geodesics import Geodesics
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES, Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.resample import resample
from footfall.figure.skeleton import Skeleton
from footfall.geometry import easing
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import leg_of
from footfall.models.ring.aligned import AlignedLoop, align_loop
from footfall.models.ring.loop import Loop
from footfall.models.ring.model import MotionRing
from footfall.models.ring.tables import RingTables

RATE = 60.0  # Hz
SHORTEST, LONGEST = 2.0, 8.0  # s of a stand
CLOSING = 1.5  # s in which it comes back to where it began
FRAMES = 120  # of the ring: a stand is slow
EVEN = 60  # frames of a stand, or a multiple of it
AHEAD = (-0.17, 0.0, 0.17)  # of leg length: where the right foot is put
ABOVE = (-0.18, 0.0, 0.18)
ROOM = 0.012  # of leg length by which hips come down for feet that are apart
KEPT = 1.0 - 1e-7  # of the variation: what moves in a stand is little beside where its feet are


def build_rest(clip: Motion, *, figure: Skeleton | None = None) -> MotionRing:
    """A resting ring from a clip in which somebody stands for two seconds or more; on a figure, if given."""
    stand = clip if figure is None else _onto(clip, figure)
    clean = on_one_figure([stand])[0]
    still = closed_stand(replace(clean.motion, contacts=clean.motion.contacts or clean.seen))
    aligned = [_aligned(one) for one in nine_stands(still)]
    geodesics, scores = Geodesics.of(np.concatenate([loop.rotations for loop in aligned]), KEPT)
    tables = RingTables.of(still.skeleton, aligned, geodesics.mean)
    return MotionRing(
        "rest",
        geodesics,
        scores.reshape(len(aligned), FRAMES, -1),
        tables.seconds,
        tables.headings,
        tables.anchors,
        tables.contacts,
        still.skeleton,
        tables.names,
        Reference.of([still]),
        resting=True,
    )


def _onto(clip: Motion, figure: Skeleton) -> Motion:
    from footfall.adapt.retarget import retarget

    return clip if clip.skeleton.same_bones(figure) else retarget(clip, figure)


def closed_stand(motion: Motion) -> Motion:
    """The longest stretch in which both feet stand, at most so long, that goes on as it began."""
    even = resample(motion, RATE)
    assert even.contacts is not None
    stands = runs_of(even.contacts.stands("left") & even.contacts.stands("right"))
    first, last = max(stands, key=lambda run: run[1] - run[0], default=(0, 0))
    if last - first < SHORTEST * RATE:
        raise RequestError(
            f"a rest needs a clip in which both feet stand for {SHORTEST:g} s; the longest stand here "
            f"takes {(last - first) / RATE:.1f} s"
        )
    piece = even[first : min(last, first + round(LONGEST * RATE) + 1)]
    # its end goes over into what was before its beginning, so pose and rate go on over the seam
    closing = min(round(CLOSING * RATE), len(piece) // 3)
    count = len(piece) - closing
    if count >= EVEN:  # a ring frame then lasts a number of seconds that a file keeps exactly
        count -= count % EVEN
    lead, body = piece[:closing], piece[closing : closing + count]
    share = easing.smooth((np.arange(closing) + 1.0) / (closing + 1.0))
    end = slice(len(body) - closing, len(body))
    rotations, root = np.array(body.rotations), np.array(body.root)
    away = quat.log(_near(quat.multiply(quat.conjugate(rotations[end]), lead.rotations)))
    rotations[end] = quat.multiply(rotations[end], quat.exp(share[:, None, None] * away))
    root[end] += share[:, None] * (lead.root - root[end])
    standing = np.ones((len(body), 2), dtype=bool)
    return replace(body, root=root, rotations=rotations, contacts=Contacts(standing, standing))


@dataclass(frozen=True, eq=False)
class _Still:
    """A foot that stays where it is."""

    ankle: Float[np.ndarray, "n 3"]
    turn: Float[np.ndarray, "n 4"]
    toe: Float[np.ndarray, "n 4"] | None


def nine_stands(stand: Motion) -> list[tuple[str, Motion]]:
    """The stand with its right foot on three heights, ahead, beside and behind; hips go along."""
    skeleton = stand.skeleton
    legs = {side: leg_of(skeleton, side) for side in SIDES}
    reach = skeleton.leg_length()
    found = []
    for up in ABOVE:
        for ahead in AHEAD:
            moved = reach * np.array([0.0, up, ahead])
            # towards the foot that moved; down to the lower foot, for the other leg can bend
            hips = 0.5 * moved * np.array([1.0, 0.0, 1.0]) + np.array(
                [0.0, min(moved[1], 0.0) - ROOM * reach * bool(ahead), 0.0]
            )
            feet = {side: _foot(stand, side, moved if side == "right" else np.zeros(3)) for side in SIDES}
            root, rotations = stand.root + hips, np.array(stand.rotations)
            where = hips_of(skeleton, legs, root, rotations)
            rotations = legs_to_feet(skeleton, legs, rotations, where, np.zeros(len(stand)), feet)
            name = f"stand, right foot {1000 * moved[1]:.0f} mm up and {1000 * moved[2]:.0f} mm ahead"
            found.append((name, replace(stand, root=root, rotations=rotations)))
    return found


def _foot(stand: Motion, side: str, moved: Float[np.ndarray, "3"]) -> _Still:
    foot, count = stand.skeleton.joint(f"{side}_foot"), len(stand)
    place = np.median(stand.positions[:, foot], axis=0) + moved
    turn = mean_turn(stand.orientations[:, foot])
    toe = None
    if stand.skeleton.has(f"{side}_toe"):
        still = mean_turn(stand.rotations[:, stand.skeleton.joint(f"{side}_toe")])
        toe = np.repeat(still[None], count, axis=0)
    return _Still(np.repeat(place[None], count, axis=0), np.repeat(turn[None], count, axis=0), toe)


def _aligned(named: tuple[str, Motion]) -> AlignedLoop:
    name, motion = named
    count = len(motion)
    loop = Loop(motion, name, 0.0, np.zeros(3), (0, count // 2), (0, 0))
    return align_loop(loop, np.linspace(0.0, count, FRAMES + 1))


def _near(turns: Float[np.ndarray, "*n 4"]) -> Float[np.ndarray, "*n 4"]:
    backwards: Bool[np.ndarray, "*n 1"] = turns[..., :1] < 0.0
    return np.where(backwards, -turns, turns)
