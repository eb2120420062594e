"""Registers that transactions write and read: values are unique, but nobody sees the order in which they came.

Source: elle.rw-register, whose assumption "writes follow reads" (`wfr-keys?`) this is.

Choices:
* nil comes before every value. A transaction that read a value of a key from outside and then wrote the key wrote a
  later version of it: any other order would be a cycle (Adya's G1c) at every level that is checked.
* Where that gives a key's values one order, it is its chain. Else the chain goes on as long as one value follows, by
  completions where several do, and the rest is loose.
"""

from collections.abc import Sequence

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, INFO, OK
from checkers.jepsen.rows import WRITE, Txn
from checkers.jepsen.trace import INTERNAL, UNREPEATABLE, Loose, Trace
from checkers.text import plain


def trace_registers(txns: Sequence[Txn]) -> Trace:
    """Infer what can be inferred. Raises: HistoryError if a value was written to a key twice."""
    trace = Trace(txns)
    written: dict[str, dict[str, int]] = {}
    for txn in txns:
        trace.writes[txn.number] = [(mop.key, mop.value) for mop in txn.mops if mop.kind == WRITE]
        for key, value in trace.writes[txn.number]:
            if written.setdefault(key, {}).setdefault(value, txn.number) != txn.number:
                where = f"transaction {txn.number}"
                raise HistoryError(where, "values that are written to a key once", f"{value} to {key} again")
    for txn in txns:
        if txn.type == OK:
            trace.committed.add(txn.number)
            _read(trace, txn, written)
    for key, values in written.items():
        _trace_key(trace, key, values)
    trace.untangle()
    return trace


def _read(trace: Trace, txn: Txn, written: dict[str, dict[str, int]]) -> None:
    """What `txn` saw from outside, and whether it agrees with what it had seen and written before."""
    known: dict[str, str | None] = {}
    own: set[str] = set()
    reads = trace.reads[txn.number] = []
    for mop in txn.mops:
        key, value = mop.key, mop.value
        if isinstance(value, tuple):
            value = f"[{' '.join(value)}]"
        if mop.kind == WRITE:
            own.add(key)
        if mop.kind == WRITE or key not in known:
            if mop.kind != WRITE:
                maker = written.get(key, {}).get(value) if value is not None else None
                if maker == txn.number:
                    says = f"It saw {plain(key)} = {_shown(value)}, which it only wrote afterwards"
                    trace.found(INTERNAL, "future-read", [txn.number], says)
                    continue
                reads.append((key, value))
                if maker is not None and trace.txns[maker - 1].type == INFO:
                    trace.committed.add(maker)
        elif value != known[key]:
            says = (
                f"It saw {plain(key)} = {_shown(value)}, where its own steps before it make that {_shown(known[key])}"
            )
            trace.found(INTERNAL, "internal" if key in own else UNREPEATABLE, [txn.number], says)
            continue
        known[key] = value


def _shown(value: str | None) -> str:
    return "nil" if value is None else plain(value)


def _trace_key(trace: Trace, key: str, written: dict[str, int]) -> None:
    lasts = {number: value for value, number in written.items() if trace.txns[number - 1].type != FAIL}
    numbers = sorted((number for number in lasts if number in trace.committed), key=trace.rank)
    writers = trace.writers[key] = {lasts[number]: number for number in numbers}
    before = {lasts[number]: _seen_before(trace, number, key, writers) for number in numbers}
    after: dict[str | None, list[str]] = {}
    for value, earlier in before.items():
        after.setdefault(earlier, []).append(value)
    chain: list[str] = []
    at: str | None = None
    while after.get(at):
        at = after[at][0]
        chain.append(at)
    trace.chains[key] = chain
    rest = [Loose(value, earlier) for value, earlier in before.items() if value not in set(chain)]
    reached = _reached(after)
    if rest:
        trace.loose[key] = [one if one.value in reached else Loose(one.value, None) for one in rest]


def _seen_before(trace: Trace, number: int, key: str, writers: dict[str, int]) -> str | None:
    """The value of `key` that a writer of it had read; None if it had read none, or nil."""
    seen = next((value for name, value in trace.reads.get(number, ()) if name == key), None)
    return seen if seen in writers and writers[seen] != number else None


def _reached(after: dict[str | None, list[str]]) -> set[str]:
    """The values that come after nil, step by step: the others go round in a circle."""
    reached: set[str] = set()
    waiting = list(after.get(None, ()))
    while waiting:
        value = waiting.pop()
        reached.add(value)
        waiting += after.get(value, ())
    return reached
