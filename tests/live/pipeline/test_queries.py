"""Named queries, each asked of a campaign of two scenarios whose answers are known."""

import json

import pyarrow.parquet as pq
import pytest

from real_backend.pipeline.folder import writing
from real_backend.pipeline.queries import QUERIES, ask
from real_backend.pipeline.schema import TABLES, CauseRow, CoverageRow, FailureRow, RunRow, SliceRow, table_of
from real_backend.pipeline.slices import Slice
from real_backend.pipeline.waves import InProcess, run_wave

pytestmark = pytest.mark.live
LOST = CauseRow("durable", "lost", ("update",), ("crash",))
WRITE, READ = [{"key": "row:1", "value": "x"}], [{"key": "row:1", "value": "v", "version": None}]
CONFLICT = [
    {"process": "w1", "type": "invoke", "op": 1, "f": "update"},
    {"process": "w2", "type": "invoke", "op": 2, "f": "update"},
    {"process": "w1", "type": "ok", "op": 1, "f": "update", "writes": WRITE, "commit": 1},
    {"process": "w2", "type": "fail", "op": 2, "f": "update", "writes": WRITE, "error": "Refused: by w1"},
    {"process": "r1", "type": "invoke", "op": 3, "f": "read"},
    {"process": "r1", "type": "ok", "op": 3, "f": "read", "reads": READ, "start": 0},
]
ALONE = [
    {"process": "w1", "type": "invoke", "op": 1, "f": "delete"},
    {"process": "w1", "type": "fail", "op": 1, "f": "delete", "writes": WRITE, "error": "Refused: no reason"},
    {"process": "w2", "type": "invoke", "op": 2, "f": "update"},
    {"process": "w2", "type": "info", "op": 2, "f": "update", "writes": WRITE},
    {"process": "r1", "type": "invoke", "op": 3, "f": "read"},
    {"process": "r1", "type": "ok", "op": 3, "f": "read", "reads": READ, "start": 1},
    {"process": "lineage", "type": "version", "op": 2, "f": "version", "commit": 1},
]


class Given(InProcess):
    """Keeps rows that were made by hand."""

    def __init__(self, **tables) -> None:
        self.tables = tables

    def make(self, staging, slices, done):
        for table, row in TABLES.items():
            (staging / table).mkdir()
            pq.write_table(table_of(row, self.tables.get(table, [])), staging / table / "part-0.parquet")
        return self.tables["slices"]


def history(events):
    """The text of these events."""
    return "".join(json.dumps({"index": at, "time_ms": 0, **event}) + "\n" for at, event in enumerate(events))


def given(seed, events, causes, kinds, failures, coverage):
    """A slice of one scenario of the protocol "p"."""
    of, scenario = Slice("g", "p", "c", (), "shipped", seed, seed + 2), f"p/generated/shipped/{seed}"
    named = of.key, "p", "c"
    rows = {
        "slices": [SliceRow(*named, "shipped", seed, seed + 2, 1, 10, 50, len(causes), 0, 0, 0, causes, kinds, 0.5,
                            "d")],
        "runs": [RunRow(*named, seed, scenario, "w1: Update", 10, 50, 3, len(causes), (), False, 0, 0, "" if causes
                        else "no reader", history(events), 0.5, "d")],
        "failures": [FailureRow._make([*named, seed, scenario, *LOST, at, "", "", ""]) for at in failures],
        "coverage": [CoverageRow(*named, *one) for one in coverage],
    }  # fmt: skip
    return of, rows


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The campaign, in a folder whose name has characters that Spark takes for patterns."""
    path = tmp_path_factory.mktemp("campaigns") / "a b[1]={c}"
    waves = [
        given(0, CONFLICT, (LOST,), ("put, get",), [4], [
            ("counter", "fault crash", 6, 1), ("counter", "p: retry after lost race", 5, 1), ("pair", "put, get", 1, 1),
        ]),
        given(2, ALONE, (), ("get, get", "put, get"), [], [
            ("counter", "fault crash", 2, 1), ("pair", "put, get", 1, 1), ("pair", "get, get", 1, 1),
        ]),
    ]  # fmt: skip
    with writing(path, {"code": "0", "plan": {}}) as folder:
        for one, rows in waves:
            run_wave(folder, Given(**rows), [one])
    return path


FIRST, SECOND = "p/generated/shipped/0", "p/generated/shipped/2"
EXPECTED: dict[str, list[tuple[object, ...]]] = {
    "configurations": [("p", "c", "shipped", 2, 20, 1, 0.5, 0, 0, 2, 1.0, 20)],
    "growth": [("p", 1, 10, 1, 1), ("p", 2, 20, 2, 1)],
    "causes": [("p", "durable", "lost", "update", "crash", 1, 1, FIRST)],
    "longest-search": [("p", "c", "durable", "lost", "crash", 4, FIRST)],
    "rare-pairs": [("p", "get, get", 1, 1), ("p", "put, get", 2, 1)],
    "faults": [("p", "crash", 8, 2, 1)],
    "retries-per-commit": [("p", "c", 5, 20, 0.5, 0.5)],
    "refusals": [
        ("p", "c", "fail", "delete", "Refused", 1), ("p", "c", "fail", "update", "Refused", 1),
        ("p", "c", "info", "update", None, 1),
    ],
    "refusals-without-conflict": [("p", "c", SECOND, "w1", "delete", None, "Refused: no reason")],
    "before-without-between": [("p", "c", SECOND, "w2 update info", None, 3, "r1 read ok", None, 5)],
    "unknown-outcomes": [("p", "c", "update", 1, 1)],
    "stale-reads": [("p", "c", FIRST, "r1", 0, 1)],
    "slowest": [("p", "c", 50.0, 10, 5.0, "w1: Update", name) for name in (FIRST, SECOND)],
    "never-judged": [("p", "c", "no reader", 1, SECOND)],
}  # fmt: skip


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_gives_its_answer(spark, path, name):
    """The rows that follow from the two histories and the counters."""
    query = QUERIES[name]
    assert sorted(map(str, ask(spark[0].spark, path, query.sql, query.parameters).rows)) == sorted(
        map(str, EXPECTED[name])
    )


def test_a_question_of_ones_own_names_columns(spark, path):
    """Any text over the views, with parameters."""
    answer = ask(spark[0].spark, path, "select seed, f from events where type = :type order by seed", {"type": "fail"})
    assert (answer.columns, answer.rows) == (("seed", "f"), ((0, "update"), (2, "delete")))


@pytest.mark.parametrize("text", ["selec 1", "select nothing from runs", "select 1 from nowhere"])
def test_what_spark_does_not_understand_is_one_line(spark, path, text):
    """As a mistake of the user's."""
    with pytest.raises(ValueError, match="SQL: expected what Spark understands, got") as refused:
        ask(spark[0].spark, path, text)
    assert "\n" not in str(refused.value)


def test_a_campaign_without_waves_has_empty_tables(spark, tmp_path):
    """Each query answers with no row."""
    with writing(tmp_path / "c", {"code": "0", "plan": {}}):
        pass
    assert ask(spark[0].spark, tmp_path / "c", "select * from operations").rows == ()
    assert ask(spark[0].spark, tmp_path / "c", QUERIES["causes"].sql).rows == ()
