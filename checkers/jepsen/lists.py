"""Lists that transactions append to: whoever reads one sees every version of it, in order.

Source: Kingsbury and Alvaro, "Elle" (VLDB 2020), sections 3 and 4.2; elle.list-append.

Choices:
* The longest list that was read of a key is its order; one that does not begin as that one is a finding, `incompatible
  order`. What was appended and not read comes after all that was: where it is one value, that is its place.
* A version is named by its last element; what one transaction appended in a row is one version.
* An element by a transaction that failed, or by none, and one that was read without its transaction's next element, is
  handed on as a read of its own: the checks know it as aborted, from nowhere, or intermediate.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, INFO, OK
from checkers.jepsen.rows import APPEND, Txn
from checkers.jepsen.trace import INTERNAL, ORDER, UNREPEATABLE, Loose, Trace
from checkers.text import plain

_Elements = tuple[str, ...]


def trace_lists(txns: Sequence[Txn]) -> Trace:
    """Infer what can be inferred. Raises: HistoryError if an element was appended to a key twice."""
    trace = Trace(txns)
    appended = _appended(txns)
    seen: dict[str, list[tuple[int, _Elements]]] = {}
    for txn in txns:
        trace.writes[txn.number] = [(mop.key, mop.value) for mop in txn.mops if mop.kind == APPEND]
        if txn.type == OK:
            trace.committed.add(txn.number)
            _read(trace, txn, seen, appended)
    for key in {**appended, **seen}:
        _trace_key(trace, key, appended.get(key, {}), seen.get(key, []))
    trace.untangle()
    return trace


def _appended(txns: Sequence[Txn]) -> dict[str, dict[str, int]]:
    appended: dict[str, dict[str, int]] = {}
    for txn in txns:
        for mop in txn.mops:
            if mop.kind == APPEND and appended.setdefault(mop.key, {}).setdefault(mop.value, txn.number) != txn.number:
                where = f"transaction {txn.number}"
                raise HistoryError(where, "elements that are appended to a key once", f"{mop.value} to {mop.key} again")
    return appended


def _read(
    trace: Trace, txn: Txn, seen: dict[str, list[tuple[int, _Elements]]], appended: dict[str, dict[str, int]]
) -> None:
    """What `txn` saw from outside, and whether it agrees with what it had seen and appended before."""
    known: dict[str, _Elements] = {}
    own: dict[str, _Elements] = {}
    for mop in txn.mops:
        key = mop.key
        if mop.kind == APPEND:
            own[key] = (*own.get(key, ()), mop.value)
            if key in known:
                known[key] = (*known[key], mop.value)
            continue
        if isinstance(mop.value, str):
            raise HistoryError(f"transaction {txn.number}", f"a list of {key} to have been read", mop.value)
        found: _Elements = mop.value or ()
        mine = own.get(key, ())
        agrees = found == known[key] if key in known else found[len(found) - len(mine) :] == mine
        if not agrees:
            expected = _shown(known[key]) if key in known else f"a list that ends in {_shown(mine)}"
            says = f"It saw {plain(key)} = {_shown(found)}, where its own steps before it make that {expected}"
            trace.found(INTERNAL, "internal" if mine else UNREPEATABLE, [txn.number], says)
        elif key not in known:
            known[key] = found
            outside = found[: len(found) - len(mine)]
            if any(appended.get(key, {}).get(element) == txn.number for element in outside):
                says = f"It saw {plain(key)} = {_shown(found)}, with what it only appended afterwards"
                trace.found(INTERNAL, "future-read", [txn.number], says)
            else:
                seen.setdefault(key, []).append((txn.number, outside))


def _trace_key(trace: Trace, key: str, appended: dict[str, int], seen: list[tuple[int, _Elements]]) -> None:
    for _, elements in seen:
        for element in elements:
            number = appended.get(element)
            if number is not None and trace.txns[number - 1].type == INFO:
                trace.committed.add(number)
    longest = _agreed(trace, key, seen)
    if longest is None:
        return
    chain: list[str] = []
    for element in longest:
        number = appended.get(element)
        if number is None or trace.txns[number - 1].type == FAIL:
            continue
        if chain and appended[chain[-1]] == number:
            chain.pop()
        chain.append(element)
    if _is_torn(trace, key, chain, [appended[element] for element in chain]):
        return
    trace.chains[key] = chain
    trace.writers[key] = {element: appended[element] for element in chain}
    lasts = {number: element for element, number in appended.items()}
    for number, elements in seen:
        _hand_on(trace, key, number, elements, appended, lasts)
    _place_unread(trace, key, lasts)


def _agreed(trace: Trace, key: str, seen: list[tuple[int, _Elements]]) -> _Elements | None:
    """The order that all reads agree on; None if they do not."""
    reader, longest = max(seen, key=lambda one: len(one[1]), default=(0, ()))
    for number, elements in seen:
        if len(set(elements)) != len(elements):
            trace.found(ORDER, "duplicate-elements", [number], f"It saw {plain(key)} = {_shown(elements)}")
            return None
        if longest[: len(elements)] != elements:
            says = (
                f"One saw {plain(key)} = {_shown(longest)}, the other {_shown(elements)}: "
                "no order of the appends has both"
            )
            trace.found(ORDER, "incompatible-order", [reader, number], says)
            return None
    return longest


def _is_torn(trace: Trace, key: str, chain: list[str], makers: list[int]) -> bool:
    """Whether appends of one transaction stand apart: it wrote over somebody who had written over it."""
    if len(set(makers)) == len(makers):
        return False
    counts = Counter(makers)
    first = next(number for number in makers if counts[number] > 1)
    other = makers[makers.index(first) + 1]
    says = f"{plain(key)} became {_shown(tuple(chain))}: the second appended between what the first one appended"
    trace.found(ORDER, "G0", [first, other], says)
    return True


def _hand_on(
    trace: Trace, key: str, number: int, elements: _Elements, appended: dict[str, int], lasts: dict[int, str]
) -> None:
    reads = trace.reads.setdefault(number, [])
    reads.append((key, elements[-1] if elements else None))
    for element, following in pairwise(elements):
        maker = appended.get(element)
        if maker is None or (appended.get(following) != maker and _hides(trace, element, maker, lasts)):
            reads.append((key, element))


def _hides(trace: Trace, element: str, maker: int, lasts: dict[int, str]) -> bool:
    return trace.txns[maker - 1].type == FAIL or lasts[maker] != element


def _place_unread(trace: Trace, key: str, lasts: dict[int, str]) -> None:
    """What acknowledged transactions appended, and nobody read: after all that was read."""
    chain, writers = trace.chains[key], trace.writers[key]
    read = set(writers.values())
    unread = {element: number for number, element in lasts.items() if number in trace.committed and number not in read}
    writers |= unread
    if len(unread) > 1:
        before = chain[-1] if chain else None
        trace.loose[key] = [Loose(element, before) for element in unread]
    else:
        chain += unread


def _shown(elements: _Elements) -> str:
    return plain(f"[{' '.join(elements)}]")
