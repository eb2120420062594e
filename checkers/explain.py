"""A finding in sentences, as Elle tells a cycle: who the transactions are, why each must precede the next, and that
this cannot be."""

from checkers.finding import Finding, named, shown
from checkers.histories.history import FAIL, OK, SETUP
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge
from checkers.isolation.resolve import UNBORN, Facts
from checkers.text import LINE_CHARACTERS, plain
from checkers.words import key_words, value_words


def explain(facts: Facts, finding: Finding) -> tuple[str, ...]:
    """The sentences for `finding`: one `Let` per operation, then the reasons."""
    names = {position: f"T{number}" for number, position in enumerate(finding.ops, 1)}
    lines = [f"Let {names[position]} = {_introduced(facts, position)}." for position in finding.ops]
    last = len(finding.cycle) - 1
    for number, edge in enumerate(finding.cycle):
        before, after = names[edge.source], names[edge.target]
        lead = "" if last and number < last else "However, " if last else ""
        end = ": a contradiction!" if number == last else "."
        lines.append(f"{lead}{before} < {after}, because {reason(facts, edge, before, after)} ({edge.kind}){end}")
    lines += [f"{sentence}." for sentence in finding.says]
    return tuple([plain(line, LINE_CHARACTERS) for line in lines])


def _introduced(facts: Facts, position: int) -> str:
    op = facts.ops[position]
    if op.process == SETUP:
        return "the initial content (version 0)"
    made = facts.lineage.made.get(position, [])
    known = [f"read version {op.start}"] if op.start is not None else []
    known += [f"committed version {' and '.join(map(str, made))}"] if made else []
    known += [] if op.type == OK else ["refused" if op.type == FAIL else "outcome unknown"]
    return named(op) + (f" ({', '.join(known)})" if known else "")


def reason(facts: Facts, edge: Edge, before: str, after: str) -> str:
    """Why `before` precedes `after`, without the conclusion."""
    if edge.kind == SO:
        return f"both are operations of {plain(facts.ops[edge.source].process)}, in this order"
    if edge.kind == RT:
        return f"{before} had completed when {after} was invoked"
    key, old, new = plain(key_words(edge.key or "")), edge.before, edge.after
    if edge.kind == WW:
        return f"{before} wrote {key} in version {old} and {after} wrote over it in version {new}"
    if edge.kind == WR:
        value = _value(facts, edge.key, old)
        return f"{after} read {key} = {value_words(edge.key or '', value)} as {before} wrote it in version {old}"
    assert edge.kind == RW, edge.kind
    if old == UNBORN:
        return f"{before} saw no {key} and {after} made it in version {new}"
    return f"{before} read {key} as of version {old} and {after} replaced it in version {new}"


def _value(facts: Facts, key: str | None, version: int | None) -> str:
    chain = facts.lineage.chains[key or ""]
    return shown(chain.values[chain.at(version or 0)])
