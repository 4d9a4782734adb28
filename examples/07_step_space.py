"""A step space: captured steps in, any plan of footprints out, every one of them met exactly.

python examples/07_step_space.py captures/*.bvh
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import footfall as ff

if len(sys.argv) > 1:  # clips of several people too: the first gives the figure
    space = ff.build_step_space([ff.load_motion(path) for path in sys.argv[1:]])
else:  # four of the actor's fifteen takes are enough for this; all of them are the model called default
    takes = {take.name: take for take in ff.VirtualActor().perform("stepping")}
    space = ff.build_step_space([takes[n] for n in ("forward_1", "forward_2", "backward_1", "side_1")])
space.save("steps.ffmodel")
space = ff.load_model("steps.ffmodel")
print(space)

# stones across a stream: a foot, and where the point under its ankle is to rest, m to the left and ahead
stones = [
    *(("left", 0.09, 0.00), ("right", -0.09, 0.00)),  # where the feet start
    *(("left", 0.12, 0.42), ("right", -0.05, 0.95), ("left", 0.20, 1.38), ("right", 0.05, 1.80)),
    *(("left", 0.30, 2.30), ("right", 0.02, 2.62), ("left", 0.10, 3.15), ("right", -0.08, 3.15)),
]
plan = ff.FootPlan(tuple(ff.FootPlacement(foot, np.array([x, 0.0, z])) for foot, x, z in stones))
crossing = space.follow(plan)
print("stones:   ", crossing.certificate())

# what is not said is as in the captured steps; headings, swings and stances can be said
slow = ff.FootPlan(tuple(replace(stone, heading=0.0, swing=0.6) for stone in plan.placements))
print("slowly:   ", space.follow(slow).certificate())

# one stone lies elsewhere: only the steps around it are made again
live = space.live(slow)
change = live.move(5, position=plan.placements[5].position + np.array([-0.15, 0.0, 0.06]))
edited = live.motion
print("one moved:", edited.certificate())
print(f"           {change.steps} of {len(edited.selections)} steps were made again")
for k, (begin, selection) in enumerate(zip(edited.begins, edited.selections, strict=True)):
    seen = "" if selection.inside else ", outside the captured steps"
    foot = live.plan.placements[k + 2].foot
    print(f"           {begin:5.2f} s  {foot} foot, from {len(selection.steps)} captured steps{seen}")

# what no leg reaches is refused, and the nearest that can be reached is named
try:
    live.move(5, position=[0.0, 0.0, 4.5])
except ff.RequestError as refused:
    print("too far:  ", refused)

# footprints that somebody left: the plan of a capture, walked by this figure
walked = ff.VirtualActor(seed=2).start_and_stop(1.1, steps=5).motion
print("captured: ", space.follow(ff.extract_plan(walked)).certificate())

ff.save_motion(edited, "stones.glb")
try:
    from footfall.picture.strip import save_strip

    save_strip(edited, Path("stones.png"), figures=10, views=("three-quarter",), terrain=ff.FlatTerrain())
except ff.MissingExtra as missing:
    print("no picture:", missing)
