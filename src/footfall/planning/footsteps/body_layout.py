"""What a body is to the kernels: what stands where in the numbers they take."""

from __future__ import annotations

TRUNK_AHEAD = 0  # m from the ankles to the trunk's middle
HALF = 1  # m of the line across the trunk, to either side
RADIUS = 2  # m round it, with what it keeps from things
BACK, FRONT = 3, 4  # m from the subtalar to heel and toes
SOLE = 5  # m round the line of a sole, with what it keeps from things
TOE_OUT = 6  # rad
SLOPE = 7  # of the steepest ground
STEP = 8  # m from one foot up or down to the other
EDGE = 9  # m that a sole's middle line keeps from edges
NUMBERS_OF_BODY = 10
