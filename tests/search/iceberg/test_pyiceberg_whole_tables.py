"""What PyIceberg's own REST catalog does with whole tables: it makes them, drops them, and gives them other names."""

from collections import Counter
from typing import Any

import pytest

from sim.iceberg.creating import CreateTable, DropTable, PutTable, RenameTable
from sim.iceberg.managing import AppendTo, CreateRef
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import REST
from sim.iceberg.workload import Append, Statement
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive, same_twice
from sim.search.run import Run, Runner
from sim.world.scenario import FaultSpace, Scenario

GONE = (DropTable(),)
NEW, OTHER = CreateTable(((3, "x"),)), PutTable(((4, "y"),))
SOUND = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
"""And not that nobody is refused whom nobody was before: a catalog says by itself what it finds."""
LEFT = {"row:1": "a", "row:2": "b"}


def of(*todo: Statement, history: tuple[Statement, ...] = (), **kwargs: Any) -> Scenario:
    """A race of these statements, each of a writer of its own."""
    writers = {f"w{number}": [one] for number, one in enumerate(todo, 1)}
    return race("x", "", writers, catalog=REST, history=history, loaded=True, properties=SOUND, **kwargs)


def told(run: Run) -> list[str]:
    """What each writer was told: "ok", or its error."""
    ended = [event for event in run.events if event.process in ("w1", "w2") and event.type != "invoke"]
    return [(one.error or one.type).partition(":")[0] for one in sorted(ended, key=lambda one: one.process)]


def read(run: Run) -> dict[str, str]:
    """What the last reader found there."""
    final = next(event for event in reversed(run.events) if event.process == "r-final")
    return {one.key: one.value for one in final.reads if one.value is not None}


def calls(run: Run, process: str = "w1") -> list[str]:
    """Its requests."""
    return [row[2] for row in run.trace if row[1] == process and row[2] in ("load", "commit")]


def test_bytes_of_a_run_repeat() -> None:
    """Names and drops included."""
    assert len({same_twice(of(DropTable(), NEW), seed) for seed in range(3)}) > 1


@pytest.mark.parametrize(
    ("statement", "history", "said", "left", "requests"),
    [
        (NEW, GONE, "ok", {"row:3": "x"}, ["load", "commit"]),
        (NEW, (), "TableAlreadyExistsError", LEFT, ["load"]),
        (DropTable(), (), "ok", {}, ["commit"]),
        (DropTable(), GONE, "NoSuchTableError", {}, ["commit"]),
        (RenameTable(), (), "ok", LEFT, ["commit", "load"]),
        (RenameTable(), GONE, "NoSuchTableError", {}, ["commit"]),
        (OTHER, GONE, "ok", {"row:4": "y"}, ["commit", "load"]),
        (OTHER, (), "TableAlreadyExistsError", LEFT, ["commit"]),
        (Append(((5, "z"),)), GONE, "NoSuchTableError", {}, ["load"]),
    ],
    ids=str,
)
def test_each_alone_is_told_what_it_has_done(statement, history, said, left, requests) -> None:
    """By its requests, the library's own: one that makes a table stages it first, one that renames it loads it."""
    run = Runner(of(statement, history=history)).play(steps_of("w1:end"))
    assert (told(run), read(run), calls(run)) == ([said], left, requests)
    assert run.failure is None


@pytest.mark.parametrize(
    ("row", "column", "history", "outcomes"),
    [
        (NEW, CreateTable(((4, "y"),)), GONE, [
            ("ok", "CommitFailedException"), ("CommitFailedException", "ok"), ("ok", "TableAlreadyExistsError"),
            ("TableAlreadyExistsError", "ok"),
        ]),
        (NEW, OTHER, GONE, [
            ("ok", "TableAlreadyExistsError"), ("CommitFailedException", "ok"), ("TableAlreadyExistsError", "ok"),
        ]),
        (NEW, DropTable(), (), [("ok", "ok"), ("TableAlreadyExistsError", "ok")]),
        (OTHER, DropTable(), GONE, [("ok", "ok"), ("ok", "NoSuchTableError"), ("NoSuchTableError", "ok")]),
        (Append(((5, "z"),)), DropTable(), (), [("ok", "ok"), ("RESTError", "ok")]),
        (Append(((5, "z"),)), RenameTable(), (), [("ok", "ok"), ("RESTError", "ok")]),
        (AppendTo("b", ((5, "z"),)), DropTable(), (), [("ok", "ok"), ("RESTError", "ok")]),
        (CreateRef("t", tag=True), DropTable(), (), [("ok", "ok"), ("RESTError", "ok")]),
        (RenameTable(), DropTable(), (), [("ok", "NoSuchTableError"), ("NoSuchTableError", "ok")]),
    ],
    ids=str,
)  # fmt: skip
def test_two_at_once_lose_nothing_that_was_acknowledged(row, column, history, outcomes) -> None:
    """In every order of their requests. A tag, and the rows of a branch, go with their table."""
    seen: Counter[tuple[str, ...]] = Counter()
    result = exhaustive(of(row, column, history=history), limit=500, each=lambda run: seen.update([tuple(told(run))]))
    assert result.complete
    assert result.failures == {}
    assert set(seen) == set(outcomes)


@pytest.mark.parametrize(("fault", "left"), [("drop-before", LEFT), ("drop-after", {})])
def test_a_drop_that_is_not_answered_is_one_of_unknown_outcome(fault, left) -> None:
    """Whether it was carried out or not."""
    scenario = of(DropTable(), faults=FaultSpace({"commit": (fault,)}))
    run = Runner(scenario).play(steps_of(f"w1:commit w1.commit!{fault} w1:end"))
    assert told(run) == ["ConnectionError"]
    assert read(run) == left
    assert run.failure is None
