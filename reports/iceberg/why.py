"""Why an Iceberg table ends with rows that its commits do not add up to: the files that hold or lack them.

Goes by the files of the current snapshot. A row is alive where a live data file holds it, no live position delete
names its place, and no newer equality delete its id; it is gone where no live file holds it; the table is unreadable
where a file that it needs was deleted.
"""

from collections.abc import Sequence

from checkers.finding import shown
from checkers.histories.history import FINAL, SETUP, Event
from model.iceberg.metadata import Snapshot
from reports.explanation.phrases import key_text, listed
from reports.iceberg.state import Move, TableState
from reports.record import Row

DONE = ("ok", "info", "fail")


def why(state: TableState, events: Sequence[Event], rows: Sequence[Row]) -> tuple[str, ...]:
    """Sentences; empty if every row is as it should be."""
    head = state.head.current if state.head else None
    if any(event.process == FINAL and event.type == "fail" for event in events):
        return _unreadable(state, head)
    sentences: list[str] = _not_in_lineage(state, events)
    for row in rows:
        if not row.agrees:
            sentences += _wrong(state, head, events, row)
    return tuple(sentences)


def _not_in_lineage(state: TableState, events: Sequence[Event]) -> list[str]:
    """Acknowledged commits that the table does not have, and who moved the table past them."""
    known = {event.snapshot for event in events if event.type == "version"}
    sentences = []
    for event in events:
        if event.type == "ok" and event.writes and event.process != SETUP and event.snapshot not in known:
            what = f"{event.f} {event.arg or ''}".strip()
            sentences.append(
                f"{event.process} was told that {what} succeeded, but snapshot {event.snapshot} is not in the history"
                " of main."
            )
            sentences += [_moved(state, move) for move in state.moves if str(move.then) == event.snapshot]
    return sentences


def _moved(state: TableState, move: Move) -> str:
    then, now = state.name(move.then), state.name(move.now)
    if not move.actor:
        return f"The table had been set back from {then} to {now}. Therefore {then} is gone."
    if move.back:
        return (
            f"{move.actor} had set main from {then} back to {now}, its own commit, which it took for lost. Therefore"
            " what was committed after it is gone."
        )
    return f"{move.actor} committed {now} over {then}, which it did not know of. Therefore {then} is gone."


def _unreadable(state: TableState, head: Snapshot | None) -> tuple[str, ...]:
    gone = [path for path in state.needed_by_head() if path in state.deleters]
    if head is None or not gone:
        return ()
    who = listed(dict.fromkeys(state.deleters[path] for path in gone))
    return (
        f"The current snapshot {state.name(head.snapshot_id)} needs {listed(map(state.file, gone))},"
        f" which {who} deleted. Therefore nobody can read the table.",
    )


def _wrong(state: TableState, head: Snapshot | None, events: Sequence[Event], row: Row) -> list[str]:
    key = key_text(row.key)
    sentences = [_order(state, events, row)]
    identifier = _id_of(row.key)
    living = state.live(head)
    if identifier is None:
        return sentences
    if living is None:  # some manifest was never looked at
        return sentences + (_gone(state, head, identifier, row, []) if row.got == "absent" else [])
    data, deletes = living
    holders = [file.path for file in data if _position(state, file.path, identifier) is not None]
    named = [position for path in deletes for position in state.positions.get(path, ())]
    alive = [path for path in holders if (path, _position(state, path, identifier)) not in named]
    alive = [path for path in alive if state.taken_out(head, path, identifier) is None]
    if row.got == "absent":
        return sentences + _gone(state, head, identifier, row, [path for path in holders if path not in alive])
    sentences += [_stands(state, path, identifier) for path in alive]
    elsewhere = [position for position in named if position[0] not in alive and _holds(state, position, identifier)]
    if elsewhere and len(alive) == 1:
        places = state.rows_at(tuple(dict.fromkeys(elsewhere)))
        sentences.append(f"Every position delete of {key} names {places}; none names {state.file(alive[0])}.")
        sentences.append(f"Therefore {key} is alive although the last commit that touched it deleted it."
                         if row.expected == "absent" else f"Therefore {key} reads {row.got}.")  # fmt: skip
    if len(alive) > 1:
        sentences.append(f"Therefore {key} is there {len(alive)} times.")
    return sentences


def _order(state: TableState, events: Sequence[Event], row: Row) -> str:
    """What the order of commits says about the row."""
    key = key_text(row.key)
    made = {e.op: e.commit for e in events if e.type == "version" and e.op >= 0 and e.commit is not None}
    touched = [
        (made[event.op], f"s{made[event.op]} ({event.f} {event.arg or ''}".strip() + f" by {event.process})")
        for event in events
        if event.op in made and event.type in DONE and any(write.key == row.key for write in event.writes)
    ]
    must = f"must be {row.expected}; the final read sees {row.got}."
    if not touched:
        return f"As its writer was told, {key} {must}"
    return f"In the order of the commits, {max(touched)[1]} is the last to touch {key}, so it {must}"


def _stands(state: TableState, path: str, identifier: int) -> str:
    adder = state.changed_by(path, removed=False)
    value = dict(state.rows[path]).get(identifier)
    by = f", which {state.name(adder)} added" if adder is not None else ""
    return f"Row {identifier} = {shown(value)} stands in {state.file(path)}{by}."


def _gone(state: TableState, head: Snapshot | None, identifier: int, row: Row, deleted: list[str]) -> list[str]:
    written = [path for path, rows in state.rows.items() if shown(dict(rows).get(identifier)) == row.expected]
    sentences = []
    for path in written:
        adder, remover = state.changed_by(path, removed=False), state.changed_by(path, removed=True)
        text = f"Row {identifier} = {row.expected} was written to {state.file(path)}"
        if adder is not None:
            text += f" for {state.name(adder)}"
        if remover is not None:
            text += f", which {state.name(remover)} removed"
        elif adder is not None and adder not in state.names:
            text += ", which is no longer in the history of main"
        elif (found := state.taken_out(head, path, identifier)) is not None:
            delete, number, own = found
            text += f", and is listed with number {own}: {state.file(delete)}, of number {number}, takes it out"
        elif path in deleted:
            text += ", and a position delete takes it out"
        sentences.append(f"{text}. Therefore it is gone.")
    return sentences


def _position(state: TableState, path: str, identifier: int) -> int | None:
    return next((place for place, row in enumerate(state.rows.get(path, ())) if row[0] == identifier), None)


def _holds(state: TableState, position: tuple[str, int], identifier: int) -> bool:
    return _position(state, position[0], identifier) == position[1]


def _id_of(key: str) -> int | None:
    _, _, text = key.partition("row:")
    return int(text) if text.lstrip("-").isdigit() else None
