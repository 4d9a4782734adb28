"""A person without files: performs what is asked, knows the truth about it, and plays at being captured.

python examples/03_virtual_actor.py
"""

from dataclasses import replace

import numpy as np

import footfall as ff

actor = ff.VirtualActor(seed=1)  # another seed is another person
print(actor)

walk = actor.walk(speed=1.3, turn_rate=0.3, steps=8)
stairs = actor.stairs(riser=0.16, tread=0.30)
jump = actor.jump(length=1.2, height=0.3)
reach = actor.reach(np.array([-0.2, 0.15, 0.4]))  # both feet stay; knees, back and shoulder share the way
for piece in (walk, stairs, jump, reach):
    print(f"{piece.name:8}", ff.certificate(piece.motion))

# its truth judges the analysis: a faulty capture of the walk, read as if nothing were known about it
faulty = ff.with_faults(walk.motion, ff.Faults(noise=0.002, slide=0.01, tilt=np.radians(1.0), seed=3)).motion
read = ff.detect_contacts(replace(faulty, contacts=None))
agree = np.mean(read.toe == walk.motion.contacts.toe)
print(
    f"toe contacts read from noisy, sliding feet on a tilted floor: {100 * agree:.1f} % of frames are right"
)

ff.save_motion(stairs.motion, "stairs.glb")
