"""`footfall demo`: one motion per system that exists, as GLB, BVH and pictures, with a report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import Parameter

from footfall.analysis.certificate import Certificate, certificate
from footfall.cli.act import built_in_reach
from footfall.cli.checked import make_folder
from footfall.cli.demo_fetch import demo_errand
from footfall.cli.demo_path import demo_path_walk, path_world
from footfall.cli.demo_plan import demo_plan
from footfall.cli.demo_room import demo_room
from footfall.cli.demo_walk import demo_walk
from footfall.cli.output import emit, remark
from footfall.cli.play import built_in
from footfall.cli.progress import progress_bar, progress_told
from footfall.cli.report import Entry, GroundEntry, write_report
from footfall.cli.step import built_in_steps
from footfall.cli.walk import built_in_gaits
from footfall.cli.warmup import cores
from footfall.errors import MissingExtra
from footfall.figure.motion import Motion
from footfall.formats.save import save_motion
from footfall.formats.terrain_file import save_terrain
from footfall.geometry.kernel_watch import tell, watched
from footfall.models.synthesized import Synthesized
from footfall.models.walkedit.model import EditedWalk, WalkEdit
from footfall.models.walkedit.ribbon import Ribbon
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.placed import Placed
from footfall.world.stairs import StraightStairs
from footfall.world.terrain import Ground

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

_Made = list[Entry | GroundEntry]
_Compiling = tuple[str, float | None]  # what `kernel_watch.tell` is told

POLL = 0.05  # s between two looks at what other processes have finished
GROUNDS = ("bumps", "stairs", "spiral", "ramps", "blocks", "stones", "rubble")
SEED = 7  # of the grounds that are shown, and of the slabs
FEET = ("left_step", "right_step")
SLABS = (0.38, 0.78)  # m apart
JUMPS = ((0.7, 0.22), (1.3, 0.35))  # m far and high


def demo(
    *,
    out: Annotated[Path, Parameter(help="Folder for the results; made if it is not there.")] = Path(
        "footfall-demo"
    ),
    pictures: Annotated[
        bool,
        Parameter(negative="--no-pictures", help="Strips and moving pictures; most of the time goes there."),
    ] = True,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Makes what footfall can make without any file of yours, and a report to look at.

    Example: footfall demo --out demo
    """
    make_folder(out)
    pictures = pictures and _can_draw()
    entries: list[Entry] = []
    grounds: list[GroundEntry] = []
    with _shown(PARTS, pictures=pictures) as show:
        for part in _made_side_by_side(PARTS, out, pictures, show):
            entries += [one for one in part if isinstance(one, Entry)]
            grounds += [one for one in part if isinstance(one, GroundEntry)]
    report = out / "index.html"
    write_report(report, entries, grounds)
    values: dict[str, object] = {
        "motions": [
            {"name": e.name, "file": e.files[0], "certificate": e.certificate.as_dict()} for e in entries
        ],
        "terrains": [{"name": g.name, "file": g.files[0], "triangles": g.triangles} for g in grounds],
        "report": str(report),
    }
    made: list[Entry | GroundEntry] = [*entries, *grounds]
    emit(
        values,
        json=json,
        text=lambda: [*(f"{one.name}: {', '.join(one.files)}" for one in made), f"open {report}"],
    )
    return 0


def _can_draw() -> bool:
    from footfall.picture.page import new_page

    try:
        new_page(1.0, 1.0)
    except MissingExtra as error:
        remark(f"no pictures: {error}")
        return False
    return True


@dataclass(frozen=True, eq=False)
class _Act:
    """One motion of the demo: its name, what it shows, and the ground it is on."""

    name: str
    about: str
    motion: Motion
    ground: Ground
    obstacles: tuple[Placed | Obstacle, ...] = ()


@dataclass(frozen=True)
class _Told:
    """What a part of the demo does, or has finished, and the share of the part that is done."""

    part: int
    what: str
    share: float
    finished: bool = False


