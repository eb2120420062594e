"""What a history leaves open, and what there is in it to look at: a "valid" needs something that was valid.

Choices:
* Reasons of the history make every property unknown that is not broken all the same: it has no rows, no client was
  acknowledged, or the order of its versions is not known (`left_open`). Reasons of a property concern that one alone.
* With lineage rows the order of versions is always known. Without them it is what the operations say, and is open if
  a write has an unknown outcome or names no version, if two acknowledged operations claim one version, or if nobody
  claims one: a broken system may have told its clients so. Numbers that no system can have meant are bad input
  (`checkers.isolation.lineage`).
* A client is every process but those of the initial content, of the final reads and of the inspection, and but spans,
  which are processes `<actor>/<what>` that do `<what>`.
* The scopes below are narrow where a property speaks about pairs (two reads of one session), wide elsewhere: reads
  that were all good are something that was looked at, also if nobody was ever refused. Those of one protocol's own
  properties say themselves when nobody looked.
"""

from collections.abc import Callable, Iterator

from checkers.finding import named
from checkers.histories.history import FAIL, FINAL, INFO, OK, SETUP, Op
from checkers.isolation.resolve import Facts

INSPECTOR = "r-inspect"


def is_client(process: str, f: str) -> bool:
    """Whether a process that does `f` is a client, and not part of how a run is set up, watched and read."""
    watches = process in (SETUP, FINAL, INSPECTOR) or process.startswith(f"{FINAL}-")
    return not watches and not process.endswith(f"/{f}")


def left_open(facts: Facts) -> str | None:
    """Why the order of versions is not known; None if it is."""
    lineage = facts.lineage
    if lineage.stated:
        return None
    why = next((text for position, op in enumerate(facts.ops) if (text := _open(position, op, facts))), None)
    if why is None:
        unknown = lineage.unknown()
        why = f"nobody says to have made version {unknown[0]}" if unknown else None
    return None if why is None else f"{why}, and the history has no lineage to tell"


def _open(position: int, op: Op, facts: Facts) -> str | None:
    if op.type == FAIL or position in facts.lineage.made:
        return None if op.type != INFO or not op.writes else f"the outcome of {named(op)} is unknown"
    if op.commit is not None and op.type == OK:
        return f"{named(op)} is not alone in having made version {op.commit}"
    if op.writes:
        return f"the outcome of {named(op)} is unknown" if op.type == INFO else f"{named(op)} names no version"
    return None


def nothing_there(facts: Facts) -> str | None:
    """Why no property can be valid here, whichever it is; None if one can."""
    if not facts.ops:
        return "the history has no operations"
    done = any(op.type == OK and is_client(op.process, op.f) for op in facts.ops)
    return None if done else "nothing was acknowledged: no operation of a client succeeded"


def out_of_scope(facts: Facts, name: str) -> str | None:
    """Why there is nothing in the history that property `name` is about; None if there is."""
    looks, otherwise = _SCOPES.get(name, (None, ""))
    return None if looks is None or any(looks(facts)) else f"{otherwise}: {name} had nothing to look at"


def _reads(facts: Facts) -> Iterator[bool]:
    yield from (bool(facts.reads[position]) for position in facts.nodes)
    yield from (op.type == FAIL and facts.lineage.stated for op in facts.ops)


def _written(facts: Facts) -> Iterator[bool]:
    return (bool(facts.ops[position].writes) for position in facts.nodes)


def _written_by_clients(facts: Facts) -> Iterator[bool]:
    return (bool(facts.ops[position].writes) and facts.ops[position].process != SETUP for position in facts.nodes)


def _tried(facts: Facts) -> Iterator[bool]:
    return (op.process != SETUP and (bool(op.writes) or op.type == FAIL) for op in facts.ops)


def _touched(facts: Facts) -> Iterator[bool]:
    ops = facts.ops
    return (ops[at].process != SETUP and bool(ops[at].reads or ops[at].writes) for at in facts.nodes)


def _all_known(facts: Facts) -> Iterator[bool]:
    yield all(op.type != INFO for op in facts.ops)


def _read_twice(facts: Facts) -> Iterator[bool]:
    for session in facts.sessions().values():
        known: set[str] = set()
        for position in session:
            keys = {seen.key for seen in facts.reads[position]}
            yield not known.isdisjoint(keys)
            known |= keys


def _read_own(facts: Facts) -> Iterator[bool]:
    for session in facts.sessions().values():
        known: set[str] = set()
        for position in session:
            yield any(seen.key in known for seen in facts.reads[position])
            known |= {key for key, _ in facts.ops[position].writes}


def _clients(facts: Facts) -> Iterator[list[int]]:
    return (session for process, session in facts.sessions().items() if process != SETUP)


def _wrote_twice(facts: Facts) -> Iterator[bool]:
    return (sum(bool(facts.ops[at].writes) for at in session) > 1 for session in _clients(facts))


def _wrote_after_reading(facts: Facts) -> Iterator[bool]:
    for session in _clients(facts):
        first = next((at for at in session if facts.ops[at].reads), session[-1])
        yield any(facts.ops[at].writes for at in session if at > first)


def _did_twice(facts: Facts) -> Iterator[bool]:
    return (sum(bool(facts.ops[at].reads or facts.ops[at].writes) for at in session) > 1 for session in _clients(facts))


_Looks = Callable[[Facts], Iterator[bool]]
_LEVELS = (
    "read-committed read-atomic causal prefix parallel-snapshot-isolation snapshot-isolation serializable"
).split()
_SCOPES: dict[str, tuple[_Looks, str]] = {
    "no-aborted-reads": (_reads, "nobody read anything"),
    "acknowledged-writes-survive": (_written, "nobody wrote anything"),
    "monotonic-reads": (_read_twice, "no session read a key twice"),
    "read-your-writes": (_read_own, "no session read what it had written"),
    "no-lost-update": (_written_by_clients, "no client's write was acknowledged"),
    "monotonic-writes": (_wrote_twice, "no session wrote twice"),
    "writes-follow-reads": (_wrote_after_reading, "no session wrote after it had read"),
    "session-guarantees": (_did_twice, "no session did two things"),
    "no-long-fork": (_reads, "nobody read anything"),
    **{
        f"{order}{name}": (_touched, "nobody read or wrote anything")
        for name in (*_LEVELS, "no-write-skew")
        for order in ("", "strong-session-", "strong-")
    },
    "conflict-detection": (_written_by_clients, "no client's write was acknowledged"),
    "no-leaks": (_all_known, "an outcome is unknown, and nobody may clean up after it"),
    "no-spurious-refusal": (_tried, "no client tried to write"),
}
