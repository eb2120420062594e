"""Inference from list-append and rw-register histories: the cases of Elle's own tests, and what stays unknown.

Transactions are in Elle's shorthand: `ax1` appends 1 to x, `rx12` saw [1 2] of a list, `wx1` writes, `rx1` saw 1 of a
register, `rx_` saw nil. A `!` before a transaction: it failed; a `?`: its outcome is unknown.
"""

import random
from itertools import permutations

import pytest

from checkers.errors import HistoryError
from checkers.jepsen.judge import check_trace, trace_of
from checkers.jepsen.rows import transactions
from checkers.properties import STRONGER

LEVELS = ("snapshot-isolation", "serializable", "strong-session-serializable", "strong-serializable")


def rows(*txns, apart=True):
    """The maps of a history: each transaction is over before the next, or all overlap; each of a process of its own."""
    maps: list[dict[str, object]] = []
    ends: list[dict[str, object]] = []
    for number, text in enumerate(txns):
        kind = {"!": "fail", "?": "info"}.get(text[0], "ok")
        mops = [_mop(word, "w" in "".join(txns)) for word in text.lstrip("!?").split()]
        row = {"process": number, "value": mops}
        maps.append({**row, "type": "invoke"})
        (maps if apart else ends).append({**row, "type": kind})
    return [*maps, *ends]


def _mop(word, register):
    kind, key, seen = {"a": "append", "w": "w", "r": "r"}[word[0]], word[1], word[2:]
    if kind != "r":
        return [kind, key, int(seen)]
    if seen in ("", "_"):
        return [kind, key, None]
    return [kind, key, int(seen) if register else [int(digit) for digit in seen]]


def trace(*txns, apart=True):
    """What is inferred of transactions in shorthand."""
    found = transactions(enumerate(rows(*txns, apart=apart), 1))
    for number, txn in enumerate(found, 1):
        txn.number = number
    return trace_of(found)


def judged(*txns, apart=True, properties=None):
    """The verdict on transactions in shorthand."""
    return check_trace(trace(*txns, apart=apart), properties)[0]


def anomalies(verdict):
    """What was found, by property."""
    return {violation.property: violation.anomaly for violation in verdict.violations}


@pytest.mark.parametrize(
    ("txns", "name", "anomaly"),
    [
        (("ax1 ay1", "ax2 ay2", "rx12 ry21"), "version-order", "G0"),
        (("ax1 ax3", "ax2", "rx123"), "version-order", "G0"),
        (("!ax1", "rx1"), "no-aborted-reads", "aborted-read"),
        (("!ax1", "ax2", "rx12"), "no-aborted-reads", "aborted-read"),
        (("rx7",), "no-aborted-reads", "thin-air-read"),
        (("rx1", "ax1 ax2", "rx12"), "no-aborted-reads", "intermediate-read"),
        (("ax1 ax2", "ax3", "rx13"), "no-aborted-reads", "intermediate-read"),
        (("ax1 ry1", "ax2 ay1", "rx12"), "snapshot-isolation", "G1c"),
        (("rx ry1", "ax1 ay1"), "snapshot-isolation", "G-single"),
        (("rx ay1", "ry ax1"), "serializable", "G2-item"),
        (("rx rx2",), "internal", "unrepeatable-read"),
        (("rx12 ax3 rx12",), "internal", "internal"),
        (("rx12 ax3 rx1234",), "internal", "internal"),
        (("ax3 rx1234",), "internal", "internal"),
        (("ax6 rx",), "internal", "internal"),
        (("rx012 ax1", "ax0"), "internal", "future-read"),
        (("ax1", "ax2", "ax3", "rx13", "rx12"), "version-order", "incompatible-order"),
        (("ax1", "rx11"), "version-order", "duplicate-elements"),
        (("ax1", "rx1 ax2", "rx1 ax3", "rx123"), "no-lost-update", "lost-update"),
        (("!wx1", "rx1"), "no-aborted-reads", "aborted-read"),
        (("wx1 wx2", "rx1"), "no-aborted-reads", "intermediate-read"),
        (("wx1", "rx1 wx2", "rx1 wx3"), "no-lost-update", "lost-update"),
        (("rx_ wy1", "ry_ wx1"), "serializable", "G2-item"),
        (("wx1 ry1", "wy1 rx1"), "snapshot-isolation", "G1c"),
        (("wx1 rx2",), "internal", "internal"),
        (("wx1", "rx_ rx1"), "internal", "unrepeatable-read"),
        (("ax1 ay1", "rx1 ry"), "read-atomic", "fractured-read"),
        (("ax1", "rx1 ay1", "ry1 rx"), "causal", "causality-violation"),
        (("wx1", "wy1", "rx1 ry_", "rx_ ry1"), "no-long-fork", "long-fork"),
        (("rx1 wx1",), "internal", "future-read"),
    ],
)
def test_anomalies_are_found_by_their_names(txns, name, anomaly):
    """Those of Elle's tests, of lists and of registers."""
    verdict = judged(*txns, apart=False)
    assert anomalies(verdict).get(name, "") == anomaly, anomalies(verdict)
    if anomaly:
        assert verdict.outcome == "invalid"
        assert verdict.results[name] == "invalid"
        assert "valid" not in [verdict.results[level] for level in LEVELS[-1:] if level in verdict.results]


