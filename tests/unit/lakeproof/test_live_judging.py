"""What a live replay is judged for: everything that its history can show, and nothing else; the rest is listed."""

import pytest

from checkers.histories.history import FINAL, History
from lakeproof import live
from real_backend.gating.system import Replayed
from real_backend.iceberg.conformance import simulated
from reports.pages.text import live_lines
from reports.record import Compared, Judged, Live
from tests.unit.lakeproof.scenario_files import SNAPSHOT

STEPS = "w1:end\nw2:end\n"
ALL = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update",
    "snapshot-isolation", "conflict-detection", "no-spurious-refusal", "no-leaks",
)  # fmt: skip


class Mirror:
    """A live system that does what the simulation did; `forgets`: its final read leaves out the rows; `invents`: it
    has other ones."""

    def __init__(self, unseen=(), notes=(), forgets=False, invents=False) -> None:
        self.unseen = unseen
        self._notes = notes
        self._forgets = forgets
        self._invents = invents

    def name(self, live):
        return "a mirror"

    def replay(self, backends, live, schedule, run):
        seen = simulated(run)
        events = run.events
        if self._forgets:
            events = [e._replace(reads=()) if e.process == FINAL else e for e in events]
        if self._invents:
            events = [e._replace(reads=tuple(_other(e.reads))) if e.process == FINAL else e for e in events]
        return Replayed(("w1.load",), History(events), tuple(run.events), seen, seen, True, self._notes)


def _other(reads):
    return [read._replace(value="nobody's") for read in reads]


@pytest.fixture
def replayed(call, tmp_path, monkeypatch):
    """Replay a schedule of a run that holds on a live system."""

    def replay(system):
        monkeypatch.setattr(live, "live_system", lambda name: system)
        path = tmp_path / "schedule.txt"
        path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# yield-points: load commit\n{STEPS}")
        return call("replay", path, "--live")

    return replay


def test_what_nobody_can_see_live_is_listed_and_is_no_unknown(replayed):
    """The rest holds and agrees: exit code 0."""
    result = replayed(Mirror(unseen=("table-invariants", "no-leaks")))
    assert "not judged live: table-invariants, no-leaks" in result.stdout
    assert "live: every property holds in this run" in result.stdout
    assert result.exit_code == 0


def test_nothing_to_judge_is_said_and_is_no_unknown(replayed):
    """Both sides did the same, which is all that was asked of the live one."""
    result = replayed(Mirror(unseen=ALL))
    assert f"not judged live: {', '.join(ALL)}" in result.stdout
    assert "live: no property can be judged in this run" in result.stdout
    assert result.exit_code == 0


def test_a_unknown_comes_with_its_reason(replayed):
    """A final read that lacks rows: unknown, and why."""
    result = replayed(Mirror(forgets=True))
    assert "unknown, because the final read does not tell about" in result.stdout
    assert "live: unknown" in result.stdout
    assert result.exit_code == 2


def test_a_property_that_breaks_on_one_side_only_is_a_difference(replayed):
    """Although all that is compared step by step is the same."""
    result = replayed(Mirror(invents=True))
    assert "DIFFERS  weakest broken property: simulated none; live no-aborted-reads/thin-air-read" in result.stdout
    assert result.exit_code == 1


def test_what_was_different_live_is_said(replayed):
    """A system's own notes stand below the comparison."""
    assert "live heartbeats: every 1000 ms" in replayed(Mirror(notes=("live heartbeats: every 1000 ms",))).stdout


def test_notes_and_reasons_are_in_the_explanation():
    """In the Live section."""
    judged = Judged("unknown", {"readable": "unknown"}, reasons=("the read is missing",))
    rows = (Compared("row 1", "'a'", "'a'", True),)
    lines = list(live_lines(Live("Hudi", "", rows, judged, True, ("live heartbeats: other ones",))))
    assert "* live heartbeats: other ones" in lines
    assert "* unknown, because the read is missing" in lines
