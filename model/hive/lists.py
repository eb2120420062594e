"""Lists of valid ids: what a snapshot calls committed, as a high-water mark and the exceptions at or below it.

`ValidTxnList` is the snapshot over transactions, `ValidWriteIdList` the same for the writes of one table. Both have
the string forms that travel in requests and in a session's configuration.

Source: hive/1.3, hive/4.9; `storage-api/.../common/ValidReadTxnList.java`, `ValidReaderWriteIdList.java`;
`fe/.../hive/common/MutableValidReaderWriteIdList.java` (Impala) for opening, committing and aborting ids in a list.

Choices: exceptions are kept as open and aborted ids apart, where upstream has one list and a bit set. The field
`min_open` of the strings is kept as read, for upstream does not derive it either; it decides nothing here. A list whose
exceptions are not ascending, occur twice or lie above the high-water mark is malformed: upstream accepts it silently.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from model.hive.errors import MalformedList

NONE_OPEN = (1 << 63) - 1
"""What stands for the lowest open id if none is open: the largest 64-bit number."""
KEPT = 1_024
"""So many texts of lists are remembered with what they say."""
RANGE = 5
"""So many consecutive ids are written as a range. Source: HIVE-23819."""


class ValidTxnList:
    """Transactions that a snapshot sees: those up to `high` that are neither open nor aborted."""

    __slots__ = ("aborted", "high", "invalid", "min_open", "open")

    def __init__(
        self, high: int, open_ids: Iterable[int] = (), aborted: Iterable[int] = (), min_open: int | None = None
    ) -> None:
        self.high = high
        self.open = tuple(open_ids)
        self.aborted = tuple(aborted)
        self.invalid = tuple(sorted(self.open + self.aborted)) if self.aborted else self.open
        self.min_open = min_open if min_open is not None else self.open[0] if self.open else NONE_OPEN

    def is_valid(self, txn: int) -> bool:
        """Whether the snapshot sees the transaction."""
        return txn <= self.high and txn not in self.invalid

    def is_aborted(self, txn: int) -> bool:
        """Whether the snapshot knows that the transaction was aborted."""
        return txn in self.aborted

    def __str__(self) -> str:
        return f"{self.high}:{self.min_open}:{_ranges(self.open)}:{_ranges(self.aborted)}"

    def __repr__(self) -> str:
        return f"ValidTxnList({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValidTxnList) and str(self) == str(other)

    def __hash__(self) -> int:
        return (self.high, self.open, self.aborted).__hash__()


class ValidWriteIdList:
    """Writes of one table that a snapshot sees: those up to `high` that are neither open nor aborted. Immutable."""

    __slots__ = ("_exceptions", "aborted", "high", "invalid", "min_open", "open", "table")

    def __init__(
        self,
        table: str,
        high: int,
        open_ids: Iterable[int] = (),
        aborted: Iterable[int] = (),
        min_open: int | None = None,
    ) -> None:
        self.table = table
        self.high = high
        self.open = tuple(open_ids)
        self.aborted = tuple(aborted)
        self.invalid = tuple(sorted(self.open + self.aborted)) if self.aborted else self.open
        self.min_open = min_open if min_open is not None else self.open[0] if self.open else NONE_OPEN
        self._exceptions: frozenset[int] | None = None

    @property
    def exceptions(self) -> frozenset[int]:
        """The ids at or below `high` that are not valid; made when first asked for."""
        if self._exceptions is None:
            self._exceptions = frozenset(self.invalid)
        return self._exceptions

    def is_valid(self, write_id: int) -> bool:
        """Whether the snapshot sees the write."""
        return write_id <= self.high and write_id not in self.exceptions

    def is_aborted(self, write_id: int) -> bool:
        """Whether the snapshot knows that the write was aborted."""
        return write_id in self.aborted

    def opened(self, write_id: int) -> "ValidWriteIdList":
        """The list with this id open, and every id between the high-water mark and it."""
        if write_id <= self.high:
            return self
        gap = tuple(range(self.high + 1, write_id + 1))
        return ValidWriteIdList(self.table, write_id, self.open + gap, self.aborted)

    def committed(self, write_id: int) -> "ValidWriteIdList":
        """The list with this id valid. Ids on the way that nobody has heard of are open; an aborted one stays so."""
        return self.opened(write_id)._without_open(write_id)

    def aborting(self, write_id: int) -> "ValidWriteIdList":
        """The list with this id aborted. A valid id stays valid: only an open one can be aborted."""
        known = self.opened(write_id)
        if write_id not in known.open:
            return known
        rest = known._without_open(write_id)
        at = bisect_right(rest.aborted, write_id)
        return ValidWriteIdList(self.table, rest.high, rest.open, (*rest.aborted[:at], write_id, *rest.aborted[at:]))

    def renamed(self, table: str) -> "ValidWriteIdList":
        """The same ids under another table name."""
        return ValidWriteIdList(table, self.high, self.open, self.aborted)

    def _without_open(self, write_id: int) -> "ValidWriteIdList":
        if write_id not in self.open:
            return self
        at = self.open.index(write_id)
        return ValidWriteIdList(self.table, self.high, self.open[:at] + self.open[at + 1 :], self.aborted)

    def __str__(self) -> str:
        return f"{self.table}:{self.high}:{self.min_open}:{_commas(self.open)}:{_commas(self.aborted)}"

    @property
    def short(self) -> str:
        """The list as the design document writes it: `[12:7,8,12]`."""
        return f"[{self.high}:{_commas(self.invalid)}]"

    def __repr__(self) -> str:
        return f"ValidWriteIdList({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValidWriteIdList) and (
            (self.high, self.invalid, self.aborted, self.table)
            == (other.high, other.invalid, other.aborted, other.table)
        )

    def __hash__(self) -> int:
        return (self.table, self.high, self.invalid).__hash__()


def _reject_disorder(ids: ValidTxnList | ValidWriteIdList, what: str) -> None:
    merged = ids.invalid
    if merged and (merged[-1] > ids.high or merged[0] < 1):
        raise MalformedList(f"{what}: expected exceptions in 1..{ids.high}, got {merged[0]}..{merged[-1]}")
    for part in (ids.open, ids.aborted, merged):
        if list(part) != sorted(frozenset(part)):
            raise MalformedList(f"{what}: expected exceptions ascending and once each, got {_commas(part)}")


def parse_txn_list(text: str) -> ValidTxnList:
    """Read `high:min_open:open:aborted`; the empty text sees everything. Raises `MalformedList`."""
    if not text:
        return ValidTxnList(NONE_OPEN)
    fields = text.split(":")
    if len(fields) > 4:
        raise MalformedList(f"transaction list {text!r}: expected at most 4 fields, got {len(fields)}")
    fields += [""] * (4 - len(fields))
    what = f"transaction list {text!r}"
    min_open = _number(fields[1], what, "the lowest open id") if fields[1] else None
    high = _number(fields[0], what, "a high-water mark")
    parsed = ValidTxnList(high, _ids(fields[2], what), _ids(fields[3], what), min_open)
    _reject_disorder(parsed, what)
    return parsed


@lru_cache(KEPT)
def parse_write_ids(text: str) -> ValidWriteIdList:
    """Read `db.table:high:min_open:open:aborted`; trailing fields may be missing. Raises `MalformedList`.

    A list that is asked with again is not read again: a session sends one text with all its reads of a table.
    """
    fields = text.split(":")
    what = f"write id list {text!r}"
    if not 2 <= len(fields) <= 5 or not fields[0]:
        raise MalformedList(f"{what}: expected db.table:high:min_open:open:aborted, got {len(fields)} fields")
    fields += [""] * (5 - len(fields))
    if "-" in fields[3] + fields[4]:
        raise MalformedList(f"{what}: expected single ids (only transaction lists have ranges), got a range")
    min_open = _number(fields[2], what, "the lowest open id") if fields[2] else None
    high = _number(fields[1], what, "a high-water mark")
    parsed = ValidWriteIdList(fields[0], high, _ids(fields[3], what), _ids(fields[4], what), min_open)
    _reject_disorder(parsed, what)
    return parsed


def short_list(text: str, table: str = "default.t") -> ValidWriteIdList:
    """Read the design document's form `[12:7,8,12]`: all exceptions are open. Raises `MalformedList`."""
    if not (text.startswith("[") and text.endswith("]") and text.count(":") == 1):
        raise MalformedList(f"list {text!r}: expected the form [12:7,8,12], got something else")
    high, exceptions = text[1:-1].split(":")
    what = f"list {text!r}"
    parsed = ValidWriteIdList(table, _number(high, what, "a high-water mark"), _ids(exceptions, what))
    _reject_disorder(parsed, what)
    return parsed


