"""Weighted sums over examples: vectors as they are, rotations on one hemisphere ([movements] 3, steps 4, 5).

A quaternion and its opposite are the same rotation, so examples are first put on the hemisphere of one of
them, the reference: the heaviest example (largest |weight|, the first of several). The paper does not say
which; this choice leaves the result, as a rotation, free of the signs that the examples came with.

Rotations that lie within 120 degrees of each other are on one hemisphere whichever is the reference, so that
the result does not jump where another example becomes the heaviest. Wider apart three of them can disagree.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less, first_greatest

Weights = Float[np.ndarray, "*queries examples"]
Rotations = Float[np.ndarray, "*queries examples joints 4"]  # or any number of axes for joints

ALMOST_NO_LENGTH = 1e-9  # of a sum of quaternions: rounding decides its direction
UNIT = 1e-15  # of 1: a squared length this near is a unit quaternion's, which dividing would only disturb


def vector_sum(
    weights: Weights, vectors: Float[np.ndarray, "*queries examples components"]
) -> Float[np.ndarray, "*queries components"]:
    """sum_k w_k v_k ([movements] eq. 2); axes as in `quaternion_sum`, then any number of components."""
    weights, queries = np.asarray(weights), np.ndim(weights) - 1
    rest = np.ndim(vectors) - queries - 1
    weights = weights.reshape(*weights.shape[:-1], *[1] * rest, weights.shape[-1])
    return np.einsum("...k,...k->...", weights, np.moveaxis(np.asarray(vectors), queries, -1))


def quaternion_sum(weights: Weights, rotations: Rotations) -> Float[np.ndarray, "*queries joints 4"]:
    """The blend of rotations; weights may be negative. Where they cancel out it is the reference.

    The weights' axes before the last are queries, and the rotations have as many before their examples, each
    of that length or 1 (where all queries share examples). All axes between examples and components are
    joints to the sum: frames of a clip, say, can stand there too.
    """
    weights, rotations = np.asarray(weights), np.asarray(rotations)
    reference = heaviest(weights, rotations)
    aligned = on_one_hemisphere(rotations, np.expand_dims(reference, weights.ndim - 1))
    return _normalized(vector_sum(weights, aligned), reference)


def heaviest(weights: Weights, rotations: Rotations) -> Float[np.ndarray, "*queries joints 4"]:
    """The rotations of the example with the largest |weight|, the first of several."""
    queries = weights.ndim - 1
    chosen = np.expand_dims(first_greatest(np.abs(weights), axis=-1), -1)
    chosen = chosen.reshape(*chosen.shape, *[1] * (rotations.ndim - weights.ndim))
    # an index has the array's other axes, or 1 there; query axes of 1 are met by views of their own length
    shape = (*weights.shape[:-1], *rotations.shape[queries:])
    return np.take_along_axis(np.broadcast_to(rotations, shape), chosen, axis=queries).squeeze(queries)


def on_one_hemisphere(
    rotations: Float[np.ndarray, "*batch 4"], reference: Float[np.ndarray, "*batch 4"]
) -> Float[np.ndarray, "*batch 4"]:
    """Rotations (examples, joints, 4) with their signs chosen so that none is opposite to the reference."""
    opposite = clearly_less(np.einsum("...c,...c->...", rotations, reference), 0.0)
    return np.where(opposite[..., None], -rotations, rotations)  # [movements] 3, step 5a


def _normalized(
    total: Float[np.ndarray, "*batch 4"], reference: Float[np.ndarray, "*batch 4"]
) -> Float[np.ndarray, "*batch 4"]:
    squared = np.einsum("...c,...c->...", total, total)[..., None]
    length = np.where(np.abs(squared - 1.0) <= UNIT, 1.0, np.sqrt(squared))
    lost = length < ALMOST_NO_LENGTH
    return np.where(lost, reference, total / np.where(lost, 1.0, length))  # [movements] 3, step 5c
