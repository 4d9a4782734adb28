"""Run the randomised tests with fresh seeds until a time is up.

    python tools/fuzz.py --seconds 600

`make test` runs these tests on the same examples each time. Here each round has a seed of its own. A failure
is printed with its seed and the command that runs it again. The exit status is 1 if any round failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="time to run for")
    parser.add_argument("--seed", type=int, default=None, help="first seed; the clock by default")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("paths", nargs="*", help="tests to run; all by default")
    asked = parser.parse_args()
    seed = int(time.time()) if asked.seed is None else asked.seed
    until, rounds, failed = time.monotonic() + asked.seconds, 0, []
    while time.monotonic() < until:
        command = [
            *(sys.executable, "-m", "pytest", "-q", "--no-header", "-n", str(asked.processes)),
            *("--dist", "worksteal", "-m", "hypothesis and not blender", "--hypothesis-profile", "fresh"),
            *("--hypothesis-seed", str(seed), *asked.paths),
        ]
        print(f"round {rounds + 1}, seed {seed}, {max(until - time.monotonic(), 0.0):.0f} s left", flush=True)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        rounds += 1
        if done.returncode:
            failed.append(seed)
            print(done.stdout[-20000:], f"again: {' '.join(command[1:])}", sep="\n", flush=True)
        seed += 1
    print(f"{rounds} rounds, {len(failed)} failed{': seeds ' if failed else ''}{', '.join(map(str, failed))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
