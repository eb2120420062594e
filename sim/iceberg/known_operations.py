"""Operations beside which a known finding is met, as the failures of generated races name them."""

SQL = ("delete", "insert", "read", "update")
ALL_SQL = (
    *SQL, "compact", "insert overwrite", "merge", "merge missing", "remove orphans", "rewrite manifests",
    "rewrite position deletes", "truncate", "update spec",
)  # fmt: skip
JAVA = (
    "add column", "add field", "add partitions", "add struct", "add typed column", "append", "append given",
    "append manifest", "append once", "change", "change type", "cluster manifests", "compact", "compact with", "copy",
    "delete", "delete and remove", "delete apart", "delete elsewhere", "delete where", "drop column", "import",
    "move", "move column", "overwrite", "overwrite where", "read", "remove", "remove statistics", "remove where",
    "rename column", "replace", "replace manifests", "set", "set and unset", "set statistics", "sort", "transaction",
    "transaction by equality", "transaction with a spec", "unset", "update spec", "upsert", "widen column",
)  # fmt: skip
APPENDS = ("append", "append given", "read", "set", "set and unset", "unset", "upsert")
PYTHON = (
    "add column", "add file", "append", "change", "change what was read", "copy", "create tag", "delete", "expire",
    "overwrite", "overwrite files", "overwrite partitions", "read", "roll back", "set", "tag and roll back",
    "transaction", "update spec", "upgrade", "upsert",
)  # fmt: skip
BY_EQUALITY = ("delete where", "transaction by equality", "upsert")
"""Operations that have an equality delete."""
TRANSACTION = ("transaction", "transaction by equality", "transaction with a spec")
OF_SPECS = ("transaction with a spec", "update spec")
"""After which somebody may write by another spec."""
BLIND = (
    "add column", "add field", "add struct", "append", "append given", "append manifest", "change type",
    "cluster manifests", "import", "move column", "read", "rename column", "set", "set and unset",
    "transaction with a spec", "unset", "update spec", "widen column",
)  # fmt: skip
"""Operations that look for no file: what they write a newer spec cannot have refused."""
REPLACES = ("create or replace table", "replace table")
MAKES = ("create or replace table", "create table", "read")
NAMES = ("rename table", "put table")
DROPS = ("drop table", "drop table and files")
TABLES = (*JAVA, *REPLACES, *NAMES, *DROPS, "create table")
BACK = ("roll back", "roll back to a time", "set current", "replace branch", "fast-forward")
RETAIN = ("set retention",)
EXPIRE = ("expire", "expire by age")
MANAGING = (
    *JAVA, *ALL_SQL, *BACK, "append to branch", "cherry-pick", "create branch", "create tag", "expire", "manage",
    "overwrite to branch", "publish", "remove branch", "remove tag", "rename branch", "replace tag", "stage",
    "expire by age", "set retention",
)  # fmt: skip
SEVERAL = ("add column", "append", "change", "commit together", "copy across", "read")
ANY = tuple(sorted({*ALL_SQL, *JAVA}))
OF_ROWS = (*ANY, "replace partitions")
