"""A walker's state as it begins: at a strike somewhere on the ground, or standing."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.world.box_tree import TreeArrays

State = Float[np.ndarray, "state"]


def fresh_state(ring: MotionRing, wish_length: float | None) -> State:
    """Nothing is known of it but the length of a step, the wished one or else a usual one."""
    state = np.zeros(layout.state_size(len(ring), len(ring.spheres[0])))
    lengths = ring.spheres[0].step_lengths
    state[layout.WISH_LENGTH] = np.median(lengths) if wish_length is None else wish_length
    state[layout.SECONDS] = float((ring.usual_weights @ ring.seconds).mean())
    state[layout.PACE] = state[layout.PACE_TO] = 1.0
    state[layout.NEXT_SUPPORT_HEADING] = np.nan
    return state


def planned_weights(state: State, loops: int) -> Float[np.ndarray, "loops"]:
    """Those of the next strike, to be read or written."""
    return state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops]


def sphere_flags(state: State, ring: MotionRing) -> Float[np.ndarray, "spheres"]:
    """Which of the half's spheres touch, to be read or written."""
    first = layout.SCALARS + 3 * len(ring)
    return state[first : first + len(ring.spheres[0])]


def settle(state: State) -> None:
    """Where the feet of a rest are now is where they belong."""
    half = int(state[layout.HALF])
    for own, place in ((half, layout.ORIGIN), (1 - half, layout.NEXT_ORIGIN)):
        state[layout.HOMES + 3 * own : layout.HOMES + 3 * own + 3] = state[place : place + 3]


def begun_state(ring: MotionRing, tree: TreeArrays, place: Float[np.ndarray, "3"], heading: float) -> State:
    """At the strike of the left foot at a place; a rest with both feet on the ground."""
    from footfall.models.ring.handover_kernel import strike_now
    from footfall.models.ring.search_kernel import search, test_spheres

    state, loops = fresh_state(ring, None), len(ring)
    tables = ring.packed.sizes, ring.packed.numbers
    state[layout.WISH_HEADING], state[layout.SUPPORT_HEADING] = heading, np.nan
    state[layout.HALF], state[layout.NEXT_HEADING] = 1.0, heading
    state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3] = place
    planned_weights(state, loops)[:] = _level(ring)
    if not ring.resting:
        strike_now(*tree, *tables, state)
        return state
    state[layout.HALF], state[layout.HEADING] = 0.0, heading
    state[layout.ORIGIN : layout.ORIGIN + 3] = place
    flags, origin = sphere_flags(state, ring), state[layout.ORIGIN : layout.ORIGIN + 3]
    test_spheres(*tree, *tables, 0, origin, heading, 0, len(flags), flags)
    search(*tree, *tables, flags, state)
    state[layout.SCALARS : layout.SCALARS + loops] = planned_weights(state, loops)
    state[layout.TILT_FROM : layout.TILT_FROM + 3] = state[layout.TILT_TO : layout.TILT_TO + 3]
    settle(state)
    return state


def _level(ring: MotionRing) -> Float[np.ndarray, "loops"]:
    """Weights of a usual step that ends with the left foot as high as the right."""
    kriging = ring.spheres[1].kriging
    x, _, z = np.median(kriging.points, axis=0)
    return kriging(np.array([x, 0.0, z]))
