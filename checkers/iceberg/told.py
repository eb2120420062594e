"""What a consumer of an Iceberg table was told: the rows of what came since, or of what was.

A history has it in words: the invocation's argument is what was asked for, as "since 1 back, until it began", the
completion's is what was told, as "3 = x, 4 = y" of appends, "3 = +x, 1 = -a" of changes, or "1 = from a, 1 = to b" of
updates.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from checkers.histories.history import OK, Op
from checkers.histories.told_rows import Row, rows_in
from checkers.isolation.lineage import NOBODY
from checkers.isolation.resolve import Facts

APPENDS, CHANGES, AT = "read appends", "read changes", "read at"
VIEW, NET, UPDATES = "read view", "read net changes", "read updates"
SIGNED = (CHANGES, VIEW, NET, UPDATES)
NEWS = (APPENDS, *SIGNED)
CONSUMING = (*NEWS, AT)
OF_RACE, ENDED, BY = "since the race began", ", until it began", ", by "
COME, GONE = ("+", "to "), ("-", "from ")
SETS_BACK = ("roll back", "roll back to a time", "set current", "publish")
OVERWRITE, SEVERAL = "overwrite", "transaction"


class Told(NamedTuple):
    """What a consumer was told: his operation's position, what he asked for, and the rows, with their signs."""

    at: int
    op: Op
    asked: str
    rows: tuple[Row, ...]

    @property
    def is_of_race(self) -> bool:
        """Whether he asked for all that came since the race began."""
        return self.asked == OF_RACE

    @property
    def is_ended(self) -> bool:
        """Whether he asked for what came before the race began."""
        return self.asked.endswith(ENDED)

    @property
    def added(self) -> list[Row]:
        """The rows that he was told have come."""
        return list(self.rows) if self.op.f == APPENDS else list(_without(self.rows, COME))

    @property
    def gone(self) -> list[Row]:
        """The rows that he was told have gone."""
        return [] if self.op.f == APPENDS else list(_without(self.rows, GONE))


def _without(rows: tuple[Row, ...], signs: tuple[str, ...]) -> Iterator[Row]:
    """The rows that have one of these signs, without it."""
    for key, value in rows:
        yield from [(key, value.removeprefix(sign)) for sign in signs if value.startswith(sign)]


class Versions:
    """The rows of each version, and who brought a row."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.kinds = [row.arg for row in facts.history.versions]

    def rows(self, version: int) -> Counter[Row]:
        """The rows of a version."""
        chains = self._facts.lineage.chains.items()
        last = {key: chain.values[chain.at(version)] for key, chain in chains if chain.at(version) >= 0}
        return Counter([(key, value) for key, value in last.items() if value is not None])

    def brought(self, version: int) -> set[Row]:
        """What its maker has written."""
        maker = self._facts.lineage.makers[version]
        writes = self._facts.ops[maker].writes if maker != NOBODY else ()
        return {(key, value) for key, value in writes if value is not None}

    def is_back(self, version: int) -> bool:
        """Whether its maker has set main to a snapshot that there was: what comes by that was written before."""
        maker = self._facts.lineage.makers[version]
        return maker != NOBODY and self._facts.ops[maker].f in SETS_BACK

    def past(self, key: str, until: int) -> list[str | None]:
        """The values of a row since the race began, the one it had then first."""
        chain = self._facts.lineage.chains[key]
        first = chain.at(0)
        since = chain.values[max(first, 0) : chain.at(until) + 1]
        return since if first >= 0 else [None, *since]

    def is_mixed(self, version: int) -> bool:
        """Whether more than what its operation says may have been done in it."""
        maker = self._facts.lineage.makers[version]
        return maker == NOBODY or self._facts.ops[maker].f.startswith(SEVERAL)

    def carries(self, until: int | None) -> bool:
        """Whether a version up to this one (None: it is not known) may have rows anew that were there."""
        since = range(1, len(self.kinds) if until is None else until + 1)
        return any(self.kinds[at] == OVERWRITE or self.is_mixed(at) for at in since)


def told(facts: Facts, *kinds: str) -> list[Told]:
    """What those who asked for one of these were told."""
    events = facts.history.events
    return [
        Told(at, op, (events[op.invoked].arg or "").partition(BY)[0], rows_in(op.arg or ""))
        for at, op in enumerate(facts.ops)
        if op.type == OK and op.f in kinds
    ]
