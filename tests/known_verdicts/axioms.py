"""What each level demands, as axioms over every possible order of commits: an oracle that knows no graph.

A history keeps a level if its transactions can be put into one order, in which the initial content is first, whoever
is visible (by what was read, and by sessions or real time where asked for) comes before whom it is visible to, and
versions of a key follow each other as they do in the table, so that this holds for every read of a key by a
transaction: nobody else who wrote that key and is in the `past` of the reader comes after the one that was read.

| level | the past of a transaction |
| --- | --- |
| read committed | nobody |
| read atomic | whoever is visible to it directly |
| causal | whoever is, or is visible to somebody who is |
| prefix | whoever is, and all who come before one of them in the order |
| parallel snapshot isolation | as causal, and whoever wrote a key before its next writer is visible to that one |
| snapshot isolation | as prefix, and all before somebody who wrote one of its keys before it |
| serializable | all who come before it |

Source: Biswas and Enea, "On the complexity of checking transactional consistency" (OOPSLA 2019); Cerone, Bernardi and
Gotsman (CONCUR 2015) for parallel snapshot isolation.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

Pairs = frozenset[tuple[int, int]]
INITIAL = 0


class Transaction(NamedTuple):
    """What one transaction did. `reads` are (key, number of the transaction whose write was seen); 0 = initial content.

    `begin` and `end` are places in real time, `session` is who did it.
    """

    reads: tuple[tuple[str, int], ...]
    writes: tuple[str, ...]
    session: int
    begin: int
    end: int


class Known(NamedTuple):
    """Transactions 1, 2, ...; versions of a key are in the order of these numbers."""

    transactions: tuple[Transaction, ...]


LEVELS = (
    "read-committed", "read-atomic", "causal", "prefix", "parallel-snapshot-isolation", "snapshot-isolation",
    "serializable",
)  # fmt: skip
ORDERS = ("", "strong-session-", "strong-")


def visible(known: Known, order: str) -> Pairs:
    """Who is visible to whom, directly: (earlier, later)."""
    numbered = list(enumerate(known.transactions, 1))
    found = {(writer, reader) for reader, one in numbered for _, writer in one.reads if writer != reader}
    found |= {(INITIAL, number) for number, _ in numbered}
    if order:
        for a, one in numbered:
            for b, two in numbered:
                same = one.session == two.session and one.end < two.begin
                if same or (order == "strong-" and one.end < two.begin):
                    found.add((a, b))
    return frozenset(found)


def versions(known: Known) -> Pairs:
    """Who wrote a key before whom."""
    numbered = list(enumerate(known.transactions, 1))
    pairs = {(a, b) for a, one in numbered for b, two in numbered if a < b and {*one.writes} & {*two.writes}}
    return frozenset(pairs | {(INITIAL, number) for number, one in numbered if one.writes})


def closed(pairs: Pairs) -> Pairs:
    """The transitive closure."""
    found = set(pairs)
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return frozenset(found)
        found |= more


def keeps(known: Known, level: str, order: str = "") -> bool:
    """Whether some order of commits satisfies the axioms of `level`."""
    seen, written = visible(known, order), versions(known)
    needed = closed(seen | written)
    if any(a == b for a, b in needed):
        return False
    fixed: dict[str, Pairs] = {
        "read-committed": frozenset(),
        "read-atomic": seen,
        "causal": closed(seen),
        "parallel-snapshot-isolation": needed,
    }
    if level in fixed:
        return _fresh(known, fixed[level])
    return any(_fresh(known, _past(known, level, places, seen, written)) for places in _orders(known, needed))


def _orders(known: Known, needed: Pairs) -> Iterator[dict[int, int]]:
    for order in permutations(range(1, len(known.transactions) + 1)):
        places = {number: place for place, number in enumerate((INITIAL, *order))}
        if all(places[a] < places[b] for a, b in needed):
            yield places


def _past(known: Known, level: str, places: dict[int, int], seen: Pairs, written: Pairs) -> Pairs:
    numbers = range(len(known.transactions) + 1)
    if level == "serializable":
        return frozenset((a, b) for a in numbers for b in numbers if places[a] < places[b])
    through = seen | written if level == "snapshot-isolation" else seen
    return frozenset((a, b) for middle, b in through for a in numbers if places[a] <= places[middle])


def _fresh(known: Known, past: Pairs) -> bool:
    """Nobody in the past of a reader wrote a later version of what it read than the one it saw."""
    for reader, one in enumerate(known.transactions, 1):
        for key, saw in one.reads:
            for other, two in enumerate(known.transactions, 1):
                if key in two.writes and other not in (saw, reader) and (other, reader) in past and other > saw:
                    return False
    return True
