"""Histories of a trace, in which every version has a place: what every order has in common, and orders one by one.

Choices:
* `certain` has only the dependencies that every order has: a loose value is a version of a key of its own, `x (7)`.
  What is broken there is broken in every order.
* `orders` puts loose values somewhere, first where the transactions that wrote them completed. What holds in one of
  these histories can be explained. Orders of several keys that contradict each other are no history: None.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product

from checkers.histories.history import INVOKE, OK, SETUP, VERSION, Event, History, Read, Write
from checkers.jepsen.rows import READ, Mop
from checkers.jepsen.trace import Trace

_SHOWN_MOPS = 6
_MAX_FREE = 7
Entries = list[tuple[str, str | None]]


def certain(trace: Trace) -> History:
    """The history of what every order of versions has in common."""
    more: dict[int, list[tuple[str, str]]] = {}
    shown: dict[tuple[str, str | None], Entries] = {}
    hidden: set[tuple[str, str | None]] = set()
    chains = _traced(trace)
    for key, values in trace.loose.items():
        for value, before in values:
            alone = f"{key} ({value})"
            known = [one for one in (before, value) if one is not None]
            chains[alone] = trace.makers(key, known)
            maker = chains[alone][-1]
            if before is not None:
                more.setdefault(chains[alone][0], []).append((alone, before))
            shown.setdefault((key, before), []).append((alone, before))
            for name, one in trace.writes[maker]:
                if name == key:
                    more.setdefault(maker, []).append((alone, one))
                    shown.setdefault((key, one), []).append((alone, one))
                    hidden.add((key, one))
    return _history(trace, chains, more, shown, hidden)


def likely(trace: Trace) -> History | None:
    """The first order, with the newest start for each transaction at which its reads are what was there; None if there
    is no such order.

    No transaction said where it started: what is broken by these starts means nothing, what holds by them holds.
    """
    chains = _traced(trace) | {key: trace.makers(key, next(_filled(trace, key)[0])) for key in trace.loose}
    return _history(trace, chains, {}, {}, starts=_starts(trace, chains)) if _whole(trace, chains) else None


def _starts(trace: Trace, chains: Mapping[str, Sequence[int]]) -> dict[int, int]:
    version = {number: place for place, number in enumerate(trace.lineage(chains), 1)}
    places = {key: {number: place for place, number in enumerate(chain)} for key, chain in chains.items()}
    newest, starts = 0, {}
    for number in sorted(trace.committed, key=trace.rank):
        newest = max(newest, version.get(number, 0))
        least, most = 0, min(newest, version.get(number, newest + 1) - 1)
        for key, value in trace.reads.get(number, ()):
            chain = chains.get(key, ())
            maker = trace.writers.get(key, {}).get(value) if value is not None else None
            at = places[key].get(maker, -1) if maker is not None and key in places else -1
            least = max(least, version[chain[at]] if at >= 0 else 0)
            if at + 1 < len(chain) and chain[at + 1] != number:
                most = min(most, version[chain[at + 1]] - 1)
        starts[number] = max(least, most)
        if starts[number] >= version.get(number, starts[number] + 1):
            starts[number] = max(0, version[number] - 1)
    return starts


def orders(trace: Trace, limit: int) -> tuple[Iterator[History | None], bool]:
    """Histories in which each loose value has a place, and whether these are all: if there are more than `limit`, it
    is the first one only."""
    choices: list[list[list[str]]] = []
    total, whole = 1, True
    for key in trace.loose:
        filled, all_of_it = _filled(trace, key)
        some = list(islice(filled, limit + 1))
        total, whole = total * len(some), whole and all_of_it
        choices.append(some)
        if total > limit or not whole:
            break
    if total > limit or not whole:
        choices, whole = [[next(_filled(trace, key)[0])] for key in trace.loose], False
    return _built(trace, choices), whole


def _built(trace: Trace, choices: Sequence[Sequence[Sequence[str]]]) -> Iterator[History | None]:
    for chosen in product(*choices):
        placed = dict(zip(trace.loose, chosen, strict=True))
        chains = _traced(trace) | {key: trace.makers(key, values) for key, values in placed.items()}
        yield _history(trace, chains, {}, {}) if _whole(trace, chains) else None


def _whole(trace: Trace, chains: Mapping[str, Sequence[int]]) -> bool:
    return len(trace.lineage(chains)) == len(trace.lineage({}))


def _traced(trace: Trace) -> dict[str, list[int]]:
    return {key: trace.makers(key, chain) for key, chain in trace.chains.items()}


def _filled(trace: Trace, key: str) -> tuple[Iterator[list[str]], bool]:
    """The orders of a key's values in which each comes after the one before it, and whether these are all."""
    chain = trace.chains.get(key, [])
    before: dict[str, str | None] = dict(zip(chain, [None, *chain], strict=False))
    before |= dict(trace.loose[key])
    after: dict[str | None, list[str]] = {}
    for value in sorted(before, key=lambda value: trace.rank(trace.writers[key][value])):
        after.setdefault(before[value], []).append(value)
    begun: list[str] = []
    open_ = after.get(None, [])
    while len(open_) == 1:
        begun.append(open_[0])
        open_ = after.get(open_[0], [])
    rest = len(before) - len(begun)
    if rest > _MAX_FREE:
        return iter([_first(begun, open_, after, trace, key)]), False
    return _extended(begun, open_, after), True


