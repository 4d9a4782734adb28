"""One captured walk, walked anew: other steps, slopes, curves, stairs, stones; each with its certificate.

python examples/05_walk_edit.py walk.bvh
"""

import sys

import numpy as np

import footfall as ff

clip = ff.load_motion(sys.argv[1]) if len(sys.argv) > 1 else ff.VirtualActor().walk(speed=1.3).motion
edit = ff.WalkEdit(clip)  # one clean cycle of it is all that is needed
print(f"captured: steps of {edit.step_length:.2f} m at {edit.speed:.2f} m/s")

# nothing asked: the walk as it was captured, cleaned, for as long as one likes
print("as it was:", edit.synthesize(steps=20).certificate())

# numbers: metres, radians, metres a second
march = edit.synthesize(step_length=0.6, lift=0.20, speed=1.1)
uphill = edit.synthesize(slope=np.radians(12.0), curve=0.3)  # and to the left, 0.3 rad a metre
print("marching: ", march.certificate())
print("uphill:   ", uphill.certificate())

# a parameter may change with the distance (a function, or pairs to go straight between) or with time
varying = edit.synthesize(
    steps=12,
    step_length=[(0.0, 0.45), (6.0, 0.9)],
    curve=lambda distance: 0.4 * np.sin(distance),
    lift=ff.OverTime(lambda seconds: 0.08 + 0.04 * np.sin(seconds)),
)
print("varying:  ", varying.certificate())

# stairs: a riser and a tread, or several; down with a negative riser
stairs = edit.synthesize(steps=10, stairs=(0.17, 0.29))
uneven = edit.synthesize(steps=6, stairs=[(-0.10, 0.32), (-0.18, 0.40), (-0.14, 0.28)])
heights = np.array([placement.position[1] for placement in stairs.plan.placements])
print("stairs:   ", stairs.certificate())
print("           each foot higher than the last by", np.diff(heights).round(3), "m")
print("down:     ", uneven.certificate())

# what no leg can reach is given as far as it can be, and said
print("too far:  ", *edit.synthesize(step_length=2.0).clamped)

# any ground, along a path on it: here the stones' own, between their left and right footprints
stones = ff.generate_terrain("stones", seed=7)
places = np.array([placement.position for placement in stones.crossing.placements])
over = edit.on(stones.terrain, 0.5 * (places[1:] + places[:-1]))
print("stones:   ", over.certificate())

ff.save_motion(stairs, "stairs.glb")
ff.save_motion(varying, "varying.bvh")
