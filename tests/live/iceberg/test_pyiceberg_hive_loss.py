"""Losses of PyIceberg 0.12.0 outside the simulator: its own Hive catalog on a live metastore, files in a folder.

The metastore ends locks that are silent for two seconds; by default it waits for five minutes. A client that is slow is
one that does something else between its lock and its alter.
"""

import time
from collections.abc import Callable
from typing import Any

import pytest
from hive_metastore.ttypes import GetTableRequest
from pyiceberg.catalog.hive import HiveCatalog
from pyiceberg.exceptions import CommitFailedException

from real_backend.hive.metastore import Metastore
from real_backend.hive.processes import remove_folder, temporary_folder
from sim.iceberg.heads import joined
from sim.iceberg.python.calls import SCHEMA, arrow, rows_of
from tests.live.hive.test_locks import HOUSE_KEEPER, TIMEOUT_S, TIMES

pytestmark = pytest.mark.live
NAME = "db.t"


class Translated:
    """The catalog's client of a metastore 4.0.1, which has `get_table_req` in place of the `get_table` it asks for.

    Args: `looked` is called when a table was found.
    """

    def __init__(self, client: Any, looked: Callable[[], None] = lambda: None) -> None:
        self._client, self._looked = client, looked

    def __enter__(self) -> Any:
        opened = self._client.__enter__()

        def get_table(dbname: str, tbl_name: str) -> Any:
            found = opened.get_table_req(GetTableRequest(dbname, tbl_name)).table
            self._looked()
            return found

        opened.get_table = get_table
        return opened

    def __exit__(self, *error: Any) -> None:
        self._client.__exit__(*error)


class Slow(HiveCatalog):
    """It does `meanwhile` when it has its lock, and has written its metadata file."""

    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    @staticmethod
    def _create_hive_client(properties: dict[str, str]) -> Any:
        return Translated(HiveCatalog._create_hive_client(properties))

    def _write_metadata(self, metadata: Any, io: Any, metadata_path: str) -> None:  # type: ignore[override]
        super()._write_metadata(metadata, io, metadata_path)
        self.meanwhile()


class Renamer(HiveCatalog):
    """It does `meanwhile` when it has looked at a table, once."""

    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    def _create_hive_client(self, properties: dict[str, str]) -> Any:  # type: ignore[override]
        return Translated(HiveCatalog._create_hive_client(properties), self._looked)

    def _looked(self) -> None:
        todo, self.meanwhile = self.meanwhile, lambda: None
        todo()


@pytest.fixture(scope="module")
def port(metastores):
    """That of a metastore whose locks end soon."""
    folder = temporary_folder("lakeproof-pyiceberg-")
    metastores.postgres.create_database("pyiceberg", "empty")
    settings = {"metastore.task.threads.always": HOUSE_KEEPER, **TIMES}
    one = Metastore("h1", metastores.postgres, "pyiceberg", folder, cached=False, settings=settings)
    try:
        one.start()
        one.await_health()
        yield one.port
    finally:
        one.stop()
        remove_folder(folder)


@pytest.mark.parametrize("slow", [False, True])
def test_a_commit_that_is_slower_than_its_locks_lease_overwrites_another_ones(port, tmp_path, slow):
    """Both are told that they have committed; in turn both have."""
    catalogs = [Slow("real", uri=f"thrift://127.0.0.1:{port}", warehouse=f"file://{tmp_path}") for _ in range(2)]
    catalogs[0].create_namespace_if_not_exists("db")
    name = f"{NAME}{int(slow)}"
    catalogs[0].create_table(name, SCHEMA, f"file://{tmp_path}/t").append(arrow(((1, "a"),)))
    one, other = (catalog.load_table(name) for catalog in catalogs)

    def meanwhile() -> None:
        time.sleep(4 * TIMEOUT_S)
        other.append(arrow(((3, "y"),)))

    if slow:
        catalogs[0].meanwhile = meanwhile
    one.append(arrow(((2, "x"),)))
    if not slow:
        other.append(arrow(((3, "y"),)))
    content = joined(rows_of(catalogs[1].load_table(name).scan()))
    assert content == ({1: "a", 2: "x"} if slow else {1: "a", 2: "x", 3: "y"})


@pytest.mark.parametrize("beside", [False, True])
def test_a_rename_takes_back_what_was_committed_since_it_looked(port, tmp_path, beside):
    """Both are told that they have done it; a commit before the rename stays."""
    where = {"uri": f"thrift://127.0.0.1:{port}", "warehouse": f"file://{tmp_path}"}
    renamer, writer = Renamer("real", **where), Slow("real", **where)
    writer.create_namespace_if_not_exists("db")
    name, to = f"db.named{int(beside)}", f"db.renamed{int(beside)}"
    table = writer.create_table(name, SCHEMA, f"file://{tmp_path}/t")
    table.append(arrow(((1, "a"),)))

    def meanwhile() -> None:
        table.append(arrow(((2, "x"),)))

    if beside:
        renamer.meanwhile = meanwhile
    else:
        meanwhile()
    renamed = renamer.rename_table(name, to)
    assert joined(rows_of(renamed.scan())) == ({1: "a"} if beside else {1: "a", 2: "x"})
    assert joined(rows_of(table.scan())) == {1: "a", 2: "x"}


@pytest.mark.parametrize("beside", [False, True])
def test_a_commit_puts_a_dropped_table_back_over_the_one_that_has_its_name(port, tmp_path, beside):
    """Drops and registrations take no lock; all three are told of success. In turn the commit is refused."""
    where = {"uri": f"thrift://127.0.0.1:{port}", "warehouse": f"file://{tmp_path}"}
    writer, other = Slow("real", **where), Slow("real", **where)
    writer.create_namespace_if_not_exists("db")
    name, aside = f"db.dropped{int(beside)}", f"db.aside{int(beside)}"
    writer.create_table(name, SCHEMA, f"file://{tmp_path}/t").append(arrow(((1, "a"),)))
    registered = other.create_table(aside, SCHEMA, f"file://{tmp_path}/aside")
    registered.append(arrow(((4, "y"),)))
    table = writer.load_table(name)

    def meanwhile() -> None:
        other.drop_table(name)
        assert joined(rows_of(other.register_table(name, registered.metadata_location).scan())) == {4: "y"}

    if beside:
        writer.meanwhile = meanwhile
        table.append(arrow(((3, "x"),)))
    else:
        meanwhile()
        with pytest.raises((CommitFailedException, ValueError)):
            table.append(arrow(((3, "x"),)))
    content = joined(rows_of(other.load_table(name).scan()))
    assert content == ({1: "a", 3: "x"} if beside else {4: "y"})
