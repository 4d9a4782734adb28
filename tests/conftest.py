"""The actor's sessions are performed once a test run, and kept where all of its processes find them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from footfall.actor.library import FOLDER


@pytest.fixture(scope="session", autouse=True)
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Never the user's own folder: a test neither fills it nor believes what lies there."""
    own = tmp_path_factory.getbasetemp()
    # processes of one run have a folder each, side by side
    shared = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(shared / "footfall_cache"))
        yield
