"""A metastore run in sentences: what a session may see, what it changed, what a cache served, what was polled.

The sentences are the model's annotations (`model.hive.meanings`) in words; a step without one is told as any other.
"""

from collections.abc import Iterator, Sequence

from checkers.hive.words import in_words
from model.hive import coverage, meanings
from model.hive.rows import (
    ADD_KEY,
    CONSTRAINT_EVENTS,
    DELETES_STATISTICS,
    DROP_KEY,
    UPDATE_PARTITION_STATISTICS,
    UPDATE_STATISTICS,
    Event,
    Partitions,
    Table,
)
from model.ports import Meaning
from reports.explanation.phrases import listed
from reports.explanation.renderer import Drawn, Line, Plain, Traced

BEGIN, READ, POLL, LOAD, CHANGE, END = "begin", "read", "poll", "load", "change", "end"
APPLIES = "applies "
CLAUSES = {
    meanings.BeginsTxn: (BEGIN, "begins transaction {m.txn}"),
    meanings.OpensTooSlowly: (BEGIN, "opens a transaction too slowly and tries again"),
    meanings.SeesTxns: (BEGIN, "sees transactions up to {m.txns.high}{unseen}"),
    meanings.TakesList: (BEGIN, "takes the list {m.writes.short} of {m.writes.table} (table {m.table_id})"),
    meanings.CacheAnswers: (READ, "the cache{tagged} has {content}"),
    meanings.CacheMisses: (READ, "the cache cannot answer ({why})"),
    meanings.DatabaseAnswers: (READ, "the database has {content}"),
    meanings.TellsStatistics: (READ, "the {m.source} has statistics of {m.table}: {told}"),
    meanings.TellsKey: (READ, "the {m.source} has the primary key of {m.table}: {told}"),
    meanings.ReadsToTruncate: (CHANGE, "is about to truncate {content}"),
    meanings.RefusedToTruncate: (CHANGE, "logs that it truncates partition {m.partition} of {m.table}, and is refused"),
    meanings.KeepsAnswer: (READ, "the answer is kept in the cache"),
    meanings.EvictsTable: (LOAD, "{evicts} {m.name}"),
    meanings.AppliesEvent: (POLL, APPLIES + "event {m.event} ({m.kind}){back}"),
    meanings.ReadsLog: (POLL, "reads the log from event {m.first} to {m.last}"),
    meanings.SeesNoEvent: (POLL, "looks for events"),
    meanings.FindsGap: (POLL, "misses events that are no longer in the log"),
    meanings.CannotApply: (POLL, "cannot apply an event"),
    meanings.Hangs: (POLL, "finds {m.replica} waiting for the partitions of {m.table} to go, for ever"),
    meanings.PullsLog: (POLL, "lets {m.replica} apply the log up to event {m.position}"),
    meanings.SeesToChange: (CHANGE, "has {m.replica} see to what was changed"),
    meanings.LooksUpTable: (POLL, "has to load {m.name} for an event"),
    meanings.ReadsNames: (POLL, "lists the tables of the database"),
    meanings.ReadsTable: (POLL, "{reads} {m.name}"),
    meanings.LooksAtFlag: (POLL, "{looks}"),
    meanings.ReplacesTables: (POLL, "{kept}the cached tables"),
    meanings.ReplacesPartitions: (POLL, "{kept}the cached partitions of {m.name}"),
    meanings.FillsCache: (LOAD, "fills its cache from event {m.position} on"),
    meanings.ListsTxns: (LOAD, "takes a list of transactions up to {m.txns.high}"),
    meanings.TagsEntry: (LOAD, "tags {m.writes.table} {m.writes.short}"),
    meanings.LoadsEntry: (LOAD, "{loads} {m.table}"),
    meanings.GetsWriteId: (CHANGE, "is given write id {m.write_id} for {m.table}"),
    meanings.UpdatesRows: (CHANGE, "says that it updates rows of {m.table}"),
    meanings.TellsPartitions: (CHANGE, "has changed {m.partitions} of {m.table}"),
    meanings.LooksForConflict: (CHANGE, "looks for changes that it conflicts with: {latest}"),
    meanings.LooksForHighest: (CHANGE, "sees transactions up to {m.txn}, and will commit as of that one"),
    meanings.AsksForLock: (CHANGE, "{asks} {together}"),
    meanings.AsksAgain: (CHANGE, "asks again for lock {m.number}, and {granted}"),
    meanings.GivesUp: (CHANGE, "gives up lock {m.number}{for_ever}"),
    meanings.MovesWriteIds: (CHANGE, "moves the write ids of {m.table} to {m.to}"),
    meanings.MovesNoWriteIds: (CHANGE, "has no write ids of {m.table} to move"),
    meanings.ChangesNothing: (CHANGE, "is answered, and no table is changed"),
    meanings.ChangesTable: (CHANGE, "{change} through {replica}: event {m.event.id}"),
    meanings.EndsTxn: (END, "{end}"),
}
DONE = {
    "CREATE_TABLE": "makes", "ALTER_TABLE": "changes", "DROP_TABLE": "drops", "ADD_PARTITION": "adds a partition to",
    "ALTER_PARTITION": "changes a partition of", "DROP_PARTITION": "drops a partition of",
    UPDATE_STATISTICS: "analyzes",
    UPDATE_PARTITION_STATISTICS: "analyzes a partition",
    ADD_KEY: "adds a primary key to", DROP_KEY: "drops the primary key of",
}  # fmt: skip
MISSES = {
    coverage.NOT_CACHED: "it has no such table",
    coverage.NOT_TO_BE_CACHED: "it is not to have this table",
    coverage.STALE: "its tag is behind the list",
    coverage.UNFINISHED: "a write in it is unfinished",
    coverage.OTHER_ID: "it has another table of that name",
    coverage.NO_LIST: "it serves nobody without a list",
}
CALLS_OF_REPLICAS = ("open_txn", "get_open_txns", "poll", "get_table", "get_partitions", "pull", "prewarm")
ENDINGS = {"commit_txn": "commit"}
MOST = 8


