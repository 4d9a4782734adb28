"""A walk on a ring compiles what it calls, not what footfall has: told by count, in a process of its own.

Nothing need be compiled for that. What a process has compiled or loaded, and what these kernels call, is
what it compiles where the cache is empty (compared once: the same kernels, 25 s).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from footfall.geometry.kernel_cache import kernel_modules
from tests.models.ring.rings import small_graph

MOST = 50  # entry points, of 49; footfall has 238, and as many small kernels that these call
PROGRAM = """
import sys
from numba.core.dispatcher import Dispatcher
import footfall as ff
from footfall.geometry import kernel_cache

gaits = ff.load_model(sys.argv[1])
commands = [ff.Command(0.5, heading=0.0, gait="walk"), ff.Command(1.5, turn=0.7)]
walk = ff.walk(gaits, commands, seconds=2.5, terrain=ff.generate_terrain("bumps", seed=7).terrain)
assert walk.strikes >= 2

known = [one for module in kernel_cache._REGISTERED.values() for one in module]
waiting = [one for one in known if one.overloads]
reached = set(waiting)
while waiting:
    called = kernel_cache._digest_alone(waiting.pop())[1]
    new = [one for one in called if isinstance(one, Dispatcher) and one not in reached]
    reached.update(new)
    waiting += new
print(*(one.name for one in reached if one.declared))
"""


def test_a_walk_compiles_its_ring_and_its_ground(tmp_path: Path) -> None:
    """No kernel of bodies, reaches, plans, pictures or other models; each is one that a walk calls."""
    model = tmp_path / "gaits.ffmodel"
    small_graph().save(model)
    command = [sys.executable, "-c", PROGRAM, str(model)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    modules = {name.rpartition(".")[0] for name in compiled}
    assert "footfall.models.ring.walk_kernel.walk_on" in compiled
    assert modules <= set(kernel_modules())
    assert {module.split(".")[1:-1][-1] for module in modules} <= {"ring", "world", "figure", "geometry"}
    assert len(compiled) == len(set(compiled)) <= MOST
