"""A metastore run in sentences: what a session may see, what it changed, what a cache served, what was polled."""

from collections.abc import Sequence
from typing import Any

from checkers.hive.words import in_words
from model.hive import Answer
from model.hive.rows import Event
from model.hive.txns import Ending
from reports.explanation.phrases import listed
from reports.explanation.renderer import Line, Plain, Traced, tone_of

BEGIN, READ, POLL, LOAD, CHANGE, END = "begin", "read", "poll", "load", "change", "end"
PHASES = {
    "open_txn": BEGIN, "get_open_txns": BEGIN, "get_valid_write_ids": BEGIN, "get_cached_table": BEGIN,
    "get_table": READ, "get_partitions": READ, "read_table": READ, "fill": READ,
    "poll": POLL, "apply": POLL, "pull": POLL, "look_up_write_ids": POLL,
    "prewarm": LOAD, "prewarm_txns": LOAD, "prewarm_tag": LOAD, "prewarm_table": LOAD, "prewarm_position": LOAD,
    "allocate_write_id": CHANGE, "create_table": CHANGE, "alter_table": CHANGE, "rename_table": CHANGE,
    "drop_table": CHANGE, "put_partition": CHANGE, "drop_partition": CHANGE,
    "commit_txn": END, "abort_txn": END,
}  # fmt: skip
DONE = {
    "CREATE_TABLE": "makes", "ALTER_TABLE": "changes", "DROP_TABLE": "drops", "ADD_PARTITION": "adds a partition to",
    "ALTER_PARTITION": "changes a partition of", "DROP_PARTITION": "drops a partition of",
}  # fmt: skip


def is_hive(rows: Sequence[Traced]) -> bool:
    """Whether the steps are those of sessions and replicas of a metastore, with nothing on top of them."""
    return any(row.point in PHASES and isinstance(row.value, Answer | Event) for row in rows) and not any(
        row.point in ("put", "lock") for row in rows
    )


class Hive(Plain):
    """Explains sessions and replicas."""

    def phase(self, row: Traced, doing: str) -> str:
        phase = PHASES.get(row.point)
        if phase is None or row.fault or row.is_reply or row.outcome != "ok":
            return super().phase(row, doing)
        return phase

    def title(self, label: str) -> str:
        f, _, arg = label.partition(" ")
        return f"{f} {in_words(arg)}".strip()

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        actor = rows[0].actor
        match phase:
            case "begin":
                return [Line(f"{actor} begins{_begun(rows)}.")]
            case "read":
                return [Line(f"{actor} asks {rows[0].resource} for a table: {_read(rows)}.")]
            case "poll":
                return [Line(f"{actor} {_polled(rows)}.")]
            case "load":
                return [Line(f"{actor} fills its cache{_loaded(rows)}.")]
            case "change":
                return [Line(f"{actor} {listed([_change(row) for row in rows])}.", "commit")]
            case "end":
                return [Line(f"{actor} {_ended(row)}.", tone_of(row), place) for place, row in enumerate(rows)]
        return super().render(phase, rows, label)


def _begun(rows: Sequence[Traced]) -> str:
    parts = []
    for row in rows:
        if row.point == "open_txn":
            parts.append(f" transaction {row.value}")
        elif row.point == "get_open_txns":
            unseen = [str(txn) for txn in row.value.invalid]
            without = f" without {listed(unseen)}" if unseen else ""
            parts.append(f", sees transactions up to {row.value.high}{without}")
        elif row.point == "get_valid_write_ids":
            ids = row.value
            parts.append(f", takes the list {ids.writes.short} of {ids.writes.table} (table {ids.table_id})")
    return "".join(parts)


def _read(rows: Sequence[Traced]) -> str:
    parts = []
    for row in rows:
        if isinstance(row.value, Answer):
            tag = f", tagged {row.value.tag.short}," if row.value.tag is not None else ""
            where = f"the cache{tag} has" if row.value.source == "cache" else "the database has"
            parts.append(f"{where} {_content(row.value)}")
        elif row.point != "fill":
            parts.append("the cache cannot answer")
        else:
            parts.append("the answer is kept in the cache")
    return listed(parts)


def _content(answer: Answer) -> str:
    values = [f"{key} = {value}" for key, value in answer.table.parameters]
    values += [f"{name} = {value}" for name, value in answer.partitions]
    return f"{answer.table.name} (table {answer.table.id}) with {listed(values) or 'nothing in it'}"


def _polled(rows: Sequence[Traced]) -> str:
    events = [told for row in rows for told in _events(row.value)]
    pulled = next((row for row in rows if row.point == "pull"), None)
    if pulled is not None:
        return f"lets {pulled.resource} apply the log up to event {pulled.value}"
    if not events:
        return "looks for events"
    return "applies " + listed(events, 8)


def _events(value: Any) -> list[str]:
    """What a poll, or the application of one event, says that it did."""
    if not isinstance(value, tuple):
        return []
    rows = [value] if value and isinstance(value[0], int) else value
    back = " and writes the database back to its state"
    return [f"event {row[0]} ({row[1]})" + (back if len(row) == 3 else "") for row in rows if len(row) in (2, 3)]


def _loaded(rows: Sequence[Traced]) -> str:
    parts = []
    for row in rows:
        if row.point == "prewarm":
            parts.append(f" from event {row.value[0]} on")
        elif row.point == "prewarm_tag":
            parts.append(f", tags {row.value.table} {row.value.short}")
        elif row.point == "prewarm_table":
            parts.append(", loads a table")
    return "".join(parts)


def _change(row: Traced) -> str:
    event = row.value
    if not isinstance(event, Event) or event.table is None:
        return f"is given write id {event}"
    if event.kind == "ALTER_TABLE" and event.table.name != event.name:
        what = f"renames {event.name} to {event.table.name}"
    else:
        what = f"{DONE[event.kind]} {event.name}"
        values = (event.partition,) if event.partition is not None else event.table.parameters
        if event.kind != "DROP_TABLE":
            what += f" ({listed([f'{key} = {value}' for key, value in values])})"
    return f"{what} through {row.resource}: event {event.id}"


def _ended(row: Traced) -> str:
    ending = row.value
    assert isinstance(ending, Ending)
    if ending.why:
        return f"cannot commit and is aborted: {ending.why}"
    return "commits its transaction" if ending.state == "c" else "aborts its transaction"


def renderer(rows: list[Traced], events: Sequence[Event]) -> tuple[list[Traced], Plain]:
    """Explain a run of this protocol; one without any of its steps, step by step."""
    return rows, Hive() if is_hive(rows) else Plain()
