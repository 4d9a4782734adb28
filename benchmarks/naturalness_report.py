"""The naturalness benchmark's figures: beside their bars, as tables, and as values for machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata

import numpy as np
from movements import Row
from naturalness_classifiers import Verdict
from naturalness_held_out import HeldOutErrors
from naturalness_left_out import BETTER, IN_HIGH, PLAIN, LeftOutErrors
from tabled import told

import footfall as ff
from footfall.models.stepspace.model import SELECTOR

HELD_OUT_BAR = 0.04  # m, mean joint distance of the default on held-out clips, captured times kept
CONTROL_BARS = 0.4, 0.6  # balanced accuracy; outside, the judge itself is wrong
PARTS = ("all", "legs", "trunk", "arms")


@dataclass(frozen=True)
class Comparison:
    """Captured and synthesized windows, and how well classifiers tell them apart."""

    name: str
    low_pass: float  # Hz
    captured: int  # windows
    synthesized: int
    head_accelerations: tuple[float, float]  # m/s^2, fore-aft, of captured and of synthesized windows
    verdicts: Mapping[str, Verdict]


@dataclass
class Figures:
    """Everything that is measured."""

    held_out: list[HeldOutErrors] = field(default_factory=list)
    left_out: list[LeftOutErrors] = field(default_factory=list)
    controls: dict[float, dict[str, Verdict]] = field(default_factory=dict)  # by low-pass
    comparisons: list[Comparison] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def rows_of(figures: Figures) -> Iterator[Row]:
    """Figures beside their bars."""
    for one in figures.held_out:
        barred = one.timed and one.method == SELECTOR
        name = f"held-out clips, {'timed' if one.timed else 'untimed'}: {one.method}"
        yield Row(name, 1e2 * one.mean(), "cm", most=1e2 * HELD_OUT_BAR if barred else None)
    for found in figures.left_out:
        barred = found.left_out == "clip"
        yield Row(f"{found.left_out} left out: {SELECTOR}", 1e2 * found.mean(SELECTOR), "cm")
        for than, bar in BETTER.items():
            yield Row(f"  nearer than {than}", found.better(than), "", least=bar if barred else None)
        outside = f"  outside the hull, nearer than {IN_HIGH}"
        yield Row(outside, found.better(IN_HIGH, "outside"), "", least=0.0 if barred else None)
        plain = f"  {PLAIN}: its foot from the footprint, inside the hull"
        yield Row(plain, 1e2 * float(found.foot[found.inside].mean()), "cm")
    for low_pass, verdicts in figures.controls.items():
        least, most = CONTROL_BARS
        for name, verdict in verdicts.items():
            yield Row(f"control, {low_pass:g} Hz: {name}", verdict.accuracy, "", least=least, most=most)
    for comparison in figures.comparisons:
        for name, verdict in comparison.verdicts.items():
            yield Row(f"{comparison.name}, {comparison.low_pass:g} Hz: {name}", verdict.accuracy, "")


def held_out_table(found: Sequence[HeldOutErrors]) -> str:
    """Mean joint distances on held-out clips, in cm."""
    lines = [f"| method | times | steps | refused | {' | '.join(PARTS)} |", "|---" * (4 + len(PARTS)) + "|"]
    for one in found:
        means = " | ".join(f"{1e2 * one.mean(part):.2f}" for part in PARTS)
        times = "captured" if one.timed else "free"
        lines.append(f"| {one.method} | {times} | {len(one.steps)} | {len(one.refused)} | {means} |")
    return "\n".join(lines)


def left_out_table(found: Sequence[LeftOutErrors]) -> str:
    """Mean joint distances on steps left out, in cm."""
    groups = [name for name, _ in found[0].groups()]
    parts = [part for part in found[0].parts if part != "all"]
    lines = [
        f"| left out | method | {' | '.join([*groups, *parts])} |",
        f"|---|---|{'---|' * (len(groups) + len(parts))}",
    ]
    for one in found:
        counts = [str(int(chosen.sum())) for _, chosen in one.groups()] + [""] * len(parts)
        lines.append(f"| {one.left_out} | steps | {' | '.join(counts)} |")
        for method in one.methods:
            means = [one.mean(method, group) for group in groups]
            means += [one.mean(method, part=part) for part in parts]
            cells = ["-" if np.isnan(v) else f"{1e2 * v:.2f}" for v in means]
            lines.append(f"| {one.left_out} | {method} | {' | '.join(cells)} |")
    return "\n".join(lines)


def classifier_table(figures: Figures) -> str:
    """Balanced accuracies in percent with their range over the seeds, and the area under the ROC curve."""
    lines = [
        "| windows | low-pass, Hz | pairs | classifier | accuracy, % | area "
        "| head, m/s^2: captured | synthesized |",
        "|---" * 8 + "|",
    ]
    for low_pass, verdicts in figures.controls.items():
        lines += [f"| control | {low_pass:g} | | {name} | {spoken(v)} | | |" for name, v in verdicts.items()]
    for one in figures.comparisons:
        heads = " | ".join(f"{value:.2f}" for value in one.head_accelerations)
        for name, verdict in one.verdicts.items():
            row = f"| {one.name} | {one.low_pass:g} | {one.synthesized} | {name}"
            lines.append(f"{row} | {spoken(verdict)} | {heads} |")
    return "\n".join(lines)


def spoken(verdict: Verdict) -> str:
    own = verdict.accuracies
    return f"{verdict.accuracy:.0%} ({min(own):.0%} to {max(own):.0%}) | {verdict.area:.2f}".replace("%", "")


def versions() -> dict[str, str]:
    """What the figures were measured with."""
    found = {"footfall": ff.__version__}
    for name in ("numpy", "scipy", "scikit-learn", "torch"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def report(figures: Figures) -> dict[str, object]:
    """For machines: metres, shares of 1, and every seed's figure."""
    return {
        "rows": [told(row) for row in rows_of(figures)],
        "versions": versions(),
        "skipped": figures.skipped,
        "held_out": [
            {
                "method": one.method,
                "timed": one.timed,
                "steps": len(one.steps),
                "refused": one.refused,
                "joint_distance_m": {part: known(one.mean(part)) for part in PARTS},
            }
            for one in figures.held_out
        ],
        "left_out": [
            {
                "left_out": one.left_out,
                "joint_distance_m": {
                    method: {group: known(one.mean(method, group)) for group, _ in one.groups()}
                    for method in one.methods
                },
                "joint_distance_by_part_m": {
                    method: {part: known(one.mean(method, part=part)) for part in one.parts}
                    for method in one.methods
                },
            }
            for one in figures.left_out
        ],
        "controls": {f"{low_pass:g} Hz": as_values(v) for low_pass, v in figures.controls.items()},
        "comparisons": [
            {
                "name": one.name,
                "low_pass_hz": one.low_pass,
                "windows": [one.captured, one.synthesized],
                "head_acceleration": one.head_accelerations,
                "classifiers": as_values(one.verdicts),
            }
            for one in figures.comparisons
        ],
    }


def known(value: float) -> float | None:
    """A figure, or null where there is none."""
    return value if np.isfinite(value) else None


def as_values(verdicts: Mapping[str, Verdict]) -> dict[str, object]:
    return {name: {"accuracy": v.accuracies, "area_under_roc": v.areas} for name, v in verdicts.items()}


def print_report(figures: Figures) -> None:
    """Tables for people."""
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"\nMean joint distance on held-out clips, cm\n\n{held_out_table(figures.held_out)}")
    print(f"\nMean joint distance on steps left out, cm\n\n{left_out_table(figures.left_out)}")
    if figures.comparisons:
        print(f"\nCaptured or synthesized? 50 %: nobody can tell\n\n{classifier_table(figures)}")
    print("\n| figure | here | unit | bar |\n|---|---|---|---|")
    for row in rows_of(figures):
        mark = "" if row.met else " **missed**"
        print(f"| {row.name} | {row.figure:,.4g} | {row.unit} | {row.bar}{mark} |")
    print(*figures.skipped, sep="\n")
    missed = [row.name.strip() for row in rows_of(figures) if not row.met]
    print(
        "\nBARS ARE MISSED\n" if missed else "\nall bars are met", *(f"- {name}" for name in missed), sep="\n"
    )
