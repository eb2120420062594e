"""Small scenarios, as objects and as files, for tests of the front door."""

from pathlib import Path

from lakeproof import Scenario, program

ROOT = Path(__file__).resolve().parents[3]
BANK = ROOT / "examples" / "bank_transfer.py"
SNAPSHOT, SERIALIZABLE = "iceberg/delete-update-snapshot", "iceberg/delete-update-serializable"
LOSES = ("no-lost-update",)


def counter_file(folder, *, checked=True, extra="", name="test/counter", expect="holds", head="", asks=LOSES):
    """A scenario file: two clients add one to a register; unchecked, each loads the version that it writes on."""
    path = folder / "counter.py"
    path.write_text(f"""{head}
from lakeproof import CasLost, Scenario, Simulation, program


def add(simulation, name):
    register = simulation.world(name).register

    def body():
        op = simulation.record.invoke(name, "add")
        while True:
            seen = register.load("n")
            expected = seen.version if {checked} else register.load("n").version
            try:
                version = register.commit("n", expected, seen.value + 1)
            except CasLost:
                simulation.world(name).coverage.hit("race lost")
                continue
            simulation.record.ok(op, start=seen.version - 1, commit=version - 1,
                            reads=[("n", str(seen.value), None)], writes=[("n", str(seen.value + 1))])
            return
    return body


def start(simulation):
    simulation.record.setup([("n", "0")])
    simulation.actor("a", add(simulation, "a"))
    simulation.actor("b", add(simulation, "b"))


scenario = Scenario(
    name={name!r}, program=program(start, prepare=lambda simulation: simulation.services.register.commit("n", 0, 0)),
    properties={asks!r}, expect={expect!r}, bounds="2 clients", {extra}
)
""")
    return path


def holds(name="test/empty", **fields):
    """A scenario in which one actor does nothing much."""

    def start(simulation):
        simulation.record.setup([("n", "0")])
        simulation.actor("a", lambda: None)

    return Scenario(name, program(start), **{"properties": LOSES} | fields)
