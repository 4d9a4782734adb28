"""Values at uneven moments as smooth curves: slopes from neighbours, and cubics between.

Everything a step is made of is a table of samples with their times. Slopes are those of the parabola through
three neighbours, so that a curve has no corners where samples lie closer on one side than on the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

Values = Float[np.ndarray, "steps samples channels"]
Times = Float[np.ndarray, "steps samples"]


def slopes_of(values: Values, times: Times) -> Values:
    """Rates at all samples, in units a second: of the parabola through three neighbours."""
    from footfall.models.stepspace.curves_kernel import put_slopes

    out = np.empty(values.shape)
    put_slopes(np.ascontiguousarray(values), np.ascontiguousarray(times), out)
    return out


@dataclass(frozen=True, eq=False)
class Moments:
    """Where frames lie among samples: in which piece, and how far on in it."""

    step: Int[np.ndarray, "frames"]
    sample: Int[np.ndarray, "frames"]
    share: Float[np.ndarray, "frames"]  # of the piece, 0 to 1
    seconds: Float[np.ndarray, "frames"]  # that the piece lasts
    since: Float[np.ndarray, "frames"]  # s since the step began; less than 0 before the first, as asked

    @classmethod
    def of(
        cls, times: Float[np.ndarray, "frames"], starts: Float[np.ndarray, "steps"], own: Times
    ) -> Moments:
        """Frames before the first sample and after the last are held there."""
        samples = own.shape[1]
        flat = (starts[:, None] + own).ravel()
        held = np.clip(times, flat[0], flat[-1])
        index = np.clip(np.searchsorted(flat, held, side="right") - 1, 0, len(flat) - 2)
        step, sample = np.divmod(index, samples)
        # the last sample of a step is the first of the next: pieces between the two have no length
        last = sample == samples - 1
        sample = np.where(last, samples - 2, sample)
        begin = starts[step] + own[step, sample]
        seconds = own[step, sample + 1] - own[step, sample]
        return cls(step, sample, np.clip((held - begin) / seconds, 0.0, 1.0), seconds, times - starts[step])

    @classmethod
    def within(
        cls,
        step: Int[np.ndarray, "frames"],
        since: Float[np.ndarray, "frames"],
        times: Times,
        first: Int[np.ndarray, "frames"],
        last: Int[np.ndarray, "frames"],
    ) -> Moments:
        """Moments of given steps, held between a first and a last sample of each."""
        own = times[step]
        sample = np.clip((own <= since[:, None]).sum(axis=1) - 1, first, last - 1)
        rows = np.arange(len(step))
        begin = own[rows, sample]
        seconds = own[rows, sample + 1] - begin
        return cls(step, sample, np.clip((since - begin) / seconds, 0.0, 1.0), seconds, since)

    def at(self, values: Values, slopes: Values) -> Float[np.ndarray, "frames channels"]:
        """Cubics through samples with their slopes."""
        t, h = self.share[:, None], self.seconds[:, None]
        a, b = values[self.step, self.sample], values[self.step, self.sample + 1]
        slope_a, slope_b = slopes[self.step, self.sample], slopes[self.step, self.sample + 1]
        t2 = t * t
        t3 = t2 * t
        blend = 3.0 * t2 - 2.0 * t3
        return a + blend * (b - a) + h * ((t3 - 2.0 * t2 + t) * slope_a + (t3 - t2) * slope_b)