def is_hive(rows: Sequence[Traced]) -> bool:
    """Whether the steps are those of sessions and replicas of a metastore, with nothing on top of them."""
    return any(_phase(row) for row in rows) and not any(row.call in ("put", "lock") for row in rows)


class Hive(Plain):
    """Explains sessions and replicas."""

    def __init__(self, rows: Sequence[Traced]) -> None:
        self._replicas = {row.resource for row in rows if row.call in CALLS_OF_REPLICAS}

    def phase(self, row: Traced, doing: str) -> str:
        told = not (row.fault or row.is_reply or row.outcome != "ok")
        return (_phase(row) if told else "") or super().phase(row, doing)

    def title(self, label: str) -> str:
        f, _, arg = label.partition(" ")
        return f"{f} {in_words(arg)}".strip()

    def drawn(self, row: Traced) -> Drawn:
        """A lane for each replica; what is read, what is changed and what commits are told apart."""
        if row.resource not in self._replicas:
            return super().drawn(row)
        kind = ENDINGS.get(row.call, "load" if _content_of(row) else "write" if _changes(row) else "call")
        return Drawn(f"replica {row.resource}", kind, row.outcome)

    def version(self, row: Traced) -> str:
        """What was read, what was changed, which event was applied."""
        found = _content_of(row)
        if found is not None:
            return values_of(found.table, found.partitions)
        changes = _changes(row)
        if changes is not None:
            return _brief(changes.event)
        applied = [str(m.event) for m in row.meanings if isinstance(m, meanings.AppliesEvent)]
        return f"event{'s' if len(applied) > 1 else ''} {listed(applied)}" if applied else ""

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        if phase not in (BEGIN, READ, POLL, LOAD, CHANGE, END):
            return super().render(phase, rows, label)
        text = listed(_joined([clause for row in rows for clause in _clauses(row)]), MOST)
        asks = f"asks {rows[0].resource} for a table: " if phase == READ else ""
        return [Line(f"{rows[0].actor} {asks}{text}.", "commit" if phase == CHANGE else "plain")]


def _phase(row: Traced) -> str:
    """The phase of a step by the last thing that it means; "" if it means nothing."""
    return CLAUSES.get(type(row.meanings[-1]), ("", ""))[0] if row.meanings else ""


def _clauses(row: Traced) -> Iterator[str]:
    """What a step means, which a statement of a transaction may leave open; of a log that is pulled only how far."""
    pulled = any(isinstance(meaning, meanings.PullsLog) for meaning in row.meanings[-1:])
    for meaning in row.meanings:
        if not (pulled and isinstance(meaning, meanings.AppliesEvent)):
            yield CLAUSES[type(meaning)][1].format(m=meaning, replica=row.resource, **_parts(meaning))


def _joined(clauses: Sequence[str]) -> list[str]:
    """The clauses, with one verb for all events that are applied in a row."""
    return [
        clause.removeprefix(APPLIES) if place and clauses[place - 1].startswith(APPLIES) else clause
        for place, clause in enumerate(clauses)
    ]


