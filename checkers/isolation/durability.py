"""Acknowledged writes survive, and are what the final read shows unless a later version overwrote them.

Two tests: every acknowledged operation that writes has a version in the lineage; and at the final read the value of
each key is that of the last version that wrote it.

Choices:
* The final read is the last operation of process `r-final`; without it, or with keys missing from it, it is
  indeterminate, not a verdict.
* Only lineage rows can say that a version is not there. Without them an acknowledged write that names no version, or
  one that another claims too, leaves the whole history open (`checkers.scope`).
* Rows that occur several times are recorded as "a|b" and are duplicates whatever their values.
"""

from checkers.finding import T1, T2, T3, Finding, Findings, Indeterminate, one_per_shape, shown, unknown_versions
from checkers.histories.history import FINAL, OK
from checkers.isolation.lineage import Chain
from checkers.isolation.resolve import PERHAPS, Facts
from checkers.text import plain


def final_read(facts: Facts) -> int | None:
    """The position of the final read; None if there is none."""
    return next((at for at in range(len(facts.ops) - 1, -1, -1) if facts.ops[at].process == FINAL), None)


def acknowledged_writes_survive(facts: Facts) -> Findings:
    """Every acknowledged write is in the lineage, and the final read shows the last version of every key."""
    lost = [
        Finding("commit-not-in-lineage", (position,), (), (_missing(facts, position),))
        for position, op in enumerate(facts.ops)
        if op.type == OK and op.writes and position not in facts.lineage.made and facts.lineage.stated
    ]
    at = final_read(facts)
    if at is None or facts.ops[at].type != OK:
        return one_per_shape(lost) or [Indeterminate("there is no final read that succeeded", unseen=True)]
    found = list(lost)
    shown_keys = {}
    for key, value, place, _ in facts.reads[at]:
        shown_keys[key] = value
        chain = facts.lineage.chains.get(key)
        if place != PERHAPS and value != (chain.values[-1] if chain else None):
            found.append(_wrong_row(at, key, value, chain))
    missing = [key for key in facts.lineage.chains if key not in shown_keys]
    if found or not missing:
        return one_per_shape(found) or unknown_versions(facts)
    return [Indeterminate(f"the final read does not tell about {plain(missing[0])}")]


def _missing(facts: Facts, position: int) -> str:
    op = facts.ops[position]
    claimed = (
        f"version {op.commit}" if op.commit is not None else f"snapshot {op.snapshot}" if op.snapshot else "its version"
    )
    return f"{T1} was acknowledged, but the table's lineage does not have {claimed}"


def _wrong_row(final: int, key: str, value: str | None, chain: Chain | None) -> Finding:
    if chain is None:
        return Finding(
            "row-from-nowhere", (final,), (), (f"{T1} saw {plain(key)} = {shown(value)}, which no version wrote",)
        )
    name = plain(key)
    last, writer, wanted = chain.versions[-1], chain.writers[-1], chain.values[-1]
    effect = f"deleted {name}" if wanted is None else f"wrote {name} = {shown(wanted)}"
    says = [
        f"{T1} {effect} in version {last}, and no later version touched {name}",
        f"{T2} saw {shown(value)}",
    ]
    origin = next((chain.writers[place] for place in reversed(chain.places(value))), None)
    ops: tuple[int, ...] = (writer, final)
    if value is not None and origin is not None:
        ops = (writer, final, origin)
        says.append(f"{T3} had written that in version {chain.versions[chain.places(value)[-1]]}")
    return Finding(_shape(value, wanted, origin), ops, (), tuple(says))


def _shape(value: str | None, wanted: str | None, origin: int | None) -> str:
    if value is None:
        return "lost-row"
    if "|" in value and origin is None:
        return "duplicated-row"
    if wanted is None:
        return "resurrected-row"
    return "lost-write" if origin is not None else "row-from-nowhere"
