"""The simulated database: what a transaction sees, locks, what a roll-back takes with it, and a crash."""

from functools import partial

import pytest

from model.hive.log import append
from model.hive.observer import Unobserved
from model.hive.retrying import Retrying
from model.ports import Deadlock, Refused
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import FirstCome, RandomWalk
from sim.services.database import DatabaseService
from sim.services.servers import Server
from tests.mutants.hive import BY_NAME


def service(strategy=None, **options):
    """A database with nothing in it."""
    kernel = Kernel(Choices(strategy or FirstCome()))
    return kernel, DatabaseService(kernel, **options)


def test_a_transaction_sees_its_own_writes_and_an_exception_undoes_them():
    """Sequence numbers stay taken."""
    _, database = service()

    def refused(tx):
        tx.put("t", 1, "a")
        assert tx.get("t", 1) == "a"
        assert tx.scan("t") == ((1, "a"),)
        tx.delete("t", 1)
        assert tx.get("t", 1) is None
        tx.next_value("s")
        raise Refused("no")

    with pytest.raises(Refused):
        database.transact("change", "t", refused)
    assert database.transact("look", "t", lambda tx: (tx.scan("t"), tx.next_value("s"))) == ((), 2)


def test_scans_are_in_key_order_with_bounds_and_a_limit():
    """Committed rows and the transaction's own alike."""
    _, database = service()
    database.transact("fill", "t", lambda tx: [tx.put("t", key, str(key)) for key in (5, 1, 3)])

    def look(tx):
        tx.put("t", 4, "own")
        tx.delete("t", 1)
        return tx.scan("t", 2, 5), tx.scan("t", None, None, 2), tx.scan("t", 4)

    assert database.transact("look", "t", look) == (
        ((3, "3"), (4, "own")), ((3, "3"), (4, "own")), ((4, "own"), (5, "5")),
    )  # fmt: skip


def increments(database, locked, count=2):
    """Tasks that read, add one and write, statement by statement."""

    def body(tx):
        read = tx.lock if locked else tx.get
        tx.put("t", 1, (read("t", 1) or 0) + 1)

    for number in range(count):
        database.kernel.start(f"w{number}", lambda: database.transact("add", "t", body))
    database.kernel.drive()
    return database.row("t", 1)


def test_without_a_lock_an_update_is_lost_with_it_never():
    """Over many schedules; the lock was really waited for."""
    found, waited = set(), 0
    for seed in range(60):
        found.add(increments(service(RandomWalk(seed), statements=True)[1], locked=False))
        kernel, database = service(RandomWalk(seed), statements=True)
        assert increments(database, locked=True) == 2
        waited += kernel.coverage.get("database: waited for a row lock", 0)
    assert found == {1, 2}
    assert waited > 0


def test_a_dead_process_lets_its_rows_go_and_its_writes_are_gone():
    """Rolled back at the crash; the one that waited goes on."""
    kernel, database = service(statements=True)
    kernel.on_crash = database.crashed

    def never_commits(tx):
        tx.put("t", 1, "dead")
        kernel.call("crash", "w0", "write", lambda: kernel.crash("w0"))

    kernel.start("w0", lambda: database.transact("first", "t", never_commits))
    kernel.start("w1", lambda: database.transact("second", "t", lambda tx: tx.put("t", 1, "alive")))
    kernel.drive()
    assert database.row("t", 1) == "alive"


def crossing(kernel, database):
    """Two transactions that take two rows in opposite order; returns who was told of a deadlock."""
    refused = []

    def writer(name, *rows):
        def body(tx):
            for row in rows:
                tx.put("t", row, name)

        try:
            database.transact("put", name, body)
        except Deadlock:
            refused.append(name)

    kernel.start("w0", lambda: writer("w0", 1, 2))
    kernel.start("w1", lambda: writer("w1", 2, 1))
    kernel.drive()
    return refused


