"""Several buckets of a partition on the real Hudi 1.2.0: where keys belong, and races step by step."""

from itertools import islice

import pytest

from model.hudi.keys import BUCKETS, CONFLICTS, PREFER_WRITER
from real_backend.hudi.options import STRATEGIES
from sim.hudi.generate import GENERATOR
from tests.live.hudi.agreement import both_at_random
from tests.live.hudi.begun_buckets import begun_by_two
from tests.live.hudi.test_generated import PLAIN, playable, same
from tests.unit.hudi.bucket_vectors import VECTORS

pytestmark = pytest.mark.live
EACH = 2


def test_keys_belong_to_the_buckets_of_the_vectors(spark):
    """And a name tells its bucket."""
    identifier = spark[0].jvm.java.org.apache.hudi.index.bucket.BucketIdentifier
    for key, buckets, bucket, name in VECTORS:
        assert identifier.getBucketId(key, "id", buckets) == bucket, key
        assert identifier.bucketIdFromFileId(identifier.newBucketFileIdPrefix(bucket)) == bucket
        assert identifier.newBucketFileIdForNBCC(bucket) == f"{name}-0000-0000-0000-000000000000-0"


def test_a_bucket_that_two_have_begun_stops_writes_to_the_whole_partition(spark, tmp_path):
    """Also those to a bucket that nobody else has written to."""
    options = {BUCKETS: "2", CONFLICTS: f"{STRATEGIES}.{PREFER_WRITER}"}
    _, (one, other, third) = begun_by_two(spark, tmp_path, options)
    for client in (one, other):
        client.commit()
        client.close()
    third.start()
    with pytest.raises(Exception, match="Find multiple files at partition path=p that belong to the same bucket"):
        third.upsert((("2", "p", "C"),), 2)
    third.close()


@pytest.mark.parametrize("name", ["two-buckets-begun", "two-buckets-shared", "two-buckets-logs", "two-buckets-events"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, in orders drawn at random."""
    both_at_random(hudi, name, EACH)


@pytest.mark.parametrize("name", ["two-buckets", "two-buckets-logs", "two-buckets-non-blocking"])
def test_generated_races_do_the_same_to_the_real_hudi(hudi, name):
    """Step by step."""
    found = list(islice(playable(GENERATOR.configurations[name], **PLAIN), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        same(hudi, scenario, run)
