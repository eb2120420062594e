"""What a user of an Iceberg table sets, and the sets of settings that are looked at by name."""

from __future__ import annotations

from collections.abc import Mapping

from sim.generation.generator import Option, Settings

CLIENT = Option("client", ("spark-sql", "java-api", "pyiceberg"), "Iceberg 1.11.0 with Spark; PyIceberg 0.12.0")
CATALOG = Option("type", ("rest", "hive", "in-memory", "jdbc", "hadoop"), "CatalogUtil.ICEBERG_CATALOG_TYPE")
HIVE_LOCK = Option("engine.hive.lock-enabled", ("true", "false"), "TableProperties.HIVE_LOCK_ENABLED")
MODES, LEVELS = ("copy-on-write", "merge-on-read"), ("serializable", "snapshot")
DELETE_MODE = Option("write.delete.mode", MODES, "TableProperties.DELETE_MODE")
UPDATE_MODE = Option("write.update.mode", MODES, "TableProperties.UPDATE_MODE")
DELETE_LEVEL = Option("write.delete.isolation-level", LEVELS, "TableProperties.DELETE_ISOLATION_LEVEL")
UPDATE_LEVEL = Option("write.update.isolation-level", LEVELS, "TableProperties.UPDATE_ISOLATION_LEVEL")
RETRIES = Option("commit.retry.num-retries", ("4", "0", "1", "2"), "TableProperties.COMMIT_NUM_RETRIES")
WAIT = Option("commit.retry.min-wait-ms", ("100", "0"), "TableProperties.COMMIT_MIN_RETRY_WAIT_MS")
TIMEOUT = Option("commit.retry.total-timeout-ms", ("1800000", "1"), "TableProperties.COMMIT_TOTAL_RETRY_TIME_MS")
FORMAT = Option("format-version", ("2", "3", "1"), "TableProperties.FORMAT_VERSION")
STORE = Option("metastore.rawstore.impl", ("ObjectStore", "CachedStore"), "MetastoreConf.ConfVars.RAW_STORE_IMPL")
EVENTS = Option("metastore.cache.can.use.event", ("false", "true"), "MetastoreConf.METASTORE_CACHE_CAN_USE_EVENT")
METASTORES = Option("metastores", ("1", "2"), "of the Hive catalog's metastores with a cache: how many there are")
REPAIRED = Option(
    "cache repaired", ("no", "compares", "compares, replays no alter"),
    "model.hive.rules: CachedStore passes the expected location on, and replays no alter; shipped by nobody",
)  # fmt: skip
RENAMES = Option(
    "fs.rename", ("refuse", "replace"),
    "of the Hadoop catalog's file system: FileSystem.rename to a name that is taken; HDFS, a local disk",
)  # fmt: skip
CALLS = Option(
    "calls",
    ("usual", "by hand", "of snapshots", "of names", "of specs", "of layout", "of several tables", "of files",
     "incremental", "manifests merged", "of branches", "on other tables", "beside SQL", "manifests appended",
     "of types", "procedures beside Java", "overwrites by filter", "deletes apart",
     "keys busy", "of locks", "on a branch", "compactions in commits", "refused calls", "specs given up",
     "rows alike", "altered beside SQL", "rows of branches"),
    "org.apache.iceberg.Table, ManageSnapshots, catalog.Catalog.renameTable: a caller may contradict himself, too",
)  # fmt: skip
(
    BY_HAND, OF_SNAPSHOTS, OF_NAMES, OF_SPECS, OF_LAYOUT, OF_SEVERAL, OF_FILES, INCREMENTAL, MERGED, OF_BRANCHES,
    OTHER_TABLES, BESIDE_SQL, APPENDED, OF_TYPES, BESIDE_JAVA, OVERWRITES, APART, BUSY, OF_LOCKS, ON_BRANCH,
    IN_COMMITS, REFUSED, GIVEN_UP, ALIKE, ALTERED, OWN_ROWS,
) = CALLS.values[1:]  # fmt: skip
"""What is drawn now and then is in every race where it is set."""
DRAWN_LAST = (APPENDED, OF_TYPES, OVERWRITES, APART, BUSY, OF_LOCKS, REFUSED, GIVEN_UP)
"""Calls of the Java API that are drawn last, where they are asked for, beside whatever else a race has."""
ASKED_IN_SQL = (ON_BRANCH, IN_COMMITS)
"""What is drawn behind all else of Spark SQL, where it is asked for."""
ASKED_ALONE = (OTHER_TABLES, BESIDE_SQL, BESIDE_JAVA, ALIKE, ALTERED, OWN_ROWS, *ASKED_IN_SQL, *DRAWN_LAST)
"""Calls that are drawn only where they are asked for."""
OF_METASTORES = (STORE, EVENTS, METASTORES, REPAIRED)
"""What is set of a Hive catalog's metastores."""
LATE = (*OF_METASTORES, RENAMES, CALLS)
"""What is drawn when the catalog is known."""
OPTIONS = (
    CLIENT, CATALOG, HIVE_LOCK, DELETE_MODE, UPDATE_MODE, DELETE_LEVEL, UPDATE_LEVEL, RETRIES, WAIT, TIMEOUT, FORMAT,
    *LATE,
)  # fmt: skip