@pytest.mark.parametrize(
    "txns",
    [
        ("ax1 ry", "rx1 ax2 ax3 rx123", "!ay7", "rx123 ry"),
        ("ax1 rx1 ax2",),
        ("ax1", "ax2", "?ax3", "rx12"),
        ("?ax1", "rx1 ax2", "rx12"),
        ("wx1 rx1", "rx1 wx2", "rx2 ry_"),
        ("?wx1", "rx1"),
        ("ax1", "ax2", "ax3"),
    ],
)
def test_serial_executions_hold_at_every_level(txns):
    """Also if a transaction reads what it has just written, and if an outcome is not known."""
    verdict = judged(*txns)
    assert verdict.outcome == "valid", (verdict.results, verdict.reasons)
    assert set(verdict.results.values()) == {"valid"}


def test_a_finding_of_the_reader_breaks_every_level():
    """Whatever the graph of the rest says; the property is named first."""
    verdict = judged("ax1", "rx11", properties=("version-order", *LEVELS))
    assert set(verdict.results.values()) == {"invalid"}
    assert verdict.violations[0].property == "version-order"
    assert verdict.violations[0].sentences


def test_values_without_an_order_are_tried_in_all_orders():
    """Two blind writes and two readers who disagree: no order explains both; with one reader one does."""
    assert judged("wx1", "wx2", "rx1 ry_", "rx2 ry_", apart=False).outcome == "valid"
    verdict = judged("wx1", "wx2", "rx2 wy1", "ry1 rx1 wy2", "ry2 rx2", apart=False)
    assert verdict.results["serializable"] == "invalid"


def test_too_many_orders_are_unknown_and_never_guessed(monkeypatch):
    """Nothing that all orders have in common is broken, and the order that is tried first breaks the level."""
    monkeypatch.setattr("checkers.jepsen.judge.MAX_ORDERS", 1)
    verdict = judged("wx1", "wx2", "rx2 wy1", "ry1 rx1 wy2", "ry2 rx2", apart=False)
    assert verdict.results["serializable"] == "unknown"
    assert verdict.outcome == "unknown"
    assert "nobody saw in which order" in verdict.reasons[-1]


@pytest.mark.parametrize("txns", [("ax1", "ax1"), ("wx1", "wx1"), ("ax1", "wx1")])
def test_histories_that_cannot_be_traced_are_refused(txns):
    """Values that are not unique, and both workloads in one."""
    with pytest.raises(HistoryError, match="expected"):
        trace(*txns)


def _serial(txns, register, in_order):
    """Whether some order of the transactions, or their own one, explains all reads."""
    places = tuple(range(len(txns)))
    for order in [places] if in_order else permutations(places):
        state: dict[str, str] = {}
        if all(_plays(state, word, register) for at in order for word in txns[at].split()):
            return True
    return False


def _plays(state, word, register):
    kind, key, seen = word[0], word[1], word[2:].strip("_")
    if kind == "r":
        return state.get(key, "") == seen
    state[key] = seen if register else state.get(key, "") + seen
    return True


def _drawn(draw, register):
    """Transactions that read what some interleaving might have shown; now and then anything."""
    state = {"x": [""], "y": [""]}
    txns: list[str] = []
    for _ in range(draw.randint(2, 4)):
        words = []
        for key in draw.sample("xyx", draw.randint(1, 3)):
            if draw.random() < 0.5:
                seen = draw.choice(state[key][-3:])
                words.append(f"r{key}{seen or '_'}")
            else:
                value = str(sum(len(values) for values in state.values()))
                words.append(f"{'w' if register else 'a'}{key}{value}")
                state[key].append(value if register else state[key][-1] + value)
        txns.append(" ".join(words))
    return txns


@pytest.mark.parametrize("register", [False, True])
def test_who_breaks_a_property_breaks_the_stronger_ones(register):
    """Whatever is inferred, and in whichever order; nothing is valid above what is broken."""
    draw = random.Random(5)
    broken = 0
    for _ in range(150):
        results = judged(*_drawn(draw, register), apart=draw.random() < 0.5).results
        for name, above in STRONGER.items():
            if results.get(name) == "invalid":
                broken += 1
                assert {results.get(one, "invalid") for one in above} <= {"invalid"}, (name, results)
    assert broken > 100


@pytest.mark.parametrize("register", [False, True])
def test_serializability_is_as_trying_all_serial_executions_says(register):
    """Alone, and in real time; never the other verdict, and not unknown where there are so few orders."""
    draw = random.Random(7)
    counts = {"valid": 0, "invalid": 0}
    for _ in range(400):
        txns = _drawn(draw, register)
        if not any(word[0] in "aw" for txn in txns for word in txn.split()):
            continue
        apart = draw.random() < 0.5
        verdict = judged(*txns, apart=apart, properties=("serializable", "strong-serializable"))
        for name in verdict.results:
            ordered = apart and name == "strong-serializable"
            expected = "valid" if _serial(txns, register, ordered) else "invalid"
            got = verdict.results[name]
            assert got == expected, (name, apart, txns, verdict)
            counts[got] += 1
    assert min(counts.values()) > 50, counts
