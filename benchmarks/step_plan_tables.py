"""What random plans come to: rows beside their bars, distributions, and figures by kind of plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from movements import Row
from step_measures import (
    LOWEST,
    PlanFigures,
    placement_error,
    plans_of,
    through_pybvh,
    walkable,
)

from footfall.models.stepspace.model import StepSpace

OTHER_READER = 10  # plans that pybvh reads too
REACHABLE = 0.95  # of the steps
BARS = {  # of every plan
    "placement": 1e-6,  # m
    "slide": 1e-3,  # m
    "penetration": 2e-3,  # m
    "extension": 0.995,
    "ratio": 2.0,
    "lowered_mean": 0.015,  # m
    "lowered_max": LOWEST,
}
UNITS = {  # scale and name
    "placement": (1e3, "mm"),
    "slide": (1e3, "mm"),
    "penetration": (1e3, "mm"),
    "extension": (1.0, ""),
    "ratio": (1.0, ""),
    "lowered_mean": (1e2, "cm"),
    "lowered_max": (1e2, "cm"),
    "rings": (1e2, "cm"),
}
NAMES = {
    "placement": "planned subtalar from its rest, in the BVH",
    "slide": "slide",
    "penetration": "penetration",
    "extension": "leg extension",
    "ratio": "acceleration ratio",
    "lowered_mean": "pelvis lowered, mean of the plan",
    "lowered_max": "pelvis lowered, at most",
    "rings": "plain rotational blending, mean miss",
}


def other_reader(space: StepSpace) -> float:
    """The worst placement by pybvh over some of the plans."""
    plans = [walkable(space, plan)[0] for _, _, plan in plans_of(space, OTHER_READER)]
    return max(placement_error(through_pybvh(space.follow(plan)), plan) for plan in plans)


def plan_rows(name: str, space: StepSpace, figures: Sequence[PlanFigures]) -> Iterator[Row]:
    steps, lost = sum(f.steps for f in figures), sum(f.unreachable for f in figures)
    yield Row(
        f"{name}: steps reachable, of {steps} in {len(figures)} plans",
        1.0 - lost / steps,
        "",
        least=REACHABLE,
    )
    for what, bar in BARS.items():
        scale, unit = UNITS[what]
        values = np.array([getattr(f, what) for f in figures])
        yield Row(f"  {NAMES[what]}, worst", scale * float(values.max()), unit, most=scale * bar)
    scale, unit = UNITS["placement"]
    worst = other_reader(space)
    yield Row(
        f"  the same by pybvh, {OTHER_READER} plans", scale * worst, unit, most=scale * BARS["placement"]
    )


def plan_table(figures: dict[str, list[PlanFigures]]) -> str:
    """Distribution of every measure over the plans, and the share of plans within its bar."""
    lines = [
        "| steps of | measure | unit | median | 95 % | worst | within the bar |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, own in figures.items():
        for what in NAMES:
            scale, unit = UNITS[what]
            values = np.array([getattr(f, what) for f in own])
            kept = values[~np.isnan(values)] * scale
            cells = [f"{v:.4g}" for v in (np.median(kept), np.quantile(kept, 0.95), kept.max())]
            share = f"{np.mean(values < BARS[what]):.1%} under {BARS[what] * scale:g}" if what in BARS else ""
            lines.append(f"| {name} | {NAMES[what]} | {unit} | {' | '.join(cells)} | {share} |")
    return "\n".join(lines)


def mix_table(figures: dict[str, list[PlanFigures]]) -> str:
    """By kind of plan: reachable steps, plans within all bars, and the worst of some measures."""
    lines = [
        "| steps of | plans | number | steps reachable | within all bars | ratio, worst "
        "| lowered, mean and worst, cm | refused |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, own in figures.items():
        for mix in dict.fromkeys(f.mix for f in own):
            some = [f for f in own if f.mix == mix]
            met = np.mean([all(getattr(f, what) < bar for what, bar in BARS.items()) for f in some])
            reached = 1.0 - sum(f.unreachable for f in some) / sum(f.steps for f in some)
            low, lowest = np.mean([f.lowered_mean for f in some]), max(f.lowered_max for f in some)
            lines.append(
                f"| {name} | {mix} | {len(some)} | {reached:.2%} | {met:.1%} "
                f"| {max(f.ratio for f in some):.2f} | {1e2 * low:.2f}, {1e2 * lowest:.2f} "
                f"| {sum(bool(f.refused) for f in some)} |"
            )
        lines += [f"\n{name}, {f.mix} plan {f.number}: {f.refused}" for f in own if f.refused]
    return "\n".join(lines)
