"""The character of a scene on its stage: its layers, the things about it, and the clock."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from footfall.acting.recording import LONGEST, Recording
from footfall.acting.taking import Taking
from footfall.acting.things import Things
from footfall.character import Character
from footfall.control.constraint import ConstraintController
from footfall.control.gaze import GazeController
from footfall.control.grab import GrabController
from footfall.control.hand_keeping import HandKeeping
from footfall.control.hand_path import HandPaths
from footfall.control.reach import ReachController
from footfall.control.step_following import StepFollowing
from footfall.control.tick import Controller
from footfall.errors import RequestError
from footfall.figure.capsules import body_capsules
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.ik.full_body import FullBodyIK
from footfall.models.reach.model import ReachLibrary
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps.planner import USUAL_LIMITS, FootPlanner
from footfall.planning.footsteps.walker_body import BodySize
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene

ROOMY, USUAL = BodySize(0.66, 0.44), BodySize()  # with arms that swing; without

Place = Float[np.ndarray, "3"]


class Stage:
    """One figure in one scene, from its start on.

    `here` and `facing` are where its trunk stands, as foot plans tell it.
    """

    def __init__(
        self, scene: Scene, steps: StepSpace, reach: ReachLibrary, *, fps: float = 60.0, seed: int = 0
    ) -> None:
        if not steps.skeleton.same_bones(reach.skeleton):
            raise RequestError("the step space and the reach library are of different figures")
        self.scene, self.steps, self.library, self.fps = scene, steps, reach, fps
        self.terrain = FlatTerrain() if scene.terrain is None else scene.terrain
        self.things = Things.of(scene, self.terrain)
        self.skeleton = steps.skeleton
        self.here: Place = np.asarray(scene.start.position, dtype=float)
        self.facing = float(scene.start.heading)
        self.capsules = body_capsules(self.skeleton)
        standing = self.planner(self.here).plan(
            self.here, self.here, facing=self.facing, heading=self.facing, fps=fps
        )
        self.here = np.array([self.here[0], self.terrain_level(self.here), self.here[2]])
        self.walks = StepFollowing(standing.motion)
        self.reaching = ReachController(reach)
        self.hands = HandPaths(self.reaching)
        self.grab = GrabController(self.skeleton)
        self.gaze = GazeController(self.skeleton, seed=seed)
        self.keep = ConstraintController(self.skeleton)
        kept = HandKeeping(self.reaching, self.keep)
        layers: list[Controller] = [
            self.walks,
            self.hands,
            self.reaching,
            self.grab,
            kept,
            self.gaze,
            self.keep,
        ]
        self.character = Character(self.skeleton, layers, world=self.terrain)
        self.recording = Recording(self.skeleton, fps)
        self.ik = FullBodyIK(self.skeleton)
        self.taken: dict[str, tuple[Taking, float]] = {}  # by thing: how it was taken, and the facing then
        self.sitting = False
        self.seated_from: Motion | None = None  # how it sat down
        self.remarks: list[str] = []
        self.frame()

    @property
    def time(self) -> float:
        return self.recording.seconds

    @property
    def pose(self) -> Pose:
        return self.character.pose

    @property
    def base(self) -> Pose:
        """What the first layer gives: the body without what hands and gaze do to it."""
        return self.walks.pose

    def terrain_level(self, place: Place) -> float:
        return float(self.terrain.height(np.array(place[0]), np.array(place[2]), np.array(place[1] + 0.5)))

    def planner(self, *around: Place, body: BodySize = USUAL) -> FootPlanner:
        """For the things as they lie now."""
        return FootPlanner(
            self.steps,
            self.terrain,
            self.things.solids(0.0),
            body=body,
            limits=USUAL_LIMITS,
            around=[self.here, *around],
        )

    def placed(self) -> tuple[Float[np.ndarray, "joints 3"], Float[np.ndarray, "joints 4"]]:
        """All joints in the world."""
        return self.ik.placed(self.pose)

    # time

    def frame(self) -> None:
        """One frame: the character moves, and things with it."""
        if self.recording.seconds >= LONGEST:
            raise RequestError(f"a scene lasts {LONGEST:g} s at most")
        dt = 1.0 / self.fps if len(self.recording) else 0.0
        self.character.step(dt)
        self.things.carry(self.grab.carried(*self.placed()))
        self.things.fall(dt, self.time)
        self.recording.add(self.pose, self.walks.contacts, self.things)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * self.fps)):
            self.frame()

    def until(self, happened: Callable[[], bool], longest: float) -> bool:
        """Frames go by until something has happened; whether it has, before the time was over."""
        end = self.time + longest
        while not happened():
            if self.time >= end:
                return False
            self.frame()
        return True
