"""Make a captured clip's feet stand still, put it on another figure, and see what is promised.

python examples/02_clean_and_retarget.py walk.bvh
"""

import sys

import footfall as ff

clip = ff.load_motion(sys.argv[1]) if len(sys.argv) > 1 else ff.range_of_motion(ff.humanoid())

contacts = ff.detect_contacts(clip)
plants = ff.detect_plants(clip, contacts)
for step in ff.detect_steps(clip, plants):
    print(f"{step.foot:5} {step.kind:8} {step.length:.2f} m, up {step.rise:+.2f} m")

# soles as these feet really stand, then every plant pinned
skeleton = ff.calibrate_feet(clip.skeleton, [clip])
clean = ff.clean_contacts(ff.Motion(skeleton, clip.root, clip.rotations, clip.fps, clip.translations))
print("captured:", ff.certificate(clip, reference=clip))
print("cleaned: ", ff.certificate(clean, reference=clip))

child = ff.retarget(clean, ff.humanoid(height=1.2))
print("on a child:", ff.certificate(child, reference=clean))
ff.save_motion(child, "child.glb")