def _number(text: str, what: str, expected: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise MalformedList(f"{what}: expected {expected}, got {text!r}")
    return int(text)


def _ids(text: str, what: str) -> tuple[int, ...]:
    if "-" not in text:
        words = text.split(",") if text else []
        if not "".join(words).isdigit() or not text.isascii() or "" in words:
            return tuple([_number(word, what, "an id") for word in words])
        return tuple(map(int, words))
    ids: list[int] = []
    for word in text.split(","):
        first, dash, last = word.partition("-")
        low = high = _number(first, what, "an id")
        if dash:
            high = _number(last, what, "the end of a range")
        if high < low:
            raise MalformedList(f"{what}: expected a range from low to high, got {word}")
        ids += range(low, high + 1)
    return tuple(ids)


def _commas(ids: Iterable[int]) -> str:
    return ",".join(map(str, ids))


def _ranges(ids: tuple[int, ...]) -> str:
    words: list[str] = []
    at = 0
    while at < len(ids):
        end = at
        while end + 1 < len(ids) and ids[end + 1] == ids[end] + 1:
            end += 1
        if end - at + 1 >= RANGE:
            words.append(f"{ids[at]}-{ids[end]}")
        else:
            words += map(str, ids[at : end + 1])
        at = end + 1
    return ",".join(words)


def committed_as_patched(tag: ValidWriteIdList, write_id: int) -> ValidWriteIdList:
    """The list as the unmerged patch commits an id: it moves the high-water mark first, so that no gap is left, and
    takes the id from the exceptions, but not its place from those that are flagged as aborted.

    Source: hive/3.4, `ValidReaderWriteIdList.commitWriteId` (P51).
    """
    if write_id > tag.high:
        return ValidWriteIdList(tag.table, write_id, tag.open, tag.aborted)
    if write_id not in tag.exceptions:
        return tag
    flags = [tag.is_aborted(other) for other in tag.invalid]
    pairs = list(zip([other for other in tag.invalid if other != write_id], flags, strict=False))
    is_open, aborted = ([other for other, flag in pairs if flag is wanted] for wanted in (False, True))
    return ValidWriteIdList(tag.table, tag.high, is_open, aborted)
