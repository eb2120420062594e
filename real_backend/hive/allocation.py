"""A request for a write id that says whether a known one will do.

Source: `hive_metastore.thrift` 4.0.1. Choices: the bindings lack `reallocate` (field 6), so the request writes itself.
"""

from typing import Any

from hive_metastore import ttypes as wire
from thrift.Thrift import TType


class Allocation(wire.AllocateTableWriteIdsRequest):
    """A request for a write id that says whether a known one will do."""

    def __init__(self, database: str, table: str, txn: int, *, again: bool) -> None:
        super().__init__(database, table, [txn])
        self.again = again

    def write(self, oprot: Any) -> None:
        """Write the fields that are set, and field 6."""
        oprot.writeStructBegin("AllocateTableWriteIdsRequest")
        for number, text in ((1, self.dbName), (2, self.tableName)):
            oprot.writeFieldBegin("", TType.STRING, number)
            oprot.writeString(text)
            oprot.writeFieldEnd()
        oprot.writeFieldBegin("txnIds", TType.LIST, 3)
        oprot.writeListBegin(TType.I64, len(self.txnIds))
        for txn in self.txnIds:
            oprot.writeI64(txn)
        oprot.writeListEnd()
        oprot.writeFieldEnd()
        oprot.writeFieldBegin("reallocate", TType.BOOL, 6)
        oprot.writeBool(self.again)
        oprot.writeFieldEnd()
        oprot.writeFieldStop()
        oprot.writeStructEnd()
