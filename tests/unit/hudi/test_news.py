"""What consumers are told, by vectors; how that is judged; and what stands beside no consumer."""

from dataclasses import replace
from typing import Any

import pytest

from checkers.histories.history import Event, History, Write
from checkers.hudi.news import NEWS_CHECKS
from checkers.verdict import check
from model.hudi import SHIPPED, Cleaner, ClusteringClient, CompactionClient, HudiClient, Written
from model.hudi.errors import ConfigError, HudiError
from model.hudi.keys import BUCKET_INDEX, BUCKETS, INDEX
from model.hudi.names import DELTA_COMMIT
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.consuming import consumer_of, told
from sim.hudi.services import service_of
from sim.hudi.statements import ReadNews
from sim.hudi.table import files_of, make_table
from tests.unit.hudi.news_vectors import (
    GROUPS,
    KEPT,
    NEWS_VECTORS,
    PARTITIONS,
    READS,
    SERVICES,
    TABLES,
    in_short,
    mismatches,
)
from tests.unit.hudi.worlds import Lab


class _Player:
    """A table, its writers, and a consumer."""

    def __init__(self, table: str, rules=SHIPPED) -> None:
        options = TABLES[table]
        self.lab = Lab(options, groups=GROUPS, partitions=PARTITIONS)
        kept = table == KEPT
        config = parse_options(dict(options))
        self.config = replace(config, consumed=True, cleaned=True, archived=kept, restored=kept)
        self.rules = rules
        files_of(self.lab.simulation).files.clear()
        files_of(self.lab.simulation)._folders.clear()
        make_table(self.lab.simulation, self.lab.workload, self.config)
        self.world = self.lab.world("w1")
        consuming = consumer_of(self.lab.simulation, self.world, self.lab.workload, self.config, rules)
        assert consuming is not None
        self.consuming = consuming
        self.writes: dict[str, tuple[HudiClient, int, Written]] = {}

    def __call__(self, who: str, what: str) -> str:
        where, given = self.lab.workload.where, (self.world, self.config, self.rules)
        self.lab.wait(1_000)
        if what:
            client = HudiClient(*given, owner=who)
            instant = client.start_commit(DELTA_COMMIT if self.config.merge_on_read else "commit")
            rows = tuple([(pair[0], pair[2:]) for pair in what.split(",")])
            self.writes[who] = client, instant, client.upsert(rows, instant, where)
        elif who.endswith("."):
            client, instant, written = self.writes.pop(who[:-1])
            client.commit(instant, written)
            client.close()
        elif who == "clean":
            Cleaner(*given, owner=who).clean()
        elif who in SERVICES:
            service, serve = service_of(SERVICES[who], *given, where.names, owner=who, observer=UNOBSERVED)
            serve()
            service.close()
        elif who in ("cluster", "compact"):
            planner = (ClusteringClient if who == "cluster" else CompactionClient)(*given, owner=who)
            instant = planner.schedule(where.names)
            planner.commit(instant, planner.execute(instant))
        else:
            try:
                return in_short(told(self.consuming.read(READS[who])[0]))
            except HudiError as error:
                return type(error).__name__
        return ""


@pytest.mark.parametrize("vector", NEWS_VECTORS, ids=lambda each: each.name)
def test_what_a_consumer_is_told(vector):
    """As the real one is (`tests/live/hudi/test_news.py`)."""
    assert mismatches(vector, _Player(vector.table)) == []


def test_there_are_enough_vectors_and_no_two_have_one_name():
    """Some are upstream's own."""
    assert len({each.name for each in NEWS_VECTORS}) == len(NEWS_VECTORS) >= 20
    assert sum(bool(each.upstream) for each in NEWS_VECTORS) >= 7


def test_a_consumer_beside_buckets_is_refused():
    """They are not modelled."""
    with pytest.raises(ConfigError, match="incrementally"):
        race("refused", "", {"c1": [ReadNews()]}, options=(*OPTIMISTIC, (INDEX, BUCKET_INDEX), (BUCKETS, "1")))


def judged_history(*words: str) -> History:
    """Words are `w1+`, `w1=1A` (row 1 is A, acknowledged), `c1+`, `c1=1A,2B` (was told so; `r1`: of the past;
    `q1=2:1A`: as of version 2)."""
    events: list[Event] = [
        Event(0, 0, "setup", "invoke", 0, "setup", ""),
        Event(1, 1, "setup", "ok", 0, "setup", commit=0, writes=(Write("row:1", "a"), Write("row:2", "b"))),
    ]
    ops, makers = {}, [0]
    for at, word in enumerate(words, 2):
        who = word[:2]
        f = {"c": "read news", "r": "read at", "q": "read as of"}.get(who[0], "upsert")
        if word.endswith("+"):
            ops[who] = at
            events.append(Event(at, at, who, "invoke", at, f, ""))
        elif f == "upsert":
            made: dict[str, Any] = {"commit": len(makers), "writes": (Write(f"row:{word[3]}", word[4]),)}
            events.append(Event(at, at, who, "ok", ops[who], f, **made))
            makers.append(ops[who])
        else:
            version, _, told = word[3:].rpartition(":")
            rows = [f"{each[0]} = {each[1]}" for each in told.split(",") if each]
            start = int(version) if version else None
            events.append(Event(at, at, who, "ok", ops[who], f, ", ".join(rows) or "nothing", start=start))
    for number, op in enumerate(makers if "q1+" in words else ()):
        at = len(events)
        events.append(Event(at, at, "lineage", "version", op, "version", commit=number, snapshot=str(number)))
    return History(events)


COMMITTED = ("w1+", "w1=1A")
JUDGED = {
    "": (*COMMITTED, "c1+", "c1=1A", "c1+", "c1=", "c2+", "c2=1A"),
    "missed-news": (*COMMITTED, "c1+", "c1="),
    "told-twice": (*COMMITTED, "c1+", "c1=1A", "c1+", "c1=1A"),
    "told-again": (*COMMITTED, "c1+", "c1=1A,2b"),
    "dirty-news": (*COMMITTED, "c1+", "c1=1A,2X"),
}


@pytest.mark.parametrize("anomaly", JUDGED)
def test_what_is_told_is_judged(anomaly):
    """Each property is broken by its own anomaly alone."""
    found = check(judged_history(*JUDGED[anomaly]), tuple(NEWS_CHECKS))
    assert [each.anomaly for each in found.violations] == ([anomaly] if anomaly else [])
    assert found.outcome == ("invalid" if anomaly else "valid")


@pytest.mark.parametrize(
    "words",
    [
        ("w1+", "c1+", "w1=1A", "c1="),
        (*COMMITTED, "w2+", "w2=1B", "c1+", "c1=1B"),
        (*COMMITTED, "w2+", "c1+", "w2=1B", "c1=1B"),
    ],
    ids=["not acknowledged before", "written over", "written over meanwhile"],
)
def test_what_need_not_be_told(words):
    """What was not acknowledged before, or is no news any more."""
    assert check(judged_history(*words), ("no-news-missed",)).outcome == "valid"


def test_without_a_consumer_nothing_is_known():
    """Neither kept nor broken."""
    assert check(judged_history(*COMMITTED), tuple(NEWS_CHECKS)).outcome == "unknown"