def test_of_transactions_that_wait_for_each_other_one_is_rolled_back():
    """The one that asks last: the other commits both rows; without a cycle both commit."""
    found = set()
    for seed in range(60):
        kernel, database = service(RandomWalk(seed), statements=True)
        refused = crossing(kernel, database)
        rows = [row for _, row in database.rows("t")]
        assert not refused or rows == [next(name for name in ("w0", "w1") if name not in refused)] * 2
        found.add(tuple(refused))
    assert found == {(), ("w0",), ("w1",)}


def test_a_circle_of_three_transactions_is_a_deadlock_too():
    """Each has what the next one wants."""
    refused = []
    kernel, database = service(statements=True)

    def writer(name, first, then):
        def body(tx):
            tx.put("t", first, name)
            tx.put("t", then, name)

        try:
            database.transact("put", name, body)
        except Deadlock as error:
            refused.append((name, str(error)))

    for number in range(3):
        kernel.start(f"w{number}", partial(writer, f"w{number}", number, (number + 1) % 3))
    kernel.drive()
    assert refused == [("w2", "row 0 of t: expected a lock in the end, got a circle of transactions")]


def test_a_metastore_tries_again_what_a_deadlock_has_rolled_back():
    """Ten times more, then its client is told."""
    asked = []

    class Unlucky:
        lucky = 11

        def transact(self, operation, resource, body):
            asked.append(operation)
            if len(asked) < self.lucky:
                raise Deadlock("put")
            return body(None)

    unlucky = Unlucky()
    assert Retrying(unlucky, Unobserved()).transact("put", "h1", lambda tx: "done") == "done"
    assert len(asked) == 11
    asked.clear()
    unlucky.lucky = 12
    with pytest.raises(Deadlock):
        Retrying(unlucky, Unobserved()).transact("put", "h1", lambda tx: "done")
    assert len(asked) == 11


def opened(tx):
    """Log the opening of a transaction."""
    append(tx, "OPEN_TXN", txn=1)


def event_ids():
    """The ids that two writers' events get, over many schedules."""
    seen = set()
    for seed in range(40):
        kernel, database = service(RandomWalk(seed), statements=True)
        for number in range(2):
            kernel.start(f"w{number}", partial(database.transact, "open", "h1", opened))
        kernel.drive()
        seen.add(tuple([event.id for _, event in database.rows("NOTIFICATION_LOG")]))
    return seen


def test_event_ids_are_given_twice_without_the_sequence_lock_only():
    """HIVE-16886: two writers read one next id."""
    assert event_ids() == {(1, 2)}
    with BY_NAME["M30"].alive():
        assert event_ids() == {(1, 1), (1, 2)}


def test_a_servers_section_is_one_step_with_what_it_asks_the_database():
    """Its own errors are raised in its thread, after the step."""
    kernel, database = service()
    server = Server(kernel, database, "h1")
    raised = []

    def section():
        server.transact("inner", "t", lambda tx: tx.put("t", 1, "kept"))
        raise KeyError("mine")

    def thread():
        try:
            server.critical("outer", "h1", section)
        except KeyError as error:
            raised.append(str(error))

    kernel.start("w0", thread)
    kernel.drive()
    assert (raised, database.row("t", 1)) == (["'mine'"], "kept")
    assert [row[2] for row in kernel.trace] == ["outer"]


def test_waiting_for_rows_is_no_step_and_ends_with_the_run():
    """A poll that finds nothing changes nothing, so it is not made."""
    kernel, database = service(journal="t")
    seen: list[str] = []

    def waiter():
        while database.wait_until(lambda: database.row("t", len(seen) + 1) is not None):
            seen.append(database.row("t", len(seen) + 1))

    def writer():
        for key in (1, 2):
            database.transact("put", "t", lambda tx, key=key: tx.put("t", key, f"row {key}"))
        database.over()

    kernel.start("h1", waiter)
    kernel.start("w1", writer)
    kernel.drive()
    assert seen == ["row 1", "row 2"]
    assert [row[2] for row in kernel.trace] == ["put", "put"]
