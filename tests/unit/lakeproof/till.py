"""A till as a protocol with a generator: people add to a register, with or without looking whether it has moved."""

from dataclasses import replace

from checkers.histories.history import History
from lakeproof.protocols import Protocol
from model.ports import CasLost, Status
from real_backend.gating.observed import observed
from real_backend.gating.system import Replayed
from sim.generation.causes import Known
from sim.generation.draws import PinError
from sim.generation.generator import Generator, Option, Promise, promised
from sim.search.script import all_steps
from sim.world.live import Live
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario

STEPS = ("load", "commit")
LOOKS = Option("till.looks", ("yes", "no", "badly"), "the till's manual, 3", ("till.sees",), {"Blind": "no"})
COLOUR = Option("till.colour", ("grey", "red"), "the till's manual, 1")
PROMISES = (
    Promise("no-lost-update", "the till's manual, 2"),
    Promise("serializable", "its brochure", lambda settings: settings[COLOUR.key] == "red", "the till is red"),
)


def draw(draws, rules):
    """Two or three people, one or two additions each; at most one answer is lost."""
    settings = {option.key: draws.one_of(option.key, option.values) for option in (LOOKS, COLOUR)}
    if settings[LOOKS.key] == "badly" and settings[COLOUR.key] == "red":
        raise PinError(f"{LOOKS.key}: badly: expected a grey till, got a red one")
    looks = settings[LOOKS.key] == "yes" and rules != "broken"
    times = draws.list_of("people", 2, 3, lambda _: draws.number("additions", 1, 2))
    limit = draws.number("faults", 0, 1)

    def start(simulation):
        simulation.record.setup([("n", "0")])
        for number, often in enumerate(times, 1):
            name = f"p{number}"
            simulation.actor(name, _adding(simulation, name, often, looks))

    return Scenario(
        "generated", program(start, prepare=lambda simulation: simulation.services.register.commit("n", 0, 0)),
        promised(PROMISES, settings), faults=FaultSpace({"commit": ("503-before",)}, limit) if limit else FaultSpace(),
        live=Live("drawer", "coins", (STEPS,)),
    )  # fmt: skip


def _adding(simulation, name, often, looks):
    world = simulation.world(name)

    def add():
        op = simulation.record.invoke(name, "add")
        while True:
            seen = world.register.load("n")
            expected = seen.version if looks else world.register.load("n").version
            try:
                version = world.register.commit("n", expected, seen.value + 1)
            except CasLost:
                continue
            except Status as error:
                simulation.record.fail(op, str(error))
                return
            read, written = [("n", str(seen.value), None)], [("n", str(seen.value + 1))]
            simulation.record.ok(op, start=seen.version - 1, commit=version - 1, reads=read, writes=written)
            return

    def body():
        for _ in range(often):
            add()

    return body


class Drawer:
    """A live system that does what the simulation did; one that is not honest finds a coin more."""

    unseen = ()
    honest = True

    def name(self, live):
        """Its name, and what is in it."""
        return f"a drawer of {live.workload}"

    def replay(self, backends, live, schedule, run):
        """The simulated run again."""
        steps = tuple(map(str, all_steps(run.trace, STEPS, resources=False)))
        simulated = observed(run.events, ("p1", "p2", "p3"), steps)
        seen = simulated if self.honest else replace(simulated, rows=(("n", "99"),))
        return Replayed(steps, History(run.events), run.events, simulated, seen, self.honest)


DRAWER = Drawer()
GENERATOR = Generator(
    "till",
    (LOOKS, COLOUR),
    {"shipped": "shipped", "broken": "broken"},
    PROMISES,
    draw,
    ("add",),
    ("503-before", "resend"),
    ("tills of two drawers",),
    {"default": {}, "blind": {LOOKS.key: "no"}, "red": {COLOUR.key: "red"}},
    (Known("till/blind", "no-lost-update", "", ("add",), ("503",)),),
)
TILL = Protocol("till", "Till", scenarios={}, generator="tests.unit.lakeproof.till:GENERATOR",
                live={"drawer": "tests.unit.lakeproof.till:DRAWER"})  # fmt: skip
