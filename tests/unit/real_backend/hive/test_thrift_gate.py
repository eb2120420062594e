"""The Thrift gate without a metastore: what it holds, what it passes on, its faults, the calls that it restores."""

import threading

import pytest
from hive_metastore.ttypes import (
    AlterTableRequest,
    GetTableRequest,
    MetaException,
    NoSuchObjectException,
    Table,
)
from thrift.Thrift import TApplicationException
from thrift.transport.TTransport import TTransportException

from real_backend.gating.gate import Gate
from real_backend.gating.play import play
from real_backend.hive.client import Connection
from real_backend.hive.late_calls import late_names
from real_backend.hive.thrift_gate import YIELD_POINTS, ThriftGate, can_fault
from real_backend.hive.thrift_wire import arguments_of, with_arguments
from sim.kernel.schedule import Divergence, steps_of
from tests.unit.real_backend.hive.server import Server


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


@pytest.fixture
def door(server):
    made = ThriftGate("h1", lambda: server.port)
    yield made
    made.close()


def altered(value, name="t"):
    table = Table(tableName=name, dbName="default", parameters={"v": value})
    return AlterTableRequest(dbName="default", tableName="t", table=table)


def run(door, bodies, text, **options):
    """Run a body per actor, each with its calls, under these steps: (gate, what each body returned or raised)."""
    told = {}

    def launch(actor):
        threading.Thread(target=body, args=(actor,), daemon=True).start()

    def body(actor):
        connection = Connection(door.port_of(actor), timeout_s=60)
        try:
            told[actor] = bodies[actor](connection.calls)
        except Exception as error:
            told[actor] = type(error).__name__
        connection.close()
        gate.finish(actor)

    gate = Gate(bodies, launch, yield_points=YIELD_POINTS, faults=can_fault, timeout_s=60, **options)
    door.install(gate)
    gate.hold_helpers(gate.helpers)
    play(gate, steps_of(text))
    return gate, told


def read(calls):
    return calls.get_table_req(GetTableRequest(dbName="default", tblName="t")).table.parameters["v"]


def write(value):
    return lambda calls: calls.alter_table_req(altered(value)) and value


def trace(gate):
    return " ".join(map(str, gate.trace))


@pytest.mark.parametrize(("text", "seen"), [("w1:end r1:end", "v1"), ("r1:end w1:end", "v0")])
def test_order_is_the_schedules(door, text, seen):
    """Two actors on one metastore, told apart by their ports."""
    _, told = run(door, {"w1": write("v1"), "r1": read}, text)
    assert told == {"w1": "v1", "r1": seen}


def test_reply_is_a_step_of_its_own_when_the_schedule_splits_it(door):
    """The write is there for others before its writer is told."""
    text = "w1.alter_table r1:end w1.alter_table/reply w1:end"
    gate, told = run(door, {"w1": write("v1"), "r1": read}, text, split_replies=True)
    assert told["r1"] == "v1"
    assert trace(gate).startswith("w1.alter_table=applied r1.get_table=applied r1.get_table/reply w1.alter_table/reply")


@pytest.mark.parametrize(("fault", "value"), [("drop-before", "v0"), ("drop-after", "v1")])
def test_connection_closes_before_or_after_the_call_is_applied(door, server, fault, value):
    """The client cannot tell the two apart."""
    gate, told = run(door, {"w1": write("v1")}, f"w1.alter_table!{fault}")
    assert told["w1"] in (TTransportException.__name__, EOFError.__name__, "ConnectionResetError")
    assert server.handler.tables == {"t": value}
    assert trace(gate).startswith(f"w1.alter_table!{fault}")


@pytest.mark.parametrize(
    ("text", "seen", "left"),
    [
        ("w1.alter_table!late w1-late.alter_table r1:end", "v1", "v1"),
        ("w1.alter_table!late r1:end w1-late:end", "v0", "v1"),
        ("w1.alter_table!late r1:end", "v0", "v0"),
    ],
    ids=["before a read", "after it", "never"],
)
def test_a_late_call_arrives_when_the_schedule_says_so(door, server, text, seen, left):
    """Its client has been told that the connection is closed."""
    names = late_names(steps_of(text))
    assert names == ("w1-late",)
    _, told = run(door, {"w1": write("v1"), "r1": read}, text, helpers=names)
    assert told["r1"] == seen
    assert told["w1"] in (TTransportException.__name__, EOFError.__name__, "ConnectionResetError")
    assert server.handler.tables == {"t": left}


def test_fault_that_no_connection_has_is_a_divergence(door):
    """It names the step and the fault."""
    with pytest.raises(Divergence, match="cannot commit the fault 503-after at alter_table"):
        run(door, {"w1": write("v1")}, "w1.alter_table!503-after")


