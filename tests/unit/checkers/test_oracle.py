"""The graph checks against brute force: all tiny histories, and a random sample of larger ones.

The oracle knows no graph. Snapshot isolation: some order of starts and commits gives every transaction the reads that
it saw, writes each key in the order of its versions, and lets no two overlapping transactions write one key.
Serializability: the same with every start just before its commit. Sessions: a start follows the commit before it.
"""

from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers.histories.history import Event, History, Read, Write
from checkers.isolation import cycle
from checkers.isolation.certificate import failures, serial_by_commit, stated
from checkers.isolation.graph import SO, build
from checkers.isolation.resolve import Facts
from checkers.verdict import check

# A transaction: for each key, (writer whose version it reads or None, whether it writes). Writer 0 = initial content.
Transaction = tuple[tuple[int | None, bool], ...]


def _history(transactions, sessions=None, starts=None):
    """The versions, also of each key, follow the order of the transactions; who writes nothing makes none."""
    keys = "xy"[: len(transactions[0])]
    writers = [number for number, each in enumerate(transactions, 1) if any(written for _, written in each)]
    version = {writer: made for made, writer in enumerate((0, *writers))}
    events = [Event(0, 0, "setup", "ok", 0, "insert", commit=0, writes=tuple(Write(key, "0") for key in keys))]
    for number, transaction in enumerate(transactions, 1):
        reads = tuple(
            Read(k, str(at), version[at]) for k, (at, _) in zip(keys, transaction, strict=True) if at is not None
        )
        writes = tuple(Write(k, str(number)) for k, (_, written) in zip(keys, transaction, strict=True) if written)
        commit = version.get(number)
        start = sum(writer <= starts[number - 1] for writer in writers) if starts else None
        process = f"p{sessions[number - 1] if sessions else number}"
        events.append(Event(len(events), 0, process, "invoke", number, "txn"))
        events.append(
            Event(len(events), 0, process, "ok", number, "txn", None, start, commit, reads=reads, writes=writes)
        )
    return History(events)


@cache
def _timelines(count, serial):
    """Orders of (transaction, is_commit), each start before its commit."""
    if serial:
        return [tuple((t, end) for t in order for end in (0, 1)) for order in permutations(range(1, count + 1))]
    orders = set(permutations([t for t in range(1, count + 1) for _ in (0, 1)]))
    return [tuple((t, int(t in order[:at])) for at, t in enumerate(order)) for order in sorted(orders)]


def _explains(timeline, transactions, sessions):
    keys = range(len(transactions[0]))
    newest, begun, done = [0 for _ in keys], {}, []
    for number, is_commit in timeline:
        transaction = transactions[number - 1]
        if not is_commit:
            earlier = [t for t in range(1, number) if sessions and sessions[t - 1] == sessions[number - 1]]
            if any(t not in done for t in earlier):
                return False
            if any(transaction[k][0] not in (None, newest[k]) for k in keys):
                return False
            begun[number] = list(newest)
        else:
            for k in keys:
                if transaction[k][1]:
                    if newest[k] != begun[number][k] or newest[k] > number:
                        return False
                    newest[k] = number
            done.append(number)
    return True


def _oracle(transactions, serial, sessions=None):
    return any(_explains(timeline, transactions, sessions) for timeline in _timelines(len(transactions), serial))


def _choices(count, keys, me):
    """What transaction `me` may do: reads of any version but its own, writes or not."""
    one = [(at, written) for at in (None, *[t for t in range(count + 1) if t != me]) for written in (False, True)]
    return product(one, repeat=keys)


def _is_possible(transactions):
    """Reads name versions that exist."""
    return all(
        at in (None, 0) or transactions[at - 1][key][1]
        for transaction in transactions
        for key, (at, _) in enumerate(transaction)
    )


_VERDICTS = {True: "valid", False: "invalid"}


def _touches_nothing(transactions):
    return all(each == (None, False) for transaction in transactions for each in transaction)


def _agree(transactions, sessions=None):
    verdict = check(_history(transactions), ["snapshot-isolation", "serializable"])
    for name, serial in (("snapshot-isolation", False), ("serializable", True)):
        expected = "unknown" if _touches_nothing(transactions) else _VERDICTS[_oracle(transactions, serial)]
        assert verdict.results[name] == expected, (name, transactions)
    return verdict


