"""A live system that does something else than the simulation: exit code 1, and DIFFERS wherever it is told."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from checkers.histories.history import History
from lakeproof import live
from real_backend.gating.observed import compare
from real_backend.gating.system import Replayed
from real_backend.iceberg.conformance import simulated
from tests.unit.lakeproof.scenario_files import SERIALIZABLE, SNAPSHOT

STEPS = "w1:end\nw2:end\n"


class Contrary:
    """A live system whose table reads as if nothing had been written, or in which both statements are refused."""

    unseen = ()

    def __init__(self, what) -> None:
        self._what = what

    def name(self, live):
        """What reports call it."""
        return "a contrary system"

    def replay(self, backends, live, schedule, run):
        """The simulated run, but for one observation."""
        seen = simulated(run)
        other = {
            "nothing": seen,
            "rows": replace(seen, rows=()),
            "outcomes": replace(seen, outcomes=tuple((actor, "refused") for actor, _ in seen.outcomes)),
            "lineage": replace(seen, lineage=seen.lineage[:1]),
            "steps": replace(seen, steps=("w1.load",)),
        }[self._what]
        agrees = compare(seen, other).agrees
        return Replayed(("w1.load",), History(run.events), tuple(run.events), seen, other, agrees)


@pytest.fixture
def against(monkeypatch):
    """Let every live system be a contrary one."""
    return lambda what: monkeypatch.setattr(live, "live_system", lambda name: Contrary(what))


@pytest.mark.parametrize("what", ["rows", "outcomes", "lineage"])
@pytest.mark.parametrize("name", [SERIALIZABLE, SNAPSHOT])
def test_a_run_whose_live_replay_differs_exits_1_and_says_so_everywhere(call, tmp_path, against, name, what):
    """Whether the scenario expects to hold or to be violated: simulation and reality do not agree."""
    against(what)
    result = call("run", name, "--live", "--junit", "out.xml", "--summary", "out.md")
    assert result.exit_code == 1
    assert f"{name}: {'VIOLATED' if name == SNAPSHOT else 'HOLDS'}, the live system DIFFERS" in result.stdout
    assert re.search(r"^  DIFFERS  .*: simulated .*; live ", result.stdout, re.MULTILINE)
    assert result.stdout.rstrip().splitlines()[-1].startswith("lakeproof replay runs/")
    (folder,) = (tmp_path / "runs" / name).glob("2*")
    assert json.loads((folder / "live.json").read_text())["agrees"] is False
    assert "a contrary system: DIFFERS from the simulation" in (folder / "explain.md").read_text()
    assert re.search(r"DIFFERS|differs", (folder / "report.html").read_text().split("Live", 1)[1])
    failure = ET.parse(tmp_path / "out.xml").getroot().find("testcase/failure")
    assert failure is not None
    assert failure.get("message", "").startswith("the live system DIFFERS: ")
    assert "| **the live system DIFFERS** |" in (tmp_path / "out.md").read_text()


def test_a_live_replay_that_agrees_changes_nothing(call, against):
    """The same system with nothing different."""
    against("nothing")
    result = call("run", SERIALIZABLE, "--live")
    assert result.exit_code == 0
    assert "DIFFERS" not in result.stdout
    assert f"{SERIALIZABLE}: HOLDS, as expected" in result.stdout


def test_several_scenarios_say_in_a_line_each_which_one_differs(call, against):
    """The gravest code wins."""
    against("rows")
    result = call("run", "iceberg/delete-update-s*", "--live")
    assert result.exit_code == 1
    assert "  live: DIFFERS (a contrary system)" in result.stdout


@pytest.mark.parametrize("what", ["rows", "outcomes", "lineage", "steps"])
def test_a_replay_that_differs_live_exits_1(call, tmp_path, against, what):
    """Though every property holds on both sides."""
    against(what)
    path = tmp_path / "schedule.txt"
    path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# yield-points: load commit\n{STEPS}")
    result = call("replay", path, "--live")
    assert result.exit_code == 1
    assert "  DIFFERS  " in result.stdout
    assert result.stdout.rstrip().splitlines()[-1] == f"lakeproof replay {path} --live"
