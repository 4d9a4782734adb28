"""Tests share a cache folder: kernels, the actor's sessions and default models are made once.

It is not the user's own folder, but it outlives a run: each file's key is a digest of all that made it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from footfall.cache import FOLDER, cache_folder
from footfall.cli import ONE_THREAD

for name in ONE_THREAD:  # read by the workers of a test run, which are started after this
    os.environ.setdefault(name, "1")
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("fresh", deadline=None, print_blob=True)  # of tools/fuzz.py: a new seed each time
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def shared_cache() -> Iterator[None]:
    user = cache_folder() or Path(tempfile.gettempdir()) / "footfall"
    own = user / "tests"
    own.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        (user / "kernels").mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # kernels are the user's: `footfall warmup` compiles them beforehand
        (own / "kernels").symlink_to(user / "kernels", target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(own))
        yield
