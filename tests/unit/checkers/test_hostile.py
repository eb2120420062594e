"""Histories that nobody should have written: the fast path against the slow one, and both against brute force.

Numbers are drawn from below and above what is possible, versions are claimed twice or by nobody, outcomes are unknown
and read all the same, lineage rows name anybody. Values are unique per key, as the checkers assume.
"""

from itertools import permutations, product

from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from checkers import verdict
from checkers.errors import HistoryError
from checkers.finding import Finding
from checkers.histories.history import Event, History, Read, Write
from checkers.histories.storage import StoredHistory, encode, from_table, to_table
from checkers.large import Large
from checkers.properties import PROPERTIES
from checkers.verdict import check

KEYS = "xy"
SETUP = Event(0, 0, "setup", "ok", 0, "insert", commit=0, writes=(Write("x", "0"), Write("y", "0")))


def _numbers(low, high, *usual):
    return st.sampled_from([*usual] * 6 + list(range(low, high + 1)))


@st.composite
def _operation(draw, number, starts, versions):
    """What the operation `number` saw and wrote; it writes its own number."""
    written = draw(st.lists(st.sampled_from(KEYS), max_size=2, unique=True))
    read = draw(st.lists(st.sampled_from(KEYS), max_size=2, unique=True))
    values = st.sampled_from([value for value in ("0", "0", "1", "2", "3", None, "9") if value != str(number)])
    return {
        "type": draw(st.sampled_from(["ok", "ok", "ok", "ok", "fail", "info", "invoke"])),
        "start": draw(starts),
        "commit": draw(_numbers(-2, 4, number, number)) if written else None,
        "reads": tuple(Read(key, draw(values), draw(versions)) for key in read),
        "writes": tuple(Write(key, str(number)) for key in written),
    }


def _history(operations, lineage=(), setup=(SETUP,)):
    """One operation after the other; version rows as they are given (ordinal, maker)."""
    rows = list(setup)
    for number, operation in enumerate(operations, 1):
        told, known = dict(operation), operation["type"] != "invoke"
        kind, process = told.pop("type"), f"p{number % 2}" if known else f"q{number}"
        rows.append(Event(0, 0, process, "invoke", number, "txn"))
        if known:
            rows.append(Event(0, 0, process, kind, number, "txn", **told))
    rows += [Event(0, 0, "lineage", "version", op, "version", commit=ordinal) for ordinal, op in lineage]
    return History([row._replace(index=index) for index, row in enumerate(rows)])


@st.composite
def _hostile(draw):
    starts = st.one_of(st.none(), _numbers(-1, 5, 0, 1, 2))
    versions = st.one_of(st.none(), st.none(), st.none(), _numbers(-4, 5, 0, 1))
    operations = [draw(_operation(number, starts, versions)) for number in range(1, draw(st.integers(0, 3)) + 1)]
    lineage = list(enumerate(draw(st.lists(st.sampled_from([0, 1, 2, 3, -1]), max_size=4))))
    if draw(st.integers(0, 9)) == 0:
        lineage.reverse()
    setup = draw(st.sampled_from([(SETUP,)] * 8 + [(), (SETUP, SETUP._replace(op=8)), (SETUP._replace(commit=None),)]))
    return _history(operations, lineage, setup)


def _outcome(source, large):
    """The verdict, or what is wrong with the history; `large` lets the columns go first."""
    before, verdict.LARGE_EVENTS = verdict.LARGE_EVENTS, 0 if large else 1_000_000
    try:
        return check(source, ["snapshot-isolation"]).results
    except HistoryError as error:
        return str(error)
    finally:
        verdict.LARGE_EVENTS = before


READER = {"type": "ok", "start": 0, "commit": None, "reads": (Read("x", "0", None),), "writes": ()}


@given(source=_hostile())
@example(source=_history([READER], [(1, 0), (0, 1)]))
@settings(max_examples=600, deadline=None)
def test_the_length_of_a_history_never_changes_its_verdict(source):
    """The columns certify nothing that the operations refuse, doubt or break; a file says what memory says."""
    slow = _outcome(source, large=False)
    assert _outcome(source, large=True) == slow
    event(f"{slow if isinstance(slow, dict) else 'refused'}")
    try:
        stored = from_table(encode(source.events))
    except HistoryError:
        assert isinstance(slow, str)
    else:
        assert _outcome(stored, large=True) == slow or isinstance(slow, str)


