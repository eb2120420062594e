"""Where results go is looked at before the work, and what goes wrong there loses no result."""

import pytest

from tests.unit.lakeproof.scenario_files import SNAPSHOT


@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (f"run {SNAPSHOT}", "lakeproof.outcome.investigate"),
        ("claims hudi", "lakeproof.commands.claims.judge_all"),
        ("study hudi-early-detection", "lakeproof.commands.study._timed"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(call, tmp_path, monkeypatch, arguments, work):
    """An hour of search would be lost; and work that fails leaves no empty folder."""
    (tmp_path / "hello").write_text("hello")
    (tmp_path / "folder").mkdir()
    done = []

    def fails(*_, **__):
        done.append(1)
        raise RuntimeError("no result")

    monkeypatch.setattr(work, fails)
    assert call(*arguments.split(), "--out", "hello").exit_code == 64
    assert done == []
    assert call(*arguments.split(), "--out", "folder").exit_code == 70
    assert done == [1]
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_report_that_cannot_be_written_at_the_end_does_not_lose_the_replay_command(call, last, monkeypatch):
    """The search has been made; the disk is full."""

    def full(*_):
        raise OSError(28, "No space left on device", "out.xml")

    monkeypatch.setattr("reports.pages.junit.junit", full)
    result = call("run", SNAPSHOT, "--junit", "out.xml")
    assert result.exit_code == 64
    assert "lakeproof: out.xml: expected a place that can be written, got No space left on device" in result.stderr
    assert last(result).startswith(f"lakeproof replay runs/{SNAPSHOT}/")
