"""Where a ring's compiled walk finds its numbers: tables in one array, a walker's state in another.

Every array that is handed to compiled code costs a tenth of a microsecond; so there are few. `sizes` tells
how long things are and where they begin in `numbers`.
"""

from __future__ import annotations

# sizes
FRAMES, LOOPS, MOVING, JOINTS, SPHERES, CHAIN, LINKS, KIND = range(8)
STANDARD, COMBINED, RESTING = range(3)  # kinds of rings
(
    AT_PATHS,  # (2, half + 1, loops, 4): anchor and heading in the half's frame
    AT_STRIKES,  # (2, 2, loops, 3 * links): tangents of the legs' joints as a half ends, and shortly before
    AT_MEANS,  # (moving, 4)
    AT_MOVED,  # (moving,): which joints these are
    AT_LINK_MEANS,  # (links, 4)
    AT_CHAINS,  # (2, chain, 5): joint, its place among the links, its offset; root not counted
    AT_SOLES,  # (2, SOLE): toe joint, middle, heel to toe in its frame; half its length; then as told below
    AT_POINTS,  # (2, loops, 3): strike points of the loops
    AT_INVERSE,  # (2, loops + 1, loops + 1): of kriging [rings] eq. 4
    AT_CENTRES,  # (2, spheres, 3)
    AT_SPHERE_WEIGHTS,  # (2, spheres, loops)
    AT_COLUMNS,  # (2, loops, spheres): the same weights the other way round, for sums over all spheres
    AT_TRAITS,  # (2, 3, spheres): turn, step length, how unlike any loop
    AT_STILLS,  # (joints - moving, 5): joints that no loop moves, and how they are turned
    AT_TOES,  # (2, 5): the toe's joint or -1, its tip in its frame, how high the joint is over the sole
    AT_RADIUS,  # of spheres; then the steepest tilt of a sole, and the least and most that a frame lasts
) = range(8, 24)
SIZES = 24
SOLE = 18  # numbers of a sole
FOOT, HIGH, THIGH = 10, 11, 12  # its joint; how high the toe joint is over it; its thigh's place in the chain
LYING = 13  # its turn when it lies flat and points along +Z
SHANK = 17  # its shank's place in the chain

APPROACH = 7  # feet must not be in the ground when one part in so many of a half cycle is left

# state
FRAME, HALF, SECONDS = 0, 1, 2  # ring frame; which foot supports; seconds that a ring frame lasts now
ORIGIN, HEADING = 3, 6  # of the half's frame, in the world
NEXT_ORIGIN, NEXT_HEADING = 7, 10  # of the frame after the next strike
EASED_FROM = 11  # share of the half at which the weights began to change
TESTED = 12  # of the next half's spheres
WISH_HEADING, WISH_LENGTH = 13, 14
PENDING, WAITED, RESPONSE = 15, 16, 17  # an input not searched for yet; for how long, s; the last such time
STATUS = 18
ERROR, ITERATIONS, STRIKES, FACE, CHOSEN = 19, 20, 21, 22, 23
EXTRA_FROM, EXTRA_RATE, EXTRA_TO = 24, 25, 26  # rad: turned directly, about the support foot
REJECTED = 27  # spheres that were tried at the last search and did not fit
PACE, PACE_TO = 28, 29  # of the usual speed: now, and what it goes to
CONTACTS = 30  # four: left heel, right heel, left toe, right toe
# rotation vectors in the world by which soles are laid on their ground: the support foot's, and the swinging
# foot's from, its rate, to; about y a support foot is turned so that it keeps its heading. The support foot's
# as it will be at the next strike.
SUPPORT_TILT, TILT_FROM, TILT_RATE, TILT_TO, LAST_TILT = 34, 37, 40, 43, 46
SUPPORT_HEADING, NEXT_SUPPORT_HEADING = 49, 50  # rad
# about x and z: how the ground of the support foot is inclined, that of the next strike, and that which was
# left; a foot that comes down pitched is laid flat, and stands as its ground is inclined a while after
SUPPORT_PLANE, NEXT_PLANE, LEFT_PLANE = 51, 53, 55
SUPPORT_LEVEL, LEFT_LEVEL = 57, 58  # m: of the toe joint that stands, and of the other where it stood
LEFT_PLACE = 59  # x, z: where that was
TESTED_HEADING = 61  # rad: of the frame in which the next half's spheres are tested
PIVOT, NEXT_PIVOT = 62, 64  # x, z in the half's frame of the toe joint about which it is turned directly
LANDING = 66  # x, y, z: where the middle of the sole that comes down will be
HOMES = 69  # two: of a rest, where the halves' frames were when it began
# m: by what a foot came down over or in its ground, which it makes good as it stands; how much of that is
# done; and the same of the next strike
SETTLES, SETTLED, NEXT_SETTLES = 75, 76, 77
SCALARS = 78  # weights begin here: at the start of the easing, their rates, at the next strike; then spheres

ARRIVED = 0.86  # share of a half cycle at which weights have reached the strike's: feet touch before they lie
WALKING, TURNING_AWAY, STANDING = 0.0, 1.0, 2.0  # status


def state_size(loops: int, spheres: int) -> int:
    return SCALARS + 3 * loops + 2 * spheres
