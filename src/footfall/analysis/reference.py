"""What examples do, kept in a few numbers: enough to judge a motion made from them without their frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from footfall.analysis.smoothness import peak_accelerations
from footfall.errors import RequestError
from footfall.figure.motion import Motion


@dataclass(frozen=True, eq=False)
class Reference:
    """Peak accelerations of joints by role, rad/s^2, and how straight legs are at most."""

    peaks: Mapping[str, float]
    leg_extension: float | None

    def __post_init__(self) -> None:
        peaks = {str(role): float(value) for role, value in self.peaks.items()}
        if not all(np.isfinite(v) and v >= 0.0 for v in peaks.values()):
            raise RequestError("peak accelerations must be finite numbers from 0 on")
        object.__setattr__(self, "peaks", MappingProxyType(peaks))

    @classmethod
    def of(cls, motions: Iterable[Motion]) -> Reference:
        from footfall.analysis.certificate import leg_extension

        kept = list(motions)
        straight = [e for m in kept if (e := leg_extension(m)) is not None]
        return cls(peak_accelerations(kept), max(straight, default=None))
