"""A library of movements: examples in, any step and jump between them out, one after the other.

python examples/06_movements.py captures/*.bvh
"""

import sys

import numpy as np

import footfall as ff

if len(sys.argv) > 1:  # steps and jumps are cut from clips, mirrored, and those that span them chosen
    library = ff.build_movements([ff.load_motion(path) for path in sys.argv[1:]])
else:  # annotated examples are taken as they are: 15 steps a side and 4 jumps
    library = ff.build_movements(ff.VirtualActor().perform("movements"))
library.save("movements.ffmodel")
library = ff.load_model("movements.ffmodel")
for kind, space in library.space.items():
    for name, unit, low, high in zip(space.names, space.units, *space.bounds, strict=True):
        print(f"{kind}: {name} from {low:z.2f} to {high:z.2f} {unit}")

# one movement: what is not said follows from what is
step = library.synthesize("left_step", start_length=0.4, end_length=0.65)
print("a step:   ", step.certificate())

# slabs at any distance, from standing to standing; each step begins as the last one left the feet
feet = ("left_step", "right_step")
slabs = np.random.default_rng(7).uniform(0.4, 0.7, size=9)
steps = [(feet[k % 2], {"end_length": length}) for k, length in enumerate(slabs)]
walk = library.play([*steps, ("right_step", {"end_length": 0.0})])
places = np.array([placement.position for placement in walk.plan.placements])
print("slabs:    ", walk.certificate())
print("           off by", np.abs(np.diff(places[1:, 2])[:-1] - slabs).max(), "m at most")
ff.save_motion(walk, "slabs.glb")

# as in the paper, where feet are wherever the blends have them
print("plain:    ", library.play(steps, constraints=False).certificate())

if "jump" in library.kinds:  # where feet stand otherwise than a jump begins, a step is put in
    jumps = library.play([steps[0], ("jump", {"length": 0.7}), ("jump", {"length": 1.3}), *steps[:2]])
    print("jumps:    ", jumps.certificate())
    for kind, begin in zip(jumps.kinds, jumps.begins, strict=True):
        print(f"           {begin:5.2f} s  {kind}")
    ff.save_motion(jumps, "jumps.bvh")
