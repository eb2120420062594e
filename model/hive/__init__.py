"""Hive's synchronized metastore cache on ports: transactions, write ids, the log, replicas with caches, sessions.

Start at `Replica` (a metastore process over a `Database`) and `Session` (a client). What the design document says, what
4.0 ships and what repairs it are options in `rules`.
"""

from model.hive.comparison import RULES, compare, compare_2_8_1, superset
from model.hive.lists import ValidTxnList, ValidWriteIdList, parse_txn_list, parse_write_ids, short_list
from model.hive.replica import Answer, Replica, Request
from model.hive.rules import DESIGN, FIXED, SHIPPED, Rules
from model.hive.session import Session

__all__ = [
    "DESIGN",
    "FIXED",
    "RULES",
    "SHIPPED",
    "Answer",
    "Replica",
    "Request",
    "Rules",
    "Session",
    "ValidTxnList",
    "ValidWriteIdList",
    "compare",
    "compare_2_8_1",
    "parse_txn_list",
    "parse_write_ids",
    "short_list",
    "superset",
]