def _made_side_by_side(
    parts: Sequence[_Part], out: Path, pictures: bool, show: Callable[[_Told], None]
) -> list[_Made]:
    """All parts, in their order, made by a process per core, at most two.

    The parts share kernels and default models: what one process has compiled or built, the other loads.
    """
    order = sorted(range(len(parts)), key=lambda k: (-parts[k].seconds, k))  # the longest first
    made: dict[int, _Made] = {}
    if cores() > 1:
        from multiprocessing import get_context

        context = get_context("spawn")
        futures: dict[int, Future[_Made]] = {}
        pool = None
        try:
            queue = context.SimpleQueue()
            pool = ProcessPoolExecutor(2, mp_context=context, initializer=_tell_through, initargs=(queue,))
            for k in order:
                futures[k] = pool.submit(_made_elsewhere, k, parts[k], out, pictures)
            while not all(future.done() for future in futures.values()):
                sleep(POLL)
                _pass_on(queue, show)
            _pass_on(queue, show)
        except (OSError, BrokenExecutor):  # no processes can be had: what is not done is made below
            pass
        finally:
            if pool is not None:
                pool.shutdown(wait=not sys.exc_info()[0], cancel_futures=True)
        for k, future in futures.items():
            with suppress(BrokenExecutor, CancelledError):  # a process that died made nothing
                made[k] = future.result()
    for k in order:
        if k not in made:
            made[k] = _made(k, parts[k], out, pictures, show)
    return [made[k] for k in range(len(parts))]


_queue: SimpleQueue[_Told | _Compiling]  # of a process that makes parts: to the one that shows


def _tell_through(queue: SimpleQueue[_Told | _Compiling]) -> None:
    global _queue
    _queue = queue


def _made_elsewhere(k: int, part: _Part, out: Path, pictures: bool) -> _Made:
    """Make a part in another process, and tell what it makes and compiles through the queue."""
    with watched(lambda name, seconds: _queue.put((name, seconds))):
        return _made(k, part, out, pictures, _queue.put)


def _pass_on(queue: SimpleQueue[_Told | _Compiling], show: Callable[[_Told], None]) -> None:
    """Show here, and count here, what other processes have told."""
    while not queue.empty():
        said = queue.get()
        if isinstance(said, _Told):
            show(said)
        else:
            tell(*said)


def _made(k: int, part: _Part, out: Path, pictures: bool, show: Callable[[_Told], None]) -> _Made:
    """Make a part: its motions or terrains, their files and pictures."""
    made = _Made()
    steps = 1 + part.pieces  # to build its model, and its pieces

    def building(what: str, share: float) -> None:
        show(_Told(k, what, (share + len(made)) / steps))

    with progress_told(building):
        for piece in part.make():
            one: Entry | GroundEntry
            if isinstance(piece, _Act):
                one = _entry(out, piece, pictures=pictures)
            else:
                one = _ground(out, piece, pictures=pictures)
            made.append(one)
            show(_Told(k, one.name, (1 + len(made)) / steps, finished=True))
    return made


@contextmanager
def _shown(parts: Sequence[_Part], *, pictures: bool) -> Iterator[Callable[[_Told], None]]:
    """One display: a bar with the time left on a terminal, else a line for each finished piece."""
    shares, began = [0.0] * len(parts), perf_counter()
    seconds = [part.seconds for part in parts]

    def share_of_all(told: _Told) -> float:
        shares[told.part] = max(shares[told.part], told.share)
        return float(np.dot(shares, seconds) / sum(seconds))

    def line(told: _Told) -> None:
        share = share_of_all(told)
        if told.finished:
            left = (perf_counter() - began) * (1.0 / share - 1.0)
            remark(f"{share:4.0%} {told.what}, {left:.0f} s left")

    if sys.stderr.isatty():
        with progress_bar("making motions" + (" and pictures" if pictures else "")) as bar:
            yield lambda told: bar(told.what, share_of_all(told))
    else:
        yield line


def _performed() -> Iterator[_Act]:
    from footfall.actor.humanoid import humanoid
    from footfall.actor.range_of_motion import range_of_motion
    from footfall.actor.virtual_actor import VirtualActor

    floor, actor = FlatTerrain(), VirtualActor()
    yield _Act(
        "range_of_motion",
        "The embedded figure moves every part of its body in turn, as a capture session begins.",
        range_of_motion(humanoid()),
        floor,
    )
    yield _Act(
        "walking",
        "The virtual actor starts, walks and stops. Its curves are averages over captured people; its feet "
        "are placed exactly, and its hips balance over them.",
        actor.start_and_stop(1.3, steps=7).motion,
        floor,
    )
    yield _Act(
        "stairs",
        "The virtual actor climbs stairs of 16 by 30 cm, a foot a tread.",
        actor.stairs(0.16, 0.30).motion,
        StraightStairs(0.16, 0.30).flight(-2, 11),
    )
    yield _Act(
        "jumping",
        "A standing jump of 1.2 m: the hips fly as a thrown body does.",
        actor.jump(1.2, 0.3).motion,
        floor,
    )
    yield _Act(
        "reaching",
        "A hand to a place near the floor: knees, back and shoulder share the way, both feet stay.",
        actor.reach(np.array([-0.15, 0.12, 0.40])).motion,
        floor,
    )