@pytest.mark.parametrize(("count", "keys"), [(2, 1), (2, 2), (3, 1)])
def test_all_tiny_histories_agree_with_brute_force(count, keys):
    """Complete within its bounds, and both verdicts occur for both levels."""
    seen: dict[tuple[str, str], int] = {}
    for transactions in product(*[_choices(count, keys, me) for me in range(1, count + 1)]):
        if _is_possible(transactions):
            for item in _agree(transactions).results.items():
                seen[item] = seen.get(item, 0) + 1
    assert len(seen) == 6, seen


@pytest.mark.search
def test_all_histories_of_three_transactions_on_two_keys_agree_with_brute_force():
    """Complete but for the names of the keys; all three possible pairs of verdicts occur.

    One key allows 8 + 54 + 108 + 64 = 234 histories (none, one, two or all three write it).
    """
    seen: dict[tuple[str, ...], int] = {}
    for transactions in product(*[list(_choices(3, 2, me)) for me in (1, 2, 3)]):
        mirrored = tuple((second, first) for first, second in transactions)
        if repr(transactions) <= repr(mirrored) and _is_possible(transactions):
            results = tuple(_agree(transactions).results.values())
            seen[results] = seen.get(results, 0) + 1
    nothing = seen.pop(("unknown", "unknown"))
    assert sum(seen.values()) + nothing == (234 * 234 + 234) // 2
    assert nothing == 1
    assert sorted(seen) == [("invalid", "invalid"), ("valid", "invalid"), ("valid", "valid")]


@st.composite
def _larger(draw, count=3, keys=2):
    transactions = [draw(st.sampled_from(list(_choices(count, keys, me)))) for me in range(1, count + 1)]
    for key in range(keys):
        written = [number for number, transaction in enumerate(transactions, 1) if transaction[key][1]]
        for number, transaction in enumerate(transactions, 1):
            at, writes = transaction[key]
            if at is not None and at not in (0, *written):
                changed = list(transaction)
                changed[key] = (draw(st.sampled_from([0, *[w for w in written if w != number]])), writes)
                transactions[number - 1] = tuple(changed)
                transaction = transactions[number - 1]
    return tuple(transactions)


@given(transactions=_larger())
@settings(max_examples=300, deadline=None)
def test_three_transactions_on_two_keys_agree_with_brute_force(transactions):
    """Write skew, read-only anomalies and their kin."""
    _agree(transactions)


@given(transactions=_larger(), sessions=st.tuples(*[st.integers(0, 1)] * 3))
@settings(max_examples=300, deadline=None)
def test_strong_session_levels_agree_with_brute_force(transactions, sessions):
    """With the order of each session's own transactions."""
    source = _history(transactions, sessions)
    names = ("strong-session-snapshot-isolation", "strong-session-serializable")
    results = check(source, names).results
    for name, serial in zip(names, (False, True), strict=True):
        expected = "unknown" if _touches_nothing(transactions) else _VERDICTS[_oracle(transactions, serial, sessions)]
        assert results[name] == expected, name


@given(transactions=_larger(), sessions=st.tuples(*[st.integers(0, 1)] * 3), orders=st.sampled_from([(), (SO,)]))
@settings(max_examples=200, deadline=None)
def test_the_product_graph_and_the_search_by_class_agree(transactions, sessions, orders):
    """Large histories use the first, small ones the second."""
    graph = build(Facts(_history(transactions, sessions)), orders)
    assert bool(cycle.product_core(graph)) == (cycle.cheapest(graph, cycle.SI_FORBIDS) is not None)
    assert bool(cycle.core(graph)) == (cycle.cheapest(graph, cycle.SER_FORBIDS) is not None)


@given(transactions=_larger(), starts=st.tuples(st.just(0), st.integers(0, 1), st.integers(0, 2)))
@settings(max_examples=300, deadline=None)
def test_what_a_certificate_accepts_brute_force_accepts(transactions, starts):
    """Certificates are sound: stated versions prove snapshot isolation, the commit order serializability."""
    facts = Facts(_history(transactions, starts=starts))
    if stated(facts) and not failures(facts):
        assert _oracle(transactions, serial=False)
    if serial_by_commit(facts):
        assert _oracle(transactions, serial=True)


def test_certificates_accept_something():
    """The implication above is not empty: four choices each, the only admissible read being the newest at the start."""
    accepted = 0
    for transactions in product(*[_choices(2, 1, me) for me in (1, 2)]):
        if _is_possible(transactions):
            facts = Facts(_history(transactions, starts=(0, 1)))
            accepted += stated(facts) and not failures(facts)
    assert accepted == 16
