"""Where compiled locomotion finds its numbers: tables in one array, a character's state in another.

Every array that is handed to compiled code costs a tenth of a microsecond; so there are few. `sizes` tells
how long things are and where they begin in `numbers`.
"""

from __future__ import annotations

# sizes
FRAMES, LOOPS, MOVING, SIMPLICES, CHAIN, IDLE = range(6)
(
    AT_SIMPLICES,  # (simplices, 20): four loops, then 4 x 4: coordinates of (speed, turn rate, side speed, 1)
    AT_LOOPS,  # (loops, LOOP)
    AT_MEANS,  # (moving, 5): joint, mean rotation
    AT_CHAINS,  # (2, chain, 4): joint and offset from below the root down to a foot; -1 where it has ended
    AT_LEGS,  # (2, LEG)
    AT_SCALARS,
) = range(6, 12)
SIZES = 12

# numbers of a loop
SECONDS, LIMP, POINT, EVENTS = 0, 1, 2, 5  # events: left flat, heel off, off; right
TRAVEL = 11  # m a cycle, and a little: how much a loop has to say on when feet strike and leave
LOOP = 12

# numbers of a leg
THIGH, SHANK = 0, 1  # places in the chain
TOE = 2  # joint, or -1
TOE_MOVES = 3  # its place among what moves, or -1
KNEE = 4  # axis in the thigh's frame
HEEL, SUBTALAR, TOE_JOINT, LYING = 7, 10, 13, 16
TOE_OVER = 20  # m: the toe joint over the sole
REACH = 21  # m
STANDS = 22  # ankle, yaw, pitch, roll in the stand
TIP = 28  # of the toes, from the toe joint, in the toe's frame
LEG = 31

# scalars
IDLE_FPS, STRAIGHTEST = 0, 1
SCALARS = 2

# state
PHASE, PLACE, HEADING, LEVEL = 0, 1, 3, 4  # place: x, z
WISH, NOW = 5, 8  # speed, turn rate, side speed: asked within the hull; on the way there
CHANGE = 11  # most change of each in a second
STANDING, STANDING_RATE, STANDS_TO = 14, 15, 16  # share of the stand in the pose; what it goes to
IDLE_TIME = 17
GROUND = 18  # levels under root, left foot, right foot
CONTACTS = 21  # left heel, right heel, left toe, right toe
LOCKS = 25  # whether feet are locked
DROP = 26  # m by which the pelvis is lowered
VELOCITY = 27  # speed, turn rate, side speed at which it goes now
LAST_DT = 30
FRESH = 31  # no frame has been made yet
ROOT_RATE = 32  # m/s: of the level
STRUCK = 33  # strikes so far
KEEPS_ON = 34  # whether it steps on and on, be it on the spot
FEET = 36

# numbers of a foot in the state
STANDS_NOW = 0
PRINT = 1  # place of the subtalar on the ground, yaw
OFF, OFF_RATE = 5, 11  # what is still missing to where it should be: ankle, yaw, pitch, roll
WAS, WAS_BEFORE = 17, 23  # as it was a frame ago, and two
MEANT, MEANT_BEFORE = 29, 35  # as the blend has it in the air
UNDER = 41  # level of the ground under it
SINCE = 42  # phase after its strike
LEAVING_AT = 43  # the phase after its strike at which it leaves in this step
ALLOWED = 44  # m that the pelvis may come down for it
UNDER_RATE = 45  # m/s: of the level under it
LANDS = 46  # 1/s: how fast it comes to rest where it came down
FOOT = 47

WEIGHTS = FEET + 2 * FOOT  # then their rates, then what they go to


def state_size(loops: int) -> int:
    return WEIGHTS + 3 * loops
