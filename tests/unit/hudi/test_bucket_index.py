"""The bucket index under optimistic control: who goes where, who conflicts, and what is refused."""

from typing import Any

import pytest

from model.hudi import HudiClient, Reader, parse_options
from model.hudi.errors import BucketTwice, ConfigError, WriteConflict
from model.hudi.keys import (
    BUCKET_CONFLICTS,
    BUCKET_INDEX,
    BUCKETS,
    CONFLICTS,
    INDEX,
    MODE,
    PREFER_WRITER,
    SIMPLE_CONFLICTS,
    SINGLE_WRITER,
)
from model.hudi.names import BaseFile, LogFile, parse_data_file
from sim.generation.draws import PinError, seeded
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.built_in.bucket_logs import LOGGED, LOGGED_PREFERRING
from sim.hudi.built_in.buckets import IN_BUCKETS, PREFERRING
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Insert, Overwrite
from tests.unit.hudi.drawn_last import OF_UPDATES, without
from tests.unit.hudi.worlds import Lab

SEEDS = 80


def _written(options):
    """Two clients that have written a new row to a bucket that is not there, and their lab."""
    lab = Lab(options, partitions=("p0",))
    clients = [HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2")]
    begun = [(client, client.start_commit(lab.config.commit_action)) for client in clients]
    values = zip(begun, "AB", strict=True)
    return lab, [(client, instant, client.upsert((("5", value),), instant)) for (client, instant), value in values]


@pytest.mark.parametrize("options", [IN_BUCKETS, LOGGED], ids=["copy-on-write", "merge-on-read"])
def test_two_that_begin_a_bucket_conflict_under_the_strategy_for_buckets(options):
    """Their file groups have different names, and one number."""
    lab, ((one, first, mine), (other, second, theirs)) = _written(options)
    one.commit(first, mine)
    with pytest.raises(WriteConflict, match="p1/00000000"):
        other.commit(second, theirs)
    assert Reader(lab.world("r"), lab.config).read(("p1",)).rows == (("5", ("A",)),)


@pytest.mark.parametrize("options", [PREFERRING, LOGGED_PREFERRING], ids=["copy-on-write", "merge-on-read"])
def test_under_another_one_both_commit_and_nobody_can_write_then(options):
    """The next one finds two file groups of one bucket."""
    lab, written = _written(options)
    for client, instant, done in written:
        client.commit(instant, done)
    assert Reader(lab.world("r"), lab.config).read(("p1",)).rows == (("5", ("A", "B")),)
    client = HudiClient(lab.world("w3"), lab.config, owner="w3")
    with pytest.raises(BucketTwice, match="p1: expected one file group of its bucket"):
        client.upsert((("6", "C"),), client.start_commit(lab.config.commit_action))


def test_a_new_row_goes_into_the_file_group_of_its_bucket():
    """With what is there, and what was written before is kept."""
    lab = Lab(IN_BUCKETS)
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("5", "A"),), instant)
    client.commit(instant, written)
    assert [stat.file_id for stat in written.stats] == ["fg1"]
    assert written.before == (("5", None),)
    assert Reader(lab.world("r"), lab.config).read().rows == (("1", ("a",)), ("5", ("A",)))


def test_on_a_merge_on_read_table_a_bucket_begins_with_a_base_file_and_goes_on_in_log_files():
    """Whoever comes next appends what it has, and what it has not."""
    lab = Lab(LOGGED, partitions=("p0",))
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    files = []
    for rows in ((("5", "A"),), (("5", "B"), ("6", "C"))):
        instant = client.start_commit(lab.config.commit_action)
        written = client.upsert(rows, instant)
        client.commit(instant, written)
        assert written.before == ()
        files += [parse_data_file(stat.path.partition("/")[2]) for stat in written.stats]
    assert [type(file) for file in files] == [BaseFile, LogFile]
    assert len({file.file_id for file in files if file}) == 1
    assert Reader(lab.world("r"), lab.config).read(("p1",)).rows == (("5", ("B",)), ("6", ("C",)))


def test_the_strategy_is_inferred_unless_one_is_set():
    """As Hudi does it."""
    assert parse_options(dict(IN_BUCKETS)).conflict_strategy == BUCKET_CONFLICTS
    assert parse_options(dict(PREFERRING)).conflict_strategy == PREFER_WRITER
    assert parse_options({**dict(IN_BUCKETS), CONFLICTS: SIMPLE_CONFLICTS}).conflict_strategy == SIMPLE_CONFLICTS
    assert parse_options(dict(OPTIMISTIC)).conflict_strategy == SIMPLE_CONFLICTS


def test_what_is_not_modelled_is_refused():
    """One line names the option."""
    with pytest.raises(ConfigError, match=INDEX):
        parse_options({MODE: SINGLE_WRITER, INDEX: BUCKET_INDEX, BUCKETS: "1"})


@pytest.mark.parametrize("statement", [Insert(((5, "A"),)), Overwrite(((1, "A"),))])
def test_everybody_upserts(statement):
    """An insert would not look for the bucket, and an overwrite begins it anew."""
    with pytest.raises(ConfigError, match=INDEX):
        race("x", "x", {"w1": [statement]}, options=IN_BUCKETS)


def test_they_are_drawn_last_and_where_everybody_upserts():
    """Another seed's race has none of it; a race in buckets has one file group."""
    seen = 0
    for seed in range(SEEDS):
        drawn: Any = GENERATOR.make(seeded(seed)).program
        usual: Any = GENERATOR.make(without(seeded(seed), *OF_UPDATES)).program
        assert not (usual.config.bucketed and usual.config.resolves_conflicts)
        if drawn.config.bucketed and drawn.config.resolves_conflicts:
            seen += 1
            assert len(drawn.workload.groups) == 1
            assert drawn.config.conflict_strategy == BUCKET_CONFLICTS
    assert seen < SEEDS / 10


def test_a_strategy_that_hudi_would_not_infer_is_asked_for_by_name():
    """What is left at its default here is another one in Hudi."""
    settings = {**CONFIGURATIONS["bucket-index"], CONFLICTS: SIMPLE_CONFLICTS}
    refused = set()
    for seed in range(20):
        try:
            GENERATOR.make(seeded(seed), settings)
        except PinError as error:
            refused.add(str(error).partition(":")[0])
    assert refused <= {f"option {CONFLICTS}", f"option {INDEX}"}
    assert f"option {CONFLICTS}" in refused
