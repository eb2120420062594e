"""Spark's `rewrite_position_delete_files`, beside other statements, on the real Iceberg."""

from itertools import count

import pytest

from real_backend.iceberg.refusals import kind_of
from real_backend.iceberg.sql import create_table, rows_of
from real_backend.jvm.java_errors import describe
from sim.iceberg.built_in.position_delete import POSITION_DELETES
from sim.iceberg.workload import Delete, RewritePositionDeletes, Update, sql_text
from tests.live.iceberg.agreement import agree, both, kinds, workload_of
from tests.live.iceberg.drawn_races import drawn
from tests.unit.iceberg.position_delete_vectors import BY_NAME, deletes_words, scenario_of

pytestmark = pytest.mark.live
HELD = [scenario for scenario in POSITION_DELETES if scenario.broken is None and not scenario.faults.limit]
AFTER, BEHIND = "w2:commit w1:end w2:end", "w1:commit w2:end w1:end"
APART = [name for name, vector in BY_NAME.items() if "order" in vector]
NUMBERS = count(1)
DRAWN_IN = (
    "merge-on-read", "merge-on-read, snapshot", "merge-on-read, format 3", "merge-on-read deletes, snapshot",
    "JDBC catalog, merge-on-read, snapshot",
)  # fmt: skip


@pytest.mark.parametrize("schedule", [AFTER, BEHIND], ids=["w1 first", "w2 first"])
@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike_whoever_commits_first(sql, scenario, schedule):
    """The other one is at its commit, and ends when the first one has."""
    both(sql, scenario, schedule)


@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in APART])
def test_statements_that_overlap_end_as_the_vector_says(sql, name):
    """Each session's last outcome, and the rows."""
    vector = BY_NAME[name]
    _, seen = both(sql, scenario_of(vector), vector["schedule"])
    assert kinds(seen) == {session: told[-1] for session, told in vector["expect"]["outcomes"].items()}
    assert [list(row) for row in seen.rows] == vector["expect"]["rows"]


def deletes_of(session, table):
    """The words for the delete files of a table."""
    entries = session.sql(f"SELECT sequence_number AS number, data_file.* FROM {table}.entries WHERE status < 2")
    records = {entry.file_path: entry.record_count for entry in entries if entry.content == 0}
    numbers = {(entry.file_path, entry.referenced_data_file): entry.number for entry in entries if entry.content == 1}
    deleted = session.sql(f"SELECT file_path, pos, delete_file_path FROM {table}.position_deletes")
    found: dict[tuple[str, str], list[int]] = {}
    for file_path, pos, delete_path in deleted:
        found.setdefault((delete_path, file_path), []).append(pos)
    return sorted(
        deletes_words(
            positions, records.get(of), numbers[path, of] if (path, of) in numbers else numbers[path, None],
            is_vector=path.endswith(".puffin"),
        )
        for (path, of), positions in found.items()
    )  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_statements_one_after_the_other_leave_the_deletes_that_the_vector_says(spark, name):
    """Each session has a catalog of its own, which caches its table if the vector says so; no gate is there."""
    session, vector, number = spark[0], BY_NAME[name], next(NUMBERS)
    work = workload_of(scenario_of(vector))
    for each in ("setup", *vector["writers"]):
        caches = str(each in vector.get("cached", ())).lower()
        settings = {"type": "hadoop", "warehouse": str(session.location("deletes")), "cache-enabled": caches}
        session.add_catalog(f"{each}_deletes{number}", settings)
    tables = {each: f"{each}_deletes{number}.db.t{number}" for each in ("setup", *vector["writers"])}
    create_table(session, tables["setup"], work)
    sent = {actor: list(todo) for actor, todo in work.writers}
    outcomes: dict[str, list[str]] = {actor: [] for actor in sent}
    for actor in vector["order"]:
        try:
            session.sql(sql_text(sent[actor].pop(0), tables[actor]))
            outcomes[actor].append("ok")
        except Exception as error:
            outcomes[actor].append(kind_of(describe(error)))
    table = tables["setup"]
    made = session.sql(f"SELECT operation FROM {table}.snapshots ORDER BY committed_at")
    assert vector["expect"] == {
        "outcomes": outcomes, "rows": [list(row) for row in rows_of(session, table)],
        "operations": [each.operation for each in made], "deletes": deletes_of(session, table),
    }  # fmt: skip


def rewrites(work):
    """Whether somebody rewrites position deletes that are there before."""
    deleted = any(isinstance(one, Delete | Update) for one in work.history)
    return deleted and any(isinstance(one, RewritePositionDeletes) for _, todo in work.writers for one in todo)


@pytest.mark.parametrize("first", range(0, 1_200, 400))
@pytest.mark.parametrize("configuration", DRAWN_IN)
def test_drawn_races_agree(sql, configuration, first):
    """Step by step, in outcomes, lineage and rows; in partitions, and in format 3, in manifests and row ids, too."""
    ((_, found),) = drawn(configuration, rewrites, 1, first)
    agree(sql, found)