def _first(
    begun: list[str], open_: list[str], after: Mapping[str | None, list[str]], trace: Trace, key: str
) -> list[str]:
    """The order of completions, as far as each comes after the one before it."""
    placed, waiting = list(begun), list(open_)
    while waiting:
        value = min(waiting, key=lambda one: trace.rank(trace.writers[key][one]))
        waiting.remove(value)
        placed.append(value)
        waiting += after.get(value, [])
    return placed


def _extended(begun: list[str], open_: list[str], after: Mapping[str | None, list[str]]) -> Iterator[list[str]]:
    if not open_:
        yield begun
    for place, value in enumerate(open_):
        rest = open_[:place] + open_[place + 1 :] + after.get(value, [])
        yield from _extended([*begun, value], rest, after)


def _history(
    trace: Trace,
    chains: Mapping[str, Sequence[int]],
    more: Mapping[int, Sequence[tuple[str, str]]],
    shown: Mapping[tuple[str, str | None], Entries],
    hidden: Collection[tuple[str, str | None]] = (),
    starts: Mapping[int, int] | None = None,
) -> History:
    """Args: `more` and `shown` have what is written and read of keys that a value has to itself, instead of `hidden`
    reads where that is all that is known of the value."""
    events = [Event(0, 0, SETUP, OK, 0, "setup", commit=0)]
    placed = {key: frozenset(chain) for key, chain in chains.items()}
    moments = [(txn.invoked, 0, txn.number) for txn in trace.txns]
    moments += [(txn.completed, 1, txn.number) for txn in trace.txns if txn.completed is not None]
    for _, done, number in sorted(moments):
        txn = trace.txns[number - 1]
        writes: tuple[Write, ...] = ()
        reads: tuple[Read, ...] = ()
        if done or txn.completed is None:
            known = [
                one for one in trace.writes.get(number, ())
                if number not in trace.committed or number in placed.get(one[0], ())
            ]  # fmt: skip
            writes = tuple([Write(*one) for one in (*known, *more.get(number, ()))])
        if done:
            seen = trace.reads.get(number, [])
            alone = [also for one in seen for also in shown.get(one, ())]
            reads = tuple([Read(*one) for one in (*[one for one in seen if one not in hidden], *alone)])
        kind, time_ms = (txn.type, txn.completed_ms) if done else (INVOKE, txn.invoked_ms)
        words, error = (None, txn.error) if done else (_words(txn.mops), None)
        place = len(events)
        start = starts.get(number) if done and starts else None
        events.append(
            Event(
                place, time_ms, txn.process, kind, number, "txn", words, start, reads=reads, writes=writes, error=error
            )
        )
    for version, number in enumerate([0, *trace.lineage(chains)]):
        events.append(Event(len(events), 0, "lineage", VERSION, number, "version", commit=version))
    return History(events)


def _words(mops: Sequence[Mop]) -> str:
    told = [f"{mop.kind} {mop.key}" if mop.kind == READ else f"{mop.kind} {mop.key} {mop.value}" for mop in mops]
    return ", ".join(told[:_SHOWN_MOPS]) + (f", and {len(told) - _SHOWN_MOPS} more" if len(told) > _SHOWN_MOPS else "")
