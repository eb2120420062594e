"""The house keeper cleans history in a race, on live metastores: part by part, as the simulation says."""

from itertools import islice

import pytest

from checkers.histories.history import History
from checkers.verdict import quick
from model.hive.rules import UNCACHED
from real_backend.hive.conformance import live_steps
from sim.generation.draws import seeded
from sim.hive.build import RO, STEPS, B, Sessions, T, metastore
from sim.hive.generate import GENERATOR
from sim.hive.live import CLEAN_STEPS
from sim.hive.race import HiveRace
from sim.hive.update_statements import CleanHistory
from sim.hive.workload import Abort, Commit, Get, Write
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of

pytestmark = pytest.mark.live
EACH = 3
TRIES = 3


def cleaned(run):
    """Whether history is cleaned beside what others do: they have begun, and have not ended."""
    names = [step.operation for step in live_steps(run)]
    first, last = names.index(CLEAN_STEPS[0]), len(names) - names[::-1].index(CLEAN_STEPS[-1])
    return {"get_open_txns", "alter_table", "commit_txn", "abort_txn"} & {*names[:first]} and names[last:]


@pytest.mark.parametrize("name", ["cleaned-history", "cleaned-abort-as-shipped", "cleaned-abort-unserved"])
def test_scenarios_of_cleaned_history_do_the_same_live(hive, name):
    """Random schedules of each at its gates."""
    scenario = scenario_of(name)
    runs = list(islice((one for one in runs_at_gates(scenario, 0, 200) if cleaned(one.run)), TRIES))
    assert len(runs) == TRIES
    for run in runs:
        both_generated(hive, scenario, run)


def test_what_was_aborted_is_listed_as_committed_once_history_is_cleaned(hive):
    """A reader's list has the write id of a transaction that aborted, and what it had changed."""
    live = both(hive, scenario_of("cleaned-abort-as-shipped"), *found("cleaned-abort-as-shipped"))
    assert "k1.clean_txns=applied" in live.trace


def test_who_begins_needs_nothing_of_what_had_ended_by_then(hive):
    """r1's second transaction begins while w2's is open, and w1's has committed: of that one no write id is kept."""
    sessions: Sessions = {
        "w1": ("h1", (B, Write(T), Commit())), "w2": ("h1", (B, Write(T), Abort())),
        "r1": ("h1", (RO, Commit(), RO, Get(T))), "k1": ("h1", (CleanHistory(),)),
    }  # fmt: skip
    scenario = metastore(
        "ended-before", "Write ids of who had ended are forgotten.", sessions, rules=UNCACHED, pollers=(),
        properties=("lists-have-the-committed",), broken="lists-have-the-committed", steps=(*STEPS, *CLEAN_STEPS),
    )  # fmt: skip
    writes = (
        "w1.get_open_txns w2.get_open_txns w2.allocate_write_id w1.allocate_write_id r1.get_open_txns w1.commit_txn"
    )
    cleans = "r1.commit_txn w2.abort_txn k1.clean_write_set k1.clean_write_ids k1.clean_txns"
    live = both(hive, scenario, *played(scenario, f"{writes} {cleans} r1.get_open_txns r1.get_table"))
    assert quick(History(live.events), scenario.properties) == "lists-have-the-committed/committed-not-listed"


@pytest.mark.parametrize(
    ("configuration", "rules"),
    [("default", "shipped"), ("both", "shipped-refresh"), ("no-cache", "shipped"), ("conflicts-at-commit", "shipped")],
)
def test_generated_races_with_cleaned_history_do_the_same_live(hive, configuration, rules):
    """Drawn house keepers, beside whatever else is drawn."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(3_000))
    cleaning = (one for one in made if isinstance(one.program, HiveRace) and one.program.workload.has(CleanHistory))
    runs = ((each, one) for each in cleaning for one in runs_at_gates(each, 0, 2))
    chosen = list(islice((pair for pair in runs if cleaned(pair[1].run)), EACH))
    assert len(chosen) == EACH
    for scenario, one in chosen:
        both_generated(hive, scenario, one)
