"""A scenario of your own, with no lakehouse in it: two people draw from one account in a compare-and-swap register.

Run it:      lakeproof run examples/bank_transfer.py
It holds: a lost race is retried on the fresh balance. Set CHECKED = False and the second withdrawal overwrites the
first, because it names a version that it loaded for the write and not the one whose balance it read; `lakeproof run`
then exits 1 and prints the schedule.
"""

from collections.abc import Callable

from lakeproof import CasLost, Scenario, Simulation, program

CHECKED = True
ACCOUNT = "account"


def open_account(simulation: Simulation) -> None:
    """The image that every run starts from: 100 in the account."""
    simulation.services.register.commit(ACCOUNT, 0, 100)


def withdraw(simulation: Simulation, name: str, amount: int) -> Callable[[], None]:
    """One client: read the balance, write the smaller one, try again if somebody was faster."""
    register = simulation.world(name).register

    def body() -> None:
        op = simulation.record.invoke(name, "withdraw", str(amount))
        while True:
            seen = register.load(ACCOUNT)
            balance = seen.value - amount
            expected = seen.version if CHECKED else register.load(ACCOUNT).version
            try:
                version = register.commit(ACCOUNT, expected, balance)
            except CasLost:
                simulation.world(name).coverage.hit("race lost")
                continue
            read = (ACCOUNT, str(seen.value), seen.version - 1)
            write = (ACCOUNT, str(balance))
            simulation.record.ok(op, start=seen.version - 1, commit=version - 1, reads=[read], writes=[write])
            return

    return body


def start(simulation: Simulation) -> None:
    """The actors of a run. Version 0 of the history is what `open_account` wrote."""
    simulation.record.setup([(ACCOUNT, "100")])
    simulation.actor("ann", withdraw(simulation, "ann", 30))
    simulation.actor("bob", withdraw(simulation, "bob", 50))


scenario = Scenario(
    name="bank/transfer",
    summary="Two withdrawals from one account behind a compare-and-swap register.",
    program=program(start, prepare=open_account),
    properties=("no-lost-update", "serializable"),
    counters=("race lost",),
    bounds="2 clients, 1 withdrawal each",
)
