"""Getting up from a seat."""

from __future__ import annotations

from footfall.acting.stage import Stage
from footfall.figure.motion import Motion


def rise(stage: Stage) -> None:
    """Up from a seat, the way one went down."""
    motion = stage.seated_from
    assert motion is not None
    back = Motion(
        motion.skeleton, motion.root[::-1], motion.rotations[::-1], motion.fps, contacts=motion.contacts
    )
    stage.walks.follow(back)
    stage.until(lambda: stage.walks.standing, back.seconds + 1.0)
    stage.sitting, stage.seated_from = False, None
    stage.reaching.posture = "standing"
