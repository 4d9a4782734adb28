"""`footfall bench` finds the checkout's benchmarks, runs them, and passes on whether their bars are met."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from footfall.cli import bench, run


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    body = "import sys\nif __name__ == '__main__':\n    print({text!r})\n    sys.exit({status})\n"
    (tmp_path / "good.py").write_text(body.format(text='{"rows": [1, 2]}', status=0))
    (tmp_path / "slow.py").write_text(body.format(text='{"rows": []}', status=1))
    (tmp_path / "timing.py").write_text("def best_of(): ...\n")
    monkeypatch.setattr(bench, "FOLDER", tmp_path)
    return tmp_path


def test_chosen_benchmarks_run(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "good", "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert out == {"results": [{"name": "good", "met": True, "values": {"rows": [1, 2]}}]}


def test_a_missed_bar_is_an_exit_status(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--json"]) == 1
    results = json.loads(capsys.readouterr().out)["results"]
    assert [(r["name"], r["met"]) for r in results] == [("good", True), ("slow", False)]


def test_unknown_names_are_told_what_there_is(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "fast"]) == 1
    assert "good, slow" in capsys.readouterr().err


def test_an_installed_package_says_where_benchmarks_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "FOLDER", Path("/nowhere/at/all"))
    assert run(["bench"]) == 1
    assert "source checkout" in capsys.readouterr().err


def test_the_checkouts_own_are_found() -> None:
    assert {"formats", "analysis", "cleaning", "movements"} <= bench.available().keys()


def test_output_that_is_no_json_is_said(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, output in (("words", b"not a table"), ("deep", b"[" * 100_000), ("odd", b"\xff")):
        (scripts / f"{name}.py").write_text(
            f"import sys\nif __name__ == '__main__':\n    sys.stdout.buffer.write({output!r})\n"
        )
        assert run(["bench", name, "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out) == {"results": [{"name": name, "met": True, "values": None}]}
        assert f"{name}: its output is no JSON" in err
