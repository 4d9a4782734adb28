"""An example: a motion with the moments that matter in it and the parameters it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.figure.motion import Motion


@dataclass(frozen=True, eq=False)
class Example:
    """One annotated clip. Keytimes are in seconds from the motion's first frame and do not decrease.

    `parameters` are numbers in metres, seconds and radians; what they are called depends on the kind.
    """

    motion: Motion
    keytimes: tuple[float, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    kind: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        try:
            times = tuple(float(t) for t in self.keytimes)
            values = {str(k): float(v) for k, v in self.parameters.items()}
        except (*NO_NUMBER, AttributeError):
            raise RequestError(
                "keytimes must be a list of numbers, and parameters a mapping to numbers"
            ) from None
        if not np.isfinite(times).all() or any(a > b for a, b in pairwise(times)):
            raise RequestError(f"keytimes must not decrease, but they are {times}")
        if not np.isfinite(list(values.values())).all():
            raise RequestError(f"parameters must be numbers, but they are {values}")
        object.__setattr__(self, "keytimes", times)
        object.__setattr__(self, "parameters", MappingProxyType(values))

    def __repr__(self) -> str:
        told = ", ".join(f"{k} {v:.3g}" for k, v in self.parameters.items())
        return f"Example({self.name or self.kind}: {told}; {self.motion!r})"
