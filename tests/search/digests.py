"""Digests of many runs, to be compared between processes: `python -m tests.search.digests NAME:SEEDS ...`.

Every seed is run, and run again from its tape; the digest covers the whole trace with its payloads, the history, and
what the replay gave. Half of the seeds are random walks, half priority walks.
"""

import runpy
import sys
from pathlib import Path

from lakeproof.scenarios import built_in
from sim.search.run import Runner
from sim.search.strategies import PriorityWalk, RandomWalk
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

BANK = Path(__file__).resolve().parents[2] / "examples" / "bank_transfer.py"


def _leak(simulation: Simulation) -> None:
    for name in {"alpha", "beta", "gamma", "delta"}:
        simulation.world("w1").store.put(name, 1)


LEAKY = Scenario("leaky", program(lambda simulation: simulation.actor("w1", lambda: _leak(simulation))), ())


def find(name: str) -> Scenario:
    """A scenario of the catalog, the bank example, or the one that leaks the order of a set."""
    if name == "leaky":
        return LEAKY
    if name == "bank":
        found: Scenario = runpy.run_path(str(BANK))["scenario"]
        return found
    return built_in()[name]


def digests(scenario: Scenario, seeds: range) -> list[str]:
    """One line per seed. Raises `NondeterminismError` if a tape does not fit its own run."""
    runner = Runner(scenario)
    lines = []
    for seed in seeds:
        run = runner.run(RandomWalk(seed) if seed % 2 else PriorityWalk(seed, 3))
        again = runner.replay(run.tape)
        lines.append(f"{scenario.name} {seed} {run.digest()} {again.digest()} {run.failure}")
    return lines


if __name__ == "__main__":
    for request in sys.argv[1:]:
        name, count = request.rsplit(":", 1)
        sys.stdout.write("\n".join(digests(find(name), range(int(count)))) + "\n")