def _walk_edits() -> Iterator[_Act]:
    from footfall.actor.virtual_actor import VirtualActor

    edit = WalkEdit(VirtualActor().walk(1.3).motion)
    climbed = StraightStairs(0.17, 0.29)
    climb = edit.synthesize(steps=8, stairs=(climbed.riser, climbed.tread))
    yield _Act(
        "walk_edit_stairs",
        "A walk on a level floor, walked anew up stairs of 17 by 29 cm: footprints, heights and lean are "
        "the stairs', all else is the walk's.",
        climb,
        _flight(climb, climbed),
    )
    yield _Act(
        "walk_edit_varying",
        "The same walk with steps that grow from 45 to 95 cm as it goes on, its feet 12 cm over the floor "
        "at mid-swing.",
        edit.synthesize(steps=10, step_length=[(0.0, 0.45), (6.0, 0.95)], lift=0.12),
        FlatTerrain(),
    )
    rubble = generate("rubble", SEED)
    places = np.array([placement.position for placement in rubble.crossing.placements])
    yield _Act(
        "walk_edit_rubble",
        "The same walk over rubble, along a path: it finds places that bear its feet, and swings over what "
        "lies between them.",
        edit.on(rubble.terrain, 0.5 * (places[1:] + places[:-1])),
        rubble.terrain,
    )


def _movements() -> Iterator[_Act]:
    library = built_in()
    apart = np.random.default_rng(SEED).uniform(*SLABS, size=7).tolist()
    yield _Act(
        "movement_library",
        "A library of 15 captured steps a side walks over slabs that lie anywhere from "
        f"{100 * SLABS[0]:.0f} to {100 * SLABS[1]:.0f} cm apart, from standing to standing: every foot comes "
        "to lie on its slab.",
        library.play([*_steps(apart), _closing(len(apart))]),
        FlatTerrain(),
    )
    jumps = [("jump", {"length": length, "height": height}) for length, height in JUMPS]
    yield _Act(
        "movement_jumps",
        "The same library: steps, two jumps of different length and height, a step, and to a stand. Each "
        "movement begins where the last one left the feet.",
        library.play([*_steps([0.55]), _closing(1), *jumps, *_steps([0.6]), _closing(1)]),
        FlatTerrain(),
    )
    yield _Act(
        "movement_general_steps",
        "The general step, by where the feet are to each other at both ends and how the trunk turns: round "
        "a bend, aside, and backwards.",
        library.play(_general_steps()),
        FlatTerrain(),
    )


def _followed() -> Iterator[_Act]:
    yield _Act(
        "step_space_plan",
        "A plan of footprints, ahead, aside, back and round a bend, followed by a step space of five minutes "
        "of captured steps: the point under every ankle comes to rest exactly where the plan says.",
        built_in_steps().follow(demo_plan()),
        FlatTerrain(),
    )


def _planned() -> Iterator[_Act]:
    from footfall.planning.footsteps.scene_plan import plan_scene

    room = demo_room()
    yield _Act(
        "planned_steps",
        "A foot planner leads the same step space through gaps narrower than shoulders to a table: sideways "
        "where it must, feet and body clear of everything, the last steps exactly in front of the table.",
        plan_scene(room, built_in_steps()).walk.motion,
        FlatTerrain(),
        tuple(room.placed()),
    )


def _led() -> Iterator[_Act]:
    hills, posts = path_world(SEED)
    yield _Act(
        "path_walk",
        "A path over hills round posts, found on a map of where one can walk, and a ring character that "
        "follows it to its end, within what its gait can do: slower before bends, then exactly on the spot.",
        demo_path_walk(built_in_gaits(), hills, posts),
        hills,
        posts,
    )


def _fetched() -> Iterator[_Act]:
    from footfall.acting.act import act
    from footfall.picture.acted import moving

    errand = demo_errand()
    made = act(errand, built_in_steps(), built_in_reach())
    things = (*errand.obstacles, *(moving(errand, track, made.fps) for track in made.objects))
    yield _Act(
        "fetching",
        "A ball fetched from a table and left on another: footsteps round a post, a look that leads the "
        "hand, a reach blended from 32 examples and made exact by inverse kinematics, fingers that close "
        "until they touch, and the body clear of everything on the way.",
        made,
        FlatTerrain(),
        things,
    )


def _driven() -> Iterator[_Act]:
    hills = generate("bumps", SEED).terrain
    yield _Act(
        "ring_walk",
        "A stick over hills: from a stand into a walk, round two bends, into a run, back to a walk and to a "
        "stand. Motion rings of 43 captured walks and 43 runs find where each foot comes down, half a cycle "
        "ahead; the foot lock makes feet stand exactly.",
        demo_walk(built_in_gaits(), hills),
        hills,
    )


