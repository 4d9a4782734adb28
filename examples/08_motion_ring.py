"""Motion rings: clips of gaits in, a figure that obeys the stick on any ground out.

python examples/08_motion_ring.py captures/*.bvh
"""

import sys
from pathlib import Path

import footfall as ff

if len(sys.argv) > 1:  # clips of three steps or more: every three are a sample, and so is their mirror image
    gaits = ff.build_gaits([ff.load_motion(path) for path in sys.argv[1:]])
else:  # a few pieces of the actor are enough for this; its 86 takes are the model called default
    actor = ff.VirtualActor()
    takes = [actor.walk(0.9), actor.walk(1.5), actor.run(2.2), actor.run(3.0), actor.idle(4.0)]
    for rise, turn in ((0.12, 0.3), (0.12, -0.3), (-0.12, 0.3), (-0.12, -0.3)):  # m and rad a step
        takes += [actor.stairs(rise, 0.5, turn=turn), actor.stairs(rise, 0.8, turn=turn, running=True)]
    gaits = ff.build_gaits(takes)
gaits.save("gaits.ffmodel")
gaits = ff.load_model("gaits.ffmodel")
print(gaits)

# a stick frame by frame, as a game has it: a character steps, and never raises
hills = ff.generate_terrain("bumps", seed=7).terrain
hero = ff.Character(gaits.skeleton, [ff.GaitController(gaits)], world=hills)
for _ in range(180):
    hero.command(heading=0.2, gait=gaits.first)
    pose = hero.step(1 / 60)
print(f"after 3 s:  {pose.root[2]:.2f} m ahead, {pose.root[0]:.2f} m to the left")

# the same from a list of commands, recorded: times in seconds, headings and turns in radians
commands = [
    ff.Command(0.5, heading=0.0, step_length=0.65, gait=gaits.first),
    ff.Command(3.0, turn=0.7),
    ff.Command(5.0, heading=-0.4),
]
if {"run", "rest"} <= set(gaits):
    commands += [ff.Command(7.0, heading=0.0, gait="run"), ff.Command(9.0, gait="rest")]
walk = ff.walk(gaits, commands, seconds=11.0, terrain=hills)
print("over hills:", walk.certificate())
print(
    f"            {walk.strikes} strikes; inputs were heard after {walk.response_s['worst']:.3f} s at worst"
)
print(f"            {', '.join(f'{gait} from {time:.1f} s' for time, gait in walk.gaits)}")

# as in the paper, where feet are wherever the blends have them
print("no lock:   ", ff.walk(gaits, commands, seconds=11.0, terrain=hills, foot_lock=False).certificate())

# one ring alone, by the parameters of its steps
ring = gaits[gaits.first]
print("eight steps:", ring.synthesize(turn=0.1, step_length=0.6, rise=0.0, steps=8).certificate())

ff.save_motion(walk, "hills.glb")
try:
    from footfall.picture.strip import save_strip

    save_strip(walk, Path("hills.png"), figures=14, views=("three-quarter",), terrain=hills)
except ff.MissingExtra as missing:
    print("no picture:", missing)
