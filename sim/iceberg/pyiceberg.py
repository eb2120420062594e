"""The scenarios of PyIceberg 0.12.0. The library takes half a second to import: it is when one of them first runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from model.iceberg.formats import FORMAT
from sim.iceberg.contents import files_after
from sim.iceberg.creating import OfTables
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.python.branches import placed
from sim.iceberg.python.by_hand import UNTOUCHED, Hand, words_of
from sim.iceberg.python.catalogs import HIVE, OF_TABLES, OURS, STEPS, WORDS
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.python_statements import AddFile, OverwritePartitions
from sim.iceberg.table_words import in_words, properties_in_words
from sim.iceberg.workload import Append, ChangeRow, Copy, Delete, Rows, Statement
from sim.world.fault_spaces import REGISTER, wide
from sim.world.later import Later
from sim.world.scenario import FaultSpace, Scenario, scenario_of
from sim.world.words import all_but, not_asked

RACE = "sim.iceberg.python.race:PyIcebergRace"
# All that its histories can answer. Nobody looks through the files at the end (table-invariants, no-leaks), what a
# Delete reads is not recorded (serializable and stronger, no-write-skew), and no process reads twice (sessions).
SAFETY = (
    "readable",
    "no-aborted-reads",
    "acknowledged-writes-survive",
    "no-lost-update",
    "snapshot-isolation",
    "conflict-detection",
    "no-spurious-refusal",
)
OF_ROWS = dict.fromkeys(
    ("snapshot-isolation", "conflict-detection", "no-spurious-refusal"), "who moves main need not have met a commit"
)
"""What is not asked where snapshots are managed."""
OWN = AddFile | OverwritePartitions
"""What the library may refuse by itself: a file that is there, a table whose partitions it does not overwrite."""
TABLE_IN = "PyIceberg's catalog"
WEIGHT = 16
"""A schedule takes 50 to 250 CPU-milliseconds; one of the models 1 to 5."""
INITIAL: Rows = ((1, "a"), (2, "b"))
NO_FAULTS = FaultSpace()
ANY_FAULT = wide(REGISTER, without={"stale": "reads are consistent"})


def known_of(catalog: str, properties: Sequence[str], todo: Sequence[Sequence[Statement]] = ()) -> tuple[str, ...]:
    """Those of these properties that can be asked where the table is in this catalog, and these are the statements."""
    waits = catalog == HIVE  # who waits for a lock for too long is refused, and nobody has been before him
    adds = any(isinstance(placed(one)[1], OWN) for each in todo for one in each)  # nor before who adds what is there
    return tuple([name for name in properties if not ((waits or adds) and name == "no-spurious-refusal")])


def _steps(catalog: str, writers: Mapping[str, Sequence[Statement]]) -> tuple[str, ...]:
    """The steps of a race: all calls to its catalog that somebody makes."""
    whole = any(isinstance(one, OfTables) for todo in writers.values() for one in todo)
    return (*STEPS[catalog], *(OF_TABLES.get(catalog, ()) if whole else ()))


def race(
    name: str, summary: str, writers: Mapping[str, Sequence[Statement]], *, retries: int = 4,
    faults: FaultSpace = NO_FAULTS, properties: tuple[str, ...] | None = None, broken: str | None = None,
    counters: tuple[str, ...] = (), rows: Rows = INITIAL, history: tuple[Statement, ...] = (),
    table_properties: tuple[tuple[str, str], ...] = (), loaded: bool = False, but: Mapping[str, str] = {},
    catalog: str = OURS, steps: tuple[str, ...] = (), partitioned: str = "", hand: Hand = UNTOUCHED,
) -> Scenario:  # fmt: skip
    """A scenario of a race of PyIceberg.

    Args: as those of `sim.iceberg.scenarios.race`; `loaded`: writers have loaded the table before the race; `but`: what
    is not asked, and why; `catalog`: which one the table is in; `steps`: what is a step (none: all calls to it);
    `partitioned`: the transform of id that the table is partitioned by ("": none); `hand`: what another hand has
    made of it before.
    """
    statements = tuple([(actor, tuple(todo)) for actor, todo in writers.items()])
    files = len(files_after((rows,), history))
    of_format = hand.format_version or int(dict(table_properties).get(FORMAT, 2))
    table = in_words(statements, files, retries, of_format) + properties_in_words(table_properties)
    own = (partitioned, hand) if hand != UNTOUCHED else (partitioned,) if partitioned else ()
    table += f", partitioned by {partitioned} of id" if partitioned else ""
    table += "".join([f", {words}" for words in words_of(hand)])
    return scenario_of(
        Later(RACE, (statements, retries, rows, history, table_properties, loaded, catalog, *own)),
        f"pyiceberg/{name}",
        summary=summary,
        properties=all_but(SAFETY if properties is None else properties, but),
        broken=broken,
        counters=counters,
        faults=faults,
        bounds=f"{table}, PyIceberg {version('pyiceberg')}, catalog: {WORDS[catalog]}"
        + ("" if faults.limit else "; no faults: they are asked of pyiceberg/append-resent-with-retries")
        + (f"; {not_asked(but)}" if but else ""),
        yield_points=steps or _steps(catalog, writers),
        weight=WEIGHT,
        parameters=((TABLE_IN, catalog),),
        live="expected clients on a live catalog, got PyIceberg, which runs on the simulator's ports",
    )


PYICEBERG: tuple[Scenario, ...] = (
    race(
        "append-append",
        "Two appends of shipped PyIceberg: the loser retries, both stay.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "delete-delete",
        "Two deletes of rows in one file: the second is refused.",
        {"w1": [Delete(1)], "w2": [Delete(2)]},
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "upsert-upsert",
        "Two upserts of a row that is not there: both insert it, and nobody is refused.",
        {"w1": [Upsert(3, "x")], "w2": [Upsert(3, "y")]},
        broken="acknowledged-writes-survive",
    ),
    race(
        "upsert-upsert-there",
        "Two upserts of a row that is there: the second is refused.",
        {"w1": [Upsert(1, "x")], "w2": [Upsert(1, "y")]},
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "copy-copy",
        "Each reads a row and writes its value to the other's: `serializable` (the default) covers what is written.",
        {"w1": [Copy(1, 2)], "w2": [Copy(2, 1)]},
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        properties=(*SAFETY, "no-write-skew"),
        broken="no-write-skew",
    ),
    race(
        "change-change",
        "Two changes of rows in files of their own: both commit.",
        {"w1": [ChangeRow(1, "x")], "w2": [ChangeRow(2, "y")]},
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        properties=(*SAFETY, "no-write-skew"),
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "roll-back-expire",
        "One rolls the table back while another one expires old snapshots: main is removed, and the table is empty.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), Append(((4, "d"),))),
        but=OF_ROWS,
        broken="acknowledged-writes-survive",
    ),
    race(
        "roll-back-expire-tagged",
        "The same where a tag keeps the snapshot that is rolled back to.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), CreateRef("good", tag=True), Append(((4, "d"),))),
        but=OF_ROWS,
        counters=(SWAP_LOST,),
    ),
    race(
        "append-expire",
        "An append beside an expiry of old snapshots: both commit, or the expiry is refused.",
        {"w1": [Append(((4, "x"),))], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)),),
        but=OF_ROWS,
        counters=(SWAP_LOST,),
    ),
    race(
        "append-resent",
        "One append without retries; any call may fail or be sent twice: the clean-up deletes what was committed.",
        {"w1": [Append(((3, "x"),))]},
        retries=0,
        faults=ANY_FAULT,
        broken="readable",
    ),
    race(
        "delete-resent",
        "One delete of a row beside others, with retries left: it does not find its own snapshot, and cleans it up.",
        {"w1": [Delete(1)]},
        faults=ANY_FAULT,
        broken="readable",
    ),
    race(
        "delete-resent-alone",
        "One delete of a row that is alone in its file, with retries left: it finds its own snapshot.",
        {"w1": [Delete(1)]},
        rows=((1, "a"),),
        history=(Append(((2, "b"),)),),
        faults=ANY_FAULT,
        counters=("fault resend",),
    ),
    race(
        "append-resent-with-retries",
        "The same with retries left: the library finds its own snapshot.",
        {"w1": [Append(((3, "x"),))]},
        retries=2,
        faults=ANY_FAULT,
        counters=("fault resend",),
    ),
)
