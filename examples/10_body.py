"""The body: a character that goes, looks, picks up, carries and puts down; and its layers one by one.

python examples/10_body.py
"""

import numpy as np

import footfall as ff

actor = ff.VirtualActor()
session = actor.perform("body")  # 19 gaits, 32 reaches and some more, by the virtual actor

# reaches of either hand: between 16 examples an arm, and exact by inverse kinematics
library = ff.build_reach(session)
high = library.synthesize("right", position=(-0.2, 1.6, 0.35))  # metres, before the figure
print("a reach:   ", high.certificate())

# layers: a stand, a hand that reaches, eyes that lead it, and hands kept where they are whatever eyes do
standing = next(take.motion for take in session if take.kind == "idle")
reaching, gaze = ff.ReachController(library), ff.GazeController(library.skeleton)
keep = ff.ConstraintController(library.skeleton)
layers = [ff.WorldOffset(library.skeleton, (0.0, 0.0)), ff.IdleController(standing), reaching, gaze, keep]
figure = ff.Character(library.skeleton, layers)
gaze.command(look_at=(0.3, 1.2, 0.5))
reaching.reach((0.3, 1.2, 0.5), hand="left")
for _ in range(120):
    figure.step(1 / 60)
print(figure.stack)
print("arrived:   ", reaching.arrived, f"{1000 * reaching.missed:.3f} mm off")

# a scene with tasks: footsteps, grasps and ways of the hands are found by themselves
takes = {take.name: take for take in actor.perform("stepping")}
steps = ff.build_step_space([takes[n] for n in ("forward_1", "forward_2", "backward_1", "side_1")])
scene = ff.Scene(
    obstacles=(ff.Obstacle(ff.Box((1.2, 0.75, 0.6)), np.array([0.0, 0.375, 1.8]), name="table"),),
    objects=(ff.SceneObject("ball", ff.Sphere(0.04), np.array([-0.2, 0.79, 1.65])),),
    tasks=(
        ff.Task("look_at", "ball"),
        ff.Task("pick_up", "ball"),
        ff.Task("put_down", (0.35, 0.79, 1.65)),
    ),
)
made = ff.act(scene, steps, library)
for task in made.tasks:
    print(task)
print("certificate:", made.certificate())
print("the ball is at", made.object_named("ball").positions[-1].round(4))
ff.save_motion(made, "fetch.glb")
