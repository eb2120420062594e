"""The bank of the examples as a fourth protocol: everything that a row of the table of protocols may name."""

from dataclasses import replace

from checkers.finding import T1, Finding
from checkers.histories.history import History
from examples.bank_transfer import ACCOUNT, scenario
from lakeproof.protocols import Protocol
from real_backend.gating.observed import observed
from real_backend.gating.system import Replayed
from reports.explanation.renderer import Line, Plain
from sim.search.claims import Claim
from sim.search.defect import Defect
from sim.search.script import all_steps
from sim.search.study import Study, Table
from sim.world.live import Live

STEPS = ("load", "commit")
LIMIT = 50


class BadAmount(ValueError):
    """Nobody can draw that."""


def stays_rich(facts):
    """No withdrawal leaves less than 50 in the account."""
    return [
        Finding("poor", (position,), (), (f"{T1} leaves {write.value}",))
        for position, op in enumerate(facts.ops)
        for write in op.writes
        if write.key == ACCOUNT and int(write.value) < LIMIT
    ][:1]


CHECKS = {"stays-rich": stays_rich}


class Clerk(Plain):
    """Explains in the words of a bank."""

    def title(self, label):
        """A withdrawal."""
        return f"the {label.replace('withdraw', 'withdrawal of')}"

    def render(self, phase, rows, label):
        """A load is a look at the balance."""
        if rows[0].call == "load":
            return [Line(f"{rows[0].actor} looks at the balance: {rows[0].value.value}.")]
        return super().render(phase, rows, label)


def renderer(rows, events):
    """The clerk explains everything."""
    return Clerk()


class Ledger:
    """A live system that does what the simulation did."""

    unseen = ()

    def name(self, live):
        """Its name, and what it was given."""
        return f"the ledger of {live.workload}"

    def replay(self, backends, live, schedule, run):
        """The simulated run again."""
        steps = tuple(map(str, all_steps(run.trace, STEPS, resources=False)))
        seen = observed(run.events, ("ann", "bob"), steps)
        return Replayed(steps, History(run.events), run.events, seen, seen, True)


LEDGER = Ledger()
SAFE = replace(scenario, protocol="bank", live=Live("ledger", "ann and bob", (STEPS,)))
POOR = replace(
    SAFE, name="bank/poor", properties=("no-lost-update", "stays-rich"), expect="violated", broken="stays-rich"
)
SCENARIOS = (SAFE, POOR)
CLAIMS = (Claim("no withdrawal is lost", "the bank's terms, 1", "no-lost-update", "compare and swap", (SAFE,)),)
DEFECTS = (Defect("bank/poor", "the savings", "two withdrawals", "simulated only", ()),)
STUDY = Study("bank-queue", "How long it takes.", 1, lambda progress: Table("A queue", ("clients",), ((2,),)), ())
OPERATIONS = ("audit",)


def fetch():
    """Nothing has to be fetched."""
    return "ledger: on paper"


ROW = Protocol(
    "bank",
    "the bank",
    scenarios={"The bank": f"{__name__}:SCENARIOS"},
    properties=f"{__name__}:CHECKS",
    operations=f"{__name__}:OPERATIONS",
    renderer=f"{__name__}:renderer",
    claims=f"{__name__}:CLAIMS",
    defects=f"{__name__}:DEFECTS",
    studies={"bank-queue": f"{__name__}:STUDY"},
    live={"ledger": f"{__name__}:LEDGER"},
    fetch=f"{__name__}:fetch",
    option_error=f"{__name__}:BadAmount",
)
