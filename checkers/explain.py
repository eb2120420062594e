"""A finding in sentences, as Elle tells a cycle: who the operations are, why each must precede the next, and that
this cannot be. An operation is called by its process; where several are of one process, by what it did as well."""

from collections import Counter

from checkers.finding import T1, T2, T3, T4, Finding, shown
from checkers.histories.history import FAIL, FINAL, OK, SETUP, Op
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge
from checkers.isolation.resolve import UNBORN, Facts
from checkers.scope import INSPECTOR
from checkers.text import LINE_CHARACTERS, plain
from checkers.words import argument_words, key_words, value_words

NAME_CHARACTERS = 60
"""Of a process, or of what it did, where a sentence names an operation."""


def explain(facts: Facts, finding: Finding) -> tuple[str, ...]:
    """The sentences for `finding`: one that introduces each operation, then the reasons."""
    once = tuple(dict.fromkeys(finding.ops))  # one operation may play two parts
    names = dict(zip(once, _names([facts.ops[position] for position in once]), strict=True))
    lines = [f"{names[position]}: {_introduced(facts, position)}." for position in once]
    last = len(finding.cycle) - 1
    for number, edge in enumerate(finding.cycle):
        before, after = names[edge.source], names[edge.target]
        lead = "" if last and number < last else "However, " if last else ""
        end = ": a contradiction!" if number == last else "."
        lines.append(f"{lead}{before} < {after}, because {reason(facts, edge, before, after)} ({edge.kind}){end}")
    lines += [f"{sentence}." for sentence in finding.says]
    marks = {ord(mark): names[position] for mark, position in zip((T1, T2, T3, T4), finding.ops, strict=False)}
    return tuple([plain(_capital(line.translate(marks)), LINE_CHARACTERS) for line in lines])


def _names(ops: list[Op]) -> list[str]:
    """What the operations are called: the process, then what it did, then which of several."""
    short = [_special(op) or plain(op.process, NAME_CHARACTERS) for op in ops]
    names = [
        name if short.count(name) == 1 else f"{name}'s {plain(op.f, NAME_CHARACTERS)}"
        for name, op in zip(short, ops, strict=True)
    ]
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if names.count(name) == 1 else f"{name} ({_ordinal(seen[name])})")
    return told


def _special(op: Op) -> str:
    return {SETUP: "the initial content", FINAL: "the final read", INSPECTOR: "the inspection"}.get(op.process, "")


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


def _capital(line: str) -> str:
    return f"T{line[1:]}" if line.startswith("the ") else line


def _introduced(facts: Facts, position: int) -> str:
    op = facts.ops[position]
    if op.process == SETUP:
        return "version 0"
    made = facts.lineage.made.get(position, [])
    known = [f"read version {op.start}"] if op.start is not None else []
    known += [f"committed version {' and '.join(map(str, made))}"] if made else []
    known += [] if op.type == OK else ["refused" if op.type == FAIL else "outcome unknown"]
    what = plain(f"{op.f}{f' {argument_words(op.arg)}' if op.arg else ''}")
    return what + (f" ({', '.join(known)})" if known else "")


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
