"""Threads are kept from step to step, given back, and never taken along into copies and forks."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.batch.crowd import Crowd
from footfall.batch.kept_threads import KeptThreads
from tests.control.plain_worlds import Waves
from tests.models.ring.rings import small_ring

PLACES = np.column_stack([np.arange(6.0), 500.0 * (np.arange(6.0) % 2)])
NAME = "footfall-crowd"


def crowd_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith(NAME)}


def soon(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def walked(crowd: Crowd, frames: int = 30) -> bytes:
    for _ in range(frames):
        crowd.step(1 / 60)
    return crowd._poses.tobytes() + crowd._states.tobytes()


def test_the_same_threads_walk_in_every_step() -> None:
    others = crowd_threads()
    crowd = Crowd(small_ring(), PLACES, threads=3)
    assert crowd_threads() == others  # none before it is needed
    crowd.step(1 / 60)
    first = crowd_threads() - others
    walked(crowd, 200)
    assert first
    assert first <= crowd_threads()
    assert len(crowd_threads() - others) <= 2  # and the caller's
    crowd.close()


def test_one_thread_is_the_callers() -> None:
    others = crowd_threads()
    walked(Crowd(small_ring(), PLACES))
    assert crowd_threads() <= others


def test_they_are_given_back_by_close_and_taken_again() -> None:
    others = crowd_threads()
    crowd, judge = Crowd(small_ring(), PLACES, threads=3), Crowd(small_ring(), PLACES)
    assert walked(crowd) == walked(judge)
    crowd.close()
    assert crowd_threads() <= others  # ended when close comes back
    crowd.close()
    assert walked(crowd) == walked(judge)
    assert crowd_threads() - others
    crowd.close()


def test_they_end_with_the_crowd() -> None:
    others = crowd_threads()
    crowd = Crowd(small_ring(), PLACES, threads=3)
    walked(crowd)
    assert crowd_threads() - others
    del crowd
    gc.collect()
    assert soon(lambda: crowd_threads() <= others)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("world", [None, Waves()], ids=str)
def test_a_deep_copy_goes_its_own_way(threads: int, world: Waves | None) -> None:
    crowd, judge = (Crowd(small_ring(), PLACES, world=world, threads=k) for k in (threads, 1))
    assert walked(crowd) == walked(judge)
    twin = copy.deepcopy(crowd)
    assert twin.ring is crowd.ring
    before = crowd._states.copy()
    twin.command(turn=1.0)
    turned = walked(twin, 240)
    assert_array_equal(crowd._states, before)  # it did not move
    assert walked(crowd, 240) == walked(judge, 240) != turned
    assert twin._threads is not crowd._threads
    crowd.close()
    walked(twin)  # it has threads of its own
    twin.close()


def test_copies_and_pickles_have_threads_of_their_own() -> None:
    threads = KeptThreads(3)
    threads.each(lambda _: None, [1, 2, 3])
    for other in (copy.copy(threads), copy.deepcopy(threads), pickle.loads(pickle.dumps(threads))):
        found: list[int] = []
        other.each(found.append, [1, 2, 3])
        assert sorted(found) == [1, 2, 3]
        assert other.count == 3
        assert other._pool is not threads._pool
        other.close()
    threads.close()


def _walk_in_the_child(crowd: Crowd, answers: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    answers.put(walked(crowd))


@pytest.mark.skipif(
    sys.platform != "linux" or "fork" not in multiprocessing.get_all_start_methods(), reason="no forks here"
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_begins_its_own() -> None:
    crowd, judge = (Crowd(small_ring(), PLACES, threads=k) for k in (3, 1))
    assert walked(crowd) == walked(judge)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_walk_in_the_child, args=(crowd, answers), daemon=True)
    child.start()
    theirs = answers.get(timeout=60.0)
    child.join(60.0)
    assert child.exitcode == 0  # it ended by itself, its threads too
    assert theirs == walked(judge) == walked(crowd)  # and ours still walk
    crowd.close()


def test_all_is_over_when_one_part_fails() -> None:
    """Whoever fails first is told, and nobody works on behind the caller's back."""
    threads, over = KeptThreads(3), []

    def work(part: int) -> None:
        if part == 0:
            raise ValueError("the first")
        time.sleep(0.05)
        over.append(part)

    with pytest.raises(ValueError, match="the first"):
        threads.each(work, [0, 1, 2])
    assert sorted(over) == [1, 2]
    threads.close()
