"""The skeleton: names, parents, offsets, a rest pose, end sites, roles and foot points.

A joint's offset lies in its parent's frame. `rest` are the joint rotations of the rest pose, in which the
figure stands upright, faces +Z and has its left at +X; for most files that is the pose of no rotation.
End sites (finger tips, toe tips, the top of the head) are points without a joint of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from footfall.errors import NO_NUMBER, RequestError, SkeletonError
from footfall.figure import kinematics
from footfall.figure.feet import FootPoints, default_foot_points
from footfall.figure.frozen import frozen_array
from footfall.figure.roles import ROLE_NAMES, SIDES, find_roles
from footfall.figure.tree import Tree
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float, Int


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Immutable. Make one with `Skeleton.build`, which finds the roles and the rest pose's facing."""

    names: tuple[str, ...]
    parents: Int[np.ndarray, "joints"]
    offsets: Float[np.ndarray, "joints 3"]
    rest: Float[np.ndarray, "joints 4"]
    roles: Mapping[str, int]
    end_parents: Int[np.ndarray, "ends"] = field(default_factory=lambda: np.zeros(0, dtype=int))
    end_offsets: Float[np.ndarray, "ends 3"] = field(default_factory=lambda: np.zeros((0, 3)))
    feet: Mapping[str, FootPoints] | None = None

    def __post_init__(self) -> None:
        joints = len(self.names)
        try:
            parents = np.array(self.parents, dtype=np.int64)
            ends = np.array(self.end_parents, dtype=np.int64).reshape(-1)
        except NO_NUMBER:
            raise RequestError("parents and end_parents must be whole numbers") from None
        if joints == 0 or parents.shape != (joints,) or parents[0] != -1:
            raise RequestError("a skeleton needs at least one joint, and its first joint must be the root")
        if (parents[1:] < 0).any() or (parents[1:] >= np.arange(1, joints)).any():
            raise RequestError("parents must come before children, and only the root's parent is -1")
        if ((ends < 0) | (ends >= joints)).any():
            raise RequestError("an end site must hang on a joint")
        if not isinstance(self.roles, Mapping):
            raise RequestError(f"roles must be a mapping from roles to joints, not {self.roles!r:.40}")
        for role, joint in self.roles.items():
            if role not in ROLE_NAMES:
                raise RequestError(f"unknown role {role!r:.40}; roles are {', '.join(ROLE_NAMES)}")
            if not 0 <= joint < joints:
                raise RequestError(f"the role {role!r} names joint {joint}, but there are {joints} joints")
        for array in (parents, ends):
            array.flags.writeable = False
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        put(self, "parents", parents)
        put(self, "end_parents", ends)
        put(self, "offsets", frozen_array(self.offsets, "offsets", shape=(joints, 3)))
        put(self, "rest", frozen_array(self.rest, "rest rotations", shape=(joints, 4)))
        put(self, "end_offsets", frozen_array(self.end_offsets, "end sites", shape=(len(ends), 3)))
        put(self, "roles", MappingProxyType(dict(self.roles)))
        if self.feet is not None:
            put(self, "feet", MappingProxyType(dict(self.feet)))

    @classmethod
    def build(
        cls,
        names: Sequence[str],
        parents: Sequence[int] | Int[np.ndarray, "joints"],
        offsets: Float[np.ndarray, "joints 3"],
        *,
        rest: Float[np.ndarray, "joints 4"] | None = None,
        end_parents: Sequence[int] | Int[np.ndarray, "ends"] = (),
        end_offsets: Float[np.ndarray, "ends 3"] | Sequence[Sequence[float]] = (),
        roles: Mapping[str, str] | None = None,
    ) -> Skeleton:
        """Finds roles; without `rest`, the pose of no rotation, turned by quarters until it faces +Z.

        `roles` maps role names to joint names and overrides what was found.
        """
        given = quat.identity(len(names)) if rest is None else np.asarray(rest, dtype=float)
        bare = cls(
            names=tuple(names),
            parents=np.asarray(parents, dtype=int),
            offsets=np.asarray(offsets, dtype=float),
            rest=given,
            roles={},
            end_parents=np.asarray(end_parents, dtype=int),
            end_offsets=np.asarray(end_offsets, dtype=float).reshape(-1, 3),
        )
        found = replace(bare, roles=find_roles(bare.names, bare.parents, bare.rest_positions))
        if rest is None:
            found = found.facing_forward()
        return found.with_roles(**roles) if roles else found

    def facing_forward(self) -> Skeleton:
        """The same skeleton with its rest pose turned by quarter turns until it faces +Z."""
        if not (self.has("left_thigh") and self.has("right_thigh")):
            return self
        across = (
            self.rest_positions[self.joint("left_thigh")] - self.rest_positions[self.joint("right_thigh")]
        )
        quarters = round(float(ground.heading_of(quat.cross(across, ground.UP))) / (0.5 * np.pi))
        if quarters % 4 == 0:
            return self
        rest = np.array(self.rest)
        rest[0] = quat.multiply(ground.turn(-0.5 * np.pi * quarters), rest[0])
        return replace(self, rest=rest)

    def with_roles(self, **joints: str) -> Skeleton:
        """Roles overridden by joint name: `skeleton.with_roles(left_foot="Knöchel_L")`."""
        return replace(
            self, roles=dict(self.roles) | {r: self.index(n) for r, n in joints.items()}, feet=None
        )

    def with_feet(self, **feet: FootPoints) -> Skeleton:
        """Foot points overridden by side: `skeleton.with_feet(left=points)`."""
        return replace(self, feet={**{s: self.foot_points(s) for s in self.sides}, **feet})

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        if name not in self.names:
            raise SkeletonError(f"no joint is called {name!r}; there are {_listing(self.names)}")
        return self.names.index(name)

    def has(self, *roles: str) -> bool:
        return all(isinstance(role, str) and role in self.roles for role in roles)

    def joint(self, role: str) -> int:
        """The joint that plays a role."""
        if not self.has(role):
            what = "is not known" if isinstance(role, str) and role in ROLE_NAMES else "is no role"
            raise SkeletonError(
                f"the role {role!r:.60} {what} in this skeleton; it has {_listing(self.roles)}"
            )
        return self.roles[role]

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.parents)

    @cached_property
    def _rest_pose(self) -> tuple[Float[np.ndarray, "joints 3"], Float[np.ndarray, "joints 4"]]:
        return kinematics.forward(self.tree, self.offsets, np.zeros(3), self.rest)

    @property
    def rest_positions(self) -> Float[np.ndarray, "joints 3"]:
        """World positions of the joints at rest, the root at the origin."""
        return self._rest_pose[0]

    @property
    def rest_orientations(self) -> Float[np.ndarray, "joints 4"]:
        return self._rest_pose[1]

    @property
    def rest_ends(self) -> Float[np.ndarray, "ends 3"]:
        return kinematics.attached(*self._rest_pose, self.end_parents, self.end_offsets)

    @property
    def bone_lengths(self) -> Float[np.ndarray, "joints"]:
        """Distance from each joint to its parent (the root's is the length of its offset)."""
        return np.linalg.norm(self.offsets, axis=-1)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that have a whole leg."""
        return tuple(s for s in SIDES if self.has(f"{s}_thigh", f"{s}_shank", f"{s}_foot"))

    def leg_length(self, side: str | None = None) -> float:
        """Thigh plus shank, metres; the mean of both legs where no side is named."""
        if side is None:
            if not self.sides:
                self.joint("left_foot")
            return float(np.mean([self.leg_length(s) for s in self.sides]))
        rest = self.rest_positions
        hip, knee, ankle = (rest[self.joint(f"{side}_{part}")] for part in ("thigh", "shank", "foot"))
        return float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))

    @property
    def height(self) -> float:
        """From the lowest to the highest joint or end site at rest, metres."""
        y = np.concatenate([self.rest_positions[:, 1], self.rest_ends[:, 1]])
        return float(np.ptp(y))

    @cached_property
    def _default_feet(self) -> dict[str, FootPoints]:
        return {side: default_foot_points(self, side) for side in self.sides}

    def foot_points(self, side: str) -> FootPoints:
        """The sole's points of one foot: as given with the skeleton, else from its rest pose."""
        if not isinstance(side, str):
            raise SkeletonError(f"a side is 'left' or 'right', not {side!r:.60}")
        if self.feet is not None and side in self.feet:
            return self.feet[side]
        if side not in self._default_feet:
            self.joint(f"{side}_foot")
            raise SkeletonError(f"the {side} leg is incomplete: thigh, shank and foot are needed")
        return self._default_feet[side]

    def scaled(self, factor: float) -> Skeleton:
        """All lengths multiplied."""
        feet = self.feet and {
            side: FootPoints(*(factor * getattr(p, n) for n in ("heel", "subtalar", "ball", "toe")))
            for side, p in self.feet.items()
        }
        return replace(self, offsets=factor * self.offsets, end_offsets=factor * self.end_offsets, feet=feet)

    def same_bones(self, other: Skeleton, tolerance: float = 1e-6) -> bool:
        """Whether motions of one can be played on the other unchanged."""
        return (
            self.names == other.names
            and np.array_equal(self.parents, other.parents)
            and bool(np.allclose(self.offsets, other.offsets, rtol=0.0, atol=tolerance))
        )

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} joints, {len(self.end_parents)} end sites, {len(self.roles)} roles)"


def _listing(names: Iterable[str], most: int = 40) -> str:
    known = list(names)
    text = ", ".join(known[:most]) or "none"
    return text if len(known) <= most else f"{text} and {len(known) - most} more"
