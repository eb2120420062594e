"""A session whose catalog caches the table, on the real Iceberg, after another one has committed: no two at once.

What a MERGE inserts, what `remove_orphan_files` takes for orphans, and which snapshot a branch or a tag is at.
"""

from pathlib import Path

import pytest

from real_backend.iceberg.live_run import sorted_rows
from real_backend.iceberg.sql import make_old, rows_of
from tests.live.iceberg.two_catalogs import two_catalogs

pytestmark = pytest.mark.live
WRITER, CACHING = "writer_orphans", "caching_orphans"


@pytest.fixture(scope="module")
def world(spark):
    """The session, which has a catalog under two names: one caches tables, as Iceberg's do by default."""
    session = spark[0]
    with two_catalogs(session, "orphans") as folder:
        yield session, folder


def made(session, table):
    """A table of one row, which the caching catalog has read; then another catalog inserts a row."""
    session.sql(f"CREATE TABLE {WRITER}.{table} (id INT, v STRING) USING iceberg")
    session.sql(f"INSERT INTO {WRITER}.{table} VALUES (1, 'a')")
    assert rows_of(session, f"{CACHING}.{table}") == ((1, "a"),)
    session.sql(f"INSERT INTO {WRITER}.{table} VALUES (2, 'b')")


def grown_old(folder):
    """Every file is as if it had been written four days ago."""
    make_old([str(path) for path in folder.rglob("*")])


def test_files_that_were_committed_since_the_table_was_cached_are_orphans(world):
    """Four days later the session knows the table still as it was, if it has used it all the time."""
    session, folder = world
    made(session, "db.lost")
    grown_old(folder)
    session.sql(f"CALL {CACHING}.system.remove_orphan_files(table => 'db.lost')")
    with pytest.raises(Exception, match=r"(?i)not.?found|no such file|does not exist"):
        rows_of(session, f"{WRITER}.db.lost")


def test_a_table_that_is_loaded_anew_has_no_orphans(world):
    """REFRESH TABLE, or a catalog that does not cache, and all files stay."""
    session, folder = world
    made(session, "db.kept")
    grown_old(folder)
    session.sql(f"CALL {WRITER}.system.remove_orphan_files(table => 'db.kept')")
    session.sql(f"REFRESH TABLE {CACHING}.db.kept")
    session.sql(f"CALL {CACHING}.system.remove_orphan_files(table => 'db.kept')")
    assert rows_of(session, f"{WRITER}.db.kept") == ((1, "a"), (2, "b"))


def data_files(folder):
    """The names of the table's data files."""
    return {path.name for path in (folder / "db/removed/data").glob("*.parquet")}


def test_a_file_that_was_removed_from_every_snapshot_that_is_left_is_an_orphan(world):
    """An expiry has left it there, as its session did not know the INSERT; a manifest of the UPDATE still names it."""
    session, folder = world
    made(session, "db.removed")
    session.sql(f"UPDATE {WRITER}.db.removed SET v = 'c' WHERE id = 2")
    session.sql(
        f"CALL {CACHING}.system.expire_snapshots("
        "table => 'db.removed', older_than => TIMESTAMP '2099-01-01', retain_last => 1)"
    )
    named = session.sql(f"SELECT data_file.file_path FROM {WRITER}.db.removed.all_entries")
    assert len(data_files(folder)) == 3
    assert {Path(path).name for (path,) in named} == data_files(folder)
    grown_old(folder)
    session.sql(f"CALL {WRITER}.system.remove_orphan_files(table => 'db.removed')")
    assert len(data_files(folder)) == 2
    assert rows_of(session, f"{WRITER}.db.removed") == ((1, "a"), (2, "c"))


MERGE = "MERGE INTO {}.{} t USING (SELECT 2 AS id, 'c' AS v) s ON t.id = s.id"


def test_a_merge_inserts_a_key_that_was_there_before_it_was_sent(world):
    """Serializable isolation, which is the default; a session that loads the table finds the key."""
    session, _ = world
    made(session, "db.merged")
    for catalog in (CACHING, WRITER):
        session.sql(f"{MERGE.format(catalog, 'db.merged')} WHEN NOT MATCHED THEN INSERT *")
        assert rows_of(session, f"{WRITER}.db.merged") == ((1, "a"), (2, "b"), (2, "c"))


def test_a_merge_with_a_when_matched_is_refused(world):
    """Its scan is of the table as it was, and so is what it is validated from."""
    session, _ = world
    made(session, "db.refused")
    merge = f"{MERGE.format(CACHING, 'db.refused')} WHEN MATCHED THEN UPDATE SET v = t.v WHEN NOT MATCHED THEN INSERT *"
    with pytest.raises(Exception, match="conflicting"):
        session.sql(merge)
    assert rows_of(session, f"{WRITER}.db.refused") == ((1, "a"), (2, "b"))


def test_a_branch_is_published_as_it_was_when_the_table_was_cached(world):
    """Main and the branch have a row since, which was acknowledged before the procedure was called; main loses it."""
    session, _ = world
    session.sql(f"CREATE TABLE {WRITER}.db.published (id INT, v STRING) USING iceberg")
    session.sql(f"INSERT INTO {WRITER}.db.published VALUES (1, 'a')")
    session.sql(f"ALTER TABLE {WRITER}.db.published CREATE BRANCH b")
    assert rows_of(session, f"{CACHING}.db.published") == ((1, "a"),)
    session.sql(f"INSERT INTO {WRITER}.db.published VALUES (2, 'b')")
    session.sql(f"CALL {WRITER}.system.fast_forward('db.published', 'b', 'main')")
    publish = "CALL {}.system.set_current_snapshot(table => 'db.published', ref => 'b')"
    session.sql(publish.format(CACHING))
    assert rows_of(session, f"{WRITER}.db.published") == ((1, "a"),)
    session.sql(publish.format(WRITER))
    assert rows_of(session, f"{WRITER}.db.published") == ((1, "a"), (2, "b"))


def test_a_tag_is_made_of_the_table_as_it_was_cached(world):
    """A session that loads the table makes it of main's head."""
    session, _ = world
    made(session, "db.tagged")
    for catalog, rows in ((CACHING, ((1, "a"),)), (WRITER, ((1, "a"), (2, "b")))):
        session.sql(f"ALTER TABLE {catalog}.db.tagged CREATE TAG {catalog}")
        found = session.spark.read.option("tag", catalog).table(f"{WRITER}.db.tagged").collect()
        assert sorted_rows((row.id, row.v) for row in found) == rows
