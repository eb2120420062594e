"""The bucket index under optimistic control on the real Hudi 1.2.0: what becomes of a bucket that two begin."""

import pytest

from model.hudi.keys import (
    BUCKET_CONFLICTS,
    CONFLICTS,
    PREFER_WRITER,
    SIMPLE_CONFLICTS,
)
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import STRATEGIES
from tests.live.hudi.agreement import both, both_at_random, found
from tests.live.hudi.begun_buckets import begun_by_two

pytestmark = pytest.mark.live


def _commit(client):
    try:
        client.commit()
    except Exception as error:
        return root_cause(error).split(":", 1)[0]
    finally:
        client.close()
    return "ok"


@pytest.mark.parametrize(
    ("strategy", "second", "later"),
    [
        (None, "HoodieWriteConflictException", "ok"),
        (BUCKET_CONFLICTS, "HoodieWriteConflictException", "ok"),
        (SIMPLE_CONFLICTS, "ok", "HoodieIOException"),
        (PREFER_WRITER, "ok", "HoodieIOException"),
    ],
    ids=["inferred", "bucket", "simple", "prefer-writer"],
)
def test_a_bucket_that_two_have_begun_is_written_to_no_more(spark, tmp_path, strategy, second, later):
    """Nobody is refused where file groups are compared, one key is there twice, and each write to the bucket fails from
    then on; where buckets are, the second one is refused."""
    options = {CONFLICTS: f"{STRATEGIES}.{strategy}"} if strategy else {}
    table, (one, other, third) = begun_by_two(spark, tmp_path, options)
    assert (_commit(one), _commit(other)) == ("ok", second)
    assert table.rows() == ((("1", "A"), *([("1", "B")] if second == "ok" else [])), None)
    third.start()
    if later == "ok":
        third.upsert((("2", "p", "C"),), 2)
        assert _commit(third) == "ok"
    else:
        with pytest.raises(Exception, match="Find multiple files at partition path=p that belong to the same bucket"):
            third.upsert((("2", "p", "C"),), 2)
        third.close()


@pytest.mark.parametrize("name", ["bucket-older-instant", "bucket-prefer-writer"])
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows agree."""
    both(hudi, *found(name))


def test_writers_of_a_new_bucket_agree_at_random(hudi):
    """Orders drawn at random."""
    both_at_random(hudi, "bucket-new-key", 3)


@pytest.mark.parametrize("name", ["bucket-logs-older-instant", "bucket-logs-prefer-writer"])
def test_found_schedule_of_log_files_does_the_same_to_the_real_hudi(hudi, name):
    """The same on a merge-on-read table: a bucket begins with a base file, and goes on in log files."""
    both(hudi, *found(name))


def test_writers_of_a_new_bucket_with_log_files_agree_at_random(hudi):
    """Orders drawn at random."""
    both_at_random(hudi, "bucket-logs-new-key", 3)
