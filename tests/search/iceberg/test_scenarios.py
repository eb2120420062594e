"""What the default search finds in the built-in Iceberg scenarios: small, printable, and the same when replayed."""

import pytest

from sim.iceberg.built_in.managed import MANAGED
from sim.iceberg.built_in.rest import REST
from sim.iceberg.built_in.transactions import TRANSACTIONS
from sim.iceberg.scenarios import CATALOG_STEPS, ICEBERG
from sim.search.explore import default_plan, exhaustive
from sim.search.projection import projection
from sim.search.result import Result
from sim.search.run import Run, Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from sim.world.scenario import Scenario
from tests.search.found import shown

BY_NAME = {scenario.name: scenario for scenario in ICEBERG}
BROKEN = [scenario for scenario in (*ICEBERG, *TRANSACTIONS, *MANAGED, *REST) if scenario.expect == "violated"]
LIVE = [s for s in BROKEN if s.live is not None]


def _id(scenario: Scenario) -> str:
    return scenario.name


@pytest.mark.parametrize("scenario", LIVE, ids=_id)
def test_counterexamples_shrink_to_two_deviations_and_survive_at_the_live_yield_points(scenario: Scenario) -> None:
    """What a live gate is asked to play fails in the same way as what the search found."""
    result = default_plan(scenario)
    found = shown(result)
    small = shrink(Runner(scenario), found)
    assert small.proven
    assert len(small.deviations) <= 2
    played = projection(small.run)
    assert played is not None
    assert played.run.yield_points == CATALOG_STEPS
    assert played.run.failure == small.run.failure == found.failure


@pytest.mark.parametrize("scenario", BROKEN, ids=_id)
def test_printed_schedule_replays_to_the_same_run(scenario: Scenario) -> None:
    """The schedule file alone brings the whole run back, payloads included."""
    found = shown(default_plan(scenario))
    assert Runner(scenario).play(schedule_of(found).steps).digest() == found.digest()


def test_the_deleted_row_comes_back_under_snapshot_isolation_only() -> None:
    """I1, I2, I3 and I9, with the same anomaly (S6)."""

    def verdict(name: str) -> Result:
        return default_plan(BY_NAME[f"iceberg/delete-update-{name}"])

    assert list(verdict("snapshot").failures) == ["acknowledged-writes-survive/resurrected-row"]
    assert [verdict(name).verdict for name in ("serializable", "copy-on-write", "snapshot-fixed")] == ["holds"] * 3


def test_a_misreported_commit_takes_the_other_writers_acknowledged_commit_with_it() -> None:
    """The client that recognises its own snapshot below the head moves main back to it."""
    scenario = BY_NAME["iceberg/insert-insert-misreported"]
    run = shown(default_plan(scenario))
    assert run.coverage["iceberg: main moved back to own snapshot over later commits"] == 1
    assert [event.type for event in run.events if event.process == "w2" and event.type != "invoke"] == ["ok"]


def test_only_a_resent_commit_after_apply_makes_the_table_unreadable() -> None:
    """Of all faults at all calls, these four end in a deleted manifest list."""
    unreadable: list[str] = []

    def note(run: Run) -> None:
        if run.failure == "readable/unreadable-table":
            unreadable.extend(fault for fault, _, _ in run.injected)

    exhaustive(BY_NAME["iceberg/update-reply-faults"], each=note)
    assert sorted(unreadable) == ["409-after", "429-after", "503-after-retry", "resend"]
