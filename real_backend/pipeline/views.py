"""A campaign as tables of Spark SQL: only what counts, and histories taken apart into events and operations.

| view | a row for each |
| --- | --- |
| `slices`, `runs`, `failures`, `coverage` | row of the waves that count, with the number of its `wave` |
| `causes` | cause of failures, made small; none before a report was made |
| `events` | event of a scenario's sample history: one random schedule each, chosen without looking at its outcome |
| `failure_events` | event of a failing history |
| `operations` | operation of a sample history, with its invocation and its completion as one |
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql.pandas.types import from_arrow_schema

from real_backend.pipeline.folder import Folder, opened
from real_backend.pipeline.schema import TABLES, SmallestRow, schema_of
from real_backend.pipeline.session import place, to_read

READS, WRITES = "array<struct<key string, value string, version bigint>>", "array<struct<key string, value string>>"
EVENT = (
    "`index` bigint, time_ms bigint, process string, type string, op bigint, f string, arg string, start bigint, "
    f"`commit` bigint, snapshot string, parent string, reads {READS}, writes {WRITES}, error string"
)
"""The fields of an event, as `checkers.histories.json_lines` has them."""
_FROM_RUNS = "protocol, configuration, scenario, seed"
_FROM_FAILURES = f"{_FROM_RUNS}, property, anomaly"
_EVENTS = """
select {named}, event.* from (
  select {named}, from_json(line, '{fields}') as event
  from (select {named}, explode(split(trim(history), '\\n')) as line from {table} where history <> '')
)
"""
_OPERATIONS = """
select d.protocol, d.configuration, d.scenario, d.seed, d.process, d.op, d.f, d.type as outcome, d.arg, d.error,
  i.`index` as began, d.`index` as ended, d.start, d.`commit`, d.snapshot, d.reads, d.writes,
  array_distinct(concat(coalesce(d.reads.key, array()), coalesce(d.writes.key, array()))) as keys
from events d join events i
  on d.protocol = i.protocol and d.configuration = i.configuration and d.scenario = i.scenario and d.op = i.op
where d.type in ('ok', 'fail', 'info') and i.type = 'invoke'
"""


def views(session: Any, path: Path) -> None:
    """Make a campaign's tables known to a `SparkSession`, as temporary views.

    Raises: `ValueError`, one line, if `path` has no campaign.
    """
    folder = opened(path)
    # Spark 3.5 loses columns of structs when it prunes them below an anti join of a view with itself.
    session.conf.set("spark.sql.optimizer.nestedSchemaPruning.enabled", "false")
    session.conf.set("spark.sql.optimizer.expression.nestedPruning.enabled", "false")
    for table, row in TABLES.items():
        _table(session, folder, table, row).createOrReplaceTempView(table)
    causes = path / "causes" / "part-0.parquet"
    fields = from_arrow_schema(schema_of(SmallestRow))
    found = session.read.schema(fields).parquet(to_read(causes)) if causes.exists() else None
    (session.createDataFrame([], fields) if found is None else found).createOrReplaceTempView("causes")
    for name, table, named in (("events", "runs", _FROM_RUNS), ("failure_events", "failures", _FROM_FAILURES)):
        text = _EVENTS.format(named=named, fields=EVENT, table=table)
        session.sql(text).createOrReplaceTempView(name)
    session.sql(_OPERATIONS).createOrReplaceTempView("operations")


def _table(session: Any, folder: Folder, table: str, row: Any) -> Any:
    fields = from_arrow_schema(schema_of(row)).add("wave", "long")
    places = [to_read(one) for one in folder.folders(table)]
    if not places:
        return session.createDataFrame([], fields)
    return session.read.schema(fields).option("basePath", place(folder.path / table)).parquet(*places)
