"""The step space on uneven ground: exact prints, and no foot through the ground or an edge of it.

    python benchmarks/step_terrain.py [--json] [--full]

Generated terrains with the walks that cross them; blocks of random heights, up and down by as much as 0.25 m,
with the ground told and with nothing but footprints; slopes of up to 15 degrees in all directions. Captured
steps where FOOTFALL_DATA has them, else the actor's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

sys.path.insert(0, str(Path(__file__).parents[1]))

from movements import Row
from step_measures import actor_space, real_space
from tests.captures import FOLDER

from footfall.analysis.certificate import certificate
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.model import StepSpace
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.generators.generate import generate
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Ground

KINDS = ("stairs", "blocks", "ramps", "stones", "rubble", "bumps", "spiral")
SEEDS, FEW_SEEDS = 40, 5
STEPS, LENGTH, BESIDE = 14, 0.42, 0.1  # m: step length, and feet from the middle line
HIGHEST, STEEPEST = 0.25, np.radians(15.0)  # m, rad
LONGER, WIDE = 0.04, 0.14  # m by which a block is longer than the foot, and its half width
DEEP = 0.4  # m under the lowest block
EXACT, PIERCED = 1e-6, 0.002  # m


Numbers = Float[np.ndarray, "*n"]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Boxes under footprints along +Z, and a floor deep under them."""

    places: Float[np.ndarray, "n 3"]
    behind: float
    ahead: float

    def height(
        self,
        x: Float[np.ndarray, "*n"],
        z: Float[np.ndarray, "*n"],
        start: Float[np.ndarray, "*n"] | float = np.inf,
    ) -> Float[np.ndarray, "*n"]:
        top = np.full(np.shape(x), float(self.places[:, 1].min() - DEEP))
        for px, py, pz in self.places:
            on = (np.abs(x - px) < WIDE) & (z - pz > -self.behind) & (z - pz < self.ahead) & (py <= start)
            top = np.where(on, np.maximum(top, py), top)
        return top


def walk_over(heights: Float[np.ndarray, "steps"]) -> FootPlan:
    """Side by side, then one foot after the other, and side by side again."""
    ahead = LENGTH * np.concatenate([[0.0, 0.0], np.arange(1, STEPS), [STEPS - 1]])
    levels = np.concatenate([heights[:1], heights[:1], heights[1:], heights[-1:]])
    return FootPlan(
        tuple(
            FootPlacement(
                SIDES[k % 2],
                np.array([BESIDE * (1 - 2 * (k % 2)), levels[k], ahead[k]]),
                0.1 * (1 - 2 * (k % 2)),
            )
            for k in range(len(ahead))
        )
    )


def random_blocks(space: StepSpace, rng: np.random.Generator) -> tuple[FootPlan, Blocks]:
    rises = rng.uniform(-HIGHEST, HIGHEST, STEPS - 1) * rng.uniform(0.0, 1.0, STEPS - 1)
    plan = walk_over(np.concatenate([[0.0], np.cumsum(rises)]))
    ends = np.array([Sole.of(space.skeleton, side).lengths for side in SIDES]).max(axis=0) + LONGER
    return plan, Blocks(np.array([p.position for p in plan.placements]), *ends.tolist())


def random_slope(rng: np.random.Generator) -> tuple[FootPlan, InclinedTerrain]:
    """A walk in any direction over a plane that rises along +Z."""
    terrain = InclinedTerrain(rng.uniform(0.0, STEEPEST))
    flat, way = walk_over(np.zeros(STEPS)), rng.uniform(0.0, 2.0 * np.pi)
    places = quat.rotate(ground.turn(way), np.array([p.position for p in flat.placements]))
    places[:, 1] = terrain.height(places[:, 0], places[:, 2])
    placed = zip(flat.placements, places, strict=True)
    return FootPlan(tuple(FootPlacement(p.foot, at, (p.heading or 0.0) + way) for p, at in placed)), terrain