def _parts(meaning: Meaning) -> dict[str, str]:
    """The parts of a clause that depend on what there is to say."""
    match meaning:
        case meanings.SeesTxns(txns):
            return {"unseen": f" without {listed(map(str, txns.invalid))}" if txns.invalid else ""}
        case meanings.CacheAnswers(table, partitions, tag):
            tagged = "" if tag is None else f", tagged {tag.short},"
            return {"tagged": tagged, "content": _content(table, partitions)}
        case meanings.DatabaseAnswers(table, partitions) | meanings.ReadsToTruncate(table, partitions):
            return {"content": _content(table, partitions)}
        case meanings.TellsKey(value=value):
            return {"told": value or "none"}
        case meanings.TellsStatistics(value=value):
            return {"told": "none to be used" if value is None else value}
        case meanings.CacheMisses(why):
            return {"why": MISSES[why]}
        case meanings.EvictsTable(found=found):
            return {"evicts": "takes out of a full cache" if found else "finds no cached"}
        case meanings.AppliesEvent(writes_back=back):
            return {"back": " and writes the database back to its state" if back else ""}
        case meanings.ReadsTable(found=found):
            return {"reads": "reads" if found else "finds no table"}
        case meanings.LooksAtFlag(dirty):
            return {
                "looks": "has changed its cache itself, and begins again" if dirty else "has changed nothing itself"
            }
        case meanings.ReplacesTables(why_not) | meanings.ReplacesPartitions(why_not=why_not):
            return {"kept": f"leaves as they are ({why_not}) " if why_not else "replaces "}
        case meanings.LoadsEntry(found=found):
            return {"loads": "loads" if found else "finds no table"}
        case meanings.LooksForConflict(latest):
            return {"latest": f"the last are of transaction {latest}" if latest else "there are none"}
        case meanings.AsksForLock(parts, number, held):
            asks = "locks: has the" if held else f"waits in the queue, as number {number}, for the"
            return {"asks": asks, "together": " and the ".join(parts)}
        case meanings.AsksAgain(held=held):
            return {"granted": "has it" if held else "waits"}
        case meanings.GivesUp(ended=ended):
            return {"for_ever": f", which waits for transaction {ended}, which has ended, for ever" if ended else ""}
        case meanings.ChangesTable(event):
            return {"change": _change(event)}
        case meanings.EndsTxn(committed, why):
            if why:
                return {"end": f"cannot commit and is aborted: {why}"}
            return {"end": "commits its transaction" if committed else "aborts its transaction"}
    return {}


def _content(table: Table, partitions: Partitions) -> str:
    return f"{table.name} (table {table.id}) with {values_of(table, partitions)}"


def values_of(table: Table, partitions: Partitions) -> str:
    """A table's parameters and partitions in a few words."""
    return listed(f"{key} = {value}" for key, value in (*table.parameters, *partitions))


def _content_of(row: Traced) -> meanings.CacheAnswers | meanings.DatabaseAnswers | None:
    """What a read was answered; None if the step is no read, or was not answered."""
    found = (m for m in row.meanings if isinstance(m, meanings.CacheAnswers | meanings.DatabaseAnswers))
    return next(found, None)


def _changes(row: Traced) -> meanings.ChangesTable | None:
    return next((m for m in row.meanings if isinstance(m, meanings.ChangesTable)), None)


def _brief(event: Event) -> str:
    """A change for a picture: the new value, the new name, or what is gone."""
    assert event.table is not None
    if event.renames_table:
        return f"is now {event.table.name}"
    if event.kind in ("DROP_TABLE", "DROP_PARTITION"):
        return f"drops {event.partition[0] if event.partition else event.name}"
    if event.truncates:
        return f"truncated ({event.partition[0]})" if event.partition else "truncated"
    if event.kind in CONSTRAINT_EVENTS:
        return f"primary key: {event.table.key or 'none'}"
    if event.kind in DELETES_STATISTICS:
        return f"deletes {_whose(event)}"
    if event.kind == UPDATE_STATISTICS and event.table.statistics is not None:
        return f"statistics: {event.table.statistics.value}"
    if event.analyzed is not None and event.partition is not None:
        return f"statistics of {event.partition[0]}: {event.analyzed.value}"
    values = (event.partition,) if event.partition is not None else event.table.parameters
    before = f"{event.old_partition} is now " if event.old_partition else ""
    return before + listed([f"{key} = {value}" for key, value in values])


def _whose(event: Event) -> str:
    """Which statistics of a table an event deletes."""
    return f"the statistics of {event.partition[0]}" if event.partition is not None else "the statistics"


def _change(event: Event) -> str:
    assert event.table is not None
    if event.truncates:
        return f"truncates {f'partition {event.partition[0]} of ' if event.partition else ''}{event.name}"
    if event.renames_table:
        return f"renames {event.name} to {event.table.name}"
    if event.kind == "DROP_TABLE":
        return f"drops {event.name}"
    if event.old_partition and event.partition is not None:
        name, value = event.partition
        return f"renames partition {event.old_partition} of {event.name} ({name} = {value})"
    if event.kind in CONSTRAINT_EVENTS:
        return f"{DONE[event.kind]} {event.name}{f' ({event.table.key})' if event.table.key else ''}"
    if event.kind in DELETES_STATISTICS:
        return f"deletes {_whose(event)} of {event.name}{' (of no column named)' if event.unnamed else ''}"
    if event.kind == UPDATE_STATISTICS and event.table.statistics is not None:
        return f"analyzes {event.name} ({event.table.statistics.value})"
    if event.analyzed is not None and event.partition is not None:
        return f"analyzes partition {event.partition[0]} of {event.name} ({event.analyzed.value})"
    values = (event.partition,) if event.partition is not None else event.table.parameters
    return f"{DONE[event.kind]} {event.name} ({listed([f'{key} = {value}' for key, value in values])})"


def renderer(rows: Sequence[Traced], events: Sequence[Event]) -> Plain:
    """Explain a run of this protocol; one without any of its steps, step by step."""
    return Hive(rows) if is_hive(rows) else Plain()
