"""Progress of a long benchmark on standard error: the step that runs, the share done, the time left."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field


@dataclass
class Progress:
    """Steps with estimated costs; one line is printed as each begins.

    Args:
        total: The sum of the costs of all steps, in any unit.
    """

    total: float
    done: float = 0.0  # cost of the finished steps
    running: float = 0.0  # cost of the step that runs
    started: float = field(default_factory=time.perf_counter)

    def begin(self, step: str, cost: float) -> None:
        """Ends the step before and begins the next."""
        self.done += self.running
        self.running = cost
        share = min(self.done / self.total, 1.0)
        left = f", about {self.time_left(share)} left" if share > 0.0 else ""
        print(f"[{share:4.0%}{left}] {step}", file=sys.stderr, flush=True)

    def time_left(self, share: float) -> str:
        """At the pace so far: seconds, or minutes where it is more than two."""
        seconds = (time.perf_counter() - self.started) * (1.0 - share) / share
        return f"{seconds:.0f} s" if seconds < 120.0 else f"{seconds / 60.0:.0f} min"
