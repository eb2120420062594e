"""Drops that leave the files, on a live metastore 4.0.1: rows of upstream's test, and more; and whose files stay."""

import pytest
from hive_metastore import ttypes as wire

from model.hive.soft_deletes import Cleanup
from real_backend.hive.backing import Backing
from real_backend.hive.client import new_database, new_table
from real_backend.hive.lock_calls import USER
from real_backend.hive.names import write_id_list
from tests.live.hive.started import alone
from tests.unit.hive.soft_delete_script import PARTS, SCENARIOS, SoftDeleteScript

pytestmark = pytest.mark.live
_QUEUE = """select "CQ_TABLE", "CQ_PARTITION", "CQ_HIGHEST_WRITE_ID", "CQ_TXN_ID", "CQ_STATE" from "COMPACTION_QUEUE"
    where "CQ_DATABASE" = %s order by "CQ_ID\""""
READY = "ready for cleaning"


class LiveDrops:
    """A metastore, with a database of its own, whose tables have a row in each partition."""

    def __init__(self, calls, backing, database, folder) -> None:
        self.calls = calls
        self.backing = backing
        self.database = database
        self.folder = folder / database
        calls.create_database(new_database(database, f"file:{folder}"))

    def make(self, table, *, managed):
        place = f"file:{self.folder}/{table}"
        made = new_table(f"{self.database}.{table}", place, managed=managed, value="1", partitioned=True)
        made.parameters |= {"soft_delete": "true"} if managed else {}
        self.calls.create_table(made)
        for part in PARTS:
            (self.folder / table / part).mkdir(parents=True, exist_ok=True)
            (self.folder / table / part / "rows").write_text("1")
            sd = wire.StorageDescriptor(**{**vars(made.sd), "location": f"{place}/{part}"})
            self.calls.add_partition(
                wire.Partition(values=[part[2:]], dbName=self.database, tableName=table, sd=sd, parameters={"v": "1"})
            )

    def open(self):
        return self.calls.open_txns(wire.OpenTxnRequest(num_txns=1, **USER)).txn_ids[0]

    def alloc(self, txn, table):
        request = wire.AllocateTableWriteIdsRequest(self.database, table, [txn])
        return self.calls.allocate_table_write_ids(request).txnToWriteIds[0].writeId

    def commit(self, txn):
        self.calls.commit_txn(wire.CommitTxnRequest(txn))

    def drop(self, table, txn):
        said = wire.EnvironmentContext({"txnId": str(txn)}) if txn else None
        self.calls.drop_table_with_environment_context(self.database, table, False, said)

    def purge(self, table):
        self.calls.drop_table(self.database, table, True)

    def drop_partition(self, table, partition, txn, write_id):
        said = wire.EnvironmentContext({"txnId": str(txn), "writeId": str(write_id)})
        value = partition[2:]
        self.calls.drop_partition_with_environment_context(self.database, table, [value], False, said)

    def clone(self, table, old, new, txn, write_id):
        part = self.calls.get_partition(self.database, table, [old[2:]])
        part.values, part.writeId = [new[2:]], write_id
        self.calls.rename_partition_req(
            wire.RenamePartitionRequest(
                catName="hive", dbName=self.database, tableName=table, partVals=[old[2:]], newPart=part, txnId=txn,
                clonePart=True,
            )
        )  # fmt: skip

    def drop_database(self, txn):
        self.calls.drop_database_req(
            wire.DropDatabaseRequest(
                name=self.database, catalogName="hive", ignoreUnknownDb=False, deleteData=True, cascade=True,
                softDelete=True, txnId=txn,
            )
        )  # fmt: skip

    def queue(self):
        rows = self.backing.rows(_QUEUE, self.database)
        shown = self.calls.show_compact(wire.ShowCompactRequest()).compacts
        mine = [(one.tablename, one.partitionname, one.state) for one in shown if one.dbname == self.database]
        assert sorted(mine, key=str) == sorted([(*row[:2], READY) for row in rows], key=str)
        assert all(state == "r" for *_, state in rows)
        return [Cleanup(table, part or "", max(0, high), txn) for table, part, high, txn, _ in rows]

    def partitions(self, table):
        return [f"p={one.values[0]}" for one in self.calls.get_partitions(self.database, table, -1)]

    def writes(self, table):
        name = f"{self.database}.{table}"
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[name])
        return write_id_list(name, self.calls.get_valid_write_ids(asked).tblValidWriteIds[0]).short


def test_upstreams_test_and_more(metastores):
    """Each in a database of its own. Files are gone of the table that was dropped with them, and of nothing else; a
    partition that has got another name has files under both."""
    with alone(metastores, "soft", {}) as metastore, metastore.connect() as calls:
        backing = Backing(metastores.postgres, "soft")
        for place, scenario in enumerate(SCENARIOS):
            live = LiveDrops(calls, backing, f"s{place}", metastore.folder)
            assert SoftDeleteScript(live).told(scenario) == scenario["steps"]
            left = sorted([f"{row.parts[-3]}/{row.parts[-2]}" for row in live.folder.rglob("rows")])
            made = [step.split()[1] for step in scenario["steps"] if step.startswith("make")]
            renamed = [f"{words[1]}/{words[3]}" for step in scenario["steps"] if (words := step.split())[0] == "clone"]
            assert left == sorted([*{f"{table}/{part}" for table in made for part in PARTS}, *renamed])
        backing.close()
