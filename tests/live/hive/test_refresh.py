"""CachedStore 4.0.1 in its default mode, on two real metastores: what its timer brings, and what it never does.

Nobody holds the timer: so what is looked at either cannot happen at all, or happens at every refresh from then on.
"""

import time
from contextlib import contextmanager

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import CAPABILITIES, new_database, new_table
from real_backend.hive.metastore import NEVER_REFRESHED, REFRESHED
from tests.live.hive.started import location_of, started

pytestmark = pytest.mark.live
E, U, X = "e", "u", "x"
LONGEST_S = 60.0
UNSHARED, TIMES = "sdWrapper", 5
"""What 4.0.1 says of a descriptor that is let go and not yet taken again, and how often it is asked again at most."""
SELDOM_S = 10
"""Between two refreshes of h2: time for a rename there and a create at h1."""


@contextmanager
def two(metastores, database, *settings):
    """Two metastores with these settings over a database of their own, with one connection to each."""
    metastores.postgres.create_database(database, "empty")
    with over(metastores, database, *settings) as connected:
        yield connected


@contextmanager
def over(metastores, database, *settings):
    """The same over a database that is there."""
    with started(metastores, database, *settings) as (one, other), one.connect() as h1, other.connect() as h2:
        yield h1, h2


def create(calls, name, value):
    """Make an external table of this content."""
    calls.create_table(new_table(f"default.{name}", location_of(calls, f"{name}-{value}"), managed=False, value=value))


def answered(call, request):
    """What a metastore answers, asked again while a refresh that runs beside the call makes it fail.

    `SharedCache` 4.0.1 shares storage descriptors and counts them: `TableWrapper.updateTableObj` lets the old one go
    (`decrSd`) before it takes the new one (`increSd`), and `getSdFromCache` finds none in between.
    """
    for _ in range(TIMES):
        try:
            return call(request)
        except wire.MetaException as error:
            if UNSHARED not in error.message:
                raise
    return call(request)


def get(calls, name, database="default"):
    """The table of this name, as the metastore has it."""
    asked = wire.GetTableRequest(dbName=database, tblName=name, capabilities=CAPABILITIES)
    return answered(calls.get_table_req, asked).table


def read(calls, name):
    """The content under a name, and the name that the answer has; "" if there is no such table."""
    try:
        table = get(calls, name)
    except wire.NoSuchObjectException:
        return "", ""
    return table.parameters["v"], table.tableName


def alter(calls, name, value, to=""):
    """Give a table another content, or another name."""
    table = get(calls, name)
    table.parameters["v"] = value
    table.tableName = to or name
    answered(calls.alter_table_req, wire.AlterTableRequest(dbName="default", tableName=name, table=table))


def await_content(calls, name, content):
    """Wait until a metastore answers with this."""
    deadline = time.monotonic() + LONGEST_S
    while read(calls, name) != content:
        assert time.monotonic() < deadline, (read(calls, name), content)
        time.sleep(0.05)


def renames_to_a_dropped_partition(h1, h2):
    """h2 has made two partitions, and h1 has dropped one of them: who can give its name to the other one."""
    table = new_table(f"default.{U}", location_of(h2, U), managed=False, value="u0", partitioned=True)
    h2.create_table(table)
    one, two = (
        wire.Partition(values=[value], dbName="default", tableName=U, sd=table.sd, parameters={}) for value in "12"
    )
    h2.add_partitions([one, two])
    h1.drop_partition("default", U, ["2"], False)
    told = []
    for name, calls in (("h2", h2), ("h1", h1)):
        try:
            calls.rename_partition("default", U, ["1"], two)
            told.append(f"made by {name}")
        except wire.InvalidOperationException as error:
            told.append(f"refused by {name}: {error.message}")
    return told


def drops_with_its_tables(calls, database):
    """What a metastore says to the drop of a database with one table in it, what it has then, and when it has none."""
    calls.create_database(new_database(database, location_of(calls, "nowhere")))
    calls.create_table(new_table(f"{database}.{E}", location_of(calls, f"{database}/{E}"), managed=False, value="e0"))
    try:
        calls.drop_database(database, False, True)
    except wire.NoSuchObjectException as error:
        told = error.message
    else:
        told = ""
    left = calls.get_all_tables(database) if told else []
    if told:
        calls.drop_table(database, E, False)
        calls.drop_database(database, False, False)
    return told, left


def test_a_refresh_brings_others_changes_and_nothing_else_does(metastores):
    """h2 is behind, whatever is asked of it, until its timer goes off; its own change is there at once. A drop
    of a database with its tables is refused, and drops nothing."""
    with two(metastores, "never", NEVER_REFRESHED, NEVER_REFRESHED) as (h1, h2):
        create(h1, E, "e0")
        assert read(h2, E) == ("e0", E)  # a miss, which is kept
        alter(h1, E, "e1")
        assert (read(h1, E), read(h2, E)) == (("e1", E), ("e0", E))
        alter(h2, E, "e2")
        assert (read(h1, E), read(h2, E)) == (("e1", E), ("e2", E))
        assert drops_with_its_tables(h1, "sales") == ("hive.sales.e table not found", [E])
        assert renames_to_a_dropped_partition(h1, h2) == [
            "refused by h2: Partition already exists:default.u.[2]",
            "made by h1",
        ]
    with two(metastores, "often", REFRESHED, REFRESHED) as (h1, h2):
        create(h1, E, "e0")
        await_content(h2, E, ("e0", E))
        alter(h1, E, "e1")
        await_content(h2, E, ("e1", E))


def test_an_entry_that_a_rename_left_under_two_names_stays_one(metastores):
    """h2 renames e to u and h1 makes a new e, between two refreshes of h2: from then on both names are one table there,
    whichever the database lists last. What h1 does with another table shows when h2 has refreshed."""
    seldom = REFRESHED | {"metastore.cached.rawstore.cache.update.frequency": f"{SELDOM_S}s"}
    with two(metastores, "twins", REFRESHED, seldom) as (h1, h2):
        create(h2, E, "old")
        create(h1, X, "x0")
        assert read(h2, X) == ("x0", X)
        alter(h1, X, "x1")
        await_content(h2, X, ("x1", X))
        alter(h2, E, "old", to=U)
        await_content(h1, E, ("", ""))
        create(h1, E, "new")
        for number in (2, 3):
            alter(h1, X, f"x{number}")
            await_content(h2, X, (f"x{number}", X))
            assert [read(h1, E), read(h1, U)] == [("new", E), ("old", U)]
            assert read(h2, E) == read(h2, U)
