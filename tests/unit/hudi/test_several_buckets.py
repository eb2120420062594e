"""Several buckets of a partition: where keys belong, in which order buckets are written, and what is refused."""

from typing import Any

import pytest

from model.hudi import HudiClient, Reader, bucket_index
from model.hudi.errors import BucketTwice, ConfigError
from model.hudi.keys import BUCKETS
from sim.generation.draws import seeded
from sim.hudi.build import race
from sim.hudi.built_in.bucket_logs import LOGGED
from sim.hudi.built_in.buckets import IN_BUCKETS, PREFERRING
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.built_in.several_buckets import FIRST_ALONE, ODD_AND_EVEN, THERE, two
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Cluster, Upsert
from tests.unit.hudi.bucket_vectors import VECTORS
from tests.unit.hudi.worlds import Lab

NAMES = ("two-buckets", "two-buckets-prefer-writer", "two-buckets-logs", "two-buckets-non-blocking")
SEEDS = 20


@pytest.mark.parametrize(("key", "buckets", "bucket", "name"), VECTORS)
def test_a_key_has_the_bucket_of_its_hash(key, buckets, bucket, name):
    """As Hudi's own class says it."""
    assert bucket_index.number_of(key, buckets) == bucket
    assert bucket_index.begun_as(7, bucket) == f"{name}-7"
    assert bucket_index.begun_alike(bucket).partition("-")[0] == name


def _upserted(lab, name, rows):
    client = HudiClient(lab.world(name), lab.config, owner=name)
    instant = client.start_commit(lab.config.commit_action)
    written = client.upsert(rows, instant)
    client.commit(instant, written)
    return [stat.file_id for stat in written.stats]


@pytest.mark.parametrize(
    ("options", "begun"),
    [
        (IN_BUCKETS, "00000000-"),
        (LOGGED, "00000000-"),
        (NON_BLOCKING, "00000000-0000-0000-0000-000000000000-0"),
    ],
    ids=["copy-on-write", "merge-on-read", "non-blocking"],
)
def test_buckets_are_written_in_the_order_of_their_numbers(options, begun):
    """The one that is begun as well, before another one that is there."""
    lab = Lab(two(options), (("00000001-fg2", ((2, "b"),)),), ("p1",))
    first, second = _upserted(lab, "w1", (("2", "A"), ("5", "A")))
    assert first.startswith(begun)
    assert second == "00000001-fg2"
    assert Reader(lab.world("r"), lab.config).read(("p1",)).rows == (("2", ("A",)), ("5", ("A",)))


def test_nobody_writes_to_a_partition_with_a_bucket_that_two_have_begun():
    """The index maps all buckets of the partition, also for a row of another one."""
    lab = Lab(two(PREFERRING), (("00000001-fg2", ((2, "b"),)),), ("p1",))
    clients = [HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2")]
    begun = [(client, client.start_commit()) for client in clients]
    written = [
        (client, instant, client.upsert((("5", value),), instant))
        for (client, instant), value in zip(begun, "AB", strict=True)
    ]
    for client, instant, done in written:
        client.commit(instant, done)
    with pytest.raises(BucketTwice, match="p1: expected one file group of its bucket"):
        _upserted(lab, "w3", (("2", "C"),))


@pytest.mark.parametrize(
    ("writers", "table", "says"),
    [
        (ODD_AND_EVEN, {}, "partitions"),
        (ODD_AND_EVEN, {**THERE, "groups": (("fg1", ((1, "a"),)), ("00000001-fg2", ((2, "b"),)))}, "groups"),
        (ODD_AND_EVEN, {**FIRST_ALONE, "groups": (("00000000-fg1", ((1, "a"), (2, "b"))),)}, "groups"),
        (ODD_AND_EVEN, {**THERE, "groups": (("00000000-a", ((1, "a"),)), ("00000000-b", ((3, "b"),)))}, "groups"),
        ({"w1": [Cluster()]}, THERE, BUCKETS),
        ({"w1": [Upsert(((1, "A"),), tasks=2)]}, THERE, BUCKETS),
    ],
    ids=["no partitions", "another name", "rows of two", "one twice", "clustering", "tasks"],
)
def test_what_cannot_be_is_refused(writers, table, says):
    """One line names what is wrong."""
    with pytest.raises(ConfigError, match=says):
        race("x", "x", writers, options=two(IN_BUCKETS), **table)


def test_nobody_begins_buckets_of_two_partitions_alike():
    """Their file groups would have one name."""
    with pytest.raises(ConfigError, match="elsewhere"):
        race("x", "x", ODD_AND_EVEN, options=two(NON_BLOCKING), elsewhere=((6, "p2"),), **FIRST_ALONE)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_drawn_where_they_are_asked_for(name):
    """Each race has two, with a file group of each that has rows."""
    for seed in range(SEEDS):
        drawn: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS[name]).program
        assert drawn.config.buckets == 2
        for file_id, rows in drawn.workload.groups:
            assert {bucket_index.number_of(str(key), 2) for key, _ in rows} == {int(file_id[:8])}


def test_nobody_draws_them_unasked():
    """A race of one bucket stays what it was."""
    found: list[Any] = [GENERATOR.make(seeded(seed), CONFIGURATIONS["bucket-index"]).program for seed in range(SEEDS)]
    assert {each.config.buckets for each in found} == {1}
