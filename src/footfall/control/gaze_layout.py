"""Where the numbers of a gaze lie in its state: one array, for one compiled call a frame."""

from __future__ import annotations

SIDE = 0  # rad: where the target is, about the body's upward axis, the way round that was taken
SETTLED = 1  # 0 to 1: how long the target has been looked at
MODE = 2  # -1 before the first frame, 0 at ease, 1 looking
CLOCK, SPAN = 3, 4  # s since the last leap of the eyes began, and s that it takes
HEAD = 5  # nod, its rate, its acceleration; turn, the same: over the pose that came in, in the body's frame
TRUNK = 11
SEEN = 17  # the direction of the target in the last frame
GLANCE = 20  # nod and turn aside of the target
MISSED = 22  # rad from the eyes' rays to the target, the larger one
HELD = 23  # whether an eye is at its limit
TO_GO = 24  # rad that head and trunk still have to go
NEAR = 25  # whether the target is in the head
MOVED = 26  # m: how far the gaze has moved the point between the eyes, in the world
# for each of two eyes: the way left as its leap began, the rate and acceleration of that; its place and rate,
# nod and turn each; the frame of the bone that bears it and where it is, in the world, in the last frame;
# its place then without an aim
EYES = 29
EYE = 19
STATE = EYES + 2 * EYE
# one row of an eye's table
PARENT_REST, FORWARD, SPANS = 0, 4, 7  # (4,), (3,), least and most nod, least and most turn
AIM = 11
# the body's row
HIPS_REST, HEAD_FORWARD, CENTRE, NEAREST = 0, 4, 7, 10
BODY = 11
