"""Ground to walk on: made from a seed or by hand, asked for heights, rays and contacts, and saved as a mesh.

python examples/04_terrain.py
"""

import numpy as np

import footfall as ff

# generated ground can be crossed, and says how
stones = ff.generate_terrain("stones", seed=7)
print(stones.terrain, stones.says())
ff.save_terrain(stones.terrain, "stones.glb")

# the same questions to every terrain: what is under a place, what a ray meets, what a sphere touches
ground = stones.terrain
foot = stones.crossing.placements[4].position
x, y, z = foot
print("under a footprint:", float(ground.height(x, z)), "m of", str(ground.label(x, z)))
bed = x + 0.5, z  # beside the stone
print("beside it:", float(ground.height(*bed)), "m of", str(ground.label(*bed)))
down_and_ahead = ground.project(foot + np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.5]))
print("a ray meets it after", round(float(down_and_ahead.distance), 3), "m")
spheres = foot + np.random.default_rng(0).uniform(-0.5, 0.5, (125, 3))
print(int(ground.touching(spheres, 0.2).sum()), "of 125 spheres touch it")

# a stair over a stair: say from where you look down
tower = ff.generate_terrain("spiral", seed=3, turns=2).terrain
step = ff.generate_terrain("spiral", seed=3, turns=2).crossing.placements[10].position
levels, level = [], np.inf
while np.isfinite(level := float(tower.height(step[0], step[2], level))):
    levels.append(round(level, 2))
    level -= 0.2  # below the tread's own thickness
print("levels over one place:", levels)

# the certificate of a climb, on the very stairs that are saved with it
climb = ff.VirtualActor().stairs(riser=0.16, tread=0.30)
stairs = ff.StraightStairs(riser=0.16, tread=0.30).flight(-2, 11)
print(ff.certificate(climb.motion, terrain=stairs))
ff.save_terrain(stairs, "stairs.glb")
