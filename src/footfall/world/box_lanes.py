"""Eight boxes or four triangles at once: the questions a box tree asks, as vector instructions.

Numba leaves such short loops scalar, so these functions say in LLVM's terms what they mean; any processor
can run them, those with wide registers do it in a dozen instructions. `tests/world/test_box_lanes.py` holds
them against NumPy.

A row of 48 single-precision numbers has eight boxes: low x of all, low y, low z, high x, high y, high z.
A block of 40 double-precision numbers, five cache lines, has four triangles: the first corners' x of all,
their y, their z, then the second corners and the third, and their places in the mesh; what is no triangle is
not a number.
"""

from __future__ import annotations

from typing import Any

import numba as nb
from llvmlite import ir
from numba.extending import intrinsic

WIDE = 8  # boxes in a row
ROW = 6 * WIDE
BLOCK = 4  # triangles in a block
BLOCK_ROWS = 10  # numbers of each
_FLOATS = ir.VectorType(ir.FloatType(), WIDE)
_DOUBLES = ir.VectorType(ir.DoubleType(), BLOCK)
_INDEX = ir.IntType(64)


@intrinsic
def boxes_on_ray(typing, rows, row, start, inverse, fat, farthest, enter):  # type: ignore[no-untyped-def]
    """Which boxes a ray meets before `farthest`, as bits; `enter` receives how far along it they begin.

    `inverse` are the inverses of the direction; finite, so that a ray in a box's plane meets it. With `fat`
    the ray is a beam: boxes are met that it would meet if they were larger by this on all sides.
    """
    single = nb.types.float32
    three = nb.types.UniTuple(single, 3)
    signature = nb.types.uint32(rows, nb.types.int64, three, three, single, single, enter)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        numbers = _row(context, builder, signature, values)
        start, inverse = ([builder.extract_value(v, k) for k in range(3)] for v in values[2:4])
        first, last = _spread(builder, ir.Constant(ir.FloatType(), 0.0)), _spread(builder, values[5])
        fat = _spread(builder, values[4])
        for axis in range(3):
            origin, steep = _spread(builder, start[axis]), _spread(builder, inverse[axis])
            low, high = builder.fsub(numbers(axis), fat), builder.fadd(numbers(3 + axis), fat)
            a, b = (builder.fmul(builder.fsub(side, origin), steep) for side in (low, high))
            first = _larger(builder, first, _smaller(builder, a, b))
            last = _smaller(builder, last, _larger(builder, a, b))
        _store(context, builder, signature.args[-1], values[-1], first)
        return _bits(builder, builder.fcmp_ordered("<=", first, last))

    return signature, generate


@intrinsic
def boxes_within(typing, rows, row, x, y, z, limit, away):  # type: ignore[no-untyped-def]
    """Which boxes are nearer to a point than the root of `limit`, as bits; `away` receives the squares."""
    single = nb.types.float32
    signature = nb.types.uint32(rows, nb.types.int64, *[single] * 4, away)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        numbers = _row(context, builder, signature, values)
        zero = _spread(builder, ir.Constant(ir.FloatType(), 0.0))
        square = zero
        for axis in range(3):
            point = _spread(builder, values[2 + axis])
            under = builder.fsub(numbers(axis), point)
            over = builder.fsub(point, numbers(3 + axis))
            gap = _larger(builder, _larger(builder, under, over), zero)
            square = builder.fadd(square, builder.fmul(gap, gap))
        _store(context, builder, signature.args[-1], values[-1], square)
        return _bits(builder, builder.fcmp_ordered("<=", square, _spread(builder, values[5])))

    return signature, generate