@given(source=_hostile())
@settings(max_examples=400, deadline=None)
def test_columns_say_of_every_property_what_operations_say(source):
    """Or nothing: then the operations are asked, and the answer is the same again."""
    try:
        slow = check(source, PROPERTIES)
    except HistoryError:
        return
    known = Large(StoredHistory(to_table(source)), PROPERTIES)
    event("judged as columns" if known.decided else known.reason)
    for name, one in known.decided.items():
        broken = any(isinstance(finding, Finding) for finding in one.findings)
        wanted = "invalid" if broken else "unknown" if one.findings else "valid"
        if name == "no-leaks" and not one.findings:
            continue  # what it is about is told when the verdict is put together
        assert slow.results[name] == wanted, (name, one.findings)


@given(source=_hostile())
@settings(max_examples=200, deadline=None)
def test_no_hostile_history_breaks_a_check(source):
    """Each property has an outcome, and what is unknown has a reason; or the history is refused in one line."""
    try:
        found = check(source, PROPERTIES)
    except HistoryError:
        return
    assert set(found.results) == set(PROPERTIES)
    assert found.reasons or "unknown" not in found.results.values()


@st.composite
def _open(draw):
    """Without lineage rows, and with numbers that can be: what is left are ties, gaps and unknown outcomes."""
    count = draw(st.integers(1, 3))
    operations = [draw(_operation(number, st.none(), st.none())) for number in range(1, count + 1)]
    for operation in operations:
        if operation["writes"]:
            operation["commit"] = draw(st.sampled_from([1, 1, 2, 3, None]))
    assume(sum(bool(each["writes"]) for each in operations) < 3)
    return operations


def _completions(operations):
    """Every order of writers (a list of dicts, version by version) that may be behind what was told."""
    known = [each for each in operations if each["type"] == "ok" and each["writes"]]
    perhaps = [each for each in operations if each["type"] == "info" and each["writes"]]
    claims = [each["commit"] for each in known]
    gaps = max([0, *[claim for claim in claims if claim is not None]]) - len(known)
    strange = [
        tuple(Write(key, value) for key, value in zip(KEYS, values, strict=True) if value != "")
        for values in product(("", "9", None), repeat=2)
    ]
    for chosen in product((False, True), repeat=len(perhaps)):
        made = known + [each for each, taken in zip(perhaps, chosen, strict=True) if taken]
        for unknown in product(strange, repeat=max(0, min(gaps, 1))):
            everyone = made + [{"reads": (), "writes": writes, "commit": None} for writes in unknown]
            yield from (order for order in permutations(everyone) if _in_order(order))


def _in_order(order):
    claims = [each["commit"] for each in order if each.get("type") == "ok" and each["commit"] is not None]
    return claims == sorted(claims)


def _explained(order, readers, serial):
    """Whether some timeline of starts and commits gives everybody what was seen, key by key in this order."""
    everyone = [*order, *readers]
    for timeline in set(permutations([at for at in range(len(everyone)) for _ in (0, 1)])):
        if _plays(timeline, everyone, len(order), serial):
            return True
    return False


def _plays(timeline, everyone, writers, serial):
    state, begun = dict.fromkeys(KEYS, ("0", -1)), {}
    for place, at in enumerate(timeline):
        each = everyone[at]
        if at not in begun:
            if serial and (place + 1 == len(timeline) or timeline[place + 1] != at):
                return False
            begun[at] = dict(state)
            if any(state[key][0] != value for key, value, _ in each["reads"]):
                return False
        elif at < writers:
            for key, value in each["writes"]:
                if state[key] != begun[at][key] or state[key][1] > at:
                    return False
                state[key] = (value, at)
    return True


@given(operations=_open())
@settings(max_examples=250, deadline=None)
@example(operations=[
    {"type": "info", "start": None, "commit": None, "reads": (), "writes": (Write("x", "1"),)},
    {"type": "ok", "start": None, "commit": None, "reads": (Read("x", "1"),), "writes": ()},
])  # fmt: skip
def test_what_is_called_broken_no_completion_explains(operations):
    """And what is called valid brute force explains, there being nothing that is not known."""
    source = _history(operations)
    try:
        results = check(source, ["snapshot-isolation", "serializable"]).results
    except HistoryError:
        event("refused")
        return
    readers = [each for each in operations if each["type"] == "ok" and not each["writes"]]
    for name, serial in (("snapshot-isolation", False), ("serializable", True)):
        event(f"{name} {results[name]}")
        if results[name] != "unknown":
            explained = any(_explained(order, readers, serial) for order in _completions(operations))
            assert explained == (results[name] == "valid"), (name, results[name])
