"""The checks' jobs say what the checks say in memory, on whatever is drawn; without a JVM."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checkers.errors import HistoryError
from checkers.histories.notation import history
from checkers.histories.storage import to_table
from checkers.verdict import Verdict, check
from real_backend.pipeline.check_exchange import by_history, hashed, joined, pieces, places
from real_backend.pipeline.check_job import PROPERTIES, check_data_set
from real_backend.pipeline.check_splits import ordered, texts
from tests.unit.real_backend.pipeline.drawn import drawn
from tests.unit.real_backend.pipeline.in_process import Context


@pytest.fixture
def judged(tmp_path):
    """Write histories by name as one table, in row groups of a few rows, and judge them."""

    def judge(histories, properties=None, rows=200, small_rows=0):
        named = [to_table(one).append_column("history", pa.array([name] * len(one))) for name, one in histories.items()]
        pq.write_table(pa.concat_tables(named), tmp_path / "h.parquet", row_group_size=rows)
        found = check_data_set(Context(), tmp_path / "h.parquet", properties, small_rows)
        return {one.name.partition("[")[2][:-1]: one.verdict for one in found}

    return judge


@pytest.mark.parametrize(("flaws", "lineage"), [(0.0, True), (0.0, False), (0.05, True), (0.2, True), (0.05, False)])
def test_verdicts_are_those_in_memory(judged, flaws, lineage):
    """Property by property; what is unknown here may be known there, and nothing is valid here that is not there."""
    draw = random.Random(int(flaws * 100) + lineage)
    histories = {str(number): drawn(draw, flaws, lineage) for number in range(150)}
    counts = {"valid": 0, "invalid": 0, "unknown": 0}
    for name, verdict in judged(histories).items():
        one = histories[name]
        try:
            known = check(one, PROPERTIES)
        except HistoryError:
            assert isinstance(verdict, HistoryError) or "valid" not in verdict.results.values(), (name, verdict)
            continue
        assert not isinstance(verdict, HistoryError), (name, verdict)
        for which, outcome in verdict.results.items():
            counts[outcome] += 1
            if outcome != "unknown":
                assert outcome == known.results[which], (name, which, outcome, one.events, verdict, known)
    assert counts["valid"] > 100
    assert (counts["invalid"] > 20) == (flaws > 0)
    assert counts["unknown"] <= (0 if flaws == 0 else counts["valid"])


@pytest.mark.parametrize(
    ("line", "name", "anomaly"),
    [
        ("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2 final:read(x=2)@2", "no-lost-update", "lost-update"),
        ("w1:upd(x=1)@0->1 ; w2:read(x=0)@1", "snapshot-isolation", "stale-read@stated"),
        ("w1:upd(x=1)@0->1 ; w1:read(x=1)@1 ; w1:read(x=0)@0", "monotonic-reads", "non-monotonic-read"),
        ("w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "read-your-writes", "missed-own-write"),
        ("w1:upd(x=1)@0->1!conflict ; w2:read(x=1)@1", "no-aborted-reads", "refused-commit-visible"),
        ("w1:upd(x=1)@0!conflict ; w2:read(x=1)@0", "no-aborted-reads", "aborted-read"),
        ("w1:upd(x=1)@0->1 ; w2:read(x=9)@1", "no-aborted-reads", "thin-air-read"),
        ("w1:upd(x=1)@0->lost ; w2:read(x=0)@0", "acknowledged-writes-survive", "commit-not-in-lineage"),
    ],
)
def test_what_is_broken_is_named_and_told(judged, line, name, anomaly):
    """As in memory, in sentences, from the few rows that show it."""
    (verdict,) = judged({"h": history(line)}).values()
    assert verdict.outcome == "invalid"
    assert (name, anomaly) in [(one.property, one.anomaly) for one in verdict.violations]
    assert all(one.sentences for one in verdict.violations)


def test_one_bad_history_leaves_the_others(judged):
    """It is its own result; its name is in the message."""
    good, bad = history("w1:upd(x=1)@0->1 ; w2:read(x=1)@1"), history("w1:upd(x=1)@0->1")
    spoilt = type(bad)(event._replace(start=9) if event.start == 0 else event for event in bad.events)
    found = judged({"good": good, "bad": spoilt})
    assert found["good"].outcome == "valid"
    assert isinstance(found["bad"], HistoryError)
    assert "h.parquet[bad]: start: expected versions in 0..1, got 9" in str(found["bad"])


def test_what_is_not_judged_here_is_unknown_and_says_so(judged):
    """If it is asked for by name."""
    (verdict,) = judged({"h": history("w1:upd(x=1)@0->1 ; w2:read(x=1)@1")}, ("strong-serializable",)).values()
    assert verdict.results == {"strong-serializable": "unknown"}
    assert "not tried on Spark" in verdict.reasons[0]


def test_an_order_inside_operations_leaves_all_open(judged):
    """A transaction that does not see its own write fits its start all the same."""
    (verdict,) = judged({"h": history("w1:txn(x=1,x:0)@0->1 ; w2:read(x=1)@1")}).values()
    assert verdict.outcome == "unknown"
    assert "inside operations is not looked at" in verdict.reasons[0]


def test_a_file_that_is_no_history_is_refused(tmp_path):
    """Before anything is started."""
    pq.write_table(pa.table({"a": [1]}), tmp_path / "h.parquet")
    with pytest.raises(HistoryError, match="columns: expected one named index, got 0"):
        check_data_set(Context(), tmp_path / "h.parquet")


def test_small_histories_are_judged_whole(judged):
    """For all properties, exactly as in memory; who is none is its own result."""
    draw = random.Random(2)
    histories = {str(number): drawn(draw, 0.2) for number in range(80)}
    for name, verdict in judged(histories, small_rows=1_000).items():
        assert verdict == check(histories[name])


def test_small_and_large_histories_of_one_data_set_are_judged(judged):
    """Those with fewer rows whole."""
    small, large = history("w1:upd(x=1)@0->1 ; w2:read(x=1)@1"), drawn(random.Random(1), 0.0, operations=60)
    found = judged({"small": small, "large": large}, small_rows=len(large))
    assert "causal" in found["small"].results
    assert "causal" not in found["large"].results
    assert {one.outcome for one in found.values()} == {"valid"}


def test_equal_texts_go_to_one_partition_and_different_ones_spread():
    """Whatever else stands in the array, also behind an offset."""
    texts = pa.array(["", "a", "b", "x" * 200, "é", "k17", "k71"])
    assert hashed(texts).tolist() == [hashed(texts.slice(at, 1)).tolist()[0] for at in range(len(texts))]
    many = places(hashed(pa.array([f"k{number}" for number in range(10_000)])), 8)
    counts = [int((many == part).sum()) for part in range(8)]
    assert min(counts) > 1_000, counts


def test_what_is_sent_arrives_narrow_or_not():
    """Numbers of any size, codes of many and of few texts, absent ones, columns of Arrow, in several pieces."""
    random = np.random.default_rng(3)
    rows = [(int(random.integers(-3, top)), f"k{random.integers(0, 9)}" if random.random() < 0.9 else None)
            for top in (100, 70_000, 1 << 40) for _ in range(30)]  # fmt: skip
    vocabulary = pa.array([f"k{number}" for number in range(500)])
    messages: dict[int, list[bytes]] = {}
    for at in range(0, len(rows), 30):
        number = np.array([one for one, _ in rows[at : at + 30]])
        code = pa.array([None if text is None else int(text[1:]) for _, text in rows[at : at + 30]], pa.int32())
        text = pa.DictionaryArray.from_arrays(code, vocabulary.slice(0, 500 if at else 9))
        plain = pa.array([None if one < 0 else [str(one)] for one in number.tolist()])
        columns = {"history": number % 2, "number": number, "text": text, "plain": plain}
        for place, message in pieces(columns, number % 3, first=7):
            messages.setdefault(place, []).append(message)
    assert sorted(messages) == [7, 8, 9]
    sizes = [len(message) for some in messages.values() for message in some]
    assert max(sizes) < 2_500, sizes
    found = []
    for place, some in messages.items():
        for code, table in by_history(joined(some)):
            got = zip(*[table.column(name).to_pylist() for name in ("number", "text", "plain")], strict=True)
            for number, text, plain in got:
                assert (number % 3 + 7, number % 2) == (place, code)
                assert plain == (None if number < 0 else [str(number)])
                found.append((number, text))
    assert sorted(found, key=repr) == sorted(rows, key=repr)


@pytest.mark.parametrize("most", [3, 50_000, 1 << 31, 1 << 40])
def test_rows_are_put_in_order_by_several_columns(most):
    """As a sort by one column after the other does it, equal rows as they were, however large the numbers are."""
    random = np.random.default_rng(most)
    for count in (0, 1, 500):
        columns = [random.integers(-1, top, count) for top in (4, most, most)] + [random.random(count) < 0.5]
        assert ordered(*columns).tolist() == np.lexsort(columns[::-1]).tolist()


def test_a_code_without_a_text_is_no_history():
    """A file may say anything; Arrow looks up whatever is behind its dictionary."""
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int32()), pa.array(["a"]), safe=False)
    with pytest.raises(HistoryError, match="a code that has none"):
        texts(wrong)


@pytest.mark.parametrize("keys", [3, 5_000])
def test_texts_of_files_are_read_however_they_are_stored(judged, tmp_path, keys):
    """As codes, as texts where there are too many, as large texts, under the older names of list entries."""
    events = history(" ; ".join(f"w1:upd(k{'x' * 300}{at % keys}={at})@{at}->{at + 1}" for at in range(5_000)))
    table = to_table(events)
    large = table.set_column(
        table.column_names.index("process"), "process", table.column("process").cast(pa.large_string())
    )
    for number, (one, told) in enumerate([(table, {}), (table, {"use_dictionary": False}), (large, {}),
                                          (table, {"use_compliant_nested_type": False})]):  # fmt: skip
        path = tmp_path / f"{number}.parquet"
        pq.write_table(one, path, row_group_size=4_000, **told)
        (found,) = check_data_set(Context(), path, small_rows=0)
        assert isinstance(found.verdict, Verdict)
        assert (found.verdict.outcome, found.verdict.counters["ww"]) == ("valid", 5_000)
