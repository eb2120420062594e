"""Live metastores of a test's own, over a database of their own."""

from contextlib import contextmanager

from real_backend.hive.metastore import Metastore
from real_backend.hive.processes import remove_folder, temporary_folder


def location_of(calls, name):
    """Where to put a table: in the folder of the metastores, which goes when they end, beside their warehouse."""
    return f"{calls.get_config_value('metastore.warehouse.dir', '')}.beside/{name}"


@contextmanager
def started(metastores, database, *settings):
    """A metastore without our cache with each of these settings, over one database that is there; all end with it."""
    folder = temporary_folder(f"lakeproof-{database}-")
    made = [
        Metastore(f"h{number}", metastores.postgres, database, folder, cached=False, settings=one)
        for number, one in enumerate(settings, 1)
    ]
    try:
        for one in made:
            one.start()
        for one in made:
            one.await_health()
        yield made
    finally:
        for one in made:
            one.stop()
        remove_folder(folder)


@contextmanager
def alone(metastores, database, settings):
    """The same of one metastore over a new database."""
    metastores.postgres.create_database(database, "empty")
    with started(metastores, database, settings) as (one,):
        yield one