def test_rename_is_an_alter_with_another_name(door):
    """It is a step of its own."""
    gate, _ = run(door, {"w1": lambda calls: calls.alter_table_req(altered("v1", "u")) and 1}, "w1.rename_table")
    assert trace(gate) == "w1.rename_table=applied"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (write("no"), MetaException),
        (lambda calls: calls.drop_table("default", "u", False), NoSuchObjectException),
        (lambda calls: calls.get_table("default", "u"), NoSuchObjectException),
        (lambda calls: calls.get_all_databases(), AttributeError),
    ],
)
def test_refusal_reaches_the_client_as_the_metastore_said_it(door, server, body, error):
    """With its class; an error of the server's own code comes as Thrift's exception for that."""
    with Connection(door.port_of("setup")) as calls, pytest.raises((error, TApplicationException)):
        body(calls)


def test_refusal_is_the_steps_outcome(door):
    """A call that returns nothing is applied."""
    bodies = {
        "w1": write("no"),
        "w2": lambda calls: calls.drop_table("default", "t", False),
        "w3": lambda calls: calls.drop_table("default", "t", False),
    }
    gate, told = run(door, bodies, "w1:end w2:end w3:end")
    assert trace(gate) == "w1.alter_table=refused w2.drop_table=applied w3.drop_table=refused"
    assert told == {"w1": "MetaException", "w2": None, "w3": "NoSuchObjectException"}


def test_calls_that_the_metastore_has_dropped_still_work(door, server):
    """`get_table` is made of `get_table_req`, for Spark's client and PyIceberg."""
    gate, told = run(door, {"w1": lambda calls: calls.get_table("default", "t").parameters["v"]}, "w1:end")
    assert told == {"w1": "v0"}
    assert trace(gate) == "w1.get_table=applied"
    assert server.handler.calls == ["get_table_req"]


def test_a_call_can_say_what_is_so_when_it_is_released(door, server):
    """Once: the next call of the actor is as it came."""

    def remade(call):
        arguments = arguments_of(call)
        arguments.req.table.parameters["v"] += " remade"
        return with_arguments(call, arguments)

    door.remakes["w1"] = remade
    run(door, {"w1": lambda calls: calls.alter_table_req(altered("first"))}, "w1.alter_table")
    assert server.handler.tables == {"t": "first remade"}
    run(door, {"w1": lambda calls: calls.alter_table_req(altered("second"))}, "w1.alter_table")
    assert server.handler.tables == {"t": "second"}


def test_what_a_lost_call_was_to_say_is_not_said_by_the_next(door, server):
    """The connection had closed before it was passed on."""
    door.remakes["w1"] = lambda call: with_arguments(call, AssertionError("another call"))
    run(door, {"w1": write("first")}, "w1.alter_table!drop-before")
    run(door, {"w1": write("second")}, "w1.alter_table")
    assert server.handler.tables == {"t": "second"}


def test_bytes_that_are_no_text_pass(door):
    """The flags of aborted transactions: of eight, say."""
    _, told = run(door, {"w1": lambda calls: calls.get_open_txns().abortedBits}, "w1.get_open_txns")
    assert told["w1"] == b"\x80"


def test_actor_that_the_gate_does_not_know_passes_freely(door):
    """As `setup` does; its calls are no steps."""
    gate = Gate(("w1",), yield_points=YIELD_POINTS)
    door.install(gate)
    with Connection(door.port_of("setup")) as calls:
        assert read(calls) == "v0"
    assert gate.trace == ()


def test_read_is_from_the_cache_if_the_database_was_not_asked(server):
    """The count of what clients were given from the database is taken while the read runs."""
    counts = iter([0, 0, 4, 5])
    door = ThriftGate("h1", lambda: server.port, lambda: next(counts))
    found = []
    with Connection(door.port_of("r1")) as calls:
        for _ in range(2):
            read(calls)
            found.append(door.was_from_cache("r1"))
    door.close()
    assert found == [True, False]


def test_closed_gate_ends_blocked_calls(server):
    """A run that is given up leaves nobody waiting."""
    door = ThriftGate("h1", lambda: server.port)
    gate = Gate(("w1",), yield_points=YIELD_POINTS)
    door.install(gate)
    told = []

    def body():
        try:
            Connection(door.port_of("w1"), timeout_s=60).calls.alter_table_req(altered("v1"))
        except Exception as error:
            told.append(type(error))

    thread = threading.Thread(target=body)
    thread.start()
    gate.await_blocked("w1")
    door.close()
    thread.join(60)
    assert len(told) == 1
    assert server.handler.tables == {"t": "v0"}


def test_the_next_call_of_an_actor_can_have_a_name_of_its_own(door):
    """Once: the one after it is called as others of its method."""
    door.renamed["w1"] = "lock_table"
    gate, _ = run(door, {"w1": lambda calls: [read(calls), read(calls)]}, "w1:end")
    assert [str(step.at) for step in gate.trace] == ["w1.lock_table(h1)", "w1.get_table(h1)"]
