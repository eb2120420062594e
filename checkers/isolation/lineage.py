"""The version order that the table gives: which operation made each version, and each key's chain of versions.

Choices:
* The lineage rows decide. Without them the order is what acknowledged (and unknown) operations claim as their commit;
  if two claim one version, the one that completed later has it, as a pointer that was overwritten would say.
* A row that names no operation is matched by snapshot, then by `commit` for the initial content; else its maker is
  unknown and it has no logical effect.
* An operation may have made several versions (a commit that was sent twice).
"""

from bisect import bisect_right
from collections.abc import Sequence

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, SETUP, Event, History, Op

NOBODY = -1


class Chain:
    """The versions of one key, oldest first: in which table version, with which value, by which operation."""

    __slots__ = ("_places", "values", "versions", "writers")

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.values: list[str | None] = []
        self.writers: list[int] = []
        self._places: dict[str | None, list[int]] | None = None

    def add(self, version: int, value: str | None, writer: int) -> None:
        """Append a version; a second write of one version replaces the first."""
        if self.versions and self.versions[-1] == version:
            self.values[-1] = value
            return
        self.versions.append(version)
        self.values.append(value)
        self.writers.append(writer)

    def at(self, version: int) -> int:
        """The place of the newest version at or before `version`; -1 = none yet."""
        return bisect_right(self.versions, version) - 1

    def places(self, value: str | None) -> Sequence[int]:
        """All places that hold `value`."""
        if self._places is None:
            self._places = {}
            for place, held in enumerate(self.values):
                self._places.setdefault(held, []).append(place)
        return self._places.get(value, ())


class Lineage:
    """`makers[v]` = position of the operation that made version v, or -1; `made[position]` = its versions."""

    __slots__ = ("chains", "made", "makers", "stated")

    def __init__(self, history: History) -> None:
        ops = history.ops
        rows = history.versions
        self.stated = bool(rows)
        self.makers = _stated_makers(ops, rows) if rows else _claimed_makers(ops)
        self.made: dict[int, list[int]] = {}
        self.chains: dict[str, Chain] = {}
        chains = self.chains
        for version, maker in enumerate(self.makers):
            if maker >= 0:
                self.made.setdefault(maker, []).append(version)
                for key, value in ops[maker].writes:
                    chain = chains.get(key)
                    if chain is None:
                        chain = chains[key] = Chain()
                    chain.add(version, value, maker)


def _stated_makers(ops: tuple[Op, ...], rows: tuple[Event, ...]) -> list[int]:
    positions = {op.id: position for position, op in enumerate(ops)}
    makers = [NOBODY] * len(rows)
    for row in rows:
        version = row.commit
        if version is None or not 0 <= version < len(rows):
            raise HistoryError(f"row {row.index}", f"a version in 0..{len(rows) - 1}", str(version))
        maker = positions.get(row.op, NOBODY)
        makers[version] = maker if maker >= 0 else _match(ops, row)
    return makers


def _match(ops: tuple[Op, ...], row: Event) -> int:
    for position, op in enumerate(ops):
        if row.snapshot is not None and op.snapshot == row.snapshot:
            return position
        if row.commit == 0 and op.commit == 0 and op.process == SETUP:
            return position
    return NOBODY


def _claimed_makers(ops: tuple[Op, ...]) -> list[int]:
    claims = [(op.commit, position) for position, op in enumerate(ops) if op.commit is not None and op.type != FAIL]
    makers = [NOBODY] * (max(claims)[0] + 1 if claims else 0)
    for version, position in claims:
        other = makers[version]
        if other == NOBODY or _completed(ops[position]) > _completed(ops[other]):
            makers[version] = position
    return makers


def _completed(op: Op) -> int:
    return op.invoked if op.completed is None else op.completed
