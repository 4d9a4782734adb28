"""The command table."""

from __future__ import annotations

from cyclopts import App

from footfall.cli.act import act
from footfall.cli.bench import bench
from footfall.cli.build import build
from footfall.cli.convert import convert
from footfall.cli.demo import demo
from footfall.cli.edit import edit
from footfall.cli.inspect import inspect
from footfall.cli.perform import perform
from footfall.cli.plan import plan
from footfall.cli.play import play
from footfall.cli.render import render
from footfall.cli.score import score
from footfall.cli.step import step
from footfall.cli.terrain import terrain
from footfall.cli.walk import walk
from footfall.cli.warmup import warmup
from footfall.version import __version__

COMMANDS = (
    demo,
    inspect,
    convert,
    render,
    score,
    perform,
    terrain,
    edit,
    build,
    play,
    step,
    plan,
    walk,
    act,
    warmup,
    bench,
)
HELP = """Captured clips in, a character that walks where you say out.

Try: footfall demo
"""


def build_application() -> App:
    application = App(name="footfall", help=HELP, version=__version__, help_format="plaintext")
    for command in COMMANDS:
        application.command(command)
    return application
