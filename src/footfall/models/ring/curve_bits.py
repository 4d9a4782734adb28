"""Curves in few bytes: whole numbers of a quantum, told by how their change changes, in the bits that takes.

A gait is smooth: how its curves bend needs a quarter fewer bits than where they are. Every number is off by
half a quantum at most, and what was read is written again to the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

from footfall.errors import LoadError, SaveError
from footfall.formats.stored import Arrays, StoredArrays

LARGEST = 2**28  # quanta
MOST_BITS = 32  # of one number; a bend of the largest numbers takes 31
LEVELS = 3  # where a curve begins, how it sets out, how it bends

Curves = Float[np.ndarray, "curves samples channels"]
Whole = Int[np.ndarray, "curves samples channels"]
Widths = UInt8[np.ndarray, "channels"]


def curve_arrays(name: str, curves: Curves, quantum: float) -> Arrays:
    """Bits, and how many a number of each channel takes on each level."""
    if not (np.abs(curves) <= quantum * LARGEST).all():
        raise SaveError(f"{name} must be finite numbers of at most {quantum * LARGEST:g}")
    levels = _levels(np.round(curves / quantum).astype(np.int64))
    widths = np.stack([_widths(level) for level in levels])
    bits = [_bits(level, width) for level, width in zip(levels, widths, strict=True)]
    return {f"{name}.widths": widths, f"{name}.bits": np.packbits(np.concatenate(bits))}


def read_curves(arrays: StoredArrays, name: str, quantum: float, shape: tuple[int, int, int]) -> Curves:
    """The curves again; whoever asks has seen that so many numbers are not too many."""
    curves, samples, channels = shape
    widths = arrays.take(f"{name}.widths", np.uint8, LEVELS, channels)
    if widths.max(initial=0) > MOST_BITS:
        raise LoadError(f"expected at most {MOST_BITS} bits a number in '{name}.widths'")
    rows = (curves, curves, curves * (samples - 2))
    ends = np.cumsum([n * int(w.sum()) for n, w in zip(rows, widths, strict=True)])
    stored = arrays.take(f"{name}.bits", np.uint8, -(-int(ends[-1]) // 8))
    parts = np.split(np.unpackbits(stored, count=int(ends[-1])), ends[:-1])
    levels = [_numbers(*level) for level in zip(parts, rows, widths, strict=True)]
    whole = _added_up([level.reshape(curves, len(level) // curves, channels) for level in levels])
    if np.abs(whole).max(initial=0) > LARGEST:
        raise LoadError(f"expected numbers of at most {quantum * LARGEST:g} in '{name}.bits'")
    return whole * quantum


def _levels(whole: Whole) -> list[Whole]:
    steps = np.diff(whole, axis=1)
    return [whole[:, :1], steps[:, :1], np.diff(steps, axis=1)]


def _added_up(levels: Sequence[Whole]) -> Whole:
    first, step, bends = levels
    steps = np.cumsum(np.concatenate([step, bends], axis=1), axis=1)
    return np.cumsum(np.concatenate([first, steps], axis=1), axis=1)


def _widths(level: Whole) -> Widths:
    """Bits that hold the largest number of each channel and its sign; none where all are 0."""
    largest = np.abs(level).max(axis=(0, 1), initial=0)
    return np.array([int(n).bit_length() + bool(n) for n in largest], dtype=np.uint8)


def _bits(level: Whole, widths: Widths) -> UInt8[np.ndarray, "bits"]:
    raised = (level + _middle(widths)).astype("<u4")
    bits = np.unpackbits(raised[..., None].view(np.uint8), axis=-1, bitorder="little")
    return bits[:, :, _kept(widths)].reshape(-1)


def _numbers(bits: UInt8[np.ndarray, "bits"], rows: int, widths: Widths) -> Int[np.ndarray, "rows channels"]:
    spread = np.zeros((rows, len(widths), MOST_BITS), dtype=np.uint8)
    spread[:, _kept(widths)] = bits.reshape(rows, int(widths.sum()))
    raised = np.packbits(spread, axis=-1, bitorder="little").view("<u4")[..., 0]
    return raised.astype(np.int64) - _middle(widths)


def _kept(widths: Widths) -> Bool[np.ndarray, "channels bits"]:
    return np.arange(MOST_BITS) < widths[:, None]


def _middle(widths: Widths) -> Int[np.ndarray, "channels"]:
    """What stands for 0."""
    return (np.int64(1) << widths.astype(np.int64)) >> 1
