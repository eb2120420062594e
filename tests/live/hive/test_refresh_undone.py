"""CachedStore 4.0.1 in its default mode: a change is in its metastore's cache before it is in the database.

Whoever commits a change holds the row that gives out the log's ids, and who comes next waits for it. Here the test
holds it, until the timer has read the database, which does not have the change yet, and has put the old table back.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
from hive_metastore.ttypes import Database, MetaException

from real_backend.hive.metastore import REFRESHED, Metastore
from real_backend.hive.ports import LOOPBACK
from real_backend.hive.processes import remove_folder, temporary_folder
from real_backend.hive.thrift_gate import ThriftGate
from tests.live.hive.test_refresh import E, alter, create, get, read

pytestmark = pytest.mark.live
INTERVAL_S = 8
"""Between two refreshes: enough for a commit after one of them, on a machine that has a lot to do."""
LONGEST_S = 60.0
WRITERS = ("undone_w1", "undone_w2")
TRIES = 4
"""A refresh may come too early all the same: then nothing is lost, and it is tried again."""


@pytest.fixture(scope="module")
def alone(metastores):
    """A metastore that has the database for itself, and the database's name."""
    folder, database = temporary_folder("lakeproof-undone-"), "undone"
    metastores.postgres.create_database(database, "empty")
    settings = REFRESHED | {"metastore.cached.rawstore.cache.update.frequency": f"{INTERVAL_S}s"}
    one = Metastore("h1", metastores.postgres, database, folder, cached=False, settings=settings)
    try:
        one.start()
        one.await_health()
        with metastores.postgres.connect(database) as connection:
            yield one, connection, folder
    finally:
        one.stop()
        remove_folder(folder)


@contextmanager
def held(database):
    """Hold the row that gives out the log's ids."""
    with database.transaction():
        database.execute('select "NEXT_EVENT_ID" from "NOTIFICATION_SEQUENCE" for update')
        yield


def await_that(is_so):
    """Look until it is so."""
    deadline = time.monotonic() + LONGEST_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def seen(client, table):
    """What a read is told, or None: in the middle of a refresh 4.0.1's cache has a table without its storage
    descriptor, and who reads it then is told of a NullPointerException."""
    try:
        return read(client, table)
    except MetaException as error:
        if "StorageDescriptorWrapper" not in error.message:
            raise
        return None


def stalled(database, change, look):
    """Begin a change that cannot be committed until a refresh has put back what is there now. Returns when it is made.

    Its metastore shows it before that.
    """
    old = look()
    with ThreadPoolExecutor(1) as threads, held(database):
        changing = threads.submit(change)
        await_that(lambda: look() not in (old, None))
        await_that(lambda: look() == old)
    changing.result(LONGEST_S)  # which raises what the change has raised: it was acknowledged


def test_a_refresh_undoes_a_change_that_is_about_to_be_committed(alone):
    """Its readers see the change before it is committed, then the old content; then it is acknowledged, and the next
    reader, and the one who has made it, see the old content."""
    one, database, _ = alone
    with one.connect() as reader, one.connect() as writer:
        create(reader, E, "e0")
        stalled(database, lambda: alter(writer, E, "e1"), lambda: seen(reader, E))
        assert read(writer, E) == ("e0", E)
        await_that(lambda: seen(writer, E) == ("e1", E))


def test_an_acknowledged_iceberg_commit_is_lost_on_one_metastore(alone, spark):
    """The gate stops nothing here: it gives Spark's old client the calls that a metastore 4.0.1 has.

    Two inserts one after the other, both under Iceberg's lock and both acknowledged: the second one begins from the
    table before the first, and finds the same when it looks behind its lock."""
    (one, database, folder), session = alone, spark[0]
    with closing(ThriftGate("h1", lambda: one.port)) as door, one.connect() as calls:
        for writer in WRITERS:
            uri = f"thrift://{LOOPBACK}:{door.port_of(writer)}"
            settings = {"type": "hive", "uri": uri, "warehouse": f"file:{folder}/iceberg", "clients": "1"}
            session.add_catalog(writer, settings | {"cache-enabled": "false"})
        calls.create_database(
            Database(name="ice", description="", locationUri=f"file:{folder}/iceberg/ice.db", parameters={})
        )
        for number in range(TRIES):
            found = lost(session, database, calls, f"ice.t{number}")
            assert found in ([1, 10, 20], [1, 20])
            if found == [1, 20]:
                return
    pytest.fail(f"expected a lost insert in {TRIES} tries, got none")


def lost(session, database, calls, name):
    """The rows of a table of row 1 after inserts of 10, which is held up, and of 20."""
    first, second = (f"{writer}.{name}" for writer in WRITERS)
    namespace, table = name.split(".")

    def location():
        return get(calls, table, namespace).parameters["metadata_location"]

    session.sql(f"create table {first} (id int) using iceberg")
    session.sql(f"insert into {first} values (1)")
    session.sql(f"select * from {second}")  # what takes long the first time has been done
    stalled(database, lambda: session.sql(f"insert into {first} values (10)"), location)
    session.sql(f"insert into {second} values (20)")
    return sorted(row[0] for row in session.sql(f"select id from {second}"))
