"""Room for a few numbers in compiled code, on the stack.

An array from `np.empty` costs compiled code some 50 ns, as much as the arithmetic of a small function. These
arrays cost nothing. They live as long as the function that asked for them runs: never return one, nor keep
one. Their size is a constant, and as the room is made once for a function, not once for each turn of a loop,
what was written in an earlier turn is still there.
"""

from __future__ import annotations

from typing import Any

import numba as nb
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj


def _room_of(number: nb.types.Type) -> Any:
    """A function of compiled code: an array of so many numbers of a kind."""

    @intrinsic(prefer_literal=True)
    def room(typing, count):  # type: ignore[no-untyped-def]
        if not isinstance(count, nb.types.IntegerLiteral):
            raise nb.core.errors.TypingError("the size of room on the stack must be a constant")
        size = count.literal_value
        array = nb.types.Array(number, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.get_data_type(number)
            begin = cgutils.alloca_once(builder, kind, size=ir.Constant(ir.IntType(32), size))
            begin.align = 32
            made = arrayobj.make_array(array)(context, builder)
            each = context.get_constant(nb.types.intp, context.get_abi_sizeof(kind))
            length = context.get_constant(nb.types.intp, size)
            arrayobj.populate_array(
                made,
                data=builder.bitcast(begin, made.data.type),
                shape=cgutils.pack_array(builder, [length]),
                strides=cgutils.pack_array(builder, [each]),
                itemsize=each,
                meminfo=None,
            )
            return made._getvalue()

        return array(count), generate

    return room


doubles = _room_of(nb.types.float64)
singles = _room_of(nb.types.float32)
longs = _room_of(nb.types.int64)
truths = _room_of(nb.types.boolean)
