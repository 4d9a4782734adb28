"""Planning: from "go there" to a path, to footsteps that a step space walks, and to a character that follows.

python examples/09_planning.py
"""

import numpy as np

import footfall as ff


def box(west, south, east, north, high=1.1, name=""):
    """A box by its sides in x and z."""
    middle = (0.5 * (west + east), 0.5 * high, 0.5 * (south + north))
    return ff.Obstacle(ff.Box((east - west, high, north - south)), middle, name=name)


# two walls with gaps of 0.44 and 0.50 m between them, and a table behind them, in a room without a door
walls = [box(-1.6, 0.9, -0.22, 2.0), box(0.22, 0.9, 1.6, 2.0)]
walls += [box(-1.6, 2.9, 0.45, 3.5), box(0.95, 2.9, 1.6, 3.5)]
walls += [box(-1.7, -0.8, -1.6, 5.3), box(1.6, -0.8, 1.7, 5.3)]
walls += [box(-1.7, -0.9, 1.7, -0.8), box(-1.7, 5.3, 1.7, 5.4)]
scene = ff.Scene(
    obstacles=(*walls, box(-0.9, 4.6, 0.3, 5.2, 0.75, "table")),
    tasks=(ff.Task("go_to", "table"), ff.Task("go_to", (0.0, 2.45), {"heading": float(np.pi)})),
)

# a path for a round body: the shortest with some comfort, its corners rounded
world = ff.WalkMap.of_scene(scene)
path = ff.plan_path(world, (0.0, 0.0), (-0.3, 4.2), radius=0.2)
print(path)
try:  # a thicker one does not get through
    ff.plan_path(world, (0.0, 0.0), (-0.3, 4.2), radius=0.3)
except ff.NoPathError as error:
    print("refused:   ", error)

# footsteps for a body that is wide and not deep: through the gaps it goes sideways
actor = ff.VirtualActor()
takes = {take.name: take for take in actor.perform("stepping")}  # of its fifteen takes a few are enough
steps = ff.build_step_space([takes[n] for n in ("forward_1", "forward_2", "backward_1", "side_1")])
planned = ff.plan_scene(scene, steps)
print("footsteps: ", planned.walk)
print("walked:    ", planned.walk.motion.certificate())
with open("steps.json", "wb") as file:  # footfall step reads it
    file.write(planned.walk.plan.encode())
ff.save_motion(planned.walk.motion, "walk.glb")

# one place after another in one world
planner = ff.FootPlanner(steps, ff.FlatTerrain(), scene.placed())
back = planner.plan((0.0, 2.45), (0.0, 0.0), facing=np.pi, heading=0.0)
print("and back:  ", back)

# many keep out of each other's way: twenty swap places across a circle
angles = 2.0 * np.pi / 20 * np.arange(20)
places = 4.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
goals, velocities = -places, np.zeros_like(places)
crowd = ff.Avoidance(np.full(20, 0.3), np.full(20, 1.4))
for _ in range(900):
    wished = 1.4 * (goals - places) / np.maximum(np.linalg.norm(goals - places, axis=1, keepdims=True), 1.0)
    velocities = crowd.velocities(places, velocities, wished, 1 / 60)
    places = places + velocities / 60
print(f"swapped:    {np.linalg.norm(goals - places, axis=1).max():.2f} m from their places")
