"""Whether a cached entry may answer a request: its tag against the request's list of valid write ids.

Three readings of "fresh or newer". `compare` is upstream's: lexicographic over the
exceptions, then by high-water mark. On two snapshots of one linear history it says the same as inclusion of the
committed ids; on lists that are not prefixes of one history (a session's own write, transactions above the reader's
own) it calls a cache newer that lacks what the reader must see. `superset` asks for inclusion itself.

Source: hive/2; `storage-api/.../hive/common/util/TxnIdUtils.java` at storage-api 2.8.1 and after HIVE-24975.

Choices: lists of two tables are no smaller and no larger than each other here, they are an error; upstream orders them
by name, and so does the rule of the unmerged patch. Whether an id was aborted or is open makes no difference.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import Literal

from model.hive.errors import OtherTable
from model.hive.lists import ValidWriteIdList

ReadRule = Literal["superset", "equivalent", "lexicographic", "lexicographic-names", "none"]
Rule = Callable[[ValidWriteIdList, ValidWriteIdList], bool]


def compare(a: ValidWriteIdList, b: ValidWriteIdList) -> int:
    """1 if `a` is newer, -1 if `b` is, 0 if they are equivalent. Source: `TxnIdUtils.compare` with HIVE-24975."""
    _same_table(a, b)
    ours, theirs = a.invalid, b.invalid
    if ours == theirs:
        return _sign(a.high - b.high)
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other:
            return 1 if mine > other else -1  # the smaller one is an exception in the other list only
    if len(ours) < len(theirs):
        return _shorter(a.high, theirs, len(ours), b.high)
    return -_shorter(b.high, ours, len(theirs), a.high)


def compare_2_8_1(a: ValidWriteIdList, b: ValidWriteIdList) -> int:
    """The same as shipped in storage-api 2.8.1, with one sign wrong where `b` has fewer exceptions. HIVE-24975."""
    result = compare(a, b)
    m = len(b.invalid)
    if len(a.invalid) > m and a.invalid[:m] == b.invalid and b.high != a.invalid[m] - 1:
        return -result
    return result


def _shorter(high: int, longer: tuple[int, ...], m: int, longer_high: int) -> int:
    """The list with `m` exceptions, all of them also the other's first ones, against that other list."""
    before = longer[m] - 1
    if high != before:
        return _sign(high - before)
    gapless = longer[-1] - longer[m] == len(longer) - 1 - m and longer[-1] == longer_high
    return 0 if gapless else -1


def superset(tag: ValidWriteIdList, request: ValidWriteIdList) -> bool:
    """Whether every write that the request sees is one that the tag calls committed."""
    _same_table(tag, request)
    high, ours = request.high, tag.invalid
    if tag.high < high:
        # every id that the tag has not heard of must be an exception of the request
        theirs = request.invalid
        if len(theirs) - bisect_right(theirs, tag.high) != high - tag.high:
            return False
        return tag.exceptions <= request.exceptions
    if ours == request.invalid:
        return True
    known = ours[: bisect_right(ours, high)]
    return request.exceptions.issuperset(known)


def equivalent(tag: ValidWriteIdList, request: ValidWriteIdList) -> bool:
    """Whether nothing was committed between the two. Source: `TxnIdUtils.checkEquivalentWriteIds`."""
    return compare(tag, request) == 0


def lexicographic(tag: ValidWriteIdList, request: ValidWriteIdList) -> bool:
    """Whether upstream's `compare` calls the tag equal or newer: the unmerged HIVE-21637, and Impala's catalogd."""
    return compare(tag, request) >= 0


def lexicographic_names(tag: ValidWriteIdList, request: ValidWriteIdList) -> bool:
    """The same, and of lists of two tables the one whose name comes later is newer. Source: `TxnIdUtils.compare`."""
    ours, theirs = tag.table.lower(), request.table.lower()
    return ours > theirs if ours != theirs else lexicographic(tag, request)


def _always(tag: ValidWriteIdList, request: ValidWriteIdList) -> bool:
    return True


RULES: dict[ReadRule, Rule] = {
    "superset": superset,
    "equivalent": equivalent,
    "lexicographic": lexicographic,
    "lexicographic-names": lexicographic_names,
    "none": _always,  # the shipped CachedStore 4.0: the list of the request is not looked at
}


def _same_table(a: ValidWriteIdList, b: ValidWriteIdList) -> None:
    if a.table != b.table and a.table.lower() != b.table.lower():
        raise OtherTable(f"write id list {b}: expected a list of table {a.table}, got one of {b.table}")


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
