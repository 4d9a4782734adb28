"""The default library: built once, with enough of every kind of reach."""

from __future__ import annotations

import numpy as np

from footfall.models.reach.default import default_reach
from footfall.models.reach.store import reach_bytes


def test_it_has_all_sets_and_is_near_everywhere() -> None:
    library = default_reach()
    assert set(library.space) == {
        f"{h}_{p}" for p in ("standing", "sitting") for h in ("left", "right", "both")
    }
    for one in library.sets:
        assert len(one.examples) >= 4
        assert np.median(one.misses(one.space.sample(300, 9))) < 0.03


def test_it_is_the_same_again() -> None:
    assert reach_bytes(default_reach()) == reach_bytes(default_reach())
