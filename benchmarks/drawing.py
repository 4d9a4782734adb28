"""How fast pictures are drawn: CPU milliseconds a frame of a moving picture, CPU seconds a strip.

    python benchmarks/drawing.py [--json] [--against FOLDER]

The best of five of each, kernels compiled before. A walk on a floor, over hills, and among obstacles: clips
320 pixels high with all that belongs to them (contacts, framing, GIF), and strips of two views as the demo
draws them. Exits with 1 where a frame takes 15 ms or more, or a strip 1.5 s. `--against` runs the code of
another checkout in turns with this one's, in processes of their own, and prints both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROUNDS, TURNS = 5, 2
FRAME_BAR, STRIP_BAR = 0.015, 1.5  # s
SECONDS = 4.0  # of each motion


def scenes() -> dict[str, tuple[object, dict[str, object]]]:
    """Motions by name, each with what stands about it."""
    from footfall.actor.virtual_actor import VirtualActor
    from footfall.models.walkedit.model import WalkEdit
    from footfall.world.generators.generate import generate
    from footfall.world.plane import FlatTerrain
    from footfall.world.shapes.box import Box
    from footfall.world.shapes.placed import Placed

    actor, hills = VirtualActor(), generate("bumps", 7)
    flat = actor.start_and_stop(1.3, steps=7).motion.between(0.0, SECONDS)
    places = np.array([placement.position for placement in hills.crossing.placements])
    over = WalkEdit(actor.walk(1.3).motion).on(hills.terrain, 0.5 * (places[1:] + places[:-1]))
    things = [
        Placed(Box(np.array(size)), np.array(place))
        for size, place in (((0.6, 0.7, 0.6), (-0.9, 0.35, 1.0)), ((0.2, 2.6, 3.0), (0.7, 1.3, 1.5)))
    ]
    return {
        "floor": (flat, {"terrain": FlatTerrain()}),
        "hills": (over.between(0.0, SECONDS), {"terrain": hills.terrain}),
        "obstacles": (flat, {"terrain": FlatTerrain(), "obstacles": things}),
    }


def best_cpu(run: Callable[[], object]) -> float:
    """The least CPU time of this process over some rounds, the first one apart."""
    run()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def measured() -> dict[str, float]:
    from PIL import Image

    from footfall.picture.clip import save_clip
    from footfall.picture.strip import save_strip

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        clip, strip = Path(folder, "clip.gif"), Path(folder, "strip.png")
        for name, (motion, ground) in scenes().items():
            whole = best_cpu(lambda motion=motion, ground=ground: save_clip(motion, clip, **ground))
            with Image.open(clip) as image:
                found[f"{name}: frames"] = image.n_frames
            found[f"{name}: s a frame"] = whole / found[f"{name}: frames"]
            options = {"views": ("three-quarter", "side"), "figures": 12, **ground}
            found[f"{name}: s a strip"] = best_cpu(
                lambda motion=motion, options=options: save_strip(motion, strip, **options)
            )
    return found


def in_turns(other: Path) -> dict[str, dict[str, float]]:
    """The least of some turns of this checkout's code and another's."""
    sources = {"here": Path(__file__).parents[1] / "src", str(other): other / "src"}
    found: dict[str, dict[str, float]] = {name: {} for name in sources}
    for _ in range(TURNS):
        for name, source in sources.items():
            environment = {**os.environ, "PYTHONPATH": str(source)}
            run = [sys.executable, __file__, "--json"]
            done = subprocess.run(run, env=environment, stdout=subprocess.PIPE, check=False)
            for key, value in json.loads(done.stdout)["figures"].items():
                found[name][key] = min(value, found[name].get(key, np.inf))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turns with this one")
    asked = parser.parse_args()
    columns = {"here": measured()} if asked.against is None else in_turns(asked.against)
    own = columns["here"]
    bars = {"frame": FRAME_BAR, "strip": STRIP_BAR}
    met = all(own[key] < bars[key.split()[-1]] for key in own if " s a " in key)
    if asked.json:
        print(json.dumps({"figures": own, "met": met, "columns": columns}))
        return 0 if met else 1
    for key in own:
        values = [columns[name][key] for name in columns]
        shown = (f"{v:>10.0f}   " if "frames" in key else f"{1e3 * v:>10.1f} ms" for v in values)
        print(f"  {key:<24}{''.join(shown)}")
    print("the bars are met" if met else "A BAR IS MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
