"""Timing side by side: contenders take turns, so that a slow spell of the machine hits all of them."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Mapping


def best_seconds(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Each contender's shortest time over some rounds; every round runs all of them once."""
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, run in contenders.items():
            gc.collect()
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def best_process_seconds(programs: Mapping[str, str], rounds: int) -> dict[str, float]:
    """The same for Python programs, each in a fresh interpreter; its start is part of the time."""

    def starter(program: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", program], check=True)

    return best_seconds({name: starter(program) for name, program in programs.items()}, rounds)


def print_beside(title: str, seconds: Mapping[str, float], reference: str) -> None:
    """A table of milliseconds and of multiples of one contender's time."""
    print(f"\n{title}")
    for name, value in seconds.items():
        print(f"  {name:<36}{1e3 * value:>10.1f} ms {value / seconds[reference]:>8.2f}x")
