"""Which statements a table's history may have, from before a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.iceberg.creating import DropTable
from sim.iceberg.equality import ByEquality
from sim.iceberg.layout import Layout
from sim.iceberg.managing import AppendTo, CreateRef, Stage
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.sql_statements import AlterPartitionField, Delete, Insert, RewriteDataFiles, Update
from sim.iceberg.statements import (
    AddColumn,
    Append,
    Compact,
    DeleteRow,
    Replace,
    ReplacePartitions,
    SetProperty,
    Transaction,
    UpdateSpec,
)

BEFORE: Mapping[bool, tuple[Any, str]] = {
    True: (
        Insert | Delete | Update | RewriteDataFiles | AlterPartitionField | SetProperty | AppendTo | CreateRef | Stage,
        "Insert, Delete, Update, RewriteDataFiles, AlterPartitionField, SetProperty, AppendTo, CreateRef or Stage"
        " before SQL",
    ),
    False: (
        Append | Replace | ReplacePartitions | DeleteRow | ByEquality | Compact | SetProperty | AddColumn | UpdateSpec
        | Layout | ClusterManifests | Transaction | AppendTo | CreateRef | Stage | DropTable,
        "Append, Replace, ReplacePartitions, DeleteRow, DeleteWhere, Upsert, Compact, SetProperty, AddColumn,"
        " UpdateSpec, DropColumn, UnsetProperty, SortBy, MoveTo, SetStatistics, RemoveStatistics, RenameColumn,"
        " WidenColumn, AddTyped, ChangeType, MoveColumn, AddStruct, AddField, ClusterManifests, Transaction, AppendTo,"
        " CreateRef, Stage or, at last, DropTable before the Java API",
    ),
}  # fmt: skip
"""By whether the writers speak SQL; and their names."""
