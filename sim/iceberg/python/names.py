"""The scenarios of what PyIceberg's own catalogs do with whole tables beside each other, and beside who commits to one.

Source: `pyiceberg/catalog/sql.py`, `hive.py`, `rest/__init__.py` (`register_table`, `drop_table`, `rename_table`; of a
table that is made, `commit_table`). SQL and REST make, rename and register where there is no table of that name, in one
step; Hive does, too, but a commit there goes by its lock alone, which none of these takes.
"""

from __future__ import annotations

from sim.iceberg.creating import CreateTable, DropTable, RegisterTable, RenameTable
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.python.scenarios import OF_NAMES
from sim.iceberg.statements import Append
from sim.world.scenario import Scenario

BY_NAME = dict.fromkeys(
    ("conflict-detection", "no-spurious-refusal"), "a catalog says by itself what it finds, whoever was there before"
)
GONE = (DropTable(),)
X = Append(((3, "x"),))
NEW, OTHER = CreateTable(((3, "x"),)), RegisterTable(((4, "y"),))


def _made(kind: str, words: str) -> Scenario:
    return race(
        f"{kind}-create-register",
        f"One makes a table while another one registers a metadata file by its name, {words}: one of the two is there.",
        {"w1": [NEW], "w2": [OTHER]}, history=GONE, but=BY_NAME, catalog=kind,
    )  # fmt: skip


def _dropped(kind: str, words: str) -> Scenario:
    return race(
        f"{kind}-drop-append",
        f"A table is dropped beside an append, {words}: what was committed before goes with it, and a late append is"
        " refused, or does not know.",
        {"w1": [X], "w2": [DropTable()]}, but=BY_NAME, catalog=kind,
    )  # fmt: skip


def _registered(kind: str, words: str, broken: str | None = None) -> Scenario:
    return race(
        f"{kind}-register-append",
        f"A table is dropped, and another one registered by its name, beside an append: {words}.",
        {"w1": [X], "w2": [DropTable(), OTHER]}, but=BY_NAME, broken=broken, catalog=kind,
    )  # fmt: skip


IN_SQL, IN_HIVE = "in the SQL catalog", "in the Hive catalog"
NAMED_ANEW: tuple[Scenario, ...] = (
    _made(SQL, IN_SQL),
    _made(REST, "in the REST catalog"),
    _made(HIVE, IN_HIVE),
    _dropped(SQL, IN_SQL),
    _dropped(HIVE, IN_HIVE),
    race(
        "sql-rename-append",
        "A table gets another name in the SQL catalog beside an append: its row is renamed as it is, and a late append"
        " finds none.",
        {"w1": [RenameTable()], "w2": [X]}, but=OF_NAMES, catalog=SQL,
    ),
    _registered(SQL, "the UPDATE of a late one finds no row of its location, and its retry another table"),
    _registered(REST, "a late one is refused, as it asserts the table's id"),
    _registered(
        HIVE, "the alter of a late one puts the dropped table back over the one that has its name",
        "acknowledged-writes-survive",
    ),
)  # fmt: skip
