"""Every request gives the motion that was recorded: the same discrete facts, places within a micrometre.

Where a motion is changed on purpose: `python tests/golden/record.py --only NAME`, and the change says why.
"""

from __future__ import annotations

from typing import Any

import pytest
from tools.compare_motions import compared

from tests.captures import FOLDER, WHY
from tests.golden import sources
from tests.golden.record import RECORDED, load_records, made, requests

pytestmark = pytest.mark.cpu
REQUESTS = requests()
RECORDS = load_records(RECORDED)


def _group(request: dict[str, Any]) -> str:
    """What is made once for a group: where groups are kept together, no two workers make it."""
    return str(request.get("model", request["system"]))


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.xdist_group(f"golden {_group(r)}")) for n, r in REQUESTS.items()],
)
def test_the_motion_is_as_recorded(name: str) -> None:
    if sources.needs_captures(REQUESTS[name]) and not FOLDER.is_dir():
        pytest.skip(WHY)
    found = compared(RECORDS[name], made(REQUESTS[name]))
    assert found.equal, "\n".join(found.told[:20])


def test_every_request_is_recorded_and_nothing_else() -> None:
    assert list(RECORDS) == list(REQUESTS)


def test_every_system_is_asked_and_some_requests_are_refused() -> None:
    from tests.golden.adapters import SYSTEMS

    assert {request["system"] for request in REQUESTS.values()} == set(SYSTEMS)
    refused = [n for n, record in RECORDS.items() if isinstance(record["discrete"].get("refused"), str)]
    assert sorted(refused) == sorted(n for n in REQUESTS if " refused: " in n)


def test_records_are_small() -> None:
    assert RECORDED.stat().st_size < 1_700_000