def cases(space: StepSpace, seeds: int) -> Iterator[tuple[str, FootPlan, Ground, Ground | None]]:
    """Name, plan, the ground it is judged on, and the ground that is told."""
    for kind in KINDS:
        for seed in range(seeds):
            made = generate(kind, seed)
            yield kind, made.crossing, made.terrain, made.terrain
    for seed in range(2 * seeds):
        plan, blocks = random_blocks(space, np.random.default_rng([seed, 1]))
        yield "blocks to 0.25 m", plan, blocks, blocks
        yield "blocks to 0.25 m, not told", plan, blocks, None
        plan, slope = random_slope(np.random.default_rng([seed, 2]))
        yield "slopes to 15 degrees", plan, slope, slope


def must_sink(space: StepSpace, plan: FootPlan, under: Ground) -> float:
    """How deep a flat sole must be somewhere, m: in a hollow a print on the ground has its ends in it."""
    planned, tilts = space.planned(plan, under), np.linspace(-0.5, 0.5, 401)
    worst = 0.0
    for p, place, heading in zip(plan.placements, planned.places, planned.headings, strict=True):
        sole = Sole.of(space.skeleton, p.foot)
        heel, tip = sole.lengths
        along = np.array([-heel, float(np.linalg.norm(sole.ball - sole.subtalar)), tip])
        x, z = place[0] + along * np.sin(heading), place[2] + along * np.cos(heading)
        rise = under.height(x, z, np.full(3, place[1] + DEEP)) - place[1]
        rise = np.where(np.abs(rise) < DEEP, rise, -DEEP)  # over an edge, or before a wall
        worst = max(worst, float((rise - np.tan(tilts)[:, None] * along).max(axis=1).min()))
    return worst


def terrain_rows(space: StepSpace, seeds: int) -> Iterator[Row]:
    found: dict[str, list[tuple[float, ...]]] = {}
    refused: dict[str, list[str]] = {}
    for name, plan, under, told in cases(space, seeds):
        try:
            motion = space.follow(plan, terrain=told)
        except RequestError as error:
            refused.setdefault(name, []).append(str(error))
            continue
        seen = certificate(motion, plan=plan, terrain=under, reference=space.reference)
        figures = (
            seen.placement_max_m,
            seen.slide_max_m,
            seen.penetration_max_m,
            seen.leg_extension_max,
            seen.acceleration_ratio,
            float(motion.lowered.max()),
            (seen.penetration_max_m or 0.0) - must_sink(space, plan, under),
        )
        found.setdefault(name, []).append(tuple(np.nan if f is None else f for f in figures))
    for name, rows in found.items():
        place, slide, deep, leg, ratio, down, deeper = np.array(rows).max(axis=0)
        many = len(rows) + len(refused.get(name, ()))
        yield Row(f"{name}: {many} walks, refused", float(many - len(rows)), "walks")
        yield Row(f"{name}: worst print", 1e3 * place, "mm", most=1e3 * EXACT)
        yield Row(f"{name}: worst slide", 1e3 * slide, "mm", most=1.0)
        yield Row(f"{name}: deepest in the ground", 1e3 * deep, "mm")
        yield Row(f"{name}: deeper than flat soles must be", 1e3 * deeper, "mm", most=1e3 * PIERCED)
        yield Row(f"{name}: straightest leg", leg, "", most=0.9951)
        yield Row(f"{name}: acceleration ratio, median", float(np.median([r[4] for r in rows])), "")
        yield Row(f"{name}: acceleration ratio, worst", ratio, "")
        yield Row(f"{name}: pelvis down at most", 1e2 * down, "cm")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--full", action="store_true")
    asked = parser.parse_args()
    build: Callable[[], StepSpace] = real_space if FOLDER.is_dir() else actor_space
    rows = list(terrain_rows(build(), SEEDS if asked.full else FEW_SEEDS))
    if asked.json:
        print(json.dumps({"results": [asdict(row) for row in rows]}))
    else:
        for row in rows:
            print(f"{row.name:48} {row.figure:12.6g} {row.unit:5} {'' if row.met else 'MISSED: '}{row.bar}")
    return int(not all(row.met for row in rows))


if __name__ == "__main__":
    sys.exit(main())
