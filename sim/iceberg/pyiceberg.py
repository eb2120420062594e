"""The scenarios of PyIceberg 0.12.0. The library takes half a second to import: it is when one of them first runs."""

from __future__ import annotations

from sim.iceberg.pyiceberg_counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.workload import Append, Delete, Statement
from sim.world.later import Later
from sim.world.scenario import FaultSpace, Scenario, scenario_of

RACE = "sim.iceberg.pyiceberg_race:PyIcebergRace"
SAFETY = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")


def _race(
    name: str, summary: str, writers: dict[str, Statement], *, retries: int = 4, resend: bool = False,
    broken: str | None = None, counters: tuple[str, ...] = (),
) -> Scenario:  # fmt: skip
    statements = tuple((actor, (statement,)) for actor, statement in writers.items())
    return scenario_of(
        Later(RACE, (statements, retries)),
        f"pyiceberg/{name}",
        summary=summary,
        properties=SAFETY,
        broken=broken,
        counters=counters,
        faults=FaultSpace({"commit": ("resend",)}, 1, ("w1",)) if resend else FaultSpace(),
        bounds=f"PyIceberg 0.12.0, writers: {len(writers)}, 1 statement each, {retries} retries",
        yield_points=("load", "commit"),
    )


PYICEBERG: tuple[Scenario, ...] = (
    _race(
        "append-append",
        "Two appends of shipped PyIceberg: the loser retries, both stay.",
        {"w1": Append(((3, "x"),)), "w2": Append(((4, "y"),))},
        counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    _race(
        "delete-delete",
        "Two deletes of rows in one file: the second is refused.",
        {"w1": Delete(1), "w2": Delete(2)},
        counters=(REQUIREMENT_FAILED,),
    ),
    _race(
        "append-resent",
        "One append without retries; the swap is sent twice: the clean-up deletes what was committed.",
        {"w1": Append(((3, "x"),))},
        retries=0,
        resend=True,
        broken="readable",
    ),
    _race(
        "append-resent-with-retries",
        "The same with retries left: the library finds its own snapshot.",
        {"w1": Append(((3, "x"),))},
        retries=2,
        resend=True,
        counters=("fault resend",),
    ),
)
