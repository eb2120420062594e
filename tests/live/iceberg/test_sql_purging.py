"""`DROP TABLE ... PURGE` on the real Iceberg, in a session whose catalog caches tables, and in one whose does not."""

import pytest

from real_backend.iceberg.sql import rows_of
from tests.live.iceberg.two_catalogs import two_catalogs

pytestmark = pytest.mark.live
WRITER, CACHING = "writer_purging", "caching_purging"


@pytest.fixture(scope="module")
def world(spark):
    """The session, with one catalog under two names, of which one caches tables, and the folder of its tables."""
    session = spark[0]
    with two_catalogs(session, "purging", on_disk=True) as folder:
        yield session, folder / "db"


def made(session, table, row):
    """A table of one row, which the caching catalog has read."""
    session.sql(f"CREATE TABLE {WRITER}.db.{table} (id INT, v STRING) USING iceberg")
    session.sql(f"INSERT INTO {WRITER}.db.{table} VALUES {row}")
    assert rows_of(session, f"{CACHING}.db.{table}") == (row,)


def moved_aside(session, table, to):
    """The table has another name, and there is a new one of its old name; both have a row."""
    made(session, table, (1, "a"))
    session.sql(f"ALTER TABLE {WRITER}.db.{table} RENAME TO db.{to}")
    session.sql(f"CREATE TABLE {WRITER}.db.{table} (id INT, v STRING) USING iceberg")
    session.sql(f"INSERT INTO {WRITER}.db.{table} VALUES (2, 'b')")
    assert rows_of(session, f"{WRITER}.db.{to}") == ((1, "a"),)


def files(folder, table):
    """The names of the data files that are left in the folder of a table."""
    return [path.name for path in (folder / table / "data").glob("*.parquet")]


def test_a_session_that_caches_purges_the_table_that_had_the_name_before(world):
    """The new one is dropped, with its files left; the files of the old one are deleted, and nobody has dropped it."""
    session, folder = world
    moved_aside(session, "lost", "kept_lost")
    session.sql(f"DROP TABLE {CACHING}.db.lost PURGE")
    with pytest.raises(Exception, match=r"(?i)not.?found|no such file|does not exist"):
        rows_of(session, f"{WRITER}.db.kept_lost")
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        rows_of(session, f"{WRITER}.db.lost")
    assert len(files(folder, "lost")) == 1


def test_a_session_that_loads_the_table_purges_what_it_drops(world):
    """The one that has another name since is whole."""
    session, folder = world
    moved_aside(session, "loaded", "kept_loaded")
    session.sql(f"DROP TABLE {WRITER}.db.loaded PURGE")
    assert rows_of(session, f"{WRITER}.db.kept_loaded") == ((1, "a"),)
    assert len(files(folder, "loaded")) == 1  # the kept one's, which is where it was made


def test_a_purge_leaves_the_files_that_were_committed_since_the_table_was_cached(world):
    """It is told that all is gone."""
    session, folder = world
    for catalog, left in ((CACHING, 1), (WRITER, 0)):
        made(session, f"of_{catalog}", (1, "a"))
        session.sql(f"INSERT INTO {WRITER}.db.of_{catalog} VALUES (2, 'b')")
        session.sql(f"DROP TABLE {catalog}.db.of_{catalog} PURGE")
        assert len(files(folder, f"of_{catalog}")) == left
