"""The live sample of a campaign: generated scenarios on the real system, those that fail first.

A scenario that fails is played as its smallest schedule says; one that does not, in an order drawn from its seed, at
the steps that the live system's gates have. What has no live counterpart, no run that the gates can follow, or depends
on real time, is counted by the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lakeproof import folder as files
from lakeproof.campaigns.clusters import Told
from lakeproof.errors import UsageProblem, one_line
from lakeproof.folder import RunFolder
from lakeproof.live import LiveSystems
from lakeproof.outcome import finish, with_live
from lakeproof.protocols import named
from lakeproof.replay_line import replay_command
from real_backend.errors import BackendError
from real_backend.pipeline.folder import Folder
from reports.campaign import Differs, Replays
from reports.record import Live
from sim.kernel.schedule import Divergence, Schedule, ScheduleError
from sim.search.at_gates import runs_at_gates
from sim.world.scenario import Scenario

NO_COUNTERPART = "it has no live counterpart"
NO_SCHEDULE = "no random run of it is one that the live gates can follow"
ENDED, UNFOLLOWED = "a live system could not be had", "it could not be followed"


def replayed_clusters(clusters: list[Told], systems: LiveSystems, limit: int) -> list[Told]:
    """The clusters, the first `limit` of those that can be with their live replay or the reason why there is none."""
    made: list[Told] = []
    left = limit
    for cluster, outcome in clusters:
        if outcome is None or left <= 0:
            made.append((cluster, outcome))
            continue
        if outcome.searched.scenario.live is None:
            made.append((replace(cluster, not_live=_lacking(outcome.searched.scenario)), outcome))
            continue
        left -= 1
        outcome = with_live(outcome, systems, f"replaying {cluster.cause}")
        made.append((replace(cluster, live=outcome.live, not_live=outcome.live_problem), outcome))
    return made


def differing(clusters: Iterable[Told]) -> tuple[Differs, ...]:
    """Those of the clusters on which the real system does something else."""
    return tuple([
        Differs(one.scenario, one.live.system, _differences(one.live), f"{one.command} --live")
        for one, _ in clusters if one.live is not None and not one.live.agrees
    ])  # fmt: skip


def sample(
    folder: Folder, systems: LiveSystems, limit: int, out: Path, tell: Callable[[int], object] = lambda _: None
) -> Replays:
    """Replay up to `limit` scenarios of the campaign that do not fail; run folders of those that differ go to `out`."""
    found: list[Differs] = []
    skipped: Counter[str] = Counter()
    replayed = 0
    for row in _spread(folder):
        if replayed >= limit:
            break
        scenario = named(row["scenario"])
        assert scenario is not None
        try:
            live, schedule = _replay(scenario, row["seed"], systems)
        except UsageProblem as error:
            skipped[one_line(error)] += 1
            continue
        except (BackendError, Divergence, ScheduleError) as error:
            skipped[
                f"{ENDED if isinstance(error, BackendError) else 'it could not be followed'}: {one_line(error)}"
            ] += 1
            if isinstance(error, BackendError) and not replayed:
                break
            continue
        replayed += 1
        tell(1)
        if not live.agrees:
            found.append(_kept(scenario, schedule, live, out / f"differs-{len(found) + 1:02}"))
    return Replays(limit, replayed, tuple(found), dict(skipped))


def _spread(folder: Folder) -> Iterator[dict[str, Any]]:
    """The scenarios that do not fail, one of each configuration in turn."""
    rows = folder.read("runs", ("protocol", "configuration", "seed", "scenario", "failed", "missing")).to_pylist()
    good = [row for row in rows if not row["failed"]]
    return iter(sorted(good, key=lambda row: (row["seed"], row["protocol"], row["configuration"])))


def _replay(scenario: Scenario, seed: int, systems: LiveSystems) -> tuple[Live, Schedule]:
    """Play a drawn order live. Raises: `UsageProblem` if there is none that can be, and what live systems raise."""
    if scenario.live is None:
        raise UsageProblem(_lacking(scenario))
    if scenario.live.timed:
        raise UsageProblem(f"it depends on real time: {scenario.live.timed}")
    played = next(runs_at_gates(scenario, seed), None)
    if played is None:
        raise UsageProblem(NO_SCHEDULE)
    return systems.replay(scenario, played.schedule, played.run).live, played.schedule


def _lacking(scenario: Scenario) -> str:
    """Why there is no live counterpart, without what this scenario has in its place: a reason is counted."""
    return ": ".join(filter(None, [NO_COUNTERPART, scenario.not_live.partition(", got ")[0]]))


def _kept(scenario: Scenario, schedule: Schedule, live: Live, path: Path) -> Differs:
    folder = RunFolder(path)
    path.mkdir(parents=True)
    folder.write(files.SCHEDULE, str(schedule))
    command = f"{replay_command(folder / files.SCHEDULE, None)} --live"
    return Differs(scenario.name, live.system, _differences(live), command)


def _differences(live: Live) -> tuple[str, ...]:
    return tuple([
        f"{row.what}: simulated {row.simulated}, live {row.live}" for row in live.compared if not row.agrees
    ])  # fmt: skip


def finish_all(clusters: Iterable[Told]) -> None:
    """Write the pages of every cluster's run."""
    for _, outcome in clusters:
        if outcome is not None:
            finish(outcome, latest=False)
