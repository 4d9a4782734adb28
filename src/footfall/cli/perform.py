"""`footfall perform`: a capture session of the virtual actor, as files."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import msgspec
from cyclopts import Parameter

from footfall.cli.checked import make_folder
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.errors import RequestError
from footfall.figure.contacts import runs_of
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.formats.save import save_motion, written_whole

ENDINGS = (".ffm", ".bvh", ".glb", ".amass.npz")


def perform(
    session: Annotated[str, Parameter(help="rings, movements, stepping, walk or body.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="Folder for the takes; made if it is not there.")] = Path("takes"),
    ending: Annotated[
        str, Parameter(help="Format of the takes: .ffm keeps the true contacts; .bvh, .glb, .amass.npz.")
    ] = ".ffm",
    seed: Annotated[int, Parameter(help="Another seed is another person.")] = 0,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """The virtual actor performs a paper's capture session; truth.json tells keytimes and parameters.

    Example: footfall perform stepping --out takes --ending .bvh
    """
    from footfall.actor.sessions import SESSIONS
    from footfall.actor.virtual_actor import VirtualActor

    if ending not in ENDINGS:
        raise RequestError(f"--ending is one of {', '.join(ENDINGS)}, not {ending!r}")
    if session not in SESSIONS:
        raise RequestError(f"no session is called {session!r:.40}; there are {', '.join(SESSIONS)}")
    actor = VirtualActor(seed)
    make_folder(out)
    started = perf_counter()
    with progress_bar(session) as progress:
        examples = actor.perform(session, progress=progress)
    files = [f"{example.name}{ending}" for example in examples]
    with progress_bar("writing") as progress:
        for k, (example, file) in enumerate(zip(examples, files, strict=True)):
            save_motion(example.motion, out / file)
            progress(f"writing {file}", (k + 1) / len(files))
    _write_truth(out / "truth.json", actor.seed, examples, files)
    remark(f"{len(files)} takes and truth.json in {out}")
    values: dict[str, object] = {
        "session": session,
        "files": files,
        "truth": "truth.json",
        "seconds": perf_counter() - started,
    }
    emit(values, json=json, text=lambda: files)
    return 0


def _contacts(motion: Motion) -> dict[str, list[tuple[int, int]]]:
    """Frames in which each heel and toe touches: [first, one past the last)."""
    assert motion.contacts is not None
    return {
        f"{side}_{part}": runs_of(getattr(motion.contacts, part)[:, column])
        for column, side in enumerate(("left", "right"))
        for part in ("heel", "toe")
    }


def _write_truth(path: Path, seed: int, examples: tuple[Example, ...], files: list[str]) -> None:
    takes = [
        {
            "file": file,
            "kind": example.kind,
            "keytimes": example.keytimes,
            "parameters": dict(example.parameters),
            "contacts": _contacts(example.motion),
        }
        for example, file in zip(examples, files, strict=True)
    ]
    told = msgspec.json.format(msgspec.json.encode({"version": 1, "seed": seed, "takes": takes}), indent=1)
    with written_whole(path) as file:
        file.write(told + b"\n")
