"""Whether a motion that came back from a file is the one that was saved."""

from __future__ import annotations

import numpy as np

from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton


def strays(a: Motion, b: Motion) -> float:
    """The largest distance between joints or end sites of two motions."""
    gaps = [np.linalg.norm(a.positions - b.positions, axis=-1), np.linalg.norm(a.ends - b.ends, axis=-1)]
    return max(float(gap.max(initial=0.0)) for gap in gaps)


def assert_same_skeleton(loaded: Motion, saved: Motion) -> None:
    old, new = saved.skeleton, loaded.skeleton
    assert new.names == old.names
    np.testing.assert_array_equal(new.parents, old.parents)
    np.testing.assert_array_equal(new.offsets, old.offsets)
    np.testing.assert_array_equal(new.end_parents, old.end_parents)
    np.testing.assert_array_equal(new.end_offsets, old.end_offsets)
    np.testing.assert_allclose(new.rest, old.rest, rtol=0, atol=1e-15)
    assert dict(new.roles) == dict(old.roles)
    assert new.sides == old.sides
    for side in old.sides:
        assert new.foot_points(side).as_lists() == old.foot_points(side).as_lists()
    assert new.same_bones(old)


def depth_first(skeleton: Skeleton) -> list[int]:
    """Joints in the order in which a hierarchy of braces must name them."""
    children = {j: [c for c, p in enumerate(skeleton.parents) if p == j] for j in range(-1, len(skeleton))}

    def below(joint: int) -> list[int]:
        return [joint, *(j for child in children[joint] for j in below(child))]

    return below(0)