def _grounds() -> Iterable[str]:
    return GROUNDS


def _steps(lengths: Sequence[float]) -> list[tuple[str, dict[str, float]]]:
    """Left and right in turn, each so far ahead of the last."""
    return [(FEET[k % 2], {"end_length": float(length)}) for k, length in enumerate(lengths)]


def _general_steps() -> list[tuple[str, dict[str, float]]]:
    """Ahead, to the left and the trunk's turn, in metres and radians; feet in turn."""
    around = [(0.4, 0.15, 0.25), (0.45, -0.13, 0.25), (0.45, 0.15, 0.25), (0.0, -0.15, 0.0)]
    aside = [(0.0, 0.40, 0.0), (0.0, -0.15, 0.0)] * 2
    back = [(-0.25, 0.15, 0.0), (-0.25, -0.15, 0.0), (0.0, 0.15, 0.0)]
    return [
        (FEET[k % 2].replace("_step", "_general_step"), {"end_length": z, "end_side": x, "turn": turn})
        for k, (z, x, turn) in enumerate([*around, *aside, *back])
    ]


def _closing(taken: int) -> tuple[str, dict[str, float]]:
    """After so many steps, the one that brings the feet together."""
    return FEET[taken % 2], {"end_length": 0.0}


def _flight(climb: EditedWalk, stairs: StraightStairs) -> MeshTerrain:
    """The ground of a climb as a mesh of few triangles: known by heights alone it is drawn as a fine grid."""
    assert isinstance(climb.ground, Ribbon)
    edges = climb.ground.edges  # the first is behind the foot that stands at the origin, on tread 0
    flight = stairs.flight(-1, len(edges) - 1)
    ahead = np.array([0.0, 0.0, edges[0] + 0.5 * stairs.tread])
    return MeshTerrain(flight.vertices + ahead, flight.triangles, flight.labels, flight.kinds)


def _entry(out: Path, act: _Act, *, pictures: bool = True) -> Entry:
    name, motion = act.name, act.motion
    files = [f"{name}.glb", f"{name}.bvh"]
    for file in files:
        save_motion(motion, out / file)
    if not pictures:
        return _written(act, files)
    from footfall.picture.clip import save_clip
    from footfall.picture.strip import save_strip

    views = ("three-quarter", "side")
    ground, things = act.ground, act.obstacles
    strip = out / f"{name}.png"
    save_strip(motion, strip, figures=12, views=views, title=name, terrain=ground, obstacles=things)
    save_clip(motion, out / f"{name}.gif", terrain=ground, obstacles=things)
    return _written(act, [*files, f"{name}.png", f"{name}.gif"])


def _written(act: _Act, files: Sequence[str]) -> Entry:
    """What the report says of a motion; small, as it goes from one process to another."""
    motion = act.motion
    return Entry(
        act.name, act.about, len(motion), motion.fps, len(motion.skeleton), tuple(files), _measured(act)
    )


def _measured(act: _Act) -> Certificate:
    """What is synthesized knows its plan and what it was made from."""
    if isinstance(act.motion, Synthesized):
        return act.motion.certificate()
    return certificate(act.motion, terrain=act.ground)


def _ground(out: Path, kind: str, *, pictures: bool = True) -> GroundEntry:
    """A generated terrain as a mesh, with a picture of it and of the steps that cross it."""
    made = generate(kind, SEED)
    files = [f"terrain_{kind}.glb"]
    save_terrain(made.terrain, out / files[0])
    if not pictures:
        return GroundEntry(f"{kind}:{SEED}", made.says(), len(made.terrain), tuple(files))
    from footfall.picture.terrain_picture import save_terrain_picture

    picture = f"terrain_{kind}.png"
    save_terrain_picture(made.terrain, out / picture, plan=made.crossing, title=f"{kind}:{SEED}")
    files.append(picture)
    return GroundEntry(f"{kind}:{SEED}", made.says(), len(made.terrain), tuple(files))


@dataclass(frozen=True)
class _Part:
    """What one process makes: motions, or kinds of terrain."""

    make: Callable[[], Iterable[_Act | str]]
    pieces: int
    seconds: int  # that it takes where nothing was compiled or built before, about; the longest goes first


PARTS = (
    _Part(_performed, 5, 5),
    _Part(_walk_edits, 3, 4),
    _Part(_movements, 3, 18),
    _Part(_followed, 1, 3),
    _Part(_planned, 1, 7),
    _Part(_driven, 1, 50),
    _Part(_led, 1, 8),
    _Part(_fetched, 1, 105),
    _Part(_grounds, len(GROUNDS), 4),
)
