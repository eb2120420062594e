"""What must never be seen: effects of a refused operation, values from nowhere, a table that cannot be read.

Source: Adya's thesis, G1a (aborted read) and G1b (intermediate read).

Choices:
* A refused operation that the lineage has is visible, whether or not anybody has read its rows yet.
* Values seen by refused operations count for nothing, their readers having no effect either.
"""

from checkers.finding import T1, T2, Finding, Findings, Indeterminate, one_per_shape, shown, unknown_versions
from checkers.histories.history import FAIL, FINAL, Op
from checkers.isolation.durability import final_read
from checkers.isolation.resolve import FOREIGN, Facts, Seen
from checkers.text import plain


def no_aborted_reads(facts: Facts) -> Findings:
    """Nobody sees what a refused operation would have written, or what nobody wrote."""
    found = []
    for position, versions in facts.lineage.made.items():
        op = facts.ops[position]
        if op.type == FAIL:
            says = f"{T1} was refused ({plain(op.error or '')}), but it is version {versions[0]} of the table"
            found.append(Finding("refused-commit-visible", (position,), (), (says,)))
    found += [
        _foreign(facts, position, seen)
        for position in facts.nodes
        for seen in facts.reads[position]
        if seen.place == FOREIGN and "|" not in (seen.value or "")
    ]
    return one_per_shape(found) or unknown_versions(facts)


def _foreign(facts: Facts, reader: int, seen: Seen) -> Finding:
    for position, op in enumerate(facts.ops):
        if (seen.key, seen.value) in op.writes and position not in facts.lineage.made:
            anomaly = "aborted-read" if op.type == FAIL else "vanished-write-read"
            ended = f"was refused ({plain(op.error or '')})" if op.type == FAIL else "is in no version of the table"
            says = f"{T2} saw {plain(seen.key)} = {shown(seen.value)}, which {T1} wrote; {T1} {ended}"
            return Finding(anomaly, (position, reader), (), (says,))
    writer = intermediate(facts, seen.key, seen.value)
    if writer is not None:
        says = f"{T2} saw {plain(seen.key)} = {shown(seen.value)}, which {T1} wrote and then wrote over itself"
        return Finding("intermediate-read", (writer, reader), (), (says,))
    says = f"{T1} saw {plain(seen.key)} = {shown(seen.value)}, which no operation ever wrote"
    return Finding("thin-air-read", (reader,), (), (says,))


def intermediate(facts: Facts, key: str, value: str | None) -> int | None:
    """The committed operation that wrote this and, in the same version, something else over it (G1b)."""
    return next((position for position in facts.lineage.made if (key, value) in facts.ops[position].writes), None)


def readable(facts: Facts) -> Findings:
    """Every read finds a table that can be read; the final one decides."""
    found = [
        Finding("unreadable-table", (position,), (), (f"{T1} could not read the table ({plain(op.error or '')})",))
        for position, op in enumerate(facts.ops)
        if op.type == FAIL and op.f == "read" and _is_unreadable(op)
    ]
    if not found and final_read(facts) is None:
        return [Indeterminate("there is no final read", unseen=True)]
    return one_per_shape(found)


def _is_unreadable(op: Op) -> bool:
    return op.process == FINAL or (op.error or "").startswith("unreadable")
