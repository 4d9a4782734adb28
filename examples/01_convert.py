"""Load any motion file, look at what it is, mirror it, and write it for other programs.

python examples/01_convert.py walk.bvh
"""

import sys

import footfall as ff

if len(sys.argv) > 1:
    capture = ff.load_capture(sys.argv[1])
    clip = capture.motion
    print(*capture.notes, sep="\n")
else:  # no file at hand: the embedded figure
    clip = ff.range_of_motion(ff.humanoid())

skeleton = clip.skeleton
print(clip)
print(f"legs of {skeleton.leg_length():.3f} m, {len(skeleton.roles)} roles found")

# joints by role, positions in metres, Y up
left = clip.of("left_foot")
print(f"the left ankle is {left[:, 1].min():.3f} to {left[:, 1].max():.3f} m over the floor")

ff.save_motion(clip, "clip.glb")  # opens as a person in any viewer
ff.save_motion(ff.resample(ff.mirror(clip), 30.0), "mirrored.bvh", unit="cm")
