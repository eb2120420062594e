"""The tool that replays generated scenarios: what it counts, what it prints, how it ends. Here on a live system that
does what the simulation did."""

import re
import shlex
from dataclasses import replace
from itertools import islice

import pytest

from lakeproof.protocols import matrix_of
from real_backend.errors import BackendTimeout, BackendUnavailable
from sim.iceberg.checked_specs import changes_spec
from sim.kernel.schedule import Divergence
from tests.agreement import __main__ as tool
from tests.agreement import drawing
from tests.agreement.cells import SYSTEM, Cells, cells_of
from tests.agreement.focuses import FOCUSES
from tests.unit.lakeproof import till


@pytest.fixture
def replay(a_till, monkeypatch, tmp_path, capsys):
    """Replay so many tills; returns the exit code and what was printed."""
    monkeypatch.setattr(tool, "PROTOCOLS", (till.TILL,))
    monkeypatch.setattr(tool, "SCENARIOS", {"drawer": 1})
    monkeypatch.setattr(drawing, "BARREN", 20)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["agreement", *arguments, "--out", str(tmp_path / "out")])
        code = tool.main()
        return code, capsys.readouterr().out

    return run


def test_every_configuration_is_replayed_in_turn_and_counted(replay):
    """Scenarios, schedules (one that fails, one that does not), those that a fault hits, equal ones."""
    code, said = replay("drawer=10")
    assert code == 0
    rows = [line.rsplit(maxsplit=7) for line in said.splitlines() if line.startswith("  ")]
    assert [name.strip() for name, *_ in rows] == ["any", "default", "blind", "red", "default, broken", "in all"]
    counts = [[int(figure) for figure in row[1:7]] for row in rows]
    assert [scenarios for scenarios, *_ in counts] == [2, 2, 2, 2, 2, 10]
    assert all(schedules == equal for _, schedules, _, _, equal, _ in counts)
    _, schedules, failing, injected, _, differ = counts[-1]
    assert 0 < injected < schedules
    assert 0 < failing < schedules
    assert differ == 0


def test_a_difference_is_told_by_its_cause_and_with_the_line_that_replays_it(replay, monkeypatch, call):
    """Exit code 1; the line shows it again."""
    monkeypatch.setattr(till.DRAWER, "honest", False, raising=False)
    code, said = replay("drawer=2")
    assert code == 1
    assert re.search(r"^drawer: [2-8] DIFFER: the table read back$", said, re.MULTILINE)
    assert "  the table read back: simulated unreadable, live 1 rows" in said
    _, *arguments = shlex.split(said.splitlines()[-1])
    assert "DIFFERS  the table read back" in call(*arguments).stdout


@pytest.mark.parametrize("error", [Divergence("step 3 of 4"), BackendTimeout("w1: expected a step"), KeyError("x")])
def test_a_replay_that_ends_in_an_error_is_a_difference_and_not_the_end(replay, monkeypatch, error):
    """The next one is made all the same."""
    kept, calls = till.DRAWER.replay, []

    def fails(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            raise error
        return kept(*arguments)

    monkeypatch.setattr(till.DRAWER, "replay", fails, raising=False)
    code, said = replay("drawer=4")
    assert code == 1
    assert f"drawer: 1 DIFFER: could not be followed: {type(error).__name__}" in said
    assert len(calls) > 3


def test_who_interrupts_is_told_what_was_replayed(replay, monkeypatch):
    """The table so far, how many are missing, and no traceback."""
    kept, calls = till.DRAWER.replay, []

    def stopped(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return kept(*arguments)

    monkeypatch.setattr(till.DRAWER, "replay", stopped, raising=False)
    code, said = replay("drawer=10")
    assert code == 2
    assert re.search(r"^  in all +[1-3] ", said, re.MULTILINE)
    assert re.search(r"^drawer: \d+ scenarios fewer than asked for$", said, re.MULTILINE)


def test_a_system_that_is_gone_is_given_up(replay, monkeypatch):
    """After a few replays in a row that could not be made; a system that cannot be had, at once."""

    def fails(*_):
        raise ConnectionError("the JVM has ended")

    monkeypatch.setattr(till.DRAWER, "replay", fails, raising=False)
    code, said = replay("drawer=50")
    assert (code, said.splitlines()[-1]) == (1, "drawer: given up: 5 replays in a row could not be made")

    def missing(*_):
        raise BackendUnavailable("Java: expected java on the PATH, found none")

    monkeypatch.setattr(till.DRAWER, "replay", missing, raising=False)
    code, said = replay("drawer=50")
    assert (code, said.splitlines()[-1]) == (2, "drawer: given up: Java: expected java on the PATH, found none")


def test_what_cannot_be_replayed_is_counted_by_its_reason(replay, monkeypatch):
    """And nothing is replayed then: exit code 2, for that is no agreement."""
    kept = till.GENERATOR.draw

    def lacking(draws, rules):
        return replace(kept(draws, rules), live=None, not_live="expected a drawer, got a purse")

    monkeypatch.setattr(till, "GENERATOR", replace(till.GENERATOR, draw=lacking))
    code, said = replay("drawer=5")
    assert code == 2
    assert re.search(r"^ +\d+  no live counterpart: expected a drawer$", said, re.MULTILINE)
    assert "  options that cannot be together\n" in said
    assert said.splitlines()[-1] == "drawer: 5 scenarios fewer than asked for"


def test_every_pair_of_operations_is_played_unless_fewer_are_asked_for():
    """At each level that makes a difference, in each format, whatever the seed."""
    matrix = matrix_of("iceberg")
    ways = [way for way in cells_of("iceberg") if isinstance(way, Cells) and way.version == "2"]
    assert tool.SCENARIOS[SYSTEM] == len(matrix.formats) * sum(len(list(way.pairs(0))) for way in ways)
    assert sum(way.drawn for way in ways) == len(matrix.levels) * len(matrix.operations) ** 2


def test_who_asks_for_faults_gets_runs_that_one_hits(replay):
    """And the others are counted as not replayed."""
    code, said = replay("drawer=6", "--faults")
    assert code == 0
    _, schedules, _, injected, equal = (int(text) for text in _row(said, "in all")[1:6])
    assert 0 < injected == schedules == equal
    assert "  no random run that the gates can follow and a fault hits\n" in said


def _row(said, name):
    rows = [line.rsplit(maxsplit=7) for line in said.splitlines() if line.startswith(f"  {name} ")]
    return rows[0]


@pytest.mark.parametrize("focus", FOCUSES["iceberg"], ids=lambda focus: focus.name)
def test_what_a_way_is_about_is_in_its_scenarios(focus):
    """Most of the time: what was drawn before may leave no room for it. A live system can follow them."""
    way = drawing.Way("iceberg", drawing.ANY, {}, focus=focus)
    chosen = list(islice(way.chosen({"iceberg-java", "iceberg-java-on-rest", "iceberg-sql"}, 0), 4))
    works = [live.workload for one in chosen if (live := one.scenario.live) is not None]
    done = [[*work.history, *[step for _, todo in work.writers for step in todo]] for work in works]
    about = [changes_spec(one) or work.partition_transform == "bucket" for one, work in zip(done, works, strict=True)]
    assert sum(about) > 2
    assert {one.system == "iceberg-sql" for one in chosen} == {"SQL" in way.name}
