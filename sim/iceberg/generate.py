"""Generated races on one Iceberg table: two to four writers, what they do, what the table is like, what may fail."""

from __future__ import annotations

from model.iceberg import VARIANTS, Rules
from sim.generation.draws import Draws
from sim.generation.generator import Generator, Option, Promise, promised
from sim.iceberg.scenarios import CATALOG_STEPS, CONSISTENT, LOCK_STEPS, STORE, race
from sim.iceberg.workload import Append, Delete, DeleteRow, Insert, Overwrite, Replace, Statement, Update
from sim.world.fault_spaces import CLOCK, LOCKS, METASTORE, REGISTER, wide
from sim.world.scenario import FaultSpace, Scenario

CATALOG = Option("catalog", ("rest", "java-api", "hive-lock", "hive-no-lock"), "Iceberg 1.11.0, CatalogUtil")
MODE = Option("write.delete.mode", ("copy-on-write", "merge-on-read"), "TableProperties.DELETE_MODE")
ISOLATION = Option(
    "write.delete.isolation-level", ("serializable", "snapshot"), "TableProperties.DELETE_ISOLATION_LEVEL"
)
RETRIES = Option("commit.retry.num-retries", ("4", "0", "1", "2"), "TableProperties.COMMIT_NUM_RETRIES")
OPTIONS = (CATALOG, MODE, ISOLATION, RETRIES)
PROMISES = (
    Promise("readable", "Iceberg specification"),
    Promise("table-invariants", "Iceberg specification"),
    Promise("no-aborted-reads", "Iceberg specification"),
    Promise("acknowledged-writes-survive", "Iceberg specification"),
    Promise("no-lost-update", "Iceberg reliability page"),
    Promise("snapshot-isolation", "TableProperties"),
    Promise("conflict-detection", "Iceberg specification"),
    Promise("no-spurious-refusal", "Iceberg specification"),
    Promise("serializable", "TableProperties", lambda s: s[ISOLATION.key] == "serializable", "serializable is set"),
)
SQL, JAVA = ("insert", "delete", "update"), ("append", "overwrite", "replace", "delete-row")
FAULTS = tuple(sorted({kind for port in (REGISTER, STORE) for kinds in port.kinds.values() for kind in kinds}))


def draw(draws: Draws, rules: Rules) -> Scenario:
    """Draw a race. Returns: its scenario, without a name of its own."""
    settings = {option.key: draws.one_of(option.key, option.values) for option in OPTIONS}
    in_sql = settings[CATALOG.key] == "rest" or (settings[CATALOG.key] != "java-api" and draws.flag("in SQL"))
    kinds = draws.some("statements", SQL if in_sql else JAVA)
    rows = tuple([(key, f"v{key}") for key in range(1, draws.number("rows", 1, 3) + 1)])
    history = () if in_sql else tuple(draws.list_of("history", 0, 2, lambda i: Append(((10 + i, f"h{i}"),))))

    def statements(writer: int) -> list[Statement]:
        return draws.list_of("statements", 1, 2, lambda s: _statement(draws, kinds, f"{writer + 1}{s + 1}", len(rows)))

    writers = {f"w{number}": todo for number, todo in enumerate(draws.list_of("writers", 2, 3, statements), 1)}
    faults = _faults(draws, settings)
    return race(
        "generated", _words(writers), writers, rules=rules, properties=promised(PROMISES, settings), rows=rows,
        history=history, mode=settings[MODE.key], isolation=settings[ISOLATION.key], retries=int(settings[RETRIES.key]),
        catalog=settings[CATALOG.key], faults=faults, yield_points=_steps(draws, settings),
    )  # fmt: skip


def _statement(draws: Draws, kinds: tuple[str, ...], number: str, rows: int) -> Statement:
    kind, key, new = draws.one_of("kind", kinds), draws.number("row", 1, rows), (20 + int(number), f"n{number}")
    statements: dict[str, Statement] = {
        "insert": Insert((new,)),
        "delete": Delete(key),
        "update": Update(key, f"u{number}"),
        "append": Append((new,)),
        "overwrite": Overwrite(((key, f"o{number}"),), validate=True),
        "replace": Replace(key, ((key, f"r{number}"),)),
        "delete-row": DeleteRow(key),
    }
    return statements[kind]


def _faults(draws: Draws, settings: dict[str, str]) -> FaultSpace:
    limit = draws.number("faults", 0, 1)
    if not limit:
        return FaultSpace()
    if settings[CATALOG.key].startswith("hive"):
        return wide(METASTORE, LOCKS, STORE, CLOCK, pause_ms=600_000, limit=limit, without=CONSISTENT)
    return wide(REGISTER, STORE, limit=limit, without=CONSISTENT)


def _steps(draws: Draws, settings: dict[str, str]) -> tuple[str, ...] | None:
    if draws.flag("every port call is a step"):
        return None
    return LOCK_STEPS if settings[CATALOG.key].startswith("hive") else CATALOG_STEPS


def _words(writers: dict[str, list[Statement]]) -> str:
    return "; ".join([f"{name}: {', '.join([type(one).__name__ for one in todo])}" for name, todo in writers.items()])


GENERATOR = Generator(
    "iceberg",
    OPTIONS,
    VARIANTS,
    PROMISES,
    draw,
    SQL + JAVA,
    FAULTS,
    ("format 3 and deletion vectors", "partitions", "branches and tags"),
    {"default": {option.key: option.values[0] for option in OPTIONS}},
)