def is_cached(settings: Settings) -> bool:
    """Whether the catalog's metastores have caches."""
    return settings[STORE.key] != STORE.values[0]


DEFAULT: Settings = {option.key: option.values[0] for option in OPTIONS}


def _with(**values: str) -> Settings:
    """The default settings but for these. Args: names are those of the constants above."""
    return {**DEFAULT, **{globals()[name].key: value for name, value in values.items()}}


MOR, SNAPSHOT = "merge-on-read", "snapshot"
CACHED_TWICE = {"STORE": "CachedStore", "EVENTS": "true", "METASTORES": "2"}
CONFIGURATIONS: Mapping[str, Settings] = {
    "default": DEFAULT,
    "copy-on-write, snapshot": _with(DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT),
    "merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR),
    "merge-on-read, snapshot": _with(
        DELETE_MODE=MOR, UPDATE_MODE=MOR, DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT
    ),
    "merge-on-read deletes, snapshot": _with(DELETE_MODE=MOR, DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT),
    "merge-on-read updates, snapshot": _with(UPDATE_MODE=MOR, DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT),
    "no retries": _with(RETRIES="0"),
    "merge-on-read, format 3": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, FORMAT="3"),
    "copy-on-write, format 3": _with(FORMAT="3"),
    "Hive catalog": _with(CATALOG="hive"),
    "Hive catalog, no retries": _with(CATALOG="hive", RETRIES="0"),
    "Hive catalog without lock": _with(CATALOG="hive", HIVE_LOCK="false"),
    "Hive catalog without lock, merge-on-read, snapshot": _with(
        CATALOG="hive", HIVE_LOCK="false", DELETE_MODE=MOR, UPDATE_MODE=MOR, DELETE_LEVEL=SNAPSHOT,
        UPDATE_LEVEL=SNAPSHOT,
    ),
    "Hive catalog, a cached metastore": _with(CATALOG="hive", STORE="CachedStore"),
    "Hive catalog, cached metastores": _with(CATALOG="hive", STORE="CachedStore", METASTORES="2"),
    "Hive catalog, a metastore cached by events": _with(CATALOG="hive", STORE="CachedStore", EVENTS="true"),
    "Hive catalog, metastores cached by events": _with(CATALOG="hive", **CACHED_TWICE),
    "Hive catalog, caches that compare": _with(CATALOG="hive", REPAIRED="compares", **CACHED_TWICE),
    "Hive catalog, caches that compare and do not replay": _with(
        CATALOG="hive", REPAIRED="compares, replays no alter", **CACHED_TWICE
    ),
    "Hive catalog without lock, caches that compare": _with(
        CATALOG="hive", HIVE_LOCK="false", REPAIRED="compares", **CACHED_TWICE
    ),
    "Hive catalog without lock, caches that compare and do not replay": _with(
        CATALOG="hive", HIVE_LOCK="false", REPAIRED="compares, replays no alter", **CACHED_TWICE
    ),
    "snapshots managed": _with(CALLS=OF_SNAPSHOTS),
    "in-memory catalog": _with(CATALOG="in-memory"),
    "JDBC catalog": _with(CATALOG="jdbc"),
    "JDBC catalog, merge-on-read, snapshot": _with(
        CATALOG="jdbc", DELETE_MODE=MOR, UPDATE_MODE=MOR, DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT
    ),
    "Java API": _with(CLIENT="java-api", CATALOG="in-memory"),
    "Java API, format 3": _with(CLIENT="java-api", CATALOG="in-memory", FORMAT="3"),
    "Java API, by hand": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=BY_HAND),
    "consumers": _with(CALLS=INCREMENTAL),
    "JDBC catalog, consumers": _with(CATALOG="jdbc", CALLS=INCREMENTAL),
    "Java API, consumers": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=INCREMENTAL),
    "Java API, snapshots managed": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=OF_SNAPSHOTS),
    "Java API, specs changed": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=OF_SPECS),
    "Java API, layout changed": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=OF_LAYOUT),
    "Java API, REST catalog, layout changed": _with(CLIENT="java-api", CALLS=OF_LAYOUT),
    "Java API, Hadoop catalog, layout changed": _with(CLIENT="java-api", CATALOG="hadoop", CALLS=OF_LAYOUT),
    "Java API, REST catalog, several tables": _with(CLIENT="java-api", CALLS=OF_SEVERAL),
    "Java API, JDBC catalog, tables renamed": _with(CLIENT="java-api", CATALOG="jdbc", CALLS=OF_NAMES),
    "Java API, REST catalog, tables renamed": _with(CLIENT="java-api", CALLS=OF_NAMES),
    "Java API, JDBC catalog": _with(CLIENT="java-api", CATALOG="jdbc"),
    "Java API, Hadoop catalog": _with(CLIENT="java-api", CATALOG="hadoop"),
    "Java API, Hadoop catalog, renames replace": _with(CLIENT="java-api", CATALOG="hadoop", RENAMES="replace"),
    "Java API, REST catalog": _with(CLIENT="java-api"),
    "Java API, Hive catalog": _with(CLIENT="java-api", CATALOG="hive"),
    "Java API, Hive catalog without lock": _with(CLIENT="java-api", CATALOG="hive", HIVE_LOCK="false"),
    "PyIceberg": _with(CLIENT="pyiceberg"),
    "PyIceberg, snapshots managed": _with(CLIENT="pyiceberg", CALLS=OF_SNAPSHOTS),
    "PyIceberg, files added": _with(CLIENT="pyiceberg", CALLS=OF_FILES),
    "PyIceberg, branches": _with(CLIENT="pyiceberg", CALLS=OF_BRANCHES),
    "PyIceberg, no retries": _with(CLIENT="pyiceberg", RETRIES="0"),
    "Java API, manifests merged": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=MERGED),
    "Java API, format 3, manifests merged": _with(CLIENT="java-api", CATALOG="in-memory", FORMAT="3", CALLS=MERGED),
    "the Java API beside SQL": _with(CALLS=BESIDE_SQL),
    "the Java API beside SQL, merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, CALLS=BESIDE_SQL),
    "Java API, manifests appended": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=APPENDED),
    "Java API, REST catalog, manifests appended": _with(CLIENT="java-api", CALLS=APPENDED),
    "Java API, types changed": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=OF_TYPES),
    "Java API, REST catalog, types changed": _with(CLIENT="java-api", CALLS=OF_TYPES),
    "Java API, REST catalog, specs changed": _with(CLIENT="java-api", CALLS=OF_SPECS),
    "PyIceberg, other tables": _with(CLIENT="pyiceberg", CALLS=OTHER_TABLES),
    "the Java API beside SQL, format 3": _with(
        DELETE_MODE=MOR, UPDATE_MODE=MOR, FORMAT="3", CALLS=BESIDE_SQL
    ),
    "Java API, overwrites by filter": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=OVERWRITES),
    "Java API, format 3, deletes apart": _with(CLIENT="java-api", CATALOG="in-memory", FORMAT="3", CALLS=APART),
    "keys busy": _with(CALLS=BUSY),
    "Java API, refused calls": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=REFUSED),
    "consumers of rows alike": _with(CALLS=ALIKE),
    "altered beside SQL, merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, CALLS=ALTERED),
    "Java API, specs given up": _with(CLIENT="java-api", CATALOG="in-memory", CALLS=GIVEN_UP),
    "Java API, REST catalog, specs given up": _with(CLIENT="java-api", CALLS=GIVEN_UP),
    "Java API, format 3, refused calls": _with(CLIENT="java-api", CATALOG="in-memory", FORMAT="3", CALLS=REFUSED),
    "Java API, REST catalog, keys busy": _with(CLIENT="java-api", CALLS=BUSY),
    "PyIceberg, rows of branches": _with(CLIENT="pyiceberg", CALLS=OWN_ROWS),
    "PyIceberg, whole tables": _with(CLIENT="pyiceberg", CALLS=OF_NAMES),
    "procedures beside the Java API": _with(CALLS=BESIDE_JAVA),
    "procedures beside the Java API, merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, CALLS=BESIDE_JAVA),
    "Java API, Hive catalog, locks mixed": _with(CLIENT="java-api", CATALOG="hive", CALLS=OF_LOCKS),
    "on a branch": _with(CALLS=ON_BRANCH),
    "on a branch, snapshot": _with(DELETE_LEVEL=SNAPSHOT, UPDATE_LEVEL=SNAPSHOT, CALLS=ON_BRANCH),
    "on a branch, merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, CALLS=ON_BRANCH),
    "compactions in commits": _with(CALLS=IN_COMMITS),
    "compactions in commits, merge-on-read": _with(DELETE_MODE=MOR, UPDATE_MODE=MOR, CALLS=IN_COMMITS),
}  # fmt: skip
