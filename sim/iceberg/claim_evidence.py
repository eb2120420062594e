"""What answers claims about Iceberg's transactions that are about one run, or about each of a scenario's runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checkers.histories.history import FAIL, FINAL, INFO, OK, VERSION
from model.iceberg import coverage
from model.ports import Versioned
from sim.kernel.schedule import steps_of
from sim.search.claim_answers import ONE_RUN, Answer
from sim.search.claims import Evidence
from sim.search.run import Run, Runner
from sim.world.scenario import Scenario
from sim.world.words import counted


def not_all_committed(run: Run) -> str:
    """Whether a writer's operation was refused."""
    return next((f"{e.process} is refused: {e.error}" for e in run.events if e.type == FAIL), "")


def not_swapped(run: Run) -> str:
    """Whether, after both have read the beginning, the two rows do not have each other's value."""
    starts = [event.start for event in run.events if event.type == OK and event.f == "transaction"]
    return "" if starts != [0, 0] else _unless(run, {"row:1": "b", "row:2": "a"})


def _unless(run: Run, wanted: dict[str, str]) -> str:
    rows = {key: value for key, value, _ in _final(run)}
    return "" if rows == wanted else f"the final read is {rows}"


def _final(run: Run) -> Any:
    return next(event.reads for event in run.events if event.process == FINAL and event.type == OK)


def serial_runs_agree(scenario: Scenario) -> Answer:
    """Whether one after the other, in either order, the two transactions leave both rows with one value."""

    def evidence() -> Evidence:
        bounds = f"{scenario.bounds}; both orders, one after the other"
        for steps in ("w1:end w2:end", "w2:end w1:end"):
            values = {value for _, value, _ in _final(Runner(scenario).play(steps_of(steps)))}
            if len(values) > 1:
                return Evidence(False, bounds, f"{steps}: {', '.join(sorted(map(str, values)))}")
        return Evidence(True, bounds)

    return evidence


def deletes_before_its_end(run: Run) -> str:
    """Whether a writer deletes a file before its last commit was answered."""
    last = {row[1]: place for place, row in enumerate(run.trace) if row[2] == "commit"}
    early = [row for place, row in enumerate(run.trace) if row[2] == "delete" and place < last.get(row[1], 0)]
    return f"{early[0][1]} deletes {early[0][3]} before its last commit" if early else ""


def takes_a_lock(run: Run) -> str:
    """Whether a writer asks for the table's lock."""
    return next((f"{row[1]} takes the lock" for row in run.trace if row[2] == "lock"), "")


def takes_no_lock(run: Run) -> str:
    """Whether a commit is made without the table's lock."""
    return "" if takes_a_lock(run) or run.coverage.get("fault pause") else "committed without a lock"


def tries_a_failed_update_again(run: Run) -> str:
    """Whether a transaction whose update could not be applied again goes on."""
    if not run.coverage.get(coverage.UPDATE_FAILED_AGAIN):
        return ""
    told = [event for event in run.events if event.process == "w1" and event.type in (OK, FAIL)]
    return "" if told and told[0].type == FAIL else "the transaction goes on"


def commits_onto_older(run: Run) -> str:
    """Whether a commit is taken that does not name the version that its writer loaded last."""
    loaded: dict[str, int] = {}
    for row in run.trace:
        if row[2] == "load" and isinstance(row[5], Versioned):
            loaded[row[1]] = row[5].version
        elif row[2] == "commit" and isinstance(row[5], int) and row[4][1] < loaded[row[1]]:
            return f"{row[1]} commits onto version {row[4][1]}, it has loaded {loaded[row[1]]}"
    return ""


def tries_what_was_not_lost(run: Run) -> str:
    """Whether more commits are tried again than have lost a race."""
    lost = len([row for row in run.trace if row[2] == "commit" and isinstance(row[5], str)])
    again = run.coverage.get(coverage.TRANSACTION_RETRY, 0)
    return f"{counted(lost, 'commit')} lost, {again} tried again" if again > lost else ""


def refused_but_committed(run: Run) -> str:
    """Whether a writer is told of a failure although its snapshot is in the table."""
    there = {event.op for event in run.events if event.type == VERSION}
    return next((f"{e.process} is told {e.error}" for e in run.events if e.type in (FAIL, INFO) and e.op in there), "")


def gives_a_failed_update_up(run: Run) -> str:
    """Whether a transaction fails although it has retries left."""
    return (
        "CommitFailed at the first lost race, 3 retries left" if run.coverage.get(coverage.UPDATE_FAILED_AGAIN) else ""
    )


def document(what: Callable[[], bool], shown: Callable[[], object] | None = None) -> Answer:
    """Whether the document's own test sees this. Args: `shown` is what it sees."""

    def evidence() -> Evidence:
        return Evidence(what(), f"the document's test, {ONE_RUN}", "" if shown is None else str(shown()))

    return evidence


def judged(look: Callable[[], str]) -> Answer:
    """Whether nothing is wrong with what the checkers say of histories. Args: `look` says what is ("": nothing)."""

    def evidence() -> Evidence:
        wrong = look()
        return Evidence(not wrong, "histories of one line each, judged by the checkers", wrong)

    return evidence
