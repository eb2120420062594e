"""The version order that the table gives: which operation made each version, and each key's chain of versions.

Choices:
* The lineage rows decide. Without them the order is what acknowledged operations claim as their commit. A version that
  two of them claim, or none (whatever operations of unknown outcome claim), was made by nobody known.
* A row that names no operation is matched by snapshot, then by `commit` for the initial content; else its maker is
  unknown and it has no logical effect.
* An operation may have made several versions (a commit that was sent twice).
* Bad input is what no table can have shown, however broken it is: version numbers that are negative or beyond the
  lineage (without lineage rows: more than twice as many as operations; those are names of snapshots and no ordinals),
  a start at or after the operation's own commit, an initial content that is not the one version 0. What a broken table
  may well have shown (two acknowledged claims of one version, a version that nobody made) is no bad input: it leaves
  every property indeterminate that is not broken all the same (`checkers.scope.left_open`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, OK, SETUP, Event, History, Op

NOBODY, ELSEWHERE = -1, -2


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
    """`makers[v]` = position of the operation that made version v, or -1; `made[position]` = its versions.

    A version that was made outside of the part at hand is ELSEWHERE. `limit` is above every version that may be named.
    Raises: HistoryError for what no table can have shown.
    """

    __slots__ = ("chains", "limit", "made", "makers", "stated")

    def __init__(
        self, history: History, of_part: Mapping[int, int] | None = None, limit: int = 0, stated: bool = True
    ) -> None:
        """Args: `of_part` has, of some operations of a longer history, the version that each made, out of `limit`;
        `stated` says whether that one has lineage rows.
        """
        ops = history.ops
        self.made: dict[int, list[int]] = {}
        self.chains: dict[str, Chain] = {}
        if of_part is not None:
            self.stated, self.limit, self.makers = stated, limit, [ELSEWHERE] * limit
            for position, version in of_part.items():
                self.makers[version] = position
            self._add(ops, sorted(of_part.values()))
            return
        rows = history.versions
        self.stated = bool(rows)
        self.limit = len(rows) or 2 * len(ops) + 2
        _require_sound(ops, self.limit, self.stated)
        self.makers = _stated_makers(ops, rows) if rows else _claimed_makers(ops, self.limit)
        self._add(ops, range(len(self.makers)))

    def _add(self, ops: tuple[Op, ...], versions: Iterable[int]) -> None:
        chains = self.chains
        for version in versions:
            maker = self.makers[version]
            if maker >= 0:
                op = ops[maker]
                if op.start is not None and op.start >= version:
                    raise HistoryError(row_of(op), f"a start before its own version {version}", f"version {op.start}")
                self.made.setdefault(maker, []).append(version)
                for key, value in op.writes:
                    chain = chains.get(key)
                    if chain is None:
                        chain = chains[key] = Chain()
                    chain.add(version, value, maker)

    def unknown(self) -> list[int]:
        """The versions that nobody known made. Without lineage rows what was there before the first claim is none."""
        begin = 0 if self.stated else min(self.made.values(), default=[0])[0] + 1
        return [version for version in range(begin, len(self.makers)) if self.makers[version] == NOBODY]


def row_of(op: Op) -> str:
    """Where an operation ended, or began if nobody knows its end, for a message."""
    return f"row {op.invoked if op.completed is None else op.completed}"


def _require_sound(ops: tuple[Op, ...], limit: int, stated: bool) -> None:
    began = False
    for op in ops:
        start, commit = op.start, op.commit
        if start is not None and not -1 < start < limit:
            raise HistoryError(row_of(op), f"a start {_range(limit, stated)}", str(start))
        if commit is not None and (commit < 0 or op.type != FAIL):
            if commit < 0 or (commit >= limit and not stated):
                raise HistoryError(row_of(op), f"a commit {_range(limit, stated)}", str(commit))
            if start is not None and start >= commit:
                raise HistoryError(row_of(op), f"a start before its own commit {commit}", f"version {start}")
        if op.process == SETUP:
            if began or op.type != OK or commit != 0:
                got = "a second one" if began else f"type {op.type}, commit {commit}"
                raise HistoryError(row_of(op), "one initial content, acknowledged, with commit 0", got)
            began = True


def _range(limit: int, stated: bool) -> str:
    if stated:
        return f"in 0..{limit - 1} (the lineage)"
    return f"in 0..{limit - 1} (an ordinal; without lineage rows, hardly more than there are operations)"


def _stated_makers(ops: tuple[Op, ...], rows: tuple[Event, ...]) -> list[int]:
    positions = {op.id: position for position, op in enumerate(ops)}
    makers = []
    for version, row in enumerate(rows):
        if row.commit != version:
            wanted = f"version {version} (the lineage, oldest first, dense)"
            raise HistoryError(f"row {row.index}", wanted, str(row.commit))
        maker = positions.get(row.op, NOBODY)
        if maker < 0 and row.op != NOBODY:
            raise HistoryError(f"row {row.index}", "the number of a recorded operation or -1", str(row.op))
        makers.append(maker if maker >= 0 else _match(ops, row))
    return makers


def _match(ops: tuple[Op, ...], row: Event) -> int:
    for position, op in enumerate(ops):
        if row.snapshot is not None and op.snapshot == row.snapshot:
            return position
        if row.commit == 0 and op.commit == 0 and op.process == SETUP:
            return position
    return NOBODY


def _claimed_makers(ops: tuple[Op, ...], limit: int) -> list[int]:
    claims: dict[int, int] = {}
    newest = NOBODY
    for position, op in enumerate(ops):
        start, commit = op.start, op.commit
        if commit is not None and op.type == OK:
            claims[commit] = NOBODY if commit in claims else position
        if start is not None and start > newest:
            newest = start
        for _, _, version in op.reads:
            if version is not None and newest < version < limit:
                newest = version
    return [claims.get(version, NOBODY) for version in range(max(newest, *claims, NOBODY) + 1)]
