"""What live caches 4.0.1 make of a database that was to get another name, by the data of the model.

A cache that is filled before there is a database asks the database for them, whatever happens: so the metastores are
started anew when there is one.
"""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import CAPABILITIES, Connection, new_database, new_table
from real_backend.hive.exceptions import translated
from tests.unit.hive.database_script import DROPPED, MADE, PARTITIONED, RENAMED, ROWS, refused

pytestmark = pytest.mark.live


class Client:
    """Calls of one metastore, about the tables of one database."""

    def __init__(self, metastore, database, folder) -> None:
        self.connection = Connection(metastore.port)
        self.database = database
        self._folder = folder

    def call(self, body):
        """Raises: the model's errors."""
        try:
            return body(self.connection.calls)
        except Exception as error:
            raise translated(error) from None

    def table(self, name):
        """As the metastore has it."""
        request = wire.GetTableRequest(dbName=self.database, tblName=name, capabilities=CAPABILITIES)
        return self.call(lambda calls: calls.get_table_req(request).table)

    def make_database(self):
        """It."""
        self.call(lambda calls: calls.create_database(new_database(self.database, str(self._folder))))

    def make(self, name):
        """A table with partitions."""
        made = new_table(f"{self.database}.{name}", f"{self._folder}/{self.database}/{name}", managed=False, value="1",
                         partitioned=True)  # fmt: skip
        self.call(lambda calls: calls.create_table(made))

    def alter(self, name, **changes):
        """The table with another name, or another content."""
        table = self.table(name)
        for key, value in changes.items():
            setattr(table, key, value)
        request = wire.AlterTableRequest(dbName=self.database, tableName=name, table=table)
        self.call(lambda calls: calls.alter_table_req(request))

    def partition(self, value, content="1"):
        """One of the table `t`."""
        return wire.Partition(
            values=[value], dbName=self.database, tableName=PARTITIONED, createTime=0, lastAccessTime=0,
            sd=self.table(PARTITIONED).sd, parameters={"v": content}, catName="hive",
        )  # fmt: skip

    def rename_database(self, to):
        """A request that says something else of the parameters, too: else nothing happens."""
        renamed = wire.Database(name=to, parameters={"asked": to}, catalogName="hive")
        self.call(lambda calls: calls.alter_database(self.database, renamed))

    def changes(self):
        """As `tests.unit.hive.database_script.changes_of`."""
        parts = {value: self.partition(value) for value in ("3", "5")}
        altered = self.partition("1", "9")
        name, t = self.database, PARTITIONED
        return {
            "alter": lambda: self.alter(t, parameters=self.table(t).parameters | {"v": "2"}),
            "rename": lambda: self.alter(RENAMED, tableName="x"),
            "add-partition": lambda: self.call(lambda calls: calls.add_partition(parts["3"])),
            "alter-partition": lambda: self.call(lambda calls: calls.alter_partition(name, t, altered)),
            "rename-partition": lambda: self.call(lambda calls: calls.rename_partition(name, t, ["2"], parts["5"])),
            "drop-partition": lambda: self.call(lambda calls: calls.drop_partition(name, t, ["1"], True)),
            "drop": lambda: self.call(lambda calls: calls.drop_table(name, DROPPED, True)),
            "create": lambda: self.make(MADE),
            "rename-database": lambda: self.rename_database("again"),
        }


def made_ready(replicas, database):
    """A database with tables. Returns: a client of the metastore by which it was made."""
    first = Client(replicas.metastores["h1"], database, replicas.folder)
    first.make_database()
    replicas.settle()  # a refresh that is under way takes what is new out of the cache again
    for name in (PARTITIONED, RENAMED, DROPPED):
        first.make(name)
    for value in ("1", "2"):
        part = first.partition(value)
        first.call(lambda calls, part=part: calls.add_partition(part))
    return first


@pytest.mark.parametrize("mode", ["event", "default"])
def test_what_is_refused(metastores, mode):
    """Each row in a database of its own."""
    replicas = metastores.replicas(timed=mode == "default")
    replicas.make_ready()
    Client(replicas.metastores["h1"], f"first_{mode}", replicas.folder).make_database()
    replicas.restart(*replicas.metastores)
    for place, row in enumerate([row for row in ROWS if row["mode"] == mode]):
        assert asked(replicas, f"renamed{place}", row) == row["refused"], row


def asked(replicas, database, row):
    """What is refused of the changes of a row."""
    replicas.make_ready()
    first = made_ready(replicas, database)
    replicas.settle()
    replicas.close_watermarks()
    first.rename_database(f"shop_{database}")
    if row["when"] == "followed":
        replicas.settle()
    if row["when"] == "restarted":
        replicas.restart(*replicas.metastores)
        replicas.make_ready()
    return refused(Client(replicas.metastores[row["at"]], database, replicas.folder).changes())
