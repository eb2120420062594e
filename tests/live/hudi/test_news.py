"""Consumers of the real Hudi 1.2.0, step by step as simulated: what each is told, and what he is not."""

import pytest

from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.consuming import LiveConsumer
from real_backend.hudi.error_names import error_of
from real_backend.hudi.options import table_options, write_options
from real_backend.hudi.statements import serve
from real_backend.hudi.table import LiveTable
from sim.hudi.consuming import told
from tests.live.hudi.agreement import both, both_at_random, found
from tests.unit.hudi.news_vectors import GROUPS, NEWS_VECTORS, PARTITIONS, READS, SERVICES, TABLES, in_short, mismatches

pytestmark = pytest.mark.live
EACH = 3
HOLDING = (
    "news-completion",
    "news-holes",
    "news-holes-blocked",
    "news-clustered",
    "news-overwritten",
    "news-mor",
    "news-metadata",
)
PLACES = {key: name for (_, rows), name in zip(GROUPS, PARTITIONS, strict=True) for key, _ in rows}


class _Player:
    """A table of the real Hudi without a gate, its writers, and a consumer."""

    def __init__(self, spark, folder, table) -> None:
        self.config = parse_options(dict(TABLES[table]))
        self.spark, self.order = spark, 0
        self.writes: dict[str, SplitClient] = {}
        self.table = LiveTable(spark, folder / "t", self.config)
        self.table.create()
        for (_, rows), name in zip(GROUPS, PARTITIONS, strict=True):
            client = self.client(table_options(self.config))
            client.start(self.config.commit_action)
            client.insert(tuple([(str(key), name, value) for key, value in rows]), 0)
            client.commit()
            client.close()
        self.consumer = LiveConsumer(self.table, self.config)

    def client(self, options=None):
        """One more client."""
        return SplitClient(
            self.spark, str(self.table.path), options or write_options(self.config, self.table.path, gated=False)
        )

    def __call__(self, who, what) -> str:
        if what:
            self.order += 1
            client = self.writes[who] = self.client()
            client.start(self.config.commit_action)
            pairs = [pair.split("=") for pair in what.split(",")]
            client.upsert(tuple([(key, PLACES[int(key)], value) for key, value in pairs]), self.order)
        elif who.endswith("."):
            client = self.writes.pop(who[:-1])
            client.commit()
            client.close()
        elif who in READS:
            rows, refused, _ = self.consumer.read(READS[who])
            return error_of(refused).split(":")[0] if refused else in_short(told(rows or ()))
        else:
            self.serve(who)
        return ""

    def serve(self, what):
        """Clean, cluster, compact, or what is served by its word alone."""
        client = self.client()
        if what == "clean":
            client.clean()
        elif what in SERVICES:
            serve(client, SERVICES[what], self.table.timeline())
        elif what == "cluster":
            client.cluster(client.schedule_clustering())
        else:
            client.compact(client.schedule_compaction())
            client.commit_compaction()
        client.close()


@pytest.mark.parametrize("vector", NEWS_VECTORS, ids=lambda each: each.name)
def test_what_a_consumer_is_told(spark, tmp_path, vector):
    """As the model's is."""
    assert mismatches(vector, _Player(spark[0], tmp_path, vector.table)) == []


def test_news_that_are_told_again(hudi):
    """Rows of a commit that he knows, for that was requested between two that have come."""
    live = both(hudi, *found("news-transition-again"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_commit_that_is_completed_late_is_missed(hudi):
    """Who goes by times of transition is told of it by nobody, though all clients were told that all is well."""
    live = both(hudi, *found("news-transition"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    told = [dict(each.rows or ()) for each in live.commands if each.actor == "c1"]
    assert not any("1" in rows for rows in told)


@pytest.mark.parametrize("name", HOLDING)
def test_random_orders_agree(hudi, name):
    """What holds, in orders that nobody chose."""
    both_at_random(hudi, name, EACH)