@intrinsic
def triangles_on_ray(typing, blocks, block, axes, at, lean, best, away):  # type: ignore[no-untyped-def]
    """Which triangles a ray meets before `best`, from either side, as bits; `away` receives how far along it.

    `axes` are the one the ray follows most and the next two in turn; `at` the origin in these axes; `lean`
    the inverse of the direction along the first, and the direction's slopes against it. Decided by the signs
    of three products which neighbours share bit by bit (Woop, Benthin, Wald 2013): no ray slips through an
    edge between two triangles.
    """
    double, index = nb.types.float64, nb.types.int64
    signature = nb.types.uint32(
        blocks, index, nb.types.UniTuple(index, 3), *[nb.types.UniTuple(double, 3)] * 2, double, away
    )

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        start = builder.mul(values[1], ir.Constant(_INDEX, BLOCK_ROWS * BLOCK))
        axes, at, lean = ([builder.extract_value(v, k) for k in range(3)] for v in values[2:5])

        def load(corner: int, axis: Any) -> Any:
            row = builder.add(ir.Constant(_INDEX, 3 * corner), axis)
            place = builder.add(start, builder.mul(row, ir.Constant(_INDEX, BLOCK)))
            return _load(builder, array.data, place, _DOUBLES, 8)

        def product(p: Any, q: Any) -> Any:  # of the sheared corners, in the plane across the ray
            return builder.fsub(builder.fmul(p[0], q[1]), builder.fmul(p[1], q[0]))

        corners, depths = [], []
        for corner in range(3):
            far = builder.fsub(load(corner, axes[0]), _spread(builder, at[0], _DOUBLES))
            depths.append(far)
            sheared = []
            for k in (1, 2):
                beside = builder.fsub(load(corner, axes[k]), _spread(builder, at[k], _DOUBLES))
                sheared.append(builder.fsub(beside, builder.fmul(_spread(builder, lean[k], _DOUBLES), far)))
            corners.append(sheared)
        a, b, c = corners
        shares = [product(c, b), product(a, c), product(b, a)]
        zero = _spread(builder, ir.Constant(ir.DoubleType(), 0.0), _DOUBLES)
        whole = builder.fadd(builder.fadd(shares[0], shares[1]), shares[2])
        along = zero
        some_under, some_over = None, None
        for share, depth in zip(shares, depths, strict=True):
            along = builder.fadd(along, builder.fmul(share, depth))
            under, over = builder.fcmp_ordered("<", share, zero), builder.fcmp_ordered(">", share, zero)
            some_under = under if some_under is None else builder.or_(some_under, under)
            some_over = over if some_over is None else builder.or_(some_over, over)
        found = builder.fdiv(builder.fmul(along, _spread(builder, lean[0], _DOUBLES)), whole)
        _store(context, builder, signature.args[-1], values[-1], found)
        met = builder.xor(some_under, some_over)  # both is outside, none is a triangle seen edge on
        met = builder.and_(met, builder.fcmp_ordered(">=", found, zero))
        met = builder.and_(met, builder.fcmp_ordered("<", found, _spread(builder, values[5], _DOUBLES)))
        return _bits(builder, met, BLOCK)

    return signature, generate


@intrinsic
def lowest_bit(typing, bits):  # type: ignore[no-untyped-def]
    """The place of the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        found = builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))
        return builder.zext(found, ir.IntType(64))

    return nb.types.int64(nb.types.uint32), generate


def _row(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """A function that loads the k-th eight numbers of the row."""
    array = context.make_array(signature.args[0])(context, builder, values[0])
    start = builder.mul(values[1], ir.Constant(_INDEX, ROW))

    def load(k: int) -> Any:
        place = builder.add(start, ir.Constant(_INDEX, WIDE * k))
        return _load(builder, array.data, place, _FLOATS, 4)

    return load


def _load(builder: Any, numbers: Any, place: Any, kind: Any, aligned: int) -> Any:
    found = builder.load(builder.bitcast(builder.gep(numbers, [place]), kind.as_pointer()))
    found.align = aligned
    return found


def _store(context: Any, builder: Any, array_type: Any, array: Any, numbers: Any) -> None:
    place = context.make_array(array_type)(context, builder, array).data
    builder.store(numbers, builder.bitcast(place, numbers.type.as_pointer())).align = 4


def _spread(builder: Any, value: Any, kind: Any = _FLOATS) -> Any:
    """One number in all lanes."""
    none = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(none, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, none, lanes)


def _smaller(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _bits(builder: Any, lanes: Any, count: int = WIDE) -> Any:
    return builder.zext(builder.bitcast(lanes, ir.IntType(count)), ir.IntType(32))
